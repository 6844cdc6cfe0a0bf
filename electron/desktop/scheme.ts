import { Readable } from 'node:stream'
import { protocol } from 'electron'
import type { Core } from '../core/core.ts'
import { contentSecurityPolicy, contentTypeOf, findDocument, readAsset, servedFile } from '../browser/serve-window.ts'
import { answerUpload } from '../browser/upload.ts'
import { isAppUrl, scheme } from './app-address.ts'

/** More than the longest name of a file, percent-encoded, and what else an address of the window has. */
const maxUrlLength = 8192

/**
 * Before the app is ready: the window's own protocol, in place of file://, so that a page has an origin and no reach
 * into the disk.
 */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ])
}

/** Answers the routes that the browser host has, for the window of this process only. */
export function serveScheme(core: Core, rendererDir: string): void {
  protocol.handle(scheme, async (request) => {
    if (request.url.length > maxUrlLength) return refuse(414)
    if (!isAppUrl(request.url) || !isFromApp(request)) return refuse(403)
    const url = new URL(request.url)
    if (request.method === 'POST' && url.pathname === '/upload') return upload(core, request, url)
    if (request.method !== 'GET') return refuse(405)
    const file = servedFile(core, url)
    if (file !== null) return document(core, file.find)
    const asset = await readAsset(rendererDir, url.pathname)
    if (asset === null) return refuse(404)
    return new Response(new Uint8Array(asset.body), {
      headers: {
        ...safetyHeaders,
        'content-type': asset.contentType,
        'content-security-policy': contentSecurityPolicy,
      },
    })
  })
}

/** Nothing of the person's is for another origin, for a cache, or taken for something else than it says. */
const safetyHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** A document is shown, never run: whatever it is, it gets no rights of the app's own page. */
const inert = "default-src 'none'; sandbox"

function refuse(status: number): Response {
  return new Response(null, { status, headers: { ...safetyHeaders, 'content-security-policy': inert } })
}

/** A page that names its origin names ours. */
function isFromApp(request: Request): boolean {
  const origin = request.headers.get('origin')
  return origin === null || isAppUrl(origin)
}

async function document(core: Core, find: () => string | Promise<string>): Promise<Response> {
  const found = await findDocument(core, find)
  if (typeof found === 'number') return refuse(found)
  return new Response(Readable.toWeb(found.content) as ReadableStream, {
    headers: {
      ...safetyHeaders,
      'content-type': contentTypeOf(found.path),
      'content-length': String(found.sizeBytes),
      'content-security-policy': inert,
    },
  })
}

async function upload(core: Core, request: Request, url: URL): Promise<Response> {
  const content =
    request.body === null ? Readable.from([]) : Readable.fromWeb(request.body as Parameters<typeof Readable.fromWeb>[0])
  const { status, answer } = await answerUpload(core, url.searchParams, content)
  return Response.json(answer, { status, headers: safetyHeaders })
}
