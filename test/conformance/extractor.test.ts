import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAgent, listAgents, removeAgent } from '../../electron/service/agents.ts'
import { docx, pdf, picture, xlsx } from './documents.ts'
import { invoiceLines, invoiceParams, startRig } from './setup.ts'
import type { Rig } from './setup.ts'

let rig: Rig
let invoice: string
beforeAll(async () => {
  rig = await startRig()
  invoice = pdf(invoiceLines).toString('base64')
})
afterAll(() => rig.close())

type Success = { status: string; data: Record<string, unknown>; metadata: Record<string, unknown> }

describe('POST /v2/extractor', () => {
  it('answers with status, data as one object keyed by field names, and metadata', async () => {
    const response = await rig.post('/v2/extractor', { filename: 'invoice.pdf', file: invoice, params: invoiceParams })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(await response.json()).toEqual({
      status: 'success',
      data: { 'Invoice number': 'RE-2024-17', 'Total amount': 119.5 },
      metadata: { filename: 'invoice.pdf', duration: expect.stringMatching(/^\d+$/) as string, tokens_consumed: expect.any(Number) as number },
    })
  })

  it('adds the places of the values only when the client asks for them', async () => {
    const response = await rig.post('/v2/extractor', { filename: 'invoice.pdf', file: invoice, params: invoiceParams }, { 'x-sheaf-sources': '1' })
    const { metadata } = (await response.json()) as Success
    expect(metadata['sources']).toContainEqual({
      pointer: '/0/Total amount',
      page: 1,
      box: { x: expect.any(Number) as number, y: expect.any(Number) as number, width: expect.any(Number) as number, height: expect.any(Number) as number },
      text: '119.50',
    })
  })

  it('answers null for what the document does not say', async () => {
    const params = [...invoiceParams, { name: 'Passport number', format: 'text', description: 'The number of a passport' }]
    const response = await rig.post('/v2/extractor', { filename: 'invoice.pdf', file: invoice, params })
    expect(((await response.json()) as Success).data).toMatchObject({ 'Passport number': null, 'Invoice number': 'RE-2024-17' })
  })

  it('ignores callback and fields it does not know', async () => {
    const body = { model: 'x', extra: { file: 'no' }, filename: 'invoice.pdf', file: invoice, params: invoiceParams, callback: 42, list: [{ file: 1 }] }
    expect((await rig.post('/v2/extractor', body)).status).toBe(200)
  })

  it('keeps only the last part of a file name with a path', async () => {
    for (const filename of ['../../etc/invoice.pdf', 'C:\\scans\\invoice.pdf']) {
      const response = await rig.post('/v2/extractor', { filename, file: invoice, params: invoiceParams })
      expect(((await response.json()) as Success).metadata['filename']).toBe('invoice.pdf')
    }
  })

  it('reads JSON however it is written: spaces, escapes in the key, escaped slashes, file last or first', async () => {
    const escaped = invoice.replaceAll('/', '\\/').replaceAll('+', '\\u002b')
    const params = JSON.stringify(invoiceParams)
    const bodies = [
      `{"f\\u0069le":"${escaped}","filename":"invoice.pdf","params":${params}}`,
      `\n{ "params" : ${params} ,\t"filename" : "invoice.pdf" , "file" : "${invoice}" }\n`,
      `\uFEFF{"note":"say \\"file\\": \\\\","filename":"invoice.pdf","params":${params},"file":"${invoice}"}`,
    ]
    for (const body of bodies) {
      const response = await rig.post('/v2/extractor', body)
      expect(await response.json()).toMatchObject({ status: 'success', data: { 'Invoice number': 'RE-2024-17' } })
    }
  })

  it('takes a body without declared length', async () => {
    const body = JSON.stringify({ filename: 'invoice.pdf', file: invoice, params: invoiceParams })
    const pieces = body.match(/.{1,97}/gs) ?? []
    const response = await fetch(`${rig.service.baseUrl}/v2/extractor`, {
      method: 'POST',
      headers: { 'x-api-key': rig.token },
      body: Readable.from(pieces.map((piece) => Buffer.from(piece))),
      duplex: 'half',
    } as unknown as RequestInit)
    expect(await response.json()).toMatchObject({ status: 'success', data: { 'Total amount': 119.5 } })
  })

  it('answers many requests at once, each with its own values', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const file = pdf([`Invoice number: RE-${1000 + index}`]).toString('base64')
        const response = await rig.post('/v2/extractor', { filename: `${index}.pdf`, file, params: invoiceParams.slice(0, 1) })
        return (await response.json()) as Success
      }),
    )
    expect(answers.map(({ data }) => data['Invoice number'])).toEqual(Array.from({ length: 12 }, (_, index) => `RE-${1000 + index}`))
    expect(answers.map(({ metadata }) => metadata['filename'])).toEqual(Array.from({ length: 12 }, (_, index) => `${index}.pdf`))
  })
})

describe('Supported formats', () => {
  const params = invoiceParams.slice(0, 1)

  it.each([
    ['invoice.pdf', async () => pdf(invoiceLines)],
    ['INVOICE.PDF', async () => pdf(invoiceLines)],
    ['invoice.docx', () => docx(invoiceLines)],
    ['invoice.xlsx', () => xlsx([['Invoice number', 'RE-2024-17'], ['Total amount', '119.50']])],
    ['invoice.png', () => picture(invoiceLines, 'png')],
    ['invoice.jpg', () => picture(invoiceLines, 'jpeg')],
    ['invoice.jpeg', () => picture(invoiceLines, 'jpeg')],
  ] as [string, () => Promise<Buffer>][])('takes %s', async (filename, make) => {
    const response = await rig.post('/v2/extractor', { filename, file: (await make()).toString('base64'), params })
    expect(await response.json()).toMatchObject({ status: 'success', data: { 'Invoice number': 'RE-2024-17' }, metadata: { filename } })
  })

  it.each(['invoice.txt', 'invoice.heic', 'invoice', 'invoice.pdf.exe', '.pdf', 'a.constructor'])('refuses %s with 415', async (filename) => {
    const response = await rig.post('/v2/extractor', { filename, file: invoice, params })
    expect(response.status).toBe(415)
    expect(await response.json()).toMatchObject({ status: 'error', code: 'unsupported_type' })
  })

  it('refuses content that is not what the extension says', async () => {
    const picturePng = (await picture(['x'], 'png')).toString('base64')
    for (const [filename, file] of [['a.png', invoice], ['a.pdf', picturePng], ['a.docx', Buffer.from('hello').toString('base64')]]) {
      const response = await rig.post('/v2/extractor', { filename, file, params })
      expect(response.status).toBe(415)
      expect(await response.json()).toMatchObject({ code: 'unsupported_type' })
    }
  })
})

describe('POST /v2/extractor/<agent_reference>', () => {
  it('extracts with the schema of the agent', async () => {
    createAgent(rig.service.db, { reference: 'invoices-1', name: 'Invoices', schema: invoiceParams })
    const response = await rig.post('/v2/extractor/invoices-1', { filename: 'invoice.pdf', file: invoice })
    expect(await response.json()).toMatchObject({ status: 'success', data: { 'Invoice number': 'RE-2024-17', 'Total amount': 119.5 } })
  })

  it('refuses params, since the schema is configured on the agent', async () => {
    const { reference } = createAgent(rig.service.db, { name: 'Invoices', schema: invoiceParams })
    for (const params of [invoiceParams, null, []]) {
      const response = await rig.post(`/v2/extractor/${reference}`, { filename: 'invoice.pdf', file: invoice, params })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ status: 'error', code: 'invalid_request', detail: expect.stringContaining('params') as string })
    }
  })

  it('answers 404 for an agent that does not exist or no longer does', async () => {
    const { reference } = createAgent(rig.service.db, { name: 'Short-lived', schema: invoiceParams })
    expect(listAgents(rig.service.db).map((agent) => agent.reference)).toContain(reference)
    expect(removeAgent(rig.service.db, reference)).toBe(true)
    for (const path of [`/v2/extractor/${reference}`, '/v2/extractor/unknown', '/v2/extractor/async/unknown']) {
      const response = await rig.post(path, { filename: 'invoice.pdf', file: invoice, callback: 'http://127.0.0.1:9/' })
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ status: 'error', code: 'agent_not_found' })
    }
  })

  it('keeps agents over a restart and never lets one be called async', async () => {
    createAgent(rig.service.db, { reference: 'kept', name: 'Kept', schema: invoiceParams })
    await rig.restart()
    expect((await rig.post('/v2/extractor/kept', { filename: 'invoice.pdf', file: invoice })).status).toBe(200)
    expect(() => createAgent(rig.service.db, { reference: 'async', name: 'x', schema: invoiceParams })).toThrow(/async/)
  })
})
