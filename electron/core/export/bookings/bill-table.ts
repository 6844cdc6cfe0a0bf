// In: what a program of bookkeeping has to know of an office.
// Out: how it takes bills of suppliers: a table that it imports, each program by its own columns.
import { supplierAccounts } from '../../../../shared/domain/bill-settings.ts'
import type { BillProgram, BillSettings } from '../../../../shared/domain/bill-settings.ts'
import type { UnbookableReason } from '../../../../shared/domain/bookings.ts'
import type { Bill } from './bill.ts'
import { inFiles } from './book.ts'
import type { Book } from './book.ts'
import { partsOfLines, plainCell } from './cells.ts'
import { inWindows1252 } from './windows-1252.ts'

/** A bill with its accounts in the books; `supplier` is empty where a program goes by names. */
type Entry = Bill & { supplier: string; expense: string; taxCode: string }

type Column = [head: string, cellOf: (entry: Entry, settings: BillSettings) => string]

type Table = {
  columns: readonly Column[]
  delimiter: ',' | ';'
  encoding: 'utf-8' | 'windows-1252'
  extension: 'csv' | 'txt'
  /** By what the names of files end with, where the program does not take all at once; `place`: of the bill. */
  endOf(entry: Entry, place: number): string
  /** Why it takes no such bill. */
  reasonAgainst(bill: Bill): UnbookableReason | null
}

/** Year, month and day of YYYY-MM-DD. */
const partsOf = (date: string): [year: string, month: string, day: string] => [
  date.slice(0, 4),
  date.slice(5, 7),
  date.slice(8),
]

function slashed(date: string, order: BillSettings['dates']): string {
  const [year, month, day] = partsOf(date)
  return (order === 'month' ? [month, day, year] : [day, month, year]).join('/')
}

const money = (amount: number): string => amount.toFixed(2)

/** Longer than any name of a company or number of an invoice that was seen. */
const longest = 255

/** What both go by: a name, a number, and no credit note, for which they have an entry of another kind. */
function reasonByName({ isCredit, seller, number }: Bill, longestNumber: number): UnbookableReason | null {
  if (isCredit) return 'credit'
  if (plainCell(seller, longest) === '') return 'seller'
  return isNumber(number, longestNumber) ? null : 'number'
}

/** Of a number that is cut two bills may have the same. */
function isNumber(text: string, most: number): boolean {
  const number = plainCell(text, most + 1)
  return number !== '' && number.length <= most
}

/** Characters of a number that the programs take. */
const [longestInSage, longestInQuickBooks] = [30, 21]

/** So many bills in one import: more are refused. */
const mostOfXero = 500
const mostOfQuickBooks = 100

const numbered = (most: number) => (_: Entry, place: number) => String(Math.floor(place / most) + 1)

const tables: Record<BillProgram, Table> = {
  // Buchhaltung, «Import, ASCII, Buchungsdaten»: bookings with their tax inside, a year at a time.
  lexware: {
    columns: [
      ['Belegdatum', ({ date }) => partsOf(date).toReversed().join('.')],
      ['Belegnummer', ({ number }) => plainCell(number, longest)],
      ['Buchungstext', ({ seller }) => plainCell(seller, longest)],
      ['Buchungsbetrag', ({ gross }) => money(gross).replace('.', ',')],
      ['Sollkonto', ({ isCredit, supplier, expense }) => (isCredit ? supplier : expense)],
      ['Habenkonto', ({ isCredit, supplier, expense }) => (isCredit ? expense : supplier)],
      ['Steuerschlüssel', ({ taxCode }) => taxCode],
      ['Währung', (_, { currency }) => currency],
    ],
    delimiter: ';',
    encoding: 'windows-1252',
    // It offers files of this ending only.
    extension: 'txt',
    endOf: ({ date }) => partsOf(date)[0],
    reasonAgainst: () => null,
  },
  // Sage 50, «Import, Audit trail transactions», by the columns of its template.
  sage: {
    columns: [
      ['Type', ({ isCredit }) => (isCredit ? 'PC' : 'PI')],
      ['Account Reference', ({ supplier }) => supplier],
      ['Nominal A/C Ref', ({ expense }) => expense],
      ['Department Code', () => ''],
      ['Date', ({ date }) => slashed(date, 'day')],
      ['Reference', ({ number }) => plainCell(number, longestInSage)],
      ['Details', ({ seller }) => plainCell(seller, 60)],
      ['Net Amount', ({ net }) => money(net)],
      ['Tax Code', ({ taxCode }) => taxCode],
      ['Tax Amount', ({ tax }) => money(tax)],
    ],
    delimiter: ',',
    encoding: 'windows-1252',
    extension: 'csv',
    endOf: () => '',
    reasonAgainst: ({ number }) => (number === '' || isNumber(number, longestInSage) ? null : 'number'),
  },
  // «Bills to pay, Import», by the heads of its template; amounts without tax.
  xero: {
    columns: [
      ['*ContactName', ({ seller }) => plainCell(seller, longest)],
      ['*InvoiceNumber', ({ number }) => plainCell(number, longest)],
      ['*InvoiceDate', ({ date }, { dates }) => slashed(date, dates)],
      ['*DueDate', ({ due, date }, { dates }) => slashed(due ?? date, dates)],
      ['Description', ({ seller, number }) => plainCell(`${seller} ${number}`, longest)],
      ['*Quantity', () => '1'],
      ['*UnitAmount', ({ net }) => money(net)],
      ['*AccountCode', ({ expense }) => expense],
      ['*TaxType', ({ taxCode }) => taxCode],
      ['TaxAmount', ({ tax }) => money(tax)],
      ['Currency', (_, { currency }) => currency],
    ],
    delimiter: ',',
    encoding: 'utf-8',
    extension: 'csv',
    endOf: numbered(mostOfXero),
    reasonAgainst: (bill) => reasonByName(bill, longest),
  },
  // QuickBooks Online, «Import data, Bills»; amounts without tax. Which column is which is asked there.
  quickbooks: {
    columns: [
      ['Bill no', ({ number }) => plainCell(number, longestInQuickBooks)],
      ['Supplier', ({ seller }) => plainCell(seller, longest)],
      ['Bill date', ({ date }, { dates }) => slashed(date, dates)],
      ['Due date', ({ due, date }, { dates }) => slashed(due ?? date, dates)],
      ['Account', ({ expense }) => expense],
      ['Line description', ({ seller, number }) => plainCell(`${seller} ${number}`, longest)],
      ['Line amount', ({ net }) => money(net)],
      ['Line tax code', ({ taxCode }) => taxCode],
      ['Line tax amount', ({ tax }) => money(tax)],
      ['Currency', (_, { currency }) => currency],
    ],
    delimiter: ',',
    encoding: 'utf-8',
    extension: 'csv',
    endOf: numbered(mostOfQuickBooks),
    reasonAgainst: (bill) => reasonByName(bill, longestInQuickBooks),
  },
}

/** The books that an office keeps with a program. Pure. */
export function billBook(settings: BillSettings): Book<Entry> {
  const { columns, delimiter, encoding, extension, endOf, reasonAgainst } = tables[settings.program]
  const isSupplier = supplierAccounts[settings.program]
  const encoded = (text: string): Buffer => (encoding === 'utf-8' ? Buffer.from(text) : inWindows1252(text))
  const line = (cells: readonly string[]): string =>
    cells.map((cell) => quotedFor(cell.normalize('NFC'), delimiter)).join(delimiter)
  const cellsOf = (entry: Entry): string[] => columns.map(([, cellOf]) => cellOf(entry, settings))
  const heads = columns.map(([head]) => head)
  return {
    terms: { rates: settings.rates.map(({ percent }) => percent), currency: settings.currency },
    bookingOf(bill) {
      const reason = reasonAgainst(bill)
      const rate = settings.rates.find(({ percent }) => percent === bill.rate)
      if (reason !== null || rate === undefined) return reason ?? 'rate'
      const supplier = isSupplier === undefined ? '' : (bill.account ?? settings.supplier)
      if (isSupplier?.test(supplier) === false) return 'account'
      return { ...bill, supplier, expense: rate.account, taxCode: rate.taxCode }
    },
    filesOf(entries) {
      let bills = -1
      // The parts of a bill stay together.
      return inFiles(entries, (entry) => endOf(entry, entry.part === 0 ? ++bills : bills))
    },
    preview: (entries) => ({ columns: heads, rows: entries.map(cellsOf) }),
    *partsOf(entries) {
      yield encoded(`${line(heads)}\r\n`)
      for (const lines of partsOfLines(entries, (entry) => line(cellsOf(entry)))) yield encoded(lines)
    },
    prefix: '',
    extension,
  }
}

function quotedFor(cell: string, delimiter: string): string {
  return cell.includes(delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell
}
