import { createHmac } from 'node:crypto'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAgent } from '../../electron/service/access/agents.ts'
import { pdf } from './documents.ts'
import { invoiceLines, invoiceParams, startRig, tokenFrom } from './setup.ts'
import type { Rig } from './setup.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.close())

const invoice = { filename: 'a.pdf', file: pdf(invoiceLines).toString('base64'), params: invoiceParams }
const openOrganization = {
  id: null,
  apiEnabled: true,
  subscribed: true,
  quotaTokens: null,
  spendingCapEuros: null,
  eurosPerMillionTokens: 0,
}

type Member = { organizationId: string; accountId: string; clientId: string; clientSecret: string; token: string }

/** An organization of its own with one administrator and a client. */
async function member(name = 'Acme'): Promise<Member> {
  const { id: organizationId } = await rig.control('organizations.save', { ...openOrganization, name })
  const { id: accountId } = await rig.control('accounts.save', {
    id: null,
    organizationId,
    name: 'Ada',
    active: true,
    administrator: true,
  })
  const client = await rig.control('clients.add', { accountId })
  return { organizationId, accountId, ...client, token: await tokenFrom({ baseUrl: rig.service.baseUrl, ...client }) }
}

function askToken(clientId: string, clientSecret: string): Promise<Response> {
  return fetch(
    `${rig.service.baseUrl}/v2/token?${new URLSearchParams({ client_id: clientId, client_secret: clientSecret }).toString()}`,
  )
}

function extract(token: string, path = '/v2/extractor', body: object = invoice): Promise<Response> {
  return rig.post(path, body, { 'x-api-key': token })
}

async function expectEnvelope(response: Response, status: number, code: string, detail?: string): Promise<void> {
  expect(response.status).toBe(status)
  expect(await response.json()).toEqual({
    status: 'error',
    code,
    error: expect.any(String) as string,
    detail: detail === undefined ? (expect.any(String) as string) : (expect.stringContaining(detail) as string),
  })
}

describe('a token', () => {
  it('is issued to each of several clients of one organization', async () => {
    const one = await member()
    const second = await rig.control('clients.add', { accountId: one.accountId, name: 'Second' })
    expect((await askToken(second.clientId, second.clientSecret)).status).toBe(200)
    expect((await extract(one.token)).status).toBe(200)
    const { clients } = await rig.control('clients.list', {})
    expect(
      clients.filter(({ organizationId }) => organizationId === one.organizationId).map(({ name }) => name),
    ).toEqual(['', 'Second'])
    expect(JSON.stringify(clients)).not.toContain(second.clientSecret)
  })

  it('is refused in the same words for an unknown client and for the secret of another', async () => {
    const [one, two] = [await member(), await member()]
    const answers = await Promise.all(
      [askToken('nobody', one.clientSecret), askToken(one.clientId, two.clientSecret)].map(async (answer) =>
        (await answer).text(),
      ),
    )
    expect(answers[0]).toBe(answers[1])
    await expectEnvelope(await askToken(one.clientId, two.clientSecret), 401, 'invalid_credentials')
  })

  it.each([
    ['not active', { active: false, administrator: true }],
    ['no administrator', { active: true, administrator: false }],
  ])('is refused to an account that is %s, and worth nothing once it became so', async (_, state) => {
    const { organizationId, accountId, clientId, clientSecret, token } = await member()
    await rig.control('accounts.save', { id: accountId, organizationId, name: 'Ada', ...state })
    await expectEnvelope(await askToken(clientId, clientSecret), 403, 'access_denied')
    await expectEnvelope(await extract(token), 403, 'access_denied')
    await rig.control('accounts.save', {
      id: accountId,
      organizationId,
      name: 'Ada',
      active: true,
      administrator: true,
    })
    expect((await extract(token)).status).toBe(200)
  })

  it('is worth nothing once its client was removed', async () => {
    const { clientId, clientSecret, token } = await member()
    await rig.control('clients.remove', { clientId })
    await expectEnvelope(await extract(token), 401, 'invalid_token', 'no longer exists')
    await expectEnvelope(await askToken(clientId, clientSecret), 401, 'invalid_credentials')
  })

  it.each([
    ['API access is disabled', { apiEnabled: false }, 'disabled'],
    ['there is no subscription', { subscribed: false }, 'subscription'],
  ])('is issued, but access denied, where %s for the organization', async (_, state, detail) => {
    const { organizationId, clientId, clientSecret, token } = await member()
    await rig.control('organizations.save', { ...openOrganization, id: organizationId, name: 'Acme', ...state })
    expect((await askToken(clientId, clientSecret)).status).toBe(200)
    await expectEnvelope(await extract(token), 403, 'access_denied', detail)
    await expectEnvelope(
      await extract(token, '/v2/extractor/async', { ...invoice, callback: 'http://127.0.0.1:9/' }),
      403,
      'access_denied',
      detail,
    )
  })

  describe('that this service did not sign', () => {
    const base64url = (value: object | Buffer): string =>
      (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))).toString('base64url')
    const signed = (header: object, payload: object, key: Buffer, hash = 'sha256'): string => {
      const text = `${base64url(header)}.${base64url(payload)}`
      return `${text}.${base64url(createHmac(hash, key).update(text).digest())}`
    }
    const now = Math.floor(Date.now() / 1000)
    let key: Buffer
    let payload: Record<string, unknown>
    beforeEach(async () => {
      key = await readFile(join(rig.dataDir, 'service.key'))
      payload = { iss: 'sheaf-service', sub: rig.credentials.clientId, iat: now, exp: now + 600 }
    })

    it('would be taken if its signature were right', async () => {
      expect((await extract(signed({ alg: 'HS256', typ: 'JWT' }, payload, key))).status).toBe(200)
    })

    it.each<[string, () => string]>([
      ['alg none', () => `${base64url({ alg: 'none', typ: 'JWT' })}.${base64url(payload)}.`],
      ['another algorithm with the right key', () => signed({ alg: 'HS512', typ: 'JWT' }, payload, key, 'sha512')],
      ['another key', () => signed({ alg: 'HS256' }, payload, Buffer.alloc(32, 7))],
      ['a time that is over', () => signed({ alg: 'HS256' }, { ...payload, exp: now - 1 }, key)],
      ['no end', () => signed({ alg: 'HS256' }, { ...payload, exp: undefined }, key)],
      ['no client', () => signed({ alg: 'HS256' }, { ...payload, sub: undefined }, key)],
      ['another issuer', () => signed({ alg: 'HS256' }, { ...payload, iss: 'somebody' }, key)],
      ['no form of a token', () => 'x'.repeat(5000)],
    ])('is refused: %s', async (_, make) => {
      await expectEnvelope(await extract(make()), 401, 'invalid_token')
    })
  })
})

describe('agents of another organization', () => {
  it('are used when they are public, and otherwise not even known', async () => {
    const [owner, other] = [await member(), await member()]
    for (const visibility of ['Private', 'Organization', 'Public'] as const) {
      createAgent(rig.service.db, {
        reference: `inv-${visibility}`,
        name: 'Invoices',
        schema: invoiceParams,
        visibility,
        organizationId: owner.organizationId,
      })
    }
    const { params: _params, ...body } = invoice
    expect((await extract(other.token, '/v2/extractor/inv-Public', body)).status).toBe(200)
    await expectEnvelope(await extract(other.token, '/v2/extractor/inv-Organization', body), 404, 'agent_not_found')
    await expectEnvelope(await extract(other.token, '/v2/extractor/inv-Private', body), 404, 'agent_not_found')
    expect((await extract(owner.token, '/v2/extractor/inv-Organization', body)).status).toBe(200)
  })
})

describe('managing access', () => {
  it('keeps an account in its organization', async () => {
    const [one, two] = [await member(), await member()]
    await expect(
      rig.control('accounts.save', {
        id: one.accountId,
        organizationId: two.organizationId,
        name: 'Ada',
        active: true,
        administrator: true,
      }),
    ).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })

  it('says what there is not', async () => {
    await expect(
      rig.control('organizations.save', { ...openOrganization, id: 'nowhere', name: 'X' }),
    ).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      rig.control('accounts.save', {
        id: null,
        organizationId: 'nowhere',
        name: 'X',
        active: true,
        administrator: true,
      }),
    ).rejects.toMatchObject({ code: 'not_found' })
    await expect(rig.control('clients.add', { accountId: 'nobody' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(rig.control('clients.remove', { clientId: 'nobody' })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('keeps secrets as hashes, and the files with secrets for their owner alone', async () => {
    const { clientSecret } = await member()
    rig.service.db.pragma('wal_checkpoint(TRUNCATE)')
    expect((await readFile(join(rig.dataDir, 'service.db'))).includes(clientSecret)).toBe(false)
    if (process.platform === 'win32') return
    for (const name of ['service.json', 'service.key'])
      expect((await stat(join(rig.dataDir, name))).mode & 0o777).toBe(0o600)
  })
})

describe('the client of this computer', () => {
  it('is replaced when service.json is lost, and the clients of others stay', async () => {
    const own = rig.credentials
    const other = await member()
    await rm(join(rig.dataDir, 'service.json'))
    await rig.restart()
    expect(rig.credentials.clientId).not.toBe(own.clientId)
    expect((await askToken(own.clientId, own.clientSecret)).status).toBe(401)
    expect((await askToken(rig.credentials.clientId, rig.credentials.clientSecret)).status).toBe(200)
    expect((await askToken(other.clientId, other.clientSecret)).status).toBe(200)
    rig.token = await tokenFrom(rig.credentials)
  })

  it('cannot be removed, since nothing could be extracted here without it', async () => {
    await expect(rig.control('clients.remove', { clientId: rig.credentials.clientId })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    expect((await askToken(rig.credentials.clientId, rig.credentials.clientSecret)).status).toBe(200)
  })

  it('shares its name with nobody', async () => {
    await expect(rig.control('clients.add', { accountId: 'local', name: 'This computer' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })

  it('is the same after a restart, and its token still good', async () => {
    const { clientId } = rig.credentials
    await rig.restart()
    expect(rig.credentials.clientId).toBe(clientId)
    expect((await extract(rig.token)).status).toBe(200)
  })
})
