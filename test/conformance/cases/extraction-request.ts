import assert from 'node:assert/strict'
import { agent, json } from '../ask.ts'
import { section } from '../case.ts'
import type { CaseBody } from '../case.ts'
import { envelope, extraction, refused, status } from '../expect.ts'
import { invoiceFields, invoicePdf, invoiceRequest } from '../material.ts'
import { own } from '../target.ts'
import type { Target } from '../target.ts'
import { speak } from '../wire.ts'

const send = (t: Target, changes: Record<string, unknown>) =>
  agent(t, '/v2/extractor', { ...invoiceRequest, ...changes })
const text = { name: 'Total', format: 'text', description: '' }
const list = { ...text, name: 'Positions', format: 'list' }

/** One case for one value that must be refused. */
function refusal(
  id: string,
  sentence: string,
  name: string,
  changes: Record<string, unknown>,
  more: Partial<CaseBody> = {},
): CaseBody {
  return {
    id: `request.${id}`,
    sentence,
    name,
    async run(t) {
      envelope(await send(t, changes), 400, 422)
    },
    ...more,
  }
}

/** `depth` lists in one another, with a text at the bottom. */
function nested(depth: number): object {
  return depth === 0 ? text : { ...list, items: [nested(depth - 1)] }
}

const elements = section('Resources › Extraction schema element', [
  refusal('name-missing', 'name | string | yes', 'An element without name is refused', {
    params: [{ format: 'text', description: '' }],
  }),
  ...[7, null, true, ['Total'], {}].map((name, index) =>
    refusal(`name-${index + 1}`, 'name | string | yes', `A name that is ${JSON.stringify(name)} is refused`, {
      params: [{ ...text, name }],
    }),
  ),
  refusal('name-empty', 'name of the field to extract', 'An empty name is refused', {
    params: [{ ...text, name: '' }],
  }),
  refusal('format-missing', 'format | string | yes', 'An element without format is refused', {
    params: [{ name: 'Total', description: '' }],
  }),
  ...['date', 'Text', '', null, 1, ['text']].map((format, index) =>
    refusal(
      `format-${index + 1}`,
      'one of `text`, `number`, `boolean`, `list`',
      `The format ${JSON.stringify(format)} is refused`,
      { params: [{ ...text, format }] },
    ),
  ),
  refusal('description-missing', 'description | string | yes', 'An element without description is refused', {
    params: [{ name: 'Total', format: 'text' }],
  }),
  ...[7, null, ['x'], {}].map((description, index) =>
    refusal(
      `description-${index + 1}`,
      'description | string | yes',
      `A description that is ${JSON.stringify(description)} is refused`,
      { params: [{ ...text, description }] },
    ),
  ),
  refusal(
    'items-missing',
    'items | array of schema elements | only when format is `list`',
    'A list without items is refused',
    { params: [list] },
  ),
  ...[[], 'Price', {}, [null], ['Price'], 5].map((items, index) =>
    refusal(
      `items-${index + 1}`,
      'items | array of schema elements',
      `A list with items ${JSON.stringify(items)} is refused`,
      { params: [{ ...list, items }] },
    ),
  ),
  refusal(
    'items-on-text',
    'only when format is `list`',
    'items on a text is refused',
    { params: [{ ...text, items: [text] }] },
    { needs: ['choice'] },
  ),
  refusal('sub-field', 'sub-fields of each list item', 'A sub-field that is wrong is refused like a field', {
    params: [{ ...list, items: [{ ...text, format: 'date' }] }],
  }),
  refusal('element-null', 'params | array of schema elements', 'An element that is null is refused', {
    params: [null],
  }),
  refusal('element-text', 'params | array of schema elements', 'An element that is a text is refused', {
    params: ['Total'],
  }),
  refusal(
    'twice',
    'keys are the extracted field names',
    'Two fields of one name are refused, since data could hold only one',
    { params: [text, text] },
    { needs: ['choice'] },
  ),
  {
    id: 'request.where',
    sentence: 'Extraction schema element (element of `params`)',
    name: 'The refusal says which element is wrong and how',
    needs: ['choice'],
    async run(t) {
      const { detail } = envelope(
        await send(t, { params: [text, { ...list, items: [{ ...text, format: 'date' }] }] }),
        400,
      )
      assert.match(String(detail), /\[1\].*\[0\].*format.*date/)
    },
  },
  {
    id: 'request.nested-twice',
    sentence: 'sub-fields of each list item',
    name: 'A list within a list is accepted',
    async run(t) {
      status(await send(t, { params: [nested(2)] }), 200)
    },
  },
  {
    id: 'request.nested-50',
    sentence: 'items | array of schema elements | only when format is `list`',
    name: 'A schema nested 50 deep is answered: with a result or a refusal, within the time of any request',
    async run(t) {
      const answer = await send(t, { params: [nested(50)] })
      if (answer.status === 200) extraction(json(answer))
      else envelope(answer, 400, 413, 422)
    },
  },
  {
    id: 'request.nested-5000',
    sentence: 'items | array of schema elements | only when format is `list`',
    name: 'A schema nested 5,000 deep is refused and the service goes on',
    async run(t) {
      const params = `${'[{"name":"a","format":"list","description":"","items":'.repeat(5000)}[]${'}]'.repeat(5000)}`
      refused(await agent(t, '/v2/extractor', `{"filename":"a.pdf","file":"${invoicePdf}","params":${params}}`))
      status(await send(t, {}), 200)
    },
  },
  {
    id: 'request.fields-10000',
    sentence: 'params | array of schema elements | only on the global extractor',
    name: 'A schema of 10,000 fields is answered: with a result or a refusal, within the time of any request',
    async run(t) {
      const answer = await send(t, {
        params: Array.from({ length: 10_000 }, (_, index) => ({ ...text, name: `Field ${index}` })),
      })
      if (answer.status === 200) extraction(json(answer))
      else envelope(answer, 400, 413, 422)
    },
  },
  {
    id: 'request.prototype',
    sentence: 'name of the field to extract',
    name: 'Fields named __proto__ and constructor are fields like any other',
    async run(t) {
      const params = ['__proto__', 'constructor', 'toString'].map((name) => ({ ...text, name }))
      const answer = await agent(
        t,
        '/v2/extractor',
        `{"filename":"a.pdf","file":"${invoicePdf}","params":${JSON.stringify(params)}}`,
      )
      status(answer, 200)
      assert.deepEqual(Object.keys(extraction(json(answer)).data).sort(), ['__proto__', 'constructor', 'toString'])
    },
  },
])

const requests = section('Resources › Extraction request', [
  refusal('filename-missing', 'filename | string | yes', 'Without filename it is refused', { filename: undefined }),
  ...[7, null, true, ['a.pdf'], {}].map((filename, index) =>
    refusal(`filename-${index + 1}`, 'filename | string | yes', `filename as ${JSON.stringify(filename)} is refused`, {
      filename,
    }),
  ),
  refusal('filename-empty', 'original file name with extension', 'An empty filename is refused', { filename: '' }),
  {
    id: 'request.filename-path',
    sentence: 'original file name with extension',
    name: 'A file name with a path in it never leads anywhere: its last part is echoed',
    needs: ['choice'],
    async run(t) {
      for (const filename of ['../../etc/invoice.pdf', 'C:\\scans\\invoice.pdf', '/tmp/invoice.pdf']) {
        const answer = await send(t, { filename })
        status(answer, 200)
        assert.equal(extraction(json(answer)).metadata['filename'], 'invoice.pdf')
      }
    },
  },
  refusal('filename-folder', 'original file name with extension', 'A filename that is only a path is refused', {
    filename: 'folder/',
  }),
  refusal(
    'filename-long',
    'original file name with extension',
    'A filename of 5,000 characters is refused',
    { filename: `${'a'.repeat(5000)}.pdf` },
    { needs: ['choice'] },
  ),
  refusal('file-missing', 'file | string | yes', 'Without file it is refused', { file: undefined }),
  ...[7, null, true, [invoicePdf], {}].map((file, index) =>
    refusal(
      `file-${index + 1}`,
      'file | string | yes',
      `A file that is ${['a number', 'null', 'true', 'an array', 'an object'][index]!} is refused`,
      { file },
    ),
  ),
  refusal('file-empty', 'file | string | yes', 'An empty file is refused', { file: '' }),
  ...(
    [
      ['outside', 'a character outside the alphabet', `${invoicePdf.slice(0, -4)}QU*D`],
      ['data-url', 'the beginning of a data URL', `data:application/pdf;base64,${invoicePdf}`],
      ['lone', 'a lone character at its end', 'QUJDQ'],
      ['padding-middle', 'padding in the middle', 'QQ==QUJD'],
      ['only-padding', 'nothing but padding', '===='],
      ['plain', 'plain words', 'this is my file!'],
    ] as const
  ).map(([id, what, file]) =>
    refusal(`base64-${id}`, 'file content, base64-encoded', `base64 with ${what} is refused`, { file }),
  ),
  ...(
    [
      ['space', 'white space', `${invoicePdf.slice(0, 40)}\n${invoicePdf.slice(40)}`],
      ['url-alphabet', 'the URL alphabet', 'Q-_D'],
      ['no-padding', 'its padding missing', 'QUI'],
      ['loose-bits', 'bits that belong to no byte', 'QR=='],
    ] as const
  ).map(([id, what, file]) =>
    refusal(
      `base64-${id}`,
      'file content, base64-encoded',
      `base64 with ${what} is refused`,
      { file },
      { needs: ['choice'] },
    ),
  ),
  refusal(
    'params-missing',
    'params | array of schema elements | only on the global extractor',
    'Without params the global extractor refuses',
    { params: undefined },
  ),
  ...[null, {}, 'text', 7, true].map((params, index) =>
    refusal(
      `params-${index + 1}`,
      'params | array of schema elements | only on the global extractor',
      `params as ${JSON.stringify(params)} is refused`,
      { params },
    ),
  ),
  refusal(
    'params-empty',
    'params | array of schema elements',
    'Empty params are refused, since nothing is asked for',
    { params: [] },
    { needs: ['choice'] },
  ),
  {
    id: 'request.unknown',
    sentence: 'Extraction request',
    name: 'Unknown fields are ignored, also when they hold a field named file',
    needs: ['choice'],
    async run(t) {
      status(await send(t, { model: 'x', extra: { file: 'no' }, list: [{ file: 1 }] }), 200)
    },
  },
  {
    id: 'request.key-order',
    sentence: 'JSON bodies use `Content-Type: application/json`',
    name: 'JSON is read however it is written: any order, spaces, escapes in keys and values',
    async run(t) {
      const params = JSON.stringify(invoiceFields)
      const escaped = invoicePdf.replaceAll('/', '\\/').replaceAll('+', '\\u002b')
      for (const body of [
        `{"f\\u0069le":"${escaped}","filename":"invoice.pdf","params":${params}}`,
        `\n{ "params" : ${params} ,\t"filename" : "invoice.pdf" , "file" : "${invoicePdf}" }\n`,
      ]) {
        const answer = await agent(t, '/v2/extractor', body)
        status(answer, 200)
        assert.equal(extraction(json(answer)).data['Invoice number'], 'RE-2024-17')
      }
    },
  },
  {
    id: 'request.chunked',
    sentence: 'JSON bodies use `Content-Type: application/json`',
    name: 'An extractor takes a body without declared length (chunked), which only the proxy refuses',
    needs: ['choice'],
    async run(t) {
      const body = JSON.stringify(invoiceRequest)
      const half = Math.floor(body.length / 2)
      const chunks = [body.slice(0, half), body.slice(half), '']
        .map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`)
        .join('')
      const answer = await speak(
        t,
        [
          'POST /v2/extractor HTTP/1.1',
          `x-api-key: ${await t.token()}`,
          'Content-Type: application/json',
          'Transfer-Encoding: chunked',
        ],
        chunks,
      )
      status(answer, 200)
      assert.equal(extraction(json(answer)).data['Total amount'], 119.5)
    },
  },
  {
    id: 'request.header-injection',
    sentence: 'original file name with extension',
    name: 'Line ends in a file name are echoed in the body only and become no header',
    async run(t) {
      const answer = await send(t, { filename: 'a\r\nx-injected: 1\r\n.pdf' })
      assert.equal(answer.headers.get('x-injected'), null)
      assert.ok(answer.status < 500)
    },
  },
])

const failures = section('States and transitions › Synchronous extraction', [
  {
    id: 'failure.damaged',
    sentence: 'in one described form, `status: error` with `error`',
    name: 'A damaged document gives status error with error',
    async run(t) {
      const answer = await send(t, { file: Buffer.from('%PDF-1.4\nthis is all there is').toString('base64') })
      const body = json(answer)
      assert.equal(body['status'], 'error')
      assert.ok(typeof body['error'] === 'string' && body['error'] !== '', 'error is missing')
    },
  },
  {
    id: 'failure.status',
    sentence: 'A synchronous failure can be `status: error` with `error`',
    name: 'It is HTTP 422 with the envelope, and code tells what is wrong with the document',
    needs: ['choice'],
    async run(t) {
      const body = envelope(
        await send(t, { file: Buffer.from('%PDF-1.4\nthis is all there is').toString('base64') }),
        422,
      )
      assert.equal(body['code'], 'file_damaged')
    },
  },
  {
    id: 'failure.nothing-left',
    sentence:
      'The response carries `status: success` with `data` and `metadata`, or, in one described form, `status: error` with `error`',
    name: 'After ten broken uploads in a row a good one is answered as ever',
    async run(t) {
      for (let count = 0; count < 10; count++)
        refused(await agent(t, '/v2/extractor', `{"filename":"a.pdf","file":"${invoicePdf.slice(0, 400 + count)}`))
      status(await send(t, {}), 200)
    },
  },
  {
    id: 'failure.spending',
    sentence: 'organization spending cap reached',
    name: 'An organization over its cap is refused on the extractor with 429 and the envelope',
    needs: ['organizations', 'choice'],
    async run(t) {
      const organization = await own(t).organization({ quotaTokens: 1, spendingCapEuros: 0, eurosPerMillionTokens: 5 })
      const token = await organization.token()
      status(await agent(t, '/v2/extractor', invoiceRequest, token), 200)
      envelope(await agent(t, '/v2/extractor', invoiceRequest, token), 429)
    },
  },
])

export const extractionRequestCases = [...elements, ...requests, ...failures]
