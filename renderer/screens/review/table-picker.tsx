import { useRef } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode, RefObject } from 'react'
import type { Box } from '../../../shared/domain/document.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { Button, IconButton } from '../../components/controls.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { labelOf } from '../../messages/values.ts'
import { widestMiddle, withBorder, withoutBorder } from './table-region.ts'
import type { TableRegion } from './table-region.ts'

/** The rows of a list, while a person draws them out of a page. */
export type TablePick = {
  list: SchemaElement
  region: TableRegion
  /** How many rows that would be. */
  count: number
  /** There are rows already, to which these can be added. */
  hasRows: boolean
  onRegion: (region: TableRegion) => void
  /** Another part of a page: its columns are looked for anew. */
  onBox: (page: number, box: Box) => void
  /** A line of a page that is among the rows as well. */
  onLine: (page: number, at: { x: number; y: number }) => void
  onTake: (adds: boolean) => void
  onCancel: () => void
}

/** An arrow moves a border by so much of the page, with Shift by ten times as much. */
const step = 0.004
/** A part of a page is no smaller than this, however it is drawn. */
const smallest = 0.02

/**
 * Over each page while rows are picked: a drag draws a new part, a click adds a line to the chosen one, which has its
 * borders and its fields.
 */
export function TablePicker({ page, pick }: { page: number; pick: TablePick }): ReactNode {
  const layer = useRef<HTMLDivElement>(null)
  const drawn = useRef<HTMLDivElement>(null)
  function onPointerDown(event: PointerEvent<HTMLDivElement>): void {
    if (event.button !== 0 || event.target !== event.currentTarget) return
    const from = placeIn(layer, event)
    let box: Box = { ...from, width: 0, height: 0 }
    follow(
      event,
      (move) => {
        const to = placeIn(layer, move)
        box = {
          x: Math.min(from.x, to.x),
          y: Math.min(from.y, to.y),
          width: Math.abs(to.x - from.x),
          height: Math.abs(to.y - from.y),
        }
        Object.assign(drawn.current!.style, styleOf(box))
      },
      () => {
        Object.assign(drawn.current!.style, { width: '0', height: '0' })
        if (box.width >= smallest && box.height >= smallest / 2) pick.onBox(page, box)
        else if (box.width < smallest) pick.onLine(page, from)
      },
    )
  }
  return (
    <div ref={layer} className="table-picker" onPointerDown={onPointerDown}>
      <div ref={drawn} className="table-picker__drawn" />
      {pick.region.page === page && <Region layer={layer} pick={pick} />}
    </div>
  )
}

function Region({ layer, pick }: { layer: RefObject<HTMLDivElement | null>; pick: TablePick }): ReactNode {
  const { t } = useLanguage()
  const { list, region, onBox, onCancel } = pick
  const onRegion = (chosen: TableRegion): void => pick.onRegion({ ...chosen, isChosen: true })
  const { box, borders, fields } = region
  const edges = [box.x, ...borders, box.x + box.width]
  const moveBorder = (index: number, to: number): void => {
    const [left, right] = [edges[index]!, edges[index + 2]!]
    onRegion({ ...region, borders: borders.with(index, clamped(to, left + smallest / 4, right - smallest / 4)) })
  }
  const moveSide = (side: 'top' | 'bottom', to: number): void => {
    const end = box.y + box.height
    const y = side === 'top' ? clamped(to, 0, end - smallest / 2) : box.y
    const bottom = side === 'bottom' ? clamped(to, box.y + smallest / 2, 1) : end
    const moved = { ...box, y, height: bottom - y }
    // Other rows have other columns.
    if (region.isChosen) onRegion({ ...region, box: moved })
    else onBox(region.page, moved)
  }
  const choose = (column: number, name: string): void =>
    // A field is the field of one column.
    onRegion({
      ...region,
      fields: fields.map((field, at) => (at === column ? name || null : field === name ? null : field)),
    })
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    onCancel()
  }
  return (
    <div className="table-picker__region" role="group" aria-label={labelOf(list.name)} onKeyDown={onKeyDown}>
      <div className="table-picker__box" style={styleOf(box)} />
      {fields.map((field, column) => (
        <FieldChoice
          key={column}
          list={list}
          column={column}
          field={field}
          style={{
            left: percent(edges[column]!),
            width: percent(edges[column + 1]! - edges[column]!),
            top: percent(box.y),
          }}
          onChoose={(name) => choose(column, name)}
        />
      ))}
      {borders.map((border, index) => (
        <Handle
          key={index}
          layer={layer}
          isUpright
          label={t('rows.border', { number: index + 1 })}
          at={border}
          style={{ left: percent(border), top: percent(box.y), height: percent(box.height) }}
          onMove={(to) => moveBorder(index, to)}
          onRemove={() => onRegion(withoutBorder(region, index))}
        />
      ))}
      {(['top', 'bottom'] as const).map((side) => (
        <Handle
          key={side}
          layer={layer}
          label={t(side === 'top' ? 'rows.top' : 'rows.bottom')}
          at={side === 'top' ? box.y : box.y + box.height}
          style={{
            left: percent(box.x),
            width: percent(box.width),
            top: percent(side === 'top' ? box.y : box.y + box.height),
          }}
          onMove={(to) => moveSide(side, to)}
        />
      ))}
      <PickBar pick={pick} />
    </div>
  )
}

/** Above a column: what it holds. */
function FieldChoice({
  list,
  column,
  field,
  style,
  onChoose,
}: {
  list: SchemaElement
  column: number
  field: string | null
  style: Record<string, string>
  onChoose: (name: string) => void
}): ReactNode {
  const { t } = useLanguage()
  return (
    <select
      className="table-picker__field"
      data-empty={field === null || undefined}
      aria-label={t('rows.column', { number: column + 1 })}
      style={style}
      value={field ?? ''}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">{t('rows.leftOut')}</option>
      {list.items?.map(({ name }) => (
        <option key={name} value={name}>
          {labelOf(name)}
        </option>
      ))}
    </select>
  )
}

/** Below the rows: how many they are, and what becomes of them. */
function PickBar({ pick: { region, count, hasRows, onRegion, onTake, onCancel } }: { pick: TablePick }): ReactNode {
  const { t, formats } = useLanguage()
  const { x, y, height } = region.box
  return (
    <div className="table-picker__bar" style={{ left: percent(x), top: percent(y + height) }}>
      <span className="tabular">{t('rows.count', { count, shown: formats.count(count) })}</span>
      <IconButton
        icon="columns"
        label={t('rows.addBorder')}
        onPress={() => onRegion({ ...withBorder(region, widestMiddle(region)), isChosen: true })}
      />
      <Button onPress={onCancel}>{t('action.cancel')}</Button>
      {hasRows && (
        <Button isDisabled={count === 0} onPress={() => onTake(true)}>
          {t('rows.add')}
        </Button>
      )}
      <Button variant="primary" autoFocus isDisabled={count === 0} onPress={() => onTake(false)}>
        {t(hasRows ? 'rows.replace' : 'rows.take')}
      </Button>
    </div>
  )
}

type HandleProps = {
  layer: RefObject<HTMLDivElement | null>
  /** Between two columns, and not above or below all of them. */
  isUpright?: true
  label: string
  at: number
  style: Record<string, string>
  onMove: (to: number) => void
  onRemove?: () => void
}

/** A border that is dragged, or moved by arrows; Delete and a double click remove one between columns. */
function Handle({ layer, isUpright, label, at, style, onMove, onRemove }: HandleProps): ReactNode {
  const [less, more] = isUpright ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown']
  function onKeyDown(event: KeyboardEvent): void {
    const by = event.shiftKey ? step * 10 : step
    if (event.key === less) onMove(at - by)
    else if (event.key === more) onMove(at + by)
    else if ((event.key === 'Delete' || event.key === 'Backspace') && onRemove) onRemove()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-orientation={isUpright ? 'vertical' : 'horizontal'}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(at * 100)}
      className="table-picker__handle"
      style={style}
      onKeyDown={onKeyDown}
      onDoubleClick={onRemove}
      onPointerDown={(event) =>
        follow(event, (move) => {
          const place = placeIn(layer, move)
          onMove(isUpright ? place.x : place.y)
        })
      }
    />
  )
}

/** Hears of the pointer until it is released, wherever it goes. */
function follow(
  event: PointerEvent<HTMLElement>,
  onMove: (move: globalThis.PointerEvent) => void,
  onEnd: () => void = () => undefined,
): void {
  const element = event.currentTarget
  element.setPointerCapture(event.pointerId)
  element.onpointermove = onMove
  element.onlostpointercapture = () => {
    element.onpointermove = null
    onEnd()
  }
}

function placeIn(
  layer: RefObject<HTMLDivElement | null>,
  event: { clientX: number; clientY: number },
): { x: number; y: number } {
  const { left, top, width, height } = layer.current!.getBoundingClientRect()
  return { x: clamped((event.clientX - left) / width, 0, 1), y: clamped((event.clientY - top) / height, 0, 1) }
}

function clamped(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most))
}

function styleOf({ x, y, width, height }: Box): { left: string; top: string; width: string; height: string } {
  return { left: percent(x), top: percent(y), width: percent(width), height: percent(height) }
}

function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(3)}%`
}
