import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import type { JobDetail } from '../../../shared/contract-jobs.ts'
import type { DocumentReview } from '../../../shared/contract-review.ts'
import { copyOf, touchedBy } from '../../../shared/pointer.ts'
import type { Flag } from '../../../shared/review.ts'
import { call } from '../../client/client.ts'
import { windowName } from '../../client/events.ts'
import { callKey } from '../../client/queries.ts'
import { sayApproved } from '../../components/approve.ts'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'

export type Correction = DocumentReview['corrections'][number]
/** A plain value, or all rows of a list, for a place in the records. */
export type Change = { pointer: string; value: string | number | boolean | null | Record<string, unknown>[] }

/** What a person does to the values of one document. Changes are on the screen at once and go to core one after the other. */
export type Check = {
  /** What was said of the document was read on this computer. */
  local: boolean
  /** Copies are corrected in their original, and nothing is in the bin. */
  editable: boolean
  flags: Flag[]
  flagsAt: (pointer: string) => Flag[]
  correctionAt: (pointer: string) => Correction | null
  put: (changes: Change[]) => void
  confirm: (pointer: string) => void
  /** Without those that something was done about and core has not answered yet. */
  openFlags: () => Flag[]
  /** Whether core has answered everything. */
  isStored: () => boolean
  /** Resolves once core has answered what was done so far. */
  stored: () => Promise<unknown>
  /** Resolves with whether it was approved, once everything before it is stored. */
  approve: () => Promise<boolean>
  reopen: () => void
}

const none: Flag[] = []

export function useCheck(job: JobDetail): Check {
  const { t, formats, errorSentence } = useLanguage()
  const queries = useQueryClient()
  const waiting = useRef<Promise<boolean>>(Promise.resolve(true))
  /** What was put and is not answered yet: an answer to something earlier does not know it. */
  const unanswered = useRef<Change[][]>([])
  const confirming = useRef<string[]>([])
  const { id, check, status, originalJobId, inBin, local } = job
  return useMemo(() => {
    const flags = new Map<string, Flag[]>()
    for (const flag of check.flags) flags.set(flag.pointer, [...(flags.get(flag.pointer) ?? []), flag])
    const corrections = new Map(check.corrections.map((correction) => [correction.pointer, correction]))
    const key = callKey('jobs.get', { id })
    const show = (change: (before: JobDetail) => JobDetail): void => void queries.setQueryData(key, (before: JobDetail | undefined) => before && change(before))
    const after = (work: () => Promise<unknown>): Promise<boolean> => {
      waiting.current = waiting.current.then(async () => {
        try {
          await work()
          return true
        } catch (error) {
          notify('problem', errorSentence(error))
          void queries.invalidateQueries({ queryKey: key })
          return false
        }
      })
      return waiting.current
    }
    return {
      local,
      editable: status === 'done' && originalJobId === null && !inBin,
      flags: check.flags,
      flagsAt: (pointer) => flags.get(pointer) ?? none,
      correctionAt: (pointer) => corrections.get(pointer) ?? null,
      put(changes) {
        unanswered.current.push(changes)
        show((before) => withChanges(before, [changes]))
        void after(async () => {
          // Rows that move take the places of their values along: only core knows them.
          const isKnown = changes.every(({ value }) => !Array.isArray(value))
          try {
            const outcome = await call('review.correct', { id, changes, ...(isKnown ? { by: windowName } : {}) })
            show((before) => judged(withChanges(before, unanswered.current), outcome, changes.map(({ pointer }) => pointer)))
          } finally {
            unanswered.current.shift()
          }
        })
      },
      confirm(pointer) {
        confirming.current.push(pointer)
        void after(async () => {
          try {
            const outcome = await call('review.confirm', { id, pointers: [pointer], by: windowName })
            show((before) => judged(before, outcome, []))
          } finally {
            confirming.current.shift()
          }
        })
      },
      // What core answered is known before the window has drawn it.
      openFlags() {
        const touched = [...confirming.current, ...unanswered.current.flat().map(({ pointer }) => pointer)]
        const known = queries.getQueryData<JobDetail>(key)?.check.flags ?? check.flags
        return known.filter(({ pointer }) => !touched.some((place) => pointer === place || pointer.startsWith(`${place}/`)))
      },
      isStored: () => confirming.current.length + unanswered.current.length === 0,
      stored: () => waiting.current,
      approve: () =>
        after(async () => {
          const outcome = await call('review.approve', { ids: [id] })
          if (outcome.approved > 0) sayApproved(outcome, { t, formats, errorSentence })
        }),
      reopen: () =>
        void after(() => call('review.reopen', { ids: [id] })),
    }
  }, [id, check, status, originalJobId, inBin, local, queries, t, formats, errorSentence])
}

function withChanges(before: JobDetail, all: readonly Change[][]): JobDetail {
  const records = copyOf(before.records)
  for (const changes of all) for (const { pointer, value } of changes) records.put(pointer, value)
  return { ...before, records: records.root() }
}

/** With what core says of the check after something was put at these places, or confirmed; all other corrections stay. */
function judged(before: JobDetail, outcome: DocumentReview, places: readonly string[]): JobDetail {
  const isTouched = touchedBy(places)
  const corrections = [...before.check.corrections.filter(({ pointer }) => !isTouched(pointer)), ...outcome.corrections]
  return { ...before, check: { ...outcome, corrections }, review: outcome.state, flagCount: outcome.flags.length }
}
