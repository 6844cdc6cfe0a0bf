import { cleanText, isCheckBox, symbolFontBox, unifyBoxes } from '../symbols.ts'
import type { Glyph } from './glyphs.ts'
import type { Bounds } from './matrix.ts'

/** A word in page units, y downwards. The pen runs from start to end along its direction. */
export type Word = {
  text: string
  bounds: Bounds
  size: number
  bold: boolean
  startX: number
  startY: number
  endX: number
  endY: number
  directionX: number
  directionY: number
  spaceAfter: boolean
}

export type Words = {
  words: Word[]
  /** Glyphs that the file gives no character for. */
  unmapped: number
  mapped: number
}

/** A word that is no glyphs of the page: a field's value, a box. Its baseline is `lift` above the bottom. */
export function levelWord(text: string, bounds: Bounds, size: number, lift: number): Word {
  const baseline = bounds.bottom - lift
  return {
    text,
    bounds,
    size,
    bold: false,
    startX: bounds.left,
    startY: baseline,
    endX: bounds.right,
    endY: baseline,
    directionX: 1,
    directionY: 0,
    spaceAfter: true,
  }
}

// fractions of the type size: no space is narrower than the first, no kerning wider
const widestJoint = 0.13
const widestTouch = 0.08
const deepestOverlap = 0.4

/** Splits glyphs into words at spaces and gaps, joins fragments that touch, drops doubles that only fake bold. */
export function wordsOf(glyphs: readonly Glyph[]): Words {
  const result: Words = { words: [], unmapped: 0, mapped: 0 }
  let open: Word | null = null
  let previous: Glyph | null = null
  for (const glyph of glyphs) {
    const text = textOf(glyph)
    if (text === null) {
      result.unmapped++
      previous = glyph
      open = null
      continue
    }
    if (text.trim() === '') {
      if (open !== null && text !== '') open.spaceAfter = true
      if (text !== '') open = null
      continue
    }
    result.mapped++
    const isBox = isCheckBox(text)
    if (open !== null && previous !== null && !isBox && continues(open, previous, glyph)) extend(open, glyph, text)
    else {
      open = started(glyph, text)
      result.words.push(open)
      if (isBox) open = null
    }
    previous = glyph
  }
  result.words = joinTouching(withoutDoubles(result.words))
  return result
}

function textOf(glyph: Glyph): string | null {
  const box = symbolFontBox(glyph.font.name, glyph.code)
  if (box !== null) return box
  const raw = glyph.text
  if (raw === '' || /[\uFFFD\uE000-\uF8FF]/.test(raw)) return null
  const text = unifyBoxes(cleanText(raw))
  return text === '' && raw.charCodeAt(0) < 0x20 && !/\s/.test(raw) ? null : text === '' && /\s/.test(raw) ? ' ' : text
}

function direction(glyph: Glyph): { x: number; y: number } | null {
  const x = glyph.endX - glyph.startX
  const y = glyph.endY - glyph.startY
  const length = Math.hypot(x, y)
  return length > 1e-6 ? { x: x / length, y: y / length } : null
}

function started(glyph: Glyph, text: string): Word {
  const way = direction(glyph) ?? { x: 1, y: 0 }
  return {
    text,
    bounds: { ...glyph.bounds },
    size: glyph.size,
    bold: glyph.font.bold,
    startX: glyph.startX,
    startY: glyph.startY,
    endX: glyph.endX - way.x * glyph.spacing,
    endY: glyph.endY - way.y * glyph.spacing,
    directionX: way.x,
    directionY: way.y,
    spaceAfter: false,
  }
}

function continues(word: Word, previous: Glyph, glyph: Glyph): boolean {
  const way = direction(glyph)
  if (way !== null && way.x * word.directionX + way.y * word.directionY < 0.98) return false
  const size = Math.max(word.size, glyph.size)
  if (Math.min(word.size, glyph.size) < size * 0.45) return false
  // spaced-out type carries its spacing in the advance, so it is still one word
  const carried = Math.min(Math.max(previous.spacing, 0), size)
  const pen = { x: word.endX + word.directionX * carried, y: word.endY + word.directionY * carried }
  const { along, across } = distance(word, pen, { x: glyph.startX, y: glyph.startY })
  return across < size * 0.15 && along > -deepestOverlap * size && along < widestJoint * size
}

function extend(word: Word, glyph: Glyph, text: string): void {
  word.text += text
  word.bounds = around(word.bounds, glyph.bounds)
  word.size = Math.max(word.size, glyph.size)
  word.bold = word.bold && glyph.font.bold
  word.endX = glyph.endX - word.directionX * glyph.spacing
  word.endY = glyph.endY - word.directionY * glyph.spacing
}

export function around(one: Bounds, other: Bounds): Bounds {
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  }
}

// some producers print a word twice, a hair apart, to make it look bold
function withoutDoubles(words: Word[]): Word[] {
  const seen = new Map<string, Word[]>()
  return words.filter((word) => {
    const twins = seen.get(word.text) ?? []
    const twin = twinOf(word, twins)
    if (twin !== undefined) {
      if (twin.startX !== word.startX || twin.startY !== word.startY) twin.bold = true
      return false
    }
    twins.push(word)
    seen.set(word.text, twins)
    return true
  })
}

// a page has the same word less often; without a limit one that has nothing else is compared with itself for minutes
const maxTwins = 1000

function twinOf(word: Word, twins: readonly Word[]): Word | undefined {
  for (let index = twins.length - 1; index >= Math.max(0, twins.length - maxTwins); index--) {
    const other = twins[index]!
    if (
      Math.abs(other.startX - word.startX) < word.size * 0.12 &&
      Math.abs(other.startY - word.startY) < word.size * 0.12
    )
      return other
  }
  return undefined
}

// more words do not begin within six points of each other
const maxNear = 100

function joinTouching(words: Word[]): Word[] {
  const byEnd = new Map<string, Word[]>()
  const cell = (x: number, y: number): string => `${Math.round(x / 6)}:${Math.round(y / 6)}`
  for (const word of words) {
    const key = cell(word.startX, word.startY)
    const near = byEnd.get(key)
    if (near === undefined) byEnd.set(key, [word])
    else if (near.length < maxNear) near.push(word)
  }
  const gone = new Set<Word>()
  for (const word of words) {
    if (gone.has(word)) continue
    for (let next = touching(word, byEnd, gone, cell); next !== null; next = touching(word, byEnd, gone, cell)) {
      gone.add(next)
      word.text += next.text
      word.bounds = around(word.bounds, next.bounds)
      word.size = Math.max(word.size, next.size)
      word.bold = word.bold && next.bold
      word.endX = next.endX
      word.endY = next.endY
      word.spaceAfter = next.spaceAfter
    }
  }
  return words.filter((word) => !gone.has(word))
}

function touching(
  word: Word,
  starts: Map<string, Word[]>,
  gone: Set<Word>,
  cell: (x: number, y: number) => string,
): Word | null {
  if (word.spaceAfter || isCheckBox(word.text)) return null
  for (const stepX of [-6, 0, 6]) {
    for (const stepY of [-6, 0, 6]) {
      const near = starts.get(cell(word.endX + stepX, word.endY + stepY)) ?? []
      const next = near.find((other) => other !== word && !gone.has(other) && goesOn(word, other))
      if (next !== undefined) return next
    }
  }
  return null
}

/** True when the second word begins where the first one ends, in the same direction and about as large. */
function goesOn(word: Word, next: Word): boolean {
  if (isCheckBox(next.text)) return false
  const size = Math.max(word.size, next.size)
  if (Math.min(word.size, next.size) <= size * 0.6) return false
  if (next.directionX * word.directionX + next.directionY * word.directionY <= 0.98) return false
  const { along, across } = distance(word, { x: word.endX, y: word.endY }, { x: next.startX, y: next.startY })
  return across < size * 0.1 && along > -0.1 * size && along < widestTouch * size
}

/** From one point to another, along a word's direction (backwards is negative) and across it. */
function distance(
  { directionX, directionY }: Word,
  from: { x: number; y: number },
  to: { x: number; y: number },
): { along: number; across: number } {
  const x = to.x - from.x
  const y = to.y - from.y
  return { along: x * directionX + y * directionY, across: Math.abs(x * directionY - y * directionX) }
}
