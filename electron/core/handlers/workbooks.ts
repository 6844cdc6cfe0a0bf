import { dirname, isAbsolute, resolve } from 'node:path'
import { AppError } from '../../../shared/domain/errors.ts'
import { extensionOf } from '../../../shared/domain/limits.ts'
import type { Folder } from '../db/tables/folders.ts'
import { resolvedPath } from '../files/paths.ts'
import { isWithin } from '../files/paths.ts'
import { requireDirectory } from './lookups.ts'
import type { HandlerContext, Handlers } from './types.ts'

type WorkbookCalls = Extract<keyof Handlers, `workbooks.${string}`>

type Needs = Pick<
  HandlerContext,
  'tables' | 'workbooks' | 'now' | 'emit' | 'desktop' | 'files' | 'dataDirPaths' | 'documentsDir'
>

export function workbookHandlers(context: Needs): Pick<Handlers, WorkbookCalls> {
  const { tables, workbooks, now } = context
  return {
    'workbooks.list': async () => ({
      workbooks: tables.folders
        .list()
        .filter(hasWorkbook)
        .map((folder) => workbooks.stateOf(folder)),
    }),
    'workbooks.set': async ({ folderId, ...change }) => {
      const folder = findFolder(context, folderId)
      const { on, path, lists, locale } = workbooks.stateOf(folder)
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
      const wanted = { on, path, lists, locale, ...given }
      if (wanted.path !== null && wanted.path !== path) wanted.path = await placeGiven(context, wanted.path)
      tables.workbooks.set({ folderId, ...wanted }, now())
      workbooks.settingsChanged(folderId)
      return workbooks.stateOf(folder)
    },
    'workbooks.writeNow': async ({ folderId }) => {
      const folder = findFolder(context, folderId)
      await workbooks.writeNow(folderId)
      return workbooks.stateOf(folder)
    },
    'workbooks.dismiss': async ({ folderId }) => {
      const folder = findFolder(context, folderId)
      tables.workbooks.dismiss(folderId)
      context.emit('workbooks.changed', {})
      return workbooks.stateOf(folder)
    },
    'workbooks.reveal': async ({ folderId }) => {
      context.desktop?.reveal(workbooks.stateOf(findFolder(context, folderId)).place)
      return {}
    },
  }
}

/** What was given to a terminal ends with its command. */
function hasWorkbook({ kind }: Folder): boolean {
  return kind !== 'batch'
}

function findFolder({ tables }: Needs, id: number): Folder {
  const folder = tables.folders.get(id)
  if (folder === null || !hasWorkbook(folder)) throw new AppError('not_found', { what: 'folder' })
  return folder
}

/** A place that a person chose, as it is kept. */
async function placeGiven({ files, dataDirPaths, documentsDir }: Needs, given: string): Promise<string> {
  const path = isAbsolute(given) ? given : resolve(documentsDir, given)
  await requireDirectory(files, dirname(path))
  const directory = await resolvedPath(files, dirname(path))
  if (dataDirPaths.some((own) => isWithin(directory, own))) throw new AppError('folder_own', { path })
  return extensionOf(path) === 'xlsx' ? path : `${path}.xlsx`
}
