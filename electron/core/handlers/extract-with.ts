import { setImmediate } from 'node:timers/promises'
import type { CallOutput } from '../../../shared/contract.ts'
import { toAppError } from '../../../shared/errors.ts'
import type { AppError } from '../../../shared/errors.ts'
import { together } from '../pipeline/context.ts'
import type { Identity } from '../pipeline/identify.ts'
import { storeExtra, versionOf } from '../pipeline/take-extra.ts'
import type { Job } from '../db/jobs.ts'
import { requireKnown } from './folders.ts'
import { findJob, pagesOf } from './jobs.ts'
import type { Handlers, HandlerContext } from './types.ts'

export type ExtractWithCalls = 'jobs.extractWith'

/** So many files are looked at beside one another: what is uploaded from the same share must not wait behind all of them. */
const lookedAtAtOnce = 4

export function extractWithHandlers(context: HandlerContext): Pick<Handlers, ExtractWithCalls> {
  const { tables, queue } = context
  return {
    'jobs.extractWith': async ({ ids, schemaId, connectionId }) => {
      requireKnown(context, { schemaId, connectionId })
      const question = { schemaVersionId: tables.schemas.get(schemaId)!.versionId, connectionId }
      const asked: CallOutput<'jobs.extractWith'> = { queued: 0, linked: 0, known: 0, refused: 0, problem: null, id: null }
      const refuse = (name: string, error: unknown): void => {
        const { code, details } = toAppError(error)
        if (code === 'internal') throw error
        asked.refused += 1
        asked.problem ??= { code, details, name }
      }
      for (const page of pagesOf([...new Set(ids)])) {
        const looked = await lookAt(context, page)
        together(context, (inside) => {
          for (const { job, version } of looked) {
            try {
              if (!('sha256' in version)) throw version
              const { kind, id } = storeExtra(inside, job, version, question)
              asked[kind] += 1
              if (ids.length === 1) asked.id = id
            } catch (error) {
              refuse(job.name, error)
            }
          }
        })
        queue.wake()
        await setImmediate()
      }
      return asked
    },
  }
}

/** What each document's file is now, or why it cannot be sent, in their order. Throws `not_found`. */
async function lookAt(context: HandlerContext, ids: number[]): Promise<{ job: Job; version: Identity | AppError }[]> {
  const looked: { job: Job; version: Identity | AppError }[] = []
  const left = ids.map((id) => findJob(context, id)).entries()
  const lookNext = async (): Promise<void> => {
    for (const [index, job] of left) looked[index] = { job, version: await versionOf(context, job).catch(toAppError) }
  }
  await Promise.all(Array.from({ length: lookedAtAtOnce }, lookNext))
  return looked
}
