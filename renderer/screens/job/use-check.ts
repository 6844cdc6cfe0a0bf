import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import type { JobDetail } from '../../../shared/contract-jobs.ts'
import type { DocumentReview } from '../../../shared/contract-review.ts'
import { withValueAt } from '../../../shared/pointer.ts'
import type { Flag } from '../../../shared/review.ts'
import { call } from '../../client/client.ts'
import { callKey } from '../../client/queries.ts'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'

export type Correction = DocumentReview['corrections'][number]
type Given = string | number | boolean | null | Record<string, unknown>[]

/** What a person does to the values of one document. Changes are on the screen at once and go to core one after the other. */
export type Check = {
  /** Copies are corrected in their original. */
  editable: boolean
  flags: Flag[]
  flagsAt: (pointer: string) => Flag[]
  correctionAt: (pointer: string) => Correction | null
  put: (changes: { pointer: string; value: Given }[]) => void
  confirm: (pointer: string) => void
  /** Resolves with whether it was approved, once everything before it is stored. */
  approve: () => Promise<boolean>
  reopen: () => void
}

const none: Flag[] = []

export function useCheck(job: JobDetail): Check {
  const { t, formats, errorSentence } = useLanguage()
  const queries = useQueryClient()
  const waiting = useRef<Promise<boolean>>(Promise.resolve(true))
  const { id, check, status, originalJobId } = job
  return useMemo(() => {
    const flags = new Map<string, Flag[]>()
    for (const flag of check.flags) flags.set(flag.pointer, [...(flags.get(flag.pointer) ?? []), flag])
    const corrections = new Map(check.corrections.map((correction) => [correction.pointer, correction]))
    const key = callKey('jobs.get', { id })
    const show = (change: (before: JobDetail) => JobDetail): void => void queries.setQueryData(key, (before: JobDetail | undefined) => before && change(before))
    const after = (work: () => Promise<DocumentReview | null>): Promise<boolean> => {
      waiting.current = waiting.current.then(async () => {
        try {
          const outcome = await work()
          if (outcome !== null) show((before) => ({ ...before, check: outcome }))
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
      editable: status === 'done' && originalJobId === null,
      flags: check.flags,
      flagsAt: (pointer) => flags.get(pointer) ?? none,
      correctionAt: (pointer) => corrections.get(pointer) ?? null,
      put(changes) {
        show((before) => ({ ...before, records: changes.reduce<JobDetail['records']>((records, { pointer, value }) => withValueAt(records, pointer, value) ?? records, before.records) }))
        void after(() => call('review.correct', { id, changes }))
      },
      confirm: (pointer) => void after(() => call('review.confirm', { id, pointers: [pointer] })),
      approve: () =>
        after(async () => {
          const { approved, batch } = await call('review.approve', { ids: [id] })
          if (approved > 0) {
            const undo = (): void => void call('review.takeBack', { batch }).catch((error: unknown) => notify('problem', errorSentence(error)))
            notify('done', t('check.approved', { count: approved, shown: formats.count(approved) }), { label: t('check.undo'), run: undo })
          }
          return null
        }),
      reopen: () =>
        void after(async () => {
          await call('review.reopen', { ids: [id] })
          return null
        }),
    }
  }, [id, check, status, originalJobId, queries, t, formats, errorSentence])
}
