import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Folder } from '../../electron/core/db/tables/folders.ts'
import { consumed, standsStill, startBatch } from '../helpers/batch.ts'
import type { Batch } from '../helpers/batch.ts'
import { addFolder, statuses, until } from '../helpers/core.ts'
import type { Received } from '../helpers/vendor.ts'

async function setUp(...given: Parameters<typeof startBatch>): Promise<Batch & { otherSchema: () => Promise<Folder> }> {
  const batch = await startBatch(...given)
  const { core, vendor, folder } = batch
  return {
    ...batch,
    otherSchema: async () => {
      const path = join(dirname(folder.path), 'other')
      const schema = core.context.tables.schemas.save(
        null,
        'Receipt',
        [{ name: 'shop', format: 'text', description: 'its name' }],
        core.context.now(),
      )
      await mkdir(path)
      return addFolder(core, vendor, { path, schemaId: schema.id })
    },
  }
}

const isReceipt = (document: Received): boolean => JSON.stringify(document.params).includes('shop')

describe('a document that takes more than the daily cap of tokens', () => {
  it('waits for a higher cap, not for midnight, and says so with its schema and its tokens', async () => {
    const clock = { days: 0 }
    const { core, vendor, take, cap } = await setUp((_document, index) => consumed(index === 0 ? 5000 : 10), {
      now: () => Date.now() + clock.days * 86_400_000,
      uptimeMs: () => performance.now() + clock.days * 86_400_000,
    })
    await take(1)
    await until(() => statuses(core)['done'] === 1, 'the large one')
    await core.handlers['settings.update']({ dailyTokenCap: 4000 })
    await take(3)
    await standsStill(core)
    const large = { why: 'too_large', documents: 3, name: 'Invoice', tokens: 5000 }
    expect(await cap()).toMatchObject({ held: 3, resumesAt: null, holds: [large] })
    clock.days = 1
    await standsStill(core)
    expect(await cap()).toMatchObject({ tokensToday: 0, held: 3, resumesAt: null, holds: [large] })
    expect(vendor.received).toHaveLength(1)
    await core.handlers['settings.update']({ dailyTokenCap: 5030 })
    await until(() => statuses(core)['done'] === 4, 'the rest')
    expect(await cap()).toMatchObject({ held: 0, holds: [] })
  })

  it('does not hold up documents of another schema behind it', async () => {
    const { core, take, cap, otherSchema } = await setUp((document) => consumed(isReceipt(document) ? 10 : 5000))
    const receipts = await otherSchema()
    await take(1)
    await take(1, { folder: receipts })
    await until(() => statuses(core)['done'] === 2, 'one of each')
    await core.handlers['settings.update']({ dailyTokenCap: 9000 })
    await take(12)
    await take(20, { folder: receipts })
    await until(() => statuses(core)['done'] === 22, 'the small ones')
    await standsStill(core)
    const midnight = new Date().setHours(24, 0, 0, 0)
    expect(await cap()).toMatchObject({
      tokensToday: 5210,
      held: 12,
      resumesAt: midnight,
      holds: [{ why: 'reached', documents: 12 }],
    })
    await core.handlers['settings.update']({ dailyTokenCap: 4000 })
    await take(1, { folder: receipts })
    await standsStill(core)
    expect((await cap()).holds).toEqual([
      { why: 'too_large', documents: 12, name: 'Invoice', tokens: 5000 },
      { why: 'reached', documents: 1, name: null, tokens: null },
    ])
  })

  it('of another schema does not lock one of which nothing was measured yet: its first goes alone', async () => {
    const clock = { days: 0 }
    const { core, vendor, take, otherSchema } = await setUp((document) => consumed(isReceipt(document) ? 10 : 5000), {
      now: () => Date.now() + clock.days * 86_400_000,
      uptimeMs: () => performance.now() + clock.days * 86_400_000,
    })
    await take(1)
    await until(() => statuses(core)['done'] === 1, 'the large one')
    await core.handlers['settings.update']({ dailyTokenCap: 4000 })
    await take(4, { folder: await otherSchema() })
    await standsStill(core)
    expect(vendor.received).toHaveLength(1)
    clock.days = 1
    core.queue.wake()
    await until(() => statuses(core)['done'] === 5, 'the small ones')
  })
})

describe('what waits for the daily cap', () => {
  it('does not count documents of a paused folder, which wait for something else', async () => {
    const { core, take, cap, otherSchema } = await setUp(() => ({}))
    const receipts = await otherSchema()
    await core.handlers['settings.update']({ dailyDocumentCap: 1 })
    await take(3)
    await take(2, { folder: receipts })
    await standsStill(core)
    expect((await cap()).held).toBe(4)
    core.context.tables.folders.pause(receipts.id)
    expect(await cap()).toMatchObject({ held: 2, holds: [{ why: 'reached', documents: 2 }] })
  })
})

describe('tokens of failures', () => {
  it('are counted as the service names them, and keep the cap', async () => {
    const { core, vendor, take, cap } = await setUp(() => ({
      body: JSON.stringify({ status: 'error', error: 'could not extract', metadata: { tokens_consumed: 500 } }),
    }))
    await core.handlers['settings.update']({ dailyTokenCap: 1000 })
    await take(30)
    await standsStill(core)
    expect(vendor.received).toHaveLength(2)
    expect(await cap()).toMatchObject({ tokensToday: 1000, held: 28 })
    const day = new Date()
    const today = `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`
    expect((await core.handlers['usage.report']({ from: today, to: today })).total).toEqual({
      documents: 2,
      tokens: 1000,
      questions: 0,
    })
  })

  it('that it does not name are reserved like those of a lost document', async () => {
    const { core, vendor, take, cap } = await setUp((_document, index) =>
      index === 0 ? consumed(100) : { body: '{"status":"error","error":"could not extract"}' },
    )
    await take(1)
    await until(() => statuses(core)['done'] === 1, 'the measured one')
    await core.handlers['settings.update']({ dailyTokenCap: 500 })
    await take(10)
    await standsStill(core)
    expect(vendor.received).toHaveLength(5)
    expect(await cap()).toMatchObject({ tokensToday: 100, held: 6, holds: [{ why: 'reached', documents: 6 }] })
  })
})

describe('tokens of a second answer', () => {
  it('to an earlier attempt of a document that is done are counted as well', async () => {
    const { core, vendor, take, folder, cap } = await setUp((_document, index) =>
      index === 0 ? { drop: true } : consumed(100),
    )
    core.context.tables.folders.save({ ...folder, mode: 'async' })
    await take(1)
    await until(() => statuses(core)['unknown'] === 1, 'the loss')
    await core.handlers['documents.resend']({ ids: [1] })
    await until(() => vendor.received.length === 2, 'the second one')
    await vendor.callBack(
      vendor.received[1]!.callback!,
      JSON.stringify({ status: 'success', data: {}, metadata: { tokens_consumed: 100 } }),
    )
    await until(() => statuses(core)['done'] === 1, 'its result')
    await vendor.callBack(
      vendor.received[0]!.callback!,
      JSON.stringify({ status: 'success', data: {}, metadata: { tokens_consumed: 70 } }),
    )
    expect(await cap()).toMatchObject({ documentsToday: 2, tokensToday: 170 })
    expect(core.context.tables.attempts.ofDocument(1).map(({ outcome }) => outcome)).toEqual(['succeeded', 'succeeded'])
  })
})

describe('a service that names no tokens', () => {
  it('gets one document below a cap of tokens, and then the person is told to cap documents instead', async () => {
    const { core, vendor, take, cap } = await setUp(() => ({
      body: JSON.stringify({ status: 'success', data: { invoice_number: '1' } }),
    }))
    await core.handlers['settings.update']({ dailyTokenCap: 10 })
    await take(5)
    await standsStill(core)
    expect(vendor.received).toHaveLength(1)
    expect(await cap()).toMatchObject({
      held: 4,
      resumesAt: null,
      holds: [{ why: 'no_tokens', documents: 4, name: 'Vendor', tokens: null }],
    })
    await core.handlers['settings.update']({ dailyTokenCap: null, dailyDocumentCap: 3 })
    await standsStill(core)
    expect(vendor.received).toHaveLength(3)
  })

  it('only now and then is reserved for when it does not', async () => {
    const { core, vendor, take } = await setUp(
      (_document, index) => (index % 2 === 0 ? consumed(100) : { body: '{"status":"success","data":{}}' }),
      { concurrency: 1 },
    )
    await core.handlers['settings.update']({ dailyTokenCap: 600 })
    await take(10)
    await standsStill(core)
    expect(vendor.received).toHaveLength(6)
  })
})

describe('documents that wait for what is under way', () => {
  it('say that they do, and go on when the one under way is cancelled, which still keeps its room', async () => {
    const { core, vendor, take, folder, cap } = await setUp((_document, index) => ({
      body: JSON.stringify({ status: 'started', extract_id: `x${index}` }),
    }))
    core.context.tables.folders.save({ ...folder, mode: 'async' })
    await core.handlers['settings.update']({ dailyTokenCap: 1000 })
    await take(5)
    await standsStill(core)
    expect(statuses(core)).toEqual({ waiting: 1, queued: 4 })
    expect(await cap()).toMatchObject({
      held: 4,
      resumesAt: null,
      holds: [{ why: 'under_way', documents: 4, name: null, tokens: null }],
    })
    const first = core.context.tables.documents.withStatus('waiting')[0]!
    await core.handlers['documents.cancel']({ ids: [first.id] })
    await until(() => vendor.received.length === 2, 'the next one')
    await standsStill(core)
    expect(statuses(core)).toEqual({ cancelled: 1, waiting: 1, queued: 3 })
    const answer = (index: number): string =>
      JSON.stringify({ status: 'success', extract_id: `x${index}`, data: {}, metadata: { tokens_consumed: 400 } })
    await vendor.callBack(vendor.received[1]!.callback!, answer(1))
    // 400 are spent and 400 kept for the cancelled one, which may be billed: no third one fits.
    await until(() => statuses(core)['done'] === 1, 'its result')
    await standsStill(core)
    expect(await cap()).toMatchObject({ tokensToday: 400, held: 3, holds: [{ why: 'reached', documents: 3 }] })
    // What came for the cancelled one after all is counted in place of what was kept.
    await vendor.callBack(
      vendor.received[0]!.callback!,
      JSON.stringify({ status: 'success', extract_id: 'x0', data: {}, metadata: { tokens_consumed: 20 } }),
    )
    await until(() => vendor.received.length === 3, 'the third one')
  })
})
