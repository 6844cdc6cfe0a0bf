// enters: a file that lies still, with what its directory says of it
// leaves: a job, `queued` or `skipped` with its reason
import type { Stats } from 'node:fs'
import { basename } from 'node:path'
import { AppError, toAppError } from '../../../shared/errors.ts'
import type { ErrorCode, ErrorDetails } from '../../../shared/errors.ts'
import { isSettled, isWithoutResult } from '../../../shared/job.ts'
import { extensionOf, maxFileBytes, supportedExtensions } from '../../../shared/limits.ts'
import type { Folder } from '../db/folders.ts'
import { duplicateCode } from '../db/jobs.ts'
import type { Job } from '../db/jobs.ts'
import { reasonsToTakeAnew } from '../db/places.ts'
import { statOf } from '../platform/move-file.ts'
import { together } from './context.ts'
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
  /** Why the directory entry says no more than its name, as the file system's code; size and times are 0 then. */
  unreadable?: string
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

const readAtOnce = 2
const systemNames = new Set(['thumbs.db', 'desktop.ini', 'ehthumbs.db', 'icon\r'])
const unfinishedExtensions = new Set(['part', 'crdownload', 'download', 'partial', 'tmp', 'opdownload'])

/**
 * Makes the job for a candidate, or renews the one that still waits at this place. Returns the job's id.
 * A file that cannot be opened is queued with that reason: it is tried again before it is sent.
 */
export async function takeIn(context: Context, folder: Folder, candidate: Candidate): Promise<number> {
  return (await takeInAll(context, folder, [candidate]))[0]!
}

/**
 * The same for several at once: they are read two beside one another, and reach the disk in one transaction. Once `ended` is
 * aborted it throws that instead.
 */
export async function takeInAll(context: Context, folder: Folder, candidates: Candidate[], ended?: AbortSignal): Promise<number[]> {
  const place = placeIn(context, folder)
  const judged: { candidate: Candidate; verdict: Verdict }[] = []
  const left = candidates.entries()
  // A few at a time: what is uploaded from the same folder must not wait behind all of them.
  const judgeNext = async (): Promise<void> => {
    for (const [index, candidate] of left) judged[index] = { candidate, verdict: await judge(context, place, candidate) }
  }
  await Promise.all(Array.from({ length: readAtOnce }, judgeNext))
  ended?.throwIfAborted()
  return together(context, (inside) => judged.map(({ candidate, verdict }) => verdictStored(inside, place, candidate, verdict)))
}

/** Lists a candidate that cannot be taken in, with the reason. */
export function refuse(context: Context, folder: Folder, candidate: Candidate, { code, details }: AppError): void {
  together(context, (inside) => verdictStored(inside, placeIn(context, folder), candidate, { refused: { code, details } }))
}

function placeIn({ tables }: Context, folder: Folder): Place {
  const schema = tables.schemas.get(folder.schemaId)
  if (schema === null) throw new AppError('not_found', { what: 'schema' })
  return { folder, schemaVersionId: schema.versionId }
}

function verdictStored(context: Context, place: Place, candidate: Candidate, verdict: Verdict): number {
  const id = verdict.movedFrom ?? insertJob(context, place, candidate, verdict)
  context.emit('job.changed', { id, status: context.tables.jobs.get(id)!.status })
  return id
}

async function judge(context: Context, place: Place, candidate: Candidate): Promise<Verdict> {
  const name = basename(candidate.path)
  const refused = refuseByName(name, candidate)
  if (refused !== null) return { refused }
  if (await isOwnExport(context, candidate.path)) return { refused: { code: 'own_export', details: {} } }
  if (candidate.unreadable !== undefined) return { delayed: { code: 'file_unreadable', details: { file: name, detail: candidate.unreadable } } }
  try {
    const identity = await identify(context.files, candidate.path, name)
    const movedFrom = await followMoved(context, place, candidate, name, identity)
    return movedFrom === null ? { identity } : { movedFrom }
  } catch (error) {
    const problem = toAppError(error)
    // The database cannot be asked: nothing is known of the file.
    if (problem.code === 'internal') throw error
    const reason = { code: problem.code, details: problem.details }
    const mayStillCome = problem.policy === 'retry-later' || problem.code === 'file_missing'
    return mayStillCome ? { delayed: reason } : { refused: reason }
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
  if (candidate.unreadable !== undefined) return null
  if (candidate.sizeBytes === 0) return because('empty_file')
  if (candidate.sizeBytes > maxFileBytes) return because('file_too_large', { size: sizeText(candidate.sizeBytes) })
  return null
}

function sizeText(bytes: number): string {
  const mebibytes = bytes / (1024 * 1024)
  // One byte over the limit must not read «36 MB».
  return `${mebibytes < 100 ? Math.ceil(mebibytes * 100) / 100 : Math.round(mebibytes)} MB`
}

type Place = { folder: Folder; schemaVersionId: number }
type Verdict = { refused?: Reason; delayed?: Reason; identity?: Identity; movedFrom?: number }

function insertJob(context: Context, { folder, schemaVersionId }: Place, candidate: Candidate, verdict: Verdict): number {
  const { tables } = context
  const now = context.now()
  const sizeBytes = verdict.identity?.sizeBytes ?? candidate.sizeBytes
  const mtimeMs = verdict.identity?.mtimeMs ?? candidate.mtimeMs
  const sha256 = verdict.identity?.sha256 ?? null

  const before = tables.jobs.latestAt(folder.id, candidate.path)
  // A file whose size was refused to the directory is read when its turn comes, maybe before its place is looked at again.
  if (before !== null && isThisFile(before, { sizeBytes, mtimeMs, sha256 })) return before.id
  // What a person put into the bin stays there when its file was only touched.
  if (before !== null && before.inBin && isSameContent(before.sha256, sha256)) {
    renewContent(context, before, { sizeBytes, mtimeMs, sha256 })
    return before.id
  }
  if (before !== null && !before.inBin && verdict.refused === undefined && mayStandFor(context, before, sha256)) {
    if (before.status === 'queued') {
      renewContent(context, before, { sizeBytes, mtimeMs, sha256 })
      tables.jobs.apply(before.id, 'return', { reason: verdict.delayed ?? null, tries: 0 }, now)
      return before.id
    }
    // It was missed when its turn came, and is back: a share that was away, above all; or its folder is watched again.
    const isBack = isSettled(before.status) && reasonsToTakeAnew.has(before.reasonCode) && before.schemaVersionId === schemaVersionId
    if (isBack && sha256 !== null) {
      renewContent(context, before, { sizeBytes, mtimeMs, sha256 })
      tables.jobs.apply(before.id, 'resubmit', {}, now)
      return before.id
    }
  }
  const twin = sha256 === null ? null : twinIn(context, { folder, schemaVersionId }, sha256)
  // It was saved again as it was: still the same document.
  if (before !== null && twin?.id === before.id && isInPlace(before)) {
    renewContent(context, before, { sizeBytes, mtimeMs, sha256 })
    return before.id
  }
  const refused = verdict.refused ?? (twin === null ? null : duplicateOf(context, twin))
  // What was refused, and never sent, was mended; what failed was saved again, as it was.
  if (before !== null && refused === null && sha256 !== null && mayGoAgain(context, before, { folder, schemaVersionId }, sha256)) {
    renewContent(context, before, { sizeBytes, mtimeMs, sha256 })
    tables.jobs.apply(before.id, 'resubmit', {}, now)
    return before.id
  }
  // A lock file, a log that grows: one entry, however often it changes.
  if (before !== null && refused !== null && isRefusedAgain(context, before, { schemaVersionId, sha256, originalJobId: twin?.id ?? null })) {
    renewContent(context, before, { sizeBytes, mtimeMs, sha256 })
    tables.jobs.apply(before.id, 'skip', { reason: refused }, now)
    return before.id
  }
  const id = tables.jobs.insert(
    {
      folderId: folder.id,
      connectionId: folder.connectionId,
      schemaVersionId,
      agentReference: folder.agentReference,
      mode: folder.mode,
      path: candidate.path,
      name: basename(candidate.path),
      sizeBytes,
      mtimeMs,
      sha256,
      status: refused === null ? 'queued' : 'skipped',
      reason: refused ?? verdict.delayed ?? null,
      originalJobId: twin?.id ?? null,
    },
    now,
  )
  // What came to nothing in this place leads here from now on; what failed, and is not billed perhaps, needs nobody any more.
  if (before !== null && isWithoutResult(before.status)) {
    const isOver = before.status === 'failed' && sha256 !== null && !isSameContent(before.sha256, sha256) && refused === null && isInPlace(before) && !before.inBin && !tables.attempts.mayBeBilled(before.id)
    const ended = isOver ? tables.jobs.apply(before.id, 'cancel', { reason: { code: 'file_replaced', details: {} } }, now) : null
    context.emit('job.changed', { id: before.id, status: ended ?? before.status })
  }
  return id
}

/** Nothing moved its file, or is about to. */
function isInPlace(job: Job): boolean {
  return job.moveTo === null && job.filedAs === null
}

/** Whether a job that came to nothing may go as what lies in its place now, the way that the folder sends by now. */
function mayGoAgain({ tables }: Context, job: Job, { folder, schemaVersionId }: Place, sha256: Buffer): boolean {
  const isSameWay = job.schemaVersionId === schemaVersionId && job.connectionId === folder.connectionId && job.agentReference === folder.agentReference && job.mode === folder.mode
  if (!isSameWay || job.originalJobId !== null || job.inBin || !isInPlace(job)) return false
  if (job.status === 'failed') return isSameContent(job.sha256, sha256) && !tables.attempts.mayBeBilled(job.id)
  return job.status === 'skipped' && !tables.attempts.wasSent(job.id)
}

/** Whether a job was taken in for exactly what lies in its place now, and has gone on or ended with it. */
function isThisFile(job: Job, { sizeBytes, mtimeMs, sha256 }: Pick<Job, 'sizeBytes' | 'mtimeMs' | 'sha256'>): boolean {
  const mayBeRenewed = job.status === 'queued' || (!job.inBin && reasonsToTakeAnew.has(job.reasonCode))
  return !mayBeRenewed && job.sizeBytes === sizeBytes && job.mtimeMs === mtimeMs && isSameContent(job.sha256, sha256)
}

/** Whether a refused job may stand for the next refusal in its place: no version that was sent, and no link to an original, is lost by that. */
function isRefusedAgain(context: Context, job: Job, next: Pick<Job, 'schemaVersionId' | 'sha256' | 'originalJobId'>): boolean {
  const isUntouched = job.status === 'skipped' && isInPlace(job)
  const isSameQuestion = job.schemaVersionId === next.schemaVersionId && job.originalJobId === next.originalJobId
  return isUntouched && isSameQuestion && mayStandFor(context, job, next.sha256)
}

/**
 * Whether a job may stand for this content: what was sent stays the version that it was, since its answer may still come, and
 * a newer version is a document of its own.
 */
export function mayStandFor({ tables }: Context, job: Job, sha256: Buffer | null): boolean {
  return isSameContent(job.sha256, sha256) || !tables.attempts.wasSent(job.id)
}

/** The job stands for what lies in its place now; what was taken for its copies was so of the content before. */
export function renewContent(context: Context, job: Job, { sizeBytes, mtimeMs, sha256 }: Pick<Job, 'sizeBytes' | 'mtimeMs' | 'sha256'>): void {
  context.tables.jobs.replaceContent(job.id, sizeBytes, mtimeMs, sha256)
  if (!isSameContent(job.sha256, sha256)) releaseCopies(context, job.id)
}

function isSameContent(one: Buffer | null, other: Buffer | null): boolean {
  return one !== null && other !== null && one.equals(other)
}

/** An export or a workbook that was written into a watched folder, under whatever name that goes by here. */
export async function isOwnExport({ tables, files }: Pick<Context, 'tables' | 'files'>, path: string): Promise<boolean> {
  const name = basename(path)
  for (const written of [...tables.exports.pathsNamed(name), ...tables.workbooks.pathsNamed(name)]) {
    const [one, other] = await Promise.all([statOf(files, path), statOf(files, written)]).catch(() => [null, null])
    if (one !== null && other !== null && one.dev === other.dev && one.ino === other.ino) return true
  }
  return false
}

function twinIn(context: Context, { folder, schemaVersionId }: Place, sha256: Buffer): Job | null {
  const { connectionId, agentReference } = folder
  return context.tables.jobs.findTwin({ sha256, schemaVersionId, connectionId, agentReference })
}

/** A file that was moved or renamed within its folder while it waited: its job goes with it. Null when it is none. */
async function followMoved(context: Context, place: Place, candidate: Candidate, name: string, { sha256, mtimeMs }: Identity): Promise<number | null> {
  const { tables, files } = context
  const twin = twinIn(context, place, sha256)
  if (twin?.status !== 'queued' || twin.folderId !== place.folder.id || tables.jobs.latestAt(twin.folderId, candidate.path) !== null) return null
  const isGone = await statOf(files, twin.path).then((stats) => stats === null, () => false)
  if (!isGone || !tables.places.relocate(twin.id, candidate.path, name, mtimeMs)) return null
  return twin.id
}

/** What was taken for copies of a job is looked at anew, one of them in its place: its file is gone, or another one. */
export function releaseCopies({ tables, now, emit }: Pick<Context, 'tables' | 'now' | 'emit'>, id: number): void {
  for (const copy of tables.places.copiesOf(id)) {
    const status = tables.jobs.apply(copy, 'resubmit', {}, now())
    if (status !== null) emit('job.changed', { id: copy, status })
  }
}

/**
 * Cancels what is queued in a folder that a person removed, or that its patterns leave out by now (`why`). What was never sent is
 * taken in anew when that is over, and a copy of it in another folder takes its place.
 */
export function withdraw(context: Pick<Context, 'tables' | 'now' | 'emit'>, id: number, why: 'folder_removed' | 'left_out' = 'folder_removed'): void {
  const { tables, now, emit } = context
  const wasSent = tables.attempts.wasSent(id)
  const status = tables.jobs.apply(id, 'cancel', wasSent ? {} : { reason: { code: why, details: {} } }, now())
  if (status === null) return
  emit('job.changed', { id, status })
  if (!wasSent) releaseCopies(context, id)
}

/** A copy of what is done or on its way is a result already, not a second order. */
export function duplicateOf({ tables }: Pick<Context, 'tables'>, twin: Job): Reason {
  return { code: duplicateCode(twin.status, tables.attempts.mayBeBilled(twin.id)), details: { original: twin.name } }
}
