import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import type { previewPage } from '../../../shared/contract.ts'
import type { jobDetail } from '../../../shared/contract-jobs.ts'
import type { DocumentReview } from '../../../shared/contract-review.ts'
import type { Document, Page } from '../../../shared/document.ts'
import { AppError } from '../../../shared/errors.ts'
import { isWithoutResult } from '../../../shared/job.ts'
import { extensionOf, supportedExtensions } from '../../../shared/limits.ts'
import { valueAt } from '../../../shared/pointer.ts'
import type { ExtractedRecord, FieldSource } from '../../../shared/result.ts'
import type { Job } from '../db/jobs.ts'
import { isStorageTrouble } from '../db/storage-trouble.ts'
import { offlineOr } from '../pipeline/extract.ts'
import { readAgain } from '../pipeline/record.ts'
import { codeOf } from '../platform/move-file.ts'
import { noAnswerCode } from '../platform/file-limits.ts'
import { openDocument } from '../platform/open-document.ts'
import { readThrough } from '../platform/read-through.ts'
import { fileError } from '../platform/upload.ts'
import { groundRecords } from '../review/ground.ts'
import type { BinCalls } from './bin.ts'
import type { ExtractWithCalls } from './extract-with.ts'
import { reviewOf } from './review-of.ts'
import type { Handlers, HandlerContext, ReadingUrgency } from './types.ts'

type JobCalls = Exclude<Extract<keyof Handlers, `jobs.${string}`>, ExtractWithCalls | BinCalls>

export function jobHandlers(context: HandlerContext): Pick<Handlers, JobCalls> {
  const { tables, emit, now } = context
  return {
    'jobs.list': async ({ sort, descending, offset, limit, ...filter }) => {
      if (filter.search !== '') context.indexNow()
      const { rows, ...size } = tables.jobList.list(filter, { sort, descending, offset, limit })
      return { rows: rows.map((row) => ({ ...row, sent: row.status === 'submitting' ? context.sentShare(row.id) : null })), ...size }
    },
    'jobs.selectable': async ({ sort, descending, offset, limit, ...filter }) => ({ jobs: tables.jobList.selectable(filter, { sort, descending, offset, limit }) }),
    'jobs.counts': async (filter) => {
      if (filter.search !== '') context.indexNow()
      return tables.jobList.counts(filter)
    },
    'jobs.get': async ({ id }) => detailOf(context, findJob(context, id)),
    'jobs.file': async ({ id }) => ({ file: await fileOf(context, findJob(context, id)) }),
    'jobs.sources': async ({ id }) => ({ sources: await sourcesOf(context, findJob(context, id)) }),
    'jobs.retry': async ({ ids }) => {
      // A duplicate that is wanted after all, and a file that changed, are looked at anew. Of content that may be billed only the original goes.
      const isFree = (job: Job): boolean => !needsApproval(context, job) && job.reasonCode !== 'duplicate_unknown'
      const before = ids.length > mostLookedAt ? [] : ids.map((id) => tables.jobs.get(id)).filter((job) => job !== null)
      const retried = await submitAgain(context, pagesOf(ids), (job) => isWithoutResult(job.status) && isFree(job))
      return { retried, ...(await filesGone(context, before.filter((job) => isWithoutResult(job.status) && !job.inBin && isFree(job)))) }
    },
    'jobs.resend': async ({ ids }) => {
      // A late callback may have brought the result of an earlier attempt meanwhile.
      const sent =
        ids === null
          ? await submitAgain(context, pagesOfUnknown(context), ({ status }) => status === 'unknown')
          : await submitAgain(context, pagesOf(ids), (job) => isWithoutResult(job.status) && needsApproval(context, job))
      return { sent }
    },
    'jobs.readAgain': async ({ ids }) => {
      let read = 0
      let changed = 0
      for (const id of ids) {
        const { isKept, isChanged } = readAgain(context, id)
        read += Number(isKept)
        changed += Number(isChanged)
        if (isKept) await setImmediate()
      }
      return { read, changed }
    },
    'jobs.cancel': async ({ ids }) => {
      let cancelled = 0
      for (const page of pagesOf(ids)) {
        const changed = tables.together(() => page.filter((id) => tables.jobs.apply(id, 'cancel', {}, now()) !== null))
        for (const id of changed) emit('job.changed', { id, status: 'cancelled' })
        cancelled += changed.length
        await setImmediate()
      }
      return { cancelled }
    },
    'jobs.preview': async ({ id }) => ({ pages: (await readAndFind(context, findJob(context, id))).pages.map(previewOf) }),
    'jobs.reveal': async ({ id }) => {
      context.desktop?.reveal(findJob(context, id).path)
      return {}
    },
  }
}

/** Whether only a person who knows that it may be billed twice may send it again; what was cancelled on its way as well. */
function needsApproval({ tables }: HandlerContext, job: Job): boolean {
  return job.status === 'unknown' || tables.attempts.mayBeBilled(job.id)
}

/** So many in one transaction: each of them would be on the disk by itself, and all at once let nothing else have its turn. */
const pageOfJobs = 500

export function* pagesOf(ids: number[]): Generator<number[]> {
  for (let from = 0; from < ids.length; from += pageOfJobs) yield ids.slice(from, from + pageOfJobs)
}

/** There may be a hundred thousand of them. The ids rise: one that becomes unknown again meanwhile is not met a second time. */
function* pagesOfUnknown({ tables }: HandlerContext): Generator<number[]> {
  for (let ids = tables.jobs.idsWithStatus('unknown', 0, pageOfJobs); ids.length > 0; ids = tables.jobs.idsWithStatus('unknown', ids.at(-1)!, pageOfJobs)) yield ids
}

/**
 * Puts those of the documents into the queue that are in a fitting state, and returns how many those are; what of them may be
 * billed twice the person has approved. Throws `connection_removed` where none can go because there is no way to send it any more.
 */
async function submitAgain(context: HandlerContext, pages: Iterable<number[]>, fits: (job: Job) => boolean): Promise<number> {
  const { tables, queue, emit, now } = context
  let sent = 0
  let stranded = 0
  for (const ids of pages) {
    const connections = new Set(tables.connections.list().map(({ id }) => id))
    const changed = tables.together(() =>
      ids.filter((id) => {
        const job = tables.jobs.get(id)
        if (job === null || job.inBin || !fits(job)) return false
        // It goes where its folder sends to by now, or where it was asked for. The way of a batch, or of a folder that is no longer watched, may be gone.
        const isStranded = !connections.has(job.extra ? job.connectionId : tables.folders.get(job.folderId)!.connectionId)
        if (isStranded) stranded += 1
        return !isStranded && tables.jobs.apply(id, 'resubmit', { resendApproved: 'person' }, now()) !== null
      }),
    )
    for (const id of changed) emit('job.changed', { id, status: 'queued' })
    sent += changed.length
    queue.wake()
    await setImmediate()
  }
  if (sent === 0 && stranded > 0) throw new AppError('connection_removed')
  return sent
}

export function findJob(context: Pick<HandlerContext, 'tables'>, id: number): Job {
  const job = context.tables.jobs.get(id)
  if (job === null) throw new AppError('not_found', { what: 'document' })
  return job
}

/** The result of a job, or of the job that it is a copy of. */
function resultIdOf({ tables }: HandlerContext, job: Job): number | null {
  return job.resultId ?? (job.originalJobId === null ? null : tables.jobs.get(job.originalJobId)?.resultId) ?? null
}

/** Without the places of rows that a person added, removed or moved: their numbers are those of other rows now. */
function stillInPlace(sources: FieldSource[] | null, records: ExtractedRecord[], { corrections }: DocumentReview): FieldSource[] | null {
  const lists = corrections.filter(({ pointer }) => Array.isArray(valueAt(records, pointer))).map(({ pointer }) => `${pointer}/`)
  return lists.length === 0 || sources === null ? sources : sources.filter(({ pointer }) => !lists.some((list) => pointer.startsWith(list)))
}

/** All of it is in the database: values are not held up by a file on a share that does not answer. */
function detailOf(context: HandlerContext, job: Job): z.output<typeof jobDetail> {
  const { tables } = context
  const resultId = resultIdOf(context, job)
  const { records, sources } = resultId === null ? { records: [], sources: [] } : tables.results.get(resultId)
  const row = tables.jobList.get(job.id)!
  const check = reviewOf(context, job)
  return {
    ...row,
    sent: row.status === 'submitting' ? context.sentShare(job.id) : null,
    schemaElements: tables.schemas.elementsOf(job.schemaVersionId),
    schemaVersion: tables.schemas.versionOf(job.schemaVersionId).version,
    records,
    sources: stillInPlace(sources ?? context.grounds.get(resultId!) ?? null, records, check),
    check,
    newerJobId: newerOf(context, job),
    attempts: tables.attempts.ofJob(job.id),
  }
}

/** The job of a newer version in the place of one that came to no result: the older one is not sent any more. */
function newerOf({ tables }: HandlerContext, job: Job): number | null {
  if (job.status !== 'failed' && job.status !== 'unknown' && job.reasonCode !== 'file_replaced') return null
  const newer = tables.jobs.latestAt(job.folderId, job.path)
  if (newer === null || newer.id <= job.id || newer.inBin || newer.originalJobId === job.id) return null
  return newer.sha256 !== null && job.sha256 !== null && newer.sha256.equals(job.sha256) ? null : newer.id
}

/** More files than these are not looked at before it is said that they go again. */
const mostLookedAt = 20

/** How many of the jobs, as they were before, have no file to be sent: another version of it, or none. */
async function filesGone(context: HandlerContext, jobs: Job[]): Promise<{ replaced: number; missing: number }> {
  const files = await Promise.all(
    jobs.map(async (job) => {
      const file = await fileOf(context, job)
      // What was never sent stands for whatever lies there, unless that is a document by now, and a file is not gone because its folder is out of reach.
      if (file === 'replaced') return context.tables.attempts.wasSent(job.id) || newerOf(context, job) !== null ? file : 'there'
      return file === 'missing' && (await offlineOr(context, job, new AppError('file_missing'))).code !== 'file_missing' ? 'unreachable' : file
    }),
  )
  return { replaced: files.filter((file) => file === 'replaced').length, missing: files.filter((file) => file === 'missing').length }
}

/** The values of a document are of the version that was read: another file in its place is not shown as theirs. */
async function fileOf({ files }: HandlerContext, job: Job): Promise<'there' | 'replaced' | 'missing' | 'unreachable'> {
  try {
    const { size, mtimeMs } = await files.stat(job.path)
    // What still waits stands for whatever lies there when its turn comes.
    if (job.status === 'queued' || (size === job.sizeBytes && Math.trunc(mtimeMs) === job.mtimeMs)) return 'there'
    if (size !== job.sizeBytes || job.sha256 === null) return 'replaced'
    return (await readThrough(files, job.path)).sha256.equals(job.sha256) ? 'there' : 'replaced'
  } catch (error) {
    return fileError(error, job.name).code === 'file_missing' ? 'missing' : 'unreachable'
  }
}

async function sourcesOf(context: HandlerContext, job: Job): Promise<FieldSource[]> {
  const resultId = resultIdOf(context, job)
  if (resultId === null) return []
  const result = context.tables.results.get(resultId)
  const sources = result.sources ?? (await groundOnce(context, job, resultId, result.said))
  return stillInPlace(sources, result.records, reviewOf(context, job)) ?? []
}

const keptGrounds = 200

/** Looking values up costs a reading of the document: done once for each result, and kept for the next opening. */
async function groundOnce(context: HandlerContext, job: Job, resultId: number, records: ExtractedRecord[], urgency: ReadingUrgency = 'awaited'): Promise<FieldSource[]> {
  const kept = context.grounds.get(resultId)
  if (kept !== undefined) return kept
  try {
    const document = await readAndFind(context, job, urgency)
    const sources = context.grounds.get(resultId) ?? groundRecords(records, document)
    // What a person opened stays, whatever is read meanwhile.
    if (urgency === 'whenIdle' && context.grounds.size >= keptGrounds) return sources
    if (context.grounds.size >= keptGrounds) context.grounds.delete(context.grounds.keys().next().value!)
    context.grounds.set(resultId, sources)
    return sources
  } catch {
    // A document that cannot be read here leaves its values without a place; the values themselves are what matters.
    return []
  }
}

/** A job's document, read outside of this thread. Throws `file_missing`, `folder_offline`, `file_unreadable`, and what reading throws. */
export async function readJob(context: HandlerContext, job: Job, urgency: ReadingUrgency = 'awaited'): Promise<Document> {
  const kind = supportedExtensions[extensionOf(job.name)]
  if (kind === undefined) throw new AppError('unsupported_type', { extension: `.${extensionOf(job.name)}` })
  return context.read(await contentOf(context, job), kind, urgency)
}

/**
 * Lets a search find all that an extracted document says, and looks its values up where its service gives no places. False when
 * its file is not there, or is another one by now. Throws nothing.
 */
export async function findText(context: HandlerContext, jobId: number): Promise<boolean> {
  try {
    const job = context.tables.jobs.get(jobId)
    if (job === null || job.resultId === null || context.tables.search.hasText(jobId)) return true
    if ((await fileOf(context, job)) !== 'there') return false
    const { sources, said } = context.tables.results.get(job.resultId)
    await (sources === null ? groundOnce(context, job, job.resultId, said, 'whenIdle') : readAndFind(context, job, 'whenIdle'))
  } catch {
    // A document that cannot be read here is found by its name and its values.
  }
  return true
}

/** `readJob`, once for all who ask meanwhile; what the document says is found by a search from then on, unless another file lies in its place by now. */
function readAndFind(context: HandlerContext, job: Job, urgency: ReadingUrgency = 'awaited'): Promise<Document> {
  // A file that moved, or is another version, is another one to be read.
  const key = JSON.stringify([job.id, job.path, job.sizeBytes, job.mtimeMs])
  const reading = context.readings.get(key) ?? readForSearch(context, job, urgency).finally(() => context.readings.delete(key))
  context.readings.set(key, reading)
  return reading
}

async function readForSearch(context: HandlerContext, job: Job, urgency: ReadingUrgency): Promise<Document> {
  const document = await readJob(context, job, urgency)
  if ((await fileOf(context, job)) !== 'there' || context.ended.aborted) return document
  try {
    context.tables.search.setText(job.id, document.pages.flatMap(({ tokens }) => tokens.map(({ text }) => text)).join(' '))
    context.indexSoon()
  } catch (error) {
    // On a full disk it can still be read.
    if (!isStorageTrouble(error)) throw error
  }
  return document
}

async function contentOf({ files }: HandlerContext, job: Job): Promise<Buffer> {
  try {
    const opened = await openDocument(files, job.path)
    if (opened === null) throw new AppError('file_missing', { file: job.name })
    return await buffer(opened.content)
  } catch (error) {
    throw codeOf(error) === noAnswerCode ? new AppError('folder_offline', {}, { cause: error }) : fileError(error, job.name)
  }
}

const maxPreviewPages = 20
const maxPreviewWords = 5000

function previewOf(page: Page): z.output<typeof previewPage> {
  return {
    number: page.number,
    width: page.width,
    height: page.height,
    name: page.name ?? null,
    words: page.number > maxPreviewPages ? [] : page.tokens.slice(0, maxPreviewWords).map(({ text, box, bold }) => ({ text, ...box, bold })),
    tables: page.number > maxPreviewPages ? [] : page.tables.map((table) => table.rows.slice(0, 500).map((row) => row.map(({ text, box }) => ({ text, ...box })))),
  }
}
