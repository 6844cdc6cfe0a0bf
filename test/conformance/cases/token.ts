import assert from 'node:assert/strict'
import { agent, askToken, json, plain, proxy } from '../ask.ts'
import { section } from '../case.ts'
import { envelope, extraction, refused, status, string } from '../expect.ts'
import { invoiceRequest } from '../material.ts'
import type { Target } from '../target.ts'

const right = (t: Target): Record<string, string> => ({ client_id: t.clientId, client_secret: t.clientSecret })
const response = async (t: Target): Promise<Record<string, unknown>> => json(await askToken(t, right(t)))

function part(token: string, index: number): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString('utf8')) as Record<string, unknown>
}

const tokenFields = section('Resources › Token response', [
  {
    id: 'token.jwt',
    sentence: 'access_token | string | JWT',
    name: 'access_token has three base64url parts, of which the first two are JSON objects and the first names an algorithm',
    async run(t) {
      const token = string((await response(t))['access_token'], 'access_token')
      assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/)
      assert.equal(typeof part(token, 0)['alg'], 'string')
      assert.equal(typeof part(token, 1), 'object')
    },
  },
  {
    id: 'token.signed',
    sentence: 'access_token | string | JWT',
    name: 'The token is signed: its algorithm is not «none» and its signature is not empty',
    async run(t) {
      const token = string((await response(t))['access_token'], 'access_token')
      assert.notEqual(String(part(token, 0)['alg']).toLowerCase(), 'none')
      assert.ok((token.split('.')[2] ?? '').length > 20, 'the signature is too short to be one')
    },
  },
  {
    id: 'token.type',
    sentence: 'token_type | string | always `x-api-key`',
    name: 'token_type is x-api-key',
    async run(t) {
      assert.equal((await response(t))['token_type'], 'x-api-key')
    },
  },
  {
    id: 'token.expires-in',
    sentence: 'expires_in | string | numeric text',
    name: 'expires_in is a string of digits and more than zero',
    async run(t) {
      const expiresIn = string((await response(t))['expires_in'], 'expires_in')
      assert.match(expiresIn, /^\d+$/)
      assert.ok(Number(expiresIn) > 0)
    },
  },
  {
    id: 'token.expires-in-unit',
    sentence: 'expires_in | string | numeric text',
    name: 'The seconds agree with the token’s own iat and exp',
    needs: ['choice'],
    async run(t) {
      const body = await response(t)
      const claims = part(String(body['access_token']), 1)
      assert.equal(Number(claims['exp']) - Number(claims['iat']), Number(body['expires_in']))
    },
  },
  {
    id: 'token.header',
    sentence: 'sent in the `x-api-key` header on agent endpoints',
    name: 'The token works in x-api-key on an agent endpoint',
    async run(t) {
      extraction(json(await agent(t, '/v2/extractor', invoiceRequest, String((await response(t))['access_token']))))
    },
  },
  {
    id: 'token.bearer',
    sentence: 'as a Bearer credential on the proxy',
    name: 'The same token works as Bearer credential on the proxy',
    async run(t) {
      assert.equal(
        json(await proxy(t, '/models', undefined, { token: String((await response(t))['access_token']) }))['object'],
        'list',
      )
    },
  },
  {
    id: 'token.only-these',
    sentence: 'Token response (GET /v2/token)',
    name: 'The response has access_token, token_type and expires_in and nothing else',
    async run(t) {
      assert.deepEqual(Object.keys(await response(t)).sort(), ['access_token', 'expires_in', 'token_type'])
    },
  },
])

const wrongQueries: { id: string; sentence: string; name: string; query(t: Target): Record<string, string> }[] = [
  {
    id: 'no-id',
    sentence: '`client_id` (string, required)',
    name: 'Without client_id it is refused',
    query: (t) => ({ client_secret: t.clientSecret }),
  },
  {
    id: 'empty-id',
    sentence: '`client_id` (string, required)',
    name: 'With an empty client_id it is refused',
    query: (t) => ({ client_id: '', client_secret: t.clientSecret }),
  },
  {
    id: 'no-secret',
    sentence: '`client_secret` (string, required)',
    name: 'Without client_secret it is refused',
    query: (t) => ({ client_id: t.clientId }),
  },
  {
    id: 'empty-secret',
    sentence: '`client_secret` (string, required)',
    name: 'With an empty client_secret it is refused',
    query: (t) => ({ client_id: t.clientId, client_secret: '' }),
  },
  {
    id: 'wrong-secret',
    sentence: 'Call GET /v2/token with both as query parameters',
    name: 'A wrong secret is refused',
    query: (t) => ({ client_id: t.clientId, client_secret: `${t.clientSecret}x` }),
  },
  {
    id: 'unknown-id',
    sentence: 'Call GET /v2/token with both as query parameters',
    name: 'An unknown client is refused',
    query: (t) => ({ client_id: 'nobody', client_secret: t.clientSecret }),
  },
  {
    id: 'injection',
    sentence: 'Call GET /v2/token with both as query parameters',
    name: 'A client_id of quotes, line ends and zero bytes is refused like any other wrong one',
    query: () => ({ client_id: `' or 1=1 --\r\nx: y\u0000`, client_secret: `' or ''='` }),
  },
  {
    id: 'long',
    sentence: 'Call GET /v2/token with both as query parameters',
    name: 'A client_id of 8,000 characters is refused like any other wrong one',
    query: (t) => ({ client_id: 'x'.repeat(8000), client_secret: t.clientSecret }),
  },
]

const tokenEndpoint = section('Endpoints › GET /v2/token', [
  {
    id: 'token.answer',
    sentence: 'Response: token response (see Resources)',
    name: 'Both parameters right: HTTP 200 with JSON',
    async run(t) {
      const answer = await askToken(t, right(t))
      status(answer, 200)
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    },
  },
  ...wrongQueries.map(({ id, sentence, name, query }) => ({
    id: `token.${id}`,
    sentence,
    name,
    async run(t: Target) {
      const answer = await askToken(t, query(t))
      envelope(answer, 400, 401, 403, 422)
      assert.doesNotMatch(answer.text, /access_token/)
    },
  })),
  {
    id: 'token.alike',
    sentence: 'Call GET /v2/token with both as query parameters',
    name: 'The refusal does not tell whether the client or the secret was wrong',
    async run(t) {
      const wrongSecret = await askToken(t, { client_id: t.clientId, client_secret: 'guess' })
      const unknownClient = await askToken(t, { client_id: 'nobody', client_secret: t.clientSecret })
      assert.deepEqual(
        { status: wrongSecret.status, text: wrongSecret.text },
        { status: unknownClient.status, text: unknownClient.text },
      )
    },
  },
  {
    id: 'token.in-body',
    sentence: 'Query parameters: `client_id` (string, required), `client_secret` (string, required)',
    name: 'Credentials in a body instead of the query give no token',
    async run(t) {
      const body = JSON.stringify(right(t))
      refused(await plain(t, '/v2/token', { method: 'POST', headers: { 'content-type': 'application/json' }, body }))
    },
  },
  {
    id: 'token.method',
    sentence: 'GET /v2/token',
    name: 'Another method than GET is refused, also with the right query',
    async run(t) {
      envelope(await plain(t, `/v2/token?${new URLSearchParams(right(t)).toString()}`, { method: 'POST' }), 404, 405)
    },
  },
  {
    id: 'token.not-cached',
    sentence: 'The response has `access_token`, `token_type` and `expires_in`',
    name: 'The response may not be stored by what lies between',
    needs: ['choice'],
    async run(t) {
      assert.equal((await askToken(t, right(t))).headers.get('cache-control'), 'no-store')
    },
  },
  {
    id: 'token.no-echo',
    sentence: 'Call GET /v2/token with both as query parameters',
    name: 'A refusal does not repeat the secret that was sent',
    async run(t) {
      const answer = await askToken(t, { client_id: t.clientId, client_secret: 'my-other-password' })
      refused(answer)
      assert.doesNotMatch(answer.text, /my-other-password/)
    },
  },
])

export const tokenCases = [...tokenFields, ...tokenEndpoint]
