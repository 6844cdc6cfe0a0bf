import { createContext } from 'react'
import type { Flag } from '../../../shared/review.ts'

/** What the panel of values asks of a grid in it: rows that are not drawn have no elements to go to. */
export type GridHandle = {
  /** The place of its list; its cells begin with it. */
  pointer: string
  /** Puts the focus in its cell in hand. */
  enter: () => void
  /** Puts the focus in a cell; false where there is none. */
  reveal: (pointer: string) => boolean
  /** Puts the focus in the next cell with one of the flags, counted from its cell in hand or, from outside, from an end; false where there is none. */
  toFlag: (step: -1 | 1, isInside: boolean, flags: readonly Flag[]) => boolean
}

/** The grids of the document that is shown; `schemaId` is what the widths of their columns are kept for. */
export type Grids = { schemaId: number; all: Map<string, GridHandle> }

export const GridsContext = createContext<Grids>({ schemaId: 0, all: new Map() })
