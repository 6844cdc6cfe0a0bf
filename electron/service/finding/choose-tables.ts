import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { Evidence } from '../extraction/evidence.ts'
import type { Field } from '../extraction/field.ts'
import type { Layout, Word } from '../extraction/layout.ts'
import type { CellValue } from '../extraction/list-cell.ts'
import { understandItems } from '../extraction/list-fields.ts'
import { describeTables } from './describe-tables.ts'
import type { Described } from './describe-tables.ts'
import type { Facts } from './facts.ts'
import type { TableLooks } from './model.ts'
import { ColumnLook } from './column-look.ts'
import type { PlaceScore } from './column-look.ts'
import { aboveGroup, columnOfPlace, isBelow, noColumn } from './places.ts'
import { asksForLess, isInBrackets, mayAnswer } from './table-features.ts'
import type { Reading } from './table-features.ts'
import type { Table } from './tables.ts'
import { sharesOf, sumsOf } from './trees.ts'
import type { Trees } from './trees.ts'

/** Rows that stand for all when tables are compared. */
const comparedRows = 60
/** Other readings whose rows are compared with those of the chosen one, the most promising first. */
const mostOthers = 3

/** What a cell is worth: a wrong one costs a look, a right one saves the look and the typing. */
const worth = (trust: number): number => trust - (1 - trust) / 2

/** A reading of a cell with what the first look gives it. */
export type Choice = Reading & { score: number; from: Described }

/** A list with the table that it takes, and the readings of each of its cells, the likeliest first. */
export type ChosenTable = {
  element: SchemaElement
  fields: Field[]
  one: Described
  choices: Choice[][][]
  /** Whether another list could as well be answered by this table. */
  isContested: boolean
}

/** A list that is asked for, and a table that may answer it: what its rows are worth, and the words that would. */
type Asked = { element: SchemaElement; fields: Field[] }
type Offer = { list: Asked; one: Described; worth: number; words: ReadonlySet<Word> }

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
  looks: TableLooks,
): ChosenTable[] {
  const lists = schema
    .filter(({ format }) => format === 'list')
    .map((element): Asked => ({ element, fields: understandItems(element) }))
  const offers = lists
    .flatMap((list) =>
      describeTables(list.element, list.fields, layout, evidence, facts).map((described): Offer => {
        const one = withOnePlaceEach(described, list.fields, looks)
        const { worth, words } = worthOf(one, list.fields, looks.first)
        // Of several lists each takes what its name stands above.
        return { list, one, worth: worth * (lists.length > 1 ? 1 + one.describer.heading : 1), words }
      }),
    )
    .filter(({ worth }) => worth > 0)
    .sort((left, right) => right.worth - left.worth)
  const chosen = new Map<Asked, ChosenTable>()
  const taken = new Set<Word>()
  for (const { list, one, worth, words } of offers) {
    if (chosen.has(list) || shared(words, taken) * 2 > words.size) continue
    for (const word of words) taken.add(word)
    const others = offers.filter((offer) => offer.list === list && offer.one !== one).map((offer) => offer.one)
    const choices = choicesOf(one, others.slice(0, mostOthers), list.fields, looks.first)
    const isContested = offers.some(
      (other) => other.list !== list && other.worth * 2 > worth && shared(other.words, words) > 0,
    )
    chosen.set(list, { ...list, one, choices, isContested })
  }
  return [...chosen.values()]
}

/** How many of some words are among others. */
function shared(words: ReadonlySet<Word>, others: ReadonlySet<Word>): number {
  let count = 0
  for (const word of words) if (others.has(word)) count++
  return count
}

/** Rows that say which column answers which sub-field. */
const scoredRows = 12

/** At most so many places of all, spread over them. */
export function spread(count: number, most: number): number[] {
  const step = Math.max(1, count / most)
  return Array.from({ length: Math.min(count, most) }, (_, index) => Math.floor(index * step))
}

/** The places of a sub-field of which all trees are asked, and the rows and trees that say which these are. */
const mostPlaces = 10
const tellingRows = 3
const tellingTrees = 100

/** Of the places of a sub-field its own and the likeliest others: a wide table has many, and trees take their time. */
function likelyPlaces({ table, describer, places }: Described, field: number, first: Trees): number[] {
  const [own, ...others] = places[field]!
  if (others.length < mostPlaces) return places[field]!
  const rows = spread(table.rows.length, tellingRows)
  const scores = new Map(others.map((place) => [place, 0]))
  for (const at of rows) {
    const readings = describer.readings(at, field, others)
    const cells = readings.map((reading) => describer.cell(at, field, reading))
    const sums = sumsOf(first, cells, tellingTrees)
    for (const [index, { place }] of readings.entries())
      scores.set(place, scores.get(place)! + probability(sums[index]!))
  }
  const best = new Set(
    others.toSorted((left, right) => scores.get(right)! - scores.get(left)!).slice(0, mostPlaces - 1),
  )
  return [own!, ...others.filter((place) => best.has(place))]
}

const probability = (odds: number): number => 1 / (1 + Math.exp(-odds))

/** What the first look gives each sub-field's places in a table. */
export function placeScores(described: Described, first: Trees): PlaceScore[] {
  const one = { ...described, places: described.places.map((_, field) => likelyPlaces(described, field, first)) }
  const rows = spread(one.table.rows.length, scoredRows)
  return one.places.flatMap((list, field) => {
    const sums = new Map(list.map((place) => [place, { sum: 0, filled: 0 }]))
    for (const at of rows) {
      const isSeen = new Set<number>()
      for (const { place, score } of readingsOf(one, at, field, first)) {
        const found = sums.get(place)!
        found.sum += score
        if (!isSeen.has(place)) found.filled++
        isSeen.add(place)
      }
    }
    return list.map((place, rank): PlaceScore => {
      const { sum, filled } = sums.get(place)!
      const isOwn = rank === 0
      const share = filled / rows.length
      return { field, place, isOwn, mean: sum / rows.length, ofFilled: sum / Math.max(1, filled), filled: share }
    })
  })
}

/** A table with one place for each sub-field: the likeliest first, and none that another one is likelier to be for. */
function withOnePlaceEach(one: Described, fields: readonly Field[], { first, columns }: TableLooks): Described {
  const rows = spread(one.table.rows.length, scoredRows)
  const scores = placeScores(one, first)
  const look = new ColumnLook(one, fields, scores)
  const pairs = fields.flatMap((_, field) => {
    const own = scores.filter((score) => score.field === field)
    const shares = sharesOf(
      columns,
      own.map((score) => look.row(score)),
    )
    const all = own.map(({ place, isOwn }, at) => ({ field, place, isOwn, score: shares[at]! }))
    const possible = all.filter(({ place }) => one.describer.addsUp(field, place))
    const ruledOut = all.filter((pair) => !possible.includes(pair)).reduce((sum, { score }) => sum + score, 0)
    return possible.map((pair) => ({ ...pair, score: pair.score / (1 - ruledOut) }))
  })
  const places = one.places.map((): number[] => [])
  const shares = one.places.map(() => 0)
  const taken = new Map<number, Taken[]>()
  for (const { field, place, isOwn, score } of pairs.sort((left, right) => right.score - left.score)) {
    // What no column of its own answers may share one («40h» is a quantity and a unit), lines are several, and «3360
    // Buchsee» is a code and a town.
    const isFree =
      place === noColumn ||
      isBelow(place) ||
      isOwn ||
      (taken.get(columnOfPlace(place)) ?? []).every((other) => isApartIn(one, rows, { field, place }, other))
    if (places[field]!.length > 0 || !isFree) continue
    places[field]!.push(place)
    shares[field] = score
    if (!isBelow(place)) taken.set(columnOfPlace(place), [...(taken.get(columnOfPlace(place)) ?? []), { field, place }])
  }
  return { ...one, places, shares }
}

/** A sub-field with the place that answers it. */
type Taken = { field: number; place: number }

/** Whether two sub-fields find their answers in other words of a column. */
function isApartIn({ describer }: Described, rows: readonly number[], own: Taken, other: Taken): boolean {
  return rows.every((at) => {
    const words = new Set(describer.readings(at, own.field, [own.place])[0]?.cell.words)
    return !describer.readings(at, other.field, [other.place])[0]?.cell.words.some((word) => words.has(word))
  })
}

/** What the first rows are worth, and the words that would answer in them. */
function worthOf(one: Described, fields: readonly Field[], first: Trees): Pick<Offer, 'worth' | 'words'> {
  const words = new Set<Word>()
  let sum = 0
  for (let at = 0; at < Math.min(one.table.rows.length, comparedRows); at++) {
    const row = fields.flatMap((_, field) => readingsOf(one, at, field, first).slice(0, 1))
    // A heading stands above what is no row as well.
    const own = row.filter(({ place }) => place !== aboveGroup)
    for (const { cell, score } of own) if (worth(score) > 0) for (const word of cell.words) words.add(word)
    sum += Math.max(
      0,
      own.reduce((total, { score }) => total + worth(score), 0),
    )
  }
  return { worth: sum, words }
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

function choicesOf(one: Described, others: readonly Described[], fields: readonly Field[], first: Trees): Choice[][][] {
  const twins = others.map((other) => twinsOf(one.table, other.table))
  return one.table.rows.map((_, at) =>
    fields.map((asked, field) => {
      const all = [
        ...readingsOf(one, at, field, first),
        ...others.flatMap((other, index) => {
          const twin = twins[index]![at]
          // A text between lines has all its lines there, and elsewhere only some.
          const isPart = one.table.ruled && !other.table.ruled && asked.element.format === 'text'
          if (twin === undefined || isPart) return []
          return readingsOf(other, twin, field, first).filter(({ cell }) => mayAnswer(headOver(cell, one, at), asked))
        }),
      ].sort((left, right) => right.score - left.score)
      if (asksForLess.test(asked.element.description)) return all
      return all.filter((short) => !all.some((long) => leavesOutBrackets(short.cell.words, long.cell.words)))
    }),
  )
}

/**
 * Whether of a text only the last line in brackets is left out: it explains the text («Grab rail / (relief claimed)»),
 * unless the description leaves it out. Of the papers and samples two have such a line, and both expect it.
 */
function leavesOutBrackets(short: readonly Word[], long: readonly Word[]): boolean {
  const isPart = short.length < long.length && short[0] === long[0] && short.at(-1) === long[short.length - 1]
  return isPart && isInBrackets(long.slice(short.length))
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
