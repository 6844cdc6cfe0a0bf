import { isSettled } from '../../../../shared/domain/document-status.ts'
import { isAsking } from '../../../../shared/domain/sorting.ts'
import type { SortedPart } from '../../../../shared/domain/sorting.ts'
import { reasonsToTakeAnew } from '../../db/tables/places.ts'
import type { StoredDocument } from '../../db/tables/documents.ts'
import type { StoreContext } from '../context.ts'
import { transition } from '../documents/transition.ts'
import { storeExtra } from '../extra-document.ts'
import type { Extra } from '../extra-document.ts'

/**
 * Makes documents of the parts of a file that are documents, in a transaction of the caller: what was asked of the
 * same pages before is not asked again. A part of which nobody knows the schema waits for a person. Returns what came
 * of each, in their order; `asked`: it waits.
 */
export function storeParts(
  context: StoreContext,
  whole: StoredDocument,
  parts: readonly SortedPart[],
  byPerson: boolean,
): (Extra | { kind: 'asked'; id: number })[] {
  return parts
    .filter(({ isNone }) => isNone !== true)
    .map((part) => {
      const { schemaId } = part
      const isKnown = schemaId !== null
      const made = isKnown ? storeKnown(context, whole, schemaId, part) : storeAsked(context, whole, part)
      context.tables.sortings.save(made.id, { parts: [part], isSettled: isKnown, byPerson: byPerson && isKnown })
      return made
    })
}

function storeKnown(context: StoreContext, whole: StoredDocument, schemaId: number, { pages }: SortedPart): Extra {
  const { connectionId, mode, sizeBytes, mtimeMs, sha256 } = whole
  const schemaVersionId = context.tables.schemas.get(schemaId)!.versionId
  const asked = { schemaVersionId, connectionId, mode, firstPage: pages.first, lastPage: pages.last }
  return storeExtra(context, whole, { sizeBytes, mtimeMs, sha256: sha256! }, asked)
}

function storeAsked(
  { tables, now, emit }: StoreContext,
  whole: StoredDocument,
  { pages }: SortedPart,
): { kind: 'asked'; id: number } {
  const { id: _, ...same } = whole
  const status = 'skipped'
  const id = tables.documents.insert(
    {
      ...same,
      firstPage: pages.first,
      lastPage: pages.last,
      extra: true,
      status,
      reason: { code: 'kind_unsure', details: {} },
      originalDocumentId: null,
    },
    now(),
  )
  tables.mails.copy(whole.id, id)
  emit('document.changed', { id, status })
  return { kind: 'asked', id }
}

/** Parts that were missed at their turn, or that a person did not want for a while, wait for their turn again. */
export function requeueParts(context: StoreContext, whole: StoredDocument): void {
  for (const { id, status, reasonCode } of context.tables.documents.partsOf(whole))
    if (isSettled(status) && reasonsToTakeAnew.has(reasonCode)) transition(context, id, 'requeue')
}

/** Another version lies in the place of a file that was cut: nobody is asked any more what parts of it are. */
export function giveUpParts(context: StoreContext, whole: StoredDocument): void {
  for (const { id, reasonCode } of context.tables.documents.partsOf(whole))
    if (isAsking(reasonCode)) transition(context, id, 'skip', { reason: { code: 'file_replaced', details: {} } })
}
