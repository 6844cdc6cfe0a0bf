import { AppError } from '../../../shared/errors.ts'
import type { TrialColumn } from '../../../shared/contract-schemas.ts'
import { parseSchema } from '../../../shared/schema.ts'
import type { Column, Run } from '../trying/trials.ts'
import { estimateBatch } from '../usage/estimate.ts'
import { findJob } from './jobs.ts'
import type { Handlers, HandlerContext } from './types.ts'

type TrialCalls = Extract<keyof Handlers, `trials.${string}`>

export function trialHandlers(context: HandlerContext): Pick<Handlers, TrialCalls> {
  const { tables, cap, trials } = context
  const find = (id: number): Run => {
    const run = trials.get(id)
    if (run === null) throw new AppError('not_found', { what: 'trial' })
    return run
  }
  return {
    'trials.begin': async ({ schemaId, connectionId, elements, jobIds }) => {
      if (tables.schemas.get(schemaId) === null) throw new AppError('not_found', { what: 'schema' })
      if (tables.connections.get(connectionId) === null) throw new AppError('not_found', { what: 'connection' })
      for (const id of jobIds) findJob(context, id)
      return { id: trials.begin({ schemaId, connectionId, elements: parseSchema(elements) }, [...new Set(jobIds)]) }
    },
    'trials.get': async ({ id }) => {
      const { draft, columns } = find(id)
      const asking = columns.filter(({ state }) => state === 'asks').map(({ jobId }) => findJob(context, jobId))
      const batch = { schemaId: draft.schemaId, connectionId: draft.connectionId, documents: asking.length, skipped: 0, sizeBytes: asking.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) }
      return {
        id,
        connectionId: draft.connectionId,
        elements: draft.elements,
        columns: columns.map((column) => columnOf(context, column)),
        estimate: asking.length === 0 ? null : estimateBatch(tables, cap, batch),
      }
    },
    'trials.send': async ({ id, jobIds }) => {
      find(id)
      trials.send(id, jobIds)
      return {}
    },
    'trials.stop': async ({ id }) => {
      find(id)
      trials.stop(id)
      return {}
    },
  }
}

function columnOf(context: HandlerContext, { jobId, state, error, records, isKept, wasSent }: Column): TrialColumn {
  const { tables } = context
  const job = findJob(context, jobId)
  const stored =
    job.resultId === null
      ? null
      : { version: tables.schemas.versionOf(job.schemaVersionId).version, elements: tables.schemas.elementsOf(job.schemaVersionId), records: tables.results.get(job.resultId).records }
  return { jobId, name: job.name, state, reason: error === null ? null : { code: error.code, details: error.details }, records, isKept, wasSent, stored }
}
