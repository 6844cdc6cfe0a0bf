import { setImmediate } from 'node:timers/promises'
import type { StoredDocument } from '../db/tables/documents.ts'
import { isCutOtherwise, moveToBin, restore } from '../pipeline/bin.ts'
import { inTransaction } from '../pipeline/context.ts'
import { pagesOf } from './lookups.ts'
import type { Handlers, HandlerContext } from './types.ts'

type Needs = Pick<HandlerContext, 'tables' | 'queue' | 'workbooks' | 'emit' | 'now'>

export function binHandlers(context: Needs): Pick<Handlers, 'documents.bin' | 'documents.restore'> {
  /** Does something with those that are there, a page in one transaction; returns how many it was done with. */
  const withEach = async (
    ids: number[],
    work: (inside: Needs, document: StoredDocument) => boolean,
  ): Promise<number> => {
    let done = 0
    for (const page of pagesOf(ids)) {
      done += inTransaction(
        context,
        (inside) =>
          page.filter((id) => {
            const document = inside.tables.documents.get(id)
            return document !== null && work(inside, document)
          }).length,
      )
      context.queue.wake()
      await setImmediate()
    }
    if (done > 1) context.workbooks.flush()
    return done
  }
  return {
    'documents.bin': async ({ ids }) => {
      let underWay = 0
      const moved = await withEach(ids, (inside, document) => {
        if (document.inBin) return false
        const isMoved = moveToBin(inside, document)
        if (!isMoved) underWay += 1
        return isMoved
      })
      return { moved, underWay }
    },
    'documents.restore': async ({ ids }) => {
      let cutOtherwise = 0
      const restored = await withEach(ids, (inside, document) => {
        if (document.inBin && isCutOtherwise(inside, document)) {
          cutOtherwise += 1
          return false
        }
        restore(inside, document)
        return document.inBin
      })
      return { restored, cutOtherwise }
    },
  }
}
