import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { Core, CoreOptions } from '../../electron/core/core.ts'
import type { Folder, FolderValues } from '../../electron/core/db/tables/folders.ts'
import type { StoredDocument } from '../../electron/core/db/tables/documents.ts'
import { diskAccess } from '../../electron/core/files/file-access.ts'
import type { FileAccess } from '../../electron/core/files/file-access.ts'
import type { Timings } from '../../electron/core/timings.ts'
import { addFolder, startTestCore, temporaryDir } from '../helpers/core.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { Vendor } from '../helpers/vendor.ts'
import { expectInvariants } from './invariants.ts'
import { quickFolder } from '../helpers/temporary.ts'

/** Everything that the folders of a person take seconds for, in tenths. */
export const shortTimings: Partial<Timings> = {
  quietMs: 60,
  longQuietMs: 600,
  sweepIntervalMs: 150,
  firstRetryMs: 40,
  longestRetryMs: 300,
}

export type Rig = {
  core: Core
  vendor: Vendor
  folder: Folder
  dataDir: string
  inbox: string
  /** Writes a file below the folder, with the directories to it, and returns its path. */
  put: (name: string, bytes: Buffer | string) => Promise<string>
  /** The newest document of a place below the folder. */
  document: (name: string) => StoredDocument | null
  documents: () => StoredDocument[]
  /** The invariant of the catalogue; every file that was sent is counted once, whatever was sent twice shows. */
  check: (paths: string[], filesSent: number, approvedResends?: number) => void
  restart: (options?: Partial<CoreOptions>) => Promise<void>
}

export async function setUpFolder(given: {
  reply?: Parameters<typeof startVendor>[0]
  options?: Partial<CoreOptions>
  folder?: Partial<FolderValues>
  /** Files that lie there before the start. */
  before?: (inbox: string) => Promise<unknown>
}): Promise<Rig> {
  const dir = temporaryDir('sheaf-test-', quickFolder)
  onTestFinished(dir.remove)
  const vendor = await startVendor(given.reply)
  onTestFinished(vendor.close)
  const dataDir = join(dir.path, 'data')
  const inbox = join(dir.path, 'in')
  await mkdir(inbox)
  await given.before?.(inbox)
  const start = (options: Partial<CoreOptions> = {}): Promise<Core> =>
    startTestCore(dataDir, { ...given.options, ...options, timings: { ...shortTimings, ...given.options?.timings } })
  const core = await start()
  const rig: Rig = {
    core,
    vendor,
    folder: addFolder(core, vendor, { path: inbox, ...given.folder }),
    dataDir,
    inbox,
    put: async (name, bytes) => {
      const path = join(inbox, name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, bytes)
      return path
    },
    document: (name) => rig.core.context.tables.documents.latestAt(rig.folder.id, join(inbox, name)),
    documents: () => rig.core.context.tables.documents.inFolder(rig.folder.id),
    check: (paths, filesSent, approvedResends = 0) =>
      expectInvariants(dataDir, { paths, billable: vendor.received.length, filesSent, approvedResends }),
    restart: async (options) => {
      await rig.core.stop({ atOnce: true })
      rig.core = await start(options)
      await rig.core.run()
    },
  }
  onTestFinished(() => rig.core.stop({ atOnce: true }))
  await core.run()
  return rig
}

/** Whether a document came to its end, whichever. */
export function isOver({ document }: Rig, name: string): () => boolean {
  return () => ['done', 'failed', 'skipped'].includes(document(name)?.status ?? '')
}

/** Corrects the number of a document and approves it. Resolves with its id. */
export async function correctAndApprove({ core, document }: Rig, name: string): Promise<number> {
  const { id } = document(name)!
  await core.handlers['review.correct']({ id, changes: [{ pointer: '/0/invoice_number', value: 'A-1' }] })
  await core.handlers['review.approve']({ ids: [id] })
  return id
}

/** The correction and the approval of `correctAndApprove` are still there. */
export async function expectApproved({ core }: Rig, id: number): Promise<void> {
  const { review, records } = await core.handlers['documents.get']({ id })
  expect({ review, number: records[0]?.['invoice_number'] }).toEqual({ review: 'approved', number: 'A-1' })
}

/** As if the file had been written long ago. */
export async function age(path: string, byMs = 60_000): Promise<void> {
  const at = new Date(Date.now() - byMs)
  await utimes(path, at, at)
}

/** With the code `HANG` an access is not answered as long as the fault stands. */
export type Fault = { code: string; below: string; calls?: readonly (keyof FileAccess)[]; except?: string }

/** The computer's file system, where the accesses that a fault in the list names fail with its code. */
export function faultyFiles(): { files: FileAccess; faults: Fault[]; calls: string[] } {
  const faults: Fault[] = []
  const calls: string[] = []
  const faultAt = (call: keyof FileAccess, text: string): Fault | undefined =>
    faults.find(
      (one) =>
        (text === one.below || text.startsWith(`${one.below}/`)) &&
        text !== one.except &&
        (one.calls ?? [call]).includes(call),
    )
  const errorFor = (call: keyof FileAccess, path: unknown): NodeJS.ErrnoException | null => {
    calls.push(`${call} ${String(path)}`)
    const fault = faultAt(call, String(path))
    return fault === undefined || fault.code === 'HANG'
      ? null
      : Object.assign(new Error(`${fault.code}: ${call}`), { code: fault.code })
  }
  const answered = async (call: keyof FileAccess, path: unknown): Promise<void> => {
    while (faultAt(call, String(path))?.code === 'HANG') await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const files = Object.fromEntries(
    Object.entries(diskAccess).map(([name, access]) => [
      name,
      async (path: string, ...rest: never[]) => {
        const error = errorFor(name as keyof FileAccess, path)
        if (error !== null) throw error
        await answered(name as keyof FileAccess, path)
        return (access as (path: string, ...rest: never[]) => unknown)(path, ...rest)
      },
    ]),
  ) as unknown as FileAccess
  return { files, faults, calls }
}
