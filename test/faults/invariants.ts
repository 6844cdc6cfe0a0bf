import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect } from 'vitest'
import { documentStatuses } from '../../shared/domain/document-status.ts'

export type Facts = {
  /** Every file that ever appeared, by the path it has now (a file that was moved to `Done` by that one). */
  paths: string[]
  /** Requests that arrived whole at a service that bills. */
  billable: number
  /** Files that were sent at least once. */
  filesSent: number
  /** Resends that a person, or the person's setting, approved. */
  approvedResends: number
}

/**
 * What must hold after every fault: each file that ever appeared is in exactly one known state, what was received is
 * stored, nothing was paid for twice unknowingly, and the database is whole. Fails the test that calls it otherwise.
 */
export function expectInvariants(dataDir: string, facts: Facts): void {
  const db = new Sqlite(join(dataDir, 'sheaf.db'), { readonly: true })
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    const places = db.prepare<
      [],
      { path: string; status: string; reason_code: string | null; result_id: number | null }
    >(
      'SELECT path, status, reason_code, result_id FROM documents WHERE id IN (SELECT max(id) FROM documents GROUP BY folder_id, path)',
    )
    const states = new Map<string, string[]>()
    for (const row of places.all()) states.set(row.path, [...(states.get(row.path) ?? []), row.status])
    for (const path of facts.paths) {
      expect(states.get(path), `the state of ${path}`).toHaveLength(1)
      expect(documentStatuses, path).toContain(states.get(path)![0])
    }
    const unexplained = db
      .prepare(
        "SELECT path, status FROM documents WHERE status IN ('failed', 'unknown', 'skipped') AND reason_code IS NULL",
      )
      .all()
    expect(unexplained, 'documents that ended without a reason').toEqual([])
    const lost = db.prepare("SELECT path FROM documents WHERE status = 'done' AND result_id IS NULL").all()
    expect(lost, 'documents that are done and have no result').toEqual([])
    expect(facts.billable, 'requests that bill').toBe(facts.filesSent + facts.approvedResends)
  } finally {
    db.close()
  }
}
