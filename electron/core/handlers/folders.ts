import { constants } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../../shared/errors.ts'
import type { FolderRow } from '../../../shared/contract.ts'
import { leavesOut } from '../../../shared/file-patterns.ts'
import type { EarlierFile } from '../db/earlier-files.ts'
import type { Folder } from '../db/folders.ts'
import { together } from '../pipeline/context.ts'
import { withdraw } from '../pipeline/intake.ts'
import { filesBelow } from '../pipeline/watch.ts'
import type { FileAccess } from '../platform/file-access.ts'
import { statOf } from '../platform/move-file.ts'
import { isWithin, truePlace } from '../platform/true-place.ts'
import type { LookCalls } from './folder-look.ts'
import type { Handlers, HandlerContext } from './types.ts'

type FolderCalls = Exclude<Extract<keyof Handlers, `folders.${string}`>, LookCalls>

export function folderHandlers(context: HandlerContext): Pick<Handlers, FolderCalls> {
  const { tables, watchers, queue, files, emit, now } = context
  const changed = async (): Promise<void> => {
    await watchers.follow()
    queue.wake()
    context.fileAway.retryNow()
    emit('folders.changed', {})
  }
  return {
    'folders.list': async () => ({ folders: listFolders(context) }),
    'folders.add': async ({ existing, ...input }) => {
      requireKnown(context, input)
      const path = resolve(input.path)
      await requireDirectory(files, path)
      await refuseShared(context, tables.folders.list(), { path, includeSubfolders: input.includeSubfolders })
      const earlier = existing === 'leave' ? await versionsIn(files, path, input.includeSubfolders) : []
      const folder = tables.together(() => {
        const added = tables.folders.findOrAdd({ ...input, kind: 'watched', path, name: basename(path) || path }, now())
        tables.earlierFiles.replace(added.id, earlier)
        return added
      })
      await changed()
      return { id: folder.id }
    },
    'folders.update': async ({ id, ...change }) => {
      const folder = findFolder(context, id)
      requireKnown(context, change)
      const path = change.path === undefined ? folder.path : resolve(change.path)
      const includeSubfolders = change.includeSubfolders ?? folder.includeSubfolders
      if (path !== folder.path) await requireDirectory(files, path)
      if (path !== folder.path || (includeSubfolders && !folder.includeSubfolders)) {
        await refuseShared(context, tables.folders.list().filter((other) => other.id !== id), { path, includeSubfolders })
      }
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
      const next: Folder = { ...folder, ...given, path, name: basename(path) || path }
      tables.together(() => {
        tables.folders.save(next)
        if (path !== folder.path) tables.earlierFiles.replace(id, [])
        tables.jobs.adoptFolder(id)
      })
      if (change.include !== undefined || change.exclude !== undefined) await cancelLeftOut(context, next)
      await changed()
      return {}
    },
    'folders.remove': async ({ id }) => {
      // Nothing more of it is taken in or sent while what is queued is gone through.
      tables.folders.pause(findFolder(context, id).id)
      await watchers.follow()
      const cancelled = await cancelQueued(context, id)
      tables.folders.remove(id, now())
      await changed()
      return { cancelled }
    },
    'folders.takeEarlier': async ({ id }) => {
      tables.earlierFiles.replace(findFolder(context, id).id, [])
      emit('folders.changed', {})
      await watchers.sweep(id)
      return {}
    },
    'folders.rescan': async ({ id }) => {
      await watchers.sweep(findFolder(context, id).id)
      return {}
    },
    'folders.addSamples': async ({ schemaId, connectionId }) => {
      if (context.samplesDir === null) throw new AppError('not_found', { what: 'samples' })
      requireKnown(context, { schemaId, connectionId })
      const path = join(context.documentsDir, 'Sheaf samples')
      await files.mkdir(path, { recursive: true })
      await copyMissing(files, context.samplesDir, path)
      const folder = tables.folders.findOrAdd(
        { kind: 'watched', path, name: basename(path), schemaId, connectionId, agentReference: null, mode: 'auto', includeSubfolders: true },
        now(),
      )
      await changed()
      return { id: folder.id, path }
    },
    'folders.browse': async ({ path }) => {
      const here = resolve(path ?? homedir())
      await requireDirectory(files, here)
      const entries = await files.readdir(here, { withFileTypes: true }).catch(() => [])
      const directories = entries
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
        .map((entry) => ({ name: entry.name, path: join(here, entry.name) }))
        .sort((a, b) => a.name.localeCompare(b.name))
      return { path: here, parent: dirname(here) === here ? null : dirname(here), directories }
    },
    'folders.choose': async () => ({ path: (await context.desktop?.chooseFolder()) ?? null }),
  }
}

/** Read and written one by one: the samples of a packed app lie in its archive, where `cp` does not reach. */
async function copyMissing(files: FileAccess, from: string, to: string): Promise<void> {
  for (const name of await readdir(from)) {
    if ((await statOf(files, join(to, name))) === null) await files.writeFile(join(to, name), await readFile(join(from, name)))
  }
}

/** Throws `not_found` for a schema or a connection that is not there. */
export function requireKnown({ tables }: HandlerContext, { schemaId, connectionId }: { schemaId?: number | undefined; connectionId?: number | undefined }): void {
  if (schemaId !== undefined && tables.schemas.get(schemaId) === null) throw new AppError('not_found', { what: 'schema' })
  if (connectionId !== undefined && tables.connections.get(connectionId) === null) throw new AppError('not_found', { what: 'connection' })
}

/** Throws `not_found`. */
export function findFolder(context: HandlerContext, id: number): Folder {
  const folder = context.tables.folders.get(id)
  if (folder === null) throw new AppError('not_found', { what: 'folder' })
  return folder
}

/** Throws `folder_missing` unless the path is a directory that can be listed. */
export async function requireDirectory(files: Pick<FileAccess, 'stat' | 'access'>, path: string): Promise<void> {
  try {
    if (!(await files.stat(path)).isDirectory()) throw new AppError('folder_missing', { path })
    await files.access(path, constants.R_OK | constants.X_OK)
  } catch (error) {
    throw new AppError('folder_missing', { path }, { cause: error })
  }
}

/**
 * A file must belong to one folder only, or it would be sent twice; and Sheaf’s own files are no documents. Places count by what
 * they are, whatever link or spelling leads there. Throws `folder_own` or `folder_duplicate`.
 */
async function refuseShared({ files, ownPlaces }: HandlerContext, folders: Folder[], given: Pick<Folder, 'path' | 'includeSubfolders'>): Promise<void> {
  const { path } = given
  const place = await truePlace(files, path)
  if (ownPlaces.some((own) => isWithin(place, own))) throw new AppError('folder_own', { path })
  const holds = (outer: Pick<Folder, 'includeSubfolders'>, at: string, inner: string): boolean => isWithin(inner, at) && (outer.includeSubfolders || isWithin(at, inner))
  for (const folder of folders.filter(({ kind }) => kind === 'watched')) {
    const other = await truePlace(files, folder.path)
    if (holds(folder, other, place) || holds(given, place, other)) throw new AppError('folder_duplicate', { path })
  }
}

/** What lies in a folder now, of any name. Throws `folder_missing` when it cannot be listed. */
async function versionsIn(files: FileAccess, path: string, recursive: boolean): Promise<EarlierFile[]> {
  const found = await filesBelow(files, path, { recursive })
  if (found === null) throw new AppError('folder_missing', { path })
  return found
}

const cancelledAtOnce = 500

/** Cancels what waits in a folder, was never sent, and is left out by its patterns as they are now. */
async function cancelLeftOut(context: HandlerContext, folder: Folder): Promise<void> {
  const { tables } = context
  const isLeftOut = leavesOut(folder)
  const wanted = tables.jobs.queuedInFolder(folder.id, Number.MAX_SAFE_INTEGER)
  for (let at = 0; at < wanted.length; at += cancelledAtOnce) {
    together(context, (inside) => {
      for (const id of wanted.slice(at, at + cancelledAtOnce)) {
        const job = tables.jobs.get(id)
        if (job?.status === 'queued' && isLeftOut(job.name) && !tables.attempts.wasSent(id)) withdraw(inside, id, 'left_out')
      }
    })
    await setImmediate()
  }
}

/** Cancels what is queued in a folder and returns how many those are. */
async function cancelQueued(context: HandlerContext, folderId: number): Promise<number> {
  const { tables } = context
  const before = tables.jobs.countInFolder(folderId, 'queued')
  for (;;) {
    const ids = tables.jobs.queuedInFolder(folderId, cancelledAtOnce)
    if (ids.length === 0) return before
    together(context, (inside) => {
      for (const id of ids) withdraw(inside, id)
    })
    await setImmediate()
  }
}

/** The watched folders with what goes on in them. */
export function listFolders(context: HandlerContext): FolderRow[] {
  const { tables, watchers } = context
  const counts = tables.folders.jobCounts()
  const count = (id: number, statuses: string[]): number =>
    counts.filter((row) => row.folderId === id && statuses.includes(row.status)).reduce((sum, row) => sum + row.jobs, 0)
  return tables.folders
    .list()
    .filter((folder) => folder.kind !== 'batch')
    .map((folder) => {
      const own = counts.filter((row) => row.folderId === folder.id)
      return {
        id: folder.id,
        path: folder.path,
        name: folder.name,
        schemaId: folder.schemaId,
        schemaName: tables.schemas.get(folder.schemaId)?.name ?? '',
        agentReference: folder.agentReference,
        connectionId: folder.connectionId,
        connectionName: tables.connections.get(folder.connectionId)?.name ?? '',
        mode: folder.mode,
        includeSubfolders: folder.includeSubfolders,
        afterwards: folder.afterwards,
        include: [...folder.include],
        exclude: [...folder.exclude],
        leftOut: watchers.leftOut(folder.id),
        leavesEarlier: tables.earlierFiles.any(folder.id),
        moveProblem: context.fileAway.problemOf(folder.id),
        paused: folder.paused,
        online: watchers.isOnline(folder.id),
        arriving: watchers.isArriving(folder.id),
        total: own.reduce((sum, row) => sum + row.jobs, 0),
        open: count(folder.id, ['queued', 'submitting', 'waiting']),
        queued: count(folder.id, ['queued']),
        done: count(folder.id, ['done']),
        attention: count(folder.id, ['failed', 'unknown']),
        lastFileAt: own.length === 0 ? null : Math.max(...own.map((row) => row.lastAt)),
      }
    })
}
