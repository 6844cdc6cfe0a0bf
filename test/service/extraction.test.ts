import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { PDFDocument } from 'pdf-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ciiInvoice } from '../unit/invoices-as-xml.ts'
import { pdf } from './documents.ts'
import { invoiceLines, invoiceParams, readDocument, startRig } from './setup.ts'
import type { Rig } from './setup.ts'

let rig: Rig
const invoice = pdf(invoiceLines).toString('base64')
const request = { filename: 'invoice.pdf', file: invoice, params: invoiceParams }
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.close())

/** Sends a body without declared length, as it comes. */
function sendPieces(pieces: Iterable<Buffer>): Promise<Response> {
  return fetch(`${rig.service.baseUrl}/v2/extractor`, {
    method: 'POST',
    headers: { 'x-api-key': rig.token },
    body: Readable.from(pieces),
    duplex: 'half',
  } as unknown as RequestInit)
}

describe('an extraction', () => {
  it('tells the places of the values to a client that asks for them, and to no other', async () => {
    const asked = await rig.post('/v2/extractor', request, { 'x-sheaf-sources': '1' })
    expect(((await asked.json()) as { metadata: { sources: unknown[] } }).metadata.sources).toContainEqual({
      pointer: '/0/Total amount',
      page: 1,
      box: {
        x: expect.any(Number) as number,
        y: expect.any(Number) as number,
        width: expect.any(Number) as number,
        height: expect.any(Number) as number,
      },
      text: '119.50',
      trust: expect.any(Number) as number,
    })
    expect(await (await rig.post('/v2/extractor', request)).text()).not.toContain('sources')
  })

  it('tells where page and e-invoice of a document differ to a client that asks for places, and to no other', async () => {
    const both = await PDFDocument.load(pdf(['Invoice number: RE-2024-17', 'Total amount: 119.50']))
    await both.attach(Buffer.from(ciiInvoice()), 'factur-x.xml')
    const differing = { ...request, file: Buffer.from(await both.save()).toString('base64') }
    const answer = await rig.post('/v2/extractor', differing, { 'x-sheaf-sources': '1' })
    const { data, metadata } = (await answer.json()) as { data: unknown; metadata: { doubts: unknown[] } }
    expect(data).toMatchObject({ 'Total amount': 529.87 })
    expect(metadata.doubts).toContainEqual({
      pointer: '/0/Total amount',
      code: 'sources_differ',
      alternatives: [
        expect.objectContaining({ value: 529.87, from: 'e-invoice' }),
        expect.objectContaining({ value: 119.5, from: 'page', text: '119.50' }),
      ],
    })
    expect(await (await rig.post('/v2/extractor', differing)).text()).not.toContain('doubts')
  })

  it('takes a body in many pieces without declared length', async () => {
    const pieces = JSON.stringify(request).match(/.{1,97}/gs) ?? []
    expect(await (await sendPieces(pieces.map((piece) => Buffer.from(piece)))).json()).toMatchObject({
      status: 'success',
      data: { 'Total amount': 119.5 },
    })
  })

  it('stops reading a body without declared length at the limit', async () => {
    const block = Buffer.alloc(4 * 1024 * 1024, 'A')
    function* endless(): Generator<Buffer> {
      yield Buffer.from('{"filename":"a.pdf","file":"')
      for (let sent = 0; sent < 50; sent++) yield block
    }
    const response = await sendPieces(endless()).catch((error: unknown) => error)
    // The answer may be lost to the client that goes on writing; the service must have stopped either way.
    if (response instanceof Response) expect(response.status).toBe(413)
    else expect(response).toBeInstanceOf(TypeError)
    expect((await rig.post('/v2/extractor', request)).status).toBe(200)
  })

  it('is refused when there is more than 1 MiB beside the file', async () => {
    const response = await rig.post('/v2/extractor', { ...request, note: 'x'.repeat(1024 * 1024) })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ status: 'error', code: 'request_too_large' })
  })

  it('leaves no document behind, whether it was extracted or refused', async () => {
    await rig.post('/v2/extractor', request)
    await rig.post('/v2/extractor', { ...request, params: [] })
    await rig.post('/v2/extractor', `{"filename":"a.pdf","file":"${invoice}`)
    expect(await readdir(join(rig.dataDir, 'incoming'))).toEqual([])
  })

  it('never tells what went wrong inside', async () => {
    const broken = await startRig({ read: () => Promise.reject(new Error('secret path /home/someone')) })
    try {
      const response = await broken.post('/v2/extractor', request)
      expect(response.status).toBe(500)
      const body = await response.text()
      expect(JSON.parse(body)).toMatchObject({ status: 'error', code: 'internal_error', detail: '' })
      expect(body).not.toContain('secret')
    } finally {
      await broken.close()
    }
  })

  it('runs with no more others at once than the service was told, and all are answered', async () => {
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
      const responses = await Promise.all(Array.from({ length: 10 }, () => limited.post('/v2/extractor', request)))
      expect(responses.map((response) => response.status)).toEqual(Array.from({ length: 10 }, () => 200))
      expect(most).toBe(2)
    } finally {
      await limited.close()
    }
  })
})

describe('an Extractor agent', () => {
  it('is kept over a restart, and gone once it was removed', async () => {
    const { reference } = await rig.control('agents.save', {
      kind: 'extractor',
      reference: 'kept',
      name: 'Kept',
      schema: invoiceParams,
    })
    await rig.restart()
    const extract = (): Promise<Response> =>
      rig.post(`/v2/extractor/${reference}`, { filename: 'invoice.pdf', file: invoice })
    expect(await (await extract()).json()).toMatchObject({
      status: 'success',
      data: { 'Invoice number': 'RE-2024-17' },
    })
    await rig.control('agents.remove', { reference })
    expect((await extract()).status).toBe(404)
  })

  it('is never called async, which is a path of its own', async () => {
    await expect(
      rig.control('agents.save', { kind: 'extractor', reference: 'async', name: 'x', schema: invoiceParams }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
  })
})
