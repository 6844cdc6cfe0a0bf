import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { dataDirOf } from '../data-dir.ts'
import { entryPath } from '../entries.ts'
import { memoryOptions } from '../service/starter.ts'
import type { ServiceArguments } from './arguments.ts'
import { reportSharedFolder } from './shared-folder.ts'

/** `sheaf service`: the service's process in the foreground, in the data folder's own part. */
export async function serviceCommand({
  port,
  allowPrivateCallbacks,
  streamLimitSeconds,
  silenceLimitSeconds,
}: ServiceArguments): Promise<number> {
  const dataDir = join(dataDirOf(process.env), 'service')
  // Whoever may change the folder above may put another in the place of this one.
  await reportSharedFolder(dirname(dataDir))
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
