import * as z from 'zod'

/** Shapes that all parts of the contract share. Times are epoch milliseconds. */
export const id = z.number().int().positive()
/** As many as one call takes. */
export const ids = z.array(id).min(1).max(10_000)
export const time = z.number().int()
/** A day of this computer's calendar: YYYY-MM-DD. */
export const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
export const nothing = z.object({})
