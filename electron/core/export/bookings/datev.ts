// In: what DATEV has to know of an office.
// Out: how it takes bookings of suppliers’ invoices: a file for each month, as the format recommends.
import { isCreditor } from '../../../../shared/domain/datev.ts'
import type { DatevSettings } from '../../../../shared/domain/datev.ts'
import { inFiles } from './book.ts'
import type { Book } from './book.ts'
import { batchOf, codeOf, longestCode, previewOf } from './extf.ts'
import type { DatevBooking } from './extf.ts'

type Rate = keyof DatevSettings['expense']
const rates: Record<Rate, number> = { standard: 19, reduced: 7, none: 0 }
/** Vorsteuer 19 % and 7 %, in four digits as the format wants them. */
const taxKeys: Record<Rate, string | null> = { standard: '0009', reduced: '0008', none: null }

/** The books of an office with these settings. Pure. */
export function datevBook(settings: DatevSettings): Book<DatevBooking> {
  const rateOf = (percent: number): Rate =>
    (Object.keys(rates) as Rate[]).find((each) => rates[each] === percent) ?? 'none'
  return {
    terms: { rates: Object.values(rates), currency: 'EUR' },
    bookingOf({ isCredit, gross, rate, account, date, due, number, seller }) {
      const creditor = account ?? settings.creditor
      if (!isCreditor(creditor, settings.accountLength)) return 'account'
      if (codeOf(number).length > longestCode) return 'number'
      return {
        amount: gross,
        // Of the creditor: an invoice is what the office owes, a credit note what it does not.
        side: isCredit ? 'S' : 'H',
        creditor,
        expense: settings.expense[rateOf(rate)],
        key: settings.withTaxKeys ? taxKeys[rateOf(rate)] : null,
        date,
        due,
        number,
        text: seller,
      }
    },
    filesOf: (bookings) => inFiles(bookings, ({ date }) => date.slice(0, 7)),
    preview: previewOf,
    partsOf: (bookings, month, at) => batchOf(bookings, month, settings, at),
    // It takes files whose names begin so only.
    prefix: 'EXTF_',
    extension: 'csv',
  }
}
