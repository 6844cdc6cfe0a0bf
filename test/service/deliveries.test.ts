import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { isPrivateAddress, namesPrivateHost, publicLookup } from '../../electron/service/async/callback-policy.ts'
import { pdf } from './documents.ts'
import { receiverWith, rigWith } from './opened.ts'
import { startReceiver } from './receiver.ts'
import type { Receiver } from './receiver.ts'
import { invoiceLines, invoiceParams } from './setup.ts'
import type { Rig } from './setup.ts'
import { eventually } from '../helpers/eventually.ts'

const invoice = { filename: 'invoice.pdf', file: pdf(invoiceLines).toString('base64'), params: invoiceParams }

async function start(rig: Rig, callback: string): Promise<string> {
  const response = await rig.post('/v2/extractor/async', { ...invoice, callback })
  expect(response.status).toBe(200)
  return ((await response.json()) as { extract_id: string }).extract_id
}

const deliveriesOf = async (rig: Rig) => (await rig.control('deliveries.list', {})).deliveries

/**
 * A rig and a receiver that refuses until it is told otherwise; the delivery of one job rests already. The time is long
 * enough for two tries also where one takes half a second.
 */
async function resting(): Promise<{ rig: Rig; receiver: Receiver; extractId: string; accept: () => void }> {
  const rig = await rigWith({ webhook: { firstDelayMs: 10, maxDelayMs: 50, giveUpAfterMs: 1000 } })
  let status = 500
  const receiver = await receiverWith(() => status)
  const extractId = await start(rig, `${receiver.url}?token=secret`)
  await eventually(async () => expect(await deliveriesOf(rig)).toMatchObject([{ state: 'undelivered' }]))
  return { rig, receiver, extractId, accept: () => (status = 200) }
}

const rightCall = (extractId: string): object => ({
  status: 'success',
  extract_id: extractId,
  data: { 'Invoice number': 'RE-2024-17', 'Total amount': 119.5 },
})

describe('a webhook that nobody takes in time', () => {
  it('rests, is kept with its values, and is told without the query of its callback', async () => {
    const { rig, receiver, extractId } = await resting()
    const callsUntilNow = receiver.calls.length
    expect(callsUntilNow).toBeGreaterThan(1)
    expect(await deliveriesOf(rig)).toEqual([
      {
        extractId,
        state: 'undelivered',
        callback: receiver.url,
        fileName: 'invoice.pdf',
        tries: callsUntilNow,
        nextTryAt: null,
        finishedAt: expect.any(Number) as number,
        lastFailure: '500',
      },
    ])
    expect(rig.service.db.prepare('select payload from async_jobs').pluck().get()).toContain('RE-2024-17')
  })

  it('has its whole time again at every start, and is delivered when somebody takes it', async () => {
    const { rig, receiver, extractId, accept } = await resting()
    for (let round = 0; round < 2; round++) {
      const before = receiver.calls.length
      await rig.restart()
      await eventually(async () =>
        expect(await deliveriesOf(rig)).toMatchObject([{ state: 'undelivered', tries: receiver.calls.length }]),
      )
      expect(receiver.calls.length).toBeGreaterThan(before + 1)
    }
    accept()
    await rig.restart()
    await eventually(async () => expect(await deliveriesOf(rig)).toEqual([]))
    expect(receiver.calls.at(-1)?.body).toMatchObject(rightCall(extractId))
  })

  it('has its whole time again when a person asks for it', async () => {
    const { rig, receiver, extractId } = await resting()
    const before = receiver.calls.length
    await rig.control('deliveries.retry', { extractId })
    await eventually(async () =>
      expect(await deliveriesOf(rig)).toMatchObject([{ state: 'undelivered', tries: receiver.calls.length }]),
    )
    expect(receiver.calls.length).toBeGreaterThan(before + 1)
  })

  it('is delivered when a person asks for it', async () => {
    const { rig, receiver, extractId, accept } = await resting()
    accept()
    await rig.control('deliveries.retry', { extractId })
    await eventually(async () => expect(await deliveriesOf(rig)).toEqual([]))
    expect(receiver.calls.at(-1)?.body).toMatchObject(rightCall(extractId))
  })

  it('is forgotten when a person says so', async () => {
    const { rig, receiver, extractId } = await resting()
    await rig.control('deliveries.remove', { extractId })
    expect(await deliveriesOf(rig)).toEqual([])
    const calls = receiver.calls.length
    await rig.restart()
    expect(await deliveriesOf(rig)).toEqual([])
    expect(receiver.calls).toHaveLength(calls)
  })
})

describe('a webhook that failed', () => {
  it.each<[string, Parameters<typeof startReceiver>[0] | 'nobody', string]>([
    ['a status', () => 503, '503'],
    ['silence', () => 'silence', 'timeout'],
    ['nobody there', 'nobody', 'ECONNREFUSED'],
  ])('says why: %s', async (_what, reply, failure) => {
    const timeoutMs = failure === 'timeout' ? 300 : 60_000
    const rig = await rigWith({ webhook: { firstDelayMs: 3_600_000, timeoutMs } })
    const receiver = await startReceiver(reply === 'nobody' ? undefined : reply)
    if (reply === 'nobody') await receiver.close()
    else onTestFinished(() => receiver.close())
    await start(rig, receiver.url)
    await eventually(async () =>
      expect(await deliveriesOf(rig)).toMatchObject([{ state: 'delivering', tries: 1, lastFailure: failure }]),
    )
  })
})

describe('a webhook that was never tried', () => {
  it('goes before those whose receivers were silent', async () => {
    const rig = await rigWith({ webhook: { firstDelayMs: 10, giveUpAfterMs: 0, timeoutMs: 600 } })
    const silent = await receiverWith(() => 'silence')
    const receiver = await receiverWith()
    const gone = 8
    await Promise.all(Array.from({ length: gone }, () => start(rig, silent.url)))
    await eventually(async () =>
      expect((await deliveriesOf(rig)).filter(({ state }) => state === 'undelivered')).toHaveLength(gone),
    )
    await rig.restart()
    // All of them are due again, more than are sent at once.
    await silent.next(gone + 2)
    const extractId = await start(rig, receiver.url)
    expect((await receiver.next(1))[0]?.body).toMatchObject(rightCall(extractId))
    expect(silent.calls.length).toBeLessThan(2 * gone)
  })
})

describe('webhooks of many', () => {
  it('go to one receiver two at a time, so that a slow one does not hold up the others', async () => {
    const rig = await rigWith()
    const silent = await receiverWith(() => 'silence')
    const receiver = await receiverWith()
    for (let job = 0; job < 12; job++) await start(rig, `${silent.url}/${job}`)
    await silent.next(2)
    const extractId = await start(rig, receiver.url)
    expect((await receiver.next(1))[0]?.body).toMatchObject(rightCall(extractId))
    expect(silent.calls).toHaveLength(2)
  })

  it('go on when the database could not be read for a moment', async () => {
    const rig = await rigWith()
    const receiver = await receiverWith((count) => (count === 1 ? 500 : 200))
    const { db } = rig.service
    const prepare = db.prepare.bind(db)
    let reads = 0
    vi.spyOn(db, 'prepare').mockImplementation((sql: string) => {
      // The first after the extraction, the one after the first try, and one by the clock.
      if (sql.includes('next_try_at <= ') && ++reads % 2 === 1 && reads < 6) throw new Error('disk I/O error')
      return prepare(sql)
    })
    const extractId = await start(rig, receiver.url)
    const calls = await receiver.next(2)
    expect(calls.map(({ body }) => body['extract_id'])).toEqual([extractId, extractId])
    await eventually(async () => expect(await deliveriesOf(rig)).toEqual([]))
    expect(reads).toBeGreaterThan(2)
  })
})

describe('managing deliveries', () => {
  it('says what there is not', async () => {
    const rig = await rigWith()
    await expect(rig.control('deliveries.retry', { extractId: 'nothing' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(rig.control('deliveries.remove', { extractId: 'nothing' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('shows a job whose document is being read, does not send it early, and forgets it with its document', async () => {
    const entered = Promise.withResolvers<void>()
    const reading = Promise.withResolvers<never>()
    const rig = await rigWith({
      read: () => {
        entered.resolve()
        return reading.promise
      },
    })
    const receiver = await receiverWith()
    const extractId = await start(rig, receiver.url)
    await entered.promise
    expect(await deliveriesOf(rig)).toMatchObject([
      { extractId, state: 'started', tries: 0, nextTryAt: null, finishedAt: null },
    ])
    await expect(rig.control('deliveries.retry', { extractId })).rejects.toMatchObject({ code: 'invalid_input' })
    await rig.control('deliveries.remove', { extractId })
    expect(await readdir(join(rig.dataDir, 'async'))).toEqual([])
    reading.reject(new Error('no document'))
    await rig.restart()
    expect(await deliveriesOf(rig)).toEqual([])
    expect(receiver.calls).toEqual([])
  })
})

describe('a callback into the network of the service', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1:8080/hook',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://0/',
    'http://localhost:3000/',
    'http://LOCALHOST./',
    'http://app.localhost/',
    'http://10.1.2.3/',
    'http://172.31.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[fe80::1]/',
    'http://[fd12:3456::1]/',
    'http://[ff02::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a00:1]/',
    'http://[::7f00:1]/',
    'http://[64:ff9b::10.0.0.1]/',
    'http://[2002:c0a8:101::1]/',
    'http://localhost../',
  ])('is refused: %s', async (callback) => {
    const rig = await rigWith({ allowPrivateCallbacks: false })
    const response = await rig.post('/v2/extractor/async', { ...invoice, callback })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      status: 'error',
      code: 'invalid_request',
      detail: expect.stringContaining('private address') as string,
    })
    expect(await deliveriesOf(rig)).toEqual([])
    expect(await readdir(join(rig.dataDir, 'incoming'))).toEqual([])
  })

  it.each([
    // RFC 2765 and RFC 8215: an IPv4 address of this network as a translator takes it.
    '::ffff:0:127.0.0.1',
    '64:ff9b:1::7f00:1',
    // Teredo, ORCHID, benchmarks, documentation, discard-only, segment routing: nobody's host.
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:10::1',
    '2001:2::1',
    '2001:db8::1',
    '3fff::1',
    '100::1',
    '5f00::1',
    '192.0.2.1',
    '198.51.100.7',
    '203.0.113.7',
    // AS112 (RFC 7534, RFC 7535), AMT (RFC 7450), the withdrawn 6to4 relays (RFC 7526): one address, many hosts.
    '192.31.196.1',
    '192.52.193.1',
    '192.88.99.1',
    '192.175.48.6',
    '2620:4f:8000::6',
    '2001:4:112::1',
    '::ffff:192.88.99.1',
    '64:ff9b::192.175.48.6',
    '2002:c058:6301::1',
    // The rest of IANA's registries.
    '0.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '192.0.0.9',
    '198.19.255.255',
    '239.255.255.250',
    '255.255.255.255',
    '::',
    '100:0:0:1::1',
    'fec0::1',
  ])('is what an address leads to that is no host on the internet: %s', (address) => {
    expect(isPrivateAddress(address)).toBe(true)
    expect(namesPrivateHost(new URL(`http://${address.includes(':') ? `[${address}]` : address}/`))).toBe(true)
  })

  it.each([
    'http://[2001:4860:4860::8888]/',
    'http://[64:ff9b::8.8.8.8]/',
    'http://[2002:808:808::1]/',
    'http://8.8.8.8/',
    'http://172.32.0.1/',
    'http://192.31.197.1/',
    'http://192.88.98.1/',
    'http://[2620:4f:8001::1]/',
    'http://[2606:4700::1111]/',
    'http://[::ffff:8.8.8.8]/',
    'https://example.com/hook',
    'http://localhost.example.com/',
  ])('is not what %s is', (callback) => expect(namesPrivateHost(new URL(callback))).toBe(false))

  it('is not connected to, whatever name leads there', async () => {
    const receiver = await receiverWith()
    const dispatcher = new Agent({ connect: { lookup: publicLookup } })
    onTestFinished(() => dispatcher.close())
    await expect(request(`http://localhost:${receiver.port}/hook`, { dispatcher })).rejects.toThrow('private address')
    expect(receiver.calls).toEqual([])
  })

  it('is not sent to later either, when it was accepted under another rule', async () => {
    const rig = await rigWith({ webhook: { firstDelayMs: 3_600_000 } })
    let status = 503
    const receiver = await receiverWith(() => status)
    const extractId = await start(rig, receiver.url)
    await eventually(async () => expect(await deliveriesOf(rig)).toMatchObject([{ tries: 1 }]))
    status = 200
    await rig.restart({ allowPrivateCallbacks: false })
    await eventually(async () =>
      expect(await deliveriesOf(rig)).toMatchObject([
        { extractId, state: 'undelivered', tries: 1, nextTryAt: null, lastFailure: 'private_address' },
      ]),
    )
    expect(receiver.calls).toHaveLength(1)
    await rig.restart({ allowPrivateCallbacks: true })
    expect((await receiver.next(2))[1]?.body).toMatchObject(rightCall(extractId))
  })
})
