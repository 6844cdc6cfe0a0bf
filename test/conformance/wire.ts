import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { setTimeout as wait } from 'node:timers/promises'
import type { Answer } from './ask.ts'
import type { Target } from './target.ts'

const patienceMs = 20_000

/**
 * Writes the head of a request as given (each line without its end) and then `body`, and reads the answer by its own
 * rules of HTTP/1.1. `Host` is added. Rejects when no whole answer came. What is written is not touched: this is for
 * requests that a proper client refuses to send.
 */
export async function speak(
  target: Target,
  head: string[],
  body: string | Buffer | null = null,
): Promise<Answer & { closed: boolean }> {
  const url = new URL(target.baseUrl)
  const socket = await open(url)
  let received = Buffer.alloc(0)
  let closed = false
  let wake = (): void => undefined
  socket.on('data', (data) => {
    received = Buffer.concat([received, data])
    wake()
  })
  // An answer that came before the connection broke is still an answer.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    closed = true
    wake()
  })
  const [first = '', ...others] = head
  socket.write([first, `Host: ${url.host}`, ...others, '', ''].join('\r\n'))
  if (body !== null) socket.write(body)
  const deadline = AbortSignal.timeout(patienceMs)
  try {
    for (;;) {
      const answer = parseAnswer(received, closed)
      if (answer !== null) return { ...answer, closed }
      if (closed)
        throw new Error(
          `the connection ended with ${received.length === 0 ? 'no answer' : `only: ${received.toString('latin1', 0, 200)}`}`,
        )
      await Promise.race([
        new Promise<void>((resolve) => {
          wake = resolve
        }),
        wait(patienceMs, undefined, { signal: deadline, ref: false }).catch(() => undefined),
      ])
      if (deadline.aborted)
        throw new Error(`no whole answer within ${patienceMs} ms, only: ${received.toString('latin1', 0, 200)}`)
    }
  } finally {
    socket.destroy()
  }
}

function open(url: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const secure = url.protocol === 'https:'
    const port = Number(url.port || (secure ? 443 : 80))
    const socket: Socket = secure
      ? connectTls({ host: url.hostname, port, servername: url.hostname }, () => resolve(socket))
      : connect(port, url.hostname, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** The answer when it is whole, else null. */
function parseAnswer(bytes: Buffer, closed: boolean): Answer | null {
  const split = bytes.indexOf('\r\n\r\n')
  if (split < 0) return null
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, split).split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1])
  if (status >= 100 && status < 200) return parseAnswer(bytes.subarray(split + 4), closed)
  const headers = new Headers(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const rest = bytes.subarray(split + 4)
  const length = headers.get('content-length')
  if (length !== null)
    return rest.length < Number(length) ? null : { status, headers, text: rest.toString('utf8', 0, Number(length)) }
  if (headers.get('transfer-encoding')?.toLowerCase() === 'chunked') {
    const text = unchunk(rest)
    return text === null ? null : { status, headers, text }
  }
  return closed ? { status, headers, text: rest.toString('utf8') } : null
}

function unchunk(bytes: Buffer): string | null {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at)
    if (end < 0) return null
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16)
    if (size === 0) return Buffer.concat(parts).toString('utf8')
    if (bytes.length < end + 2 + size + 2) return null
    parts.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
}
