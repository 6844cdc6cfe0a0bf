import { request } from 'node:http'
import type { Socket } from 'node:net'
import { trustSystemCertificates } from './certificates.ts'

/**
 * The ways to the host of a URL, in the order in which they are tried: the address of a proxy, or null for no proxy. It
 * is asked before each connection that leaves this computer.
 */
export type ProxyFor = (url: URL) => Promise<readonly (URL | null)[]>

/**
 * No proxy let a connection through. `code`: PROXY_ and the status that it answered, UNREACHABLE, TIMEOUT,
 * UNSUPPORTED for what is no HTTP proxy, or UNKNOWN where nobody says which one it is.
 */
export class ProxyError extends Error {
  readonly code: string
  /** Host and port, without what signs in there. */
  readonly proxy: string

  constructor(reason: string | number, proxy: string, cause?: unknown) {
    super(`the proxy ${proxy} let no connection through: ${reason}`, { cause })
    this.name = 'ProxyError'
    this.code = `PROXY_${reason}`
    this.proxy = proxy
  }
}

/**
 * A connection to the host of `url` through the first of its proxies that can be reached, opened by CONNECT (RFC 9110,
 * 9.3.6); null where none is meant. Throws `ProxyError` when a proxy answers with a refusal, and when there is nothing
 * behind the last one that cannot be reached: `timeoutMs` for each.
 */
export async function openTunnel(url: URL, proxyFor: ProxyFor, timeoutMs: number): Promise<Socket | null> {
  let unreachable: ProxyError | null = null
  for (const proxy of await waysTo(url, proxyFor, timeoutMs)) {
    if (proxy === null) return null
    try {
      return await connectThrough(proxy, url, timeoutMs)
    } catch (error) {
      // A refusal is an answer: whoever runs the proxy wants no way around it.
      if (!(error instanceof ProxyError) || /\d/.test(error.code)) throw error
      unreachable = error
    }
  }
  if (unreachable !== null) throw unreachable
  return null
}

/** What `proxyFor` says; a script of the network that chooses the proxy may fail, or never come. */
async function waysTo(url: URL, proxyFor: ProxyFor, timeoutMs: number): ReturnType<ProxyFor> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('nobody said in time')), timeoutMs)
  })
  try {
    return await Promise.race([proxyFor(url), late])
  } catch (error) {
    throw new ProxyError('UNKNOWN', '?', error)
  } finally {
    clearTimeout(timer)
  }
}

function connectThrough(proxy: URL, url: URL, timeoutMs: number): Promise<Socket> {
  const { protocol, hostname, host, username, password } = proxy
  const target = `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`
  if (protocol !== 'http:' && protocol !== 'https:') return Promise.reject(new ProxyError('UNSUPPORTED', host))
  const isSecure = protocol === 'https:'
  if (isSecure) trustSystemCertificates()
  // Loaded when it is needed: it takes 7 ms.
  const send = isSecure ? process.getBuiltinModule('node:https').request : request
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return new Promise((resolve, reject) => {
    const connecting = send({
      method: 'CONNECT',
      host: hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (isSecure ? 443 : 80),
      path: target,
      headers: {
        host: target,
        ...(username === '' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
      },
      // No connection of an earlier request.
      agent: false,
    })
    const timer = setTimeout(() => connecting.destroy(new ProxyError('TIMEOUT', host)), timeoutMs)
    connecting.on('connect', (response, socket: Socket, first) => {
      clearTimeout(timer)
      if (response.statusCode === 200) {
        socket.unshift(first)
        resolve(socket)
        return
      }
      socket.destroy()
      reject(new ProxyError(response.statusCode ?? 0, host))
    })
    connecting.on('error', (error) => {
      clearTimeout(timer)
      reject(error instanceof ProxyError ? error : new ProxyError('UNREACHABLE', host, error))
    })
    connecting.end()
  })
}
