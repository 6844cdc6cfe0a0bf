import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openMailboxDatabase } from '../../electron/mailbox/database.ts'
import type { Mailbox, MailboxOptions } from '../../electron/mailbox/server.ts'
import { temporaryDir, until } from '../helpers/core.ts'
import { codeSecret, openSealed, pairBox, raw, startTestMailbox } from '../helpers/mailbox.ts'
import type { TestBox } from '../helpers/mailbox.ts'

let dir: ReturnType<typeof temporaryDir>
let mailbox: Mailbox
let box: TestBox
let lines: string[]
let elapsedMs: number
let nowMs: number

async function restart(options: Partial<MailboxOptions> = {}): Promise<void> {
  await mailbox.close()
  const port = Number(new URL(mailbox.url).port)
  mailbox = await startTestMailbox(dir.path, {
    port,
    log: (line) => void lines.push(line),
    now: () => nowMs,
    elapsedMs: () => elapsedMs,
    ...options,
  })
}

const callbackUrl = (token: string): string => `${mailbox.url}/in/${box.id}/${token}`
const send = (token: string, body: string | Buffer = '{"status":"success"}', method = 'POST') =>
  raw(callbackUrl(token), { method, body, headers: { 'content-type': 'application/json' } })
const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` })

/** Pieces of messages on the disk. */
function pieces(): number {
  const db = openMailboxDatabase(dir.path)
  try {
    return db.prepare('SELECT count(*) FROM pieces').pluck().get() as number
  } finally {
    db.close()
  }
}

beforeEach(async () => {
  dir = temporaryDir()
  lines = []
  elapsedMs = 0
  nowMs = Date.now()
  mailbox = await startTestMailbox(dir.path, {
    log: (line) => void lines.push(line),
    now: () => nowMs,
    elapsedMs: () => elapsedMs,
  })
  box = await pairBox(mailbox.url, dir.path)
})
afterEach(async () => {
  await mailbox.close()
  dir.remove()
})

describe('a callback at the mailbox', () => {
  it.each(['POST', 'PUT', 'PATCH', 'GET', 'DELETE'])(
    'is kept whole when it comes by %s with a body',
    async (method) => {
      expect((await send('the-token', '{"status":"success","data":{"a":1}}', method)).status).toBe(200)
      const [message, ...others] = await box.messages()
      expect(others).toEqual([])
      const { head, body } = openSealed(Buffer.from(message!.sealed!, 'base64url'), box)
      expect(head).toEqual({ token: 'the-token', method, contentType: 'application/json', receivedAt: nowMs })
      expect(body.toString()).toBe('{"status":"success","data":{"a":1}}')
    },
  )

  it('is taken without a content type, in chunks, compressed or with a query, as it came', async () => {
    const body = randomBytes(300)
    const answer = await raw(`${callbackUrl('t')}?key=1`, {
      method: 'POST',
      body,
      headers: { 'transfer-encoding': 'chunked', 'content-encoding': 'gzip' },
    })
    expect(answer.status).toBe(200)
    const opened = openSealed(Buffer.from((await box.messages())[0]!.sealed!, 'base64url'), box)
    expect(opened.head).toMatchObject({ token: 't', contentType: null })
    expect(opened.body.equals(body)).toBe(true)
  })

  it.each([262_144, 1_000_000, 5 * 1024 * 1024])(
    'of %d bytes is handed out by itself or in the list, and opens to the same bytes',
    async (sizeBytes) => {
      const body = randomBytes(sizeBytes)
      expect((await send('large', body)).status).toBe(200)
      const [message] = await box.messages()
      const sealed =
        message!.sealed === null
          ? (await raw(`${box.url}/messages/${message!.id}`, { headers: bearer(box.accessKey) })).bytes
          : Buffer.from(message!.sealed, 'base64url')
      expect(message!.sealed === null).toBe(sizeBytes > 1024 * 1024)
      expect(sealed.length).toBe(message!.sizeBytes)
      expect(openSealed(sealed, box).body.equals(body)).toBe(true)
      expect(() => openSealed(sealed.subarray(0, sealed.length - 1), box)).toThrow()
    },
  )

  it('is refused without a body', async () => {
    expect((await raw(callbackUrl('t'), { method: 'GET' })).status).toBe(405)
    expect((await raw(callbackUrl('t'), { method: 'HEAD' })).status).toBe(405)
    expect((await raw(callbackUrl('t'), { method: 'POST' })).status).toBe(400)
    expect((await raw(callbackUrl('t'), { method: 'POST', headers: { 'transfer-encoding': 'chunked' } })).status).toBe(
      400,
    )
    expect(await box.messages()).toEqual([])
  })

  it('for a box that does not exist is refused before its body is read', async () => {
    const { port } = new URL(mailbox.url)
    const socket = connect(Number(port), '127.0.0.1')
    const heard: string[] = []
    socket.on('data', (data) => heard.push(String(data)))
    // A body is announced and never sent: only who does not wait for it can answer.
    socket.write(
      `POST /in/${'x'.repeat(22)}/token HTTP/1.1\r\nhost: mailbox\r\nexpect: 100-continue\r\ncontent-length: 50000000\r\n\r\n`,
    )
    await until(() => heard.join('').includes('\r\n\r\n'), 'the refusal', 5000)
    expect(heard.join('')).toMatch(/^HTTP\/1\.1 404 /)
    await until(() => socket.closed || socket.readableEnded, 'the end of the connection', 5000)
    socket.destroy()
  })

  it('of which the path is not exactly box and token is refused', async () => {
    for (const path of [
      `/in/${box.id}`,
      `/in/${box.id}/`,
      `/in/${box.id}/a/b`,
      `/in/${box.id}/a%2Fb`,
      `/in//${box.id}/t`,
      `/in/${box.id}/${'t'.repeat(201)}`,
      '/in/%2e%2e/boxes',
      '/',
    ]) {
      expect({ path, status: (await raw(mailbox.url + path, { method: 'POST', body: '{}' })).status }).toEqual({
        path,
        status: 404,
      })
    }
  })

  it('over 64 MB is refused by what it announces, and cut off where it announces nothing', async () => {
    expect(
      (
        await raw(callbackUrl('t'), {
          method: 'POST',
          headers: { 'content-length': String(64 * 1024 * 1024 + 1), expect: '100-continue' },
          signal: AbortSignal.timeout(5000),
        })
      ).status,
    ).toBe(413)
    await restart({ limits: { maxBodyBytes: 600_000 } })
    const answer = await raw(callbackUrl('t'), {
      method: 'POST',
      headers: { 'transfer-encoding': 'chunked' },
      body: Buffer.alloc(700_000),
    })
    expect(answer.status).toBe(413)
    expect(await box.messages()).toEqual([])
    await restart()
    expect(await box.messages()).toEqual([])
  })

  it('that breaks off leaves nothing', async () => {
    const { port } = new URL(mailbox.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`POST /in/${box.id}/token HTTP/1.1\r\nhost: mailbox\r\ncontent-length: 1000000\r\n\r\n`)
    socket.write(Buffer.alloc(900_000))
    await new Promise<void>((resolve) => socket.end(resolve))
    expect((await send('whole')).status).toBe(200)
    const messages = await box.messages()
    expect(messages.map(({ sealed }) => openSealed(Buffer.from(sealed!, 'base64url'), box).head['token'])).toEqual([
      'whole',
    ])
  })

  it('that breaks off again and again takes no more of the disk than one, and of the box nothing', async () => {
    await restart({ limits: { maxBoxBytes: 2_000_000 } })
    const breakOff = async (): Promise<void> => {
      const socket = connect(Number(new URL(mailbox.url).port), '127.0.0.1')
      socket.write(`POST /in/${box.id}/token HTTP/1.1\r\nhost: mailbox\r\ncontent-length: 1500000\r\n\r\n`)
      socket.write(Buffer.alloc(1_400_000))
      await until(() => pieces() > 4, 'most of it')
      socket.destroy()
      await until(() => pieces() === 0, 'the end of it')
    }
    for (let count = 0; count < 5; count++) await breakOff()
    expect(statSync(join(dir.path, 'mailbox.db')).size).toBeLessThan(3_000_000)
    expect((await send('whole', Buffer.alloc(1_500_000))).status).toBe(200)
  })

  it('is answered 507 in one line when the box is full, and taken again when the desktop has fetched', async () => {
    await restart({ limits: { maxMessages: 2 } })
    expect([(await send('a')).status, (await send('b')).status]).toEqual([200, 200])
    const full = await send('c')
    expect([full.status, full.headers['retry-after']]).toEqual([507, '60'])
    expect(full.text).toBe(
      '{"error":"This mailbox is full (2 messages). It has room again when its desktop has fetched what waits."}',
    )
    expect((await send('c')).status).toBe(507)
    expect(lines.filter((line) => line.includes('full'))).toEqual([
      `The box ${box.id} (Front desk) is full: its desktop has to fetch what waits.`,
    ])
    await box.acknowledge([(await box.messages())[0]!.id])
    expect((await send('c')).status).toBe(200)
  })

  it('is answered 507 when the box would hold too many bytes', async () => {
    await restart({ limits: { maxBoxBytes: 1_000_000 } })
    expect((await send('a', Buffer.alloc(600_000))).status).toBe(200)
    expect((await send('b', Buffer.alloc(600_000))).status).toBe(507)
    const chunked = await raw(callbackUrl('b'), {
      method: 'POST',
      body: Buffer.alloc(600_000),
      headers: { 'transfer-encoding': 'chunked' },
    })
    expect(chunked.status).toBe(507)
    expect((await send('c', Buffer.alloc(300_000))).status).toBe(200)
  })

  it('is answered 507 while the disk has little room, and what waits is handed out and deleted all the same', async () => {
    await send('a')
    await restart({ limits: { reserveBytes: Number.MAX_SAFE_INTEGER, patrolMs: 20 } })
    const refused = await send('b')
    expect([refused.status, refused.text]).toEqual([
      507,
      '{"error":"The disk of this mailbox is full. Nothing was stored."}',
    ])
    const [message, ...others] = await box.messages()
    expect(others).toEqual([])
    expect((await box.acknowledge([message!.id])).text).toBe('{"deleted":1}')
    await until(
      () => lines.includes('The disk of the mailbox is full: callbacks are refused until there is room.'),
      'the operator to be told',
    )
    await restart()
    expect((await send('b')).status).toBe(200)
  })

  it('reaches the box also where the proxy leaves the path of the public address on', async () => {
    await restart({ publicUrl: 'https://office.test/sheaf' })
    expect((await raw(`${mailbox.url}/sheaf/in/${box.id}/t`, { method: 'POST', body: '{}' })).status).toBe(200)
    expect((await raw(`${mailbox.url}/in/${box.id}/t`, { method: 'POST', body: '{}' })).status).toBe(200)
  })
})

describe('pairing', () => {
  const pair = (
    secret: string,
    body = JSON.stringify({ publicKey: 'p'.repeat(43), accessKeyHash: 'a'.repeat(43), name: 'Back office' }),
  ) => raw(`${mailbox.url}/v1/boxes`, { method: 'POST', headers: bearer(secret), body })

  it('works once with a code, and not with another secret or none', async () => {
    const secret = codeSecret(dir.path)
    expect((await pair(secret)).status).toBe(200)
    expect((await pair(secret)).status).toBe(403)
    expect((await pair('another')).status).toBe(403)
    expect((await raw(`${mailbox.url}/v1/boxes`, { method: 'POST', body: '{}' })).status).toBe(403)
    expect(lines.at(-1)).toMatch(/^Paired with «Back office»: box [\w-]{22}\.$/)
    expect(lines.join()).not.toContain(secret)
  })

  it('works for a day', async () => {
    const [first, second] = [codeSecret(dir.path), codeSecret(dir.path)]
    nowMs += 23 * 60 * 60_000
    expect((await pair(first)).status).toBe(200)
    nowMs += 2 * 60 * 60_000
    expect((await pair(second)).status).toBe(403)
  })

  it('is refused for what is no pairing, without using the code up', async () => {
    const secret = codeSecret(dir.path)
    expect((await pair(secret, '[')).status).toBe(400)
    expect((await pair(secret, '{"publicKey":"short","accessKeyHash":"short","name":"x"}')).status).toBe(400)
    expect((await pair(secret, `{"name":"${'x'.repeat(70_000)}"}`)).status).toBe(413)
    expect((await pair(secret)).status).toBe(200)
  })
})

describe('the desktop’s calls', () => {
  it('are refused without the right key, whether the box exists or not', async () => {
    const other = await pairBox(mailbox.url, dir.path, 'Other')
    const expected = { status: 403, text: '{"error":"The access key is not right."}' }
    const calls: [string, string, Record<string, string>][] = [
      ['GET', `${box.url}/messages`, {}],
      ['GET', `${box.url}/messages`, bearer(other.accessKey)],
      ['GET', `${box.url}/messages/1`, bearer('x')],
      ['POST', `${box.url}/acknowledgements`, { authorization: box.accessKey }],
      ['DELETE', box.url, bearer(other.accessKey)],
      ['GET', `${mailbox.url}/v1/boxes/${'x'.repeat(22)}/messages`, bearer(box.accessKey)],
    ]
    for (const [method, url, headers] of calls) expect(await raw(url, { method, headers })).toMatchObject(expected)
  })

  it('that do not exist are 404, and those that make no sense 400', async () => {
    const headers = bearer(box.accessKey)
    expect((await raw(`${box.url}/other`, { headers })).status).toBe(404)
    expect((await raw(`${box.url}/messages/999`, { headers })).status).toBe(404)
    expect((await raw(`${box.url}/messages`, { method: 'POST', headers, body: '{}' })).status).toBe(404)
    for (const wait of ['56', '-1', 'x', '1e3'])
      expect((await raw(`${box.url}/messages?wait=${wait}`, { headers })).status).toBe(400)
    expect((await raw(`${box.url}/acknowledgements`, { method: 'POST', headers, body: '{"ids":[]}' })).status).toBe(400)
    expect((await raw(`${box.url}/acknowledgements`, { method: 'POST', headers, body: '{"ids":["1"]}' })).status).toBe(
      400,
    )
    expect((await raw(`${mailbox.url}/healthz`)).text).toBe('{"status":"ok"}')
  })

  it('get the oldest first, each once while it is leased, and again when the lease ended or the desktop started anew', async () => {
    for (const token of ['a', 'b']) await send(token)
    const ids = (await box.messages()).map(({ id }) => id)
    expect(ids).toHaveLength(2)
    await send('c')
    expect((await box.messages()).map(({ id }) => id)).toEqual([ids[1]! + 1])
    expect(await box.messages()).toEqual([])
    elapsedMs += 60_001
    expect((await box.messages()).map(({ id }) => id)).toEqual([...ids, ids[1]! + 1])
    expect(await box.messages()).toEqual([])
    expect(await box.messages('?release=1')).toHaveLength(3)
  })

  it('delete what is acknowledged, their own only, once and for all', async () => {
    const other = await pairBox(mailbox.url, dir.path, 'Other')
    await send('a')
    const { id } = (await box.messages())[0]!
    expect((await other.acknowledge([id])).text).toBe('{"deleted":0}')
    expect((await box.acknowledge([id])).text).toBe('{"deleted":1}')
    expect((await box.acknowledge([id])).text).toBe('{"deleted":0}')
    await restart()
    expect(await box.messages()).toEqual([])
    await send('b')
    expect((await box.messages())[0]!.id).toBeGreaterThan(id)
  })

  it('stay within 8 MB for one answer', async () => {
    const body = Buffer.alloc(1_000_000)
    for (let count = 0; count < 9; count++) await send(`t${count}`, body)
    expect(await box.messages()).toHaveLength(8)
    expect(await box.messages()).toHaveLength(1)
  })

  it('end a pairing, but not while something waits that was not acknowledged', async () => {
    await send('a')
    const refused = await raw(box.url, { method: 'DELETE', headers: bearer(box.accessKey) })
    expect([refused.status, refused.text]).toEqual([409, '{"error":"Something waits in this box."}'])
    const [message] = await box.messages()
    expect((await raw(box.url, { method: 'DELETE', headers: bearer(box.accessKey) })).status).toBe(409)
    await box.acknowledge([message!.id])
    expect((await raw(box.url, { method: 'DELETE', headers: bearer(box.accessKey) })).status).toBe(200)
    expect((await send('b')).status).toBe(404)
    expect((await raw(`${box.url}/messages`, { headers: bearer(box.accessKey) })).status).toBe(403)
  })

  it.each([
    ['of which nothing is on the disk yet', 10, 0],
    ['of which most is on the disk', 900_000, 3],
  ])('do not end a pairing while a callback comes in %s', async (_what, sentBytes, piecesStored) => {
    const socket = connect(Number(new URL(mailbox.url).port), '127.0.0.1')
    const heard: string[] = []
    socket.on('data', (data) => heard.push(String(data)))
    socket.write(
      `POST /in/${box.id}/token HTTP/1.1\r\nhost: mailbox\r\nexpect: 100-continue\r\ncontent-length: 1000000\r\n\r\n`,
    )
    await until(() => heard.join('').includes('100 Continue'), 'the question for the body')
    socket.write(Buffer.alloc(sentBytes))
    await until(() => pieces() >= piecesStored, 'what is sent so far')
    const end = () => raw(box.url, { method: 'DELETE', headers: bearer(box.accessKey) })
    const refused = await end()
    expect([refused.status, refused.text]).toEqual([409, '{"error":"Something is coming in to this box."}'])
    socket.write(Buffer.alloc(1_000_000 - sentBytes))
    await until(() => heard.join('').includes('200 OK'), 'the answer to its sender')
    const [message] = await box.messages()
    await box.acknowledge([message!.id])
    expect((await end()).status).toBe(200)
    socket.destroy()
  })
})

describe('the long poll', () => {
  const realClock = { elapsedMs: () => performance.now() }

  it('is answered as soon as a message comes, for each of many desktops its own', async () => {
    await restart(realClock)
    const boxes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => pairBox(mailbox.url, dir.path, `Desk ${index}`)),
    )
    const polls = boxes.map((each) => each.messages('?wait=55'))
    await Promise.all(
      boxes.map((each, index) =>
        raw(`${mailbox.url}/in/${each.id}/token-${index}`, { method: 'POST', body: `{"desk":${index}}` }),
      ),
    )
    const answers = await Promise.all(polls)
    expect(
      answers.map((messages, index) =>
        messages.map(({ sealed }) => openSealed(Buffer.from(sealed!, 'base64url'), boxes[index]!).body.toString()),
      ),
    ).toEqual(boxes.map((_, index) => [`{"desk":${index}}`]))
  })

  it('is an empty list when nothing came in time', async () => {
    await restart(realClock)
    const began = performance.now()
    expect(await box.messages('?wait=1')).toEqual([])
    expect(performance.now() - began).toBeGreaterThan(950)
  })

  it('gets what another had when its lease ends', async () => {
    await restart({ ...realClock, limits: { leaseMs: 300 } })
    await send('a')
    const first = await box.messages()
    expect(await box.messages('?wait=20')).toEqual(first)
  })

  it('that nobody listens to any more takes nothing', async () => {
    await restart(realClock)
    const left = new AbortController()
    const poll = raw(`${box.url}/messages?wait=55`, { headers: bearer(box.accessKey), signal: left.signal }).catch(
      () => 'left',
    )
    // It is there once a second one, begun after it, is answered.
    await raw(`${mailbox.url}/healthz`)
    left.abort()
    expect(await poll).toBe('left')
    await raw(`${mailbox.url}/healthz`)
    await send('a')
    expect(await box.messages('?wait=5')).toHaveLength(1)
  })

  it('ends at once when the mailbox stops, and when the box is removed', async () => {
    await restart(realClock)
    const removed = raw(`${box.url}/messages?wait=55`, { headers: bearer(box.accessKey) })
    await raw(`${mailbox.url}/healthz`)
    await raw(box.url, { method: 'DELETE', headers: bearer(box.accessKey) })
    expect((await removed).status).toBe(403)
    const other = await pairBox(mailbox.url, dir.path)
    const stopped = other.messages('?wait=55')
    await raw(`${mailbox.url}/healthz`)
    await mailbox.close()
    expect(await stopped).toEqual([])
  })
})

describe('the folder of a mailbox', () => {
  it('has one server', async () => {
    await expect(startTestMailbox(dir.path)).rejects.toMatchObject({ code: 'already_running' })
    expect((await send('a')).status).toBe(200)
  })

  it('remembers the public address, and has to be told once', async () => {
    await restart({ publicUrl: null })
    expect(mailbox.publicUrl).toBe('http://mailbox.test')
    const fresh = temporaryDir()
    await expect(startTestMailbox(fresh.path, { publicUrl: null })).rejects.toMatchObject({ code: 'usage' })
    fresh.remove()
  })
})

describe('connections that bring nothing', () => {
  it('are not held without end, and a callback is taken all the same', async () => {
    const sockets = Array.from({ length: 600 }, () => connect(Number(new URL(mailbox.url).port), '127.0.0.1'))
    let ended = 0
    try {
      for (const socket of sockets) socket.on('error', () => undefined).on('close', () => (ended += 1))
      await until(() => ended >= 600 - 512, 'the end of those that are too many', 10_000)
      expect((await send('a')).status).toBe(200)
      expect(ended).toBeLessThan(200)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })
})
