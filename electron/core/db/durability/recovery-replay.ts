import { createHash } from 'node:crypto'
import type { Entry, Journal } from './journal.ts'
import type { Database } from '../open.ts'
import { RecoveredRows } from './recovered-rows.ts'

/** What was put back; `complete` is false when something of the journal could not be read. */
type Replayed = { attempts: number; answers: number; complete: boolean }

/**
 * Puts back what the journal has and the database has not: attempts as `open` with their documents `submitting`, and
 * answers as unread bytes. What a start does then with anything that was interrupted makes results of them, or
 * `unknown`. In one transaction; nothing is written when nothing is missing. The one place beside `documents.apply`
 * that sets a status: it says what was, and is no event. `entries`: some of the journal's only.
 */
export function replay(db: Database, journal: Journal, entries: Iterable<Entry> = journal.entries()): Replayed {
  return db.transaction(() => {
    const replayed: Replayed = { attempts: 0, answers: 0, complete: true }
    const rows = new RecoveredRows(db)
    const references = journal.references()
    for (const entry of entries) {
      const what = replayEntry(entry, rows, journal, references)
      if (what === 'unreadable') replayed.complete = false
      else if (what !== null) replayed[what] += 1
    }
    for (const review of journal.reviews()) {
      const attempt = review === null ? null : rows.attempt(review.reference)
      if (review === null || attempt === null) replayed.complete = false
      else if (!rows.hasReview(attempt.document_id, review.details)) rows.addReview(attempt.document_id, review.details)
    }
    return replayed
  })()
}

type AttemptEntry = Extract<Entry, { kind: 'attempt' }>
type AnswerEntry = Extract<Entry, { kind: 'answer' | 'stray' }>

/** What was put back of an entry; null: nothing, since nothing was missing. */
function replayEntry(
  entry: Entry,
  rows: RecoveredRows,
  journal: Journal,
  references: ReturnType<Journal['references']>,
): 'attempts' | 'answers' | 'unreadable' | null {
  switch (entry.kind) {
    case 'unreadable':
      return 'unreadable'
    case 'attempt':
      return replayAttempt(entry, rows, references)
    case 'returned':
      rows.giveBack(entry.reference)
      return null
    case 'answer':
    case 'stray':
      return replayAnswer(entry, rows, journal)
  }
}

function replayAttempt(
  { reference, details, elements }: AttemptEntry,
  rows: RecoveredRows,
  { returned, answered }: ReturnType<Journal['references']>,
): 'attempts' | null {
  const key = reference.toString('hex')
  const isReturned = returned.has(key)
  if (rows.attempt(reference) !== null || (isReturned && !answered.has(key))) return null
  rows.addAttempt(reference, details, elements, isReturned)
  return 'attempts'
}

function replayAnswer(entry: AnswerEntry, rows: RecoveredRows, journal: Journal): 'answers' | 'unreadable' | null {
  const { kind, reference, seq, details, bodySha256 } = entry
  const attempt = kind === 'answer' ? rows.attempt(reference) : rows.attemptOfToken(reference)
  if (attempt !== null && rows.hasAnswer(attempt.id, details.source, bodySha256)) return null
  if (kind === 'stray' && rows.hasStray(reference, bodySha256)) return null
  const body = journal.bodyOf(seq)
  const isLost = attempt === null && kind === 'answer'
  if (isLost || !createHash('sha256').update(body).digest().equals(bodySha256)) return 'unreadable'
  if (attempt === null) rows.addStray(reference, details, body, bodySha256)
  else rows.addAnswer(attempt, details, body, bodySha256)
  return 'answers'
}
