import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../helpers/core.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { VendorReply } from '../helpers/vendor.ts'
import { setUp } from '../faults/answers-setup.ts'
import { documentFilter } from '../../shared/contract/documents.ts'

async function rigThat(
  reply: (index: number) => VendorReply | Promise<VendorReply>,
  options: Parameters<typeof setUp>[1] = {},
) {
  const vendor = await startVendor((_document, index) => reply(index))
  onTestFinished(vendor.close)
  return Object.assign(await setUp(vendor.baseUrl, options), { vendor })
}

const approvals = (rig: Awaited<ReturnType<typeof rigThat>>, id: number) =>
  rig
    .attempts(id)
    .map(({ outcome, approved }) => [outcome, approved])
    .reverse()

describe('what is unknown', () => {
  it('goes again all at once when a person says so, and nothing else does', async () => {
    const rig = await rigThat(
      (index) => (index < 3 ? { drop: true } : index === 3 ? { status: 422, body: '{"error":"no"}' } : {}),
      { concurrency: 1 },
    )
    const ids = [
      await rig.send('a.pdf'),
      await rig.send('b.pdf'),
      await rig.send('c.pdf'),
      await rig.send('failed.pdf'),
    ]
    await until(() => rig.document(ids[3]!).status === 'failed', 'the last one')
    expect(await rig.core.handlers['documents.resend']({ ids: [ids[3]!] })).toEqual({ sent: 0 })
    expect(await rig.core.handlers['documents.resend']({ ids: null })).toEqual({ sent: 3 })
    await until(() => ids.slice(0, 3).every((id) => rig.document(id).status === 'done'), 'the three')
    expect(rig.document(ids[3]!).status).toBe('failed')
    expect(approvals(rig, ids[0]!)).toEqual([
      ['lost', null],
      ['succeeded', 'person'],
    ])
    rig.check(rig.vendor.received.length, 3)
  })

  it('three times in a row makes the others wait: a service that loses every answer may bill each of them', async () => {
    const rig = await rigThat((index) => (index < 4 ? { drop: true } : {}), {
      concurrency: 1,
      timings: { firstRetryMs: 300 },
    })
    rig.core.queue.pause()
    const ids = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => rig.send(`${name}.pdf`)))
    rig.core.queue.resume()
    const unknown = (): number => ids.filter((id) => rig.document(id).status === 'unknown').length
    await until(() => unknown() === 3 && rig.core.queue.idle, 'three losses')
    expect(
      rig.core.context.tables.connections
        .list()
        .some(({ throttledUntil }) => throttledUntil !== null && throttledUntil > Date.now()),
    ).toBe(true)
    expect(rig.vendor.received).toHaveLength(3)
    await until(
      () => ids.filter((id) => rig.document(id).status === 'done').length === 2,
      'the service to answer again',
    )
    expect(unknown()).toBe(4)
    rig.check(rig.vendor.received.length, 0)
  })

  it('keeps its approval when the service refuses for now', async () => {
    const rig = await rigThat(
      (index) => (index === 0 ? { drop: true } : index === 1 ? { status: 429, body: '{}' } : {}),
      { timings: { firstRetryMs: 20 } },
    )
    const id = await rig.send('a.pdf')
    await until(() => rig.document(id).status === 'unknown', 'the loss')
    await rig.core.handlers['documents.resend']({ ids: [id] })
    await until(() => rig.document(id).status === 'done', 'the result')
    expect(approvals(rig, id)).toEqual([
      ['lost', null],
      ['returned', 'person'],
      ['succeeded', 'person'],
    ])
    rig.check(2, 1)
  })

  it('goes again by itself where the settings say so, with back-off, and stays unknown after three losses in a row', async () => {
    const rig = await rigThat((index) => (index < 4 ? { drop: true } : {}), { timings: { firstRetryMs: 20 } })
    await rig.core.handlers['settings.update']({ resendUnknown: true })
    const id = await rig.send('a.pdf')
    await until(() => rig.document(id).status === 'unknown', 'the third loss')
    expect(approvals(rig, id)).toEqual([
      ['lost', null],
      ['lost', 'setting'],
      ['lost', 'setting'],
    ])
    await rig.core.handlers['documents.resend']({ ids: [id] })
    await until(() => rig.document(id).status === 'done', 'the result')
    expect(approvals(rig, id).slice(3)).toEqual([
      ['lost', 'person'],
      ['succeeded', 'setting'],
    ])
    rig.check(rig.vendor.received.length, 4)
  })

  it('stays unknown when that is set later, and goes again after a restart that finds it on its way', async () => {
    const rig = await rigThat(
      async (index) => (index === 0 ? { drop: true } : index === 1 ? { delayMs: 60_000 } : {}),
      { timings: { firstRetryMs: 20 } },
    )
    const before = await rig.send('a.pdf')
    await until(() => rig.document(before).status === 'unknown', 'the loss')
    await rig.core.handlers['settings.update']({ resendUnknown: true })
    const after = await rig.send('b.pdf')
    await until(() => rig.vendor.received.length === 2, 'the second document')
    await rig.restart()
    await until(() => rig.document(after).status === 'done', 'the second document again')
    expect(rig.document(before).status).toBe('unknown')
    rig.check(3, 1)
  })
})

describe('what was cancelled while the service had it', () => {
  const accepted = { body: '{"status":"started","extract_id":"x-1"}' }

  it('goes again only when the person knows that it may be billed twice', async () => {
    const rig = await rigThat((index) => (index === 0 ? accepted : index === 1 ? { drop: true } : accepted), {
      mode: 'async',
      concurrency: 1,
    })
    const waiting = await rig.send('a.pdf')
    const lost = await rig.send('b.pdf')
    await until(
      () => rig.document(waiting).status === 'waiting' && rig.document(lost).status === 'unknown',
      'one to wait and one to be lost',
    )
    const ids = [waiting, lost]
    expect(await rig.core.handlers['documents.cancel']({ ids })).toEqual({ cancelled: 2 })
    expect(await rig.core.handlers['documents.retry']({ ids })).toMatchObject({ retried: 0 })
    const { rows } = await rig.core.handlers['documents.list']({
      ...documentFilter.parse({ statuses: ['cancelled'] }),
      sort: 'name',
      descending: false,
      offset: 0,
      limit: 9,
    })
    expect(rows.map(({ mayBeBilled }) => mayBeBilled)).toEqual([true, true])
    expect(await rig.core.handlers['documents.resend']({ ids })).toEqual({ sent: 2 })
    await until(() => ids.every((id) => rig.document(id).status === 'waiting'), 'both to be accepted')
    expect(approvals(rig, waiting)).toEqual([
      ['accepted', null],
      ['accepted', 'person'],
    ])
    expect((await rig.core.handlers['documents.get']({ id: waiting })).mayBeBilled).toBe(true)
    rig.check(4, 2)
  })

  it('is unknown, and not sent, where anything else puts it back into the queue', async () => {
    const rig = await rigThat(() => accepted, { mode: 'async' })
    const id = await rig.send('a.pdf')
    await until(() => rig.document(id).status === 'waiting', 'it to wait')
    const { documents } = rig.core.context.tables
    documents.apply(id, 'cancel', {}, Date.now())
    documents.apply(id, 'requeue', {}, Date.now())
    rig.core.queue.wake()
    await until(() => rig.document(id).status === 'unknown', 'it to be refused')
    expect(rig.attempts(id)).toHaveLength(1)
    rig.check(1)
  })

  it('goes again like any other once it was never sent, or was answered', async () => {
    const rig = await rigThat(() => ({ status: 422, body: '{"error":"no"}' }))
    rig.core.queue.pause()
    const unsent = await rig.send('a.pdf')
    await rig.core.handlers['documents.cancel']({ ids: [unsent] })
    expect(await rig.core.handlers['documents.resend']({ ids: [unsent] })).toEqual({ sent: 0 })
    expect(await rig.core.handlers['documents.retry']({ ids: [unsent] })).toMatchObject({ retried: 1 })
    rig.core.queue.resume()
    await until(() => rig.document(unsent).status === 'failed', 'the failure')
    expect(await rig.core.handlers['documents.retry']({ ids: [unsent] })).toMatchObject({ retried: 1 })
  })
})

describe('a thousand documents', () => {
  it('are cancelled in a few commits, between which others have their turn', async () => {
    const rig = await rigThat(() => ({}))
    rig.core.queue.pause()
    const first = await rig.send('a.pdf')
    const { tables } = rig.core.context
    const { id: _id, reasonCode: _code, reasonDetails: _details, ...document } = rig.document(first)
    const ids = tables.transaction(() =>
      Array.from({ length: 1200 }, (_, n) =>
        tables.documents.insert({ ...document, path: `${document.path}.${n}`, status: 'queued', reason: null }, 0),
      ),
    )
    const { transaction } = tables
    let commits = 0
    tables.transaction = (work) => {
      commits += 1
      return transaction(work)
    }
    let turns = 0
    const others = setInterval(() => (turns += 1), 0)
    expect(await rig.core.handlers['documents.cancel']({ ids })).toEqual({ cancelled: 1200 })
    clearInterval(others)
    expect(commits).toBe(3)
    expect(turns).toBeGreaterThan(0)
  })
})

describe('the person’s pause', () => {
  it('survives a restart', async () => {
    const rig = await rigThat(() => ({}))
    await rig.core.handlers['queue.pause']({})
    await rig.restart()
    expect((await rig.core.handlers['app.state']({})).paused).toBe(true)
    const id = await rig.send('a.pdf')
    expect(rig.document(id).status).toBe('queued')
    await rig.core.handlers['queue.resume']({})
    await until(() => rig.document(id).status === 'done', 'the result')
    rig.check(1)
  })

  it('is another matter than a disk without room, which is said and ends by itself', async () => {
    const rig = await rigThat(() => ({}), { timings: { storageRetryMs: 30 } })
    const { attempts } = rig.core.context.tables
    const open = attempts.open.bind(attempts)
    let troubles = ['SQLITE_FULL', 'SQLITE_READONLY']
    const seen: unknown[] = []
    rig.core.onEvent(() => void seen.push(rig.core.queue.storageTrouble))
    attempts.open = (...values) => {
      const [code] = troubles
      troubles = troubles.slice(1)
      if (code !== undefined) throw Object.assign(new Error('not now'), { code })
      return open(...values)
    }
    const id = await rig.send('a.pdf')
    await until(() => rig.document(id).status === 'done', 'the result')
    expect(seen).toEqual(expect.arrayContaining(['full', 'read_only']))
    expect(await rig.core.handlers['app.state']({})).toMatchObject({ storageTrouble: null, paused: false })
    rig.check(1)
  })
})
