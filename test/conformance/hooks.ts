import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type HookCall = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
  at: number
}

/** One address for webhooks. */
export type Hook = {
  url: string
  calls: HookCall[]
  /** Resolves with the first `count` calls; rejects when they did not come within `timeoutMs`. */
  wait(count: number, timeoutMs?: number): Promise<HookCall[]>
}

export type Hooks = { open(refusals?: number): Hook; close(): Promise<void> }

/** A receiver of webhooks. `publicUrl` is how the platform reaches it; null for loopback. */
export async function listenForHooks(publicUrl: string | null, port: number): Promise<Hooks> {
  const heard = new Map<string, (call: HookCall) => number>()
  const server = createServer((request, response) => {
    void text(request).then((sent) => {
      const path = request.url ?? ''
      const hear = heard.get(new URL(path, 'http://loopback').pathname.split('/').at(-1) ?? '')
      const call = { method: request.method ?? '', path, headers: request.headers, body: parse(sent), at: Date.now() }
      response.writeHead(hear === undefined ? 404 : hear(call)).end()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, publicUrl === null ? '127.0.0.1' : '0.0.0.0', resolve)
  })
  const base = publicUrl?.replace(/\/+$/, '') ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    open(refusals = 0) {
      const id = randomUUID()
      const calls: HookCall[] = []
      let wake = (): void => undefined
      heard.set(id, (call) => {
        calls.push(call)
        wake()
        return calls.length <= refusals ? 500 : 200
      })
      return {
        url: `${base}/${id}`,
        calls,
        wait: (count, timeoutMs = 30_000) =>
          new Promise((resolve, reject) => {
            const timer = setTimeout(
              () => reject(new Error(`${calls.length} of ${count} webhooks came within ${timeoutMs} ms`)),
              timeoutMs,
            )
            wake = () => {
              if (calls.length < count) return
              clearTimeout(timer)
              resolve(calls.slice(0, count))
            }
            wake()
          }),
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Not JSON, or not an object: an empty object, which no case takes for a webhook. */
function parse(sent: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(sent)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {}
  } catch {
    return {}
  }
}
