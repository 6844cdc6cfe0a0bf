import type { Estimate } from '../../../shared/contract/usage.ts'
import type { Tables } from '../db/tables/tables.ts'
import type { DailyCap } from './cap.ts'

/** What would be sent: after the rules of intake. */
export type Batch = { connectionId: number; schemaId: number; documents: number; skipped: number; sizeBytes: number }

/**
 * What a batch would come to. Tokens are the mean of the last results of this schema on this connection, times the
 * documents; null while none has been measured. What is queued already goes before it and uses up the cap first.
 */
export function estimateBatch(tables: Tables, cap: DailyCap, batch: Batch): Estimate {
  const { connectionId, schemaId, documents, skipped, sizeBytes } = batch
  const { documents: measured, mean } = tables.usage.measured(connectionId, schemaId)
  const bills = tables.connections.bills(connectionId)
  const { documentsToday, documentCap, tokensToday, tokenCap } = cap.state()
  const ahead = bills ? tables.usage.queued().reduce((sum, waiting) => sum + waiting.documents, 0) : 0
  const room = [
    documentCap === null ? documents : documentCap - documentsToday - ahead,
    tokenCap === null || measured === 0 || mean === 0 ? documents : Math.floor((tokenCap - tokensToday) / mean) - ahead,
    cap.isBarred(connectionId, schemaId) ? 0 : documents,
  ]
  return {
    documents,
    skipped,
    sizeBytes,
    tokens: measured === 0 ? null : Math.round(mean * documents),
    measured,
    bills,
    heldByCap: bills ? documents - Math.max(0, Math.min(documents, ...room)) : 0,
  }
}
