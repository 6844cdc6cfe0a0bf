import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import type { jobDetail, previewPage } from '../../../shared/contract.ts'
import type { Document, Page } from '../../../shared/document.ts'
import { AppError } from '../../../shared/errors.ts'
import { isSettled } from '../../../shared/job.ts'
import { extensionOf, supportedExtensions } from '../../../shared/limits.ts'
import type { FieldSource } from '../../../shared/result.ts'
import type { Job } from '../db/jobs.ts'
import { readAgain } from '../pipeline/record.ts'
import { groundRecords } from '../review/ground.ts'
import type { Handlers, HandlerContext } from './types.ts'

type JobCalls = 'jobs.list' | 'jobs.counts' | 'jobs.get' | 'jobs.retry' | 'jobs.resend' | 'jobs.readAgain' | 'jobs.cancel' | 'jobs.preview' | 'jobs.reveal'

export function jobHandlers(context: HandlerContext): Pick<Handlers, JobCalls> {
  const { tables, queue, emit, now } = context
  return {
    'jobs.list': async ({ sort, descending, offset, limit, ...filter }) => {
      const { rows, total } = tables.jobList.list(filter, { sort, descending, offset, limit })
      return { rows: rows.map((row) => ({ ...row, sent: row.status === 'submitting' ? context.sentShare(row.id) : null })), total }
    },
    'jobs.counts': async (filter) => tables.jobList.counts(filter),
    'jobs.get': async ({ id }) => detailOf(context, findJob(context, id)),
    'jobs.retry': async ({ ids }) => {
      // A duplicate that is wanted after all, and a file that changed, are looked at anew.
      const retried = submitAgain(context, ids, (job) => isSettled(job.status) && !needsApproval(context, job))
      queue.wake()
      return { retried }
    },
    'jobs.resend': async ({ ids }) => {
      const sent = ids === null ? await resendAll(context) : submitAgain(context, ids, (job) => isSettled(job.status) && needsApproval(context, job))
      queue.wake()
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
      for (let from = 0; from < ids.length; from += pageOfJobs) {
        const changed = tables.together(() => ids.slice(from, from + pageOfJobs).filter((id) => tables.jobs.apply(id, 'cancel', {}, now()) !== null))
        for (const id of changed) emit('job.changed', { id, status: 'cancelled' })
        cancelled += changed.length
        await setImmediate()
      }
      return { cancelled }
    },
    'jobs.preview': async ({ id }) => ({ pages: (await readJob(context, findJob(context, id))).pages.map(previewOf) }),
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

/** Puts those of the documents into the queue that are in a fitting state; what of them may be billed twice the person has approved. */
function submitAgain({ tables, emit, now }: HandlerContext, ids: number[], fits: (job: Job) => boolean): number {
  const changed = tables.together(() =>
    ids.filter((id) => {
      const job = tables.jobs.get(id)
      return job !== null && fits(job) && tables.jobs.apply(id, 'resubmit', { resendApproved: 'person' }, now()) !== null
    }),
  )
  for (const id of changed) emit('job.changed', { id, status: 'queued' })
  return changed.length
}

/** So many in one transaction: each of them would be on the disk by itself, and all at once let nothing else have its turn. */
const pageOfJobs = 500

/** In pages, since there may be a hundred thousand of them. The ids rise: one that becomes unknown again meanwhile is not sent a second time. */
async function resendAll(context: HandlerContext): Promise<number> {
  const { tables } = context
  let sent = 0
  for (let after = 0; ; ) {
    const ids = tables.jobs.idsWithStatus('unknown', after, pageOfJobs)
    if (ids.length === 0) return sent
    sent += submitAgain(context, ids, ({ status }) => status === 'unknown')
    after = ids.at(-1)!
    await setImmediate()
  }
}

export function findJob(context: Pick<HandlerContext, 'tables'>, id: number): Job {
  const job = context.tables.jobs.get(id)
  if (job === null) throw new AppError('not_found', { what: 'document' })
  return job
}

async function detailOf(context: HandlerContext, job: Job): Promise<z.output<typeof jobDetail>> {
  const { tables } = context
  const original = job.originalJobId === null ? null : tables.jobs.get(job.originalJobId)
  const resultId = job.resultId ?? original?.resultId ?? null
  const result = resultId === null ? null : tables.results.get(resultId)
  const fileAvailable = existsSync(job.path)
  const sources =
    result === null || resultId === null
      ? []
      : (result.sources ?? (fileAvailable ? await groundOnce(context, job, resultId, result.records) : []))
  const row = tables.jobList.get(job.id)!
  return {
    ...row,
    sent: row.status === 'submitting' ? context.sentShare(job.id) : null,
    schemaElements: tables.schemas.elementsOf(job.schemaVersionId),
    schemaVersion: tables.schemas.versionOf(job.schemaVersionId).version,
    records: result?.records ?? [],
    sources,
    attempts: tables.attempts.ofJob(job.id),
    fileAvailable,
  }
}

const keptGrounds = 200

/** Looking values up costs a reading of the document: done once for each result, and kept for the next opening. */
async function groundOnce(
  context: HandlerContext,
  job: Job,
  resultId: number,
  records: Parameters<typeof groundRecords>[0],
): Promise<FieldSource[]> {
  const kept = context.grounds.get(resultId)
  if (kept !== undefined) return kept
  try {
    const sources = groundRecords(records, await readJob(context, job))
    if (context.grounds.size >= keptGrounds) context.grounds.delete(context.grounds.keys().next().value!)
    context.grounds.set(resultId, sources)
    return sources
  } catch {
    // A document that cannot be read here leaves its values without a place; the values themselves are what matters.
    return []
  }
}

/** A job's document, read outside of this thread. Throws `file_missing`, and what reading throws. */
export async function readJob(context: HandlerContext, job: Job): Promise<Document> {
  const kind = supportedExtensions[extensionOf(job.name)]
  if (kind === undefined) throw new AppError('unsupported_type', { extension: `.${extensionOf(job.name)}` })
  if (!existsSync(job.path)) throw new AppError('file_missing', { file: job.name })
  return context.read(job.path, kind)
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
