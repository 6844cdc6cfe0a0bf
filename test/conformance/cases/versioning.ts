import assert from 'node:assert/strict'
import { askToken, chat, json, plain, proxy, smallChat } from '../ask.ts'
import type { Answer } from '../ask.ts'
import { section } from '../case.ts'
import type { CaseBody } from '../case.ts'
import { completion, status } from '../expect.ts'
import { own } from '../target.ts'
import type { Target } from '../target.ts'

/** What must be the same under both prefixes: status, content type, body without what is new in each answer. */
function comparable(answer: Answer): unknown {
  const body = answer.text.replaceAll(/"(id|created)":("[^"]*"|\d+)/g, '"$1":0')
  return { status: answer.status, type: answer.headers.get('content-type'), body }
}

async function alike(t: Target, wanted: number, path: string, body?: unknown): Promise<void> {
  const [versioned, unversioned] = [await proxy(t, path, body), await proxy(t, path, body, { base: '/compat' })]
  status(versioned, wanted)
  assert.deepEqual(comparable(unversioned), comparable(versioned))
}

const requests: [string, string, number, string, unknown][] = [
  ['models', 'the model list', 200, '/models', undefined],
  ['not-found', 'an unknown path', 404, '/nothing', undefined],
  ['error', 'a refused parameter', 400, '/chat/completions', { ...smallChat, n: 2 }],
  ['malformed', 'malformed JSON', 400, '/chat/completions', '{'],
]

export const versioningCases = section('Versioning', [
  {
    id: 'versioning.v2',
    sentence: 'Agent and token endpoints live under the path prefix `/v2`',
    name: 'Without the prefix there is no token',
    async run(t) {
      const query = new URLSearchParams({ client_id: t.clientId, client_secret: t.clientSecret }).toString()
      status(await askToken(t, { client_id: t.clientId, client_secret: t.clientSecret }), 200)
      for (const path of ['/token', '/v1/token', '/v3/token'])
        assert.doesNotMatch((await plain(t, `${path}?${query}`)).text, /access_token/)
    },
  },
  ...requests.map(
    ([id, what, wanted, path, body]): CaseBody => ({
      id: `versioning.same-${id}`,
      sentence: 'The unversioned prefix `/compat` answers exactly like `/compat/v1`',
      name: `Both prefixes answer alike: ${what}`,
      run: (t) => alike(t, wanted, path, body),
    }),
  ),
  {
    id: 'versioning.same-chat',
    sentence: 'The unversioned prefix `/compat` answers exactly like `/compat/v1`',
    name: 'Both prefixes answer alike: a chat, and a streamed one',
    needs: ['model'],
    async run(t) {
      await alike(t, 200, '/chat/completions', smallChat)
      await alike(t, 200, '/chat/completions', { ...smallChat, stream: true })
    },
  },
  {
    id: 'versioning.append',
    sentence: 'kept for integrations that append `/v1` themselves',
    name: 'A base of /compat with /v1 appended is the versioned base',
    async run(t) {
      assert.equal(json(await proxy(t, '/v1/models', undefined, { base: '/compat' }))['object'], 'list')
    },
  },
  {
    id: 'versioning.same-credential',
    sentence: 'The unversioned prefix `/compat` answers exactly like `/compat/v1`',
    name: 'Without a credential the unversioned prefix answers 401 as well',
    async run(t) {
      const [versioned, unversioned] = [await plain(t, '/compat/v1/models'), await plain(t, '/compat/models')]
      assert.equal(unversioned.status, 401)
      assert.deepEqual(comparable(unversioned), comparable(versioned))
    },
  },
  {
    id: 'versioning.rate-together',
    sentence: 'The unversioned prefix `/compat` answers exactly like `/compat/v1`',
    name: 'Requests to both prefixes are counted together',
    needs: ['organizations'],
    async run(t) {
      const token = await (await own(t).organization()).token()
      const answers = await Promise.all(
        Array.from({ length: 102 }, (_, index) =>
          proxy(t, '/models', undefined, { token, base: index % 2 === 0 ? '/compat' : '/compat/v1' }),
        ),
      )
      assert.equal(answers.filter((answer) => answer.status === 200).length, 100)
    },
  },
  {
    id: 'versioning.alias-stays',
    sentence: 'the underlying model can change without notice and without breaking integrations',
    name: 'The answer names the alias, whatever model is behind it',
    needs: ['model'],
    async run(t) {
      for (const model of ['svc-large', 'svc-small']) assert.equal(json(await chat(t, { model }))['model'], model)
    },
  },
  {
    id: 'versioning.max-tokens',
    sentence: '`max_tokens` is deprecated in favor of `max_completion_tokens`',
    name: 'max_tokens alone is still taken',
    async run(t) {
      completion(await chat(t, { max_completion_tokens: undefined, max_tokens: 32 }))
    },
  },
])
