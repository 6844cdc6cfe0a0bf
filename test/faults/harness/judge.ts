import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { isSettled } from '../../../shared/domain/document-status.ts'
import type { DocumentStatus } from '../../../shared/domain/document-status.ts'

export type Verdict = {
  integrity: string
  /** Files without exactly one known state, paid results that are not there, and results of another file. */
  lost: string[]
  /** Documents that were billed more often than once and once for each approved resend. */
  duplicates: string[]
  /** Documents by their final status. */
  statuses: Partial<Record<DocumentStatus, number>>
  /** Without those that were refused for now: what is sent then is the same approval. */
  approvedResends: number
}

type Row = {
  id: number
  name: string
  status: DocumentStatus
  reason_code: string | null
  values: string | null
  approved: number
  paid_answers: number
}

/**
 * What must hold of a data folder whose program has ended: each document is in exactly one known, explained state, what
 * was received is its result, and nobody paid twice for it without having said so. `billed` is what the service worked
 * on.
 */
export function judge(dataDir: string, names: readonly string[], billed: ReadonlyMap<string, number>): Verdict {
  const db = new Sqlite(join(dataDir, 'sheaf.db'), { readonly: true })
  try {
    const rows = db
      .prepare<[], Row>(
        `SELECT j.id, j.name, j.status, j.reason_code, r.records AS "values",
           (SELECT count(*) FROM attempts a WHERE a.document_id = j.id AND a.approved IS NOT NULL AND a.outcome <> 'returned') AS approved,
           (SELECT count(*) FROM answers w JOIN attempts a ON a.id = w.attempt_id WHERE a.document_id = j.id AND w.complete = 1
              AND CAST(w.body AS TEXT) LIKE '%"status":"success"%') AS paid_answers
         FROM documents j LEFT JOIN results r ON r.id = j.result_id`,
      )
      .all()
    const byName = Map.groupBy(rows, ({ name }) => name)
    const verdict: Verdict = {
      integrity: String(db.pragma('integrity_check', { simple: true })),
      lost: [],
      duplicates: [],
      statuses: {},
      approvedResends: 0,
    }
    for (const name of names) {
      const of = byName.get(name) ?? []
      byName.delete(name)
      const [row] = of
      if (row === undefined || of.length > 1) {
        verdict.lost.push(
          `${name} has ${of.length} states${of.length > 1 ? ` (${of.map(({ status }) => status).join(', ')})` : ''}`,
        )
        continue
      }
      verdict.statuses[row.status] = (verdict.statuses[row.status] ?? 0) + 1
      verdict.approvedResends += row.approved
      const times = billed.get(name) ?? 0
      if (times > 1 + row.approved)
        verdict.duplicates.push(`${name} was billed ${times} times with ${row.approved} approved resends`)
      const problem = problemOf(row, times)
      if (problem !== null) verdict.lost.push(`${name}: ${problem}`)
    }
    for (const name of byName.keys()) verdict.lost.push(`${name} is in the database and was never there`)
    return verdict
  } finally {
    db.close()
  }
}

function problemOf(row: Row, billed: number): string | null {
  if (!isSettled(row.status)) return `it is still ${row.status}`
  if (row.status !== 'done') {
    if (row.reason_code === null) return `it is ${row.status} without a reason`
    return row.paid_answers > 0 ? `it is ${row.status} (${row.reason_code}), and its result had come` : null
  }
  if (row.values === null) return 'it is done and has no result'
  const [first] = JSON.parse(row.values) as Record<string, unknown>[]
  if (first?.['invoice_number'] !== row.name.replace(/\.\w+$/, ''))
    return `its result is of another file (${String(first?.['invoice_number'])})`
  return billed === 0 ? 'it has a result that nobody worked for' : null
}
