import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerQuestion, questionKind } from './vendor-questions.ts'
import type { Asked, QuestionOptions } from './vendor-questions.ts'

/** A document that the vendor received whole: what another company's server would bill. */
export type Received = {
  filename: string
  sizeBytes: number
  sha256: string
  path: string
  params: unknown
  callback: string | null
  sources: boolean
}

export type VendorReply = {
  status?: number
  body?: string
  headers?: Record<string, string>
  delayMs?: number
  /** Read everything, then break the connection without a word. */
  drop?: boolean
}

export type Vendor = {
  baseUrl: string
  received: Received[]
  /** Questions, chats and requests for the models, in the order of arrival (`vendor-questions.ts`). */
  asked: Asked[]
  tokensIssued: () => number
  maxAtOnce: () => number
  /** Sends a webhook; resolves with the status that was answered. */
  callBack: (url: string, body: string, method?: string, contentType?: string) => Promise<number>
  close: () => Promise<void>
}

export type VendorOptions = QuestionOptions & {
  port?: number
  expiresIn?: unknown
  refuseTokens?: boolean
  /** Answers the n-th request for a token (from 0) in another way than with a token. */
  token?: (index: number) => VendorReply | null | Promise<VendorReply | null>
}

export const vendorCredentials = { clientId: 'vendor-client', clientSecret: 'vendor-secret' }

/**
 * A platform of somebody else's make, written from the interface's text: it knows nothing of Sheaf's own shapes.
 * `reply` decides about each document that arrived whole, in the order of arrival (`index` from 0).
 */
export async function startVendor(
  reply: (document: Received, index: number) => VendorReply | Promise<VendorReply> = () => ({}),
  options: VendorOptions = {},
): Promise<Vendor> {
  const received: Received[] = []
  const asked: Asked[] = []
  const state = { tokens: 0, tokenRequests: 0, now: 0, maxAtOnce: 0 }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })

  async function issueToken(url: URL, response: ServerResponse): Promise<void> {
    state.tokenRequests += 1
    const scripted = (await options.token?.(state.tokenRequests - 1)) ?? null
    if (scripted !== null) return send(response, scripted.status ?? 200, scripted.body ?? '', scripted.headers)
    const right =
      url.searchParams.get('client_id') === vendorCredentials.clientId &&
      url.searchParams.get('client_secret') === vendorCredentials.clientSecret
    if (!right || options.refuseTokens === true)
      return send(response, 401, '{"status":"error","code":"401","error":"Unauthorized","detail":"bad credentials"}')
    state.tokens += 1
    const expires = 'expiresIn' in options ? options.expiresIn : '3600'
    return send(
      response,
      200,
      JSON.stringify({ access_token: `token-${state.tokens}`, token_type: 'x-api-key', expires_in: expires }),
    )
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://vendor.test')
    if (url.pathname === '/v2/token') return issueToken(url, response)
    const body = await read(request)
    const kind = questionKind(url.pathname)
    if (kind !== null) return answerQuestion(kind, url.pathname, request, body, response, options, asked)
    if (!url.pathname.startsWith('/v2/extractor')) return send(response, 404, '{"status":"error","error":"Not Found"}')
    if (request.headers['x-api-key'] === undefined) return send(response, 401, '{"status":"error","error":"no key"}')
    return extract(url, request, body, response)
  }

  async function extract(url: URL, request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    state.now += 1
    state.maxAtOnce = Math.max(state.maxAtOnce, state.now)
    try {
      const message = JSON.parse(body.toString('utf8')) as Record<string, unknown>
      const file = Buffer.from(String(message['file']), 'base64')
      const document: Received = {
        filename: String(message['filename']),
        sizeBytes: file.length,
        sha256: createHash('sha256').update(file).digest('hex'),
        path: url.pathname,
        params: message['params'],
        callback: typeof message['callback'] === 'string' ? message['callback'] : null,
        sources: request.headers['x-sheaf-sources'] !== undefined,
      }
      const chosen = await reply(document, received.push(document) - 1)
      if (chosen.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, chosen.delayMs))
      if (chosen.drop === true) return void request.socket.destroy()
      send(response, chosen.status ?? 200, chosen.body ?? successBody(document.filename), chosen.headers)
    } finally {
      state.now -= 1
    }
  }

  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    asked,
    tokensIssued: () => state.tokens,
    maxAtOnce: () => state.maxAtOnce,
    callBack: async (url, body, method = 'POST', contentType) =>
      (
        await fetch(url, {
          method,
          body: Buffer.from(body),
          ...(contentType === undefined ? {} : { headers: { 'content-type': contentType } }),
        })
      ).status,
    close: () => stop(server),
  }
}

/** The synchronous success body of the interface, with the file's name as the one value. */
export function successBody(filename: string): string {
  return JSON.stringify({
    status: 'success',
    data: { invoice_number: filename.replace(/\.\w+$/, ''), total_amount: 12.5 },
    metadata: { filename, duration: '40', tokens_consumed: 7 },
  })
}

function send(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body)
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts)
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
