import { EventEmitter } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { strict } from './electron-stand-in.ts'

type Guard = (details: { url: string }, answer: (verdict: { cancel?: boolean }) => void) => void

type RequestOptions = {
  protocol: string
  hostname: string
  port?: string
  path: string
  method?: string
  redirect?: 'manual' | 'follow'
  headers: Record<string, string>
  session: { guard(): Guard | null; sent: Set<ClientRequest> }
}

/**
 * Electron's `net` and `session.fromPartition`, as far as electron-updater uses them, on real HTTP: `ports` says which
 * port of this computer stands for an origin such as `https://updates.test`. A session's `onBeforeRequest` is asked
 * before each request, as Electron's network service does.
 */
export function electronNet(ports: Record<string, number>): {
  net: object
  session: (partition: string, options: object) => object
} {
  const sessions = new Map<string, object>()
  return {
    net: strict('net', {
      request: (options: RequestOptions) => strict('net request', netRequest(options, ports)),
    }),
    session: (partition) => {
      let guard: Guard | null = null
      const sent = new Set<ClientRequest>()
      const session =
        sessions.get(partition) ??
        strict('session', {
          webRequest: strict('webRequest', { onBeforeRequest: (listener: Guard) => void (guard = listener) }),
          closeAllConnections: async () => sent.forEach((request) => request.destroy()),
          guard: () => guard,
          sent,
        })
      sessions.set(partition, session)
      return session
    },
  }
}

/** A request that is sent once it has ended; redirects are said, and followed unless it was aborted then. */
function netRequest(
  { protocol, hostname, port, path, ...options }: RequestOptions,
  ports: Record<string, number>,
): object {
  const { session, method = 'GET', headers, redirect = 'follow' } = options
  const events = new EventEmitter()
  let sent: ClientRequest | null = null
  let isAborted = false
  const fail = (reason: string): void => {
    if (!isAborted) queueMicrotask(() => events.emit('error', new Error(`net::${reason}`)))
  }
  const receive = (url: URL, response: IncomingMessage): void => {
    const { statusCode = 0, headers: received } = response
    if (statusCode < 300 || statusCode >= 400 || received.location === undefined) {
      events.emit('response', response)
      return
    }
    response.resume()
    const target = new URL(received.location, url)
    events.emit('redirect', statusCode, method, target.href, received)
    if (redirect === 'manual') fail('ERR_ABORTED')
    else if (!isAborted) send(target)
  }
  const send = (url: URL): void => {
    let isCancelled = false
    session.guard()?.({ url: url.href }, ({ cancel }) => (isCancelled = cancel === true))
    const known = ports[url.origin]
    if (isCancelled) return fail('ERR_BLOCKED_BY_CLIENT')
    if (known === undefined) return fail('ERR_NAME_NOT_RESOLVED')
    sent = httpRequest({
      host: '127.0.0.1',
      port: known,
      method,
      path: url.pathname + url.search,
      headers,
      agent: false,
    })
    sent.on('response', (response) => receive(url, response))
    sent.on('error', () => fail('ERR_CONNECTION_CLOSED'))
    session.sent.add(sent)
    sent.end()
  }
  return Object.assign(events, {
    end: () => send(new URL(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`)),
    abort: () => {
      isAborted = true
      sent?.destroy()
    },
  })
}
