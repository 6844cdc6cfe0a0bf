import { useCallback, useEffect, useMemo, useState } from 'react'
import type { DocumentDetail } from '../../../shared/contract/documents.ts'
import { pointerOf, valueAt } from '../../../shared/domain/pointer.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { useCall } from '../../client/queries.ts'
import { notify } from '../../components/notices.tsx'
import type { Row } from '../../grid/list-shape.ts'
import { useLanguage } from '../../messages/language.tsx'
import type { TablePick } from './table-picker.tsx'
import { proposeRegion, regionIn, rowsOf, withLine } from './table-region.ts'
import type { TableRegion } from './table-region.ts'
import type { Review } from './use-review.ts'

/**
 * Lets a person take the rows of a list out of a page. `begin` is null where the document has no list that rows could
 * be put into; `pick` is null while nobody does it.
 */
export function useTablePick(
  document: DocumentDetail,
  review: Review,
): { pick: TablePick | null; begin: (() => void) | null } {
  const { t, formats, errorSentence } = useLanguage()
  const [isWanted, setIsWanted] = useState(false)
  const { data, error, refetch } = useCall('documents.preview', { id: document.id }, { enabled: isWanted })
  /** What the person made of the proposal, which comes again with every answer of core. */
  const [chosen, setChosen] = useState<TableRegion | null>(null)
  const list = document.schemaElements.find(isFlatList) ?? null
  const pages = data?.pages
  const proposed = useMemo(
    () => (isWanted && pages !== undefined && list !== null ? proposeRegion(pages, list) : null),
    [isWanted, pages, list],
  )
  const region = chosen ?? proposed
  useEffect(() => {
    if (!isWanted || pages === undefined || region !== null) return
    notify('problem', t('rows.none'))
    setIsWanted(false)
  }, [isWanted, pages, region, t])
  // Said, and to be tried again: without its words there is nothing to take rows from.
  useEffect(() => {
    if (!isWanted || error === null) return
    notify('problem', errorSentence(error))
    setIsWanted(false)
  }, [isWanted, error, errorSentence])
  const words = useMemo(() => pages?.find(({ number }) => number === region?.page)?.words ?? [], [pages, region?.page])
  const rows = useMemo(
    () => (region === null || list === null ? [] : rowsOf(region, words, list, formats)),
    [region, words, list, formats],
  )
  const end = useCallback(() => {
    setIsWanted(false)
    setChosen(null)
  }, [])
  const canBegin = review.editable && list !== null && document.records.length > 0
  const pick = useMemo((): TablePick | null => {
    if (region === null || list === null || pages === undefined) return null
    const pointer = `/0${pointerOf([list.name])}`
    const held = valueAt(document.records, pointer)
    const before = (Array.isArray(held) ? (held as Row[]) : []).filter(hasValue)
    return {
      list,
      region,
      count: rows.length,
      hasRows: before.length > 0,
      onRegion: setChosen,
      onBox(number, box) {
        const page = pages.find((each) => each.number === number)
        if (page) setChosen(regionIn(page, box, list))
      },
      onLine(number, at) {
        const page = pages.find((each) => each.number === number)
        if (page && number === region.page) setChosen(withLine(region, page.words, at))
      },
      onTake(adds) {
        review.put([{ pointer, value: [...(adds ? before : []), ...rows] }])
        end()
      },
      onCancel: end,
    }
  }, [region, list, pages, rows, document.records, review, end])
  function begin(): void {
    setIsWanted(true)
    if (error !== null) void refetch()
  }
  return { pick, begin: canBegin ? begin : null }
}

function isFlatList(element: SchemaElement): boolean {
  return element.format === 'list' && (element.items?.every(({ format }) => format !== 'list') ?? false)
}

function hasValue(row: Row): boolean {
  return Object.values(row).some((value) => value !== null && value !== '')
}
