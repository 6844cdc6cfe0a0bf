import { Readable } from 'node:stream'
import { protocol } from 'electron'
import type { Core } from '../core/core.ts'
import { contentSecurityPolicy, contentTypeOf, findDocument, readAsset, servedFile } from '../browser/serve-window.ts'
import { answerUpload } from '../browser/upload.ts'

/** The window's own protocol, in place of file://, so that a page has an origin and no reach into the disk. */
const scheme = 'sheaf'
export const appOrigin = `${scheme}://app`

/** Before the app is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ])
}

/** True for a page of the app's own. */
export function isAppUrl(url: string): boolean {
  return url === appOrigin || url.startsWith(`${appOrigin}/`)
}

/** Answers the routes that the browser host has, for the window of this process only. */
export function serveScheme(core: Core, rendererDir: string): void {
  protocol.handle(scheme, async (request) => {
    const url = new URL(request.url)
    if (url.host !== 'app') return new Response(null, { status: 403 })
    if (request.method === 'POST' && url.pathname === '/upload') return upload(core, request, url)
    if (request.method !== 'GET') return new Response(null, { status: 405 })
    const file = servedFile(core, url)
    if (file !== null) return document(core, file.find)
    const asset = await readAsset(rendererDir, url.pathname)
    if (asset === null) return new Response(null, { status: 404 })
    return new Response(new Uint8Array(asset.body), {
      headers: {
        'content-type': asset.contentType,
        'content-security-policy': contentSecurityPolicy,
        'x-content-type-options': 'nosniff',
      },
    })
  })
}

async function document(core: Core, find: () => string): Promise<Response> {
  const found = await findDocument(core, find)
  if (typeof found === 'number') return new Response(null, { status: found })
  return new Response(Readable.toWeb(found.content) as ReadableStream, {
    headers: {
      'content-type': contentTypeOf(found.path),
      'content-length': String(found.sizeBytes),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  })
}

async function upload(core: Core, request: Request, url: URL): Promise<Response> {
  const content =
    request.body === null ? Readable.from([]) : Readable.fromWeb(request.body as Parameters<typeof Readable.fromWeb>[0])
  const { status, answer } = await answerUpload(core, url.searchParams, content)
  return Response.json(answer, { status })
}
