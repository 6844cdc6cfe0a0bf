import { readFile, readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../../shared/domain/errors.ts'
import type { CallOutput } from '../../../shared/contract/contract.ts'
import { maxNamesShown } from '../../../shared/contract/folders.ts'
import type { FolderRow } from '../../../shared/contract/folders.ts'
import { leftOutBy } from '../patterns.ts'
import type { EarlierFile } from '../db/tables/earlier-files.ts'
import type { Folder } from '../db/tables/folders.ts'
import { inTransaction } from '../pipeline/context.ts'
import { withdraw } from '../pipeline/documents/copies.ts'
import { placeByValues } from '../pipeline/files/archive-place.ts'
import { sortingKey } from '../pipeline/sorting/recognise.ts'
import { filesBelow } from '../pipeline/files/list-files.ts'
import type { FileAccess } from '../files/file-access.ts'
import { statOf } from '../files/move-file.ts'
import { resolvedPath } from '../files/paths.ts'
import { isWithin } from '../files/paths.ts'
import { requireAllowedFolder } from '../files/allowed-folders.ts'
import { refusedBy } from '../../../shared/domain/policies.ts'
import { findFolder, pageOfDocuments, requireDirectory, requireFolder, requireKnown } from './lookups.ts'
import type { CallArguments, Handlers, HandlerContext } from './types.ts'

type FolderCalls = Exclude<
  Extract<keyof Handlers, `folders.${string}`>,
  'folders.dryRun' | 'folders.stopDryRun' | 'folders.reach' | 'folders.activity'
>

type Needs = Pick<
  HandlerContext,
  | 'tables'
  | 'files'
  | 'dataDirPaths'
  | 'policies'
  | 'watchers'
  | 'archiver'
  | 'queue'
  | 'emit'
  | 'now'
  | 'samplesDir'
  | 'documentsDir'
  | 'desktop'
>

export function folderHandlers(context: Needs): Pick<Handlers, FolderCalls> {
  const { tables, watchers, queue, files, emit, now } = context
  const changed = async (): Promise<void> => {
    await watchers.follow()
    queue.wake()
    context.archiver.retryNow()
    emit('folders.changed', {})
  }
  return {
    'folders.list': async () => ({ folders: listFolders(context) }),
    'folders.add': async (input) => {
      const folder = await addFolder(context, input)
      await changed()
      return { id: folder.id }
    },
    'folders.update': async ({ id, ...change }) => {
      await updateFolder(context, findFolder(context, id), change)
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
    'folders.previewNames': async ({ schemaIds, archiveName }) => ({
      names: previewNames(context, schemaIds, archiveName),
    }),
    'folders.rescan': async ({ id }) => {
      await watchers.sweep(findFolder(context, id).id)
      return {}
    },
    'folders.addSamples': async (input) => {
      const { id, path } = await addSamples(context, input)
      await changed()
      return { id, path }
    },
    'folders.browse': async ({ path }) => browse(files, resolve(path ?? homedir())),
    'folders.choose': async () => ({ path: (await context.desktop?.chooseFolder()) ?? null }),
  }
}

async function addFolder(context: Needs, { existing, ...input }: CallArguments<'folders.add'>): Promise<Folder> {
  const { tables, files, now } = context
  requireKnown(context, input)
  const path = resolve(input.path)
  await requireFolder(files, path)
  await requireAllowedFolder(context, path)
  await refuseShared(context, tables.folders.list(), { path, includeSubfolders: input.includeSubfolders })
  const earlier = existing === 'leave' ? await versionsIn(files, path, input.includeSubfolders) : []
  return tables.transaction(() => {
    const added = tables.folders.findOrAdd({ ...input, kind: 'watched', path, name: basename(path) || path }, now())
    tables.earlierFiles.replace(added.id, earlier)
    sortAnew(context, added.id)
    return added
  })
}

async function updateFolder(
  context: Needs,
  folder: Folder,
  change: Omit<CallArguments<'folders.update'>, 'id'>,
): Promise<void> {
  const { tables, files } = context
  const { id } = folder
  requireKnown(context, change)
  const path = change.path === undefined ? folder.path : resolve(change.path)
  const includeSubfolders = change.includeSubfolders ?? folder.includeSubfolders
  const isElsewhere = path !== folder.path
  if (isElsewhere) await requireFolder(files, path)
  if (isElsewhere || change.paused === false) await requireAllowedFolder(context, path)
  if (isElsewhere || (includeSubfolders && !folder.includeSubfolders)) {
    const others = tables.folders.list().filter((other) => other.id !== id)
    await refuseShared(context, others, { path, includeSubfolders })
  }
  // One that was only paused since its place is not allowed goes on at one that is.
  const forbidden = tables.settings.forbiddenFolders()
  const isFreed = isElsewhere && forbidden.includes(id)
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const next: Folder = {
    ...folder,
    ...(isFreed ? { paused: false } : {}),
    ...given,
    path,
    name: basename(path) || path,
  }
  tables.transaction(() => {
    tables.folders.save(next)
    if (isElsewhere) tables.earlierFiles.replace(id, [])
    if (isFreed) tables.settings.setForbiddenFolders(forbidden.filter((other) => other !== id))
    tables.documents.adoptFolder(id)
    if (sortingKey(next) !== sortingKey(folder)) sortAnew(context, id)
  })
  if (change.include !== undefined || change.exclude !== undefined) await cancelLeftOut(context, next)
}

/** What waits to be sorted is looked at with the schemas and cuts that its folder has by now. */
function sortAnew({ tables, now }: Needs, folderId: number): void {
  for (const id of tables.sortings.unsortedIn(folderId)) tables.documents.apply(id, 'requeue', {}, now())
}

/** What the files of the last documents of schemas would be called. */
function previewNames(
  { tables }: Needs,
  schemaIds: readonly number[],
  archiveName: string,
): CallOutput<'folders.previewNames'>['names'] {
  const ids = schemaIds.flatMap((schemaId) => tables.results.lastOf(schemaId, maxNamesShown))
  return ids
    .toSorted((one, other) => other - one)
    .slice(0, maxNamesShown)
    .map((id) => {
      const { name, resultId } = tables.documents.get(id)!
      const [record = {}] = tables.results.get(resultId!).records
      return { id, from: name, to: placeByValues(archiveName, record, extname(name)) }
    })
}

/** Puts a copy of the samples beside the person's documents, and watches it. */
async function addSamples(
  context: Needs,
  { schemaId, connectionId }: CallArguments<'folders.addSamples'>,
): Promise<Folder> {
  const { tables, files, samplesDir, documentsDir, now } = context
  if (samplesDir === null) throw new AppError('not_found', { what: 'samples' })
  requireKnown(context, { schemaId, connectionId })
  const path = join(documentsDir, 'Sheaf samples')
  await requireAllowedFolder(context, join(await resolvedPath(files, documentsDir), basename(path)))
  await files.mkdir(path, { recursive: true })
  await copyMissing(files, samplesDir, path)
  return tables.folders.findOrAdd(
    {
      kind: 'watched',
      path,
      name: basename(path),
      schemaId,
      connectionId,
      agentReference: null,
      mode: 'auto',
      includeSubfolders: true,
    },
    now(),
  )
}

async function browse(files: FileAccess, path: string): Promise<CallOutput<'folders.browse'>> {
  await requireDirectory(files, path)
  const entries = await files.readdir(path, { withFileTypes: true }).catch(() => [])
  const directories = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => ({ name: entry.name, path: join(path, entry.name) }))
    .sort((a, b) => a.name.localeCompare(b.name))
  return { path, parent: dirname(path) === path ? null : dirname(path), directories }
}

/** Read and written one by one: the samples of a packed app lie in its archive, where `cp` does not reach. */
async function copyMissing(files: FileAccess, from: string, to: string): Promise<void> {
  for (const name of await readdir(from)) {
    if ((await statOf(files, join(to, name))) === null)
      await files.writeFile(join(to, name), await readFile(join(from, name)))
  }
}

/**
 * A file must belong to one folder only, or it would be sent twice; and Sheaf’s own files are no documents. Places
 * count by what they are, whatever link or spelling leads there. Throws `folder_own`, `folder_duplicate`,
 * `folder_inside` or `folder_holds`.
 */
async function refuseShared(
  { files, dataDirPaths }: Needs,
  folders: Folder[],
  given: Pick<Folder, 'path' | 'includeSubfolders'>,
): Promise<void> {
  const { path } = given
  const place = await resolvedPath(files, path)
  if (dataDirPaths.some((own) => isWithin(place, own))) throw new AppError('folder_own', { path })
  const holds = (outer: Pick<Folder, 'includeSubfolders'>, at: string, inner: string): boolean =>
    isWithin(inner, at) && (outer.includeSubfolders || isWithin(at, inner))
  for (const folder of folders.filter(({ kind }) => kind === 'watched')) {
    const other = await resolvedPath(files, folder.path)
    const isHeld = holds(folder, other, place)
    if (isHeld && isWithin(other, place)) throw new AppError('folder_duplicate', { path })
    if (isHeld) throw new AppError('folder_inside', { path, folder: folder.path })
    if (holds(given, place, other)) throw new AppError('folder_holds', { path, folder: folder.path })
  }
}

/** What lies in a folder now, of any name. Throws `folder_missing` when it cannot be listed. */
async function versionsIn(files: FileAccess, path: string, recursive: boolean): Promise<EarlierFile[]> {
  const found = await filesBelow(files, path, { recursive })
  if (found === null) throw new AppError('folder_missing', { path })
  return found
}

/** Cancels what waits in a folder, was never sent, and is left out by its patterns as they are now. */
async function cancelLeftOut(context: Needs, folder: Folder): Promise<void> {
  const { tables } = context
  const isLeftOut = leftOutBy(folder)
  const wanted = tables.documents.queuedInFolder(folder.id, Number.MAX_SAFE_INTEGER)
  for (let at = 0; at < wanted.length; at += pageOfDocuments) {
    inTransaction(context, (inside) => {
      for (const id of wanted.slice(at, at + pageOfDocuments)) {
        const document = tables.documents.get(id)
        if (document?.status === 'queued' && isLeftOut(document.name) && !tables.attempts.wasSent(id))
          withdraw(inside, id, 'left_out')
      }
    })
    await setImmediate()
  }
}

/** Cancels what is queued in a folder and returns how many those are. */
async function cancelQueued(context: Needs, folderId: number): Promise<number> {
  const { tables } = context
  const before = tables.documents.countInFolder(folderId, 'queued')
  for (;;) {
    const ids = tables.documents.queuedInFolder(folderId, pageOfDocuments)
    if (ids.length === 0) return before
    inTransaction(context, (inside) => {
      for (const id of ids) withdraw(inside, id)
    })
    await setImmediate()
  }
}

/** The watched folders with what goes on in them. */
export function listFolders(context: Pick<Needs, 'tables' | 'watchers' | 'archiver'>): FolderRow[] {
  const { tables, watchers } = context
  const counts = tables.folders.documentCounts()
  const forbidden = tables.settings.forbiddenFolders()
  const count = (id: number, statuses: string[]): number =>
    counts
      .filter((row) => row.folderId === id && statuses.includes(row.status))
      .reduce((sum, row) => sum + row.documents, 0)
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
        otherSchemaIds: [...folder.otherSchemaIds],
        cuts: folder.cuts,
        agentReference: folder.agentReference,
        connectionId: folder.connectionId,
        connectionName: tables.connections.get(folder.connectionId)?.name ?? '',
        mode: folder.mode,
        includeSubfolders: folder.includeSubfolders,
        afterwards: folder.afterwards,
        archiveName: folder.archiveName,
        include: [...folder.include],
        exclude: [...folder.exclude],
        leftOut: watchers.leftOut(folder.id),
        leavesEarlier: tables.earlierFiles.any(folder.id),
        moveProblem: context.archiver.problemOf(folder.id),
        paused: folder.paused,
        pausedReason: folder.paused && forbidden.includes(folder.id) ? refusedBy('AllowedFolders').reason : null,
        online: watchers.isOnline(folder.id),
        arriving: watchers.isArriving(folder.id),
        total: own.reduce((sum, row) => sum + row.documents, 0),
        open: count(folder.id, ['queued', 'submitting', 'waiting']),
        queued: count(folder.id, ['queued']),
        done: count(folder.id, ['done']),
        attention: count(folder.id, ['failed', 'unknown']),
        lastFileAt: own.length === 0 ? null : Math.max(...own.map((row) => row.lastAt)),
      }
    })
}
