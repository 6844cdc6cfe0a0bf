import * as z from 'zod'

/**
 * Why a document is no booking. `type`: it is neither an invoice nor a credit note; `final`: it is the last of several
 * invoices, and its total may hold what the others have already. `currency`: it is in another one than the books.
 * `no_tax`: it has neither a net amount nor one of tax; `sums`: these do not come to the total. `rate`: its tax is of
 * none of the rates, or its rows do not tell how much of it is of which; `no_rate_field`: the schema asks for no rate in
 * its rows. `account`: that of its partner is no supplier's. `credit`: the program takes no credit notes so. `seller`: it
 * names none, and no account is known. `number`: the program wants one, or one that is shorter. `twice`: another document
 * of the export is the same bill. `booked`: an earlier export has its bookings; `booked_otherwise`: with other values
 * than it has now, or it would be none any more.
 */
export const unbookableReasons = [
  'type',
  'no_type',
  'final',
  'date',
  'amount',
  'currency',
  'no_currency',
  'no_tax',
  'sums',
  'rate',
  'no_rate_field',
  'account',
  'credit',
  'seller',
  'number',
  'twice',
  'booked',
  'booked_otherwise',
] as const
export type UnbookableReason = (typeof unbookableReasons)[number]

/** A document that is left out of bookings. */
export const unbooked = z.object({
  id: z.number().int().nullable(),
  name: z.string(),
  reason: z.enum(unbookableReasons),
  /** When the last export was made that has it, epoch ms. */
  bookedAt: z.number().int().nullable(),
})
export type Unbooked = z.infer<typeof unbooked>

/** The fields of a schema that a booking is made of, by their names; null where it has none. */
export type BookingFields = {
  type: string
  number: string | null
  date: string
  due: string | null
  seller: string | null
  currency: string | null
  net: string | null
  tax: string | null
  gross: string
  /** The list whose rows say how much is taxed at which rate. */
  rows: { list: string; amount: string; rate: string } | null
}

/**
 * What a bill is known by. `bill`: SHA-256 of its supplier, number and total, by which it is known in another document
 * too; null without a number. `content`: of all values that a booking is made of.
 */
export type BillIdentity = { bill: Uint8Array | null; content: Uint8Array }
/** A record of a document whose bookings were written. */
export type BookedBill = BillIdentity & { documentId: number; record: number }
/** When the last export was made that has a bill, epoch ms, and whether the bill has other values since. */
export type BookedBefore = { at: number; isChanged: boolean }
