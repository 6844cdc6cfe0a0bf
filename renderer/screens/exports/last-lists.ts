import { listLayouts } from '../../../shared/contract-exports.ts'
import type { ListLayout } from '../../../shared/contract-exports.ts'

/** How the lists of a schema were written last, where no preset says it. */
export type LastLists = { lists: ListLayout; listLimit: number }

const usual: LastLists = { lists: 'rows', listLimit: 10 }
const keyFor = (schemaId: number): string => `sheaf.exportLists.${schemaId}`

/** What a person chose last for a schema; rows as long as they chose nothing. */
export function lastLists(schemaId: number): LastLists {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyFor(schemaId)) ?? '{}')
    const { lists, listLimit } = { ...usual, ...(typeof kept === 'object' ? kept : null) } as Record<keyof LastLists, unknown>
    return {
      lists: listLayouts.find((layout) => layout === lists) ?? usual.lists,
      listLimit: typeof listLimit === 'number' && Number.isInteger(listLimit) && listLimit >= 1 && listLimit <= 100 ? listLimit : usual.listLimit,
    }
  } catch {
    return usual
  }
}

/** Keeps the choice for a schema in the browser. */
export function keepLastLists(schemaId: number, chosen: LastLists): void {
  try {
    localStorage.setItem(keyFor(schemaId), JSON.stringify(chosen))
  } catch {
    // A browser that keeps nothing has the choice until the window is closed.
  }
}
