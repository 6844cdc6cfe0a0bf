import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ModelServers, normalBaseUrl } from '../../electron/service/models/model-servers.ts'
import { startModelServer } from '../helpers/model-server.ts'
import type { ModelReply } from '../helpers/model-server.ts'
import { framesOf, question, startCompatRig } from './compat-rig.ts'
import type { CompatRig } from './compat-rig.ts'

let compat: CompatRig
beforeAll(async () => {
  compat = await startCompatRig({ requestsPerWindow: 1000 })
})
afterAll(() => compat.close())
afterEach(() => compat.answer())

const defaults = { stream: false, max_tokens: 8192, chat_template_kwargs: { enable_thinking: false } }

/** What the model's server was sent for a request with these parameters beside the question. */
async function relayed(parameters: Record<string, unknown>): Promise<Record<string, unknown>> {
  const response = await compat.chat({ ...question, ...parameters })
  expect(response.status).toBe(200)
  await response.text()
  return compat.model.requests.at(-1)!.body
}

async function failure(
  response: Response,
): Promise<[number, string | null, { message: string; type: string; code: string }]> {
  return [
    response.status,
    response.headers.get('retry-after'),
    ((await response.json()) as { error: { message: string; type: string; code: string } }).error,
  ]
}

describe('What the model’s server is sent', () => {
  it('is the question with the model’s own name, the bound and the template’s default, and nothing else', async () => {
    expect(await relayed({})).toEqual({ model: 'big', messages: question.messages, ...defaults })
    expect(compat.model.requests.at(-1)!.headers['authorization']).toBe('Bearer model-key')
  })

  it('is every parameter of the table as given, and no other', async () => {
    const given = {
      tools: [
        {
          type: 'function',
          function: {
            name: 'f',
            description: 'd',
            parameters: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'f' } },
      temperature: 0,
      top_p: 0.25,
      presence_penalty: -2,
      frequency_penalty: 2,
      stop: ['\n', 'END'],
      stream_options: { include_usage: false },
      response_format: { type: 'json_object' },
    }
    const sent = await relayed({
      ...given,
      n: 1,
      logprobs: null,
      logit_bias: null,
      best_of: 50,
      n_predict: 99_999,
      seed: 1,
      model: 'svc-small',
    })
    expect(sent).toEqual({ model: 'tiny', messages: question.messages, ...defaults, ...given })
  })

  it('has each bound capped by itself; the newer one wins under both names', async () => {
    expect(await relayed({ max_tokens: 100_000 })).toMatchObject({ max_tokens: 8192 })
    expect(await relayed({ max_tokens: 5 })).not.toHaveProperty('max_completion_tokens')
    expect(await relayed({ max_completion_tokens: 8193 })).toMatchObject({
      max_completion_tokens: 8192,
      max_tokens: 8192,
    })
    expect(await relayed({ max_completion_tokens: 50, max_tokens: 100_000 })).toMatchObject({
      max_completion_tokens: 50,
      max_tokens: 50,
    })
    expect(await relayed({ max_completion_tokens: null, max_tokens: null })).toMatchObject({ max_tokens: 8192 })
  })

  it('is never a bound that is none', async () => {
    const asked = compat.model.requests.length
    for (const value of ['100', 0, -1, 1.5, true, {}]) {
      for (const name of ['max_tokens', 'max_completion_tokens']) {
        const [status, , error] = await failure(await compat.chat({ ...question, max_tokens: 1, [name]: value }))
        expect([status, error.code]).toEqual([400, 'invalid_request'])
      }
    }
    expect(compat.model.requests).toHaveLength(asked)
  })

  it('asks for the usage of every stream, whatever else the client says about it', async () => {
    for (const given of [undefined, null, {}, { include_usage: false }, { include_usage: true }]) {
      expect(await relayed({ stream: true, stream_options: given })).toMatchObject({
        stream_options: { include_usage: true },
      })
    }
    expect(await relayed({ stream: true, stream_options: { include_obfuscation: false } })).toMatchObject({
      stream_options: { include_obfuscation: false, include_usage: true },
    })
  })

  it.each([true, 'yes', 7, [{ include_usage: true }]])('is never a stream_options that is none: %j', async (given) => {
    const asked = compat.model.requests.length
    const [status, , error] = await failure(await compat.chat({ ...question, stream: true, stream_options: given }))
    expect([status, error.code]).toEqual([400, 'invalid_request'])
    expect(compat.model.requests).toHaveLength(asked)
  })
})

describe('A server that refuses a parameter that nobody asked for', () => {
  /** Refuses a request that has one of these fields, in the words of a strict server. */
  function strictAbout(...names: string[]): void {
    compat.answer(({ body }): ModelReply | undefined => {
      const refused = names.find((name) => name in body)
      return refused === undefined
        ? undefined
        : { status: 400, body: `{"error":{"message":"Unrecognized request argument supplied: ${refused}"}}` }
    })
  }

  it('is asked without it, and from then on at once', async () => {
    await compat.rig.control('models.save', { baseUrl: compat.model.baseUrl, large: 'strict', small: 'tiny' })
    strictAbout('chat_template_kwargs', 'max_tokens')
    const before = compat.model.requests.length
    expect((await compat.chat(question)).status).toBe(200)
    expect((await compat.chat({ ...question, max_tokens: 7 })).status).toBe(200)
    const bodies = compat.model.requests.slice(before).map(({ body }) => body)
    expect(bodies).toHaveLength(3 + 1)
    expect(bodies[2]).toEqual({
      model: 'strict',
      messages: question.messages,
      stream: false,
      max_completion_tokens: 8192,
    })
    expect(bodies[3]).toEqual({ model: 'strict', messages: question.messages, stream: false, max_completion_tokens: 7 })
  })

  it('is asked with the older bound where it does not know the newer, and without one that it finds too large', async () => {
    await compat.rig.control('models.save', { baseUrl: compat.model.baseUrl, large: 'old', small: 'short' })
    strictAbout('max_completion_tokens')
    expect(await relayed({ max_completion_tokens: 9 })).toEqual({
      model: 'old',
      messages: question.messages,
      ...defaults,
      max_tokens: 9,
    })
    compat.answer(({ body }) => {
      const bound = body['max_tokens'] ?? body['max_completion_tokens']
      return Number(bound) > 4096
        ? { status: 400, body: '{"error":{"message":"\'max_tokens\' or \'max_completion_tokens\' is too large"}}' }
        : undefined
    })
    expect(await relayed({ model: 'svc-small' })).not.toHaveProperty('max_tokens')
    expect((await compat.chat({ ...question, model: 'svc-small', max_tokens: 5000 })).status).toBe(502)
  })

  it('is asked with the same bound of everyone, however it worded that one was too large', async () => {
    await compat.rig.control('models.save', { baseUrl: compat.model.baseUrl, large: 'bounded', small: 'tiny' })
    for (const wording of [
      'max_tokens is too large: 8192. This model supports at most 4096 completion tokens',
      "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 4096 tokens",
      'max_tokens must be less than or equal to 4096',
      'max_tokens: 8192 is not supported, the maximum is 4096',
    ]) {
      compat.answer(({ body }) =>
        Number(body['max_tokens'] ?? 0) > 4096
          ? { status: 400, body: JSON.stringify({ error: { message: wording } }) }
          : undefined,
      )
      const unbounded = await relayed({})
      expect(unbounded).not.toHaveProperty('max_tokens')
      expect(unbounded).not.toHaveProperty('max_completion_tokens')
      expect(await relayed({ max_tokens: 16 })).toMatchObject({ max_tokens: 16 })
      expect(await relayed({ max_completion_tokens: 16 })).toMatchObject({ max_completion_tokens: 16, max_tokens: 16 })
    }
  })

  it.each([
    ["Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."],
    ['{"loc":["body","max_tokens"],"type":"extra_forbidden","msg":"Extra inputs are not permitted","input":8192}'],
    ['Unknown name \\"max_tokens\\": cannot find field'],
  ])('is asked with the newer bound when it does not know the older: %s', async (wording) => {
    await compat.rig.control('models.save', {
      baseUrl: compat.model.baseUrl,
      large: `newer ${wording.length}`,
      small: 'tiny',
    })
    compat.answer(({ body }) => ('max_tokens' in body ? { status: 400, body: wording } : undefined))
    expect(await relayed({ max_tokens: 16 })).toMatchObject({ max_completion_tokens: 16 })
  })

  it('is asked without usage when it does not know how to tell it, and the stream is counted', async () => {
    await compat.rig.control('models.save', { baseUrl: compat.model.baseUrl, large: 'silent', small: 'tiny' })
    strictAbout('stream_options')
    for (const given of [undefined, {}, { include_usage: false }]) {
      expect(await relayed({ stream: true, stream_options: given })).not.toHaveProperty('stream_options')
    }
    expect((await compat.chat({ ...question, stream: true, stream_options: { include_usage: true } })).status).toBe(502)
  })

  it('is not asked without what the client asked for', async () => {
    await compat.rig.control('models.save', { baseUrl: compat.model.baseUrl, large: 'stern', small: 'tiny' })
    strictAbout('chat_template_kwargs', 'temperature')
    const before = compat.model.requests.length
    expect((await compat.chat({ ...question, chat_template_kwargs: { enable_thinking: true } })).status).toBe(502)
    expect((await compat.chat({ ...question, temperature: 1 })).status).toBe(502)
    expect(compat.model.requests.length - before).toBe(1 + 2)
  })
})

describe('A failing model’s server', () => {
  const secret = 'sk-secret at http://10.1.2.3/internal'
  const body = JSON.stringify({ error: { message: secret, type: 'server_error' } })

  it.each([
    [400, 502, 'upstream'],
    [401, 503, 'unavailable'],
    [402, 502, 'upstream'],
    [403, 503, 'unavailable'],
    [404, 503, 'unavailable'],
    [408, 504, 'timeout'],
    [422, 502, 'upstream'],
    [429, 503, 'unavailable'],
    [500, 502, 'upstream'],
    [502, 502, 'upstream'],
    [503, 503, 'unavailable'],
    [504, 504, 'timeout'],
  ])('with %i becomes %i %s, streamed or not, in words of our own', async (status, expected, code) => {
    compat.answer(() => ({ status, body, headers: { 'x-request-id': 'theirs' } }))
    for (const stream of [false, true]) {
      const response = await compat.chat({ ...question, stream })
      expect(response.headers.has('x-request-id')).toBe(false)
      const [answered, retryAfter, error] = await failure(response)
      expect([answered, error.code, error.type]).toEqual([expected, code, 'api_error'])
      expect(error.message).not.toMatch(/secret|10\.1|127\.0|big/)
      expect(retryAfter).toBe(expected === 503 ? '5' : null)
    }
  })

  it.each([
    ['17', '17'],
    ['0', '1'],
    ['99999999', '86400'],
    ['soon', '5'],
  ])('that says Retry-After %s is handed on as %s', async (told, expected) => {
    compat.answer(() => ({ status: 429, headers: { 'retry-after': told } }))
    expect((await failure(await compat.chat(question)))[1]).toBe(expected)
  })

  it('that says a date in Retry-After is handed on in seconds', async () => {
    compat.answer(() => ({ status: 503, headers: { 'retry-after': new Date(Date.now() + 30_000).toUTCString() } }))
    const seconds = Number((await failure(await compat.chat(question)))[1])
    expect(seconds).toBeGreaterThan(20)
    expect(seconds).toBeLessThanOrEqual(30)
  })

  it('cannot send the request and its key to another place', async () => {
    const heard: string[] = []
    const elsewhere = createServer((request, response) => {
      heard.push(request.url ?? '')
      response.end('{}')
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/v1/chat/completions`
    try {
      for (const status of [301, 302, 307, 308]) {
        compat.answer(() => ({ status, body: '', headers: { location } }))
        expect((await failure(await compat.chat(question)))[0]).toBe(502)
      }
      expect(heard).toEqual([])
    } finally {
      elsewhere.close()
    }
  })

  it('cannot fill the memory', async () => {
    compat.answer(() => ({ body: 'x'.repeat(17 * 1024 * 1024) }))
    expect((await failure(await compat.chat(question)))[0]).toBe(502)
    compat.answer(() => ({ pieces: ['a'], rawBefore: `data: ${'x'.repeat(17 * 1024 * 1024)}` }))
    expect((await failure(await compat.chat({ ...question, stream: true })))[0]).toBe(502)
  })

  it.each([
    '{"choices":[]}',
    '{"choices":[{"message":{"content":7}}]}',
    '{"choices":[{"message":{"content":"a","tool_calls":[{"function":{}}]}}]}',
    'null',
    '{"error":{"message":"x"}}',
  ])('with 200 and %s becomes 502', async (answered) => {
    compat.answer(() => ({ body: answered }))
    expect((await failure(await compat.chat(question)))[2].code).toBe('upstream')
  })

  it('with an error as first frame of a stream becomes 502, with a frame that is not one an error frame', async () => {
    compat.answer(() => ({ ending: 'error' }))
    expect((await failure(await compat.chat({ ...question, stream: true })))[0]).toBe(502)
    compat.answer(() => ({ rawBefore: 'data: {"choices":[{"delta":{"content":"Hi"}}]}\n\ndata: {"choi\n\n' }))
    const frames = await framesOf(await compat.chat({ ...question, stream: true }))
    expect(frames.slice(-2).map((frame) => frame.includes('"upstream"') || frame)).toEqual([true, '[DONE]'])
  })
})

describe('Tool calls', () => {
  it('have an id, a name, and their arguments as text, whatever the server makes of them', async () => {
    compat.answer(() => ({
      body: '{"choices":[{"message":{"content":"Let me see","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]},"finish_reason":"stop"}]}',
    }))
    const answer = (await (await compat.chat(question)).json()) as {
      choices: { message: Record<string, unknown>; finish_reason: string }[]
    }
    expect(answer.choices).toEqual([
      {
        index: 0,
        message: {
          role: 'assistant',
          tool_calls: [
            {
              id: expect.stringMatching(/^call_[0-9a-f-]{36}$/) as string,
              type: 'function',
              function: { name: 'f', arguments: '{"a":1}' },
            },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ])
  })

  it('have an id of their own in every answer, so that the rounds of a conversation can be told apart', async () => {
    const call = '{"function":{"name":"f","arguments":"{}"}}'
    compat.answer(() => ({ body: `{"choices":[{"message":{"tool_calls":[${call},{"id":"",${call.slice(1)}]}}]}` }))
    const ids: string[] = []
    for (let round = 0; round < 2; round++) {
      const { choices } = (await (await compat.chat(question)).json()) as {
        choices: { message: { tool_calls: { id: string }[] } }[]
      }
      ids.push(...choices[0]!.message.tool_calls.map(({ id }) => id))
    }
    expect(new Set(ids.filter((id) => id !== '')).size).toBe(4)
  })

  it('have an id and a type where they begin in a stream, also when the server gives none', async () => {
    const part = (index: number, rest: string): string =>
      `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":${index},${rest}}]}}]}\n\n`
    const parts = [
      part(0, '"function":{"name":"f","arguments":""}'),
      part(0, '"function":{"arguments":"{}"}'),
      part(1, '"id":"call_theirs","function":{"name":"g","arguments":"{}"}'),
    ]
    compat.answer(() => ({ rawBefore: parts.join('') }))
    const frames = (await framesOf(await compat.chat({ ...question, stream: true }))).filter((frame) =>
      frame.includes('tool_calls":'),
    )
    const calls = frames.map(
      (frame) => (JSON.parse(frame) as { choices: { delta: { tool_calls: object[] } }[] }).choices[0]!.delta.tool_calls,
    )
    expect(calls).toEqual([
      [
        {
          index: 0,
          id: expect.stringMatching(/^call_[0-9a-f-]{36}$/) as string,
          type: 'function',
          function: { name: 'f', arguments: '' },
        },
      ],
      [{ index: 0, function: { arguments: '{}' } }],
      [{ index: 1, id: 'call_theirs', type: 'function', function: { name: 'g', arguments: '{}' } }],
    ])
  })
})

describe('The model server of this computer', () => {
  it('is kept in a file of its owner’s, and its key is never read back', async () => {
    const path = join(compat.rig.dataDir, 'models.json')
    const saved = await compat.rig.control('models.save', {
      baseUrl: compat.model.baseUrl,
      apiKey: 'model-key',
      large: 'big',
      small: null,
    })
    expect(saved).toEqual({ baseUrl: compat.model.baseUrl, hasKey: true, large: 'big', small: null })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ apiKey: 'model-key' })
    await compat.rig.control('models.save', { baseUrl: compat.model.baseUrl, large: 'big', small: 'tiny' })
    const reopened = await ModelServers.open(compat.rig.dataDir)
    expect(reopened.get()).toEqual({ baseUrl: compat.model.baseUrl, hasKey: true, large: 'big', small: 'tiny' })
    await reopened.close()
  })

  it('is asked for its models, with the stored key only at its own address', async () => {
    expect(await compat.rig.control('models.discover', { baseUrl: compat.model.baseUrl })).toEqual({
      models: ['big', 'tiny'],
      problem: null,
    })
    const keys: (string | undefined)[] = []
    const stranger = createServer((request, response) => {
      keys.push(request.headers.authorization)
      response.end('{"object":"list","data":[]}')
    })
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`
    await compat.rig.control('models.discover', { baseUrl })
    await compat.rig.control('models.discover', { baseUrl, apiKey: 'its-own' })
    expect(keys).toEqual([undefined, 'Bearer its-own'])
    expect(await compat.rig.control('models.save', { baseUrl, large: null, small: null })).toMatchObject({
      hasKey: false,
    })
    stranger.close()
  })

  it('is told about when it cannot be asked', async () => {
    const refusing = await startModelServer(undefined, { modelsReply: { status: 401, body: '{}' } })
    const wrong = await startModelServer(undefined, { modelsReply: { status: 200, body: '<html>' } })
    const codes = await Promise.all(
      [refusing.baseUrl, wrong.baseUrl, 'http://127.0.0.1:9/v1', 'ftp://127.0.0.1/'].map(
        async (baseUrl) => (await compat.rig.control('models.discover', { baseUrl })).problem?.code,
      ),
    )
    expect(codes).toEqual(['model_key_refused', 'no_such_endpoint', 'connection_refused', 'address_invalid'])
    await Promise.all([refusing.close(), wrong.close()])
  })

  it('is named as what is missing when nothing stands behind an alias, streamed or not', async () => {
    await compat.rig.control('models.save', { baseUrl: compat.model.baseUrl, large: null, small: 'tiny' })
    for (const stream of [false, true]) {
      const [status, , error] = await failure(await compat.chat({ ...question, stream }))
      expect([status, error]).toEqual([
        503,
        { message: 'No model is named behind this alias.', type: 'api_error', code: 'unavailable' },
      ])
    }
    await compat.rig.control('models.save', { baseUrl: compat.model.baseUrl, large: 'big', small: 'tiny' })
  })

  it('counts as not named when its file is broken', async () => {
    await writeFile(join(compat.rig.dataDir, 'models.json'), '{"baseUrl":')
    const models = await ModelServers.open(compat.rig.dataDir)
    expect(models.get()).toEqual({ baseUrl: null, hasKey: false, large: null, small: null })
    expect(models.textModel()).toBeNull()
    await models.close()
  })

  it.each([
    ['http://127.0.0.1:11434', 'http://127.0.0.1:11434/v1'],
    ['http://127.0.0.1:11434/', 'http://127.0.0.1:11434/v1'],
    ['http://127.0.0.1:1234/v1/', 'http://127.0.0.1:1234/v1'],
    ['https://models.example/v1/chat/completions?key=1#x', 'https://models.example/v1'],
    ['https://models.example/openai', 'https://models.example/openai/v1'],
    ['https://models.example/api/paas/v4', 'https://models.example/api/paas/v4'],
    ['https://models.example/v1beta/openai/', 'https://models.example/v1beta/openai'],
  ])('may be named as %s', (address, normal) => {
    expect(normalBaseUrl(address)).toBe(normal)
  })

  it.each(['file:///etc/passwd', 'http://name:word@models.example/v1', 'models.example'])(
    'may not be named as %s',
    (address) => {
      expect(() => normalBaseUrl(address)).toThrow(/address_invalid/)
    },
  )
})

describe('The text model', () => {
  it('is the larger alias that is served, and gives its text as it comes and what it used', async () => {
    await compat.rig.control('models.save', { baseUrl: compat.model.baseUrl, large: null, small: 'tiny' })
    const models = await ModelServers.open(compat.rig.dataDir)
    const writing = models
      .textModel()!
      .stream([{ role: 'user', content: 'One two' }], { signal: new AbortController().signal, maxTokens: 77 })
    const pieces: string[] = []
    let next = await writing.next()
    for (; next.done !== true; next = await writing.next()) pieces.push(next.value)
    expect(pieces).toEqual(['Echo: ', 'One ', 'two'])
    expect(next.value).toEqual({ inputTokens: 2, outputTokens: 3 })
    expect(compat.model.requests.at(-1)!.body).toMatchObject({ model: 'tiny', max_tokens: 77, stream: true })
    await models.close()
  })

  it('throws what went wrong, and the reason when it is stopped', async () => {
    const models = await ModelServers.open(compat.rig.dataDir)
    const leaving = new AbortController()
    const write = (): Promise<unknown> =>
      models
        .textModel()!
        .stream([{ role: 'user', content: 'Hi' }], { signal: leaving.signal, maxTokens: 1 })
        .next()
    compat.answer(() => ({ status: 500 }))
    await expect(write()).rejects.toMatchObject({ code: 'model_failed' })
    compat.answer(() => ({ answer: 'never' }))
    const before = compat.model.requests.length
    const stopped = write()
    stopped.catch(() => undefined)
    await compat.model.next(before + 1)
    leaving.abort(new Error('enough'))
    await expect(stopped).rejects.toThrow('enough')
    await models.close()
  })
})
