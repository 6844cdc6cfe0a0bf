import { setImmediate } from 'node:timers/promises'
import type { CallOutput } from '../../../shared/contract/contract.ts'
import { toAppError } from '../../../shared/domain/errors.ts'
import type { AppError } from '../../../shared/domain/errors.ts'
import { inTransaction } from '../pipeline/context.ts'
import type { Identity } from '../pipeline/files/identify.ts'
import { storeExtra, versionOf } from '../pipeline/extra-document.ts'
import type { StoredDocument } from '../db/tables/documents.ts'
import { findDocument, pagesOf, requireKnown } from './lookups.ts'
import type { Handlers, HandlerContext } from './types.ts'

/**
 * So many files are looked at beside one another: what is uploaded from the same share must not wait behind all of
 * them.
 */
const concurrentReads = 4

type Needs = Pick<HandlerContext, 'tables' | 'queue' | 'files' | 'now' | 'emit'>

export function extraDocumentHandlers(context: Needs): Pick<Handlers, 'documents.extractWith'> {
  const { tables, queue } = context
  return {
    'documents.extractWith': async ({ ids, schemaId, connectionId }) => {
      requireKnown(context, { schemaId, connectionId })
      const schemaVersionId = tables.schemas.get(schemaId)!.versionId
      const asked: CallOutput<'documents.extractWith'> = {
        queued: 0,
        linked: 0,
        known: 0,
        refused: 0,
        problem: null,
        id: null,
      }
      const refuse = (name: string, error: unknown): void => {
        const { code, details } = toAppError(error)
        if (code === 'internal') throw error
        asked.refused += 1
        asked.problem ??= { code, details, name }
      }
      for (const page of pagesOf([...new Set(ids)])) {
        const looked = await lookAt(context, page)
        inTransaction(context, (inside) => {
          for (const { document, version } of looked) {
            try {
              if (!('sha256' in version)) throw version
              const { firstPage, lastPage } = document
              const question = { schemaVersionId, connectionId, firstPage, lastPage }
              const { kind, id } = storeExtra(inside, document, version, question)
              asked[kind] += 1
              if (ids.length === 1) asked.id = id
            } catch (error) {
              refuse(document.name, error)
            }
          }
        })
        queue.wake()
        await setImmediate()
      }
      return asked
    },
  }
}

/** What each document's file is now, or why it cannot be sent, in their order. Throws `not_found`. */
async function lookAt(
  context: Needs,
  ids: number[],
): Promise<{ document: StoredDocument; version: Identity | AppError }[]> {
  const looked: { document: StoredDocument; version: Identity | AppError }[] = []
  const left = ids.map((id) => findDocument(context, id)).entries()
  const lookNext = async (): Promise<void> => {
    for (const [index, document] of left)
      looked[index] = { document, version: await versionOf(context, document).catch(toAppError) }
  }
  await Promise.all(Array.from({ length: concurrentReads }, lookNext))
  return looked
}
