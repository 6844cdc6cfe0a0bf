import type { IncomingMessage, ServerResponse } from 'node:http'
import { maxMailboxJsonBytes } from '../../shared/wire/mailbox.ts'
import { diskTrouble } from './database.ts'

/** How much, and for how long, a caller may go on sending a refused body before it has read the answer. */
const maxLingerBytes = 1024 * 1024
const lingerMs = 2000
/** For a service that tries again: by then the desktop may have fetched, or the disk have room. */
const comeAgainSeconds = 60

/** A request is refused: the status and one sentence. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, sentence: string) {
    super(sentence)
    this.name = 'Refusal'
    this.status = status
  }
}

export function diskFull(): Refusal {
  return new Refusal(507, 'The disk of this mailbox is full. Nothing was stored.')
}

/** What a caller is told of any error. */
function refusalFor(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  switch (diskTrouble(error)) {
    case 'full':
      return diskFull()
    case 'broken':
      return new Refusal(503, 'The disk of this mailbox cannot be used now. Nothing was stored.')
    case null:
      return new Refusal(500, 'This could not be done.')
  }
}

export function answerJson(response: ServerResponse, status: number, content: object): void {
  const body = JSON.stringify(content)
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
    })
    .end(body)
}

/**
 * Refuses a request. A body that is still coming is not read: a little of it is thrown away, since closing at once
 * would reset the connection before the caller sees the answer (RFC 9112, 9.6), then the connection ends.
 */
export function answerRefusal(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const refusal = refusalFor(error)
  if (response.headersSent || response.destroyed) return void response.destroy()
  if (refusal.status === 503 || refusal.status === 507) response.setHeader('retry-after', comeAgainSeconds)
  if (!hasBody(request) || request.complete) return answerJson(response, refusal.status, { error: refusal.message })
  const { socket } = request
  let discardedBytes = 0
  const end = (): void => void socket.destroy()
  const timer = setTimeout(end, lingerMs)
  socket.once('close', () => clearTimeout(timer))
  request.on('data', (part: Buffer) => {
    discardedBytes += part.length
    if (discardedBytes > maxLingerBytes) end()
  })
  request.once('end', end)
  request.on('error', end)
  response.setHeader('connection', 'close')
  answerJson(response, refusal.status, { error: refusal.message })
}

/** Whether a request says that it brings a body (RFC 9112, 6). */
export function hasBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
}

/** A small JSON body. Throws a `Refusal`: 413 over 64 KB, 400 for what is not JSON. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  let sizeBytes = 0
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    sizeBytes += part.length
    if (sizeBytes > maxMailboxJsonBytes) throw new Refusal(413, 'The request is larger than 64 KB.')
    parts.push(part)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'))
  } catch {
    throw new Refusal(400, 'The request is not JSON.')
  }
}
