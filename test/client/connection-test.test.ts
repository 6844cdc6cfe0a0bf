import { createServer as createHttpServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo, Server as TcpServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { HttpClient } from '../../electron/core/platform/http.ts'
import { testConnection } from '../../electron/core/platform/test-connection.ts'
import type { Core } from '../../electron/core/core.ts'
import { questionSentenceFor } from '../../shared/messages/question-sentences.ts'
import { startTestCore, temporaryDir } from '../helpers/core.ts'
import { selfSigned } from '../helpers/self-signed.ts'
import { startVendor, vendorCredentials } from '../helpers/vendor.ts'
import type { Vendor, VendorOptions } from '../helpers/vendor.ts'
import { json, proxyError } from '../helpers/vendor-questions.ts'

async function vendorWith(options: VendorOptions): Promise<Vendor> {
  const vendor = await startVendor(undefined, options)
  onTestFinished(vendor.close)
  return vendor
}

async function coreOf(): Promise<Core> {
  const dir = temporaryDir()
  const core = await startTestCore(join(dir.path, 'data'))
  onTestFinished(dir.remove)
  onTestFinished(() => core.stop({ atOnce: true }))
  return core
}

/** «Test connection» as the window calls it. */
async function tested(
  baseUrl: string,
  credentials: { clientId: string; clientSecret?: string } = vendorCredentials,
): Promise<Awaited<ReturnType<Core['handlers']['connections.test']>> & { sentence: string | null }> {
  const core = await coreOf()
  const result = await core.handlers['connections.test']({ id: null, baseUrl, clientSecret: 'x', ...credentials })
  const { problem } = result
  return { ...result, sentence: problem === null ? null : questionSentenceFor(problem.code, problem.details, 'en') }
}

async function listening(server: Server | TcpServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  onTestFinished(() => ('closeAllConnections' in server ? server.closeAllConnections() : undefined))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const serving = (listener: RequestListener): Promise<string> => listening(createHttpServer(listener))

describe('the test of a connection', () => {
  it('says how the address will be used, and which models there are', async () => {
    const vendor = await vendorWith({ models: ['svc-large', 'svc-small'] })
    expect(await tested(`  ${vendor.baseUrl.replace('http://', '')}/compat/v1/ `)).toEqual({
      problem: null,
      baseUrl: vendor.baseUrl,
      models: ['svc-large', 'svc-small'],
      modelsProblem: null,
      sentence: null,
    })
  })

  it('uses the stored secret when none is typed', async () => {
    const vendor = await vendorWith({ models: [] })
    const core = await coreOf()
    const { id } = await core.handlers['connections.save']({
      id: null,
      name: 'Vendor',
      baseUrl: vendor.baseUrl,
      ...vendorCredentials,
    })
    expect(
      await core.handlers['connections.test']({ id, baseUrl: vendor.baseUrl, clientId: vendorCredentials.clientId }),
    ).toMatchObject({ problem: null, models: [] })
  })

  it.each<[string, VendorOptions, string]>([
    [
      'the account has no access to them',
      { models: () => proxyError(403, 'access_denied', 'permission_error') },
      'access_denied',
    ],
    ['the platform has no proxy', {}, 'no_such_endpoint'],
    ['the proxy is out of order', { models: () => proxyError(503, 'unavailable', 'api_error') }, 'model_unavailable'],
    ['the list is none', { models: () => json({ hello: 'world' }) }, 'answer_unreadable'],
    [
      'the token is not taken there',
      { models: () => proxyError(401, 'invalid_api_key', 'invalid_request_error') },
      'credentials_refused',
    ],
  ])('works without models, and says why, when %s', async (_what, options, code) => {
    const vendor = await vendorWith(options)
    expect(await tested(vendor.baseUrl)).toMatchObject({
      problem: null,
      baseUrl: vendor.baseUrl,
      models: null,
      modelsProblem: { code },
    })
  })

  it('says that an address is none', async () => {
    expect(await tested('not an address')).toMatchObject({
      problem: { code: 'address_invalid' },
      models: null,
      sentence: '“not an address” is not an address of a service. Type one such as https://api.example.com.',
    })
  })

  it('says that a name is unknown', async () => {
    const { problem, sentence } = await tested('https://nobody-has-this-name.invalid')
    expect(problem?.code).toBe('host_not_found')
    expect(sentence).toContain('nobody-has-this-name.invalid was not found')
  })

  it('says that nothing listens', async () => {
    const server = createTcpServer()
    const host = await listening(server)
    await new Promise<void>((resolve) => server.close(() => resolve()))
    const { problem, sentence } = await tested(`http://${host}`)
    expect(problem?.code).toBe('connection_refused')
    expect(sentence).toContain(`Nothing answers at ${host}`)
  })

  it('says that a certificate is not valid, and sends nothing', async () => {
    let requests = 0
    const host = await listening(createHttpsServer(selfSigned, () => (requests += 1)))
    const { problem, sentence } = await tested(`https://${host}`)
    expect(problem?.code).toBe('certificate_invalid')
    expect(sentence).toContain(`The certificate of ${host} is not valid (DEPTH_ZERO_SELF_SIGNED_CERT)`)
    expect(requests).toBe(0)
  })

  it.each<[string, RequestListener]>([
    [
      'a page under every path',
      (_request, response) => response.end('<!doctype html><html><body>Welcome</body></html>'),
    ],
    ['404', (_request, response) => response.writeHead(404).end('Not Found')],
    ['another JSON', (_request, response) => response.end('{"hello":"world"}')],
    ['a redirect to a login', (_request, response) => response.writeHead(302, { location: '/login' }).end()],
    ['a page that forbids', (_request, response) => response.writeHead(403).end('<html>Blocked</html>')],
  ])('says that no platform is there: %s', async (_what, listener) => {
    const host = await serving(listener)
    const { problem, sentence } = await tested(`http://${host}`)
    expect(problem?.code).toBe('not_a_platform')
    expect(sentence).toContain(`${host} answers, but not like a platform`)
  })

  it('says that no platform is there when something else than HTTP answers', async () => {
    const host = await listening(
      createTcpServer((socket) =>
        socket
          .on('error', () => undefined)
          .once('data', () => socket.write('500 unknown command\r\n', () => socket.destroy())),
      ),
    )
    expect((await tested(`http://${host}`)).problem?.code).toBe('not_a_platform')
  })

  it('says that no platform is there when https is asked of http', async () => {
    const host = await serving((_request, response) => response.end('{}'))
    expect((await tested(`https://${host}`)).problem?.code).toBe('not_a_platform')
  })

  it('says that the credentials are refused', async () => {
    const vendor = await vendorWith({ models: [] })
    const { problem, sentence } = await tested(vendor.baseUrl, { clientId: 'someone', clientSecret: 'wrong' })
    expect(problem?.code).toBe('credentials_refused')
    expect(sentence).toContain('does not accept the client id and secret')
  })

  it.each<[string, number, string, string]>([
    ['the account may not', 403, 'access_denied', 'does not allow this account'],
    ['there are too many requests', 429, 'rate_limited', 'more requests from this account'],
    ['it is out of order', 503, 'service_unavailable', 'not available at the moment'],
  ])('says so when %s', async (_what, status, code, words) => {
    const vendor = await vendorWith({ token: () => ({ status, body: '{"status":"error","error":"no"}' }) })
    const { problem, sentence } = await tested(vendor.baseUrl)
    expect(problem?.code).toBe(code)
    expect(sentence).toContain(words)
  })

  it('says that no answer came in time', async () => {
    const host = await serving(() => undefined)
    const http = new HttpClient()
    onTestFinished(() => http.close())
    const { problem } = await testConnection(
      http,
      { baseUrl: `http://${host}`, ...vendorCredentials },
      { timeoutMs: 200 },
    )
    expect(problem).toMatchObject({ code: 'answer_timeout', details: { host } })
  })
})

describe('a saved connection', () => {
  it('has its address as it is used', async () => {
    const core = await coreOf()
    const { id } = await core.handlers['connections.save']({
      id: null,
      name: 'Vendor',
      baseUrl: 'API.example.com/compat/v1/chat/completions',
      ...vendorCredentials,
    })
    expect(core.context.tables.connections.get(id)?.baseUrl).toBe('https://api.example.com')
    await core.handlers['connections.save']({
      id,
      name: 'Vendor',
      baseUrl: 'https://api.example.org/v2/',
      clientId: 'other',
      clientSecret: 'x',
    })
    expect(core.context.tables.connections.get(id)).toMatchObject({
      baseUrl: 'https://api.example.org',
      clientId: 'other',
    })
  })

  it('is not saved with what is no address', async () => {
    const core = await coreOf()
    await expect(
      core.handlers['connections.save']({
        id: null,
        name: 'Vendor',
        baseUrl: 'https://me:pw@example.com',
        ...vendorCredentials,
      }),
    ).rejects.toMatchObject({ code: 'address_invalid' })
    expect(core.context.tables.connections.list().map(({ kind }) => kind)).toEqual(['local'])
  })
})
