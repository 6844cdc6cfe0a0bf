import * as z from 'zod'
import { partner, partnerValues } from '../domain/partner.ts'
import { id, nothing } from './shapes.ts'

/** The part of the contract between window and core that is about the senders that the office knows. */

export const partnerEvents = { 'partners.changed': nothing } as const

const imported = z.object({
  added: z.number().int(),
  changed: z.number().int(),
  /** Rows without a name, and IBANs that do not exist. */
  skipped: z.number().int(),
})

export const partnerCalls = {
  /** By name. */
  'partners.list': { input: nothing, output: z.object({ partners: z.array(partner) }) },
  /**
   * Adds one (id null), or changes it. Documents that nobody approved are assessed again. What is of an own company is
   * no other partner's any more: `takenFrom` names those that had it. Throws `partner_wrong`.
   */
  'partners.save': {
    input: partnerValues.extend({ id: id.nullable() }),
    output: z.object({ id, takenFrom: z.array(z.string()) }),
  },
  'partners.remove': { input: z.object({ id }), output: nothing },
  /**
   * Brings partners along from a table: the text of a CSV file, or an uploaded workbook. One that is known by its VAT
   * number, an account or its name gets what the table says and keeps what that does not. Throws `partners_unreadable`.
   */
  'partners.import': {
    input: z.object({
      source: z.union([
        z.object({ text: z.string().max(20_000_000) }),
        z.object({ uploadId: z.string().min(1).max(100) }),
      ]),
    }),
    output: imported,
  },
} as const
