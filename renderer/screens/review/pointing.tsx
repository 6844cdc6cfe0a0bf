import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { KeyboardEvent, MouseEvent, PointerEvent, ReactNode, RefObject } from 'react'
import { useLanguage } from '../../messages/language.tsx'
import { valueText } from '../../messages/values.ts'
import { boxAround, unrotatePoint, wordAt, wordBeside, wordsBetween, wordsOfDrag } from './page-words.ts'
import type { Direction, PageWord, Point } from './page-words.ts'
import { rotateBox } from './rotation.ts'
import type { Rotation } from './rotation.ts'

/** The value in hand, which what is pointed at is for. */
export type PointTarget = {
  pointer: string
  label: string
  /** What words would be stored as; null where the field cannot hold them. */
  read: (text: string) => string | number | null
  /** Puts words in its place. */
  take: (text: string) => void
}

/** The word that the keys are at, and where they began to take several. */
export type PointCursor = { page: number; index: number; anchor: number }

export type Pointing = {
  /** Asked when something is pointed at: it changes with every value that a person looks at. */
  target: () => PointTarget | null
  /** The words of a page; null until they are known. */
  wordsOf: (page: number) => readonly PageWord[] | null
  /** Words are about to be needed. */
  want: () => void
  /** Null: the keyboard is not on the page. */
  cursor: PointCursor | null
  onCursor: (cursor: PointCursor) => void
  /** Back from the page to the value, which stays as it is. */
  leave: () => void
  /** The first page, in this direction, that has words; null where none has. */
  pageBeside: (page: number, step: -1 | 1) => number | null
}

/** The pointer shakes by so many pixels while it clicks. */
const shakePx = 4

type Drag = { from: Point; at: { x: number; y: number }; isMoving: boolean }

/**
 * Over a page, while a value is in hand: a click takes a word, a drag a run of words, or a box of them. The marks of
 * other values are within it and lead to their values, as ever; with Shift a click takes the word below the mark.
 */
export function PointingLayer({
  page,
  pointing,
  rotation,
  children,
}: {
  page: number
  pointing: Pointing
  rotation: Rotation
  children: ReactNode
}): ReactNode {
  const { cursor } = pointing
  const words = pointing.wordsOf(page)
  const take = (indices: readonly number[]): void => {
    if (words !== null && indices.length > 0) pointing.target()?.take(textOf(words, indices))
  }
  const { shown, layer, ...handlers } = usePointer({ pointing, words, rotation, take })
  const isHere = cursor?.page === page && words !== null
  const taken = isHere ? wordsBetween(cursor.anchor, cursor.index) : shown
  return (
    <div ref={layer} className="pointing" data-waiting={words === null || undefined} {...handlers}>
      {children}
      {words !== null && taken.length > 0 && (
        <PointedWords words={words} indices={taken} target={pointing.target()} rotation={rotation} />
      )}
      {isHere && <Cursor words={words} cursor={cursor} pointing={pointing} rotation={rotation} onTake={take} />}
    </div>
  )
}

type PointerOptions = {
  pointing: Pointing
  words: readonly PageWord[] | null
  rotation: Rotation
  take: (indices: readonly number[]) => void
}

/** What the mouse does over a page: `shown` are the words that it would take. */
function usePointer({ pointing, words, rotation, take }: PointerOptions): {
  shown: readonly number[]
  layer: RefObject<HTMLDivElement | null>
  onPointerMove: (event: PointerEvent) => void
  onPointerDown: (event: PointerEvent) => void
  onPointerCancel: () => void
  onPointerLeave: () => void
  onClickCapture: (event: MouseEvent) => void
} {
  const layer = useRef<HTMLDivElement>(null)
  const drag = useRef<Drag | null>(null)
  const [shown, setShown] = useState<readonly number[]>([])
  /** Where the pointer rests, for when the words come. */
  const rests = useRef<Point | null>(null)
  const showUnder = (place: Point | null): void => {
    const under = words === null || place === null ? -1 : wordAt(words, place)
    setShown((before) => (before.length < 2 && (before[0] ?? -1) === under ? before : under === -1 ? [] : [under]))
  }
  useEffect(() => showUnder(rests.current), [words])
  const placeOf = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top, width, height } = layer.current!.getBoundingClientRect()
    return unrotatePoint({ x: (clientX - left) / width, y: (clientY - top) / height }, rotation)
  }
  const leadsElsewhere = (event: MouseEvent): boolean =>
    !event.shiftKey && isOthersMark(event.target, pointing.target())
  return {
    shown,
    layer,
    onPointerMove(event) {
      pointing.want()
      const place = placeOf(event)
      const begun = drag.current
      if (begun === null) {
        rests.current = leadsElsewhere(event) ? null : place
        return showUnder(rests.current)
      }
      begun.isMoving ||= Math.hypot(event.clientX - begun.at.x, event.clientY - begun.at.y) > shakePx
      if (!begun.isMoving || words === null) return
      // From now on it stays with the page, wherever the pointer goes.
      layer.current?.setPointerCapture(event.pointerId)
      setShown(wordsOfDrag(words, begun.from, place))
    },
    onPointerDown(event) {
      if (event.button === 0)
        drag.current = { from: placeOf(event), at: { x: event.clientX, y: event.clientY }, isMoving: false }
    },
    onPointerCancel() {
      drag.current = null
      setShown([])
    },
    onPointerLeave() {
      rests.current = null
      if (drag.current?.isMoving !== true) setShown([])
    },
    /** Before the mark below it hears of the click. */
    onClickCapture(event) {
      const wasMoving = drag.current?.isMoving === true
      drag.current = null
      // Enter on the word in hand is a click as well.
      if (event.detail === 0 || words === null || (!wasMoving && leadsElsewhere(event))) return
      event.stopPropagation()
      setShown([])
      const under = wordAt(words, placeOf(event))
      take(wasMoving ? shown : under === -1 ? [] : [under])
    },
  }
}

/** Whether a place on the page is the mark of another value than the one in hand. */
export function isOthersMark(place: EventTarget, own: PointTarget | null): boolean {
  const mark = place instanceof Element ? place.closest<HTMLElement>('[data-mark]') : null
  return mark !== null && mark.dataset.mark !== own?.pointer
}

function textOf(words: readonly PageWord[], indices: readonly number[]): string {
  return indices.map((index) => words[index]?.text ?? '').join(' ')
}

/** The words that would be taken, and what would be stored. */
function PointedWords({
  words,
  indices,
  target,
  rotation,
}: {
  words: readonly PageWord[]
  indices: readonly number[]
  target: PointTarget | null
  rotation: Rotation
}): ReactNode {
  const { t, formats } = useLanguage()
  const found = indices.flatMap((index) => words[index] ?? [])
  if (found.length === 0 || target === null) return null
  const value = target.read(textOf(words, indices))
  const yesNo = { yes: t('value.yes'), no: t('value.no') }
  const box = rotateBox(boxAround(found), rotation)
  return (
    <>
      {found.map((word, index) => (
        <span key={index} className="pointing__word" style={styleOf(rotateBox(word, rotation))} />
      ))}
      <span
        className="pointing__value"
        data-problem={value === null || undefined}
        style={{ left: percent(box.x), top: percent(box.y + box.height) }}
      >
        <b>{target.label}</b> {value === null ? t('point.notNumber') : valueText(value, formats, yesNo)}
      </span>
    </>
  )
}

/** The word in hand of the keyboard: arrows go on, with Shift they take more, Enter takes, Escape leaves. */
function Cursor({
  words,
  cursor,
  pointing,
  rotation,
  onTake,
}: {
  words: readonly PageWord[]
  cursor: PointCursor
  pointing: Pointing
  rotation: Rotation
  onTake: (indices: readonly number[]) => void
}): ReactNode {
  const { t } = useLanguage()
  const place = useRef<HTMLButtonElement>(null)
  const { index, anchor } = cursor
  const taken = wordsBetween(anchor, index)
  useLayoutEffect(() => {
    place.current?.focus({ preventScroll: true })
    place.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [index])
  function onKeyDown(event: KeyboardEvent): void {
    const leaves = event.key === 'Escape' || event.key === 'Tab'
    if (!leaves && (!isDirection(event.key) || event.altKey || event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.stopPropagation()
    if (leaves) return pointing.leave()
    const next = cursorBeside(pointing, words, cursor, event.key as Direction, event.shiftKey)
    if (next !== null) pointing.onCursor(next)
  }
  return (
    <button
      ref={place}
      type="button"
      tabIndex={-1}
      className="pointing__cursor"
      aria-label={t('point.word', { text: textOf(words, taken), field: pointing.target()?.label ?? '' })}
      style={styleOf(rotateBox(words[index] ?? words[0]!, rotation))}
      onKeyDown={onKeyDown}
      onClick={() => onTake(taken)}
    />
  )
}

/** Where an arrow leads, onto another page as well; what is taken with Shift stays on one. Null: nowhere. */
function cursorBeside(
  pointing: Pointing,
  words: readonly PageWord[],
  { page, index, anchor }: PointCursor,
  direction: Direction,
  takesMore: boolean,
): PointCursor | null {
  const next = wordBeside(words, index, direction)
  if (next !== -1) return { page, index: next, anchor: takesMore ? anchor : next }
  const step = direction === 'ArrowLeft' || direction === 'ArrowUp' ? -1 : 1
  const other = takesMore ? null : pointing.pageBeside(page, step)
  if (other === null) return null
  const first = step === 1 ? 0 : (pointing.wordsOf(other)?.length ?? 1) - 1
  return { page: other, index: first, anchor: first }
}

function isDirection(key: string): key is Direction {
  return key === 'ArrowLeft' || key === 'ArrowRight' || key === 'ArrowUp' || key === 'ArrowDown'
}

function styleOf({ x, y, width, height }: { x: number; y: number; width: number; height: number }): {
  left: string
  top: string
  width: string
  height: string
} {
  return { left: percent(x), top: percent(y), width: percent(width), height: percent(height) }
}

function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(3)}%`
}
