import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { Journal } from '../../electron/core/db/durability/journal.ts'
import { Storage } from '../../electron/core/db/durability/storage.ts'
import { simpleSchema, startTestCore, temporaryDir } from '../helpers/core.ts'
import { entryPath } from '../../electron/entries.ts'
import { testProgram } from '../helpers/built.ts'

let dir: ReturnType<typeof temporaryDir>
let data: string

/**
 * A data folder of which the journal and the snapshots, if there are any, know next to nothing: two schemas and a
 * setting.
 */
beforeEach(async () => {
  dir = temporaryDir()
  data = join(dir.path, 'data')
  await started(async (core) => {
    core.context.tables.schemas.save(null, 'Invoice', [...simpleSchema], 1)
    await core.handlers['storage.backUp']({})
    core.context.tables.schemas.save(null, 'Order', [...simpleSchema], 1)
    await core.handlers['settings.update']({ concurrency: 7 })
  })
})
afterEach(() => dir.remove())

async function started(look: (core: Core) => void | Promise<void>): Promise<void> {
  const core = await startTestCore(data)
  try {
    await look(core)
  } finally {
    await core.stop({ atOnce: true })
  }
}

function change(name: string, sql: string): void {
  const db = new Sqlite(join(data, name))
  db.pragma('foreign_keys = OFF')
  db.exec(sql)
  db.close()
}

const recoveryOf = async (core: Core) => (await core.handlers['app.state']({})).recovery
const schemasOf = (core: Core): string[] => core.context.tables.schemas.list().map(({ name }) => name)

/** Opens the folder in a process that is killed right before its n-th rename; false where it makes fewer. */
async function killedAtRename(n: number): Promise<boolean> {
  const child = spawn(process.execPath, [testProgram('rename-child'), data, String(n)], {
    stdio: 'inherit',
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (signal !== 'SIGKILL') expect(code).toBe(0)
  return signal === 'SIGKILL'
}

const flipSetting =
  "UPDATE settings SET value = '{' WHERE key = 'callbackPort'; UPDATE schema_versions SET elements = '[{' WHERE id = 1"

describe('F38 a kill while a database is put together again', () => {
  it.each([1, 2, 3])('loses nothing of one that is repaired, before rename %d of it', async (n) => {
    change('sheaf.db', flipSetting)
    expect(await killedAtRename(n)).toBe(true)
    await started(async (core) => {
      expect(schemasOf(core)).toEqual(['Invoice', 'Order'])
      expect(core.context.tables.settings.get().concurrency).toBe(7)
      expect(await recoveryOf(core)).toMatchObject({ how: 'repaired' })
    })
    expect(readdirSync(data).filter((name) => name.startsWith('restored'))).toEqual([])
    expect(readdirSync(join(data, 'broken')).length).toBeGreaterThan(0)
  })

  it.each([1, 2, 3])('leads to the same for one that is restored, before rename %d of it', async (n) => {
    writeFileSync(join(data, 'sheaf.db'), 'garbage')
    expect(await killedAtRename(n)).toBe(true)
    await started(async (core) => {
      expect(schemasOf(core)).toEqual(['Invoice'])
      expect(await recoveryOf(core)).toMatchObject({ how: 'restored' })
    })
    expect(readdirSync(join(data, 'broken')).flatMap((aside) => readdirSync(join(data, 'broken', aside)))).toEqual([
      'sheaf.db',
    ])
  })

  it('leaves no write-ahead log of the old database for the new one', async () => {
    const open = new Sqlite(join(data, 'sheaf.db'))
    open.exec(flipSetting)
    expect(await killedAtRename(3)).toBe(true)
    open.close()
    // As the kill left it: the database is away, its log is not.
    expect(existsSync(join(data, 'sheaf.db'))).toBe(false)
    writeFileSync(join(data, 'sheaf.db-wal'), 'of the old one')
    await started(async (core) => {
      expect(schemasOf(core)).toEqual(['Invoice', 'Order'])
      expect(await recoveryOf(core)).toMatchObject({ how: 'repaired' })
    })
  })

  it('leaves what was finished to no database that is there', async () => {
    writeFileSync(join(data, 'restored.db'), 'left behind')
    await started(async (core) => {
      expect(schemasOf(core)).toEqual(['Invoice', 'Order'])
      expect(await recoveryOf(core)).toBeNull()
    })
    expect(existsSync(join(data, 'restored.db'))).toBe(false)
  })
})

describe('F38 a repair', () => {
  it('has what is only in the write-ahead log, which stays while another program looks into the database', async () => {
    const other = new Sqlite(join(data, 'sheaf.db'))
    other.exec('BEGIN')
    other.prepare('SELECT count(*) FROM settings').get()
    change('sheaf.db', `${flipSetting}; UPDATE schemas SET name = 'Delivery' WHERE id = 2`)
    try {
      await started((core) => {
        expect(schemasOf(core)).toEqual(['Delivery', 'Invoice'])
      })
    } finally {
      other.close()
    }
  })
})

describe('F38 a database that is missing', () => {
  const removeDatabase = (): void => {
    for (const ending of ['', '-wal', '-shm']) rmSync(join(data, `sheaf.db${ending}`), { force: true })
  }

  it('is no first start where nothing was sent yet', async () => {
    rmSync(join(data, 'backups'), { recursive: true })
    removeDatabase()
    await started(async (core) => {
      expect(await recoveryOf(core)).toMatchObject({ how: 'restored', snapshotAt: null })
    })
  })

  it('is no first start where one entry is all that a journal of an earlier Sheaf has', async () => {
    for (const name of ['backups', 'journal.db']) rmSync(join(data, name), { recursive: true })
    removeDatabase()
    const journal = new Journal(join(data, 'journal.db'), false)
    journal.returned(Buffer.from('an attempt'))
    journal.close()
    await started(async (core) => {
      expect(await recoveryOf(core)).toMatchObject({ how: 'restored', snapshotAt: null })
    })
  })

  it.each([1, 2, 3])(
    'is no first start where its journal broke as well, and a kill came before rename %d',
    async (n) => {
      rmSync(join(data, 'backups'), { recursive: true })
      removeDatabase()
      writeFileSync(join(data, 'journal.db'), 'garbage'.repeat(1000))
      expect(await killedAtRename(n)).toBe(true)
      await started(async (core) => {
        expect(await recoveryOf(core)).toMatchObject({ how: 'restored', journalLost: true })
      })
    },
  )

  it('is no first start where its broken journal was moved away already', async () => {
    rmSync(join(data, 'backups'), { recursive: true })
    writeFileSync(join(data, 'journal.db'), 'garbage'.repeat(1000))
    await started(() => undefined)
    for (const name of ['sheaf.db', 'journal.db']) renameSync(join(data, name), join(data, 'broken', name))
    await started(async (core) => {
      expect(await recoveryOf(core)).toMatchObject({ how: 'restored', journalLost: true })
    })
  })
})

/** The files that this process holds open, as the system names them now. */
const openFiles = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(join('/proc/self/fd', fd))]
    } catch {
      return []
    }
  })

// What holds a file open is told by /proc; Windows would refuse the rename itself.
describe.runIf(existsSync('/proc/self/fd'))('F38 a broken journal', () => {
  it.each([
    ['without its table', 'ALTER TABLE entries RENAME TO entrief'],
    [
      'whose schema cannot be read',
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE' WHERE name = 'snapshots'",
    ],
    [
      'with an index that is not of its table',
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'entries_reference'",
    ],
  ])('%s is closed before it is moved away', async (_what, sql) => {
    const db = new Sqlite(join(data, 'journal.db'))
    db.unsafeMode(true)
    db.exec(sql)
    db.close()
    const storage = await Storage.open({ dataDir: data, snapshotThread: entryPath('snapshot-thread'), now: Date.now })
    expect(readdirSync(join(data, 'broken'))).toHaveLength(1)
    expect(openFiles().filter((path) => path.startsWith(join(data, 'broken')))).toEqual([])
    await storage.close()
  })
})
