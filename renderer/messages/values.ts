import type { Formats } from './formats.ts'

/**
 * A field's name as a label: `invoice_number` and `invoiceNumber` become «Invoice number»; other names stay as written.
 * Pure.
 */
export function labelOf(name: string): string {
  const words = name
    // In a name of several words a hyphen is one: «USt-ID Lieferant».
    .replace(name.includes(' ') ? /_+/g : /[_-]+/g, ' ')
    .replace(/(\p{Ll}|\d)(\p{Lu}\p{Ll})/gu, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .trim()
  return words === '' ? name : words.charAt(0).toLocaleUpperCase() + words.slice(1)
}

/**
 * How many decimals a printed number has: what follows its last point or comma, when it is not a group of thousands.
 * Pure.
 */
export function printedDecimals(text: string): number {
  const digits = [...text.matchAll(/[.,](\d+)/g)].at(-1)?.[1]?.length ?? 0
  return digits === 3 ? 0 : Math.min(digits, 6)
}

/**
 * Two when the numbers of a column have two decimals or more, so that amounts line up; zero for other numbers. Pure.
 */
export function columnDecimals(values: readonly unknown[]): number {
  let decimals = 0
  for (const value of values) {
    if (typeof value !== 'number' || Number.isInteger(value)) continue
    decimals = Math.max(decimals, String(value).split('.')[1]?.length ?? 0)
  }
  return decimals >= 2 ? 2 : 0
}

const amountWords =
  /^(amount|total|totals|subtotal|sum|price|net|gross|tax|vat|fee|fees|cost|costs|balance|betrag|summe|preis|netto|brutto|steuer|mwst|ust|gesamt|saldo|kosten|montant|somme|prix|tva|ttc|ht|solde|frais|importe|precio|iva|suma)$|(betrag|summe|preis|kosten|gebuhr)$/
const otherWords =
  /^(rate|percent|number|no|nr|id|count|quantity|qty|hours|days|pages|items|weight|satz|prozent|nummer|menge|anzahl|stunden|tage|gewicht|taux|nombre|quantite|heures|jours|poids)$|satz$/

const quantityNames =
  /^(?:quantity|qty|pieces|pcs|menge|anzahl|anz|stuck|stk|quantite|qte|cantidad|cant|quantita|qta|aantal|aant|stuks|hoeveelheid)$/
const unitNames =
  /^(?:units?|unit of measure|uom|u m|einheit|einh|mengeneinheit|me|unite|unidad|ud|unita|um|eenheid|eenh|ehd)$/
const shareWords = /^(rate|percent|percentage|prozent|prozentsatz|taux|pourcentage)$|satz$/
const onePieceWords = /^(unit|einzel|stuck|unitaire|unitario|each)$/
const onePiecePrice = /^((einzel|stuck)(preis|betrag)|ep)$/

function wordsIn(name: string): string[] {
  return labelOf(name)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
}

/** Whether a field's name is that of a share, or of the price of one piece: nobody adds those up. Pure. */
export function isPerPiece(name: string): boolean {
  const words = wordsIn(name)
  return (
    name.includes('%') ||
    words.some((word) => shareWords.test(word) || onePiecePrice.test(word)) ||
    (words.some((word) => onePieceWords.test(word)) && isAmount(name))
  )
}

/** Whether a field's name is that of the unit in which something is counted, in the languages of documents. Pure. */
export function isUnit(name: string): boolean {
  return unitNames.test(wordsIn(name).join(' '))
}

/** The same of how much of something there is. Pure. */
export function isQuantity(name: string): boolean {
  const words = wordsIn(name)
  return words.some((word) => quantityNames.test(word)) || words.join(' ') === 'q ta'
}

/** Whether a field's name is that of an amount of money, in the languages that documents come in. Pure. */
export function isAmount(name: string): boolean {
  const words = wordsIn(name)
  return words.some((word) => amountWords.test(word)) && !words.some((word) => otherWords.test(word))
}

/** `columnDecimals` of a field; amounts have two as soon as one of them is not whole. Pure. */
export function fieldDecimals(name: string, values: readonly unknown[]): number {
  return isAmount(name) && values.some((value) => typeof value === 'number' && !Number.isInteger(value))
    ? 2
    : columnDecimals(values)
}

const isoDay = /^(\d{4})-(\d{2})-(\d{2})(?:T00:00(?::00)?(?:\.0+)?Z?)?$/

/**
 * A value as a person reads it: numbers and ISO dates in their language, yes and no for booleans, text as it came.
 * Anything a service may have put there instead is shown as its JSON. Null when there is nothing. Pure.
 */
export function valueText(
  value: unknown,
  formats: Formats,
  words: { yes: string; no: string },
  minDecimals = 0,
): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'number') return formats.number(value, minDecimals)
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (typeof value !== 'string') return JSON.stringify(value)
  const day = isoDay.exec(value)
  return day ? formats.day(Number(day[1]), Number(day[2]), Number(day[3])) : value
}
