import type { ExportColumn, ListLayout } from '../../../shared/contract/exports.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'

/** A column as a person arranges it; one that is off is not exported, and keeps its place. */
export type ColumnDraft = { key: string; column: ExportColumn; isOn: boolean }

/** In these layouts a list is one column, or a group of columns; in the others each of its fields is one. */
function isFlat(lists: ListLayout): boolean {
  return lists === 'text' || lists === 'columns'
}

function keyOf(column: ExportColumn): string {
  if (column.kind === 'field') return `field ${JSON.stringify(column.field)}`
  return column.kind === 'about' ? `about ${column.about}` : 'constant'
}

/** With keys that stay when columns are moved, and are different for columns that are there twice. */
function drafted(columns: readonly { column: ExportColumn; isOn: boolean }[]): ColumnDraft[] {
  const drafts: ColumnDraft[] = []
  for (const { column, isOn } of columns) drafts.push({ key: freeKey(drafts, column), column, isOn })
  return drafts
}

function freeKey(drafts: readonly ColumnDraft[], column: ExportColumn): string {
  for (let number = 1; ; number += 1) {
    const key = `${keyOf(column)} ${number}`
    if (!drafts.some((draft) => draft.key === key)) return key
  }
}

/** The fields of a list, those of lists inside it behind them. */
function fieldsOf(elements: readonly SchemaElement[], path: readonly string[]): string[][] {
  const plain = elements.filter(({ items }) => !items).map(({ name }) => [...path, name])
  return [...plain, ...elements.flatMap(({ name, items }) => (items ? fieldsOf(items, [...path, name]) : []))]
}

function field(path: string[]): ExportColumn {
  return { kind: 'field', field: path, header: null }
}

/** What an export has when nobody chose: the file's name, each field and each list. Pure. */
export function usualColumns(elements: readonly SchemaElement[], lists: ListLayout): ColumnDraft[] {
  const paths = isFlat(lists)
    ? [...elements].sort((a, b) => Number(!!a.items) - Number(!!b.items)).map(({ name }) => [name])
    : fieldsOf(elements, [])
  const columns: ExportColumn[] = [{ kind: 'about', about: 'fileName', header: null }, ...paths.map(field)]
  return drafted(columns.map((column) => ({ column, isOn: true })))
}

/** Columns that were kept, and behind them, switched off, what the schema has besides. Pure. */
export function savedColumns(
  kept: readonly ExportColumn[],
  elements: readonly SchemaElement[],
  lists: ListLayout,
): ColumnDraft[] {
  const known = new Set(kept.map(keyOf))
  const others = usualColumns(elements, lists).filter(({ column }) => !known.has(keyOf(column)))
  return drafted([
    ...kept.map((column) => ({ column, isOn: true })),
    ...others.map(({ column }) => ({ column, isOn: false })),
  ])
}

/**
 * The same choice where lists are laid out in another way: their fields become one column, or the other way round.
 * Pure.
 */
export function columnsFor(
  lists: ListLayout,
  drafts: readonly ColumnDraft[],
  elements: readonly SchemaElement[],
): ColumnDraft[] {
  const listOf = ({ column }: ColumnDraft): SchemaElement | undefined =>
    column.kind === 'field'
      ? elements.find(({ name, items }) => name === column.field[0] && items !== undefined)
      : undefined
  const converted: { column: ExportColumn; isOn: boolean }[] = []
  const done = new Set<string>()
  for (const draft of drafts) {
    const list = listOf(draft)
    const isWhole = draft.column.kind === 'field' && draft.column.field.length === 1
    if (list === undefined || isWhole === isFlat(lists)) converted.push(draft)
    else if (!isFlat(lists))
      converted.push(
        ...fieldsOf(list.items ?? [], [list.name]).map((path) => ({ column: field(path), isOn: draft.isOn })),
      )
    else if (!done.has(list.name)) {
      done.add(list.name)
      converted.push({ column: field([list.name]), isOn: drafts.some((each) => listOf(each) === list && each.isOn) })
    }
  }
  return drafted(converted)
}

/** With one more column at the end. Pure. */
export function withColumn(
  drafts: readonly ColumnDraft[],
  column: ExportColumn,
): { drafts: ColumnDraft[]; key: string } {
  const key = freeKey(drafts, column)
  return { drafts: [...drafts, { key, column, isOn: true }], key }
}

/** Columns put before or behind another one, in the order that they had. Pure. */
export function movedTo(
  drafts: readonly ColumnDraft[],
  keys: ReadonlySet<string>,
  target: string,
  where: 'before' | 'after',
): ColumnDraft[] {
  if (keys.has(target)) return [...drafts]
  const rest = drafts.filter(({ key }) => !keys.has(key))
  const at = rest.findIndex(({ key }) => key === target) + (where === 'after' ? 1 : 0)
  return [...rest.slice(0, at), ...drafts.filter(({ key }) => keys.has(key)), ...rest.slice(at)]
}

/** One column one place up or down; where it is at the end, nothing changes. Pure. */
export function movedBy(drafts: readonly ColumnDraft[], key: string, step: -1 | 1): ColumnDraft[] {
  const at = drafts.findIndex((draft) => draft.key === key)
  const neighbour = drafts[at + step]
  return neighbour === undefined
    ? [...drafts]
    : movedTo(drafts, new Set([key]), neighbour.key, step === -1 ? 'before' : 'after')
}
