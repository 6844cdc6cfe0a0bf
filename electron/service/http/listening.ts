import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Resolves with the port once the server listens on loopback; 0 takes a free one. Rejects when the port is taken. */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** A connection whose answer has ended is closed this soon after it. */
const idleCheckMs = 25

/** Takes nothing new, gives what is being answered `graceMs`, then closes its connections. */
export async function stopListening(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs)
  const limit = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearInterval(idle)
  clearTimeout(limit)
}
