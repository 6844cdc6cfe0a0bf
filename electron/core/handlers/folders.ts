import { constants, existsSync } from 'node:fs'
import { access, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { AppError } from '../../../shared/errors.ts'
import type { FolderRow } from '../../../shared/contract.ts'
import type { Folder } from '../db/folders.ts'
import type { Handlers, HandlerContext } from './types.ts'

type FolderCalls = Extract<keyof Handlers, `folders.${string}`>

export function folderHandlers(context: HandlerContext): Pick<Handlers, FolderCalls> {
  const { tables, watchers, queue, emit, now } = context
  const changed = async (): Promise<void> => {
    await watchers.follow()
    queue.wake()
    context.fileAway.retryNow()
    emit('folders.changed', {})
  }
  return {
    'folders.list': async () => ({ folders: listFolders(context) }),
    'folders.add': async (input) => {
      requireKnown(context, input)
      const path = resolve(input.path)
      await requireDirectory(path)
      refuseNested(tables.folders.list(), path)
      const folder = tables.folders.findOrAdd({ ...input, kind: 'watched', path, name: basename(path) || path }, now())
      await changed()
      return { id: folder.id }
    },
    'folders.update': async ({ id, ...change }) => {
      const folder = findFolder(context, id)
      requireKnown(context, change)
      const path = change.path === undefined ? folder.path : resolve(change.path)
      if (path !== folder.path) {
        await requireDirectory(path)
        refuseNested(tables.folders.list().filter((other) => other.id !== id), path)
      }
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
      tables.folders.save({ ...folder, ...given, path, name: basename(path) || path })
      tables.jobs.adoptFolder(id)
      await changed()
      return {}
    },
    'folders.remove': async ({ id }) => {
      tables.folders.remove(findFolder(context, id).id, now())
      await changed()
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
      await mkdir(path, { recursive: true })
      await copyMissing(context.samplesDir, path)
      const folder = tables.folders.findOrAdd(
        { kind: 'watched', path, name: basename(path), schemaId, connectionId, agentReference: null, mode: 'auto', includeSubfolders: true },
        now(),
      )
      await changed()
      return { id: folder.id, path }
    },
    'folders.browse': async ({ path }) => {
      const here = resolve(path ?? homedir())
      await requireDirectory(here)
      const entries = await readdir(here, { withFileTypes: true }).catch(() => [])
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
async function copyMissing(from: string, to: string): Promise<void> {
  for (const name of await readdir(from)) {
    if (!existsSync(join(to, name))) await writeFile(join(to, name), await readFile(join(from, name)))
  }
}

/** Throws `not_found` for a schema or a connection that is not there. */
function requireKnown({ tables }: HandlerContext, { schemaId, connectionId }: { schemaId?: number | undefined; connectionId?: number | undefined }): void {
  if (schemaId !== undefined && tables.schemas.get(schemaId) === null) throw new AppError('not_found', { what: 'schema' })
  if (connectionId !== undefined && tables.connections.get(connectionId) === null) throw new AppError('not_found', { what: 'connection' })
}

function findFolder(context: HandlerContext, id: number): Folder {
  const folder = context.tables.folders.get(id)
  if (folder === null) throw new AppError('not_found', { what: 'folder' })
  return folder
}

/** Throws `folder_missing` unless the path is a directory that can be listed. */
export async function requireDirectory(path: string): Promise<void> {
  try {
    if (!(await stat(path)).isDirectory()) throw new AppError('folder_missing', { path })
    await access(path, constants.R_OK | constants.X_OK)
  } catch (error) {
    throw new AppError('folder_missing', { path }, { cause: error })
  }
}

/** A file must belong to one folder only, or it would be sent twice. */
function refuseNested(folders: Folder[], path: string): void {
  const inside = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep)
  const clash = folders.find(
    (folder) =>
      folder.kind === 'watched' &&
      (folder.path === path || (folder.includeSubfolders && inside(path, folder.path)) || inside(folder.path, path)),
  )
  if (clash !== undefined) throw new AppError('folder_duplicate', { path })
}

function listFolders(context: HandlerContext): FolderRow[] {
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
        moveProblem: context.fileAway.problemOf(folder.id),
        paused: folder.paused,
        online: watchers.isOnline(folder.id),
        total: own.reduce((sum, row) => sum + row.jobs, 0),
        open: count(folder.id, ['queued', 'submitting', 'waiting']),
        done: count(folder.id, ['done']),
        attention: count(folder.id, ['failed', 'unknown']),
        lastFileAt: own.length === 0 ? null : Math.max(...own.map((row) => row.lastAt)),
      }
    })
}
