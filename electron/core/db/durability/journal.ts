import { createHash, randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { AppError } from '../../../../shared/domain/errors.ts'
import { structureFault } from './check.ts'
import {
  changesOf,
  connect,
  generationOf,
  isNewer,
  runTransaction,
  setGeneration,
  versionOf,
  waitShortly,
} from '../open.ts'
import type { Database, Flush } from '../open.ts'
import { GroupFlush } from './group-flush.ts'

/**
 * What matters is written to a second file before it is acted upon, so that a database that broke can be put together
 * again from a snapshot: a request may be paid for, and an answer comes once.
 */
const layout = `
-- fields asked for, once for each distinct set of them
CREATE TABLE schemas (elements_sha256 BLOB PRIMARY KEY, elements TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE entries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  -- attempt: about to be sent; answer: bytes that came for one; returned: provably not taken by the service;
  -- stray: a callback for an attempt that the database did not know
  kind TEXT NOT NULL CHECK (kind IN ('attempt', 'answer', 'returned', 'stray')),
  -- of the attempt, as in its table; of a stray the SHA-256 of its token
  reference BLOB NOT NULL,
  -- AttemptDetails or AnswerDetails
  details TEXT NOT NULL CHECK (json_valid(details)),
  elements_sha256 BLOB,
  body_sha256 BLOB,
  -- last: what lies behind megabytes is read through all of them
  body BLOB
) STRICT;
CREATE INDEX entries_reference ON entries (reference, kind);
-- what persons did to a result, named by the attempt that it came from; after: the newest entry then
CREATE TABLE reviews (
  seq INTEGER PRIMARY KEY,
  after INTEGER NOT NULL,
  reference BLOB NOT NULL,
  -- ReviewDetails
  details TEXT NOT NULL CHECK (json_valid(details))
) STRICT;
-- every entry up to the mark is in the snapshot of that name
CREATE TABLE snapshots (name TEXT PRIMARY KEY, mark INTEGER NOT NULL) STRICT;
-- entries up to the floor are not here any more, or never were; the id tells this journal from any other
CREATE TABLE span (one INTEGER PRIMARY KEY CHECK (one = 1), floor INTEGER NOT NULL, id BLOB NOT NULL) STRICT;
`

/**
 * Everything that is needed to put the attempt of a document back into a database that knows neither. Digests in hex.
 */
export type AttemptDetails = {
  connection: { id: number; kind: string; name: string; baseUrl: string | null; clientId: string | null }
  folder: {
    kind: string
    path: string
    name: string
    agentReference: string | null
    mode: string
    includeSubfolders: number
    afterwards: string
    /** Absent in entries of earlier versions. */
    include?: string
    exclude?: string
    cuts?: string
    /** Names of the schemas beside its usual one. */
    schemas?: string[]
  }
  schema: { name: string }
  /** `extra` and the pages are absent in entries of earlier versions. */
  document: {
    path: string
    name: string
    sizeBytes: number
    mtimeMs: number
    sha256: string | null
    agentReference: string | null
    mode: string
    extra?: number
    firstPage?: number | null
    lastPage?: number | null
    createdAt: number
  }
  attempt: {
    mode: string
    host: string
    tokenHash: string | null
    startedAt: number
    resendOf: string | null
    approved: string | null
  }
}

export type AnswerDetails = {
  source: string
  receivedAt: number
  httpStatus: number | null
  contentType: string | null
  complete: number
}

/** A row of `review_entries`, as it is. */
export type ReviewDetails = {
  kind: string
  pointer: string | null
  extracted: string | null
  value: string | null
  batch: number | null
  person: string
  at: number
}

export type Entry =
  | { kind: 'attempt'; reference: Buffer; details: AttemptDetails; elements: string }
  | { kind: 'answer'; reference: Buffer; seq: number; details: AnswerDetails; bodySha256: Buffer }
  | { kind: 'returned'; reference: Buffer }
  | { kind: 'stray'; reference: Buffer; seq: number; details: AnswerDetails; bodySha256: Buffer }
  | { kind: 'unreadable' }

type EntryRow = {
  kind: 'attempt' | 'answer' | 'returned' | 'stray'
  seq: number
  reference: Buffer
  details: string
  elements: string | null
  body_sha256: Buffer | null
}

const entriesOf =
  'SELECT e.kind, e.seq, e.reference, e.details, e.body_sha256, s.elements FROM entries e LEFT JOIN schemas s USING (elements_sha256)'

function entryOf({ kind, seq, reference, details, elements, body_sha256: bodySha256 }: EntryRow): Entry {
  if (kind === 'returned') return { kind, reference }
  try {
    if (kind === 'attempt' && elements !== null)
      return { kind, reference, details: JSON.parse(details) as AttemptDetails, elements }
    if ((kind === 'answer' || kind === 'stray') && bodySha256 !== null)
      return { kind, reference, seq, details: JSON.parse(details) as AnswerDetails, bodySha256 }
  } catch {
    // A bit of it flipped.
  }
  return { kind: 'unreadable' }
}

export const journalVersion = 1

/**
 * Throws SQLite's error for what is no database where the version is neither this one nor of a later Sheaf: a bit
 * flipped.
 */
function begin(db: Database, path: string, besideDatabase: boolean): void {
  const version = versionOf(db)
  if (isNewer(version, journalVersion)) throw new AppError('newer_database', { path: dirname(path) })
  if (version === journalVersion) return
  if (version !== 0) throw new Sqlite.SqliteError(`a journal of version ${version}`, 'SQLITE_NOTADB')
  db.transaction(() => {
    db.exec(layout)
    db.prepare<[number, Buffer]>('INSERT INTO span (one, floor, id) VALUES (1, ?, ?)').run(
      besideDatabase ? 1 : 0,
      randomBytes(16),
    )
    if (besideDatabase) db.exec("INSERT INTO sqlite_sequence (name, seq) VALUES ('entries', 1)")
    db.pragma(`user_version = ${journalVersion}`)
  })()
}

/**
 * The file of entries, append-only. Each write is on the disk when it returns, or once `flushed` says so where it is
 * flushed later; it throws SQLite's error when it is not.
 */
export class Journal {
  /** Another one for each journal that was ever begun. */
  readonly id: string
  readonly #db: Database
  readonly #append
  readonly #addSchema
  readonly #addReview
  readonly #sameAnswer
  readonly #highest
  readonly #flush: GroupFlush
  /** A flush of its write-ahead log failed. */
  #isLogDoubtful = false
  /** Entries of answers that the database has not stored yet, because it could not. */
  readonly #ahead = new Set<number>()
  /** Attempts whose row never came to be; told as soon as something can be written. */
  #neverOpened: Buffer[] = []

  /** `besideDatabase`: a database is there already, of whose past this new journal knows nothing. */
  constructor(path: string, besideDatabase: boolean) {
    const db = connect(path)
    this.#db = db
    this.#flush = new GroupFlush(`${path}-wal`)
    try {
      begin(db, path, besideDatabase)
      this.id = db.prepare<[], { id: Buffer }>('SELECT id FROM span').get()!.id.toString('hex')
      this.#append = db.prepare<[string, Buffer, string, Buffer | null, Buffer | null, Buffer | null]>(
        'INSERT INTO entries (kind, reference, details, elements_sha256, body, body_sha256) VALUES (?, ?, ?, ?, ?, ?)',
      )
      this.#addSchema = db.prepare<[Buffer, string]>(
        'INSERT INTO schemas (elements_sha256, elements) VALUES (?, ?) ON CONFLICT DO NOTHING',
      )
      this.#addReview = db.prepare<[number, Buffer, string]>(
        'INSERT INTO reviews (after, reference, details) VALUES (?, ?, ?)',
      )
      this.#sameAnswer = db.prepare<[Buffer, string, Buffer, string], { seq: number }>(
        "SELECT seq FROM entries WHERE reference = ? AND kind = ? AND body_sha256 = ? AND details ->> 'source' = ?",
      )
      this.#highest = db.prepare<[], { seq: number }>(
        "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'entries'), 0) AS seq",
      )
    } catch (error) {
      // It is about to be moved away, which Windows refuses for a file that is open.
      db.close()
      throw error
    }
  }

  /** The start is over (`waitShortly`). */
  waitShortly(): void {
    waitShortly(this.#db)
  }

  /** Before the first byte of an attempt leaves, which has to wait for `flushed`. */
  attempt(reference: Buffer, details: string, elements: string): void {
    const sha256 = createHash('sha256').update(elements).digest()
    this.#write(() => {
      this.#addSchema.run(sha256, elements)
      this.#append.run('attempt', reference, details, sha256, null, null)
    }, 'later')
  }

  /** Resolves when all that was written until now is on the disk; rejects with SQLite's error. */
  async flushed(): Promise<void> {
    if (!this.#isLogDoubtful) {
      try {
        return await this.#flush.flushed()
      } catch {
        // A disk that failed once may say the next time that all is well, and have dropped what it was to write.
        this.#isLogDoubtful = true
      }
    }
    // Written once more, into the file itself (sqlite.org/pragma.html#pragma_wal_checkpoint).
    const [found] = this.#db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
    if (found?.busy !== 0) throw new Sqlite.SqliteError('the journal is in use', 'SQLITE_BUSY')
    this.#isLogDoubtful = false
  }

  /** Before the bytes go into the database; `stored` has to be told when they are there. Returns the entry's number. */
  answer(
    kind: 'answer' | 'stray',
    reference: Buffer,
    details: AnswerDetails,
    body: Buffer,
    bodySha256: Buffer,
    flush?: Flush,
  ): number {
    const seq = this.#write(() => {
      const same = this.#sameAnswer.get(reference, kind, bodySha256, details.source)
      if (same !== undefined) return same.seq
      return Number(this.#append.run(kind, reference, JSON.stringify(details), null, body, bodySha256).lastInsertRowid)
    }, flush)
    this.#ahead.add(seq)
    return seq
  }

  stored(seq: number): void {
    this.#ahead.delete(seq)
  }

  /** The attempt is provably not with the service: replayed, it would be called unknown. */
  returned(reference: Buffer): void {
    this.#write(() => void this.#append.run('returned', reference, '{}', null, null, null))
  }

  /** Before the rows of what a person did, all of them together. */
  review(entries: { reference: Buffer; details: ReviewDetails }[]): void {
    const after = this.#highest.get()!.seq
    this.#write(() => {
      for (const { reference, details } of entries) this.#addReview.run(after, reference, JSON.stringify(details))
    })
  }

  /** What persons did, oldest first; null in the place of what cannot be read. */
  *reviews(): Generator<{ reference: Buffer; details: ReviewDetails } | null> {
    for (const { reference, details } of this.#db
      .prepare<[], { reference: Buffer; details: string }>('SELECT reference, details FROM reviews ORDER BY seq')
      .iterate()) {
      try {
        yield { reference, details: JSON.parse(details) as ReviewDetails }
      } catch {
        yield null
      }
    }
  }

  /** The row of the attempt could not be committed after its entry was: nothing was sent. Never throws. */
  neverOpened(references: Buffer[]): void {
    this.#neverOpened.push(...references)
    try {
      this.#write(() => undefined)
    } catch {
      // Said again by the next write. A journal that takes none lets nothing be sent either.
    }
  }

  /** Throws while nothing can be written. */
  probe(): void {
    this.#write(() => this.#db.exec('UPDATE span SET floor = floor'))
  }

  /** Every entry up to this number is in the database now. */
  mark(): number {
    return Math.min(this.#highest.get()!.seq, ...[...this.#ahead].map((seq) => seq - 1))
  }

  /** Notes what a snapshot holds. */
  markSnapshot(name: string, mark: number): void {
    this.#db
      .prepare<[string, number]>(
        'INSERT INTO snapshots (name, mark) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET mark = excluded.mark',
      )
      .run(name, mark)
  }

  /** The entries up to this number are not here any more. */
  get floor(): number {
    return this.#db.prepare<[], { floor: number }>('SELECT floor FROM span').get()!.floor
  }

  /** True when nothing is missing between the snapshot of that name (null: an empty database) and now. */
  reaches(name: string | null): boolean {
    if (name === null) return this.floor === 0
    const found = this.#db.prepare<[string], { mark: number }>('SELECT mark FROM snapshots WHERE name = ?').get(name)
    return found !== undefined && found.mark >= this.floor
  }

  /**
   * Deletes the entries that each of the `kept` snapshots holds, and forgets the other snapshots but those of
   * `alsoThere`.
   */
  prune(kept: string[], alsoThere: string[]): void {
    const names = JSON.stringify(kept)
    const oldest = this.#db
      .prepare<[string, string], { mark: number | null; known: number }>(
        `SELECT min(mark) AS mark, count(*) AS known FROM snapshots WHERE name IN (SELECT value FROM json_each(?)) AND mark >= (SELECT floor FROM span) AND ? <> '[]'`,
      )
      .get(names, names)!
    if (oldest.mark === null) return
    const mark = oldest.mark
    this.#db.transaction(() => {
      this.#db.prepare<[number]>('DELETE FROM entries WHERE seq <= ?').run(mark)
      // One that was written after the same entry as the snapshot may be newer than it.
      this.#db.prepare<[number]>('DELETE FROM reviews WHERE after < ?').run(mark)
      this.#db.exec(
        'DELETE FROM schemas WHERE elements_sha256 NOT IN (SELECT elements_sha256 FROM entries WHERE elements_sha256 IS NOT NULL)',
      )
      this.#db.prepare<[number]>('UPDATE span SET floor = max(floor, ?)').run(mark)
      this.#db
        .prepare<[string]>('DELETE FROM snapshots WHERE name NOT IN (SELECT value FROM json_each(?))')
        .run(JSON.stringify([...kept, ...alsoThere]))
    })()
  }

  /**
   * True while no database was opened with it and nothing was written into it. The first number is taken where it began
   * beside a database.
   */
  get isUntouched(): boolean {
    const { any } = this.#db.prepare<[], { any: number }>('SELECT EXISTS (SELECT 1 FROM entries) AS any').get()!
    return this.generation === 0 && any === 0 && this.#highest.get()!.seq <= 1
  }

  /** What the database is known to have reached: one below it is an earlier one. 0 while that was never told. */
  get generation(): number {
    return generationOf(this.#db)
  }

  /** To be told once the database has committed it, and not before. */
  databaseReached(generation: number): void {
    setGeneration(this.#db, generation)
  }

  /** Attempts, as hex, that were found to be not with the service, and those that have an answer. */
  references(): { returned: Set<string>; answered: Set<string> } {
    const of = this.#db.prepare<[string], { reference: string }>(
      'SELECT DISTINCT lower(hex(reference)) AS reference FROM entries WHERE kind = ?',
    )
    const set = (kind: string): Set<string> => new Set(of.all(kind).map(({ reference }) => reference))
    return { returned: set('returned'), answered: set('answer') }
  }

  /** All entries, oldest first. */
  *entries(): Generator<Entry> {
    for (const row of this.#db.prepare<[], EntryRow>(`${entriesOf} ORDER BY e.seq`).iterate()) yield entryOf(row)
  }

  /** The answers that `stored` was not told of. */
  ahead(): Entry[] {
    const one = this.#db.prepare<[number], EntryRow>(`${entriesOf} WHERE e.seq = ?`)
    return [...this.#ahead].flatMap((seq) => one.all(seq)).map(entryOf)
  }

  /** The fields that an attempt asked for; null when that is not here any more. */
  elementsOf(reference: Buffer): string | null {
    const found = this.#db
      .prepare<[Buffer], EntryRow>(`${entriesOf} WHERE e.reference = ? AND e.kind = 'attempt'`)
      .get(reference)
    return found?.elements ?? null
  }

  /** The bytes of an answer by what they were; null when they are not here any more. */
  bodyWith(reference: Buffer, bodySha256: Buffer): Buffer | null {
    const sql = "SELECT body FROM entries WHERE reference = ? AND kind = 'answer' AND body_sha256 = ?"
    return this.#db.prepare<[Buffer, Buffer], { body: Buffer | null }>(sql).get(reference, bodySha256)?.body ?? null
  }

  /** The bytes of an answer's entry. */
  bodyOf(seq: number): Buffer {
    return (
      this.#db.prepare<[number], { body: Buffer | null }>('SELECT body FROM entries WHERE seq = ?').get(seq)?.body ??
      Buffer.alloc(0)
    )
  }

  /** What is wrong with the file, or null. */
  fault(): string | null {
    return structureFault(this.#db)
  }

  /** Copies the file as it is, whatever has its name by now. */
  async copyTo(path: string): Promise<void> {
    await this.#db.backup(path)
  }

  /** How many rows were changed since it was opened. */
  get changes(): number {
    return changesOf(this.#db)
  }

  close(): void {
    this.#flush.close()
    this.#db.close()
  }

  #write<T>(work: () => T, flush?: Flush): T {
    const unsaid = this.#neverOpened
    const all = (): T => {
      for (const reference of unsaid) this.#append.run('returned', reference, '{}', null, null, null)
      return work()
    }
    const value = runTransaction(this.#db, all, flush)
    this.#neverOpened = this.#neverOpened.slice(unsaid.length)
    return value
  }
}
