import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Context } from '../pipeline/context.ts'
import { recordAnswer } from '../pipeline/record.ts'

const prefix = '/callback/'
const maxBodyBytes = 64 * 1024 * 1024
const bodyTimeoutMs = 120_000

/**
 * Receives asynchronous results (spec, Events) on a loopback port of its own. The address carries one unguessable
 * token for each attempt; whoever does not have it gets 404. The method, headers and retries of the webhook are not
 * shown in the spec: any method with a body is taken, the bytes are stored before 200 is said, and the same bytes
 * again change nothing.
 */
export class CallbackListener {
  readonly #context: Context
  readonly #server: Server
  #port = 0

  constructor(context: Context) {
    this.#context = context
    this.#server = createServer({ requestTimeout: bodyTimeoutMs }, (request, response) => {
      this.#receive(request, response).catch(() => {
        if (!response.headersSent) response.writeHead(500)
        response.end()
      })
    })
  }

  /** Listens on the port of the last run where it is still free, so that answers under way find us; `moved` when it is not. */
  async start(): Promise<{ moved: boolean }> {
    const { settings } = this.#context.tables
    const last = settings.callbackPort()
    this.#port = (last === null ? null : await listen(this.#server, last)) ?? (await listen(this.#server, 0)) ?? 0
    if (this.#port !== last) settings.setCallbackPort(this.#port)
    return { moved: last !== null && this.#port !== last }
  }

  /** The address that a service on this computer calls for the attempt with this token. */
  addressFor(token: string): string {
    return `http://127.0.0.1:${this.#port}${prefix}${token}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const attempt = path.startsWith(prefix) ? this.#context.tables.attempts.findByToken(path.slice(prefix.length)) : null
    if (attempt === null) return end(response, 404)
    const body = await readBody(request)
    if (body === null) return end(response, 413)
    if (body.length === 0) return end(response, 400)
    recordAnswer(
      this.#context,
      attempt,
      {
        attemptId: attempt.id,
        source: 'callback',
        httpStatus: null,
        contentType: request.headers['content-type'] ?? null,
        body,
      },
      0,
    )
    end(response, 200)
  }
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': 0 })
  response.end()
}

/** The whole body, or null when it is larger than any answer we take. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxBodyBytes) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function listen(server: Server, port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(null)
      else reject(error)
    }
    server.once('error', onError)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', onError)
      resolve((server.address() as AddressInfo).port)
    })
  })
}
