import type { SortedPart, SortingExample } from '../../../../shared/domain/sorting.ts'
import type { Database } from '../open.ts'
import { found } from './columns.ts'

/** What is known of the parts of a document; until it is settled it is a proposal, which waits for a person. */
export type Sorting = { parts: readonly SortedPart[]; isSettled: boolean; byPerson: boolean }

type Row = { parts: string; settled: number; by_person: number }

/** Kinds change slowly, and each example costs time of every document. */
const maxExamples = 200

function prepare(db: Database) {
  // The condition of the index, word for word, or it is not used.
  const unsorted = `documents INDEXED BY documents_unsorted
      WHERE status = 'skipped' AND reason_code IN ('kind_unsure', 'cut_proposed') AND in_bin = 0`
  const isWatched = 'folder_id NOT IN (SELECT id FROM folders WHERE removed_at IS NOT NULL)'
  return {
    of: db.prepare<[number], Row>('SELECT parts, settled, by_person FROM sortings WHERE document_id = ?'),
    save: db.prepare<[{ documentId: number; parts: string; settled: number; byPerson: number }]>(
      `INSERT OR REPLACE INTO sortings (document_id, parts, settled, by_person, confirmed)
        VALUES (@documentId, @parts, @settled, @byPerson, @byPerson)`,
    ),
    forget: db.prepare<[number]>('DELETE FROM sortings WHERE document_id = ?'),
    ofContent: db.prepare<[{ folderId: number; sha256: Buffer; except: number }], Row>(`
    SELECT s.parts, s.settled, s.by_person FROM documents d JOIN sortings s ON s.document_id = d.id
      WHERE d.sha256 = @sha256 AND d.folder_id = @folderId AND d.extra = 0 AND d.id <> @except AND s.settled = 1
      ORDER BY d.id DESC LIMIT 1`),
    // Of a million sorted documents only those are gone through that a person looked at.
    examples: db.prepare<[string], { schemaId: number; parts: string }>(`
    SELECT v.schema_id AS schemaId, s.parts FROM sortings s INDEXED BY sortings_confirmed
      CROSS JOIN documents d ON d.id = s.document_id CROSS JOIN schema_versions v ON v.id = d.schema_version_id
      WHERE s.confirmed = 1 AND d.in_bin = 0 AND d.reason_code IS NOT 'cut' AND v.schema_id IN (SELECT value FROM json_each(?))
      ORDER BY s.document_id DESC LIMIT ${maxExamples}`),
    unsorted: db.prepare<[number], { id: number }>(`SELECT id FROM ${unsorted} AND ${isWatched} ORDER BY id LIMIT ?`),
    unsortedIn: db.prepare<[number], { id: number }>(`SELECT id FROM ${unsorted} AND folder_id = ?`),
    unsortedCount: db.prepare<[], number>(`SELECT count(*) FROM ${unsorted} AND ${isWatched}`).pluck(),
  }
}

/** What was recognised of the documents of folders that sort, and what persons said of them. */
export class SortingsTable {
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: Database) {
    this.#sql = prepare(db)
  }

  of(documentId: number): Sorting | null {
    return found(this.#sql.of.get(documentId), fromRow)
  }

  save(documentId: number, { parts, isSettled, byPerson }: Sorting): void {
    this.#sql.save.run({
      documentId,
      parts: JSON.stringify(parts),
      settled: Number(isSettled),
      byPerson: Number(byPerson),
    })
  }

  /** Its file holds something else by now. */
  forget(documentId: number): void {
    this.#sql.forget.run(documentId)
  }

  /** What came of the same content in a folder before. */
  ofContent(folderId: number, sha256: Buffer, except: number): Sorting | null {
    return found(this.#sql.ofContent.get({ folderId, sha256, except }), fromRow)
  }

  /** What persons confirmed of documents of these schemas, the newest first: they chose the schema, or approved. */
  examples(schemaIds: readonly number[]): SortingExample[] {
    return this.#sql.examples.all(JSON.stringify(schemaIds)).flatMap(({ schemaId, parts }) => {
      const [part, ...others] = JSON.parse(parts) as SortedPart[]
      return part === undefined || others.length > 0 || part.print.length === 0 ? [] : [{ schemaId, print: part.print }]
    })
  }

  /** Those of one folder. */
  unsortedIn(folderId: number): number[] {
    return this.#sql.unsortedIn.all(folderId).map(({ id }) => id)
  }

  /** Documents that wait for a person to say what they are, the oldest first, and how many there are. */
  unsorted(limit: number): { ids: number[]; total: number } {
    return { ids: this.#sql.unsorted.all(limit).map(({ id }) => id), total: this.#sql.unsortedCount.get()! }
  }
}

function fromRow({ parts, settled, by_person }: Row): Sorting {
  return { parts: JSON.parse(parts) as SortedPart[], isSettled: settled === 1, byPerson: by_person === 1 }
}
