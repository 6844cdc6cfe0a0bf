import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type Call = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
  at: number
}

export type Receiver = {
  url: string
  port: number
  calls: Call[]
  next(count: number): Promise<Call[]>
  close(): Promise<void>
}

type ReceiverAnswer = number | { status: number; headers: Record<string, string> } | 'silence'

/** A webhook's receiver on loopback. `answer` gives the status for the n-th call, counted from 1. */
export async function startReceiver(
  answer: (count: number, call: Call) => ReceiverAnswer = () => 200,
  port = 0,
): Promise<Receiver> {
  const calls: Call[] = []
  let waiting: (() => void)[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const body = JSON.parse((await text(request)) || '{}') as Record<string, unknown>
      const call = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body,
        at: Date.now(),
      }
      calls.push(call)
      const answered = answer(calls.length, call)
      if (typeof answered === 'number') response.writeHead(answered).end('{}')
      else if (answered !== 'silence') response.writeHead(answered.status, answered.headers).end()
      for (const wake of waiting) wake()
      waiting = []
    })()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    port: address.port,
    calls,
    async next(count) {
      while (calls.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
      return calls.slice(0, count)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
