import { understandItems } from '../../electron/service/extraction/list-fields.ts'
import type { Evidence } from '../../electron/service/extraction/evidence.ts'
import { layOut, linesOfWords, textOf, wordsOf } from '../../electron/service/extraction/layout.ts'
import type { Layout } from '../../electron/service/extraction/layout.ts'
import { numbersIn } from '../../electron/service/extraction/read-value.ts'
import { describeProposals } from '../../electron/service/finding/describe.ts'
import type { RowsModel, TableLooks } from '../../electron/service/finding/model.ts'
import { chooseTables, placeScores, spread } from '../../electron/service/finding/choose-tables.ts'
import type { ChosenTable } from '../../electron/service/finding/choose-tables.ts'
import { describeTables } from '../../electron/service/finding/describe-tables.ts'
import type { Described } from '../../electron/service/finding/describe-tables.ts'
import type { PlaceScore } from '../../electron/service/finding/column-look.ts'
import { ColumnLook, placeFeatures } from '../../electron/service/finding/column-look.ts'
import { rowsOf } from '../../electron/service/finding/rows.ts'
import { SecondLook, settingWidth } from '../../electron/service/finding/rows-setting.ts'
import { asksForLess, cellFeatures, isOtherType } from '../../electron/service/finding/table-features.ts'
import type { Reading } from '../../electron/service/finding/table-features.ts'
import type { Trees } from '../../electron/service/finding/trees.ts'
import type { Value } from '../../shared/domain/result.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { pointerOf, tokensOf } from '../../shared/domain/pointer.ts'
import { judge, pairInOrder, sameValue } from '../bench/compare.ts'
import type { BoostOptions, Examples } from './boost.ts'
import { arrivingSets, paperSets } from './cases.ts'
import type { TrainingCase } from './cases.ts'
import { isOfPictures, Rows, thresholdsOf, worthGiving } from './fields.ts'
import type { Outcome } from './fields.ts'
import { meanOfTwo } from './mean-of-two.ts'

const firstOptions: BoostOptions = {
  trees: 400,
  leaves: 24,
  rate: 0.1,
  leastWeight: 4,
  lambda: 4,
  share: 0.5,
}
const columnOptions: BoostOptions = {
  trees: 120,
  leaves: 12,
  rate: 0.1,
  leastWeight: 4,
  lambda: 4,
  share: 0.5,
}
/**
 * Of 23,500 cells that are given of senders left out 12,645 need no look (94.9 % of them right) with 400 trees of 8 leaves,
 * and 12,386 (95.1 %) with 200 of 12.
 */
const secondOptions: BoostOptions = {
  trees: 400,
  leaves: 8,
  rate: 0.1,
  leastWeight: 4,
  lambda: 4,
  share: 0.5,
}
/** A real document counts as much as so many generated ones. */
const realWeight = 4
/**
 * Our own papers are few, and plain ones as most are: one counts as much as so many of those that arrive, and a paper of
 * others as so many. With `firstWeights` in the second look as well 7,367 of 18,220 given cells are flagged instead of
 * 7,070 of 18,247, and 96.1 of 100 unflagged are right instead of 95.5 (29 November 2026).
 */
type Weights = { own: number; paper: number }
const firstWeights: Weights = { own: 3, paper: 1 }
const secondWeights: Weights = { own: 8, paper: 0.5 }
/** A table of a hundred rows teaches no more than one of so many: these, spread over all of it. */
const tellingRows = 12

/** A reading of a cell as a row of features, whether it is right, and whether it takes only some of the cell's lines. */
type Judged = { row: Float32Array; isRight: boolean; isPart: boolean }
/** What a cell may be read as: one question. */
type Example = { readings: Judged[] }

/** The cells of every reading of a document's tables, and whether each is right. */
export type PreparedRows = { one: TrainingCase; cells: Example[] }

/** What both looks are taught with: a document with the lists whose rows it prints. */
function open(one: TrainingCase) {
  const layout = layOut(one.document)
  const { evidence, facts } = describeProposals(one.document, layout, [])
  const isPrinted = printedIn(layout, evidence)
  return { layout, evidence, facts, isPrinted, lists: usableLists(one, isPrinted) }
}

export function prepareRows(one: TrainingCase): PreparedRows {
  const cells: Example[] = []
  const { layout, evidence, facts, isPrinted, lists } = open(one)
  for (const element of lists) {
    const fields = understandItems(element)
    for (const described of describeTables(element, fields, layout, evidence, facts)) {
      const { table, describer, places } = described
      const wanted = wantedRows(one, element, readAnywhere(described))
      for (const at of spread(table.rows.length, tellingRows))
        fields.forEach(({ element: item }, field) => {
          const want = wanted.get(at)?.[item.name] ?? null
          if (want !== null && !isPrinted(item, want)) return
          const all = describer.readings(at, field, places[field]!)
          const readings = all.map((reading) => ({
            row: describer.cell(at, field, reading),
            isRight: want !== null && sameValue(item, want, reading.cell.value, one.spaces === 'missing'),
            isPart: isPart(reading),
          }))
          if (teaches(one, want, readings) && isTold(one, item, wanted.get(at), all)) cells.push({ readings })
        })
    }
  }
  return { one, cells }
}

const isPart = ({ firstLine, lines }: Reading): boolean => firstLine > 0 || lines > 0

/**
 * What an invoice inside the file says otherwise than its page teaches nothing: no reading can be right. Nor does a
 * text in several lines, of which such an invoice has the first as a name and the others elsewhere.
 */
function teaches(one: TrainingCase, want: unknown, readings: readonly Omit<Judged, 'row'>[]): boolean {
  if (!one.isAnsweredInside || want === null) return true
  return readings.some(({ isRight }) => isRight) && !readings.some((one) => one.isPart)
}

/**
 * Whether something says that only the first lines of a text are meant, where an answer has no more: the description,
 * another type below, or a sub-field that asks for the rest. Else it is a custom of whoever gave the answer, and others
 * have another: that teaches nothing. Our own papers have one custom.
 */
function isTold(
  { set, spaces }: TrainingCase,
  item: SchemaElement,
  wanted: Record<string, unknown> | undefined,
  readings: readonly Reading[],
): boolean {
  const want = wanted?.[item.name] ?? null
  if (want === null || !arrivingSets.includes(set)) return true
  const isRight = ({ cell }: Reading): boolean => sameValue(item, want, cell.value, spaces === 'missing')
  const right = readings.find((one) => one.firstLine === 0 && one.lines > 0 && isRight(one))
  const whole = readings.find((one) => !isPart(one) && one.cell.words[0] === right?.cell.words[0])
  const lines = linesOfWords(whole?.cell.words ?? [])
  if (!right || !whole || isRight(whole) || lines.length <= right.lines) return true
  const rest = textOf(lines.slice(right.lines).flat())
  return (
    asksForLess.test(item.description) ||
    isOtherType(lines[right.lines]!, lines[right.lines - 1]!) ||
    Object.values(wanted!).some((value) => typeof value === 'string' && value.length > 1 && rest.includes(value))
  )
}

/** Below this share of printed cells the answer sheet is of another paper (an attachment that says something else). */
const leastPrinted = 0.6

/** Which expected cells the pages print at all; of a list of which they print too little, none. */
function printedIn(layout: Layout, evidence: Evidence): (item: SchemaElement, want: unknown) => boolean {
  const text = plain(layout.text)
  const words = new Set(layout.lines.flatMap((line) => wordsOf(line).map((word) => plain(word.text))))
  // Between the lines of a text stand the other cells of its row.
  const isThere = (want: string): boolean =>
    text.includes(plain(want)) || want.split(/\s+/u).every((word) => plain(word) === '' || words.has(plain(word)))
  const numbers = new Set(
    layout.lines.flatMap((line) => numbersIn(wordsOf(line), evidence).map(({ value }) => Math.abs(Number(value)))),
  )
  return (item, want) =>
    item.format === 'text' ? isThere(String(want)) : typeof want !== 'number' || numbers.has(Math.abs(want))
}

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{P}]/gu, '')

/** The lists of a case whose rows its pages print, for the most part. */
function usableLists(one: TrainingCase, isPrinted: (item: SchemaElement, want: unknown) => boolean): SchemaElement[] {
  return one.schema.filter((element) => {
    if (element.format !== 'list' || !Object.hasOwn(one.expected, element.name)) return false
    const rows = (one.expected[element.name] ?? []) as Record<string, unknown>[]
    // An attachment without rows says nothing of those that the pages print.
    if (rows.length === 0) return false
    const wanted = rows.flatMap((row) =>
      (element.items ?? [])
        .filter(({ name }) => (row[name] ?? null) !== null)
        .map((item) => isPrinted(item, row[item.name])),
    )
    return wanted.filter(Boolean).length >= leastPrinted * wanted.length
  })
}

/** For each row of a table and each sub-field all that some place of the table may answer. */
function readAnywhere({ table, describer, places }: Described): Value[][][] {
  return table.rows.map((_, at) =>
    places.map((list, field) => describer.readings(at, field, list).map(({ cell }) => cell.value)),
  )
}

/** For each row of a table, of which each sub-field may have these values, the one that a person expects there. */
function wantedRows(
  one: TrainingCase,
  element: SchemaElement,
  readable: readonly (readonly (readonly Value[])[])[],
): Map<number, Record<string, unknown>> {
  const items = element.items ?? []
  const expected = (one.expected[element.name] ?? []) as Record<string, unknown>[]
  const known = items.map(() => new Map<string, boolean>())
  const isSame = (field: number, want: unknown, got: Value): boolean => {
    const key = JSON.stringify([want, got])
    let found = known[field]!.get(key)
    if (found === undefined)
      known[field]!.set(key, (found = sameValue(items[field]!, want, got, one.spaces === 'missing')))
    return found
  }
  const agree = expected.map((wanted) =>
    readable.map((row) => {
      const told = items
        .map(({ name }, field) => ({ field, want: wanted[name] ?? null }))
        .filter(({ want }) => want !== null)
      return told.filter(({ field, want }) => row[field]!.some((got) => isSame(field, want, got))).length
    }),
  )
  const pairs = pairInOrder(agree, readable.length)
  return new Map(pairs.flatMap(([row, at]) => (row === null || at === null ? [] : [[at, expected[row]!]])))
}

type Taught = Pick<PreparedRows, 'one' | 'cells'>

export function trainFirstRows(real: readonly Taught[], generated: readonly Taught[]): Promise<Trees> {
  return withAndWithoutPapers(cellFeatures.length, real, generated, firstOptions, firstWeights)
}

/**
 * One training learns from all, the other without the papers that others made: the first knows papers of all kinds, the
 * second those that real senders and we ourselves have most, such as accounts (docs/decisions/0136).
 */
function withAndWithoutPapers(
  width: number,
  real: readonly Taught[],
  generated: readonly Taught[],
  options: BoostOptions,
  weights: Weights,
): Promise<Trees> {
  const ofSenders = real.filter(({ one: { set } }) => !paperSets.includes(set))
  return meanOfTwo(
    () => examplesOf(width, real, generated, weights),
    options,
    () => examplesOf(width, ofSenders, generated, weights),
  )
}

function examplesOf(
  width: number,
  real: readonly Taught[],
  generated: readonly Taught[],
  { own, paper }: Weights,
): Examples {
  const rows = new Rows(width)
  const add = ({ cells }: Taught, times: number): void => {
    for (const { readings } of cells) {
      rows.ask()
      for (const { row, isRight } of readings) rows.push(row, isRight, times)
    }
  }
  for (const taught of real) {
    const { set } = taught.one
    const weight = paperSets.includes(set) ? paper : arrivingSets.includes(set) ? 1 : own
    add(taught, realWeight * weight)
  }
  for (const taught of generated) add(taught, 1)
  return rows.examples()
}

/** The places of every reading of a document's tables, and whether each answers its sub-field. */
export function placesOf({ one }: Pick<PreparedRows, 'one'>, first: Trees): Taught {
  const { layout, evidence, facts, isPrinted, lists } = open(one)
  const cells = lists.flatMap((element) => {
    const fields = understandItems(element)
    return describeTables(element, fields, layout, evidence, facts).flatMap((described) => {
      const scores = placeScores(described, first)
      const look = new ColumnLook(described, fields, scores)
      const wanted = wantedRows(one, element, readAnywhere(described))
      return fields.flatMap(({ element: item }, field): Example[] => {
        const readings = scores
          .filter((score) => score.field === field)
          .map((score) => ({
            row: look.row(score),
            isRight: answers(one, described, wanted, item, score, isPrinted),
            isPart: false,
          }))
        // What is expected and no place has says nothing of which one does; what nobody expects, that none does.
        const isExpected = [...wanted.values()].some((row) => (row[item.name] ?? null) !== null)
        return readings.some(({ isRight }) => isRight) || !isExpected ? [{ readings }] : []
      })
    })
  })
  return { one, cells }
}

/** Whether a place has what is expected in at least half of the rows that expect it or have something there. */
function answers(
  { spaces }: TrainingCase,
  { describer }: Described,
  wanted: ReadonlyMap<number, Record<string, unknown>>,
  item: SchemaElement,
  { field, place }: PlaceScore,
  isPrinted: (item: SchemaElement, want: unknown) => boolean,
): boolean {
  let [asked, right] = [0, 0]
  for (const [at, row] of wanted) {
    const want = row[item.name] ?? null
    const readings = describer.readings(at, field, [place])
    if (want === null ? readings.length === 0 : !isPrinted(item, want)) continue
    asked++
    if (want !== null && readings.some(({ cell }) => sameValue(item, want, cell.value, spaces === 'missing'))) right++
  }
  return right > 0 && right * 2 >= asked
}

export function trainColumns(real: readonly Taught[], generated: readonly Taught[]): Promise<Trees> {
  return withAndWithoutPapers(placeFeatures.length, real, generated, columnOptions, firstWeights)
}

/**
 * What the second look is trained by: the choices of the tables that the first look takes, and whether each is right.
 */
export type RowLook = {
  one: TrainingCase
  lists: SchemaElement[]
  isPrinted: (item: SchemaElement, want: unknown) => boolean
  tables: ChosenTable[]
  cells: Example[]
}

export function rowLooksOf({ one }: Pick<PreparedRows, 'one'>, looks: TableLooks): RowLook {
  const { layout, evidence, facts, isPrinted, lists } = open(one)
  const tables = chooseTables(lists, layout, evidence, facts, looks)
  const cells = tables.flatMap((table) => {
    const readable = table.choices.map((row) => row.map((list) => list.map(({ cell }) => cell.value)))
    const wanted = wantedRows(one, table.element, readable)
    const look = new SecondLook(table)
    return spread(table.choices.length, tellingRows).flatMap((at) =>
      table.choices[at]!.flatMap((choices, field): Example[] => {
        const { element } = table.fields[field]!
        const want = wanted.get(at)?.[element.name] ?? null
        if (want !== null && !isPrinted(element, want)) return []
        const readings = choices.map((choice) => ({
          row: look.row(at, field, choice),
          isRight: want !== null && sameValue(element, want, choice.cell.value, one.spaces === 'missing'),
          isPart: isPart(choice),
        }))
        return teaches(one, want, readings) && isTold(one, element, wanted.get(at), choices) ? [{ readings }] : []
      }),
    )
  })
  return { one, lists, isPrinted, tables, cells }
}

export function trainSecondRows(real: readonly Taught[], generated: readonly Taught[]): Promise<Trees> {
  return withAndWithoutPapers(settingWidth, real, generated, secondOptions, secondWeights)
}

/** What becomes of a cell, and the column of which document it stands in. */
export type RowOutcome = Outcome & { set: string; column: string }

/** What becomes of each cell, judged by trees that never saw the sender. */
export function rowOutcomes({ one, lists, isPrinted, tables }: RowLook, second: Trees): RowOutcome[] {
  return lists.flatMap((element) => {
    const table = tables.find((other) => other.element === element)
    const { records, sources } = table
      ? rowsOf(table, { second, given: 0, sure: { text: 0, picture: 0 } })
      : { records: [], sources: [] }
    const judged = judge({ ...one, schema: [element] }, { [element.name]: records })
    const readingsOf = (item: SchemaElement, want: unknown): Omit<Judged, 'row'>[] =>
      table!.fields.flatMap(({ element: { name } }, field) =>
        table!.choices.flatMap((row) =>
          (name === item.name ? row[field]! : []).map((choice) => ({
            isRight: sameValue(item, want, choice.cell.value, one.spaces === 'missing'),
            isPart: isPart(choice),
          })),
        ),
      )
    const isUsable = (pointer: string, want: unknown): boolean => {
      if (want === null || want === undefined) return true
      const item = element.items?.find(({ name }) => pointer.endsWith(pointerOf([name])))
      return item !== undefined && isPrinted(item, want) && (!table || teaches(one, want, readingsOf(item, want)))
    }
    const trusts = new Map(sources.map(({ pointer, trust }) => [pointer, trust!]))
    return judged.lists.flatMap(({ rows }) =>
      rows.flatMap((row) =>
        row.cells.map(({ pointer, isRight, expected }) => ({
          trust: trusts.get(`/${tokensOf(pointer).slice(2).join('/')}`) ?? 0,
          isRight: isRight && row.expected !== null,
          isWanted: row.expected !== null,
          isUsable: isUsable(pointer, expected),
          kind: 'cell',
          isPicture: isOfPictures(one),
          set: one.set,
          column: `${one.set} ${one.file} ${element.name} ${tokensOf(pointer).at(-1)}`,
        })),
      ),
    )
  })
}

/**
 * The cells of a row are right or wrong together: where so many of them are right, by column, 95 of 100 rows of papers
 * are whose trees never saw them (569 of 597).
 */
const wantedRight = 0.965
/** The least that may be sure, in pictures as well: those that learn are too few to say it. */
const leastSure = 0.92
/** Cells of one column are right or wrong together: so many of each choose the thresholds, spread over all of it. */
const cellsOfColumn = 3

/**
 * A cell is given where that is worth more than an empty one (choose-tables.ts), as a part of what its row is trusted
 * (rows.ts); it is sure where enough of all are right, our own papers among them (docs/decisions/0124, 0136).
 */
export function rowThresholds(outcomes: readonly RowOutcome[]): Pick<RowsModel, 'given' | 'sure'> {
  const columns = Map.groupBy(
    outcomes.filter(({ trust }) => trust > 0),
    ({ column }) => column,
  )
  const some = [...columns.values()].flatMap((cells) => spread(cells.length, cellsOfColumn).map((at) => cells[at]!))
  const { sure } = thresholdsOf(some, wantedRight)
  return {
    given: Number(worthGiving.toFixed(3)),
    sure: { text: Math.max(sure.text, leastSure), picture: Math.max(sure.picture, leastSure) },
  }
}
