import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { until } from '../helpers/core.ts'
import { forNight } from '../helpers/scale.ts'
import { gate } from '../helpers/vendor-questions.ts'
import { result, waitingRig } from './callback-rig.ts'

const nine = [{ invoice_number: '9' }]

type Parts = { method?: string; headers?: Record<string, string | number>; body?: AsyncIterable<Buffer> | Buffer }

/** One request as raw as Node lets one be; the status, or `broken` when there was none. */
function call(
  url: string,
  { method = 'POST', headers = {}, body = Buffer.alloc(0) }: Parts,
): Promise<number | 'broken'> {
  return new Promise((resolve) => {
    const request = httpRequest(url, { method, headers, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
      request.destroy()
    })
    request.on('error', () => resolve('broken'))
    if (Buffer.isBuffer(body)) request.end(body)
    else void write(body)
    async function write(pieces: AsyncIterable<Buffer>): Promise<void> {
      for await (const piece of pieces) {
        if (request.destroyed) return
        if (!request.write(piece)) await new Promise((go) => request.once('drain', go))
      }
      request.end()
    }
  })
}

/** Sends so many megabytes whatever is said to it; resolves with the first line that was. */
async function sendDeaf(url: string, megabytes: number): Promise<string> {
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname)
  const heard: Buffer[] = []
  socket.on('data', (part) => heard.push(part)).on('error', () => undefined)
  socket.write(`POST ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\ntransfer-encoding: chunked\r\n\r\n`)
  for await (const piece of zeros(megabytes)) {
    socket.write(`${piece.length.toString(16)}\r\n`)
    socket.write(piece)
    if (!socket.write('\r\n')) await once(socket, 'drain')
  }
  await new Promise((resolve) => socket.end('0\r\n\r\n', () => resolve(null)))
  await until(() => heard.length > 0, 'an answer')
  socket.destroy()
  return Buffer.concat(heard).toString().split('\r\n')[0]!
}

async function* zeros(megabytes: number): AsyncGenerator<Buffer> {
  const piece = Buffer.alloc(1024 * 1024)
  for (let sent = 0; sent < megabytes; sent += 1) yield piece
}

describe('F33 a callback in a form that nobody promised', () => {
  const text = Buffer.from(result())
  it.each<[string, Parts]>([
    ['by PUT', { method: 'PUT', body: text }],
    ['by PATCH', { method: 'PATCH', body: text }],
    ['by DELETE', { method: 'DELETE', body: text, headers: { 'content-length': text.length } }],
    ['by GET with a body', { method: 'GET', body: text, headers: { 'content-length': text.length } }],
    ['by a method of its own', { method: 'REPORT', body: text }],
    ['without a content type', { body: text }],
    ['with a content type of nonsense', { body: text, headers: { 'content-type': ';;,"' } }],
    ['in gzip that it names', { body: gzipSync(text), headers: { 'content-encoding': 'gzip' } }],
    ['in gzip that it does not name', { body: gzipSync(text), headers: { 'content-type': 'application/json' } }],
    ['in deflate', { body: deflateSync(text), headers: { 'content-encoding': 'deflate' } }],
    ['that only says that it is gzip', { body: text, headers: { 'content-encoding': 'gzip' } }],
    [
      'in pieces without a length',
      {
        body: (async function* () {
          for (const byte of text) yield Buffer.from([byte])
        })(),
        headers: { 'transfer-encoding': 'chunked' },
      },
    ],
    [
      'that waits for leave to send',
      { body: text, headers: { expect: '100-continue', 'content-length': text.length } },
    ],
  ])('%s is the result, and is stored as it came', async (_form, parts) => {
    const rig = await waitingRig()
    expect(await call(rig.callback(), parts)).toBe(200)
    expect(rig.document().status).toBe('done')
    expect(await rig.records()).toEqual(nine)
    expect(rig.kept()[0]!.equals(Buffer.isBuffer(parts.body) ? parts.body : text)).toBe(true)
    rig.check()
  })

  it.each([
    ['that unpacks to more than is taken', gzipSync(Buffer.alloc(70 * 1024 * 1024))],
    ['that is damaged', gzipSync(text).subarray(0, 40)],
  ])('in gzip %s is kept as it came, and its document failed: the answer is unreadable', async (_what, body) => {
    const rig = await waitingRig()
    expect(await call(rig.callback(), { body })).toBe(200)
    expect(rig.document()).toMatchObject({ status: 'failed', reasonCode: 'answer_unreadable' })
    expect(rig.kept()[0]!.equals(body)).toBe(true)
    // The service may still find its words.
    await rig.vendor.callBack(rig.callback(), result())
    expect(await rig.records()).toEqual(nine)
    rig.check()
  })

  it('without a body is refused, whatever the method', async () => {
    const rig = await waitingRig()
    for (const [method, status] of [
      ['GET', 405],
      ['HEAD', 405],
      ['POST', 400],
      ['PUT', 400],
    ] as const)
      expect(await call(rig.callback(), { method }), method).toBe(status)
    expect(rig.document().status).toBe('waiting')
    expect(rig.kept()).toEqual([])
    rig.check()
  })

  it('of 100 MB is refused, with its length named or not; of 20 MB it is taken', async () => {
    const rig = await waitingRig()
    expect(await call(rig.callback(), { body: zeros(100), headers: { 'transfer-encoding': 'chunked' } })).toBe(413)
    expect(await call(rig.callback(), { body: zeros(100), headers: { 'content-length': 100 * 1024 * 1024 } })).toBe(413)
    expect(rig.kept()).toEqual([])
    const long = Buffer.concat([text, Buffer.alloc(20 * 1024 * 1024, ' ')])
    expect(await call(rig.callback(), { body: long })).toBe(200)
    await until(() => rig.document().status === 'done', 'the result')
    expect(await rig.records()).toEqual(nine)
    rig.check()
  })

  it('of 300 MB from a sender who does not listen holds no more memory than one that is taken', forNight, async () => {
    const rig = await waitingRig()
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers - before)), 5)
    expect(await sendDeaf(rig.callback(), 300)).toBe('HTTP/1.1 413 Payload Too Large')
    clearInterval(watch)
    expect(most).toBeLessThan(200 * 1024 * 1024)
    expect(rig.kept()).toEqual([])
    rig.check()
  })

  it('that comes slowly is taken, that comes too slowly is not, and the next try is', async () => {
    const rig = await waitingRig({ core: { timings: { callbackBodyMs: 1000 } } })
    const hold = gate()
    const slow = (async function* () {
      yield text.subarray(0, 10)
      await hold.opened
      yield text.subarray(10)
    })()
    expect(await call(rig.callback(), { body: slow, headers: { 'content-length': text.length } })).toBe(408)
    hold.open()
    expect(rig.kept()).toEqual([])
    const pieces = (async function* () {
      for (let at = 0; at < text.length; at += 40) {
        yield text.subarray(at, at + 40)
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    expect(await call(rig.callback(), { body: pieces, headers: { 'content-length': text.length } })).toBe(200)
    expect(await rig.records()).toEqual(nine)
    rig.check()
  })

  it('that breaks off in the middle leaves nothing behind, and the next try is taken', async () => {
    const rig = await waitingRig()
    const broken = httpRequest(rig.callback(), {
      method: 'POST',
      headers: { 'content-length': text.length },
      agent: false,
    })
    broken.on('error', () => undefined)
    await new Promise<void>((resolve) => broken.write(text.subarray(0, 30), () => resolve()))
    broken.destroy()
    expect(await rig.vendor.callBack(rig.callback(), result())).toBe(200)
    expect(rig.kept()).toHaveLength(1)
    expect(await rig.records()).toEqual(nine)
    rig.check()
  })
})
