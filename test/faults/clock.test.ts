import Sqlite from 'better-sqlite3'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { until } from '../helpers/core.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { VendorReply } from '../helpers/vendor.ts'
import { setUp } from './answers-setup.ts'
import type { Rig } from './answers-setup.ts'

afterEach(() => void vi.restoreAllMocks())

const hour = 60 * 60_000
const year = 365 * 24 * hour

type Clock = { jump: (ms: number) => void; now: () => number }

function clock(): Clock {
  let ahead = 0
  return { jump: (ms) => (ahead += ms), now: () => Date.now() + ahead }
}

async function vendorThat(reply: (index: number) => VendorReply | Promise<VendorReply>) {
  const vendor = await startVendor((_document, index) => reply(index))
  onTestFinished(vendor.close)
  return vendor
}

const connectionOf = (rig: Rig) => rig.core.context.tables.connections.list().find(({ kind }) => kind === 'platform')!

/** As a clock that was wrong has left it: a pause and a document's next try, so far ahead. */
function write(rig: Rig, sql: string, ...values: unknown[]): void {
  const db = new Sqlite(join(rig.dataDir, 'sheaf.db'))
  db.prepare(sql).run(...values)
  db.close()
}

describe('F14 a clock that is set, or stood still', () => {
  it.each([
    ['a year ahead', year],
    ['a year back', -year],
    ['eight hours ahead, as after sleep', 8 * hour],
    ['eight hours back', -8 * hour],
  ])(
    '%s ends a pause when the time is over that the service asked for, with one document first and no burst',
    async (_what, ms) => {
      const time = clock()
      let doneBeforeTheOthers = -1
      const vendor = await vendorThat(async (index) => {
        if (index < 4) await until(() => vendor.received.length >= 4, 'four at once')
        if (index === 5) doneBeforeTheOthers = ids.filter((id) => rig.document(id).status === 'done').length
        return index < 4 ? { status: 503, body: '{}', headers: { 'retry-after': '1' } } : { delayMs: 20 }
      })
      const rig = await setUp(vendor.baseUrl, { concurrency: 4, now: time.now })
      const ids = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => rig.send(`${name}.pdf`)))
      await until(() => connectionOf(rig).throttledUntil !== null && rig.core.queue.idle, 'the throttle')
      const received = vendor.received.length
      time.jump(ms)
      rig.core.queue.wake()
      await until(() => ids.every((id) => rig.document(id).status === 'done'), 'all six')
      expect(received).toBe(4)
      expect(doneBeforeTheOthers).toBe(1)
      expect(vendor.received).toHaveLength(10)
      rig.check(6)
    },
  )

  it('that was wrong in the last run holds back nothing: what lies further ahead than any pause is due', async () => {
    const time = clock()
    let works = false
    const vendor = await vendorThat(() => (works ? {} : { status: 503, body: '{}', headers: { 'retry-after': '60' } }))
    const rig = await setUp(vendor.baseUrl, { concurrency: 1, now: time.now })
    const ids = [await rig.send('a.pdf'), await rig.send('b.pdf')]
    await until(() => connectionOf(rig).throttledUntil !== null && rig.core.queue.idle, 'the throttle')
    write(rig, 'UPDATE connections SET paused_until = ? WHERE id = ?', time.now() + year, connectionOf(rig).id)
    write(rig, 'UPDATE documents SET not_before = ?', time.now() + year)
    works = true
    await rig.restart()
    await until(() => ids.every((id) => rig.document(id).status === 'done'), 'both')
    rig.check(2)
  })

  it('a year back in the same run does not hold back a document that waits for its own next try', async () => {
    const time = clock()
    const vendor = await vendorThat(() => ({}))
    const rig = await setUp(vendor.baseUrl, { now: time.now })
    rig.core.queue.pause()
    const id = await rig.send('a.pdf')
    write(rig, 'UPDATE documents SET not_before = ?', time.now() + 60_000)
    time.jump(-year)
    rig.core.queue.resume()
    await until(() => rig.document(id).status === 'done', 'the result')
    rig.check(1)
  })

  it('eight hours ahead is one request to a service that still refuses, however many documents are due', async () => {
    const time = clock()
    const vendor = await vendorThat(() => ({ status: 503, body: '{}' }))
    const rig = await setUp(vendor.baseUrl, { concurrency: 8, now: time.now, timings: { firstRetryMs: 60_000 } })
    rig.core.queue.pause()
    for (let number = 0; number < 30; number += 1) await rig.send(`${number}.pdf`)
    write(rig, 'UPDATE documents SET not_before = ?', time.now() + 120_000)
    // The lane of a service that was spoken to in this run.
    rig.core.queue.resume()
    time.jump(8 * hour)
    rig.core.queue.wake()
    await until(() => connectionOf(rig).throttledUntil !== null && rig.core.queue.idle, 'the throttle')
    expect(vendor.received).toHaveLength(1)
    rig.check(0)
  })

  it.each([
    ['ahead', year],
    ['back', -year],
  ])('a year %s asks for no new token', async (_what, ms) => {
    const vendor = await vendorThat(() => ({}))
    const rig = await setUp(vendor.baseUrl)
    const first = await rig.send('a.pdf')
    await until(() => rig.document(first).status === 'done', 'the first')
    const moved = Date.now.bind(Date)
    vi.spyOn(Date, 'now').mockImplementation(() => moved() + ms)
    const second = await rig.send('b.pdf')
    await until(() => rig.document(second).status === 'done', 'the second')
    expect(vendor.tokensIssued()).toBe(1)
    vi.restoreAllMocks()
    rig.check(2)
  })

  it('a year ahead neither ends nor lengthens the wait for an answer', async () => {
    const time = clock()
    let jumped = false
    const vendor = await vendorThat(async () => {
      await until(() => jumped, 'the jump')
      return { delayMs: 200 }
    })
    const rig = await setUp(vendor.baseUrl, { now: time.now, timings: { syncAnswerMs: 10_000 } })
    const id = await rig.send('a.pdf')
    await until(() => vendor.received.length === 1, 'the request')
    time.jump(year)
    jumped = true
    await until(() => rig.document(id).status === 'done', 'the answer')
    rig.check(1)
  })

  it('a day ahead and back again does not pass the daily cap', async () => {
    const time = clock()
    const vendor = await vendorThat(() => ({}))
    const rig = await setUp(vendor.baseUrl, { now: time.now })
    await rig.core.handlers['settings.update']({ dailyDocumentCap: 2 })
    const ids = [await rig.send('a.pdf'), await rig.send('b.pdf'), await rig.send('c.pdf'), await rig.send('d.pdf')]
    const done = () => ids.filter((id) => rig.document(id).status === 'done').length
    await until(() => done() === 2 && rig.core.queue.idle, 'two of four')
    for (const ms of [24 * hour, -24 * hour, -24 * hour, 24 * hour]) {
      time.jump(ms)
      rig.core.queue.wake()
      await until(() => rig.core.queue.idle, 'the queue to be idle')
      expect(done()).toBe(2)
      expect(rig.core.queue.held).toBe(true)
    }
    expect(vendor.received).toHaveLength(2)
    rig.check(2)
  })
})
