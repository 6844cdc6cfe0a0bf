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
export function within({ row, column }: Cell, size: Size): Cell {
  return { row: clamped(row, size.rows), column: clamped(column, size.columns) }
}

/** Where a key leads from a cell, at the border the cell itself; null for a key that leads nowhere. `far`: with Ctrl or Cmd. */
export function moved(from: Cell, key: string, far: boolean, size: Size, pageRows: number): Cell | null {
  const { row, column } = from
  const to: Record<string, Cell> = {
    ArrowUp: { row: far ? 0 : row - 1, column },
    ArrowDown: { row: far ? size.rows : row + 1, column },
    ArrowLeft: { row, column: far ? 0 : column - 1 },
    ArrowRight: { row, column: far ? size.columns : column + 1 },
    Home: { row: far ? 0 : row, column: 0 },
    End: { row: far ? size.rows : row, column: size.columns },
    PageUp: { row: row - pageRows, column },
    PageDown: { row: row + pageRows, column },
  }
  return Object.hasOwn(to, key) ? within(to[key]!, size) : null
}

/** The next cell along the row, then in the next one; null behind the last and before the first. */
export function along({ row, column }: Cell, step: 1 | -1, size: Size): Cell | null {
  const at = row * size.columns + column + step
  return at < 0 || at >= size.rows * size.columns ? null : { row: Math.floor(at / size.columns), column: at % size.columns }
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
