import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { connect, runTransaction } from '../../../electron/core/db/open.ts'
import type { Database } from '../../../electron/core/db/open.ts'
import { temporaryDir } from '../../helpers/core.ts'

const full = 2
const normal = 1
let dir: ReturnType<typeof temporaryDir>
let db: Database
beforeEach(() => {
  dir = temporaryDir()
  db = connect(join(dir.path, 'one.db'))
  db.exec('CREATE TABLE rows (one)')
})
afterEach(() => {
  db.close()
  dir.remove()
})
const level = (): unknown => db.pragma('synchronous', { simple: true })
const count = (): unknown => db.prepare('SELECT count(*) FROM rows').pluck().get()
const insert = (): unknown => db.exec('INSERT INTO rows VALUES (1)')

it('a transaction that is flushed later does not wait for the disk, and the next one does', () => {
  const inside = runTransaction(db, () => (insert(), level()), 'later')
  expect([inside, level(), count()]).toEqual([normal, full, 1])
  expect(runTransaction(db, () => (insert(), level()))).toBe(full)
})

it('a transaction within one that is flushed now is flushed with it', () => {
  const inside = runTransaction(db, () => runTransaction(db, () => (insert(), level()), 'later'))
  expect([inside, count()]).toEqual([full, 1])
})

it('a transaction that fails is undone, and the next one waits for the disk', () => {
  const failing = (): void => {
    insert()
    throw new Error('no')
  }
  expect(() => runTransaction(db, failing, 'later')).toThrow('no')
  expect([level(), count()]).toEqual([full, 0])
})
