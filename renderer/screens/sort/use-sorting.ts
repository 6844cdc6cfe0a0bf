import { useMemo, useRef, useState } from 'react'
import type { SortedFile } from '../../../shared/contract/sorting.ts'
import { chooseSchema, cutsOf, keepParts, moveStart, partAt, partsOf, toggleCut } from './parts.ts'
import type { Cuts, Part } from './parts.ts'

/** What a person changed and has not confirmed, by file: it is still there when they come back from elsewhere. */
const unconfirmed = new Map<number, Cuts>()

export type Sorting = {
  parts: Part[]
  /** The page in hand: keys act on it and on its part. */
  page: number
  /** Its part, counted from 0. */
  current: number
  goTo: (page: number) => void
  toggle: (page: number) => void
  /** The part of the page in hand begins a page later or earlier. */
  move: (by: 1 | -1) => void
  choose: (page: number, schemaId: number) => void
  /** Forgets what was changed, once core has it. */
  settle: () => void
}

/** How a person sorts one file; as long as they changed nothing, what core proposes. */
export function useSorting(file: SortedFile): Sorting {
  const proposed = useMemo(() => cutsOf(file), [file])
  const [changed, setChanged] = useState(() => {
    const kept = unconfirmed.get(file.id)
    return kept?.pageCount === file.pageCount ? kept : null
  })
  const cuts = changed ?? proposed
  const before = useRef<Part[]>([])
  const parts = useMemo(() => (before.current = keepParts(before.current, partsOf(cuts))), [cuts])
  const [page, goTo] = useState(() => (parts.find(({ schemaId }) => schemaId === null) ?? parts[0]!).pages.first)
  function change(next: Cuts): void {
    if (next === cuts) return
    unconfirmed.set(file.id, next)
    setChanged(next)
  }
  return {
    parts,
    page,
    current: partAt(cuts, page),
    goTo,
    toggle: (at) => change(toggleCut(cuts, at)),
    move(by) {
      const next = moveStart(cuts, page, by)
      change(next)
      // The page in hand stays in its part.
      const index = partAt(cuts, page)
      if (partAt(next, page) !== index) goTo(next.starts[index]!)
    },
    choose: (at, schemaId) => change(chooseSchema(cuts, at, schemaId)),
    settle() {
      unconfirmed.delete(file.id)
      setChanged(null)
    },
  }
}
