import { AppError } from '../../../shared/domain/errors.ts'
import type { TrialColumn } from '../../../shared/contract/schemas.ts'
import { parseSchema } from '../../../shared/domain/schema.ts'
import type { Column, Run } from '../trials/trials.ts'
import { estimateBatch } from '../usage/estimate.ts'
import { findDocument, requireKnown } from './lookups.ts'
import type { Handlers, HandlerContext } from './types.ts'

type TrialCalls = Extract<keyof Handlers, `trials.${string}`>

type Needs = Pick<HandlerContext, 'tables' | 'cap' | 'trials'>

export function trialHandlers(context: Needs): Pick<Handlers, TrialCalls> {
  const { tables, cap, trials } = context
  const find = (id: number): Run => {
    const run = trials.get(id)
    if (run === null) throw new AppError('not_found', { what: 'trial' })
    return run
  }
  return {
    'trials.begin': async ({ schemaId, connectionId, elements, documentIds }) => {
      requireKnown(context, { schemaId, connectionId })
      for (const id of documentIds) findDocument(context, id)
      return {
        id: trials.begin({ schemaId, connectionId, elements: parseSchema(elements) }, [...new Set(documentIds)]),
      }
    },
    'trials.get': async ({ id }) => {
      const { draft, columns } = find(id)
      const asking = columns
        .filter(({ state }) => state === 'asks')
        .map(({ documentId }) => findDocument(context, documentId))
      const batch = {
        schemaId: draft.schemaId,
        connectionId: draft.connectionId,
        documents: asking.length,
        skipped: 0,
        sizeBytes: asking.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      }
      return {
        id,
        connectionId: draft.connectionId,
        elements: draft.elements,
        columns: columns.map((column) => columnOf(context, column)),
        estimate: asking.length === 0 ? null : estimateBatch(tables, cap, batch),
      }
    },
    'trials.send': async ({ id, documentIds }) => {
      find(id)
      trials.send(id, documentIds)
      return {}
    },
    'trials.stop': async ({ id }) => {
      find(id)
      trials.stop(id)
      return {}
    },
  }
}

function columnOf(context: Needs, { documentId, state, error, records, isKept, wasSent }: Column): TrialColumn {
  const { tables } = context
  const document = findDocument(context, documentId)
  const stored =
    document.resultId === null
      ? null
      : {
          version: tables.schemas.versionOf(document.schemaVersionId).version,
          elements: tables.schemas.elementsOf(document.schemaVersionId),
          records: tables.results.get(document.resultId).records,
        }
  return {
    documentId,
    name: document.name,
    state,
    reason: error === null ? null : { code: error.code, details: error.details },
    records,
    isKept,
    wasSent,
    stored,
  }
}
