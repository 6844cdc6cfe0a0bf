import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { Evidence } from '../extraction/evidence.ts'
import { understand } from '../extraction/field.ts'
import type { Field } from '../extraction/field.ts'
import type { Layout, Word } from '../extraction/layout.ts'
import type { CellValue } from '../extraction/list-cell.ts'
import { without } from '../extraction/leaves-out.ts'
import { understandItems } from '../extraction/list-fields.ts'
import type { Facts } from './facts.ts'
import { Labels } from './labels.ts'
import { TableDescriber, aboveGroup, isBelow, mayAnswer, noColumn } from './table-features.ts'
import type { Reading } from './table-features.ts'
import { proposeTables } from './tables.ts'
import type { Table } from './tables.ts'
import { sharesOf } from './trees.ts'
import type { Trees } from './trees.ts'

/** A table as a list may be answered by it, with what describes its cells. */
export type Described = {
  table: Table
  describer: TableDescriber
  rank: number
  /** For each sub-field the places that may answer it: its own column or `noColumn` first, then other ones. */
  places: number[][]
}

/** Every reading of the document's tables that may answer a list. */
export function describeTables(
  list: SchemaElement,
  fields: readonly Field[],
  layout: Layout,
  whole: Evidence,
  facts: Facts,
): Described[] {
  // Statements print «02/10» in their rows; the year stands in their heading.
  const evidence = whole.year === undefined ? whole : { ...whole, dates: { ...whole.dates, year: whole.year } }
  const labels = new Labels(fields)
  const names = new Labels([understand({ ...list, format: 'text' }, 'document')])
  const context = { labels, names, facts, evidence, leavesOutSums: leavesOutSums(list) }
  return proposeTables(fields, layout, evidence).map((table, rank) => {
    const describer = new TableDescriber(table, fields, rank, context)
    return { table, rank, describer, places: fields.map((_, field) => describer.places(field)) }
  })
}

const sums = [
  String.raw`(?:sub-?)?totals?|sums?|(?:zwischen|end|gesamt)?summen?|(?:sous-)?totaux`,
  String.raw`(?:sub)?totales|(?:sub)?total[ei]|(?:sub)?totalen`,
].join('|')
const leavesOut = new RegExp(String.raw`\b(?:${without})\b[^.,;]*\b(?:${sums})\b`, 'iu')

/** «exclude subtotal rows»: people say of many lists that the lines of sums are no rows of it. */
export function leavesOutSums({ description }: SchemaElement): boolean {
  return leavesOut.test(description)
}

/** Rows that stand for all when tables are compared. */
const comparedRows = 60
/** Other readings whose rows are compared with those of the chosen one, the most promising first. */
const mostOthers = 3

/** What a cell is worth: a wrong one costs a look, a right one saves the look and the typing. */
const worth = (trust: number): number => trust - (1 - trust) / 2

/** A reading of a cell with what the first look gives it. */
export type Choice = Reading & { score: number; from: Described }

/** A list that is asked for, with its readings. */
type Asked = { element: SchemaElement; fields: Field[]; tables: Described[] }

/** A list with the table that it takes, and the readings of each of its cells, the likeliest first. */
export type ChosenTable = {
  element: SchemaElement
  fields: Field[]
  one: Described
  choices: Choice[][][]
  /** Whether another list could as well be answered by this table. */
  isContested: boolean
}

/**
 * The table of each list that has one. Of all readings of the document's tables each list takes the one of which most
 * cells are expected to be right; what one list took answers no other. What other readings say of the same rows are
 * further choices.
 */
export function chooseTables(
  schema: readonly SchemaElement[],
  layout: Layout,
  evidence: Evidence,
  facts: Facts,
  first: Trees,
): ChosenTable[] {
  const asked = schema
    .filter(({ format }) => format === 'list')
    .map((element): Asked => {
      const fields = understandItems(element)
      const tables = describeTables(element, fields, layout, evidence, facts)
      return { element, fields, tables: tables.map((one) => withOneColumnEach(one, first)) }
    })
  const offers = asked
    .flatMap((list) => list.tables.map((one) => ({ list, one, sum: sumOf(one, list.fields, first) })))
    // Of several lists each takes what its name stands above.
    .map((offer) => ({ ...offer, sum: offer.sum * (asked.length > 1 ? 1 + offer.one.describer.heading : 1) }))
    .filter(({ sum }) => sum > 0)
    .sort((left, right) => right.sum - left.sum)
  const chosen = new Map<string, ChosenTable>()
  const taken = new Set<Word>()
  for (const { list, one, sum } of offers) {
    const { element, fields } = list
    if (chosen.has(element.name)) continue
    const words = wordsOfTable(one.table)
    if (words.filter((word) => taken.has(word)).length * 2 > words.length) continue
    for (const word of words) taken.add(word)
    const others = offers.filter((offer) => offer.list === list && offer.one !== one).map((offer) => offer.one)
    const choices = choicesOf(one, others.slice(0, mostOthers), fields, first)
    const own = new Set(words)
    const isContested = offers.some(
      (other) =>
        other.list !== list && other.sum * 2 > sum && wordsOfTable(other.one.table).some((word) => own.has(word)),
    )
    chosen.set(element.name, { element, fields, one, choices, isContested })
  }
  return [...chosen.values()]
}

/** Rows that say which column answers which sub-field. */
const scoredRows = 12

/** A table with one column for each sub-field: the likeliest first, and none that another one is likelier to be for. */
function withOneColumnEach(one: Described, first: Trees): Described {
  const rows = [...one.table.rows.keys()].slice(0, scoredRows)
  const pairs = one.places.flatMap((list, field) => {
    const scores = new Map(list.map((place) => [place, 0]))
    for (const at of rows)
      for (const { place, score } of readingsOf(one, at, field, first)) scores.set(place, scores.get(place)! + score)
    return list.map((place, rank) => ({ field, place, isOwn: rank === 0, score: scores.get(place)! }))
  })
  const places = one.places.map((): number[] => [])
  const taken = new Map<number, number[]>()
  for (const { field, place, isOwn } of pairs.sort((left, right) => right.score - left.score)) {
    // What no column of its own answers may share one («40h» is a quantity and a unit), lines are several, and «3360
    // Buchsee» is a code and a town.
    const isFree =
      place === noColumn ||
      isBelow(place) ||
      isOwn ||
      (taken.get(place) ?? []).every((other) => isApartIn(one, rows, place, field, other))
    if (places[field]!.length > 0 || !isFree) continue
    places[field]!.push(place)
    taken.set(place, [...(taken.get(place) ?? []), field])
  }
  return { ...one, places }
}

/** Whether two sub-fields find their answers in other words of a place. */
function isApartIn(
  { describer }: Described,
  rows: readonly number[],
  place: number,
  field: number,
  other: number,
): boolean {
  return rows.every((at) => {
    const words = new Set(describer.readings(at, field, [place])[0]?.cell.words)
    return !describer.readings(at, other, [place])[0]?.cell.words.some((word) => words.has(word))
  })
}

function wordsOfTable({ values }: Table): Word[] {
  return values.flatMap((row) => row.flatMap((cell) => cell?.words ?? []))
}

function sumOf(one: Described, fields: readonly Field[], first: Trees): number {
  let sum = 0
  for (let at = 0; at < Math.min(one.table.rows.length, comparedRows); at++) {
    const row = fields.map((_, field) => readingsOf(one, at, field, first)[0])
    // A heading stands above what is no row as well.
    const own = row.filter((choice) => choice?.place !== aboveGroup)
    sum += Math.max(0, rowWorth(own.map((choice) => choice?.score)))
  }
  return sum
}

/** The readings of one cell of a table, the likeliest first; they and «none of them» share what is certain. */
function readingsOf(from: Described, at: number, field: number, first: Trees): Choice[] {
  const { describer, places } = from
  const readings = describer.readings(at, field, places[field]!)
  const shares = sharesOf(
    first,
    readings.map((one) => describer.cell(at, field, one)),
  )
  return readings
    .map((one, index) => ({ ...one, score: shares[index]!, from }))
    .sort((left, right) => right.score - left.score)
}

function rowWorth(trusts: readonly (number | undefined)[]): number {
  return trusts.reduce<number>((sum, trust) => sum + (trust === undefined ? 0 : worth(trust)), 0)
}

function choicesOf(one: Described, others: readonly Described[], fields: readonly Field[], first: Trees): Choice[][][] {
  const twins = others.map((other) => twinsOf(one.table, other.table))
  return one.table.rows.map((_, at) =>
    fields.map((asked, field) =>
      [
        ...readingsOf(one, at, field, first),
        ...others.flatMap((other, index) => {
          const twin = twins[index]![at]
          // A text between lines has all its lines there, and elsewhere only some.
          const isPart = one.table.ruled && !other.table.ruled && asked.element.format === 'text'
          if (twin === undefined || isPart) return []
          return readingsOf(other, twin, field, first).filter(({ cell }) => mayAnswer(headOver(cell, one, at), asked))
        }),
      ].sort((left, right) => right.score - left.score),
    ),
  )
}

/** What stands over a cell in a row of the table. */
function headOver({ words }: CellValue, { table }: Described, at: number): string {
  const place = [...table.rows[at]!.cells].find(([, own]) => own.includes(words[0]!))?.[0]
  return place === undefined ? '' : (table.header?.columns[place]?.text ?? '')
}

/**
 * For each row of a table the row of another one that stands on most of its lines and shares a word with it, if any:
 * what stands beside it belongs to another table. Of several rows that another table has as one, the one with
 * most of its cells has it.
 */
function twinsOf(table: Table, other: Table): (number | undefined)[] {
  const byLine = new Map<number, number[]>()
  other.rows.forEach((row, at) => {
    for (const line of row.lines) byLine.set(line, [...(byLine.get(line) ?? []), at])
  })
  const pairs = table.rows.flatMap(({ lines }, own) => {
    const shared = new Map<number, number>()
    for (const line of lines) for (const at of byLine.get(line) ?? []) shared.set(at, (shared.get(at) ?? 0) + 1)
    const words = new Set(cellsOfRow(table, own).flat())
    return [...shared].map(([at, count]) => ({
      own,
      at,
      share: count / Math.max(lines.length, other.rows[at]!.lines.length),
      cells: cellsOfRow(other, at).filter((cell) => cell.some((word) => words.has(word))).length,
    }))
  })
  pairs.sort((left, right) => right.share - left.share || right.cells - left.cells)
  const twins = table.rows.map((): number | undefined => undefined)
  const taken = new Set<number>()
  for (const { own, at, cells } of pairs) {
    if (cells === 0 || twins[own] !== undefined || taken.has(at)) continue
    twins[own] = at
    taken.add(at)
  }
  return twins
}

function cellsOfRow({ rows, values }: Table, at: number): Word[][] {
  return [...rows[at]!.cells.values(), ...values[at]!.flatMap((cell) => (cell ? [cell.words] : []))]
}
