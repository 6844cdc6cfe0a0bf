import type { Canvas } from '@napi-rs/canvas'
import type { Box, Token } from '../../../shared/domain/document.ts'
import { medianOf } from '../numbers.ts'
import { boxEmpty, boxTicked, isCheckBox } from '../symbols.ts'
import { blobsOf } from './blobs.ts'
import type { Blob } from './blobs.ts'
import { inkOf } from './ink.ts'
import type { Ink } from './ink.ts'

type FoundBox = { box: Box; ticked: boolean }

/** Heights of lines. A form with small print has boxes 2.6 lines high. */
const smallest = 0.7
const largest = 3

/** How much of each side is inked, of a box and of one that is as large as the others of its page. */
const wholeSide = 0.93
const brokenSide = 0.75
const alike = 0.12

/** Pixels of the longer side of the picture that boxes are looked for in. */
export const inkSide = 2400

/**
 * Square outlines as high as a line of the page or a few, with ticked or empty inside. Fractions of the picture.
 */
export function boxesIn(canvas: Canvas, words: readonly Token[]): FoundBox[] {
  const usual = medianOf(words.map((word) => word.box.height))
  if (usual === undefined) return []
  const ink = inkOf(canvas, inkSide)
  const textHeight = usual * ink.height
  const least = Math.max(9, textHeight * smallest)
  const most = Math.max(14, textHeight * largest)
  const blobs = blobsOf(ink, most * 1.5)
  const outlines = blobs.filter((square) => isOutline(square, ink, least, most, wholeSide))
  if (outlines.length > 150) return []
  // The boxes of a form are alike: of the same size, one with a gap in a side is one too.
  const size = medianOf(outlines.map(({ left, right }) => right - left))
  const isAlike = (square: Blob): boolean =>
    outlines.length > 1 && isOutline(square, ink, size! * (1 - alike), size! * (1 + alike) + 2, brokenSide)
  return blobs
    .filter((square) => outlines.includes(square) || isAlike(square))
    .map((square) => ({
      box: {
        x: square.left / ink.width,
        y: square.top / ink.height,
        width: (square.right - square.left + 1) / ink.width,
        height: (square.bottom - square.top + 1) / ink.height,
      },
      ticked: inkShare(square, ink, 0.24) > 0.07,
    }))
}

/**
 * Words with the boxes put in before the word to their right; words that are only the box misread are dropped. A bold
 * «n» on its serifs has four sides as well: what stands inside a word is a letter of it.
 */
export function withBoxes(words: readonly Token[], found: readonly FoundBox[], aspect: number): Token[] {
  const boxes = found.filter(({ box }) => !words.some((word) => isSaid(box, word) || isInside(box, word)))
  const kept = words.filter((word) => !boxes.some(({ box }) => covers(box, word)))
  const result = [...kept]
  for (const { box, ticked } of boxes) {
    const token: Token = {
      text: ticked ? boxTicked : boxEmpty,
      box,
      fontSize: box.height,
      bold: false,
      confidence: 0.9,
    }
    const middle = box.y + box.height / 2
    let nearest = -1
    let nearestGap = 1
    for (const [index, word] of result.entries()) {
      const gap = (word.box.x - box.x - box.width) * aspect
      if (
        middle > word.box.y - word.box.height * 0.3 &&
        middle < word.box.y + word.box.height * 1.3 &&
        gap > -box.height &&
        gap < nearestGap
      ) {
        nearest = index
        nearestGap = gap
      }
    }
    if (nearest < 0) {
      const below = result.findIndex((word) => word.box.y > middle)
      nearest = below < 0 ? result.length : below
    }
    result.splice(nearest, 0, token)
  }
  return result
}

/** Letters of the longest word that a box is misread as («IEI»). */
const mostMisread = 3

/** Whether a word fills a box: the file says itself whether it is ticked, or figures are written in it. */
function isSaid(box: Box, word: Token): boolean {
  return (isCheckBox(word.text) || /\d{2}|\d\p{L}/u.test(word.text)) && hasMiddle(box, word.box)
}

/** Whether a box stands inside a word that it is not misread as, neither at its beginning nor at its end. */
function isInside(box: Box, word: Token): boolean {
  const { x, width } = word.box
  const middle = box.x + box.width / 2
  return !covers(box, word) && hasMiddle(word.box, box) && middle > x + box.width && middle < x + width - box.width
}

function covers(box: Box, word: Token): boolean {
  return word.text.length <= mostMisread && hasMiddle(box, word.box)
}

/** Whether the middle of a place lies in a box, or hardly outside. */
function hasMiddle(box: Box, { x, y, width, height }: Box): boolean {
  const across = (x + width / 2 - box.x) / box.width
  const down = (y + height / 2 - box.y) / box.height
  return across > -0.15 && across < 1.15 && down > -0.15 && down < 1.15
}

// All four sides are straight lines of ink; letters such as O and D have round or missing corners.
function isOutline(square: Blob, ink: Ink, least: number, most: number, leastSide: number): boolean {
  const width = square.right - square.left + 1
  const height = square.bottom - square.top + 1
  if (
    width < least ||
    height < least ||
    width > most ||
    height > most ||
    Math.abs(width - height) > Math.max(width, height) * 0.2
  )
    return false
  const band = Math.max(2, Math.round(width * 0.14))
  const at = (x: number, y: number): boolean => ink.pixels[y * ink.width + x] === 1
  const side = (length: number, inked: (along: number, depth: number) => boolean): number => {
    let hits = 0
    for (let along = 0; along < length; along++) {
      for (let depth = 0; depth < band; depth++) {
        if (inked(along, depth)) {
          hits++
          break
        }
      }
    }
    return hits / length
  }
  const sides = [
    side(width, (along, depth) => at(square.left + along, square.top + depth)),
    side(width, (along, depth) => at(square.left + along, square.bottom - depth)),
    side(height, (along, depth) => at(square.left + depth, square.top + along)),
    side(height, (along, depth) => at(square.right - depth, square.top + along)),
  ]
  if (Math.min(...sides) < leastSide) return false
  // a filled square is a bullet, not a box
  return inkShare(square, ink, 0.24) < 0.75
}

function inkShare(square: Blob, ink: Ink, margin: number): number {
  const inset = Math.round((square.right - square.left) * margin)
  let inked = 0
  let count = 0
  for (let y = square.top + inset; y <= square.bottom - inset; y++) {
    for (let x = square.left + inset; x <= square.right - inset; x++) {
      inked += ink.pixels[y * ink.width + x] ?? 0
      count++
    }
  }
  return count === 0 ? 0 : inked / count
}
