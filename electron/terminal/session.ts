import { AppError, toAppError } from '../../shared/domain/errors.ts'
import type { ErrorCode } from '../../shared/domain/errors.ts'
import { sentenceFor } from '../../shared/messages/sentences.ts'
import type { Core } from '../core/core.ts'
import type { Folder, FolderKind } from '../core/db/tables/folders.ts'
import type { StoredDocument } from '../core/db/tables/documents.ts'
import { isAboutFile } from '../core/pipeline/sending/outcome.ts'
import { normaliseBaseAddress } from '../core/platform/base-address.ts'
import { isSettled } from '../../shared/domain/document-status.ts'
import { dataDirOf } from '../data-dir.ts'
import { startHost } from '../host.ts'
import { fileSecrets } from '../system/secret-file.ts'
import type { NamedSchema, WatchArguments } from './arguments.ts'
import { reportSharedFolder } from './shared-folder.ts'

export type Session = { core: Core; connectionId: number; bills: boolean }

/** The platform that the environment chooses; null for this computer. Throws `usage` when only a part of it is set. */
function platformFrom(
  environment: NodeJS.ProcessEnv,
): { baseUrl: string; clientId: string; clientSecret: string } | null {
  const { SHEAF_BASE_URL: baseUrl, SHEAF_CLIENT_ID: clientId, SHEAF_CLIENT_SECRET: clientSecret } = environment
  if (!baseUrl && !clientId && !clientSecret) return null
  if (!baseUrl || !clientId || !clientSecret) {
    throw new AppError('usage', {
      problem: 'Set all of SHEAF_BASE_URL, SHEAF_CLIENT_ID and SHEAF_CLIENT_SECRET, or none for this computer',
    })
  }
  return { baseUrl: platformAddress(baseUrl), clientId, clientSecret }
}

function platformAddress(given: string): string {
  try {
    return normaliseBaseAddress(given)
  } catch (error) {
    throw new AppError('usage', {
      problem: `SHEAF_BASE_URL is not an http or https address: ${String(toAppError(error).details['address'])}`,
    })
  }
}

/**
 * Starts core for one command, on the connection that the environment names. Throws `restored_from_snapshot` when
 * nobody has looked at what a restore stopped: `resume` says that the person did.
 */
export async function openSession(
  environment: NodeJS.ProcessEnv,
  { concurrency, resume }: { concurrency: number | undefined; resume: boolean },
): Promise<Session> {
  const platform = platformFrom(environment)
  const dataDir = dataDirOf(environment)
  const stored = fileSecrets(dataDir)
  // The secret of the environment stays there: it is never written down.
  const held: { connectionId: number | null } = { connectionId: null }
  const secrets = {
    ...stored,
    get: async (id: number) => (platform !== null && id === held.connectionId ? platform.clientSecret : stored.get(id)),
  }
  const core = await startHost({
    dataDir,
    secrets,
    desktop: null,
    ...(concurrency === undefined ? {} : { concurrency }),
  })
  await reportSharedFolder(dataDir)
  const { connections } = core.context.tables
  if (platform === null) return { core, connectionId: connections.local().id, bills: false }
  const known = connections.findPlatform(platform.baseUrl, platform.clientId)
  const connectionId =
    known?.id ?? connections.addPlatform(new URL(platform.baseUrl).host, platform.baseUrl, platform.clientId)
  // A restored database that does not know the connection does not know either what was sent over it.
  const { recovery } = await core.handlers['storage.get']({})
  const stopped =
    known === null
      ? recovery !== null && recovery.how !== 'repaired'
      : known.pausedReason?.code === 'restored_from_snapshot'
  if (stopped && !resume) {
    connections.pause(connectionId, 'restored_from_snapshot', {})
    await core.stop({ atOnce: true })
    throw new AppError('restored_from_snapshot')
  }
  // Whoever starts the command again has looked at what stopped the connection.
  connections.resume(connectionId)
  held.connectionId = connectionId
  return { core, connectionId, bills: true }
}

/** The folder row that stands for the command's question: the same command finds its documents again. */
export function folderFor(
  session: Session,
  place: { kind: FolderKind; path: string; name: string },
  given: Pick<WatchArguments, 'schema' | 'schemaName' | 'otherSchemas' | 'cut' | 'agentReference' | 'mode'>,
): Folder {
  const { tables, now } = session.core.context
  const stored = ({ schema, schemaName }: NamedSchema): number =>
    (tables.schemas.findByElements(schema) ?? tables.schemas.save(null, schemaName, schema, now())).id
  const schemaId = stored(given)
  const folder = tables.folders.findOrAdd(
    {
      ...place,
      schemaId,
      otherSchemaIds: [...new Set(given.otherSchemas.map(stored))].filter((id) => id !== schemaId),
      cuts: given.cut ? 'sure' : 'never',
      connectionId: session.connectionId,
      agentReference: given.agentReference,
      mode: given.mode,
      includeSubfolders: true,
    },
    now(),
  )
  // What an earlier run left in the queue is sent as this run says.
  tables.documents.adoptFolder(folder.id)
  return folder
}

const unreachableTries = 5
const refusedTries = 50
const fileTries = 4

/** Why the remaining queued documents will not move without a person; null while they may still. */
export function blockedReason(session: Session, open: StoredDocument[]): AppError | null {
  const { core, connectionId } = session
  if (open.length === 0) return null
  if (!core.queue.idle || open.some((document) => document.status !== 'queued')) return null
  const { storageTrouble } = core.queue
  // Where another program holds the file (`busy`), that ends by itself.
  if (storageTrouble !== null && storageTrouble !== 'busy') return new AppError(`storage_${storageTrouble}`)
  const paused = core.context.tables.connections.get(connectionId)?.pausedReason ?? null
  if (paused !== null) return new AppError(paused.code, paused.details)
  const refusal = core.queue.held ? core.context.cap.refusal(open[0]!) : null
  return refusal === null ? failureReason(session, open) : capError(refusal)
}

/** The last failure, once it was tried often enough or nothing tries any more; null before. */
function failureReason({ core, connectionId }: Session, open: StoredDocument[]): AppError | null {
  const last = open.find((document) => document.reasonCode !== null)
  const reason =
    last === undefined ? new AppError('service_unavailable') : new AppError(last.reasonCode!, last.reasonDetails)
  const { folders } = core.context.tables
  const areFoldersPaused = open.every(({ folderId }) => folders.get(folderId)?.paused === true)
  const limit = reason.policy === 'throttle' ? refusedTries : unreachableTries
  const areFilesUnreadable = open.every(
    ({ tries, reasonCode }) => tries >= fileTries && reasonCode !== null && isAboutFile(reasonCode),
  )
  return areFoldersPaused || core.queue.failuresOf(connectionId) >= limit || areFilesUnreadable ? reason : null
}

/** Nobody is at hand to raise the cap. Null where something under way may still make room. */
function capError({ why, name, tokens }: NonNullable<ReturnType<Core['context']['cap']['refusal']>>): AppError | null {
  if (why === 'under_way') return null
  if (why === 'too_large') return new AppError('daily_cap_too_small', { name, tokens })
  return why === 'no_tokens' ? new AppError('tokens_not_named', { name }) : new AppError('daily_cap_reached')
}

/** Reasons that are no shortcoming of a file which merely lay in a folder that was given. */
const expectedInFolder = new Set<ErrorCode>([
  'hidden_file',
  'lock_file',
  'unfinished_download',
  'unsupported_type',
  'no_e_invoice',
  'mail_unpacked',
  'mail_without_documents',
  'symbolic_link',
  'not_a_file',
  'own_export',
])

/** Whether the document counts as done for the exit code; `named` when its file itself was named in the command. */
export function isAccepted(session: Session, document: StoredDocument, named: boolean): boolean {
  if (document.status === 'done') return true
  if (document.status !== 'skipped' || document.reasonCode === null) return false
  if (document.reasonCode === 'duplicate') return originalOf(session, document)?.status === 'done'
  return (
    document.reasonCode === 'mail_unpacked' ||
    document.reasonCode === 'cut' ||
    (!named && expectedInFolder.has(document.reasonCode))
  )
}

/** The document that a duplicate repeats. */
export function originalOf(session: Session, document: StoredDocument): StoredDocument | null {
  return document.originalDocumentId === null
    ? null
    : session.core.context.tables.documents.get(document.originalDocumentId)
}

export function isOpen(document: StoredDocument): boolean {
  return !isSettled(document.status)
}

/** Why a document is not done, where that is worth a line of its own. */
export function problemOf(document: StoredDocument): string | null {
  if (document.status === 'done' || document.reasonCode === 'cut') return null
  return reasonOf(document) ?? document.status
}

/** The English sentence for a document's reason; null when there is none. */
export function reasonOf(document: StoredDocument): string | null {
  return document.reasonCode === null ? null : sentenceFor(document.reasonCode, document.reasonDetails, 'en')
}

const checkDelayMs = 50

/** Resolves once `done` is true: asked soon after every event of core, many at once for one, and every second. */
export async function waitUntil(core: Core, done: () => boolean): Promise<void> {
  if (done()) return
  await new Promise<void>((resolve, reject) => {
    let soon: NodeJS.Timeout | null = null
    const check = (): void => {
      soon = null
      try {
        if (!done()) return
        finish()
        resolve()
      } catch (error) {
        finish()
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    }
    const timer = setInterval(check, 1000)
    const stop = core.onEvent(() => {
      soon ??= setTimeout(check, checkDelayMs)
    })
    const finish = (): void => {
      clearInterval(timer)
      if (soon !== null) clearTimeout(soon)
      stop()
    }
  })
}
