import { isCreditNote } from './credit-note.ts'
import { meaningOf } from './meaning.ts'
import type { Meaning } from './meaning.ts'
import type { SchemaElement } from './schema.ts'
import { listItems } from './list-items.ts'

type Fields = Record<string, unknown>

/** By the first of them that a document has its sign is known. */
const telling: readonly Meaning[] = ['gross', 'net', 'tax']
const amounts = new Set<Meaning | null>([...telling, 'line_amount'])
/** What is given back is counted negative as well: rows still multiply. */
const turning = new Set<Meaning | null>([...amounts, 'quantity'])

/**
 * Makes amounts of credit notes negative, however they are printed, so that a column adds up: in schemas that ask for
 * the type of the document. Null for other schemas, whose amounts stay as they are. Totals and rows by themselves: one
 * may be printed with signs and the other without.
 */
export function creditSigns(elements: readonly SchemaElement[]): ((record: Fields) => Fields) | null {
  const type = elements.find(({ kind }) => kind === 'document_type')
  if (type === undefined) return null
  const deciding = telling.flatMap((meaning) => elements.filter((each) => meaningOf(each) === meaning))
  const lists = elements.filter(({ items }) => items !== undefined)
  return (record) => {
    const text = record[type.name]
    if (typeof text !== 'string' || !isCreditNote(text)) return record
    const total = deciding.map(({ name }) => amountOf(record[name])).find((amount) => amount !== 0) ?? 0
    const own = total > 0 ? negated(record, elements) : { ...record }
    const rows = lists.map((list) => [list.name, listItems(record, list.name), list.items ?? []] as const)
    const sum = rows.reduce((all, [, items, columns]) => all + sumOf(items, columns), 0)
    if (sum > 0) for (const [name, items, columns] of rows) own[name] = items.map((item) => negated(item, columns))
    return own
  }
}

/** Of the first column of amounts that has some. */
function sumOf(items: readonly Fields[], columns: readonly SchemaElement[]): number {
  const sums = columns
    .filter((column) => amounts.has(meaningOf(column)))
    .map(({ name }) => items.reduce((sum, item) => sum + amountOf(item[name]), 0))
  return sums.find((sum) => sum !== 0) ?? 0
}

function negated(record: Fields, elements: readonly SchemaElement[]): Fields {
  const turned = elements.filter((each) => turning.has(meaningOf(each)) && typeof record[each.name] === 'number')
  return { ...record, ...Object.fromEntries(turned.map(({ name }) => [name, 0 - amountOf(record[name])])) }
}

function amountOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
