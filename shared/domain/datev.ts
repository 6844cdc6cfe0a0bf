import * as z from 'zod'

/** What DATEV has to know of an office: its tax adviser says it. */

const account = z.string().regex(/^(?!0+$)\d{1,9}$/)

export const datevSettings = z.object({
  /** Beraternummer. */
  consultant: z.number().int().min(1001).max(9_999_999),
  /** Mandantennummer. */
  client: z.number().int().min(1).max(99_999),
  /** The month in which the financial year begins. */
  yearStart: z.number().int().min(1).max(12),
  /** Sachkontenlänge. Accounts of creditors are one digit longer. */
  accountLength: z.number().int().min(4).max(8),
  /** For senders whose partner has no account in the books. */
  creditor: account,
  /** Expenses by the rate of the tax: 19 %, 7 % and none. */
  expense: z.object({ standard: account, reduced: account, none: account }),
  /** Whether the keys of input tax are written; accounts that know their rate take none. */
  withTaxKeys: z.boolean(),
})
export type DatevSettings = z.infer<typeof datevSettings>

/**
 * Settings whose accounts have the digits that they must have; what is kept under a name may be of an earlier version.
 */
export const fittingDatevSettings = datevSettings.superRefine(({ accountLength, creditor, expense }, { addIssue }) => {
  const tell = (...path: string[]): void => addIssue({ code: 'custom', path, message: 'digits' })
  if (!isCreditor(creditor, accountLength)) tell('creditor')
  for (const [rate, number] of Object.entries(expense)) if (number.length > accountLength) tell('expense', rate)
})

/**
 * Whether a number can be the account of a creditor, where accounts of the ledger have so many digits: 7 to 9 begin
 * those of creditors, 1 to 6 those of customers. Pure.
 */
export function isCreditor(number: string, accountLength: number): boolean {
  return /^[7-9]\d+$/.test(number) && number.length === accountLength + 1
}
