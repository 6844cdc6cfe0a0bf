import { layOut } from '../../../electron/service/extraction/layout.ts'
import { understandItems } from '../../../electron/service/extraction/list-fields.ts'
import { describeProposals } from '../../../electron/service/finding/describe.ts'
import { proposeTables } from '../../../electron/service/finding/tables.ts'
import type { Table } from '../../../electron/service/finding/tables.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { typedDocument } from './typed-page.ts'

/** What the tables of typed pages that are read in one way offer for a list: rows of values, by sub-field. */
export function tablesOf(way: Table['way'], list: SchemaElement, ...pages: string[]): unknown[][][] {
  const document = typedDocument(...pages)
  const layout = layOut(document)
  const { evidence } = describeProposals(document, layout, [])
  return proposeTables(understandItems(list), layout, evidence)
    .filter((table) => table.way === way)
    .map(({ values }) => values.map((row) => row.map((cell) => cell?.value ?? null)))
}
