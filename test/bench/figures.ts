import type { Judgement, JudgedRow, JudgedValue } from './compare.ts'

/** What was measured of some documents; each part is a count, so that sums of them are measured alike. */
export type Figures = {
  documents: number
  /** They could not be read at all; their values count as wrong. */
  unreadable: number
  fields: Share
  /** Of the fields that have a value: those that are right, and those without a doubt that are. */
  given: Share
  unflagged: Share
  rows: Share
  givenRows: Share
  unflaggedRows: Share
  lists: Share
  /** Expected values of header fields that are among the proposals. */
  oracle: Share
  pages: number
  readingMs: number
  findingMs: number
  /** The most memory that the process held after one of the documents, bytes. */
  memory: number
}

export type Share = { right: number; all: number }

export function noFigures(): Figures {
  const none = (): Share => ({ right: 0, all: 0 })
  return {
    documents: 0,
    unreadable: 0,
    fields: none(),
    given: none(),
    unflagged: none(),
    rows: none(),
    givenRows: none(),
    unflaggedRows: none(),
    lists: none(),
    oracle: none(),
    pages: 0,
    readingMs: 0,
    findingMs: 0,
    memory: 0,
  }
}

/** Adds what was judged of one document. */
export function count(figures: Figures, { fields, lists }: Judgement): void {
  figures.documents++
  for (const field of fields) addTo(figures.fields, field.isRight)
  for (const field of fields.filter(({ got }) => got !== null)) addGiven(figures.given, figures.unflagged, field)
  for (const { rows, isExact } of lists) {
    addTo(figures.lists, isExact)
    for (const row of rows.filter(({ expected }) => expected !== null)) addTo(figures.rows, row.isRight)
    for (const row of rows.filter(({ got }) => got !== null)) addGiven(figures.givenRows, figures.unflaggedRows, row)
  }
}

function addGiven(given: Share, unflagged: Share, { isRight, doubt }: JudgedValue | JudgedRow): void {
  addTo(given, isRight)
  if (doubt === null) addTo(unflagged, isRight)
}

export function addTo(share: Share, isRight: boolean): void {
  share.all++
  if (isRight) share.right++
}

const columns = [
  'documents',
  'fields exact',
  'given right',
  'unflagged right',
  'flagged',
  'rows exact',
  'given rows right',
  'unflagged right',
  'flagged',
  'lists exact',
  'oracle',
  'read s/page',
  'find s/page',
  'MB',
]

const nameWidth = 34

export function headOf(): string {
  return `${''.padEnd(nameWidth)}${columns.map((column) => column.padStart(widthOf(column))).join('')}\n`
}

/** One line of the table: the name, then what `headOf` names. */
export function lineOf(name: string, figures: Figures): string {
  const { documents, unreadable, pages } = figures
  const perPage = (ms: number): string => (pages === 0 ? '–' : (ms / 1000 / pages).toFixed(2))
  const cells = [
    unreadable === 0 ? String(documents) : `${documents} (${unreadable}!)`,
    share(figures.fields),
    percent(figures.given),
    percent(figures.unflagged),
    flagged(figures.given, figures.unflagged),
    share(figures.rows),
    percent(figures.givenRows),
    percent(figures.unflaggedRows),
    flagged(figures.givenRows, figures.unflaggedRows),
    share(figures.lists),
    percent(figures.oracle),
    perPage(figures.readingMs),
    perPage(figures.findingMs),
    String(Math.round(figures.memory / 1e6)),
  ]
  return `${name.slice(0, nameWidth - 2).padEnd(nameWidth)}${cells.map((cell, index) => cell.padStart(widthOf(columns[index]!))).join('')}\n`
}

function widthOf(column: string): number {
  return Math.max(column.length + 2, /exact/.test(column) ? 19 : 8)
}

function share(one: Share): string {
  return one.all === 0 ? '–' : `${one.right}/${one.all} ${percent(one)}`
}

export function percent({ right, all }: Share): string {
  return all === 0 ? '–' : `${((100 * right) / all).toFixed(1)} %`
}

function flagged(given: Share, unflagged: Share): string {
  return percent({ right: given.all - unflagged.all, all: given.all })
}
