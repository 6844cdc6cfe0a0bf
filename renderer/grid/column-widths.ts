import { useCallback, useMemo, useState } from 'react'
import { readStored, writeStored } from '../client/local-storage.ts'
import type { Column } from './list-shape.ts'

/** The numbers of the rows; `items-grid.css` knows it as well. */
export const rowHeadPx = 44
const smallestPx = 48
const largestPx = 900
const widestByContentPx = 320
/** About ten letters: enough to recognise a row; the whole text is in the document beside it. */
const minTextPx = 92
const letterPx = 7.2
/** A digit of the bold totals line in the widest font. A number must not be cut: it would read as another number. */
export const figurePx = 8.6
const paddingPx = 22
/** How far one key press moves an edge. */
export const widthStepPx = 16

type Kept = Record<string, number>

/** As wide as its content needs, in bounds. Pure. */
function byContent({ label, longest, numeric, decimals, sum }: Column): number {
  // Groups and decimals that the value itself does not have.
  const figures = Math.max(longest, sum === null ? 0 : String(Math.trunc(sum)).length)
  const content = numeric
    ? (figures + Math.floor(figures / 3) + (decimals > 0 ? decimals + 1 : 0)) * figurePx
    : longest * letterPx
  const needed = Math.max(label.length * letterPx, content) + paddingPx
  return Math.round(Math.max(smallestPx, Math.min(needed, widestByContentPx)))
}

/**
 * Widths of text that give `overPx` up together, the widest first; `null` if they would be too narrow for that. Pure.
 */
function narrowed(texts: readonly number[], overPx: number): number[] | null {
  const descending = texts.toSorted((a, b) => b - a)
  let together = 0
  for (const [index, px] of descending.entries()) {
    together += px
    const ceiling = Math.floor((together - overPx) / (index + 1))
    if (ceiling >= Math.max(minTextPx, descending[index + 1] ?? 0)) return texts.map((text) => Math.min(text, ceiling))
  }
  return null
}

/**
 * The widths of columns in px, by content until a person chose one; those are kept for each schema and list. Texts give
 * way so that the amounts behind them fit into `roomPx`, too, and the widest takes what is left of it; where that is
 * not enough the grid scrolls, and only the first column, which stays, leaves half of the room to the others. What was
 * measured stays while a person types.
 */
export function useColumnWidths(
  schemaId: number,
  pointer: string,
  columns: readonly Column[],
  roomPx: number,
): { widths: number[]; setWidth: (column: Column, px: number | null) => void } {
  // Every record has the same list.
  const key = `sheaf.columns.${schemaId}${pointer.replace(/^\/\d+/, '')}`
  const [kept, setKept] = useState<Kept>(() => read(key))
  const names = columns.map(({ name }) => name).join('\n')
  // By the names alone, so that no column moves under the letters that are typed into it.
  const measured = useMemo(() => columns.map(byContent), [names])
  const widths = useMemo(() => {
    const own = measured.map((px, index) => kept[columns[index]!.name] ?? px)
    const free = columns.flatMap((column, index) => (kept[column.name] === undefined && !column.numeric ? [index] : []))
    const leftOf = (all: readonly number[]): number => roomPx - rowHeadPx - all.reduce((sum, px) => sum + px, 0)
    const over = -leftOf(own)
    const texts =
      over > 0
        ? narrowed(
            free.map((index) => own[index]!),
            over,
          )
        : null
    if (texts) texts.forEach((px, index) => (own[free[index]!] = px))
    else if (over > 0 && free[0] === 0) own[0] = Math.min(own[0]!, Math.max(minTextPx, Math.round(roomPx / 2)))
    const left = leftOf(own)
    const widest = free.toSorted((a, b) => own[b]! - own[a]!)[0]
    return left > 0 && widest !== undefined ? own.with(widest, own[widest]! + left) : own
  }, [measured, kept, roomPx])
  const setWidth = useCallback(
    ({ name }: Column, px: number | null) =>
      setKept((before) => {
        const next = { ...before }
        if (px === null) delete next[name]
        else next[name] = Math.round(Math.max(smallestPx, Math.min(px, largestPx)))
        writeStored(key, next)
        return next
      }),
    [key],
  )
  return { widths, setWidth }
}

function read(key: string): Kept {
  const kept = readStored(key)
  const entries = typeof kept === 'object' && kept !== null ? Object.entries(kept) : []
  return Object.fromEntries(
    entries.filter(
      (entry): entry is [string, number] =>
        typeof entry[1] === 'number' && entry[1] >= smallestPx && entry[1] <= largestPx,
    ),
  )
}
