import type { Value } from '../../../shared/domain/result.ts'
import type { ValueKind } from './concept.ts'
import type { Evidence } from './evidence.ts'
import { joined, textOf, type Word } from './layout.ts'
import { findDates, parseCurrency, parseNumber } from './parse-value.ts'
import { fold } from '../../../shared/domain/fold.ts'
import { meaningsOf } from './words.ts'

/** A value read from a run of words: what it is, the words it was read from, and how well it suits its kind (0..1). */
export type Reading = { value: Exclude<Value, null>; words: Word[]; quality: number }

const bankCountries = [
  ...'AD AE AT AU BE BG BR CA CH CN CY CZ DE DK EE ES FI FR GB GR HK HR HU IE IL IN IT'.split(' '),
  ...'JP KR LI LT LU LV MC MT MX MY NL NO NZ PL PT RO RS SE SG SI SK SM TH TR UA US ZA'.split(' '),
]

/** «LS1 4AP», «B3H 1A1», «1234 AB», «D-76131», «97301-1234», «411001» */
export const postcodePattern =
  /\b(?:[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}|[A-Z]\d[A-Z]\s?\d[A-Z]\d|\d{4}\s?[A-Z]{2}|(?:[A-Z]{1,2}-)?\d{4,6}(?:-\d{4})?)\b/u
/** A time of day, with what may stand between hours and minutes; no part of a day or of an amount. */
const clock = (sign: string): string =>
  String.raw`(?<![\d.,:€$£])(?:[01]?\d|2[0-3])${sign}[0-5]\d(?::[0-5]\d)?(?:\s?[ap]\.?m\.?|[ap](?![\p{L}]))?(?![.,:]?\d)`
/** «18:33», «14h05», «7:19a», «5:23 PM», and «9.30», which may be an amount as well. */
export const timePattern = new RegExp(clock('[:h.]'), 'iu')
const plainTime = new RegExp(clock('[:h]'), 'iu')
/** SWIFT codes of banks (ISO 9362) in the countries that trade most: «RECHNUNG» has eight capitals as well. */
export const bicPattern = new RegExp(
  String.raw`\b[A-Z]{4}(?:${bankCountries.join('|')})[A-Z0-9]{2}(?:[A-Z0-9]{3})?\b`,
  'u',
)

/** VAT numbers as the countries of Europe form them. */
export const vatPattern =
  /\b(?:ATU\s?\d{8}|BE\s?[01]\d{3}\.?\d{3}\.?\d{3}|CHE[-\s]?\d{3}\.?\d{3}\.?\d{3}(?:\s?(?:MWST|TVA|IVA))?|DE\s?\d{3}\s?\d{3}\s?\d{3}|DK\s?\d{8}|ES\s?[A-Z0-9]\d{7}[A-Z0-9]|FR\s?[A-Z0-9]{2}\s?\d{3}\s?\d{3}\s?\d{3}|GB\s?\d{3}\s?\d{4}\s?\d{2}(?:\s?\d{3})?|IE\s?\d[A-Z0-9]\d{5}[A-Z]{1,2}|IT\s?\d{11}|LU\s?\d{8}|NL\s?\d{9}B\d{2}|PL\s?\d{10}|PT\s?\d{9}|SE\s?\d{12}|[A-HJ-NP-SUVW]-?\d{7}[0-9A-J]|\d{8}-?[A-HJ-NP-TV-Z]|[A-Z]{2}\d{8,12})\b/u

/**
 * Reads the first value of a kind from a run of words, or null when there is none.
 * `format` decides the type of the result: a number field never yields text.
 */
export function readValue(
  kind: ValueKind,
  format: 'text' | 'number' | 'boolean',
  words: readonly Word[],
  evidence: Evidence,
): Reading | null {
  if (words.length === 0) return null
  return format === 'number' ? readAnyNumber(kind, words, evidence) : readers[kind](words, evidence)
}

type Reader = (words: readonly Word[], evidence: Evidence) => Reading | null

/** How a value of each kind is read as text. */
const readers: Readonly<Record<ValueKind, Reader>> = {
  money: (words, evidence) => asText(readMoney(words, evidence)),
  number: (words, evidence) => asText(readMoney(words, evidence)) ?? readText(words),
  percent: (words, evidence) => asText(readPercent(words, evidence)),
  date: readDate,
  code: readCode,
  iban: (words) => readPattern(words, /\b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){2,7}(?:\s?[A-Z0-9]{1,4})?\b/u, hasIbanLength),
  bic: (words) => readPattern(words, bicPattern),
  vatid: (words) => readPattern(words, vatPattern) ?? longCode(words),
  currency: readCurrency,
  email: (words) => readPattern(words, /[\p{L}0-9._%+-]+\s?@\s?[\p{L}0-9.-]+\.\p{L}{2,}/u),
  url: (words) =>
    readPattern(
      words,
      /(?:https?:\/\/|www\.)[^\s,;]+|\b[a-z0-9-]+\.(?:com|de|fr|es|ch|at|net|org|eu|co\.uk|io|info|biz)\b(?:\/\S*)?/iu,
    ),
  phone: (words) => readPattern(words, /(?:\+|00)?\(?\d[\d\s()/.\-–]{5,24}\d(?:\s?-\s?\d{1,4})?/u, isPhone),
  time: (words) => readPattern(words, plainTime) ?? readPattern(words, timePattern),
  postcode: (words) => readPattern(words, postcodePattern),
  city: readCity,
  state: readText,
  party: readName,
  address: readText,
  text: readText,
  boolean: readText,
}

function asText(reading: Reading | null): Reading | null {
  return reading && { ...reading, value: textOf(reading.words) }
}

function readCurrency(words: readonly Word[]): Reading | null {
  const run = words.slice(0, 4)
  const code = parseCurrency(textOf(run))
  return code === null
    ? null
    : { value: code, words: run.filter((word) => parseCurrency(word.text) === code).slice(0, 1), quality: 1 }
}

function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length
  return digits >= 6 && digits <= 15 && !/^\d{1,2}\.\d{1,2}\.\d{2,4}$/.test(text)
}

function readCity(words: readonly Word[]): Reading | null {
  const text = textOf(words)
  const behind = /(?:^|\s)(?:[A-Z]{1,2}-)?\d{4,5}\s+(\p{Lu}[\p{L}\s.'’()/-]*)/u.exec(text)
  if (behind) return pick(words, text, behind[1]!.trim())
  return /\d/.test(text) ? null : readText(words)
}

function readName(words: readonly Word[]): Reading | null {
  const name = readText(words)
  return name && /\p{L}{2}/u.test(String(name.value)) && !/\d{2}|\b(?:no|nr|n°)\b/iu.test(String(name.value))
    ? name
    : null
}

const timeUnit =
  /^(?:days?|tagen?|jours?|d[ií]as|months?|monaten?|mois|meses|years?|jahren?|ans|años|hours?|stunden|std\.?|hrs?|stk\.?|kwh|kg|km|m²|m2)[.,;]?$/iu

function readAnyNumber(kind: ValueKind, words: readonly Word[], evidence: Evidence): Reading | null {
  if (kind === 'percent') return readPercent(words, evidence)
  if (kind === 'money') {
    const amount = readMoney(words, evidence)
    // «14 days» is a time, no amount.
    const next = amount && amount.quality < 1 ? words[words.indexOf(amount.words.at(-1)!) + 1] : undefined
    return next && timeUnit.test(next.text) ? null : amount
  }
  // A count or a reading has no decimals to prefer: the first number is the one.
  const number = kind === 'number' ? (amountsIn(words, evidence)[0] ?? null) : readMoney(words, evidence)
  return number ? { ...number, quality: 1 } : null
}

/** Numbers of a run of words, in order; thousands set apart by spaces and currencies beside them are joined. */
export function numbersIn(words: readonly Word[], evidence: Evidence): (Reading & { at: number })[] {
  const found: (Reading & { at: number })[] = []
  const dated = datedWords(words, evidence)
  for (let start = 0; start < words.length; start++) {
    const limit = Math.min(4, words.length - start)
    for (let length = limit; length >= 1; length--) {
      const run = words.slice(start, start + length)
      const text = textOf(run)
      if (run.some((word) => dated.has(word)) || isDateLike(text)) continue
      if (!couldBeOne(text, length) || belongsToMore(text, words[start - 1]?.text, words[start + length]?.text))
        continue
      const value = asStored(run, parseNumber(text, { ...evidence.numbers, unit: length === 1 }))
      if (value === null) continue
      found.push({ value, words: run, quality: /%/.test(text) ? 0.2 : moneyQuality(text), at: start })
      start += length - 1
      break
    }
  }
  return found
}

/** Whether a run of so many words has figures and does not hold two numbers or a rate. */
function couldBeOne(text: string, length: number): boolean {
  if (!/\d/.test(text)) return false
  if (length === 1) return true
  return !(/^[\d.,]+ \d[\d.,]* *[€$£]/.test(text) && !/^\d{1,3}( \d{3})+/.test(text)) && !/\d\s*%|%\s*\d/.test(text)
}

/** Whether the words beside figures make them a part of something else. */
function belongsToMore(text: string, before = '', behind = ''): boolean {
  if (behind.startsWith('%')) return true
  // «123 4567 89» is a number of a register, not an amount.
  if (/^\d+$/.test(text) && (/^\d+$/.test(behind) || /^\d+$/.test(before))) return true
  // Five figures before a name are a postcode.
  return /^\d{5}$/.test(text) && /^\p{Lu}\p{L}+/u.test(behind) && !/^(?:EUR|USD|CHF|GBP|Euro)/u.test(behind)
}

/** A workbook stores the number behind «1.234»; what is shown counts unless it was misread. */
function asStored(run: readonly Word[], shown: number | null): number | null {
  const stored = run.length === 1 ? run[0]!.stored : undefined
  if (stored === undefined) return shown
  return shown !== null && Math.abs(shown - stored) <= 0.01 + Math.abs(stored) * 0.005 ? shown : stored
}

/** The words that make a date in letters or numbers are no amounts («2 novembre 2026»). */
function datedWords(words: readonly Word[], evidence: Evidence): Set<Word> {
  if (words.length < 2 || words.length > 40) return new Set()
  const text = joined(words)
  if (!/\d{4}|\d[./]\d/.test(text)) return new Set()
  return new Set(
    findDates(text, { ...evidence.dates, year: undefined }).flatMap((date) => wordsAt(words, date.start, date.end)),
  )
}

function isDateLike(text: string): boolean {
  return /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$/.test(text) || /^\d{4}-\d{2}-\d{2}$/.test(text)
}

function moneyQuality(text: string): number {
  if (/[.,]\s?\d{2}(?!\d)|[€$£]|\b(?:EUR|CHF|USD|GBP)\b/.test(text)) return 1
  if (/^\d{5,}$/.test(text)) return 0.4
  if (/^\d{1,4}$/.test(text)) return 0.7
  return /^[-+]?[\d.,\s'’]+$/.test(text) ? 0.75 : 0.5
}

/** Numbers that can be amounts: «Nr. 7008», «§ 13», «P.O. Box 12» are none. */
function amountsIn(words: readonly Word[], evidence: Evidence): (Reading & { at: number })[] {
  return numbersIn(words, evidence).filter(
    (one) =>
      one.quality > 0.3 &&
      !/^(?:n[ro°]\.?:?|num\.?|§+|ziff\.?|art\.?|abs\.?|box|postfach|apartado)$/iu.test(words[one.at - 1]?.text ?? ''),
  )
}

function readMoney(words: readonly Word[], evidence: Evidence): Reading | null {
  const all = amountsIn(words, evidence)
  const sound = all.filter((one) => one.quality === 1)
  return (sound.length > 0 ? sound : all)[0] ?? null
}

function readPercent(words: readonly Word[], evidence: Evidence): Reading | null {
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!
    const next = words[index + 1]
    const glued = /^[-+]?[\d.,]+\s?%/.exec(word.text)
    if (glued) {
      const value = parseRate(glued[0], evidence)
      if (value !== null) return { value, words: [word], quality: 1 }
    }
    if (next && next.text.startsWith('%') && /^[-+]?[\d.,]+$/.test(word.text)) {
      const value = parseRate(word.text, evidence)
      if (value !== null) return { value, words: [word, next], quality: 1 }
    }
  }
  const bare = numbersIn(words, evidence)[0]
  return bare && Math.abs(bare.value as number) <= 100 && bare.words.length === 1 && !/[€$£]/.test(textOf(bare.words))
    ? { ...bare, quality: 0.6 }
    : null
}

/** «19,000 %» has three decimals: there is no rate of nineteen thousand. */
function parseRate(text: string, evidence: Evidence): number | null {
  const value = parseNumber(text, evidence.numbers)
  return value !== null && Math.abs(value) >= 1000 && /^[-+]?\d{1,2}[.,]\d{3}\s?%?$/.test(text) ? value / 1000 : value
}

function readDate(words: readonly Word[], evidence: Evidence): Reading | null {
  const run = words.slice(0, 14)
  const text = joined(run)
  const first = findDates(text, evidence.dates)[0]
  if (!first) return null
  return {
    value: first.iso,
    words: wordsAt(run, first.start, first.end),
    quality: first.start === 0 ? 1 : first.start < 14 ? 0.9 : 0.7,
  }
}

/** A tax number has at least six characters; «20» behind «TVA» is a rate. */
function longCode(words: readonly Word[]): Reading | null {
  const code = readCode(words)
  return code && String(code.value).replace(/[^\p{L}\d]/gu, '').length >= 6 ? code : null
}

/** What may stand between a label and its code. */
const codeFiller = /^(?:[-:#.|/–]|[*xX•]+|in|n[or°º]\.?:?|nr\.?:?|num\.?|id:?|der|de|the|le|number)$/iu
const codeWord = /^[\p{L}\d][\p{L}\d./_\-–:+*()]*$/u

function readCode(words: readonly Word[]): Reading | null {
  const opening = /^\(.*\)$/.test(words[0]!.text) ? 1 : 0
  let start = words.length > 2 ? opening : 0
  // «Nr.», «#», a GLN in brackets or the word «No» may stand between a label and its code.
  while (start < Math.min(3, words.length) && !/\d/.test(words[start]!.text)) start++
  if (start >= words.length) return wordCode(words)
  const prefixed = start > 0 && /^[A-ZÄÖÜ]{1,5}(?:[-/][A-Z]{0,3})?$/.test(words[start - 1]!.text)
  const first = prefixed ? start - 1 : start
  if (!words.slice(opening, first).every((word) => codeFiller.test(word.text))) return null
  const run = codeRun(words, first, start)
  const joined = textOf(run)
  const text = joined
    .replace(/[,;:.]$/, '')
    .replace(/^[#:]\s*/, '')
    .replace(/^\((.*)\)$/, '$1')
  if (text === '' || /^\d{1,3}(?:[.,' ’]?\d{3})*[.,]\d{2}$/.test(text) || /[%€$£]/.test(joined)) return null
  return { value: text, words: run, quality: isDateLike(text) ? 0.3 : 1 }
}

/** «BC-OCT» is a code; a bare word without a digit, as «DATE», is another label. */
function wordCode(words: readonly Word[]): Reading | null {
  const only = words[0]!
  return words.length === 1 && /^[A-Z]+[_-][A-Z_-]+$/.test(only.text) && meaningsOf(fold(only.text)).length > 0
    ? { value: only.text, words: [only], quality: 0.5 }
    : null
}

/** The words of a code from its first word, of which the one at `start` holds figures. */
function codeRun(words: readonly Word[], first: number, start: number): Word[] {
  const run = words.slice(first, start + 1)
  for (const word of words.slice(start + 1, start + 8)) {
    if (textOf(run).length > 34 || /[,;:]$/.test(run.at(-1)!.text) || !continuesCode(word.text)) break
    run.push(word)
  }
  // «SV21 KLM», «QQ 12 34 56 C»: letters close a number that fills its place alone.
  const alone = first === 0 && run.length === words.length && run.length <= 6 && /^[A-Z]{1,3}$/.test(run.at(-1)!.text)
  while (!alone && run.length > 1 && !/\d/.test(run.at(-1)!.text)) run.pop()
  return run
}

function continuesCode(text: string): boolean {
  const bare = text.replace(/[,;]$/, '')
  if (
    !codeWord.test(bare) ||
    isDateLike(bare) ||
    /^(?:EUR|USD|CHF|GBP|DE|FR|ES|GB|UK|US|AG|SA|ET|UND|OF|A)$/.test(bare)
  )
    return false
  return /^\d[\d./-]*$/.test(bare) || /^[A-Z]{1,3}$/.test(bare) || (/\d/.test(bare) && /^[A-Z\d./-]+$/.test(bare))
}

function readPattern(
  words: readonly Word[],
  pattern: RegExp,
  accept: (text: string) => boolean = () => true,
): Reading | null {
  const run = words.slice(0, 16)
  const text = joined(run)
  const match = pattern.exec(text)
  if (!match || !accept(match[0])) return null
  const value = match[0].replace(/[.,;]$/, '').trim()
  return {
    value: value.replace(/\s+/g, ' '),
    words: wordsAt(run, match.index, match.index + match[0].length),
    quality: match.index === 0 ? 1 : match.index < 12 ? 0.92 : 0.75,
  }
}

/** The length of ISO 13616; the check by 97 is not made, since a number that fails it can still be what is printed. */
function hasIbanLength(text: string): boolean {
  const { length } = text.replace(/\s/g, '')
  return length >= 14 && length <= 34
}

function readText(words: readonly Word[]): Reading | null {
  const run = [...words]
  while (run.length > 0 && /^[:.\-–|=•●_]+$/u.test(run[0]!.text)) run.shift()
  while (run.length > 0 && /^[:|_]+$/u.test(run.at(-1)!.text)) run.pop()
  const text = textOf(run)
    .replace(/^[:_\s]+/, '')
    .replace(/_{3,}/g, '')
    .trim()
  if (text === '' || !/[\p{L}\d]/u.test(text)) return null
  // An amount is no answer to a question for words.
  if (/^[-+]?[€$£]?\s?\d{1,3}(?:[.,' ’]?\d{3})*[.,]\d{2}\s?(?:€|EUR|CHF|£|\$)?$/u.test(text)) return null
  return { value: text, words: run, quality: text.length > 160 ? 0.5 : 1 }
}

function pick(words: readonly Word[], text: string, part: string): Reading {
  const start = text.indexOf(part)
  return { value: part, words: wordsAt(words, start, start + part.length), quality: 1 }
}

/** The words that stand between two character offsets of their text joined by single spaces. */
export function wordsAt(words: readonly Word[], start: number, end: number): Word[] {
  const found: Word[] = []
  let offset = 0
  for (const word of words) {
    if (offset < end && offset + word.text.length > start) found.push(word)
    offset += word.text.length + 1
  }
  return found
}
