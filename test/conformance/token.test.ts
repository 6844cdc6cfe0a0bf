import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pdf } from './documents.ts'
import { invoiceLines, invoiceParams, startRig } from './setup.ts'
import type { Rig } from './setup.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.close())

function askToken(query: Record<string, string>): Promise<Response> {
  return fetch(`${rig.service.baseUrl}/v2/token?${new URLSearchParams(query).toString()}`)
}

describe('Token response (GET /v2/token)', () => {
  it('has access_token, token_type x-api-key and expires_in as numeric text, and nothing else', async () => {
    const response = await askToken({ client_id: rig.credentials.clientId, client_secret: rig.credentials.clientSecret })
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string,
      token_type: 'x-api-key',
      expires_in: '3600',
    })
  })

  it.each([{ client_id: 'x' }, { client_secret: 'x' }, { client_id: '', client_secret: 'x' }, {}] as Record<string, string>[])('refuses %j with 400 in the envelope', async (query) => {
    const response = await askToken(query)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ status: 'error', code: 'invalid_request', error: expect.any(String) as string, detail: expect.any(String) as string })
  })

  it('refuses a wrong secret and an unknown client alike with 401', async () => {
    const wrongSecret = await askToken({ client_id: rig.credentials.clientId, client_secret: 'guess' })
    const unknownClient = await askToken({ client_id: 'nobody', client_secret: rig.credentials.clientSecret })
    expect([wrongSecret.status, unknownClient.status]).toEqual([401, 401])
    const body = (await wrongSecret.json()) as object
    expect(body).toMatchObject({ status: 'error', code: 'invalid_credentials' })
    expect(await unknownClient.json()).toEqual(body)
  })

  it('answers another method with 405 and the allowed one', async () => {
    const response = await fetch(`${rig.service.baseUrl}/v2/token`, { method: 'POST' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET')
    expect(await response.json()).toMatchObject({ status: 'error', code: 'method_not_allowed' })
  })
})

describe('Authentication', () => {
  const extract = (token: string | null): Promise<Response> => {
    const headers: Record<string, string> = token === null ? {} : { 'x-api-key': token }
    const body = JSON.stringify({ filename: 'a.pdf', file: pdf(invoiceLines).toString('base64'), params: invoiceParams })
    return fetch(`${rig.service.baseUrl}/v2/extractor`, { method: 'POST', headers, body })
  }

  async function expectRefused(token: string | null): Promise<void> {
    const response = await extract(token)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ status: 'error', code: 'invalid_token' })
  }

  it('takes the token in the x-api-key header', async () => {
    expect((await extract(rig.token)).status).toBe(200)
  })

  it('refuses a request without token, with a made-up one, and with an altered one', async () => {
    await expectRefused(null)
    await expectRefused('made-up')
    const [head, payload, signature] = rig.token.split('.') as [string, string, string]
    const other = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('"exp":1', '"exp":2')).toString('base64url')
    await expectRefused(`${head}.${other}.${signature}`)
  })

  it('refuses the token as a Bearer credential, which belongs to the proxy', async () => {
    const response = await fetch(`${rig.service.baseUrl}/v2/extractor`, { method: 'POST', headers: { authorization: `Bearer ${rig.token}` }, body: '{}' })
    expect(response.status).toBe(401)
  })

  it('refuses unsigned tokens, other algorithms, foreign keys and expired tokens', async () => {
    const key = await readFile(join(rig.dataDir, 'service.key'))
    const { clientId } = rig.credentials
    const claims = (): SignJWT => new SignJWT().setIssuer('sheaf-service').setSubject(clientId).setIssuedAt()
    await expectRefused(new UnsecuredJWT().setIssuer('sheaf-service').setSubject(clientId).setExpirationTime('1h').encode())
    await expectRefused(await claims().setProtectedHeader({ alg: 'HS512' }).setExpirationTime('1h').sign(key))
    await expectRefused(await claims().setProtectedHeader({ alg: 'HS256' }).setExpirationTime('1h').sign(Buffer.alloc(32, 7)))
    await expectRefused(await claims().setProtectedHeader({ alg: 'HS256' }).setExpirationTime(Math.floor(Date.now() / 1000) - 60).sign(key))
    await expectRefused(await claims().setProtectedHeader({ alg: 'HS256' }).sign(key))
    const valid = await claims().setProtectedHeader({ alg: 'HS256' }).setExpirationTime('1h').sign(key)
    expect((await extract(valid)).status).toBe(200)
  })

  it('keeps client, secret and tokens over a restart', async () => {
    await rig.restart()
    const again = JSON.parse(await readFile(rig.service.credentialsPath, 'utf8')) as Rig['credentials']
    expect(again).toEqual({ ...rig.credentials, baseUrl: rig.service.baseUrl })
    expect((await extract(rig.token)).status).toBe(200)
  })

  it.skipIf(process.platform === 'win32')('lets only its owner read the credentials and the signing key', async () => {
    for (const name of ['service.json', 'service.key']) {
      expect((await stat(join(rig.dataDir, name))).mode & 0o777).toBe(0o600)
    }
  })

  it('stores no secret in its database', async () => {
    const everything = Buffer.concat(await Promise.all(['service.db', 'service.db-wal'].map((name) => readFile(join(rig.dataDir, name)).catch(() => Buffer.alloc(0)))))
    expect(everything.includes(rig.credentials.clientId)).toBe(true)
    expect(everything.includes(rig.credentials.clientSecret)).toBe(false)
  })
})
