import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type UpdateServer = { port: number; asked: { path: string; headers: Record<string, unknown> }[] }

/**
 * An HTTP server on loopback until the test ends: each path, without its query, has a listener; else it answers 404.
 */
export async function startUpdateServer(routes: Record<string, RequestListener>): Promise<UpdateServer> {
  const asked: UpdateServer['asked'] = []
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://updates.test')
    asked.push({ path: pathname, headers: request.headers })
    const listener = routes[pathname]
    if (listener === undefined) response.writeHead(404).end()
    else listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return { port: (server.address() as AddressInfo).port, asked }
}

/** What electron-builder writes beside a release: `more` is added to it, or replaces. JSON is YAML as well. */
export function manifestOf(file: { name: string; content: string }, more: object = {}): string {
  const sha512 = createHash('sha512').update(file.content).digest('base64')
  return JSON.stringify({
    version: '0.2.0',
    files: [{ url: file.name, sha512, size: Buffer.byteLength(file.content) }],
    path: file.name,
    sha512,
    releaseDate: '2026-11-26T00:00:00.000Z',
    ...more,
  })
}
