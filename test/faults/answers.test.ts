import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { libraryLimits } from '../../electron/core/platform/http.ts'
import { until } from '../helpers/core.ts'
import { selfSigned } from '../helpers/self-signed.ts'
import { startVendor, successBody } from '../helpers/vendor.ts'
import type { VendorReply } from '../helpers/vendor.ts'
import { setUp } from './answers-setup.ts'
import type { Rig } from './answers-setup.ts'
import { answerOf, startRawService } from './raw-service.ts'
import type { RawRequest, RawService } from './raw-service.ts'

async function rawService(answer: (request: RawRequest, index: number) => void, tokens = true): Promise<RawService> {
  const service = await startRawService(answer, tokens)
  onTestFinished(service.close)
  return service
}

async function vendorThat(
  reply: (index: number) => VendorReply | Promise<VendorReply>,
  options: Parameters<typeof startVendor>[1] = {},
) {
  const vendor = await startVendor((_document, index) => reply(index), options)
  onTestFinished(vendor.close)
  return vendor
}

const connectionOf = (rig: Rig) => rig.core.context.tables.connections.list().find(({ kind }) => kind === 'platform')!

describe('F20 a server that reads the whole body and drops the answer', () => {
  it('leaves the document unknown with one billable request, also after a restart, until a person approves another', async () => {
    const service = await rawService(({ socket }, index) =>
      index === 0 ? void socket.destroy() : void socket.end(answerOf(successBody('a.pdf'))),
    )
    const rig = await setUp(service.baseUrl)
    const id = await rig.send('a.pdf')
    await until(() => rig.document(id).status === 'unknown', 'the unknown outcome')
    await rig.restart()
    expect(await rig.core.handlers['documents.retry']({ ids: [id] })).toMatchObject({ retried: 0 })
    await until(() => rig.core.queue.idle, 'the queue to be idle')
    expect(rig.document(id)).toMatchObject({ status: 'unknown', reasonCode: 'connection_lost' })
    expect(service.billable()).toHaveLength(1)
    rig.check(1)

    expect(await rig.core.handlers['documents.resend']({ ids: [id] })).toEqual({ sent: 1 })
    await until(() => rig.document(id).status === 'done', 'the second answer')
    const [second, first] = (await rig.core.handlers['documents.get']({ id })).attempts
    expect(second).toMatchObject({ outcome: 'succeeded', resendOf: first!.id, approved: 'person' })
    expect(first).toMatchObject({ outcome: 'lost', resendOf: null, approved: null })
    rig.check(service.billable().length, 1)
  })
})

describe('F21 a connection that is reset where a kept-alive one would be used again', () => {
  /** Promises to keep every connection alive, and resets each one on which something that bills arrived. */
  const resetting = () => rawService(({ socket }) => void socket.resetAndDestroy())

  it('is no silent resend of a document', async () => {
    const service = await resetting()
    const rig = await setUp(service.baseUrl)
    const ids = [await rig.send('a.pdf'), await rig.send('b.pdf')]
    await until(() => ids.every((id) => rig.document(id).status === 'unknown'), 'two unknown outcomes')
    expect(service.billable()).toHaveLength(2)
    // Nothing was sent on a connection that had carried something before.
    expect(service.connections()).toBe(service.requests.length)
    rig.check(2)
  })

  it.each(['documentalist', 'chat'] as const)('is no silent resend of a question to a %s', async (kind) => {
    const service = await resetting()
    const { core } = await setUp(service.baseUrl)
    const connectionId = core.context.tables.connections.list().find((one) => one.kind === 'platform')!.id
    const question = {
      conversationId: null,
      connectionId,
      kind,
      agentReference: kind === 'chat' ? null : 'desk',
      model: kind === 'chat' ? 'svc-small' : null,
      text: 'How much?',
    }
    const { conversationId } = await core.handlers['ask.send'](question)
    const answer = () => core.context.tables.conversations.messages(conversationId).at(-1)!
    await until(() => answer().state !== 'writing', 'the end of the answer')
    expect(answer()).toMatchObject({ state: 'failed', reason: { code: 'connection_lost' } })
    expect(service.billable()).toHaveLength(1)
  })

  it('of a token leaves the document queued, unsent, and asks for the next token only after the back-off', async () => {
    const service = await rawService(({ socket }) => void socket.resetAndDestroy(), false)
    const rig = await setUp(service.baseUrl, { timings: { firstRetryMs: 60_000 } })
    const id = await rig.send('a.pdf')
    await until(() => connectionOf(rig).throttledUntil !== null, 'the throttle')
    await until(() => rig.core.queue.idle, 'the queue to be idle')
    expect(rig.document(id)).toMatchObject({ status: 'queued', reasonCode: 'connection_refused' })
    expect(service.requests).toHaveLength(1)
    rig.check(0)
  })
})

describe('F22 an answer that takes longer than the time limit', () => {
  it('meets no limit of the HTTP library, only ours', () => {
    expect(libraryLimits).toMatchObject({ headersTimeout: 0, bodyTimeout: 0 })
  })

  const trickle = ({ socket }: RawRequest, text: string): void => {
    const timer = setInterval(() => socket.write(text), 20)
    socket.on('close', () => clearInterval(timer))
  }
  it.each<[string, (request: RawRequest) => void]>([
    ['says nothing', () => undefined],
    [
      'sends one header after another',
      (request) => (request.socket.write('HTTP/1.1 200 OK\r\n'), trickle(request, 'x-more: 1\r\n')),
    ],
    [
      'sends its body byte by byte',
      (request) => (request.socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n'), trickle(request, ' ')),
    ],
  ])('is unknown by our limit when the service %s', async (_what, answer) => {
    const service = await rawService(answer)
    const rig = await setUp(service.baseUrl, { timings: { syncAnswerMs: 400 } })
    const begun = performance.now()
    const id = await rig.send('a.pdf')
    await until(() => rig.document(id).status === 'unknown', 'the unknown outcome')
    expect(rig.document(id).reasonCode).toBe('answer_timeout')
    expect(performance.now() - begun).toBeGreaterThan(390)
    rig.check(service.billable().length)
  })

  it('waits for one that comes before it', async () => {
    const vendor = await vendorThat(() => ({ delayMs: 700 }))
    const rig = await setUp(vendor.baseUrl, { timings: { syncAnswerMs: 20_000 } })
    const id = await rig.send('a.pdf')
    await until(() => rig.document(id).status === 'done', 'the late answer')
    rig.check(1)
  })
})

describe('F23 a service that cannot be reached', () => {
  it.each([
    ['whose name is not known', 'http://nobody.invalid', 'host_not_found'],
    ['that refuses the connection', 'http://127.0.0.1:1', 'connection_refused'],
  ])('%s leaves the document queued for another try', async (_what, baseUrl, code) => {
    const rig = await setUp(baseUrl, { timings: { firstRetryMs: 50 } })
    const id = await rig.send('a.pdf')
    await until(() => rig.core.queue.failuresOf(connectionOf(rig).id) >= 2, 'a second try')
    expect(rig.document(id)).toMatchObject({ status: 'queued', reasonCode: code })
    expect(connectionOf(rig).pausedReason).toBeNull()
    rig.check(0)
  })

  it('whose certificate nobody vouches for stops the connection, plainly, and the document waits', async () => {
    let requests = 0
    const server = createServer(selfSigned, () => (requests += 1))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
    const rig = await setUp(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const id = await rig.send('a.pdf')
    await until(() => connectionOf(rig).pausedReason !== null, 'the connection to be stopped')
    expect(connectionOf(rig).pausedReason).toMatchObject({ code: 'certificate_invalid' })
    expect(rig.document(id).status).toBe('queued')
    expect(requests).toBe(0)
    rig.check(0)
  })
})

describe('F24 Retry-After', () => {
  const dateAt = (ms: number): string => new Date(ms).toUTCString()
  // A date counts from the `Date` of the same answer, which the vendor gives by the clock of the test.
  it.each<[string, (now: number) => string, number]>([
    ['in seconds', () => '7', 7000],
    ['as a date', (now) => dateAt(now + 8000), 8000],
    ['of 10^12 seconds, which is cut', () => '1000000000000', 20_000],
    ['that is negative, so that the back-off counts', () => '-5', 3000],
    ['that is a date which is over', (now) => dateAt(now - 3_600_000), 3000],
    ['that is no time', () => 'later', 3000],
  ])('%s pauses the lane', async (_what, header, expectedMs) => {
    let clock = Date.now()
    const vendor = await vendorThat(() => ({
      status: 429,
      body: '{}',
      headers: { 'retry-after': header(clock), date: dateAt(clock) },
    }))
    const rig = await setUp(vendor.baseUrl, {
      concurrency: 1,
      now: () => clock,
      timings: { longestThrottleMs: 20_000, firstRetryMs: 3000 },
    })
    const ids = [await rig.send('a.pdf'), await rig.send('b.pdf'), await rig.send('c.pdf')]
    await until(() => connectionOf(rig).throttledUntil !== null, 'the throttle')
    await until(() => rig.core.queue.idle, 'the queue to be idle')
    const throttledMs = connectionOf(rig).throttledUntil! - clock
    expect(throttledMs).toBe(expectedMs)
    expect(ids.map((id) => rig.document(id).status)).toEqual(['queued', 'queued', 'queued'])
    expect(vendor.received).toHaveLength(1)
    // The last moment of the throttle is still one.
    clock += Math.min(throttledMs - 1, 2900)
    rig.core.queue.wake()
    expect(vendor.received).toHaveLength(1)
    rig.check(0)
  })

  it.each([429, 503])(
    'is waited for on status %i, then one document goes first and the others follow',
    async (status) => {
      let doneBeforeTheOthers = 0
      const vendor = await vendorThat(async (index) => {
        // The four of the beginning are refused together.
        if (index < 4) await until(() => vendor.received.length >= 4, 'four at once')
        if (index === 5) doneBeforeTheOthers = ids.filter((id) => rig.document(id).status === 'done').length
        return index < 4 ? { status, body: '{}', headers: { 'retry-after': '1' } } : { delayMs: 50 }
      })
      const rig = await setUp(vendor.baseUrl, { concurrency: 4 })
      const ids = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => rig.send(`${name}.pdf`)))
      await until(() => ids.every((id) => rig.document(id).status === 'done'), 'all five')
      expect(doneBeforeTheOthers).toBe(1)
      expect(vendor.received).toHaveLength(9)
      rig.check(5)
    },
  )
})

describe('F25 401 for fifty documents at once', () => {
  it('is one new token for all, and one replay for each', async () => {
    const vendor = await vendorThat(async (index) => {
      if (index >= 50) return {}
      await until(() => vendor.received.length >= 50, 'fifty at once')
      return { status: 401, body: '{}' }
    })
    const rig = await setUp(vendor.baseUrl, { concurrency: 50 })
    const ids: number[] = []
    for (let number = 0; number < 50; number += 1) ids.push(await rig.send(`${number}.pdf`))
    await until(() => ids.every((id) => rig.document(id).status === 'done'), 'all fifty')
    expect(vendor.tokensIssued()).toBe(2)
    expect(vendor.received).toHaveLength(100)
    expect(connectionOf(rig).pausedReason).toBeNull()
    rig.check(50)
  })
})

describe('F26 the lifetime of a token', () => {
  const jwt = (claims: object): string => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`
  const seconds = Math.floor(Date.now() / 1000)
  it.each<[string, string, unknown]>([
    ['"3600000"', 'opaque-token', '3600000'],
    ['""', 'opaque-token', ''],
    ['"0"', 'opaque-token', '0'],
    ['absent', 'opaque-token', undefined],
    ['"1", a second', 'opaque-token', '1'],
    ['"1" beside a JWT that lasts an hour', jwt({ exp: seconds + 3600 }), '1'],
    ['"3600" beside a JWT that is over on arrival', jwt({ iat: 1_000_000_000, exp: 1_000_000_001 }), '3600'],
    ['absent beside a JWT that is over on arrival', jwt({ exp: 1_000_000_000 }), undefined],
  ])('with expires_in %s is one request for many documents', async (_what, token, expiresIn) => {
    let asked = 0
    const body = JSON.stringify({ access_token: token, token_type: 'x-api-key', expires_in: expiresIn })
    const vendor = await vendorThat(() => ({}), { token: () => ((asked += 1), { body }) })
    const rig = await setUp(vendor.baseUrl)
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) {
      const id = await rig.send(name)
      await until(() => rig.document(id).status === 'done', name)
    }
    expect(asked).toBe(1)
    rig.check(3)
  })

  it('is one renewal and a stopped connection when every answer is 401, however many documents wait', async () => {
    let asked = 0
    // The same token each time, as from a service that keeps it.
    const vendor = await vendorThat(() => ({ status: 401, body: '{}' }), {
      token: () => (
        (asked += 1), { body: '{"access_token":"always-the-same","token_type":"x-api-key","expires_in":"0"}' }
      ),
    })
    const rig = await setUp(vendor.baseUrl, { concurrency: 1 })
    const ids: number[] = []
    for (let number = 0; number < 20; number += 1) ids.push(await rig.send(`${number}.pdf`))
    await until(() => connectionOf(rig).pausedReason !== null, 'the connection to be stopped')
    await until(() => rig.core.queue.idle, 'the queue to be idle')
    expect(asked).toBe(2)
    expect(connectionOf(rig).pausedReason).toMatchObject({ code: 'credentials_refused' })
    expect(ids.every((id) => rig.document(id).status === 'queued')).toBe(true)
    rig.check(0)
  })
})
