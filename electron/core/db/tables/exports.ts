import { basename } from 'node:path'
import { exportSpec, presetSpec } from '../../../../shared/contract/exports.ts'
import type { ExportPreset, ExportRow, ExportSpec } from '../../../../shared/contract/exports.ts'
import type { BillIdentity, BookedBefore, BookedBill } from '../../../../shared/domain/bookings.ts'
import { found } from './columns.ts'
import type { Database } from '../open.ts'

type Row = {
  id: number
  paths: string
  format: string
  rows: number
  documents: number
  schema_name: string
  created_at: number
  spec: string | null
}
type BookedRow = { at: number; content: Buffer }
type PresetRow = { id: number; name: string; spec: string }

function prepare(db: Database) {
  const columns = 'e.id, e.paths, e.format, e.rows, e.documents, s.name AS schema_name, e.created_at, e.spec'
  const from = 'FROM exports e JOIN schemas s ON s.id = e.schema_id'
  return {
    insert: db.prepare<[number, string, string, number, number, number, string]>(
      'INSERT INTO exports (schema_id, paths, format, rows, documents, created_at, spec) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    all: db.prepare<[], Row>(`SELECT ${columns} ${from} ORDER BY e.id DESC LIMIT 200`),
    named: db.prepare<[string], { path: string }>(
      'SELECT DISTINCT p.value AS path FROM exports, json_each(exports.paths) p WHERE instr(p.value, ?) > 0',
    ),
    byId: db.prepare<[number], Row>(`SELECT ${columns} ${from} WHERE e.id = ?`),
    presets: db.prepare<[], PresetRow>('SELECT id, name, spec FROM export_presets ORDER BY name COLLATE NOCASE, id'),
    preset: db.prepare<[number], PresetRow>('SELECT id, name, spec FROM export_presets WHERE id = ?'),
    insertPreset: db.prepare<[string, string, number]>(
      'INSERT INTO export_presets (name, spec, created_at) VALUES (?, ?, ?)',
    ),
    updatePreset: db.prepare<[string, string, number]>('UPDATE export_presets SET name = ?, spec = ? WHERE id = ?'),
    removePreset: db.prepare<[number]>('DELETE FROM export_presets WHERE id = ?'),
    book: db.prepare<
      [{ exportId: number; documentId: number; record: number; bill: Uint8Array | null; content: Uint8Array }]
    >(
      `INSERT INTO booked_bills (export_id, document_id, record, bill, content)
       SELECT @exportId, coalesce(original_document_id, id), @record, @bill, @content FROM documents WHERE id = @documentId`,
    ),
    bookedDocument: db.prepare<[number, number], BookedRow>(
      `SELECT e.created_at AS at, b.content FROM booked_bills b JOIN exports e ON e.id = b.export_id
       WHERE b.document_id = (SELECT coalesce(original_document_id, id) FROM documents WHERE id = ?) AND b.record = ?
       ORDER BY b.id DESC LIMIT 1`,
    ),
    bookedBill: db.prepare<[Uint8Array], BookedRow>(
      `SELECT e.created_at AS at, b.content FROM booked_bills b JOIN exports e ON e.id = b.export_id
       WHERE b.bill = ? ORDER BY b.id DESC LIMIT 1`,
    ),
    bookedAmong: db.prepare<[string], { id: number }>(
      `SELECT d.id FROM json_each(?) i JOIN documents d ON d.id = i.value WHERE EXISTS (
         SELECT 1 FROM booked_bills b WHERE b.document_id = coalesce(d.original_document_id, d.id))`,
    ),
  }
}

/** The exports that were written, newest first, and those that a person keeps under a name. */
export class ExportsTable {
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: Database) {
    this.#sql = prepare(db)
  }

  add(spec: ExportSpec, made: { paths: string[]; rows: number; documents: number }, now: number): ExportRow {
    const { lastInsertRowid } = this.#sql.insert.run(
      spec.schemaId,
      JSON.stringify(made.paths),
      spec.format,
      made.rows,
      made.documents,
      now,
      JSON.stringify(spec),
    )
    return fromRow(this.#sql.byId.get(Number(lastInsertRowid))!)
  }

  /** Notes that an export has these bills. In a transaction of the caller. */
  book(exportId: number, bills: readonly BookedBill[]): void {
    for (const bill of bills) this.#sql.book.run({ exportId, ...bill })
  }

  /** The last export that has the bill of a record: of this document, of one that it is a copy of, or of any other. */
  bookedBefore(documentId: number, record: number, { bill, content }: BillIdentity): BookedBefore | null {
    const own = this.#sql.bookedDocument.get(documentId, record)
    if (own !== undefined) return { at: own.at, isChanged: !own.content.equals(content) }
    const same = bill === null ? undefined : this.#sql.bookedBill.get(bill)
    return same === undefined ? null : { at: same.at, isChanged: false }
  }

  /** Which of these documents have bills that an export has. */
  bookedAmong(ids: readonly number[]): Set<number> {
    return new Set(this.#sql.bookedAmong.all(JSON.stringify(ids)).map(({ id }) => id))
  }

  get(id: number): ExportRow | null {
    return found(this.#sql.byId.get(id), fromRow)
  }

  /** What an export was asked for; null where that is not known. */
  specOf(id: number): ExportSpec | null {
    const spec = this.#sql.byId.get(id)?.spec ?? null
    return spec === null ? null : (exportSpec.safeParse(JSON.parse(spec)).data ?? null)
  }

  presets(): ExportPreset[] {
    return this.#sql.presets.all().map(presetFrom)
  }

  /** Creates (id null) or replaces one; null when it is not there. */
  savePreset(id: number | null, name: string, spec: ExportPreset['spec'], now: number): ExportPreset | null {
    const text = JSON.stringify(spec)
    const saved = id ?? Number(this.#sql.insertPreset.run(name, text, now).lastInsertRowid)
    if (id !== null) this.#sql.updatePreset.run(name, text, id)
    return found(this.#sql.preset.get(saved), presetFrom)
  }

  removePreset(id: number): boolean {
    return this.#sql.removePreset.run(id).changes === 1
  }

  /** Where files were written whose path ends in this name. */
  pathsNamed(name: string): string[] {
    return this.#sql.named
      .all(name)
      .map(({ path }) => path)
      .filter((path) => basename(path) === name)
  }

  list(): ExportRow[] {
    return this.#sql.all.all().map(fromRow)
  }
}

function fromRow(row: Row): ExportRow {
  return {
    id: row.id,
    paths: JSON.parse(row.paths) as string[],
    format: row.format as ExportRow['format'],
    rows: row.rows,
    documents: row.documents,
    schemaName: row.schema_name,
    createdAt: row.created_at,
    repeatable: (row.spec ?? 'null') !== 'null',
  }
}

function presetFrom({ id, name, spec }: PresetRow): ExportPreset {
  return { id, name, spec: presetSpec.parse(JSON.parse(spec)) }
}
