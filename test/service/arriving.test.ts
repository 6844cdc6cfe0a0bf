import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { pdf } from './documents.ts'
import { invoiceLines, invoiceParams, startRig } from './setup.ts'
import type { Rig } from './setup.ts'
import { eventually } from '../helpers/eventually.ts'

let rig: Rig
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await rig.close()
})

const head = (path: string, token: string, more = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${rig.service.port}\r\nx-api-key: ${token}\r\nContent-Length: 1000\r\n${more}\r\n`

/** Begins an upload and leaves it there. */
async function begin(text: string): Promise<Socket> {
  const socket = connect(rig.service.port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  await new Promise((resolve) => socket.write(text, resolve))
  return socket
}

const arriving = async (): Promise<number> => (await readdir(join(rig.dataDir, 'incoming'))).length

it('holds no more than 256 uploads that do not go on, and takes the next one at once', {
  timeout: 60_000,
}, async () => {
  rig = await startRig()
  for (let count = 0; count < 400; count += 1) await begin(`${head('/v2/extractor', rig.token)}{"file":"`)
  await eventually(async () => expect(await arriving()).toBeLessThanOrEqual(256))
  const file = pdf(invoiceLines).toString('base64')
  const answer = await rig.post('/v2/extractor', { filename: 'a.pdf', file, params: invoiceParams })
  expect(answer.status).toBe(200)
})

it('ends an upload that goes on no more, and not one that goes on slowly', async () => {
  rig = await startRig({ arriving: { most: 100, silenceMs: 400 } })
  const slow = await begin(`${head('/v2/extractor', rig.token)}{"file":"`)
  const silent = await begin(`${head('/v2/extractor', rig.token)}{"file":"`)
  const dripping = setInterval(() => slow.write('A'), 20)
  try {
    const [answer] = (await once(silent, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 408 [^]*"request_timeout"/)
    await eventually(async () => expect(await arriving()).toBe(1))
    expect(slow.closed).toBe(false)
  } finally {
    clearInterval(dripping)
  }
})

it.each(['/v2/extractor', '/v2/documentalist/x', '/v2/nowhere'])(
  'looks at the token before it asks for the body: %s',
  async (path) => {
    rig = await startRig()
    const socket = await begin(head(path, 'wrong', 'Expect: 100-continue\r\n'))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 40[14] /)
  },
)

it('asks for a body that it wants', async () => {
  rig = await startRig()
  const socket = await begin(head('/v2/extractor', rig.token, 'Expect: 100-continue\r\n'))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n')
})
