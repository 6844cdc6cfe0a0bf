import type { SchemaElement } from '../../../shared/schema.ts'
import type { Evidence } from './evidence.ts'
import { isKnownLabel, understand, type Field } from './field.ts'
import { labelScorer } from './labels.ts'
import type { Column, Header } from './list-header.ts'
import type { Cell, Layout, LayoutPage, Line, Word } from './layout.ts'
import { findDates, parseNumber } from './parse-value.ts'
import { meanings, surfaceWords } from './words.ts'

/** One row of a table: the words of each column, top to bottom, and the lines they stand on. */
export type Row = { cells: Map<number, Word[]>; lines: number[]; bottom: number; page: number }

/** «Delivery date: 06/20/2025» */
const detailLine = /^[^:\d]{2,30}:\s\S/u

type Kind = 'number' | 'date' | 'text'
type Placed = { line: Line; cells: Map<number, Word[]>; typed: Map<number, Kind> }

const totalFields = ['gross total', 'net total', 'tax amount', 'amount due', 'amount paid', 'closing balance'].map((name): SchemaElement => ({ name, format: 'number', description: '' }))
const totalScore = labelScorer(totalFields.map((element) => understand(element, 'document')))
const openingScore = labelScorer([understand({ name: 'opening balance', format: 'number', description: '' }, 'document')])
const sumWords = new Set('total subtotal net gross tax balance remaining due paid deposit payout'.split(' '))
const carry = /übertrag|uebertrag|carried (?:forward|over)|brought forward|à reporter|a reporter|report(?: à nouveau)?\b|suma y sigue|suma anterior|vortrag/iu

/** The rows under a head, through all following pages, until a total, a wide gap or another table. */
export function rowsUnder(header: Header, fields: readonly Field[], layout: Layout, evidence: Evidence): Row[] {
  const rows = collectRows(header, fields, layout, evidence, false)
  // Nothing that the columns ask for is there, but text: a table of words.
  return rows.length > 0 || fields.some((field) => field.element.format === 'number') ? rows : collectRows(header, fields, layout, evidence, true)
}

function collectRows(header: Header, fields: readonly Field[], layout: Layout, evidence: Evidence, wordsOnly: boolean): Row[] {
  const rows: Row[] = []
  let ended = false
  for (const page of layout.pages) {
    if (page.number < header.page) continue
    let lines = page.lines.filter((line) => page.number > header.page || line.index > header.lastLine)
    if (page.number > header.page) {
      const repeated = repeatedHead(page, header)
      if (repeated === undefined && ended) break
      lines = repeated === undefined ? lines : lines.filter((line) => line.index > repeated)
    }
    const result = rowsOnPage(lines, page, header, fields, evidence, page.number > header.page, wordsOnly)
    if (page.number > header.page && result.rows.length === 0) break
    rows.push(...result.rows)
    ended = result.ended
  }
  return rows
}

function repeatedHead(page: LayoutPage, header: Header): number | undefined {
  const heads = header.columns.map((column) => meanings(column.text).join(' ')).filter((text) => text !== '')
  for (const [index, line] of page.lines.entries()) {
    const texts = page.lines.slice(index, index + header.lastLine - header.firstLine + 1).map((one) => one.text).join(' ')
    const words = new Set(meanings(texts))
    const found = heads.filter((head) => head.split(' ').every((word) => words.has(word))).length
    if (found >= Math.max(2, heads.length * 0.7) && !/\d[.,]\d{2}/.test(texts)) return line.index + header.lastLine - header.firstLine
  }
  return undefined
}

function rowsOnPage(lines: readonly Line[], page: LayoutPage, header: Header, fields: readonly Field[], evidence: Evidence, continued: boolean, wordsOnly: boolean): { rows: Row[]; ended: boolean } {
  const rows: Row[] = []
  let current: Row | undefined
  let pending: Placed[] = []
  let misses = 0
  const typedRows: Placed[] = []
  const hasTyped = !wordsOnly && header.columns.some((column) => column.field !== undefined && kindOfField(fields[column.field]!) !== 'text')
  const placedLines = lines.map((line) => place(line, header.columns, fields, evidence, page))
  for (let index = 0; index < placedLines.length; index++) {
    const placed = placedLines[index]!
    const { line } = placed
    const bottom = current?.bottom ?? pending.at(-1)?.line.box.y
    const gap = bottom === undefined ? 0 : line.box.y - bottom
    if (isCarry(line) || isOpening(line)) {
      current = undefined
      continue
    }
    // A table that the file itself draws ends where its cells end.
    if (header.declared && !line.cells.some((cell) => cell.declared)) return { rows, ended: true }
    // A further line of the head: «netto €», «%».
    if (hasTyped && index === 0 && rows.length === 0 && !/\d/.test(line.text) && !placed.cells.has(textColumn(header, fields)) && placed.cells.size > 0) continue
    if (isOtherHead(line)) return { rows, ended: true }
    if (isTotal(line, placed, header, fields, page)) {
      if (!resumes(placedLines, index, typedRows, header, fields, page)) return { rows, ended: true }
      current = undefined
      pending = []
      continue
    }
    if (isExtra(placed, header, fields)) {
      current = undefined
      continue
    }
    const starts = hasTyped ? startsRow(placed, current, header, fields) : placed.cells.has(0) && (placed.cells.size >= 2 || header.columns.length === 1)
    if (starts) {
      if (current && gap > 12 * page.lineHeight) return { rows, ended: true }
      current = { cells: new Map(), lines: [], bottom: line.box.y, page: page.number }
      for (const waiting of pending.filter((one) => !isHeading(one, placed, header, fields, page))) merge(current, waiting)
      pending = []
      merge(current, placed)
      rows.push(current)
      typedRows.push(placed)
      misses = 0
      continue
    }
    if (hasTyped && placed.typed.size > 0 && current && gap < 2.2 * page.lineHeight) {
      merge(current, placed)
      continue
    }
    if (current && (isPair(line, header, page) || (!hasTyped && /^[^:]{2,40}\s?:(?:\s|$)/u.test(line.text)))) return { rows, ended: true }
    // «Delivery date: 06/20/2025» under a row belongs to it.
    const detail = current !== undefined && gap < 1.5 * page.lineHeight && detailLine.test(line.text)
    if (placed.typed.size === 0 && !detail && isGroupHead(placed, header, fields)) continue
    if (!inTextColumns(placed, header, fields)) {
      if (++misses > 2 || (gap > 2.5 * page.lineHeight && current)) return { rows, ended: false }
      continue
    }
    if (gap > 3.2 * page.lineHeight && current) return { rows, ended: false }
    const next = placedLines[index + 1]
    const toNext = next && hasTyped && startsRow(next, current, header, fields) && !isTotal(next.line, next, header, fields, page) ? next.line.box.y - (line.box.y + line.box.height) : Infinity
    if (current && !hasTyped && gap > 1.7 * page.lineHeight) return { rows, ended: true }
    // Text belongs to the numbers it stands closer to; without a row yet, to the first one.
    if (!current) {
      if (continued && rows.length === 0 && pending.length === 0 && toNext === Infinity) continue
      pending.push(placed)
      if (pending.length > 3) pending.shift()
    } else if (toNext < 0.7 * gap && gap > 0.3 * page.lineHeight && !current.cells.has(textColumn(header, fields))) pending = [...pending, placed]
    else if (toNext < 0.5 * gap && gap > 0.5 * page.lineHeight) {
      pending = [placed]
    } else merge(current, placed)
  }
  return { rows, ended: false }
}

/**
 * Whether the table goes on behind a sub-total: soon another line fills the columns that every row so far has filled. A
 * table of words and one amount looks like its own totals; there the heading of the next group must stand between.
 */
function resumes(lines: readonly Placed[], at: number, rows: readonly Placed[], header: Header, fields: readonly Field[], page: LayoutPage): boolean {
  if (rows.length === 0) return false
  const needed = [...rows[0]!.cells.keys()].filter((column) => rows.every((row) => row.cells.has(column)))
  const typed = [...rows[0]!.typed.keys()].filter((column) => rows.every((row) => row.typed.has(column)))
  let headed = false
  for (let index = at + 1; index < Math.min(lines.length, at + 5); index++) {
    const next = lines[index]!
    const above = lines[index - 1]!.line
    if (next.line.box.y - (above.box.y + above.box.height) > 3 * page.lineHeight || isOtherHead(next.line) || isTotal(next.line, next, header, fields, page)) return false
    if (next.typed.size === 0 && next.line.cells.length === 1 && next.line.cells[0]!.words.length <= 8) headed = true
    else if (needed.length >= 2 && needed.every((column) => next.cells.has(column)) && typed.every((column) => next.typed.has(column))) return typed.length >= 2 || headed
  }
  return false
}

/** Text above a row that is the heading of a group: the row has its own text and begins with its number, or is set otherwise. */
function isHeading(waiting: Placed, row: Placed, header: Header, fields: readonly Field[], page: LayoutPage): boolean {
  const text = textColumn(header, fields)
  const own = row.cells.get(text)
  const words = waiting.line.cells.flatMap((cell) => cell.words)
  if (!own || waiting.typed.size > 0) return false
  if (text > 0 && row.cells.has(0) && /^\d/.test(row.cells.get(0)![0]!.text) && row.line.box.y - waiting.line.box.y > 0.8 * page.lineHeight && waiting.line.cells.length === 1) return true
  return (words.every((word) => word.bold) && !own.some((word) => word.bold)) || /:$/.test(waiting.line.text) || Math.abs(words[0]!.box.x - own[0]!.box.x) > 0.7 * page.em
}

function startsRow(placed: Placed, current: Row | undefined, header: Header, fields: readonly Field[]): boolean {
  if (placed.typed.size === 0) return false
  const matched = [...placed.typed.keys()].filter((column) => header.columns[column]!.field !== undefined)
  if (matched.length === 0) {
    // A position number in a column nobody asked for still begins a row, if text stands beside it.
    return placed.typed.has(0) && placed.cells.size >= 2 && (!current || current.cells.has(0))
  }
  if (!current) return matched.length >= 2 || placed.cells.size >= 2 || header.columns.length <= 2
  const clash = matched.some((column) => current.cells.has(column) && kindOfField(fields[header.columns[column]!.field!]!) !== 'text')
  return clash
}

function merge(row: Row, placed: Placed): void {
  for (const [column, words] of placed.cells) row.cells.set(column, [...(row.cells.get(column) ?? []), ...words])
  row.lines.push(placed.line.index)
  row.bottom = Math.max(row.bottom, placed.line.box.y + placed.line.box.height)
}

function place(line: Line, columns: readonly Column[], fields: readonly Field[], evidence: Evidence, page: LayoutPage): Placed {
  const cells = new Map<number, Word[]>()
  for (const cell of line.cells) {
    if (outside(cell, columns, page)) continue
    for (const part of partsOf(cell, columns, page)) {
      const column = columnOf(part, columns, page)
      if (column === undefined) continue
      cells.set(column, [...(cells.get(column) ?? []), ...part])
    }
  }
  const typed = new Map<number, Kind>()
  for (const [column, words] of cells) {
    const text = words.map((word) => word.text).join(' ')
    const field = columns[column]!.field === undefined ? undefined : fields[columns[column]!.field!]
    const kind = field ? kindOfField(field) : undefined
    if (kind === 'text') continue
    // «03/2019», «present»: a beginning and an end that are no whole dates.
    if (kind === 'date' && field!.asPrinted && words.length <= 3) {
      typed.set(column, 'date')
      continue
    }
    if (kind !== 'number' && (findDates(text, evidence.dates)[0]?.start ?? 99) <= 4) typed.set(column, 'date')
    else if (kind !== 'date' && (isNumeric(text, evidence) || (field?.element.format === 'text' && /^\d+\s?[-–/]\s?\d+$/.test(text)))) typed.set(column, 'number')
  }
  return { line, cells, typed }
}

/** Text of another column of the page, beside the table. */
function outside(cell: Cell, columns: readonly Column[], page: LayoutPage): boolean {
  const left = columns[0]!.left
  const right = columns.at(-1)!.right
  return cell.box.x + cell.box.width < left - 0.5 * page.em || cell.box.x > right + 3 * page.em
}

function isNumeric(text: string, evidence: Evidence): boolean {
  if (parseNumber(text, { ...evidence.numbers, unit: true }) !== null) return true
  const first = text.split(' ')[0]!
  return text.length <= 24 && parseNumber(first, evidence.numbers) !== null && !findDates(text)[0]
}

/** Words of a cell that reach into several columns: numbers go to the column they stand under, text stays together. */
function partsOf(cell: Cell, columns: readonly Column[], page: LayoutPage): Word[][] {
  const reached = columns.filter((column) => Math.min(column.right, cell.box.x + cell.box.width) - Math.max(column.left, cell.box.x) > 0.25 * (column.right - column.left))
  if (cell.declared || reached.length < 2 || detailLine.test(cell.text)) return [cell.words]
  const parts: Word[][] = [[]]
  let previous: Column | undefined
  for (const word of cell.words) {
    const centre = word.box.x + word.box.width / 2
    const own = columns.find((column) => centre >= column.left - page.em && centre <= column.right + page.em)
    const part = parts.at(-1)!
    const numeric = /^[-+(]?[\d€$£][\d.,'%€$£)–/-]*$/.test(word.text)
    const before = part.at(-1)
    const wasNumeric = before !== undefined && /^[-+(]?[\d€$£]/.test(before.text)
    if (before && own && own !== previous && (numeric || wasNumeric)) parts.push([word])
    else part.push(word)
    if (own) previous = own
  }
  return parts.filter((part) => part.length > 0)
}

function columnOf(words: readonly Word[], columns: readonly Column[], page: LayoutPage): number | undefined {
  const left = words[0]!.box.x
  const right = words.at(-1)!.box.x + words.at(-1)!.box.width
  let best: number | undefined
  let bestShared = 0
  let nearest = 0
  let distance = Infinity
  columns.forEach((column, index) => {
    const shared = Math.min(right, column.right) - Math.max(left, column.left)
    if (shared > bestShared) {
      best = index
      bestShared = shared
    }
    const apart = Math.min(Math.abs(left - column.left), Math.abs(right - column.right), Math.max(0, -shared))
    if (apart < distance) {
      nearest = index
      distance = apart
    }
  })
  if (best !== undefined) return best
  return distance < 8 * page.em ? nearest : undefined
}

/** «Nombre de colis : 3   Poids : 412 kg»: what follows a table, not a part of it. */
function isPair(line: Line, header: Header, page: LayoutPage): boolean {
  if (line.cells[0]!.box.x > header.columns[0]!.left + page.em) return false
  const pairs = line.cells.filter((cell) => /^[^:\d]{2,40}\s?:(?:\s|$)/u.test(cell.text))
  return pairs.length >= 2 || (pairs.length === 1 && line.cells.length <= 2 && isKnownLabel(pairs[0]!.text.split(':')[0]!))
}

/** The heads of the next table. */
function isOtherHead(line: Line): boolean {
  return line.cells.length >= 3 && !/\d/.test(line.text) && line.cells.filter((cell) => isKnownLabel(cell.text)).length >= Math.max(2, 0.6 * line.cells.length)
}

function isCarry(line: Line): boolean {
  return carry.test(line.text) && line.text.length < 90
}

function isOpening(line: Line): boolean {
  const label = line.cells.map((cell) => cell.text).join(' ').replace(/\d[\d.,/-]*/g, ' ')
  return (openingScore(meanings(label))[0] ?? 0) > 0.75 || /^\s*(?:(?:ancien )?solde (?:cr[ée]diteur|d[ée]biteur|au|initial)|saldo (?:anterior|inicial|al)|alter (?:saldo|kontostand)|(?:opening|previous|starting|closing|ending|new) balance|balance (?:brought|carried|b\/f|c\/f)|nouveau solde|solde final|saldo (?:final|nuevo)|neuer (?:saldo|kontostand))/iu.test(label)
}

/** A line that sums up: its label names a total, and it fills fewer columns than a row would. */
function isTotal(line: Line, placed: Placed, header: Header, fields: readonly Field[], page: LayoutPage): boolean {
  const cell = line.cells.find((one) => /\p{L}{2}/u.test(one.text) && !outside(one, header.columns, page))
  if (!cell) return false
  const label = cell.text.replace(/[\d.,]+\s*%?|[€$£:()]|\b(?:EUR|CHF|USD|GBP)\b/gu, ' ').trim()
  const words = surfaceWords(label)
  if (words.length === 0 || words.length > 7) return false
  const named = meanings(label)
  const score = named.some((word) => sumWords.has(word)) ? Math.max(...totalScore(named)) : 0
  const strong = /^(?:total|totals|gesamt|summe|sum|zwischensumme|subtotal|sub-total|sous-total|totaux|gesamtsumme|gesamtbetrag|endbetrag|rechnungsbetrag|saldo|nettobetrag|bruttobetrag|netto|net|importe total|base imponible|base ht)\b|^base:?$/iu.test(label)
  if ((score < 0.6 && !strong) || (!/\d[.,]\d{2}(?!\d)/.test(line.text) && ![...placed.typed.values()].includes('number') && (!strong || words.length > 2))) return false
  // One word for the sum in the first column: however many columns the row fills.
  if (/^(?:summen?|totals?|totaux|gesamt|gesamtsumme|sum|suma|insgesamt|grand total|total général|total general):?$/iu.test(cell.text) && cell.box.x < (header.columns[1]?.left ?? 1) && words.length <= 2) return true
  // The same word under the texts of a journal, on a line without a date.
  if (/^(?:summen?|totals?|totaux|gesamt|gesamtsumme|suma|insgesamt|umsätze gesamt):?$/iu.test(cell.text) && !placed.cells.has(0) && header.columns[0]!.field !== undefined && placed.cells.size >= 2) return true
  const columns = header.columns.length
  const filled = placed.cells.size
  const numbers = [...placed.typed.values()].length
  const text = textColumn(header, fields)
  const first = header.columns[0]!
  const asRow = placed.typed.has(0) && first.field !== undefined && kindOfField(fields[first.field]!) !== 'text'
  return !asRow && (filled <= Math.max(2, columns - 2) || numbers <= 1) && (words.length <= 4 || !placed.cells.has(text) || score > 0.8)
}

const extraScore = labelScorer([understand({ name: 'shipping cost', format: 'number', description: '' }, 'document'), understand({ name: 'discount', format: 'number', description: '' }, 'document')])

/** Carriage or a discount below the items: an amount without quantity and price in a table that has both. */
function isExtra(placed: Placed, header: Header, fields: readonly Field[]): boolean {
  const numeric = header.columns.filter((column) => column.field !== undefined && kindOfField(fields[column.field]!) === 'number').length
  const label = placed.line.cells[0]!.text.replace(/[\d.,]+\s*%?|[€$£:()]/gu, ' ')
  return numeric >= 3 && placed.typed.size === 1 && placed.cells.size <= 2 && Math.max(...extraScore(meanings(label))) >= 0.7
}

/** «Lieferschein 88120 vom 05.10.2026» above some rows: it begins left of the text column and is no part of a row. */
function isGroupHead(placed: Placed, header: Header, fields: readonly Field[]): boolean {
  const text = textColumn(header, fields)
  const [first, second] = placed.line.cells
  return text > 0 && second === undefined && first!.box.x < header.columns[text]!.left - 0.01 && first!.words.length > 1 && first!.box.x + first!.box.width > header.columns[text]!.left
}

function inTextColumns(placed: Placed, header: Header, fields: readonly Field[]): boolean {
  if (placed.cells.size === 0 || placed.cells.size > 3) return false
  return [...placed.cells.keys()].every((column) => {
    const field = header.columns[column]!.field
    return field === undefined || kindOfField(fields[field]!) === 'text'
  })
}

export function textColumn(header: Header, fields: readonly Field[]): number {
  const described = header.columns.findIndex((column) => column.field !== undefined && ['description', 'bookingText'].includes(fields[column.field]!.concept ?? ''))
  return described >= 0 ? described : header.columns.findIndex((column) => column.field !== undefined && kindOfField(fields[column.field]!) === 'text')
}

export function kindOfField(field: Field): Kind {
  if (field.element.format === 'number' || field.kind === 'money' || field.kind === 'number' || field.kind === 'percent') return 'number'
  return field.kind === 'date' ? 'date' : 'text'
}
