import assert from 'node:assert/strict'
import { docx, pdf, picture, xlsx } from '../../service/documents.ts'
import { agent, json, plain } from '../ask.ts'
import { section } from '../case.ts'
import type { CaseBody } from '../case.ts'
import type { Need } from '../target.ts'
import { envelope, extraction, refused, status, string } from '../expect.ts'
import { invoiceFields, invoiceLines, invoicePdf, invoiceRequest } from '../material.ts'
import { own } from '../target.ts'
import type { Target } from '../target.ts'

const extract = async (t: Target, changes: Record<string, unknown> = {}, path = '/v2/extractor') => {
  const answer = await agent(t, path, { ...invoiceRequest, ...changes })
  status(answer, 200)
  return extraction(json(answer))
}

const list = {
  name: 'Positions',
  format: 'list',
  description: 'The positions',
  items: [
    { name: 'Article', format: 'text', description: 'What is sold' },
    { name: 'Price', format: 'number', description: 'The price of one' },
  ],
}
const table = () =>
  xlsx([
    ['Article', 'Price'],
    ['Bread', '3.20'],
    ['Butter', '2.50'],
    ['Milk', '1.10'],
  ])

const result = section('Resources › Extraction result', [
  {
    id: 'result.success',
    sentence: 'The response carries `status: success` with `data` and `metadata`',
    name: 'A synchronous answer has status success, data and metadata',
    async run(t) {
      await extract(t)
    },
  },
  {
    id: 'result.keys',
    sentence: 'keys are the extracted field names',
    name: 'The keys of data are the names of the fields, letter by letter',
    async run(t) {
      const names = ['Invoice number', 'Total amount', 'Größe «ß» 📦', 'a.b/c~d']
      const params = [
        ...invoiceFields,
        { name: names[2], format: 'text', description: 'A size' },
        { name: names[3], format: 'text', description: 'Nothing' },
      ]
      const { data } = await extract(t, { params })
      assert.deepEqual(Object.keys(data).sort(), [...names].sort())
    },
  },
  {
    id: 'result.numbers',
    sentence: '`number` values are numbers',
    name: 'A number is a JSON number',
    async run(t) {
      assert.equal((await extract(t)).data['Total amount'], 119.5)
    },
  },
  {
    id: 'result.text',
    sentence: 'keys are the extracted field names',
    name: 'A text is a JSON string with what the document says',
    async run(t) {
      assert.equal((await extract(t)).data['Invoice number'], 'RE-2024-17')
    },
  },
  {
    id: 'result.list',
    sentence: 'a `list` field is an array of objects keyed by its sub-field names',
    name: 'A list is an array of objects with its sub-fields, and their numbers are numbers',
    async run(t) {
      const { data } = await extract(t, {
        filename: 'prices.xlsx',
        file: (await table()).toString('base64'),
        params: [list],
      })
      assert.deepEqual(data['Positions'], [
        { Article: 'Bread', Price: 3.2 },
        { Article: 'Butter', Price: 2.5 },
        { Article: 'Milk', Price: 1.1 },
      ])
    },
  },
  {
    id: 'result.boolean',
    sentence: 'one of `text`, `number`, `boolean`, `list`',
    name: 'A boolean is true, false or null',
    async run(t) {
      const file = pdf(['Newsletter: yes', 'Member since: 2019']).toString('base64')
      const { data } = await extract(t, {
        file,
        params: [{ name: 'Newsletter', format: 'boolean', description: 'Whether the newsletter is wanted' }],
      })
      assert.ok(
        data['Newsletter'] === true || data['Newsletter'] === null,
        `Newsletter is ${JSON.stringify(data['Newsletter'])}`,
      )
    },
  },
  {
    id: 'result.missing',
    sentence: 'data | object, or array of objects',
    name: 'A field that the document does not have is null, and its key is there',
    needs: ['choice'],
    async run(t) {
      const { data } = await extract(t, {
        params: [
          ...invoiceFields,
          { name: 'Passport number', format: 'text', description: 'The number of a passport' },
        ],
      })
      assert.equal(data['Passport number'], null)
      assert.equal(data['Invoice number'], 'RE-2024-17')
    },
  },
  {
    id: 'result.filename',
    sentence: 'metadata.filename | string | file name',
    name: 'metadata.filename is the file name that was sent',
    async run(t) {
      assert.equal(
        (await extract(t, { filename: 'Rechnung Müller & Söhne (2).pdf' })).metadata['filename'],
        'Rechnung Müller & Söhne (2).pdf',
      )
    },
  },
  {
    id: 'result.duration',
    sentence: 'metadata.duration | string | numeric text',
    name: 'metadata.duration is a string with a number',
    async run(t) {
      assert.match(string((await extract(t)).metadata['duration'], 'metadata.duration'), /^\d+(\.\d+)?$/)
    },
  },
  {
    id: 'result.tokens',
    sentence: 'metadata.tokens_consumed | number',
    name: 'metadata.tokens_consumed is a number',
    async run(t) {
      assert.equal(typeof (await extract(t)).metadata['tokens_consumed'], 'number')
    },
  },
  {
    id: 'result.no-extract-id',
    sentence: 'present on asynchronous responses and webhook calls',
    name: 'A synchronous answer has no extract_id',
    async run(t) {
      const body = json(await agent(t, '/v2/extractor', invoiceRequest))
      extraction(body)
      assert.ok(!('extract_id' in body), 'extract_id is there')
    },
  },
  {
    id: 'result.no-error',
    sentence: 'error | string | present on failure',
    name: 'A success has neither error nor detail',
    async run(t) {
      const body = json(await agent(t, '/v2/extractor', invoiceRequest))
      extraction(body)
      assert.ok(!('error' in body) && !('detail' in body))
    },
  },
])

const endpoints = section('Endpoints › Extractor endpoints', [
  {
    id: 'extractor.global',
    sentence: 'the schema is supplied in `params` on each call; no agent is needed',
    name: 'Two calls with different params each give their own fields',
    async run(t) {
      assert.deepEqual(Object.keys((await extract(t, { params: invoiceFields.slice(0, 1) })).data), ['Invoice number'])
      assert.deepEqual(Object.keys((await extract(t, { params: invoiceFields.slice(1) })).data), ['Total amount'])
    },
  },
  {
    id: 'extractor.agent',
    sentence: 'the schema is a model configured on the agent in the dashboard',
    name: 'With an agent the fields are the ones that its owner configured',
    needs: ['extractor', 'agents'],
    async run(t) {
      const { data } = await extract(t, { params: undefined }, `/v2/extractor/${t.extractor}`)
      assert.deepEqual(data, { 'Invoice number': 'RE-2024-17', 'Total amount': 119.5 })
    },
  },
  {
    id: 'extractor.agent-changed',
    sentence: 'the schema is a model configured on the agent in the dashboard',
    name: 'A schema changed by its owner holds from the next call on',
    needs: ['agents'],
    async run(t) {
      const input = { kind: 'extractor', name: 'Changing', visibility: 'Organization' }
      const reference = await own(t).agent({ ...input, schema: invoiceFields.slice(0, 1) })
      await own(t).agent({ ...input, reference, schema: invoiceFields.slice(1) })
      assert.deepEqual(Object.keys((await extract(t, { params: undefined }, `/v2/extractor/${reference}`)).data), [
        'Total amount',
      ])
    },
  },
  {
    id: 'extractor.agent-params',
    sentence: 'not accepted by the agent-based extractor, whose schema is configured in the dashboard',
    name: 'params on an agent endpoint is refused',
    needs: ['extractor'],
    async run(t) {
      for (const path of [`/v2/extractor/${t.extractor}`, `/v2/extractor/async/${t.extractor}`]) {
        envelope(await agent(t, path, { ...invoiceRequest, callback: 'http://127.0.0.1:9/' }), 400, 422)
      }
    },
  },
  {
    id: 'extractor.agent-unknown',
    sentence: '`<agent_reference>` identifies an Extractor agent',
    name: 'An unknown reference is refused with the envelope on both endpoints',
    async run(t) {
      for (const path of ['/v2/extractor/no-such-agent', '/v2/extractor/async/no-such-agent']) {
        envelope(
          await agent(t, path, { filename: 'a.pdf', file: invoicePdf, callback: 'http://127.0.0.1:9/' }),
          400,
          403,
          404,
        )
      }
    },
  },
  {
    id: 'extractor.same-connection',
    sentence: 'the result returns on the same HTTP connection',
    name: 'Twelve requests at once each get the values of their own document',
    async run(t) {
      const answers = await Promise.all(
        Array.from({ length: 12 }, async (_, index) => {
          const { data, metadata } = await extract(t, {
            filename: `${index}.pdf`,
            file: pdf([`Invoice number: RE-${1000 + index}`]).toString('base64'),
            params: invoiceFields.slice(0, 1),
          })
          return [metadata['filename'], data['Invoice number']]
        }),
      )
      assert.deepEqual(
        answers,
        Array.from({ length: 12 }, (_, index) => [`${index}.pdf`, `RE-${1000 + index}`]),
      )
    },
  },
  ...['/v2/extractor', '/v2/extractor/async', '/v2/extractor/some-agent', '/v2/extractor/async/some-agent'].map(
    (path): CaseBody => ({
      id: `extractor.method${path.slice('/v2/extractor'.length).replaceAll('/', '-')}`,
      sentence: 'POST /v2/extractor',
      name: `GET, PUT and DELETE on ${path} are refused with the envelope`,
      async run(t) {
        for (const method of ['GET', 'PUT', 'DELETE'])
          envelope(await plain(t, path, { method, headers: { 'x-api-key': await t.token() } }), 404, 405)
      },
    }),
  ),
  {
    id: 'extractor.callback-on-sync',
    sentence: 'callback | string (URL) | only on asynchronous endpoints',
    name: 'A callback on a synchronous endpoint is not called: the result comes on the connection',
    needs: ['callback', 'choice'],
    async run(t) {
      const hook = t.hook()
      await extract(t, { callback: hook.url })
      const other = t.hook()
      status(await agent(t, '/v2/extractor/async', { ...invoiceRequest, callback: other.url }), 200)
      await other.wait(1)
      assert.deepEqual(hook.calls, [])
    },
  },
])

const makers: Record<string, () => Promise<Buffer> | Buffer> = {
  'invoice.pdf': () => pdf(invoiceLines),
  'INVOICE.PDF': () => pdf(invoiceLines),
  'invoice.docx': () => docx(invoiceLines),
  'invoice.xlsx': () =>
    xlsx([
      ['Invoice number', 'RE-2024-17'],
      ['Total amount', '119.50'],
    ]),
  'invoice.png': () => picture(invoiceLines, 'png'),
  'invoice.jpg': () => picture(invoiceLines, 'jpeg'),
  'invoice.jpeg': () => picture(invoiceLines, 'jpeg'),
}
const limitBytes = 36 * 1024 * 1024

const limits = section('Limits › Extractor', [
  ...Object.entries(makers).map(
    ([filename, make]): CaseBody => ({
      id: `limits.format-${filename.replace('.', '-')}`,
      sentence: 'Supported formats | PDF, PNG, JPG, JPEG, DOCX, XLSX',
      name: `${filename} is read`,
      async run(t) {
        const { data } = await extract(t, { filename, file: (await make()).toString('base64') })
        assert.equal(data['Invoice number'], 'RE-2024-17')
      },
    }),
  ),
  ...['invoice.txt', 'invoice.heic', 'invoice', 'invoice.pdf.exe', '.pdf', 'invoice.constructor'].map(
    (filename): CaseBody => ({
      id: `limits.no-format-${filename.replaceAll('.', '-')}`,
      sentence: 'Supported formats | PDF, PNG, JPG, JPEG, DOCX, XLSX',
      name: `«${filename}» is refused with the envelope`,
      async run(t) {
        envelope(await agent(t, '/v2/extractor', { ...invoiceRequest, filename }), 400, 415, 422)
      },
    }),
  ),
  {
    id: 'limits.content',
    sentence: 'Supported formats | PDF, PNG, JPG, JPEG, DOCX, XLSX',
    name: 'Content that is not what the extension says is refused',
    needs: ['choice'],
    async run(t) {
      const png = (await picture(['x'], 'png')).toString('base64')
      for (const [filename, file] of [
        ['a.png', invoicePdf],
        ['a.pdf', png],
        ['a.docx', Buffer.from('hello').toString('base64')],
      ]) {
        assert.equal(
          envelope(await agent(t, '/v2/extractor', { ...invoiceRequest, filename, file }), 415)['code'],
          'unsupported_type',
        )
      }
    },
  },
  {
    id: 'limits.size',
    sentence: 'Maximum file size | 36 MB',
    name: 'A file of exactly 36 MB is extracted',
    async run(t) {
      const { data } = await extract(t, { file: pdf(invoiceLines, limitBytes).toString('base64') })
      assert.equal(data['Invoice number'], 'RE-2024-17')
    },
  },
  ...(
    [
      { id: 'limits.size-over', path: '/v2/extractor', needs: [] },
      { id: 'limits.size-over-async', path: '/v2/extractor/async', needs: ['callback'] },
    ] satisfies { id: string; path: string; needs: Need[] }[]
  ).map(
    ({ id, path, needs }): CaseBody => ({
      id,
      sentence: 'Maximum file size | 36 MB',
      name: `One byte more is refused with 413 on ${path}`,
      needs,
      async run(t) {
        const callback = path.endsWith('async') ? t.hook().url : undefined
        envelope(
          await agent(t, path, {
            ...invoiceRequest,
            file: pdf(invoiceLines, limitBytes + 1).toString('base64'),
            callback,
          }),
          413,
        )
      },
    }),
  ),
  {
    id: 'limits.async-large',
    sentence: 'Asynchronous mode | strongly recommended for files over 20 MB',
    name: 'A file of 21 MB is extracted in asynchronous mode',
    needs: ['callback'],
    async run(t) {
      const hook = t.hook()
      status(
        await agent(t, '/v2/extractor/async', {
          ...invoiceRequest,
          file: pdf(invoiceLines, 21 * 1024 * 1024).toString('base64'),
          callback: hook.url,
        }),
        200,
      )
      const [call] = await hook.wait(1, 60_000)
      assert.equal(extraction(call!.body).data['Total amount'], 119.5)
    },
  },
  {
    id: 'limits.token-first',
    sentence: 'Maximum file size | 36 MB',
    name: 'A request with a wrong token is refused for its token, however large',
    async run(t) {
      refused(await agent(t, '/v2/extractor', { ...invoiceRequest, filename: 'a.exe' }, 'wrong'))
    },
  },
])

export const extractorCases = [...result, ...endpoints, ...limits]
