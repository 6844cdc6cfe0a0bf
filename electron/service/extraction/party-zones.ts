import type { Box } from '../../../shared/domain/document.ts'
import { partySides } from './concepts.ts'
import { isKnownLabel, likeness, type Side } from './field.ts'
import { cellsBelow, joined, type Cell, type Layout, type LayoutPage, type Word } from './layout.ts'
import { maxBy } from './max-by.ts'
import { placeLine, inlinePlace, country, isTitle, nameLine, isLabelled, isSkippable } from './party-words.ts'
import { meanings, surfaceWords } from './words.ts'

/** Name and address of one side as they stand in the document, line by line. */
export type Party = { side: Side; score: number; name: Word[]; lines: Word[][]; page: number }

/** An area that a heading such as «Verkäufer» or «Bill to» governs. */
export type Zone = { side: Side; page: number; box: Box; heading: Cell }

const sideLabels = (['seller', 'buyer', 'delivery'] as const).flatMap((side) =>
  partySides[side].labels.map((label) => {
    const words = meanings(label)
    const surface = surfaceWords(label).join(' ')
    const whole = words.length === surface.split(' ').length || !surface.includes(' ')
    // «Empresa» heads the sender on Spanish papers; «Firma» above an address is a form of address.
    const wordy = words.length > 0 && surface.length >= 4 && whole && !words.includes('company')
    return { side, words, surface, wordy }
  }),
)

/** Which side a heading announces («Rechnung an», «Ship to»), or undefined. */
export function sideOfHeading(text: string): Side | undefined {
  if (text.length > 48 || /\d/.test(text)) return undefined
  const surface = surfaceWords(text).join(' ')
  const words = meanings(text)
  return maxBy(
    sideLabels,
    (label) => (label.surface === surface ? 1 : label.wordy ? 0.98 * likeness(words, label.words) : 0),
    0.84,
  )?.side
}

type Heading = { side: Side; cell: Cell }

/** The areas that the headings of a page govern. */
export function zonesOf(page: LayoutPage): Zone[] {
  const headings = page.lines
    .flatMap((line) => line.cells)
    .flatMap((cell): Heading[] => {
      const side = headedSide(cell)
      return side ? [{ side, cell }] : []
    })
  return headings.map((heading) => zoneOf(heading, headings, page))
}

/** The side that a cell is the heading of; words may follow behind a colon. */
function headedSide(cell: Cell): Side | undefined {
  const label = /^([^:]{2,40}):/.exec(cell.text)?.[1] ?? cell.text
  const value = cell.text.slice(label.length).replace(/^:\s*/, '')
  if (value !== '' && !/\p{L}{2}/u.test(value)) return undefined
  // «an», «to» or «from» alone are only a heading when they stand alone or before a colon.
  return label.length > 4 || cell.text.trim() === label || cell.text.includes(':') ? sideOfHeading(label) : undefined
}

/** The area of one heading: as wide as what stands under and beside it, down to a gap, a label or the next heading. */
function zoneOf({ side, cell }: Heading, headings: readonly Heading[], page: LayoutPage): Zone {
  const right = headings
    .filter((other) => Math.abs(other.cell.line - cell.line) <= 1 && other.cell.box.x > cell.box.x + 0.05)
    .map((other) => other.cell.box.x - page.em)
  const limit = Math.min(1, ...right)
  const left = Math.max(0, cell.box.x - page.em)
  let edge = firstEdge(cell, page, limit)
  let bottom = cell.box.y + cell.box.height
  for (const line of page.lines) {
    if (line.index <= cell.line) continue
    const inside = line.cells.filter(
      (other) => other.box.x < Math.min(edge, limit) && other.box.x + other.box.width > left,
    )
    if (inside.length === 0) continue
    const next = Math.min(...inside.map((other) => other.box.y))
    if (inside.some((other) => endsZone(other))) break
    if (next - bottom > 2.4 * page.lineHeight || next - cell.box.y > 14 * 2 * page.lineHeight) break
    const another = headings.some(
      (other) =>
        other.cell !== cell &&
        other.cell.line === line.index &&
        other.cell.box.x < edge &&
        other.cell.box.x >= left - 0.02,
    )
    if (another) break
    bottom = Math.max(...inside.map((other) => other.box.y + other.box.height))
    for (const other of inside) edge = Math.min(limit, Math.max(edge, rightEnd(page, other)))
  }
  return {
    side,
    page: page.number,
    heading: cell,
    box: { x: left, y: cell.box.y - 0.001, width: edge - left, height: bottom - cell.box.y + 0.002 },
  }
}

/** How far a heading reaches with the cell under it, or with the value beside it. */
function firstEdge(cell: Cell, page: LayoutPage, limit: number): number {
  const own = cellsBelow(page, cell, 2.5)[0] ?? cell
  const edge = Math.max(rightOf(cell), rightOf(own))
  const beside = nextCell(page, cell)
  return beside && !isLabelled(beside) && beside.box.x < limit && (cell.text.endsWith(':') || own === cell)
    ? Math.max(edge, rightOf(beside))
    : edge
}

/** The right end of a cell, or of the value behind it when it is a label. */
function rightEnd(page: LayoutPage, cell: Cell): number {
  const value = isLabelled(cell) ? nextCell(page, cell) : undefined
  return value && !isLabelled(value) ? Math.max(rightOf(cell), rightOf(value)) : rightOf(cell)
}

function rightOf(cell: Cell): number {
  return cell.box.x + cell.box.width
}

/** «Date», «Order no», «Total»: labels of the document itself end an area that belongs to a party. */
function endsZone(cell: Cell): boolean {
  if (!isLabelled(cell)) return isTitle(cell.text)
  return meanings(cell.text.split(':')[0]!).some((word) =>
    [
      'date',
      'due',
      'payment',
      'total',
      'invoice',
      'order',
      'terms',
      'period',
      'deliverynote',
      'currency',
      'quantity',
      'description',
    ].includes(word),
  )
}

function nextCell(page: LayoutPage, cell: Cell): Cell | undefined {
  const cells = page.lines.find((line) => line.index === cell.line)?.cells ?? []
  return cells[cells.indexOf(cell) + 1]
}

/** Name and address in the area of a heading, or undefined when no line of it can be a name. */
export function partyInZone(layout: Layout, zone: Zone): Party | undefined {
  const page = layout.pages.find((one) => one.number === zone.page)!
  const below = cellsInZone(page, zone)
  const start = openingWords(page, zone)
  const inline = wordsAfterColon(zone.heading).length > 0
  const edge = inline || !start ? below[0]?.box.x : start[0]!.box.x
  const aligned = below.filter((cell) => edge !== undefined && Math.abs(cell.box.x - edge) < 2 * page.em)
  const lines = addressLines(start ? [start] : [], aligned)
  const name = nameLine(lines)
  if (!name) return undefined
  const place = lines.some((words) => inlinePlace.test(joined(words)))
  return { side: zone.side, score: place ? 0.95 : 0.82, name, lines, page: zone.page }
}

/** What stands behind a heading: after its colon, or in the next cell unless heads of columns stand side by side. */
function openingWords(page: LayoutPage, { heading, box }: Zone): Word[] | undefined {
  const inline = wordsAfterColon(heading)
  if (inline.length > 0) return inline
  const strip = page.lines.find((line) => line.index === heading.line)!.cells
  const beside = strip.find((cell) => cell.box.x > heading.box.x && cell.box.x < box.x + box.width)
  const headed =
    strip.length >= 3 &&
    strip.slice(strip.indexOf(heading)).filter((cell) => isKnownLabel(cell.text)).length >= 2 &&
    strip.every((cell) => !/\d/.test(cell.text) && !cell.text.endsWith(':'))
  return beside && !headed && !isKnownLabel(beside.text) ? beside.words : undefined
}

/** The lines of an address, down to its country or place or the next label. */
function addressLines(start: readonly Word[][], cells: Cell[]): Word[][] {
  const lines = [...start]
  for (const cell of cells) {
    const labelled = isLabelled(cell)
    if (lines.length >= 6 || (labelled && lines.length > 0)) break
    // «Name: Lieferant GmbH» inside the area answers by itself.
    if (labelled || isSkippable(cell.text)) continue
    lines.push(cell.words)
    if (lines.length > 1 && (country.test(cell.text) || (placeLine.test(cell.text) && !nextIsCountry(cells, cell))))
      break
  }
  return lines
}

function nextIsCountry(cells: Cell[], cell: Cell): boolean {
  const next = cells[cells.indexOf(cell) + 1]
  return next !== undefined && country.test(next.text)
}

function cellsInZone(page: LayoutPage, zone: Zone): Cell[] {
  return page.lines
    .filter((line) => line.index > zone.heading.line)
    .map((line) =>
      line.cells.find(
        (cell) =>
          cell.box.x >= zone.box.x - 0.002 &&
          cell.box.x < zone.box.x + zone.box.width &&
          cell.box.y + cell.box.height / 2 <= zone.box.y + zone.box.height,
      ),
    )
    .filter((cell) => cell !== undefined)
}

function wordsAfterColon(cell: Cell): Word[] {
  const at = cell.words.findIndex((word) => word.text.endsWith(':'))
  return at < 0 ? [] : cell.words.slice(at + 1)
}
