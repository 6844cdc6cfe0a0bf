import { createContext } from 'react'
import type { KeyboardEvent } from 'react'
import type { CellValue, Change } from './grid-edits.ts'

/** What a grid knows of its cells beside their values, by pointer, and what it does with them. */
export type GridCells = {
  isEditable: boolean
  /** Why a cell needs a look, in sentences; null where it does not. */
  reasonAt: (pointer: string) => string | null
  isChangedAt: (pointer: string) => boolean
  put: (changes: Change[]) => void
  /** The value is right although it was flagged. */
  confirm: (pointer: string) => void
  /** The other value that a key puts into a cell; null for other keys. */
  takenBy: (event: KeyboardEvent, pointer: string) => CellValue
}

/** What the panel of values asks of a grid in it: rows that are not drawn have no elements to focus. */
export type GridHandle = {
  /** The place of its list; its cells begin with it. */
  pointer: string
  /** Focuses its active cell. */
  focus: () => void
  /** Focuses a cell; false where there is none. */
  focusCell: (pointer: string) => boolean
  /** Puts a value into a cell, as if it was typed there. */
  put: (pointer: string, value: CellValue) => void
  /**
   * Focuses the next of the cells at `flagged`, counted from the active cell or, from outside, from an end; false where
   * there is none.
   */
  focusFlag: (step: -1 | 1, isInside: boolean, flagged: readonly string[]) => boolean
}

/** The grids of the document that is shown; `schemaId` is what the widths of their columns are kept for. */
export type Grids = { schemaId: number; all: Map<string, GridHandle> }

export const GridsContext = createContext<Grids>({ schemaId: 0, all: new Map() })
