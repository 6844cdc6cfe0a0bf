import { lstat, mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import type { Folder } from '../../electron/core/db/tables/folders.ts'
import { connect, migrate, migrations } from '../../electron/core/db/open.ts'
import { candidateAt } from '../../electron/core/pipeline/files/file-rules.ts'
import { forNight } from '../helpers/scale.ts'
import { takeIn } from '../helpers/take-in.ts'
import { daysBetween } from '../../electron/core/usage/days.ts'
import { calls } from '../../shared/contract/contract.ts'
import { dispatch } from '../../shared/contract/dispatch.ts'
import { addFolder, pdfBytes, startTestCore, statuses, temporaryDir, until } from '../helpers/core.ts'
import { chatStream } from '../helpers/vendor-questions.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { VendorReply } from '../helpers/vendor.ts'

type Setup = {
  core: Core
  dir: string
  folder: Folder
  clock: { now: number }
  take: (name: string, folder?: Folder) => Promise<number>
}

/** Core on a clock that the test moves. */
async function setUp(
  reply: (index: number) => VendorReply = () => ({}),
  start = new Date(2026, 2, 27, 10).getTime(),
): Promise<Setup> {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  const clock = { now: start }
  const vendor = await startVendor((_document, index) => reply(index), { chat: () => chatStream('an answer') })
  onTestFinished(vendor.close)
  const core = await startTestCore(join(dir.path, 'data'), { now: () => clock.now })
  onTestFinished(() => core.stop({ atOnce: true }))
  await mkdir(join(dir.path, 'in'))
  const folder = addFolder(core, vendor, { path: join(dir.path, 'in') })
  return {
    core,
    dir: dir.path,
    folder,
    clock,
    take: async (name, into = folder) => {
      const path = join(dir.path, 'in', name)
      await writeFile(path, pdfBytes(name))
      const id = await takeIn(core.context, into, candidateAt(path, await lstat(path)))
      core.queue.wake()
      return id
    },
  }
}

const report = async (
  core: Core,
  from: string,
  to: string,
): Promise<Awaited<ReturnType<Core['handlers']['usage.report']>>> =>
  calls['usage.report'].output.parse(await core.handlers['usage.report']({ from, to }))

describe('what it took to check documents', () => {
  it('is summed up by the day of the approval, and counts each document once', async () => {
    const { core, clock, take } = await setUp()
    const approve = (id: number, ms: number, keys: number) =>
      core.handlers['review.approve']({ ids: [id], work: { ms, keys } })
    const [first, second] = [await take('a.pdf'), await take('b.pdf')]
    await until(() => statuses(core)['done'] === 2, 'both')
    await approve(first, 18_000, 9)
    // It is approved already.
    await approve(first, 50_000, 50)
    clock.now += 24 * 3600_000
    await approve(second, 12_000, 3)
    expect((await report(core, '2026-03-27', '2026-03-27')).review).toEqual({ documents: 1, ms: 18_000, keys: 9 })
    expect((await report(core, '2026-03-27', '2026-03-28')).review).toEqual({ documents: 2, ms: 30_000, keys: 12 })
    expect((await report(core, '2026-03-29', '2026-03-29')).review).toEqual({ documents: 0, ms: 0, keys: 0 })
  })
})

describe('the usage report', () => {
  it('counts documents, tokens and questions by day, folder and schema, and its parts make its total', async () => {
    const { core, folder, clock, take, dir } = await setUp((index) =>
      index === 2 ? { body: '{"status":"error","error":"unreadable"}' } : {},
    )
    const { tables } = core.context
    await take('a.pdf')
    await until(() => statuses(core)['done'] === 1, 'the first')
    clock.now += 24 * 3600_000
    const other = tables.schemas.save(null, 'Receipt', [{ name: 'shop', format: 'text', description: '' }], clock.now)
    const second = tables.folders.add(
      { ...folder, path: join(dir, 'second'), name: 'Receipts', schemaId: other.id },
      clock.now,
    )
    await take('b.pdf', second)
    await until(() => statuses(core)['done'] === 2, 'the second')
    await take('c.pdf', second)
    await until(() => statuses(core)['failed'] === 1, 'the third')
    const asked = await core.handlers['ask.send']({
      conversationId: null,
      connectionId: folder.connectionId,
      kind: 'chat',
      agentReference: null,
      model: null,
      text: 'x',
    })
    await until(() => tables.conversations.messages(asked.conversationId).at(-1)!.state === 'complete', 'the answer')

    const made = await report(core, '2026-03-26', '2026-03-29')
    expect(made.days).toEqual([
      { day: '2026-03-26', documents: 0, tokens: 0, questions: 0 },
      { day: '2026-03-27', documents: 1, tokens: 7, questions: 0 },
      { day: '2026-03-28', documents: 2, tokens: 7 + 12, questions: 1 },
      { day: '2026-03-29', documents: 0, tokens: 0, questions: 0 },
    ])
    expect(made.total).toEqual({ documents: 3, tokens: 26, questions: 1 })
    expect(made.folders).toEqual([
      { id: null, name: '', documents: 0, tokens: 12, questions: 1 },
      { id: second.id, name: 'Receipts', documents: 2, tokens: 7, questions: 0 },
      { id: folder.id, name: 'Invoices', documents: 1, tokens: 7, questions: 0 },
    ])
    expect(made.schemas.map(({ name, tokens }) => [name, tokens])).toEqual([
      ['', 12],
      ['Receipt', 7],
      ['Invoice', 7],
    ])
  })

  it('has every day once where the clocks change, as long as that day is', () => {
    const zone = process.env['TZ']
    process.env['TZ'] = 'Europe/Berlin'
    try {
      const days = daysBetween('2026-03-28', '2026-03-30', 10)
      expect(days.map(({ day, from, until }) => [day, (until - from) / 3_600_000])).toEqual([
        ['2026-03-28', 24],
        ['2026-03-29', 23],
        ['2026-03-30', 24],
      ])
      expect(daysBetween('2026-10-25', '2026-10-25', 10).map(({ from, until }) => (until - from) / 3_600_000)).toEqual([
        25,
      ])
    } finally {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    }
  })

  it('counts a document again each time it is sent, and not when the service did not take it', async () => {
    const { core, take } = await setUp((index) => (index === 0 ? { drop: true } : {}))
    const id = await take('a.pdf')
    await until(() => statuses(core)['unknown'] === 1, 'the loss')
    await core.handlers['documents.resend']({ ids: [id] })
    await until(() => statuses(core)['done'] === 1, 'the result')
    expect((await report(core, '2026-03-27', '2026-03-27')).total).toEqual({ documents: 2, tokens: 7, questions: 0 })
  })

  it('of no days or of a lifetime is refused', async () => {
    const { core } = await setUp()
    for (const [from, to] of [
      ['2026-03-28', '2026-03-27'],
      ['1990-01-01', '2026-01-01'],
      ['0001-01-01', '9999-12-31'],
    ]) {
      expect(await dispatch(calls, core.handlers, 'usage.report', { from, to })).toMatchObject({
        ok: false,
        error: { code: 'invalid_input' },
      })
    }
  })

  it('is announced as stale after a document and after an answer', async () => {
    const { core, take } = await setUp()
    let heard = 0
    core.onEvent((name) => {
      if (name === 'usage.changed') heard += 1
    })
    await take('a.pdf')
    await until(() => statuses(core)['done'] === 1 && heard > 0, 'the event')
  })
})

describe('an estimate', () => {
  it('of a folder leaves out what intake would refuse and what was taken in before', async () => {
    const { core, folder, dir, take } = await setUp()
    await take('known.pdf')
    await until(() => statuses(core)['done'] === 1, 'the known one')
    const inside = join(dir, 'in')
    await writeFile(join(inside, 'new.pdf'), pdfBytes('new', 3000))
    await writeFile(join(inside, 'notes.txt'), 'text')
    await writeFile(join(inside, '.hidden.pdf'), pdfBytes('hidden'))
    await writeFile(join(inside, 'empty.pdf'), '')
    await writeFile(join(inside, 'huge.pdf'), '')
    await truncate(join(inside, 'huge.pdf'), 36 * 1024 * 1024 + 1)
    await symlink(join(inside, 'new.pdf'), join(inside, 'link.pdf'))
    await mkdir(join(inside, 'deeper'))
    await writeFile(join(inside, 'deeper', 'more.PDF'), pdfBytes('more', 1000))
    const estimate = (includeSubfolders: boolean): ReturnType<Core['handlers']['usage.estimate']> =>
      core.handlers['usage.estimate']({
        schemaId: folder.schemaId,
        connectionId: folder.connectionId,
        source: { path: inside, includeSubfolders, include: [], exclude: [] },
      })
    expect(await estimate(true)).toEqual({
      documents: 2,
      skipped: 6,
      sizeBytes: 4000,
      tokens: 14,
      measured: 1,
      bills: true,
      heldByCap: 0,
    })
    expect(await estimate(false)).toMatchObject({ documents: 1, sizeBytes: 3000, tokens: 7 })
  })

  it('has no tokens while nothing was measured for that schema on that connection', async () => {
    const { core, folder, take } = await setUp()
    await take('a.pdf')
    await until(() => statuses(core)['done'] === 1, 'the measured one')
    const files = [
      { name: 'x.pdf', sizeBytes: 10 },
      { name: 'y.exe', sizeBytes: 10 },
      { name: '~$z.docx', sizeBytes: 10 },
    ]
    const other = core.context.tables.schemas.save(null, 'Other', [{ name: 'a', format: 'text', description: '' }], 1)
    const local = core.context.tables.connections.local().id
    const estimate = (schemaId: number, connectionId: number): ReturnType<Core['handlers']['usage.estimate']> =>
      core.handlers['usage.estimate']({ schemaId, connectionId, source: { files } })
    expect(await estimate(folder.schemaId, folder.connectionId)).toMatchObject({ documents: 1, skipped: 2, tokens: 7 })
    expect(await estimate(other.id, folder.connectionId)).toMatchObject({ documents: 1, tokens: null, measured: 0 })
    expect(await estimate(folder.schemaId, local)).toMatchObject({ tokens: null, bills: false })
  })

  it(
    'looks through a folder once for all who ask at the same time or shortly after, and then again',
    forNight,
    async () => {
      const { core, folder, dir } = await setUp()
      for (const name of ['a.pdf', 'b.pdf']) await writeFile(join(dir, 'in', name), pdfBytes(name))
      const estimate = (): ReturnType<Core['handlers']['usage.estimate']> =>
        core.handlers['usage.estimate']({
          schemaId: folder.schemaId,
          connectionId: folder.connectionId,
          source: { path: join(dir, 'in'), includeSubfolders: true, include: [], exclude: [] },
        })
      const together = await Promise.all([estimate(), estimate(), estimate()])
      await writeFile(join(dir, 'in', 'c.pdf'), pdfBytes('c'))
      expect([...together, await estimate()].map(({ documents }) => documents)).toEqual([2, 2, 2, 2])
      const state = { documents: 2 }
      await until(() => {
        void estimate().then(({ documents }) => (state.documents = documents))
        return state.documents === 3
      }, 'the folder to be looked through again')
    },
  )

  it('stands on the mean of the last fifty results', async () => {
    const { core, folder, take } = await setUp((index) => ({
      body: JSON.stringify({
        status: 'success',
        data: {},
        metadata: { tokens_consumed: index < 5 ? 100_000 : index % 2 === 0 ? 10 : 20 },
      }),
    }))
    for (let index = 0; index < 55; index += 1) await take(`${index}.pdf`)
    await until(() => statuses(core)['done'] === 55, 'all of them')
    const files = Array.from({ length: 10 }, (_, index) => ({ name: `n${index}.pdf`, sizeBytes: 1 }))
    expect(
      await core.handlers['usage.estimate']({
        schemaId: folder.schemaId,
        connectionId: folder.connectionId,
        source: { files },
      }),
    ).toMatchObject({ tokens: 150, measured: 50 })
  })

  it('says how many the daily cap would hold back today, after those that already wait', async () => {
    const { core, folder, take } = await setUp()
    await take('a.pdf')
    await until(() => statuses(core)['done'] === 1, 'the first')
    core.queue.pause()
    await take('b.pdf')
    const files = Array.from({ length: 10 }, (_, index) => ({ name: `n${index}.pdf`, sizeBytes: 1 }))
    const estimate = (connectionId: number): ReturnType<Core['handlers']['usage.estimate']> =>
      core.handlers['usage.estimate']({ schemaId: folder.schemaId, connectionId, source: { files } })
    expect((await estimate(folder.connectionId)).heldByCap).toBe(0)
    await core.handlers['settings.update']({ dailyDocumentCap: 6 })
    expect((await estimate(folder.connectionId)).heldByCap).toBe(6)
    await core.handlers['settings.update']({ dailyDocumentCap: null, dailyTokenCap: 35 })
    expect((await estimate(folder.connectionId)).heldByCap).toBe(7)
    expect((await estimate(core.context.tables.connections.local().id)).heldByCap).toBe(0)
    await core.handlers['settings.update']({ dailyTokenCap: 1 })
    expect((await estimate(folder.connectionId)).heldByCap).toBe(10)
  })
})

describe('a database of the version before', () => {
  it('keeps what was sent and consumed, on the connection it went to', async () => {
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    const dataDir = join(dir.path, 'data')
    await mkdir(dataDir)
    const old = connect(join(dataDir, 'sheaf.db'))
    migrate(old)
    const at = new Date(2026, 2, 27, 10).getTime()
    old.exec(`
      INSERT INTO connections (id, kind, name, base_url, client_id) VALUES (1, 'platform', 'Vendor', 'http://127.0.0.1:9', 'c');
      INSERT INTO schemas (id, name, created_at) VALUES (1, 'Invoice', 1);
      INSERT INTO schema_versions (id, schema_id, version, elements, created_at) VALUES (5, 1, 1, '[{"name":"a","format":"text","description":""}]', 1);
      INSERT INTO folders (id, kind, path, name, schema_id, connection_id, mode, include_subfolders, created_at) VALUES (1, 'watched', '/in', 'in', 1, 1, 'auto', 1, 1);
      INSERT INTO documents (id, folder_id, connection_id, schema_version_id, mode, path, name, size_bytes, mtime_ms, status, result_id, created_at) VALUES (1, 1, 1, 5, 'auto', '/in/a.pdf', 'a.pdf', 1, 1, 'done', 1, ${at});
      INSERT INTO attempts (id, document_id, mode, host, started_at, finished_at, outcome) VALUES (1, 1, 'sync', 'h', ${at}, ${at}, 'succeeded');
      INSERT INTO answers (id, attempt_id, source, received_at, body, body_sha256) VALUES (1, 1, 'response', ${at}, x'00', x'6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
      INSERT INTO results (id, document_id, answer_id, records, record_count, summary, tokens_consumed, created_at) VALUES (1, 1, 1, '[]', 0, '[]', 33, ${at});`)
    old.close()
    // It knew where a document went and what it took by the document and its result alone.
    const step = `UPDATE attempts SET
      connection_id = (SELECT connection_id FROM documents WHERE id = document_id),
      schema_id = (SELECT v.schema_id FROM schema_versions v JOIN documents j ON j.schema_version_id = v.id WHERE j.id = document_id),
      tokens = (SELECT sum(r.tokens_consumed) FROM results r WHERE r.document_id = attempts.document_id)`
    const core = await startTestCore(dataDir, { migrations: [...migrations, step] })
    onTestFinished(() => core.stop({ atOnce: true }))
    expect((await report(core, '2026-03-27', '2026-03-27')).total).toEqual({ documents: 1, tokens: 33, questions: 0 })
    expect(core.context.tables.usage.measured(1, 1)).toEqual({ documents: 1, largest: 33, mean: 33 })
  })
})
