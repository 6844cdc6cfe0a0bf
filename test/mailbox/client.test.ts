import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { readdirSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openMailboxDatabase } from '../../electron/mailbox/database.ts'
import type { Mailbox, MailboxOptions } from '../../electron/mailbox/server.ts'
import { MailboxStore } from '../../electron/mailbox/store.ts'
import { temporaryDir, until } from '../helpers/core.ts'
import { TestDesktop, testCode } from '../helpers/mailbox-desktop.ts'
import { freePort } from '../helpers/free-port.ts'
import { raw, startTestMailbox, waitingIn } from '../helpers/mailbox.ts'

let server: ReturnType<typeof temporaryDir>
let desktop: ReturnType<typeof temporaryDir>
let port: number
let mailbox: Mailbox
let desk: TestDesktop
let stand: (() => Promise<void>)[]

async function startServer(options: Partial<MailboxOptions> = {}): Promise<void> {
  mailbox = await startTestMailbox(server.path, { port, publicUrl: `http://127.0.0.1:${port}`, ...options })
}

function code(): string {
  return testCode(`http://127.0.0.1:${port}`, server.path)
}

function pair(text = code()): Promise<void> {
  return desk.client.pair(text, new AbortController().signal)
}

function unpair(): Promise<void> {
  return desk.client.unpair({ discard: false }, new AbortController().signal)
}

function waiting(): number {
  return waitingIn(server.path).reduce((sum, messages) => sum + messages, 0)
}

beforeEach(async () => {
  server = temporaryDir()
  desktop = temporaryDir()
  port = await freePort()
  stand = []
  await startServer()
  desk = new TestDesktop(desktop.path)
})
afterEach(async () => {
  await desk.close()
  for (const end of stand) await end()
  await mailbox.close()
  server.remove()
  desktop.remove()
})

describe('pairing with a code', () => {
  it('keeps the keys among the secrets and nothing secret elsewhere', async () => {
    expect([desk.client.state(), desk.client.addressFor('t')]).toEqual([null, null])
    await pair(`\n ${code()} `)
    expect(desk.client.state()).toEqual({
      url: `http://127.0.0.1:${port}`,
      pairedAt: expect.any(Number),
      answeredAt: expect.any(Number),
      problem: null,
    })
    const { boxId, ...rest } = desk.stored as { boxId: string; url: string; pairedAt: number }
    expect(Object.keys(rest).sort()).toEqual(['pairedAt', 'url'])
    expect(desk.client.addressFor('the-token')).toBe(`http://127.0.0.1:${port}/in/${boxId}/the-token`)
    const [keys] = JSON.parse(desk.secrets.get('mailbox')!) as { privateKey: string; accessKey: string }[]
    expect(JSON.stringify(desk.stored)).not.toContain(keys!.privateKey)
    const held = readdirSync(server.path)
      .map((name) => readFileSync(join(server.path, name), 'latin1'))
      .join()
    expect(
      [keys!.privateKey, keys!.accessKey].filter(
        (key) => held.includes(key) || held.includes(Buffer.from(key, 'base64url').toString('latin1')),
      ),
    ).toEqual([])
  })

  it.each([
    '',
    'x',
    'sheaf-mailbox-',
    'sheaf-mailbox-e30',
    `sheaf-mailbox-${Buffer.from('{"url":"ftp://x","secret":"a"}').toString('base64url')}`,
  ])('refuses %j as no code', async (text) => {
    await expect(pair(text)).rejects.toMatchObject({ code: 'mailbox_code_invalid' })
    expect(desk.client.state()).toBeNull()
  })

  it('refuses a code that was used, and says when the mailbox is not there', async () => {
    const once = code()
    await pair(once)
    const before = desk.client.addressFor('t')
    await expect(pair(once)).rejects.toMatchObject({ code: 'mailbox_code_invalid' })
    expect(desk.client.addressFor('t')).toBe(before)
    const unused = code()
    await mailbox.close()
    await expect(pair(unused)).rejects.toMatchObject({
      code: 'mailbox_unreachable',
      details: { host: `127.0.0.1:${port}`, detail: 'ECONNREFUSED' },
    })
    await startServer()
    await pair(unused)
  })

  it('leaves nothing behind when the keys cannot be kept', async () => {
    desk.isLocked = true
    await expect(pair()).rejects.toMatchObject({
      code: 'mailbox_key_unavailable',
      details: { detail: 'the keychain is locked' },
    })
    expect([desk.client.state(), pairedBoxes()]).toEqual([null, 0])
  })

  it('with another code fetches first what waits under the old one, and removes that', async () => {
    await pair()
    await desk.send('before')
    await pair()
    expect(desk.tokens).toEqual(['before'])
    expect(pairedBoxes()).toBe(1)
    desk.client.start()
    await desk.send('after')
    await until(() => desk.tokens.includes('after'), 'the message to the new box')
  })
})

function pairedBoxes(): number {
  const db = openMailboxDatabase(server.path)
  try {
    return new MailboxStore(db).boxes().length
  } finally {
    db.close()
  }
}

describe('a paired desktop', () => {
  it('gets each callback as it came, large ones too, and leaves nothing at the mailbox', async () => {
    await pair()
    const large = randomBytes(3 * 1024 * 1024)
    expect([await desk.send('waited', 'first'), await desk.send('large', large)]).toEqual([200, 200])
    desk.client.start()
    await until(() => desk.received.length === 2, 'what waited')
    expect(await desk.send('live', '{"status":"success"}')).toBe(200)
    await until(() => desk.received.length === 3, 'what came meanwhile')
    expect(desk.received.map(({ token, method, contentType }) => [token, method, contentType])).toEqual(
      ['waited', 'large', 'live'].map((token) => [token, 'POST', 'application/json']),
    )
    expect(desk.received[1]!.body.equals(large)).toBe(true)
    await until(() => waiting() === 0, 'the acknowledgements')
  })

  it('acknowledges only what was stored, and gets the rest again', async () => {
    await pair()
    let failures = 0
    desk.receive = (token) => {
      if (token === 'b' && failures++ < 2) throw Object.assign(new Error('no room'), { code: 'SQLITE_FULL' })
      return 'stored'
    }
    for (const token of ['a', 'b', 'c']) await desk.send(token)
    desk.client.start()
    await until(() => desk.client.state()?.problem?.code === 'storage_full', 'the full disk to be told')
    expect(waiting()).toBe(2)
    await until(() => waiting() === 0, 'everything to be stored')
    expect(desk.tokens).toEqual(['a', 'b', 'c'])
    expect(desk.client.state()!.problem).toBeNull()
  })

  it('K22: gets again, at once, what it had stored and not acknowledged when it was killed', async () => {
    await pair()
    await desk.send('a')
    const [keys] = JSON.parse(desk.secrets.get('mailbox')!) as { accessKey: string }[]
    const { boxId } = desk.stored as { boxId: string }
    // The run that was killed: it was given the message, which is leased to it for a minute.
    await raw(`http://127.0.0.1:${port}/v1/boxes/${boxId}/messages`, {
      headers: { authorization: `Bearer ${keys!.accessKey}` },
    })
    desk.client.start()
    await until(() => desk.tokens.includes('a') && waiting() === 0, 'the redelivery', 5000)
  })

  it('keeps aside what is not for it, and goes on', async () => {
    await pair()
    const [keys] = JSON.parse(desk.secrets.get('mailbox')!) as { publicKey: string }[]
    const db = openMailboxDatabase(server.path)
    // A message sealed for another desktop's key.
    db.prepare('UPDATE boxes SET public_key = ?').run(randomBytes(32))
    await desk.send('foreign')
    db.prepare('UPDATE boxes SET public_key = ?').run(Buffer.from(keys!.publicKey, 'base64url'))
    db.close()
    desk.receive = (token) => (token === 'forged' ? 'unknown' : 'stored')
    await desk.send('forged', 'not ours')
    await desk.send('ours')
    desk.client.start()
    await until(() => desk.tokens.includes('ours') && waiting() === 0, 'all of them')
    const kept = readdirSync(join(desktop.path, 'unreadable')).sort()
    expect(kept).toEqual([expect.stringMatching(/-1\.sealed$/), expect.stringMatching(/-2\.body$/)])
    expect(readFileSync(join(desktop.path, 'unreadable', kept[1]!), 'utf8')).toBe('not ours')
  })

  it('says that the mailbox is down, and gets what waited when it is back', async () => {
    await pair()
    await desk.send('before')
    await mailbox.close()
    desk.client.start()
    await until(() => desk.client.state()?.problem?.code === 'mailbox_unreachable', 'the problem')
    expect(desk.client.state()!.problem!.details).toEqual({ host: `127.0.0.1:${port}`, detail: 'ECONNREFUSED' })
    await startServer()
    await until(() => desk.tokens.includes('before'), 'what waited')
    expect(desk.client.state()!.problem).toBeNull()
  })

  it('says that the mailbox does not know it any more', async () => {
    await pair()
    const db = openMailboxDatabase(server.path)
    new MailboxStore(db).removeBox((desk.stored as { boxId: string }).boxId)
    db.close()
    desk.client.start()
    await until(() => desk.client.state()?.problem?.code === 'mailbox_refused', 'the refusal')
    await pair()
    expect(desk.client.state()!.problem).toBeNull()
    await desk.send('after')
    await until(() => desk.tokens.includes('after'), 'a result over the new pairing')
  })

  it('F39: with a locked keychain says so, asks again, and loses nothing', async () => {
    await pair()
    await desk.client.stop()
    expect(await desk.send('while-locked')).toBe(200)
    desk.isLocked = true
    desk.client = desk.newClient()
    desk.client.start()
    await until(() => desk.client.state()?.problem?.code === 'mailbox_key_unavailable', 'the problem')
    expect([waiting(), desk.received]).toEqual([1, []])
    desk.isLocked = false
    await until(() => desk.tokens.includes('while-locked'), 'the result once the keychain is open')
    expect(desk.client.state()!.problem).toBeNull()
  })

  it('ends the pairing: gets what waits, then nothing of it is left on either side', async () => {
    await pair()
    await desk.send('last')
    const address = desk.client.addressFor('late')!
    await unpair()
    expect(desk.tokens).toEqual(['last'])
    expect([desk.client.state(), desk.client.addressFor('t'), desk.secrets.get('mailbox'), pairedBoxes()]).toEqual([
      null,
      null,
      undefined,
      0,
    ])
    expect((await raw(address, { method: 'POST', body: '{}' })).status).toBe(404)
  })

  it('does not end the pairing while what waits cannot be stored', async () => {
    await pair()
    await desk.send('last')
    desk.receive = () => {
      throw Object.assign(new Error('no room'), { code: 'SQLITE_FULL' })
    }
    await expect(unpair()).rejects.toMatchObject({ code: 'storage_full' })
    expect([desk.client.state() !== null, waiting()]).toEqual([true, 1])
  })
})

describe('something else in the place of the mailbox', () => {
  async function pretend(answer: (server: Server) => void): Promise<void> {
    await pair()
    await mailbox.close()
    const other = createServer()
    answer(other)
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
    stand.push(async () => {
      other.closeAllConnections()
      await new Promise((resolve) => other.close(resolve))
      await startServer()
    })
    expect((other.address() as AddressInfo).port).toBe(port)
    desk.client.start()
    await until(() => desk.client.state()?.problem?.code === 'mailbox_unreachable', 'the problem')
  }

  it.each([
    ['a welcome page', '<html>Welcome</html>', 'no mailbox'],
    ['another JSON', '{"messages":[{"id":"1"}]}', 'no mailbox'],
    ['far too much', 'x'.repeat(17 * 1024 * 1024), 'the answer is too long'],
  ])('that answers with %s is told as no mailbox', async (_what, body, detail) => {
    await pretend((other) => other.on('request', (_request, response) => response.end(body)))
    expect(desk.client.state()!.problem!.details['detail']).toBe(detail)
    expect(desk.received).toEqual([])
  })
})
