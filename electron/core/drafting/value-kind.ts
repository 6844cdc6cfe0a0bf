/** What values look like; a date is extracted as text, but described as a date. */
export type ValueKind = 'number' | 'boolean' | 'date' | 'text'

const amount =
  /^[-+(]?\s*(?:[€$£]|EUR|USD|GBP|CHF)?\s*[-+]?\d{1,3}(?:[.,'’  ]?\d{3})*(?:[.,]\s?\d{1,4})?\s*(?:[€$£%+-]|EUR|USD|GBP|CHF|TTC|HT|kg|g|km|cm|mm|m|l|h|hrs|Std\.?)?\s*(?:EUR|USD|GBP|CHF|TTC|HT)?\)?$/i
const fraction = /[.,]\s?\d{2,4}(?!\d)|[€$£%]|EUR|USD|GBP|CHF/
const yesOrNo = /^(?:yes|no|ja|nein|oui|non|true|false|wahr|falsch|vrai|faux|[☐☒☑✓✗x])$/i
const date =
  /^(?:\d{1,2}[./-]\d{1,2}[./-](?:\d{2,4})?|\d{4}-\d{2}-\d{2}|\d{1,2}\.?(?: de)? \p{L}+(?: de)?,? \d{4}|\p{L}+ \d{1,2}, \d{4}|\d{1,2}-\p{L}{3}-\d{4})$/u
/** Whole numbers under such a label name something. */
const namesSomething =
  /\b(?:n[or°º]|nr|num|numero|number|nummer|id|code|ref|account|konto|compte|phone|tel|fax|mobil|plz|zip|postcode|code postal|siret|iban|bic|vat|ust|km|page|seite)\b|#|nummer/i

/** The kind that all of some values are of. Pure. */
export function kindOf(values: readonly string[], label: string): ValueKind {
  const given = values.map((value) => value.trim()).filter((value) => value !== '')
  if (given.length === 0) return 'text'
  if (given.every((value) => yesOrNo.test(value))) return 'boolean'
  if (given.every((value) => date.test(value))) return 'date'
  // Leading zeros and many digits in a row are a number that names something.
  const isNumber = given.every((value) => amount.test(value)) && !given.some((value) => /^0\d|^\d{7}/.test(value))
  if (isNumber && (given.some((value) => fraction.test(value)) || !namesSomething.test(label))) return 'number'
  return 'text'
}

/** True for a text that holds a value rather than names one: an amount, a date, a code, yes or no. */
export function looksLikeValue(text: string): boolean {
  const value = text.trim()
  return kindOf([value], '') !== 'text' || /^[^\s@:]*\d[^\s@:]*$/.test(value)
}
