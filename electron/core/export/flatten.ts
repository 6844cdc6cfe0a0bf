import type { ListLayout } from '../../../shared/contract/exports.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { Locale } from '../../../shared/messages/sentences.ts'
import { chosenTables, defaultColumns } from './columns.ts'
import type { PartnerOf } from './records.ts'
import type { ChosenColumn } from './columns.ts'
import { fieldCell } from './field-cell.ts'
import { listItems } from '../../../shared/domain/list-items.ts'
import { cellOf, Headers, itemsAt, words } from './records.ts'
import type { Column, ExportRecord, TablePlan } from './records.ts'
import type { CellValue } from './values.ts'

const maxExtraColumns = 100

// In: records as the service gave them, and the schema they were asked with.
// Out: flat tables, each a list of columns and the rows that one record gives.

/** Keys that came from the service without being in the schema, for each list (by its path; '[]' is the record). */
export type ExtraKeys = Map<string, Set<string>>

/**
 * Adds to `extras` what `record` has beside the schema. Run over everything before `planTables`, so
 * that such values get columns of their own instead of being dropped.
 */
export function collectExtraKeys(
  record: ExportRecord,
  schema: readonly SchemaElement[],
  extras: ExtraKeys,
  path: readonly string[] = [],
): void {
  const known = new Set(schema.map(({ name }) => name))
  for (const key of Object.keys(record)) {
    if (known.has(key)) continue
    const place = JSON.stringify(path)
    const keys = extras.get(place) ?? new Set()
    // One more than there are columns is enough to know that a column for the rest is needed.
    if (keys.size <= maxExtraColumns) extras.set(place, keys.add(key))
  }
  for (const { name, items } of schema) {
    if (items) for (const item of listItems(record, name)) collectExtraKeys(item, items, extras, [...path, name])
  }
}

/** Adds to `longest` how many items the lists of a record have, for `planTables`. */
export function collectLengths(
  record: ExportRecord,
  schema: readonly SchemaElement[],
  longest: Map<string, number>,
): void {
  for (const { name, items } of schema) {
    if (items) longest.set(name, Math.max(longest.get(name) ?? 0, listItems(record, name).length))
  }
}

const defaultListLimit = 10

export type PlanOptions = {
  layout: ListLayout
  locale: Locale
  extras?: ExtraKeys
  /** What a person chose; the file's name, all fields and what came beside them when null. */
  columns?: readonly ChosenColumn[] | null
  /** For how many items of a list there are columns in layout `columns`, and how many there are at most. */
  listLimit?: number
  longest?: Map<string, number>
  /** Nobody is known when absent. */
  partnerOf?: PartnerOf
}

/**
 * The tables of an export. Without a list one row per record. Layout `rows`: with one list one row
 * per item, and still one for an empty list; with several lists a table for each, since rows of one
 * cannot be multiplied by rows of another. Layout `sheets`: a table of records, then one per list,
 * joined by the document number. Lists inside lists always get a table of their own, joined by
 * document and row number, so that no amount is repeated on rows that do not belong to it. With columns that a person
 * chose, and layouts `text` and `columns`: `chosenTables`.
 */
export function planTables(schema: readonly SchemaElement[], options: PlanOptions): TablePlan[] {
  const { layout, locale, columns = null, listLimit = defaultListLimit, longest = new Map<string, number>() } = options
  if (columns !== null || layout === 'text' || layout === 'columns') {
    return chosenTables(schema, columns ?? defaultColumns(schema, [...(options.extras?.get('[]') ?? [])]), {
      layout,
      locale,
      listLimit,
      longest,
      partnerOf: options.partnerOf ?? (() => null),
    })
  }
  const planner = new Planner(schema, locale, options.extras ?? new Map<string, Set<string>>())
  const lists = schema.filter(({ items }) => items)
  if (lists.length === 0) return [planner.records(false)]
  if (layout === 'sheets') return [planner.records(true), ...lists.flatMap((list) => planner.lists([list]))]
  const merged = lists.map((list) => planner.recordsWith(list, lists.length > 1 ? list.name : ''))
  return [...merged, ...lists.flatMap((list) => planner.listsInside([list]))]
}

class Planner {
  readonly #schema: readonly SchemaElement[]
  readonly #words: (typeof words)[Locale]
  readonly #extras: ExtraKeys

  constructor(schema: readonly SchemaElement[], locale: Locale, extras: ExtraKeys) {
    this.#schema = schema
    this.#words = words[locale]
    this.#extras = extras
  }

  records(numbered: boolean): TablePlan {
    const headers = new Headers()
    const start = this.#startColumns(headers, numbered)
    const fields = this.#fields(headers, this.#schema, [])
    return {
      key: '',
      name: this.#words.documents,
      columns: [...start, ...fields.columns],
      rowsOf: (record, fileName, number) => [[...(numbered ? [number] : []), fileName, ...fields.cells(record)]],
    }
  }

  recordsWith(list: SchemaElement, key: string): TablePlan {
    const linked = hasLists(list)
    const headers = new Headers()
    const start = this.#startColumns(headers, linked)
    const fields = this.#fields(headers, this.#schema, [])
    const row = linked ? [headers.add(this.#words.row, 'right')] : []
    const items = this.#fields(headers, list.items ?? [], [list.name])
    const empty = [...row, ...items.columns].map(() => null)
    return {
      key,
      name: key || this.#words.documents,
      columns: [...start, ...fields.columns, ...row, ...items.columns],
      *rowsOf(record, fileName, number) {
        const common = [...(linked ? [number] : []), fileName, ...fields.cells(record)]
        let any = false
        for (const item of itemsAt(record, [list.name])) {
          any = true
          yield [...common, ...(linked ? [item.row] : []), ...items.cells(item.fields)]
        }
        if (!any) yield [...common, ...empty]
      },
    }
  }

  /** The table of one list, then those of the lists inside it. */
  lists(path: readonly SchemaElement[]): TablePlan[] {
    const list = path.at(-1)!
    const parent = path.at(-2)
    const names = path.map(({ name }) => name)
    const headers = new Headers()
    const start = this.#startColumns(headers, true)
    const parentRow = parent ? [headers.add(this.#words.rowIn(parent.name), 'right')] : []
    const ownRow = hasLists(list) ? [headers.add(this.#words.row, 'right')] : []
    const items = this.#fields(headers, list.items ?? [], names)
    const plan: TablePlan = {
      key: names.join(' '),
      name: names.join(' '),
      columns: [...start, ...parentRow, ...ownRow, ...items.columns],
      *rowsOf(record, fileName, number) {
        for (const item of itemsAt(record, names)) {
          yield [
            number,
            fileName,
            ...parentRow.map(() => item.parentRow),
            ...ownRow.map(() => item.row),
            ...items.cells(item.fields),
          ]
        }
      },
    }
    return [plan, ...this.listsInside(path)]
  }

  listsInside(path: readonly SchemaElement[]): TablePlan[] {
    return (path.at(-1)!.items ?? []).filter(({ items }) => items).flatMap((inner) => this.lists([...path, inner]))
  }

  #startColumns(headers: Headers, numbered: boolean): Column[] {
    const file = (): Column => headers.add(this.#words.file, 'left')
    return numbered ? [headers.add(this.#words.document, 'right'), file()] : [file()]
  }

  /** Columns and cells of the plain fields at one place of the schema, then of what came beside them. */
  #fields(
    headers: Headers,
    elements: readonly SchemaElement[],
    path: readonly string[],
  ): { columns: Column[]; cells(record: ExportRecord): CellValue[] } {
    const context = path.join(' ')
    const plain = elements.filter(({ items }) => !items)
    const all = [...(this.#extras.get(JSON.stringify(path)) ?? [])]
    const extras = all.slice(0, maxExtraColumns)
    const columns = [
      ...plain.map(({ name, format }) => headers.add(name, format === 'number' ? 'right' : 'left', context)),
      ...extras.map((name) => headers.add(name, 'left', context)),
    ]
    const cells = [...plain.map(fieldCell), ...extras.map((name) => (record: ExportRecord) => cellOf(record, name))]
    if (all.length <= maxExtraColumns) return { columns, cells: (record) => cells.map((cell) => cell(record)) }

    const known = new Set([...elements.map(({ name }) => name), ...extras])
    const rest = (record: ExportRecord): CellValue => {
      const left = Object.entries(record).filter(([key]) => !known.has(key))
      return left.length > 0 ? JSON.stringify(Object.fromEntries(left)) : null
    }
    const more = headers.add(this.#words.more, 'left', context)
    return {
      columns: [...columns, more],
      cells: (record) => [...cells.map((cell) => cell(record)), rest(record)],
    }
  }
}

function hasLists(element: SchemaElement): boolean {
  return (element.items ?? []).some(({ items }) => items)
}
