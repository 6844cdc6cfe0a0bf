import { dirname, isAbsolute, resolve } from 'node:path'
import { AppError } from '../../../shared/errors.ts'
import { extensionOf } from '../../../shared/limits.ts'
import type { Folder } from '../db/folders.ts'
import { isWithin, truePlace } from '../platform/true-place.ts'
import { requireDirectory } from './folders.ts'
import type { HandlerContext, Handlers } from './types.ts'

type WorkbookCalls = Extract<keyof Handlers, `workbooks.${string}`>

export function workbookHandlers(context: HandlerContext): Pick<Handlers, WorkbookCalls> {
  const { tables, workbooks, now } = context
  return {
    'workbooks.list': async () => ({ workbooks: tables.folders.list().filter(hasWorkbook).map((folder) => workbooks.stateOf(folder)) }),
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

function findFolder({ tables }: HandlerContext, id: number): Folder {
  const folder = tables.folders.get(id)
  if (folder === null || !hasWorkbook(folder)) throw new AppError('not_found', { what: 'folder' })
  return folder
}

/** A place that a person chose, as it is kept. */
async function placeGiven({ files, ownPlaces, documentsDir }: HandlerContext, given: string): Promise<string> {
  const path = isAbsolute(given) ? given : resolve(documentsDir, given)
  await requireDirectory(files, dirname(path))
  const directory = await truePlace(files, dirname(path))
  if (ownPlaces.some((own) => isWithin(directory, own))) throw new AppError('folder_own', { path })
  return extensionOf(path) === 'xlsx' ? path : `${path}.xlsx`
}
