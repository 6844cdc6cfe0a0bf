import type { ReviewState } from '../../../../shared/domain/document-status.ts'
import { isSameJson } from '../../../../shared/domain/pointer.ts'
import type { ExtractedRecord } from '../../../../shared/domain/result.ts'
import { learnedCorrections } from '../../../../shared/domain/learned.ts'
import { withCorrections } from '../../../../shared/domain/review.ts'
import type { Correction, FieldPath, Flag } from '../../../../shared/domain/review.ts'
import type { ReviewDetails } from '../durability/journal.ts'
import type { WriteAhead } from './write-ahead.ts'
import { found } from './columns.ts'
import { learnedBy } from './lessons.ts'
import type { Database } from '../open.ts'

/** Who did it, and when (epoch ms). */
export type Author = { person: string; at: number }

/** Who does what Sheaf does by itself. */
export const sheaf = 'Sheaf'

type StoredCorrection = Correction & Author

type EntryRow = {
  kind: 'correct' | 'confirm' | 'approve' | 'reopen'
  pointer: string | null
  extracted: string | null
  value: string | null
  person: string
  created_at: number
}

const correctionsSql =
  "SELECT kind, pointer, extracted, value, person, created_at FROM review_entries WHERE document_id = ? AND kind = 'correct' ORDER BY id"

/**
 * What becomes of the records of a document by what was learned and what persons corrected, as it is stored: null where
 * nothing differs.
 */
export function storedCorrections(db: Database, documentId: number, records: ExtractedRecord[]): string | null {
  const corrected = withCorrections(records, [
    ...learnedCorrections(learnedBy(db)(documentId)),
    ...db.prepare<[number], EntryRow>(correctionsSql).all(documentId).map(correctionOf),
  ])
  return isSameJson(corrected, records) ? null : JSON.stringify(corrected)
}

type NewEntry = {
  documentId: number
  kind: EntryRow['kind']
  pointer?: string
  extracted?: unknown
  value?: unknown
  batch?: number
}

function prepare(db: Database) {
  return {
    insert: db.prepare<[Record<string, unknown>]>(`
    INSERT INTO review_entries (document_id, kind, pointer, extracted, value, batch, person, created_at)
    VALUES (@documentId, @kind, @pointer, @extracted, @value, @batch, @person, @at)`),
    corrections: db.prepare<[number], EntryRow>(correctionsSql),
    confirmations: db.prepare<[number], { pointer: string; value: string; person: string; created_at: number }>(
      "SELECT pointer, value, person, created_at FROM review_entries WHERE document_id = ? AND kind = 'confirm' ORDER BY id",
    ),
    lastWord: db.prepare<[number], EntryRow>(
      "SELECT kind, pointer, extracted, value, person, created_at FROM review_entries WHERE document_id = ? AND kind IN ('approve', 'reopen') ORDER BY id DESC LIMIT 1",
    ),
    newBatch: db.prepare<[], { batch: number }>(
      'SELECT coalesce(max(batch), 0) + 1 AS batch FROM review_entries WHERE batch IS NOT NULL',
    ),
    ofBatch: db.prepare<[number, number], { id: number; document_id: number }>(`
    SELECT e.id, e.document_id FROM review_entries e WHERE e.batch = ? AND e.id > ? AND e.kind = 'approve'
      AND NOT EXISTS (SELECT 1 FROM review_entries later WHERE later.document_id = e.document_id AND later.id > e.id AND later.kind IN ('approve', 'reopen')) ORDER BY e.id LIMIT 500`),
    setFlags: db.prepare<[{ id: number; flags: string }]>(
      'UPDATE results SET flags = @flags WHERE id = @id AND flags <> @flags',
    ),
    setReview: db.prepare<[{ id: number; review: ReviewState; flags: number }]>(
      "UPDATE documents SET review = @review, flag_count = @flags WHERE id = @id AND status = 'done'",
    ),
    flags: db.prepare<[number], { flags: string }>('SELECT flags FROM results WHERE id = ?'),
    stateOf: db.prepare<[number], { review: ReviewState | null }>('SELECT review FROM documents WHERE id = ?'),
    ready: db.prepare<
      [{ after: number; folderId: number | null; schemaId: number | null; last: number }],
      { id: number }
    >(`
    SELECT j.id FROM documents j INDEXED BY documents_review WHERE j.review = 'ready' AND j.in_bin = 0 AND j.id > @after AND j.id <= @last
      AND (@folderId IS NULL OR j.folder_id = @folderId)
      AND (@schemaId IS NULL OR j.schema_version_id IN (SELECT id FROM schema_versions WHERE schema_id = @schemaId)) ORDER BY j.id LIMIT 500`),
    unapproved: db.prepare<[number, number], { id: number }>(`
    SELECT j.id FROM documents j WHERE j.schema_version_id IN (SELECT id FROM schema_versions WHERE schema_id = ?) AND j.review IN ('ready', 'flagged')
      AND j.id > ? ORDER BY j.id LIMIT 100`),
    forgetValues: db.prepare<[number]>('DELETE FROM unique_values WHERE document_id = ?'),
    addValue: db.prepare<[number, string, string, number]>(
      'INSERT INTO unique_values (schema_id, fields, value, document_id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ),
    firstWith: db.prepare<[number, string, string, number], { id: number; name: string; created_at: number }>(`
    SELECT j.id, j.name, j.created_at FROM unique_values u JOIN documents j ON j.id = u.document_id
    WHERE u.schema_id = ? AND u.fields = ? AND u.value = ? AND u.document_id < ? AND j.status = 'done' AND j.in_bin = 0 ORDER BY u.document_id LIMIT 1`),
    othersWith: db.prepare<[number, string, string, number], { document_id: number }>(
      'SELECT document_id FROM unique_values WHERE schema_id = ? AND fields = ? AND value = ? AND document_id > ? ORDER BY document_id LIMIT 100',
    ),
    valuesOf: db.prepare<[number], { schema_id: number; fields: string; value: string }>(
      'SELECT schema_id, fields, value FROM unique_values WHERE document_id = ?',
    ),
    lastDocument: db.prepare<[], { id: number }>('SELECT coalesce(max(id), 0) AS id FROM documents'),
  }
}

/**
 * The check of results: what persons corrected, confirmed and approved, the flags that are left, and values that must
 * be unique.
 */
export class ReviewsTable {
  readonly #writeAhead: WriteAhead
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: Database, writeAhead: WriteAhead) {
    this.#writeAhead = writeAhead
    this.#sql = prepare(db)
  }

  correct(documentId: number, corrections: Correction[], author: Author): void {
    this.#add(
      corrections.map((correction) => ({ documentId, kind: 'correct', ...correction })),
      author,
    )
  }

  /** The values at these places are right in spite of their flags. */
  confirm(documentId: number, places: { pointer: string; flags: Flag[] }[], author: Author): void {
    this.#add(
      places.map(({ pointer, flags: value }) => ({ documentId, kind: 'confirm', pointer, value })),
      author,
    )
  }

  /** What was confirmed at these places is not. */
  unconfirm(documentId: number, pointers: string[], author: Author): void {
    this.#add(
      pointers.map((pointer) => ({ documentId, kind: 'confirm', pointer, value: [] })),
      author,
    )
  }

  approve(documentIds: number[], batch: number, author: Author): void {
    this.#add(
      documentIds.map((documentId) => ({ documentId, kind: 'approve', batch })),
      author,
    )
  }

  reopen(documentIds: number[], author: Author): void {
    this.#add(
      documentIds.map((documentId) => ({ documentId, kind: 'reopen' })),
      author,
    )
  }

  /** Those of the places that are asked for. */
  corrections(documentId: number, isAsked: (pointer: string) => boolean = () => true): StoredCorrection[] {
    return this.#sql.corrections
      .all(documentId)
      .filter(({ pointer }) => isAsked(pointer!))
      .map(correctionOf)
  }

  /** The lists in which a person added, removed or moved rows. */
  movedLists(documentId: number): string[] {
    return [
      ...new Set(
        this.corrections(documentId)
          .filter(({ value }) => Array.isArray(value))
          .map(({ pointer }) => pointer),
      ),
    ]
  }

  /** The flags at each place that a person said are none, and did not take back, and who did so last. */
  confirmations(documentId: number): { pointer: string; flags: Flag[]; author: Author }[] {
    const byPlace = new Map<string, { flags: Flag[]; author: Author }>()
    for (const { pointer, value, person, created_at: at } of this.#sql.confirmations.all(documentId)) {
      const flags = JSON.parse(value) as Flag[]
      if (flags.length === 0) byPlace.delete(pointer)
      else byPlace.set(pointer, { flags: [...(byPlace.get(pointer)?.flags ?? []), ...flags], author: { person, at } })
    }
    return [...byPlace].map(([pointer, one]) => ({ pointer, ...one }))
  }

  /** All flags that a person said are none, and did not take back. */
  confirmed(documentId: number): Flag[] {
    return this.confirmations(documentId).flatMap(({ flags }) => flags)
  }

  /** Who approved it last; null where nobody did, or somebody took that back. */
  approval(documentId: number): Author | null {
    const row = this.#sql.lastWord.get(documentId)
    return row?.kind === 'approve' ? { person: row.person, at: row.created_at } : null
  }

  newBatch(): number {
    return this.#sql.newBatch.get()!.batch
  }

  /** Approvals of a batch that still are the last word, by id. */
  *approvedIn(batch: number): Generator<number[]> {
    for (
      let rows = this.#sql.ofBatch.all(batch, 0);
      rows.length > 0;
      rows = this.#sql.ofBatch.all(batch, rows.at(-1)!.id)
    )
      yield rows.map((row) => row.document_id)
  }

  state(documentId: number): ReviewState | null {
    return this.#sql.stateOf.get(documentId)?.review ?? null
  }

  flags(resultId: number): Flag[] {
    return JSON.parse(this.#sql.flags.get(resultId)!.flags) as Flag[]
  }

  setReview(documentId: number, resultId: number, review: ReviewState, flags: Flag[]): void {
    this.#sql.setFlags.run({ id: resultId, flags: JSON.stringify(flags) })
    this.#sql.setReview.run({ id: documentId, review, flags: flags.length })
  }

  /** Pages of documents that need no look and wait for approval, as they are at the first call. */
  *ready(filter: { folderId: number | null; schemaId: number | null }): Generator<number[]> {
    const last = this.#sql.lastDocument.get()!.id
    for (
      let rows = this.#sql.ready.all({ ...filter, after: 0, last });
      rows.length > 0;
      rows = this.#sql.ready.all({ ...filter, after: rows.at(-1)!.id, last })
    )
      yield rows.map((row) => row.id)
  }

  /** At most 100 documents of a schema after an id that nobody approved. */
  unapproved(schemaId: number, after: number): number[] {
    return this.#sql.unapproved.all(schemaId, after).map((row) => row.id)
  }

  /** The values of a document that no other one may have; those that it had are forgotten. */
  setUnique(documentId: number, schemaId: number, values: { fields: FieldPath[]; value: string }[]): void {
    this.#sql.forgetValues.run(documentId)
    for (const { fields, value } of values) this.#sql.addValue.run(schemaId, JSON.stringify(fields), value, documentId)
  }

  /** The first document before this one with the value, and not in the bin. */
  firstWith(
    schemaId: number,
    fields: FieldPath[],
    value: string,
    documentId: number,
  ): { documentId: number; name: string; at: number } | null {
    return found(this.#sql.firstWith.get(schemaId, JSON.stringify(fields), value, documentId), (row) => ({
      documentId: row.id,
      name: row.name,
      at: row.created_at,
    }))
  }

  /** Later documents that share a unique value with this one. */
  sharing(documentId: number): number[] {
    return [
      ...new Set(
        this.#sql.valuesOf
          .all(documentId)
          .flatMap(({ schema_id, fields, value }) =>
            this.#sql.othersWith.all(schema_id, fields, value, documentId).map((row) => row.document_id),
          ),
      ),
    ]
  }

  /** Written into the journal first, so that it outlives the database. */
  #add(entries: NewEntry[], { person, at }: Author): void {
    const json = (each: unknown): string | null => (each === undefined ? null : JSON.stringify(each))
    const rows = entries.map(({ documentId, kind, pointer = null, extracted, value, batch = null }) => {
      const details: ReviewDetails = {
        kind,
        pointer,
        extracted: json(extracted),
        value: json(value),
        batch,
        person,
        at,
      }
      return { documentId, details }
    })
    this.#writeAhead.reviewed(rows)
    for (const { documentId, details } of rows) this.#sql.insert.run({ documentId, ...details })
  }
}

function correctionOf(row: EntryRow): StoredCorrection {
  return {
    pointer: row.pointer!,
    extracted: JSON.parse(row.extracted ?? 'null') as unknown,
    value: JSON.parse(row.value ?? 'null') as unknown,
    person: row.person,
    at: row.created_at,
  }
}
