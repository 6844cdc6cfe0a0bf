import assert from 'node:assert/strict'
import { agent, askToken, chat, json, plain, proxy } from '../ask.ts'
import { section } from '../case.ts'
import { array, envelope, extraction, record, refused, status } from '../expect.ts'
import { agentFields, invoicePdf, knownQuestion } from '../material.ts'
import { own } from '../target.ts'
import type { Target } from '../target.ts'

const invoice = { filename: 'invoice.pdf', file: invoicePdf }

/** An account of an organization of its own, with a client. */
async function accountWith(target: Target, state: { active: boolean; administrator: boolean }) {
  const { call, organization } = own(target)
  const { id } = await organization()
  const accountId = String(
    (await call('accounts.save', { id: null, organizationId: id, name: 'Somebody', ...state }))['id'],
  )
  const client = await call('clients.add', { accountId })
  const query = { client_id: String(client['clientId']), client_secret: String(client['clientSecret']) }
  return {
    query,
    save: (more: Partial<typeof state>) =>
      call('accounts.save', { id: accountId, organizationId: id, name: 'Somebody', ...state, ...more }),
  }
}

export const serviceCases = section('What the service does', [
  {
    id: 'service.documentalist',
    sentence: 'Documentalist (answers questions about the agent’s documents)',
    name: 'A question about a document of the agent is answered from it',
    needs: ['documentalist', 'agents'],
    async run(t) {
      await own(t).modelsServedBy({ baseUrl: null, large: null, small: null })
      const answer = await agent(t, `/v2/documentalist/${t.documentalist}`, { query: knownQuestion })
      status(answer, 200)
      assert.match(answer.text, /1450/)
    },
  },
  {
    id: 'service.documentalist-unknown',
    sentence: 'Documentalist (answers questions about the agent’s documents)',
    name: 'What no document says is said to be not found, and is not made up',
    needs: ['documentalist', 'choice'],
    async run(t) {
      await own(t).modelsServedBy({ baseUrl: null, large: null, small: null })
      const answer = await agent(t, `/v2/documentalist/${t.documentalist}`, {
        query: 'Which volcano erupted in Iceland?',
      })
      status(answer, 200)
      assert.match(answer.text, /did not find/)
    },
  },
  {
    id: 'service.extractor',
    sentence: 'Extractor (extracts structured data from documents)',
    name: 'An Extractor gives the data of a document by its schema',
    needs: ['extractor'],
    async run(t) {
      const answer = await agent(t, `/v2/extractor/${t.extractor}`, invoice)
      status(answer, 200)
      assert.ok(Object.keys(extraction(json(answer)).data).length > 0, 'no field was extracted')
    },
  },
  ...['/v2/writer', '/v2/writer/some-agent'].map((path) => ({
    id: path === '/v2/writer' ? 'service.writer' : 'service.writer-agent',
    sentence: 'Writer (content generation; announced as coming soon, with no interface)',
    name: `POST ${path} gives no content`,
    async run(t: Target) {
      const answer = await agent(t, path, { query: 'Write a poem' })
      assert.ok(
        (answer.status >= 400 && answer.status < 500) || answer.status === 501,
        `HTTP ${answer.status} from an interface that does not exist`,
      )
    },
  })),
  {
    id: 'service.writer-soon',
    sentence: 'Writer (content generation; announced as coming soon, with no interface)',
    name: 'The reference of a Writer on the extractor’s endpoint is answered with the envelope and says that it is coming soon',
    needs: ['agents', 'choice'],
    async run(t) {
      const reference = await own(t).agent({ kind: 'writer', name: 'Letters' })
      const body = envelope(await agent(t, `/v2/extractor/${reference}`, invoice), 501)
      assert.match(`${String(body['error'])} ${String(body['detail'])}`, /coming soon/)
    },
  },
  {
    id: 'service.two-aliases',
    sentence: 'A chat-completion proxy exposes two model aliases',
    name: 'The model list has exactly svc-large and svc-small',
    async run(t) {
      const answer = await proxy(t, '/models')
      const ids = array(json(answer)['data'], 'data').map((model) => record(model, 'model')['id'])
      assert.deepEqual(ids.sort(), ['svc-large', 'svc-small'])
    },
  },
  {
    id: 'service.active',
    sentence: 'Every API user needs an active account',
    name: 'The client of an account that is not active gets no token',
    needs: ['organizations'],
    async run(t) {
      const { query } = await accountWith(t, { active: false, administrator: true })
      refused(await askToken(t, query))
    },
  },
  {
    id: 'service.active-later',
    sentence: 'Every API user needs an active account',
    name: 'A token stops working on both kinds of endpoints when its account is no longer active',
    needs: ['organizations'],
    async run(t) {
      const { query, save } = await accountWith(t, { active: true, administrator: true })
      const token = String(json(await askToken(t, query))['access_token'])
      status(await proxy(t, '/models', undefined, { token }), 200)
      await save({ active: false })
      refused(await proxy(t, '/models', undefined, { token }))
      refused(await agent(t, `/v2/extractor/${t.extractor}`, invoice, token))
    },
  },
  {
    id: 'service.administrator',
    sentence: 'Every API user needs an active account and administrator status in the organization',
    name: 'The client of an account without administrator status gets no token',
    needs: ['organizations'],
    async run(t) {
      const { query } = await accountWith(t, { active: true, administrator: false })
      refused(await askToken(t, query))
    },
  },
  {
    id: 'service.administrator-later',
    sentence: 'Every API user needs an active account and administrator status in the organization',
    name: 'A token stops working when its account is no longer an administrator',
    needs: ['organizations'],
    async run(t) {
      const { query, save } = await accountWith(t, { active: true, administrator: true })
      const token = String(json(await askToken(t, query))['access_token'])
      await save({ administrator: false })
      refused(await proxy(t, '/models', undefined, { token }))
      refused(await agent(t, `/v2/extractor/${t.extractor}`, invoice, token))
    },
  },
  {
    id: 'service.several-clients',
    sentence: 'A client id and a client secret are obtained in the dashboard',
    name: 'Several clients of one organization work side by side, and a removed one stops alone',
    needs: ['organizations'],
    async run(t) {
      const organization = await own(t).organization()
      const second = await organization.addClient()
      const ask = () => askToken(t, { client_id: second.clientId, client_secret: second.clientSecret })
      status(await ask(), 200)
      await own(t).call('clients.remove', { clientId: second.clientId })
      refused(await ask())
      status(await askToken(t, { client_id: organization.clientId, client_secret: organization.clientSecret }), 200)
    },
  },
  {
    id: 'service.usage',
    sentence: 'Consumption is visible in the Usage section of the dashboard',
    name: 'The tokens that a chat answer reports are added to the organization’s month',
    needs: ['organizations', 'model'],
    async run(t) {
      const organization = await own(t).organization()
      const month = async (): Promise<number> =>
        Number((await own(t).call('usage.month', { organizationId: organization.id }))['tokens'])
      assert.equal(await month(), 0)
      const answer = await chat(t, {}, { token: await organization.token() })
      assert.equal(await month(), Number(record(json(answer)['usage'], 'usage')['total_tokens']))
    },
  },
  {
    id: 'service.private',
    sentence: 'A Documentalist agent must have visibility `Public` or `Organization` to be usable through the API',
    name: 'A private Documentalist is refused',
    needs: ['privateDocumentalist'],
    async run(t) {
      refused(await agent(t, `/v2/documentalist/${t.privateDocumentalist}`, { query: knownQuestion }))
    },
  },
  {
    id: 'service.organization',
    sentence: '`Organization` (all members of the organization)',
    name: 'An agent for the organization answers a member and is not there for another organization',
    needs: ['agents', 'organizations'],
    async run(t) {
      const organization = await own(t).organization()
      const other = await own(t).organization()
      const input = { kind: 'documentalist', name: 'Ours', visibility: 'Organization', organizationId: organization.id }
      const path = `/v2/documentalist/${await own(t).agent(input)}`
      status(await agent(t, path, { query: 'Hello?' }, await organization.token()), 200)
      status(await agent(t, path, { query: 'Hello?' }, await other.token()), 403, 404)
    },
  },
  {
    id: 'service.public',
    sentence: '`Public` (everyone, through a dedicated URL)',
    name: 'A public Documentalist answers another organization',
    needs: ['agents', 'organizations'],
    async run(t) {
      const reference = await own(t).agent({ kind: 'documentalist', name: 'Everybody’s', visibility: 'Public' })
      const other = await own(t).organization()
      status(await agent(t, `/v2/documentalist/${reference}`, { query: 'Hello?' }, await other.token()), 200)
    },
  },
  {
    id: 'service.visibility-changes',
    sentence: 'Agent visibility levels',
    name: 'A Documentalist that becomes private is refused from then on',
    needs: ['agents'],
    async run(t) {
      const reference = await own(t).agent({ kind: 'documentalist', name: 'Changing', visibility: 'Organization' })
      status(await agent(t, `/v2/documentalist/${reference}`, { query: 'Hello?' }), 200)
      await own(t).agent({ reference, kind: 'documentalist', name: 'Changing', visibility: 'Private' })
      refused(await agent(t, `/v2/documentalist/${reference}`, { query: 'Hello?' }))
    },
  },
  {
    id: 'service.extractor-of-others',
    sentence: '`Organization` (all members of the organization)',
    name: 'An Extractor of one organization is not there for a token of another',
    needs: ['agents', 'organizations'],
    async run(t) {
      const organization = await own(t).organization()
      const other = await own(t).organization()
      const reference = await own(t).agent({
        kind: 'extractor',
        name: 'Ours',
        visibility: 'Organization',
        organizationId: organization.id,
        schema: agentFields,
      })
      status(await agent(t, `/v2/extractor/${reference}`, invoice, await organization.token()), 200)
      status(await agent(t, `/v2/extractor/${reference}`, invoice, await other.token()), 403, 404)
    },
  },
  {
    id: 'service.dashboard-apart',
    sentence: 'Users create AI agents in a web dashboard and call them through an HTTP API',
    name: 'The API has no way to make or list agents',
    async run(t) {
      const headers = { 'x-api-key': await t.token() }
      for (const path of ['/v2/agents', '/v2/extractor', '/v2/documentalist']) {
        const answer = await plain(t, path, { headers })
        assert.ok(answer.status >= 400, `GET ${path} answers HTTP ${answer.status}`)
      }
      refused(await plain(t, '/v2/agents', { method: 'POST', headers, body: '{}' }))
    },
  },
])
