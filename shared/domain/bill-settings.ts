import * as z from 'zod'

/** Programs of bookkeeping that import a table of suppliers' bills. */
export const billPrograms = ['lexware', 'sage', 'xero', 'quickbooks'] as const
export type BillProgram = (typeof billPrograms)[number]

const name = z.string().trim().min(1).max(100)

/** What such a program has to know of an office. */
export const billSettings = z.object({
  program: z.enum(billPrograms),
  /** Of the books: bills in others are left out. */
  currency: z.string().regex(/^[A-Z]{3}$/),
  /** Account of suppliers whose partner has none; of no use where the program goes by names. */
  supplier: z.string().trim().max(20),
  /** What comes first in a date, as the program is set up. */
  dates: z.enum(['day', 'month']),
  /** To which account what is taxed at so many percent belongs, and what the program calls that tax. */
  rates: z
    .array(z.object({ percent: z.number().min(0).max(100), account: name, taxCode: z.string().trim().max(100) }))
    .min(1)
    .max(6),
})
export type BillSettings = z.infer<typeof billSettings>

/** What the account of a supplier looks like in programs whose suppliers have any; the others go by names. */
export const supplierAccounts: Partial<Record<BillProgram, RegExp>> = {
  lexware: /^\d{1,9}$/,
  sage: /^[A-Za-z0-9]{1,8}$/,
}
/** Programs that are set up for one order of dates or the other. */
export const programsWithDates: ReadonlySet<BillProgram> = new Set(['xero', 'quickbooks'])
/** Programs that know a tax by its name; Lexware knows it by the account. */
const programsWithTaxCodes: ReadonlySet<BillProgram> = new Set(['sage', 'xero', 'quickbooks'])

/** Settings with all that their program has to know; what is kept under a name may be of an earlier version. */
export const fittingBillSettings = billSettings.superRefine(({ program, supplier, rates }, { addIssue }) => {
  const tell = (...path: (string | number)[]): void => addIssue({ code: 'custom', path, message: 'missing' })
  if (supplierAccounts[program]?.test(supplier) === false) tell('supplier')
  for (const [at, { percent, taxCode }] of rates.entries()) {
    if (taxCode === '' && programsWithTaxCodes.has(program)) tell('rates', at, 'taxCode')
    // Nobody could tell which of the two is meant.
    if (rates.findIndex((rate) => rate.percent === percent) < at) tell('rates', at, 'percent')
  }
})
