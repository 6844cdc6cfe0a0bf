import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pdf } from './documents.ts'
import { startReceiver } from './receiver.ts'
import { invoiceLines, invoiceParams, readDocument, startRig } from './setup.ts'
import type { Rig } from './setup.ts'

const limitBytes = 36 * 1024 * 1024

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.close())

function body(sizeBytes: number, callback?: string): string {
  const file = pdf(invoiceLines, sizeBytes).toString('base64')
  return JSON.stringify({ filename: 'big.pdf', file, params: invoiceParams, callback })
}

/** Writes raw bytes to the service and gives everything it answers until it closes or `done` is satisfied. */
async function speak(head: string[], done: (answer: string) => boolean): Promise<string> {
  const socket = connect(rig.service.port, '127.0.0.1')
  await once(socket, 'connect')
  let answer = ''
  socket.write([...head, '', ''].join('\r\n'))
  for await (const chunk of socket) {
    answer += String(chunk)
    if (done(answer)) break
  }
  socket.destroy()
  return answer
}

describe('Limits, Extractor: maximum file size 36 MB', () => {
  it('accepts a file of exactly 36 MB', async () => {
    const response = await rig.post('/v2/extractor', body(limitBytes))
    expect(await response.json()).toMatchObject({ status: 'success', data: { 'Invoice number': 'RE-2024-17' } })
  })

  it('refuses one byte more with 413', async () => {
    for (const path of ['/v2/extractor', '/v2/extractor/async']) {
      const response = await rig.post(path, body(limitBytes + 1, 'http://127.0.0.1:9/'))
      expect(response.status).toBe(413)
      expect(await response.json()).toMatchObject({ status: 'error', code: 'file_too_large' })
    }
  })

  it('accepts 36 MB on the asynchronous endpoint as well', async () => {
    const receiver = await startReceiver()
    try {
      const response = await rig.post('/v2/extractor/async', body(limitBytes, receiver.url))
      expect(await response.json()).toMatchObject({ status: 'started' })
      const [call] = await receiver.next(1)
      expect(call?.body).toMatchObject({ status: 'success', data: { 'Total amount': 119.5 } })
    } finally {
      await receiver.close()
    }
  })

  it('refuses by Content-Length before the body is sent', async () => {
    const answer = await speak(
      ['POST /v2/extractor HTTP/1.1', 'Host: 127.0.0.1', `x-api-key: ${rig.token}`, 'Content-Length: 90000000'],
      (text) => text.includes('"detail"'),
    )
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toContain('"code":"file_too_large"')
  })

  it('refuses a wrong token before the body is sent', async () => {
    const answer = await speak(
      ['POST /v2/extractor HTTP/1.1', 'Host: 127.0.0.1', 'x-api-key: wrong', 'Content-Length: 40000000'],
      (text) => text.includes('"detail"'),
    )
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    expect(answer).toContain('"code":"invalid_token"')
  })

  it('stops reading a body without declared length at the limit', async () => {
    const file = Buffer.alloc(4 * 1024 * 1024, 'A')
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from('{"filename":"a.pdf","file":"')
      for (let sent = 0; sent < 50; sent++) yield file
    }
    const response = await fetch(`${rig.service.baseUrl}/v2/extractor`, {
      method: 'POST',
      headers: { 'x-api-key': rig.token },
      body: Readable.from(endless()),
      duplex: 'half',
    } as unknown as RequestInit).catch((error: unknown) => error)
    // The answer may be lost to the client that goes on writing; the service must have stopped either way.
    if (response instanceof Response) expect(response.status).toBe(413)
    else expect(response).toBeInstanceOf(TypeError)
    expect((await rig.post('/v2/extractor', { filename: 'a.pdf', file: pdf(invoiceLines).toString('base64'), params: invoiceParams })).status).toBe(200)
  })

  it('refuses more than 1 MiB beside the file', async () => {
    const response = await rig.post('/v2/extractor', { filename: 'a.pdf', file: 'QUJD', params: invoiceParams, note: 'x'.repeat(1024 * 1024) })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ status: 'error', code: 'request_too_large' })
  })
})

describe('Concurrency', () => {
  it('extracts no more documents at once than it was told, and answers all of them', async () => {
    let running = 0
    let most = 0
    const limited = await startRig({
      concurrency: 2,
      read: async (path, kind) => {
        running++
        most = Math.max(most, running)
        try {
          return await readDocument(path, kind)
        } finally {
          running--
        }
      },
    })
    try {
      const file = pdf(invoiceLines).toString('base64')
      const responses = await Promise.all(Array.from({ length: 10 }, () => limited.post('/v2/extractor', { filename: 'a.pdf', file, params: invoiceParams })))
      expect(responses.map((response) => response.status)).toEqual(Array.from({ length: 10 }, () => 200))
      expect(most).toBeLessThanOrEqual(2)
      expect(most).toBeGreaterThan(0)
    } finally {
      await limited.close()
    }
  })
})
