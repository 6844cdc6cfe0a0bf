import type { DocumentRow } from '../../../shared/contract/documents.ts'
import type { CommonFields } from '../../../shared/contract/schemas.ts'
import { fieldDecimals, isAmount } from '../../messages/values.ts'

/** What documents of several schemas have. */
type Common = keyof CommonFields

/**
 * `fields`: in a list of several schemas, the fields of a column by schema; its name is what they are then. `currencies`:
 * the fields that say in what a column's amounts are, by schema.
 */
export type ValueColumn = {
  name: string
  numeric: boolean
  minDecimals: number
  fields?: ReadonlyMap<number, string | null>
  currencies?: ReadonlyMap<number, string | null>
}

/** What is known of schemas, by their numbers: the fields that a person wants to see, and what they share. */
export type SchemaFields = ReadonlyMap<number, { chosen: readonly string[] | null; common: CommonFields }>

/**
 * The columns of values for the rows on the screen: names and numbers of documents before dates, and one amount;
 * of the schema that three of four rows have. Where none has so many, what the schemas share by meaning, so that a
 * column never holds two meanings. Pure.
 */
export function valueColumns(
  rows: readonly DocumentRow[],
  most: number,
  schemas: SchemaFields = new Map(),
): ValueColumn[] {
  const all = rows.filter((row) => row.values.length > 0)
  const currencies = currenciesOf(schemas)
  const valued =
    [...Map.groupBy(all, ({ schemaId }) => schemaId).values()].find((same) => same.length * 4 >= all.length * 3) ?? []
  const first = valued[0]
  if (!first) return commonColumns(all, most, schemas)
  const longest = valued.reduce((best, row) => (row.values.length > best.values.length ? row : best), first)
  const columns = longest.values.map(({ name }, place) => {
    const cells = valued.map((row) => row.values.find((value) => value.name === name)?.value ?? null)
    return {
      column: {
        name,
        numeric: cells.some((cell) => typeof cell === 'number'),
        minDecimals: fieldDecimals(name, cells),
        ...(isAmount(name) && { currencies }),
      },
      place,
      cells,
    }
  })
  const wanted =
    schemas
      .get(first.schemaId)
      ?.chosen?.flatMap((name) => columns.find(({ column }) => column.name === name)?.column ?? []) ?? []
  if (wanted.length > 0) return wanted.slice(0, most)
  const texts = columns.filter(({ column }) => !column.numeric)
  // The largest of the amounts is the total.
  const amount = columns.filter(({ column }) => column.numeric).toSorted((a, b) => sumOf(b.cells) - sumOf(a.cells))[0]
  const ranked = [
    ...texts.filter(({ cells }) => !isSparse(cells) && !isDates(cells)),
    ...texts.filter(({ cells }) => !isSparse(cells) && isDates(cells)),
    ...columns,
  ]
  const picked = new Set(ranked.slice(0, amount ? most - 1 : most))
  if (amount) picked.add(amount)
  for (const column of ranked) if (picked.size < most) picked.add(column)
  return [...picked]
    .sort((a, b) => Number(a.column.numeric) - Number(b.column.numeric) || a.place - b.place)
    .map(({ column }) => column)
}

/** In this order, and the date first to go. */
const commonOrder: readonly Common[] = ['number', 'sender', 'date', 'total']

/** What more than half of the rows have by their schemas; nothing where that is one thing only. */
function commonColumns(rows: readonly DocumentRow[], most: number, schemas: SchemaFields): ValueColumn[] {
  const shared = commonOrder.flatMap((common): ValueColumn[] => {
    const fields = new Map([...schemas].map(([id, schema]) => [id, schema.common[common]]))
    const having = rows.filter(({ schemaId }) => (fields.get(schemaId) ?? null) !== null)
    if (having.length * 2 <= rows.length) return []
    const cells = having.map((row) => row.values.find(({ name }) => name === fields.get(row.schemaId))?.value ?? null)
    const numeric = common === 'total'
    if (!numeric) return [{ name: common, numeric, minDecimals: 0, fields }]
    return [
      { name: common, numeric, minDecimals: fieldDecimals(common, cells), fields, currencies: currenciesOf(schemas) },
    ]
  })
  if (shared.length < 2) return []
  return shared.length > most ? shared.filter(({ name }) => name !== 'date').slice(-most) : shared
}

function currenciesOf(schemas: SchemaFields): ReadonlyMap<number, string | null> {
  return new Map([...schemas].map(([id, { common }]) => [id, common.currency]))
}

type Cell = DocumentRow['values'][number]['value']

function sumOf(cells: Cell[]): number {
  return cells.reduce<number>((sum, cell) => sum + (typeof cell === 'number' ? Math.abs(cell) : 0), 0)
}

function isSparse(cells: Cell[]): boolean {
  return cells.filter((cell) => cell !== null && cell !== '').length * 2 < cells.length
}

function isDates(cells: Cell[]): boolean {
  const texts = cells.filter((cell) => typeof cell === 'string' && cell !== '')
  return texts.length > 0 && texts.every((text) => /^\d{4}-\d{2}-\d{2}$/.test(String(text)))
}
