import type { Database } from './open.ts'

/** What some documents of one schema took on one connection. */
export type Measured = { documents: number; largest: number; mean: number }

/** One part of a span: what went to services and what it took. */
export type UsagePart = { folderId: number; schemaId: number; documents: number; tokens: number }

/** So many of the newest results say what the next one may take. */
const measuredResults = 50

/**
 * Counts for the usage report and the daily cap. A document counts when its attempt begins, unless the service did not
 * take it (`returned`): lost ones and failed ones may be billed. Tokens count when the result that names them arrives.
 */
export function usageTable(db: Database) {
  const bills = "connection_id IN (SELECT id FROM connections WHERE kind = 'platform')"
  const begun = db.prepare<[number], { documents: number }>(`SELECT count(*) AS documents FROM attempts WHERE started_at >= ? AND outcome <> 'returned' AND ${bills}`)
  const tokens = db.prepare<[number, number, number], { tokens: number }>(`
    SELECT (SELECT coalesce(sum(tokens_consumed), 0) FROM results WHERE created_at >= ? AND ${bills})
      + (SELECT coalesce(sum(m.tokens), 0) FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE m.created_at >= ? AND c.${bills})
      + (SELECT coalesce(sum(tokens), 0) FROM exchanges WHERE created_at >= ? AND ${bills}) AS tokens`)
  const unmeasured = db.prepare<[{ since: number; today: number }], { connection_id: number; schema_id: number; under_way: number; documents: number }>(`
    SELECT t.connection_id, v.schema_id, t.outcome <> 'lost' AS under_way, count(*) AS documents
    FROM attempts t JOIN jobs j ON j.id = t.job_id JOIN schema_versions v ON v.id = j.schema_version_id
    WHERE t.started_at >= @since AND t.${bills} AND (t.outcome IN ('open', 'accepted') OR (t.outcome = 'lost' AND t.started_at >= @today))
    GROUP BY t.connection_id, v.schema_id, under_way`)
  const measure = (where: string) => `
    SELECT count(*) AS documents, coalesce(max(tokens_consumed), 0) AS largest, coalesce(avg(tokens_consumed), 0) AS mean
    FROM (SELECT tokens_consumed FROM results WHERE ${where} AND tokens_consumed IS NOT NULL ORDER BY id DESC LIMIT ${measuredResults})`
  const ofSchema = db.prepare<[number, number], Measured>(measure('connection_id = ? AND schema_id = ?'))
  const ofConnection = db.prepare<[number], Measured>(measure('connection_id = ?'))
  const open = "status = 'queued' AND connection_id IN (SELECT id FROM connections WHERE kind = 'platform' AND paused_code IS NULL)"
  const queued = db.prepare<[], { documents: number }>(`SELECT count(*) AS documents FROM jobs INDEXED BY jobs_due WHERE ${open}`)
  // Counted apart: for the question above its index is enough, also with a million queued.
  const resting = db.prepare<[], { documents: number }>(
    `SELECT count(*) AS documents FROM jobs INDEXED BY jobs_place WHERE folder_id IN (SELECT id FROM folders WHERE paused = 1) AND ${open}`,
  )
  const documents = db.prepare<[number, number], { folder_id: number; schema_id: number; amount: number }>(`
    SELECT j.folder_id, v.schema_id, count(*) AS amount
    FROM attempts t JOIN jobs j ON j.id = t.job_id JOIN schema_versions v ON v.id = j.schema_version_id
    WHERE t.started_at >= ? AND t.started_at < ? AND t.outcome <> 'returned' GROUP BY j.folder_id, v.schema_id`)
  const consumed = db.prepare<[number, number], { folder_id: number; schema_id: number; amount: number }>(`
    SELECT j.folder_id, r.schema_id, sum(r.tokens_consumed) AS amount FROM results r JOIN jobs j ON j.id = r.job_id
    WHERE r.created_at >= ? AND r.created_at < ? AND r.tokens_consumed IS NOT NULL GROUP BY j.folder_id, r.schema_id`)
  const asked = db.prepare<[{ from: number; until: number }], { questions: number; tokens: number }>(`
    SELECT count(CASE WHEN role = 'user' THEN 1 END) AS questions, coalesce(sum(tokens), 0)
      + (SELECT coalesce(sum(tokens), 0) FROM exchanges WHERE created_at >= @from AND created_at < @until) AS tokens
    FROM messages WHERE created_at >= @from AND created_at < @until`)
  const knownPlaces = db.prepare<[string, number, number], { id: number }>(
    "SELECT id FROM folders WHERE kind = 'watched' AND path = ? AND schema_id = ? AND connection_id = ?",
  )

  return {
    /** Documents begun on connections that bill since a time. */
    begunSince: (since: number): number => begun.get(since)!.documents,
    /** Tokens that connections that bill reported since a time: of documents, of answers to questions and of drafts. */
    tokensSince: (since: number): number => tokens.get(since, since, since)!.tokens,
    /** Documents that may still cost tokens, by question: under way since `since`, or lost since `today`. */
    unmeasured: (since: number, today: number): { connectionId: number; schemaId: number; underWay: boolean; documents: number }[] =>
      unmeasured.all({ since, today }).map((row) => ({
        connectionId: row.connection_id,
        schemaId: row.schema_id,
        underWay: row.under_way === 1,
        documents: row.documents,
      })),
    /** The newest results of a schema on a connection, of any schema when `schemaId` is null. */
    measured: (connectionId: number, schemaId: number | null): Measured =>
      schemaId === null ? ofConnection.get(connectionId)! : ofSchema.get(connectionId, schemaId)!,
    /** Queued documents that only the cap could hold back: of connections that bill, and nothing about them paused. */
    queued: (): number => queued.get()!.documents - resting.get()!.documents,
    /** From `from` until before `until`, by folder and schema. */
    parts(from: number, until: number): UsagePart[] {
      const parts = new Map<string, UsagePart>()
      const part = (folderId: number, schemaId: number): UsagePart => {
        const key = `${folderId} ${schemaId}`
        const found = parts.get(key) ?? { folderId, schemaId, documents: 0, tokens: 0 }
        parts.set(key, found)
        return found
      }
      for (const row of documents.all(from, until)) part(row.folder_id, row.schema_id).documents += row.amount
      for (const row of consumed.all(from, until)) part(row.folder_id, row.schema_id).tokens += row.amount
      return [...parts.values()]
    },
    questions: (from: number, until: number): { questions: number; tokens: number } => asked.get({ from, until })!,
    /** Folders that already watch a place for this schema on this connection, also those that were removed: they know its files. */
    foldersAt: (path: string, schemaId: number, connectionId: number): number[] => knownPlaces.all(path, schemaId, connectionId).map((row) => row.id),
  }
}
