import assert from 'node:assert/strict'
import { json, proxy, smallChat } from '../ask.ts'
import { section } from '../case.ts'
import { array, integer, proxyError, record, status, string } from '../expect.ts'
import { own } from '../target.ts'
import type { Target } from '../target.ts'

async function modelsOf(t: Target): Promise<Record<string, unknown>[]> {
  const answer = await proxy(t, '/models')
  status(answer, 200)
  const body = json(answer)
  assert.equal(body['object'], 'list')
  return array(body['data'], 'data').map((model) => record(model, 'model'))
}

const resource = section('Resources › Model', [
  {
    id: 'models.list',
    sentence: 'A list wraps them as `object: list` and `data: [model]`',
    name: 'The list is object list with the models in data',
    async run(t) {
      assert.ok((await modelsOf(t)).length > 0)
    },
  },
  {
    id: 'models.id',
    sentence: '`id` (string)',
    name: 'Each id is a string, and no two are the same',
    async run(t) {
      const ids = (await modelsOf(t)).map((model) => string(model['id'], 'id'))
      assert.equal(new Set(ids).size, ids.length)
    },
  },
  {
    id: 'models.object',
    sentence: '`object` (`model`)',
    name: 'Each object is model',
    async run(t) {
      for (const model of await modelsOf(t)) assert.equal(model['object'], 'model')
    },
  },
  {
    id: 'models.created',
    sentence: '`created` (integer)',
    name: 'Each created is an integer, not before 2000 and not in the future',
    async run(t) {
      for (const model of await modelsOf(t)) {
        const created = integer(model['created'], 'created')
        assert.ok(created > 946_684_800 && created <= Date.now() / 1000 + 86_400, `created is ${created}`)
      }
    },
  },
  {
    id: 'models.owned-by',
    sentence: '`owned_by` (string)',
    name: 'Each owned_by is a string',
    async run(t) {
      for (const model of await modelsOf(t)) string(model['owned_by'], 'owned_by')
    },
  },
])

const endpoint = section('Endpoints › GET /compat/v1/models', [
  {
    id: 'models.json',
    sentence: 'Response: model list (see Resources)',
    name: 'The list is sent as application/json',
    async run(t) {
      const answer = await proxy(t, '/models')
      status(answer, 200)
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    },
  },
  {
    id: 'models.spending',
    sentence: 'Stays reachable when the spending limit is reached',
    name: 'Chat is refused with 429 and the list is still given',
    needs: ['organizations', 'model'],
    async run(t) {
      const organization = await own(t).organization({ quotaTokens: 0, spendingCapEuros: 0, eurosPerMillionTokens: 1 })
      const token = await organization.token()
      proxyError(
        await proxy(t, '/chat/completions', smallChat, { token }),
        429,
        'spending_limit_reached',
        'insufficient_quota',
      )
      status(await proxy(t, '/models', undefined, { token }), 200)
    },
  },
  {
    id: 'models.not-served',
    sentence: 'A model alias from the list that is momentarily not served gives 503',
    name: 'An alias stays in the list while nothing serves it',
    needs: ['model'],
    async run(t) {
      await own(t).modelsServedBy({ baseUrl: null, large: null, small: null })
      assert.deepEqual((await modelsOf(t)).map((model) => model['id']).sort(), ['svc-large', 'svc-small'])
    },
  },
])

export const modelCases = [...resource, ...endpoint]
