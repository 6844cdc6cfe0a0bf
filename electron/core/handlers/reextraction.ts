import { maxChangedDocuments, maxChanges } from '../../../shared/contract/reextraction.ts'
import type { ReextractionState } from '../../../shared/contract/reextraction.ts'
import type { Reextraction } from '../trials/reextraction.ts'
import { estimateBatch } from '../usage/estimate.ts'
import { findDocument, findSchema } from './lookups.ts'
import type { Handlers, HandlerContext } from './types.ts'

type ReextractionCalls = Extract<keyof Handlers, `reextraction.${string}`>

type Needs = Pick<HandlerContext, 'tables' | 'cap' | 'reextractions' | 'person' | 'workbooks'>

export function reextractionHandlers(context: Needs): Pick<Handlers, ReextractionCalls> {
  const { reextractions, person, workbooks } = context
  return {
    'reextraction.get': async ({ schemaId }) => {
      const found = reextractions.get(schemaId)
      return { state: found === null ? null : stateOf(context, found) }
    },
    'reextraction.begin': async ({ schemaId }) => {
      findSchema(context, schemaId)
      reextractions.begin(schemaId)
      return {}
    },
    'reextraction.send': async ({ schemaId, connectionId }) => {
      reextractions.send(schemaId, connectionId)
      return {}
    },
    'reextraction.discard': async ({ schemaId }) => {
      reextractions.discard(schemaId)
      return {}
    },
    'reextraction.apply': async ({ schemaId }) => {
      const changed = await reextractions.apply(schemaId, person)
      workbooks.flush()
      return { changed }
    },
    'reextraction.takeBack': async ({ schemaId }) => {
      const changed = await reextractions.takeBack(schemaId)
      workbooks.flush()
      return { changed }
    },
  }
}

const statesUnderWay = new Set(['looking', 'waiting', 'sending'])

function stateOf(context: Needs, { schemaId, runs }: Reextraction): ReextractionState {
  const { reextractions } = context
  const columns = runs.flatMap((run) => run.columns)
  const nameOf = (documentId: number): string => findDocument(context, documentId).name
  const previews = columns.flatMap((column) => reextractions.preview(column) ?? [])
  const changed = previews.filter(({ changes }) => changes.length > 0)
  const problems = columns.flatMap((column) => {
    const error = reextractions.problem(column)
    return error === null ? [] : [{ documentId: column.documentId, error }]
  })
  return {
    documents: columns.length,
    answered: previews.length,
    underWay: columns.filter(({ state }) => statesUnderWay.has(state)).length,
    asking: runs.flatMap(({ draft: { connectionId }, columns: asked }) => {
      const asking = asked.filter(({ state }) => state === 'asks')
      const sizeBytes = asking.reduce((sum, { documentId }) => sum + findDocument(context, documentId).sizeBytes, 0)
      const batch = { schemaId, connectionId, documents: asking.length, skipped: 0, sizeBytes }
      return asking.length === 0 ? [] : [{ connectionId, estimate: estimateBatch(context.tables, context.cap, batch) }]
    }),
    changed: changed.length,
    approved: changed.filter(({ isApproved }) => isApproved).length,
    corrections: previews.reduce((sum, { corrections }) => sum + corrections.length, 0),
    changes: changed.slice(0, maxChangedDocuments).map(({ documentId, changes }) => ({
      documentId,
      name: nameOf(documentId),
      changes: changes.slice(0, maxChanges),
      more: Math.max(0, changes.length - maxChanges),
    })),
    problems: problems.slice(0, maxChangedDocuments).map(({ documentId, error: { code, details } }) => ({
      documentId,
      name: nameOf(documentId),
      reason: { code, details },
    })),
    failed: problems.length,
  }
}
