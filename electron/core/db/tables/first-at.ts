import type { Database } from '../open.ts'

/**
 * Finds the first row of a table that is not older than a time (epoch ms), by halving: rows are written in the order of
 * their ids, so that a time needs no index of its own. One past the last id when all are older. What was written while
 * the computer's clock was wrong can be on the wrong side.
 */
export function firstAt(db: Database, table: 'documents' | 'review_entries'): (time: number) => number {
  const next = db.prepare<[number], { id: number; at: number }>(
    `SELECT id, created_at AS at FROM ${table} WHERE id >= ? ORDER BY id LIMIT 1`,
  )
  const last = db.prepare<[], { id: number | null }>(`SELECT max(id) AS id FROM ${table}`)
  return (time) => {
    let low = 1
    let high = (last.get()?.id ?? 0) + 1
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const row = next.get(middle)
      if (row === undefined || row.at >= time) high = middle
      else low = row.id + 1
    }
    return low
  }
}
