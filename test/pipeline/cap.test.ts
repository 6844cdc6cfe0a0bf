import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { consumed, standsStill, startBatch } from '../helpers/batch.ts'
import type { Batch } from '../helpers/batch.ts'
import { pdfBytes, simpleSchema, startTestCore, statuses, temporaryDir, until } from '../helpers/core.ts'
import { platformOf, sheaf } from '../helpers/sheaf.ts'
import type { Run } from '../helpers/sheaf.ts'
import { startVendor } from '../helpers/vendor.ts'

const setUp = (...given: Parameters<typeof startBatch>): Promise<Batch> => startBatch(...given)

describe('a daily cap of documents', () => {
  it('is reached and never passed by eight at once; the rest stays queued and says until when', async () => {
    const { core, vendor, take, cap } = await setUp(() => ({ delayMs: 5 }))
    await core.handlers['settings.update']({ dailyDocumentCap: 13 })
    await take(40)
    await standsStill(core)
    expect(vendor.received).toHaveLength(13)
    expect(statuses(core)).toEqual({ done: 13, queued: 27 })
    const midnight = new Date()
    midnight.setHours(24, 0, 0, 0)
    expect(await cap()).toEqual({
      documentsToday: 13,
      tokensToday: 91,
      documentCap: 13,
      tokenCap: null,
      held: 27,
      holds: [{ why: 'reached', documents: 27, name: null, tokens: null }],
      resumesAt: midnight.getTime(),
    })
    expect((await core.handlers['app.state']({})).cap.held).toBe(27)
  })

  it('that is raised lets just as many more go, and one that is lifted lets all go', async () => {
    const { core, vendor, take, cap } = await setUp(() => ({}))
    await core.handlers['settings.update']({ dailyDocumentCap: 3 })
    await take(12)
    await standsStill(core)
    expect(vendor.received).toHaveLength(3)
    await core.handlers['settings.update']({ dailyDocumentCap: 5 })
    await until(() => statuses(core)['done'] === 5, 'two more')
    await standsStill(core)
    expect(vendor.received).toHaveLength(5)
    await core.handlers['settings.update']({ dailyDocumentCap: null })
    await until(() => statuses(core)['done'] === 12, 'all of them')
    expect(await cap()).toMatchObject({ held: 0, resumesAt: null })
  })

  it('holds over a restart', async () => {
    const { core, vendor, take, dataDir } = await setUp(() => ({}))
    await core.handlers['settings.update']({ dailyDocumentCap: 4 })
    await take(6)
    await standsStill(core)
    await core.stop({ atOnce: true })
    const again = await startTestCore(dataDir, { concurrency: 8 })
    onTestFinished(() => again.stop({ atOnce: true }))
    await take(3, { core: again })
    await standsStill(again)
    expect(vendor.received).toHaveLength(4)
    expect((await again.handlers['app.state']({})).cap.held).toBe(5)
  })

  it('goes on by itself at midnight with a whole new day, and not before', async () => {
    // A clock that stands two seconds before midnight when the test begins.
    const begun = Date.now()
    const midnight = new Date(2026, 10, 22).getTime()
    const now = (): number => midnight - 2000 + (Date.now() - begun)
    const days: number[] = []
    const { core, take } = await setUp(
      () => {
        days.push(new Date(now()).getDate())
        return {}
      },
      { now },
    )
    await core.handlers['settings.update']({ dailyDocumentCap: 2 })
    await take(5)
    await until(() => days.length === 4, 'the two of the next day')
    await standsStill(core)
    expect(days).toEqual([21, 21, 22, 22])
    expect(statuses(core)).toEqual({ done: 4, queued: 1 })
  })

  it('counts what was lost, since it may be billed, and not what the service refused', async () => {
    const { core, vendor, take, cap } = await setUp(
      (_document, index) =>
        index === 0 ? { drop: true } : index === 1 ? { status: 503, body: '{}', headers: { 'retry-after': '1' } } : {},
      { concurrency: 1 },
    )
    await core.handlers['settings.update']({ dailyDocumentCap: 3 })
    await take(5)
    await standsStill(core)
    expect(statuses(core)).toEqual({ unknown: 1, done: 2, queued: 2 })
    expect(vendor.received).toHaveLength(4)
    expect(await cap()).toMatchObject({ documentsToday: 3, held: 2 })
  })

  it('counts documents that wait for their webhook from the day they were sent', async () => {
    const { core, vendor, take, folder } = await setUp((_document, index) => ({
      body: JSON.stringify({ status: 'started', extract_id: `x${index}` }),
    }))
    core.context.tables.folders.save({ ...folder, mode: 'async' })
    await core.handlers['settings.update']({ dailyDocumentCap: 3 })
    await take(6)
    await standsStill(core)
    expect(statuses(core)).toEqual({ waiting: 3, queued: 3 })
    for (const [index, { callback }] of vendor.received.entries()) {
      await vendor.callBack(
        callback!,
        JSON.stringify({ status: 'success', extract_id: `x${index}`, data: {}, metadata: {} }),
      )
    }
    await standsStill(core)
    expect(statuses(core)).toEqual({ done: 3, queued: 3 })
  })

  it('does not hold what goes to this computer', async () => {
    const { core, folder } = await setUp(() => ({}))
    await core.handlers['settings.update']({ dailyDocumentCap: 1, dailyTokenCap: 1 })
    const local = core.context.tables.connections.local().id
    core.context.tables.folders.save({ ...folder, connectionId: local })
    const document = { connectionId: local, schemaVersionId: 1 } as Parameters<Core['context']['cap']['admits']>[0]
    expect(core.context.cap.admits(document)).toBe(true)
    expect(core.context.cap.admits(document)).toBe(true)
  })
})

describe('a daily cap of tokens', () => {
  it('sends one document alone until one is measured, then as many as certainly fit, and is never passed', async () => {
    const atOnce: number[] = []
    const state = { now: 0 }
    const { core, vendor, take, cap } = await setUp(async (_document, index) => {
      state.now += 1
      atOnce.push(state.now)
      // Those after the first two are answered once three of them are there together.
      if (index >= 2) await until(() => Math.max(...atOnce) > 2, 'several at once')
      state.now -= 1
      return consumed(100)
    })
    await core.handlers['settings.update']({ dailyTokenCap: 1050 })
    await take(30)
    await standsStill(core)
    expect(atOnce.slice(0, 2)).toEqual([1, 1])
    expect(vendor.received).toHaveLength(10)
    expect(await cap()).toMatchObject({ tokensToday: 1000, held: 20 })
  })

  it('reserves the largest of the last results for each one under way', async () => {
    const sizes = [100, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20]
    const { core, take, cap } = await setUp((_document, index) => consumed(sizes[index]!))
    await core.handlers['settings.update']({ dailyTokenCap: 300 })
    await take(16)
    await standsStill(core)
    // 100 and five of 20: another one might take 100, and 200 + 100 is still within the cap; then 220 + 100 is not.
    expect(await cap()).toMatchObject({ tokensToday: 220, held: 9 })
  })

  it('keeps reserving for documents that wait for their webhook, and goes on when it turns out smaller', async () => {
    let asynchronous = false
    const { core, vendor, take, folder, cap } = await setUp((_document, index) =>
      asynchronous ? { body: JSON.stringify({ status: 'started', extract_id: `x${index}` }) } : consumed(100),
    )
    await take(1)
    await until(() => statuses(core)['done'] === 1, 'the measured one')
    asynchronous = true
    core.context.tables.folders.save({ ...folder, mode: 'async' })
    await core.handlers['settings.update']({ dailyTokenCap: 400 })
    await take(6)
    await standsStill(core)
    // 100 are spent, 300 reserved.
    expect(statuses(core)).toEqual({ done: 1, waiting: 3, queued: 3 })
    expect(await cap()).toMatchObject({
      tokensToday: 100,
      held: 3,
      resumesAt: null,
      holds: [{ why: 'under_way', documents: 3 }],
    })
    const answer = (index: number): string =>
      JSON.stringify({ status: 'success', extract_id: `x${index}`, data: {}, metadata: { tokens_consumed: 10 } })
    for (const index of [1, 2]) await vendor.callBack(vendor.received[index]!.callback!, answer(index))
    // 120 are spent and 100 reserved: one more fits.
    await until(() => vendor.received.length === 5, 'the next one')
    await standsStill(core)
    expect(statuses(core)).toEqual({ done: 3, waiting: 2, queued: 2 })
  })

  it('keeps room for what was lost today', async () => {
    const { core, vendor, take, cap } = await setUp(
      (_document, index) => (index === 1 ? { drop: true } : consumed(100)),
      { concurrency: 1 },
    )
    await core.handlers['settings.update']({ dailyTokenCap: 300 })
    await take(5)
    await standsStill(core)
    expect(vendor.received).toHaveLength(3)
    expect(await cap()).toMatchObject({ tokensToday: 200, held: 2 })
  })
})

describe('a daily cap in the terminal', () => {
  it('ends the command, which says why the rest waits, and goes on with it the next time there is room', async () => {
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    const vendor = await startVendor()
    onTestFinished(vendor.close)
    await mkdir(join(dir.path, 'in'))
    await writeFile(join(dir.path, 'schema.json'), JSON.stringify(simpleSchema))
    for (const name of ['a', 'b', 'c', 'd', 'e']) await writeFile(join(dir.path, 'in', `${name}.pdf`), pdfBytes(name))
    const setCap = async (dailyDocumentCap: number | null, dailyTokenCap: number | null = null): Promise<void> => {
      const core = await startTestCore(join(dir.path, 'data'))
      await core.handlers['settings.update']({ dailyDocumentCap, dailyTokenCap })
      await core.stop({ atOnce: true })
    }
    const run = (): Promise<Run> =>
      sheaf(['extract', join(dir.path, 'in'), '--schema', join(dir.path, 'schema.json'), '--json'], {
        SHEAF_DATA_DIR: join(dir.path, 'data'),
        ...platformOf(vendor),
      })
    await setCap(2)
    const first = await run()
    expect(first.code).toBe(1)
    expect(first.stderr).toMatch(/3 files are still waiting: Today’s cap is reached/)
    const lines = first.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { status: string; reason: string | null })
    expect(
      lines.filter(({ status }) => status === 'queued').map(({ reason }) => /cap is reached/.test(reason ?? '')),
    ).toEqual([true, true, true])
    expect(vendor.received).toHaveLength(2)
    // Each took 7 tokens: no midnight makes room for one.
    await setCap(null, 5)
    expect((await run()).stderr).toMatch(
      /3 files are still waiting: One document of “schema” took up to 7 tokens, which is more than the daily cap/,
    )
    await setCap(null)
    expect((await run()).code).toBe(0)
    expect(vendor.received).toHaveLength(5)
  })
})
