import { Agent, request } from 'undici'
import { namesPrivateHost, publicLookup } from './callback-policy.ts'

export type WebhookPolicy = {
  /** Wait after the first failed try; each later wait is twice as long. */
  firstDelayMs: number
  maxDelayMs: number
  /** Counted from the end of the extraction, or from when it was made due again; after it the webhook waits for the next start of the service or for a person. */
  restAfterMs: number
  /** For one whole try, from connecting to the last byte of the answer's head. */
  timeoutMs: number
  /** Whether a webhook may be sent to an address inside this network. */
  allowPrivate: boolean
}

export const defaultWebhookPolicy: WebhookPolicy = {
  firstDelayMs: 1000,
  maxDelayMs: 60 * 60 * 1000,
  restAfterMs: 24 * 60 * 60 * 1000,
  timeoutMs: 30_000,
  allowPrivate: false,
}

/** How long to wait after `tries` failed tries. */
export function delayAfter(tries: number, policy: WebhookPolicy): number {
  return Math.min(policy.firstDelayMs * 2 ** Math.max(0, tries - 1), policy.maxDelayMs)
}

/**
 * Sends one webhook (spec, «Events»; method and headers are not shown there). True when the
 * receiver answered 2xx. Redirects are not followed and the answer's body is not read, so a
 * receiver can neither send the values elsewhere nor fill the memory.
 */
export async function postWebhook(callback: string, payload: string, policy: WebhookPolicy, signal: AbortSignal): Promise<boolean> {
  // Asked at acceptance as well; but what was accepted under another rule must not slip through.
  if (!policy.allowPrivate && namesPrivateHost(new URL(callback))) return false
  // One connection for one try: a pooled one that died would look like a failed delivery.
  const dispatcher = new Agent({ pipelining: 0, connections: 1, ...(policy.allowPrivate ? {} : { connect: { lookup: publicLookup } }) })
  try {
    const { statusCode, body } = await request(callback, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'sheaf-service' },
      body: payload,
      signal: AbortSignal.any([signal, AbortSignal.timeout(policy.timeoutMs)]),
    })
    body.on('error', () => undefined)
    body.destroy()
    return statusCode >= 200 && statusCode < 300
  } catch {
    return false
  } finally {
    await dispatcher.destroy()
  }
}
