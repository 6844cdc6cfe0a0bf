// In: the lessons of one form, and another document of that form.
// Out: what stands in the learned places of it.
import type { Box } from '../../../shared/domain/document.ts'
import { isValidIBAN } from 'ibantools'
import { parseNumber } from '../../../shared/domain/parse-number.ts'
import { boxOf, datesIn, isNext, keyOf, textOf } from './printed.ts'
import type { Printed, PrintedPage, Word } from './printed.ts'
import { linesIn, nextWeight, shapeOf } from './lesson.ts'
import type { FieldLesson, Place, ValueKind } from './lesson.ts'
import { withoutEnd } from '../../../shared/domain/without-end.ts'

type PrintedField = Extract<FieldLesson, { kind: 'printed' }>
type Read = { value: string | number; words: Word[] }

/**
 * What the lessons make of a field: `place` is null of what stands nowhere. `documents`: how many of them teach it.
 */
export type Learned = {
  value: string | number | null
  place: { page: number; box: Box; text: string } | null
  documents: number
}

/** A label that moved sideways by more than this share of the page is another one. */
const sidewaysReach = 0.02
/** Anchors that moved by nearly as much moved together. */
const sameMove = 0.006
/** One label, or two words near by, have to be there. */
const leastWeight = 1
/** So many moves are tried, and none that far fewer anchors speak for than for the best. */
const [maxMoves, leastShare] = [3, 0.6]
/** A value is looked for so far beside its place, where nothing stands in it. */
const besideReach = 0.05
/** One emptied field may have been chance. */
const fewestForNothing = 2
/** Another reading that nearly as much speaks for. */
const nearTie = 0.9

/** What each field is by the lessons of its form; a field that they do not tell has no entry. Pure. */
export function applyLessons(lessons: readonly (readonly FieldLesson[])[], document: Printed): Map<string, Learned> {
  const byName = Map.groupBy(lessons.flat(), ({ name }) => name)
  const learned = new Map<string, Learned>()
  for (const [name, fields] of byName) {
    const found = learnedOf(fields, document)
    if (found !== null) learned.set(name, found)
  }
  return learned
}

function learnedOf(fields: readonly FieldLesson[], document: Printed): Learned | null {
  const printed = fields.filter((field) => field.kind === 'printed')
  if (printed.length > 0) return vote(printed, document)
  const constants = fields.filter((field) => field.kind === 'constant')
  if (constants.length > 0) {
    const counts = Map.groupBy(constants, ({ value }) => value)
    return counts.size > 1 ? null : { value: constants[0]!.value, place: null, documents: constants.length }
  }
  return fields.length < fewestForNothing ? null : { value: null, place: null, documents: fields.length }
}

/** What most speaks for; null where two readings have nearly as much. */
function vote(fields: readonly PrintedField[], document: Printed): Learned | null {
  const votes = new Map<string, { read: Read; weight: number }>()
  for (const field of fields)
    for (const place of field.places) {
      const found = readAt(place, field, document)
      if (found === null) continue
      const key = comparable(found.value)
      const before = votes.get(key)
      if (before === undefined) votes.set(key, { read: found, weight: found.weight })
      else before.weight += found.weight
    }
  const [best, second] = [...votes.values()].toSorted((one, other) => other.weight - one.weight)
  if (best === undefined || (second !== undefined && second.weight > best.weight * nearTie)) return null
  const { value, words } = best.read
  const place = { page: words[0]!.page, box: boxOf(words), text: textOf(words) }
  return { value, place, documents: fields.length }
}

/** By what two readings are the same. */
export function comparable(value: unknown): string {
  return typeof value === 'string' ? keyOf(value) : typeof value === 'number' ? value.toFixed(6) : ''
}

/** The value in a place, where its anchors moved to; null where nothing of its kind stands there. */
function readAt(place: Place, field: PrintedField, document: Printed): (Read & { weight: number }) | null {
  const moves = movesOf(place, document)
  for (const { page, by, weight } of moves) {
    const found = readMoved(place, field, page, by)
    if (found !== null) return { ...found, weight }
  }
  return null
}

type Move = { page: PrintedPage; by: { x: number; y: number }; weight: number }

/** How the anchors moved, the likeliest first. */
function movesOf(place: Place, { pages, byKey }: Printed): Move[] {
  const moves: (Move & { by: { x: number; y: number } })[] = []
  for (const [key, left, right, mid, weight] of place.anchors) {
    const counted = new Set<Move>()
    for (const word of byKey.get(key) ?? []) {
      const sideways = [word.left - left, word.right - right]
      const x = sideways.toSorted((one, other) => Math.abs(one) - Math.abs(other))[0]!
      // The label right before a value takes it along wherever it goes.
      const isFar = Math.abs(x) > sidewaysReach
      if (isFar && weight < nextWeight) continue
      const said = isFar ? weight / 2 : weight
      const y = word.mid - mid
      const same = moves.find(
        ({ page, by }) =>
          page.number === word.page && Math.abs(by.y - y) < sameMove && Math.abs(by.x - x) < sidewaysReach,
      )
      if (same === undefined) {
        const page = pages.find(({ number }) => number === word.page)!
        const move = { page, by: { x, y }, weight: said }
        moves.push(move)
        counted.add(move)
      } else if (!counted.has(same)) {
        same.weight += said
        counted.add(same)
      }
    }
  }
  const nearness = ({ page, by }: Move): number =>
    (page.number === place.page ? 0.5 : 0) + 0.5 / (1 + Math.abs(by.y) * 20)
  const likely = moves
    .filter(({ weight }) => weight >= leastWeight)
    .toSorted((one, other) => other.weight + nearness(other) - one.weight - nearness(one))
  return likely.filter(({ weight }) => weight >= likely[0]!.weight * leastShare).slice(0, maxMoves)
}

function readMoved(place: Place, field: PrintedField, page: PrintedPage, by: { x: number; y: number }): Read | null {
  const lineHeight = place.box.height / place.lines
  const box = { ...place.box, x: place.box.x + by.x, y: place.box.y + by.y, height: lineHeight }
  const middle = box.y + lineHeight / 2
  const line = page.lines.findLast((each) => each.some(({ mid }) => Math.abs(mid - middle) < lineHeight / 2))
  if (line === undefined) return null
  const words = stretchAt(line, box, { ...place, value: String(field.value) }, page)
  if (words.length === 0) return null
  if (field.as.kind === 'text' && place.lines > 1) return readText(below(words, place.lines, page), field)
  return readers[field.as.kind](words, field, box)
}

/** The words of a line that stand in a box, with what belongs to them, without the words that stand around it. */
function stretchAt(line: readonly Word[], box: Box, place: Around, page: PrintedPage): Word[] {
  const gap = ({ left, right }: Word): number => Math.max(left - (box.x + box.width), box.x - right)
  const isOutside = (word: Word): boolean => isAround(word, box, place)
  const free = line.filter((word) => !isOutside(word))
  const nearest = free.toSorted((one, other) => gap(one) - gap(other))[0]
  if (nearest === undefined || gap(nearest) > besideReach) return []
  let [start, end] = [line.indexOf(nearest), line.indexOf(nearest)]
  while (start > 0 && !isOutside(line[start - 1]!) && isNext(line[start - 1]!, line[start]!, page.ratio)) start -= 1
  while (end < line.length - 1 && !isOutside(line[end + 1]!) && isNext(line[end]!, line[end + 1]!, page.ratio)) end += 1
  return line.slice(start, end + 1)
}

type Around = Place & { value: string }

/** Signs that part what stands on one line. */
const parting = /^[·•|/–—]$/

/** Whether a word is known to stand before or behind the value. */
function isAround(word: Word, box: Box, { before, behind, until, box: taught, value }: Around): boolean {
  if (parting.test(word.text) && !value.includes(word.text)) return true
  if (word.right <= box.x + 0.005) return before.includes(word.key)
  if (word.left < box.x + 0.005) return false
  // What stands behind it begins in a column of its own, or goes along with the text.
  return word.key === behind || (until !== null && Math.abs(word.left - until - (box.x - taught.x)) < 0.002)
}

/** With the lines below that begin, end or have their middle where it does. */
function below(words: Word[], lines: number, page: PrintedPage): Word[] {
  const all = [...words]
  let last = words
  for (let count = 1; count < lines; count += 1) {
    const above = boxOf(last)
    const next = runsBelow(page, above).find((run) => {
      const { x, width } = boxOf(run)
      const [left, right] = [x - above.x, x + width - above.x - above.width]
      return Math.min(Math.abs(left), Math.abs(right), Math.abs(left + right) / 2) < 0.006
    })
    if (next === undefined) break
    all.push(...next)
    last = next
  }
  return all
}

/** The runs of text in the line below a box. */
function runsBelow({ lines, ratio }: PrintedPage, { y, height }: Box): Word[][] {
  const middle = y + height / 2
  const line = lines.find(([first]) => first!.mid > middle + height * 0.6 && first!.mid < middle + height * 2.2)
  const runs: Word[][] = []
  for (const word of line ?? []) {
    const last = runs.at(-1)
    if (last !== undefined && isNext(last.at(-1)!, word, ratio)) last.push(word)
    else runs.push([word])
  }
  return runs
}

type Reader = (words: Word[], field: PrintedField, box: Box) => Read | null
type As<K extends ValueKind['kind']> = Extract<ValueKind, { kind: K }>

const readers: Record<ValueKind['kind'], Reader> = {
  number: readNumber,
  date: readDate,
  iban: readAccount,
  code: readCode,
  text: (words, field) => readText(words, field),
}

/** The stretches of words that lie nearest to a box, the nearest and longest first. */
function stretchesNear(words: readonly Word[], most: number, box: Box): Word[][] {
  const stretches = words.flatMap((_word, start) =>
    Array.from({ length: Math.min(most, words.length - start) }, (_, more) => words.slice(start, start + more + 1)),
  )
  const apart = (stretch: readonly Word[]): number => {
    const own = boxOf(stretch)
    // An amount ends where it did, a text begins where it did.
    return Math.min(Math.abs(own.x - box.x), Math.abs(own.x + own.width - (box.x + box.width)))
  }
  return stretches.toSorted((one, other) => apart(one) - apart(other) || other.length - one.length)
}

function readNumber(words: Word[], field: PrintedField, box: Box): Read | null {
  const { decimal, sign } = field.as as As<'number'>
  for (const stretch of stretchesNear(words, 4, box)) {
    const value = /\d/.test(textOf(stretch)) ? parseNumber(textOf(stretch), { decimal, unit: true }) : null
    if (value !== null) return { value: value === 0 ? 0 : value * sign, words: stretch }
  }
  return null
}

function readDate(words: Word[], field: PrintedField, box: Box): Read | null {
  const { order, iso } = field.as as As<'date'>
  const apart = (stretch: readonly Word[]): number => Math.abs(boxOf(stretch).x - box.x)
  const [nearest] = datesIn(words, order).toSorted((one, other) => apart(one.words) - apart(other.words))
  return nearest === undefined ? null : { value: iso ? nearest.iso : textOf(nearest.words), words: nearest.words }
}

function readAccount(words: Word[], field: PrintedField, box: Box): Read | null {
  for (const stretch of stretchesNear(words, 9, box)) {
    const text = textOf(stretch).replace(/^.*:/, '').trim()
    const bare = text.replace(/[^A-Z0-9]/gi, '').toUpperCase()
    if (isValidIBAN(bare)) return { value: String(field.value).includes(' ') ? text : bare, words: stretch }
  }
  return null
}

function readCode(words: Word[], field: PrintedField, box: Box): Read | null {
  const { shape, words: count, spaced, before, behind } = field.as as As<'code'>
  const bare = (stretch: readonly Word[]): string => {
    const text = stretch.map(({ text }) => text).join(spaced ? ' ' : '')
    const unglued = before !== '' && text.startsWith(before) ? text.slice(before.length) : text
    return behind !== '' && unglued.endsWith(behind) ? unglued.slice(0, -behind.length) : unglued
  }
  const stretches = stretchesNear(words, count, box)
  const isAlike = (stretch: readonly Word[]): boolean => shapeOf(bare(stretch)) === shape
  // A part of a code that is printed in groups has its shape as well.
  const alike = stretches.find((stretch) => stretch.length === count && isAlike(stretch)) ?? stretches.find(isAlike)
  const withDigit = words.filter(({ text }) => /\d/.test(text))
  // Another shape in the place of a code is one only where nothing else can be meant.
  const only = count === 1 && withDigit.length === 1 && words.length === 1 ? withDigit : undefined
  const found = alike ?? only
  return found === undefined ? null : { value: bare(found), words: found }
}

function readText(given: Word[], { as, value }: PrintedField): Read | null {
  const { joint } = as as As<'text'>
  const words = /\d/.test(String(value)) ? given : withoutNumbersAround(given)
  const lines = linesIn(words).map((line) => textOf(line))
  const text = withoutEnd(lines.join(joint).replace(/^[\s:]+/, ''), /[\s,;:]/).replace(
    /[()]/.test(String(value)) ? '' : /^\(|\)$/g,
    '',
  )
  const isPlausible =
    /\p{L}/u.test(text) === /\p{L}/u.test(String(value)) && text.length <= String(value).length * 3 + 20
  return isPlausible && text !== '' ? { value: text, words } : null
}

/** An amount beside a currency, a day behind a place: no part of a text that has no digits. */
function withoutNumbersAround(words: readonly Word[]): Word[] {
  const isFree = ({ text }: Word): boolean => !/\d/.test(text)
  const start = words.findIndex(isFree)
  return start < 0 ? [] : words.slice(start, words.findLastIndex(isFree) + 1)
}
