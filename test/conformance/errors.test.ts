import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pdf } from './documents.ts'
import { invoiceLines, invoiceParams, startRig } from './setup.ts'
import type { Rig } from './setup.ts'

let rig: Rig
const invoice = pdf(invoiceLines).toString('base64')
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.close())

type Envelope = { status: string; code: string; error: string; detail: string }

async function refused(body: unknown, status: number, path = '/v2/extractor'): Promise<Envelope> {
  const response = await rig.post(path, body)
  const envelope = (await response.json()) as Envelope
  expect({ httpStatus: response.status, ...envelope }).toEqual({
    httpStatus: status,
    status: 'error',
    code: expect.any(String) as string,
    error: expect.stringMatching(/\S/) as string,
    detail: expect.any(String) as string,
  })
  return envelope
}

describe('Errors, Other endpoints: envelope', () => {
  it.each(['/', '/v2', '/v2/extractor/', '/v2/extractor/a/b', '/v2/extractor/async/a/b', '/v3/token', '/v2/documentalist/x', '/compat/v1/models'])(
    'answers 404 at %s',
    async (path) => {
      expect((await refused({}, 404, path)).code).toBe('not_found')
    },
  )

  it.each(['/v2/extractor', '/v2/extractor/async', '/v2/extractor/agent', '/v2/extractor/async/agent'])('answers GET %s with 405', async (path) => {
    const response = await fetch(`${rig.service.baseUrl}${path}`)
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
    expect(await response.json()).toMatchObject({ status: 'error', code: 'method_not_allowed' })
  })

  it.each([
    ['empty', ''],
    ['not JSON', 'filename=a.pdf'],
    ['cut off', '{"filename":"a.pdf"'],
    ['cut off inside the file', '{"filename":"a.pdf","file":"QUJD'],
    ['cut off inside an escape', '{"filename":"a.pdf","file":"QUJD\\u00'],
    ['an array', '["file","QUJD"]'],
    ['a text', '"file"'],
    ['null', 'null'],
    ['two objects', '{"file":"QUJD"}{"file":"QUJD"}'],
    ['an object without colon', '{"file" "QUJD"}'],
  ])('refuses a body that is %s', async (_, body) => {
    expect((await refused(body, 400)).code).toBe('invalid_request')
  })

  it('refuses a body that is not UTF-8', async () => {
    const response = await fetch(`${rig.service.baseUrl}/v2/extractor`, {
      method: 'POST',
      headers: { 'x-api-key': rig.token },
      body: Buffer.from('{"filename":"\xe9.pdf"}', 'latin1'),
    })
    expect(response.status).toBe(400)
  })

  it('refuses file given twice', async () => {
    await refused(`{"file":"QUJD","file":"QUJD","filename":"a.pdf"}`, 400)
  })
})

describe('Extraction request: required fields and their types', () => {
  const whole: Record<string, unknown> = { filename: 'a.pdf', file: invoice, params: invoiceParams }

  it.each([
    ['filename', undefined],
    ['filename', 7],
    ['filename', null],
    ['filename', ''],
    ['filename', 'folder/'],
    ['filename', 'a'.repeat(2000) + '.pdf'],
    ['file', undefined],
    ['file', null],
    ['file', 5],
    ['file', ['QUJD']],
    ['file', ''],
    ['params', undefined],
    ['params', null],
    ['params', {}],
    ['params', 'text'],
    ['params', []],
  ])('refuses %s when it is %j', async (name, value) => {
    const { code, detail } = await refused({ ...whole, [name]: value }, 400)
    expect(code).toBe('invalid_request')
    expect(detail).toMatch(name === 'params' ? /params|schema/ : name)
  })

  it.each([
    ['a character outside the alphabet', `${invoice.slice(0, -4)}QU*D`],
    ['white space', `${invoice.slice(0, 40)}\n${invoice.slice(40)}`],
    ['the URL alphabet', 'Q-_D'],
    ['missing padding', 'QUI'],
    ['a lone character', 'QUJDQ'],
    ['padding in the middle', 'QQ==QUJD'],
    ['too much padding', 'QQ==='],
    ['only padding', '===='],
    ['bits that belong to no byte', 'QR=='],
    ['a data URL', `data:application/pdf;base64,${invoice}`],
  ])('refuses base64 with %s', async (_, file) => {
    const { code, detail } = await refused({ ...whole, file }, 400)
    expect(code).toBe('invalid_request')
    expect(detail).toContain('file is not base64')
  })
})

describe('Extraction schema element', () => {
  const text = { name: 'Total', format: 'text', description: '' }

  it.each([
    ['an unknown format', [{ ...text, format: 'date' }], 'format'],
    ['a missing format', [{ name: 'Total', description: '' }], 'format'],
    ['a missing description', [{ name: 'Total', format: 'text' }], 'description'],
    ['a list without items', [{ ...text, format: 'list' }], 'items'],
    ['a list with empty items', [{ ...text, format: 'list', items: [] }], 'items'],
    ['items on a text', [{ ...text, items: [text] }], 'items'],
    ['an empty name', [{ ...text, name: ' ' }], 'name'],
    ['a name that is a number', [{ ...text, name: 1 }], 'name'],
    ['the same name twice', [text, text], 'twice'],
    ['the same name twice in a list', [{ ...text, format: 'list', items: [text, text] }], 'twice'],
    ['an element that is null', [null], 'object'],
  ])('refuses %s and says where', async (_, params, word) => {
    const { code, detail } = await refused({ filename: 'a.pdf', file: invoice, params }, 400)
    expect(code).toBe('invalid_request')
    expect(detail).toContain(word)
  })

  it('answers a list as an array of objects keyed by its sub-fields', async () => {
    const items = [{ ...text, name: 'Article' }, { ...text, name: 'Price', format: 'number' }]
    const response = await rig.post('/v2/extractor', { filename: 'a.pdf', file: invoice, params: [{ ...text, name: 'Positions', format: 'list', items }] })
    const { data } = (await response.json()) as { data: { Positions: unknown } }
    expect(data.Positions === null || Array.isArray(data.Positions)).toBe(true)
  })
})

describe('Extraction failures', () => {
  it('answers a damaged document with 422 and a reason', async () => {
    const file = Buffer.from('%PDF-1.4\nthis is all there is').toString('base64')
    expect((await refused({ filename: 'a.pdf', file, params: invoiceParams }, 422)).code).toBe('file_damaged')
  })

  it('never tells what went wrong inside', async () => {
    const broken = await startRig({ read: () => Promise.reject(new Error('secret path /home/someone')) })
    try {
      const response = await broken.post('/v2/extractor', { filename: 'a.pdf', file: invoice, params: invoiceParams })
      expect(response.status).toBe(500)
      const body = await response.text()
      expect(JSON.parse(body)).toMatchObject({ status: 'error', code: 'internal_error', detail: '' })
      expect(body).not.toContain('secret')
    } finally {
      await broken.close()
    }
  })

  it('leaves no document behind, whether it was extracted or refused', async () => {
    await rig.post('/v2/extractor', { filename: 'a.pdf', file: invoice, params: invoiceParams })
    await rig.post('/v2/extractor', { filename: 'a.pdf', file: invoice, params: [] })
    await rig.post('/v2/extractor', `{"filename":"a.pdf","file":"${invoice}`)
    expect(await readdir(join(rig.dataDir, 'incoming'))).toEqual([])
  })
})
