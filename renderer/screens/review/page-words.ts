import type { CallOutput } from '../../../shared/contract/contract.ts'
import type { Box } from '../../../shared/domain/document.ts'
import type { Rotation } from './rotation.ts'

/** A word of a page, its place as fractions of the page. */
export type PageWord = CallOutput<'documents.preview'>['pages'][number]['words'][number]
/** A place on a page, as fractions of it. */
export type Point = { x: number; y: number }

/** A finger and a mouse do not meet a word exactly: so far beside it, in heights of it, it is meant. */
const slack = 0.4

/** Where a place of the turned page lies on the page. Pure. */
export function unrotatePoint({ x, y }: Point, rotation: Rotation): Point {
  if (rotation === 90) return { x: y, y: 1 - x }
  if (rotation === 180) return { x: 1 - x, y: 1 - y }
  if (rotation === 270) return { x: 1 - y, y: x }
  return { x, y }
}

/** The index of the word at a place, or right beside it; -1 where none is. Pure. */
export function wordAt(words: readonly PageWord[], { x, y }: Point): number {
  return words.findIndex((word) => {
    const air = word.height * slack
    return x >= word.x - air && x <= word.x + word.width + air && y >= word.y - air && y <= word.y + word.height + air
  })
}

/**
 * What a drag takes: from word to word all words between them, in the order in which they are read; from a place
 * without a word, or to one, those whose middle lies in the box. Indices in that order. Pure.
 */
export function wordsOfDrag(words: readonly PageWord[], from: Point, to: Point): number[] {
  const [first, last] = [wordAt(words, from), wordAt(words, to)]
  if (first !== -1 && last !== -1) return wordsBetween(first, last)
  const [left, right] = [Math.min(from.x, to.x), Math.max(from.x, to.x)]
  const [top, bottom] = [Math.min(from.y, to.y), Math.max(from.y, to.y)]
  return words.flatMap((word, index) => {
    const middle = middleOf(word)
    return middle.x >= left && middle.x <= right && middle.y >= top && middle.y <= bottom ? [index] : []
  })
}

/** All indices from one to another, whichever is first. Pure. */
export function wordsBetween(a: number, b: number): number[] {
  const first = Math.min(a, b)
  return Array.from({ length: Math.abs(a - b) + 1 }, (_, index) => first + index)
}

export type Direction = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown'

/**
 * The word that an arrow leads to: the one before or behind in the order of reading, or the nearest one of the line
 * above or below; -1 where there is none on the page. Pure.
 */
export function wordBeside(words: readonly PageWord[], from: number, direction: Direction): number {
  if (direction === 'ArrowRight') return from + 1 < words.length ? from + 1 : -1
  if (direction === 'ArrowLeft') return from - 1
  const here = words[from]
  if (here === undefined) return -1
  const isUp = direction === 'ArrowUp'
  const middle = middleOf(here)
  const beyond = words.flatMap((word, index) => {
    const away = isUp ? middle.y - middleOf(word).y : middleOf(word).y - middle.y
    // What is less than half a line away stands on the same line.
    return away > here.height / 2 ? [{ index, away, aside: Math.abs(middleOf(word).x - middle.x) }] : []
  })
  const nearest = Math.min(...beyond.map(({ away }) => away))
  const line = beyond.filter(({ away }) => away < nearest + here.height / 2)
  return line.reduce((best, word) => (word.aside < best.aside ? word : best), { index: -1, aside: Infinity }).index
}

/** The box around words. Pure. */
export function boxAround(words: readonly Box[]): Box {
  const x = Math.min(...words.map((word) => word.x))
  const y = Math.min(...words.map((word) => word.y))
  const right = Math.max(...words.map((word) => word.x + word.width))
  const bottom = Math.max(...words.map((word) => word.y + word.height))
  return { x, y, width: right - x, height: bottom - y }
}

function middleOf({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 }
}
