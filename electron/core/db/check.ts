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

/** Columns that hold JSON, and what stands for a value that is none any more; null in a table of settings: without it. */
const documents = [
  ['settings', 'value', null],
  ['connections', 'paused_details', '{}'],
  ['schema_versions', 'elements', '[]'],
  ['jobs', 'reason_details', '{}'],
  ['results', 'records', '[]'],
  ['results', 'sources', '[]'],
  ['results', 'summary', '[]'],
  ['exports', 'paths', '[]'],
  ['messages', 'reason_details', '{}'],
] as const

/** What SQLite does not see, since its pages have no checksums: text that is no JSON any more, answers that are not what came. */
export function contentFault(db: Database): string | null {
  if (sizeOf(db) > fullCheckBytes) return null
  for (const [table, column] of documents) {
    const wrong = db.prepare(`SELECT 1 FROM ${table} WHERE ${column} IS NOT NULL AND NOT json_valid(${column}) LIMIT 1`).get()
    if (wrong !== undefined) return `${table}.${column} cannot be read`
  }
  for (const row of db.prepare<[], { body: Buffer; body_sha256: Buffer }>('SELECT body, body_sha256 FROM answers').iterate()) {
    if (!createHash('sha256').update(row.body).digest().equals(row.body_sha256)) return 'an answer is not what was stored'
  }
  return (db.pragma('foreign_key_check') as unknown[]).length === 0 ? null : 'rows refer to others that are not there'
}

/** Makes a database with faults of content usable where no snapshot is better: everything that can be read stays. */
export function neutralise(db: Database): void {
  for (const [table, column, neutral] of documents) {
    if (neutral === null) db.exec(`DELETE FROM ${table} WHERE NOT json_valid(${column})`)
    else db.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${column} IS NOT NULL AND NOT json_valid(${column})`).run(neutral)
  }
}
