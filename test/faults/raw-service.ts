import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** A request that arrived whole: what another company's server would bill where it is a document or a question. */
export type RawRequest = {
  method: string
  path: string
  head: string
  body: string
  connection: number
  socket: Socket
}

export type RawService = {
  baseUrl: string
  /** Every request whose head and declared body were here, tokens included. */
  requests: RawRequest[]
  /** Those that bill. */
  billable: () => RawRequest[]
  connections: () => number
  close: () => Promise<void>
}

const tokenBody = '{"access_token":"a-token-of-a-raw-service","token_type":"x-api-key","expires_in":"3600"}'

/** A token, as `answer` may be told to give it. */
export const tokenAnswer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${tokenBody.length}\r\nconnection: keep-alive\r\n\r\n${tokenBody}`

/** An answer of HTTP with its length, and whatever more is given as header lines. */
export function answerOf(body: string, more: string[] = [], status = '200 OK'): string {
  return [
    `HTTP/1.1 ${status}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...more,
    '',
    body,
  ].join('\r\n')
}

/**
 * A server of bare sockets, which does to each request what a library would not. `answer` writes what it likes into the
 * request's socket; tokens are given out unless `tokens` is false.
 */
export async function startRawService(
  answer: (request: RawRequest, index: number) => void,
  tokens = true,
): Promise<RawService> {
  const requests: RawRequest[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  let answered = 0
  const server = createServer((socket) => {
    const connection = (connections += 1)
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    let held = ''
    socket.on('data', (bytes) => {
      held += bytes.toString('latin1')
      for (;;) {
        const end = held.indexOf('\r\n\r\n')
        if (end < 0) return
        const head = held.slice(0, end)
        const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
        const body = held.slice(end + 4, end + 4 + length)
        if (body.length < length) return
        held = held.slice(end + 4 + length)
        const [method = '', path = ''] = head.split(' ')
        const request = { method, path: path.split('?')[0] ?? '', head, body, connection, socket }
        requests.push(request)
        if (tokens && request.path === '/v2/token') socket.write(tokenAnswer)
        else answer(request, answered++)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    billable: () => requests.filter(({ path }) => path !== '/v2/token'),
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
