import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A port that no outgoing connection of this computer is given (those begin at 32768 on Linux), so that nobody takes it
 * while nobody listens. Nor one that `fetch` refuses to call (Fetch, «bad port»), as a service may use that.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    // The last one of those that are refused is 10080.
    const port = 10_100 + (randomBytes(2).readUInt16BE() % 21_900)
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer()
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}
