import { lstat, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Core, CoreOptions } from '../../electron/core/core.ts'
import type { Folder } from '../../electron/core/db/tables/folders.ts'
import { candidateAt } from '../../electron/core/pipeline/files/file-rules.ts'
import { takeIn } from './take-in.ts'
import type { CapState } from '../../shared/contract/usage.ts'
import { addFolder, pdfBytes, startTestCore, temporaryDir, until } from './core.ts'
import { startVendor } from './vendor.ts'
import type { Received, Vendor, VendorOptions, VendorReply } from './vendor.ts'

export type Batch = {
  core: Core
  vendor: Vendor
  dataDir: string
  folder: Folder
  /** Puts so many new files into a folder (the batch's own when none is named), as a sweep of this core would. */
  take: (count: number, where?: { core?: Core; folder?: Folder }) => Promise<void>
  cap: () => Promise<CapState>
}

/** Core that sends eight files at once from one folder to a vendor of its own, until the test ends. */
export async function startBatch(
  reply: (document: Received, index: number) => VendorReply | Promise<VendorReply>,
  options: Partial<CoreOptions> = {},
  platform: VendorOptions = {},
): Promise<Batch> {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  const vendor = await startVendor(reply, platform)
  onTestFinished(vendor.close)
  const dataDir = join(dir.path, 'data')
  const core = await startTestCore(dataDir, { concurrency: 8, ...options })
  onTestFinished(() => core.stop({ atOnce: true }).catch(() => undefined))
  const folder = addFolder(core, vendor, { path: join(dir.path, 'in') })
  await mkdir(folder.path)
  let files = 0
  return {
    core,
    vendor,
    dataDir,
    folder,
    cap: () => core.handlers['app.state']({}).then((state) => state.cap),
    take: async (count, where = {}) => {
      const { context, queue } = where.core ?? core
      const into = where.folder ?? folder
      for (let taken = 0; taken < count; taken += 1) {
        files += 1
        const path = join(into.path, `${files}.pdf`)
        await writeFile(path, pdfBytes(`file ${files}`))
        await takeIn(context, context.tables.folders.get(into.id)!, candidateAt(path, await lstat(path)))
      }
      queue.wake()
    },
  }
}

/** A successful answer that names its tokens. */
export const consumed = (tokens: number): VendorReply => ({
  body: JSON.stringify({ status: 'success', data: { invoice_number: '1' }, metadata: { tokens_consumed: tokens } }),
})

/** Resolves when nothing moves any more: idle, and still so after several looks of the queue. */
export async function standsStill(core: Core): Promise<void> {
  await until(() => core.queue.idle && core.queue.held, 'the queue to stand still')
  for (let look = 0; look < 5; look += 1) {
    core.queue.wake()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await until(() => core.queue.idle, 'the queue to be idle')
}
