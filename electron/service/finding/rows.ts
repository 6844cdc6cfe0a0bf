import { pointerOf } from '../../../shared/domain/pointer.ts'
import type { Alternative, Doubt, ExtractedRecord, FieldSource } from '../../../shared/domain/result.ts'
import { sourceBox, textOf } from '../extraction/layout.ts'
import type { Word } from '../extraction/layout.ts'
import type { Row } from '../extraction/list-rows.ts'
import { setOwn } from '../extraction/set-own.ts'
import type { Choice, ChosenTable } from './choose-tables.ts'
import type { Described } from './describe-tables.ts'
import type { RowsModel, TableLooks } from './model.ts'
import { sureTrust } from './readers.ts'
import { SecondLook } from './rows-setting.ts'
import { aboveGroup, columnOfPlace } from './places.ts'
import { sharesOf } from './trees.ts'

/** The records of one list; pointers are relative to the list (`/2/amount`, the list itself is the empty one). */
export type ListResult = { records: ExtractedRecord[]; sources: FieldSource[]; doubts: Doubt[] }

/** How many other values are offered for one that is not sure. */
export const mostAlternatives = 3

/** A choice with how probable it is that its value is right. */
type Judged = Choice & { trust: number }

/**
 * The rows of a list from the table it takes, without lines that are no rows. A cell that is not sure has a doubt;
 * where half of them are not, the list has one.
 */
export function rowsOf(table: ChosenTable, model: Omit<RowsModel, keyof TableLooks>): ListResult {
  const result: ListResult = { records: [], sources: [], doubts: [] }
  const look = new SecondLook(table)
  let given = 0
  for (const [at, choices] of table.choices.entries()) {
    const judged = choices.map((list, field) => {
      const trusts = sharesOf(
        model.second,
        list.map((one) => look.row(at, field, one)),
      )
      return byValue(list.map((one, place) => ({ ...one, trust: trusts[place]! })))
    })
    const chosen = onePlaceOneField(judged)
    if (isNoRow(chosen)) continue
    const record: ExtractedRecord = {}
    const elsewhere = chosen.map((best, field) => best !== undefined && isBesideEmpty(table, at, field, best))
    const least = model.given * surest(chosen.filter((_, field) => !elsewhere[field]))
    table.fields.forEach(({ element }, field) => {
      const best = chosen[field]
      const pointer = pointerOf([result.records.length, element.name])
      const isElsewhere = elsewhere[field]!
      const isGiven = best !== undefined && !isElsewhere && reachOf(best, judged[field]!) >= least
      setOwn(record, element.name, isGiven ? best.cell.value : element.format === 'list' ? [] : null)
      if (isGiven) {
        given++
        result.sources.push({ pointer, ...placeOf(best.cell.words), trust: Number(best.trust.toFixed(3)) })
      }
      if (!best || (!isElsewhere && best.trust >= sureTrust(best.cell.words, model.sure))) return
      const rest = distinct(judged[field]!).filter(({ cell }) => !isGiven || cell.value !== best.cell.value)
      result.doubts.push({ pointer, code: 'unsure', alternatives: rest.slice(0, mostAlternatives).map(alternative) })
    })
    result.records.push(record)
  }
  result.doubts.push(...gapsIn(table, result))
  // One look at the table says more than many at its cells.
  if (result.doubts.length * 2 > given || table.isContested)
    result.doubts = [{ pointer: '', code: 'rows_unsure', alternatives: [] }]
  return result
}

/**
 * Cells without a value in columns of which at most one cell, or this share, has none: of 34 such cells of 200 papers
 * 26 had been overlooked. Money out and money in have one of two.
 */
const emptyShare = 0.2
const fewestRows = 3
const oneOfTwo = new Set(['debit', 'credit'])

function gapsIn({ fields }: ChosenTable, { records, doubts }: ListResult): Doubt[] {
  const known = new Set(doubts.map(({ pointer }) => pointer))
  return fields.flatMap(({ element: { name }, concept }) => {
    const empty = [...records.keys()].filter((at) => records[at]![name] === null)
    const isFilled = empty.length <= Math.max(1, emptyShare * records.length)
    if (records.length < fewestRows || !isFilled || oneOfTwo.has(concept ?? '')) return []
    const pointers = empty.map((at) => pointerOf([at, name])).filter((pointer) => !known.has(pointer))
    return pointers.map((pointer): Doubt => ({ pointer, code: 'unsure', alternatives: [] }))
  })
}

/**
 * Whether a reading stands elsewhere while the column of its sub-field is empty in this row and not in others: of 48
 * such cells of 230 papers 38 had been wrong, 33 of them empty (29 November 2026). It is only offered.
 */
function isBesideEmpty({ one }: ChosenTable, at: number, field: number, best: Judged): boolean {
  const { places, table } = one
  const [place] = places[field]!
  const own = columnOfPlace(place!)
  // What the table itself gives it, such as a day that is printed once for several rows, is its own.
  const given = table.values[at]![field]?.value
  if (
    (best.from === one && best.place === place) ||
    given === best.cell.value ||
    table.header?.columns[own]?.field !== field
  )
    return false
  const isEmpty = ({ cells }: Row): boolean => (cells.get(own)?.length ?? 0) === 0
  return isEmpty(table.rows[at]!) && !table.rows.every(isEmpty)
}

/**
 * Below this mean trust a line without a likely cell is no row: a sum, a note. A row that is only unsure is shown, with
 * its flags. With a mean of 0.25 sixteen more rows that are none are given in `mixed` and `wildreceipt`, and not one that is
 * right (28 November 2026).
 */
const leastRowTrust = 0.35
const likelyCell = 0.5

/**
 * How sure the surest cell of a row is. Once a row is shown, its cells are asked for as those of a row: a cell is given
 * where it is likely enough among the rows that are. By trees that know papers of all kinds 141 instead of 113 of 311 rows
 * of `mixed` are right with that, by those that are shipped 145 instead of 144 (29 November 2026).
 */
function surest(cells: readonly (Judged | undefined)[]): number {
  return Math.max(0, ...cells.map((one) => one?.trust ?? 0))
}

function isNoRow(cells: readonly (Judged | undefined)[]): boolean {
  // A heading stands above what is no row as well.
  const trusts = cells.flatMap((one) => (one && one.place !== aboveGroup ? [one.trust] : []))
  if (trusts.some((trust) => trust >= likelyCell)) return false
  return trusts.reduce((sum, trust) => sum + trust, 0) < leastRowTrust * Math.max(1, trusts.length)
}

/** How probable it is that a reading or another part of the same text is right: then it only has to be cut. */
function reachOf(one: Judged, all: readonly Judged[]): number {
  const parts = all.filter(({ cell }) => cell.words[0] === one.cell.words[0])
  return distinct(parts).reduce((sum, { trust }) => sum + trust, 0)
}

/** For each field of a row its likeliest reading, but none whose words another reading of the row answers with. */
function onePlaceOneField(choices: readonly Judged[][]): (Judged | undefined)[] {
  const chosen = choices.map((): Judged | undefined => undefined)
  const takenBy = new Map<Word, Described>()
  const all = choices
    .flatMap((list, field) => list.map((one) => ({ one, field })))
    .sort((left, right) => right.one.trust - left.one.trust)
  for (const { one, field } of all) {
    if (chosen[field]) continue
    // One reading may find two answers in a word («40h»), two readings must not.
    if (one.cell.words.some((word) => (takenBy.get(word) ?? one.from) !== one.from)) continue
    chosen[field] = one
    for (const word of one.cell.words) takenBy.set(word, one.from)
  }
  return chosen
}

/** Readings with what their value is trusted, whichever tables read it; the likeliest first. */
function byValue(readings: readonly Judged[]): Judged[] {
  const trusts = new Map<unknown, number>()
  for (const { cell, trust } of readings) trusts.set(cell.value, (trusts.get(cell.value) ?? 0) + trust)
  return readings
    .toSorted((left, right) => right.trust - left.trust)
    .map((one) => ({ ...one, trust: trusts.get(one.cell.value)! }))
    .sort((left, right) => right.trust - left.trust)
}

function distinct(readings: readonly Judged[]): Judged[] {
  const values = new Set<unknown>()
  return readings.filter(({ cell: { value } }) => !values.has(value) && values.add(value))
}

function alternative({ cell }: Judged): Alternative {
  return { value: cell.value as Alternative['value'], ...placeOf(cell.words) }
}

/** Where words stand: what of them is on the page that they begin on. */
export function placeOf(words: readonly Word[]): Pick<FieldSource, 'page' | 'box' | 'text'> {
  const { page } = words[0]!
  return { page, box: sourceBox(words.filter((word) => word.page === page)), text: textOf(words) }
}
