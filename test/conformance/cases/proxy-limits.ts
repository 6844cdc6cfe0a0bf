import assert from 'node:assert/strict'
import { agent, askToken, chat, json, proxy, proxyStream, readFrames, smallChat } from '../ask.ts'
import { section } from '../case.ts'
import type { CaseBody } from '../case.ts'
import { completion, invalid, proxyError, record, retryAfter, status } from '../expect.ts'
import { invoicePdf, invoiceRequest } from '../material.ts'
import { own } from '../target.ts'
import type { Target } from '../target.ts'
import { speak } from '../wire.ts'

const limitBytes = 2_097_152

/** A chat request of exactly so many bytes. */
function bodyOf(sizeBytes: number): string {
  const body = JSON.stringify(smallChat)
  return body + ' '.repeat(sizeBytes - body.length)
}

/** Sends output bounds and gives those that the model was sent. */
async function bounds(t: Target, changes: Record<string, unknown>): Promise<Record<string, unknown>> {
  completion(await chat(t, { max_completion_tokens: undefined, ...changes }))
  const { max_tokens: maxTokens, max_completion_tokens: maxCompletionTokens } = own(t).model.requests.at(-1)!.body
  return { maxTokens, maxCompletionTokens }
}

const largest = (sent: Record<string, unknown>): number =>
  Math.max(...Object.values(sent).filter((value) => typeof value === 'number'))

/** Lets the model hold every answer after its first piece until `release`. */
function heldModel(t: Target) {
  const gate = Promise.withResolvers<undefined>()
  own(t).model.answer(() => ({ pieces: ['He', 'ld'], gate: (index) => (index === 0 ? undefined : gate.promise) }))
  return { release: () => gate.resolve(undefined) }
}

async function held(
  t: Target,
  token: string,
  count: number,
): Promise<{ response: Response; leave: AbortController }[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const leave = new AbortController()
      return {
        response: await proxyStream(
          t,
          '/chat/completions',
          { ...smallChat, stream: true },
          { token, signal: leave.signal },
        ),
        leave,
      }
    }),
  )
}

/** Asks until an answer is not «too many at once»: a place is free as soon as the service has seen the other end. */
async function whenFree(t: Target, token: string): Promise<void> {
  for (let tries = 0; tries < 40; tries++) {
    const answer = await chat(t, {}, { token })
    if (answer.status !== 429) return void completion(answer)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('no place became free')
}

const size = section('Limits › Proxy', [
  {
    id: 'limits.size-exact',
    sentence: 'Request size | 2 MB (2,097,152 bytes), measured on `Content-Length`',
    name: 'A body of exactly 2,097,152 bytes is answered',
    async run(t) {
      completion(await proxy(t, '/chat/completions', bodyOf(limitBytes)))
    },
  },
  {
    id: 'limits.size-one-more',
    sentence: 'above it: 413 before the body is read',
    name: 'Content-Length 2,097,153 is refused before one byte of the body was sent',
    async run(t) {
      const lines = [
        'POST /compat/v1/chat/completions HTTP/1.1',
        `Authorization: Bearer ${await t.bearer()}`,
        'Content-Type: application/json',
        `Content-Length: ${limitBytes + 1}`,
      ]
      invalid(await speak(t, lines), 413, 'request_too_large')
    },
  },
  {
    id: 'limits.size-huge',
    sentence: 'above it: 413 before the body is read',
    name: 'A Content-Length beyond all numbers is refused before the body as well',
    async run(t) {
      const lines = [
        'POST /compat/v1/chat/completions HTTP/1.1',
        `Authorization: Bearer ${await t.bearer()}`,
        'Content-Length: 999999999999',
      ]
      invalid(await speak(t, lines), 413, 'request_too_large')
    },
  },
  {
    id: 'limits.size-no-length',
    sentence: 'A body without declared length: 411',
    name: 'A chunked body over 2 MB is refused for its missing length',
    async run(t) {
      const body = bodyOf(limitBytes + 1)
      const lines = [
        'POST /compat/v1/chat/completions HTTP/1.1',
        `Authorization: Bearer ${await t.bearer()}`,
        'Transfer-Encoding: chunked',
      ]
      invalid(
        await speak(t, lines, `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`),
        411,
        'missing_content_length',
      )
    },
  },
  {
    id: 'limits.size-token-first',
    sentence: 'Request size | 2 MB (2,097,152 bytes), measured on `Content-Length`',
    name: 'A wrong credential is refused as such, before the body is read',
    needs: ['choice'],
    async run(t) {
      invalid(
        await speak(t, [
          'POST /compat/v1/chat/completions HTTP/1.1',
          'Authorization: Bearer wrong',
          `Content-Length: ${limitBytes + 1}`,
        ]),
        401,
        'invalid_api_key',
      )
    },
  },
])

const output = section('Limits › Proxy', [
  {
    id: 'limits.output-default',
    sentence: 'With neither given, the bound is 8192',
    name: 'Without a bound the model is given 8192',
    needs: ['model'],
    async run(t) {
      assert.equal(largest(await bounds(t, {})), 8192)
    },
  },
  ...[
    ['max_completion_tokens', 8193],
    ['max_completion_tokens', 1_000_000],
    ['max_tokens', 8193],
    ['max_tokens', 1_000_000],
  ].map(
    ([name = '', value]): CaseBody => ({
      id: `limits.output-${name}-${value}`,
      sentence: 'A higher value is silently clamped to 8192 and is not rejected',
      name: `${name} ${value} is answered, and the model is given 8192`,
      needs: ['model'],
      async run(t) {
        assert.equal(largest(await bounds(t, { [name]: value })), 8192)
      },
    }),
  ),
  {
    id: 'limits.output-not-rejected',
    sentence: 'A higher value is silently clamped to 8192 and is not rejected',
    name: 'Both far above the cap are answered',
    async run(t) {
      completion(await chat(t, { max_tokens: 50_000, max_completion_tokens: 50_000 }))
    },
  },
  ...[1, 100, 8192].map(
    (value): CaseBody => ({
      id: `limits.output-below-${value}`,
      sentence: 'max_completion_tokens, max_tokens | relayed; see Limits for the cap',
      name: `${value} is relayed as it is`,
      needs: ['model'],
      async run(t) {
        assert.equal(largest(await bounds(t, { max_completion_tokens: value })), value)
        assert.equal(largest(await bounds(t, { max_tokens: value })), value)
      },
    }),
  ),
  {
    id: 'limits.output-both',
    sentence: '`max_completion_tokens` wins if both are given',
    name: 'With 50 and max_tokens 4000 the model has no bound above 50 to go by',
    needs: ['model'],
    async run(t) {
      const sent = await bounds(t, { max_completion_tokens: 50, max_tokens: 4000 })
      assert.equal(sent['maxCompletionTokens'] ?? sent['maxTokens'], 50)
    },
  },
  {
    id: 'limits.output-separately',
    sentence: '`max_completion_tokens` and `max_tokens` are each capped separately',
    name: 'One above and one below the cap: nothing that is relayed is above 8192, and the smaller one is not raised',
    needs: ['model'],
    async run(t) {
      assert.ok(largest(await bounds(t, { max_completion_tokens: 20_000, max_tokens: 30 })) <= 8192)
      const sent = await bounds(t, { max_completion_tokens: 30, max_tokens: 20_000 })
      assert.equal(sent['maxCompletionTokens'] ?? sent['maxTokens'], 30)
      assert.ok(largest(sent) <= 8192)
    },
  },
])

const spending = section('Limits › Proxy', [
  {
    id: 'limits.quota',
    sentence: 'usage counts against the subscription quota',
    name: 'Within the quota nothing is overage, whatever the cap',
    needs: ['organizations', 'model'],
    async run(t) {
      const organization = await own(t).organization({
        quotaTokens: 1_000_000,
        spendingCapEuros: 0,
        eurosPerMillionTokens: 1000,
      })
      completion(await chat(t, {}, { token: await organization.token() }))
      const month = await own(t).call('usage.month', { organizationId: organization.id })
      assert.equal(month['overageEuros'], 0)
      assert.ok(Number(month['tokens']) > 0)
    },
  },
  {
    id: 'limits.overage',
    sentence: 'Overage is billed on usage',
    name: 'Beyond the quota each token costs its price',
    needs: ['organizations', 'model'],
    async run(t) {
      own(t).model.answer(() => ({ pieces: ['Yes'], usage: { prompt_tokens: 3000, completion_tokens: 1000 } }))
      const organization = await own(t).organization({
        quotaTokens: 1500,
        spendingCapEuros: 100,
        eurosPerMillionTokens: 1000,
      })
      completion(await chat(t, {}, { token: await organization.token() }))
      const month = await own(t).call('usage.month', { organizationId: organization.id })
      assert.equal(month['tokens'], 4000)
      assert.ok(
        Math.abs(Number(month['overageEuros']) - 2.5) < 1e-9,
        `${String(month['overageEuros'])} euros instead of 2.50`,
      )
    },
  },
  {
    id: 'limits.all-channels',
    sentence: 'evaluated on the calendar-month total over all billable channels (public API and public channel)',
    name: 'What another organization’s client asked of a public agent counts, and so does the extractor',
    needs: ['organizations', 'agents'],
    async run(t) {
      const organization = await own(t).organization()
      const month = async () =>
        Number((await own(t).call('usage.month', { organizationId: organization.id }))['tokens'])
      const token = await organization.token()
      const reference = await own(t).agent({
        kind: 'extractor',
        name: 'Everybody’s',
        visibility: 'Public',
        schema: [{ name: 'Total', format: 'text', description: '' }],
      })
      status(await agent(t, `/v2/extractor/${reference}`, { filename: 'a.pdf', file: invoicePdf }, token), 200)
      assert.ok((await month()) > 0, 'the use of a public agent does not count')
    },
  },
  {
    id: 'limits.spending-reached',
    sentence: 'Once reached: 429 `spending_limit_reached` until the next period or a higher cap',
    name: 'The request that reaches the cap is answered, the next is refused, and a higher cap opens again',
    needs: ['organizations', 'model'],
    async run(t) {
      own(t).model.answer(() => ({ pieces: ['Yes'], usage: { prompt_tokens: 600, completion_tokens: 400 } }))
      const organization = await own(t).organization({
        quotaTokens: 0,
        spendingCapEuros: 1,
        eurosPerMillionTokens: 1000,
      })
      const token = await organization.token()
      completion(await chat(t, {}, { token }))
      proxyError(await chat(t, {}, { token }), 429, 'spending_limit_reached', 'insufficient_quota')
      proxyError(await chat(t, { stream: true }, { token }), 429, 'spending_limit_reached', 'insufficient_quota')
      await organization.save({ spendingCapEuros: 3 })
      completion(await chat(t, {}, { token }))
    },
  },
  {
    id: 'limits.no-cap',
    sentence: 'No cap means no amount limit',
    name: 'Without a cap an organization far over its quota is answered',
    needs: ['organizations', 'model'],
    async run(t) {
      own(t).model.answer(() => ({ pieces: ['Yes'], usage: { prompt_tokens: 9_000_000, completion_tokens: 8000 } }))
      const organization = await own(t).organization({
        quotaTokens: 0,
        spendingCapEuros: null,
        eurosPerMillionTokens: 1000,
      })
      const token = await organization.token()
      for (let count = 0; count < 3; count++) completion(await chat(t, {}, { token }))
    },
  },
  {
    id: 'limits.rejected-free',
    sentence:
      'Rejections for `stream`, `n`, `logprobs` and `logit_bias` happen before any model call and bill no usage',
    name: 'Four rejections ask no model and leave the month at zero',
    needs: ['organizations', 'model'],
    async run(t) {
      const organization = await own(t).organization()
      const before = own(t).model.requests.length
      for (const changes of [{ stream: 'yes' }, { n: 2 }, { logprobs: true }, { logit_bias: {} }])
        status(await chat(t, changes, { token: await organization.token() }), 400)
      assert.equal(own(t).model.requests.length, before)
      assert.equal((await own(t).call('usage.month', { organizationId: organization.id }))['tokens'], 0)
    },
  },
])

const concurrency = section('Limits › Proxy', [
  {
    id: 'limits.concurrent',
    sentence: 'Concurrent generations | at least 4 per organization',
    name: 'Four generations of one organization run at once, and all are answered',
    needs: ['organizations', 'model'],
    async run(t) {
      const { release } = heldModel(t)
      const before = own(t).model.requests.length
      const answers = held(t, await (await own(t).organization()).token(), 4)
      for (let tries = 0; own(t).model.requests.length < before + 4; tries++) {
        if (tries > 400) assert.fail(`only ${own(t).model.requests.length - before} generations run`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      release()
      for (const { response } of await answers) assert.equal(readFrames(await response.text()).content, 'Held')
    },
  },
  {
    id: 'limits.concurrent-beyond',
    sentence: 'beyond that 429 `concurrent_limit_exceeded`',
    name: 'Of 24 at once those beyond the limit are refused, the others run, and another organization is not touched',
    needs: ['organizations', 'model'],
    async run(t) {
      const { release } = heldModel(t)
      const token = await (await own(t).organization()).token()
      const before = own(t).model.requests.length
      const asked = Array.from({ length: 24 }, () => chat(t, { stream: true }, { token }))
      const refusals = asked.map((answer) => answer.then((value) => (value.status === 429 ? value : null)))
      // The refused ones end while the model still holds the others.
      const firstRefusal = await Promise.any(
        refusals.map(async (answer) => (await answer) ?? Promise.reject(new Error('not refused'))),
      )
      proxyError(firstRefusal, 429, 'concurrent_limit_exceeded', 'rate_limit_error')
      const elsewhere = chat(t, { stream: true }, { token: await (await own(t).organization()).token() })
      release()
      const answers = await Promise.all(asked)
      const accepted = answers.filter((answer) => answer.status === 200).length
      assert.ok(accepted >= 4 && accepted < 24, `${accepted} of 24 ran`)
      for (const answer of answers.filter((one) => one.status !== 200))
        proxyError(answer, 429, 'concurrent_limit_exceeded', 'rate_limit_error')
      assert.equal((await elsewhere).status, 200)
      assert.equal(own(t).model.requests.length, before + accepted + 1)
    },
  },
  {
    id: 'limits.concurrent-freed',
    sentence: 'too many concurrent generations; retry when one completes',
    name: 'When one of four completes, the next request runs',
    needs: ['organizations', 'model'],
    async run(t) {
      const { release } = heldModel(t)
      const token = await (await own(t).organization()).token()
      const four = await held(t, token, 4)
      proxyError(await chat(t, {}, { token }), 429, 'concurrent_limit_exceeded', 'rate_limit_error')
      release()
      for (const { response } of four) await response.text()
      await whenFree(t, token)
    },
  },
  {
    id: 'limits.concurrent-left',
    sentence: 'too many concurrent generations; retry when one completes',
    name: 'A client that goes away gives its place back',
    needs: ['organizations', 'model'],
    async run(t) {
      const { release } = heldModel(t)
      const token = await (await own(t).organization()).token()
      const four = await held(t, token, 4)
      status(await chat(t, {}, { token }), 429)
      own(t).model.answer(() => undefined)
      four[0]!.leave.abort()
      await whenFree(t, token)
      release()
      for (const { response } of four.slice(1)) await response.text()
    },
  },
])

const rate = section('Limits › Proxy', [
  {
    id: 'limits.rate',
    sentence:
      'Rate | 100 requests per minute per organization, across all tokens; beyond that 429 `rate_limit_exceeded` with `Retry-After`',
    name: 'The 100th request is answered, the 101st refused, with Retry-After between 1 and 60 seconds',
    needs: ['organizations'],
    async run(t) {
      const token = await (await own(t).organization()).token()
      const answers = await Promise.all(Array.from({ length: 101 }, () => proxy(t, '/models', undefined, { token })))
      assert.equal(answers.filter((answer) => answer.status === 200).length, 100)
      const refusal = answers.find((answer) => answer.status !== 200)!
      proxyError(refusal, 429, 'rate_limit_exceeded', 'rate_limit_error')
      assert.ok(retryAfter(refusal) <= 60)
    },
  },
  {
    id: 'limits.rate-chat',
    sentence:
      '429 | rate_limit_exceeded | rate_limit_error | more than 100 requests per minute; `Retry-After` header in seconds',
    name: 'Requests for models and for chat are counted together, and a refused one asks no model',
    needs: ['organizations', 'model'],
    async run(t) {
      const token = await (await own(t).organization()).token()
      await Promise.all(Array.from({ length: 98 }, () => proxy(t, '/models', undefined, { token })))
      for (let count = 0; count < 2; count++) completion(await chat(t, {}, { token }))
      const before = own(t).model.requests.length
      const refusal = await chat(t, { stream: true }, { token })
      proxyError(refusal, 429, 'rate_limit_exceeded', 'rate_limit_error')
      retryAfter(refusal)
      assert.equal(own(t).model.requests.length, before)
    },
  },
  {
    id: 'limits.rate-agents',
    sentence: 'Rate | 100 requests per minute per organization, across all tokens',
    name: 'An organization at the limit of the proxy still gets tokens and extractions',
    needs: ['organizations'],
    async run(t) {
      const organization = await own(t).organization()
      const token = await organization.token()
      await Promise.all(Array.from({ length: 101 }, () => proxy(t, '/models', undefined, { token })))
      status(await askToken(t, { client_id: organization.clientId, client_secret: organization.clientSecret }), 200)
      assert.equal(record(json(await agent(t, '/v2/extractor', invoiceRequest, token)), 'answer')['status'], 'success')
    },
  },
])

export const proxyLimitCases = [...size, ...output, ...spending, ...concurrency, ...rate]
