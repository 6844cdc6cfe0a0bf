import { kinds } from './features.ts'
import type { ChosenTable, Choice } from './choose-tables.ts'
import { agreementOf, confidenceOf } from './readers.ts'
import { isBelow } from './places.ts'
import { productOf } from './table-features.ts'
import { ways } from './tables.ts'
import { logit } from './trees.ts'

/** One reading of a cell beside all others of its row and column. */
type Setting = { table: ChosenTable; at: number; field: number; one: Choice; look: SecondLook }

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? NaN : numbers.reduce((sum, one) => sum + one, 0) / numbers.length
}

/** The likeliest reading of the same cell with another value. */
function rivalOf({ table, at, field, one }: Setting): Choice | undefined {
  return table.choices[at]![field]!.find(({ cell }) => cell.value !== one.cell.value)
}

/** Of the tables that read this cell, the share that read this value; a text in part counts as another. */
function agreement({ table, at, field, one }: Setting): number {
  const all = table.choices[at]![field]!.filter(({ firstLine, lines, printed }) => firstLine + lines + printed === 0)
  // Each table counts once, by what it finds likeliest.
  const readings = [...new Set(all.map(({ from }) => from))].map((from) => all.find((other) => other.from === from)!)
  return readings.length < 2 ? NaN : mean(readings.map(({ cell }) => Number(cell.value === one.cell.value)))
}

/** How likely another field has its answer in the words of this one. */
function claimed({ table, at, field, one }: Setting): number {
  let best = 0
  table.choices[at]!.forEach((list, other) => {
    const first = list[0]
    if (other === field || !first || first.score <= best || first.from === one.from) return
    if (first.cell.words.some((word) => one.cell.words.includes(word))) best = first.score
  })
  return best
}

/** How likely another field has its answer in some of the words of this one, in these and more, or in the same lines. */
function sharedInPart({ table, at, field, one }: Setting): number {
  const words = new Set(one.cell.words)
  const shares = table.choices[at]!.flatMap((list, other) => {
    const [first] = list
    if (other === field || !first) return []
    const shared = first.cell.words.filter((word) => words.has(word)).length
    const isPart = shared < Math.max(words.size, first.cell.words.length)
    return shared > 0 && (isPart || isBelow(one.place)) ? [first.score] : []
  })
  return Math.max(0, ...shares)
}

/** Whether quantity × price = amount with this value and the likeliest of the other two; NaN for other fields. */
function product({ table: { fields, choices }, at, field, one }: Setting): number {
  if (!['quantity', 'unitPrice', 'lineAmount'].includes(fields[field]!.concept ?? '')) return NaN
  const cells = choices[at]!.map((list, other) => (other === field ? one : list[0])?.cell)
  return productOf(cells, fields)
}

/**
 * Named like the judge's features; the trained trees of the second look (rows-model.json) refer to this order
 * (docs/judge.md).
 */
export const readingFeatures: readonly [name: string, of: (setting: Setting) => number][] = [
  ['score', ({ one }) => logit(one.score)],
  ['score of another value', (setting) => logit(rivalOf(setting)?.score ?? 0)],
  ['margin', (setting) => logit(setting.one.score) - logit(rivalOf(setting)?.score ?? 0)],
  ['readings that agree', agreement],
  ['is of the chosen table', ({ table, one }) => Number(one.from === table.one)],
  ['way', ({ one }) => ways.indexOf(one.from.table.way)],
  ['score of the place', ({ field, one }) => logit(one.from.shares?.[field] ?? 0)],
  ['score of the column', ({ look, field, one }) => look.ofColumn(field, one)],
  ['score of the row', ({ look, at, field }) => look.ofRow(at, field)],
  ['rows', ({ table }) => table.one.table.rows.length],
  ['kind of the field', ({ table, field }) => kinds.indexOf(table.fields[field]!.kind)],
  ['field is a known term', ({ table, field }) => Number(table.fields[field]!.concept !== undefined)],
  ['lines taken', ({ one }) => one.lines],
  ['claimed by another field', claimed],
  ['product holds', product],
  ['products hold', ({ look, field }) => look.products(field)],
  ['confidence of reading', ({ one }) => confidenceOf(one.cell.words)],
  ['readers agree', ({ one }) => agreementOf(one.cell.words)],
  ['first line', ({ one }) => one.firstLine],
  ['taken as it is printed', ({ one }) => one.printed],
  ['stands below a text', ({ one }) => Number(isBelow(one.place))],
  ['shared in part', sharedInPart],
]

export const settingWidth = readingFeatures.length

/** The second look at the readings of a table's cells: each beside those of its row and of its column. */
export class SecondLook {
  readonly #table: ChosenTable
  readonly #columns = new Map<string, number>()
  readonly #rows: number[][]
  readonly #products = new Map<number, number>()

  constructor(table: ChosenTable) {
    this.#table = table
    this.#rows = table.choices.map((row) => row.map((list) => list[0]?.score ?? NaN))
  }

  /** The row of a reading for the trees of the second look. */
  row(at: number, field: number, one: Choice): Float32Array {
    const setting: Setting = { table: this.#table, at, field, one, look: this }
    const row = new Float32Array(settingWidth)
    for (let index = 0; index < row.length; index++) row[index] = readingFeatures[index]![1](setting)
    return row
  }

  /** The mean score of the readings of a column that were read like this one. */
  ofColumn(field: number, { from, firstLine, lines, place, printed }: Choice): number {
    const key = `${field} ${firstLine} ${lines} ${from.rank} ${place} ${printed}`
    let found = this.#columns.get(key)
    if (found === undefined) {
      const alike = this.#table.choices.flatMap((row) =>
        row[field]!.flatMap((one) =>
          one.from === from &&
          one.firstLine === firstLine &&
          one.lines === lines &&
          one.place === place &&
          one.printed === printed
            ? [one.score]
            : [],
        ),
      )
      this.#columns.set(key, (found = mean(alike)))
    }
    return found
  }

  /** The mean score of the best readings of the other fields of a row. */
  ofRow(at: number, field: number): number {
    return mean(this.#rows[at]!.filter((score, other) => other !== field && !Number.isNaN(score)))
  }

  /** The share of the rows in which the product holds. */
  products(field: number): number {
    let found = this.#products.get(field)
    if (found === undefined) {
      const held = this.#table.choices.flatMap((row, at) => {
        const [one] = row[field]!
        const holds = one ? product({ table: this.#table, at, field, one, look: this }) : NaN
        return Number.isNaN(holds) ? [] : [holds]
      })
      this.#products.set(field, (found = mean(held)))
    }
    return found
  }
}
