// In: a document, its values as a person left them, and where they are known to stand.
// Out: what it teaches about the next document of its sender.
import type { Box, Document } from '../../../shared/domain/document.ts'
import type { ExtractedRecord } from '../../../shared/domain/result.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { isValidIBAN } from 'ibantools'
import { parseDate } from '../../../shared/domain/parse-date.ts'
import { parseNumber } from '../../../shared/domain/parse-number.ts'
import { meanings, weightOf as saidBy } from '../../service/extraction/words.ts'
import { senderOf } from '../partners/sender.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Fingerprint } from './fingerprint.ts'
import { boxOf, datesIn, gluedTo, isNext, isWordy, keyOf, printedOf, standsIn } from './printed.ts'
import { spellingDay, spellingNumber, spellingText, textOf } from './printed.ts'
import type { Printed, PrintedPage, Word } from './printed.ts'

/** What one document teaches: the form that it has, and how each field of its header was found. */
export type Lesson = { form: Fingerprint; fields: FieldLesson[] }

/**
 * `printed`: it stands in these places, all of which spell it. `constant`: it stands nowhere. `nothing`: a person
 * emptied it.
 */
export type FieldLesson =
  | { name: string; kind: 'printed'; as: ValueKind; value: string | number; places: Place[] }
  | { name: string; kind: 'constant'; value: string }
  | { name: string; kind: 'nothing' }

/** How a value is read from its words. `iso`: a day as YYYY-MM-DD, else as it is printed. */
export type ValueKind =
  | { kind: 'number'; decimal: '.' | ','; sign: 1 | -1 }
  | { kind: 'date'; order: 'DMY' | 'MDY'; iso: boolean }
  | { kind: 'iban' }
  | { kind: 'code'; shape: string; words: number; spaced: boolean; before: string; behind: string }
  | { kind: 'text'; joint: string }

/** Where a value stands, in fractions of its page, and what stands around it. */
export type Place = {
  page: number
  box: Box
  lines: number
  /** Words that stand left of it on its line, the nearest first. */
  before: string[]
  /** The next thing on its line: a word that belongs to the same run of text, and where it begins. */
  behind: string | null
  until: number | null
  anchors: Anchor[]
}

/** A word by whose place the value's is known. A label weighs more than what stands near by chance. */
export type Anchor = [key: string, left: number, right: number, mid: number, weight: number]

/** As JSON: so much of a document is enough. */
const maxBytes = 20_000
const maxFields = 40
const maxPlaces = 3
/** A number may stand on a page hundreds of times. */
const maxLooked = 30
const maxValueChars = 200
const maxKeyChars = 30
const [maxBeside, maxAbove, maxNear] = [3, 3, 5]
/** The label right before a value says most, what stands near by chance least. */
export const nextWeight = 4
const [labelWeight, nearWeight] = [2, 0.5]
/** Labels stand at most so far above their values, as a share of the page. */
const aboveReach = 0.06

/** Who sent a document, where a field says so. */
export function sellerOf(record: ExtractedRecord, elements: readonly SchemaElement[]): string | null {
  return senderOf([record], elements)?.name?.value?.slice(0, maxValueChars) ?? null
}

export type Taught = {
  document: Document
  record: ExtractedRecord
  elements: readonly SchemaElement[]
  /** Where a value is known to stand. */
  boxOf: (name: string) => { page: number; box: Box } | null
  /** The fields that a person emptied. */
  emptied: ReadonlySet<string>
}

/** What a document teaches that a person corrected or approved. Pure. */
export function lessonOf({ document, record, elements, boxOf: known, emptied }: Taught): Lesson {
  const printed = printedOf(document)
  const fields = elements
    .filter(({ format }) => format !== 'list' && format !== 'boolean')
    .slice(0, maxFields)
    .flatMap((element) => {
      const field = fieldLesson(element, record[element.name], printed, known(element.name), emptied)
      return field === null ? [] : [field]
    })
  const form = fingerprintOf(printed, wordsOfLists(record))
  return { form, fields: bounded(rounded(fields), maxBytes - Buffer.byteLength(JSON.stringify(form))) }
}

/** Without further places, then without some of what stands around them, then without the last fields. */
function bounded(fields: FieldLesson[], bytes: number): FieldLesson[] {
  const isShort = (some: readonly FieldLesson[]): boolean => Buffer.byteLength(JSON.stringify(some)) <= bytes
  if (isShort(fields)) return fields
  const withAnchors = (count: number): FieldLesson[] =>
    fields.map((field) =>
      field.kind === 'printed'
        ? {
            ...field,
            places: field.places.slice(0, 1).map((place) => ({ ...place, anchors: place.anchors.slice(0, count) })),
          }
        : field,
    )
  const shorter = [maxBeside + maxAbove + maxNear, maxBeside + 1].map(withAnchors)
  const kept = shorter.find(isShort) ?? shorter.at(-1)!
  while (!isShort(kept)) kept.pop()
  return kept
}

function fieldLesson(
  { name, format }: SchemaElement,
  value: unknown,
  printed: Printed,
  known: { page: number; box: Box } | null,
  emptied: ReadonlySet<string>,
): FieldLesson | null {
  if (value === null || value === undefined || value === '') return emptied.has(name) ? { name, kind: 'nothing' } : null
  if ((typeof value !== 'string' && typeof value !== 'number') || String(value).length > maxValueChars) return null
  const found = printed.pages.flatMap((page) =>
    spelling(page, value).map((words) => ({
      page,
      words,
      isKnown: known !== null && standsIn({ page: page.number, box: boxOf(words) }, known),
    })),
  )
  const right = found.some(({ isKnown }) => isKnown) ? found.filter(({ isKnown }) => isKnown) : found
  const [first] = right
  if (first !== undefined) {
    const as = kindOf(value, first.words, printed)
    if (as === null) return null
    return { name, kind: 'printed', as, value, places: likeliest(right, name) }
  }
  // A number or a day that stands nowhere was computed, or read wrongly.
  const isFree = format === 'text' && typeof value === 'string' && parseDate(value) === null && !/\d/.test(value)
  return isFree ? { name, kind: 'constant', value } : null
}

/**
 * The places of a value that stands in several: those whose labels say what the field's name does, where there are
 * such.
 */
function likeliest(found: readonly { page: PrintedPage; words: Word[] }[], name: string): Place[] {
  const wanted = new Set(meanings(name))
  const places = found.slice(0, maxLooked).map(({ page, words }) => {
    const place = placeOf(page, words)
    const labels = place.anchors.filter(([, , , , weight]) => weight > nearWeight)
    const said = meanings(labels.map(([key]) => key).join(' ')).filter((meaning) => wanted.has(meaning))
    return { place, named: said.reduce((sum, meaning) => sum + saidBy(meaning), 0), labels: labels.length }
  })
  const most = Math.max(...places.map(({ named }) => named))
  return places
    .filter(({ named }) => named >= most - 0.01)
    .toSorted((one, other) => other.labels - one.labels)
    .slice(0, maxPlaces)
    .map(({ place }) => place)
}

function spelling(page: PrintedPage, value: string | number): Word[][] {
  if (typeof value === 'number')
    return [...spellingNumber(page, value), ...(value < 0 ? spellingNumber(page, -value) : [])]
  const day = parseDate(value)
  const days = day === null ? [] : spellingDay(page, day)
  return days.length > 0 ? days : spellingText(page, value)
}

/** How the words spell the value; null where it cannot be said. */
function kindOf(value: string | number, words: readonly Word[], printed: Printed): ValueKind | null {
  const text = textOf(words)
  if (typeof value === 'number') return numberKind(value, text, printed)
  const day = parseDate(value)
  if (day !== null) {
    const orders = (['DMY', 'MDY'] as const).filter((order) => datesIn(words, order).some(({ iso }) => iso === day))
    if (orders.length > 0)
      return { kind: 'date', order: orders.length === 2 ? orderOf(printed) : orders[0]!, iso: value === day }
  }
  if (isValidIBAN(value.replace(/\s/g, ''))) return { kind: 'iban' }
  const isCode = /@|www\./.test(value) || (/\d/.test(value) && words.length <= 6 && !/\p{Ll}{3}/u.test(value))
  return isCode ? codeKind(value, words) : { kind: 'text', joint: jointOf(value, words) }
}

function numberKind(value: number, text: string, printed: Printed): ValueKind {
  const read = (decimal: '.' | ','): number => parseNumber(text, { decimal, unit: true }) ?? NaN
  const decimals = (['.', ','] as const).filter((each) => Math.abs(read(each)) === Math.abs(value))
  const sign = value !== 0 && read(decimals[0] ?? '.') === -value ? -1 : 1
  return { kind: 'number', decimal: decimals.length === 1 ? decimals[0]! : decimalOf(printed), sign }
}

function codeKind(value: string, words: readonly Word[]): ValueKind {
  const glued = words.length === 1 ? gluedTo(words[0]!.text, value) : null
  return {
    kind: 'code',
    shape: shapeOf(value),
    words: words.length,
    spaced: words.length > 1 && value.includes(' '),
    before: glued?.before ?? '',
    behind: glued?.behind ?? '',
  }
}

/** The sign of decimals that most amounts of a document have. */
function decimalOf({ pages }: Printed): '.' | ',' {
  const texts = pages.flatMap(({ words }) => words.map(({ text }) => text))
  const commas = texts.filter((text) => /\d,\d{2}\D*$/.test(text)).length
  return commas > texts.filter((text) => /\d\.\d{2}\D*$/.test(text)).length ? ',' : '.'
}

/** Whether a document has the day first: only where a day is told from a month is it sure. */
function orderOf({ pages }: Printed): 'DMY' | 'MDY' {
  const isMonthFirst = pages.some(({ words }) =>
    words.some(({ text }) => /^\D*(?:0?[1-9]|1[0-2])[/-](?:1[3-9]|2\d|3[01])[/-]\d/.test(text)),
  )
  return isMonthFirst ? 'MDY' : 'DMY'
}

/** What stands between the lines of a value that is printed on several. */
function jointOf(value: string, words: readonly Word[]): string {
  const lines = linesIn(words).map(textOf)
  return [', ', '\n', ' '].find((joint) => lines.join(joint) === value) ?? ' '
}

/** The lines on which words stand. */
export function linesIn(words: readonly Word[]): Word[][] {
  const lines: Word[][] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && Math.abs(last[0]!.mid - word.mid) < (word.bottom - word.top) / 2) last.push(word)
    else lines.push([word])
  }
  return lines
}

/** Runs of letters and of digits as one sign each: `RE-2026/017` is `A-9/9`. */
export function shapeOf(text: string): string {
  return text
    .replace(/\s/g, '')
    .replace(/\p{L}+/gu, 'A')
    .replace(/\d+/g, '9')
}

function placeOf(page: PrintedPage, words: readonly Word[]): Place {
  const own = new Set(words)
  const box = boxOf(words)
  const first = words[0]!
  const line = page.lines.find((each) => each.includes(first)) ?? []
  const left = line.slice(0, line.indexOf(first)).reverse()
  const behind = line.slice(line.indexOf(words.findLast((word) => line.includes(word))!) + 1)
  const beside = left.filter((word) => isWordy(word)).slice(0, maxBeside)
  const above = labelsAbove(page, box, own).slice(0, maxAbove)
  const used = new Set([...own, ...beside, ...above])
  const distance = (word: Word): number =>
    Math.hypot((word.left - box.x) / page.ratio, word.mid - (box.y + box.height / 2))
  const near = page.words
    .filter((word) => isWordy(word) && !used.has(word))
    .toSorted((one, other) => distance(one) - distance(other))
    .slice(0, maxNear)
  const next = behind[0]
  return {
    page: page.number,
    box,
    lines: linesIn(words).length,
    before: left
      .slice(0, maxBeside)
      .filter((word) => isWordy(word))
      .map(({ key }) => key.slice(0, maxKeyChars)),
    behind:
      next !== undefined && isWordy(next) && isNext(words.at(-1)!, next, page.ratio)
        ? next.key.slice(0, maxKeyChars)
        : null,
    until: next?.left ?? null,
    anchors: [
      ...beside.map((word, index) => anchorOf(word, index === 0 ? nextWeight : labelWeight)),
      ...above.map((word) => anchorOf(word, labelWeight)),
      ...near.map((word) => anchorOf(word, nearWeight)),
    ],
  }
}

/** Words of the nearest line above that stand over the value. */
function labelsAbove(page: PrintedPage, box: Box, own: ReadonlySet<Word>): Word[] {
  const over = page.words
    .filter(
      (word) =>
        isWordy(word) &&
        !own.has(word) &&
        word.mid < box.y &&
        box.y - word.mid < aboveReach &&
        word.left < box.x + box.width &&
        word.right > box.x,
    )
    .toSorted((one, other) => other.mid - one.mid)
  return over.filter(({ mid, bottom, top }) => over[0]!.mid - mid < (bottom - top) / 2)
}

function anchorOf({ key, left, right, mid }: Word, weight: number): Anchor {
  return [key.slice(0, maxKeyChars), left, right, mid, weight]
}

function wordsOfLists(record: ExtractedRecord): Set<string> {
  const lists = Object.values(record).filter((value) => Array.isArray(value))
  return new Set(
    lists.flatMap((rows) =>
      rows.flatMap((row) =>
        Object.values(row).flatMap((value) => (typeof value === 'string' ? value.split(/\s+/).map(keyOf) : [])),
      ),
    ),
  )
}

/** Ten-thousandths of a page are less than a dot of a printer, and short to write. */
function rounded<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (key, each: unknown) =>
      typeof each === 'number' && key !== 'value' ? Math.round(each * 10_000) / 10_000 : each,
    ),
  ) as T
}
