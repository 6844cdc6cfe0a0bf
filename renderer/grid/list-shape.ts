import { pointerOf } from '../../shared/domain/pointer.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { isAmount, isPerPiece, isQuantity, isUnit, labelOf, printedDecimals } from '../messages/values.ts'

export type Row = Record<string, unknown>

/** How values are printed in their document, by pointer; null as long as nobody knows. */
export type PrintedValues = ReadonlyMap<string, { text: string }> | null

/** A column of a list, with what all of its values say about it. */
export type Column = {
  name: string
  label: string
  description: string
  format: SchemaElement['format']
  kind?: SchemaElement['kind']
  numeric: boolean
  /** At least this many are shown, so that amounts line up. */
  decimals: number
  /**
   * Of what is a number in it; null in a column without numbers, in one of prices for one piece or of shares, and in
   * one of quantities in several units.
   */
  sum: number | null
  /** Letters of its longest value. */
  longest: number
}

/** `hasCents`: one of its numbers is printed with two decimals or more; `texts`: up to two different ones. */
type Stat = {
  numbers: number
  sum: number
  decimals: number
  hasCents: boolean
  longest: number
  texts: readonly string[]
}
type Chunk = Map<string, Stat>
/** What is known of a list. Given it for the list's next state, only the rows that changed are read again. */
export type ListShape = {
  list: SchemaElement
  items: readonly Row[]
  printed: PrintedValues
  chunks: Chunk[]
  columns: Column[]
}

const noValues: Stat = { numbers: 0, sum: 0, decimals: 0, hasCents: false, longest: 0, texts: [] }
const chunkRows = 128
const maxDecimals = 10

/** The columns of a list: those of its schema, then whatever else the service gave. Pure. */
export function listShape(
  before: ListShape | null,
  list: SchemaElement,
  items: readonly Row[],
  pointer: string,
  printed: PrintedValues,
): ListShape {
  const kept = before?.list === list && before.printed === printed ? before : null
  if (kept?.items === items) return kept
  const chunks: Chunk[] = []
  for (let start = 0; start < items.length; start += chunkRows) {
    const end = Math.min(start + chunkRows, items.length)
    chunks.push(
      (kept !== null && isSame(kept.items, items, start, end) && kept.chunks[start / chunkRows]) ||
        readRows(items, start, end, pointer, printed),
    )
  }
  return { list, items, printed, chunks, columns: columnsOf(list, chunks, kept?.columns ?? []) }
}

function isSame(before: readonly Row[], items: readonly Row[], start: number, end: number): boolean {
  // The last rows were a shorter chunk when there were fewer.
  if (before.length < end || (before.length > items.length && end === items.length)) return false
  for (let row = start; row < end; row += 1) if (before[row] !== items[row]) return false
  return true
}

function readRows(items: readonly Row[], start: number, end: number, pointer: string, printed: PrintedValues): Chunk {
  const chunk: Chunk = new Map()
  for (let row = start; row < end; row += 1) {
    const record = items[row]!
    for (const name of Object.keys(record)) {
      let stat = chunk.get(name)
      if (stat === undefined) chunk.set(name, (stat = { ...noValues }))
      const value = record[name]
      if (typeof value === 'string' && stat.texts.length < 2 && !stat.texts.includes(value))
        stat.texts = [...stat.texts, value]
      if (typeof value === 'number') {
        stat.numbers += 1
        stat.sum += value
        stat.decimals = Math.max(stat.decimals, decimalsIn(value))
        if (!stat.hasCents && printed !== null)
          stat.hasCents = printedDecimals(printed.get(pointer + pointerOf([row, name]))?.text ?? '') >= 2
      }
      if (value !== null && value !== undefined)
        stat.longest = Math.max(stat.longest, typeof value === 'object' ? 12 : String(value).length)
    }
  }
  return chunk
}

function columnsOf(list: SchemaElement, chunks: Chunk[], before: Column[]): Column[] {
  const known = list.items ?? []
  const names = new Set(known.map(({ name }) => name))
  for (const chunk of chunks) for (const name of chunk.keys()) names.add(name)
  const statsOf = (name: string): Stat[] => chunks.flatMap((chunk) => chunk.get(name) ?? [])
  const units = [...names].filter(isUnit).map((name) => new Set(statsOf(name).flatMap(({ texts }) => texts)))
  const isOfOneUnit = units.every(({ size }) => size < 2)
  const isSummed = (name: string): boolean => !isPerPiece(name) && (isOfOneUnit || !isQuantity(name))
  const columns = [...names].map((name): Column => {
    const element = known.find((each) => each.name === name)
    const stats = statsOf(name)
    const numbers = stats.reduce((sum, stat) => sum + stat.numbers, 0)
    const decimals = Math.max(0, ...stats.map((stat) => stat.decimals))
    const format = element?.format ?? (numbers > 0 ? 'number' : 'text')
    return {
      name,
      label: labelOf(name),
      description: element?.description || name,
      format,
      kind: element?.kind,
      numeric: format === 'number' || numbers > 0,
      decimals: decimals >= 2 || (decimals > 0 && isAmount(name)) || stats.some((stat) => stat.hasCents) ? 2 : 0,
      // Rounded, since sums of binary fractions get decimals that no value of the column has. Adding 0 turns −0, which
      // would be shown with its sign, into 0.
      sum:
        numbers === 0 || !isSummed(name)
          ? null
          : Number(stats.reduce((sum, stat) => sum + stat.sum, 0).toFixed(decimals)) + 0,
      longest: Math.max(0, ...stats.map((stat) => stat.longest)),
    }
  })
  // The same objects as before where nothing differs, so that what depends on them is not drawn again.
  const kept = columns.map((column, index) =>
    JSON.stringify(before[index]) === JSON.stringify(column) ? before[index]! : column,
  )
  return kept.length === before.length && kept.every((column, index) => column === before[index]) ? before : kept
}

function decimalsIn(value: number): number {
  if (Number.isInteger(value)) return 0
  const text = String(value)
  return text.includes('e') ? maxDecimals : Math.min(text.length - text.indexOf('.') - 1, maxDecimals)
}
