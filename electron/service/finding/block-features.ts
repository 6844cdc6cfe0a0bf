import { cellsBelow } from '../extraction/layout.ts'
import type { Cell, LayoutPage, Word } from '../extraction/layout.ts'
import { placeParts } from '../extraction/place-parts.ts'
import { hasLegalForm, isPlace } from './facts.ts'
import type { Proposal } from './propose.ts'
import { flag, shareOf } from './situation.ts'
import type { Place, PlaceFeature } from './situation.ts'

type PlaceMeasure = PlaceFeature[1]

const cellsUnder = new WeakMap<Cell, Cell[]>()
/** In heights of a line: so far a block may reach (propose.ts), and so far below a cell the next line of it may stand. */
const farthest = 10
export const farthestBelow = 4.2

/** What stands under a cell within so many lines; all that is proposed of it asks. */
export function under(page: LayoutPage, cell: Cell, lines: number): Cell[] {
  let known = cellsUnder.get(cell)
  if (!known) cellsUnder.set(cell, (known = cellsBelow(page, cell, farthest)))
  const lowest = cell.box.y + cell.box.height + lines * Math.max(page.lineHeight, cell.box.height)
  return known.filter(({ box }) => box.y <= lowest)
}

/** The cell right under the last line of a value. */
export function below({ page, cell, last = cell }: Proposal): Cell | undefined {
  return under(page, last, farthestBelow)[0]
}

const towns = new WeakMap<Cell, boolean>()

/** Whether a line may hold a town with its postcode, or a country. */
function hasTown(cell: Cell): boolean {
  let known = towns.get(cell)
  if (known === undefined)
    towns.set(cell, (known = isPlace(cell) || placeParts(cell.words).some(({ part }) => part === 'city')))
  return known
}

/** The cells that a value stands in, from top to bottom. */
function cellsOf({ page, cell, last }: Proposal): Cell[] {
  if (!last) return [cell]
  const more = under(page, cell, farthest)
  const at = more.indexOf(last)
  return [cell, ...(at < 0 ? [last] : more.slice(0, at + 1))]
}

/** A feature of the cell above or below a value: many proposals stand beside the same one. */
function ofNeighbour(neighbour: (one: Place) => Cell | undefined, feature: (cell: Cell) => number): PlaceMeasure {
  const known = new WeakMap<Cell, number>()
  return (one) => {
    const cell = neighbour(one)
    if (!cell) return NaN
    let value = known.get(cell)
    if (value === undefined) known.set(cell, (value = feature(cell)))
    return value
  }
}

const ofAbove = (feature: (cell: Cell) => number): PlaceMeasure =>
  ofNeighbour(({ around }) => around.aboveCell, feature)
const ofBelow = (feature: (cell: Cell) => number): PlaceMeasure =>
  ofNeighbour(({ proposal }) => below(proposal), feature)

/** How large the type of a value is beside that of a cell; NaN without one. */
function sizeBeside(word: Word, cell: Cell | undefined): number {
  return cell ? word.fontSize / Math.max(1e-4, cell.words[0]!.fontSize) : NaN
}

function linesBehindTown({ proposal }: Place): number {
  const cells = cellsOf(proposal)
  const at = cells.findLastIndex((cell) => hasTown(cell))
  return at < 0 ? NaN : cells.length - 1 - at
}

function linesToTown({ proposal: { page, cell } }: Place): number {
  const at = under(page, cell, farthest).findIndex((one) => hasTown(one))
  return at < 0 ? NaN : at + 1
}

/** Where a name ends and an address begins: what a value of several lines is made of, and its neighbours. */
export const blockFeatures: readonly PlaceFeature[] = [
  ['above: legal form', ofAbove(({ text }) => flag(hasLegalForm(text)))],
  ['above: comma', ofAbove(({ text }) => flag(text.endsWith(',')))],
  ['above: town', ofAbove((cell) => flag(hasTown(cell)))],
  ['above: share of digits', ofAbove(({ text }) => shareOf(text, /\d/g))],
  ['size beside the line above', ({ proposal, around }) => sizeBeside(proposal.words[0]!, around.aboveCell)],
  ['line below: town', ofBelow((cell) => flag(hasTown(cell)))],
  ['line below: share of digits', ofBelow(({ text }) => shareOf(text, /\d/g))],
  ['line below: colon', ofBelow(({ text }) => flag(text.includes(':')))],
  ['size beside the line below', ({ proposal }) => sizeBeside(proposal.words.at(-1)!, below(proposal))],
  ['comma at its end', ({ proposal }) => flag(proposal.words.at(-1)!.text.endsWith(','))],
  ['colon inside', ({ text }) => flag(text.includes(':'))],
  ['first line: digits', ({ proposal: { cell, from, to } }) => shareOf(textOfWords(cell, from, to), /\d/g)],
  ['last line: digits', ({ proposal: { last } }) => (last ? shareOf(last.text, /\d/g) : NaN)],
  ['towns in it', ({ proposal }) => cellsOf(proposal).filter((cell) => hasTown(cell)).length],
  ['lines behind its town', linesBehindTown],
  ['lines to a town below', linesToTown],
]

function textOfWords({ words }: Cell, from: number, to: number): string {
  return words
    .slice(from, to)
    .map(({ text }) => text)
    .join(' ')
}
