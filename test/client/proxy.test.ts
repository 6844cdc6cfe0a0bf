import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { HttpClient } from '../../electron/core/platform/http.ts'
import type { HttpRequest } from '../../electron/core/platform/http.ts'
import { systemProxy } from '../../electron/desktop/proxy.ts'
import { environmentProxy } from '../../electron/system/environment-proxy.ts'
import { HttpAgent } from '../../electron/system/http-agent.ts'
import type { ProxyFor } from '../../electron/system/tunnel.ts'
import { companyCertificate } from '../helpers/company.ts'
import { behindTls, startProxy } from '../helpers/connect-proxy.ts'
import { addFolder, pdfBytes, startTestCore, statuses, temporaryDir, until } from '../helpers/core.ts'
import { platformOf, sheaf } from '../helpers/sheaf.ts'
import { startVendor } from '../helpers/vendor.ts'
import { errorOf } from './client.ts'

const portOf = (url: string): number => Number(new URL(url).port)
const nobody = new URL('http://127.0.0.1:1')

async function serving(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return (server.address() as AddressInfo).port
}

function clientWith(proxyFor: ProxyFor): HttpClient {
  const http = new HttpClient(proxyFor)
  onTestFinished(() => http.close())
  return http
}

/** A body of two pieces, and how much of it was asked for. */
function watchedBody(): { body: NonNullable<HttpRequest['body']>; pulled: () => number } {
  let pulled = 0
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let piece = 0; piece < 2; piece += 1) {
      pulled += 1
      yield Buffer.alloc(1000)
    }
  }
  return { body: { sizeBytes: 2000, chunks: chunks() }, pulled: () => pulled }
}

const query = (body?: HttpRequest['body']): HttpRequest => ({
  method: 'POST',
  url: 'http://platform.test/upload',
  timeoutMs: 5000,
  ...(body === undefined ? {} : { body }),
})

describe('a request through a proxy', () => {
  it('opens a tunnel of its own each time, and is one request at the other end', async () => {
    let requests = 0
    const port = await serving((request, response) => {
      requests += 1
      request.resume().on('end', () => response.end('received'))
    })
    const proxy = await startProxy({ 'platform.test:80': port })
    const http = clientWith(async () => [proxy.url])
    for (let count = 1; count <= 2; count += 1) {
      expect((await http.send(query(watchedBody().body))).body.toString()).toBe('received')
      expect([requests, proxy.asked.length, proxy.opened.length]).toEqual([count, count, count])
    }
  })

  it('signs in with the name and password of the proxy’s address, and says them nowhere else', async () => {
    const proxy = await startProxy(
      {},
      (client) => void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'),
    )
    const http = clientWith(async () => [new URL(`http://jo:p%40ss@${proxy.url.host}`)])
    const problem = await errorOf(http.send(query()))
    expect(proxy.asked).toEqual([
      { target: 'platform.test:80', authorization: `Basic ${Buffer.from('jo:p@ss').toString('base64')}` },
    ])
    expect(problem.details).toEqual({ host: 'platform.test', proxy: proxy.url.host, detail: 'PROXY_407' })
  })

  it.each<[string, (client: Socket) => void, string]>([
    ['asks for a name', (client) => void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'), 'PROXY_407'],
    ['refuses the host', (client) => void client.end('HTTP/1.1 403 Forbidden\r\n\r\n'), 'PROXY_403'],
    ['hangs up', (client) => void client.destroy(), 'PROXY_UNREACHABLE'],
    ['speaks no HTTP', (client) => void client.end('hello\r\n\r\n'), 'PROXY_UNREACHABLE'],
  ])('was not sent, nor asked for twice, when the proxy %s', async (_what, answer, detail) => {
    const proxy = await startProxy({}, answer)
    const { body, pulled } = watchedBody()
    const http = clientWith(async () => [proxy.url])
    expect(await errorOf(http.send(query(body)))).toMatchObject({ code: 'proxy_refused', details: { detail } })
    expect(pulled()).toBe(0)
    expect(proxy.asked).toHaveLength(1)
    // A request without a body counts as sent from its beginning, but not when there was no way for it.
    expect(await errorOf(http.send(query()))).toMatchObject({ code: 'proxy_refused' })
  })

  it('was not sent when the proxy says nothing: the time for a connection ends it', async () => {
    const proxy = await startProxy({}, () => undefined)
    const agent = new HttpAgent({ connect: { timeout: 100 } }, async () => [proxy.url])
    onTestFinished(() => agent.destroy())
    await expect(agent.request('http://platform.test/', { method: 'GET' })).rejects.toMatchObject({
      code: 'PROXY_TIMEOUT',
    })
  })

  it.each<[string, ProxyFor]>([
    ['fails', () => Promise.reject(new Error('no script'))],
    ['never comes', () => new Promise(() => undefined)],
  ])('was not sent when the answer which proxy it is %s', async (_what, proxyFor) => {
    const agent = new HttpAgent({ connect: { timeout: 100 } }, proxyFor)
    onTestFinished(() => agent.destroy())
    await expect(agent.request('http://platform.test/', { method: 'GET' })).rejects.toMatchObject({
      code: 'PROXY_UNKNOWN',
    })
  })

  it('takes the next way when a proxy cannot be reached, and none around one that refuses', async () => {
    const port = await serving((request, response) => void request.resume().on('end', () => response.end('received')))
    const open = await startProxy({ 'platform.test:80': port })
    const closed = await startProxy({}, (client) => void client.end('HTTP/1.1 403 Forbidden\r\n\r\n'))
    const received = await clientWith(async () => [nobody, new URL('socks://127.0.0.1:1'), open.url]).send(query())
    expect(received.body.toString()).toBe('received')
    expect((await errorOf(clientWith(async () => [closed.url, open.url]).send(query()))).code).toBe('proxy_refused')
    expect(open.asked).toHaveLength(1)
  })

  it('says that it knows no SOCKS', async () => {
    const http = clientWith(async () => [new URL('socks5://127.0.0.1:1080')])
    expect(await errorOf(http.send(query()))).toMatchObject({
      code: 'proxy_refused',
      details: { proxy: '127.0.0.1:1080', detail: 'PROXY_UNSUPPORTED' },
    })
  })

  it('may have arrived when the proxy breaks off after its body, and is not sent again', async () => {
    let requests = 0
    const port = await serving((request) => {
      requests += 1
      request.resume().on('end', () => proxy.opened[0]!.destroy())
    })
    const proxy = await startProxy({ 'platform.test:80': port })
    const { body } = watchedBody()
    expect((await errorOf(clientWith(async () => [proxy.url]).send(query(body)))).code).toBe('connection_lost')
    expect([requests, proxy.asked.length]).toEqual([1, 1])
  })

  it('has the proxy’s own answer after its body as its answer, once', async () => {
    const proxy = await startProxy({}, (client) => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      let bytes = 0
      client.on('data', (data: Buffer) => {
        bytes += data.length
        if (bytes > 2000) client.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n')
      })
    })
    const { body } = watchedBody()
    expect((await clientWith(async () => [proxy.url]).send(query(body))).status).toBe(502)
    expect(proxy.asked).toHaveLength(1)
  })

  it('never leaves this computer for what is on it, whatever the proxy settings say', async () => {
    const port = await serving((_request, response) => response.end('here'))
    const http = clientWith(() => Promise.reject(new Error('asked for a proxy')))
    for (const host of ['127.0.0.1', 'localhost'])
      expect((await http.send({ method: 'GET', url: `http://${host}:${port}/`, timeoutMs: 5000 })).status).toBe(200)
  })

  it('leaves the document queued while the proxy refuses, and sends it once when it lets it through', async () => {
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    const vendor = await startVendor()
    onTestFinished(vendor.close)
    let isOpen = false
    const proxy = await startProxy({ 'platform.test:80': portOf(vendor.baseUrl) }, (client) =>
      isOpen ? 'connect' : void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'),
    )
    const core = await startTestCore(join(dir.path, 'data'), {
      proxyFor: async () => [proxy.url],
      timings: { firstRetryMs: 50 },
    })
    onTestFinished(() => core.stop({ atOnce: true }))
    const path = join(dir.path, 'in')
    mkdirSync(path)
    const { id } = addFolder(core, { ...vendor, baseUrl: 'http://platform.test' }, { path })
    writeFileSync(join(path, 'a.pdf'), pdfBytes('a'))
    await core.run()
    const document = () => core.context.tables.documents.inFolder(id)[0]
    await until(() => document()?.reasonCode === 'proxy_refused', 'the refusal')
    expect(document()?.status).toBe('queued')
    expect([vendor.tokensIssued(), vendor.received.length]).toEqual([0, 0])
    isOpen = true
    await until(() => statuses(core)['done'] === 1, 'the document')
    expect(vendor.received).toHaveLength(1)
  })
})

describe('the proxy of the environment', () => {
  const ways = async (environment: Record<string, string>, url: string): Promise<(string | null)[]> =>
    (await environmentProxy(environment)(new URL(url))).map((way) => way?.href ?? null)

  it.each<[string, Record<string, string>, string, string[]]>([
    ['none', {}, 'https://a.test', []],
    ['that of its scheme', { HTTPS_PROXY: 'http://p:3128' }, 'https://a.test', ['http://p:3128/']],
    ['not that of another scheme', { HTTPS_PROXY: 'http://p:3128' }, 'http://a.test', []],
    [
      'the lower-case one first',
      { HTTPS_PROXY: 'http://p:1', https_proxy: 'http://q:2' },
      'https://a.test',
      ['http://q:2/'],
    ],
    ['no HTTP_PROXY, which a request can set', { HTTP_PROXY: 'http://p:1' }, 'http://a.test', []],
    ['http_proxy', { http_proxy: 'http://p:1' }, 'http://a.test', ['http://p:1/']],
    ['that for all', { ALL_PROXY: 'http://p:1' }, 'https://a.test', ['http://p:1/']],
    ['one without scheme and port, at 1080', { https_proxy: 'p' }, 'https://a.test', ['http://p:1080/']],
    ['one at port 80', { https_proxy: 'http://p:80' }, 'https://a.test', ['http://p/']],
    ['one with a password', { https_proxy: 'http://jo:x@p:1' }, 'https://a.test', ['http://jo:x@p:1/']],
    ['none for a typing error', { https_proxy: 'http://[' }, 'https://a.test', []],
  ])('is %s', async (_what, environment, url, expected) => {
    expect(await ways(environment, url)).toEqual(expected)
  })

  it.each<[string, string, boolean]>([
    ['*', 'https://a.test', true],
    ['b.test, a.test', 'https://a.test', true],
    ['.a.test', 'https://deep.a.test:8443', true],
    ['a.test', 'https://nota.test', false],
    ['A.Test.', 'https://a.test', true],
    ['10.0.0.0/8', 'https://10.2.3.4', true],
    ['10.0.0.0/8', 'https://11.2.3.4', false],
    ['10.0.0.0/99', 'https://10.0.0.1', false],
    ['192.168.1.7', 'https://192.168.1.7', true],
    ['2.3.4', 'https://1.2.3.4', false],
    ['fd00::/8', 'https://[fd00::1]', true],
    ['[fd00::1]', 'https://[fd00::1]', true],
  ])('NO_PROXY=%s has an exception for %s: %s', async (list, url, isExcepted) => {
    const found = await ways({ HTTPS_PROXY: 'http://p:1', NO_PROXY: list }, url)
    expect(found).toEqual(isExcepted ? [] : ['http://p:1/'])
  })
})

describe('the proxy of the system', () => {
  it.each<[string, (string | null)[]]>([
    ['DIRECT', [null]],
    ['PROXY p.test:3128; DIRECT', ['http://p.test:3128/', null]],
    ['PROXY a:80;HTTPS b:443', ['http://a/', 'https://b/']],
    ['SOCKS5 s:1080; PROXY a:80', ['http://a/']],
    ['SOCKS s:1080', ['socks://s:1080']],
  ])('is read from «%s»', async (list, expected) => {
    const asked: string[] = []
    const proxyFor = systemProxy(async (url) => (asked.push(url), list))
    const ways = await proxyFor(new URL('https://platform.test'))
    expect(ways.map((way) => way?.href ?? null)).toEqual(expected)
    expect(asked).toEqual(['https://platform.test/'])
  })
})

describe('sheaf behind a company’s proxy', () => {
  /** Extracts one document by the proxy of the environment, over TLS with the company's certificate. */
  async function extract(environment: Record<string, string>): Promise<{ code: number | null; received: number }> {
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    const at = (name: string): string => join(dir.path, name)
    const vendor = await startVendor()
    onTestFinished(vendor.close)
    const proxy = await startProxy({ 'platform.test:443': await behindTls(portOf(vendor.baseUrl)) })
    writeFileSync(at('company.pem'), companyCertificate.cert)
    writeFileSync(at('a.pdf'), pdfBytes('a'))
    writeFileSync(at('schema.json'), '[{"name":"a","format":"text","description":"a"}]')
    const { code } = await sheaf(['extract', at('a.pdf'), '--schema', at('schema.json'), '--out', at('out.csv')], {
      ...platformOf({ ...vendor, baseUrl: 'https://platform.test' }),
      SHEAF_DATA_DIR: at('data'),
      HTTPS_PROXY: proxy.url.href,
      NO_PROXY: '',
      ...(environment['trusts'] === 'company' ? { SSL_CERT_FILE: at('company.pem') } : {}),
    })
    return { code, received: vendor.received.length }
  }

  // SSL_CERT_FILE is where Linux' OpenSSL looks for what the system trusts.
  it.runIf(process.platform === 'linux')('trusts the certificates that the system trusts', async () => {
    expect(await extract({ trusts: 'company' })).toEqual({ code: 0, received: 1 })
  })

  it('sends nothing where nobody vouches for the certificate', async () => {
    expect(await extract({})).toEqual({ code: 1, received: 0 })
  })
})
