import { boxEmpty, boxTicked, isCheckBox } from '../symbols.ts'
import type { DrawnPath } from './glyphs.ts'
import type { Bounds } from './matrix.ts'
import { levelWord } from './words.ts'
import type { Word } from './words.ts'

const smallest = 5
const largest = 20
const maxSquares = 200

/**
 * Check boxes that a PDF draws as small squares (5 to 20 points). A square counts as ticked when a
 * cross, tick or dot is drawn or written inside it. Marks that were written become the box itself.
 */
export function drawnBoxes(paths: readonly DrawnPath[], words: readonly Word[]): Word[] {
  const squares: DrawnPath[] = []
  for (const path of paths) {
    if (path.outline && isSquare(path) && !squares.some((other) => same(path, other))) squares.push(path)
    // a page full of little squares is a chart or a pattern, not a form
    if (squares.length > maxSquares) return []
  }
  const boxes: Word[] = []
  for (const square of squares) {
    if (words.some((word) => isCheckBox(word.text) && overlaps(word.bounds, square))) continue
    const inside = words.filter((word) => centreIn(word.bounds, square))
    if (inside.some((word) => !/^[xX×✓✔✗✘✕✖•●■]$/.test(word.text))) continue
    const marked = inside.length > 0 || paths.some((path) => isMark(path, square))
    if (inside.length > 0) for (const mark of inside) mark.text = boxTicked
    else boxes.push(boxWord(marked ? boxTicked : boxEmpty, square))
  }
  return boxes
}

function isSquare(box: Bounds): boolean {
  const width = box.right - box.left
  const height = box.bottom - box.top
  return (
    width >= smallest &&
    width <= largest &&
    height >= smallest &&
    height <= largest &&
    Math.abs(width - height) <= Math.max(width, height) * 0.15
  )
}

function same(one: Bounds, other: Bounds): boolean {
  return [one.left - other.left, one.top - other.top, one.right - other.right, one.bottom - other.bottom].every(
    (difference) => Math.abs(difference) < 1.5,
  )
}

function within(inner: Bounds, outer: Bounds): boolean {
  return (
    inner.left >= outer.left - 1 &&
    inner.right <= outer.right + 1 &&
    inner.top >= outer.top - 1 &&
    inner.bottom <= outer.bottom + 1
  )
}

// a cross or tick fills the square nearly to its edges; a second drawing of the square itself is no mark
function isMark(path: DrawnPath, square: Bounds): boolean {
  if (!within(path, square) || isSquareBorder(path, square)) return false
  return !same(path, square) || (!path.outline && path.right - path.left < square.right - square.left - 0.5)
}

// one side of the square, drawn as a line of its own
function isSquareBorder(path: Bounds, square: Bounds): boolean {
  const thin = Math.min(path.right - path.left, path.bottom - path.top) < 1.2
  const atEdge = [
    path.left - square.left,
    path.right - square.right,
    path.top - square.top,
    path.bottom - square.bottom,
  ].filter((difference) => Math.abs(difference) < 1.2)
  return thin && atEdge.length >= 3
}

function overlaps(one: Bounds, other: Bounds): boolean {
  return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top
}

function centreIn(inner: Bounds, outer: Bounds): boolean {
  const x = (inner.left + inner.right) / 2
  const y = (inner.top + inner.bottom) / 2
  return x > outer.left && x < outer.right && y > outer.top && y < outer.bottom
}

function boxWord(text: string, bounds: Bounds): Word {
  const size = bounds.bottom - bounds.top
  return levelWord(text, bounds, size, size * 0.15)
}
