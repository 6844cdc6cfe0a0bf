import * as z from 'zod'

/** A sender that the office knows, and its own companies. */

const text = (max: number): z.ZodType<string> => z.string().trim().max(max)

export const partnerValues = z.object({
  name: z.string().trim().min(1).max(200),
  /** As `comparableCode` writes it; null: not known. */
  vatId: text(30).nullable(),
  /** IBANs, as `comparableCode` writes them. */
  accounts: z.array(text(40)).max(50),
  /** The office's own: the number in its books, and the account that the sender's documents go to. */
  number: text(50).nullable(),
  bookAccount: text(50).nullable(),
  /** A company of the office itself: never the sender of a document. */
  isOwn: z.boolean(),
})
export type PartnerValues = z.infer<typeof partnerValues>

export const partner = partnerValues.extend({
  id: z.number().int(),
  /**
   * A person wrote the name, or brought it along: documents of the sender have it. Else it is how one of them had it.
   */
  isNamed: z.boolean(),
})
export type Partner = z.infer<typeof partner>

/** An IBAN or a VAT number as it is compared: capitals and digits. Pure. */
export function comparableCode(value: unknown): string {
  return typeof value === 'string' ? value.replace(/[^A-Za-z0-9]/g, '').toUpperCase() : ''
}

/** What says how a company is set up, and is written or left out as it comes. */
const legalForms = new Set(
  'ab ag aps as bv bvba co company corp corporation eg ek eu eurl ev gbr gesmbh gmbh inc incorporated kg kgaa limited llc llp lp ltd mbh nv ohg oy plc pte pty sa sagl sarl sas se sl snc spa sprl srl ug und and et'.split(
    ' ',
  ),
)

/**
 * A company's name as it is compared: lower case, without accents, signs and legal forms («RIDLEY Ltd.» and «Ridley
 * Limited» are the same). Empty where nothing is left. Pure.
 */
export function comparableName(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    // «S.A.R.L.» is one word.
    .replace(/(?<=\b\p{L})\.(?=\p{L}\b)/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const meaning = words.filter((word) => !legalForms.has(word))
  return (meaning.length > 0 ? meaning : words).join(' ')
}

/** Whether two names may be of one company: they have a word in common that says something. Pure. */
export function mayBeSameName(one: string, other: string): boolean {
  const words = new Set(comparableName(one).split(' '))
  return comparableName(other)
    .split(' ')
    .some((word) => word.length > 2 && words.has(word))
}
