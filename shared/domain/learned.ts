import * as z from 'zod'
import { boxShape, plainValue } from './result.ts'
import type { Doubt, ExtractedRecord } from './result.ts'
import { isSameJson, valueAt } from './pointer.ts'
import type { Correction, Flag } from './review.ts'

/** What lessons say of a value of a result. */

/**
 * `replaced`: the learned value stands in the place of what the service on this computer found. `differs`: a platform
 * said something else, which stays. `agrees`: several documents have in this place what
 * the service found, too. `account`: an IBAN that earlier documents of the sender did not have; `pointer` leads
 * to it, or to the record where it is only printed.
 */
export const learnedValue = z.object({
  pointer: z.string(),
  kind: z.enum(['replaced', 'differs', 'agrees', 'account']),
  /** What the service said there; null where it said nothing. */
  extracted: plainValue,
  value: plainValue,
  /** From how many documents it was learned. */
  documents: z.number().int(),
  /** In one of them a person corrected what the service had said there. */
  isCorrected: z.boolean(),
  /** Where it stands, when it stands somewhere. */
  place: z.object({ page: z.number().int(), box: boxShape, text: z.string() }).nullable(),
  at: z.number().int(),
  /** It stands where the service found the value of another field: the place of an earlier document may be taken. */
  isOfOther: z.boolean().optional(),
})
export type LearnedValue = z.infer<typeof learnedValue>

/** What was learned as what it puts in the place of values. A person's corrections follow it, so they win. Pure. */
export function learnedCorrections(learned: readonly LearnedValue[]): Correction[] {
  return learned.flatMap(({ kind, pointer, extracted, value }) =>
    kind === 'replaced' ? [{ pointer, extracted, value }] : [],
  )
}

/** Those whose value is the one that is shown. Pure. */
export function learnedInForce(learned: readonly LearnedValue[], records: readonly ExtractedRecord[]): LearnedValue[] {
  return learned.filter(
    ({ kind, pointer, value }) => kind === 'replaced' && isSameJson(valueAt(records, pointer) ?? null, value),
  )
}

/**
 * Why values need a look by what was learned: a platform's that differ, an account that is not the known one, what a
 * single document taught. Where the service did not doubt what it said (`doubted`: pointers of what it did), and was
 * never corrected there, one of the two is wrong, and nobody knows which; and where the value of another field was found
 * in its place. What a person changed since is not flagged.
 * Pure.
 */
export function learnedFlags(
  learned: readonly LearnedValue[],
  records: readonly ExtractedRecord[],
  doubted: ReadonlySet<string>,
): Flag[] {
  return learned.flatMap((one): Flag[] => {
    const { kind, pointer, extracted, value, documents } = one
    const shown = valueAt(records, pointer) ?? null
    if (kind === 'account') {
      const isRecord = typeof shown === 'object' && shown !== null
      const account = String(value)
      return isRecord || bareAccount(shown) === account ? [{ code: 'account_differs', pointer, account }] : []
    }
    if (kind === 'agrees') return []
    if (kind === 'differs')
      return isSameJson(shown, extracted)
        ? [{ code: 'learned_differs', pointer, value: extracted, learned: value, documents }]
        : []
    return isSameJson(shown, value) ? replacedFlags(one, doubted.has(pointer)) : []
  })
}

function replacedFlags(
  { pointer, extracted, value, documents, isCorrected, isOfOther = false }: LearnedValue,
  isDoubted: boolean,
): Flag[] {
  if (documents < fewestToSettle) return [{ code: 'learned_once', pointer, value }]
  const isTold = extracted === null || isCorrected || isDoubted
  return isTold && !isOfOther ? [] : [{ code: 'unsure', pointer, value }]
}

/** So many documents settle a doubt of the service about what stands in their place. */
export const fewestToSettle = 2

/** Doubts without those of single values that lessons settle. Pure. */
export function withoutSettled(
  doubts: readonly Doubt[],
  learned: readonly LearnedValue[],
  records: readonly ExtractedRecord[],
): Doubt[] {
  const settled = new Set(
    learned
      .filter(({ kind, pointer, value }) => kind === 'agrees' && isSameJson(valueAt(records, pointer) ?? null, value))
      .map(({ pointer }) => pointer),
  )
  return doubts.filter(({ code, pointer }) => code !== 'unsure' || !settled.has(pointer))
}

/** Whether two change and flag the same, from however many documents. Pure. */
export function isSameLearned(one: readonly LearnedValue[], other: readonly LearnedValue[]): boolean {
  const said = (learned: readonly LearnedValue[]): string =>
    JSON.stringify(
      learned
        .filter(({ kind }) => kind !== 'agrees')
        .map(({ pointer, kind, extracted, value }) => JSON.stringify([pointer, kind, extracted, value]))
        .toSorted(),
    )
  return said(one) === said(other)
}

/** An IBAN without what groups it. */
export function bareAccount(value: unknown): string {
  return typeof value === 'string' ? value.replace(/[^A-Za-z0-9]/g, '').toUpperCase() : ''
}
