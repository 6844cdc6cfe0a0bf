import type { exportFormats } from '../../shared/contract/exports.ts'

/** The formats of exports, with their names, which are the same in every language. */
export const exportFormatNames: [(typeof exportFormats)[number], string][] = [
  ['xlsx', 'Excel'],
  ['csv', 'CSV'],
  ['json', 'JSON'],
  ['datev', 'DATEV'],
]
