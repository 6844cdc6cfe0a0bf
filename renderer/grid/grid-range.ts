/** Where a person is in a grid and what they chose. Rows and columns are counted from 0. Everything here is pure. */

export type Cell = { row: number; column: number }
export type Size = { rows: number; columns: number }
/** All its ends belong to it. */
export type Range = { top: number; bottom: number; left: number; right: number }

export function rangeBetween(one: Cell, other: Cell): Range {
  return {
    top: Math.min(one.row, other.row),
    bottom: Math.max(one.row, other.row),
    left: Math.min(one.column, other.column),
    right: Math.max(one.column, other.column),
  }
}

export function isSingle({ top, bottom, left, right }: Range): boolean {
  return top === bottom && left === right
}

/** The cell itself, or the nearest one that there is. */
export function clampCell({ row, column }: Cell, size: Size): Cell {
  return { row: clamped(row, size.rows), column: clamped(column, size.columns) }
}

export type MoveKey = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End' | 'PageUp' | 'PageDown'

type Move = { from: Cell; isFar: boolean; size: Size; pageRows: number }
const moves: Record<MoveKey, (move: Move) => Cell> = {
  ArrowUp: ({ from: { row, column }, isFar }) => ({ row: isFar ? 0 : row - 1, column }),
  ArrowDown: ({ from: { row, column }, isFar, size }) => ({ row: isFar ? size.rows : row + 1, column }),
  ArrowLeft: ({ from: { row, column }, isFar }) => ({ row, column: isFar ? 0 : column - 1 }),
  ArrowRight: ({ from: { row, column }, isFar, size }) => ({ row, column: isFar ? size.columns : column + 1 }),
  Home: ({ from: { row }, isFar }) => ({ row: isFar ? 0 : row, column: 0 }),
  End: ({ from: { row }, isFar, size }) => ({ row: isFar ? size.rows : row, column: size.columns }),
  PageUp: ({ from: { row, column }, pageRows }) => ({ row: row - pageRows, column }),
  PageDown: ({ from: { row, column }, pageRows }) => ({ row: row + pageRows, column }),
}

export function isMoveKey(key: string): key is MoveKey {
  return Object.hasOwn(moves, key)
}

/** Where a key leads from a cell, at the border the cell itself. `isFar`: with Ctrl or Cmd. */
export function movedCell(from: Cell, key: MoveKey, isFar: boolean, size: Size, pageRows: number): Cell {
  return clampCell(moves[key]({ from, isFar, size, pageRows }), size)
}

/** The next cell along the row, then in the next one; null behind the last and before the first. */
export function nextCell({ row, column }: Cell, step: 1 | -1, size: Size): Cell | null {
  const at = row * size.columns + column + step
  return at < 0 || at >= size.rows * size.columns
    ? null
    : { row: Math.floor(at / size.columns), column: at % size.columns }
}

/** The rows of a range moved by one; null where they cannot go further. */
export function withMovedRows<T>(items: readonly T[], { top, bottom }: Range, step: 1 | -1): T[] | null {
  if (top + step < 0 || bottom + step >= items.length) return null
  const others = items.toSpliced(top, bottom - top + 1)
  return others.toSpliced(top + step, 0, ...items.slice(top, bottom + 1))
}

function clamped(index: number, count: number): number {
  return Math.max(0, Math.min(index, count - 1))
}
