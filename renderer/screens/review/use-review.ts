import { replaceEqualDeep, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { DocumentDetail } from '../../../shared/contract/documents.ts'
import type { DocumentReview, ReviewWork } from '../../../shared/contract/review.ts'
import { copyOnWrite, overlapsAny } from '../../../shared/domain/pointer.ts'
import type { Alternative, OtherValues } from '../../../shared/domain/result.ts'
import type { Flag } from '../../../shared/domain/review.ts'
import { call, windowName } from '../../client/client.ts'
import { callKey } from '../../client/queries.ts'
import { notifyApproved } from '../../components/approve.ts'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { maxAlternatives } from './alternatives.tsx'
import { movesRows, outboxOf } from './outbox.ts'
import type { Change } from '../../grid/grid-edits.ts'

export type Correction = DocumentReview['corrections'][number]

/**
 * What a person does to the values of one document. Changes are on the screen at once and go to core one after the
 * other.
 */
export type Review = {
  /** What was said of the document was read on this computer. */
  local: boolean
  /** Copies are corrected in their original, and nothing is in the bin. */
  editable: boolean
  isApproved: boolean
  flags: Flag[]
  flagsAt: (pointer: string) => Flag[]
  /** The next best values of one that is flagged, or that was learned. */
  alternativesAt: (pointer: string) => readonly Alternative[]
  schemaName: string
  correctionAt: (pointer: string) => Correction | null
  put: (changes: Change[]) => void
  confirm: (pointer: string) => void
  unconfirm: (pointer: string) => void
  /** Without those that something was done about and core has not answered yet. */
  openFlags: () => Flag[]
  /** Whether core has answered everything. */
  isStored: () => boolean
  /** Resolves once core has answered what was done so far. */
  stored: () => Promise<unknown>
  /** Resolves with whether it was approved, once everything before it is stored. */
  approve: (work: ReviewWork) => Promise<boolean>
  reopen: () => void
}

const none: Flag[] = []
const noAlternatives: Alternative[] = []

export function useReview(document: DocumentDetail): Review {
  const { t, formats, errorSentence } = useLanguage()
  const queries = useQueryClient()
  const { id, check, doubts, learned, schemaName, status, originalDocumentId, inBin, local } = document
  const others = useMemo(() => othersOf(check.flags, doubts, learned), [check.flags, doubts, learned])
  return useMemo(() => {
    const flags = Map.groupBy(check.flags, ({ pointer }) => pointer)
    const corrections = new Map(check.corrections.map((correction) => [correction.pointer, correction]))
    const key = callKey('documents.get', { id })
    const show = (change: (before: DocumentDetail) => DocumentDetail): void =>
      void queries.setQueryData(key, (before: DocumentDetail | undefined) => before && change(before))
    const outbox = outboxOf(id)
    const orNotify = async (work: () => Promise<unknown>): Promise<boolean> => {
      try {
        await work()
        return true
      } catch (error) {
        notify('problem', errorSentence(error))
        void queries.invalidateQueries({ queryKey: key })
        return false
      }
    }
    const correct = async (changes: Change[]): Promise<void> => {
      // Where rows moved, only core knows the places of their values: this window asks for all of it again.
      const outcome = await call('review.correct', { id, changes, ...(movesRows(changes) ? {} : { by: windowName }) })
      if (check.state === 'approved' && outcome.state !== 'approved') notify('done', t('check.approveAgain'))
      const places = changes.map(({ pointer }) => pointer)
      show((before) => withReview(withChanges(before, outbox.puts), outcome, places))
    }
    /** Those that fail together go once more, each by itself: the place of one may no longer exist. */
    const correctAll = async (puts: Change[][]): Promise<void> => {
      try {
        await correct(puts.flat())
      } catch (error) {
        if (puts.length === 1) throw error
        const outcomes = await Promise.allSettled(puts.map(correct))
        for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
      }
    }
    const say = (name: 'review.confirm' | 'review.unconfirm', pointer: string): void => {
      const work = async (): Promise<void> => {
        const outcome = await call(name, { id, pointers: [pointer], by: windowName })
        show((before) => withReview(before, outcome, []))
      }
      void outbox.do(() => orNotify(work), pointer)
    }
    return {
      local,
      editable: status === 'done' && originalDocumentId === null && !inBin,
      isApproved: check.state === 'approved',
      flags: check.flags,
      flagsAt: (pointer) => flags.get(pointer) ?? none,
      alternativesAt: others,
      schemaName,
      correctionAt: (pointer) => corrections.get(pointer) ?? null,
      put(changes) {
        outbox.put(changes, (puts) => orNotify(() => correctAll(puts)))
        show((before) => withChanges(before, [changes]))
      },
      confirm: (pointer) => say('review.confirm', pointer),
      unconfirm: (pointer) => say('review.unconfirm', pointer),
      // What core answered is known before the window has drawn it.
      openFlags() {
        const touched = outbox.places
        const known = queries.getQueryData<DocumentDetail>(key)?.check.flags ?? check.flags
        return known.filter(
          ({ pointer }) => !touched.some((place) => pointer === place || pointer.startsWith(`${place}/`)),
        )
      },
      isStored: () => outbox.isEmpty,
      stored: () => outbox.drained(),
      approve(work) {
        const send = async (): Promise<void> => {
          const outcome = await call('review.approve', { ids: [id], work })
          if (outcome.approved > 0) notifyApproved(outcome, { t, formats, errorSentence })
        }
        return outbox.do(() => orNotify(send))
      },
      reopen: () => void outbox.do(() => orNotify(() => call('review.reopen', { ids: [id] }))),
    }
  }, [id, check, others, schemaName, status, originalDocumentId, inBin, local, queries, t, formats, errorSentence])
}

/** Tells of a place which other values it may have: where it is flagged, or something was learned of it. */
function othersOf(
  flags: readonly Flag[],
  doubts: readonly OtherValues[],
  learned: readonly OtherValues[],
): (pointer: string) => readonly Alternative[] {
  const shown = new Set([...flags, ...learned].map(({ pointer }) => pointer))
  const others = alternativesIn([...learned, ...doubts])
  return (pointer) => (shown.has(pointer) ? others.get(pointer) : null) ?? noAlternatives
}

/** The next best values by place, those of a place with two doubts together: what was found or learned comes first. */
function alternativesIn(doubts: readonly OtherValues[]): Map<string, Alternative[]> {
  const byPlace = new Map<string, Alternative[]>()
  for (const { pointer, alternatives } of doubts)
    byPlace.set(pointer, [...(byPlace.get(pointer) ?? []), ...alternatives].slice(0, maxAlternatives))
  return byPlace
}

/** A document with what was put into it and has no answer yet: what core says of it may be older. */
export function withUnanswered(document: DocumentDetail): DocumentDetail {
  const { puts } = outboxOf(document.id)
  return puts.length === 0 ? document : withChanges(document, puts)
}

function withChanges(before: DocumentDetail, all: readonly Change[][]): DocumentDetail {
  const records = copyOnWrite(before.records)
  for (const changes of all) for (const { pointer, value } of changes) records.put(pointer, value)
  const after = records.root()
  return after === before.records ? before : { ...before, records: after }
}

/**
 * With what core says of the check after something was put at these places, or confirmed; all other corrections stay.
 */
function withReview(before: DocumentDetail, outcome: DocumentReview, places: readonly string[]): DocumentDetail {
  const isTouched = overlapsAny(places)
  const corrections = [...before.check.corrections.filter(({ pointer }) => !isTouched(pointer)), ...outcome.corrections]
  const flags = replaceEqualDeep(before.check.flags, outcome.flags)
  return {
    ...before,
    check: { ...outcome, flags, corrections },
    review: outcome.state,
    flagCount: outcome.flags.length,
  }
}
