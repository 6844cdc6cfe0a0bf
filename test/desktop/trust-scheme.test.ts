import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { registerScheme, serveScheme } from '../../electron/desktop/scheme.ts'
import { pdfBytes, simpleSchema, startTestCore, temporaryDir, until } from '../helpers/core.ts'

type Handler = (request: Request) => Promise<Response>
const electron = vi.hoisted(() => ({
  privileges: [] as unknown[],
  handler: null as Handler | null,
}))
vi.mock('electron', () => ({
  protocol: {
    registerSchemesAsPrivileged: (list: unknown[]) => void electron.privileges.push(...list),
    handle: (_scheme: string, handler: Handler) => void (electron.handler = handler),
  },
}))

const canary = 'canary-outside-of-the-window'
const dir = temporaryDir()
const rendererDir = join(dir.path, 'renderer')
const page = '<!doctype html><title>Sheaf</title>'
let core: Core
let documentId: number

beforeAll(async () => {
  for (const folder of ['renderer/assets', 'renderer/pdfjs/cmaps', 'renderer-beside', 'in', 'data'])
    mkdirSync(join(dir.path, folder), { recursive: true })
  const files = {
    'renderer/index.html': page,
    'renderer/assets/index-yTn0Imqt.js': 'export {}',
    'renderer/assets/index-CVIq.css': 'p {}',
    'renderer/pdfjs/cmaps/UniGB-UTF16-V.bcmap': 'map',
    'renderer/.hidden': canary,
    'renderer-beside/secret.txt': canary,
    'secrets.json': canary,
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dir.path, name), content)
  // A name that is a file on Linux and a stream of another file on Windows.
  if (process.platform !== 'win32') writeFileSync(join(rendererDir, 'index.html::$DATA'), canary)
  core = await startTestCore(join(dir.path, 'data'))
  core.queue.pause()
  registerScheme()
  serveScheme(core, rendererDir)
  const { tables, now } = core.context
  const schemaId = tables.schemas.save(null, 'Invoice', [...simpleSchema], now()).id
  const connectionId = tables.connections.local().id
  expect(
    (
      await post(
        `/upload?name=${encodeURIComponent('Rechnung 1.pdf')}&schemaId=${schemaId}&connectionId=${connectionId}`,
      )
    ).status,
  ).toBe(200)
  await until(() => tables.documents.openCount() === 1, 'the document')
  documentId = tables.documents.inFolder(tables.folders.list()[0]!.id)[0]!.id
})
afterAll(async () => {
  await core.stop({ atOnce: true })
  dir.remove()
})

const ask = (url: string, init: RequestInit = {}): Promise<Response> =>
  electron.handler!(new Request(url.startsWith('/') ? `sheaf://app${url}` : url, init))
const post = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  ask(url, { method: 'POST', body: new Uint8Array(pdfBytes('a')), headers })

describe('the protocol of the window', () => {
  it('is a secure origin that bypasses no policy and lets no other origin in', () => {
    expect(electron.privileges).toEqual([
      { scheme: 'sheaf', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
    ])
  })

  it.each([
    ['/', 'text/html; charset=utf-8'],
    ['/index.html', 'text/html; charset=utf-8'],
    ['/assets/index-yTn0Imqt.js', 'text/javascript; charset=utf-8'],
    ['/assets/index-CVIq.css', 'text/css; charset=utf-8'],
    ['/pdfjs/cmaps/UniGB-UTF16-V.bcmap', 'application/octet-stream'],
  ])('serves %s as %s, with a policy that allows scripts of its own only', async (path, contentType) => {
    const response = await ask(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(contentType)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const policy = new Map(
      response.headers
        .get('content-security-policy')!
        .split('; ')
        .map((directive) => directive.split(/ (.*)/) as [string, string]),
    )
    expect(Object.fromEntries(policy)).toMatchObject({
      'default-src': "'self'",
      'connect-src': "'self'",
      'style-src': "'self'",
      'frame-src': "'none'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    })
    expect(policy.has('script-src')).toBe(false)
    expect([...policy.values()].join(' ')).not.toMatch(/unsafe|https?:|\*/)
  })

  it('gives a document out inert, for nobody else and for no cache', async () => {
    const response = await ask(`/files/${documentId}`)
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(pdfBytes('a'))
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': '2000',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    })
  })

  it('has nothing but the files of the window, however another is written', async () => {
    const ways = [
      '..',
      '%2e%2e',
      '.%2e',
      '%252e%252e',
      '..%2f',
      '..%5c',
      '..\\',
      '%c0%ae%c0%ae',
      '....//',
      '..;',
      '..%00',
    ]
    const paths = [
      ...ways.flatMap((way) => [
        `/${way}/secrets.json`,
        `/${way}secrets.json`,
        `/${way}/renderer-beside/secret.txt`,
        `/assets/${way}/${way}/secrets.json`,
        `/files/${way}/1`,
        `/exports/1/${way}`,
      ]),
      '/index.html%00.txt',
      '/index\0.html',
      '/index.html::$DATA',
      '/index.html:stream',
      '/index.html.',
      '/index.html%20',
      '/index.html/',
      '/INDEX.HTML%2f',
      '/.hidden',
      '/assets//index-CVIq.css',
      '//index.html',
      '/C:/Windows/win.ini',
      '/%5c%5c127.0.0.1%5cshare',
      '/assets',
      '/CON',
      '/files/NaN',
      '/files/-1',
      '/files/',
      '/files/1/2',
      '/exports/1/__proto__',
      `/${'a/'.repeat(2000)}a`,
      `/${'a'.repeat(300)}`,
    ]
    for (const path of paths) {
      const response = await ask(path)
      expect([path, response.status, await response.text()]).toEqual([path, 404, ''])
    }
  })

  it('answers no address that is too long for a name', async () => {
    expect((await ask(`/files/1?${'x'.repeat(10_000)}`)).status).toBe(414)
  })

  it.each(['sheaf://elsewhere/index.html', 'sheaf://app.evil.test/', 'sheaf://app:1/', 'sheaf://APP/', 'sheaf:app/'])(
    'is no other host’s: %s gets 403',
    async (url) => {
      expect((await ask(url)).status).toBe(403)
    },
  )

  it('answers no page that names another origin, and takes no file from one', async () => {
    const inbox = (): string[] =>
      readdirSync(join(dir.path, 'data'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.pdf'))
    const before = inbox()
    for (const origin of ['https://evil.test', 'null', 'sheaf://other', 'sheaf://app.evil.test']) {
      expect((await ask('/', { headers: { origin } })).status, origin).toBe(403)
      expect((await post('/upload?name=b.pdf&schemaId=1&connectionId=1', { origin })).status, origin).toBe(403)
    }
    expect(inbox()).toEqual(before)
    expect((await ask('/', { headers: { origin: 'sheaf://app' } })).status).toBe(200)
  })

  it.each(['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'POST', 'PROPFIND'])('does not know %s', async (method) => {
    for (const path of ['/', `/files/${documentId}`]) expect((await ask(path, { method })).status, path).toBe(405)
  })
})
