import { writeSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { Storage } from '../../electron/core/db/durability/storage.ts'
import { entryPath } from '../../electron/entries.ts'
import { laterMigrations, laterStepMark } from './later-migration.ts'

/**
 * Opens the data folder named by the first argument and stands still in the middle of a migration: its statements are
 * done, nothing is committed. Says so on its standard output, and waits to be killed.
 */
const exec = Sqlite.prototype.exec
Sqlite.prototype.exec = function (this: Sqlite.Database, sql: string) {
  exec.call(this, sql)
  if (sql.includes(laterStepMark)) {
    writeSync(1, 'in the middle\n')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
  return this
}
await Storage.open({
  dataDir: process.argv[2]!,
  snapshotThread: entryPath('snapshot-thread'),
  now: Date.now,
  migrations: laterMigrations,
})
