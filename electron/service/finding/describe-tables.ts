import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { Evidence } from '../extraction/evidence.ts'
import { understand } from '../extraction/field.ts'
import type { Field } from '../extraction/field.ts'
import type { Layout } from '../extraction/layout.ts'
import { without } from '../extraction/leaves-out.ts'
import type { Facts } from './facts.ts'
import { Labels } from './labels.ts'
import { TableDescriber } from './table-features.ts'
import { proposeTables } from './tables.ts'
import type { Table } from './tables.ts'

/** A table as a list may be answered by it, with what describes its cells. */
export type Described = {
  table: Table
  describer: TableDescriber
  rank: number
  /** For each sub-field the places that may answer it: its own column or `noColumn` first, then other ones. */
  places: number[][]
  /** Where one place is chosen for each sub-field, how likely it is, 0..1. */
  shares?: number[]
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
