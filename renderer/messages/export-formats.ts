import type { exportFormats } from '../../shared/contract/exports.ts'

/** What formats of exports are called, the same in every language. */
export const exportFormatNames: Record<(typeof exportFormats)[number], string> = {
  xlsx: 'Excel',
  csv: 'CSV',
  json: 'JSON',
  datev: 'DATEV',
  lexware: 'Lexware',
  sage: 'Sage 50',
  xero: 'Xero',
  quickbooks: 'QuickBooks',
}
