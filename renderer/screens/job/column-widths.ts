import { useCallback, useMemo, useState } from 'react'
import { keep, readKept } from '../../client/kept.ts'
import type { Column } from './list-shape.ts'

/** The numbers of the rows; `items-grid.css` knows it as well. */
export const rowHeadPx = 44
const smallestPx = 48
const largestPx = 900
const widestByContentPx = 320
const letterPx = 7.2
/** A figure of the bold line below, in the widest of the fonts; a number that is cut is another number. */
export const figurePx = 8.6
const paddingPx = 22
/** One press of a key. */
export const widthStepPx = 16

type Kept = Record<string, number>

/** As wide as its content needs, in bounds. Pure. */
function byContent({ label, longest, numeric, decimals, sum }: Column): number {
  // Groups and decimals that the value itself does not have.
  const figures = Math.max(longest, sum === null ? 0 : String(Math.trunc(sum)).length)
  const content = numeric ? (figures + Math.floor(figures / 3) + (decimals > 0 ? decimals + 1 : 0)) * figurePx : longest * letterPx
  const needed = Math.max(label.length * letterPx, content) + paddingPx
  return Math.round(Math.max(smallestPx, Math.min(needed, widestByContentPx)))
}

/**
 * The widths of columns in px, by content until a person chose one; those are kept for each schema and list. The widest text
 * takes what is left of `roomPx`. What was measured stays while a person types.
 */
export function useColumnWidths(schemaId: number, pointer: string, columns: readonly Column[], roomPx: number): { widths: number[]; setWidth: (column: Column, px: number | null) => void } {
  // Every record has the same list.
  const key = `sheaf.columns.${schemaId}${pointer.replace(/^\/\d+/, '')}`
  const [kept, setKept] = useState<Kept>(() => read(key))
  const names = columns.map(({ name }) => name).join('\n')
  // By the names alone, so that no column moves under the letters that are typed into it.
  const measured = useMemo(() => columns.map(byContent), [names])
  const widths = useMemo(() => {
    const own = measured.map((px, index) => kept[columns[index]!.name] ?? px)
    const left = roomPx - rowHeadPx - own.reduce((sum, px) => sum + px, 0)
    const free = columns.flatMap((column, index) => (kept[column.name] === undefined && !column.numeric ? [index] : []))
    const widest = free.toSorted((a, b) => own[b]! - own[a]!)[0]
    return left > 0 && widest !== undefined ? own.with(widest, own[widest]! + left) : own
  }, [measured, kept, roomPx])
  const setWidth = useCallback(
    ({ name }: Column, px: number | null) =>
      setKept((before) => {
        const next = { ...before }
        if (px === null) delete next[name]
        else next[name] = Math.round(Math.max(smallestPx, Math.min(px, largestPx)))
        keep(key, next)
        return next
      }),
    [key],
  )
  return { widths, setWidth }
}

function read(key: string): Kept {
  const kept = readKept(key)
  const entries = typeof kept === 'object' && kept !== null ? Object.entries(kept) : []
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] >= smallestPx && entry[1] <= largestPx))
}
