import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Timings } from '../core/timings.ts'
import { entryPath, rendererDir } from '../entries.ts'
import { serveWindow } from '../browser/serve-window.ts'
import { dataDirOf, startHost } from '../host.ts'
import { fileSecrets } from '../secret-file.ts'
import { memoryOptions } from '../service/starter.ts'
import type { ServiceArguments } from './arguments.ts'
import { untilInterrupted } from './interrupt.ts'

/**
 * `sheaf serve`: the app in a browser until Ctrl-C. Prints `READY` and the address that opens the window. `timings` are
 * limits and delays other than the usual ones.
 */
export async function serveCommand(port: number, timings: Partial<Timings> = {}): Promise<number> {
  const dataDir = dataDirOf(process.env)
  const core = await startHost({ dataDir, secrets: fileSecrets(dataDir), desktop: null, timings })
  const host = await serveWindow(core, { port, rendererDir }).catch(async (error: unknown) => {
    await core.stop({ atOnce: true })
    throw error
  })
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

/** `sheaf service`: the service's process in the foreground, in the data folder's own part. */
export async function serviceCommand({
  port,
  allowPrivateCallbacks,
  streamLimitSeconds,
  silenceLimitSeconds,
}: ServiceArguments): Promise<number> {
  const dataDir = join(dataDirOf(process.env), 'service')
  const args = ['--data-dir', dataDir, '--port', String(port), '--worker', entryPath('service-worker')]
  if (allowPrivateCallbacks) args.push('--allow-private-callbacks')
  if (streamLimitSeconds !== null) args.push('--stream-limit', String(streamLimitSeconds))
  if (silenceLimitSeconds !== null) args.push('--silence-limit', String(silenceLimitSeconds))
  const child = spawn(
    process.execPath,
    [...memoryOptions(), entryPath('service'), ...args],
    // The channel tells the child when this process is gone, however it went.
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  const forward = (signal: NodeJS.Signals): boolean => child.kill(signal)
  process.on('SIGINT', forward)
  process.on('SIGTERM', forward)
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}
