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
  /** Sachkontenlänge. */
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
 * Why a document is no booking. `currency`: another than the euro, whose rate nobody knows here. `rate`: its tax is
 * none of 19, 7 and 0 percent of the net amount.
 */
export const unbookableReasons = ['date', 'amount', 'currency', 'rate'] as const
export type UnbookableReason = (typeof unbookableReasons)[number]

/** A document that is left out of a batch of bookings. */
export const unbooked = z.object({ name: z.string(), reason: z.enum(unbookableReasons) })
export type Unbooked = z.infer<typeof unbooked>

/** The fields of a schema that a booking is made of, by their names; null where it has none. */
export type BookingFields = {
  number: string | null
  date: string
  due: string | null
  seller: string | null
  currency: string | null
  net: string | null
  tax: string | null
  gross: string
}
