import { createHash } from 'node:crypto'
import type { Database } from '../open.ts'

/**
 * Up to this size everything is checked (55 ms where measured); above it only what damages more than one row is looked
 * for.
 */
export const fullCheckBytes = 64 * 1024 * 1024

function sizeOf(db: Database): number {
  return (db.pragma('page_count', { simple: true }) as number) * (db.pragma('page_size', { simple: true }) as number)
}

/** What is wrong with the structure of a database, or null. Throws SQLite's error where it cannot even be read. */
export function structureFault(db: Database): string | null {
  const check = sizeOf(db) <= fullCheckBytes ? 'integrity_check(1)' : 'quick_check(1)'
  const found = String(db.pragma(check, { simple: true }))
  return found === 'ok' ? null : found
}

/**
 * Columns that hold JSON; `repair` says what becomes of a value that is none any more. `always`: the rows that are
 * looked at in a database of any size, since there are few of them and Sheaf cannot start or send without them.
 */
const documents = {
  settings: { columns: ['value'], always: 'true' },
  connections: { columns: ['paused_details'], always: 'true' },
  schemas: { columns: ['rules', 'columns'], always: 'true' },
  schema_versions: { columns: ['elements'], always: 'true' },
  documents: { columns: ['reason_details'], always: "status IN ('queued', 'submitting', 'waiting', 'unknown')" },
  results: { columns: ['records', 'sources', 'doubts', 'summary', 'corrected', 'flags'], always: 'false' },
  review_entries: { columns: ['extracted', 'value'], always: 'false' },
  lessons: { columns: ['fingerprint', 'fields'], always: 'false' },
  learned_values: { columns: ['found'], always: 'false' },
  exports: { columns: ['paths', 'spec'], always: 'false' },
  export_presets: { columns: ['spec'], always: 'true' },
  messages: { columns: ['reason_details'], always: 'false' },
} as const

/** The rows of a table in which a text is no JSON any more; `among`: a condition. */
export function unreadableIn(db: Database, table: keyof typeof documents, among = 'true'): { id: number }[] {
  const wrong = documents[table].columns.map((column) => `(${column} IS NOT NULL AND NOT json_valid(${column}))`)
  return db
    .prepare<[], { id: number }>(`SELECT rowid AS id FROM ${table} WHERE (${wrong.join(' OR ')}) AND ${among}`)
    .all()
}

/**
 * What SQLite does not see, since its pages have no checksums: text that is no JSON any more, answers that are not what
 * came. Of a large database only what a start needs.
 */
export function contentFault(db: Database): string | null {
  const isLarge = sizeOf(db) > fullCheckBytes
  for (const table of Object.keys(documents) as (keyof typeof documents)[]) {
    if (unreadableIn(db, table, isLarge ? documents[table].always : 'true').length > 0) return `${table} cannot be read`
  }
  if (isLarge) return null
  for (const row of db
    .prepare<[], { body: Buffer; body_sha256: Buffer }>('SELECT body, body_sha256 FROM answers WHERE damaged = 0')
    .iterate()) {
    if (!createHash('sha256').update(row.body).digest().equals(row.body_sha256))
      return 'an answer is not what was stored'
  }
  return (db.pragma('foreign_key_check') as unknown[]).length === 0 ? null : 'rows refer to others that are not there'
}
