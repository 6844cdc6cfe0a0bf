/**
 * Columns of the list that a person may show or not, in their order; a document's name is always there, before them.
 */
export const documentColumns = [
  'folder',
  'schema',
  'state',
  'values',
  'sizeBytes',
  'durationMs',
  'tokensConsumed',
  'finishedAt',
  'receivedAt',
] as const
export type DocumentColumn = (typeof documentColumns)[number]

export const columnWidth = { minPx: 40, maxPx: 1200 } as const
/** More widths than columns that anybody shows. */
export const maxColumnWidths = 200
