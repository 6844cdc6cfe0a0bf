import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openMailboxDatabase } from '../../electron/mailbox/database.ts'
import { openServiceDatabase } from '../../electron/service/database.ts'
import { simpleSchema, startTestCore, temporaryDir } from '../helpers/core.ts'
import { sheaf } from '../helpers/sheaf.ts'

const umask = process.umask()
let dir: ReturnType<typeof temporaryDir>
beforeEach(() => {
  dir = temporaryDir()
  // Whatever a program makes is for everybody, unless it says otherwise.
  process.umask(0)
  chmodSync(dir.path, 0o755)
})
afterEach(() => {
  process.umask(umask)
  dir.remove()
})

/** The files below a folder that somebody other than their owner may read or change, with their modes. */
function openFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => (statSync(path).mode & 0o077) !== 0)
    .map((path) => `${path.slice(folder.length + 1)} ${(statSync(path).mode & 0o777).toString(8)}`)
}

function openUp(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
}

describe.skipIf(process.platform === 'win32')('in a data folder that everybody may read', () => {
  /** Starts core, has it write, and tells which files are open to others while it runs. */
  async function openWhileRunning(dataDir: string): Promise<string[]> {
    const core = await startTestCore(dataDir)
    try {
      core.context.tables.schemas.save(null, 'Invoice', [...simpleSchema], Date.now())
      await core.handlers['storage.backUp']({})
      expect(existsSync(join(dataDir, 'sheaf.db-wal'))).toBe(true)
      expect(existsSync(join(dataDir, 'journal.db-wal'))).toBe(true)
      expect(readdirSync(join(dataDir, 'backups'))).not.toEqual([])
      return openFiles(dataDir)
    } finally {
      await core.stop({ atOnce: true })
    }
  }

  it('nobody else may read what Sheaf writes there, its logs, its snapshots and its lock', async () => {
    expect(await openWhileRunning(dir.path)).toEqual([])
    expect(openFiles(dir.path)).toEqual([])
  })

  it('nobody else may read what an earlier Sheaf left there, from the next start on', async () => {
    await openWhileRunning(dir.path)
    openUp(dir.path)
    expect(openFiles(dir.path)).not.toEqual([])
    expect(await openWhileRunning(dir.path)).toEqual([])
    expect(openFiles(dir.path)).toEqual([])
  })

  it('the logs that a killed program left are closed with their database', async () => {
    const program = `
      const db = new (require('better-sqlite3'))(${JSON.stringify(join(dir.path, 'mailbox.db'))})
      db.pragma('journal_mode = WAL')
      db.exec('CREATE TABLE a (b)')
      process.kill(process.pid, 'SIGKILL')`
    spawnSync(process.execPath, ['-e', program])
    expect(openFiles(dir.path)).toEqual(['mailbox.db 644', 'mailbox.db-shm 644', 'mailbox.db-wal 644'])
    openMailboxDatabase(dir.path).close()
    expect(openFiles(dir.path)).toEqual([])
  })

  it.each([
    ['the mailbox', openMailboxDatabase],
    ['the service', openServiceDatabase],
  ] as const)('nobody else may read the database of %s', (_whose, open) => {
    const folder = join(dir.path, 'data')
    mkdirSync(folder)
    for (let run = 0; run < 2; run += 1) {
      const db = open(folder)
      db.exec(`CREATE TABLE probe_${run} (a)`)
      expect(openFiles(folder)).toEqual([])
      db.close()
      expect(openFiles(folder)).toEqual([])
      openUp(folder)
    }
  })
})

describe.skipIf(process.platform === 'win32')('a data folder that others may change', () => {
  it.each([
    [0o777, true],
    [0o755, false],
  ])('is told to the window (mode %o: %s)', async (mode, isShared) => {
    chmodSync(dir.path, mode)
    const core = await startTestCore(dir.path)
    try {
      expect(await core.handlers['app.state']({})).toMatchObject({ dataDir: dir.path, dataDirShared: isShared })
    } finally {
      await core.stop({ atOnce: true })
    }
  })

  it('is told in the terminal, by name', async () => {
    const data = join(dir.path, 'data')
    mkdirSync(data)
    const schema = join(dir.path, 'schema.json')
    writeFileSync(schema, JSON.stringify(simpleSchema))
    const run = (): Promise<{ stderr: string }> =>
      sheaf(['extract', dir.path, '--schema', schema], { SHEAF_DATA_DIR: data })
    chmodSync(data, 0o777)
    expect((await run()).stderr).toContain(`Others can change what is in Sheaf’s data folder, ${data}.`)
    chmodSync(data, 0o755)
    expect((await run()).stderr).not.toContain('Others can change')
  })
})
