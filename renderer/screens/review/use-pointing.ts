import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, RefObject } from 'react'
import type { DocumentDetail } from '../../../shared/contract/documents.ts'
import { tokensOf, valueAt } from '../../../shared/domain/pointer.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { useCall } from '../../client/queries.ts'
import { isPopupOpen } from '../../components/dialog.tsx'
import { useWindowKeys } from '../../components/use-window-keys.ts'
import type { Grids } from '../../grid/grid-context.ts'
import type { CellValue } from '../../grid/grid-edits.ts'
import { useLanguage } from '../../messages/language.tsx'
import { labelOf } from '../../messages/values.ts'
import { wordAt } from './page-words.ts'
import type { PageWord } from './page-words.ts'
import type { PointCursor, Pointing, PointTarget } from './pointing.tsx'
import type { Active, Sources } from './pointer.ts'
import { valueOfPrinted } from './printed-value.ts'
import type { Review } from './use-review.ts'

type Options = {
  document: DocumentDetail
  review: Review
  active: Active
  sources: Sources
  grids: Grids
  /** The element that holds the values. */
  screen: RefObject<HTMLElement | null>
}

/**
 * Lets a person point at the words of the document for the value in hand, by mouse or, after F4, by keys. Null where
 * there is no value in hand that words can be put into. `onKeyDown`: Escape gives back what was there before.
 */
export function usePointing({ document, review, active, sources, grids, screen }: Options): {
  pointing: Pointing | null
  onKeyDown: (event: KeyboardEvent) => void
} {
  const { formats } = useLanguage()
  const [isWanted, setIsWanted] = useState(false)
  const { data } = useCall('documents.preview', { id: document.id }, { enabled: isWanted })
  const want = useCallback(() => setIsWanted(true), [])
  const [cursor, setCursor] = useState<PointCursor | null>(null)
  /** What was there before it was pointed at something else. */
  const before = useRef<{ pointer: string; value: CellValue } | null>(null)
  const pointer = active?.pointer ?? null
  const element = pointer === null ? null : elementAt(document.schemaElements, pointer)
  const pages = useMemo(() => data && new Map(data.pages.map(({ number, words }) => [number, words])), [data])

  const put = useCallback(
    (place: string, value: CellValue): void => {
      setCursor(null)
      const grid = [...grids.all.values()].find((each) => place.startsWith(`${each.pointer}/`))
      if (grid) grid.put(place, value)
      else review.put([{ pointer: place, value }])
    },
    [grids, review],
  )
  const focusValue = useCallback(
    (place: string): void => {
      setCursor(null)
      if ([...grids.all.values()].some((grid) => grid.focusCell(place))) return
      screen.current?.querySelector<HTMLElement>(`[data-pointer="${CSS.escape(place)}"]`)?.focus()
    },
    [grids, screen],
  )
  const isPointable = review.editable && element !== null && element.format !== 'list' && element.format !== 'boolean'
  const target = useRef<PointTarget | null>(null)
  // Told and not drawn: a person goes quickly from value to value, and pages of a thousand marks would be drawn again.
  useLayoutEffect(() => {
    target.current = null
    if (!isPointable || pointer === null) return
    const words = [...(pages?.values() ?? [])].flat()
    const read = (text: string): string | number | null => {
      const printed = valueOfPrinted(text, element, words, formats)
      return 'problem' in printed ? null : printed.value
    }
    target.current = {
      pointer,
      label: labelOf(element.name),
      read,
      take(text) {
        const value = read(text)
        if (value === null) return
        before.current = { pointer, value: (valueAt(document.records, pointer) ?? null) as CellValue }
        put(pointer, value)
        focusValue(pointer)
      },
    }
  }, [isPointable, pointer, element, pages, formats, document.records, put, focusValue])

  useKeyboardStart({ target, pages, sources, want, onCursor: setCursor })
  useEffect(() => setCursor(null), [pointer])

  function onKeyDown(event: KeyboardEvent): void {
    const last = before.current
    if (event.key !== 'Escape' || event.defaultPrevented || last === null || last.pointer !== pointer) return
    event.preventDefault()
    before.current = null
    put(last.pointer, last.value)
  }
  const pointing = useMemo(
    (): Pointing | null =>
      !isPointable
        ? null
        : {
            target: () => target.current,
            wordsOf: (page) => pages?.get(page) ?? null,
            want,
            cursor,
            onCursor: setCursor,
            leave: () => target.current && focusValue(target.current.pointer),
            pageBeside: (page, step) => pageBeside(pages, page, step),
          },
    [isPointable, pages, want, cursor, focusValue],
  )
  return { pointing, onKeyDown }
}

type Words = ReadonlyMap<number, readonly PageWord[]>

/** The next page with words before or behind one; null where there is none. Pure. */
function pageBeside(pages: Words | undefined, page: number, step: -1 | 1): number | null {
  const beside = [...(pages ?? [])].filter(
    ([number, words]) => words.length > 0 && (step === 1 ? number > page : number < page),
  )
  return beside.at(step === 1 ? 0 : -1)?.[0] ?? null
}

/** F4 leads from the value in hand to its place in the document, once its words are known. */
function useKeyboardStart({
  target,
  pages,
  sources,
  want,
  onCursor,
}: {
  target: RefObject<PointTarget | null>
  pages: Words | undefined
  sources: Sources
  want: () => void
  onCursor: (cursor: PointCursor | null) => void
}): void {
  const [startsAt, setStartsAt] = useState<string | null>(null)
  useWindowKeys((event) => {
    if (event.key !== 'F4' || event.altKey || event.ctrlKey || target.current === null || isPopupOpen()) return
    event.preventDefault()
    want()
    setStartsAt(target.current.pointer)
  })
  useEffect(() => {
    if (startsAt === null || pages === undefined) return
    setStartsAt(null)
    // Whoever went on meanwhile is not taken back.
    if (startsAt === target.current?.pointer) onCursor(startOf(startsAt, pages, sources))
  }, [startsAt, pages, sources, target, onCursor])
}

/** Where the keys begin: at the place of the value, else at the first word of the document. */
function startOf(pointer: string, pages: Words, sources: Sources): PointCursor | null {
  const source = sources?.get(pointer)
  if (source !== undefined) {
    const { x, y, width, height } = source.box
    const index = wordAt(pages.get(source.page) ?? [], { x: x + Math.min(width, height) / 2, y: y + height / 2 })
    if (index !== -1) return { page: source.page, index, anchor: index }
  }
  const first = [...pages].find(([, words]) => words.length > 0)
  return first === undefined ? null : { page: first[0], index: 0, anchor: 0 }
}

/** What the schema says of a value; null where it says nothing of it. Pure. */
function elementAt(elements: readonly SchemaElement[], pointer: string): SchemaElement | null {
  // The number of the record, then names and numbers of rows in turns.
  const names = tokensOf(pointer).filter((_, index) => index % 2 === 1)
  let known: readonly SchemaElement[] = elements
  let found: SchemaElement | null = null
  for (const name of names) {
    found = known.find((element) => element.name === String(name)) ?? null
    known = found?.items ?? []
  }
  return found
}
