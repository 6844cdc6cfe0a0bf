import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useRef } from 'react'
import type { CallInput, CallOutput, JobRow } from '../../../shared/contract.ts'
import { call } from '../../client/client.ts'
import { callKey } from '../../client/queries.ts'
import { filterOf } from './view.ts'
import type { JobsView } from './view.ts'

export const pageSize = 100

/** The input of `jobs.list` for one page of a view. Pure. */
export function pageInput(view: JobsView, page: number): CallInput<'jobs.list'> {
  return { ...filterOf(view), sort: view.sort, descending: view.descending, offset: page * pageSize, limit: pageSize }
}

type Shown = { key: string; total: number | null; rows: Map<number, JobRow> }

export type JobPages = {
  /** How many jobs match, or null before the first answer. */
  total: number | null
  row: (index: number) => JobRow | undefined
  rows: JobRow[]
  error: unknown
  /** The rows from one index to another, fetched where they are not there yet. */
  fetchRange: (from: number, to: number) => Promise<JobRow[]>
}

/** The pages of the list that a window of rows needs; the rest of a long list is never in memory. */
export function useJobPages(view: JobsView, firstIndex: number, lastIndex: number): JobPages {
  const queryClient = useQueryClient()
  const first = Math.floor(Math.max(0, firstIndex) / pageSize)
  const last = Math.max(first, Math.floor(Math.max(0, lastIndex) / pageSize))
  const wanted = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const results = useQueries({
    queries: wanted.map((page) => ({
      queryKey: callKey('jobs.list', pageInput(view, page)),
      queryFn: () => call('jobs.list', pageInput(view, page)),
      gcTime: 30_000,
    })),
  })

  const listKey = JSON.stringify(pageInput(view, 0))
  const stamp = results.map((result) => result.dataUpdatedAt).join()
  const shown = useRef<Shown>({ key: '', total: null, rows: new Map() })
  const { total, rows } = useMemo(() => {
    const answers = results.map((result) => result.data as CallOutput<'jobs.list'> | undefined)
    // While a new search is on its way the old rows stay, so that the list does not blink.
    if (answers.every((answer) => answer === undefined)) return shown.current
    const next: Shown = { key: listKey, total: shown.current.key === listKey ? shown.current.total : null, rows: new Map() }
    answers.forEach((answer, at) => {
      if (answer) next.total = answer.total
      answer?.rows.forEach((job, index) => next.rows.set((first + at) * pageSize + index, job))
    })
    shown.current = next
    return next
    // The stamp changes exactly when the answers do; the array of results is a new one each time.
  }, [listKey, first, last, stamp])

  const fetchRange = useCallback(
    async (from: number, to: number) => {
      const found: JobRow[] = []
      for (let page = Math.floor(from / pageSize); page <= Math.floor(to / pageSize); page += 1) {
        const input = pageInput(view, page)
        const answer = await queryClient.fetchQuery({ queryKey: callKey('jobs.list', input), queryFn: () => call('jobs.list', input), gcTime: 30_000 })
        answer.rows.forEach((job, index) => {
          const at = page * pageSize + index
          if (at >= from && at <= to) found.push(job)
        })
        if (answer.rows.length < pageSize) break
      }
      return found
    },
    [queryClient, view],
  )

  const error = results.find((result) => result.error)?.error ?? null
  return useMemo(() => ({ total, row: (index: number) => rows.get(index), rows: [...rows.values()], error, fetchRange }), [total, rows, error, fetchRange])
}
