import { describe, expect, it } from 'vitest'
import { refusalOf } from '../../electron/core/platform/extractor.ts'
import { problemOf } from '../../electron/core/platform/problem.ts'
import type { VendorAnswer } from '../helpers/vendor-questions.ts'
import { chatAnswer, json, proxyError } from '../helpers/vendor-questions.ts'
import { clientOf, collect, errorOf } from './client.ts'

const signal = new AbortController().signal
const chat = { model: 'svc-huge', messages: [{ role: 'user' as const, content: 'Hello' }] }

/** The error that the client makes of a refused chat, without and with stream. */
async function refused(
  answer: VendorAnswer,
): Promise<{ code: string; details: object; retryAfterMs: number | undefined }> {
  const { models } = await clientOf({ chat: () => answer })
  const whole = await errorOf(models.complete(chat, { signal }))
  const stream = await errorOf(collect(models.stream(chat, { signal })))
  expect(stream.code).toBe(whole.code)
  return { code: whole.code, details: whole.details, retryAfterMs: whole.retryAfterMs }
}

describe('the error table of the proxy', () => {
  it.each([
    [400, 'model_not_found', 'invalid_request_error', 'model_not_found'],
    [400, 'unsupported_parameter', 'invalid_request_error', 'unsupported_parameter'],
    [400, 'invalid_value', 'invalid_request_error', 'invalid_value'],
    [400, 'invalid_request', 'invalid_request_error', 'invalid_request'],
    [401, 'invalid_api_key', 'invalid_request_error', 'credentials_refused'],
    [403, 'access_denied', 'permission_error', 'access_denied'],
    [404, 'not_found', 'invalid_request_error', 'no_such_endpoint'],
    [411, 'missing_content_length', 'invalid_request_error', 'missing_content_length'],
    [413, 'request_too_large', 'invalid_request_error', 'request_too_large'],
    [429, 'rate_limit_exceeded', 'rate_limit_error', 'rate_limited'],
    [429, 'concurrent_limit_exceeded', 'rate_limit_error', 'concurrent_limit_exceeded'],
    [429, 'spending_limit_reached', 'insufficient_quota', 'spending_limit_reached'],
    [500, 'internal_error', 'api_error', 'service_internal'],
    [502, 'upstream', 'api_error', 'model_failed'],
    [503, 'unavailable', 'api_error', 'model_unavailable'],
    [504, 'timeout', 'api_error', 'model_timeout'],
  ])('%i %s is an error of its own', async (status, code, type, expected) => {
    const error = await refused(proxyError(status, code, type))
    expect(error.code).toBe(expected)
    expect(error.details).toMatchObject({
      model: 'svc-huge',
      status,
      serviceCode: code,
      detail: `the vendor says ${code}`,
    })
  })

  it('is told by the code where the status is another one', async () => {
    expect((await refused(proxyError(404, 'model_not_found', 'invalid_request_error'))).code).toBe('model_not_found')
    expect((await refused(proxyError(400, 'invalid_api_key', 'invalid_request_error'))).code).toBe(
      'credentials_refused',
    )
  })

  it.each([
    ['3', 3000],
    ['Tue, 24 Nov 2026 10:00:30 GMT', 30_000],
    ['soon', undefined],
  ])('keeps Retry-After %j of a rate limit and of an outage', async (header, expected) => {
    // A date counts from the `Date` of the same answer.
    const headers = { 'retry-after': header, date: 'Tue, 24 Nov 2026 10:00:00 GMT' }
    for (const answer of [
      proxyError(429, 'rate_limit_exceeded', 'rate_limit_error', headers),
      proxyError(503, 'unavailable', 'api_error', headers),
    ])
      expect((await refused(answer)).retryAfterMs).toBe(expected)
  })
})

describe('a refusal with an odd body', () => {
  const bodies = {
    'the page of a gateway': '<html><body><h1>Bad Gateway</h1></body></html>',
    nothing: '',
    'a JSON text': '"no"',
    'an unknown code': '{"error":{"message":"no","type":"x","code":"brand_new"}}',
    'a numeric code': '{"error":{"message":"no","code":42}}',
    'a nested error': '{"error":{"error":{"message":"no"}}}',
    'an envelope': '{"status":"error","code":"x","error":"no","detail":""}',
    'a list': '[{"error":{"message":"no"}}]',
    'errors in a list': '{"errors":["no"]}',
    'a detail of a validator': '{"detail":[{"loc":["body"],"msg":"no"}]}',
    null: 'null',
  }
  const statuses: [number, string, string][] = [
    [400, 'invalid_request', 'invalid_request'],
    [401, 'credentials_refused', 'credentials_refused'],
    [402, 'quota_reached', 'quota_reached'],
    [403, 'access_denied', 'access_denied'],
    [404, 'no_such_endpoint', 'agent_not_found'],
    [405, 'no_such_endpoint', 'no_such_endpoint'],
    [411, 'missing_content_length', 'missing_content_length'],
    [413, 'request_too_large', 'request_too_large'],
    [418, 'service_rejected', 'service_rejected'],
    [429, 'rate_limited', 'rate_limited'],
    [500, 'service_internal', 'service_failed'],
    [501, 'no_such_endpoint', 'agent_coming_soon'],
    [502, 'model_failed', 'service_failed'],
    [503, 'model_unavailable', 'service_unavailable'],
    [504, 'model_timeout', 'answer_timeout'],
    [302, 'not_a_platform', 'not_a_platform'],
  ]
  it.each(Object.entries(bodies))('is told by its status when the body is %s', (_what, body) => {
    for (const [status, ofProxy, ofAgent] of statuses) {
      const answered = { status, retryAfterMs: null, body: Buffer.from(body) }
      expect(problemOf(answered, { host: 'h', model: 'm' }).code, `${status} of the proxy`).toBe(ofProxy)
      expect(problemOf(answered, { host: 'h', agent: 'a' }).code, `${status} of an agent`).toBe(ofAgent)
    }
  })

  it('shows the service’s words, cut short', () => {
    const words = (body: string): unknown =>
      problemOf({ status: 400, retryAfterMs: null, body: Buffer.from(body) }, { host: 'h' }).details['detail']
    expect(words(bodies['a nested error'])).toBe('no')
    expect(words(bodies['errors in a list'])).toBe('no')
    expect(words(bodies['a detail of a validator'])).toContain('no')
    expect(words('{"error":"a","detail":"b"}')).toBe('a: b')
    expect(words('')).toBe('status 400')
    expect(String(words(JSON.stringify({ error: 'x'.repeat(10_000) })))).toHaveLength(500)
  })
})

describe('what an agent is', () => {
  it.each<[string, number, object, string]>([
    ['private by its code', 403, { status: 'error', code: 'agent_private', error: 'no', detail: '' }, 'agent_private'],
    [
      'private by its words',
      403,
      { status: 'error', code: '403', error: 'Forbidden', detail: 'The agent is private' },
      'agent_private',
    ],
    [
      'of another kind',
      400,
      { status: 'error', code: 'agent_wrong_kind', error: 'no', detail: '' },
      'agent_wrong_kind',
    ],
    ['a Writer', 501, { status: 'error', code: 'coming_soon', error: 'no', detail: '' }, 'agent_coming_soon'],
    ['unknown', 404, { status: 'error', code: 'not_found', error: 'no', detail: '' }, 'agent_not_found'],
    [
      'nothing to an account without the API',
      403,
      { status: 'error', code: 'access_denied', error: 'API access disabled', detail: '' },
      'access_denied',
    ],
  ])('is told when it is %s', async (_what, status, body, code) => {
    const { documentalist } = await clientOf({ documentalist: () => json(body, status) })
    const error = await errorOf(collect(documentalist.ask({ agentId: 'manuals', query: 'x', signal })))
    expect(error.code).toBe(code)
    expect(error.details).toMatchObject({ agent: 'manuals' })
  })
})

describe('a refused token', () => {
  it.each<[string, VendorAnswer]>([
    ['401', proxyError(401, 'invalid_api_key', 'invalid_request_error')],
    ['401 without a body', { status: 401 }],
    [
      '400 that says that it is invalid',
      json({ status: 'error', code: '400', error: 'Invalid or expired token', detail: '' }, 400),
    ],
    ['an envelope under 200 that carries 401', json({ code: 401, message: 'Unauthorized: token expired' })],
    ['403 that speaks of the token', json({ message: 'The security token is expired' }, 403)],
  ])('is renewed once and the question put once more after %s', async (_what, refusal) => {
    const { documentalist, vendor } = await clientOf({
      documentalist: (_asked, index) => (index === 0 ? refusal : { pieces: ['Twenty'] }),
    })
    expect(await collect(documentalist.ask({ agentId: 'a', query: 'x', signal }))).toEqual(['Twenty'])
    expect(vendor.asked.map(({ headers }) => headers['x-api-key'])).toEqual(['token-1', 'token-2'])
    const other = await clientOf({ chat: (_asked, index) => (index === 0 ? refusal : chatAnswer('Hi')) })
    expect((await other.models.complete(chat, { signal })).text).toBe('Hi')
    expect(other.vendor.asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2'])
  })

  it('that is refused again is an error, without a third try', async () => {
    const { documentalist, vendor } = await clientOf({
      documentalist: () => proxyError(401, 'invalid_api_key', 'invalid_request_error'),
    })
    expect((await errorOf(collect(documentalist.ask({ agentId: 'a', query: 'x', signal })))).code).toBe(
      'credentials_refused',
    )
    expect(vendor.asked).toHaveLength(2)
  })

  it('that an envelope under 200 refuses again is an error as well', async () => {
    const { documentalist, vendor } = await clientOf({
      documentalist: () => json({ code: 401, message: 'Unauthorized' }),
    })
    expect((await errorOf(collect(documentalist.ask({ agentId: 'a', query: 'x', signal })))).code).toBe(
      'credentials_refused',
    )
    expect(vendor.asked).toHaveLength(2)
  })

  it.each(['Not enough tokens left in your plan', 'API key not allowed for this agent'])(
    'is not looked for behind «%s»',
    async (error) => {
      const { models, vendor } = await clientOf({ chat: () => json({ error }, 403) })
      expect((await errorOf(models.complete(chat, { signal }))).code).toBe('access_denied')
      expect(vendor.asked).toHaveLength(1)
    },
  )

  it('is not looked for behind a 403 about something else', async () => {
    const { documentalist, vendor } = await clientOf({
      documentalist: () => json({ error: 'API access disabled' }, 403),
    })
    expect((await errorOf(collect(documentalist.ask({ agentId: 'a', query: 'x', signal })))).code).toBe('access_denied')
    expect(vendor.asked).toHaveLength(1)
  })
})

describe('nothing is sent twice', () => {
  it.each([400, 403, 404, 429, 500, 502, 503, 504])('after status %i', async (status) => {
    const { documentalist, models, vendor } = await clientOf({
      documentalist: () => ({ status }),
      chat: () => ({ status }),
    })
    await errorOf(collect(documentalist.ask({ agentId: 'a', query: 'x', signal })))
    await errorOf(models.complete(chat, { signal }))
    await errorOf(collect(models.stream(chat, { signal })))
    expect(vendor.asked).toHaveLength(3)
  })
})

describe('the same refusals of a document', () => {
  const about = (status: number, body: unknown): string | undefined =>
    refusalOf({ status, retryAfterMs: null, body: Buffer.from(JSON.stringify(body)) }, 'h', 'inv')?.code
  it('pause for the limits of the account and for what the agent is, and leave the rest to the outcome table', () => {
    expect(about(429, { error: { code: 'spending_limit_reached', type: 'insufficient_quota', message: '' } })).toBe(
      'spending_limit_reached',
    )
    expect(about(429, { error: { code: 'concurrent_limit_exceeded', type: 'rate_limit_error', message: '' } })).toBe(
      'rate_limited',
    )
    expect(about(402, {})).toBe('quota_reached')
    expect(about(403, { error: 'Forbidden' })).toBe('access_denied')
    expect(about(404, { error: 'Not Found' })).toBe('agent_not_found')
    expect(about(400, { code: 'agent_wrong_kind', error: 'x' })).toBe('agent_wrong_kind')
    expect(about(501, { error: 'x' })).toBe('agent_coming_soon')
    expect(about(503, {})).toBe('service_unavailable')
    expect(about(500, {})).toBe('service_failed')
    expect(about(502, {})).toBe('service_failed')
    expect(about(422, { error: 'x' })).toBe('service_rejected')
    expect(about(200, {})).toBeUndefined()
  })
})
