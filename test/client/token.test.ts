import { describe, expect, it } from 'vitest'
import { TokenSource, expiryOf } from '../../electron/core/platform/token.ts'
import { vendorCredentials } from '../helpers/vendor.ts'
import type { VendorReply } from '../helpers/vendor.ts'
import { clientOf, errorOf } from './client.ts'

const now = 1_700_000_000_000
const hour = 3_600_000
const jwt = (claims: object): string => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`

describe('how long a token is used', () => {
  it.each<[unknown, number]>([
    ['3600', hour],
    [3600, hour],
    [' 3600 ', hour],
    ['86400', 24 * hour],
    ['3600000', hour],
    [600_000, 600_000],
    ['604800000', 24 * hour],
    ['1700003600', 24 * hour],
    [undefined, 300_000],
    [null, 300_000],
    ['', 300_000],
    ['0', 300_000],
    ['-5', 300_000],
    ['soon', 300_000],
    ['1e999', 300_000],
  ])('with expires_in %j is %i ms', (expiresIn, lifetimeMs) => {
    expect(expiryOf('opaque', expiresIn as string | undefined, now) - now).toBe(lifetimeMs)
  })

  it.each<[string, object, number]>([
    ['its end', { exp: now / 1000 + 600 }, 600_000],
    ['its end in milliseconds', { exp: now + 600_000 }, 600_000],
    ['its beginning and end, by a clock an hour ahead', { iat: now / 1000 + 3600, exp: now / 1000 + 4200 }, 600_000],
    ['its beginning and end, by a clock an hour behind', { iat: now / 1000 - 3600, exp: now / 1000 - 3000 }, 600_000],
    ['an end far away', { exp: now / 1000 + 10_000_000 }, 24 * hour],
  ])('is what the JWT says: %s', (_what, claims, lifetimeMs) => {
    expect(expiryOf(jwt(claims), '60', now) - now).toBe(lifetimeMs)
  })

  it.each<[string, object]>([
    ['over on arrival', { exp: now / 1000 - 10 }],
    ['of another type', { exp: 'tomorrow' }],
    ['absent', {}],
  ])('is what expires_in says when the JWT’s end is %s', (_what, claims) => {
    expect(expiryOf(jwt(claims), '60', now) - now).toBe(60_000)
  })

  it('is not read from what only looks like a JWT', () => {
    expect(expiryOf('a.b.c', '60', now) - now).toBe(60_000)
    expect(expiryOf(`x.${Buffer.from('[1]').toString('base64url')}.y`, undefined, now) - now).toBe(300_000)
  })
})

describe('the token of a connection', () => {
  it('is asked for once by however many need it at once', async () => {
    const { tokens, vendor } = await clientOf({})
    expect(await Promise.all(Array.from({ length: 20 }, () => tokens.get()))).toEqual(
      Array.from({ length: 20 }, () => 'token-1'),
    )
    expect(await tokens.get()).toBe('token-1')
    expect(vendor.tokensIssued()).toBe(1)
  })

  it.each([['3600'], [3600], ['3600000'], [undefined], [null], ['soon'], [{ odd: true }]])(
    'is used again when expires_in is %j',
    async (expiresIn) => {
      const { tokens, vendor } = await clientOf({ expiresIn })
      await tokens.get()
      await tokens.get()
      expect(vendor.tokensIssued()).toBe(1)
    },
  )

  it('is renewed ahead of its end', async () => {
    const soon = Math.floor(Date.now() / 1000) + 2
    const { vendor, http } = await clientOf({ token: (index) => (index === 0 ? reply(jwt({ exp: soon })) : null) })
    const tokens = new TokenSource(http, { baseUrl: vendor.baseUrl, ...vendorCredentials }, 5000, 0)
    const first = await tokens.get()
    await expect.poll(() => tokens.get(), { timeout: 5000 }).not.toBe(first)
    expect(Date.now()).toBeLessThan(soon * 1000 + 1000)
  })

  it('that is over on arrival is used all the same, and asked for once', async () => {
    const over = jwt({ exp: 1_000_000_000 })
    const { tokens, vendor } = await clientOf({ token: (index) => (index === 0 ? reply(over) : null) })
    expect(await tokens.get()).toBe(over)
    expect(await tokens.get()).toBe(over)
    expect(vendor.tokensIssued()).toBe(0)
  })

  it('is renewed once for all who were refused with it', async () => {
    const { tokens, vendor } = await clientOf({})
    const first = await tokens.get()
    expect(await Promise.all([tokens.get(first), tokens.get(first), tokens.get(first)])).toEqual([
      'token-2',
      'token-2',
      'token-2',
    ])
    expect(await tokens.get(first)).toBe('token-2')
    expect(vendor.tokensIssued()).toBe(2)
  })

  it('is not renewed more often than once in a while, however short it lasts', async () => {
    const times: number[] = []
    const { vendor, http } = await clientOf({ expiresIn: '1', token: () => (times.push(performance.now()), null) })
    const tokens = new TokenSource(http, { baseUrl: vendor.baseUrl, ...vendorCredentials }, 5000, 300)
    let used = ''
    // Each token works once, and is refused the next time.
    const exchange = async (token: string): Promise<{ status: number; body: null }> => {
      const status = token === used ? 401 : 200
      used = token
      return { status, body: null }
    }
    for (const turn of [1, 2, 3, 4]) {
      expect((await tokens.use(exchange)).status).toBe(200)
      expect(used).toBe(`token-${turn}`)
    }
    // As the vendor sees it: what comes between an answer and its use here does not count.
    expect(times[2]! - times[1]!).toBeGreaterThan(290)
    expect(times[3]! - times[2]!).toBeGreaterThan(290)
  })

  it('that was never accepted is not asked for again within that time, and nobody waits', async () => {
    const { tokens, vendor } = await clientOf({})
    for (const _turn of [1, 2, 3]) await tokens.use(async () => ({ status: 401, body: null }))
    expect(vendor.tokensIssued()).toBe(2)
  })

  it('is asked for again after a failure', async () => {
    const { tokens } = await clientOf({ token: (index) => (index === 0 ? { status: 503, body: '' } : null) })
    expect((await errorOf(tokens.get())).code).toBe('service_unavailable')
    expect(await tokens.get()).toBe('token-1')
  })

  it.each<[string, VendorReply, string]>([
    ['401', { status: 401, body: '{"status":"error","error":"Unauthorized"}' }, 'credentials_refused'],
    [
      '401 with a word',
      { status: 401, body: 'Unauthorized', headers: { 'content-type': 'text/plain' } },
      'credentials_refused',
    ],
    ['401 with nothing', { status: 401, body: '' }, 'credentials_refused'],
    ['401 of a page', { status: 401, body: '<html>Sign in</html>' }, 'not_a_platform'],
    ['400', { status: 400, body: '{"error":"client_id"}' }, 'credentials_refused'],
    ['422', { status: 422, body: '{"detail":[{"msg":"client_id"}]}' }, 'credentials_refused'],
    ['200 that says 401', { body: '{"status":"error","code":401,"error":"Unauthorized"}' }, 'credentials_refused'],
    ['402', { status: 402, body: '{"error":"x"}' }, 'quota_reached'],
    ['403', { status: 403, body: '{"error":"no administrator"}' }, 'access_denied'],
    ['403 of a page', { status: 403, body: '<html>Forbidden</html>' }, 'not_a_platform'],
    ['404', { status: 404, body: '{"error":"Not Found"}' }, 'not_a_platform'],
    ['405', { status: 405, body: '' }, 'not_a_platform'],
    [
      'a redirect',
      { status: 302, body: '', headers: { location: 'https://elsewhere.example/login' } },
      'not_a_platform',
    ],
    ['429', { status: 429, body: '<html>slow</html>' }, 'rate_limited'],
    ['500', { status: 500, body: 'x' }, 'service_unavailable'],
    ['503', { status: 503, body: '' }, 'service_unavailable'],
    ['a page', { body: '<html>Welcome</html>' }, 'not_a_platform'],
    ['another JSON', { body: '{"hello":"world"}' }, 'not_a_platform'],
    ['an empty token', { body: '{"access_token":""}' }, 'not_a_platform'],
    ['a token that would add a header', { body: JSON.stringify({ access_token: 'a\r\nx-evil: 1' }) }, 'not_a_platform'],
  ])('fails by its own error on %s, asked once', async (_what, answer, code) => {
    let asked = 0
    const { tokens } = await clientOf({
      token: () => {
        asked += 1
        return answer
      },
    })
    expect((await errorOf(tokens.get())).code).toBe(code)
    expect(asked).toBe(1)
  })

  it('keeps Retry-After of a refusal', async () => {
    const { tokens } = await clientOf({ token: () => ({ status: 429, body: '{}', headers: { 'retry-after': '7' } }) })
    expect((await errorOf(tokens.get())).retryAfterMs).toBe(7000)
  })

  it('never stands in an error with its secret', async () => {
    const { tokens } = await clientOf({ token: () => ({ status: 404, body: '{"error":"vendor-secret"}' }) })
    const error = await errorOf(tokens.get())
    expect(`${error.message} ${JSON.stringify(error.details)}`).not.toMatch(/vendor-secret|client_secret/)
  })
})

function reply(token: string): VendorReply {
  return { body: JSON.stringify({ access_token: token, token_type: 'x-api-key' }) }
}
