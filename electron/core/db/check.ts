import { createHash } from 'node:crypto'
import type { Database } from './open.ts'

/** Up to this size everything is checked (55 ms where measured); above it only what damages more than one row is looked for. */
export const fullCheckBytes = 64 * 1024 * 1024

export function sizeOf(db: Database): number {
  return (db.pragma('page_count', { simple: true }) as number) * (db.pragma('page_size', { simple: true }) as number)
}

/** What is wrong with the structure of a database, or null. Throws SQLite's error where it cannot even be read. */
export function structureFault(db: Database): string | null {
  const check = sizeOf(db) <= fullCheckBytes ? 'integrity_check(1)' : 'quick_check(1)'
  const found = String(db.pragma(check, { simple: true }))
  return found === 'ok' ? null : found
}

/** Columns that hold JSON; `repair` says what becomes of a value that is none any more. */
const documents = {
  settings: ['value'],
  connections: ['paused_details'],
  schema_versions: ['elements'],
  jobs: ['reason_details'],
  results: ['records', 'sources', 'summary'],
  exports: ['paths'],
  messages: ['reason_details'],
} as const

/** The rows of a table in which a text is no JSON any more. */
export function unreadableIn(db: Database, table: keyof typeof documents): { id: number }[] {
  const wrong = documents[table].map((column) => `(${column} IS NOT NULL AND NOT json_valid(${column}))`)
  return db.prepare<[], { id: number }>(`SELECT rowid AS id FROM ${table} WHERE ${wrong.join(' OR ')}`).all()
}

/** What SQLite does not see, since its pages have no checksums: text that is no JSON any more, answers that are not what came. */
export function contentFault(db: Database): string | null {
  if (sizeOf(db) > fullCheckBytes) return null
  for (const table of Object.keys(documents) as (keyof typeof documents)[]) if (unreadableIn(db, table).length > 0) return `${table} cannot be read`
  for (const row of db.prepare<[], { body: Buffer; body_sha256: Buffer }>('SELECT body, body_sha256 FROM answers WHERE damaged = 0').iterate()) {
    if (!createHash('sha256').update(row.body).digest().equals(row.body_sha256)) return 'an answer is not what was stored'
  }
  return (db.pragma('foreign_key_check') as unknown[]).length === 0 ? null : 'rows refer to others that are not there'
}
