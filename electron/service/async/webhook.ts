import { HttpAgent } from '../../system/http-agent.ts'
import { namesPrivateHost, publicLookup } from './callback-policy.ts'

export type WebhookPolicy = {
  /** Wait after the first failed try; each later wait is twice as long. */
  firstDelayMs: number
  maxDelayMs: number
  /**
   * Counted from the end of the extraction, or from when it was made due again; after it the webhook waits for the next
   * start of the service or for a person.
   */
  giveUpAfterMs: number
  /** For one whole try, from connecting to the last byte of the answer's head. */
  timeoutMs: number
  /** Whether a webhook may be sent to an address inside this network. */
  allowPrivate: boolean
}

export const defaultWebhookPolicy: WebhookPolicy = {
  firstDelayMs: 1000,
  maxDelayMs: 60 * 60 * 1000,
  giveUpAfterMs: 24 * 60 * 60 * 1000,
  timeoutMs: 30_000,
  allowPrivate: false,
}

/** How long to wait after `tries` failed tries. */
export function delayAfter(tries: number, policy: WebhookPolicy): number {
  return Math.min(policy.firstDelayMs * 2 ** Math.max(0, tries - 1), policy.maxDelayMs)
}

/** Why a webhook was not taken: the status, `timeout`, or the code of the error. */
type WebhookFailure = string

/**
 * Whether the service may send there at all. Asked at acceptance as well; but what was accepted under another rule must
 * not slip through.
 */
export function mayBeSentTo(callback: string, policy: WebhookPolicy): boolean {
  return policy.allowPrivate || !namesPrivateHost(new URL(callback))
}

/**
 * Sends one webhook (spec, «Events»; method and headers are not shown there). Null when the receiver answered 2xx, else
 * why it was not taken. Redirects are not followed and the answer's body is not read, so a receiver can neither send
 * the values elsewhere nor fill the memory.
 */
export async function postWebhook(
  callback: string,
  payload: string,
  policy: WebhookPolicy,
  signal: AbortSignal,
): Promise<WebhookFailure | null> {
  // One connection for one try: a pooled one that died would look like a failed delivery.
  const agent = new HttpAgent({
    pipelining: 0,
    connections: 1,
    ...(policy.allowPrivate ? {} : { connect: { lookup: publicLookup } }),
  })
  try {
    const { statusCode, body } = await agent.request(callback, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'sheaf-service' },
      body: payload,
      signal: AbortSignal.any([signal, AbortSignal.timeout(policy.timeoutMs)]),
    })
    body.on('error', () => undefined)
    body.destroy()
    return statusCode >= 200 && statusCode < 300 ? null : String(statusCode)
  } catch (error) {
    return failureOf(error)
  } finally {
    await agent.destroy()
  }
}

/** Why a try ended with an error. */
export function failureOf(error: unknown): WebhookFailure {
  if (!(error instanceof Error)) return 'error'
  if (error.name === 'TimeoutError') return 'timeout'
  return 'code' in error && typeof error.code === 'string' ? error.code : 'error'
}
