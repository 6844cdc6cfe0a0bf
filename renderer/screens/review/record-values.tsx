import { useContext, useId, useMemo, useRef } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { isCreditNote } from '../../../shared/domain/credit-note.ts'
import { pointerOf, tokensOf } from '../../../shared/domain/pointer.ts'
import type { Alternative } from '../../../shared/domain/result.ts'
import type { Flag } from '../../../shared/domain/review.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { Icon } from '../../components/icon.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { Language } from '../../messages/language.tsx'
import { fieldDecimals, labelOf, valueText } from '../../messages/values.ts'
import { Alternatives, alternativeKey, useAlternativeKeys } from './alternatives.tsx'
import { flagText } from './flag-text.ts'
import { GridsContext } from '../../grid/grid-context.ts'
import type { GridCells } from '../../grid/grid-context.ts'
import { ItemsGrid } from '../../grid/items-grid.tsx'
import type { Row } from '../../grid/list-shape.ts'
import type { Sources } from './pointer.ts'
import { ValueField, decimalsOf } from './value-field.tsx'
import type { Common } from './value-field.tsx'

/** More sentences than this are no help. */
const maxRowNotes = 5

type RecordProps = Common & { record: Record<string, unknown>; elements: SchemaElement[]; pointer: string }

/** The values of one record in the order of the schema, then whatever else the service gave. */
export function RecordValues({ record, elements, pointer, ...common }: RecordProps): ReactNode {
  const known = new Set(elements.map(({ name }) => name))
  const others = Object.keys(record).filter((name) => !known.has(name))
  const lists = elements.filter((element) => element.format === 'list' && Array.isArray(record[element.name]))
  const singles = elements.filter((element) => !lists.includes(element))
  const extra = others.map(
    (name): SchemaElement => ({ name, format: typeof record[name] === 'number' ? 'number' : 'text', description: '' }),
  )
  return (
    <>
      <PlaceFlags pointer={pointer} {...common} />
      <dl className="fields">
        {[...singles, ...extra].map((element) => (
          <Field
            key={element.name}
            element={element}
            value={record[element.name]}
            pointer={pointer + pointerOf([element.name])}
            {...common}
          />
        ))}
      </dl>
      {lists.map((list) => (
        <ListValues
          key={list.name}
          list={list}
          items={record[list.name] as unknown[]}
          pointer={pointer + pointerOf([list.name])}
          {...common}
        />
      ))}
    </>
  )
}

function Field({
  element,
  value,
  pointer,
  ...common
}: Common & { element: SchemaElement; value: unknown; pointer: string }): ReactNode {
  const { name, format, kind, description } = element
  const { review, onNextFlag } = common
  const { t } = useLanguage()
  const notes = useId()
  const place = useRef<HTMLElement>(null)
  const { system } = useAlternativeKeys()
  const alternatives = review.editable ? review.alternativesAt(pointer).filter((each) => each.value !== value) : []
  const take = (alternative: Alternative): void => review.put([{ pointer, value: alternative.value }])
  function onTakeKey(event: KeyboardEvent<HTMLElement>): boolean {
    const alternative = alternatives[alternativeKey(event, system) ?? -1]
    if (alternative === undefined) return false
    event.preventDefault()
    take(alternative)
    return true
  }
  /** The button goes with the flag; the focus goes where it would from the value. */
  function onTake(alternative: Alternative): void {
    const value = place.current?.querySelector<HTMLElement>('[data-pointer]') ?? null
    take(alternative)
    if (!onNextFlag(value)) value?.focus()
  }
  return (
    <div className="field" data-on={common.active?.pointer === pointer || undefined}>
      <dt className="ellipsis" title={description || name}>
        {labelOf(name)}
      </dt>
      <dd ref={place}>
        <ValueField
          value={value}
          format={format}
          kind={kind}
          label={labelOf(name)}
          pointer={pointer}
          describedBy={notes}
          onTakeKey={onTakeKey}
          {...common}
        />
        <Notes id={notes} value={value} pointer={pointer} {...common} />
        {kind === 'document_type' && typeof value === 'string' && isCreditNote(value) && (
          <small className="field__note">{t('check.creditNote')}</small>
        )}
        <Alternatives
          pointer={pointer}
          alternatives={alternatives}
          active={common.active}
          onActive={common.onActive}
          onTake={onTake}
        />
      </dd>
    </div>
  )
}

type NotesProps = Common & { value: unknown; pointer: string }

/** What stands below a value: why it needs a look, else that a person changed it, else where it was found. */
function Notes({ id, ...props }: NotesProps & { id: string }): ReactNode {
  const { value, pointer, review, sources } = props
  const language = useLanguage()
  const flags = review.flagsAt(pointer)
  const place = usePlaceNote(value, sources, pointer)
  const isChanged = review.correctionAt(pointer) !== null
  const isPlaceSaid = place !== null && (flags.length === 0 || !sources?.get(pointer))
  return (
    <div id={id} className="notes">
      {flags.map((flag) => (
        <small key={flag.code} className="field__flag" data-grave={isGrave(flag) || undefined}>
          <Icon name="flag" size={12} />
          {flagText(flag, language, sources, review.schemaName)}
        </small>
      ))}
      {isChanged && <CorrectionNote {...props} />}
      {!isChanged && isPlaceSaid && <small className="field__note">{place}</small>}
    </div>
  )
}

/** Why a whole record or list needs a look, with the word that it does not. */
function PlaceFlags({ pointer, review, sources, onNextFlag }: Common & { pointer: string }): ReactNode {
  const language = useLanguage()
  const { t } = language
  const flags = review.flagsAt(pointer)
  const notes = useId()
  if (flags.length === 0) return null
  return (
    <div className="place-flags">
      <div id={notes} className="notes">
        {flags.map((flag) => (
          <small key={flag.code} className="field__flag" data-grave={isGrave(flag) || undefined}>
            <Icon name="flag" size={12} />
            {flagText(flag, language, sources, review.schemaName)}
          </small>
        ))}
      </div>
      {review.editable && (
        <button
          type="button"
          className="link"
          data-pointer={pointer}
          aria-describedby={notes}
          onClick={(event) => {
            review.confirm(pointer)
            onNextFlag(event.currentTarget)
          }}
        >
          {t('check.settle')}
        </button>
      )}
    </div>
  )
}

/** Whose a value is that the service did not say, what that said, and the way back to it. */
function CorrectionNote({ pointer, review, sources }: NotesProps): ReactNode {
  const language = useLanguage()
  const { t, formats } = language
  const correction = review.correctionAt(pointer)
  if (correction === null) return null
  const { extracted: before } = correction
  const extracted = valueText(
    before,
    formats,
    { yes: t('value.yes'), no: t('value.no') },
    decimalsOf(before, sources?.get(pointer)),
  )
  return (
    <small className="field__note">
      {correctionText(correction, extracted, review.local, language)}{' '}
      {review.editable && (
        <button type="button" className="link" onClick={() => review.put([{ pointer, value: before as never }])}>
          {t(review.local ? 'check.revertLocal' : 'check.revert')}
        </button>
      )}
    </small>
  )
}

/** By whom the value is, and what the service said; null: nothing. */
function correctionText(
  { person, at, learned, byPartners }: NonNullable<ReturnType<NotesProps['review']['correctionAt']>>,
  extracted: string | null,
  isLocal: boolean,
  { t, formats }: Language,
): string {
  const said = { extracted: extracted ?? '' }
  const isEmpty = extracted === null
  if (byPartners) return t(isEmpty ? 'check.partnerEmpty' : 'check.partner', said)
  if (learned !== undefined)
    return t(isEmpty ? 'check.learnedEmpty' : 'check.learned', {
      ...said,
      count: learned,
      shown: formats.count(learned),
    })
  const by = { ...said, person, time: formats.dateTime(at) }
  if (isEmpty) return t(isLocal ? 'check.changedEmptyLocal' : 'check.changedEmpty', by)
  return t(isLocal ? 'check.changedLocal' : 'check.changed', by)
}

/**
 * What a person has to know about a value besides itself: that its place is unknown, another page, or how it is
 * printed.
 */
function usePlaceNote(value: unknown, sources: Sources, pointer: string): string | null {
  const { t, formats } = useLanguage()
  const source = sources?.get(pointer)
  const shown = valueText(value, formats, { yes: t('value.yes'), no: t('value.no') }, decimalsOf(value, source))
  if (shown === null || sources === null) return null
  if (!source) return t('document.notFound')
  const printed = source.text.trim()
  // A currency around the same number says nothing new.
  if (printed.includes(shown) || printed === '')
    return source.page === 1 ? null : t('document.foundOn', { page: source.page })
  return source.page === 1
    ? t('document.printedAs', { text: printed })
    : t('document.printedOn', { page: source.page, text: printed })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Plain rows are a grid; rows that hold lists themselves are a table in which those stand open. */
function ListValues({
  list,
  items,
  pointer,
  ...common
}: Common & { list: SchemaElement; items: unknown[]; pointer: string }): ReactNode {
  const { t, formats } = useLanguage()
  const notes = (
    <>
      <RowNotes pointer={pointer} {...common} />
      <PlaceFlags pointer={pointer} {...common} />
    </>
  )
  const isFlat = list.items?.every(({ format }) => format !== 'list') ?? false
  if (isFlat && items.every(isRecord)) {
    return (
      <section className="list-values" aria-label={labelOf(list.name)}>
        <ReviewedGrid list={list} items={items} pointer={pointer} notes={notes} {...common} />
      </section>
    )
  }
  return (
    <section className="list-values" aria-label={labelOf(list.name)}>
      <div className="list-values__head">
        <h2 className="ellipsis" title={list.description}>
          {labelOf(list.name)}
        </h2>
        <span className="hint tabular">
          {t('document.rows', { count: items.length, shown: formats.count(items.length) })}
        </span>
      </div>
      {items.length > 0 && <ListTable list={list} items={items} pointer={pointer} {...common} />}
      {notes}
    </section>
  )
}

/** The grid of a list with what the review knows of its cells. */
function ReviewedGrid({
  list,
  items,
  pointer,
  notes,
  sources,
  active,
  onActive,
  review,
  onNextFlag,
}: Common & { list: SchemaElement; items: Row[]; pointer: string; notes: ReactNode }): ReactNode {
  const language = useLanguage()
  const { system } = useAlternativeKeys()
  const cells = useMemo(
    (): GridCells => ({
      isEditable: review.editable,
      reasonAt(place) {
        const flags = review.flagsAt(place)
        return flags.length === 0
          ? null
          : flags.map((flag) => flagText(flag, language, sources, review.schemaName)).join(' ')
      },
      isChangedAt: (place) => review.correctionAt(place) !== null,
      put: review.put,
      confirm: review.confirm,
      takenBy: (event, place) => review.alternativesAt(place)[alternativeKey(event, system) ?? -1]?.value ?? null,
    }),
    [review, language, sources, system],
  )
  return (
    <ItemsGrid
      list={list}
      items={items}
      pointer={pointer}
      printed={sources}
      cells={cells}
      shown={active?.pointer ?? null}
      onShow={(place) => onActive({ pointer: place, from: 'value' })}
      onNextFlag={onNextFlag}
      notes={notes}
    />
  )
}

/** Below a list: which of its cells need a look and why, and that a person changed its rows. */
function RowNotes({ pointer, review, sources, active, onActive, onNextFlag }: Common & { pointer: string }): ReactNode {
  const language = useLanguage()
  const { all } = useContext(GridsContext)
  const { t, formats } = language
  const correction = review.correctionAt(pointer)
  const flags = review.flags.filter((flag) => flag.pointer.startsWith(`${pointer}/`))
  if (flags.length === 0 && correction === null) return null
  const inHand = flags.find((flag) => flag.pointer === active?.pointer)?.pointer ?? null
  // The cell in hand has its sentence last, above its alternatives.
  const others = flags.filter((flag) => flag.pointer !== inHand).slice(0, maxRowNotes)
  const shown = [...others, ...flags.filter((flag) => flag.pointer === inHand)]
  function onTake({ value }: Alternative): void {
    const grid = all.get(pointer)
    if (grid) grid.put(inHand!, value)
    else review.put([{ pointer: inHand!, value }])
    onNextFlag(document.querySelector(`[data-grid="${CSS.escape(pointer)}"]`))
  }
  const rowOf = (flag: Flag): number => Number(tokensOf(flag.pointer.slice(pointer.length))[0]) + 1
  return (
    <div className="notes">
      {shown.map((flag) => (
        <small key={flag.pointer + flag.code} className="field__flag" data-flag={flag.pointer}>
          <Icon name="flag" size={12} />
          {t('flag.inRow', {
            row: formats.count(rowOf(flag)),
            text: flagText(flag, language, sources, review.schemaName),
          })}
        </small>
      ))}
      {inHand !== null && (
        <Alternatives
          pointer={inHand}
          alternatives={review.editable ? review.alternativesAt(inHand) : []}
          active={active}
          onActive={onActive}
          onTake={onTake}
        />
      )}
      {correction !== null && (
        <small className="field__note">
          {t('check.changedRows', { person: correction.person, time: formats.dateTime(correction.at) })}
        </small>
      )}
    </div>
  )
}

function ListTable({
  list,
  items,
  pointer,
  ...common
}: Common & { list: SchemaElement; items: unknown[]; pointer: string }): ReactNode {
  const records = items.map((item) => (isRecord(item) ? item : {}))
  const known = list.items ?? []
  const others = [...new Set(records.flatMap((record) => Object.keys(record)))].filter(
    (name) => !known.some((element) => element.name === name),
  )
  const columns: SchemaElement[] = [
    ...known,
    ...others.map((name) => ({ name, format: 'text' as const, description: '' })),
  ]
  const shapes = columns.map((element) => {
    const values = records.map((record) => record[element.name])
    const printed = values.some(
      (value, index) => decimalsOf(value, common.sources?.get(pointer + pointerOf([index, element.name]))) >= 2,
    )
    return {
      numeric: element.format === 'number' || values.some((value) => typeof value === 'number'),
      minDecimals: printed ? 2 : fieldDecimals(element.name, values),
    }
  })
  return (
    <div className="list-table">
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th
                key={column.name}
                scope="col"
                className={shapes[index]?.numeric ? 'num' : undefined}
                title={column.description || column.name}
              >
                {labelOf(column.name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record, row) => (
            <tr key={row}>
              {columns.map((column, index) => {
                const cellPointer = pointer + pointerOf([row, column.name])
                const value = record[column.name]
                return (
                  <td key={column.name} className={shapes[index]?.numeric ? 'num' : undefined}>
                    {column.format === 'list' && Array.isArray(value) ? (
                      <ListTable list={column} items={value} pointer={cellPointer} {...common} />
                    ) : (
                      <ValueField
                        value={value}
                        format={column.format}
                        kind={column.kind}
                        label={labelOf(column.name)}
                        pointer={cellPointer}
                        minDecimals={shapes[index]?.minDecimals}
                        inTable
                        {...common}
                      />
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

/** Whoever pays to the wrong account has lost the money. */
function isGrave({ code }: Flag): boolean {
  return code === 'account_differs' || code === 'account_of_other'
}
