import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppError } from '../../../shared/domain/errors.ts'
import { maxCallbackBytes } from '../../../shared/wire/mailbox.ts'
import { limitUnfinished } from '../../system/unfinished-connections.ts'
import type { CallbackReceiver } from './receive.ts'

/** What stands before the token in the path of a callback address. */
export const callbackPrefix = '/callback/'

/** Where a listener is: for this computer only or for its network; port 0 is any free one. */
export type ListenAddress = { network: boolean; port: number }

/** All bodies under way together hold no more than this in memory; further senders get 503 with Retry-After. */
const maxHeldBytes = 4 * maxCallbackBytes
const retryAfterSeconds = 10
const headersTimeoutMs = 15_000
/** At some 20 KB each 10 MB of memory, and far more senders than send at the same moment. */
const maxUnfinished = 512
/** How long a sender that was answered early may go on sending: closing at once would hide the answer from it. */
const lingerMs = 10_000
/** How long requests that are under way have to end when the listener stops. */
const graceMs = 1000

/**
 * Receives asynchronous results (spec, Events) on a port of its own. The address carries one unguessable token for each
 * attempt; a request without it gets 404 before a byte of the body is read or asked for. Method, headers and retries of
 * the webhook are not shown in the spec: any method with a body is taken, and 200 is said once the bytes are stored.
 */
export class CallbackListener {
  readonly #receiver: CallbackReceiver
  readonly #limits: { bodyMs: number }
  readonly #prefixes: () => string[]
  #server: Server | null = null
  #place: ListenAddress = { network: false, port: 0 }
  #heldBytes = 0

  /** `prefixes` may stand before the token: what a proxy leaves of the public address's own path. */
  constructor(receiver: CallbackReceiver, limits: { bodyMs: number }, prefixes: () => string[]) {
    this.#receiver = receiver
    this.#limits = limits
    this.#prefixes = prefixes
  }

  /** Where it listens now; port 0 before it does. */
  get place(): ListenAddress {
    return this.#place
  }

  /**
   * Listens there from now on. What is under way on an earlier port comes to its end. Throws `callback_port_taken`;
   * then everything is as before.
   */
  async listen(place: ListenAddress): Promise<void> {
    const old = { server: this.#server, place: this.#place }
    if (old.server !== null && old.place.network === place.network && old.place.port === place.port) return
    // One port cannot be bound twice: then the old one ends first, and is taken back when the new one fails.
    const samePort = old.server !== null && old.place.port === place.port
    if (samePort) stopAccepting(old.server!)
    try {
      await this.#open(place)
      if (!samePort && old.server !== null) stopAccepting(old.server)
    } catch (error) {
      if (samePort) await this.#open(old.place)
      throw error
    }
  }

  /** Accepts nothing more, and gives what is under way a moment to end. */
  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    this.#place = { network: false, port: 0 }
    if (server === null) return
    const closed = new Promise<void>((resolve) => server.once('close', resolve))
    stopAccepting(server)
    const timer = setTimeout(() => server.closeAllConnections(), graceMs)
    await closed
    clearTimeout(timer)
  }

  async #open(place: ListenAddress): Promise<void> {
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      this.#answer(request, response).catch(() => {
        // Not stored, for whatever reason: the service has to send it again.
        if (!response.headersSent) end(request, response, 503)
      })
    }
    const server = createServer({ requestTimeout: 0, headersTimeout: headersTimeoutMs }, serve)
    server.on('checkContinue', serve)
    limitUnfinished(server, { most: maxUnfinished })
    const port = await bind(server, place)
    // A connection that cannot be accepted is no reason to end.
    server.on('error', () => undefined)
    this.#server = server
    this.#place = { network: place.network, port }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const token = this.#tokenIn(request.url ?? '')
    if (token === null || !this.#receiver.accepts(token)) return end(request, response, 404)
    const held = { bytes: 0 }
    try {
      const body = await this.#read(request, response, held)
      if (typeof body === 'number') return end(request, response, body)
      if (body.length === 0)
        return end(request, response, request.method === 'GET' || request.method === 'HEAD' ? 405 : 400)
      const contentType = request.headers['content-type'] ?? null
      const receipt = this.#receiver.receive(token, { method: request.method ?? '', contentType, body })
      end(request, response, receipt === 'stored' ? 200 : 404)
    } finally {
      this.#heldBytes -= held.bytes
    }
  }

  /** Either spelling of a proxy arrives: with the public address's own path or without it, and nothing else. */
  #tokenIn(url: string): string | null {
    const path = url.split('?')[0] ?? ''
    const prefix = this.#prefixes().find((candidate) => path.startsWith(candidate))
    return prefix === undefined ? null : path.slice(prefix.length)
  }

  /**
   * The whole body, or the status that says why not. What it holds in memory is counted in `held`. Throws when the
   * connection breaks.
   */
  #read(request: IncomingMessage, response: ServerResponse, held: { bytes: number }): Promise<Buffer | number> {
    if (Number(request.headers['content-length'] ?? 0) > maxCallbackBytes) return Promise.resolve(413)
    // RFC 9110, 10.1.1: of a sender that waits for it the body is asked for only now.
    if (request.headers.expect !== undefined) response.writeContinue()
    return new Promise((resolve, reject) => {
      const parts: Buffer[] = []
      const onData = (part: Buffer): void => {
        held.bytes += part.length
        this.#heldBytes += part.length
        if (held.bytes > maxCallbackBytes) settle(413)
        else if (this.#heldBytes > maxHeldBytes) settle(503)
        else parts.push(part)
      }
      const settle = (outcome: Buffer | number): void => {
        clearTimeout(deadline)
        request.off('data', onData)
        resolve(outcome)
      }
      const onBroken = (): void => {
        clearTimeout(deadline)
        reject(new Error('the connection broke'))
      }
      const deadline = setTimeout(() => settle(408), this.#limits.bodyMs)
      request.on('data', onData)
      request.once('end', () => settle(Buffer.concat(parts)))
      request.once('error', onBroken)
      request.once('close', onBroken)
    })
  }
}

/** Answers with the status alone. The rest of the body is read and thrown away for up to `lingerMs`. */
function end(request: IncomingMessage, response: ServerResponse, status: number): void {
  if (status === 503) response.setHeader('retry-after', retryAfterSeconds)
  // A sender that was not asked for its body may never send it: then the next request needs another connection.
  if (!request.complete) response.setHeader('connection', 'close')
  response.writeHead(status, { 'content-length': 0 })
  if (request.complete) return void response.end()
  // Ending now would close the connection under the sender, before the answer is read.
  response.flushHeaders()
  request.resume()
  request.once('end', () => response.end())
  const timer = setTimeout(() => request.destroy(), lingerMs)
  request.once('close', () => clearTimeout(timer))
}

/** Takes no new connection; requests under way end by themselves. */
function stopAccepting(server: Server): void {
  server.close()
  server.closeIdleConnections()
}

/** Resolves with the port. Throws `callback_port_taken` when the place cannot be had. */
function bind(server: Server, { network, port }: ListenAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      reject(
        error.code === 'EADDRINUSE' || error.code === 'EACCES'
          ? new AppError('callback_port_taken', { port }, { cause: error })
          : error,
      )
    }
    server.once('error', onError)
    server.listen({ port, ...(network ? {} : { host: '127.0.0.1' }) }, () => {
      server.off('error', onError)
      resolve((server.address() as AddressInfo).port)
    })
  })
}
