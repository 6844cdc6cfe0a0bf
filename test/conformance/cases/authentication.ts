import assert from 'node:assert/strict'
import { agent, json, plain, proxy, smallChat } from '../ask.ts'
import { section } from '../case.ts'
import type { CaseBody } from '../case.ts'
import { envelope, invalid, proxyError, refused, retryAfter, status } from '../expect.ts'
import { invoicePdf, invoiceRequest, knownQuestion } from '../material.ts'
import { own } from '../target.ts'
import type { Target } from '../target.ts'

/** A token that is no longer what was issued; the signature stays when it is not named. */
async function altered(
  t: Target,
  header: Record<string, unknown> | null,
  claims: Record<string, unknown>,
  signature?: string,
): Promise<string> {
  const [head = '', payload = '', sign = ''] = (await t.token()).split('.')
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const own = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown>
  return `${header === null ? head : encode(header)}.${encode({ ...own, ...claims })}.${signature ?? sign}`
}

const now = (): number => Math.floor(Date.now() / 1000)

/** Claims of an issued token, to be signed again. */
async function claimsOf(t: Target): Promise<Record<string, unknown>> {
  return JSON.parse(Buffer.from((await t.token()).split('.')[1] ?? '', 'base64url').toString('utf8')) as Record<
    string,
    unknown
  >
}

const badTokens: { id: string; what: string; needs?: CaseBody['needs']; make(t: Target): Promise<string> | string }[] =
  [
    { id: 'made-up', what: 'a made-up token', make: () => 'made-up' },
    { id: 'not-json', what: 'three parts that are no JSON', make: () => 'aaaa.bbbb.cccc' },
    {
      id: 'altered',
      what: 'a token with altered claims',
      make: (t) => altered(t, null, { exp: now() + 999_999, sub: 'somebody' }),
    },
    {
      id: 'alg-none',
      what: 'an unsigned token (alg none)',
      make: (t) => altered(t, { alg: 'none', typ: 'JWT' }, { exp: now() + 600 }, ''),
    },
    {
      id: 'alg-none-signed',
      what: 'alg none with the signature kept',
      make: (t) => altered(t, { alg: 'nOnE', typ: 'JWT' }, {}),
    },
    { id: 'cut', what: 'a token without its last characters', make: async (t) => (await t.token()).slice(0, -5) },
    { id: 'long', what: 'a token of 12,000 characters', make: async (t) => `${await t.token()}${'A'.repeat(12_000)}` },
    {
      id: 'expired',
      what: 'an expired token',
      needs: ['key'],
      make: async (t) => own(t).sign({ ...(await claimsOf(t)), iat: now() - 7200, exp: now() - 60 }),
    },
    {
      id: 'no-expiry',
      what: 'a token that never expires',
      needs: ['key'],
      make: async (t) => own(t).sign({ ...(await claimsOf(t)), exp: undefined }),
    },
    {
      id: 'other-alg',
      what: 'a token signed with another algorithm',
      needs: ['key'],
      make: async (t) => own(t).sign(await claimsOf(t), { alg: 'HS512', typ: 'JWT' }),
    },
    {
      id: 'other-key',
      what: 'a token signed with another key',
      needs: ['key'],
      make: async (t) => own(t).sign(await claimsOf(t), undefined, Buffer.alloc(32, 7)),
    },
    {
      id: 'other-client',
      what: 'a token for a client that does not exist',
      needs: ['key'],
      make: async (t) => own(t).sign({ ...(await claimsOf(t)), sub: 'nobody' }),
    },
  ]

const refusals: CaseBody[] = badTokens.flatMap(({ id, what, needs, make }) => [
  {
    id: `auth.proxy-${id}`,
    sentence: 'On the proxy, a missing or invalid credential gives 401 `invalid_api_key`',
    name: `The proxy refuses ${what}`,
    ...(needs === undefined ? {} : { needs }),
    async run(t: Target) {
      invalid(await proxy(t, '/models', undefined, { token: await make(t) }), 401, 'invalid_api_key')
    },
  },
  {
    id: `auth.agents-${id}`,
    sentence:
      'Checks when authentication fails: credentials entered correctly, token not expired, account has permission for the operation',
    name: `An agent endpoint refuses ${what} with the envelope`,
    ...(needs === undefined ? {} : { needs }),
    async run(t: Target) {
      envelope(await agent(t, '/v2/extractor', invoiceRequest, await make(t)), 401, 403)
    },
  },
])

const agentRequests = (t: Target): [string, object][] => [
  ['/v2/extractor', invoiceRequest],
  ['/v2/extractor/async', { ...invoiceRequest, callback: 'http://127.0.0.1:9/' }],
  [`/v2/extractor/${t.extractor ?? 'some-agent'}`, { filename: 'invoice.pdf', file: invoicePdf }],
  [
    `/v2/extractor/async/${t.extractor ?? 'some-agent'}`,
    { filename: 'invoice.pdf', file: invoicePdf, callback: 'http://127.0.0.1:9/' },
  ],
  [`/v2/documentalist/${t.documentalist ?? 'some-agent'}`, { query: knownQuestion }],
]

export const authenticationCases = section('Authentication', [
  {
    id: 'auth.agents-header',
    sentence: 'Agent endpoints (`/v2/documentalist/...`, `/v2/extractor...`): send the token in the `x-api-key` header',
    name: 'Every agent endpoint refuses a request without the header',
    async run(t) {
      for (const [path, body] of agentRequests(t))
        envelope(
          await plain(t, path, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }),
          401,
          403,
        )
    },
  },
  {
    id: 'auth.agents-not-bearer',
    sentence: 'Agent endpoints (`/v2/documentalist/...`, `/v2/extractor...`): send the token in the `x-api-key` header',
    name: 'The token as Bearer credential alone is refused there',
    needs: ['choice'],
    async run(t) {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${await t.token()}` }
      for (const [path, body] of agentRequests(t))
        envelope(await plain(t, path, { method: 'POST', headers, body: JSON.stringify(body) }), 401)
    },
  },
  {
    id: 'auth.proxy-bearer',
    sentence:
      'Proxy endpoints (`/compat/v1/...`): send the same `access_token` as `Authorization: Bearer <ACCESS_TOKEN>`, even though `token_type` reads `x-api-key`',
    name: 'The word Bearer is taken in any case, as HTTP has it',
    async run(t) {
      for (const scheme of ['Bearer', 'bearer', 'BEARER'])
        status(
          await plain(t, '/compat/v1/models', { headers: { authorization: `${scheme} ${await t.bearer()}` } }),
          200,
        )
    },
  },
  {
    id: 'auth.proxy-missing',
    sentence: 'On the proxy, a missing or invalid credential gives 401 `invalid_api_key`',
    name: 'Without a credential both endpoints answer 401',
    async run(t) {
      invalid(await plain(t, '/compat/v1/models'), 401, 'invalid_api_key')
      invalid(
        await plain(t, '/compat/v1/chat/completions', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(smallChat),
        }),
        401,
        'invalid_api_key',
      )
    },
  },
  ...[
    { id: 'empty', credential: 'Bearer ', what: 'an empty Bearer credential' },
    { id: 'basic', credential: 'Basic Zm9vOmJhcg==', what: 'a Basic credential' },
    { id: 'bare', credential: 'TOKEN', what: 'the token without the word Bearer' },
  ].map(({ id, credential, what }) => ({
    id: `auth.proxy-${id}`,
    sentence: 'On the proxy, a missing or invalid credential gives 401 `invalid_api_key`',
    name: `The proxy refuses ${what}`,
    async run(t: Target) {
      const authorization = credential.replace('TOKEN', await t.token())
      invalid(await plain(t, '/compat/v1/models', { headers: { authorization } }), 401, 'invalid_api_key')
    },
  })),
  {
    id: 'auth.proxy-x-api-key',
    sentence:
      'Proxy endpoints (`/compat/v1/...`): send the same `access_token` as `Authorization: Bearer <ACCESS_TOKEN>`',
    name: 'The token in x-api-key alone is a missing credential on the proxy',
    needs: ['choice'],
    async run(t) {
      invalid(
        await plain(t, '/compat/v1/models', { headers: { 'x-api-key': await t.token() } }),
        401,
        'invalid_api_key',
      )
    },
  },
  {
    id: 'auth.proxy-client-secret',
    sentence: 'On the proxy, a missing or invalid credential gives 401 `invalid_api_key`',
    name: 'The client secret is no access token',
    async run(t) {
      invalid(await proxy(t, '/models', undefined, { token: t.clientSecret }), 401, 'invalid_api_key')
    },
  },
  ...refusals,
  ...(['apiEnabled', 'subscribed'] as const).flatMap((state) => {
    const sentence =
      'API access disabled for the organization, or an organization without a subscription, gives 403 `access_denied` (type `permission_error`)'
    const what = state === 'apiEnabled' ? 'API access disabled' : 'no subscription'
    return [
      {
        id: `auth.proxy-${state === 'apiEnabled' ? 'disabled' : 'unsubscribed'}`,
        sentence,
        name: `With ${what} both endpoints of the proxy answer 403, and answer again when that is mended`,
        needs: ['organizations', 'model'] satisfies CaseBody['needs'],
        async run(t: Target) {
          const organization = await own(t).organization()
          const token = await organization.token()
          await organization.save({ [state]: false })
          proxyError(await proxy(t, '/models', undefined, { token }), 403, 'access_denied', 'permission_error')
          proxyError(
            await proxy(t, '/chat/completions', smallChat, { token }),
            403,
            'access_denied',
            'permission_error',
          )
          await organization.save({ [state]: true })
          status(await proxy(t, '/models', undefined, { token }), 200)
        },
      },
      {
        id: `auth.agents-${state === 'apiEnabled' ? 'disabled' : 'unsubscribed'}`,
        sentence: 'account has permission for the operation',
        name: `With ${what} the agent endpoints answer 403 with the envelope`,
        needs: ['organizations'] satisfies CaseBody['needs'],
        async run(t: Target) {
          const organization = await own(t).organization()
          const token = await organization.token()
          await organization.save({ [state]: false })
          const body = envelope(await agent(t, '/v2/extractor', invoiceRequest, token), 403)
          assert.equal(body['code'], 'access_denied')
          envelope(await agent(t, `/v2/documentalist/${t.documentalist}`, { query: knownQuestion }, token), 403)
        },
      },
    ]
  }),
  {
    id: 'auth.rate-across-tokens',
    sentence:
      'The rate counter of the proxy is per organization across all tokens; obtaining a new token does not reset it',
    name: 'After 100 requests in turn by two tokens of two clients, a third, new token is refused as well, and another organization is not',
    needs: ['organizations'],
    async run(t) {
      const organization = await own(t).organization()
      const ask = async (client: { clientId: string; clientSecret: string }): Promise<string> =>
        String(
          json(
            await plain(
              t,
              `/v2/token?${new URLSearchParams({ client_id: client.clientId, client_secret: client.clientSecret }).toString()}`,
            ),
          )['access_token'],
        )
      const tokens = [await ask(organization), await ask(await organization.addClient())]
      for (let count = 0; count < 100; count++)
        status(await proxy(t, '/models', undefined, { token: tokens[count % 2] }), 200)
      const refusal = await proxy(t, '/models', undefined, { token: await ask(organization) })
      proxyError(refusal, 429, 'rate_limit_exceeded', 'rate_limit_error')
      retryAfter(refusal)
      status(await proxy(t, '/models', undefined, { token: await (await own(t).organization()).token() }), 200)
    },
  },
  {
    id: 'auth.secret-of-others',
    sentence: 'credentials entered correctly',
    name: 'The secret of one client does not open another',
    needs: ['organizations'],
    async run(t) {
      const { clientId } = await own(t).organization()
      refused(
        await plain(
          t,
          `/v2/token?${new URLSearchParams({ client_id: clientId, client_secret: t.clientSecret }).toString()}`,
        ),
      )
    },
  },
])
