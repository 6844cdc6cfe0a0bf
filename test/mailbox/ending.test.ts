import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { openMailboxDatabase } from '../../electron/mailbox/database.ts'
import type { Mailbox } from '../../electron/mailbox/server.ts'
import { MailboxStore } from '../../electron/mailbox/store.ts'
import { temporaryDir, until } from '../helpers/core.ts'
import { startFront, TestDesktop, testCode } from '../helpers/mailbox-desktop.ts'
import type { Front, Said } from '../helpers/mailbox-desktop.ts'
import { startTestMailbox, waitingIn } from '../helpers/mailbox.ts'

let server: ReturnType<typeof temporaryDir>
let data: ReturnType<typeof temporaryDir>
let mailbox: Mailbox
let front: Front
let desk: TestDesktop
let proxySays: (request: IncomingMessage) => Said | Promise<Said>
let quit: AbortController

const code = (): string => testCode(front.url, server.path)
const pair = (): Promise<void> => desk.client.pair(code(), quit.signal)
const unpair = (discard = false): Promise<void> => desk.client.unpair({ discard }, quit.signal)

const waiting = (): number[] => waitingIn(server.path)

beforeEach(async () => {
  server = temporaryDir()
  data = temporaryDir()
  proxySays = () => null
  quit = new AbortController()
  mailbox = await startTestMailbox(server.path, { limits: { leaseMs: 500 } })
  front = await startFront(mailbox.url, (request) => proxySays(request))
  desk = new TestDesktop(data.path)
  await pair()
})
afterEach(async () => {
  await desk.close()
  await front.close()
  await mailbox.close()
  server.remove()
  data.remove()
})

const isAsking = ({ method, url }: IncomingMessage): boolean => method === 'GET' && url!.includes('/messages')

describe('F34 the end of a pairing while the mailbox cannot be reached', () => {
  const ends = [
    ['with another code', pair],
    ['for good', () => unpair()],
  ] as const

  it.each(ends)('%s is refused, and everything that waits comes later', async (_what, end) => {
    for (const token of ['a', 'b', 'c']) expect(await desk.send(token)).toBe(200)
    const address = desk.client.addressFor('t')
    proxySays = (request) => (isAsking(request) ? 504 : null)
    await expect(end()).rejects.toMatchObject({ code: 'mailbox_unreachable', details: { detail: 'HTTP 504' } })
    expect([desk.client.addressFor('t'), waiting(), desk.received]).toEqual([address, [3], []])
    proxySays = () => null
    desk.client.start()
    await until(() => desk.tokens.join() === 'a,b,c', 'what waited')
    await end()
    expect(desk.client.addressFor('t')).not.toBe(address)
  })

  it.each([403, 404])('is refused also where a proxy says %d in its place', async (status) => {
    await desk.send('a')
    proxySays = (request) => (isAsking(request) ? status : null)
    await expect(unpair()).rejects.toMatchObject({ code: 'mailbox_unreachable', details: { detail: `HTTP ${status}` } })
    expect([desk.client.state() === null, waiting(), desk.secrets.size]).toEqual([false, [1], 1])
  })

  it('happens when the person gives up what waits; there it is left as it is', async () => {
    await desk.send('a')
    proxySays = (request) => (isAsking(request) ? 504 : null)
    await unpair(true)
    expect([desk.client.state(), waiting(), desk.secrets.size, desk.received]).toEqual([null, [1], 1, []])
    expect(front.requests.filter((request) => request.startsWith('DELETE'))).toEqual([])
  })

  it('fetches what comes in the last moment', async () => {
    let late: number | null = null
    proxySays = async ({ method }) => {
      // The desktop was told that nothing waits; then one more is answered 200.
      if (method === 'DELETE' && late === null) late = await desk.send('late')
      return null
    }
    await unpair()
    expect([late, desk.tokens, waiting()]).toEqual([200, ['late'], []])
  })

  it('fetches what is coming in', async () => {
    const { pathname } = new URL(desk.client.addressFor('slow')!)
    // Straight to the mailbox: the proxy here passes on what is whole.
    const sender = connect(Number(new URL(mailbox.url).port), '127.0.0.1')
    const heard: string[] = []
    sender.on('data', (bytes) => heard.push(String(bytes)))
    sender.write(
      `POST ${pathname} HTTP/1.1\r\nhost: mailbox\r\nexpect: 100-continue\r\ncontent-length: 1000000\r\n\r\n`,
    )
    await until(() => heard.join('').includes('100 Continue'), 'the question for the body')
    sender.write(Buffer.alloc(900_000, 'x'))
    const ending = unpair()
    // The first question was answered that nothing waits, and then the end was refused.
    await until(() => front.requests.filter((request) => request.startsWith('GET')).length > 1, 'the second question')
    sender.write(Buffer.alloc(100_000, 'x'))
    await ending
    expect([heard.join('').includes('200 OK'), desk.tokens, waiting()]).toEqual([true, ['slow'], []])
    sender.destroy()
  })

  it('happens without further ado when the mailbox itself has ended it', async () => {
    const db = openMailboxDatabase(server.path)
    for (const { id } of new MailboxStore(db).boxes()) new MailboxStore(db).removeBox(id)
    db.close()
    await unpair()
    expect([desk.client.state(), desk.secrets.size]).toEqual([null, 0])
  })

  it('is broken off when the app quits', async () => {
    await desk.send('a')
    proxySays = (request) => (isAsking(request) ? 'nothing' : null)
    const ending = unpair()
    await until(() => front.requests.some((request) => request.startsWith('GET')), 'the question')
    const quitAt = performance.now()
    quit.abort()
    await expect(ending).rejects.toThrow()
    expect(performance.now() - quitAt).toBeLessThan(2000)
    expect([desk.client.state() === null, waiting(), desk.secrets.size]).toEqual([false, [1], 1])
  })
})

describe('F39 the end of a pairing while its key cannot be read', () => {
  it.each([
    ['with another code', pair],
    ['for good', () => unpair()],
  ] as const)('%s is refused, and everything that waits comes once it can', async (_what, end) => {
    await desk.send('a')
    const kept = desk.secrets.get('mailbox')
    desk.deniesReading = true
    await expect(end()).rejects.toMatchObject({
      code: 'mailbox_key_unavailable',
      details: { detail: 'the keychain was not opened' },
    })
    expect([waiting(), desk.secrets.get('mailbox')]).toEqual([[1], kept])
    desk.deniesReading = false
    desk.client.start()
    await until(() => desk.tokens.join() === 'a', 'what waited')
  })

  it('happens when the person gives up what waits, and the next code pairs', async () => {
    await desk.send('a')
    desk.secrets.clear()
    await expect(unpair()).rejects.toMatchObject({
      code: 'mailbox_key_unavailable',
      details: { detail: 'it is missing' },
    })
    await unpair(true)
    await pair()
    await desk.send('b')
    desk.client.start()
    await until(() => desk.tokens.join() === 'b', 'a result over the new pairing')
  })
})

describe('a mailbox that gives trouble', () => {
  it('with one message that cannot be fetched hands out the others, and says so', async () => {
    const large = Buffer.alloc(2 * 1024 * 1024, 'x')
    await desk.send('large', large)
    await desk.send('other', large)
    await desk.send('small')
    proxySays = (request) => (request.url!.endsWith('/messages/1') ? 502 : null)
    desk.client.start()
    await until(() => desk.tokens.toSorted().join() === 'other,small', 'the others')
    await until(() => desk.client.state()!.problem?.details['detail'] === 'HTTP 502', 'the problem')
    await desk.send('younger')
    await until(() => desk.tokens.includes('younger'), 'one that came later')
    expect(desk.client.state()!.problem?.code).toBe('mailbox_unreachable')
    proxySays = () => null
    await until(() => desk.tokens.includes('large'), 'it, at last')
    await until(() => desk.client.state()!.problem === null, 'the end of the problem')
  })

  it('that says at once that nothing waits is asked less and less often', async () => {
    proxySays = (request) => (isAsking(request) ? 'empty list' : null)
    desk.client.start()
    const end = performance.now() + 1000
    await until(() => performance.now() > end, 'a second')
    // At once, after 100, 200 and 400 ms.
    expect(front.requests.filter((request) => request.startsWith('GET')).length).toBeLessThan(7)
    expect(desk.client.state()!.problem).toBeNull()
  })

  it('lets whoever waits for the last message know that others come', async () => {
    await desk.send('large', Buffer.alloc(2 * 1024 * 1024, 'x'))
    const before = desk.progress
    desk.client.start()
    await until(() => desk.tokens.includes('large'), 'the message')
    expect(desk.progress).toBeGreaterThan(before + 1)
  })
})
