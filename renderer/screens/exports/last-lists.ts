import { listLayouts } from '../../../shared/contract-exports.ts'
import type { ListLayout } from '../../../shared/contract-exports.ts'
import { keep, readKept } from '../../client/kept.ts'

/** How the lists of a schema were written last, where no preset says it. */
export type LastLists = { lists: ListLayout; listLimit: number }

const usual: LastLists = { lists: 'rows', listLimit: 10 }
const keyFor = (schemaId: number): string => `sheaf.exportLists.${schemaId}`

/** What a person chose last for a schema; rows as long as they chose nothing. */
export function lastLists(schemaId: number): LastLists {
  const kept = readKept(keyFor(schemaId))
  const { lists, listLimit } = { ...usual, ...(typeof kept === 'object' ? kept : null) } as Record<keyof LastLists, unknown>
  return {
    lists: listLayouts.find((layout) => layout === lists) ?? usual.lists,
    listLimit: typeof listLimit === 'number' && Number.isInteger(listLimit) && listLimit >= 1 && listLimit <= 100 ? listLimit : usual.listLimit,
  }
}

/** Keeps the choice for a schema in the browser. */
export function keepLastLists(schemaId: number, chosen: LastLists): void {
  keep(keyFor(schemaId), chosen)
}
