import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { HttpClient, jsonBody } from '../../electron/core/platform/http.ts'
import type { StreamRequest } from '../../electron/core/platform/http.ts'
import { callService } from '../../electron/core/platform/service-control.ts'
import { collect, errorOf } from './client.ts'

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

function clientFor(url: string): { http: HttpClient; query: StreamRequest } {
  const http = new HttpClient()
  onTestFinished(() => http.close())
  return {
    http,
    query: {
      method: 'POST',
      url,
      body: jsonBody({ a: 'ü' }),
      timeoutMs: 5000,
      silenceMs: 5000,
      totalMs: 10_000,
      maxBytes: 1000,
    },
  }
}

/** The pieces of an answer as text. */
async function read(body: AsyncIterable<Uint8Array> | Buffer): Promise<string> {
  return Buffer.isBuffer(body) ? body.toString() : Buffer.concat(await collect(body)).toString()
}

describe('a stream', () => {
  it('is read while it comes, with its status, type and Retry-After', async () => {
    const url = await serving((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/plain', 'retry-after': '3' }).end('hello'),
    )
    const { http, query } = clientFor(url)
    const answer = await http.open(query)
    expect(answer).toMatchObject({ status: 200, contentType: 'text/plain', retryAfterMs: 3000 })
    expect(await read(answer.body)).toBe('hello')
  })

  it('is a read body for any other status, of at most 64 KB', async () => {
    const url = await serving((_request, response) => response.writeHead(503).end('x'.repeat(200_000)))
    const { http, query } = clientFor(url)
    const { status, body } = await http.open(query)
    expect(status).toBe(503)
    expect(Buffer.isBuffer(body) && body.length).toBe(64 * 1024)
  })

  it.each<[string, RequestListener, Partial<StreamRequest>, string]>([
    ['no head comes in time', () => undefined, { timeoutMs: 100 }, 'answer_timeout'],
    [
      'it is silent for too long',
      (_request, response) => void response.write('a'),
      { silenceMs: 100 },
      'answer_timeout',
    ],
    [
      'it lasts for too long',
      (_request, response) => void setInterval(() => response.write('a'), 20).unref(),
      { totalMs: 200 },
      'answer_timeout',
    ],
    ['it is too long', (_request, response) => response.end('x'.repeat(1001)), {}, 'connection_lost'],
    [
      'it breaks',
      (request, response) => void response.write('a', () => request.socket.destroy()),
      {},
      'connection_lost',
    ],
    [
      'the connection breaks before the head',
      (request) => void request.resume().on('end', () => request.socket.destroy()),
      {},
      'connection_lost',
    ],
  ])('ends with an error when %s', async (_what, listener, limits, code) => {
    const { http, query } = clientFor(await serving(listener))
    expect((await errorOf(http.open({ ...query, ...limits }).then(({ body }) => read(body)))).code).toBe(code)
  })

  it('does not count the time that its reader takes as silence', async () => {
    const url = await serving((_request, response) => response.write('a', () => response.end('b')))
    const { http, query } = clientFor(url)
    const { body } = await http.open({ ...query, silenceMs: 60 })
    let text = ''
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      text += Buffer.from(piece).toString()
      const slowUntil = Date.now() + 150
      await expect.poll(() => Date.now() >= slowUntil).toBe(true)
    }
    expect(text).toBe('ab')
  })

  it('was not sent when nothing listens', async () => {
    const { http, query } = clientFor('http://127.0.0.1:1/')
    expect((await errorOf(http.open(query))).code).toBe('connection_refused')
  })

  it('follows no redirect', async () => {
    let requests = 0
    const url = await serving((_request, response) => {
      requests += 1
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    const { http, query } = clientFor(url)
    expect((await http.open(query)).status).toBe(307)
    expect(requests).toBe(1)
  })
})

describe('a body that takes its time', () => {
  const pieceBytes = 64 * 1024
  /** Zeros, each piece of them after a pause. */
  function slowBody(pieces: number, pauseMs: number): NonNullable<StreamRequest['body']> {
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (let number = 0; number < pieces; number += 1) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
        yield Buffer.alloc(pieceBytes)
      }
    }
    return { sizeBytes: pieces * pieceBytes, chunks: chunks() }
  }
  const answering: RequestListener = (request, response) =>
    void request.resume().on('end', () => response.end('received'))

  it('is sent to its end, however much longer that takes than an answer may', async () => {
    const { http, query } = clientFor(await serving(answering))
    const answer = await http.send({ ...query, body: slowBody(10, 50), timeoutMs: 200, stallMs: 5000 })
    expect(answer.body.toString()).toBe('received')
    expect(answer.bytesSent).toBe(10 * pieceBytes)
  })

  it('is not given up while its next piece is still being read', async () => {
    const { http, query } = clientFor(await serving(answering))
    const answer = await http.send({ ...query, body: slowBody(3, 200), timeoutMs: 5000, stallMs: 50 })
    expect(answer.body.toString()).toBe('received')
  })

  it('is given up when nothing of it leaves any more', async () => {
    // Larger than what the system takes for somebody who does not read.
    const { http, query } = clientFor(await serving((request) => void request.pause()))
    const problem = await errorOf(http.send({ ...query, body: slowBody(1000, 0), timeoutMs: 60_000, stallMs: 200 }))
    expect(problem).toMatchObject({ code: 'connection_lost', details: { detail: 'the document did not leave' } })
  })

  it('is answered within the time that begins with its last byte', async () => {
    const { http, query } = clientFor(await serving((request) => void request.resume()))
    expect((await errorOf(http.send({ ...query, body: slowBody(2, 0), timeoutMs: 200, stallMs: 60_000 }))).code).toBe(
      'answer_timeout',
    )
  })
})

describe('a call to the management of the service on this computer', () => {
  const control = (answer: unknown, status = 200): Promise<{ url: string; key: string }> =>
    serving((_request, response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
    ).then((url) => ({ url, key: 'k' }))

  it('carries name, input and key, and gives the value', async () => {
    const seen: { authorization: string | undefined; body: string }[] = []
    const url = await serving((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        seen.push({ authorization: request.headers.authorization, body })
        response.end('{"ok":true,"value":{"reference":"manuals"}}')
      })
    })
    expect(await callService({ url, key: 'k' }, 'agents.save', { kind: 'documentalist', name: 'Manuals' })).toEqual({
      reference: 'manuals',
    })
    expect(seen).toEqual([
      { authorization: 'Bearer k', body: '{"name":"agents.save","input":{"kind":"documentalist","name":"Manuals"}}' },
    ])
  })

  it('throws the error that was answered', async () => {
    const answer = { ok: false, error: { code: 'not_found', details: { what: 'agent' }, retryAfterMs: 5 } }
    expect(await errorOf(callService(await control(answer), 'agents.remove', { reference: 'x' }))).toMatchObject({
      code: 'not_found',
      details: { what: 'agent' },
      retryAfterMs: 5,
    })
  })

  it.each<[string, unknown, number]>([
    ['another key is asked for', { ok: false, error: { code: 'invalid_input', details: {} } }, 401],
    ['somebody else answers', 'hello', 200],
    ['an error has no reason', { ok: false }, 200],
  ])('says that the service does not run when %s', async (_what, answer, status) => {
    expect((await errorOf(callService(await control(answer, status), 'agents.list', {}))).code).toBe(
      'service_not_started',
    )
  })

  it('says that the service does not run when nobody answers', async () => {
    expect(await errorOf(callService({ url: 'http://127.0.0.1:1/', key: 'k' }, 'agents.list', {}))).toMatchObject({
      code: 'service_not_started',
      details: { detail: 'connection_refused' },
    })
  })
})
