import { listLayouts, usualListLayout } from '../../../shared/contract/exports.ts'
import type { ListLayout } from '../../../shared/contract/exports.ts'
import { readStored, writeStored } from '../../client/local-storage.ts'

/** How the lists of a schema were written last, where no preset says it. */
export type ListPreference = { lists: ListLayout; listLimit: number }

const usual: ListPreference = { lists: usualListLayout, listLimit: 10 }
const keyFor = (schemaId: number): string => `sheaf.exportLists.${schemaId}`

/** What a person chose last for a schema; the usual layout as long as they chose nothing. */
export function readListPreference(schemaId: number): ListPreference {
  const kept = readStored(keyFor(schemaId))
  const { lists, listLimit } = { ...usual, ...(typeof kept === 'object' ? kept : null) } as Record<
    keyof ListPreference,
    unknown
  >
  return {
    lists: listLayouts.find((layout) => layout === lists) ?? usual.lists,
    listLimit:
      typeof listLimit === 'number' && Number.isInteger(listLimit) && listLimit >= 1 && listLimit <= 100
        ? listLimit
        : usual.listLimit,
  }
}

/** Keeps the choice for a schema in the browser. */
export function saveListPreference(schemaId: number, chosen: ListPreference): void {
  writeStored(keyFor(schemaId), chosen)
}
