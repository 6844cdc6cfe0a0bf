import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { onTestFinished } from 'vitest'
import { companyCertificate } from './company.ts'

export type ConnectProxy = {
  url: URL
  /** What it was asked to connect to, in order, and how whoever asked signed in. */
  asked: { target: string; authorization: string | null }[]
  /** The connections to the other side that it opened. */
  opened: Socket[]
}

type Answer = (client: Socket, index: number) => 'connect' | void

/**
 * An HTTP proxy on loopback that knows CONNECT only and leads each name to a port of this computer, until the test
 * ends. `answer` decides about each demand: `connect` lets it through, else it was answered.
 */
export async function startProxy(
  ports: Record<string, number>,
  answer: Answer = () => 'connect',
): Promise<ConnectProxy> {
  const asked: ConnectProxy['asked'] = []
  const opened: Socket[] = []
  const server = createServer()
  server.on('connect', (request, client: Socket, first: Buffer) => {
    client.on('error', () => undefined)
    const target = request.url ?? ''
    asked.push({ target, authorization: request.headers['proxy-authorization'] ?? null })
    if (answer(client, asked.length - 1) !== 'connect') return
    const other = connect(ports[target] ?? 1, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      other.write(first)
      client.pipe(other).pipe(client)
    })
    opened.push(other)
    other.on('error', () => undefined).on('close', () => client.destroy())
  })
  return { url: new URL(`http://127.0.0.1:${await listen(server)}`), asked, opened }
}

/** The same server behind TLS, with the company's certificate, until the test ends. Returns its port. */
export async function behindTls(port: number): Promise<number> {
  return listen(
    createTlsServer(companyCertificate, (client) => {
      const other = connect(port, '127.0.0.1')
      for (const [from, to] of [
        [client, other],
        [other, client],
      ] as const)
        from.on('error', () => to.destroy()).pipe(to)
    }),
  )
}

/** Its port on loopback; ends with the test, and its connections with it. */
async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return (server.address() as AddressInfo).port
}
