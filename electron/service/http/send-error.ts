import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'

/** How long, and how much, a client may go on sending a body that was refused, while it has not read why. */
const lingerMs = 10_000
const maxLingerBytes = 64 * 1024 * 1024

/**
 * Answers a request that is refused with `content` as JSON. While its body is still coming, closing at once would reset
 * the connection under the client, and it would never see the answer (RFC 9112, 9.6): the writing side is closed, and
 * what comes is thrown away.
 */
export async function sendError(
  { incoming, outgoing }: { incoming: IncomingMessage; outgoing: Pick<ServerResponse, 'writeHead' | 'write' | 'end'> },
  { status, headers }: { status: number; headers: Record<string, string> },
  content: object,
): Promise<Response> {
  const { socket } = incoming
  // A body that came with the headers is seen after this turn.
  await setImmediate()
  if (incoming.complete || socket.destroyed) return Response.json(content, { status, headers })
  const body = JSON.stringify(content)
  let discardedBytes = 0
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
  incoming.on('data', (part: Buffer) => {
    discardedBytes += part.length
    if (discardedBytes > maxLingerBytes) socket.destroy()
  })
  incoming.on('error', () => undefined)
  // Ended only with the body: the end of the answer would close both sides.
  incoming.once('end', () => outgoing.end())
  outgoing.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  })
  outgoing.write(body, () => socket.end())
  return RESPONSE_ALREADY_SENT
}
