import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { connect, migrate } from '../../../electron/core/db/open.ts'
import type { DocumentStatus } from '../../../shared/domain/document-status.ts'
import { simpleSchema } from '../../helpers/core.ts'
import { successBody, vendorCredentials } from '../../helpers/vendor.ts'
import type { Stage, StagedFile } from './stage.ts'

/** A document of the old data folder: what it was when the old version ended, and what the new one has to find. */
export type OldDocument = { file: StagedFile; was: DocumentStatus; found: DocumentStatus; token: string | null }

const fates: readonly { was: DocumentStatus; found: DocumentStatus; outcome: string | null }[] = [
  { was: 'queued', found: 'queued', outcome: null },
  { was: 'submitting', found: 'unknown', outcome: 'open' },
  { was: 'unknown', found: 'unknown', outcome: 'lost' },
  { was: 'waiting', found: 'waiting', outcome: 'accepted' },
]

/**
 * Writes a database of the version before that of `laterMigrations`, without a journal, with documents in the middle of
 * their way. The one in question is done. The files lie in their places already. Returns what is where.
 */
export function writeOldFolder({ dataDir, files, hit }: Stage, baseUrl: string, port: number): OldDocument[] {
  mkdirSync(dataDir, { mode: 0o700 })
  const db = connect(join(dataDir, 'sheaf.db'))
  migrate(db)
  db.prepare("INSERT INTO settings VALUES ('callbackPort', ?)").run(JSON.stringify(port))
  db.prepare(
    "INSERT INTO connections (id, kind, name, base_url, client_id) VALUES (1, 'local', 'This computer', NULL, NULL), (2, 'platform', 'Vendor', ?, ?)",
  ).run(baseUrl, vendorCredentials.clientId)
  db.prepare("INSERT INTO schemas (id, name, created_at) VALUES (1, 'Invoice', 0)").run()
  db.prepare('INSERT INTO schema_versions (id, schema_id, version, elements, created_at) VALUES (1, 1, 1, ?, 0)').run(
    JSON.stringify(simpleSchema),
  )
  const folders = [...new Set(files.map(({ path }) => dirname(path)))]
  for (const [index, path] of folders.entries()) {
    const mode = path.endsWith('async') ? 'async' : 'sync'
    db.prepare(
      "INSERT INTO folders (id, kind, path, name, schema_id, connection_id, mode, include_subfolders, created_at) VALUES (?, 'watched', ?, ?, 1, 2, ?, 1, 0)",
    ).run(index + 1, path, mode, mode)
  }
  const documents = files.map((file, index) => {
    const isAsync = file.mode === 'async'
    // What waits for a webhook went asynchronously.
    const fate =
      file === hit ? ({ was: 'done', found: 'done', outcome: 'succeeded' } as const) : fates[index % (isAsync ? 4 : 3)]!
    const token = isAsync && fate.outcome !== null ? randomBytes(32).toString('base64url') : null
    insertDocument(db, {
      id: index + 1,
      folderId: folders.indexOf(dirname(file.path)) + 1,
      file,
      status: fate.was,
      outcome: fate.outcome,
      token,
    })
    return { file, was: fate.was, found: fate.found, token: fate.was === 'waiting' ? token : null }
  })
  db.close()
  return documents
}

type OldRow = {
  id: number
  folderId: number
  file: StagedFile
  status: DocumentStatus
  outcome: string | null
  token: string | null
}

function insertDocument(db: Sqlite.Database, { id, folderId, file, status, outcome, token }: OldRow): void {
  const sha256 = createHash('sha256').update(file.bytes).digest()
  const { size, mtimeMs } = statSync(file.path)
  const reason = status === 'unknown' ? 'connection_lost' : null
  db.prepare(
    `INSERT INTO documents (id, folder_id, connection_id, schema_version_id, mode, path, name, size_bytes, mtime_ms, sha256, status, reason_code, reason_details, result_id, created_at)
     VALUES (?, ?, 2, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)`,
  ).run(
    id,
    folderId,
    file.mode,
    file.path,
    file.name,
    size,
    Math.trunc(mtimeMs),
    sha256,
    status,
    reason,
    reason === null ? null : '{}',
    status === 'done' ? id : null,
  )
  if (outcome === null) return
  db.prepare(
    "INSERT INTO attempts (id, document_id, mode, host, token_hash, extract_id, started_at, outcome, connection_id, schema_id) VALUES (?, ?, ?, 'old', ?, ?, ?, ?, 2, 1)",
  ).run(
    id,
    id,
    file.mode,
    token === null ? null : createHash('sha256').update(token).digest(),
    status === 'waiting' ? `old-${id}` : null,
    Date.now(),
    outcome,
  )
  if (status !== 'done') return
  const body = Buffer.from(successBody(file.name))
  db.prepare(
    "INSERT INTO answers (id, attempt_id, source, received_at, http_status, content_type, body, body_sha256) VALUES (?, ?, 'response', 1, 200, 'application/json', ?, ?)",
  ).run(id, id, body, createHash('sha256').update(body).digest())
  const { data } = JSON.parse(successBody(file.name)) as { data: unknown }
  db.prepare(
    "INSERT INTO results (id, document_id, answer_id, records, record_count, summary, created_at) VALUES (?, ?, ?, ?, 1, '[]', 1)",
  ).run(id, id, id, JSON.stringify([data]))
}
