import assert from 'node:assert/strict'
import { agent, json, plain, proxy } from '../ask.ts'
import { section } from '../case.ts'
import type { CaseBody } from '../case.ts'
import { envelope, refused, status } from '../expect.ts'
import { invoicePdf, invoiceRequest } from '../material.ts'
import type { Target } from '../target.ts'
import { speak } from '../wire.ts'

const bodies: [string, string, string][] = [
  ['empty', 'an empty body', ''],
  ['form', 'a form instead of JSON', 'filename=a.pdf'],
  ['cut-off', 'JSON that is cut off', '{"filename":"a.pdf"'],
  ['cut-in-file', 'JSON that is cut off inside the file', '{"filename":"a.pdf","file":"QUJD'],
  ['array', 'an array', '["file","QUJD"]'],
  ['text', 'a text', '"file"'],
  ['null', 'null', 'null'],
  ['two', 'two objects', '{"file":"QUJD"}{"file":"QUJD"}'],
  ['no-colon', 'an object without a colon', '{"file" "QUJD"}'],
]

const errors = section('Errors › Other endpoints', [
  {
    id: 'envelope.fields',
    sentence: 'The rest of the API uses an envelope with the fields `status`, `code`, `error`, `detail`',
    name: 'A refused extraction has these four fields',
    async run(t) {
      envelope(await agent(t, '/v2/extractor', { ...invoiceRequest, params: null }), 400, 422)
    },
  },
  {
    id: 'envelope.status-error',
    sentence: 'A synchronous failure can be `status: error` with `error`',
    name: 'status is error, and code, error and detail are strings, the first two not empty',
    needs: ['choice'],
    async run(t) {
      for (const answer of [
        await agent(t, '/v2/extractor', {}),
        await agent(t, '/v2/extractor', invoiceRequest, 'wrong'),
        await plain(t, '/v2/nothing'),
      ]) {
        const body = json(answer)
        assert.equal(body['status'], 'error')
        for (const field of ['code', 'error', 'detail']) assert.equal(typeof body[field], 'string', field)
        assert.ok(body['code'] !== '' && body['error'] !== '')
      }
    },
  },
  ...[
    '/v2',
    '/v2/',
    '/v2/extractor/a/b',
    '/v2/extractor/async/a/b',
    '/v2/tokens',
    '/v3/token',
    '/v2/documentalist/a/b',
    '/v2/..%2fservice.json',
  ].map(
    (path): CaseBody => ({
      id: `envelope.unknown${path.replaceAll(/[^a-z0-9]+/gi, '-')}`,
      sentence: 'Agent and token endpoints live under the path prefix `/v2`',
      name: `POST ${path} is not there`,
      async run(t) {
        envelope(await agent(t, path, {}), 404, 405)
      },
    }),
  ),
  ...bodies.map(
    ([id, what, body]): CaseBody => ({
      id: `envelope.body-${id}`,
      sentence: 'JSON bodies use `Content-Type: application/json`',
      name: `The extractor refuses ${what}`,
      async run(t) {
        for (const path of ['/v2/extractor', '/v2/extractor/async']) envelope(await agent(t, path, body), 400, 422)
      },
    }),
  ),
  {
    id: 'envelope.not-utf8',
    sentence: 'JSON bodies use `Content-Type: application/json`',
    name: 'A body that is not UTF-8 is refused',
    needs: ['choice'],
    async run(t) {
      const body = Buffer.from(`{"filename":"\xe9.pdf","file":"${invoicePdf}","params":[]}`, 'latin1')
      envelope(
        await speak(
          t,
          ['POST /v2/extractor HTTP/1.1', `x-api-key: ${await t.token()}`, `Content-Length: ${body.length}`],
          body,
        ),
        400,
      )
    },
  },
  {
    id: 'envelope.twice',
    sentence: 'file | string | yes',
    name: 'file given twice is refused',
    needs: ['choice'],
    async run(t) {
      envelope(
        await agent(
          t,
          '/v2/extractor',
          `{"filename":"a.pdf","file":"${invoicePdf}","file":"${invoicePdf}","params":[]}`,
        ),
        400,
      )
    },
  },
  {
    id: 'envelope.token-first',
    sentence: 'All agent endpoints use the `x-api-key` header',
    name: 'A wrong token is refused before the body is sent',
    needs: ['choice'],
    async run(t) {
      envelope(await speak(t, ['POST /v2/extractor HTTP/1.1', 'x-api-key: wrong', 'Content-Length: 40000000']), 401)
    },
  },
  {
    id: 'envelope.size-first',
    sentence: 'Maximum file size | 36 MB',
    name: 'A body that can only be too large is refused before it is sent',
    needs: ['choice'],
    async run(t) {
      envelope(
        await speak(t, ['POST /v2/extractor HTTP/1.1', `x-api-key: ${await t.token()}`, 'Content-Length: 90000000']),
        413,
      )
    },
  },
  {
    id: 'envelope.header-injection',
    sentence: 'All agent endpoints use the `x-api-key` header',
    name: 'Line ends in a path or a query become no header of the answer',
    async run(t) {
      for (const path of [
        '/v2/extractor/a%0d%0ax-injected:%201',
        '/v2/documentalist/a%0d%0ax-injected:%201',
        '/v2/token?client_id=a%0d%0ax-injected:%201&client_secret=b',
      ]) {
        const answer = path.startsWith('/v2/token') ? await plain(t, path) : await agent(t, path, {})
        refused(answer)
        assert.equal(answer.headers.get('x-injected'), null)
      }
    },
  },
  ...(
    [
      ['control-token', 'x-api-key: a\u0001b'],
      ['folded', 'x-api-key: a\r\n folded'],
      ['no-colon', 'this is no header'],
      ['two-lengths', 'Content-Length: 5\r\nContent-Length: 7'],
      ['length-and-chunked', 'Content-Length: 5\r\nTransfer-Encoding: chunked'],
    ] as const
  ).map(
    ([id, line]): CaseBody => ({
      id: `envelope.broken-header-${id}`,
      sentence: 'All agent endpoints use the `x-api-key` header',
      name: `A request with a broken header (${id.replaceAll('-', ' ')}) is refused and the service goes on`,
      async run(t: Target) {
        refused(await speak(t, ['POST /v2/extractor HTTP/1.1', ...line.split('\r\n')], '{}'))
        status(await proxy(t, '/models'), 200)
      },
    }),
  ),
  {
    id: 'envelope.long-header',
    sentence: 'All agent endpoints use the `x-api-key` header',
    name: 'A header of 100,000 characters is refused and the service goes on',
    async run(t) {
      refused(await speak(t, ['GET /v2/token HTTP/1.1', `x-long: ${'a'.repeat(100_000)}`]))
      status(await proxy(t, '/models'), 200)
    },
  },
  {
    id: 'envelope.strange-method',
    sentence: 'POST /v2/extractor',
    name: 'A method that nobody knows is refused',
    async run(t) {
      refused(await speak(t, ['BREW /v2/extractor HTTP/1.1', 'Content-Length: 0']))
      refused(await speak(t, ['PROPFIND /v2/token HTTP/1.1', 'Content-Length: 0']))
    },
  },
])

export const envelopeCases = errors
