import type { AboutDocument } from '../../../../shared/domain/about-document.ts'
import { reviewStates } from '../../../../shared/domain/document-status.ts'
import type { ReviewState } from '../../../../shared/domain/document-status.ts'
import type { ExtractedRecord } from '../../../../shared/domain/result.ts'
import { nameSql } from './columns.ts'
import { among, conditionsOf, query, unionAll } from './filters.ts'
import type { Condition } from './filters.ts'
import { firstAt } from './first-at.ts'
import type { Database } from '../open.ts'

/**
 * Where documents of an export come from: a schema, and optionally one folder or some documents, some states of their
 * check, and a time in which they were received or approved (epoch ms, the end not included).
 */
export type ResultSelection = {
  schemaId: number
  folderId: number | null
  documentIds: number[] | null
  reviews?: ReviewState[]
  period?: { by: 'received' | 'approved'; from: number | null; to: number | null }
}

/** A document as an export has it. */
type ResultDocument = { id: number; fileName: string; records: ExtractedRecord[]; about: AboutDocument }

/** The first documents of a selection by their ids; `isAll`: there are no others. */
export type FirstResults = { ids: number[]; isAll: boolean }

type DocumentRow = {
  id: number
  name: string
  records: string
  path: string
  schema_name: string
  folder_name: string
  review: ReviewState
  created_at: number
  approved_at: number | null
  approved_by: string | null
  mail_subject: string | null
  mail_sender: string | null
}
const pageLength = 200
/** Of what could be in a period so many are asked whether they are. */
const maxAsked = 20_000
/** Up to so many documents of its schema, a period is looked for by asking each of them. */
const maxAskedEach = 20_000
/** To see which fields the results of a version have. */
const maxOfVersion = 50

function prepare(db: Database) {
  const isChosen = (document: string): string =>
    `${document}.in_bin = 0 AND (@folderId IS NULL OR ${document}.folder_id = @folderId) AND (@documentIds IS NULL OR ${document}.id IN (SELECT value FROM json_each(@documentIds)))`
  // The last approval of a document, or of the one that it is a copy of, as long as it counts.
  const approval = (column: string): string => `(SELECT e.${column} FROM review_entries e
    WHERE iif(j.status = 'done', j.review, o.review) = 'approved' AND e.document_id = iif(j.status = 'done', j.id, o.id) AND e.kind = 'approve' ORDER BY e.id DESC LIMIT 1)`
  // Of some documents those that belong to it. A duplicate stands for its original where that one is not chosen itself:
  // once, however many copies there are.
  const selected = `
    FROM json_each(@ids) i CROSS JOIN documents j ON j.id = i.value CROSS JOIN schema_versions v ON v.id = j.schema_version_id
    LEFT JOIN documents o ON o.id = j.original_document_id JOIN results r ON r.id = coalesce(j.result_id, o.result_id)
    WHERE v.schema_id = @schemaId AND ${isChosen('j')} AND (j.status = 'done' OR (
      j.status = 'skipped' AND j.reason_code = 'duplicate' AND o.status = 'done' AND NOT (${isChosen('o')})
      AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.original_document_id = j.original_document_id AND d.id < j.id AND ${isChosen('d')})))
      AND (@reviews IS NULL OR iif(j.status = 'done', j.review, o.review) IN (SELECT value FROM json_each(@reviews)))
      AND (@by IS NULL OR (iif(@by = 'received', j.created_at, ${approval('created_at')}) >= @from AND iif(@by = 'received', j.created_at, ${approval('created_at')}) < @to))
    ORDER BY j.id`
  return {
    idsAmong: db.prepare<[Record<string, unknown>], { id: number }>(`SELECT j.id ${selected}`),
    documentsAmong: db.prepare<[Record<string, unknown>], DocumentRow>(
      `SELECT j.id, ${nameSql('j')} AS name, coalesce(r.corrected, r.records) AS records, (SELECT f.name FROM folders f WHERE f.id = j.folder_id) AS folder_name,
      j.path, (SELECT s.name FROM schemas s WHERE s.id = v.schema_id) AS schema_name, iif(j.status = 'done', j.review, o.review) AS review,
      j.created_at, ${approval('created_at')} AS approved_at, ${approval('person')} AS approved_by,
      (SELECT m.subject FROM document_mails m WHERE m.document_id = j.id) AS mail_subject,
      (SELECT m.sender FROM document_mails m WHERE m.document_id = j.id) AS mail_sender ${selected}`,
    ),
    versions: db.prepare<[number], { id: number }>('SELECT id FROM schema_versions WHERE schema_id = ? ORDER BY id'),
    counted: db.prepare<[Record<string, unknown>], { documents: number }>(`
    SELECT coalesce(sum(results), 0) AS documents FROM document_counts WHERE status = 'done' AND (@folderId IS NULL OR folder_id = @folderId)
      AND schema_version_id IN (SELECT id FROM schema_versions WHERE schema_id = @schemaId)
      AND (@reviews IS NULL OR review IN (SELECT value FROM json_each(@reviews)))`),
    copiesOfBinned: db.prepare<[{ from: number; to: number; versionIds: string }], { id: number }>(`
    SELECT c.id FROM documents o INDEXED BY documents_in_bin CROSS JOIN documents c INDEXED BY documents_original ON c.original_document_id = o.id
    WHERE o.in_bin = 1 AND c.in_bin = 0 AND c.status = 'skipped' AND c.id >= @from AND c.id < @to
      AND c.schema_version_id IN (SELECT value FROM json_each(@versionIds)) ORDER BY c.id`),
    approvedBetween: db.prepare<[number, number, number], { id: number }>(`
    SELECT document_id AS id FROM review_entries WHERE id >= ? AND id < ? AND kind = 'approve' LIMIT ?`),
    withCopies: db.prepare<[{ ids: string }], { id: number }>(`
    SELECT value AS id FROM json_each(@ids) UNION SELECT id FROM documents WHERE original_document_id IN (SELECT value FROM json_each(@ids)) ORDER BY 1`),
  }
}

/** An index of documents that begins with their state, and a state in it. */
type StatePlace = { index: string; column: 'status' | 'review'; state: string }

/** Which documents `candidates` gives: of some versions only, or with ids from one on and below another. */
type Narrowing = { versionIds?: number[]; onlyCopies?: boolean; from?: number; to?: number }

/** Documents with results as exports take them, in the order they were received. */
export class SelectedResults {
  readonly #db: Database
  readonly #sql: ReturnType<typeof prepare>
  readonly #firstDocumentAt: (time: number) => number
  readonly #firstEntryAt: (time: number) => number

  constructor(db: Database) {
    this.#db = db
    this.#sql = prepare(db)
    this.#firstDocumentAt = firstAt(db, 'documents')
    this.#firstEntryAt = firstAt(db, 'review_entries')
  }

  /**
   * All of them. Read in pages, since the pipeline goes on writing between them and a connection with an open cursor
   * cannot.
   */
  *documents(selection: ResultSelection): Generator<ResultDocument> {
    for (const ids of this.#candidates(selection)) yield* this.#read(selection, ids)
  }

  count(selection: ResultSelection): number {
    const isCounted = selection.documentIds === null && selection.period === undefined
    let count = isCounted ? this.#sql.counted.get(parametersOf(selection))!.documents : 0
    for (const ids of this.#candidates(selection, { onlyCopies: isCounted }))
      count += this.#idsIn(selection, ids).length
    return count
  }

  /**
   * At most so many of them, for a preview that does not take longer the more documents there are. Among more than
   * 20,000, a period is looked for where its time begins: what was received or approved while the computer's clock
   * was wrong can be missing.
   */
  first(selection: ResultSelection, max: number): FirstResults {
    const ids: number[] = []
    let asked = 0
    for (const candidates of this.#candidatesInPeriod(selection)) {
      if (ids.length > max || asked >= maxAsked) return { ids: ids.slice(0, max), isAll: false }
      for (const id of this.#idsIn(selection, candidates)) ids.push(id)
      asked += candidates.length
    }
    return { ids: ids.slice(0, max), isAll: ids.length <= max }
  }

  /** Those of a selection that have these ids. */
  *documentsOf(selection: ResultSelection, ids: readonly number[]): Generator<ResultDocument> {
    for (const page of pagesOf(ids)) yield* this.#read(selection, page)
  }

  /** A few documents of each version of the schema, oldest first: they show which fields there are. */
  *documentsOfVersions(selection: ResultSelection): Generator<ResultDocument> {
    for (const id of this.#versionsOf(selection)) {
      const [ids = []] = this.#candidates(selection, { versionIds: [id] })
      yield* this.#read(selection, ids.slice(0, maxOfVersion))
    }
  }

  #versionsOf({ schemaId }: ResultSelection): number[] {
    return this.#sql.versions.all(schemaId).map(({ id }) => id)
  }

  /** Which of these belong to the selection. */
  #idsIn(selection: ResultSelection, ids: readonly number[]): number[] {
    return this.#sql.idsAmong.all({ ...parametersOf(selection), ids: JSON.stringify(ids) }).map(({ id }) => id)
  }

  #read(selection: ResultSelection, ids: readonly number[]): ResultDocument[] {
    return this.#sql.documentsAmong.all({ ...parametersOf(selection), ids: JSON.stringify(ids) }).map((row) => ({
      id: row.id,
      fileName: row.name,
      records: JSON.parse(row.records) as ExtractedRecord[],
      about: {
        path: row.path,
        schemaName: row.schema_name,
        folderName: row.folder_name,
        state: row.review,
        receivedAt: row.created_at,
        approvedAt: row.approved_at,
        approvedBy: row.approved_by,
        mail: { subject: row.mail_subject, sender: row.mail_sender },
      },
    }))
  }

  /** Documents that could be of a selection, 200 at a time, read from the index that begins with their state. */
  *#candidates(selection: ResultSelection, narrowing: Narrowing = {}): Generator<number[]> {
    if (selection.documentIds !== null) return yield* pagesOf(selection.documentIds.toSorted((a, b) => a - b))
    const { versionIds = this.#versionsOf(selection), from = 0, to = Number.MAX_SAFE_INTEGER } = narrowing
    const { folderId } = selection
    const pageAfter = this.#pagesIn(statePlaces(selection, narrowing.onlyCopies), (after) =>
      conditionsOf({ folderId, versionIds, fromId: after + 1, beforeId: to, inBin: false }),
    )
    // Where no folder is chosen an original stands for its copies, unless it is in the bin.
    const copies =
      folderId === null ? this.#sql.copiesOfBinned.all({ from, to, versionIds: JSON.stringify(versionIds) }) : []
    for (let after = from - 1; ; ) {
      const ids = pageAfter(after)
      const last = ids.length < pageLength ? Infinity : ids.at(-1)!
      while (copies.length > 0 && copies[0]!.id <= last) ids.push(copies.shift()!.id)
      if (ids.length > 0) yield ids
      if (last === Infinity) return
      after = last
    }
  }

  /** Reads the page of ids after an id, in their order, from several places at once. */
  #pagesIn(places: StatePlace[], conditionsAfter: (after: number) => Condition[]): (after: number) => number[] {
    const page = (after: number): Condition =>
      unionAll(
        places.map(({ index, column, state }) => {
          const conditions = [among(column, [state]), ...conditionsAfter(after)]
          const end = `ORDER BY id LIMIT ${pageLength})`
          return query(`SELECT id FROM (SELECT id FROM documents INDEXED BY ${index}`, conditions, end)
        }),
        `ORDER BY id LIMIT ${pageLength}`,
      )
    if (places.length === 0) return () => []
    const statement = this.#db.prepare<unknown[], { id: number }>(page(0).sql)
    return (after) => statement.all(...page(after).parameters).map(({ id }) => id)
  }

  /** Where a period is to be looked for among many documents. */
  #candidatesInPeriod(selection: ResultSelection): Generator<number[]> {
    const { period, ...always } = selection
    if (period === undefined || selection.documentIds !== null || this.count(always) <= maxAskedEach)
      return this.#candidates(selection)
    const first = period.by === 'received' ? this.#firstDocumentAt : this.#firstEntryAt
    const from = period.from === null ? 0 : first(period.from)
    const to = period.to === null ? Number.MAX_SAFE_INTEGER : first(period.to)
    if (period.by === 'received') return this.#candidates(selection, { from, to })
    const approved = this.#sql.approvedBetween.all(from, to, maxAsked + pageLength)
    const documentIds = this.#sql.withCopies.all({ ids: JSON.stringify(approved.map(({ id }) => id)) })
    return this.#candidates({ ...selection, documentIds: documentIds.map(({ id }) => id) })
  }
}

/** The named parameters that the statements of a selection share. Pure. */
function parametersOf({ schemaId, folderId, documentIds, reviews = [], period }: ResultSelection) {
  return {
    schemaId,
    folderId,
    documentIds: documentIds === null ? null : JSON.stringify(documentIds),
    reviews: reviews.length === 0 ? null : JSON.stringify(reviews),
    by: period?.by ?? null,
    from: period?.from ?? Number.MIN_SAFE_INTEGER,
    to: period?.to ?? Number.MAX_SAFE_INTEGER,
  }
}

/** Where the documents of a selection stand: what is done, and the copies in a folder. Pure. */
function statePlaces({ folderId, reviews = [], period }: ResultSelection, onlyCopies = false): StatePlace[] {
  const asked: readonly ReviewState[] = period?.by === 'approved' ? ['approved'] : reviews
  const inStatus = (state: string): StatePlace => ({ index: 'documents_status', column: 'status', state })
  const done =
    asked.length === 0 || asked.length === reviewStates.length
      ? [inStatus('done')]
      : asked.map((state): StatePlace => ({ index: 'documents_review', column: 'review', state }))
  return [...(onlyCopies ? [] : done), ...(folderId === null ? [] : [inStatus('skipped')])]
}

function* pagesOf(ids: readonly number[]): Generator<number[]> {
  for (let at = 0; at < ids.length; at += pageLength) yield ids.slice(at, at + pageLength)
}
