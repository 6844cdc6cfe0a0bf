import { randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, extname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { WebSocketServer } from 'ws'
import { maxCallBytes, maxKeepaliveBytes } from '../../shared/domain/limits.ts'
import { socketProtocol } from '../../shared/wire/window-session.ts'
import { namedHost } from '../system/named-host.ts'
import type { Core } from '../core/core.ts'
import { openDocument } from '../core/files/open-document.ts'
import type { OpenDocument } from '../core/files/open-document.ts'
import { fileError } from '../core/platform/upload.ts'
import { OpenWindows, serveSocket } from './websocket.ts'
import type { WindowCalls } from './websocket.ts'
import { answerUpload } from './upload.ts'

export type BrowserHost = {
  /** The address that opens the window once; it carries the launch token. */
  launchUrl: string
  close(): Promise<void>
}

export const contentSecurityPolicy = [
  "default-src 'self'",
  "img-src 'self' blob: data:",
  "style-src 'self'",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.pdf': 'application/pdf',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
}

/** The content type for a file name; bytes without a meaning for what is not known. */
export function contentTypeOf(name: string): string {
  return contentTypes[extname(name).toLowerCase()] ?? 'application/octet-stream'
}

type Access = {
  isOwnOrigin(request: IncomingMessage): boolean
  /** The secret for a request that has it already, or has the launch token for the first time; else null. */
  exchange(request: IncomingMessage): string | null
  hasSecret(request: IncomingMessage): boolean
  /** A script cannot give a WebSocket headers, so its secret is the second of the protocols that it offers. */
  offersSecret(request: IncomingMessage): boolean
}

/**
 * Who may speak to the window's server at `port`: scripts of its own origin that have the secret. It is worth nothing
 * after the host's end.
 */
function accessAt(port: number, launchToken: string): Access {
  const secret = randomSecret()
  let isLaunched = false
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`])
  const bears = (request: IncomingMessage, expected: string): boolean =>
    isSameText(request.headers.authorization ?? '', `Bearer ${expected}`)
  return {
    isOwnOrigin(request) {
      const { origin } = request.headers
      const host = namedHost(request)
      if (host === null || !hosts.has(host)) return false
      return origin === undefined || [...hosts].some((name) => origin === `http://${name}`)
    },
    exchange(request) {
      if (bears(request, secret)) return secret
      if (isLaunched || !bears(request, launchToken)) return null
      isLaunched = true
      return secret
    },
    hasSecret: (request) => bears(request, secret),
    offersSecret(request) {
      const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
      return isSameText(offered.join(), `${socketProtocol},${secret}`)
    },
  }
}

/**
 * Serves the window on 127.0.0.1. Every request must name this address as its host and, where it names one, this
 * origin. The window itself has no secrets and is served to all of those; whatever is of the person wants the secret,
 * which the launch token is exchanged for, once. All of that is checked before anything is routed.
 */
export async function serveWindow(core: Core, options: { port: number; rendererDir: string }): Promise<BrowserHost> {
  const launchToken = randomSecret()
  const server = createServer((request, response) => {
    handle(request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxCallBytes,
    // Each question has a turn of its own, so that its answer is on its way before the next one is worked on.
    allowSynchronousEvents: false,
    handleProtocols: () => socketProtocol,
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const access = accessAt(port, launchToken)
  const windows = new OpenWindows(core.handlers)

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    setSafetyHeaders(response)
    if (!access.isOwnOrigin(request)) return end(response, 403)
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    if (request.method === 'POST' && url.pathname === '/session') {
      const secret = access.exchange(request)
      return secret === null ? end(response, 403) : sendText(response, secret)
    }
    if (request.method === 'GET' && servedFile(core, url) === null)
      return sendAsset(response, options.rendererDir, url.pathname)
    if (!access.hasSecret(request)) return end(response, 403)
    return route(request, response, url)
  }

  async function route(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    if (request.method === 'POST' && url.pathname === '/upload') return upload(core, request, response, url)
    if (request.method === 'POST' && url.pathname === '/calls')
      return takeLastCalls(windows.callsOf(url), request, response)
    const file = servedFile(core, url)
    if (request.method !== 'GET' || file === null) return end(response, 405)
    return sendDocument(response, await findDocument(core, file.find), file.disposition)
  }

  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const path = request.url ?? ''
    const isPage = access.isOwnOrigin(request) && request.headers.origin !== undefined && access.offersSecret(request)
    if (!isPage || !/^\/ws(\?|$)/.test(path)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n')
      return
    }
    const calls = windows.callsOf(new URL(path, `http://${request.headers.host}`))
    sockets.handleUpgrade(request, socket, head, (client) =>
      serveSocket(client, calls, (listener) => core.onEvent(listener)),
    )
  })

  return {
    launchUrl: `http://127.0.0.1:${port}/?token=${launchToken}`,
    close: async () => {
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** The file of a person that a path of either host stands for, and how it is given out; null for any other path. */
export function servedFile(
  core: Core,
  url: URL,
): { find: () => string | Promise<string>; disposition: 'inline' | 'attachment' } | null {
  const [kind, id, index, ...others] = url.pathname.split('/').filter((part) => part !== '')
  if (kind === 'files' && id !== undefined && index === undefined)
    return { find: () => core.shownPath(Number(id)), disposition: 'inline' }
  if (kind === 'exports' && index !== undefined && others.length === 0)
    return { find: () => core.exportPath(Number(id), Number(index)), disposition: 'attachment' }
  return null
}

function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}

function isSameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function setSafetyHeaders(response: ServerResponse): void {
  response.setHeader('content-security-policy', contentSecurityPolicy)
  response.setHeader('x-content-type-options', 'nosniff')
  response.setHeader('referrer-policy', 'no-referrer')
  response.setHeader('cross-origin-opener-policy', 'same-origin')
  response.setHeader('cross-origin-resource-policy', 'same-origin')
  response.setHeader('cache-control', 'no-store')
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': 0 })
  response.end()
}

function sendText(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
  response.end(body)
}

async function upload(core: Core, request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  const { status, answer } = await answerUpload(core, url.searchParams, request)
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(answer))
}

/**
 * `POST /calls` of a window that ends; as with its socket, only of a page that says where it is from. Nobody hears an
 * answer.
 */
async function takeLastCalls(
  windowCalls: WindowCalls,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.headers.origin === undefined) return end(response, 403)
  if (Number(request.headers['content-length'] ?? Infinity) > maxKeepaliveBytes) return end(response, 413)
  return end(response, (await windowCalls.takeLast(await text(request))) ? 204 : 400)
}

type FoundDocument = OpenDocument & { path: string }

/**
 * Opens a person's file for the window; `find` throws where core knows none. Else the status that says why not: 404
 * where there is no file, 503 where it cannot be read now, as on a share that did not answer within the limits of core.
 * Throws nothing.
 */
export async function findDocument(
  core: Core,
  find: () => string | Promise<string>,
): Promise<FoundDocument | 404 | 503> {
  try {
    const path = await find()
    const opened = await openDocument(core.context.files, path)
    return opened === null ? 404 : { ...opened, path }
  } catch (error) {
    const { code } = fileError(error, '')
    return code === 'file_missing' || code === 'not_found' ? 404 : 503
  }
}

async function sendDocument(
  response: ServerResponse,
  found: FoundDocument | 404 | 503,
  disposition: 'inline' | 'attachment',
): Promise<void> {
  if (typeof found === 'number') return end(response, found)
  const { path, sizeBytes, content } = found
  // A document is shown, never run: whatever it is, it gets no rights of the app's own pages.
  response.setHeader('content-security-policy', "default-src 'none'; sandbox")
  response.writeHead(200, {
    'content-type': contentTypeOf(path),
    'content-length': sizeBytes,
    'content-disposition': `${disposition}; filename*=UTF-8''${encodeURIComponent(basename(path).toWellFormed())}`,
  })
  await pipeline(content, response)
}

/**
 * How the build names the files of the window: nothing that means something else to a file system, such as a way up, a
 * backslash, a stream of NTFS (`:`), an encoded byte, or an end that Windows does not see.
 */
const assetPath = /^(?:\/[\w-]+(?:\.[\w-]+)*)+$/
const maxAssetPathLength = 200

/** A file of the built window. Throws nothing: what is outside of it does not exist. */
export async function readAsset(
  rendererDir: string,
  pathname: string,
): Promise<{ body: Buffer; contentType: string } | null> {
  const name = pathname === '/' ? '/index.html' : pathname
  if (name.length > maxAssetPathLength || !assetPath.test(name)) return null
  const path = join(rendererDir, name)
  if (!existsSync(path) || !(await stat(path)).isFile()) return null
  return { body: await readFile(path), contentType: contentTypeOf(path) }
}

async function sendAsset(response: ServerResponse, rendererDir: string, pathname: string): Promise<void> {
  const asset = await readAsset(rendererDir, pathname)
  if (asset === null) return end(response, 404)
  // Named by what it holds (renderer/vite.config.ts): a reload need not fetch and compile it again.
  if (pathname.startsWith('/assets/')) response.setHeader('cache-control', 'private, max-age=31536000, immutable')
  response.writeHead(200, { 'content-type': asset.contentType, 'content-length': asset.body.length })
  response.end(asset.body)
}
