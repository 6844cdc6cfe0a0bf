import { fold } from '../../../shared/domain/fold.ts'

export { decimalEvidence, groupsByComma, parseNumber, type NumberHints } from '../../../shared/domain/parse-number.ts'
export {
  dateOrderEvidence,
  findDates,
  parseDate,
  type DateHints,
  type FoundDate,
} from '../../../shared/domain/parse-date.ts'

/**
 * A day of birth (YYYY-MM-DD) that was printed so: nobody was born after `today`, so a year of two digits that lies
 * ahead is of the century before.
 */
export function asBirth(day: string, printed: string, today = new Date()): string {
  const year = day.slice(0, 4)
  if (printed.includes(year) || day <= today.toISOString().slice(0, 10)) return day
  return `${Number(year) - 100}${day.slice(4)}`
}

const yes = new Set('yes y ja j oui o si s true wahr vrai verdadero x checked on'.split(' '))
const no = new Set('no n nein non false falsch faux falso unchecked off'.split(' '))
const checkedMarks = /^(?:[☒☑✓✔✗✘⊠■⬛🗹]|\[\s*[xX✓✔]\s*\]|\(\s*[xX✓✔•]\s*\))$/u
const emptyMarks = /^(?:[☐□▢◻⬜❏❑◯○]|\[\s*_?\s*\]|\(\s*\))$/u

/**
 * Reads a check mark («☒», «[x]», «( )») or a word for yes or no in English, German, French or Spanish.
 * Returns true or false, or null when the text is neither.
 */
export function parseBoolean(text: string): boolean | null {
  const mark = parseCheckMark(text)
  if (mark !== null) return mark
  const word = fold(text).replace(/[^a-z]/g, '')
  return yes.has(word) ? true : no.has(word) ? false : null
}

/** Reads a check mark only; null for words and everything else. */
export function parseCheckMark(text: string): boolean | null {
  const plain = text.trim()
  return checkedMarks.test(plain) ? true : emptyMarks.test(plain) ? false : null
}

const currencySigns: readonly [RegExp, string][] = [
  [/€|\bEUR\b|\beuros?\b/iu, 'EUR'],
  [/£|\bGBP\b|\bpounds? sterling\b/iu, 'GBP'],
  [/\bCHF\b|\bSFr\b|\bFr\.\s?\d|\bschweizer franken\b|\bfrancs suisses\b/iu, 'CHF'],
  [/\bCAD\b|C\$|CA\$/u, 'CAD'],
  [/\bAUD\b|A\$|AU\$/u, 'AUD'],
  [/\bMXN\b|MX\$/u, 'MXN'],
  [/\bS\$|\bSGD\b/u, 'SGD'],
  [/\bHK\$|\bHKD\b/u, 'HKD'],
  [/\bNT\$|\bTWD\b/u, 'TWD'],
  [/R\$|\bBRL\b/u, 'BRL'],
  [/\bRM(?=\s?\d[\d,]*\.\d{2})|\bMYR\b/u, 'MYR'],
  [/\$|\bUSD\b|\bUS-?dollars?\b/iu, 'USD'],
  [/\bJPY\b|¥/u, 'JPY'],
  [/\bPLN\b|\bzł/iu, 'PLN'],
  [/\bCZK\b|\bKč/iu, 'CZK'],
  [/\bSEK\b/u, 'SEK'],
  [/\bNOK\b/u, 'NOK'],
  [/\bDKK\b/u, 'DKK'],
  [/\bHUF\b/u, 'HUF'],
  [/\bRs\.?(?=\s?\d|$)/u, 'INR'],
  [/\b(?:INR|TRY|CNY|ARS|CLP|COP|RON|BGN|ZAR|NZD|AED)\b|₹/u, ''],
]

/** The ISO 4217 code of the currency that a text names by sign, word or code, or null. */
export function parseCurrency(text: string): string | null {
  for (const [pattern, code] of currencySigns) {
    const match = pattern.exec(text)
    if (match) return code !== '' ? code : match[0] === '₹' ? 'INR' : match[0].toUpperCase()
  }
  return null
}
