// enters: a document of which a person wants something else extracted as well
// leaves: a document of its own for that, beside the first one: `queued`, or `skipped` as a copy of one that was asked
// the same
import { AppError, toAppError } from '../../../shared/domain/errors.ts'
import { isWithoutResult } from '../../../shared/domain/document-status.ts'
import type { ExtractionMode } from '../../../shared/domain/document-status.ts'
import type { StoredDocument, Question } from '../db/tables/documents.ts'
import { restore } from './bin.ts'
import type { Context, StoreContext } from './context.ts'
import { duplicateOf } from './documents/copies.ts'
import { currentFile, orFolderOffline, requireNotMoving } from './files/current-file.ts'
import { identify } from './files/identify.ts'
import type { Identity } from './files/identify.ts'

/** What is asked of a file, or of some of its pages; by its size where no mode is given. */
type Asked = Omit<Question, 'agentReference'> & { mode?: ExtractionMode }

/** `known`: the same was asked of this very file, and its document is the answer. */
export type Extra = { kind: 'queued' | 'linked' | 'known'; id: number }

/**
 * The version of its file that a document stands for, if that can be sent. It is read only where it may be another one.
 * Throws what keeps it from being sent: the reasons of intake, `file_missing`, `file_replaced`, `folder_offline`,
 * `file_unreadable`.
 */
export async function versionOf(
  context: Pick<Context, 'tables' | 'files'>,
  document: StoredDocument,
): Promise<Identity> {
  if (document.reasonCode === 'own_export') throw new AppError('own_export')
  try {
    requireNotMoving(context, document)
    const candidate = await currentFile(context, document)
    const { sizeBytes, mtimeMs, sha256 } = document
    if (sha256 !== null && candidate.sizeBytes === sizeBytes && candidate.mtimeMs === mtimeMs)
      return { sizeBytes, mtimeMs, sha256 }
    const identity = await identify(context.files, document.path, document.name)
    if (sha256 !== null && !identity.sha256.equals(sha256)) throw new AppError('file_replaced')
    return identity
  } catch (error) {
    throw await orFolderOffline(context, document, toAppError(error))
  }
}

/**
 * Makes the document, in a transaction of the caller. What was asked before is not asked again: of this file its
 * document stands for it, sent once more only where it ended and nothing can have been billed; of another file with the
 * same content it is a copy. What a person put into the bin is wanted again.
 */
export function storeExtra(context: StoreContext, document: StoredDocument, version: Identity, asked: Asked): Extra {
  requireNotMoving(context, document)
  const { tables, now, emit } = context
  const { mode = 'auto', ...what } = asked
  const question = { ...what, agentReference: null, sha256: version.sha256 }
  const twin = tables.documents.findTwin(question)
  const here =
    twin !== null && twin.folderId === document.folderId && twin.path === document.path
      ? twin
      : tables.documents.extraAt(document, question)
  if (here !== null) return useAgain(context, here, twin === null)
  const [kind, status] = twin === null ? (['queued', 'queued'] as const) : (['linked', 'skipped'] as const)
  const id = tables.documents.insert(
    {
      ...what,
      ...version,
      folderId: document.folderId,
      agentReference: null,
      mode,
      path: document.path,
      name: document.name,
      extra: true,
      status,
      reason: twin === null ? null : duplicateOf(context, twin),
      originalDocumentId: twin?.id ?? null,
    },
    now(),
  )
  tables.mails.copy(document.id, id)
  emit('document.changed', { id, status })
  return { kind, id }
}

/** What was asked before of this file; `isOnly`: no other document answers the same. */
function useAgain(context: StoreContext, here: StoredDocument, isOnly: boolean): Extra {
  const { tables, now, emit } = context
  const isFree = isWithoutResult(here.status) && isOnly && !tables.attempts.mayBeBilled(here.id)
  if (here.inBin) restore(context, here)
  if (isFree) tables.documents.apply(here.id, 'requeue', {}, now())
  const { status } = tables.documents.get(here.id)!
  if (status !== 'queued' || here.status === 'queued') return { kind: 'known', id: here.id }
  emit('document.changed', { id: here.id, status })
  return { kind: 'queued', id: here.id }
}
