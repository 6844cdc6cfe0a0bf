import OpenAI, {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from 'openai'
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startCompatRig } from '../service/compat-rig.ts'
import type { CompatRig } from '../service/compat-rig.ts'
import { eventually } from '../helpers/eventually.ts'

/** The `openai` package as it comes from its makers, against this service: a client that nobody here wrote. */
let compat: CompatRig
beforeAll(async () => {
  compat = await startCompatRig({ requestsPerWindow: 1000, answerTimeoutMs: 2000, silenceTimeoutMs: 2000 })
})
afterAll(() => compat.close())
afterEach(() => compat.answer())

function client(
  options: { apiKey?: string; maxRetries?: number; prefix?: string; timeout?: number; fetch?: typeof fetch } = {},
): OpenAI {
  const { apiKey = compat.rig.token, maxRetries = 0, prefix = '/compat/v1', ...rest } = options
  return new OpenAI({ apiKey, maxRetries, baseURL: `${compat.rig.service.baseUrl}${prefix}`, ...rest })
}

const hello = { model: 'svc-large', messages: [{ role: 'user' as const, content: 'Hello there' }] }

async function errorOf(work: PromiseLike<unknown>): Promise<APIError> {
  try {
    await work
  } catch (error) {
    expect(error).toBeInstanceOf(APIError)
    return error as APIError
  }
  throw new Error('it did not fail')
}

describe('models', () => {
  it.each(['/compat/v1', '/compat'])('are listed under %s', async (prefix) => {
    const models: OpenAI.Model[] = []
    for await (const model of client({ prefix }).models.list()) models.push(model)
    expect(models.map(({ id, object }) => [id, object])).toEqual([
      ['svc-large', 'model'],
      ['svc-small', 'model'],
    ])
    expect(models.every(({ created, owned_by }) => Number.isInteger(created) && owned_by.length > 0)).toBe(true)
  })
})

describe('chat.completions', () => {
  it('answers with a text and its usage', async () => {
    const completion = await client().chat.completions.create(hello)
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model: 'svc-large',
      usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
    })
    expect(completion.choices[0]).toMatchObject({
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'Echo: Hello there' },
    })
  })

  it('streams, with the usage last', async () => {
    const stream = await client().chat.completions.create({
      ...hello,
      stream: true,
      stream_options: { include_usage: true },
    })
    const texts: string[] = []
    let finish: string | null = null
    let tokens = 0
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta.content) texts.push(chunk.choices[0].delta.content)
      finish = chunk.choices[0]?.finish_reason ?? finish
      tokens = chunk.usage?.total_tokens ?? tokens
    }
    expect(texts).toEqual(['Echo: ', 'Hello ', 'there'])
    expect([finish, tokens]).toEqual(['stop', 5])
  })

  it('streams through the package’s own collector', async () => {
    const stream = client().chat.completions.stream(hello)
    const heard: string[] = []
    stream.on('content', (delta) => heard.push(delta))
    const completion = await stream.finalChatCompletion()
    expect(heard.join('')).toBe('Echo: Hello there')
    expect(completion.choices[0]!.message.content).toBe('Echo: Hello there')
  })

  it('hands a JSON schema on and parses what comes', async () => {
    compat.answer(() => ({ pieces: ['{"total"', ':12.5}'] }))
    const schema = {
      type: 'object',
      properties: { total: { type: 'number' } },
      required: ['total'],
      additionalProperties: false,
    }
    const completion = await client().chat.completions.parse({
      ...hello,
      response_format: { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } },
    })
    expect(JSON.parse(completion.choices[0]!.message.content!)).toEqual({ total: 12.5 })
    expect(compat.model.requests.at(-1)!.body['response_format']).toMatchObject({ json_schema: { schema } })
  })
})

describe('tools', () => {
  const tools: ChatCompletionTool[] = [
    {
      type: 'function',
      function: {
        name: 'total_of',
        description: 'The total of an invoice',
        parameters: { type: 'object', properties: { invoice: { type: 'string' } }, required: ['invoice'] },
      },
    },
  ]
  const totals: Record<string, string> = { 'RE-1': '119.50', 'RE-2': '80.00' }

  /** A model that looks two invoices up, one after the other, and then answers. */
  function modelWithTwoRounds(): void {
    compat.answer(({ body }) => {
      const results = (body['messages'] as { role: string; content: string }[])
        .filter((message) => message.role === 'tool')
        .map((message) => message.content)
      const next = Object.keys(totals)[results.length]
      return next === undefined
        ? `The totals are ${results.join(' and ')}.`
        : { toolCalls: [{ id: `call_${next}`, name: 'total_of', arguments: JSON.stringify({ invoice: next }) }] }
    })
  }

  it('are called for two rounds, and the results answered with a text', async () => {
    modelWithTwoRounds()
    const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'What are the totals of RE-1 and RE-2?' }]
    const reasons: string[] = []
    for (;;) {
      const { choices } = await client().chat.completions.create({
        model: 'svc-large',
        messages,
        tools,
        tool_choice: 'auto',
      })
      const { message, finish_reason: reason } = choices[0]!
      reasons.push(reason)
      messages.push(message)
      if (!message.tool_calls) break
      expect(message.content ?? null).toBeNull()
      for (const call of message.tool_calls) {
        if (call.type !== 'function') throw new Error('another kind of call')
        const { invoice } = JSON.parse(call.function.arguments) as { invoice: string }
        messages.push({ role: 'tool', tool_call_id: call.id, content: totals[invoice]! })
      }
    }
    expect(reasons).toEqual(['tool_calls', 'tool_calls', 'stop'])
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: 'The totals are 119.50 and 80.00.' })
  })

  it('are run by the package’s own runner over a stream', async () => {
    modelWithTwoRounds()
    const asked: string[] = []
    const lookUp = (given: { invoice: string }): string => {
      asked.push(given.invoice)
      return totals[given.invoice]!
    }
    const runner = client().chat.completions.runTools({
      model: 'svc-large',
      stream: true,
      messages: [{ role: 'user', content: 'What are the totals of RE-1 and RE-2?' }],
      tools: [
        {
          type: 'function',
          function: {
            name: 'total_of',
            description: 'The total of an invoice',
            parse: JSON.parse,
            function: lookUp,
            parameters: { type: 'object', properties: { invoice: { type: 'string' } } },
          },
        },
      ],
    })
    expect(await runner.finalContent()).toBe('The totals are 119.50 and 80.00.')
    expect(asked).toEqual(['RE-1', 'RE-2'])
  })
})

describe('a model’s server that gives its tool calls no id', () => {
  it('is no trouble for the package’s own collector of a stream', async () => {
    const part = (rest: string): string =>
      `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{${rest}}}]}}]}\n\n`
    compat.answer(() => ({
      rawBefore:
        part('"name":"total_of","arguments":""') +
        part('"arguments":"{\\"invoice\\":"') +
        part('"arguments":"\\"RE-1\\"}"'),
    }))
    const completion = await client().chat.completions.stream(hello).finalChatCompletion()
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        tool_calls: [
          {
            id: expect.stringMatching(/^call_[0-9a-f-]{36}$/) as string,
            type: 'function',
            function: { name: 'total_of', arguments: '{"invoice":"RE-1"}' },
          },
        ],
      },
    })
  })
})

describe('abort', () => {
  it('ends a stream: the model is stopped and all places are free', async () => {
    const { token: apiKey } = await compat.member()
    compat.answer(() => ({
      pieces: ['One ', 'two'],
      gate: (index) => (index === 1 ? new Promise(() => undefined) : undefined),
    }))
    const before = compat.model.requests.length
    const streams = await Promise.all(
      Array.from({ length: 4 }, () => client({ apiKey }).chat.completions.create({ ...hello, stream: true })),
    )
    expect((await errorOf(client({ apiKey }).chat.completions.create(hello))).code).toBe('concurrent_limit_exceeded')
    for (const stream of streams) {
      for await (const chunk of stream) {
        expect(chunk.choices[0]?.delta.content).toBe('One ')
        stream.controller.abort()
      }
    }
    await Promise.all(compat.model.requests.slice(before).map((request) => request.left))
    compat.answer()
    await eventually(async () =>
      expect((await client({ apiKey }).chat.completions.create(hello)).choices[0]!.finish_reason).toBe('stop'),
    )
  })

  it('ends a question that is not streamed', async () => {
    compat.answer(() => ({ answer: 'never' }))
    const before = compat.model.requests.length
    const leaving = new AbortController()
    const failed = errorOf(client().chat.completions.create(hello, { signal: leaving.signal }))
    const asked = (await compat.model.next(before + 1)).at(-1)!
    leaving.abort()
    expect(await failed).toBeInstanceOf(APIUserAbortError)
    await asked.left
  })
})

describe('error classes', () => {
  type Row = { error: APIError; kind: new (...given: never[]) => APIError; status: number; code: string; type: string }

  function expectRow({ error, kind, status, code, type }: Row): void {
    expect(error).toBeInstanceOf(kind)
    expect([error.status, error.code, error.type]).toEqual([status, code, type])
    expect((error.error as { message: string }).message.length).toBeGreaterThan(10)
  }

  it.each([
    ['model_not_found', { model: 'gpt-x' }],
    ['unsupported_parameter', { n: 2 }],
    ['unsupported_parameter', { logprobs: true }],
    ['invalid_value', { stream: 'yes' as unknown as false }],
    ['invalid_request', { messages: [] }],
  ])('BadRequestError: %s', async (code, changes) => {
    const error = await errorOf(client().chat.completions.create({ ...hello, ...changes }))
    expectRow({ error, kind: BadRequestError, status: 400, code, type: 'invalid_request_error' })
  })

  it('AuthenticationError: invalid_api_key', async () => {
    expectRow({
      error: await errorOf(client({ apiKey: 'wrong' }).models.list()),
      kind: AuthenticationError,
      status: 401,
      code: 'invalid_api_key',
      type: 'invalid_request_error',
    })
  })

  it('PermissionDeniedError: access_denied, while the API is off for the organization or it has no subscription', async () => {
    const { organizationId, token: apiKey } = await compat.member()
    const { organizations } = await compat.rig.control('organizations.list', {})
    const organization = organizations.find(({ id }) => id === organizationId)!
    for (const off of [{ apiEnabled: false }, { subscribed: false }]) {
      await compat.rig.control('organizations.save', { ...organization, ...off })
      expectRow({
        error: await errorOf(client({ apiKey }).chat.completions.create(hello)),
        kind: PermissionDeniedError,
        status: 403,
        code: 'access_denied',
        type: 'permission_error',
      })
    }
    await compat.rig.control('organizations.save', organization)
    expect((await client({ apiKey }).chat.completions.create(hello)).object).toBe('chat.completion')
  })

  it('NotFoundError: not_found', async () => {
    const missing = { kind: NotFoundError, status: 404, code: 'not_found', type: 'invalid_request_error' }
    expectRow({ ...missing, error: await errorOf(client().embeddings.create({ model: 'svc-large', input: 'Hi' })) })
    expectRow({ ...missing, error: await errorOf(client().models.retrieve('svc-large')) })
  })

  it('APIError: missing_content_length and request_too_large', async () => {
    const chunked: typeof fetch = (url, init) =>
      fetch(url, { ...init, body: Readable.toWeb(Readable.from([String(init?.body)])), duplex: 'half' } as RequestInit)
    const row = { kind: APIError, type: 'invalid_request_error' }
    expectRow({
      ...row,
      error: await errorOf(client({ fetch: chunked }).chat.completions.create(hello)),
      status: 411,
      code: 'missing_content_length',
    })
    const long = { ...hello, messages: [{ role: 'user' as const, content: 'x'.repeat(2 * 1024 * 1024) }] }
    expectRow({
      ...row,
      error: await errorOf(client().chat.completions.create(long)),
      status: 413,
      code: 'request_too_large',
    })
  })

  it('RateLimitError: rate_limit_exceeded, with its delay', async () => {
    const limited = await startCompatRig({ requestsPerWindow: 2 })
    try {
      const openai = new OpenAI({
        apiKey: limited.rig.token,
        maxRetries: 0,
        baseURL: `${limited.rig.service.baseUrl}/compat/v1`,
      })
      await openai.models.list()
      await openai.chat.completions.create(hello)
      const error = await errorOf(openai.models.list())
      expectRow({ error, kind: RateLimitError, status: 429, code: 'rate_limit_exceeded', type: 'rate_limit_error' })
      expect(error.headers?.get('retry-after')).toMatch(/^(5\d|60)$/)
    } finally {
      await limited.close()
    }
  })

  it('RateLimitError: spending_limit_reached, while the models can still be listed', async () => {
    const { organizationId, token: apiKey } = await compat.member()
    await compat.rig.control('organizations.save', {
      id: organizationId,
      name: 'Poor',
      apiEnabled: true,
      subscribed: true,
      quotaTokens: 0,
      spendingCapEuros: 0,
      eurosPerMillionTokens: 5,
    })
    expectRow({
      error: await errorOf(client({ apiKey }).chat.completions.create(hello)),
      kind: RateLimitError,
      status: 429,
      code: 'spending_limit_reached',
      type: 'insufficient_quota',
    })
    expect((await client({ apiKey }).models.list()).data).toHaveLength(2)
  })

  it('InternalServerError: upstream, unavailable and timeout, by what the model does', async () => {
    const row = { kind: InternalServerError, type: 'api_error' }
    compat.answer(() => ({ status: 500 }))
    expectRow({ ...row, error: await errorOf(client().chat.completions.create(hello)), status: 502, code: 'upstream' })
    compat.answer(() => ({ status: 503, headers: { 'retry-after': '17' } }))
    const unavailable = await errorOf(client().chat.completions.create(hello))
    expectRow({ ...row, error: unavailable, status: 503, code: 'unavailable' })
    expect(unavailable.headers?.get('retry-after')).toBe('17')
    compat.answer(() => ({ answer: 'never' }))
    expectRow({ ...row, error: await errorOf(client().chat.completions.create(hello)), status: 504, code: 'timeout' })
  })

  it('InternalServerError: internal_error, without a word of what it was', async () => {
    const { db } = compat.rig.service
    db.exec('alter table usage rename to usage_elsewhere')
    try {
      const error = await errorOf(client().chat.completions.create(hello))
      expectRow({ error, kind: InternalServerError, status: 500, code: 'internal_error', type: 'api_error' })
      expect(JSON.stringify(error.error)).not.toMatch(/usage|table|sql/i)
    } finally {
      db.exec('alter table usage_elsewhere rename to usage')
    }
  })

  it('APIError in the middle of a stream, after the text that came', async () => {
    compat.answer(() => ({ pieces: ['Half ', 'of it'], ending: 'drop' }))
    const texts: string[] = []
    const error = await errorOf(
      (async () => {
        for await (const chunk of await client().chat.completions.create({ ...hello, stream: true }))
          texts.push(chunk.choices[0]?.delta.content ?? '')
      })(),
    )
    expect(texts.join('')).toBe('Half of it')
    expect([error.status, error.code, error.type]).toEqual([undefined, 'upstream', 'api_error'])
  })

  it('APIConnectionError and its time-out, where no answer comes', async () => {
    compat.answer(() => ({ answer: 'never' }))
    expect(await errorOf(client({ timeout: 50 }).chat.completions.create(hello))).toBeInstanceOf(
      APIConnectionTimeoutError,
    )
    const nobody = new OpenAI({ apiKey: 'x', maxRetries: 0, baseURL: 'http://127.0.0.1:9/compat/v1' })
    expect(await errorOf(nobody.models.list())).toBeInstanceOf(APIConnectionError)
  })
})

describe('the package’s own retry', () => {
  it('waits as long as Retry-After says and then succeeds', async () => {
    const asked: number[] = []
    compat.answer(({ body }, index) => {
      // A request that was given up before may still arrive.
      if (!JSON.stringify(body).includes('Once more')) return undefined
      return asked.push(index) === 1 ? { status: 503, headers: { 'retry-after': '1' } } : undefined
    })
    const begun = performance.now()
    const completion = await client({ maxRetries: 1 }).chat.completions.create({
      ...hello,
      messages: [{ role: 'user', content: 'Once more' }],
    })
    expect(completion.choices[0]!.message.content).toBe('Echo: Once more')
    expect(asked).toHaveLength(2)
    expect(performance.now() - begun).toBeGreaterThan(950)
  })
})
