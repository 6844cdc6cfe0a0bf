import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Core } from '../../electron/core/core.ts'
import { serveWindow } from '../../electron/browser/serve-window.ts'
import type { BrowserHost } from '../../electron/browser/serve-window.ts'
import { serveAt } from '../../electron/terminal/serve.ts'
import { startTestCore, temporaryDir, until } from '../helpers/core.ts'
import { openWindowSession, postSession } from '../helpers/window-session.ts'
import type { WindowSession } from '../helpers/window-session.ts'

const realSend = WebSocket.prototype.send
const dir = temporaryDir()
let core: Core
let host: BrowserHost
let port: number
let session: WindowSession

type Reply = { status: number; headers: Record<string, string | string[] | undefined>; body: string }

/** A request with exactly these headers, as no browser would let a page send it. */
function raw(path: string, headers: Record<string, string>, method = 'GET', body?: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers, setHost: false }, (incoming) => {
      let text = ''
      incoming.on('data', (data) => (text += String(data)))
      incoming.on('end', () => resolve({ status: incoming.statusCode!, headers: incoming.headers, body: text }))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

const own = (): Record<string, string> => ({ host: `127.0.0.1:${port}` })

function connect(
  headers: Record<string, string>,
  path = '/ws',
  protocols = session.protocols,
): Promise<WebSocket | number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols, { headers })
    socket.on('open', () => resolve(socket))
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    socket.on('error', () => undefined)
  })
}

beforeAll(async () => {
  const rendererDir = join(dir.path, 'renderer')
  mkdirSync(rendererDir)
  writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><title>Sheaf</title>')
  writeFileSync(join(dir.path, 'secret.txt'), 'secret')
  core = await startTestCore(join(dir.path, 'data'))
  host = await serveWindow(core, { port: 0, rendererDir })
  port = Number(new URL(host.launchUrl).port)
  session = await openWindowSession(host.launchUrl)
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(async () => {
  await host.close()
  await core.stop({ atOnce: true })
  dir.remove()
})

describe('the browser host, before it routes anything', () => {
  it('exchanges the launch token once for the secret of the session, and that for itself', async () => {
    const { origin, searchParams } = new URL(host.launchUrl)
    expect((await postSession(origin, searchParams.get('token')!)).status).toBe(403)
    expect((await postSession(origin, `${session.secret.slice(0, -2)}xx`)).status).toBe(403)
    const again = await postSession(origin, session.secret)
    expect(again.headers.get('cache-control')).toBe('no-store')
    expect(await again.text()).toBe(session.secret)
    expect(session.secret).toMatch(/^[\w-]{43}$/)
  })

  it('shows the window to whoever names this address, with nothing in it that lets a page in', async () => {
    const page = await raw('/', own())
    expect(page.status).toBe(200)
    expect(JSON.stringify(page)).not.toContain(session.secret)
    expect(page.headers['set-cookie']).toBeUndefined()
  })

  it('lets a browser keep what is named by its content, and nothing else', async () => {
    const assets = join(dir.path, 'renderer', 'assets')
    mkdirSync(assets)
    writeFileSync(join(assets, 'index-Bq3x.js'), 'export {}')
    expect((await raw('/assets/index-Bq3x.js', own())).headers['cache-control']).toContain('immutable')
    for (const path of ['/', '/assets/none-Bq3x.js'])
      expect((await raw(path, own())).headers['cache-control']).toBe('no-store')
  })

  it.each([
    ['a foreign host name', () => ({ host: 'evil.test' })],
    ['a foreign host name with the right port', () => ({ host: `evil.test:${port}` })],
    ['no host', () => ({})],
    ['a foreign origin', () => ({ ...own(), origin: 'https://evil.test' })],
    ['the origin null', () => ({ ...own(), origin: 'null' })],
  ])('answers 403 to %s, also with the secret', async (_what, headers) => {
    for (const path of ['/', '/files/1', '/exports/1/0', '/no-such-page']) {
      const { status } = await raw(path, { ...(headers() as Record<string, string>), ...session.headers })
      // Without any host the server itself refuses (RFC 9112, 3.2).
      expect([400, 403]).toContain(status)
    }
  })

  it.each([
    ['no secret', () => ({})],
    ['a wrong secret', () => ({ authorization: `${session.headers.authorization.slice(0, -2)}xx` })],
    [
      'the spent launch token',
      () => ({ authorization: `Bearer ${new URL(host.launchUrl).searchParams.get('token')}` }),
    ],
    ['the secret as a cookie', () => ({ cookie: `sheaf_${port}=${session.secret}` })],
    ['the secret in another scheme', () => ({ authorization: `Basic ${session.secret}` })],
  ])('gives nothing of the person to a request with %s', async (_what, headers) => {
    for (const path of ['/files/1', '/exports/1/0'])
      expect((await raw(path, { ...own(), ...(headers() as Record<string, string>) })).status).toBe(403)
  })

  it.each([
    ['no secret', () => ({ ...own(), origin: `http://127.0.0.1:${port}` })],
    ['a foreign origin', () => ({ ...own(), ...session.headers, origin: 'https://evil.test' })],
    ['no origin', () => ({ ...own(), ...session.headers })],
  ])('refuses the last calls of a window with %s', async (_what, headers) => {
    const update = vi.spyOn(core.handlers, 'settings.update')
    const calls = '[{"id":1,"name":"settings.update","input":{"theme":"dark"}}]'
    expect(
      (
        await raw(
          '/calls?window=w',
          { ...headers(), 'content-length': String(calls.length) } as Record<string, string>,
          'POST',
          calls,
        )
      ).status,
    ).toBe(403)
    expect(update).not.toHaveBeenCalled()
  })

  it('refuses an upload without the secret', async () => {
    expect((await raw('/upload?name=a.pdf&schemaId=1&connectionId=1', own(), 'POST', 'x')).status).toBe(403)
  })

  it.each([
    ['no protocol', () => []],
    ['no secret', () => ['sheaf']],
    ['a wrong secret', () => ['sheaf', `${session.secret.slice(0, -2)}xx`]],
    ['a secret beside the right one', () => ['sheaf', session.secret, 'x']],
  ])('refuses a WebSocket with %s', async (_what, protocols) => {
    expect(await connect({ origin: `http://127.0.0.1:${port}` }, '/ws', protocols())).toBe(403)
  })

  it.each([
    ['a foreign origin', () => ({ origin: 'https://evil.test' })],
    ['no origin', () => ({})],
  ])('refuses a WebSocket with %s', async (_what, headers) => {
    expect(await connect(headers() as Record<string, string>)).toBe(403)
  })

  it.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/..%5csecret.txt',
    '/index.html%00',
    '/files/..%2f1',
    '/files/1',
    '/exports/1/0',
  ])('has nothing at %s', async (path) => {
    const reply = await raw(path, { ...own(), ...session.headers })
    expect(reply.status).toBe(404)
    expect(reply.body).not.toContain('secret')
  })

  it('sends a strict content security policy with every answer', async () => {
    for (const path of ['/', '/nothing']) {
      const { headers } = await raw(path, { ...own(), ...session.headers })
      expect(headers['content-security-policy']).toContain("default-src 'self'")
      expect(headers['content-security-policy']).not.toContain('unsafe')
    }
  })
})

describe('another web server of this computer that the browser visits', () => {
  /** Cookies know no ports (RFC 6265, 8.5): what the browser keeps for this host it sends to each of them. */
  async function cookiesSentToEveryPort(): Promise<string> {
    const other = await serveWindow(core, { port: 0, rendererDir: join(dir.path, 'renderer') })
    const { origin } = new URL(other.launchUrl)
    const replies = [
      await fetch(other.launchUrl, { redirect: 'manual' }),
      await fetch(new URL('/session', origin), {
        method: 'POST',
        headers: { origin, authorization: `Bearer ${new URL(other.launchUrl).searchParams.get('token')}` },
      }),
      await fetch(origin),
    ]
    otherHost = other
    return replies.flatMap(({ headers }) => headers.getSetCookie().map((line) => line.split(';')[0])).join('; ')
  }
  let otherHost: BrowserHost
  afterEach(() => otherHost.close())

  it('can open nothing with what it is sent, whatever else it says that it is', async () => {
    const cookies = await cookiesSentToEveryPort()
    const at = new URL(otherHost.launchUrl)
    const update = vi.spyOn(core.handlers, 'settings.update')
    const headers = { host: at.host, origin: at.origin, cookie: cookies, 'sec-fetch-site': 'same-origin' }
    const statusOf = (path: string, method: string, body?: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { 'content-length': String(body.length) }
        request({ host: at.hostname, port: at.port, path, method, headers: { ...headers, ...length } }, (incoming) => {
          incoming.resume()
          resolve(incoming.statusCode)
        })
          .on('error', reject)
          .end(body)
      })
    const call = '[{"id":1,"name":"settings.update","input":{"theme":"dark"}}]'
    const socket = await new Promise((resolve) => {
      const opened = new WebSocket(`ws://${at.host}/ws`, { headers })
      opened.on('open', () => resolve('open'))
      opened.on('unexpected-response', (_request, response) => resolve(response.statusCode))
      opened.on('error', () => undefined)
    })
    expect(socket).toBe(403)
    expect({
      calls: await statusOf('/calls?window=w', 'POST', call),
      upload: await statusOf('/upload?purpose=draft&name=a.pdf', 'POST', 'x'),
      session: await statusOf('/session', 'POST', ''),
      document: await statusOf('/files/1', 'GET'),
      export: await statusOf('/exports/1/0', 'GET'),
    }).toEqual({ calls: 403, upload: 403, session: 403, document: 403, export: 403 })
    expect(update).not.toHaveBeenCalled()
  })
})

describe('the WebSocket', () => {
  async function open(): Promise<{
    socket: WebSocket
    heard: Record<string, unknown>[]
    ask: (message: unknown) => void
  }> {
    const socket = (await connect({ origin: `http://127.0.0.1:${port}` })) as WebSocket
    const heard: Record<string, unknown>[] = []
    socket.on('message', (data) => heard.push(JSON.parse(String(data)) as Record<string, unknown>))
    return {
      socket,
      heard,
      ask: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    }
  }

  it('carries calls and answers by their id, and events', async () => {
    const { socket, heard, ask } = await open()
    ask({ id: 7, name: 'settings.update', input: { theme: 'dark' } })
    await until(() => heard.some((message) => message['id'] === 7), 'the answer')
    expect(heard.find((message) => message['id'] === 7)).toMatchObject({
      answer: { ok: true, value: { theme: 'dark' } },
    })
    await until(() => heard.some((message) => message['event'] === 'app.changed'), 'the event')
    socket.close()
  })

  it('answers each question before it works on the next, also when they come together', async () => {
    const order: string[] = []
    const { socket, heard, ask } = await open()
    vi.spyOn(WebSocket.prototype, 'send').mockImplementation(function (this: WebSocket, data, ...rest: unknown[]) {
      const answered = /^\{"id":(\d+),"answer"/.exec(String(data))
      if (answered) order.push(`answered ${answered[1]}`)
      return Reflect.apply(realSend, this, [data, ...rest]) as undefined
    })
    for (const name of ['documents.counts', 'folders.list'] as const) {
      const real = core.handlers[name] as unknown as (input: unknown) => Promise<never>
      vi.spyOn(core.handlers, name).mockImplementation((input: unknown) => {
        order.push(`began ${name}`)
        return real(input)
      })
    }
    const together = (socket as unknown as { _socket: Socket })._socket
    together.cork()
    ask({ id: 1, name: 'documents.counts', input: {} })
    ask({ id: 2, name: 'folders.list', input: {} })
    together.uncork()
    await until(() => heard.some(({ id }) => id === 2), 'the answers')
    expect(order).toEqual(['began documents.counts', 'answered 1', 'began folders.list', 'answered 2'])
    socket.close()
  })

  it('ends with a request: what the socket carried is not carried out again, what it lost is, and what it still brings comes too late', async () => {
    const carriedOut: unknown[] = []
    vi.spyOn(core.handlers, 'settings.update').mockImplementation((input: unknown) => {
      carriedOut.push((input as { language: string }).language)
      return Promise.resolve(input as never)
    })
    const call = (id: number, language: string): string =>
      JSON.stringify({ id, name: 'settings.update', input: { language } })
    const socket = (await connect({ origin: `http://127.0.0.1:${port}` }, '/ws?window=first')) as WebSocket
    const other = (await connect({ origin: `http://127.0.0.1:${port}` }, '/ws?window=second')) as WebSocket
    socket.send(call(1, 'en'))
    await until(() => carriedOut.length === 1, 'the first call')
    const headers = { ...own(), ...session.headers, origin: `http://127.0.0.1:${port}` }
    const post = (body: string): Promise<Reply> =>
      raw('/calls?window=first', { ...headers, 'content-length': String(body.length) }, 'POST', body)
    expect((await post(`[${call(1, 'en')},"no call",${call(2, 'de')},${call(3, 'fr')}]`)).status).toBe(204)
    expect(carriedOut).toEqual(['en', 'de', 'fr'])
    socket.send(call(3, 'fr'))
    socket.send(call(4, 'en'))
    await until(() => carriedOut.length >= 4, 'the call after it')
    other.send(call(1, 'de'))
    await until(() => carriedOut.length >= 5, 'the call of the other window')
    expect(carriedOut).toEqual(['en', 'de', 'fr', 'en', 'de'])
    expect((await post('{"id":9}')).status).toBe(400)
    expect((await post(' '.repeat(64 * 1024 + 1))).status).toBe(413)
    expect(carriedOut).toHaveLength(5)
    socket.close()
    other.close()
  })

  it('answers wrong input with a code and survives what is no message', async () => {
    const { socket, heard, ask } = await open()
    ask('not json')
    ask({ id: 'x' })
    ask({ id: 1, name: 'documents.get', input: { id: 'drop table' } })
    ask({ id: 2, name: '__proto__', input: {} })
    ask({ id: 3, name: 'documents.get', input: { id: 5 } })
    await until(() => heard.some((message) => message['id'] === 3), 'the last answer')
    expect(heard.find((message) => message['id'] === 1)).toMatchObject({
      answer: { ok: false, error: { code: 'invalid_input' } },
    })
    expect(heard.find((message) => message['id'] === 2)).toMatchObject({
      answer: { ok: false, error: { code: 'invalid_input' } },
    })
    expect(heard.find((message) => message['id'] === 3)).toMatchObject({
      answer: { ok: false, error: { code: 'not_found' } },
    })
    socket.close()
  })
})

describe('an upload', () => {
  it('becomes a file of the inbox under its own name, never outside of it and never over another', async () => {
    const { tables, now } = core.context
    const schema = tables.schemas.save(null, 'Invoice', [{ name: 'a', format: 'text', description: '' }], now())
    const connection = tables.connections.local().id
    core.queue.pause()
    await core.run()
    for (const name of ['../../evil.pdf', 'scan.pdf', 'scan.pdf']) {
      const reply = await raw(
        `/upload?name=${encodeURIComponent(name)}&schemaId=${schema.id}&connectionId=${connection}`,
        { ...own(), ...session.headers, origin: `http://127.0.0.1:${port}` },
        'POST',
        `%PDF-1.7 ${name} ${Math.random()} %%EOF`,
      )
      expect(reply.status).toBe(200)
    }
    const folder = tables.folders.list().find(({ kind }) => kind === 'inbox')!
    await until(() => tables.documents.inFolder(folder.id).length === 3, 'three documents')
    expect(
      tables.documents
        .inFolder(folder.id)
        .map((document) => document.path)
        .sort(),
    ).toEqual(['evil.pdf', 'scan (2).pdf', 'scan.pdf'].map((name) => join(folder.path, name)))
  })

  it('of a sample to draft from answers its id and becomes no file of the inbox', async () => {
    const upload = async (name: string, body: string): Promise<{ status: number; answer: Record<string, unknown> }> => {
      const reply = await raw(
        `/upload?purpose=draft&name=${encodeURIComponent(name)}`,
        { ...own(), ...session.headers, origin: `http://127.0.0.1:${port}` },
        'POST',
        body,
      )
      return { status: reply.status, answer: JSON.parse(reply.body) as Record<string, unknown> }
    }
    const before = core.context.tables.folders.list().length
    const sample = await upload('../../sample.xlsx', 'x')
    expect(sample).toMatchObject({ status: 200, answer: { ok: true } })
    const { uploadId } = sample.answer['value'] as { uploadId: string }
    expect(uploadId).toMatch(/^[0-9a-f-]{36}\.xlsx$/)
    expect(existsSync(join(dir.path, 'data', 'drafts', uploadId))).toBe(true)
    expect(core.context.tables.folders.list()).toHaveLength(before)
    expect(await upload('program.exe', 'x')).toMatchObject({
      status: 400,
      answer: { ok: false, error: { code: 'unsupported_type' } },
    })
  })

  it('that is larger than any document is refused as a sample, with an answer', async () => {
    const reply = await raw(
      '/upload?purpose=draft&name=a.pdf',
      { ...own(), ...session.headers, origin: `http://127.0.0.1:${port}` },
      'POST',
      'x'.repeat(37 * 1024 * 1024),
    )
    expect(reply.status).toBe(400)
    expect(JSON.parse(reply.body)).toMatchObject({ ok: false, error: { code: 'file_too_large' } })
  })
})

it('is at the same address after a restart, and at another one while a program has that', async () => {
  const folder = join(dir.path, 'renderer')
  const first = await serveAt(core, 0, folder)
  const address = new URL(first.launchUrl).origin
  const beside = await serveAt(core, 0, folder)
  expect(new URL(beside.launchUrl).origin).not.toBe(address)
  await beside.close()
  await first.close()
  const again = await serveAt(core, 0, folder)
  expect(new URL(again.launchUrl).origin).toBe(address)
  expect(again.launchUrl).not.toBe(first.launchUrl)
  await again.close()
})
