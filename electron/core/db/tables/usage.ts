import type { Database } from '../open.ts'

/** What some documents of one schema took on one connection. */
type Measured = { documents: number; largest: number; mean: number }

/** Documents of one schema that are queued on one connection. */
export type Queued = { connectionId: number; schemaId: number; documents: number }

/** One part of a span: what went to services and what it took. */
type UsagePart = { folderId: number; schemaId: number; documents: number; tokens: number }

/** So many of the newest answers say what the next one may take. */
const measuredAnswers = 50

function prepare(db: Database) {
  type Amount = { folder_id: number; schema_id: number; amount: number }
  const bills = "connection_id IN (SELECT id FROM connections WHERE kind = 'platform')"
  const newest = (table: 'attempts' | 'trials', where: string) =>
    `SELECT * FROM (SELECT tokens FROM ${table} WHERE ${where} AND tokens IS NOT NULL AND (outcome = 'succeeded' OR tokens > 0) ORDER BY id DESC LIMIT ${measuredAnswers})`
  const measure = (where: string) => `
    SELECT count(*) AS documents, coalesce(max(tokens), 0) AS largest, coalesce(avg(tokens), 0) AS mean
    FROM (${newest('attempts', where)} UNION ALL ${newest('trials', where)})`
  const withoutTokens = (table: 'attempts' | 'trials') =>
    `SELECT 1 FROM ${table} WHERE connection_id = @connectionId AND outcome = 'succeeded' AND tokens IS NULL`
  const countQueued = (where: string) =>
    db.prepare<[], { connection_id: number; schema_id: number; documents: number }>(`
      SELECT c.id AS connection_id, v.schema_id, sum((
        SELECT count(*) FROM documents j INDEXED BY documents_queued WHERE j.status = 'queued' AND j.connection_id = c.id AND j.schema_version_id = v.id ${where})) AS documents
      FROM connections c CROSS JOIN schema_versions v WHERE c.kind = 'platform' AND c.paused_code IS NULL GROUP BY c.id, v.schema_id HAVING documents > 0`)
  return {
    begun: db.prepare<[number, number], { documents: number }>(`
    SELECT (SELECT count(*) FROM attempts WHERE started_at >= ? AND outcome <> 'returned' AND ${bills})
      + (SELECT count(*) FROM trials WHERE started_at >= ? AND outcome <> 'returned' AND ${bills}) AS documents`),
    tokens: db.prepare<[number, number, number, number], { tokens: number }>(`
    SELECT (SELECT coalesce(sum(tokens), 0) FROM attempts INDEXED BY attempts_named WHERE tokens IS NOT NULL AND finished_at >= ? AND ${bills})
      + (SELECT coalesce(sum(m.tokens), 0) FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE m.created_at >= ? AND c.${bills})
      + (SELECT coalesce(sum(tokens), 0) FROM trials WHERE tokens IS NOT NULL AND finished_at >= ? AND ${bills})
      + (SELECT coalesce(sum(tokens), 0) FROM exchanges WHERE created_at >= ? AND ${bills}) AS tokens`),
    unnamed: db.prepare<
      [{ since: number; today: number }],
      { connection_id: number; schema_id: number; under_way: number; documents: number }
    >(`
    SELECT connection_id, schema_id, under_way, count(*) AS documents FROM (
      SELECT connection_id, schema_id, started_at, outcome IN ('open', 'accepted')
        AND EXISTS (SELECT 1 FROM documents j WHERE j.id = document_id AND j.status IN ('submitting', 'waiting')) AS under_way
      FROM attempts INDEXED BY attempts_unnamed WHERE tokens IS NULL AND started_at >= @since AND outcome <> 'returned' AND ${bills}
      UNION ALL SELECT connection_id, schema_id, started_at, outcome = 'open' FROM trials
      WHERE tokens IS NULL AND started_at >= @since AND outcome <> 'returned' AND ${bills})
    WHERE under_way OR started_at >= @today GROUP BY connection_id, schema_id, under_way`),
    ofSchema: db.prepare<[{ connectionId: number; schemaId: number }], Measured>(
      measure('connection_id = @connectionId AND schema_id = @schemaId'),
    ),
    ofConnection: db.prepare<[{ connectionId: number }], Measured>(measure('connection_id = @connectionId')),
    silent: db.prepare<[{ connectionId: number }], { silent: number }>(
      `SELECT EXISTS (${withoutTokens('attempts')}) OR EXISTS (${withoutTokens('trials')}) AS silent`,
    ),
    // Without paused folders, as nearly always, counting is all there is to do: that shows with hundreds of thousands
    // queued.
    queued: countQueued(''),
    queuedBesidePaused: countQueued('AND j.folder_id NOT IN (SELECT id FROM folders WHERE paused = 1)'),
    paused: db.prepare<[], { id: number }>('SELECT id FROM folders WHERE paused = 1 LIMIT 1'),
    documents: db.prepare<[{ from: number; until: number }], Amount>(`
    SELECT j.folder_id, v.schema_id, count(*) AS amount
    FROM attempts t JOIN documents j ON j.id = t.document_id JOIN schema_versions v ON v.id = j.schema_version_id
    WHERE t.started_at >= @from AND t.started_at < @until AND t.outcome <> 'returned' GROUP BY j.folder_id, v.schema_id
    UNION ALL SELECT j.folder_id, t.schema_id, count(*) FROM trials t JOIN documents j ON j.id = t.document_id
    WHERE t.started_at >= @from AND t.started_at < @until AND t.outcome <> 'returned' GROUP BY j.folder_id, t.schema_id`),
    consumed: db.prepare<[{ from: number; until: number }], Amount>(`
    SELECT j.folder_id, t.schema_id, sum(t.tokens) AS amount FROM attempts t INDEXED BY attempts_named JOIN documents j ON j.id = t.document_id
    WHERE t.tokens IS NOT NULL AND t.finished_at >= @from AND t.finished_at < @until GROUP BY j.folder_id, t.schema_id
    UNION ALL SELECT j.folder_id, t.schema_id, sum(t.tokens) FROM trials t JOIN documents j ON j.id = t.document_id
    WHERE t.tokens IS NOT NULL AND t.finished_at >= @from AND t.finished_at < @until GROUP BY j.folder_id, t.schema_id`),
    asked: db.prepare<[{ from: number; until: number }], { questions: number; tokens: number }>(`
    SELECT count(CASE WHEN role = 'user' THEN 1 END) AS questions, coalesce(sum(tokens), 0)
      + (SELECT coalesce(sum(tokens), 0) FROM exchanges WHERE created_at >= @from AND created_at < @until) AS tokens
    FROM messages WHERE created_at >= @from AND created_at < @until`),
    knownPlaces: db.prepare<[string, number, number], { id: number }>(
      "SELECT id FROM folders WHERE kind = 'watched' AND path = ? AND schema_id = ? AND connection_id = ?",
    ),
  }
}

/**
 * Counts for the usage report and the daily cap. A document counts when its attempt begins, unless the service did not
 * take it (`returned`): lost ones and failed ones may be billed. Tokens count when the answer that names them arrives,
 * be it a result or a failure. A draft of a schema that is tried on a document counts as a document of that schema.
 */
export class UsageTable {
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: Database) {
    this.#sql = prepare(db)
  }

  /** Documents begun on connections that bill since a time. */
  begunSince(since: number): number {
    return this.#sql.begun.get(since, since)!.documents
  }

  /**
   * Tokens that connections that bill reported since a time: of documents, of answers to questions, of drafts and of
   * trying them.
   */
  tokensSince(since: number): number {
    return this.#sql.tokens.get(since, since, since, since)!.tokens
  }

  /**
   * Documents whose tokens nobody named, by question: under way since `since`; or begun since `today` and over
   * without a number (lost, failed, cancelled while the service had them, answered without one), which may be billed
   * all the same.
   */
  unnamed(since: number, today: number): (Queued & { underWay: boolean })[] {
    return this.#sql.unnamed.all({ since, today }).map((row) => ({
      connectionId: row.connection_id,
      schemaId: row.schema_id,
      underWay: row.under_way === 1,
      documents: row.documents,
    }))
  }

  /** The newest answers that named tokens for a schema on a connection, for any schema when `schemaId` is null. */
  measured(connectionId: number, schemaId: number | null): Measured {
    return schemaId === null
      ? this.#sql.ofConnection.get({ connectionId })!
      : this.#sql.ofSchema.get({ connectionId, schemaId })!
  }

  /** True when a result of the connection came without the tokens it took. */
  isSilent(connectionId: number): boolean {
    return this.#sql.silent.get({ connectionId })!.silent === 1
  }

  /** Queued documents that only the cap could hold back: of connections that bill, and nothing about them paused. */
  queued(): Queued[] {
    return (this.#sql.paused.get() === undefined ? this.#sql.queued : this.#sql.queuedBesidePaused)
      .all()
      .map((row) => ({ connectionId: row.connection_id, schemaId: row.schema_id, documents: row.documents }))
  }

  /** From `from` until before `until`, by folder and schema. */
  parts(from: number, until: number): UsagePart[] {
    const parts = new Map<string, UsagePart>()
    const part = (folderId: number, schemaId: number): UsagePart => {
      const key = `${folderId} ${schemaId}`
      const found = parts.get(key) ?? { folderId, schemaId, documents: 0, tokens: 0 }
      parts.set(key, found)
      return found
    }
    for (const row of this.#sql.documents.all({ from, until }))
      part(row.folder_id, row.schema_id).documents += row.amount
    for (const row of this.#sql.consumed.all({ from, until })) part(row.folder_id, row.schema_id).tokens += row.amount
    return [...parts.values()]
  }

  questions(from: number, until: number): { questions: number; tokens: number } {
    return this.#sql.asked.get({ from, until })!
  }

  /**
   * Folders that already watch a place for this schema on this connection, also those that were removed: they know
   * its files.
   */
  foldersAt(path: string, schemaId: number, connectionId: number): number[] {
    return this.#sql.knownPlaces.all(path, schemaId, connectionId).map((row) => row.id)
  }
}
