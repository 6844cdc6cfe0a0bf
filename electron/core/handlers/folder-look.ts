import { constants } from 'node:fs'
import { resolve } from 'node:path'
import type { FolderActivity, Reach } from '../../../shared/contract-folders.ts'
import { jobStatuses, reviewStates } from '../../../shared/job.ts'
import { lookInto } from '../pipeline/dry-run.ts'
import type { LookProgress } from '../pipeline/dry-run.ts'
import type { FileAccess } from '../platform/file-access.ts'
import { noAnswerCode } from '../platform/file-limits.ts'
import { codeOf } from '../platform/move-file.ts'
import { estimateBatch } from '../usage/estimate.ts'
import { startOfDay } from '../usage/days.ts'
import { findFolder, requireDirectory, requireKnown } from './folders.ts'
import type { Handlers, HandlerContext } from './types.ts'

/** The calls about what lies in a folder and what came of it. */
export type LookCalls = 'folders.look' | 'folders.stopLook' | 'folders.reach' | 'folders.activity'

/** The window follows a look this often. */
const tellMs = 100

export function folderLookHandlers(context: HandlerContext): Pick<Handlers, LookCalls> {
  const { tables, files, cap, emit } = context
  const running = new Map<string, AbortController>()
  return {
    'folders.look': async ({ token, ...given }) => {
      requireKnown(context, given)
      if (given.folderId !== null) findFolder(context, given.folderId)
      const place = { ...given, path: resolve(given.path) }
      const ended = new AbortController()
      running.get(token)?.abort()
      running.set(token, ended)
      try {
        await requireDirectory(files, place.path)
        const signal = AbortSignal.any([ended.signal, context.ended])
        const found = await lookInto(context, place, { signal, onProgress: nowAndThen((progress) => emit('folders.looking', { token, ...progress })) })
        if (found === null) return { look: null }
        const { documents, sizeBytes } = found
        const { schemaId, connectionId } = place
        return { look: { ...found, estimate: estimateBatch(tables, cap, { schemaId, connectionId, documents, skipped: found.files - documents, sizeBytes }) } }
      } finally {
        if (running.get(token) === ended) running.delete(token)
      }
    },
    'folders.stopLook': async ({ token }) => {
      running.get(token)?.abort()
      return {}
    },
    'folders.reach': async ({ id }) => ({ reach: await reachOf(files, findFolder(context, id).path) }),
    'folders.activity': async () => ({ folders: activityOf(context) }),
  }
}

/** Not more often than the window can show it; the first at once. */
function nowAndThen(tell: (progress: LookProgress) => void): (progress: LookProgress) => void {
  let toldAt = -Infinity
  return (progress) => {
    if (performance.now() - toldAt < tellMs) return
    toldAt = performance.now()
    tell(progress)
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

function activityOf({ tables, now }: HandlerContext): FolderActivity[] {
  const received = tables.folders.receivedSince(startOfDay(now()))
  const counts = tables.folders.jobCounts()
  return tables.folders
    .list()
    .filter(({ kind }) => kind !== 'batch')
    .map(({ id }) => {
      const today = Object.fromEntries([...jobStatuses, ...reviewStates].map((state) => [state, 0])) as FolderActivity['today']
      for (const { folderId, state, jobs } of received) if (folderId === id) today[state] += jobs
      const times = counts.filter(({ folderId }) => folderId === id).map(({ lastAt }) => lastAt)
      return { folderId: id, today, lastFile: times.length === 0 ? null : tables.folders.receivedAt(id, Math.max(...times)) }
    })
}
