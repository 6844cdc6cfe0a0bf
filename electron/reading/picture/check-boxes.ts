import type { Canvas } from '@napi-rs/canvas'
import type { Box, Token } from '../../../shared/domain/document.ts'
import { medianOf } from '../numbers.ts'
import { boxEmpty, boxTicked } from '../symbols.ts'
import { blobsOf } from './blobs.ts'
import type { Blob } from './blobs.ts'
import { inkOf } from './ink.ts'
import type { Ink } from './ink.ts'

type FoundBox = { box: Box; ticked: boolean }

const inkSide = 2400

/**
 * Square outlines about as high as the type around them, with ticked or empty inside. Fractions of
 * the picture.
 */
export function boxesIn(canvas: Canvas, words: readonly Token[]): FoundBox[] {
  const usual = medianOf(words.map((word) => word.box.height))
  if (usual === undefined) return []
  const ink = inkOf(canvas, inkSide)
  const textHeight = usual * ink.height
  const least = Math.max(9, textHeight * 0.7)
  const most = Math.max(14, textHeight * 2.2)
  const squares = blobsOf(ink, most * 1.5).filter((square) => isOutline(square, ink, least, most))
  if (squares.length > 150) return []
  return squares.map((square) => ({
    box: {
      x: square.left / ink.width,
      y: square.top / ink.height,
      width: (square.right - square.left + 1) / ink.width,
      height: (square.bottom - square.top + 1) / ink.height,
    },
    ticked: inkShare(square, ink, 0.24) > 0.07,
  }))
}

/** Words with the boxes put in before the word to their right; words that are only the box misread are dropped. */
export function withBoxes(words: readonly Token[], boxes: readonly FoundBox[], aspect: number): Token[] {
  const kept = words.filter((word) => !boxes.some((found) => covers(found.box, word)))
  const result = [...kept]
  for (const found of boxes) {
    const token: Token = {
      text: found.ticked ? boxTicked : boxEmpty,
      box: found.box,
      fontSize: found.box.height,
      bold: false,
      confidence: 0.9,
    }
    const middle = found.box.y + found.box.height / 2
    let nearest = -1
    let nearestGap = 1
    for (const [index, word] of result.entries()) {
      const gap = (word.box.x - found.box.x - found.box.width) * aspect
      if (
        middle > word.box.y - word.box.height * 0.3 &&
        middle < word.box.y + word.box.height * 1.3 &&
        gap > -found.box.height &&
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

function covers(box: Box, word: Token): boolean {
  if (word.text.length > 2) return false
  const x = word.box.x + word.box.width / 2
  const y = word.box.y + word.box.height / 2
  return (
    x > box.x - box.width * 0.15 &&
    x < box.x + box.width * 1.15 &&
    y > box.y - box.height * 0.15 &&
    y < box.y + box.height * 1.15
  )
}

// All four sides are straight lines of ink; letters such as O and D have round or missing corners.
function isOutline(square: Blob, ink: Ink, least: number, most: number): boolean {
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
  if (Math.min(...sides) < 0.93) return false
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
