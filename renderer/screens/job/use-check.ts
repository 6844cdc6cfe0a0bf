import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
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
import { mostChanges } from './grid-edits.ts'

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

/** For each millisecond that core took for values so many are left to others; what is typed meanwhile goes with the next ones. */
const restFor = 3
const longestRestMs = 500

export function useCheck(job: JobDetail): Check {
  const { t, formats, errorSentence } = useLanguage()
  const queries = useQueryClient()
  const waiting = useRef<Promise<boolean>>(Promise.resolve(true))
  /** What was put and is not answered yet: an answer to something earlier does not know it. The first ones of it were sent. */
  const unanswered = useRef<Change[][]>([])
  const sent = useRef(0)
  const confirming = useRef<string[]>([])
  /** The last ones of them, while others may still go with them. */
  const gathered = useRef<Change[][] | null>(null)
  const rest = useRef({ until: 0, end: (): void => {} })
  const { id, check, status, originalJobId, inBin, local } = job
  useEffect(() => {
    const { current } = rest
    // The window ends, and nothing would come after an answer.
    const sendAll = (): void => {
      for (const changes of unanswered.current.slice(sent.current)) void call('review.correct', { id, changes })
    }
    addEventListener('pagehide', sendAll)
    return () => {
      removeEventListener('pagehide', sendAll)
      current.end()
    }
  }, [id])
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
    /** What is done next comes after what was put, and does not wait for others to go with it. */
    const hurry = (): void => {
      gathered.current = null
      rest.current.end()
    }
    const rested = (): Promise<void> =>
      new Promise((resolve) => {
        rest.current.end = resolve
        setTimeout(resolve, rest.current.until - performance.now())
      })
    const send = async (puts: Change[][]): Promise<void> => {
      const changes = puts.flat()
      const sentAt = performance.now()
      try {
        const outcome = await call('review.correct', { id, changes, ...(puts.every(isKnown) ? { by: windowName } : {}) })
        show((before) => judged(withChanges(before, unanswered.current), outcome, changes.map(({ pointer }) => pointer)))
      } catch (error) {
        if (puts.length === 1) throw error
        // Where one of them has no place any more, the others have.
        const outcomes = await Promise.allSettled(puts.map((each) => send([each])))
        for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
        return
      }
      rest.current.until = performance.now() + Math.min(longestRestMs, restFor * (performance.now() - sentAt))
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
        if (isKnown(changes) && gathered.current !== null && gathered.current.flat().length + changes.length <= mostChanges) return void gathered.current.push(changes)
        const puts = [changes]
        gathered.current = isKnown(changes) ? puts : null
        void after(async () => {
          if (gathered.current === puts) await rested()
          if (gathered.current === puts) gathered.current = null
          sent.current = puts.length
          try {
            await send(puts)
          } finally {
            unanswered.current.splice(0, puts.length)
            sent.current = 0
          }
        })
      },
      confirm(pointer) {
        confirming.current.push(pointer)
        hurry()
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
      stored() {
        hurry()
        return waiting.current
      },
      approve() {
        hurry()
        return after(async () => {
          const outcome = await call('review.approve', { ids: [id] })
          if (outcome.approved > 0) sayApproved(outcome, { t, formats, errorSentence })
        })
      },
      reopen() {
        hurry()
        void after(() => call('review.reopen', { ids: [id] }))
      },
    }
  }, [id, check, status, originalJobId, inBin, local, queries, t, formats, errorSentence])
}

/** Rows that move take the places of their values along: only core knows them. */
function isKnown(changes: readonly Change[]): boolean {
  return changes.every(({ value }) => !Array.isArray(value))
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
