import type { ProxyFor } from '../system/tunnel.ts'

const schemes: Record<string, string> = { PROXY: 'http', HTTPS: 'https' }

/**
 * The proxies of the system's settings, also where a script of the network chooses them: `resolve` gives Chromium's
 * list for a URL («PROXY a:80; DIRECT»). Those of another kind (SOCKS) are passed over where another way follows; else
 * they remain, and are refused when they are used.
 */
export function systemProxy(resolve: (url: string) => Promise<string>): ProxyFor {
  return async (url) => {
    const ways = (await resolve(url.href))
      .split(';')
      .map((entry) => entry.trim().split(/\s+/))
      .map(([kind = '', host]) =>
        kind.toUpperCase() === 'DIRECT' ? null : URL.parse(`${schemes[kind.toUpperCase()] ?? 'socks'}://${host ?? ''}`),
      )
    const usable = ways.filter((way) => way === null || way.protocol !== 'socks:')
    return usable.length > 0 ? usable : ways
  }
}
