import { basename } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { ListLayout } from '../../../../shared/contract/exports.ts'
import type { WorkbookSettings } from '../../../../shared/contract/workbooks.ts'
import type { ExtractedRecord } from '../../../../shared/domain/result.ts'
import type { SchemaElement } from '../../../../shared/domain/schema.ts'
import type { Locale } from '../../../../shared/messages/sentences.ts'
import { found, nameSql } from './columns.ts'
import type { Database } from '../open.ts'

/** A folder's workbook as it is wanted. `path`: null where its place follows from the folder's name. */
export type Workbook = WorkbookSettings & { folderId: number }

/** A file as it was written: enough to see whether it is still that one. */
export type Written = { sizeBytes: number; mtimeMs: number; sha256: Buffer }

export type WorkbookFile = {
  id: number
  folderId: number
  path: string
  temporary: string
  /** As Sheaf wrote it last, and as it was about to be renamed last; null: never. */
  last: Written | null
  next: Written | null
  rows: number
  documents: number
  writtenAt: number | null
}

/** A document that waits to be written, or taken out (`records` null). */
type WaitingDocument = {
  id: number
  change: number
  elements: SchemaElement[]
  records: ExtractedRecord[] | null
}

/** Everything that a workbook is to have, as it was at one moment, however long it is read. */
export type FrozenWorkbook = {
  /** The change up to which it is. */
  change: number
  /** The schemas of its documents, that of the first document first. */
  schemaIds: number[]
  /** Documents of one schema in the order of their approval. */
  documents(schemaId: number): Generator<{ fileName: string; records: ExtractedRecord[] }>
  end(): void
}

type BookRow = { folder_id: number; is_on: number; path: string | null; lists: ListLayout; locale: Locale }
type FileRow = {
  id: number
  folder_id: number
  path: string
  temporary: string
  size_bytes: number | null
  mtime_ms: number | null
  sha256: Buffer | null
  next_size_bytes: number | null
  next_mtime_ms: number | null
  next_sha256: Buffer | null
  rows: number
  documents: number
  written_at: number | null
}

/**
 * Of a document d and a row r: whether the workbook is to have it. A copy in its folder stands for an original
 * elsewhere, or in the bin.
 */
const isCopyHere =
  "c.original_document_id = d.id AND c.folder_id = r.folder_id AND c.status = 'skipped' AND c.in_bin = 0"
const isWanted = `(d.status = 'done' AND d.review = 'approved' AND d.result_id IS NOT NULL
  AND ((d.folder_id = r.folder_id AND d.in_bin = 0) OR EXISTS (SELECT 1 FROM documents c WHERE ${isCopyHere})))`

const pageLength = 200

function prepare(db: Database) {
  const fileColumns =
    'id, folder_id, path, temporary, size_bytes, mtime_ms, sha256, next_size_bytes, next_mtime_ms, next_sha256, rows, documents, written_at'
  return {
    byFolder: db.prepare<[number], BookRow>(
      'SELECT folder_id, is_on, path, lists, locale FROM workbooks WHERE folder_id = ?',
    ),
    upsert: db.prepare<[Record<string, unknown>]>(`
    INSERT INTO workbooks (folder_id, is_on, path, lists, locale) VALUES (@folderId, @isOn, @path, @lists, @locale)
    ON CONFLICT (folder_id) DO UPDATE SET is_on = @isOn, path = @path, lists = @lists, locale = @locale, change = change + 1`),
    due: db.prepare<[], { folder_id: number }>(`
    SELECT w.folder_id FROM workbooks w JOIN folders f ON f.id = w.folder_id WHERE w.is_on = 1 AND w.change > w.written AND f.removed_at IS NULL`),
    empty: db.prepare<[number]>('DELETE FROM workbook_rows WHERE folder_id = ?'),
    // What was approved before the workbook was wanted.
    fill: db.prepare<[{ folderId: number }]>(`
    INSERT INTO workbook_rows (folder_id, document_id, added, change)
    SELECT w.folder_id, d.id, w.change, w.change FROM workbooks w JOIN documents d
    WHERE w.folder_id = @folderId AND d.review = 'approved' AND d.id IN (
      SELECT iif(j.status = 'skipped', j.original_document_id, j.id) FROM documents j WHERE j.folder_id = @folderId AND j.in_bin = 0)
    ORDER BY d.id ON CONFLICT DO NOTHING`),
    waiting: db.prepare<[number], { documents: number; rows: number }>(`
    SELECT count(*) AS documents, coalesce(sum(iif(r.counted = r.change, r.rows, 1)), 0) AS rows FROM workbook_rows r
    JOIN workbooks w ON w.folder_id = r.folder_id WHERE r.folder_id = ? AND r.change > w.written`),
    uncounted: db.prepare<[number], { id: number; change: number; elements: string; records: string | null }>(`
    SELECT r.id, r.change, v.elements, iif(${isWanted}, coalesce(s.corrected, s.records), NULL) AS records
    FROM workbook_rows r JOIN workbooks w ON w.folder_id = r.folder_id JOIN documents d ON d.id = r.document_id
      JOIN schema_versions v ON v.id = d.schema_version_id LEFT JOIN results s ON s.id = d.result_id
    WHERE r.folder_id = ? AND r.change > w.written AND r.counted <> r.change LIMIT ${pageLength}`),
    count: db.prepare<[number, number]>('UPDATE workbook_rows SET rows = ?, counted = change WHERE id = ?'),
    keepCount: db.prepare<[number]>('UPDATE workbook_rows SET counted = change WHERE id = ?'),
    // It was approved and reopened, and the file never had it.
    dropUnwritten: db.prepare<[number]>(`
    DELETE FROM workbook_rows AS r WHERE r.id = ? AND r.added > (SELECT written FROM workbooks WHERE folder_id = r.folder_id)`),
    current: db.prepare<[number], FileRow>(
      `SELECT ${fileColumns} FROM workbook_files WHERE folder_id = ? AND left_at IS NULL ORDER BY id DESC LIMIT 1`,
    ),
    begin: db.prepare<[number, string, string]>(
      'INSERT INTO workbook_files (folder_id, path, temporary) VALUES (?, ?, ?)',
    ),
    forget: db.prepare<[number]>('DELETE FROM workbook_files WHERE id = ?'),
    leave: db.prepare<[number, string, number]>('UPDATE workbook_files SET left_at = ?, left_because = ? WHERE id = ?'),
    startOver: db.prepare<[number]>('UPDATE workbooks SET written = 0 WHERE folder_id = ?'),
    announce: db.prepare<[number, number, Buffer, number]>(
      'UPDATE workbook_files SET next_size_bytes = ?, next_mtime_ms = ?, next_sha256 = ? WHERE id = ?',
    ),
    settleFile: db.prepare<[{ id: number; rows: number; documents: number; now: number }]>(`
    UPDATE workbook_files SET size_bytes = next_size_bytes, mtime_ms = next_mtime_ms, sha256 = next_sha256,
      rows = @rows, documents = @documents, written_at = @now WHERE id = @id`),
    takeOut: db.prepare<[{ folderId: number; change: number }]>(`
    DELETE FROM workbook_rows AS r WHERE r.folder_id = @folderId AND r.change <= @change
      AND r.change > (SELECT written FROM workbooks WHERE folder_id = @folderId)
      AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.id = r.document_id AND ${isWanted})`),
    settle: db.prepare<[number, number]>('UPDATE workbooks SET written = ? WHERE folder_id = ?'),
    changed: db.prepare<[number], { path: string }>(
      "SELECT path FROM workbook_files WHERE folder_id = ? AND left_because = 'changed' AND dismissed = 0 ORDER BY id DESC LIMIT 1",
    ),
    dismiss: db.prepare<[number]>('UPDATE workbook_files SET dismissed = 1 WHERE folder_id = ?'),
    others: db.prepare<[number], { path: string }>(
      'SELECT path FROM workbook_files WHERE left_at IS NULL AND folder_id <> ?',
    ),
    named: db.prepare<[string], { path: string }>('SELECT DISTINCT path FROM workbook_files WHERE instr(path, ?) > 0'),
  }
}

/** What the managed workbooks of folders are to be, the files that were written for them, and what waits. */
export class WorkbooksTable {
  readonly #db: Database
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: Database) {
    this.#db = db
    this.#sql = prepare(db)
  }

  get(folderId: number): Workbook | null {
    return found(this.#sql.byFolder.get(folderId), (row) => ({
      folderId,
      on: row.is_on === 1,
      path: row.path,
      lists: row.lists,
      locale: row.locale,
    }))
  }

  /** Workbooks that do not have everything yet, of folders that are watched. */
  due(): Workbook[] {
    return this.#sql.due.all().map((row) => this.get(row.folder_id)!)
  }

  /** All of it is to be written anew. With `on` what is approved already goes into it. */
  set(book: Workbook, now: number): void {
    this.#db.transaction(() => {
      const { folderId, on, path, lists, locale } = book
      const before = this.get(folderId)
      this.#sql.upsert.run({ folderId, isOn: Number(on), path, lists, locale })
      if (!on) this.#sql.empty.run(folderId)
      else if (before?.on !== true) this.#sql.fill.run({ folderId })
      const old = this.file(folderId)
      if (old === null || before === null || before.path === path) return
      if (old.last === null && old.next === null) this.#sql.forget.run(old.id)
      else this.#sql.leave.run(now, 'elsewhere', old.id)
    })()
  }

  /**
   * Documents and rows that the file does not have yet as they are; rows that were not counted yet count as one for
   * each document.
   */
  waiting(folderId: number): { documents: number; rows: number } {
    return this.#sql.waiting.get(folderId)!
  }

  /** At most 200 of what waits, of which nobody knows how many rows that is. */
  uncounted(folderId: number): WaitingDocument[] {
    return this.#sql.uncounted.all(folderId).map(({ id, change, elements, records }) => ({
      id,
      change,
      elements: JSON.parse(elements) as SchemaElement[],
      records: records === null ? null : (JSON.parse(records) as ExtractedRecord[]),
    }))
  }

  /** How many rows documents that wait have; null: those that the file has of it are to go. */
  count(counts: { id: number; rows: number | null }[]): void {
    this.#db.transaction(() => {
      for (const { id, rows } of counts) {
        if (rows !== null) this.#sql.count.run(rows, id)
        else if (this.#sql.dropUnwritten.run(id).changes === 0) this.#sql.keepCount.run(id)
      }
    })()
  }

  /** The file that is written for a folder; null before the first one was begun. */
  file(folderId: number): WorkbookFile | null {
    return found(this.#sql.current.get(folderId), fromRow)
  }

  /** From now on the folder's workbook is the file in this place. */
  begin(folderId: number, path: string, temporary: string): WorkbookFile {
    this.#sql.begin.run(folderId, path, temporary)
    return this.file(folderId)!
  }

  /** Nothing was ever written there. */
  forget(fileId: number): void {
    this.#sql.forget.run(fileId)
  }

  /** A person changed it: it is not Sheaf's any more, and the next one is to have everything. */
  leave({ id, folderId }: WorkbookFile, now: number): void {
    this.#db.transaction(() => {
      this.#sql.leave.run(now, 'changed', id)
      this.#sql.startOver.run(folderId)
    })()
  }

  /** Commits what a file will be, before it is. */
  announce(fileId: number, { sizeBytes, mtimeMs, sha256 }: Written): void {
    this.#sql.announce.run(sizeBytes, mtimeMs, sha256, fileId)
  }

  /** The file is what was announced: it has everything up to `change`. */
  written(
    { id, folderId }: WorkbookFile,
    made: { rows: number; documents: number; change: number },
    now: number,
  ): void {
    this.#db.transaction(() => {
      this.#sql.settleFile.run({ id, rows: made.rows, documents: made.documents, now })
      this.#sql.takeOut.run({ folderId, change: made.change })
      this.#sql.settle.run(made.change, folderId)
    })()
  }

  /** The file that was left because a person changed it, until that was read. */
  changedByHand(folderId: number): string | null {
    return this.#sql.changed.get(folderId)?.path ?? null
  }

  dismiss(folderId: number): void {
    this.#sql.dismiss.run(folderId)
  }

  /** Where other folders' workbooks are written. */
  pathsOfOthers(folderId: number): string[] {
    return this.#sql.others.all(folderId).map((row) => row.path)
  }

  /** Where workbooks were ever written whose path ends in this name. */
  pathsNamed(name: string): string[] {
    return this.#sql.named
      .all(name)
      .map((row) => row.path)
      .filter((path) => basename(path) === name)
  }

  /** Read by a connection of its own: what is approved meanwhile does not change it. Ends with `end`. */
  freeze(folderId: number): FrozenWorkbook {
    return freeze(this.#db.name, folderId)
  }
}

function freeze(path: string, folderId: number): FrozenWorkbook {
  const view = new Sqlite(path, { readonly: true })
  try {
    view.exec('BEGIN')
    const from = `FROM workbook_rows r JOIN documents d ON d.id = r.document_id JOIN schema_versions v ON v.id = d.schema_version_id
      WHERE r.folder_id = @folderId AND ${isWanted}`
    const change = view
      .prepare<[number], { change: number }>('SELECT change FROM workbooks WHERE folder_id = ?')
      .get(folderId)!.change
    const schemas = view.prepare<[{ folderId: number }], { schema_id: number }>(
      `SELECT v.schema_id ${from} GROUP BY v.schema_id ORDER BY min(r.id)`,
    )
    const page = view.prepare<[Record<string, number>], { id: number; name: string; records: string }>(`
      SELECT r.id, iif(d.folder_id = r.folder_id, ${nameSql('d')}, (SELECT ${nameSql('c')} FROM documents c WHERE ${isCopyHere} ORDER BY c.id LIMIT 1)) AS name,
        (SELECT coalesce(s.corrected, s.records) FROM results s WHERE s.id = d.result_id) AS records
      ${from} AND v.schema_id = @schemaId AND r.id > @after ORDER BY r.id LIMIT ${pageLength}`)
    return {
      change,
      schemaIds: schemas.all({ folderId }).map((row) => row.schema_id),
      *documents(schemaId) {
        for (
          let rows = page.all({ folderId, schemaId, after: 0 });
          rows.length > 0;
          rows = page.all({ folderId, schemaId, after: rows.at(-1)!.id })
        ) {
          for (const { name, records } of rows)
            yield { fileName: name, records: JSON.parse(records) as ExtractedRecord[] }
        }
      },
      end: () => view.close(),
    }
  } catch (error) {
    view.close()
    throw error
  }
}

function fromRow(row: FileRow): WorkbookFile {
  const written = (sizeBytes: number | null, mtimeMs: number | null, sha256: Buffer | null): Written | null =>
    sizeBytes === null || mtimeMs === null || sha256 === null ? null : { sizeBytes, mtimeMs, sha256 }
  return {
    id: row.id,
    folderId: row.folder_id,
    path: row.path,
    temporary: row.temporary,
    last: written(row.size_bytes, row.mtime_ms, row.sha256),
    next: written(row.next_size_bytes, row.next_mtime_ms, row.next_sha256),
    rows: row.rows,
    documents: row.documents,
    writtenAt: row.written_at,
  }
}
