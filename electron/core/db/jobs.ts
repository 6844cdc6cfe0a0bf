import type { ErrorCode, ErrorDetails } from '../../../shared/errors.ts'
import { isWithoutResult, nextStatus } from '../../../shared/job.ts'
import type { ExtractionMode, JobEvent, JobStatus } from '../../../shared/job.ts'
import { mayBeBilledSql } from './attempts.ts'
import type { Database } from './open.ts'
import { isKnown } from './places.ts'

export type Job = {
  id: number
  folderId: number
  connectionId: number
  schemaVersionId: number
  agentReference: string | null
  mode: ExtractionMode
  path: string
  name: string
  sizeBytes: number
  mtimeMs: number
  sha256: Buffer | null
  status: JobStatus
  reasonCode: ErrorCode | null
  reasonDetails: ErrorDetails
  notBefore: number
  tries: number
  originalJobId: number | null
  resultId: number | null
  /** Who let it go again after a lost answer; null once that was done. */
  resendApproved: 'person' | 'setting' | null
  /** Where its file is on the way to. */
  moveTo: string | null
  /** The folder of outcomes in which its file lies; `left`: there was nothing to move. */
  filedAs: 'done' | 'failed' | 'left' | null
  /** Beside the job of its file, asked for by a person with a question of its own. */
  extra: boolean
  inBin: boolean
  createdAt: number
}

/** What is asked about the content of a file, and where. */
export type Question = Pick<Job, 'schemaVersionId' | 'connectionId' | 'agentReference'>

export type NewJob = Pick<
  Job,
  'folderId' | 'connectionId' | 'schemaVersionId' | 'agentReference' | 'mode' | 'path' | 'name' | 'sizeBytes' | 'mtimeMs' | 'sha256' | 'originalJobId'
> & { extra?: boolean; status: 'queued' | 'skipped'; reason: { code: ErrorCode; details: ErrorDetails } | null }

/** What changes together with the status. */
export type JobChange = {
  reason?: { code: ErrorCode; details: ErrorDetails } | null
  notBefore?: number
  tries?: number
  resultId?: number
  originalJobId?: number
  /** Who lets it go again although it may have been billed. */
  resendApproved?: 'person' | 'setting' | null
}

type Row = {
  id: number
  folder_id: number
  connection_id: number
  schema_version_id: number
  agent_reference: string | null
  mode: ExtractionMode
  path: string
  name: string
  size_bytes: number
  mtime_ms: number
  sha256: Buffer | null
  status: JobStatus
  reason_code: ErrorCode | null
  reason_details: string | null
  not_before: number
  tries: number
  original_job_id: number | null
  result_id: number | null
  resend_approved: 'person' | 'setting' | null
  move_to: string | null
  filed_as: 'done' | 'failed' | 'left' | null
  extra: number
  in_bin: number
  created_at: number
}

/** The jobs table is the queue: every stage changes it through `apply`, and only along `shared/job.ts`. */
export function jobsTable(db: Database) {
  const byId = db.prepare<[number], Row>('SELECT * FROM jobs WHERE id = ?')
  const insert = db.prepare(`
    INSERT INTO jobs (folder_id, connection_id, schema_version_id, agent_reference, mode, path, name, size_bytes, mtime_ms,
      sha256, status, reason_code, reason_details, original_job_id, extra, created_at, finished_at)
    VALUES (@folderId, @connectionId, @schemaVersionId, @agentReference, @mode, @path, @name, @sizeBytes, @mtimeMs,
      @sha256, @status, @reasonCode, @reasonDetails, @originalJobId, @extra, @now, @finishedAt)`)
  const update = db.prepare(`
    UPDATE jobs SET status = @status, reason_code = @reasonCode, reason_details = @reasonDetails, not_before = @notBefore,
      tries = @tries, result_id = @resultId, resend_approved = @resendApproved, started_at = coalesce(@startedAt, started_at), finished_at = @finishedAt,
      filed_as = iif(@status = 'queued' AND filed_as = 'left', NULL, filed_as),
      review = iif(@status = 'done', review, NULL), flag_count = iif(@status = 'done', flag_count, 0)
    WHERE id = @id`)
  // By itself: an update of a column that refers to its own table writes every index of that anew, also those of other columns.
  const setOriginal = db.prepare<[number | null, number]>('UPDATE jobs SET original_job_id = ? WHERE id = ?')
  // One row a place: the newest version of what lies there. What a person asked of it besides says nothing of that.
  const places = db.prepare<[number], { path: string; size_bytes: number; mtime_ms: number; id: number; reason_code: string | null; in_bin: number }>(`
    SELECT path, size_bytes, mtime_ms, max(id) AS id, reason_code, in_bin FROM jobs WHERE folder_id = ? AND extra = 0 GROUP BY path`)
  const place = db.prepare<[number, string], Row>('SELECT * FROM jobs WHERE folder_id = ? AND path = ? AND extra = 0 ORDER BY id DESC LIMIT 1')
  const extraIn = db.prepare<[Record<string, unknown>], Row>(`
    SELECT * FROM jobs WHERE folder_id = @folderId AND path = @path AND extra = 1 AND sha256 = @sha256 AND schema_version_id = @schemaVersionId
      AND connection_id = @connectionId AND agent_reference IS @agentReference ORDER BY id DESC LIMIT 1`)
  // Of two that both still wait the older one is the original, or each would be the other's copy.
  const twin = db.prepare<[Record<string, unknown>], Row>(`
    SELECT * FROM jobs j WHERE sha256 = @sha256 AND schema_version_id = @schemaVersionId AND connection_id = @connectionId
      AND agent_reference IS @agentReference AND id <> @except
      AND (status IN ('submitting', 'waiting', 'done', 'unknown') OR (status = 'queued' AND id < @except)
        OR (status IN ('cancelled', 'failed') AND ${mayBeBilledSql('j.id')}))
    ORDER BY status = 'done' DESC, id LIMIT 1`)
  const due = db.prepare<[{ connectionId: number; now: number; folderId: number | null; limit: number }], Row>(`
    SELECT * FROM jobs WHERE status = 'queued' AND connection_id = @connectionId AND not_before <= @now
      AND (@folderId IS NULL OR folder_id = @folderId) AND folder_id NOT IN (SELECT id FROM folders WHERE paused = 1) ORDER BY not_before, id LIMIT @limit`)
  // Of one version: so that those which the daily cap holds back are not gone through to find one that it lets go.
  const dueOfVersion = db.prepare<[{ connectionId: number; versionId: number; now: number; folderId: number | null; limit: number }], Row>(`
    SELECT * FROM jobs INDEXED BY jobs_queued WHERE status = 'queued' AND connection_id = @connectionId AND schema_version_id = @versionId AND not_before <= @now
      AND (@folderId IS NULL OR folder_id = @folderId) AND folder_id NOT IN (SELECT id FROM folders WHERE paused = 1) ORDER BY not_before, id LIMIT @limit`)
  const otherVersions = db.prepare<[{ connectionId: number; schemaIds: string }], { id: number }>(`
    SELECT v.id FROM schema_versions v WHERE v.schema_id NOT IN (SELECT value FROM json_each(@schemaIds))
      AND EXISTS (SELECT 1 FROM jobs j INDEXED BY jobs_queued WHERE j.status = 'queued' AND j.connection_id = @connectionId AND j.schema_version_id = v.id)`)
  const nextDue = db.prepare<[{ connectionId: number; folderId: number | null }], { at: number | null }>(`
    SELECT min(not_before) AS at FROM jobs WHERE status = 'queued' AND connection_id = @connectionId
      AND (@folderId IS NULL OR folder_id = @folderId) AND folder_id NOT IN (SELECT id FROM folders WHERE paused = 1)`)
  // One look into the index for each connection: DISTINCT would go through the whole queue.
  const lanes = db.prepare<[], { id: number }>("SELECT id FROM connections c WHERE EXISTS (SELECT 1 FROM jobs WHERE status = 'queued' AND connection_id = c.id)")
  const withStatus = db.prepare<[string], Row>('SELECT * FROM jobs WHERE status = ? ORDER BY id')
  const idsWithStatus = db.prepare<[string, number, number], { id: number }>('SELECT id FROM jobs WHERE status = ? AND id > ? ORDER BY id LIMIT ?')
  const queuedInFolder = db.prepare<[number, number], { id: number }>("SELECT id FROM jobs INDEXED BY jobs_status WHERE status = 'queued' AND folder_id = ? ORDER BY id LIMIT ?")
  const countInFolder = db.prepare<[number, string], { jobs: number }>('SELECT coalesce(sum(jobs), 0) AS jobs FROM job_counts WHERE folder_id = ? AND status = ?')
  const farthest = db.prepare<[number], { at: number | null }>("SELECT max(not_before) AS at FROM jobs WHERE status = 'queued' AND connection_id = ?")
  const forgetFarTimes = db.prepare<[{ connectionId: number; latest: number; now: number }]>(
    "UPDATE jobs SET not_before = @now WHERE status = 'queued' AND connection_id = @connectionId AND not_before > @latest",
  )
  const inFolder = db.prepare<[number], Row>('SELECT * FROM jobs WHERE folder_id = ? ORDER BY id')
  // What waits in a paused folder is not on its way.
  const isOpen = "(status IN ('submitting', 'waiting') OR (status = 'queued' AND folder_id NOT IN (SELECT id FROM folders WHERE paused = 1)))"
  const open = db.prepare<[], { jobs: number }>(`SELECT coalesce(sum(jobs), 0) AS jobs FROM job_counts WHERE ${isOpen}`)
  const anyOpen = db.prepare<[], { any: number }>(`SELECT EXISTS (SELECT 1 FROM job_counts WHERE jobs > 0 AND ${isOpen}) AS any`)
  // What a person corrected in the folder since holds for what is sent from now on.
  const fromFolder = '(agent_reference, mode, connection_id) = (SELECT agent_reference, mode, connection_id FROM folders WHERE id = folder_id)'
  const adopt = db.prepare<[number]>(`UPDATE jobs SET ${fromFolder} WHERE id = ? AND extra = 0`)
  const adoptQueued = db.prepare<[number]>(`UPDATE jobs SET ${fromFolder} WHERE folder_id = ? AND status = 'queued' AND extra = 0`)
  const ofSize = db.prepare<[number], { id: number }>('SELECT id FROM jobs INDEXED BY jobs_size WHERE size_bytes = ? LIMIT 1')
  const setInBin = db.prepare<[number, number]>('UPDATE jobs SET in_bin = ? WHERE id = ?')
  const setSource = db.prepare<[number, number, Buffer | null, number]>('UPDATE jobs SET size_bytes = ?, mtime_ms = ?, sha256 = ? WHERE id = ?')

  const tellCopies = db.prepare<[{ id: number; code: ErrorCode }]>(
    `UPDATE jobs SET reason_code = iif(@code = 'duplicate_unread' AND ${mayBeBilledSql('@id')}, 'duplicate_unknown', @code)
     WHERE original_job_id = @id AND status = 'skipped' AND reason_code IN ('duplicate', 'duplicate_unread', 'duplicate_unknown') AND reason_code <> @code`,
  )

  const apply = db.transaction((id: number, event: JobEvent, change: JobChange, now: number): JobStatus | null => {
    const row = byId.get(id)
    if (row === undefined) return null
    const status = nextStatus(row.status, event)
    if (status === null) return null
    if (event === 'resubmit' || event === 'return') adopt.run(id)
    const settled = status !== 'queued' && status !== 'submitting' && status !== 'waiting'
    const originalJobId = event === 'resubmit' ? null : (change.originalJobId ?? row.original_job_id)
    if (originalJobId !== row.original_job_id) setOriginal.run(originalJobId, id)
    update.run({
      id,
      status,
      reasonCode: change.reason?.code ?? null,
      reasonDetails: change.reason === undefined || change.reason === null ? null : JSON.stringify(change.reason.details),
      notBefore: change.notBefore ?? 0,
      tries: change.tries ?? (event === 'return' ? row.tries : 0),
      resultId: change.resultId ?? row.result_id,
      // The attempt that begins takes the approval over; what was cancelled needs another one.
      resendApproved: event === 'submit' || event === 'cancel' ? null : change.resendApproved === undefined ? row.resend_approved : change.resendApproved,
      startedAt: status === 'submitting' ? now : null,
      finishedAt: settled ? now : null,
    })
    tellCopies.run({ id, code: duplicateCode(status, false) })
    return status
  })

  return {
    get(id: number): Job | null {
      const row = byId.get(id)
      return row === undefined ? null : fromRow(row)
    },
    insert(job: NewJob, now: number): number {
      const { reason, extra = false, ...values } = job
      const { lastInsertRowid } = insert.run({
        ...values,
        extra: Number(extra),
        reasonCode: reason?.code ?? null,
        reasonDetails: reason === null ? null : JSON.stringify(reason.details),
        now,
        finishedAt: job.status === 'skipped' ? now : null,
      })
      return Number(lastInsertRowid)
    },
    /** Moves the job along the transition table; null (and nothing changed) when the event must not happen now. */
    apply,
    /** path → size and time of the version that was taken in last, for one folder; as `places.versionAt`. */
    knownFiles: (folderId: number): Map<string, { sizeBytes: number; mtimeMs: number; jobId: number }> =>
      new Map(places.all(folderId).filter((row) => isKnown(row)).map((row) => [row.path, { sizeBytes: row.size_bytes, mtimeMs: row.mtime_ms, jobId: row.id }])),
    latestAt(folderId: number, path: string): Job | null {
      const row = place.get(folderId, path)
      return row === undefined ? null : fromRow(row)
    },
    /** A job with the same content and the same question, which makes another one (`except`; a new one when absent) a duplicate. */
    findTwin(
      question: Question & { sha256: Buffer },
      except = Number.MAX_SAFE_INTEGER,
    ): Job | null {
      const { sha256, schemaVersionId, connectionId, agentReference } = question
      const row = twin.get({ sha256, schemaVersionId, connectionId, agentReference, except })
      return row === undefined ? null : fromRow(row)
    },
    /** What a person asked before of this content in this place, beside the job of its file; the newest. */
    extraAt(place: Pick<Job, 'folderId' | 'path'>, question: Question & { sha256: Buffer }): Job | null {
      const { folderId, path } = place
      const { sha256, schemaVersionId, connectionId, agentReference } = question
      const row = extraIn.get({ folderId, path, sha256, schemaVersionId, connectionId, agentReference })
      return row === undefined ? null : fromRow(row)
    },
    /** Whether any document has exactly so many bytes: only then its content can be another file's. */
    hasSize: (sizeBytes: number): boolean => ofSize.get(sizeBytes) !== undefined,
    /** Into the bin, or out of it. Its status stays. */
    setInBin: (id: number, inBin: boolean): void => void setInBin.run(Number(inBin), id),
    /** The file was changed while its job still waited: the job stands for what is there now. Null: to be looked at anew. */
    replaceContent: (id: number, sizeBytes: number, mtimeMs: number, sha256: Buffer | null): void =>
      void setSource.run(sizeBytes, mtimeMs, sha256, id),
    /** Queued jobs whose time has come, of one folder only when `folderId` is given; none of a paused folder. */
    due: (connectionId: number, now: number, folderId: number | null, limit: number): Job[] =>
      due.all({ connectionId, now, folderId, limit }).map(fromRow),
    /** `due` without the jobs of some schemas. */
    dueOfOthers(connectionId: number, now: number, folderId: number | null, limit: number, schemaIds: number[]): Job[] {
      const versions = otherVersions.all({ connectionId, schemaIds: JSON.stringify(schemaIds) })
      return versions
        .flatMap(({ id: versionId }) => dueOfVersion.all({ connectionId, versionId, now, folderId, limit }).map(fromRow))
        .sort((a, b) => a.notBefore - b.notBefore || a.id - b.id)
        .slice(0, limit)
    },
    /** When the next queued job of a connection may be tried; null when none is queued. */
    nextDueAt: (connectionId: number, folderId: number | null): number | null => nextDue.get({ connectionId, folderId })?.at ?? null,
    /** Queued jobs of a folder take over its agent, way and connection. */
    adoptFolder: (folderId: number): void => void adoptQueued.run(folderId),
    connectionsWithQueue: (): number[] => lanes.all().map((row) => row.id),
    withStatus: (status: JobStatus): Job[] => withStatus.all(status).map(fromRow),
    /** Ids after `id` in their order, at most `limit`: for going through thousands of them. */
    idsWithStatus: (status: JobStatus, id: number, limit: number): number[] => idsWithStatus.all(status, id, limit).map((row) => row.id),
    /** At most `limit` of the folder's queued jobs, by id. */
    queuedInFolder: (folderId: number, limit: number): number[] => queuedInFolder.all(folderId, limit).map((row) => row.id),
    countInFolder: (folderId: number, status: JobStatus): number => countInFolder.get(folderId, status)!.jobs,
    /** What is to wait for longer than any back-off was told so by a clock that was wrong: it is due now. */
    forgetFarTimes(connectionId: number, latest: number, now: number): void {
      // Nearly never: and what only reads works on a full disk.
      if ((farthest.get(connectionId)?.at ?? 0) > latest) forgetFarTimes.run({ connectionId, latest, now })
    },
    inFolder: (folderId: number): Job[] => inFolder.all(folderId).map(fromRow),
    /** Queued or with a service; without what is queued in a paused folder. */
    openCount: (): number => open.get()!.jobs,
    /** `openCount() > 0`, without counting. */
    anyOpen: (): boolean => anyOpen.get()!.any === 1,
  }
}

/** What a copy says of itself: it shares the result of its original, which may still come, or there is none. Pure. */
export function duplicateCode(original: JobStatus, mayBeBilled: boolean): 'duplicate' | 'duplicate_unread' | 'duplicate_unknown' {
  // Only the original has the attempt that may be billed, and so the question before another one.
  if (original === 'unknown') return 'duplicate_unknown'
  if (!isWithoutResult(original)) return 'duplicate'
  return mayBeBilled ? 'duplicate_unknown' : 'duplicate_unread'
}

function fromRow(row: Row): Job {
  return {
    id: row.id,
    folderId: row.folder_id,
    connectionId: row.connection_id,
    schemaVersionId: row.schema_version_id,
    agentReference: row.agent_reference,
    mode: row.mode,
    path: row.path,
    name: row.name,
    sizeBytes: row.size_bytes,
    mtimeMs: row.mtime_ms,
    sha256: row.sha256,
    status: row.status,
    reasonCode: row.reason_code,
    reasonDetails: row.reason_details === null ? {} : (JSON.parse(row.reason_details) as ErrorDetails),
    notBefore: row.not_before,
    tries: row.tries,
    originalJobId: row.original_job_id,
    resultId: row.result_id,
    resendApproved: row.resend_approved,
    moveTo: row.move_to,
    filedAs: row.filed_as,
    extra: row.extra === 1,
    inBin: row.in_bin === 1,
    createdAt: row.created_at,
  }
}
