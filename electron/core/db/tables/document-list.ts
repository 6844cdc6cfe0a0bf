import { documentStatuses, reviewStates } from '../../../../shared/domain/document-status.ts'
import type { DocumentStatus, ReviewState } from '../../../../shared/domain/document-status.ts'
import type { DocumentCounts, DocumentFilter, DocumentRow } from '../../../../shared/contract/documents.ts'
import type { ErrorCode } from '../../../../shared/domain/errors.ts'
import { mayBeBilledSql } from './attempts.ts'
import { found, reasonOf } from './columns.ts'
import { among, conditionsOf, idsBetween, query, unionAll } from './filters.ts'
import type { Condition } from './filters.ts'
import { firstAt } from './first-at.ts'
import type { SummaryValue } from './results.ts'
import type { Database } from '../open.ts'
import { hitFinder } from '../search/hits.ts'
import type { IndexedDocument } from '../search/hits.ts'
import { searchTerms } from '../search/terms.ts'
import type { TermsOf } from '../search/terms.ts'
import { matchExpression, parseSearch } from '../search/words.ts'
import type { SearchQuery } from '../search/words.ts'

type Row = {
  id: number
  name: string
  path: string
  size_bytes: number
  first_page: number | null
  last_page: number | null
  folder_id: number
  folder_name: string
  folder_paused: number
  stopped_code: ErrorCode | null
  stopped_details: string | null
  schema_id: number
  schema_name: string
  status: DocumentStatus
  reason_code: ErrorCode | null
  reason_details: string | null
  not_before: number
  original_document_id: number | null
  created_at: number
  finished_at: number | null
  summary: string | null
  record_count: number | null
  duration_ms: number | null
  tokens_consumed: number | null
  may_be_billed: number
  review: ReviewState | null
  flag_count: number
  is_local: number
  in_bin: number
}

export type DocumentSort = 'receivedAt' | 'name' | 'status' | 'sizeBytes' | 'finishedAt'

/**
 * Each order, and the index that holds it together with folder and schema. Documents are received in the order of their
 * ids, whatever the clock says.
 */
const orders: Record<DocumentSort, { by: string; index: string }> = {
  receivedAt: { by: 'id', index: 'documents_received' },
  name: { by: 'name COLLATE NOCASE', index: 'documents_name' },
  status: { by: 'status', index: 'documents_status' },
  sizeBytes: { by: 'size_bytes', index: 'documents_size' },
  finishedAt: { by: 'finished_at', index: 'documents_finished' },
}

/** A search lists at most so many documents, the newest ones. */
const maxFound = 10_000
/** Of what a search finds in any state the newest are looked at for the state that is asked for. */
const maxLookedAt = 100_000

type DocumentPage = { rows: DocumentRow[]; total: number; more: boolean }
type Counted = { counts: DocumentCounts; more: boolean }
type Order = { sort: DocumentSort; descending: boolean }
type Span = { offset: number; limit: number }
type State = DocumentStatus | ReviewState
type CountRow = { status: DocumentStatus | 'bin'; review: ReviewState | ''; documents: number }

/** What a list shows: statuses, or states of the check of what is done. `index`: the one that begins with that. */
type Shown = { column: 'status' | 'review'; index: string; states: readonly State[] }

const byStatus = { column: 'status', index: 'documents_status', states: documentStatuses } as const
const byReview = { column: 'review', index: 'documents_review', states: reviewStates } as const

function prepare(db: Database) {
  return {
    // A duplicate shows the values of the document that it repeats.
    byId: db.prepare<[number], Row>(`
    SELECT j.id, j.name, j.path, j.size_bytes, j.first_page, j.last_page, j.folder_id, f.name AS folder_name, f.paused AS folder_paused,
      c.paused_code AS stopped_code, c.paused_details AS stopped_details, s.id AS schema_id,
      s.name AS schema_name, j.status, j.reason_code, j.reason_details, j.not_before, j.original_document_id, j.created_at,
      j.finished_at, r.summary, r.record_count, r.duration_ms, r.tokens_consumed, ${mayBeBilledSql('j.id')} AS may_be_billed, j.review, j.flag_count, j.in_bin,
      c.kind = 'local' AS is_local
    FROM documents j JOIN folders f ON f.id = j.folder_id JOIN connections c ON c.id = j.connection_id JOIN schema_versions v ON v.id = j.schema_version_id
    JOIN schemas s ON s.id = v.schema_id LEFT JOIN documents o ON o.id = j.original_document_id
    LEFT JOIN results r ON r.id = coalesce(j.result_id, o.result_id) WHERE j.id = ?`),
    brief: db.prepare<[number], Pick<Row, 'status' | 'reason_code' | 'reason_details' | 'may_be_billed' | 'review'>>(
      `SELECT status, review, reason_code, reason_details, ${mayBeBilledSql('j.id')} AS may_be_billed FROM documents j WHERE j.id = ?`,
    ),
    indexed: db.prepare<[number], IndexedDocument>(`
    SELECT j.name, j.path, coalesce(r.corrected, r.records) AS records, x.text FROM documents j LEFT JOIN documents o ON o.id = j.original_document_id
    LEFT JOIN results r ON r.id = coalesce(j.result_id, o.result_id) LEFT JOIN document_texts x ON x.document_id = j.id WHERE j.id = ?`),
    versions: db.prepare<[number], { id: number }>('SELECT id FROM schema_versions WHERE schema_id = ?'),
    firstBinned: db.prepare<[], { any: number }>(
      'SELECT EXISTS (SELECT 1 FROM documents INDEXED BY documents_in_bin WHERE in_bin = 1) AS any',
    ),
  }
}

/** Documents as the window lists them: searched, filtered, sorted, a page at a time. */
export class DocumentList {
  readonly #db: Database
  readonly #sql: ReturnType<typeof prepare>
  readonly #termsOf: TermsOf
  readonly #firstIdAt: (time: number) => number

  constructor(db: Database) {
    this.#db = db
    this.#sql = prepare(db)
    this.#termsOf = searchTerms(db)
    this.#firstIdAt = firstAt(db, 'documents')
  }

  /** Of a search the newest 10,000 documents are listed; `more`: there are others. */
  list(filter: DocumentFilter, order: Order & Span): DocumentPage {
    const { ids, total, more, search } = this.#idsOf(filter, order)
    const hitIn = search === null ? null : hitFinder(search)
    const rows = ids.map((id) => ({
      ...fromRow(this.#sql.byId.get(id)!),
      hit: hitIn?.(this.#sql.indexed.get(id)!) ?? null,
    }))
    return { rows, total, more }
  }

  /** The same list with little of each row, for thousands of them. */
  selectable(
    filter: DocumentFilter,
    order: Order & Span,
  ): Pick<DocumentRow, 'id' | 'status' | 'mayBeBilled' | 'reason' | 'review'>[] {
    return this.#idsOf(filter, order).ids.map((id) => {
      const { status, review, reason_code, reason_details, may_be_billed } = this.#sql.brief.get(id)!
      return { id, status, mayBeBilled: may_be_billed === 1, reason: reasonOf(reason_code, reason_details), review }
    })
  }

  /**
   * Under a search of the newest 10,000 documents that it finds; `more`: there are others. Whether the filter is of
   * the bin does not matter.
   */
  counts(filter: DocumentFilter): Counted {
    if (filter.search.trim() === '') return { counts: this.#counts(filter), more: false }
    const search = parseSearch(filter.search)
    if (search === null) return { counts: countsOf([]), more: false }
    const hits = this.#hits(search, { ...filter, inBin: false }, maxFound + 1)
    const rows = this.#all<CountRow & { looked: number }>(
      hits,
      `SELECT j.status, coalesce(j.review, '') AS review, count(*) AS documents, (SELECT count(*) FROM hits) AS looked FROM hits CROSS JOIN documents j ON j.id = hits.id
       WHERE hits.id > iif((SELECT count(*) FROM hits) > ?, (SELECT min(id) FROM hits), 0) GROUP BY j.status, j.review`,
      maxFound,
    )
    const counts = countsOf(rows)
    if (!this.#isBinEmpty()) {
      const inBin = this.#hits(search, { ...filter, inBin: true }, maxFound)
      counts.bin = this.#all<{ documents: number }>(inBin, 'SELECT count(*) AS documents FROM hits')[0]!.documents
    }
    return { counts, more: rows[0] !== undefined && rows[0].looked > maxFound }
  }

  get(id: number): DocumentRow | null {
    return found(this.#sql.byId.get(id), fromRow)
  }

  /** Runs a statement that was put together; `after` and `more`: what ends it, and the values of that. */
  #all<T>({ sql, parameters }: Condition, after = '', ...more: number[]): T[] {
    return this.#db.prepare<unknown[], T>(`${sql} ${after}`).all(...parameters, ...more)
  }

  #versionsOf(schemaId: number | null): number[] | null {
    return schemaId === null ? null : this.#sql.versions.all(schemaId).map(({ id }) => id)
  }

  #isBinEmpty(): boolean {
    return this.#sql.firstBinned.get()!.any === 0
  }

  /** The ids that were received in the filter's span of time. */
  #span({ receivedFrom, receivedBefore }: DocumentFilter): { fromId: number | null; beforeId: number | null } {
    return {
      fromId: receivedFrom === null ? null : this.#firstIdAt(receivedFrom),
      beforeId: receivedBefore === null ? null : this.#firstIdAt(receivedBefore),
    }
  }

  /** Where and when, in the bin or out of it, whatever the filter says of that. */
  #scope(filter: DocumentFilter, inBin: boolean): Condition[] {
    return conditionsOf({
      folderId: filter.folderId,
      versionIds: this.#versionsOf(filter.schemaId),
      ...this.#span(filter),
      // Without a bin nothing has to be asked of each row that is passed over.
      inBin: inBin || !this.#isBinEmpty() ? inBin : null,
    })
  }

  #counts(filter: DocumentFilter): DocumentCounts {
    const { folderId, schemaId, receivedFrom, receivedBefore } = filter
    if (receivedFrom === null && receivedBefore === null) {
      const counted = query(
        'SELECT status, review, sum(documents) AS documents FROM document_counts',
        conditionsOf({ folderId, versionIds: this.#versionsOf(schemaId) }),
      )
      return countsOf(this.#all(counted, 'GROUP BY status, review'))
    }
    const counts = countsOf([])
    for (const { column, index, states } of [byStatus, byReview]) {
      const counted = query(`SELECT ${column} AS state, count(*) AS documents FROM documents INDEXED BY ${index}`, [
        among(column, states),
        ...this.#scope(filter, false),
      ])
      for (const row of this.#all<{ state: State; documents: number }>(counted, `GROUP BY ${column}`))
        counts[row.state] = row.documents
    }
    counts.bin = this.#countIn(query(fromBin, this.#scope(filter, true)))
    return counts
  }

  /** How many rows `from` has, which begins with that word. */
  #countIn({ sql, parameters }: Condition): number {
    return this.#all<{ documents: number }>({ sql: `SELECT count(*) AS documents ${sql}`, parameters })[0]!.documents
  }

  #idsOf(
    filter: DocumentFilter,
    { offset, limit, ...order }: Order & Span,
  ): { ids: number[]; total: number; more: boolean; search: SearchQuery | null } {
    if (filter.search.trim() === '') {
      const listed = filter.inBin
        ? this.#listInBin(filter, order, { offset, limit })
        : this.#list(filter, order, { offset, limit })
      return { ...listed, more: false, search: null }
    }
    const search = parseSearch(filter.search)
    if (search === null) return { ids: [], total: 0, more: false, search }
    const { ids, more } = this.#find(search, filter, order)
    return { ids: ids.slice(offset, offset + limit), total: ids.length, more, search }
  }

  #list(filter: DocumentFilter, order: Order, { offset, limit }: Span): { ids: number[]; total: number } {
    const counts = this.#counts(filter)
    const shown = shownBy(filter)
    const sumOf = (states: readonly State[]): number => states.reduce((sum, state) => sum + counts[state], 0)
    const total = sumOf(shown.states)
    const end = Math.min(total, offset + limit)
    if (end <= offset) return { ids: [], total }
    // What stands nearer to the end is found sooner from there.
    const isNearEnd = offset > total - end
    const listed = idsIn(
      this.#scope(filter, false),
      isNearEnd ? { ...order, descending: !order.descending } : order,
      shown,
      total * 2 > sumOf(documentStatuses),
    )
    const rows = this.#all<{ id: number }>(listed, 'LIMIT ? OFFSET ?', end - offset, isNearEnd ? total - end : offset)
    const ids = rows.map(({ id }) => id)
    return { ids: isNearEnd ? ids.reverse() : ids, total }
  }

  /** What is in the bin is little beside the rest: it is collected and sorted. */
  #listInBin(
    filter: DocumentFilter,
    { sort, descending }: Order,
    { offset, limit }: Span,
  ): { ids: number[]; total: number } {
    const from = query(fromBin, [...this.#scope(filter, true), ...inStates('documents', filter)])
    const rows = this.#all<{ id: number }>(
      { sql: `SELECT id ${from.sql}`, parameters: from.parameters },
      `${orderBy(orders[sort].by, descending)} LIMIT ? OFFSET ?`,
      limit,
      offset,
    )
    return { ids: rows.map(({ id }) => id), total: this.#countIn(from) }
  }

  /** The documents that a search finds, the newest first, as a subquery `hits (id)` of at most `limit` rows. */
  #hits(search: SearchQuery, filter: DocumentFilter, limit: number): Condition {
    const { folderId, schemaId, inBin } = filter
    // Looked up for each hit: the bin may be large, and the index of words does not know it.
    const isBinned =
      'EXISTS (SELECT 1 FROM documents b INDEXED BY documents_in_bin WHERE b.in_bin = 1 AND b.id = document_search.rowid)'
    const scopes = [
      ...(folderId === null ? [] : [[`f${folderId}`]]),
      ...(schemaId === null ? [] : [versionWords(this.#versionsOf(schemaId)!)]),
    ]
    const { fromId, beforeId } = this.#span(filter)
    const { sql, parameters } = query('FROM document_search', [
      { sql: 'document_search MATCH ?', parameters: [matchExpression(search, scopes, this.#termsOf)] },
      ...idsBetween('rowid', fromId, beforeId),
      ...(inBin || this.#isBinEmpty() ? [] : [{ sql: `NOT ${isBinned}`, parameters: [] }]),
    ])
    const newest = `${sql} ORDER BY rowid DESC`
    const rows = inBin
      ? `FROM (SELECT rowid ${newest} LIMIT ${maxLookedAt}) AS document_search WHERE ${isBinned}`
      : newest
    return {
      sql: `WITH hits AS MATERIALIZED (SELECT rowid AS id ${rows} LIMIT ?)`,
      parameters: [...parameters, limit],
    }
  }

  #find(search: SearchQuery, filter: DocumentFilter, { sort, descending }: Order): { ids: number[]; more: boolean } {
    const states = inStates('j', filter)
    const isAnyState = states.length === 0
    const hits = this.#hits(search, filter, isAnyState ? maxFound + 1 : maxLookedAt)
    const ofStates = query(
      `SELECT j.id, j.${orders[sort].by} AS place FROM hits CROSS JOIN documents j ON j.id = hits.id`,
      states,
      'ORDER BY hits.id DESC LIMIT ?',
    )
    const rows =
      isAnyState && sort === 'receivedAt'
        ? this.#all<{ id: number; looked: number }>(
            hits,
            `SELECT id, 0 AS looked FROM hits ${orderBy('id', descending)} LIMIT ?`,
            maxFound + 1,
          )
        : this.#all<{ id: number; looked: number }>(
            {
              sql: `${hits.sql} SELECT id, (SELECT count(*) FROM hits) AS looked FROM (${ofStates.sql})`,
              parameters: [...hits.parameters, ...ofStates.parameters, maxFound + 1],
            },
            orderBy('place', descending),
          )
    const ids = rows.map(({ id }) => id)
    if (ids.length <= maxFound) return { ids, more: !isAnyState && rows[0]?.looked === maxLookedAt }
    const oldest = ids.reduce((min, id) => Math.min(min, id))
    return { ids: ids.filter((id) => id !== oldest), more: true }
  }
}

const fromBin = 'FROM documents INDEXED BY documents_in_bin'

/** The words by which the index of words knows the versions of a schema. */
function versionWords(versionIds: number[]): string[] {
  // Of a schema that there is not: no version has this id.
  return (versionIds.length === 0 ? [0] : versionIds).map((id) => `v${id}`)
}

function countsOf(rows: readonly CountRow[]): DocumentCounts {
  const counts = Object.fromEntries(
    [...documentStatuses, ...reviewStates, 'bin'].map((state) => [state, 0]),
  ) as DocumentCounts
  for (const { status, review, documents } of rows) {
    counts[status] += documents
    if (review !== '') counts[review] += documents
  }
  return counts
}

function inStates(table: 'j' | 'documents', { statuses, reviews }: DocumentFilter): Condition[] {
  return [
    ...(statuses.length === 0 ? [] : [among(`${table}.status`, statuses)]),
    ...(reviews.length === 0 ? [] : [among(`${table}.review`, reviews)]),
  ]
}

function shownBy({ statuses, reviews }: DocumentFilter): Shown {
  const shown =
    statuses.length === 0 ? documentStatuses : documentStatuses.filter((status) => statuses.includes(status))
  if (reviews.length === 0) return { ...byStatus, states: shown }
  return { ...byReview, states: shown.includes('done') ? reviewStates.filter((state) => reviews.includes(state)) : [] }
}

function orderBy(column: string, descending: boolean): string {
  const direction = descending ? 'DESC' : 'ASC'
  return `ORDER BY ${column === 'id' ? '' : `${column} ${direction}, `}id ${direction}`
}

/**
 * The ids of a list in its order, as a statement without its end. `isMost`: it shows more documents than it leaves
 * out. Pure.
 */
function idsIn(scope: Condition[], { sort, descending }: Order, shown: Shown, isMost: boolean): Condition {
  const { column, index: byState, states } = shown
  const { by, index } = orders[sort]
  const order = orderBy(by, descending)
  const inOrder = `SELECT id FROM documents INDEXED BY ${index}`
  if (states.length === documentStatuses.length) return query(inOrder, scope, order)
  const ofStates = (some: readonly State[], end = ''): Condition =>
    query(`SELECT id FROM documents INDEXED BY ${byState}`, [among(column, some), ...scope], end)
  if (sort === 'status' && column === 'status') return ofStates(states, order)
  // Each state by itself is in order: they are merged, not sorted. What has a state of its check is done, all of it.
  if (sort === 'receivedAt' || sort === 'status')
    return unionAll(
      states.map((state) => ofStates([state])),
      orderBy('id', descending),
    )
  // The state changes often, so it is in no other index: the fewer ids of both sides are collected first.
  const isLess = isMost && column === 'status'
  const fewer = ofStates(isLess ? documentStatuses.filter((status) => !states.includes(status)) : states)
  const chosen = { sql: `+id ${isLess ? 'NOT IN' : 'IN'} (${fewer.sql})`, parameters: fewer.parameters }
  return query(inOrder, [chosen, ...scope], order)
}

/** Nothing is wrong with the document itself: its connection waits for a person, or a person paused its folder. */
function heldUpIn(row: Row): DocumentRow['reason'] {
  if (row.stopped_code !== null) return reasonOf(row.stopped_code, row.stopped_details)
  return row.folder_paused === 1 && row.reason_code === null ? { code: 'folder_paused', details: {} } : null
}

function fromRow(row: Row): DocumentRow {
  return {
    id: row.id,
    name: row.name,
    path: row.path,
    sizeBytes: row.size_bytes,
    pages: row.first_page === null ? null : { first: row.first_page, last: row.last_page ?? row.first_page },
    folderId: row.folder_id,
    folderName: row.folder_name,
    schemaId: row.schema_id,
    schemaName: row.schema_name,
    status: row.status,
    reason: (row.status === 'queued' ? heldUpIn(row) : null) ?? reasonOf(row.reason_code, row.reason_details),
    sent: null,
    notBefore: row.status === 'queued' && row.not_before > 0 ? row.not_before : null,
    values: row.summary === null ? [] : (JSON.parse(row.summary) as SummaryValue[]),
    recordCount: row.record_count ?? 0,
    receivedAt: row.created_at,
    finishedAt: row.finished_at,
    durationMs: row.duration_ms,
    tokensConsumed: row.tokens_consumed,
    originalDocumentId: row.original_document_id,
    mayBeBilled: row.may_be_billed === 1,
    review: row.review,
    flagCount: row.flag_count,
    inBin: row.in_bin === 1,
    local: row.is_local === 1,
    hit: null,
  }
}
