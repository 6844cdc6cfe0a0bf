import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Forwarder = { port: number; lead: (target: string | null) => void; close: () => void }

/**
 * What stands between the internet and a port of an office: passes requests on to where it leads, and says 502 while
 * that is nowhere.
 */
export async function startForwarder(): Promise<Forwarder> {
  let target: string | null = null
  const server = createServer((request, response) => {
    const fail = (): void => void response.writeHead(502).end()
    if (target === null) return fail()
    const onward = httpRequest(
      new URL(request.url ?? '/', target),
      { method: request.method, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    onward.on('error', fail)
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    lead: (next) => (target = next),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
