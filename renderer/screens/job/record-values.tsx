import type { KeyboardEvent, ReactNode } from 'react'
import type { FieldSource } from '../../../shared/result.ts'
import type { SchemaElement } from '../../../shared/schema.ts'
import { useLanguage } from '../../messages/language.tsx'
import { columnDecimals, labelOf, printedDecimals, valueText } from '../../messages/values.ts'
import { pointerTo } from './pointer.ts'
import type { Active, Sources } from './pointer.ts'

type Common = { sources: Sources; active: Active; onActive: (active: Active) => void }
type RecordProps = Common & { record: Record<string, unknown>; elements: SchemaElement[]; pointer: string }

/** The values of one record in the order of the schema, then whatever else the service gave. */
export function RecordValues({ record, elements, pointer, ...common }: RecordProps): ReactNode {
  const known = new Set(elements.map(({ name }) => name))
  const others = Object.keys(record).filter((name) => !known.has(name))
  const lists = elements.filter((element) => element.format === 'list' && Array.isArray(record[element.name]))
  const singles = elements.filter((element) => !lists.includes(element)).map(({ name, description }) => ({ name, description }))
  return (
    <>
      <dl className="fields">
        {[...singles, ...others.map((name) => ({ name, description: '' }))].map(({ name, description }) => (
          <Field key={name} name={name} description={description} value={record[name]} pointer={pointerTo(pointer, name)} {...common} />
        ))}
      </dl>
      {lists.map((list) => (
        <ListValues key={list.name} list={list} items={record[list.name] as unknown[]} pointer={pointerTo(pointer, list.name)} {...common} />
      ))}
    </>
  )
}

function Field({ name, description, value, pointer, ...common }: Common & { name: string; description: string; value: unknown; pointer: string }): ReactNode {
  const note = useNote(value, common.sources, pointer)
  return (
    <div className="field" data-on={common.active?.pointer === pointer || undefined}>
      <dt className="ellipsis" title={description || name}>
        {labelOf(name)}
      </dt>
      <dd>
        <ValueBox value={value} label={labelOf(name)} pointer={pointer} {...common} />
        {note !== null && <small className="field__note">{note}</small>}
      </dd>
    </div>
  )
}

/** What a person has to know about a value besides itself: that its place is unknown, another page, or how it is printed. */
function useNote(value: unknown, sources: Sources, pointer: string): string | null {
  const { t, formats } = useLanguage()
  const source = sources?.get(pointer)
  const shown = valueText(value, formats, { yes: t('value.yes'), no: t('value.no') }, decimalsOf(value, source))
  if (shown === null || sources === null) return null
  if (!source) return t('job.notFound')
  const printed = source.text.trim()
  // A currency around the same number says nothing new.
  if (printed.includes(shown) || printed === '') return source.page === 1 ? null : t('job.foundOn', { page: source.page })
  return source.page === 1 ? t('job.printedAs', { text: printed }) : t('job.printedOn', { page: source.page, text: printed })
}

function decimalsOf(value: unknown, source: FieldSource | undefined): number {
  return typeof value === 'number' && source ? printedDecimals(source.text) : 0
}

type ValueBoxProps = Common & { value: unknown; label: string; pointer: string; minDecimals?: number; inTable?: boolean }

/** A value that takes the focus and shows its place in the document. */
function ValueBox({ value, label, pointer, sources, active, onActive, minDecimals, inTable = false }: ValueBoxProps): ReactNode {
  const { t, formats } = useLanguage()
  const source = sources?.get(pointer)
  const text = valueText(value, formats, { yes: t('value.yes'), no: t('value.no') }, minDecimals ?? decimalsOf(value, source))
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    onActive({ pointer, from: 'value' })
  }
  return (
    <span
      className="value"
      role="button"
      tabIndex={0}
      data-pointer={pointer}
      data-on={active?.pointer === pointer || undefined}
      data-found={source ? true : undefined}
      aria-label={`${label}: ${text ?? t('value.empty')}`}
      onFocus={() => active?.pointer !== pointer && onActive({ pointer, from: 'value' })}
      onKeyDown={onKeyDown}
    >
      {text === null ? <span className="value__empty">{inTable ? '–' : t('value.empty')}</span> : <bdi>{text}</bdi>}
    </span>
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function ListValues({ list, items, pointer, ...common }: Common & { list: SchemaElement; items: unknown[]; pointer: string }): ReactNode {
  const { t, formats } = useLanguage()
  return (
    <section className="list-values" aria-label={labelOf(list.name)}>
      <div className="list-values__head">
        <h3 className="ellipsis" title={list.description}>
          {labelOf(list.name)}
        </h3>
        <span className="hint tabular">{t('job.rows', { count: items.length, shown: formats.count(items.length) })}</span>
      </div>
      {items.length > 0 && <ListTable list={list} items={items} pointer={pointer} {...common} />}
    </section>
  )
}

function ListTable({ list, items, pointer, ...common }: Common & { list: SchemaElement; items: unknown[]; pointer: string }): ReactNode {
  const records = items.map((item) => (isRecord(item) ? item : {}))
  const known = list.items ?? []
  const others = [...new Set(records.flatMap((record) => Object.keys(record)))].filter((name) => !known.some((element) => element.name === name))
  const columns: SchemaElement[] = [...known, ...others.map((name) => ({ name, format: 'text' as const, description: '' }))]
  const shapes = columns.map((element) => {
    const values = records.map((record) => record[element.name])
    const printed = values.some((value, index) => decimalsOf(value, common.sources?.get(pointerTo(pointerTo(pointer, index), element.name))) >= 2)
    return { numeric: element.format === 'number' || values.some((value) => typeof value === 'number'), minDecimals: printed ? 2 : columnDecimals(values) }
  })
  return (
    <div className="list-table">
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={column.name} scope="col" className={shapes[index]?.numeric ? 'num' : undefined} title={column.description || column.name}>
                {labelOf(column.name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record, row) => (
            <tr key={row}>
              {columns.map((column, index) => {
                const cellPointer = pointerTo(pointerTo(pointer, row), column.name)
                const value = record[column.name]
                return (
                  <td key={column.name} className={shapes[index]?.numeric ? 'num' : undefined}>
                    {column.format === 'list' && Array.isArray(value) ? (
                      <ListTable list={column} items={value} pointer={cellPointer} {...common} />
                    ) : (
                      <ValueBox value={value} label={labelOf(column.name)} pointer={cellPointer} minDecimals={shapes[index]?.minDecimals} inTable {...common} />
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
