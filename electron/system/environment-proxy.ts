import { BlockList, isIP } from 'node:net'
import type { ProxyFor } from './tunnel.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** curl's, for a proxy without one (man curl, --proxy). */
const defaultPort = '1080'

/**
 * The proxy that the environment names, as curl reads it (man curl, «ENVIRONMENT»): `https_proxy` or `HTTPS_PROXY`,
 * `http_proxy` (in lower case only, since a web server sets the other one from a request), else `all_proxy` or
 * `ALL_PROXY`; none for what `no_proxy` or `NO_PROXY` lists: names with what is below them, addresses, networks, `*`.
 */
export function environmentProxy(environment: Environment): ProxyFor {
  const read = (...names: string[]): string => names.map((name) => environment[name]).find(Boolean) ?? ''
  const all = read('all_proxy', 'ALL_PROXY')
  const https = proxyUrl(read('https_proxy', 'HTTPS_PROXY') || all)
  const http = proxyUrl(read('http_proxy') || all)
  const isExcepted = exceptions(read('no_proxy', 'NO_PROXY'))
  return async ({ protocol, hostname }) => {
    const proxy = protocol === 'https:' ? https : http
    return proxy === null || isExcepted(hostname) ? [] : [proxy]
  }
}

/** Null for nothing, and for what is no address: a typing error does not stop a command that needs no proxy. */
function proxyUrl(text: string): URL | null {
  if (text === '') return null
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  if (url?.protocol === 'http:' && !/:\d+\/?$/.test(text)) url.port = defaultPort
  return url
}

/** Whether a host is one of a list that is separated by commas or spaces. */
function exceptions(list: string): (hostname: string) => boolean {
  const entries = list
    .toLowerCase()
    .split(/[,\s]+/)
    .filter(Boolean)
  const networks = new BlockList()
  for (const entry of entries) {
    const [, address, bits] = /^([\d.]+|[\da-f:]+)\/(\d+)$/.exec(entry) ?? []
    const family = isIP(address ?? '')
    if (family !== 0 && Number(bits) <= (family === 4 ? 32 : 128))
      networks.addSubnet(address!, Number(bits), family === 4 ? 'ipv4' : 'ipv6')
  }
  const names = entries.map((entry) => entry.replace(/^\[|\]$/g, '').replace(/^\.|\.$/g, ''))
  return (hostname) => {
    const host = hostname
      .toLowerCase()
      .replace(/^\[|\]$/g, '')
      .replace(/\.$/, '')
    if (names.includes('*')) return true
    const family = isIP(host)
    if (family !== 0) return names.includes(host) || networks.check(host, family === 4 ? 'ipv4' : 'ipv6')
    return names.some((name) => host === name || host.endsWith(`.${name}`))
  }
}
