/** What a value of a record means to a rule, or null where that is not certain: then the rule says nothing. Pure. */

export function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    (typeof value === 'string' && value.trim() === '') ||
    (Array.isArray(value) && value.length === 0)
  )
}

/**
 * A number, or a text that can only be one: `1.284,61 €` and `1,284.61` are, `1.284` may be two numbers and is none.
 */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string') return null
  const bare = value.replace(/[\s\u00a0\u202f'’]/g, '').replace(/^(?:[A-Z]{3}|\p{Sc})|(?:[A-Z]{3}|\p{Sc})$/gu, '')
  const match = /^(-?)(\d+|\d{1,3}(?:[.,]\d{3})+)(?:([.,])(\d+))?$/.exec(bare)
  if (match === null) return null
  const [, sign, whole = '', mark, decimals] = match
  if (isAmbiguous(whole, mark, decimals)) return null
  return Number(`${sign}${whole.replace(/[.,]/g, '')}${decimals === undefined ? '' : `.${decimals}`}`)
}

/** Whether a printed number can mean two: by marks that are used for two things, or one mark that may be either. */
function isAmbiguous(whole: string, mark: string | undefined, decimals: string | undefined): boolean {
  const groups = /[.,]/.exec(whole)?.[0]
  // One mark before three digits is the sign of decimals to one and that of thousands to another.
  if (groups === undefined) return decimals?.length === 3
  const isMixed = whole.replaceAll(groups, '').length !== whole.replace(/[.,]/g, '').length
  return isMixed || mark === groups || (mark === undefined && whole.split(groups).length === 2)
}

/** A day as YYYY-MM-DD; day first where the text has dots, as everywhere that writes dates with them. */
export function dayOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value.trim()
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:T.*)?$/.exec(text)
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(text)
  const parts = iso?.slice(1) ?? dotted?.slice(1).reverse()
  if (parts === undefined) return null
  const day = parts.map((part) => part.padStart(2, '0')).join('-')
  const date = new Date(`${day}T00:00:00Z`)
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day ? null : day
}

/** By what two values are the same to a person: spaces, case and full-width forms do not count. */
export function comparisonKey(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return null
  const text = value.normalize('NFKC').toLowerCase().replace(/\s+/g, '')
  return text === '' ? null : text
}
