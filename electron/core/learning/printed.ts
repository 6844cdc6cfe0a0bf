// In: a document as text with places.
// Out: its words by line and by what they say, and the stretches of them that spell a value.
import type { Box, Document } from '../../../shared/domain/document.ts'
import { findDates } from '../../../shared/domain/parse-date.ts'
import { parseNumber } from '../../../shared/domain/parse-number.ts'

/** A word and its place, in fractions of its page; `key` is by what it is the same word elsewhere. */
export type Word = {
  text: string
  key: string
  page: number
  left: number
  right: number
  top: number
  bottom: number
  /** The height of its middle. */
  mid: number
}

export type PrintedPage = {
  number: number
  /** How many widths of the page it is high: a height times this is a width. */
  ratio: number
  words: Word[]
  lines: Word[][]
}

/** A document as learning looks at it. */
export type Printed = { pages: PrintedPage[]; byKey: ReadonlyMap<string, Word[]> }

/** A form shows on its first pages, and totals stand on one of them or near the end. */
const maxPages = 30
const maxWords = 4000
/** Words whose middles lie closer than this share of their height stand on one line. */
const sameLineByHeight = 0.5
/** A gap wider than this share of a word's height ends what belongs together. */
const gapByHeight = 1.1

/** How far boxes of the same words may lie apart, in fractions of the page. */
const boxTolerance = 0.005

type Area = { page: number; box: Box }

/** Whether the middle of an area lies in another one. */
export function standsIn(own: Area, { page, box }: Area): boolean {
  const [x, y] = [own.box.x + own.box.width / 2, own.box.y + own.box.height / 2]
  const isWithin = (at: number, from: number, length: number): boolean =>
    at >= from - boxTolerance && at <= from + length + boxTolerance
  return own.page === page && isWithin(x, box.x, box.width) && isWithin(y, box.y, box.height)
}

export function printedOf(document: Document): Printed {
  const pages = document.pages.slice(0, maxPages).map(({ number, width, height, tokens }): PrintedPage => {
    const words = tokens.slice(0, maxWords).map(({ text, box }) => wordOf(text, box, number))
    return { number, ratio: height / width, words, lines: linesOf(words) }
  })
  const byKey = new Map<string, Word[]>()
  for (const { words } of pages)
    for (const word of words) {
      const same = byKey.get(word.key)
      if (same === undefined) byKey.set(word.key, [word])
      else same.push(word)
    }
  return { pages, byKey }
}

function wordOf(text: string, { x, y, width, height }: Box, page: number): Word {
  return { text, key: keyOf(text), page, left: x, right: x + width, top: y, bottom: y + height, mid: y + height / 2 }
}

/** Case, spaces and the signs that end a label or a sentence do not count. */
export function keyOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s.,:;]+/g, '')
}

/** True for a word that names something: it has letters and no digit. */
export function isWordy({ key }: Word): boolean {
  return /\p{L}{2}/u.test(key) && !/\d/.test(key)
}

function linesOf(words: readonly Word[]): Word[][] {
  const lines: Word[][] = []
  for (const word of [...words].sort((one, other) => one.mid - other.mid)) {
    const line = lines.slice(-4).findLast((candidate) => isBeside(candidate.at(-1)!, word))
    if (line === undefined) lines.push([word])
    else line.push(word)
  }
  for (const line of lines) line.sort((one, other) => one.left - other.left)
  return lines
}

function isBeside(one: Word, other: Word): boolean {
  const height = Math.min(one.bottom - one.top, other.bottom - other.top)
  return Math.abs(one.mid - other.mid) < height * sameLineByHeight
}

/** Whether two neighbours of a line belong together. */
export function isNext(one: Word, other: Word, ratio: number): boolean {
  return other.left - one.right < Math.max(one.bottom - one.top, other.bottom - other.top) * ratio * gapByHeight
}

export function boxOf(words: readonly Word[]): Box {
  const left = Math.min(...words.map((word) => word.left))
  const top = Math.min(...words.map((word) => word.top))
  return {
    x: left,
    y: top,
    width: Math.max(...words.map((word) => word.right)) - left,
    height: Math.max(...words.map((word) => word.bottom)) - top,
  }
}

export function textOf(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(' ')
}

/** More words than these spell no number. */
const maxNumberWords = 3

/** Each stretch of words that spells the number, whatever signs it is printed with. */
export function spellingNumber(page: PrintedPage, value: number): Word[][] {
  return page.lines.flatMap((line) =>
    line.flatMap((_word, start) => {
      for (let count = 1; count <= maxNumberWords && start + count <= line.length; count += 1) {
        const words = line.slice(start, start + count)
        if (!/\d/.test(words[0]!.text)) return []
        const text = textOf(words)
        for (const decimal of ['.', ','] as const)
          if (parseNumber(text, { decimal, unit: true }) === value) return [words]
      }
      return []
    }),
  )
}

/** Each stretch of words that spells the day (YYYY-MM-DD). */
export function spellingDay(page: PrintedPage, day: string): Word[][] {
  return page.lines.flatMap(
    (line) =>
      (['DMY', 'MDY'] as const)
        .map((order) => datesIn(line, order).filter(({ iso }) => iso === day))
        .find((found) => found.length > 0)
        ?.map(({ words }) => words) ?? [],
  )
}

/** The dates of a line with the words that spell them. */
export function datesIn(line: readonly Word[], order: 'DMY' | 'MDY'): { iso: string; words: Word[] }[] {
  let length = 0
  const ends = line.map(({ text }) => (length += text.length + 1) - 1)
  return findDates(textOf(line), { order }).map(({ iso, start, end }) => ({
    iso,
    words: line.filter(({ text }, index) => ends[index]! > start && ends[index]! - text.length < end),
  }))
}

/** Each stretch of words that spells the text; also one word that ends or begins with it after a sign. */
export function spellingText(page: PrintedPage, value: string): Word[][] {
  const wanted = keyOf(value)
  if (wanted === '') return []
  return page.words.flatMap((word, start) => {
    if (word.key !== '' && wanted.startsWith(word.key)) {
      let joined = ''
      for (let end = start; end < page.words.length && wanted.startsWith(joined); end += 1) {
        joined += page.words[end]!.key
        if (joined === wanted) return [page.words.slice(start, end + 1)]
      }
    }
    return gluedTo(word.text, value) === null ? [] : [[word]]
  })
}

/** What stands before and behind a value in its word, as in `No.:4711`; null where it is no part of it by itself. */
export function gluedTo(text: string, value: string): { before: string; behind: string } | null {
  const at = value.length < 3 ? -1 : text.indexOf(value)
  if (at < 0 || text.length === value.length) return null
  const [before, behind] = [text.slice(0, at), text.slice(at + value.length)]
  return /[\p{L}\d]$/u.test(before) || /^[\p{L}\d]/u.test(behind) ? null : { before, behind }
}
