import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { connect, migrate, migrations } from '../../electron/core/db/open.ts'
import { addFolder, pdfBytes, startTestCore, statuses, temporaryDir, until } from '../helpers/core.ts'
import { startVendor, successBody } from '../helpers/vendor.ts'
import {
  closeProperly,
  copyOf,
  flipBits,
  outcomes,
  overwrite,
  pagesOf,
  seeded,
  statusOf,
  workedFolder,
} from './damaged-folder.ts'
import { laterMigrations } from './later-migration.ts'
import type { Page, Worked } from './damaged-folder.ts'
import { expectInvariants } from './invariants.ts'
import { testProgram } from '../helpers/built.ts'

const seed = 20_261_121
const timings = { sweepIntervalMs: 50, quietMs: 50 }

/** Every file of a folder with its bytes. */
function bytesOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  )
  return Object.fromEntries(files.sort().map((name) => [name, readFileSync(join(folder, name)).toString('base64')]))
}

describe('F38 a database that broke', () => {
  const dir = temporaryDir()
  let worked: Worked
  const names = Object.keys(outcomes)
  const pathOf = (name: string): string => join(worked.documents, name)

  beforeAll(async () => {
    worked = await workedFolder()
  })
  afterAll(async () => {
    await worked.close()
    dir.remove()
  })

  const recoveryOf = async (core: Core) => (await core.handlers['app.state']({})).recovery
  const pausesOf = (core: Core) =>
    core.context.tables.connections
      .list()
      .filter(({ kind }) => kind === 'platform')
      .map(({ pausedReason }) => pausedReason?.code ?? null)

  /** Starts on a damaged copy, lets everything go that may go, and compares what is known with what was. */
  async function startOn(
    damaged: string,
    look: (core: Core) => Promise<void> = async () => undefined,
    known: Record<string, string> = outcomes,
  ): Promise<void> {
    const core = await startTestCore(damaged, { timings })
    const { tables } = core.context
    try {
      await core.run()
      await look(core)
      for (const { id } of tables.connections.list()) await core.handlers['connections.resume']({ id })
      for (const folder of tables.folders.list()) tables.folders.save({ ...folder, paused: false })
      await core.watchers.follow()
      core.queue.resume()
      await until(() => names.every((name) => statusOf(core, pathOf(name)) !== null), 'every document to be known')
      await until(() => core.queue.idle && tables.documents.openCount() === 0, 'nothing to be left to do')
      expect(Object.fromEntries(names.map((name) => [name, statusOf(core, pathOf(name))]))).toEqual(known)
      for (const [name, status] of Object.entries(known)) {
        if (status !== 'done') continue
        const document = tables.folders
          .list()
          .map(({ id }) => tables.documents.latestAt(id, pathOf(name)))
          .find((each) => each !== null)!
        expect((await core.handlers['documents.get']({ id: document.id })).records, name).toMatchObject([
          { invoice_number: name.replace('.pdf', '') },
        ])
      }
      expect(worked.vendor.received).toHaveLength(names.length)
    } finally {
      await core.stop({ atOnce: true })
    }
    expectInvariants(damaged, {
      paths: names.map(pathOf),
      billable: worked.vendor.received.length,
      filesSent: names.length,
      approvedResends: 0,
    })
  }

  it('is no trouble where it is only a crash', async () => {
    const folder = copyOf(worked.crashed, join(dir.path, 'crash'))
    await startOn(folder, async (core) => {
      expect(await recoveryOf(core)).toBeNull()
      expect(pausesOf(core)).toEqual([null])
    })
    expect(existsSync(join(folder, 'broken'))).toBe(false)
  })

  it.each([0, 10, 30, 50, 70, 90, 99])(
    'has from the journal what its truncated WAL lost: %d %% of it left',
    async (percent) => {
      const folder = copyOf(worked.crashed, join(dir.path, `wal-${percent}`))
      const wal = join(folder, 'sheaf.db-wal')
      truncateSync(wal, Math.floor((statSync(wal).size * percent) / 100))
      await startOn(folder)
    },
  )

  const kinds: Record<string, (page: Page) => boolean> = {
    schema: ({ table }) => table === 'sqlite_schema',
    interior: ({ kind }) => kind === 'internal',
    index: ({ table }) => /^(documents|attempts)_|^sqlite_autoindex/.test(table),
    documents: ({ table }) => table === 'documents',
    attempts: ({ table }) => table === 'attempts',
    answers: ({ table }) => table === 'answers',
    results: ({ table }) => table === 'results',
    settings: ({ table }) => table === 'settings',
    connections: ({ table }) => table === 'connections',
  }
  const variants = Object.keys(kinds).flatMap((kind) => [0, 1, 2].map((n) => ({ kind, n })))
  it.each(variants)(
    'is put together again after flipped bits in a page of kind $kind (variant $n)',
    async ({ kind, n }) => {
      const folder = copyOf(worked.crashed, join(dir.path, `flip-${kind}-${n}`))
      const path = join(folder, 'sheaf.db')
      closeProperly(path)
      const random = seeded(seed + Object.keys(kinds).indexOf(kind) * 100 + n)
      const { sizeBytes, pages } = pagesOf(path)
      const fitting = pages.filter(kinds[kind]!)
      const page = fitting[random(fitting.length)]!
      const start = (page.number - 1) * sizeBytes + (page.number === 1 ? 100 : 0)
      // What makes a page a page is at its beginning, rows are at its end.
      if (n === 0) flipBits(path, start, start + 8, 3, random)
      else flipBits(path, start, page.number * sizeBytes, 60, random)
      await startOn(folder)
    },
  )

  it.each([0, 1, 2])('is put together again after flipped bits in the header (variant %d)', async (n) => {
    const folder = copyOf(worked.crashed, join(dir.path, `flip-header-${n}`))
    closeProperly(join(folder, 'sheaf.db'))
    flipBits(join(folder, 'sheaf.db'), 0, 100, 8, seeded(seed + n))
    await startOn(folder)
  })

  it('is set aside byte for byte, and the person is told until they have read it; nothing is sent to who bills before they say so', async () => {
    const folder = copyOf(worked.closed, join(dir.path, 'garbage'))
    const garbage = Buffer.alloc(50_000, 'garbage ')
    overwrite(join(folder, 'sheaf.db'), garbage)
    await startOn(folder, async (core) => {
      const told = (await recoveryOf(core))!
      expect(told).toMatchObject({ journalLost: false, attempts: 5, answers: 3 })
      expect(told.snapshotAt).toBe((await core.handlers['storage.get']({})).snapshots[0]!.at)
      expect(readFileSync(join(told.setAsideIn!, 'sheaf.db')).equals(garbage)).toBe(true)
      expect(pausesOf(core)).toEqual(['restored_from_snapshot'])
    })
    const again = await startTestCore(folder)
    expect((await recoveryOf(again))?.journalLost).toBe(false)
    await again.handlers['storage.dismissRecovery']({})
    expect(await recoveryOf(again)).toBeNull()
    await again.stop()
    const later = await startTestCore(folder)
    expect(await recoveryOf(later)).toBeNull()
    await later.stop()
  })

  it.each([
    ['has no bytes', (path: string) => overwrite(path, Buffer.alloc(0))],
    ['is not there', (path: string) => rmSync(path)],
    ['lost its second half', (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ['is of another program', (path: string) => overwrite(path, Buffer.from('SQLite format 3\0'.padEnd(4096, '\x01')))],
  ])('is put together again when its file %s', async (what, damage) => {
    const folder = copyOf(worked.closed, join(dir.path, what))
    damage(join(folder, 'sheaf.db'))
    await startOn(folder, async (core) => {
      expect(await recoveryOf(core)).toMatchObject({ journalLost: false, attempts: 5, answers: 3 })
    })
  })

  it('is put together from the journal alone where there is no snapshot', async () => {
    const folder = copyOf(worked.closed, join(dir.path, 'no-snapshot'))
    rmSync(join(folder, 'backups'), { recursive: true })
    rmSync(join(folder, 'sheaf.db'))
    // The snapshot was the only one: without it the journal was never shortened.
    await startOn(folder, async (core) => {
      expect(await recoveryOf(core)).toMatchObject({ snapshotAt: null, attempts: 7, answers: 4 })
      expect(core.context.tables.folders.list().map(({ paused }) => paused)).toEqual([true])
    })
  })

  it('is put together from an older snapshot where the newest is broken too', async () => {
    const folder = copyOf(worked.closed, join(dir.path, 'two-snapshots'))
    const [name] = readdirSync(join(folder, 'backups'))
    writeFileSync(join(folder, 'backups', name!.replace('000001', '000002')), 'not a database')
    overwrite(join(folder, 'sheaf.db'), Buffer.from('nor is this'))
    await startOn(folder, async (core) => {
      expect(await recoveryOf(core)).toMatchObject({ journalLost: false, attempts: 5 })
    })
  })

  it('is not needed to know what was sent: a broken journal beside a whole database is replaced without a word', async () => {
    const folder = copyOf(worked.closed, join(dir.path, 'journal'))
    overwrite(join(folder, 'journal.db'), Buffer.alloc(20_000, 'x'))
    await startOn(folder, async (core) => {
      expect(await recoveryOf(core)).toBeNull()
      expect(pausesOf(core)).toEqual([null])
    })
    const [aside] = readdirSync(join(folder, 'broken'))
    expect(readFileSync(join(folder, 'broken', aside!, 'journal.db'), 'latin1')).toBe('x'.repeat(20_000))
  })

  it('says that what was sent since the snapshot is not known when the journal broke as well, and sends nothing by itself', async () => {
    const folder = copyOf(worked.closed, join(dir.path, 'both'))
    overwrite(join(folder, 'sheaf.db'), Buffer.alloc(20_000, 'x'))
    overwrite(join(folder, 'journal.db'), Buffer.alloc(20_000, 'x'))
    const core = await startTestCore(folder, { timings })
    await core.run()
    expect(await recoveryOf(core)).toMatchObject({ journalLost: true, attempts: 0, answers: 0 })
    expect(pausesOf(core)).toEqual(['restored_from_snapshot'])
    await until(() => names.every((name) => statusOf(core, pathOf(name)) !== null), 'every document to be found again')
    expect(statuses(core)).toEqual({ done: 1, unknown: 1, queued: 5 })
    expect(worked.vendor.received).toHaveLength(names.length)
    await core.stop()
    expectInvariants(folder, {
      paths: names.map(pathOf),
      billable: worked.vendor.received.length,
      filesSent: names.length,
      approvedResends: 0,
    })
  })

  it('of a newer version is not touched, and said to be one', async () => {
    const folder = copyOf(worked.closed, join(dir.path, 'newer'))
    const db = new Sqlite(join(folder, 'sheaf.db'))
    db.pragma('journal_mode = DELETE')
    db.pragma(`user_version = ${migrations.length + 1}`)
    db.close()
    const before = bytesOf(folder)
    await expect(startTestCore(folder)).rejects.toMatchObject({ code: 'newer_database' })
    expect(bytesOf(folder)).toEqual(before)
  })

  it('is found broken by the check of its snapshot: nothing more is sent, and it is put together at the next start', async () => {
    const folder = copyOf(worked.closed, join(dir.path, 'while-running'))
    const core = await startTestCore(folder)
    const { pages, sizeBytes } = pagesOf(join(folder, 'sheaf.db'))
    const page = pages.find(({ table, kind }) => table === 'messages_created' && kind === 'leaf')!
    flipBits(
      join(folder, 'sheaf.db'),
      (page.number - 1) * sizeBytes,
      (page.number - 1) * sizeBytes + 8,
      6,
      seeded(seed),
    )
    await core.run()
    await until(() => core.queue.idle, 'the queue to be at rest')
    await expect(core.handlers['storage.backUp']({})).rejects.toMatchObject({ code: 'storage_damaged' })
    // Until then nothing more is sent into it.
    writeFileSync(pathOf('late.pdf'), pdfBytes('late'))
    await until(() => statusOf(core, pathOf('late.pdf')) === 'queued', 'one more document')
    core.queue.wake()
    expect([(await core.handlers['app.state']({})).storageTrouble, core.queue.idle]).toEqual(['damaged', true])
    rmSync(pathOf('late.pdf'))
    expect(worked.vendor.received).toHaveLength(names.length)
    expect((await core.handlers['storage.get']({})).snapshots).toHaveLength(1)
    await core.stop()
    await startOn(folder, async (next) => {
      expect(await recoveryOf(next)).not.toBeNull()
    })
  })
})

describe('F38 a database that breaks in use', () => {
  const dir = temporaryDir()
  afterAll(dir.remove)

  it('stops everything that would be sent into it, says so to whoever asks, and is put together at the next start', async () => {
    const worked = await workedFolder()
    try {
      const folder = copyOf(worked.closed, join(dir.path, 'in-use'))
      const path = join(folder, 'sheaf.db')
      const core = await startTestCore(folder, { timings })
      await core.run()
      await until(() => core.queue.idle, 'the queue to be at rest')
      const { pages, sizeBytes } = pagesOf(path)
      const other = new Sqlite(path)
      other.pragma('wal_checkpoint(TRUNCATE)')
      const bytes = readFileSync(path)
      for (const { number } of pages.filter(({ table }) => table === 'documents'))
        bytes.fill(0, (number - 1) * sizeBytes, number * sizeBytes)
      writeFileSync(path, bytes)
      // What another connection wrote is read anew from the file.
      other.exec("INSERT INTO settings (key, value) VALUES ('written', 'true')")
      other.close()
      writeFileSync(join(worked.documents, 'late.pdf'), pdfBytes('late'))
      await until(() => core.queue.storageTrouble === 'damaged', 'the damage to be noticed')
      expect((await core.handlers['app.state']({})).storageTrouble).toBe('damaged')
      await expect(core.handlers['documents.get']({ id: 1 })).rejects.toMatchObject({ code: 'storage_damaged' })
      await core.stop()
      expect(worked.vendor.received.map(({ filename }) => filename)).not.toContain('late.pdf')

      const next = await startTestCore(folder, { timings })
      expect((await next.handlers['app.state']({})).recovery).not.toBeNull()
      for (const [name, status] of Object.entries(outcomes))
        expect([name, statusOf(next, join(worked.documents, name))]).toEqual([name, status])
      await next.stop()
      expectInvariants(folder, {
        paths: Object.keys(outcomes).map((name) => join(worked.documents, name)),
        billable: worked.vendor.received.length,
        filesSent: Object.keys(outcomes).length,
        approvedResends: 0,
      })
    } finally {
      await worked.close()
    }
  })
})

describe('F38 a result that is still to come', () => {
  it('finds its attempt after the database was put together again, also where only the journal knows it', async () => {
    const dir = temporaryDir()
    const vendor = await startVendor(() => ({ body: '{"status":"started","extract_id":"e-1"}' }))
    const documents = join(dir.path, 'documents')
    const data = join(dir.path, 'data')
    mkdirSync(documents)
    const core = await startTestCore(data, { timings })
    addFolder(core, vendor, { path: documents, mode: 'async' })
    await core.handlers['storage.backUp']({})
    writeFileSync(join(documents, 'later.pdf'), pdfBytes('later'))
    await core.run()
    await until(() => statuses(core)['waiting'] === 1, 'the receipt')
    await core.stop()
    overwrite(join(data, 'sheaf.db'), Buffer.from('broken'))
    const restored = await startTestCore(data, { timings })
    expect(statuses(restored)).toEqual({ waiting: 1 })
    const answer = JSON.stringify({ extract_id: 'e-1', ...(JSON.parse(successBody('later.pdf')) as object) })
    expect(await vendor.callBack(vendor.received[0]!.callback!, answer)).toBe(200)
    await until(() => statuses(restored)['done'] === 1, 'the result')
    await restored.stop()
    await vendor.close()
    expectInvariants(data, {
      paths: [join(documents, 'later.pdf')],
      billable: vendor.received.length,
      filesSent: 1,
      approvedResends: 0,
    })
    dir.remove()
  })
})

describe('F38 a migration', () => {
  /** A data folder as the version before left it, with one document that is done and one whose answer was lost. */
  function earlierFolder(path: string): void {
    mkdirSync(path)
    const db = connect(join(path, 'sheaf.db'))
    migrate(db)
    db.exec(`
      INSERT INTO connections (id, kind, name, base_url, client_id) VALUES (1, 'local', 'This computer', NULL, NULL), (2, 'platform', 'Vendor', 'https://vendor.test/', 'c');
      INSERT INTO schemas (id, name, created_at) VALUES (1, 'Invoice', 1);
      INSERT INTO schema_versions VALUES (1, 1, 1, '[{"name":"total","format":"number","description":""}]', 1);
      INSERT INTO folders (id, kind, path, name, schema_id, connection_id, mode, include_subfolders, created_at) VALUES (1, 'batch', '/nowhere', 'N', 1, 2, 'auto', 1, 1);
      INSERT INTO documents (id, folder_id, connection_id, schema_version_id, mode, path, name, size_bytes, mtime_ms, status, reason_code, result_id, created_at) VALUES
        (1, 1, 2, 1, 'auto', '/nowhere/a.pdf', 'a.pdf', 1, 1, 'done', NULL, 1, 1), (2, 1, 2, 1, 'auto', '/nowhere/b.pdf', 'b.pdf', 1, 1, 'unknown', 'interrupted', NULL, 1);
      INSERT INTO attempts (id, document_id, mode, host, started_at, outcome, connection_id, schema_id) VALUES
        (1, 1, 'sync', 'vendor.test', 1, 'succeeded', 2, 1), (2, 2, 'sync', 'vendor.test', 1, 'lost', 2, 1);
      INSERT INTO answers (id, attempt_id, source, received_at, http_status, body, body_sha256) VALUES (1, 1, 'response', 1, 200, x'7b7d', unhex('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'));
      INSERT INTO results (id, document_id, answer_id, records, record_count, summary, created_at) VALUES (1, 1, 1, '[{"total":1}]', 1, '[]', 1);`)
    db.close()
  }

  it('that is killed in the middle is done by the next start, with a copy of before', async () => {
    const dir = temporaryDir()
    const data = join(dir.path, 'data')
    earlierFolder(data)
    const child = spawn(process.execPath, [testProgram('migration-child'), data], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    expect(String(said)).toBe('in the middle\n')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const core = await startTestCore(data, { migrations: laterMigrations })
    expect((await core.handlers['app.state']({})).recovery).toBeNull()
    expect(statuses(core)).toEqual({ done: 1, unknown: 1 })
    expect((await core.handlers['storage.get']({})).snapshots.map(({ kind }) => kind)).toEqual([
      'migration',
      'migration',
    ])
    await core.stop()
    expectInvariants(data, {
      paths: ['/nowhere/a.pdf', '/nowhere/b.pdf'],
      billable: 2,
      filesSent: 2,
      approvedResends: 0,
    })
    dir.remove()
  })

  it('that fails on the database and on each copy moves nothing away: the program is what does not fit', async () => {
    const dir = temporaryDir()
    const data = join(dir.path, 'data')
    earlierFolder(data)
    const db = new Sqlite(join(data, 'sheaf.db'))
    db.exec('CREATE TABLE later_step (id INTEGER)')
    db.close()
    await expect(startTestCore(data, { migrations: laterMigrations })).rejects.toThrow(/later_step/)
    expect(existsSync(join(data, 'broken'))).toBe(false)
    const left = new Sqlite(join(data, 'sheaf.db'), { readonly: true })
    expect(left.pragma('user_version', { simple: true })).toBe(migrations.length)
    left.close()
    dir.remove()
  })
})
