import { pointerOf } from '../../../shared/domain/pointer.ts'
import type { ExtractedRecord, FieldSource } from '../../../shared/domain/result.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { Evidence } from './evidence.ts'
import type { Field } from './field.ts'
import { sourceBox, textOf, wordsOf, type Layout, type Word } from './layout.ts'
import { bareRows } from './list-bare.ts'
import { blockRows } from './list-blocks.ts'
import { understandItems } from './list-fields.ts'
import { findHeaders } from './list-header.ts'
import { rowsUnder, type Row } from './list-rows.ts'
import { numbersIn } from './read-value.ts'
import type { CellValues } from './list-cell.ts'
import { rowValues } from './list-values.ts'

/**
 * The records of one list field; source pointers are relative to the list (`/2/amount`). `words` are the words used up.
 */
export type ListResult = { records: ExtractedRecord[]; sources: FieldSource[]; words: Set<Word> }

/**
 * Finds the table that answers a list field and reads its rows: the table whose heads name the sub-fields best, or,
 * without heads, rows that end in amounts and add up to a total of the document, or entries of a form that repeat their
 * labels. No rows rather than doubtful ones.
 */
export function extractList(element: SchemaElement, layout: Layout, whole: Evidence): ListResult {
  const fields = understandItems(element)
  // Statements print «02/10» in their rows; the year stands in their heading.
  const evidence = whole.year === undefined ? whole : { ...whole, dates: { ...whole.dates, year: whole.year } }
  let best: { score: number; rows: Row[]; values: CellValues } | undefined
  for (const header of findHeaders(fields, layout, evidence).slice(0, 6)) {
    const rows = rowsUnder(header, fields, layout, evidence)
    if (rows.length === 0) continue
    const values = rowValues(header, fields, rows, evidence)
    const filled =
      values.flat().filter((value) => value !== undefined).length / Math.max(1, values.length * fields.length)
    const unread = header.columns.filter((column) => column.field === undefined).length
    const score =
      header.score * (0.4 + filled) +
      Math.min(rows.length, 10) * 0.01 -
      0.03 * unread +
      (addsUp(fields, rows, values, layout, evidence) ? 0.4 : 0)
    if (!best || score > best.score) best = { score, rows, values }
  }
  if (best) dropSum(fields, best)
  const found = best ?? bareRows(fields, layout, evidence) ?? blockRows(fields, layout, evidence)
  return found
    ? toResult(
        fields.map((field) => field.element),
        found.rows,
        found.values,
      )
    : { records: [], sources: [], words: new Set() }
}

/** Whether the amounts of a table add up to a number that stands below it: that makes it the table that is billed. */
function addsUp(
  fields: readonly Field[],
  rows: readonly Row[],
  values: CellValues,
  layout: Layout,
  evidence: Evidence,
): boolean {
  if (rows.length < 2) return false
  const last = rows.at(-1)!.lines.at(-1)!
  const below = layout.lines.filter((line) => line.index > last && line.index <= last + 8)
  return fields.some((field, column) => {
    if (field.element.format !== 'number' || field.kind !== 'money') return false
    const sum = values.reduce(
      (total, row) => total + (typeof row[column]?.value === 'number' ? row[column].value : 0),
      0,
    )
    return (
      sum !== 0 &&
      below.some((line) =>
        numbersIn(wordsOf(line), evidence).some((one) => Math.abs((one.value as number) - sum) < 0.011),
      )
    )
  })
}

/** A last row of numbers alone that adds up a column above it is the sum of the table, with or without a word. */
function dropSum(fields: readonly Field[], table: { rows: Row[]; values: CellValues }): void {
  const last = table.values.at(-1)
  if (
    !last ||
    table.values.length < 2 ||
    !fields.some((field) => field.element.format === 'text') ||
    last.some((cell) => typeof cell?.value === 'string')
  )
    return
  const above = table.values.slice(0, -1)
  const sums = last.some((cell, column) => {
    const numbers = above.map((row) => row[column]?.value)
    if (typeof cell?.value !== 'number' || !numbers.every((number) => typeof number === 'number')) return false
    return Math.abs(numbers.reduce((sum, number) => sum + number, 0) - cell.value) < 0.011
  })
  if (!sums) return
  table.rows.pop()
  table.values.pop()
}

function toResult(items: SchemaElement[], rows: Row[], values: CellValues): ListResult {
  const records: ExtractedRecord[] = []
  const sources: FieldSource[] = []
  const used = new Set<Word>()
  rows.forEach((row, index) => {
    const cells = values[index]!
    for (const word of [...row.cells.values()].flat()) used.add(word)
    for (const cell of cells) for (const word of cell?.words ?? []) used.add(word)
    if (cells.every((cell) => cell === undefined)) return
    const record: ExtractedRecord = {}
    items.forEach((item, position) => {
      const cell = cells[position]
      const value = cell ? cell.value : item.format === 'list' ? [] : null
      setOwn(record, item.name, value)
      if (cell) sources.push(sourceOf(pointerOf([records.length, item.name]), cell.words))
    })
    records.push(record)
  })
  return { records, sources, words: used }
}

/** Sets an own property, even for names such as `__proto__`. */
export function setOwn(record: ExtractedRecord, name: string, value: ExtractedRecord[string]): void {
  Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true })
}

function sourceOf(pointer: string, words: Word[]): FieldSource {
  const page = words[0]!.page
  return { pointer, page, box: sourceBox(words.filter((word) => word.page === page)), text: textOf(words) }
}
