import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DataFiles } from '../../electron/core/db/durability/data-files.ts'
import type { Journal } from '../../electron/core/db/durability/journal.ts'
import { temporaryDir } from '../helpers/core.ts'

let dir: ReturnType<typeof temporaryDir>
let db: Sqlite.Database
let files: DataFiles
const at = (name: string): string => join(dir.path, name)

/** A database that has a log only while something was written to it. */
function openLogged(name: string): Sqlite.Database {
  const opened = new Sqlite(at(name))
  opened.pragma('journal_mode = WAL')
  opened.exec('CREATE TABLE IF NOT EXISTS t (x)')
  return opened
}

beforeEach(() => {
  dir = temporaryDir()
  for (const name of ['sheaf.db', 'journal.db']) openLogged(name).close()
  writeFileSync(at('instance.lock'), '')
  // the last connection took the log with it, and this one has not needed its own yet
  db = new Sqlite(at('sheaf.db'))
  files = new DataFiles(dir.path, db as never, { changes: 0 } as Journal, Date.now)
})
afterEach(() => {
  db.close()
  dir.remove()
})

it('takes a log that was not there at the start, and that its database made since, for its own', () => {
  expect(files.areInPlace).toBe(true)
  db.exec('INSERT INTO t VALUES (1)')
  expect(files.areInPlace).toBe(true)
})

it('sees such a log moved like any other', () => {
  db.exec('INSERT INTO t VALUES (1)')
  expect(files.areInPlace).toBe(true)
  renameSync(at('sheaf.db-wal'), at('elsewhere'))
  expect(files.areInPlace).toBe(false)
})

it('takes no log for its own that came with another database', () => {
  renameSync(at('sheaf.db'), at('elsewhere'))
  const other = openLogged('sheaf.db')
  other.exec('INSERT INTO t VALUES (1)')
  expect(files.areInPlace).toBe(false)
  other.close()
  renameSync(at('elsewhere'), at('sheaf.db'))
  db.exec('INSERT INTO t VALUES (1)')
  expect(files.areInPlace).toBe(true)
})
