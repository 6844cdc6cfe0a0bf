import { createHash } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import type { ExtractedRecord } from '../../../../shared/domain/result.ts'
import { unreadableIn } from './check.ts'
import type { Journal } from './journal.ts'
import type { Database } from '../open.ts'
import { storedCorrections } from '../tables/reviews.ts'
import type { Snapshot } from './snapshots.ts'

/**
 * Makes good what `contentFault` finds, row by row: from the journal or the newest snapshot that still has it, else so
 * that nothing is taken for what it is not. An answer is marked as damaged; a result is taken back, its document
 * becomes `unknown` with `result_damaged` until it is read from its answer again; a schema is left without fields, with
 * which nothing is sent; a setting goes back to its default. The next check finds nothing any more. `snapshots` begin
 * with the newest.
 */
export function repair(db: Database, journal: Journal, snapshots: Snapshot[]): void {
  const copies = copiesOf(snapshots)
  // Rows that refer to others which are not there are what is to be settled.
  db.pragma('foreign_keys = OFF')
  try {
    db.transaction(() => {
      settleOrphans(db, copies)
      repairSettings(db, copies, journal)
      repairSchemas(db, copies, journal)
      repairAnswers(db, copies, journal)
      repairReviews(db)
      for (const table of ['export_presets', 'lessons', 'learned_values'] as const)
        for (const { id } of unreadableIn(db, table))
          db.prepare<[number]>(`DELETE FROM ${table} WHERE rowid = ?`).run(id)
      for (const { id } of unreadableIn(
        db,
        'results',
        '(json_valid(records) AND json_valid(summary) AND json_valid(doubts) AND (sources IS NULL OR json_valid(sources))) IS NOT TRUE',
      ))
        loseResult(db, id)
      for (const [table, column, neutral] of neutralValues) {
        db.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${column} IS NOT NULL AND NOT json_valid(${column})`).run(
          neutral,
        )
      }
    })()
  } finally {
    db.pragma('foreign_keys = ON')
    copies.close()
  }
}

/** Words beside a status, and where an export was written: nothing follows from them. */
const neutralValues = [
  ['schemas', 'rules', '[]'],
  ['schemas', 'columns', 'null'],
  ['results', 'flags', '[]'],
  ['connections', 'paused_details', '{}'],
  ['documents', 'reason_details', '{}'],
  ['exports', 'paths', '[]'],
  ['exports', 'spec', 'null'],
  ['messages', 'reason_details', '{}'],
] as const

type Copies = ReturnType<typeof copiesOf>

function copiesOf(snapshots: Snapshot[]) {
  const open = snapshots.flatMap(({ name, path }) => {
    try {
      return [{ name, db: new Sqlite(path, { readonly: true }) }]
    } catch {
      return []
    }
  })
  return {
    /** What they have in that place, the newest first; nothing of one that is broken or of another version. */
    *find<T>(
      sql: string,
      values: (string | number | Buffer)[],
      isFitting: (name: string) => boolean = () => true,
    ): Generator<T> {
      for (const { name, db } of open) {
        if (!isFitting(name)) continue
        let row: unknown
        try {
          row = db.prepare(sql).get(...values)
        } catch {
          continue
        }
        if (row !== undefined) yield row as T
      }
    },
    close: () => {
      for (const { db } of open) db.close()
    },
  }
}

/**
 * A setting of a snapshot that the journal does not reach is too old to go on with. Who may have stopped sending lets
 * it go on.
 */
function repairSettings(db: Database, copies: Copies, journal: Journal): void {
  for (const { key } of db.prepare<[], { key: string }>('SELECT key FROM settings WHERE NOT json_valid(value)').all()) {
    const sql = 'SELECT value FROM settings WHERE key = ? AND json_valid(value)'
    const [kept] =
      key === 'paused'
        ? [{ value: 'true' }]
        : copies.find<{ value: string }>(sql, [key], (name) => journal.reaches(name))
    if (kept === undefined) db.prepare<[string]>('DELETE FROM settings WHERE key = ?').run(key)
    else db.prepare<[string, string]>('UPDATE settings SET value = ? WHERE key = ?').run(kept.value, key)
  }
}

type VersionRow = { id: number; schema_id: number; version: number; created_at: number }

/** The fields of a version never change, so every copy of it is as good. */
function repairSchemas(db: Database, copies: Copies, journal: Journal): void {
  const update = db.prepare<[string, number]>('UPDATE schema_versions SET elements = ? WHERE id = ?')
  const attemptsWith = db.prepare<[number], { reference: Buffer }>(
    'SELECT t.reference FROM attempts t JOIN documents j ON j.id = t.document_id WHERE j.schema_version_id = ? ORDER BY t.id DESC',
  )
  for (const { id, schema_id, version, created_at } of db
    .prepare<[], VersionRow>('SELECT * FROM schema_versions WHERE NOT json_valid(elements)')
    .all()) {
    const sql =
      'SELECT elements FROM schema_versions WHERE id = ? AND schema_id = ? AND version = ? AND created_at = ? AND json_valid(elements)'
    const [kept] = copies.find<{ elements: string }>(sql, [id, schema_id, version, created_at])
    const asked =
      kept === undefined
        ? attemptsWith
            .all(id)
            .map(({ reference }) => journal.elementsOf(reference))
            .find((each) => each !== null)
        : null
    update.run(kept?.elements ?? asked ?? '[]', id)
  }
}

function repairAnswers(db: Database, copies: Copies, journal: Journal): void {
  type Row = { body: Buffer; body_sha256: Buffer; reference: Buffer }
  const ids = db.prepare<[], { id: number }>('SELECT id FROM answers WHERE damaged = 0').all()
  const one = db.prepare<[number], Row>(
    'SELECT a.body, a.body_sha256, t.reference FROM answers a JOIN attempts t ON t.id = a.attempt_id WHERE a.id = ?',
  )
  for (const { id } of ids) {
    const { body, body_sha256: sha256, reference } = one.get(id)!
    const isWhole = (bytes: Buffer | null): bytes is Buffer =>
      bytes !== null && createHash('sha256').update(bytes).digest().equals(sha256)
    if (isWhole(body)) continue
    let whole = [journal.bodyWith(reference, sha256)].find(isWhole)
    if (whole === undefined) {
      for (const copy of copies.find<{ body: Buffer }>('SELECT body FROM answers WHERE id = ? AND body_sha256 = ?', [
        id,
        sha256,
      ])) {
        if (isWhole(copy.body)) whole = copy.body
      }
    }
    if (whole === undefined) db.prepare<[number]>('UPDATE answers SET damaged = 1, unread = 0 WHERE id = ?').run(id)
    else db.prepare<[Buffer, number]>('UPDATE answers SET body = ? WHERE id = ?').run(whole, id)
  }
}

/**
 * What a person did and cannot be read is taken back, and the document is to be looked at again; corrections are put
 * together anew.
 */
function repairReviews(db: Database): void {
  const reopen = db.prepare<[number]>(
    "UPDATE documents SET review = 'ready' WHERE id = (SELECT document_id FROM review_entries WHERE id = ?) AND review = 'approved'",
  )
  const remove = db.prepare<[number]>('DELETE FROM review_entries WHERE id = ?')
  for (const { id } of unreadableIn(db, 'review_entries')) {
    reopen.run(id)
    remove.run(id)
  }
  const result = db.prepare<[number], { document_id: number; records: string }>(
    'SELECT document_id, records FROM results WHERE id = ? AND json_valid(records)',
  )
  const update = db.prepare<[string | null, number]>('UPDATE results SET corrected = ? WHERE id = ?')
  for (const { id } of unreadableIn(db, 'results', 'NOT json_valid(corrected)')) {
    const row = result.get(id)
    if (row !== undefined)
      update.run(storedCorrections(db, row.document_id, JSON.parse(row.records) as ExtractedRecord[]), id)
  }
}

/** The start reads it from the answer again. */
function loseResult(db: Database, id: number): void {
  db.prepare<[number]>(`
    UPDATE documents SET result_id = NULL, reason_code = iif(status = 'done', 'result_damaged', reason_code),
      reason_details = iif(status = 'done', '{}', reason_details), status = iif(status = 'done', 'unknown', status) WHERE result_id = ?`).run(
    id,
  )
  db.prepare<[number]>('DELETE FROM results WHERE id = ?').run(id)
}

type Orphan = { table: string; rowid: number; parent: string; fkid: number }
type Reference = { id: number; from: string }

/**
 * As a snapshot has it, else without the reference, else without the row; a folder rests until a person looks at it.
 */
function settleOrphans(db: Database, copies: Copies): void {
  const orphans = (): Orphan[] => db.pragma('foreign_key_check') as Orphan[]
  // What refers to a row that goes is an orphan of its own.
  for (let found = orphans(); found.length > 0; found = orphans()) {
    for (const { table, rowid, parent, fkid } of found) {
      const { from } = (db.pragma(`foreign_key_list(${table})`) as Reference[]).find(({ id }) => id === fkid)!
      const isParent = (id: unknown): id is number =>
        typeof id === 'number' && db.prepare(`SELECT 1 FROM ${parent} WHERE rowid = ?`).get(id) !== undefined
      const set = (value: number | null): void =>
        void db.prepare(`UPDATE ${table} SET ${from} = ? WHERE rowid = ?`).run(value, rowid)
      const kept = [
        ...copies.find<{ value: unknown }>(`SELECT ${from} AS value FROM ${table} WHERE rowid = ?`, [rowid]),
      ]
        .map(({ value }) => value)
        .find(isParent)
      const other =
        table === 'folders'
          ? db.prepare<[], { id: number | null }>(`SELECT min(id) AS id FROM ${parent}`).get()!.id
          : null
      if (kept !== undefined) set(kept)
      else if (isOptional(db, table, from)) set(null)
      else if (other !== null) {
        set(other)
        db.prepare<[number]>('UPDATE folders SET paused = 1 WHERE rowid = ?').run(rowid)
      } else if (table === 'results') loseResult(db, rowid)
      else db.prepare(`DELETE FROM ${table} WHERE rowid = ?`).run(rowid)
    }
  }
}

function isOptional(db: Database, table: string, column: string): boolean {
  const columns = db.pragma(`table_info(${table})`) as { name: string; notnull: number; pk: number }[]
  const { notnull, pk } = columns.find(({ name }) => name === column)!
  // SQLite does not call its own key NOT NULL, and takes no NULL for it.
  return notnull === 0 && pk === 0
}
