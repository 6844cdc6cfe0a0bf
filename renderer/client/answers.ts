import { useCallback, useSyncExternalStore } from 'react'
import type { EventPayload } from '../../shared/contract/contract.ts'

type Piece = { offset: number; text: string }
type Answer = { text: string; ahead: Piece[] }

/** Far more than ever stream at once; the oldest is dropped. */
const maxKept = 32

/** Answers while they are written, by message id: kept apart from the queries because they grow many times a second. */
const answers = new Map<number, Answer>()
const listeners = new Map<number, Set<() => void>>()
const changed = new Set<number>()

/**
 * Adds a piece of an answer (spec, Documentalist: «Chunks arrive progressively»). False when something before it is
 * missing; the piece is kept until `catchUp` brings what was missed.
 */
export function addToAnswer({ messageId, offset, text }: EventPayload<'ask.delta'>): boolean {
  const answer = answers.get(messageId) ?? { text: '', ahead: [] }
  const fits = offset <= answer.text.length
  if (fits) grow(answer, { offset, text })
  else answer.ahead.push({ offset, text })
  keep(messageId, answer)
  notify(messageId)
  return fits
}

/** Takes the text of an answer as core has it; pieces that arrived ahead of it are appended. */
export function catchUp(messageId: number, text: string): void {
  const answer = answers.get(messageId) ?? { text: '', ahead: [] }
  if (text.length > answer.text.length) answer.text = text
  const ahead = answer.ahead.splice(0).sort((a, b) => a.offset - b.offset)
  for (const piece of ahead) {
    if (piece.offset <= answer.text.length) grow(answer, piece)
    else answer.ahead.push(piece)
  }
  keep(messageId, answer)
  notify(messageId)
}

/** Forgets an answer that is no longer written. */
export function forgetAnswer(messageId: number): void {
  answers.delete(messageId)
}

/** The text of an answer as far as it came. */
export function answerText(messageId: number): string {
  return answers.get(messageId)?.text ?? ''
}

/** Subscribes to `answerText`; listeners are called at most once per animation frame. */
export function useAnswerText(messageId: number): string {
  const subscribe = useCallback(
    (listener: () => void) => {
      const own = listeners.get(messageId) ?? new Set()
      own.add(listener)
      listeners.set(messageId, own)
      return () => {
        own.delete(listener)
        if (own.size === 0) listeners.delete(messageId)
      }
    },
    [messageId],
  )
  return useSyncExternalStore(subscribe, () => answerText(messageId))
}

function grow(answer: Answer, { offset, text }: Piece): void {
  if (offset + text.length > answer.text.length) answer.text = answer.text.slice(0, offset) + text
}

function keep(messageId: number, answer: Answer): void {
  answers.set(messageId, answer)
  const [oldest] = answers.keys()
  if (answers.size > maxKept && oldest !== undefined) answers.delete(oldest)
}

function notify(messageId: number): void {
  if (!listeners.has(messageId)) return
  if (changed.size === 0) requestAnimationFrame(notifyAll)
  changed.add(messageId)
}

function notifyAll(): void {
  const ids = [...changed]
  changed.clear()
  for (const id of ids) for (const listener of listeners.get(id) ?? []) listener()
}
