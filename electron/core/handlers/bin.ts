import { setImmediate } from 'node:timers/promises'
import type { Job } from '../db/jobs.ts'
import { moveToBin, restore } from '../pipeline/bin.ts'
import { together } from '../pipeline/context.ts'
import { pagesOf } from './jobs.ts'
import type { Handlers, HandlerContext } from './types.ts'

export type BinCalls = 'jobs.bin' | 'jobs.restore'

export function binHandlers(context: HandlerContext): Pick<Handlers, BinCalls> {
  /** Does something with those that are there, a page in one transaction; returns how many it was done with. */
  const withEach = async (ids: number[], work: (inside: HandlerContext, job: Job) => boolean): Promise<number> => {
    let done = 0
    for (const page of pagesOf(ids)) {
      done += together(context, (inside) => page.filter((id) => {
        const job = inside.tables.jobs.get(id)
        return job !== null && work(inside, job)
      }).length)
      context.queue.wake()
      await setImmediate()
    }
    if (done > 1) context.workbooks.batchEnded()
    return done
  }
  return {
    'jobs.bin': async ({ ids }) => {
      let underWay = 0
      const moved = await withEach(ids, (inside, job) => {
        if (job.inBin) return false
        const isMoved = moveToBin(inside, job)
        if (!isMoved) underWay += 1
        return isMoved
      })
      return { moved, underWay }
    },
    'jobs.restore': async ({ ids }) => {
      const restored = await withEach(ids, (inside, job) => {
        restore(inside, job)
        return job.inBin
      })
      return { restored }
    },
  }
}
