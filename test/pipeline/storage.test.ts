import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { Journal, journalVersion } from '../../electron/core/db/durability/journal.ts'
import { Storage } from '../../electron/core/db/durability/storage.ts'
import type { StorageOptions } from '../../electron/core/db/durability/storage.ts'
import { openTables } from '../../electron/core/db/tables/tables.ts'
import type { Tables } from '../../electron/core/db/tables/tables.ts'
import { entryPath } from '../../electron/entries.ts'
import { maxCallbackBytes } from '../../shared/wire/mailbox.ts'
import { laterMigrations } from '../faults/later-migration.ts'
import { addFolder, pdfBytes, simpleSchema, startTestCore, statuses, temporaryDir, until } from '../helpers/core.ts'
import { forNight } from '../helpers/scale.ts'
import { startVendor } from '../helpers/vendor.ts'

let dir: ReturnType<typeof temporaryDir>
beforeEach(() => {
  dir = temporaryDir()
})
afterEach(() => dir.remove())

const open = (options: Partial<StorageOptions> = {}): Promise<Storage> =>
  Storage.open({ dataDir: dir.path, snapshotThread: entryPath('snapshot-thread'), now: Date.now, ...options })

/** A document that may be sent. */
function addDocument(tables: Tables): number {
  const connectionId =
    tables.connections.findPlatform('https://vendor.test/', 'c')?.id ??
    tables.connections.addPlatform('Vendor', 'https://vendor.test/', 'c')
  const schema = tables.schemas.list()[0] ?? tables.schemas.save(null, 'Invoice', [...simpleSchema], 1)
  const folder = tables.folders.findOrAdd(
    {
      kind: 'watched',
      path: '/in',
      name: 'In',
      schemaId: schema.id,
      connectionId,
      agentReference: null,
      mode: 'auto',
      includeSubfolders: true,
      afterwards: 'stay',
    },
    1,
  )
  const name = `${Math.random()}.pdf`
  const document = {
    folderId: folder.id,
    connectionId,
    schemaVersionId: schema.versionId,
    agentReference: null,
    mode: 'auto' as const,
    path: `/in/${name}`,
    name,
  }
  return tables.documents.insert(
    { ...document, sizeBytes: 1, mtimeMs: 1, sha256: null, originalDocumentId: null, status: 'queued', reason: null },
    1,
  )
}

const submit = (tables: Tables, documentId: number): number =>
  tables.transaction(() => {
    tables.documents.apply(documentId, 'submit', {}, 1)
    return tables.attempts.open(documentId, 'sync', 'vendor.test', null, 1)
  })

const answerTo = (attemptId: number, body: string) => ({
  attemptId,
  source: 'response' as const,
  httpStatus: 200,
  contentType: null,
  body: Buffer.from(body),
  complete: true,
})

function journalRows(): { kind: string; seq: number }[] {
  const db = new Sqlite(join(dir.path, 'journal.db'), { readonly: true })
  const rows = db.prepare<[], { kind: string; seq: number }>('SELECT kind, seq FROM entries ORDER BY seq').all()
  db.close()
  return rows
}

describe('snapshots', () => {
  it('are made by themselves while something changes', async () => {
    const documents = join(dir.path, 'documents')
    mkdirSync(documents)
    const vendor = await startVendor()
    const data = join(dir.path, 'data')
    const core = await startTestCore(data, { timings: { snapshotMs: 20, sweepIntervalMs: 30, quietMs: 30 } })
    let told = 0
    core.onEvent((name) => {
      if (name === 'storage.changed') told += 1
    })
    addFolder(core, vendor, { path: documents })
    await core.run()
    await until(() => told >= 1, 'the first snapshot')
    const newest = (): string =>
      readdirSync(join(data, 'backups'))
        .filter((name) => name.endsWith('.db'))
        .sort()
        .at(-1)!
    const before = newest()
    writeFileSync(join(documents, 'new.pdf'), pdfBytes('new'))
    await until(() => statuses(core)['done'] === 1 && newest() > before, 'one more with the document')
    expect((await core.handlers['storage.get']({})).snapshots.every(({ kind }) => kind === 'hourly')).toBe(true)
    await core.stop()
    await vendor.close()
  })

  it('are not made again while nothing changed, but when a person asks', async () => {
    const storage = await open()
    await storage.snapshot('hourly')
    await storage.snapshot('hourly')
    expect(storage.state().snapshots.map(({ kind }) => kind)).toEqual(['hourly'])
    await storage.snapshot('manual')
    addDocument(openTables(storage.db, storage.journal))
    await storage.snapshot('hourly')
    expect(storage.state().snapshots.map(({ kind }) => kind)).toEqual(['hourly', 'manual', 'hourly'])
    await storage.close()
  })

  it('are not made again by short runs that change nothing, and so push no other one out', async () => {
    const vendor = await startVendor()
    const documents = join(dir.path, 'documents')
    mkdirSync(documents)
    const snapshotsAfter = async (work: (core: Core) => void): Promise<number> => {
      const core = await startTestCore(join(dir.path, 'data'), { timings: { snapshotMs: 0 } })
      work(core)
      await core.run()
      await core.backUpIfDue()
      const { snapshots } = await core.handlers['storage.get']({})
      await core.stop()
      return snapshots.length
    }
    expect(await snapshotsAfter((core) => void addFolder(core, vendor, { path: documents }))).toBe(1)
    for (let n = 0; n < 3; n += 1) expect(await snapshotsAfter(() => undefined)).toBe(1)
    expect(await snapshotsAfter((core) => void core.context.tables.settings.update({ concurrency: 7 }))).toBe(2)
    await vendor.close()
  })

  it('leave room on the disk: older ones of them make way, and when that is not enough it is said', async () => {
    const gigabyte = 1024 ** 3
    const sizeOf = (name: string): number =>
      existsSync(join(dir.path, name)) ? statSync(join(dir.path, name)).size : 0
    const hourly = (): string[] =>
      readdirSync(join(dir.path, 'backups'))
        .filter((name) => name.includes('hourly'))
        .map((name) => join('backups', name))
    const bytesOf = (names: string[]): number => names.reduce((sum, name) => sum + sizeOf(name), 0)
    let disk = 10 * gigabyte
    const storage = await open({ freeBytes: () => disk - bytesOf(hourly()) })
    const tables = openTables(storage.db, storage.journal)
    const kinds = (): string[] => storage.state().snapshots.map(({ kind }) => kind)
    for (const kind of ['manual', 'hourly', 'hourly'] as const) {
      addDocument(tables)
      await storage.snapshot(kind)
    }
    /** What there has to be for the next one when all but the newest make way. */
    const enough = (): number => gigabyte + bytesOf(['sheaf.db', 'sheaf.db-wal', hourly().at(-1)!])
    const [older] = hourly()
    addDocument(tables)
    disk = enough()
    await storage.snapshot('hourly')
    expect(kinds()).toEqual(['hourly', 'hourly', 'manual'])
    expect(hourly()).not.toContain(older)
    addDocument(tables)
    disk = enough() - 1
    const before = readdirSync(join(dir.path, 'backups'))
    await expect(storage.snapshot('hourly')).rejects.toMatchObject({ code: 'storage_full' })
    // None makes way for nothing.
    expect(readdirSync(join(dir.path, 'backups'))).toEqual(before)
    expect(storage.state().lastFailure).toMatchObject({ problem: { code: 'storage_full' } })
    disk = 10 * gigabyte
    await storage.snapshot('hourly')
    expect(storage.state().lastFailure).toBeNull()
    await storage.close()
  })

  it('are whole files that open by themselves, and what a broken-off one left is gone at the next start', async () => {
    mkdirSync(join(dir.path, 'backups'))
    writeFileSync(join(dir.path, 'backups', '000001-hourly-2026-01-01T00-00-00.000Z.db.partial'), 'half')
    const storage = await open()
    addDocument(openTables(storage.db, storage.journal))
    await storage.snapshot('hourly')
    await storage.close()
    const [name, ...others] = readdirSync(join(dir.path, 'backups'))
    expect(others).toEqual([])
    const copy = new Sqlite(join(dir.path, 'backups', name!), { readonly: true })
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(copy.prepare('SELECT count(*) AS documents FROM documents').get()).toEqual({ documents: 1 })
    copy.close()
    expect(readdirSync(join(dir.path, 'backups'))).toEqual([name])
  })

  it('are broken off by a stop, which does not wait for them', async () => {
    const storage = await open()
    const making = storage.snapshot('manual')
    await storage.close()
    await making
    expect(
      existsSync(join(dir.path, 'backups'))
        ? readdirSync(join(dir.path, 'backups')).filter((name) => name.endsWith('.db'))
        : [],
    ).toHaveLength(0)
  })
})

describe('F13 a disk on which Sheaf works', () => {
  it('counts as full while the largest result would find no room, whatever can still be written', async () => {
    let free = 4 * maxCallbackBytes
    const storage = await open({ freeBytes: () => free })
    storage.requireUsable()
    storage.probe()
    free -= 1
    expect(() => storage.requireUsable()).toThrow(expect.objectContaining({ code: 'ENOSPC' }))
    expect(() => storage.probe()).toThrow(expect.objectContaining({ code: 'ENOSPC' }))
    await storage.close()
  })

  it(
    'and whose database another program holds is named so at a start, and opens once it lets go',
    forNight,
    async () => {
      await (await open()).close()
      const other = new Sqlite(join(dir.path, 'sheaf.db'))
      other.exec('BEGIN IMMEDIATE')
      await expect(open()).rejects.toMatchObject({ code: 'storage_busy' })
      other.close()
      await (await open()).close()
    },
  )

  it.each(['SQLITE_IOERR_READ', 'EIO'])('and that fails with %s is named so at a start', async (code) => {
    const failing = vi.spyOn(Journal.prototype, 'references').mockImplementation(() => {
      throw Object.assign(new Error('the disk fails'), { code })
    })
    await expect(open()).rejects.toMatchObject({ code: 'storage_read_only' })
    failing.mockRestore()
    await (await open()).close()
  })
})

describe('the journal', () => {
  it('has an attempt before it may be sent and an answer before it is in the database', async () => {
    const storage = await open()
    const tables = openTables(storage.db, storage.journal)
    const attempt = submit(tables, addDocument(tables))
    expect(journalRows().map(({ kind }) => kind)).toEqual(['attempt'])
    storage.db.exec("CREATE TRIGGER refuse BEFORE INSERT ON answers BEGIN SELECT raise(FAIL, 'no room'); END")
    expect(() => tables.attempts.storeAnswer(answerTo(attempt, '{}'), 1)).toThrow('no room')
    expect(journalRows().map(({ kind }) => kind)).toEqual(['attempt', 'answer'])
    // Tried again once there is room, it is the same answer.
    storage.db.exec('DROP TRIGGER refuse')
    tables.attempts.storeAnswer(answerTo(attempt, '{}'), 1)
    expect(journalRows()).toHaveLength(2)
    await storage.close()
  })

  it('takes back an attempt whose row could not be committed: after a restart its document is still queued', async () => {
    const storage = await open()
    const tables = openTables(storage.db, storage.journal)
    const document = addDocument(tables)
    expect(() =>
      tables.transaction(() => {
        submit(tables, document)
        throw new Error('the disk is full')
      }),
    ).toThrow('the disk is full')
    expect(journalRows().map(({ kind }) => kind)).toEqual(['attempt', 'returned'])
    await storage.close()
    const again = await open()
    const next = openTables(again.db, again.journal)
    expect(next.documents.get(document)?.status).toBe('queued')
    expect(next.attempts.ofDocument(document)).toEqual([])
    await again.close()
  })

  it('knows of an attempt that it was provably not taken: a database that does not is told', async () => {
    const storage = await open()
    const tables = openTables(storage.db, storage.journal)
    const document = addDocument(tables)
    const attempt = submit(tables, document)
    await storage.snapshot('manual')
    tables.transaction(() => {
      tables.attempts.settle(attempt, 'returned', 2)
      tables.documents.apply(document, 'return', {}, 2)
    })
    await storage.close()
    writeFileSync(join(dir.path, 'sheaf.db'), 'broken')
    const again = await open()
    const next = openTables(again.db, again.journal)
    expect(again.recovery).not.toBeNull()
    expect(next.attempts.get(attempt).outcome).toBe('returned')
    expect(next.documents.get(document)?.status).toBe('queued')
    await again.close()
  })

  it('goes back to the oldest hourly snapshot that is kept, and not further', async () => {
    const storage = await open()
    const tables = openTables(storage.db, storage.journal)
    for (let n = 0; n < 9; n += 1) {
      submit(tables, addDocument(tables))
      await storage.snapshot('hourly')
    }
    expect(storage.state().snapshots).toHaveLength(7)
    expect(journalRows().map(({ seq }) => seq)).toEqual([4, 5, 6, 7, 8, 9])
    await storage.close()
  })

  it('keeps an answer that the database could not store yet, whatever snapshot is made', async () => {
    const storage = await open()
    const tables = openTables(storage.db, storage.journal)
    const attempt = submit(tables, addDocument(tables))
    storage.db.exec("CREATE TRIGGER refuse BEFORE INSERT ON answers BEGIN SELECT raise(FAIL, 'no room'); END")
    expect(() => tables.attempts.storeAnswer(answerTo(attempt, '{}'), 1)).toThrow('no room')
    for (let n = 0; n < 9; n += 1) {
      addDocument(tables)
      await storage.snapshot('hourly')
    }
    expect(journalRows().map(({ kind }) => kind)).toEqual(['answer'])
    storage.db.exec('DROP TRIGGER refuse')
    await storage.close()
    const again = await open()
    expect(openTables(again.db, again.journal).attempts.answers(attempt)).toHaveLength(1)
    await again.close()
  })

  it('whose version is a flipped bit is set aside beside a whole database; that of a newer Sheaf is not touched', async () => {
    const storage = await open()
    addDocument(openTables(storage.db, storage.journal))
    await storage.close()
    const turn = (version: number): void => {
      const db = new Sqlite(join(dir.path, 'journal.db'))
      db.pragma(`user_version = ${version}`)
      db.close()
    }
    turn(journalVersion + 2 ** 20)
    const again = await open()
    expect(again.recovery).toBeNull()
    expect(openTables(again.db, again.journal).documents.openCount()).toBe(1)
    await again.close()
    expect(readdirSync(join(dir.path, 'broken'))).toHaveLength(1)
    turn(journalVersion + 1)
    await expect(open()).rejects.toMatchObject({ code: 'newer_database' })
    expect(readdirSync(join(dir.path, 'broken'))).toHaveLength(1)
  })

  it('that begins beside a database does not claim to know what was before it', () => {
    const journal = new Journal(join(dir.path, 'journal.db'), true)
    expect([journal.isUntouched, journal.reaches(null), journal.reaches('an older snapshot')]).toEqual([
      true,
      false,
      false,
    ])
    journal.markSnapshot('a new snapshot', journal.mark())
    expect(journal.reaches('a new snapshot')).toBe(true)
    journal.close()
  })
})

describe('an update that changes the database', () => {
  it('leaves a copy of before, with which the earlier version goes on and pays for nothing twice', async () => {
    const vendor = await startVendor()
    onTestFinished(vendor.close)
    const documents = join(dir.path, 'in')
    const data = join(dir.path, 'data')
    mkdirSync(documents)
    /** Extracts one more document with a version of Sheaf, until it has so many. */
    async function work(core: Core, name: string, done: number): Promise<void> {
      if (done === 1) addFolder(core, vendor, { path: documents })
      writeFileSync(join(documents, name), pdfBytes(name))
      await core.run()
      await until(() => statuses(core)['done'] === done, name)
      await core.stop()
    }
    await work(await startTestCore(data), 'before.pdf', 1)
    await work(await startTestCore(data, { migrations: laterMigrations }), 'after.pdf', 2)

    const bytes = (): string[] =>
      ['sheaf.db', 'journal.db'].map((name) => readFileSync(join(data, name)).toString('base64'))
    const newer = bytes()
    await expect(startTestCore(data)).rejects.toMatchObject({ code: 'newer_database' })
    expect(bytes()).toEqual(newer)

    const copies = readdirSync(join(data, 'backups')).filter((name) => name.includes('-before-migration-'))
    expect(copies).toHaveLength(1)
    for (const ending of ['', '-wal', '-shm']) rmSync(join(data, `sheaf.db${ending}`), { force: true })
    copyFileSync(join(data, 'backups', copies[0]!), join(data, 'sheaf.db'))
    const core = await startTestCore(data)
    onTestFinished(() => core.stop({ atOnce: true }))
    expect((await core.handlers['app.state']({})).recovery).toMatchObject({ how: 'earlier', journalLost: false })
    await core.run()
    expect(statuses(core)).toEqual({ done: 2 })
    expect(vendor.received).toHaveLength(2)
    expect(core.context.tables.connections.list().map(({ pausedReason }) => pausedReason?.code)).toContain(
      'restored_from_snapshot',
    )
  })
})

describe('what is not on the disk yet', () => {
  it('is not acted upon: no byte of a document leaves before its attempt is flushed, and no answer is read before that', async () => {
    const vendor = await startVendor()
    onTestFinished(vendor.close)
    const inbox = join(dir.path, 'in')
    mkdirSync(inbox)
    writeFileSync(join(inbox, 'one.pdf'), pdfBytes('one'))
    const core = await startTestCore(join(dir.path, 'data'))
    onTestFinished(() => core.stop({ atOnce: true }))
    const { tables } = core.context
    const folder = addFolder(core, vendor, { path: inbox })
    const held: (() => void)[] = []
    tables.flushed = () => new Promise((resolve) => held.push(resolve))
    await core.run()
    const document = () => tables.documents.latestAt(folder.id, join(inbox, 'one.pdf'))
    const answers = (): number => tables.attempts.answers(tables.attempts.ofDocument(document()!.id)[0]!.id).length
    await until(() => held.length === 1, 'the attempt to wait for the disk')
    expect([document()!.status, vendor.received.length]).toEqual(['submitting', 0])
    held[0]!()
    await until(() => held.length === 2, 'the answer to wait for the disk')
    expect([document()!.status, vendor.received.length, answers()]).toEqual(['submitting', 1, 1])
    held[1]!()
    await until(() => document()!.status === 'done', 'the document')
  })
})
