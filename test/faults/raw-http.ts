import { connect } from 'node:net'

/** Sends these bytes and resolves with everything that came back, status 0 when that was nothing. */
export function rawExchange(port: number, request: string, limitMs = 5000): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const limit = setTimeout(() => socket.destroy(new Error('the connection stays open')), limitMs)
    socket.on('data', (data) => (text += data.toString('latin1')))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? undefined : reject(error),
    )
    socket.on('close', () => {
      clearTimeout(limit)
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text })
    })
    // Not ended: a server takes that for a caller who left.
    socket.write(request, 'latin1')
  })
}

/** A request of HTTP/1.1 with exactly this target and these headers, in this order. */
export function rawRequest(target: string, headers: readonly string[], method = 'GET', body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  return `${method} ${target} HTTP/1.1\r\n${[...headers, ...length, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`
}
