import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Core } from '../../electron/core/core.ts'
import { serveWindow } from '../../electron/browser/serve-window.ts'
import type { BrowserHost } from '../../electron/browser/serve-window.ts'
import { startTestCore, temporaryDir, until } from '../helpers/core.ts'

const realSend = WebSocket.prototype.send
const dir = temporaryDir()
let core: Core
let host: BrowserHost
let port: number
let cookie: string

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

function connect(headers: Record<string, string>, path = '/ws'): Promise<WebSocket | number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers })
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
  const first = await raw(new URL(host.launchUrl).pathname + new URL(host.launchUrl).search, own())
  cookie = String(first.headers['set-cookie']).split(';')[0]!
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
  it('exchanges the launch token once for a cookie that scripts and other sites cannot use', async () => {
    const again = await raw(`/${new URL(host.launchUrl).search}`, own())
    expect(again.status).toBe(403)
    expect(again.body).toContain('start it again')
    const known = await raw('/', { ...own(), cookie })
    expect(known.status).toBe(200)
    expect(String(known.headers['set-cookie'])).toContain(`${cookie}; Max-Age=`)
    expect(cookie).toMatch(new RegExp(`^sheaf_${port}=[\\w-]{43}$`))
  })

  it('sets HttpOnly and SameSite=Strict, and a time for which a browser that was closed keeps it (RFC 6265, 5.2.2)', async () => {
    const other = await serveWindow(core, { port: 0, rendererDir: dir.path })
    const url = new URL(other.launchUrl)
    const response = await fetch(url, { redirect: 'manual' })
    expect(response.status).toBe(303)
    expect(response.headers.get('set-cookie')).toMatch(
      /^sheaf_\d+=[\w-]{43}; Max-Age=2592000; HttpOnly; SameSite=Strict; Path=\/$/,
    )
    await other.close()
  })

  it('gives that time anew with whatever is asked of it, so that a window stays open for as long as it is used', async () => {
    const document = await raw('/files/1', { ...own(), cookie })
    expect(String(document.headers['set-cookie'])).toContain(`${cookie}; Max-Age=2592000`)
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, {
      headers: { origin: `http://127.0.0.1:${port}`, cookie },
    })
    const [upgrade] = (await once(socket, 'upgrade')) as [IncomingMessage]
    expect(String(upgrade.headers['set-cookie'])).toContain(`${cookie}; Max-Age=2592000`)
    socket.terminate()
  })

  it.each([
    ['a foreign host name', () => ({ host: 'evil.test', cookie })],
    ['a foreign host name with the right port', () => ({ host: `evil.test:${port}`, cookie })],
    ['no host', () => ({ cookie })],
    ['a foreign origin', () => ({ ...own(), cookie, origin: 'https://evil.test' })],
    ['the origin null', () => ({ ...own(), cookie, origin: 'null' })],
    ['no cookie', () => own()],
    ['a wrong cookie', () => ({ ...own(), cookie: `${cookie.slice(0, -2)}xx` })],
  ])('answers 403 to %s', async (_what, headers) => {
    for (const path of ['/', '/files/1', '/exports/1/0', '/no-such-page']) {
      const { status } = await raw(path, headers() as Record<string, string>)
      // Without any host the server itself refuses (RFC 9112, 3.2).
      expect([400, 403]).toContain(status)
    }
  })

  it.each([
    ['no cookie', () => ({ ...own(), origin: `http://127.0.0.1:${port}` })],
    ['a foreign origin', () => ({ ...own(), cookie, origin: 'https://evil.test' })],
    ['no origin', () => ({ ...own(), cookie })],
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

  it('refuses an upload without the cookie', async () => {
    expect((await raw('/upload?name=a.pdf&schemaId=1&connectionId=1', own(), 'POST', 'x')).status).toBe(403)
  })

  it.each([
    ['no cookie', () => ({ origin: `http://127.0.0.1:${port}` })],
    ['a foreign origin', () => ({ origin: 'https://evil.test', cookie })],
    ['no origin', () => ({ cookie })],
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
    const reply = await raw(path, { ...own(), cookie })
    expect(reply.status).toBe(404)
    expect(reply.body).not.toContain('secret')
  })

  it('sends a strict content security policy with every answer', async () => {
    for (const path of ['/', '/nothing']) {
      const { headers } = await raw(path, { ...own(), cookie })
      expect(headers['content-security-policy']).toContain("default-src 'self'")
      expect(headers['content-security-policy']).not.toContain('unsafe')
    }
  })
})

describe('the WebSocket', () => {
  async function open(): Promise<{
    socket: WebSocket
    heard: Record<string, unknown>[]
    ask: (message: unknown) => void
  }> {
    const socket = (await connect({ origin: `http://127.0.0.1:${port}`, cookie })) as WebSocket
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
    const socket = (await connect({ origin: `http://127.0.0.1:${port}`, cookie }, '/ws?window=first')) as WebSocket
    const other = (await connect({ origin: `http://127.0.0.1:${port}`, cookie }, '/ws?window=second')) as WebSocket
    socket.send(call(1, 'en'))
    await until(() => carriedOut.length === 1, 'the first call')
    const headers = { ...own(), cookie, origin: `http://127.0.0.1:${port}` }
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
        { ...own(), cookie, origin: `http://127.0.0.1:${port}` },
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
        { ...own(), cookie, origin: `http://127.0.0.1:${port}` },
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
      { ...own(), cookie, origin: `http://127.0.0.1:${port}` },
      'POST',
      'x'.repeat(37 * 1024 * 1024),
    )
    expect(reply.status).toBe(400)
    expect(JSON.parse(reply.body)).toMatchObject({ ok: false, error: { code: 'file_too_large' } })
  })
})
