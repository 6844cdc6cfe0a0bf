import * as z from 'zod'

/**
 * Why a document is no booking. `type`: it is neither an invoice nor a credit note, or nobody knows. `currency`: it is
 * in another one than the books, or nobody knows. `rate`: its tax is of none of the rates, or nobody knows how much of
 * it is of which. `account`: that of its partner is no supplier's. `credit`: the program takes no credit notes so.
 * `seller`, `number`: the program wants them.
 */
export const unbookableReasons = [
  'type',
  'date',
  'amount',
  'currency',
  'rate',
  'account',
  'credit',
  'seller',
  'number',
] as const
export type UnbookableReason = (typeof unbookableReasons)[number]

/** A document that is left out of bookings. */
export const unbooked = z.object({
  id: z.number().int().nullable(),
  name: z.string(),
  reason: z.enum(unbookableReasons),
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
