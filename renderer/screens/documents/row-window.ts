import { useCallback, useEffect, useLayoutEffect, useReducer, useRef } from 'react'
import type { RefObject } from 'react'

/** The row at the upper edge, and how much of it is above that edge. */
type Top = { index: number; px: number }

/** The rows of a list: how many, how high each of them is, and how high the view on them is. */
export type Rows = { count: number; heightOf: (index: number) => number; viewPx: number }

/**
 * Chromium draws no element higher than about 33.5 million pixels, and Firefox none higher than 17.8: longer lists are
 * scaled.
 */
const highestPx = 8_000_000

/** Rows beyond each edge that are rendered before they scroll into view. */
const spareRows = 6

/** The row at the upper edge when the last one is at the lower edge. Pure. */
export function lowestTop({ count, heightOf, viewPx }: Rows): Top {
  let missing = viewPx
  for (let index = count - 1; index >= 0; index -= 1) {
    missing -= heightOf(index)
    if (missing <= 0) return { index, px: -missing }
  }
  return { index: 0, px: 0 }
}

/** Moved by exactly so many pixels, down where they are positive; never beyond the ends. Pure. */
export function movedBy(top: Top, px: number, rows: Rows): Top {
  let { index } = top
  let rest = top.px + px
  while (rest < 0 && index > 0) {
    index -= 1
    rest += rows.heightOf(index)
  }
  while (index < rows.count - 1 && rest >= rows.heightOf(index)) {
    rest -= rows.heightOf(index)
    index += 1
  }
  return within({ index, px: Math.max(0, rest) }, rows)
}

/** Not beyond the end of a list that may have become shorter. Pure. */
function within(top: Top, rows: Rows): Top {
  const lowest = lowestTop(rows)
  return top.index > lowest.index || (top.index === lowest.index && top.px > lowest.px) ? lowest : top
}

/** Where a scroll bar has to stand, 0 at the upper end and 1 at the lower. Pure. */
export function shareOf(top: Top, rows: Rows): number {
  const last = inRows(lowestTop(rows), rows)
  return last <= 0 ? 0 : Math.min(1, inRows(top, rows) / last)
}

/** The place that a scroll bar shows. Pure. */
export function topAt(share: number, rows: Rows): Top {
  const place = Math.min(1, Math.max(0, share)) * inRows(lowestTop(rows), rows)
  const index = Math.floor(place)
  return within({ index, px: (place - index) * rows.heightOf(index) }, rows)
}

/** The nearest place at which a row can be seen as a whole. Pure. */
export function showing(index: number, top: Top, rows: Rows): Top {
  if (index < top.index || (index === top.index && top.px > 0)) return within({ index, px: 0 }, rows)
  const asLast = lowestTop({ ...rows, count: index + 1 })
  return asLast.index > top.index || (asLast.index === top.index && asLast.px > top.px) ? asLast : top
}

function inRows({ index, px }: Top, { heightOf, count }: Rows): number {
  return count === 0 ? 0 : index + px / heightOf(index)
}

type RowPlace = { index: number; startPx: number; heightPx: number }

/** The rows on the screen, and some beyond it; `startPx` from the upper edge. Pure. */
export function placesFrom(top: Top, { count, heightOf, viewPx }: Rows): RowPlace[] {
  const places: RowPlace[] = []
  let startPx = 0 - top.px
  let index = top.index
  for (let spare = 0; index > 0 && spare < spareRows; spare += 1) startPx -= heightOf((index -= 1))
  for (let spare = 0; index < count && spare < spareRows; index += 1) {
    const heightPx = heightOf(index)
    places.push({ index, startPx, heightPx })
    startPx += heightPx
    if (startPx > viewPx) spare += 1
  }
  return places
}

type Scroller = { current: HTMLElement | null }

/** Where a window is. `isDragged`: by its scroll bar. */
type Position = { top: Top; scrollTop: number; viewPx: number; isDragged: boolean }
/** The list, and how high the element is that is scrolled. */
type Extent = { rows: Rows; bodyPx: number }

/** What of a list is on the screen. */
export type RowWindow = {
  /** Each at its place in an element of `bodyPx`. */
  places: RowPlace[]
  bodyPx: number
  top: () => Top
  show: (index: number) => void
}

/**
 * A window on a list of any length. Wheel, keys and touch move it by exact pixels, the scroll bar to its share of the
 * list: the element that is scrolled is lower than the list where that would be too high, and its rows are placed where
 * it is scrolled to. `headPx` of the scroller are covered by what sticks to its top. Another `listKey` is another list,
 * shown from `begin` on.
 */
export function useRowWindow(
  scroller: Scroller,
  given: {
    count: number
    heightOf: (index: number) => number
    rowPx: number
    headPx: number
    listKey: string
    begin: number
  },
): RowWindow {
  const { count, heightOf, rowPx, headPx, listKey, begin } = given
  const [, draw] = useReducer((drawn: number) => drawn + 1, 0)
  const state = useRef<Position & { listKey: string }>({
    top: { index: Math.floor(begin), px: (begin % 1) * rowPx },
    scrollTop: 0,
    viewPx: 0,
    isDragged: false,
    listKey,
  })
  const bodyPx = Math.min(highestPx, count * rowPx)
  const rows: Rows = { count, heightOf, viewPx: state.current.viewPx }
  const latest = useRef<Extent>({ rows, bodyPx })
  if (state.current.listKey !== listKey)
    state.current = { ...state.current, top: { index: Math.floor(begin), px: 0 }, listKey }
  if (count > 0) state.current.top = within(state.current.top, rows)
  latest.current = { rows, bodyPx }

  /** The scroll bar to where the rows are, and the rows with it: nothing moves on the screen. */
  const follow = useCallback(() => {
    const element = scroller.current
    const { rows: now, bodyPx: height } = latest.current
    if (!element || now.count === 0) return
    element.scrollTop = shareOf(state.current.top, now) * Math.max(0, height - now.viewPx)
    if (element.scrollTop === state.current.scrollTop) return
    state.current.scrollTop = element.scrollTop
    draw()
  }, [scroller])

  useLayoutEffect(follow, [follow, listKey, count])

  useScrollListeners(scroller, { state, latest, headPx, follow, draw })

  const show = useCallback(
    (index: number) => {
      state.current.top = showing(index, state.current.top, latest.current.rows)
      follow()
      draw()
    },
    [follow],
  )
  const top = useCallback(() => state.current.top, [])
  const { scrollTop } = state.current
  const places =
    count === 0
      ? []
      : placesFrom(state.current.top, rows).map((place) => ({ ...place, startPx: scrollTop + place.startPx }))
  return { places, bodyPx, top, show }
}

/**
 * Moves the window with its scroller: by exact pixels, or to the share of the list that its scroll bar is dragged to.
 */
function useScrollListeners(
  scroller: Scroller,
  {
    state,
    latest,
    headPx,
    follow,
    draw,
  }: {
    state: RefObject<Position>
    latest: RefObject<Extent>
    headPx: number
    follow: () => void
    draw: () => void
  },
): void {
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const onScroll = (): void => {
      const moved = element.scrollTop - state.current.scrollTop
      if (moved === 0) return
      const { rows: now, bodyPx: height } = latest.current
      const roomPx = Math.max(1, height - now.viewPx)
      state.current.scrollTop = element.scrollTop
      const isFar = state.current.isDragged || Math.abs(moved) > 3 * now.viewPx
      state.current.top = isFar ? topAt(element.scrollTop / roomPx, now) : movedBy(state.current.top, moved, now)
      draw()
      // At an end of the element the list may go on.
      if (!isFar && (element.scrollTop <= 0 || element.scrollTop >= roomPx - 1)) follow()
    }
    const onPointerDown = (event: PointerEvent): void => {
      state.current.isDragged = event.target === element && event.offsetX >= element.clientWidth
    }
    const release = (event: Event): void => {
      if (!(event instanceof PointerEvent) || event.buttons === 0) state.current.isDragged = false
    }
    const observer = new ResizeObserver(() => {
      state.current.viewPx = Math.max(0, element.clientHeight - headPx)
      latest.current.rows = { ...latest.current.rows, viewPx: state.current.viewPx }
      follow()
      draw()
    })
    observer.observe(element)
    const listeners = [
      ['scroll', onScroll],
      ['scrollend', follow],
      ['pointerdown', onPointerDown],
      ['pointermove', release],
      ['wheel', release],
      ['keydown', release],
    ] as const
    for (const [name, listener] of listeners)
      element.addEventListener(name, listener as EventListener, { passive: true })
    return () => {
      observer.disconnect()
      for (const [name, listener] of listeners) element.removeEventListener(name, listener as EventListener)
    }
  }, [scroller, headPx, follow, state, latest, draw])
}
