import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Limits = {
  /** So many connections may stand open on which no whole request has come in. */
  most: number
  /** A request of which nothing comes for so long is ended; without it none is before there are too many. */
  silenceMs?: number
}

type Connection = {
  peer: string
  /** What went in and out. */
  bytes: number
  /** When that last changed, in ms of `performance.now()`. */
  movedAt: number
  exchange: { request: IncomingMessage; response: ServerResponse } | null
}

/**
 * Bounds the connections of a server that wait for the rest of a request: its headers, its body, or the next one. When
 * there are too many, the peer address that holds most of them loses the one that was silent longest. So a sender gets
 * in at once however many others only open connections, and who sends is not put out by who does not. A request that
 * is whole is never broken off. The server has to have a listener for `checkContinue` of its own, since the one here
 * answers nothing.
 */
export function limitUnfinished(server: Server, { most, silenceMs }: Limits): void {
  /** In the order in which something last moved on them. */
  const connections = new Map<Socket, Connection>()
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const connection = connections.get(request.socket)
    if (connection !== undefined) connection.exchange = { request, response }
  }
  server.prependListener('request', onRequest)
  server.prependListener('checkContinue', onRequest)
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket.remoteAddress ?? '')
    connections.set(socket, { peer, bytes: 0, movedAt: performance.now(), exchange: null })
    socket.once('close', () => connections.delete(socket))
    noteProgress(connections)
    const victim = tooMany(
      [...connections].filter(([, connection]) => isUnfinished(connection)),
      most,
    )
    if (victim === null) return
    connections.delete(victim)
    victim.destroy()
  })
  if (silenceMs === undefined) return
  const timer = setInterval(() => {
    noteProgress(connections)
    for (const [socket, connection] of connections)
      if (isComing(connection) && performance.now() - connection.movedAt > silenceMs) endSilent(server, socket)
  }, silenceMs / 4).unref()
  server.once('close', () => clearInterval(timer))
}

/** Notes on which connections something moved since the last look: a listener would take the data from the parser. */
function noteProgress(connections: Map<Socket, Connection>): void {
  for (const [socket, connection] of [...connections]) {
    const bytes = socket.bytesRead + socket.bytesWritten
    if (bytes === connection.bytes) continue
    connections.delete(socket)
    connections.set(socket, { ...connection, bytes, movedAt: performance.now() })
  }
}

function isComing({ exchange }: Connection): boolean {
  return exchange === null || !exchange.request.complete
}

function isUnfinished(connection: Connection): boolean {
  return isComing(connection) || connection.exchange!.response.writableFinished
}

/**
 * The one to give up of these, which are in the order in which something last moved; null while there are no more
 * than `most`.
 */
export function tooMany<T>(unfinished: readonly (readonly [T, { peer: string }])[], most: number): T | null {
  if (unfinished.length <= most) return null
  const byPeer = Map.groupBy(unfinished, ([, { peer }]) => peer)
  const [first] = [...byPeer.values()].reduce((largest, held) => (held.length > largest.length ? held : largest))
  return first![0]
}

/** Whom an address stands for: of IPv6 the network of 64 bits, since one host has all of its addresses (RFC 4291). */
export function peerOf(address: string): string {
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  return ipv4 ?? address.split('::')[0]!.split(':').slice(0, 4).join(':')
}

/** As Node does where a request takes too long: the server's listener may answer. */
function endSilent(server: Server, socket: Socket): void {
  const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  if (!server.emit('clientError', error, socket)) socket.destroy()
}
