import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { CallInput, CallOutput } from '../../../shared/contract/contract.ts'
import type { DocumentRow } from '../../../shared/contract/documents.ts'
import { call } from '../../client/client.ts'
import { callKey } from '../../client/queries.ts'
import { maxSelected } from './selection.ts'
import type { Selectable } from './selection.ts'
import { filterOf } from './view.ts'
import type { DocumentsView } from './view.ts'

/** One screen of rows, so that the first answer comes soon. */
const pageSize = 50

/** As many as core gives by one call. */
const maxPages = 500 / pageSize

/** Pages that nothing shows any more are kept for the way back, the newest ones. */
const pagesKept = 24

/** The input of `documents.list` for one page of a view. Pure. */
export function pageInput(view: DocumentsView, page: number): CallInput<'documents.list'> {
  return { ...filterOf(view), sort: view.sort, descending: view.descending, offset: page * pageSize, limit: pageSize }
}

type Page = CallOutput<'documents.list'>
/** Adjacent pages requested in the same tick, merged into one call. */
type Batch = { list: string; first: number; last: number; answer: Promise<Page> }
let batch: Batch | null = null

function begin(view: DocumentsView, list: string, page: number): Batch {
  const begun: Batch = {
    list,
    first: page,
    last: page,
    answer: Promise.resolve().then(() => {
      if (batch === begun) batch = null
      return call('documents.list', {
        ...pageInput(view, begun.first),
        limit: (begun.last - begun.first + 1) * pageSize,
      })
    }),
  }
  return begun
}

/** One page of a view. Adjacent pages share one call, since core has to walk a long list to reach a place. */
async function fetchPage(view: DocumentsView, page: number): Promise<Page> {
  const list = JSON.stringify(pageInput(view, 0))
  if (batch?.list !== list || batch.last !== page - 1 || page - batch.first === maxPages)
    batch = begin(view, list, page)
  const { first, answer } = batch
  batch.last = page
  const all = await answer
  return { ...all, rows: all.rows.slice((page - first) * pageSize, (page - first + 1) * pageSize) }
}

type Shown = { key: string; total: number | null; more: boolean; rows: Map<number, DocumentRow> }
type Wanted = { key: string; first: number; last: number }

function range({ first, last }: Wanted): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

export type DocumentPages = {
  /** How many documents match, or null before the first answer. */
  total: number | null
  /** A search found more than these. */
  more: boolean
  row: (index: number) => DocumentRow | undefined
  rows: DocumentRow[]
  /** The first rows of this view have arrived or failed; until then those of the previous view are shown. */
  isAnswered: boolean
  error: unknown
  /**
   * The documents from one index to another, fetched where they are not there yet; at most as many as core takes in one
   * call.
   */
  fetchRange: (from: number, to: number) => Promise<Selectable[]>
}

/** The pages of the list that a window of rows needs; the rest of a long list is never in memory. */
export function useDocumentPages(view: DocumentsView, firstIndex: number, lastIndex: number): DocumentPages {
  const queryClient = useQueryClient()
  const listKey = JSON.stringify(pageInput(view, 0))
  const first = Math.floor(Math.max(0, firstIndex) / pageSize)
  const last = Math.max(first, Math.floor(Math.max(0, lastIndex) / pageSize))
  const asked = useRef<Wanted>({ key: listKey, first, last })
  const isUnderWay = (page: number): boolean => {
    const state = queryClient.getQueryState(callKey('documents.list', pageInput(view, page)))
    return state?.status === 'pending' && state.fetchStatus === 'fetching'
  }
  // Pages that are scrolled past while others load are never requested.
  const isHeld = asked.current.key === listKey && range(asked.current).some(isUnderWay)
  if (!isHeld) asked.current = { key: listKey, first, last }
  const now = asked.current
  const results = useQueries({
    queries: range(now).map((page) => {
      return {
        queryKey: callKey('documents.list', pageInput(view, page)),
        queryFn: () => fetchPage(view, page),
        gcTime: 30_000,
      }
    }),
  })
  useEffect(() => {
    const cache = queryClient.getQueryCache()
    const left = cache
      .findAll({ queryKey: ['documents.list'], type: 'inactive' })
      .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    for (const query of left.slice(pagesKept)) cache.remove(query)
  }, [queryClient, listKey, now.first, now.last])

  const stamp = results.map((result) => result.dataUpdatedAt).join()
  const shown = useRef<Shown>({ key: '', total: null, more: false, rows: new Map() })
  const { total, more, rows } = useMemo(() => {
    const answers = results.map((result) => result.data as Page | undefined)
    // While a new search is on its way the old rows stay, so that the list does not blink.
    if (answers.every((answer) => answer === undefined)) return shown.current
    const next: Shown = { ...shown.current, key: listKey, rows: new Map() }
    answers.forEach((answer, at) => {
      if (answer) Object.assign(next, { total: answer.total, more: answer.more })
      answer?.rows.forEach((document, index) => next.rows.set((now.first + at) * pageSize + index, document))
    })
    shown.current = next
    return next
    // The stamp changes exactly when the answers do; the array of results is a new one each time.
  }, [listKey, now.first, now.last, stamp])

  const fetchRange = useCallback(
    async (from: number, to: number) => {
      const end = Math.min(to, from + maxSelected - 1)
      const there: DocumentRow[] = []
      for (let index = from; index <= end && rows.has(index); index += 1) there.push(rows.get(index)!)
      if (there.length === end - from + 1) return there
      return (await call('documents.selectable', { ...pageInput(view, 0), offset: from, limit: end - from + 1 }))
        .documents
    },
    [rows, view],
  )

  const error = results.find((result) => result.error)?.error ?? null
  const isAnswered = shown.current.key === listKey || error !== null
  return useMemo(
    () => ({
      total,
      more,
      row: (index: number) => rows.get(index),
      rows: [...rows.values()],
      isAnswered,
      error,
      fetchRange,
    }),
    [total, more, rows, isAnswered, error, fetchRange],
  )
}
