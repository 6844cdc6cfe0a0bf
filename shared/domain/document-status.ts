/**
 * A document is one version of one file, to be extracted with one version of one schema.
 * This file is the only place that says which status may follow which.
 */
export const documentStatuses = [
  'queued',
  'submitting',
  'waiting',
  'done',
  'failed',
  'unknown',
  'skipped',
  'cancelled',
] as const
export type DocumentStatus = (typeof documentStatuses)[number]

/** How far the check of a document with a result is: something needs a look, nothing does, or a person approved it. */
export const reviewStates = ['flagged', 'ready', 'approved'] as const
export type ReviewState = (typeof reviewStates)[number]

/**
 * How many documents there are outside of the bin: each has one status, and some of them a state of their check beside
 * it. Pure.
 */
export function totalOf(counts: Partial<Record<DocumentStatus, number>>): number {
  return documentStatuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0)
}

/** What can happen to a document. */
export type DocumentEvent =
  | 'submit' // an attempt row is committed, the first byte may go out
  | 'accept' // the asynchronous endpoint answered `started`
  | 'succeed' // a result was stored
  | 'fail' // the service said no, or its answer cannot be read
  | 'return' // provably not sent, or refused before any work: back into the queue
  | 'annotate' // an accepted document goes on waiting, with another reason beside it: it is overdue, for instance
  | 'lose' // the request was sent and no answer came: it may already be billed
  | 'skip' // the file is refused before it is sent, or it is a duplicate
  | 'cancel' // a person stopped it, or another file replaced it
  | 'requeue' // into the queue again after it was sent or had ended: a person asks for it, or it bills nothing

const transitions: Record<DocumentStatus, Partial<Record<DocumentEvent, DocumentStatus>>> = {
  // A late callback of an earlier attempt is a paid result: it settles a document that waits to be sent again.
  // `lose`: it may be billed already, and nobody let it go again.
  queued: {
    submit: 'submitting',
    lose: 'unknown',
    skip: 'skipped',
    cancel: 'cancelled',
    fail: 'failed',
    return: 'queued',
    succeed: 'done',
  },
  // A callback may arrive before the answer to the POST, so `succeed` needs no `accept` before it.
  submitting: {
    accept: 'waiting',
    succeed: 'done',
    fail: 'failed',
    return: 'queued',
    lose: 'unknown',
    requeue: 'queued',
  },
  waiting: {
    annotate: 'waiting',
    succeed: 'done',
    fail: 'failed',
    lose: 'unknown',
    requeue: 'queued',
    cancel: 'cancelled',
  },
  done: { succeed: 'done', requeue: 'queued' },
  failed: { requeue: 'queued', succeed: 'done', fail: 'failed', cancel: 'cancelled' },
  // A late callback settles what a lost answer left open.
  unknown: { succeed: 'done', fail: 'failed', requeue: 'queued', cancel: 'cancelled' },
  // Its file changed, and is refused once more.
  skipped: { requeue: 'queued', skip: 'skipped' },
  cancelled: { requeue: 'queued', succeed: 'done', fail: 'failed' },
}

/** The status after `event`, or null when that must not happen in this status. Pure. */
export function nextStatus(status: DocumentStatus, event: DocumentEvent): DocumentStatus | null {
  return transitions[status][event] ?? null
}

/** Nothing more will happen to the document unless a person asks for it. */
export function isSettled(status: DocumentStatus): boolean {
  return (
    status === 'done' || status === 'failed' || status === 'unknown' || status === 'skipped' || status === 'cancelled'
  )
}

/** It came to an end, and not to a result. Pure. */
export function isWithoutResult(status: DocumentStatus): boolean {
  return isSettled(status) && status !== 'done'
}

/** How a file goes to the service; `auto` decides by size. */
export const extractionModes = ['auto', 'sync', 'async'] as const
export type ExtractionMode = (typeof extractionModes)[number]

/** What becomes of a file of a watched folder once its outcome is known. */
export const afterwardsChoices = ['stay', 'move'] as const
export type Afterwards = (typeof afterwardsChoices)[number]
