import { kinds } from './features.ts'
import type { Field } from '../extraction/field.ts'
import type { Described } from './describe-tables.ts'
import { aboveGroup, columnOfPlace, columnOrNone, isBelow, noColumn } from './places.ts'
import { ways } from './tables.ts'
import { logit } from './trees.ts'

/** What the first look gives a sub-field's readings at one place of a table, over some of its rows. */
export type PlaceScore = {
  field: number
  place: number
  /** The place that the table itself has for the sub-field. */
  isOwn: boolean
  /** The mean over these rows, and over those that have a reading. */
  mean: number
  ofFilled: number
  /** The share of rows that have a reading. */
  filled: number
}

/** One place for a sub-field beside all others of the table. */
type Setting = { one: PlaceScore; fields: readonly Field[]; described: Described; look: ColumnLook }

/** Named like the judge's features; the trained trees (rows-model.json) refer to this order (docs/judge.md). */
export const placeFeatures: readonly [name: string, of: (setting: Setting) => number][] = [
  ['score', ({ one }) => logit(one.mean)],
  ['score where it has a value', ({ one }) => logit(one.ofFilled)],
  ['rows with a value', ({ one }) => one.filled],
  ['margin', ({ one, look }) => logit(one.mean) - logit(look.elsewhere(one))],
  ['claimed by another field', ({ one, look }) => logit(look.claim(one))],
  ['margin to the claim', ({ one, look }) => logit(one.mean) - logit(look.claim(one))],
  ['loss of another field', ({ one, look }) => look.loss(one)],
  ['is matched', ({ one }) => Number(one.isOwn)],
  ['part of the column', ({ one, described }) => described.describer.partOf(one.place)],
  ['stands below a text', ({ one }) => Number(isBelow(one.place))],
  ['stands above its group', ({ one }) => Number(one.place === aboveGroup)],
  ['head', ({ one, described }) => described.describer.headOf(one.field, one.place)],
  ['fields in order', ({ one, look }) => look.inOrder(one)],
  [
    'columns from that of the field before',
    ({ one, look }) => columnOrNone(one.place) - look.columnOfField(one.field - 1),
  ],
  [
    'columns to that of the field behind',
    ({ one, look }) => look.columnOfField(one.field + 1) - columnOrNone(one.place),
  ],
  ['columns before it less fields', ({ one }) => columnOrNone(one.place) - one.field],
  [
    'columns behind it less fields',
    ({ one, fields, described: { table } }) =>
      (table.header?.columns.length ?? NaN) - columnOrNone(one.place) - (fields.length - one.field),
  ],
  ['way', ({ described: { table } }) => ways.indexOf(table.way)],
  ['rows', ({ described: { table } }) => table.rows.length],
  ['columns', ({ described: { table } }) => table.header?.columns.length ?? NaN],
  ['fields', ({ fields }) => fields.length],
  ['kind of the field', ({ one, fields }) => kinds.indexOf(fields[one.field]!.kind)],
  ['field is a known term', ({ one, fields }) => Number(fields[one.field]!.concept !== undefined)],
]

/** The look at the places of a table: which of them answers each sub-field, beside what the others say. */
export class ColumnLook {
  readonly #described: Described
  readonly #fields: readonly Field[]
  /** For each sub-field the best score of each column, and the place that the first look finds likeliest. */
  readonly #ofField: Map<number, number>[]
  readonly #best: (PlaceScore | undefined)[]

  constructor(described: Described, fields: readonly Field[], scores: readonly PlaceScore[]) {
    this.#described = described
    this.#fields = fields
    this.#ofField = fields.map(() => new Map())
    this.#best = fields.map(() => undefined)
    for (const one of scores) {
      const own = this.#ofField[one.field]!
      const column = columnOfPlace(one.place)
      own.set(column, Math.max(own.get(column) ?? 0, one.mean))
      if (one.mean > (this.#best[one.field]?.mean ?? -1)) this.#best[one.field] = one
    }
  }

  /** The row of a place for the trees of this look. */
  row(one: PlaceScore): Float32Array {
    const setting: Setting = { one, fields: this.#fields, described: this.#described, look: this }
    return Float32Array.from(placeFeatures, ([, of]) => of(setting))
  }

  /** The best score of a sub-field in other columns. */
  elsewhere({ field, place }: Pick<PlaceScore, 'field' | 'place'>): number {
    let best = 0
    for (const [column, mean] of this.#ofField[field]!) if (column !== columnOfPlace(place) && mean > best) best = mean
    return best
  }

  /** The best score of another sub-field in the same column. */
  claim({ field, place }: PlaceScore): number {
    if (place === noColumn) return 0
    const column = columnOfPlace(place)
    return Math.max(0, ...this.#ofField.map((own, other) => (other === field ? 0 : (own.get(column) ?? 0))))
  }

  /** How much more likely another sub-field has its answer in this column than anywhere else. */
  loss({ field, place }: PlaceScore): number {
    const column = columnOfPlace(place)
    const losses = this.#ofField.map((own, other) => {
      const mean = other === field || place === noColumn ? undefined : own.get(column)
      return mean === undefined ? -1 : mean - this.elsewhere({ field: other, place })
    })
    return Math.max(...losses)
  }

  /** The column that is likeliest for a sub-field. */
  columnOfField(field: number): number {
    const best = this.#best[field]
    return best === undefined ? NaN : columnOrNone(best.place)
  }

  /** Of the other sub-fields, by how likely their columns are, the share that stands on the side where it is asked. */
  inOrder(one: PlaceScore): number {
    const own = columnOrNone(one.place)
    let [all, inOrder] = [0, 0]
    this.#best.forEach((best, field) => {
      const column = best === undefined ? NaN : columnOrNone(best.place)
      if (field === one.field || Number.isNaN(column - own) || column === own) return
      all += best!.mean
      if (column < own === field < one.field) inOrder += best!.mean
    })
    return all === 0 ? NaN : inOrder / all
  }
}
