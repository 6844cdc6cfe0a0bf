import fields from './fields-model.json' with { type: 'json' }
import rows from './rows-model.json' with { type: 'json' }
import type { Trees } from './trees.ts'

/**
 * From this trust on a value needs no look: then 98 of 100 are right on senders that training did not see. What was
 * recognised in a picture may be read wrongly as well: it needs more than what a file says in letters. Of header fields
 * only photos do (`find.ts`).
 */
export type Sure = { text: number; picture: number }

/** What training leaves behind (test/train): the trees of both looks and the thresholds on the trust. */
export type Model = {
  first: Trees
  second: Trees
  /** Below this trust a field is null. */
  given: number
  sure: Sure
  /** A null needs a look when another value has at least this trust: then every other such null is wrong. */
  absent: number
  rows: RowsModel
}

/** The trees of the first look at cells, and of that at columns. */
export type TableLooks = { first: Trees; columns: Trees }

/**
 * The trees of both looks at the cells of tables, and between them of that at columns; `given` and `sure` as for
 * fields, but a cell of a row that is shown is given from that part of the trust of the row's surest cell on.
 */
export type RowsModel = TableLooks & { second: Trees; given: number; sure: Sure }

export const shippedModel: Model = { ...fields, rows }
