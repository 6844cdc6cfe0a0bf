import type { DatevSettings } from '../../shared/domain/datev.ts'

/** Of an office with accounts of SKR03. */
export const datevSettings: DatevSettings = {
  consultant: 29098,
  client: 55003,
  yearStart: 1,
  accountLength: 4,
  creditor: '70000',
  expense: { standard: '3400', reduced: '3300', none: '3200' },
  withTaxKeys: true,
}
