import { lstat } from 'node:fs/promises'
import type { EventPayload } from '../../shared/contract.ts'
import { AppError } from '../../shared/errors.ts'
import { jobStatuses } from '../../shared/job.ts'
import type { JobStatus } from '../../shared/job.ts'
import { sentenceFor } from '../../shared/sentences.ts'
import type { Folder } from '../core/db/folders.ts'
import type { Job } from '../core/db/jobs.ts'
import { exportDocuments } from '../core/export/export.ts'
import { restore } from '../core/pipeline/bin.ts'
import type { Candidate } from '../core/pipeline/intake.ts'
import { candidateAt, takeIn } from '../core/pipeline/intake.ts'
import { filesBelow } from '../core/pipeline/watch.ts'
import { diskAccess } from '../core/platform/file-access.ts'
import type { FileAccess } from '../core/platform/file-access.ts'
import { withTextNames } from '../core/platform/file-names.ts'
import type { ExtractArguments, OutFile } from './arguments.ts'
import { systemLocale } from './locale.ts'
import { ProgressBar } from './progress.ts'
import { jsonLine, plainLine, printable } from './report.ts'
import { folderFor, isFine, isOpen, openSession, originalOf, reasonOf, standstill, waitUntil } from './session.ts'
import type { Session } from './session.ts'
import { onInterrupt } from './interrupt.ts'

type Found = { candidate: Candidate; named: boolean }

/** `sheaf extract`: exit code 0 when every file is done, 1 when at least one is not, 130 after Ctrl-C. */
export async function extractCommand(given: ExtractArguments): Promise<number> {
  const { found, missing } = await collect(withTextNames(diskAccess), given.paths)
  for (const path of missing) process.stderr.write(`${sentenceFor('path_missing', { path: printable(path) }, 'en')}\n`)
  const session = await openSession(process.env, given)
  const interrupt = onInterrupt(session.bills)
  try {
    const folder = folderFor(session, { kind: 'batch', path: '', name: given.schemaName }, given)
    session.core.queue.restrictTo(folder.id)
    const jobs = await takeAll(session, folder, found, given.resend, interrupt.requested)
    const stuck = await work(session, jobs, given, interrupt.requested)
    if (interrupt.requested()) return 130
    const exported = await writeOut(session, folder, jobs, given.out)
    await session.core.backUpIfDue()
    return missing.length === 0 && stuck === null && exported && allWell(session, jobs) ? 0 : 1
  } finally {
    interrupt.off()
    await session.core.stop({ atOnce: !session.bills })
  }
}

async function collect(files: FileAccess, paths: string[]): Promise<{ found: Found[]; missing: string[] }> {
  const found = new Map<string, Found>()
  const missing: string[] = []
  for (const path of paths) {
    const stats = await lstat(path).catch(() => null)
    if (stats === null) missing.push(path)
    else if (stats.isDirectory()) {
      const inside = await filesBelow(files, path, { recursive: true })
      if (inside === null) missing.push(path)
      for (const candidate of inside ?? []) if (!found.has(candidate.path)) found.set(candidate.path, { candidate, named: false })
    } else found.set(path, { candidate: candidateAt(path, stats), named: true })
  }
  return { found: [...found.values()].sort((a, b) => (a.candidate.path < b.candidate.path ? -1 : 1)), missing }
}

type RunJob = Found & { jobId: number }

/** A lost answer, or one that was no longer waited for: to send it again may be billed twice. */
function isUnanswered({ core }: Session, job: Job): boolean {
  return job.status === 'unknown' || (job.status !== 'done' && !isOpen(job) && core.context.tables.attempts.mayBeBilled(job.id))
}

/**
 * Makes the jobs, or finds those of an earlier run: what is done stays done, what failed is tried again, and what may be
 * billed without an answer only when the person says so.
 */
async function takeAll(session: Session, folder: Folder, found: Found[], resend: boolean, interrupted: () => boolean): Promise<RunJob[]> {
  const { context, queue } = session.core
  const jobs: RunJob[] = []
  for (const item of found) {
    if (interrupted()) break
    const { candidate } = item
    const earlier = context.tables.jobs.latestAt(folder.id, candidate.path)
    const unchanged = earlier !== null && earlier.sizeBytes === candidate.sizeBytes && earlier.mtimeMs === candidate.mtimeMs
    // It was put into the bin, and is asked for by its name now.
    if (unchanged && earlier.inBin) restore(context, earlier)
    if (unchanged && (isUnanswered(session, earlier) ? resend : earlier.status === 'failed' || earlier.status === 'cancelled')) {
      context.tables.jobs.apply(earlier.id, 'resubmit', { resendApproved: 'person' }, context.now())
    }
    const jobId = unchanged ? earlier.id : await takeIn(context, folder, candidate)
    jobs.push({ ...item, jobId })
    queue.wake()
  }
  return jobs
}

async function work(session: Session, jobs: RunJob[], given: ExtractArguments, interrupted: () => boolean): Promise<AppError | null> {
  const { core } = session
  const { tables, now } = core.context
  const bar = new ProgressBar(process.stderr, now())
  const remaining = new Map(jobs.map((job) => [job.jobId, job]))
  let stuck: AppError | null = null
  core.queue.wake()

  const report = (item: RunJob, job: Job): void => {
    const line = given.json ? jsonLine(core, item.candidate.path, job) : given.out === null ? plainLine(core, item.candidate.path, job) : null
    if (line !== null) process.stdout.write(`${line}\n`)
  }
  // There may be many thousands of them: only those are read that changed since the last look; at first that is all.
  const changed = new Set(remaining.keys())
  const open = new Map<number, Job>()
  const stopHearing = core.onEvent((name, payload) => {
    if (name === 'job.changed') changed.add((payload as EventPayload<'job.changed'>).id)
  })
  await waitUntil(core, () => {
    const ids = [...changed]
    changed.clear()
    for (const jobId of ids) {
      const item = remaining.get(jobId)
      if (item === undefined) continue
      const job = tables.jobs.get(jobId)!
      const original = originalOf(session, job)
      if (isOpen(job)) open.set(jobId, job)
      else if (original !== null && original.folderId === job.folderId && isOpen(original)) changed.add(jobId)
      else {
        remaining.delete(jobId)
        open.delete(jobId)
        report(item, job)
        if (job.status !== 'done') {
          bar.say(`${printable(item.candidate.path)}: ${reasonOf(job) ?? job.status}`)
        }
      }
    }
    const waiting = core.queue.idle ? [...open.values()] : []
    bar.update(jobs.length - remaining.size, jobs.length, waitNote(session, waiting), now())
    stuck = standstill(session, waiting)
    return remaining.size === 0 || stuck !== null || interrupted()
  }).finally(stopHearing)
  bar.end()
  const after = jobs.map(({ jobId }) => tables.jobs.get(jobId)!)
  bar.say(summaryOf(after.map(({ status }) => status)))
  const unanswered = after.filter((job) => isUnanswered(session, job)).length
  if (unanswered > 0) bar.say(`The answer to ${unanswered === 1 ? '1 file' : `${unanswered} files`} was lost: they may already be billed. Run the same command with --resend to send them again.`)
  const reason = stuck as AppError | null
  for (const [jobId, item] of remaining) {
    const job = tables.jobs.get(jobId)!
    report(item, reason !== null && job.reasonCode === null ? { ...job, reasonCode: reason.code, reasonDetails: reason.details } : job)
  }
  if (reason !== null) {
    const count = remaining.size
    bar.say(`${count} ${count === 1 ? 'file is' : 'files are'} still waiting: ${sentenceFor(reason.code, reason.details, 'en')} Run the same command again to go on.`)
  } else if (interrupted()) bar.say(`Stopped. ${remaining.size} left; run the same command again to go on.`)
  return reason
}

function summaryOf(statuses: JobStatus[]): string {
  const parts = jobStatuses.map((status) => ({ status, count: statuses.filter((one) => one === status).length }))
  return parts.filter(({ count }) => count > 0).map(({ status, count }) => `${count} ${status}`).join(', ')
}

/** Why nothing moves right now, and until when; empty while something does. */
function waitNote(session: Session, open: Job[]): string {
  const { core, connectionId } = session
  const until = core.context.tables.connections.get(connectionId)?.pausedUntil ?? 0
  const seconds = Math.ceil((until - core.context.now()) / 1000)
  const last = open.find((job) => job.reasonCode !== null)
  if (seconds <= 0 || !core.queue.idle || last === undefined) return ''
  const host = last.reasonDetails['host']
  const why = last.reasonCode === 'rate_limited' || last.reasonCode === 'service_unavailable' ? 'the service asks to wait' : `${String(host)} does not answer`
  return `${why}; next try in ${seconds} s`
}

function allWell(session: Session, jobs: RunJob[]): boolean {
  return jobs.every((item) => isFine(session, session.core.context.tables.jobs.get(item.jobId)!, item.named))
}

async function writeOut(session: Session, folder: Folder, jobs: RunJob[], out: OutFile | null): Promise<boolean> {
  if (out === null) return true
  const selection = { schemaId: folder.schemaId, folderId: folder.id, jobIds: jobs.map((job) => job.jobId) }
  return writeExport(session, selection, out)
}

/** Writes the spreadsheet and says where; false (with the sentence on stderr) when it could not be written. */
export async function writeExport(
  session: Session,
  selection: { schemaId: number; folderId: number; jobIds: number[] | null },
  out: OutFile,
): Promise<boolean> {
  const { tables } = session.core.context
  const schema = tables.schemas.get(selection.schemaId)!
  if (tables.results.count(selection) === 0) {
    process.stderr.write(`${sentenceFor('export_empty', {}, 'en')}\n`)
    return true
  }
  try {
    const made = await exportDocuments(() => tables.results.documents(selection), schema.elements, {
      path: out.path,
      format: out.format,
      locale: systemLocale(process.env),
      lists: 'rows',
    })
    process.stderr.write(`${made.documents} ${made.documents === 1 ? 'document' : 'documents'}, ${made.rows} ${made.rows === 1 ? 'row' : 'rows'}: ${made.paths.join(', ')}\n`)
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    process.stderr.write(`${sentenceFor(error.code, error.details, 'en')}\n`)
    return false
  }
}
