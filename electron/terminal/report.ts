import type { Core } from '../core/core.ts'
import type { Job } from '../core/db/jobs.ts'
import { summarise } from '../core/pipeline/assess.ts'
import { reasonOf } from './session.ts'

/** One line of `--json` for a file: its state, why, and what was extracted. */
export function jsonLine(core: Core, file: string, job: Job): string {
  const { tables } = core.context
  const original = job.originalJobId === null ? null : tables.jobs.get(job.originalJobId)
  const resultId = job.resultId ?? original?.resultId ?? null
  const row = tables.jobList.get(job.id)
  const metadata =
    resultId === null ? null : { filename: job.name, duration: row?.durationMs ?? null, tokens_consumed: row?.tokensConsumed ?? null }
  return JSON.stringify({
    file,
    status: job.status,
    reason: reasonOf(job),
    records: resultId === null ? [] : tables.results.get(resultId).records,
    metadata,
  })
}

/** One line for a person: state, name and the first values. Control characters of a name are shown, not obeyed. */
export function plainLine(core: Core, file: string, job: Job): string {
  const { tables } = core.context
  const result = job.resultId === null ? null : tables.results.get(job.resultId)
  const values =
    result === null
      ? (reasonOf(job) ?? '')
      : summarise(result.records, tables.schemas.elementsOf(job.schemaVersionId))
          .map(({ name, value }) => `${name}: ${value ?? '–'}`)
          .join(' · ')
  return `${job.status.padEnd(9)} ${printable(file)}  ${printable(values)}`
}

/** Text for a terminal: control characters, also those that turn the direction, become visible escapes. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The same for text of several lines, which stay lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}
