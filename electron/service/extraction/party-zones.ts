import type { Box } from '../../../shared/document.ts'
import { partySides } from './concepts.ts'
import { isKnownLabel, likeness, type Side } from './field.ts'
import { cellsBelow, type Cell, type Layout, type LayoutPage, type Word } from './layout.ts'
import { placeLine, inlinePlace, country, isTitle, nameLine, isLabelled, isSkippable, joined } from './party-words.ts'
import { meanings, surfaceWords } from './words.ts'

/** Name and address of one side as they stand in the document, line by line. */
export type Party = { side: Side; score: number; name: Word[]; lines: Word[][]; page: number }

/** An area that a heading such as «Verkäufer» or «Bill to» governs. */
export type Zone = { side: Side; page: number; box: Box; heading: Cell }

const sideLabels = (['seller', 'buyer', 'delivery'] as const).map((side) => ({ side, labels: partySides[side].labels.map((label) => ({ words: meanings(label), surface: surfaceWords(label).join(' ') })) }))

/** Which side a heading announces («Rechnung an», «Ship to»), or undefined. */
export function sideOfHeading(text: string): Side | undefined {
  if (text.length > 48 || /\d/.test(text)) return undefined
  const surface = surfaceWords(text).join(' ')
  const words = meanings(text)
  let best: Side | undefined
  let bestScore = 0.84
  for (const { side, labels } of sideLabels) {
    for (const label of labels) {
      // «Empresa» heads the sender on Spanish papers; «Firma» above an address is a form of address.
      const wordy = !label.words.includes('company') && (label.words.length === label.surface.split(' ').length || !label.surface.includes(' '))
      const score = label.surface === surface ? 1 : label.words.length === 0 || label.surface.length < 4 || !wordy ? 0 : 0.98 * likeness(words, label.words)
      if (score > bestScore) {
        best = side
        bestScore = score
      }
    }
  }
  return best
}

export function zonesOf(page: LayoutPage): Zone[] {
  const headings: { side: Side; cell: Cell }[] = []
  for (const line of page.lines) {
    for (const cell of line.cells) {
      const label = /^([^:]{2,40}):/.exec(cell.text)?.[1] ?? cell.text
      const side = sideOfHeading(label)
      // «an», «to» or «from» alone are only a heading when they stand alone or before a colon.
      const value = cell.text.slice(label.length).replace(/^:\s*/, '')
      if (value !== '' && !/\p{L}{2}/u.test(value)) continue
      if (side && (label.length > 4 || cell.text.trim() === label || cell.text.includes(':'))) headings.push({ side, cell })
    }
  }
  return headings.map(({ side, cell }) => {
    const right = headings.filter((other) => Math.abs(other.cell.line - cell.line) <= 1 && other.cell.box.x > cell.box.x + 0.05).map((other) => other.cell.box.x - page.em)
    const limit = Math.min(1, ...right)
    const left = Math.max(0, cell.box.x - page.em)
    const own = cellsBelow(page, cell, 2.5)[0] ?? cell
    let edge = Math.max(cell.box.x + cell.box.width, own.box.x + own.box.width)
    const beside = nextCell(page, cell)
    if (beside && !isLabelled(beside) && beside.box.x < limit && (cell.text.endsWith(':') || own === cell)) edge = Math.max(edge, beside.box.x + beside.box.width)
    let bottom = cell.box.y + cell.box.height
    for (const line of page.lines) {
      if (line.index <= cell.line) continue
      const inside = line.cells.filter((other) => other.box.x < Math.min(edge, limit) && other.box.x + other.box.width > left)
      if (inside.length === 0) continue
      const next = Math.min(...inside.map((other) => other.box.y))
      if (inside.some((other) => endsZone(other))) break
      if (next - bottom > 2.4 * page.lineHeight || next - cell.box.y > 14 * 2 * page.lineHeight) break
      if (headings.some((other) => other.cell !== cell && other.cell.line === line.index && other.cell.box.x < edge && other.cell.box.x >= left - 0.02)) break
      bottom = Math.max(...inside.map((other) => other.box.y + other.box.height))
      for (const other of inside) {
        const after = isLabelled(other) ? nextCell(page, other) : undefined
        const value = after && !isLabelled(after) ? after : undefined
        edge = Math.min(limit, Math.max(edge, other.box.x + other.box.width, value ? value.box.x + value.box.width : 0))
      }
    }
    return { side, page: page.number, heading: cell, box: { x: left, y: cell.box.y - 0.001, width: edge - left, height: bottom - cell.box.y + 0.002 } }
  })
}

/** «Date», «Order no», «Total»: labels of the document itself end an area that belongs to a party. */
function endsZone(cell: Cell): boolean {
  if (!isLabelled(cell)) return isTitle(cell.text)
  return meanings(cell.text.split(':')[0]!).some((word) => ['date', 'due', 'payment', 'total', 'invoice', 'order', 'terms', 'period', 'deliverynote', 'currency', 'quantity', 'description'].includes(word))
}

function nextCell(page: LayoutPage, cell: Cell): Cell | undefined {
  const cells = page.lines.find((line) => line.index === cell.line)?.cells ?? []
  return cells[cells.indexOf(cell) + 1]
}

export function partyInZone(layout: Layout, zone: Zone): Party | undefined {
  const page = layout.pages.find((one) => one.number === zone.page)!
  const inline = wordsAfterColon(zone.heading)
  const sameLine = page.lines.find((line) => line.index === zone.heading.line)!.cells.filter((cell) => cell.box.x > zone.heading.box.x && cell.box.x < zone.box.x + zone.box.width)
  const below = cellsInZone(page, zone)
  const strip = page.lines.find((line) => line.index === zone.heading.line)!.cells
  const headed = strip.length >= 3 && strip.slice(strip.indexOf(zone.heading)).filter((cell) => isKnownLabel(cell.text)).length >= 2 && strip.every((cell) => !/\d/.test(cell.text) && !cell.text.endsWith(':'))
  const start = inline.length > 0 ? [inline] : sameLine[0] && !headed && !isKnownLabel(sameLine[0].text) ? [sameLine[0].words] : []
  const edge = inline.length > 0 || start.length === 0 ? below[0]?.box.x : start[0]![0]!.box.x
  const aligned = below.filter((cell) => edge !== undefined && Math.abs(cell.box.x - edge) < 2 * page.em)
  const lines = [...start]
  for (const cell of aligned) {
    if (lines.length >= 6) break
    if (isLabelled(cell)) {
      // «Name: Lieferant GmbH» inside the area answers by itself.
      if (lines.length === 0) continue
      break
    }
    if (isSkippable(cell.text)) continue
    lines.push(cell.words)
    if (lines.length > 1 && (country.test(cell.text) || (placeLine.test(cell.text) && lines.length > 1 && !nextIsCountry(aligned, cell)))) break
  }
  const name = nameLine(lines)
  if (!name) return undefined
  const place = lines.some((words) => inlinePlace.test(joined(words)))
  return { side: zone.side, score: place ? 0.95 : 0.82, name, lines, page: zone.page }
}

function nextIsCountry(cells: Cell[], cell: Cell): boolean {
  const next = cells[cells.indexOf(cell) + 1]
  return next !== undefined && country.test(next.text)
}

function cellsInZone(page: LayoutPage, zone: Zone): Cell[] {
  return page.lines
    .filter((line) => line.index > zone.heading.line)
    .map((line) => line.cells.find((cell) => cell.box.x >= zone.box.x - 0.002 && cell.box.x < zone.box.x + zone.box.width && cell.box.y + cell.box.height / 2 <= zone.box.y + zone.box.height))
    .filter((cell) => cell !== undefined)
}

function wordsAfterColon(cell: Cell): Word[] {
  const at = cell.words.findIndex((word) => word.text.endsWith(':'))
  return at < 0 ? [] : cell.words.slice(at + 1)
}
