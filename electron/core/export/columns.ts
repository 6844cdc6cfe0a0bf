import { pathToFileURL } from 'node:url'
import type { ExportColumn, ListLayout } from '../../../shared/contract/exports.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { Locale } from '../../../shared/messages/sentences.ts'
import type { AboutDocument } from '../../../shared/domain/about-document.ts'
import { fieldCell } from './field-cell.ts'
import { cellOf, Headers, itemsAt, words } from './records.ts'
import type { Column, ExportRecord, Item, PartnerOf, TablePlan } from './records.ts'
import { displayCell, toCell } from './values.ts'
import type { CellValue } from './values.ts'

// In: the columns that a person chose, in their order.
// Out: tables with these and no others, but for the number that joins a list to its document.

export type ChosenColumn = ExportColumn

type Options = {
  layout: ListLayout
  locale: Locale
  listLimit: number
  longest: ReadonlyMap<string, number>
  partnerOf: PartnerOf
}

/** Everything that a cell of one row can be about. */
type CellContext = { record: ExportRecord; fileName: string; about: AboutDocument | undefined; item: Item | null }

/**
 * One column as it will stand there; `list`: the list whose items have a row each, null for what is about the document.
 */
type Planned = Column & { list: readonly string[] | null; cell(place: CellContext): CellValue }

/**
 * What a table has when nobody chose: the file's name, each field and each list, and `extras`, which came beside them.
 */
export function defaultColumns(schema: readonly SchemaElement[], extras: readonly string[]): ChosenColumn[] {
  const field = (name: string): ChosenColumn => ({ kind: 'field', field: [name], header: null })
  const plain = schema.filter(({ items }) => !items).map(({ name }) => field(name))
  const lists = schema.filter(({ items }) => items).map(({ name }) => field(name))
  return [{ kind: 'about', about: 'fileName', header: null }, ...plain, ...extras.map(field), ...lists]
}

/**
 * The tables of chosen columns. Layout `rows`: a table for each list that is named, what is about the document repeated
 * on each item's row; `sheets`: a table of documents, then one for each list, joined by the document's number; `text`
 * and `columns`: one table with one row for each record.
 */
export function chosenTables(
  schema: readonly SchemaElement[],
  chosen: readonly ChosenColumn[],
  options: Options,
): TablePlan[] {
  const own = words[options.locale]
  const isFlat = options.layout === 'text' || options.layout === 'columns'
  const planned = (headers: Headers): Planned[] => chosen.flatMap((column) => plan(schema, column, headers, options))
  // Asked once only to see which lists there are.
  const lists = isFlat ? [] : distinct(planned(new Headers()).flatMap(({ list }) => (list === null ? [] : [list])))

  const table = (
    list: readonly string[] | null,
    how: { name: string; key: string; numbered: boolean; withDocument: boolean },
  ): TablePlan => {
    const headers = new Headers()
    const number = how.numbered ? [headers.add(own.document, 'right')] : []
    const columns = planned(headers).filter((column) =>
      column.list === null ? how.withDocument : isSame(column.list, list),
    )
    return {
      key: how.key,
      name: how.name,
      columns: [...number, ...columns.map(({ header, align }) => ({ header, align }))],
      *rowsOf(record, fileName, documentNumber, about) {
        const row = (item: Item | null): CellValue[] => [
          ...(how.numbered ? [documentNumber] : []),
          ...columns.map(({ cell }) => cell({ record, fileName, about, item })),
        ]
        if (list === null) return yield row(null)
        const items = itemsAt(record, list)
        for (const item of items) yield row(item)
        if (items.length === 0 && how.withDocument) yield row(null)
      },
    }
  }
  if (lists.length === 0) return [table(null, { name: own.documents, key: '', numbered: false, withDocument: true })]
  if (options.layout === 'sheets') {
    const document = table(null, { name: own.documents, key: '', numbered: true, withDocument: true })
    return [
      document,
      ...lists.map((list) =>
        table(list, { name: list.join(' '), key: list.join(' '), numbered: true, withDocument: false }),
      ),
    ]
  }
  return lists.map((list) => {
    const key = lists.length > 1 ? list.join(' ') : ''
    return table(list, { name: key || own.documents, key, numbered: false, withDocument: true })
  })
}

function plan(schema: readonly SchemaElement[], column: ChosenColumn, headers: Headers, options: Options): Planned[] {
  switch (column.kind) {
    case 'constant':
      return [{ ...headers.add(column.header, 'left'), list: null, cell: () => column.value }]
    case 'about': {
      const { about } = column
      return [
        {
          ...headers.add(
            column.header ?? (about === 'fileName' ? words[options.locale].file : words[options.locale][about]),
            'left',
          ),
          list: null,
          cell: (place) => aboutCells[about](place, options),
        },
      ]
    }
    case 'field':
      return planField(schema, column, headers, options)
  }
}

function planField(
  schema: readonly SchemaElement[],
  { field, header }: Extract<ChosenColumn, { kind: 'field' }>,
  headers: Headers,
  options: Options,
): Planned[] {
  const element = elementAt(schema, field)
  const name = field.at(-1)!
  if (element?.items !== undefined)
    return planList({ list: field, name, header, isList: true, inside: element.items }, headers, options)
  if (field.length > 1) {
    const inside = [element ?? { name, format: 'text' as const, description: '' }]
    return planList({ list: field.slice(0, -1), name, header, isList: false, inside }, headers, options)
  }
  const cell = element === undefined ? (record: ExportRecord) => cellOf(record, name) : fieldCell(element)
  return [{ ...headers.add(header ?? name, alignOf(element)), list: null, cell: ({ record }) => cell(record) }]
}

/** What is in a list: all of its fields (`isList`), or the one that `inside` holds. */
type ListPart = {
  list: readonly string[]
  name: string
  header: string | null
  isList: boolean
  inside: readonly SchemaElement[]
}

function planList(part: ListPart, headers: Headers, options: Options): Planned[] {
  const { list, name, header, isList, inside } = part
  const context = list.join(' ')
  switch (options.layout) {
    case 'rows':
    case 'sheets':
      return inside.map((each) => {
        const cell = fieldCell(each)
        return {
          ...headers.add((isList ? null : header) ?? each.name, alignOf(each), context),
          list,
          cell: ({ item }) => (item === null ? null : cell(item.fields)),
        }
      })
    case 'text': {
      const cell = ({ record }: CellContext): CellValue =>
        textOf(itemsAt(record, list), isList ? null : name, options.locale)
      return [{ ...headers.add(header ?? name, 'left', isList ? '' : context), list: null, cell }]
    }
    case 'columns':
      return planItems(part, headers, options)
  }
}

/** Columns for each of the first items, and one for all further ones where there are any: nothing is dropped. */
function planItems(
  { list, name, header: given, isList, inside }: ListPart,
  headers: Headers,
  { locale, listLimit, longest }: Options,
): Planned[] {
  const header = given ?? name
  const most = longest.get(list[0]!) ?? listLimit
  const itemsOf = memoisedLast((record) => itemsAt(record, list))
  const planned: Planned[] = []
  for (let at = 0; at < Math.min(listLimit, Math.max(1, most)); at += 1) {
    for (const each of inside) {
      const title = isList ? `${header} ${at + 1} ${each.name}` : `${header} ${at + 1}`
      const ofItem = fieldCell(each)
      const cell = ({ record }: CellContext): CellValue => {
        const item = itemsOf(record)[at]
        return item === undefined ? null : ofItem(item.fields)
      }
      planned.push({ ...headers.add(title, alignOf(each)), list: null, cell })
    }
  }
  if (most <= listLimit && list.length === 1) return planned
  const rest = ({ record }: CellContext): CellValue =>
    textOf(itemsOf(record).slice(listLimit), isList ? null : inside[0]!.name, locale)
  return [...planned, { ...headers.add(words[locale].moreOf(header), 'left'), list: null, cell: rest }]
}

/** One record after the other is asked for many of its items. */
function memoisedLast(itemsOf: (record: ExportRecord) => Item[]): (record: ExportRecord) => Item[] {
  let last: { record: ExportRecord; items: Item[] } | null = null
  return (record) => {
    if (last?.record !== record) last = { record, items: itemsOf(record) }
    return last.items
  }
}

/** Items as a person reads them: values between commas, items between semicolons; of one field, its values only. */
function textOf(items: readonly Item[], name: string | null, locale: Locale): CellValue {
  const shown = (value: unknown): string => displayCell(toCell(value), locale)
  const texts = items.map(({ fields }) =>
    name === null
      ? Object.values(fields)
          .map(shown)
          .filter((text) => text !== '')
          .join(', ')
      : displayCell(cellOf(fields, name), locale),
  )
  const text = texts.filter((each) => each !== '').join('; ')
  return text === '' ? null : text
}

type AboutKey = Extract<ChosenColumn, { kind: 'about' }>['about']

const aboutCells: Record<AboutKey, (place: CellContext, options: Options) => CellValue> = {
  fileName: ({ fileName }) => fileName,
  link: ({ about, fileName }) =>
    about === undefined ? null : { href: pathToFileURL(about.path).href, text: fileName },
  schemaName: ({ about }) => about?.schemaName ?? null,
  state: ({ about }, { locale }) => (about === undefined ? null : words[locale].states[about.state]),
  folderName: ({ about }) => about?.folderName ?? null,
  receivedOn: ({ about }) => dayOf(about?.receivedAt),
  approvedOn: ({ about }) => dayOf(about?.approvedAt),
  approvedBy: ({ about }) => about?.approvedBy ?? null,
  partnerNumber: ({ record }, { partnerOf }) => partnerOf(record)?.number ?? null,
  mailSender: ({ about }) => about?.mail.sender ?? null,
  mailSubject: ({ about }) => about?.mail.subject ?? null,
  partnerAccount: ({ record }, { partnerOf }) => partnerOf(record)?.bookAccount ?? null,
}

/** The day where the person is, as an ISO date, which spreadsheets get as a date. */
function dayOf(time: number | null | undefined): string | null {
  if (time === null || time === undefined) return null
  const date = new Date(time)
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function elementAt(schema: readonly SchemaElement[], path: readonly string[]): SchemaElement | undefined {
  const [name, ...rest] = path
  const element = schema.find((each) => each.name === name)
  return rest.length === 0 ? element : elementAt(element?.items ?? [], rest)
}

function alignOf(element: SchemaElement | undefined): Column['align'] {
  return element?.format === 'number' ? 'right' : 'left'
}

function isSame(one: readonly string[], other: readonly string[] | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function distinct(lists: readonly (readonly string[])[]): (readonly string[])[] {
  return [...new Map(lists.map((list) => [JSON.stringify(list), list])).values()]
}
