import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { Storage } from '../../electron/core/db/durability/storage.ts'
import { entryPath } from '../../electron/entries.ts'

/**
 * Opens the data folder named by the first argument and is killed right before its n-th rename, n being the second
 * argument. Ends with code 0 where there are fewer.
 */
let left = Number(process.argv[3])
const { renameSync } = fs
fs.renameSync = (from, to) => {
  left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
  renameSync(from, to)
}
syncBuiltinESMExports()
const storage = await Storage.open({
  dataDir: process.argv[2]!,
  snapshotThread: entryPath('snapshot-thread'),
  now: Date.now,
})
await storage.close()
