import { maxBy } from './max-by.ts'
import {
  dateOrderEvidence,
  decimalEvidence,
  findDates,
  groupsByComma,
  type DateHints,
  type NumberHints,
} from './parse-value.ts'
import { fold } from '../../../shared/domain/fold.ts'

type Language = 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl'

/** What the document as a whole says about how its numbers and dates are to be read. */
export type Evidence = {
  language: Language
  numbers: NumberHints
  dates: DateHints
  /** The latest year the document's full dates are in, for dates without one in its tables. */
  year?: number
}

const telling: Readonly<Record<Language, readonly string[]>> = {
  en: 'the of and to for your you invoice number date payment please total description amount with from delivery'.split(
    ' ',
  ),
  de: 'der die das und von mit fur ihre rechnung datum betrag menge bitte nicht ist auf zum summe seite wir sie gesamt netto'.split(
    ' ',
  ),
  fr: 'le la les et de du des pour votre vous facture montant date numero nous sur par une est paiement adresse'.split(
    ' ',
  ),
  it: 'il lo gli della di del per fattura data importo numero totale con una quantita pagamento indirizzo descrizione'.split(
    ' ',
  ),
  nl: 'het een van voor met en op uw factuur datum bedrag aantal nummer totaal btw omschrijving klant'.split(' '),
  es: 'el los las y de del para su factura fecha importe numero cantidad por con una es nuestro pago cliente direccion'.split(
    ' ',
  ),
}

/** The year that most dates are in; of several the latest. */
function usual(years: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const year of years) counts.set(year, (counts.get(year) ?? 0) + 1)
  const [best] = [...counts].sort(([one, count], [other, most]) => most - count || other - one)
  return best![0]
}

/** Reads language, decimal sign and order of dates from the whole text of a document. */
export function readEvidence(text: string): Evidence {
  const words = fold(text.slice(0, 40_000)).match(/[a-z]+/g) ?? []
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const languages = Object.keys(telling) as Language[]
  const language =
    maxBy(languages, (one) => telling[one].reduce((sum, word) => sum + (counts.get(word) ?? 0), 0), 0) ?? 'en'
  const american =
    language === 'en' &&
    /\$|\bUSD\b|\b[A-Z]{2} \d{5}(?:-\d{4})?\b/.test(text) &&
    !/£|\bGBP\b|€|\bEUR\b|\bVAT\b/.test(text)
  const decimal = decimalEvidence(text) ?? (language === 'en' ? '.' : ',')
  const dates = { order: dateOrderEvidence(text, american ? ('MDY' as const) : ('DMY' as const)) }
  const years = findDates(text.slice(0, 20_000), dates)
    .map((date) => Number(date.iso.slice(0, 4)))
    .filter((year) => year > 1980 && year < 2100)
  return {
    language,
    numbers: { decimal, ...(decimal === '.' && groupsByComma(text) ? { groupsByComma: true } : {}) },
    dates,
    ...(years.length > 0 ? { year: usual(years) } : {}),
  }
}
