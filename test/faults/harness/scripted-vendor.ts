import { createHash } from 'node:crypto'
import { createServer, request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { successBody, vendorCredentials } from '../../helpers/vendor.ts'

/** A document that arrived whole. */
export type Order = {
  /** Of all requests with a document, in the order of arrival, from 0. */
  number: number
  /** Of those that arrived whole for the same document, from 0. */
  ofFile: number
  filename: string
  sha256: string
  callback: string | null
  extractId: string
}

export type Reply = {
  /** Whether the document was worked on, which is what this service bills. */
  bills: boolean
  /** `break`: the connection ends without a word; `silence`: it never says anything. */
  answer:
    | { status: number; body: string; headers?: Record<string, string>; cutAfterBytes?: number }
    | 'break'
    | 'silence'
}

export type Script = {
  /** Before the body is read: after how many bytes of it the connection breaks; null reads all of it. */
  begin?: (request: { number: number; sizeBytes: number }) => number | null
  whole: (order: Order) => Reply | Promise<Reply>
}

export type ScriptedVendor = {
  baseUrl: string
  /** Documents that were worked on, by name: what would stand on the bill. */
  billed: Map<string, number>
  orders: Order[]
  /** What came of the last post of each webhook that is not delivered yet, by the document's name. */
  undelivered: Map<string, string>
  /** Requests of which the body did not arrive whole. */
  cutShort: () => number
  /** Begins to post a webhook and breaks off in the middle of it, as a network does. */
  breakOff: (order: Order, body: string) => Promise<void>
  /**
   * Posts a webhook again and again until it is answered 200, or `until` says that it is over. Resolves with the number
   * of posts.
   */
  deliver: (order: Order, body: string, retryMs: number, until: AbortSignal) => Promise<number>
  close: () => Promise<void>
}

/**
 * A platform that bills whatever it worked on and fails as it is told to. Unlike `startVendor` it breaks connections
 * within a body, and delivers webhooks as a platform would that tries again.
 */
export async function startScriptedVendor(script: Script): Promise<ScriptedVendor> {
  const orders: Order[] = []
  const billed = new Map<string, number>()
  const arrived = new Map<string, number>()
  const counts = { requests: 0, cutShort: 0 }
  const silent = new Set<ServerResponse>()
  const undelivered = new Map<string, string>()

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy())
  })
  server.requestTimeout = 0

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', 'http://vendor.test')
    if (url.pathname === '/v2/token') {
      const right =
        url.searchParams.get('client_id') === vendorCredentials.clientId &&
        url.searchParams.get('client_secret') === vendorCredentials.clientSecret
      return say(
        response,
        right ? 200 : 401,
        right
          ? '{"access_token":"scripted","token_type":"x-api-key","expires_in":"3600"}'
          : '{"status":"error","error":"Unauthorized"}',
      )
    }
    const number = counts.requests++
    const breakAfter = script.begin?.({ number, sizeBytes: Number(incoming.headers['content-length'] ?? 0) }) ?? null
    const body = await read(incoming, breakAfter)
    if (body === null) {
      counts.cutShort += 1
      return void incoming.socket.destroy()
    }
    const order = orderOf(number, url.pathname, body)
    orders.push(order)
    const reply = await script.whole(order)
    if (reply.bills) billed.set(order.filename, (billed.get(order.filename) ?? 0) + 1)
    if (reply.answer === 'break') return void incoming.socket.destroy()
    if (reply.answer === 'silence') return void silent.add(response)
    const { status, headers, cutAfterBytes } = reply.answer
    if (cutAfterBytes === undefined) return say(response, status, reply.answer.body, headers)
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(reply.answer.body),
    })
    response.write(reply.answer.body.slice(0, cutAfterBytes))
  }

  function orderOf(number: number, path: string, body: Buffer): Order {
    const message = JSON.parse(body.toString('utf8')) as Record<string, unknown>
    const filename = String(message['filename'])
    const ofFile = arrived.get(filename) ?? 0
    arrived.set(filename, ofFile + 1)
    return {
      number,
      ofFile,
      filename,
      sha256: createHash('sha256')
        .update(Buffer.from(String(message['file']), 'base64'))
        .digest('hex'),
      callback: path.includes('/async') ? String(message['callback']) : null,
      extractId: `extract-${number}`,
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    billed,
    orders,
    undelivered,
    cutShort: () => counts.cutShort,
    breakOff: (order, body) =>
      new Promise((resolve) => {
        const post = request(order.callback!, {
          method: 'POST',
          agent: false,
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        })
        post.on('error', () => undefined)
        post.on('close', () => resolve())
        post.write(body.slice(0, body.length / 2), () => post.destroy())
      }),
    async deliver(order, body, retryMs, until) {
      undelivered.set(order.filename, 'not posted yet')
      for (let posts = 1; ; posts += 1) {
        const answered = await fetch(order.callback!, {
          method: 'POST',
          body,
          signal: until,
          headers: { 'content-type': 'application/json', connection: 'close' },
        })
          .then((response) => String(response.status))
          .catch((error: unknown) => String(error instanceof Error ? (error.cause ?? error) : error))
        undelivered.set(order.filename, `${posts} posts, the last: ${answered}`)
        if (answered === '200') undelivered.delete(order.filename)
        if (answered === '200' || until.aborted) return posts
        await wait(retryMs, undefined, { signal: until }).catch(() => undefined)
      }
    },
    close: () => {
      for (const response of silent) response.destroy()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** The webhook of a result (spec, Events), with the file's name as the one value. */
export function webhookBody(order: Order): string {
  return JSON.stringify({
    extract_id: order.extractId,
    ...(JSON.parse(successBody(order.filename)) as Record<string, unknown>),
  })
}

/** The receipt of an asynchronous request, or the result of a synchronous one. */
export function goodAnswer(order: Order): { status: number; body: string } {
  if (order.callback === null) return { status: 200, body: successBody(order.filename) }
  return { status: 200, body: JSON.stringify({ status: 'started', extract_id: order.extractId }) }
}

function say(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body)
}

/** The whole body; null when the connection broke, or is to be broken, before its end. */
async function read(request: IncomingMessage, breakAfter: number | null): Promise<Buffer | null> {
  const parts: Buffer[] = []
  let size = 0
  if (breakAfter === 0) return null
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      parts.push(part)
      size += part.length
      if (breakAfter !== null && size >= breakAfter) return null
    }
  } catch {
    return null
  }
  return Buffer.concat(parts)
}
