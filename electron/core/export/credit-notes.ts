import { isCreditNote } from '../../../shared/domain/credit-note.ts'
import { meaningOf } from '../../../shared/domain/meaning.ts'
import type { Meaning } from '../../../shared/domain/meaning.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { listItems } from './records.ts'
import type { ExportRecord } from './records.ts'

/** By the first of them that a document has its sign is known. */
const telling: readonly Meaning[] = ['gross', 'net', 'tax']
const signed = new Set<Meaning | null>([...telling, 'line_amount'])

/**
 * Makes amounts of credit notes negative, however they are printed, so that a column adds up: in schemas that ask for
 * the type of the document. Null for other schemas, whose amounts stay as they are.
 */
export function creditSigns(elements: readonly SchemaElement[]): ((record: ExportRecord) => ExportRecord) | null {
  const type = elements.find(({ kind }) => kind === 'document_type')
  if (type === undefined) return null
  const deciding = telling.flatMap((meaning) => elements.filter((each) => meaningOf(each) === meaning))
  return (record) => {
    const text = record[type.name]
    const amount = deciding.map(({ name }) => record[name]).find((value) => typeof value === 'number' && value !== 0)
    const isPositive = typeof amount === 'number' && amount > 0
    return typeof text === 'string' && isCreditNote(text) && isPositive ? negated(record, elements) : record
  }
}

function negated(record: ExportRecord, elements: readonly SchemaElement[]): ExportRecord {
  const changed = elements.flatMap((element): [string, unknown][] => {
    const { name, items } = element
    const value = record[name]
    if (items !== undefined) return [[name, listItems(record, name).map((item) => negated(item, items))]]
    return typeof value === 'number' && signed.has(meaningOf(element)) ? [[name, 0 - value]] : []
  })
  return { ...record, ...Object.fromEntries(changed) }
}
