import type { UsageReport, usageTotals } from '../../../shared/contract/usage.ts'
import type { z } from 'zod'
import { AppError } from '../../../shared/domain/errors.ts'
import type { Tables } from '../db/tables/tables.ts'
import { daysBetween } from './days.ts'

type Totals = z.output<typeof usageTotals>

const maxSpanDays = 1100

const none = (): Totals => ({ documents: 0, tokens: 0, questions: 0 })

/**
 * What was used from one day to another, both included, on every connection. A document counts on the day it was sent,
 * each time it was sent (unless the service did not take it): what failed or was lost may be billed as well. Tokens
 * count on the day the service named them. Questions belong to no folder and no schema: they stand under the id null
 * there. Throws `invalid_input` for a span that is none, or longer than three years. Days are read one by one, so that
 * a long span does not hold up anything else.
 */
export async function usageReport(tables: Tables, from: string, to: string): Promise<UsageReport> {
  const span = daysBetween(from, to, maxSpanDays + 1)
  if (span.length === 0 || span.length > maxSpanDays)
    throw new AppError('invalid_input', { problem: 'the span of days is empty or too long' })
  const review = tables.reviewWork.between(from, to)
  const report: UsageReport = { days: [], folders: [], schemas: [], total: none(), review }
  const folders = new Map<number | null, Totals>()
  const schemas = new Map<number | null, Totals>()
  for (const { day, from: start, until } of span) {
    const ofDay = none()
    for (const { folderId, schemaId, documents, tokens } of tables.usage.parts(start, until)) {
      for (const totals of [ofDay, entry(folders, folderId), entry(schemas, schemaId)])
        add(totals, { documents, tokens, questions: 0 })
    }
    const { questions, tokens } = tables.usage.questions(start, until)
    if (questions + tokens > 0) {
      for (const totals of [ofDay, entry(folders, null), entry(schemas, null)])
        add(totals, { documents: 0, tokens, questions })
    }
    add(report.total, ofDay)
    report.days.push({ day, ...ofDay })
    await new Promise((resolve) => setImmediate(resolve))
  }
  report.folders = named(folders, (id) => tables.folders.get(id)?.name)
  report.schemas = named(schemas, (id) => tables.schemas.get(id)?.name)
  return report
}

function add(totals: Totals, more: Totals): void {
  totals.documents += more.documents
  totals.tokens += more.tokens
  totals.questions += more.questions
}

function entry(map: Map<number | null, Totals>, id: number | null): Totals {
  const totals = map.get(id) ?? none()
  map.set(id, totals)
  return totals
}

/** The largest first. */
function named(map: Map<number | null, Totals>, nameOf: (id: number) => string | undefined): UsageReport['folders'] {
  return [...map]
    .map(([id, totals]) => ({ id, name: id === null ? '' : (nameOf(id) ?? ''), ...totals }))
    .sort((a, b) => b.tokens - a.tokens || b.documents - a.documents)
}
