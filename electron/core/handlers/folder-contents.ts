import { constants } from 'node:fs'
import { resolve } from 'node:path'
import type { FolderActivity, Reach } from '../../../shared/contract/folders.ts'
import { documentStatuses, reviewStates } from '../../../shared/domain/document-status.ts'
import { dryRun } from '../pipeline/dry-run.ts'
import type { DryRunProgress } from '../pipeline/dry-run.ts'
import type { FileAccess } from '../files/file-access.ts'
import { noAnswerCode } from '../files/file-limits.ts'
import { codeOf } from '../files/move-file.ts'
import { estimateBatch } from '../usage/estimate.ts'
import { startOfDay } from '../usage/days.ts'
import { findFolder, requireFolder, requireKnown } from './lookups.ts'
import type { Handlers, HandlerContext } from './types.ts'

/** The calls about what lies in a folder and what came of it. */
type ContentsCalls = 'folders.dryRun' | 'folders.stopDryRun' | 'folders.reach' | 'folders.activity'

/** The window follows a dry run this often. */
const progressEveryMs = 100

type Needs = Pick<HandlerContext, 'tables' | 'files' | 'dataDirPaths' | 'cap' | 'emit' | 'now' | 'ended'>

export function folderContentsHandlers(context: Needs): Pick<Handlers, ContentsCalls> {
  const { tables, files, cap, emit } = context
  const running = new Map<string, AbortController>()
  return {
    'folders.dryRun': async ({ token, ...given }) => {
      requireKnown(context, given)
      if (given.folderId !== null) findFolder(context, given.folderId)
      const target = { ...given, path: resolve(given.path) }
      const ended = new AbortController()
      running.get(token)?.abort()
      running.set(token, ended)
      try {
        await requireFolder(files, target.path)
        const signal = AbortSignal.any([ended.signal, context.ended])
        const found = await dryRun(context, target, {
          signal,
          onProgress: atIntervals((progress) => emit('folders.dryRunProgress', { token, ...progress })),
        })
        if (found === null) return { result: null }
        const { documents, sizeBytes, readHere } = found
        const { schemaId, connectionId } = target
        return {
          result: {
            ...found,
            estimate: estimateBatch(tables, cap, {
              schemaId,
              connectionId,
              documents: documents - (connectionId === tables.connections.local().id ? 0 : readHere),
              skipped: found.files - documents,
              sizeBytes,
            }),
          },
        }
      } finally {
        if (running.get(token) === ended) running.delete(token)
      }
    },
    'folders.stopDryRun': async ({ token }) => {
      running.get(token)?.abort()
      return {}
    },
    'folders.reach': async ({ id }) => ({ reach: await reachOf(files, findFolder(context, id).path) }),
    'folders.activity': async () => ({ folders: activityOf(context) }),
  }
}

/** Not more often than the window can show it; the first at once. */
function atIntervals(report: (progress: DryRunProgress) => void): (progress: DryRunProgress) => void {
  let reportedAt = -Infinity
  return (progress) => {
    if (performance.now() - reportedAt < progressEveryMs) return
    reportedAt = performance.now()
    report(progress)
  }
}

/** Asks the file system whether a folder can be listed. */
async function reachOf(files: Pick<FileAccess, 'stat' | 'access'>, path: string): Promise<Reach> {
  try {
    if (!(await files.stat(path)).isDirectory()) return 'missing'
    await files.access(path, constants.R_OK | constants.X_OK)
    return 'there'
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing'
    if (code === 'EACCES' || code === 'EPERM') return 'refused'
    return code === noAnswerCode ? 'silent' : 'failed'
  }
}

function activityOf({ tables, now }: Needs): FolderActivity[] {
  const received = tables.folders.receivedSince(startOfDay(now()))
  const counts = tables.folders.documentCounts()
  return tables.folders
    .list()
    .filter(({ kind }) => kind !== 'batch')
    .map(({ id }) => {
      const today = Object.fromEntries(
        [...documentStatuses, ...reviewStates, 'bin'].map((state) => [state, 0]),
      ) as FolderActivity['today']
      for (const { folderId, state, documents } of received) if (folderId === id) today[state] += documents
      const times = counts.filter(({ folderId }) => folderId === id).map(({ lastAt }) => lastAt)
      return {
        folderId: id,
        today,
        lastFile: times.length === 0 ? null : tables.folders.receivedAt(id, Math.max(...times)),
      }
    })
}
