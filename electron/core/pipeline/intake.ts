// enters: a file that lies still, with what its directory says of it
// leaves: a job, `queued` or `skipped` with its reason
import type { Stats } from 'node:fs'
import { basename } from 'node:path'
import { AppError, toAppError } from '../../../shared/errors.ts'
import type { ErrorCode, ErrorDetails } from '../../../shared/errors.ts'
import { extensionOf, maxFileBytes, supportedExtensions } from '../../../shared/limits.ts'
import type { Folder } from '../db/folders.ts'
import type { Job } from '../db/jobs.ts'
import type { Context } from './context.ts'
import { identify } from './identify.ts'
import type { Identity } from './identify.ts'

export type Candidate = {
  path: string
  type: 'file' | 'link' | 'other'
  sizeBytes: number
  mtimeMs: number
  /** The later of the times of content and of directory entry: a copy can bring an old `mtimeMs` along. */
  changedAt: number
}

/** A path as its directory entry describes it; links are not followed. */
export function candidateAt(path: string, stats: Stats): Candidate {
  return {
    path,
    type: stats.isSymbolicLink() ? 'link' : stats.isFile() ? 'file' : 'other',
    sizeBytes: stats.size,
    mtimeMs: Math.trunc(stats.mtimeMs),
    changedAt: Math.trunc(Math.max(stats.mtimeMs, stats.ctimeMs)),
  }
}

type Reason = { code: ErrorCode; details: ErrorDetails }

const systemNames = new Set(['thumbs.db', 'desktop.ini', 'ehthumbs.db', 'icon\r'])
const unfinishedExtensions = new Set(['part', 'crdownload', 'download', 'partial', 'tmp', 'opdownload'])

/**
 * Makes the job for a candidate, or renews the one that still waits at this place. Returns the job's id.
 * A file that cannot be opened is queued with that reason: it is tried again before it is sent.
 */
export async function takeIn(context: Context, folder: Folder, candidate: Candidate): Promise<number> {
  const name = basename(candidate.path)
  const refused = refuseByName(name, candidate)
  if (refused !== null) return insertJob(context, folder, candidate, name, { refused })
  try {
    return insertJob(context, folder, candidate, name, { identity: await identify(candidate.path, name) })
  } catch (error) {
    const problem = toAppError(error)
    const reason = { code: problem.code, details: problem.details }
    const mayStillCome = problem.policy === 'retry-later' || problem.code === 'file_missing'
    return insertJob(context, folder, candidate, name, mayStillCome ? { delayed: reason } : { refused: reason })
  }
}

/** The reasons that a name, a type or a size gives; null when the content may be looked at. Pure. */
export function refuseByName(name: string, candidate: Candidate): Reason | null {
  const extension = extensionOf(name)
  const because = (code: ErrorCode, details: ErrorDetails = {}): Reason => ({ code, details })
  if (candidate.type === 'link') return because('symbolic_link')
  if (candidate.type === 'other') return because('not_a_file')
  if (name.startsWith('~$')) return because('lock_file')
  if (name.startsWith('.') || systemNames.has(name.toLowerCase())) return because('hidden_file')
  if (unfinishedExtensions.has(extension)) return because('unfinished_download')
  if (supportedExtensions[extension] === undefined) return because('unsupported_type', { extension: extension === '' ? '(none)' : `.${extension}` })
  if (candidate.sizeBytes === 0) return because('empty_file')
  if (candidate.sizeBytes > maxFileBytes) return because('file_too_large', { size: sizeText(candidate.sizeBytes) })
  return null
}

function sizeText(bytes: number): string {
  const mebibytes = bytes / (1024 * 1024)
  // One byte over the limit must not read «36 MB».
  return `${mebibytes < 100 ? Math.ceil(mebibytes * 100) / 100 : Math.round(mebibytes)} MB`
}

type Verdict = { refused?: Reason; delayed?: Reason; identity?: Identity }

function insertJob(context: Context, folder: Folder, candidate: Candidate, name: string, verdict: Verdict): number {
  const { tables } = context
  const now = context.now()
  const schema = tables.schemas.get(folder.schemaId)
  if (schema === null) throw new AppError('not_found', { what: 'schema' })
  const sizeBytes = verdict.identity?.sizeBytes ?? candidate.sizeBytes
  const mtimeMs = verdict.identity?.mtimeMs ?? candidate.mtimeMs
  const sha256 = verdict.identity?.sha256 ?? null

  const id = tables.together(() => {
    const waiting = tables.jobs.latestAt(folder.id, candidate.path)
    if (waiting?.status === 'queued' && sha256 !== null) {
      tables.jobs.replaceContent(waiting.id, sizeBytes, mtimeMs, sha256)
      tables.jobs.apply(waiting.id, 'return', { reason: null, tries: 0 }, now)
      return waiting.id
    }
    const { connectionId, agentReference } = folder
    const twin = sha256 === null ? null : tables.jobs.findTwin({ sha256, schemaVersionId: schema.versionId, connectionId, agentReference })
    const duplicate = twin === null ? null : duplicateOf(twin)
    const refused = verdict.refused ?? duplicate
    return tables.jobs.insert(
      {
        folderId: folder.id,
        connectionId: folder.connectionId,
        schemaVersionId: schema.versionId,
        agentReference: folder.agentReference,
        mode: folder.mode,
        path: candidate.path,
        name,
        sizeBytes,
        mtimeMs,
        sha256,
        status: refused === null ? 'queued' : 'skipped',
        reason: refused ?? verdict.delayed ?? null,
        originalJobId: twin?.id ?? null,
      },
      now,
    )
  })
  const job = tables.jobs.get(id)!
  context.emit('job.changed', { id, status: job.status })
  return id
}

/** A copy of what is done or on its way is a result already, not a second order. */
export function duplicateOf(twin: Job): Reason {
  return { code: 'duplicate', details: { original: twin.name } }
}
