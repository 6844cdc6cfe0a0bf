import { createServer } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerMalformedRequests } from '../../electron/service/http/malformed-request.ts'
import { listen, stopListening } from '../../electron/service/http/listening.ts'
import { pdf } from './documents.ts'
import { invoiceLines, invoiceParams, startRig } from './setup.ts'
import type { Rig } from './setup.ts'
import { eventually } from '../helpers/eventually.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.close())

/** Sends bytes as they are and reads until the service closes. */
async function raw(
  request: string,
  port = rig.service.port,
): Promise<{ status: number; head: string; body: Record<string, unknown> }> {
  const socket = connect(port, '127.0.0.1')
  socket.write(request.replace('host: x\r\n', `host: 127.0.0.1:${port}\r\n`))
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    head,
    body: JSON.parse(body) as Record<string, unknown>,
  }
}

const closing = 'connection: close\r\n'
const envelope = {
  status: 'error',
  code: expect.any(String) as string,
  error: expect.any(String) as string,
  detail: expect.any(String) as string,
}

describe('a request that is no request', () => {
  it.each([
    ['a broken request line', 'HELLO\r\n\r\n', 400],
    ['an unknown method', 'FOO /v2/token HTTP/1.1\r\nhost: x\r\n\r\n', 400],
    ['a header without a name', 'GET /v2/token HTTP/1.1\r\nhost: x\r\n: nothing\r\n\r\n', 400],
    ['two lengths', 'POST /v2/extractor HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}', 400],
    [
      'a length and chunks',
      'POST /v2/extractor HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a length that is no number', 'POST /v2/extractor HTTP/1.1\r\nhost: x\r\ncontent-length: ten\r\n\r\n{}', 400],
    ['headers over 16 KB', `GET /v2/token HTTP/1.1\r\nhost: x\r\nx-more: ${'a'.repeat(40_000)}\r\n\r\n`, 431],
    ['a path over 16 KB', `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
    [
      'a header that is split by a bare line feed',
      'GET /v2/token HTTP/1.1\r\nhost: x\r\nx-api-key: a\nset-cookie: b=c\r\n\r\n',
      400,
    ],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n', 405],
    ['no host', 'GET /v2/token HTTP/1.1\r\n\r\n', 400],
    ['a host that is none', `GET /v2/token HTTP/1.1\r\nhost: a b\r\n${closing}\r\n`, 400],
    ['a method that the web forbids', `TRACE /v2/token HTTP/1.1\r\nhost: x\r\n${closing}\r\n`, 405],
    ['a method of another protocol', `PROPFIND /v2/extractor HTTP/1.1\r\nhost: x\r\n${closing}\r\n`, 405],
    [
      'a path out of the tree',
      `POST /v2/extractor/../../etc/passwd HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n${closing}\r\n`,
      404,
    ],
    [
      'a broken chunk',
      'POST /v2/extractor HTTP/1.1\r\nhost: x\r\nx-api-key: no\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nno\r\n',
      400,
    ],
    ['an absolute address of elsewhere', `GET http://example.com/elsewhere HTTP/1.1\r\nhost: x\r\n${closing}\r\n`, 400],
  ])('is answered in the envelope: %s', async (_, request, status) => {
    const answer = await raw(request)
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body: envelope })
    expect(answer.head).not.toMatch(/set-cookie/i)
  })

  it('is answered in the proxy’s format below /compat', async () => {
    const unusable = await raw('POST /compat/v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: ten\r\n\r\n{}')
    expect(unusable).toMatchObject({
      status: 411,
      body: {
        error: { code: 'missing_content_length', type: 'invalid_request_error', message: expect.any(String) as string },
      },
    })
    const broken = await raw('GET /compat/v1/models HTTP/1.1\r\nhost: x\r\n: nothing\r\n\r\n')
    expect(broken).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', type: 'invalid_request_error' } },
    })
    const overlong = await raw(`GET /compat/v1/models HTTP/1.1\r\nhost: x\r\nx-more: ${'a'.repeat(40_000)}\r\n\r\n`)
    expect(overlong).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', message: expect.stringContaining('too large') as string } },
    })
  })

  it.each([
    ['no host', '/compat/v1/models', ''],
    ['a host that is none', '/compat/v1/models', 'host: a b\r\n'],
    ['no host, under the other prefix', '/compat/models?x=1', ''],
    ['a backslash in its path', '/compat/v1\\models', 'host: x\r\n'],
    ['an absolute address that is none', 'http://a%20b/compat/v1/models', 'host: x\r\n'],
  ])('is answered in the proxy’s format below /compat: %s', async (_, path, host) => {
    const answer = await raw(`GET ${path} HTTP/1.1\r\n${host}${closing}\r\n`)
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error: { code: 'invalid_request', type: 'invalid_request_error', message: expect.any(String) as string },
      },
    })
  })

  it.each([
    ['/v2/extractor', 408, { ...envelope, code: 'request_timeout' }],
    [
      '/compat/v1/chat/completions',
      400,
      {
        error: { message: 'The request did not end in time.', type: 'invalid_request_error', code: 'invalid_request' },
      },
    ],
  ])('says so when it does not end in time: %s', async (path, status, body) => {
    const impatient = createServer({ requestTimeout: 50, connectionsCheckingInterval: 20 }, () => undefined)
    answerMalformedRequests(impatient)
    const port = await listen(impatient, 0)
    try {
      const answer = await raw(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{`, port)
      expect({ status: answer.status, body: answer.body }).toEqual({ status, body })
    } finally {
      await stopListening(impatient, 0)
    }
  })

  it('with an expectation nobody knows is served as without', async () => {
    expect(await raw(`GET /v2/token HTTP/1.1\r\nhost: x\r\nexpect: the-best\r\n${closing}\r\n`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    })
  })

  it('leaves the service as it was', async () => {
    expect(
      (
        await rig.post('/v2/extractor', {
          filename: 'a.pdf',
          file: pdf(invoiceLines).toString('base64'),
          params: invoiceParams,
        })
      ).status,
    ).toBe(200)
  })
})

describe('the reference of an agent', () => {
  it.each([
    '..%2f..%2fservice.db',
    '%2e%2e%5cx',
    "' or 1=1 --",
    '%00',
    '%ff%fe',
    '%zz',
    '%',
    'a%0d%0aset-cookie:%20b=c',
    'é'.repeat(500),
    '__proto__',
  ])('is only compared: %s', async (reference) => {
    const response = await rig.post(`/v2/extractor/${reference}`, {})
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ ...envelope, code: 'agent_not_found' })
    expect(response.headers.get('set-cookie')).toBeNull()
  })
})

describe('a body that breaks off', () => {
  it.each(['/v2/extractor', '/v2/extractor/async'])('leaves nothing behind: %s', async (path) => {
    const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${rig.service.port}\r\nx-api-key: ${rig.token}\r\ncontent-length: 100000\r\n\r\n`
    const socket = connect(rig.service.port, '127.0.0.1')
    socket.write(`${head}{"filename":"a.pdf","file":"${pdf(invoiceLines).toString('base64')}`)
    const incoming = join(rig.dataDir, 'incoming')
    await eventually(async () => expect(await readdir(incoming)).toHaveLength(1))
    socket.destroy()
    await eventually(async () => expect(await readdir(incoming)).toEqual([]))
    expect((await rig.control('deliveries.list', {})).deliveries).toEqual([])
  })
})
