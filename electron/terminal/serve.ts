import type { PolicySet } from '../../shared/domain/policies.ts'
import type { Timings } from '../core/timings.ts'
import { dataDirOf } from '../data-dir.ts'
import { rendererDir } from '../entries.ts'
import { serveWindow } from '../browser/serve-window.ts'
import type { BrowserHost } from '../browser/serve-window.ts'
import type { Core } from '../core/core.ts'
import { startHost } from '../host.ts'
import { fileSecrets } from '../system/secret-file.ts'
import { untilInterrupted } from './interrupt.ts'
import { sayStorageTrouble } from './storage-notice.ts'
import { reportSharedFolder } from './shared-folder.ts'

/**
 * The window at a port, or where none is asked for (0) at that of before: a browser keeps what was typed by the address
 * of a window. While another program has that, at any free one.
 */
export async function serveAt(core: Core, port: number, folder: string): Promise<BrowserHost> {
  if (port !== 0) return serveWindow(core, { port, rendererDir: folder })
  const { settings } = core.context.tables
  const before = settings.windowPort()
  const known =
    before === null ? null : await serveWindow(core, { port: before, rendererDir: folder }).catch(() => null)
  if (known !== null) return known
  const host = await serveWindow(core, { port, rendererDir: folder })
  if (before === null) settings.setWindowPort(Number(new URL(host.launchUrl).port))
  return host
}

/**
 * `sheaf serve`: the app in a browser until Ctrl-C. Prints `READY` and the address that opens the window. `others` are
 * limits and delays other than the usual ones, and policies other than this computer's.
 */
export async function serveCommand(
  port: number,
  others: { timings?: Partial<Timings>; policies?: PolicySet } = {},
): Promise<number> {
  const dataDir = dataDirOf(process.env)
  const core = await startHost({ dataDir, secrets: fileSecrets(dataDir), desktop: null, ...others })
  const host = await serveAt(core, port, rendererDir).catch(async (error: unknown) => {
    await core.stop({ atOnce: true })
    throw error
  })
  sayStorageTrouble(core, (sentence) => void process.stderr.write(`${sentence}\n`))
  await reportSharedFolder(dataDir)
  await core.run()
  // A program that reads READY may ask it to end at once.
  const interrupted = untilInterrupted()
  process.stdout.write(`READY ${host.launchUrl}\n`)
  await interrupted
  // What is under way is ended well, which may take seconds.
  process.stderr.write('\nStopping. Ctrl-C again stops at once.\n')
  await host.close()
  await core.stop()
  return 0
}
