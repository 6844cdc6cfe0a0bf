import { fold } from './fold.ts'

/** What the rest of the document says about its dates; decides readings such as `03/04/2026`. */
export type DateHints = {
  order?: 'DMY' | 'MDY'
  /** The year of dates that are printed without one («02/10», «15.10.»); without it they are no dates. */
  year?: number | undefined
}

/** A date inside a text: where it stands (character offsets) and what it says. */
export type FoundDate = { iso: string; start: number; end: number }

const monthNames = [
  'january jan januar janner janvier janv enero ene gennaio gen januari',
  'february feb februar febr fevrier fevr fev febrero febbraio februari',
  'march mar marz maerz mrz mars marzo maart mrt',
  'april apr avril avr abril abr aprile',
  'may mai mayo maggio mag mei',
  'june jun juni juin junio giugno giu',
  'july jul juli juillet juil julio luglio lug',
  'august aug aout agosto ago augustus',
  'september sep sept septembre septiembre set setiembre settembre',
  'october oct oktober okt octobre octubre ottobre ott',
  'november nov novembre noviembre',
  'december dec dezember dez decembre diciembre dic dicembre',
]
const months = new Map<string, number>()
monthNames.forEach((names, index) => names.split(' ').forEach((name) => months.set(name, index + 1)))
const month = [...months.keys()].sort((left, right) => right.length - left.length).join('|')

const forms: { pattern: RegExp; read: (parts: string[], hints: DateHints) => string | null }[] = [
  {
    pattern: /(?<!\d|\d[./])(\d{4})\s?([-./])\s?(\d{1,2})\s?\2\s?(\d{1,2})(?![\d])/g,
    read: ([year, , mon, day]) => iso(year, Number(mon), day),
  },
  {
    // «02/11/20-02/17/20»: a dash ends the first of two dates, unless it is what separates day and month
    pattern:
      /(?<![\d.,/]|\d-(?=\d{1,2}\s?-))(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?![\d]|[.,/]\d|-\d(?!\d?[./]))/g,
    read: ([first, separator, second, year], hints) => numeric(first!, second!, year!, separator!, hints),
  },
  {
    // day, month and year in a box each
    pattern: /(?<![\d.,/-]|\d\s)(\d{2})\s(\d{2})\s((?:19|20)\d{2})(?!\d|\s?[.,/-]?\d)/g,
    read: ([first, second, year], hints) => numeric(first!, second!, year!, ' ', hints),
  },
  {
    pattern: new RegExp(
      `(?<![\\d.,])(\\d{1,2})\\s?(?:\\.|st|nd|rd|th|er|º|°)?(?:-|\\s{0,3})(?:de |of )?\\s{0,3}(${month})\\b\\.?,?[\\s-]{0,4}(?:de |del )?\\s{0,3}(\\d{4}|'?\\d{2})(?![\\d:]|,\\s?\\d{4})`,
      'g',
    ),
    read: ([day, name, year]) => iso(year, months.get(name!) ?? 0, day),
  },
  {
    // Line printers leave no room («12FEB24»).
    pattern: new RegExp(`(?<![\\w.,])(\\d{1,2})(${month})(\\d{4}|\\d{2})(?!\\w|[.,]\\d)`, 'g'),
    read: ([day, name, year]) => iso(year, months.get(name!) ?? 0, day),
  },
  {
    // «March 3rd, 2026», «Jun 15 12:47:59 2011»; tills print «Aug17'16» and «JAN09 03 9:03PM»
    pattern: new RegExp(
      `\\b(${month})(?![a-z])\\.?\\s{0,3}(\\d{1,2})` +
        '(?:(?:st|nd|rd|th)?(?:,|,?\\s{1,3}(?:\\d{1,2}:\\d{2}(?::\\d{2})?\\s{1,3})?)(\\d{4})' +
        "|\\s?['’]\\s?(\\d{2})" +
        '|(?<=[a-z]\\d{1,2})\\s(\\d{2})(?=\\s{1,3}\\d{1,2}:\\d{2}))(?!\\d)',
      'g',
    ),
    read: ([name, day, year, short, bare]) => iso(year ?? short ?? bare, months.get(name!) ?? 0, day),
  },
  {
    pattern: /(?<!\d)((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)/g,
    read: ([year, mon, day]) => iso(year, Number(mon), day),
  },
]

/**
 * All dates in a text, left to right, in numeric and word forms of English, German, French and Spanish.
 * Two-digit years up to 69 are of this century. `hints.order` decides what `03/04/2026` means; without it the day comes
 * first.
 */
export function findDates(text: string, hints: DateHints = {}): FoundDate[] {
  const folded = foldKeepingLength(text)
  let found: FoundDate[] = []
  for (const { pattern, read } of forms) {
    const added: FoundDate[] = []
    // both run from left to right, so the dates that are known are passed once for each form
    let next = 0
    for (const match of folded.matchAll(pattern)) {
      const start = match.index
      const end = start + match[0].length
      while (next < found.length && found[next]!.end <= start) next++
      if (next < found.length && found[next]!.start < end) continue
      const value = read(match.slice(1), hints)
      if (value !== null) added.push({ iso: value, start, end })
    }
    if (added.length > 0) found = [...found, ...added].sort((left, right) => left.start - right.start)
  }
  return found.length === 0 && hints.year !== undefined ? yearlessDate(folded, String(hints.year), hints) : found
}

const yearlessNumbers = /^\s*(\d{1,2})([./])(\d{1,2})\.?(?=\s|$)/
const yearlessWords = new RegExp(`^\\s*(\\d{1,2})\\.?\\s?(${month})\\b\\.?`)

/** A day and month that a text opens with, as a date of the year that is known. */
function yearlessDate(folded: string, year: string, hints: DateHints): FoundDate[] {
  const short = yearlessNumbers.exec(folded)
  const match = short ?? yearlessWords.exec(folded)
  if (!match) return []
  const value = short
    ? numeric(short[1]!, short[3]!, year, short[2]!, hints)
    : iso(year, months.get(match[2]!) ?? 0, match[1])
  return value === null ? [] : [{ iso: value, start: match.index, end: match.index + match[0].length }]
}

/**
 * Reads a text that is a date and nothing else; a weekday, «le», «den», «the» or a time of day may stand beside it.
 * Returns `YYYY-MM-DD`, or null.
 */
export function parseDate(text: string, hints: DateHints = {}): string | null {
  const [first, second] = findDates(text, hints)
  if (!first || second) return null
  const rest = fold(text.slice(0, first.start) + ' ' + text.slice(first.end))
  const plain = rest
    .replace(/\b\d{1,2}[:h.]\d{2}(?::\d{2})?(?:\s?(?:am|pm|uhr|h))?\b/g, ' ')
    .replace(
      /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b|\b(?:mo|di|mi|do|fr|sa|so)\b|\b(?:mon|diens|donners|frei|sams|sonn)tag\b|\bmittwoch\b|\b(?:lun|mar|mercre|jeu|vendre|same)di\b|\bdimanche\b|\b(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo)\b/g,
      ' ',
    )
    .replace(/\b(?:le|den|am|vom|the|on|el|du|del|of|de)\b/g, ' ')
  return /[a-z0-9]/.test(plain) ? null : first.iso
}

/** Letters in which dates in words are looked for: those of an office’s paper stand in its first pages. */
const mostInWords = 20_000

/**
 * Which comes first in the document's numeric dates: decided by those with a day over 12; where there are none, by those
 * that stand there in words as well («04/12/2017», «4 December 2017»); otherwise by `fallback`.
 */
export function dateOrderEvidence(text: string, fallback: 'DMY' | 'MDY'): 'DMY' | 'MDY' {
  let dayFirst = 0
  let monthFirst = 0
  for (const match of text.matchAll(/(?<![\d./-])(\d{1,2})[./-](\d{1,2})[./-](?:\d{4}|\d{2})(?!\d)/g)) {
    const first = Number(match[1])
    const second = Number(match[2])
    if (first > 12 && second <= 12) dayFirst++
    if (second > 12 && first <= 12) monthFirst++
  }
  if (dayFirst !== monthFirst) return dayFirst > monthFirst ? 'DMY' : 'MDY'
  return (dayFirst === 0 ? orderByWords(text.slice(0, mostInWords)) : undefined) ?? fallback
}

/** Undefined where no numeric date is one in words, or as many read one way as the other. */
function orderByWords(text: string): 'DMY' | 'MDY' | undefined {
  const inWords = findDates(text).filter(({ start, end }) => /\p{L}/u.test(text.slice(start, end)))
  const days = new Set(inWords.map((date) => date.iso))
  const readAs = (order: 'DMY' | 'MDY'): number =>
    new Set(
      findDates(text, { order })
        .filter((date) => !inWords.some(({ start }) => start === date.start) && days.has(date.iso))
        .map((date) => date.iso),
    ).size
  const [dayFirst, monthFirst] = days.size === 0 ? [0, 0] : [readAs('DMY'), readAs('MDY')]
  return dayFirst === monthFirst ? undefined : dayFirst > monthFirst ? 'DMY' : 'MDY'
}

function numeric(first: string, second: string, year: string, separator: string, hints: DateHints): string | null {
  if (separator === '-' && year.length === 2 && Number(first) > 31) return null
  // Points are never used month first.
  const monthFirst = hints.order === 'MDY' && separator !== '.'
  const preferred = monthFirst ? iso(year, Number(first), second) : iso(year, Number(second), first)
  return (
    preferred ??
    (separator === '.' ? null : monthFirst ? iso(year, Number(second), first) : iso(year, Number(first), second))
  )
}

function iso(yearText: string | undefined, monthNumber: number, dayText: string | undefined): string | null {
  const digits = (yearText ?? '').replace("'", '')
  const short = Number(digits)
  const year = digits.length === 2 ? (short <= 69 ? 2000 + short : 1900 + short) : short
  const day = Number(dayText)
  if (year < 1850 || year > 2200 || monthNumber < 1 || monthNumber > 12 || day < 1) return null
  if (day > new Date(Date.UTC(year, monthNumber, 0)).getUTCDate()) return null
  return `${year}-${String(monthNumber).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** Folded so that every character keeps its offset. */
function foldKeepingLength(text: string): string {
  let out = ''
  for (const character of text) {
    const folded = character.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
    out += character === '\u00A0' ? ' ' : folded.length === character.length ? folded : character
  }
  return out
}
