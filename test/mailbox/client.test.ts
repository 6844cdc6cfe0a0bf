import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { readdirSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MailboxClient } from '../../electron/core/callback/mailbox-client.ts'
import type { MailboxClientOptions } from '../../electron/core/callback/mailbox-client.ts'
import type { Callback, Receipt } from '../../electron/core/callback/receive.ts'
import type { SecretKey } from '../../electron/core/platform/connect.ts'
import { HttpClient } from '../../electron/core/platform/http.ts'
import { openMailboxDatabase } from '../../electron/mailbox/database.ts'
import type { Mailbox, MailboxOptions } from '../../electron/mailbox/server.ts'
import { mailboxStore } from '../../electron/mailbox/store.ts'
import { AppError } from '../../shared/errors.ts'
import { temporaryDir, until } from '../helpers/core.ts'
import { codeSecret, freePort, raw, startTestMailbox } from '../helpers/mailbox.ts'

let server: ReturnType<typeof temporaryDir>
let desktop: ReturnType<typeof temporaryDir>
let port: number
let mailbox: Mailbox
let http: HttpClient
let client: MailboxClient
let stored: { value: unknown }
let keychain: { secrets: Map<SecretKey, string>; locked: boolean }
let received: (Callback & { token: string })[]
let receive: (token: string) => Receipt
let stand: (() => Promise<void>)[]

async function startServer(options: Partial<MailboxOptions> = {}): Promise<void> {
  mailbox = await startTestMailbox(server.path, { port, publicUrl: `http://127.0.0.1:${port}`, ...options })
}

function newClient(): MailboxClient {
  const locked = (): void => {
    if (keychain.locked) throw new AppError('invalid_input', { problem: 'the keychain is locked' })
  }
  const options: MailboxClientOptions = {
    http,
    dataDir: desktop.path,
    name: 'Front desk',
    secrets: {
      get: async (key) => (locked(), keychain.secrets.get(key) ?? null),
      set: async (key, secret) => (locked(), void keychain.secrets.set(key, secret)),
      remove: async (key) => void keychain.secrets.delete(key),
    },
    stored: { get: () => stored.value, set: (value) => (stored.value = value) },
    receive: (token, callback) => {
      const receipt = receive(token)
      received.push({ token, ...callback })
      return receipt
    },
    onChange: () => undefined,
    now: Date.now,
    firstRetryMs: 100,
  }
  return new MailboxClient(options)
}

function code(): string {
  return `sheaf-mailbox-${Buffer.from(JSON.stringify({ url: `http://127.0.0.1:${port}`, secret: codeSecret(server.path) })).toString('base64url')}`
}

async function send(token: string, body: string | Buffer = `{"token":"${token}"}`): Promise<number> {
  return (await raw(client.addressFor(token)!, { method: 'POST', body, headers: { 'content-type': 'application/json' } })).status
}

function waiting(): number {
  const db = openMailboxDatabase(server.path)
  try {
    return mailboxStore(db).boxes().reduce((count, box) => count + box.messages, 0)
  } finally {
    db.close()
  }
}

const tokens = (): string[] => received.map(({ token }) => token)

beforeEach(async () => {
  server = temporaryDir()
  desktop = temporaryDir()
  port = await freePort()
  http = new HttpClient()
  stored = { value: undefined }
  keychain = { secrets: new Map(), locked: false }
  received = []
  receive = () => 'stored'
  stand = []
  await startServer()
  client = newClient()
})
afterEach(async () => {
  await client.stop()
  for (const end of stand) await end()
  await http.close()
  await mailbox.close()
  server.remove()
  desktop.remove()
})

describe('pairing with a code', () => {
  it('keeps the keys among the secrets and nothing secret elsewhere', async () => {
    expect([client.state(), client.addressFor('t')]).toEqual([null, null])
    await client.pair(`\n ${code()} `)
    expect(client.state()).toEqual({ url: `http://127.0.0.1:${port}`, pairedAt: expect.any(Number), answeredAt: expect.any(Number), problem: null })
    const { boxId, ...rest } = stored.value as { boxId: string; url: string; pairedAt: number }
    expect(Object.keys(rest).sort()).toEqual(['pairedAt', 'url'])
    expect(client.addressFor('the-token')).toBe(`http://127.0.0.1:${port}/in/${boxId}/the-token`)
    const [keys] = JSON.parse(keychain.secrets.get('mailbox')!) as { privateKey: string; accessKey: string }[]
    expect(JSON.stringify(stored.value)).not.toContain(keys!.privateKey)
    const held = readdirSync(server.path).map((name) => readFileSync(join(server.path, name), 'latin1')).join()
    expect([keys!.privateKey, keys!.accessKey].filter((key) => held.includes(key) || held.includes(Buffer.from(key, 'base64url').toString('latin1')))).toEqual([])
  })

  it.each(['', 'x', 'sheaf-mailbox-', 'sheaf-mailbox-e30', `sheaf-mailbox-${Buffer.from('{"url":"ftp://x","secret":"a"}').toString('base64url')}`])('refuses %j as no code', async (text) => {
    await expect(client.pair(text)).rejects.toMatchObject({ code: 'mailbox_code_invalid' })
    expect(client.state()).toBeNull()
  })

  it('refuses a code that was used, and says when the mailbox is not there', async () => {
    const once = code()
    await client.pair(once)
    const before = client.addressFor('t')
    await expect(client.pair(once)).rejects.toMatchObject({ code: 'mailbox_code_invalid' })
    expect(client.addressFor('t')).toBe(before)
    const unused = code()
    await mailbox.close()
    await expect(client.pair(unused)).rejects.toMatchObject({ code: 'mailbox_unreachable', details: { host: `127.0.0.1:${port}`, detail: 'ECONNREFUSED' } })
    await startServer()
    await client.pair(unused)
  })

  it('leaves nothing behind when the keys cannot be kept', async () => {
    keychain.locked = true
    await expect(client.pair(code())).rejects.toMatchObject({ code: 'mailbox_key_unavailable', details: { detail: 'the keychain is locked' } })
    expect([client.state(), pairedBoxes()]).toEqual([null, 0])
  })

  it('with another code fetches first what waits under the old one, and removes that', async () => {
    await client.pair(code())
    await send('before')
    await client.pair(code())
    expect(tokens()).toEqual(['before'])
    expect(pairedBoxes()).toBe(1)
    client.start()
    await send('after')
    await until(() => tokens().includes('after'), 'the message to the new box')
  })
})

function pairedBoxes(): number {
  const db = openMailboxDatabase(server.path)
  try {
    return mailboxStore(db).boxes().length
  } finally {
    db.close()
  }
}

describe('a paired desktop', () => {
  it('gets each callback as it came, large ones too, and leaves nothing at the mailbox', async () => {
    await client.pair(code())
    const large = randomBytes(3 * 1024 * 1024)
    expect([await send('waited', 'first'), await send('large', large)]).toEqual([200, 200])
    client.start()
    await until(() => received.length === 2, 'what waited')
    expect(await send('live', '{"status":"success"}')).toBe(200)
    await until(() => received.length === 3, 'what came meanwhile')
    expect(received.map(({ token, method, contentType }) => [token, method, contentType])).toEqual(['waited', 'large', 'live'].map((token) => [token, 'POST', 'application/json']))
    expect(received[1]!.body.equals(large)).toBe(true)
    await until(() => waiting() === 0, 'the acknowledgements')
  })

  it('acknowledges only what was stored, and gets the rest again', async () => {
    await client.pair(code())
    let failures = 0
    receive = (token) => {
      if (token === 'b' && failures++ < 2) throw Object.assign(new Error('no room'), { code: 'SQLITE_FULL' })
      return 'stored'
    }
    for (const token of ['a', 'b', 'c']) await send(token)
    client.start()
    await until(() => client.state()?.problem?.code === 'storage_full', 'the full disk to be told')
    expect(waiting()).toBe(2)
    await until(() => waiting() === 0, 'everything to be stored')
    expect(tokens()).toEqual(['a', 'b', 'c'])
    expect(client.state()!.problem).toBeNull()
  })

  it('K22: gets again, at once, what it had stored and not acknowledged when it was killed', async () => {
    await client.pair(code())
    await send('a')
    const [keys] = JSON.parse(keychain.secrets.get('mailbox')!) as { accessKey: string }[]
    const { boxId } = stored.value as { boxId: string }
    // The run that was killed: it was given the message, which is leased to it for a minute.
    await raw(`http://127.0.0.1:${port}/v1/boxes/${boxId}/messages`, { headers: { authorization: `Bearer ${keys!.accessKey}` } })
    client.start()
    await until(() => tokens().includes('a') && waiting() === 0, 'the redelivery', 5000)
  })

  it('keeps aside what is not for it, and goes on', async () => {
    await client.pair(code())
    const [keys] = JSON.parse(keychain.secrets.get('mailbox')!) as { publicKey: string }[]
    const db = openMailboxDatabase(server.path)
    // A message sealed for another desktop's key.
    db.prepare('UPDATE boxes SET public_key = ?').run(randomBytes(32))
    await send('foreign')
    db.prepare('UPDATE boxes SET public_key = ?').run(Buffer.from(keys!.publicKey, 'base64url'))
    db.close()
    receive = (token) => (token === 'forged' ? 'unknown' : 'stored')
    await send('forged', 'not ours')
    await send('ours')
    client.start()
    await until(() => tokens().includes('ours') && waiting() === 0, 'all of them')
    const kept = readdirSync(join(desktop.path, 'unreadable')).sort()
    expect(kept).toEqual([expect.stringMatching(/-1\.sealed$/), expect.stringMatching(/-2\.body$/)])
    expect(readFileSync(join(desktop.path, 'unreadable', kept[1]!), 'utf8')).toBe('not ours')
  })

  it('says that the mailbox is down, and gets what waited when it is back', async () => {
    await client.pair(code())
    await send('before')
    await mailbox.close()
    client.start()
    await until(() => client.state()?.problem?.code === 'mailbox_unreachable', 'the problem')
    expect(client.state()!.problem!.details).toEqual({ host: `127.0.0.1:${port}`, detail: 'ECONNREFUSED' })
    await startServer()
    await until(() => tokens().includes('before'), 'what waited')
    expect(client.state()!.problem).toBeNull()
  })

  it('says that the mailbox does not know it any more', async () => {
    await client.pair(code())
    const db = openMailboxDatabase(server.path)
    mailboxStore(db).removeBox((stored.value as { boxId: string }).boxId)
    db.close()
    client.start()
    await until(() => client.state()?.problem?.code === 'mailbox_refused', 'the refusal')
    await client.pair(code())
    expect(client.state()!.problem).toBeNull()
    await send('after')
    await until(() => tokens().includes('after'), 'a result over the new pairing')
  })

  it('F39: with a locked keychain says so, asks again, and loses nothing', async () => {
    await client.pair(code())
    await client.stop()
    expect(await send('while-locked')).toBe(200)
    keychain.locked = true
    client = newClient()
    client.start()
    await until(() => client.state()?.problem?.code === 'mailbox_key_unavailable', 'the problem')
    expect([waiting(), received]).toEqual([1, []])
    keychain.locked = false
    await until(() => tokens().includes('while-locked'), 'the result once the keychain is open')
    expect(client.state()!.problem).toBeNull()
  })

  it('ends the pairing: gets what waits, then nothing of it is left on either side', async () => {
    await client.pair(code())
    await send('last')
    const address = client.addressFor('late')!
    await client.unpair()
    expect(tokens()).toEqual(['last'])
    expect([client.state(), client.addressFor('t'), keychain.secrets.get('mailbox'), pairedBoxes()]).toEqual([null, null, undefined, 0])
    expect((await raw(address, { method: 'POST', body: '{}' })).status).toBe(404)
  })

  it('does not end the pairing while what waits cannot be stored', async () => {
    await client.pair(code())
    await send('last')
    receive = () => {
      throw Object.assign(new Error('no room'), { code: 'SQLITE_FULL' })
    }
    await expect(client.unpair()).rejects.toMatchObject({ code: 'storage_full' })
    expect([client.state() !== null, waiting()]).toEqual([true, 1])
  })

  it('ends the pairing also with a mailbox that is gone', async () => {
    await client.pair(code())
    await mailbox.close()
    await client.unpair()
    expect(client.state()).toBeNull()
    await startServer()
  })
})

describe('something else in the place of the mailbox', () => {
  async function pretend(answer: (server: Server) => void): Promise<void> {
    await client.pair(code())
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
    client.start()
    await until(() => client.state()?.problem?.code === 'mailbox_unreachable', 'the problem')
  }

  it.each([
    ['a welcome page', '<html>Welcome</html>', 'no mailbox'],
    ['another JSON', '{"messages":[{"id":"1"}]}', 'no mailbox'],
    ['far too much', 'x'.repeat(17 * 1024 * 1024), 'the answer is too long'],
  ])('that answers with %s is told as no mailbox', async (_what, body, detail) => {
    await pretend((other) => other.on('request', (_request, response) => response.end(body)))
    expect(client.state()!.problem!.details['detail']).toBe(detail)
    expect(received).toEqual([])
  })
})
