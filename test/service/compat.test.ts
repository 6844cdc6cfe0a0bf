import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { RateLimit } from '../../electron/service/compat/limits.ts'
import { framesOf, question, readUntil, startCompatRig } from './compat-rig.ts'
import type { CompatRig, Member } from './compat-rig.ts'
import { eventually } from '../helpers/eventually.ts'

let compat: CompatRig
beforeAll(async () => {
  compat = await startCompatRig({
    streamDurationMs: 3000,
    silenceTimeoutMs: 2000,
    answerTimeoutMs: 2000,
    requestsPerWindow: 1000,
  })
})
afterAll(() => compat.close())
afterEach(() => compat.answer())

const errorFrame = '{"error":{"message":"The model returned an error.","type":"api_error","code":"upstream"}}'
const streamed = { ...question, stream: true }

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { error: { code: string } }).error.code
}

/** Four answers that stay open until `open` is called. */
async function holdFour(member: Member): Promise<{ open(): void; ended: Promise<string[][]> }> {
  const gate = Promise.withResolvers<void>()
  compat.answer(() => ({ pieces: ['One ', 'two'], gate: (index) => (index === 1 ? gate.promise : undefined) }))
  const held = await Promise.all(Array.from({ length: 4 }, () => compat.chat(streamed, member)))
  expect(held.map((response) => response.status)).toEqual([200, 200, 200, 200])
  return { open: gate.resolve, ended: Promise.all(held.map(framesOf)) }
}

describe('Concurrent generations', () => {
  it('refuses the fifth of an organization, lets other organizations in, and goes on when one is done', async () => {
    const [member, other] = [await compat.member(), await compat.member()]
    const held = await holdFour(member)
    const fifth = await compat.chat(question, member)
    expect([fifth.status, await codeOf(fifth)]).toEqual([429, 'concurrent_limit_exceeded'])
    expect((await compat.chat(question, other)).status).toBe(200)
    held.open()
    await held.ended
    expect((await compat.chat(question, member)).status).toBe(200)
  })

  it('counts the fifth although it is not streamed and the four are', async () => {
    const member = await compat.member()
    const held = await holdFour(member)
    const asked = compat.model.requests.length
    expect((await compat.chat({ ...question, stream: false }, member)).status).toBe(429)
    expect(compat.model.requests).toHaveLength(asked)
    held.open()
    await held.ended
  })

  it('gives the place back once, however a generation ends', async () => {
    const member = await compat.member()
    for (const reply of [
      { status: 500 },
      { answer: 'drop' as const },
      { answer: 'never' as const },
      { body: 'no' },
      { pieces: ['a'], ending: 'drop' as const },
      { pieces: ['a'], ending: 'error' as const },
      { pieces: ['a'], ending: 'silence' as const },
    ]) {
      compat.answer(() => reply)
      await Promise.all(
        Array.from({ length: 4 }, async (_, index) =>
          (await compat.chat({ ...question, stream: index < 2 }, member)).text(),
        ),
      )
    }
    const held = await holdFour(member)
    expect((await compat.chat(question, member)).status).toBe(429)
    held.open()
    await held.ended
  })

  it('stops the model at once when the client leaves, and frees the place', async () => {
    const member = await compat.member()
    for (const stream of [true, false]) {
      compat.answer(() =>
        stream
          ? { pieces: ['One ', 'two'], gate: (index) => (index === 1 ? new Promise(() => undefined) : undefined) }
          : { answer: 'never' },
      )
      const before = compat.model.requests.length
      const leaving = new AbortController()
      const calls = Array.from({ length: 4 }, () =>
        compat.chat({ ...question, stream }, { ...member, signal: leaving.signal }).then((response) => response.text()),
      )
      const asked = (await compat.model.next(before + 4)).slice(before)
      leaving.abort()
      await Promise.allSettled(calls)
      await Promise.all(asked.map((request) => request.left))
      compat.answer()
      await eventually(async () => expect((await compat.chat(question, member)).status).toBe(200))
    }
  })

  it('frees the place when the time is over although the client does not read', async () => {
    const member = await compat.member()
    const long = 'x'.repeat(60_000)
    compat.answer(() => ({ pieces: Array.from({ length: 250 }, () => long) }))
    const response = await compat.chat(streamed, member)
    const [asked] = compat.model.requests.slice(-1)
    await asked!.left
    compat.answer()
    const four = await Promise.all(Array.from({ length: 4 }, () => compat.chat(question, member)))
    expect(four.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await framesOf(response)).slice(-2)).toEqual([errorFrame, '[DONE]'])
  })
})

describe('A stream', () => {
  it('ends with an error frame after its longest duration, although the model goes on', async () => {
    compat.answer(() => ({
      pieces: Array.from({ length: 10_000 }, () => 'more '),
      gate: () => new Promise((resolve) => setTimeout(resolve, 20)),
    }))
    const begun = performance.now()
    const frames = await framesOf(await compat.chat(streamed))
    const tookMs = performance.now() - begun
    expect(frames.slice(-2)).toEqual([errorFrame, '[DONE]'])
    expect(frames.length).toBeGreaterThan(10)
    expect(tookMs).toBeGreaterThan(2900)
    await compat.model.requests.at(-1)!.left
  })

  it('does not tell a finish reason before the model’s stream has ended well', async () => {
    compat.answer(() => ({ pieces: ['All of it.'], ending: 'no-done' }))
    const frames = await framesOf(await compat.chat(streamed))
    expect(frames.join('\n')).not.toContain('"finish_reason":"stop"')
    expect(frames.slice(-2)).toEqual([errorFrame, '[DONE]'])
  })

  it('is cut short when the model’s server gives an empty finish reason', async () => {
    compat.answer(() => ({
      rawBefore: 'data: {"choices":[{"index":0,"delta":{"content":"Half an ans"},"finish_reason":""}]}\n\n',
      ending: 'no-finish',
    }))
    const frames = await framesOf(await compat.chat(streamed))
    expect(frames.slice(-2)).toEqual([errorFrame, '[DONE]'])
  })

  it('is cut off as silent although keep-alives come, and a plain 504 before the first frame', async () => {
    compat.answer(() => ({ rawBefore: ': waiting\n\n: waiting\n\n', ending: 'silence' }))
    const response = await compat.chat(streamed)
    expect([response.status, await codeOf(response)]).toEqual([504, 'timeout'])
  })

  it('shows the frames while the model still writes', async () => {
    const gate = Promise.withResolvers<void>()
    compat.answer(() => ({ pieces: ['First ', 'second'], gate: (index) => (index === 1 ? gate.promise : undefined) }))
    const reader = (await compat.chat(streamed)).body!.getReader()
    expect(await readUntil(reader, 'First')).not.toContain('second')
    gate.resolve()
    expect(await readUntil(reader, '[DONE]')).toContain('second')
  })

  it('keeps the usage frame from a client that did not ask for it, and the model’s thinking from everyone', async () => {
    compat.answer(() => ({
      rawBefore: 'data: {"choices":[{"index":0,"delta":{"reasoning_content":"Hm, secret"}}]}\n\n',
      pieces: ['Yes'],
    }))
    const text = (await framesOf(await compat.chat(streamed))).join('\n')
    expect(text).not.toContain('usage')
    expect(text).not.toContain('secret')
    expect(text).toContain('"content":"Yes"')
  })
})

describe('Usage', () => {
  it('is what the model’s server told, whole or streamed', async () => {
    const member = await compat.member()
    compat.answer(() => ({ pieces: ['Hi'], usage: { prompt_tokens: 11, completion_tokens: 7 } }))
    await (await compat.chat(question, member)).text()
    await (await compat.chat(streamed, member)).text()
    expect(await compat.charged(member.organizationId)).toEqual({ requests: 2, inputTokens: 22, outputTokens: 14 })
  })

  it('is counted where the server tells none', async () => {
    const member = await compat.member()
    compat.answer(() => ({ pieces: ['One ', 'two ', 'three'], usage: null }))
    const answer = (await (await compat.chat(question, member)).json()) as { usage: Record<string, number> }
    expect(answer.usage['total_tokens']).toBe(answer.usage['prompt_tokens']! + answer.usage['completion_tokens']!)
    const { inputTokens, outputTokens } = await compat.charged(member.organizationId)
    expect([inputTokens > 5, outputTokens]).toEqual([true, 4])
    await (await compat.chat(streamed, member)).text()
    expect((await compat.charged(member.organizationId)).outputTokens).toBe(4 + 4)
  })

  it('is counted over all that was relayed, and by length where the pieces are long', async () => {
    const tools = [{ type: 'function', function: { name: 'f', description: 'd'.repeat(400_000), parameters: {} } }]
    const toolCalls = [{ id: 'call_1', name: 'f', arguments: 'a'.repeat(4000) }]
    compat.answer(() => ({ pieces: ['x'.repeat(8000)], toolCalls, usage: null }))
    for (const stream of [true, false]) {
      const member = await compat.member()
      await (await compat.chat({ ...question, stream, tools }, member)).text()
      const { inputTokens, outputTokens } = await compat.charged(member.organizationId)
      expect(inputTokens).toBeGreaterThan(100_000)
      expect(inputTokens).toBeLessThan(100_100)
      expect(outputTokens).toBeGreaterThanOrEqual(3000)
      expect(outputTokens).toBeLessThan(3050)
    }
  })

  it('counts the thinking of a model that nobody is shown', async () => {
    const member = await compat.member()
    compat.answer(() => ({
      rawBefore: `data: {"choices":[{"index":0,"delta":{"reasoning_content":"${'h'.repeat(4000)}"}}]}\n\n`,
      pieces: ['Yes'],
      usage: null,
    }))
    await (await compat.chat(streamed, member)).text()
    expect((await compat.charged(member.organizationId)).outputTokens).toBe(Math.ceil(4003 / 4))
  })

  it('is what the server told, whatever the client says about the usage frame', async () => {
    compat.answer(() => ({ pieces: ['Hi'], usage: { prompt_tokens: 250_000, completion_tokens: 2000 } }))
    for (const stream_options of [{}, { include_usage: false }, { include_obfuscation: false }]) {
      const member = await compat.member()
      expect((await framesOf(await compat.chat({ ...streamed, stream_options }, member))).join('\n')).not.toContain(
        'usage',
      )
      expect(await compat.charged(member.organizationId)).toMatchObject({ inputTokens: 250_000, outputTokens: 2000 })
    }
  })

  it('of a stream that broke, or whose client left, is what had come', async () => {
    const member = await compat.member()
    compat.answer(() => ({ pieces: ['One ', 'two '], ending: 'drop' }))
    await (await compat.chat(streamed, member)).text()
    expect(await compat.charged(member.organizationId)).toMatchObject({ requests: 1, outputTokens: 2 })

    compat.answer(() => ({
      pieces: ['One ', 'two ', 'three'],
      gate: (index) => (index === 2 ? new Promise(() => undefined) : undefined),
    }))
    const leaving = new AbortController()
    const reader = (await compat.chat(streamed, { ...member, signal: leaving.signal })).body!.getReader()
    await readUntil(reader, 'two')
    leaving.abort()
    await eventually(async () =>
      expect(await compat.charged(member.organizationId)).toMatchObject({ requests: 2, outputTokens: 4 }),
    )
  })

  it('of a refused or failed request is nothing', async () => {
    const member = await compat.member()
    compat.answer(() => ({ status: 500 }))
    for (const body of [
      { ...question, n: 2 },
      { ...question, logprobs: false },
      { ...question, stream: 'yes' },
      { ...question, model: 'big' },
      '{',
      question,
      streamed,
    ]) {
      expect((await compat.chat(body, member)).status).toBeGreaterThanOrEqual(400)
    }
    expect((await compat.charged(member.organizationId)).requests).toBe(0)
  })
})

describe('Rate', () => {
  it('lets exactly 100 through in any window, and one more the moment that one falls out of it', () => {
    let now = 0
    const rate = new RateLimit({ requestsPerWindow: 100, rateWindowMs: 60_000 }, () => now)
    for (let count = 0; count < 100; count++) {
      now = count * 100
      expect(rate.take('a')).toBeNull()
    }
    expect(rate.take('a')).toBe(51)
    expect(rate.take('b')).toBeNull()
    now = 59_999
    expect(rate.take('a')).toBe(1)
    now = 60_000
    expect(rate.take('a')).toBeNull()
    expect(rate.take('a')).toBe(1)
    now = 60_100
    expect(rate.take('a')).toBeNull()
    expect(rate.take('a')).toBe(1)
  })

  it('is one for both endpoints and all tokens, and is not lifted by a new token', async () => {
    const limited = await startCompatRig({ requestsPerWindow: 3 })
    try {
      const models = (token: string): Promise<Response> =>
        fetch(`${limited.rig.service.baseUrl}/compat/models`, { headers: { authorization: `Bearer ${token}` } })
      const { clientId, clientSecret } = await limited.rig.control('clients.add', {
        accountId: 'local',
        name: 'second',
      })
      const query = new URLSearchParams({ client_id: clientId, client_secret: clientSecret })
      const second = (
        (await (await fetch(`${limited.rig.service.baseUrl}/v2/token?${query.toString()}`)).json()) as {
          access_token: string
        }
      ).access_token
      expect([
        (await models(limited.rig.token)).status,
        (await limited.chat(question)).status,
        (await limited.chat(question, { token: second })).status,
      ]).toEqual([200, 200, 200])
      const refused = await models(second)
      expect([refused.status, await codeOf(refused)]).toEqual([429, 'rate_limit_exceeded'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
      expect((await models('wrong')).status).toBe(401)
    } finally {
      await limited.close()
    }
  })
})

describe('A refusal before the body', () => {
  const piece = Buffer.alloc(1024 * 1024, 'x')
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), piece, Buffer.from('\r\n')])

  const chat = '/compat/v1/chat/completions'
  const megabytes = (count: number): string => `Content-Length: ${count * piece.length}`

  it.each([
    [chat, 'a body of 30 MB', megabytes(30), piece, null, 413, 'request_too_large'],
    [chat, 'chunks without an end', 'Transfer-Encoding: chunked', chunk, null, 411, 'missing_content_length'],
    [chat, 'a wrong credential and 30 MB', megabytes(30), piece, 'wrong', 401, 'invalid_api_key'],
    [chat, 'a wrong credential and 2 MB', megabytes(2), piece, 'wrong', 401, 'invalid_api_key'],
    ['/compat/v1/nothing', 'a wrong path and 2 MB', megabytes(2), piece, null, 404, 'not_found'],
    ['/v2/extractor', 'a wrong credential and 30 MB', megabytes(30), piece, 'wrong', 401, 'invalid_token'],
    ['/v2/extractor', 'a body of 60 MB', megabytes(60), piece, null, 413, 'file_too_large'],
    [
      '/v2/documentalist/nothing',
      'an unknown agent and chunks',
      'Transfer-Encoding: chunked',
      chunk,
      null,
      404,
      'agent_not_found',
    ],
    ['/v2/nothing', 'a wrong path and 30 MB', megabytes(30), piece, null, 404, 'not_found'],
  ])(
    'of %s is complete at once for %s, and the rest can still be sent',
    async (path, _what, length, part, token, status, code) => {
      const socket = connect({ port: compat.rig.service.port, host: '127.0.0.1', allowHalfOpen: true })
      await once(socket, 'connect')
      const credential = path.startsWith('/compat') ? 'Authorization: Bearer ' : 'X-API-Key: '
      const head = [
        `POST ${path} HTTP/1.1`,
        `Host: 127.0.0.1:${compat.rig.service.port}`,
        `${credential}${token ?? compat.rig.token}`,
        length,
      ]
      const write = (data: string | Buffer): Promise<void> =>
        new Promise((resolve, reject) => socket.write(data, (error) => (error ? reject(error) : resolve())))
      await write([...head, '', ''].join('\r\n'))
      await write(part)
      let answer = ''
      socket.on('data', (data) => (answer += String(data)))
      await once(socket, 'end')
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect(answer).toMatch(/\r\nconnection: close\r\n/i)
      expect(answer).toContain(`"code":"${code}"`)
      const parts = Number(/\d+/.exec(length)?.[0] ?? 30 * piece.length) / piece.length
      for (let sent = 1; sent < Math.min(parts, 30); sent++) await write(part)
      socket.destroy()
    },
  )

  it.each([chat, '/v2/extractor'])('of %s leaves the connection open when the whole body has come', async (path) => {
    const socket = connect({ port: compat.rig.service.port, host: '127.0.0.1' })
    let answers = ''
    socket.on('data', (data) => (answers += String(data)))
    for (let count = 1; count <= 2; count++) {
      socket.write(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${compat.rig.service.port}\r\nContent-Length: 2\r\n\r\n{}`)
      await eventually(() => expect(answers.match(/HTTP\/1\.1 401 /g)).toHaveLength(count))
    }
    expect(answers).not.toMatch(/connection: close/i)
    socket.destroy()
  })

  it('does not call for a body of which it knows that it is too large', async () => {
    const exchange = async (sizeBytes: number, body: string): Promise<string> => {
      const socket = connect({ port: compat.rig.service.port, host: '127.0.0.1', allowHalfOpen: true })
      const head = [
        'POST /compat/v1/chat/completions HTTP/1.1',
        `Host: 127.0.0.1:${compat.rig.service.port}`,
        `Authorization: Bearer ${compat.rig.token}`,
        'Expect: 100-continue',
        'Connection: close',
        `Content-Length: ${sizeBytes}`,
      ]
      let answer = ''
      socket.on('data', (data) => {
        answer += String(data)
        if (answer === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(body)
      })
      socket.write([...head, '', ''].join('\r\n'))
      await once(socket, 'end')
      socket.destroy()
      return answer
    }
    expect(await exchange(2_097_153, '')).toMatch(/^HTTP\/1\.1 413 /)
    expect(await exchange(2, '{}')).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /)
  })
})
