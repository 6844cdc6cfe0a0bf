import * as z from 'zod'
import type { Journal } from './journal.ts'
import { generationOf, setGeneration } from '../open.ts'
import type { Database } from '../open.ts'
import { SettingValues } from '../setting-values.ts'

/** Which journal a database belongs to, and up to which of its entries it holds everything. */
const markShape = z.object({ id: z.string(), mark: z.number().int(), at: z.number().int() })
type JournalMark = z.infer<typeof markShape>

const key = 'journal'

/** Null in a database that never had a journal, or whose mark cannot be read. */
export function readMark(db: Database): JournalMark | null {
  return markShape.safeParse(new SettingValues(db).readOrNull(key)).data ?? null
}

/** Written at a start and before each snapshot: a copy of the database says by itself how far it goes. */
export function writeMark(db: Database, journal: Journal, now: number): number {
  const mark = journal.mark()
  const last = readMark(db)
  if (last?.id === journal.id && last.mark === mark) return mark
  new SettingValues(db).write(key, { id: journal.id, mark, at: now } satisfies JournalMark)
  return mark
}

/** Makes this database a later one than any that the journal knows of, and than every copy of it so far. */
export function beginGeneration(db: Database, journal: Journal): void {
  setGeneration(db, Math.max(generationOf(db), journal.generation) + 1)
}

/**
 * The same, told to the journal: from then on every copy of before is an earlier one. At each start and end, and after
 * each snapshot. The database goes first: where that is broken off it is ahead of what the journal knows, which is no
 * fault.
 */
export function advanceGeneration(db: Database, journal: Journal): void {
  beginGeneration(db, journal)
  journal.databaseReached(generationOf(db))
}

/**
 * True for a database that somebody put in the place of a later one, of this journal's or of another folder's: what was
 * cancelled, removed or changed since is undone in it. A journal that has just been begun knows of no database.
 */
export function isEarlier(db: Database, journal: Journal): boolean {
  if (journal.isUntouched) return false
  const generation = generationOf(db)
  if (generation < journal.generation) return true
  // One that has a generation had a mark, which cannot be read any more.
  return !isReached(db, journal) && (generation === 0 || readMark(db) !== null)
}

/** True when the journal has everything that this database does not know of attempts and answers. */
export function isReached(db: Database, journal: Journal): boolean {
  const last = readMark(db)
  return last !== null && last.id === journal.id && last.mark >= journal.floor
}
