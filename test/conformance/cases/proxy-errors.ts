import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { chat, json, plain, proxy, smallChat } from '../ask.ts'
import { section } from '../case.ts'
import type { CaseBody } from '../case.ts'
import { completion, invalid, proxyError, retryAfter, status } from '../expect.ts'
import type { ModelReply } from '../../helpers/model-server.ts'
import { own } from '../target.ts'
import type { Target } from '../target.ts'
import { speak } from '../wire.ts'

const path = '/compat/v1/chat/completions'

/** The head of a chat request with a right credential and whatever says how long its body is. */
async function head(t: Target, ...length: string[]): Promise<string[]> {
  return [
    `POST ${path} HTTP/1.1`,
    `Authorization: Bearer ${await t.bearer()}`,
    'Content-Type: application/json',
    ...length,
  ]
}

const send = (t: Target, body: unknown) => proxy(t, '/chat/completions', body)

const malformed = {
  'cut-off': '{"model":"svc-small","messages":[',
  words: 'hello',
  empty: '',
  'two-objects': '{"messages":[]}{}',
  'trailing-comma': '{"messages":[1,],}',
  'single-quotes': "{'model':'svc-small'}",
}
const noObject = { array: [smallChat], text: '"chat"', null: 'null', number: '7' }
const badMessages: [string, unknown][] = [
  ['missing', undefined],
  ['empty', []],
  ['null', null],
  ['text', 'Hi'],
  ['object', { role: 'user', content: 'Hi' }],
  ['number', 7],
]

const table = section('Errors › Proxy error format', [
  {
    id: 'errors.shape',
    sentence: 'The proxy returns the body `{error: {message, type, code}}`',
    name: 'error has message, type and code, each a string, in application/json',
    async run(t) {
      const answer = await chat(t, { n: 2 })
      const error = invalid(answer, 400, 'unsupported_parameter')
      for (const field of ['message', 'type', 'code']) assert.equal(typeof error[field], 'string')
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    },
  },
  ...['gpt-4o', 'SVC-LARGE', 'svc-large ', '', 'big', '../svc-large'].map(
    (model, index): CaseBody => ({
      id: `errors.model-${index + 1}`,
      sentence: '400 | model_not_found | invalid_request_error | model identifier not in the model list',
      name: `The model «${model}» is not found`,
      async run(t) {
        invalid(await chat(t, { model }), 400, 'model_not_found')
      },
    }),
  ),
  ...[7, {}, ['svc-large'], true].map(
    (model, index): CaseBody => ({
      id: `errors.model-type-${index + 1}`,
      sentence: 'model | one of the listed model identifiers',
      name: `The model ${JSON.stringify(model)} is refused with 400`,
      async run(t) {
        const answer = await chat(t, { model })
        status(answer, 400)
        assert.match(
          String((json(answer)['error'] as Record<string, unknown>)['code']),
          /^(model_not_found|invalid_request|invalid_value)$/,
        )
      },
    }),
  ),
  ...Object.entries(malformed).map(
    ([id, body]): CaseBody => ({
      id: `errors.malformed-${id}`,
      sentence: '400 | invalid_request | invalid_request_error | malformed JSON, or `messages` missing or empty',
      name: `A body of ${body === '' ? 'no bytes' : `«${body}»`} is refused`,
      async run(t) {
        invalid(await send(t, body), 400, 'invalid_request')
      },
    }),
  ),
  ...Object.entries(noObject).map(
    ([id, body]): CaseBody => ({
      id: `errors.no-object-${id}`,
      sentence: '400 | invalid_request | invalid_request_error | malformed JSON, or `messages` missing or empty',
      name: `JSON that is no object (${id}) is refused`,
      async run(t) {
        invalid(await send(t, body), 400, 'invalid_request')
      },
    }),
  ),
  ...badMessages.map(
    ([id, value]): CaseBody => ({
      id: `errors.messages-${id}`,
      sentence: 'malformed JSON, or `messages` missing or empty',
      name: `messages ${id === 'missing' ? 'missing' : `as ${JSON.stringify(value)}`} is refused`,
      async run(t) {
        invalid(await send(t, { model: 'svc-small', messages: value }), 400, 'invalid_request')
      },
    }),
  ),
  {
    id: 'errors.not-utf8',
    sentence: 'malformed JSON',
    name: 'Bytes that are no UTF-8 are refused or read as a text, and never break the service',
    async run(t) {
      const body = Buffer.concat([
        Buffer.from('{"model":"svc-small","messages":[{"role":"user","content":"'),
        Buffer.from([0xff, 0xfe, 0xc3]),
        Buffer.from('"}]}'),
      ])
      const answer = await speak(t, await head(t, `Content-Length: ${body.length}`), body)
      status(answer, 200, 400)
    },
  },
  {
    id: 'errors.deep',
    sentence: 'malformed JSON',
    name: 'JSON nested 100,000 deep is refused and the service goes on',
    async run(t) {
      invalid(await send(t, '['.repeat(100_000)), 400, 'invalid_request')
      status(await proxy(t, '/models'), 200)
    },
  },
  ...(
    [
      ['unknown', 'GET', '/nothing'],
      ['below-models', 'GET', '/models/svc-large/parts'],
      ['no-chat', 'POST', '/completions'],
      ['embeddings', 'POST', '/embeddings'],
      ['post-models', 'POST', '/models'],
      ['get-chat', 'GET', '/chat/completions'],
      ['put-chat', 'PUT', '/chat/completions'],
      ['delete-chat', 'DELETE', '/chat/completions'],
    ] as const
  ).map(
    ([id, method, place]): CaseBody => ({
      id: `errors.not-found-${id}`,
      sentence:
        '404 | not_found | invalid_request_error | unknown path under `/compat`, or wrong HTTP method on a known path',
      name: `${method} ${place} is not found, under both prefixes`,
      async run(t) {
        for (const base of ['/compat/v1', '/compat'])
          invalid(await proxy(t, place, method === 'GET' ? undefined : smallChat, { method, base }), 404, 'not_found')
      },
    }),
  ),
  {
    id: 'errors.not-found-root',
    sentence: 'unknown path under `/compat`',
    name: 'The prefix itself and a longer version are not found',
    async run(t) {
      for (const place of ['/compat', '/compat/', '/compat/v2/models', '/compat/v1'])
        invalid(await plain(t, place, { headers: { authorization: `Bearer ${await t.bearer()}` } }), 404, 'not_found')
    },
  },
  {
    id: 'errors.chunked',
    sentence:
      '411 | missing_content_length | invalid_request_error | body without a usable `Content-Length` (for example chunked transfer)',
    name: 'A chunked body is refused',
    async run(t) {
      const body = JSON.stringify(smallChat)
      invalid(
        await speak(
          t,
          await head(t, 'Transfer-Encoding: chunked'),
          `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`,
        ),
        411,
        'missing_content_length',
      )
    },
  },
  {
    id: 'errors.no-length',
    sentence: 'body without a usable `Content-Length`',
    name: 'A request without Content-Length is refused',
    async run(t) {
      invalid(await speak(t, await head(t)), 411, 'missing_content_length')
    },
  },
  ...['abc', '-5', '1.5', '0x20', '1e3'].map(
    (length, index): CaseBody => ({
      id: `errors.length-${index + 1}`,
      sentence: 'body without a usable `Content-Length`',
      name: `Content-Length: ${length} is refused`,
      async run(t) {
        invalid(
          await speak(t, await head(t, `Content-Length: ${length}`), JSON.stringify(smallChat)),
          411,
          'missing_content_length',
        )
      },
    }),
  ),
  {
    id: 'errors.too-large',
    sentence: '413 | request_too_large | invalid_request_error | body over 2 MB',
    name: 'A body of 2 MB + 1 is refused although it was sent whole',
    async run(t) {
      const body = Buffer.alloc(2_097_153, ' ')
      body.write(JSON.stringify(smallChat))
      invalid(await speak(t, await head(t, `Content-Length: ${body.length}`), body), 413, 'request_too_large')
    },
  },
  {
    id: 'errors.spending',
    sentence: '429 | spending_limit_reached | insufficient_quota | organization spending cap reached',
    name: 'Chat is refused when the cap is reached and answers again with a higher cap',
    needs: ['organizations', 'model'],
    async run(t) {
      const organization = await own(t).organization({
        quotaTokens: 0,
        spendingCapEuros: 0,
        eurosPerMillionTokens: 1000,
      })
      const token = await organization.token()
      proxyError(await chat(t, {}, { token }), 429, 'spending_limit_reached', 'insufficient_quota')
      await organization.save({ spendingCapEuros: 5 })
      completion(await chat(t, {}, { token }))
    },
  },
  {
    id: 'errors.upstream-detail',
    sentence: '502 | upstream | api_error | the model returned an error',
    name: 'The failure is told without addresses, paths or words of the model’s server',
    needs: ['model'],
    async run(t) {
      own(t).model.answer(() => ({ status: 500, body: '{"error":{"message":"stack at /srv/secret.py line 7"}}' }))
      const answer = await chat(t)
      proxyError(answer, 502, 'upstream', 'api_error')
      assert.doesNotMatch(answer.text, /secret\.py|127\.0\.0\.1|stack/)
    },
  },
  ...(
    [
      { id: 'status-500', what: 'answers 500', reply: { status: 500 } },
      { id: 'status-400', what: 'answers 400', reply: { status: 400, body: '{"error":{"message":"bad template"}}' } },
      {
        id: 'no-json',
        what: 'answers 200 without JSON',
        reply: { body: '<html>', headers: { 'content-type': 'text/html' } },
      },
      { id: 'other-json', what: 'answers 200 with JSON that is no completion', reply: { body: '{"hello":"world"}' } },
    ] satisfies { id: string; what: string; reply: ModelReply }[]
  ).map(
    ({ id, what, reply }): CaseBody => ({
      id: `errors.upstream-${id}`,
      sentence: '502 | upstream | api_error | the model returned an error',
      name: `A model that ${what} gives 502`,
      needs: ['model'],
      async run(t) {
        own(t).model.answer(() => reply)
        proxyError(await chat(t), 502, 'upstream', 'api_error')
      },
    }),
  ),
  {
    id: 'errors.not-served',
    sentence: 'A model alias from the list that is momentarily not served gives 503, and it is not a client fault',
    name: 'An alias without a model gives 503 with Retry-After, the other one still answers',
    needs: ['model'],
    async run(t) {
      await own(t).modelsServedBy({ baseUrl: own(t).model.baseUrl, large: null, small: 'tiny' })
      const answer = await chat(t, { model: 'svc-large' })
      proxyError(answer, 503, 'unavailable', 'api_error')
      retryAfter(answer)
      completion(await chat(t, { model: 'svc-small' }))
    },
  },
  {
    id: 'errors.no-server',
    sentence:
      '503 | unavailable | api_error | temporary outage (alias not served, unreachable, or an internal dependency failing)',
    name: 'With no model’s server named both aliases give 503 with Retry-After',
    needs: ['model'],
    async run(t) {
      await own(t).modelsServedBy({ baseUrl: null, large: null, small: null })
      for (const model of ['svc-large', 'svc-small']) {
        const answer = await chat(t, { model })
        proxyError(answer, 503, 'unavailable', 'api_error')
        retryAfter(answer)
      }
    },
  },
  {
    id: 'errors.unreachable',
    sentence: 'temporary outage (alias not served, unreachable, or an internal dependency failing)',
    name: 'A model’s server that cannot be reached gives 503 with Retry-After',
    needs: ['model'],
    async run(t) {
      await own(t).modelsServedBy({ baseUrl: `http://127.0.0.1:${await closedPort()}/v1`, large: 'big', small: 'tiny' })
      const answer = await chat(t)
      proxyError(answer, 503, 'unavailable', 'api_error')
      retryAfter(answer)
    },
  },
  {
    id: 'errors.busy',
    sentence: 'retry after the `Retry-After` delay',
    name: 'A model’s server that is busy for 17 s gives 503, and its delay is handed on',
    needs: ['model', 'choice'],
    async run(t) {
      own(t).model.answer(() => ({ status: 503, headers: { 'retry-after': '17' } }))
      const answer = await chat(t)
      proxyError(answer, 503, 'unavailable', 'api_error')
      assert.equal(retryAfter(answer), 17)
    },
  },
  {
    id: 'errors.timeout',
    sentence: '504 | timeout | api_error | the model did not respond in time',
    name: 'A model that never answers gives 504 (a service told to wait 2 s)',
    needs: ['limits', 'model'],
    async run(t) {
      own(t).model.answer(() => ({ answer: 'never' }))
      for (const stream of [false, true])
        proxyError(await chat(await own(t).strict(), { stream }), 504, 'timeout', 'api_error')
    },
  },
  {
    id: 'errors.leaves-nothing',
    sentence: 'retry when one completes',
    name: 'After twelve failures in a row the model is asked as ever: no failure keeps a place',
    needs: ['organizations', 'model'],
    async run(t) {
      const token = await (await own(t).organization()).token()
      for (const reply of [{ status: 500 }, { answer: 'drop' }, { body: 'no' }] satisfies ModelReply[]) {
        own(t).model.answer(() => reply)
        for (let count = 0; count < 4; count++) assert.ok((await chat(t, {}, { token })).status >= 500)
      }
      own(t).model.answer(() => undefined)
      completion(await chat(t, {}, { token }))
    },
  },
])

/** A port on which nobody listens. */
function closedPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

export const proxyErrorCases = table
