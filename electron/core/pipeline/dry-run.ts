// enters: a folder that is watched, or may be, and everything that is known of its files
// leaves: what would become of each file that lies there now; nothing is stored and nothing is sent
import { basename, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { dryRunReasons, maxDryRunNames } from '../../../shared/contract/folders.ts'
import type { DryRun, DryRunReason } from '../../../shared/contract/folders.ts'
import { AppError, isSkipCode, toAppError } from '../../../shared/domain/errors.ts'
import { isReadHereOnly } from '../../../shared/domain/limits.ts'
import type { ErrorCode, SkipCode } from '../../../shared/domain/errors.ts'
import { leftOutBy } from '../patterns.ts'
import type { Folder } from '../db/tables/folders.ts'
import type { Tables } from '../db/tables/tables.ts'
import type { Context } from './context.ts'
import { refusalOf } from './files/file-rules.ts'
import type { Candidate } from './files/file-rules.ts'
import { identify } from './files/identify.ts'
import { filesBelow } from './files/list-files.ts'
import { isOwnExport, ownFilesIn } from './files/own-files.ts'

export type DryRunTarget = Pick<
  Folder,
  'path' | 'includeSubfolders' | 'afterwards' | 'include' | 'exclude' | 'schemaId' | 'connectionId' | 'agentReference'
> & {
  /** The folder that is watched at this place; null when none is. */
  folderId: number | null
}

export type DryRunProgress = { files: number; compared: number; toCompare: number }

type Found = Omit<DryRun, 'estimate'>
type Judged = { candidate: Candidate; why: DryRunReason | null }

const turnLength = 200
/** As at intake: what is uploaded from the same share must not wait behind all of them. */
const concurrentReads = 2
/** More than this is not read for a dry run. */
const maxReadBytes = 2 * 1024 ** 3

/**
 * Looks at a folder as a sweep and intake would. Contents are read only where another file there, or any document, has
 * the same size. Once `signal` is aborted it ends: null while files are still listed, else what is known until then.
 * Throws `folder_missing` when the folder cannot be listed.
 */
export async function dryRun(
  context: Pick<Context, 'tables' | 'files' | 'dataDirPaths'>,
  target: DryRunTarget,
  {
    signal,
    onProgress,
    maxBytes = maxReadBytes,
  }: { signal: AbortSignal; onProgress: (progress: DryRunProgress) => void; maxBytes?: number },
): Promise<Found | null> {
  const listed = await list(context, target, signal, (files) => onProgress({ files, compared: 0, toCompare: 0 }))
  if (listed === null) return null
  const { found, leftOut } = listed
  const files = found.length + leftOut.length
  const judged: Judged[] = []
  await inTurns(
    found,
    async (candidate) => void judged.push({ candidate, why: await whyByEntry(context, target, candidate) }),
  )
  const notCompared = await compare(context, target, judged, {
    signal,
    maxBytes,
    onCompared: (compared, toCompare) => onProgress({ files, compared, toCompare }),
  })
  const taken = judged.filter(({ why }) => why === null)
  return {
    files,
    documents: taken.length,
    sizeBytes: taken.reduce((sum, { candidate }) => sum + candidate.sizeBytes, 0),
    readHere: taken.filter(({ candidate }) => isReadHereOnly(candidate.path)).length,
    groups: groupsOf(target.path, [...judged, ...leftOut.map((candidate): Judged => ({ candidate, why: 'left_out' }))]),
    notCompared,
  }
}

/** Null when it was stopped. */
async function list(
  { files, dataDirPaths }: Pick<Context, 'files' | 'dataDirPaths'>,
  target: DryRunTarget,
  signal: AbortSignal,
  onFound: (files: number) => void,
): Promise<{ found: Candidate[]; leftOut: Candidate[] } | null> {
  const isLeftOut = leftOutBy(target)
  try {
    const all = await filesBelow(files, target.path, {
      recursive: target.includeSubfolders,
      ignores: ownFilesIn(target, dataDirPaths),
      onFound,
      signal,
    })
    if (all === null) throw new AppError('folder_missing', { path: target.path })
    return {
      found: all.filter(({ path }) => !isLeftOut(basename(path))),
      leftOut: all.filter(({ path }) => isLeftOut(basename(path))),
    }
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

/** What its name, its directory entry and its place say of a file; null when that is not why it would not be sent. */
async function whyByEntry(
  context: Pick<Context, 'tables' | 'files'>,
  target: DryRunTarget,
  candidate: Candidate,
): Promise<DryRunReason | null> {
  const refused = refusalOf(basename(candidate.path), candidate)
  if (refused !== null) return skipReasons[refused.code]
  if (await isOwnExport(context, candidate.path)) return 'own_export'
  const { tables } = context
  const isThis = (version: { sizeBytes: number; mtimeMs: number } | null): boolean =>
    version !== null &&
    (candidate.unreadable !== undefined ||
      (version.sizeBytes === candidate.sizeBytes && version.mtimeMs === candidate.mtimeMs))
  if (foldersKnowing(tables, target).some((id) => isThis(tables.places.versionAt(id, candidate.path)))) return 'known'
  if (target.folderId !== null && isThis(tables.earlierFiles.versionAt(target.folderId, candidate.path)))
    return 'earlier'
  return candidate.unreadable === undefined ? null : 'file_unreadable'
}

/** Whose documents count for a target: those of its folder, or of one that was removed and would be watched again. */
function foldersKnowing(tables: Tables, { folderId, path, schemaId, connectionId }: DryRunTarget): number[] {
  return folderId === null ? tables.usage.foldersAt(path, schemaId, connectionId) : [folderId]
}

type Comparing = { signal: AbortSignal; maxBytes: number; onCompared: (compared: number, toCompare: number) => void }

/** Finds by their content those that are copies; returns how many were not looked at for that. */
async function compare(
  context: Pick<Context, 'tables' | 'files'>,
  target: DryRunTarget,
  judged: Judged[],
  { signal, maxBytes, onCompared }: Comparing,
): Promise<number> {
  const { tables, files } = context
  const open = judged.filter(({ why }) => why === null)
  const ofSize = new Map<number, number>()
  for (const { candidate } of open) ofSize.set(candidate.sizeBytes, (ofSize.get(candidate.sizeBytes) ?? 0) + 1)
  const doubtful: Judged[] = []
  await inTurns(open, (one) => {
    const { sizeBytes } = one.candidate
    if (ofSize.get(sizeBytes)! > 1 || tables.documents.hasSize(sizeBytes)) doubtful.push(one)
  })
  const contents = new Map<Judged, Buffer>()
  let [compared, bytes] = [0, 0]
  const left = doubtful.values()
  const readNext = async (): Promise<void> => {
    for (const one of left) {
      bytes += one.candidate.sizeBytes
      if (signal.aborted || bytes > maxBytes) return
      try {
        contents.set(one, (await identify(files, one.candidate.path, basename(one.candidate.path))).sha256)
      } catch (error) {
        const { code } = toAppError(error)
        // What is still being written is a document all the same.
        one.why = code === 'file_changed' ? null : reasonOf(code)
      }
      compared += 1
      onCompared(compared, doubtful.length)
    }
  }
  await Promise.all(Array.from({ length: concurrentReads }, readNext))
  const schemaVersionId = tables.schemas.get(target.schemaId)!.versionId
  const local = { connectionId: tables.connections.local().id, agentReference: null }
  const { connectionId, agentReference } = target
  const wayOf = (path: string): Pick<DryRunTarget, 'connectionId' | 'agentReference'> =>
    isReadHereOnly(path) ? local : { connectionId, agentReference }
  const seen = new Set<string>()
  // In the order of names, as intake: the first of several is the one that is sent.
  await inTurns(doubtful, (one) => {
    const sha256 = contents.get(one)
    if (sha256 === undefined) return
    const content = sha256.toString('hex')
    if (
      seen.has(content) ||
      tables.documents.findTwin({
        sha256,
        schemaVersionId,
        firstPage: null,
        lastPage: null,
        ...wayOf(one.candidate.path),
      }) !== null
    )
      one.why = 'duplicate'
    seen.add(content)
  })
  return doubtful.length - compared
}

/** Does something with each of them, so many in one go: neither the window nor what is being sent waits for longer. */
async function inTurns<T>(all: readonly T[], work: (one: T) => void | Promise<void>): Promise<void> {
  for (const [index, one] of all.entries()) {
    await work(one)
    if (index % turnLength === turnLength - 1) await setImmediate()
  }
}

/** As what a file is shown that intake would skip. */
const skipReasons: Record<SkipCode, DryRunReason> = {
  hidden_file: 'hidden_file',
  lock_file: 'lock_file',
  unfinished_download: 'unfinished_download',
  symbolic_link: 'symbolic_link',
  not_a_file: 'not_a_file',
  empty_file: 'empty_file',
  unsupported_type: 'unsupported_type',
  no_codec: 'unsupported_type',
  extension_mismatch: 'extension_mismatch',
  file_too_large: 'file_too_large',
  duplicate: 'duplicate',
  duplicate_unread: 'duplicate',
  duplicate_unknown: 'duplicate',
  own_export: 'own_export',
  no_e_invoice: 'unsupported_type',
  read_here_only: 'unsupported_type',
  mail: 'mail',
  mail_unpacked: 'mail',
  mail_without_documents: 'mail',
  mail_not_unpacked: 'mail',
  // Said of documents when their turn comes.
  kind_unsure: 'known',
  cut_proposed: 'known',
  cut: 'known',
}

/** As what a file is shown that could not be identified. */
function reasonOf(code: ErrorCode): DryRunReason {
  if (isSkipCode(code)) return skipReasons[code]
  return code === 'file_damaged' ? code : 'file_unreadable'
}

function groupsOf(root: string, judged: Judged[]): DryRun['groups'] {
  return dryRunReasons.flatMap((why) => {
    const group = judged.filter((one) => one.why === why)
    return group.length === 0
      ? []
      : [
          {
            why,
            files: group.length,
            names: group.slice(0, maxDryRunNames).map(({ candidate }) => relative(root, candidate.path)),
          },
        ]
  })
}
