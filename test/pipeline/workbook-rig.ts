import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { diskAccess } from '../../electron/core/files/file-access.ts'
import type { FileAccess } from '../../electron/core/files/file-access.ts'
import type { WorkbookRow } from '../../shared/contract/workbooks.ts'
import { parseSchema } from '../../shared/domain/schema.ts'
import { addFolder, pdfBytes, startTestCore, temporaryDir, until } from '../helpers/core.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { Vendor } from '../helpers/vendor.ts'
import { readXlsx } from '../unit/export/read-back.ts'

const elements = parseSchema([
  { name: 'Number', format: 'text', description: '' },
  { name: 'Total', format: 'number', description: '' },
  { name: 'Items', format: 'list', description: '', items: [{ name: 'Text', format: 'text', description: '' }] },
])

export let dir: ReturnType<typeof temporaryDir>
export let vendor: Vendor
export let core: Core
export let files: Partial<FileAccess>
export let folderId: number
export const at = (...parts: string[]): string => join(dir.path, ...parts)
export const book = (name = 'Invoices.xlsx'): string => at('Documents', 'Sheaf', name)

export async function start(): Promise<void> {
  // What a test puts into `files` later counts too.
  const access = Object.fromEntries(
    Object.entries(diskAccess).map(([name, own]) => [
      name,
      (...given: never[]) => ((files[name as keyof FileAccess] ?? own) as (...given: never[]) => unknown)(...given),
    ]),
  ) as unknown as FileAccess
  core = await startTestCore(at('data'), {
    person: 'Ada',
    documentsDir: at('Documents'),
    files: access,
    timings: {
      quietMs: 20,
      sweepIntervalMs: 50,
      workbookDebounceMs: 20,
      workbookLockCheckMs: 20,
      firstRetryMs: 20,
      longestRetryMs: 40,
      fileAccessMs: 2000,
    },
  })
}

/** Before each test of a file: core with a folder of invoices, and a place for a person's documents. */
export function withFolder(): void {
  beforeEach(async () => {
    dir = temporaryDir()
    files = {}
    vendor = await startVendor(({ filename }) => ({
      body: JSON.stringify({
        status: 'success',
        data: [{ Number: filename.replace('.pdf', ''), Total: 10, Items: [{ Text: 'one' }, { Text: 'two' }] }],
        metadata: { filename },
      }),
    }))
    mkdirSync(at('in'))
    await start()
    core.context.tables.schemas.save(null, 'Invoice', elements, 1)
    folderId = addFolder(core, vendor, { path: at('in') }).id
    await core.run()
  })
  afterEach(async () => {
    await core.stop({ atOnce: true })
    await vendor.close()
    dir.remove()
  })
}

export const documents = (): { id: number; name: string; status: string }[] =>
  core.context.tables.folders.list().flatMap((folder) => core.context.tables.documents.inFolder(folder.id))

/** Puts documents into a folder and resolves with their ids once they are done. */
export async function received(names: string[], folder = 'in'): Promise<number[]> {
  for (const name of names) writeFileSync(at(folder, `${name}.pdf`), pdfBytes(name))
  const find = (name: string) =>
    documents().find((document) => document.name === `${name}.pdf` && document.status === 'done')
  await until(() => names.every((name) => find(name) !== undefined), `${names.join(', ')} to be done`)
  return names.map((name) => find(name)!.id)
}

export const approve = (ids: number[]): Promise<unknown> => core.handlers['review.approve']({ ids })
export const turnOn = (more: { path?: string; lists?: 'rows' | 'sheets' } = {}): Promise<WorkbookRow> =>
  core.handlers['workbooks.set']({ folderId, on: true, lists: 'rows', ...more })
export async function state(id = folderId): Promise<WorkbookRow> {
  const { workbooks } = await core.handlers['workbooks.list']({})
  return workbooks.find((row) => row.folderId === id)!
}
/** Resolves with the state once it is as it should be. */
export async function reached(
  isReached: (row: WorkbookRow) => boolean,
  what: string,
  id = folderId,
): Promise<WorkbookRow> {
  let row = await state(id)
  await until(() => {
    void state(id).then((now) => (row = now))
    return isReached(row)
  }, what)
  return row
}
export const written = (id = folderId): Promise<WorkbookRow> =>
  reached(
    (row) => row.writtenAt !== null && row.waitingDocuments === 0 && row.problem === null,
    'everything to be written',
    id,
  )
/** The first column of the first sheet without its header: one name for each row of a document. */
export async function names(path = book()): Promise<string[]> {
  const [sheet] = await readXlsx(path)
  return sheet!.values.slice(1).map((row) => row[0]!)
}
