import { setTimeout as wait } from 'node:timers/promises'
import { listenForHooks } from './hooks.ts'
import type { Hooks } from './hooks.ts'
import type { Target } from './target.ts'

export type ForeignOptions = {
  baseUrl: string
  clientId: string
  clientSecret: string
  documentalist: string | null
  privateDocumentalist: string | null
  extractor: string | null
  /** How the platform reaches this computer, and the port that is behind it here. */
  callback: { url: string; port: number } | null
}

/** Below the limit of 100 requests a minute, for whoever else uses the organization meanwhile. */
const requestsPerMinute = 80
const minuteMs = 60_000

/** A platform that somebody else runs. Requests to its proxy are spread so that its rate limit is not met. */
export async function foreignTarget(options: ForeignOptions): Promise<{ target: Target; hooks: Hooks | null }> {
  const hooks = options.callback === null ? null : await listenForHooks(options.callback.url, options.callback.port)
  let token: Promise<string> | null = null
  const sent: number[] = []
  const askToken = async (): Promise<string> => {
    const query = new URLSearchParams({ client_id: options.clientId, client_secret: options.clientSecret })
    const response = await fetch(`${options.baseUrl}/v2/token?${query.toString()}`)
    const body = (await response.json().catch(() => null)) as { access_token?: unknown } | null
    if (typeof body?.access_token !== 'string') throw new Error(`the platform gave no token: HTTP ${response.status}`)
    return body.access_token
  }
  const target: Target = {
    ...options,
    token: () => (token ??= askToken()),
    bearer: async () => {
      while (sent.length >= requestsPerMinute) {
        const leftMs = sent[0]! + minuteMs - Date.now()
        if (leftMs > 0) await wait(leftMs)
        else sent.shift()
      }
      sent.push(Date.now())
      return target.token()
    },
    hook: (refusals) => {
      if (hooks === null) throw new Error('there is no address for webhooks')
      return hooks.open(refusals)
    },
    own: null,
  }
  return { target, hooks }
}
