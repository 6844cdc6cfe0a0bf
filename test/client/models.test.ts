import { describe, expect, it, vi } from 'vitest'
import type { ChatRequest } from '../../electron/core/platform/chat.ts'
import type { ChatEnd, ChatPiece } from '../../electron/core/platform/models.ts'
import { toAppError } from '../../shared/domain/errors.ts'
import type { AppError } from '../../shared/domain/errors.ts'
import { chatAnswer, chatStream, eventStream, gate, json, proxyError } from '../helpers/vendor-questions.ts'
import type { VendorAnswer } from '../helpers/vendor-questions.ts'
import { clientOf, errorOf } from './client.ts'

const hello: ChatRequest = { model: 'svc-large', messages: [{ role: 'user', content: 'Hello' }] }
const weather = {
  name: 'weather',
  description: 'The weather in a town',
  parameters: { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] },
}
const signal = new AbortController().signal

type Streamed = { text: string; pieces: ChatPiece[]; end: ChatEnd | null; error: AppError | null }

async function streamed(chat: AsyncGenerator<ChatPiece, ChatEnd>): Promise<Streamed> {
  const seen: Streamed = { text: '', pieces: [], end: null, error: null }
  try {
    for (;;) {
      const next = await chat.next()
      if (next.done === true) return { ...seen, end: next.value }
      seen.pieces.push(next.value)
      seen.text += next.value.text ?? ''
    }
  } catch (error) {
    return { ...seen, error: toAppError(error) }
  }
}

async function streamOf(answer: VendorAnswer): Promise<Streamed> {
  const { models } = await clientOf({ chat: () => answer })
  return streamed(models.stream(hello, { signal }))
}

describe('the list of models', () => {
  it('is asked for with the token as Bearer credential and comes in the service’s order', async () => {
    const { models, vendor } = await clientOf({ models: ['svc-large', 'svc-small'] })
    expect(await models.list()).toEqual(['svc-large', 'svc-small'])
    expect(vendor.asked[0]!.headers.authorization).toBe('Bearer token-1')
  })

  it('may have fields that nobody knows', async () => {
    const { models } = await clientOf({
      models: () =>
        json({ object: 'list', next: null, data: [{ id: 'a', object: 'model', created: '1', owned_by: null, x: {} }] }),
    })
    expect(await models.list()).toEqual(['a'])
  })

  it.each<[string, VendorAnswer, string]>([
    ['of another shape', json({ models: ['a'] }), 'answer_unreadable'],
    ['no JSON', { pieces: ['hello'] }, 'answer_unreadable'],
    ['a page', { pieces: ['<!doctype html><html></html>'] }, 'not_a_platform'],
    ['refused to an account without the API', proxyError(403, 'access_denied', 'permission_error'), 'access_denied'],
    ['not there', { status: 404, pieces: ['<html>404</html>'] }, 'no_such_endpoint'],
  ])('is an error when it is %s', async (_what, answer, code) => {
    const { models } = await clientOf({ models: () => answer })
    expect((await errorOf(models.list())).code).toBe(code)
  })
})

describe('a chat without stream', () => {
  it('sends every parameter under its name on the wire, and no other', async () => {
    const { models, vendor } = await clientOf({ chat: () => chatAnswer('Hi') })
    await models.complete(
      {
        model: 'svc-small',
        messages: [
          { role: 'system', content: 'Be short' },
          { role: 'user', content: 'Weather?' },
          {
            role: 'assistant',
            content: null,
            toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"town":"Ulm"}' }],
          },
          { role: 'tool', content: '20°', toolCallId: 'call_1' },
        ],
        tools: [weather],
        toolChoice: { name: 'weather' },
        temperature: 0,
        topP: 0.5,
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
        stop: ['END'],
        maxCompletionTokens: 100,
        responseFormat: { type: 'json_schema', name: 'fields', schema: { type: 'object' }, strict: true },
        chatTemplateKwargs: { enable_thinking: true },
      },
      { signal },
    )
    expect(vendor.asked[0]!.body).toEqual({
      model: 'svc-small',
      messages: [
        { role: 'system', content: 'Be short' },
        { role: 'user', content: 'Weather?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"town":"Ulm"}' } }],
        },
        { role: 'tool', content: '20°', tool_call_id: 'call_1' },
      ],
      tools: [{ type: 'function', function: weather }],
      tool_choice: { type: 'function', function: { name: 'weather' } },
      temperature: 0,
      top_p: 0.5,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      stop: ['END'],
      max_completion_tokens: 100,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'fields', schema: { type: 'object' }, strict: true },
      },
      chat_template_kwargs: { enable_thinking: true },
    })
  })

  it('declares the length of its body exactly', async () => {
    const { models, vendor } = await clientOf({ chat: () => chatAnswer('Hi') })
    await models.complete({ ...hello, messages: [{ role: 'user', content: 'Grüße 🌡' }] }, { signal })
    expect(vendor.asked[0]!.headers['content-length']).toBe(String(vendor.asked[0]!.sizeBytes))
    expect(vendor.asked[0]!.headers['transfer-encoding']).toBeUndefined()
    expect(vendor.asked[0]!.headers['content-type']).toBe('application/json')
  })

  it('gives the text, why it ended and what it used', async () => {
    const { models } = await clientOf({ chat: () => chatAnswer('Hi') })
    expect(await models.complete(hello, { signal })).toEqual({
      text: 'Hi',
      toolCalls: [],
      finishReason: 'stop',
      tokens: 12,
      model: 'svc-large',
    })
  })

  it('gives tool calls whose message has no content', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"town":"Ulm"}' } }
    const { models } = await clientOf({
      chat: () =>
        json({
          choices: [{ index: 0, message: { role: 'assistant', tool_calls: [call] }, finish_reason: 'tool_calls' }],
          usage: { prompt_tokens: 3, completion_tokens: 4 },
        }),
    })
    expect(await models.complete(hello, { signal })).toMatchObject({
      text: null,
      toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"town":"Ulm"}' }],
      finishReason: 'tool_calls',
      tokens: 7,
    })
  })

  it('takes a request of exactly 2,097,152 bytes and sends none that has one more', async () => {
    const { models, vendor } = await clientOf({ chat: () => chatAnswer('Hi') })
    const frame = Buffer.byteLength(JSON.stringify({ model: 'svc-large', messages: [{ role: 'user', content: '' }] }))
    const sized = (bytes: number): ChatRequest => ({
      model: 'svc-large',
      messages: [{ role: 'user', content: 'x'.repeat(bytes - frame) }],
    })
    await models.complete(sized(2_097_152), { signal })
    expect(vendor.asked[0]!.sizeBytes).toBe(2_097_152)
    expect((await errorOf(models.complete(sized(2_097_153), { signal }))).code).toBe('request_too_large')
    expect((await streamed(models.stream(sized(2_097_153), { signal }))).error?.code).toBe('request_too_large')
    expect(vendor.asked).toHaveLength(1)
  })

  it.each<[string, VendorAnswer, string]>([
    ['no JSON', { pieces: ['hello'] }, 'answer_unreadable'],
    ['empty', { pieces: [] }, 'answer_unreadable'],
    ['of another shape', json({ answer: 'Hi' }), 'answer_unreadable'],
    [
      'a message without anything',
      json({ choices: [{ message: { role: 'assistant', content: null }, finish_reason: 'stop' }] }),
      'answer_unreadable',
    ],
    ['an error under 200', json({ error: { message: 'x', type: 'api_error', code: 'upstream' } }), 'model_failed'],
    ['broken off', { drop: true, pieces: ['{"choices":'] }, 'connection_lost'],
  ])('is an error when the answer is %s', async (_what, answer, code) => {
    const { models, vendor } = await clientOf({ chat: () => answer })
    expect((await errorOf(models.complete(hello, { signal }))).code).toBe(code)
    expect(vendor.asked).toHaveLength(1)
  })

  it('ends with the reason of the signal when it is stopped', async () => {
    const held = gate()
    const { models, vendor } = await clientOf({ chat: () => ({ pieces: [held.opened] }) })
    const stop = new AbortController()
    const answer = models.complete(hello, { signal: stop.signal })
    await expect.poll(() => vendor.asked.length).toBe(1)
    stop.abort(new Error('stopped by the person'))
    await expect(answer).rejects.toThrow('stopped by the person')
  })
})

describe('a chat with stream', () => {
  it('asks for a stream with its usage', async () => {
    const { models, vendor } = await clientOf({ chat: () => chatStream('Hi') })
    await streamed(models.stream(hello, { signal }))
    expect(vendor.asked[0]!.body).toEqual({
      model: 'svc-large',
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  it('gives text as it comes, and at the end what it used', async () => {
    const held = gate()
    const { models } = await clientOf({ chat: () => chatStream('Hel', held.opened, 'lo') })
    const chat = models.stream(hello, { signal })
    expect(await chat.next()).toEqual({ done: false, value: { text: 'Hel' } })
    held.open()
    expect(await streamed(chat)).toMatchObject({ text: 'lo', end: { tokens: 12, finishReason: 'stop' }, error: null })
  })

  it('is whole although it comes byte by byte', async () => {
    const whole = chatStream('Grüße ', '🌡 «20 °C»').pieces!.join('')
    const bytes = [...Buffer.from(whole)].map((byte) => Buffer.from([byte]))
    expect((await streamOf({ headers: { 'content-type': 'text/event-stream' }, pieces: bytes })).text).toBe(
      'Grüße 🌡 «20 °C»',
    )
  })

  it('puts tool calls together that come in parts', async () => {
    const part = (index: number, call: object): object => ({
      choices: [{ index: 0, delta: { tool_calls: [{ index, ...call }] } }],
    })
    const seen = await streamOf(
      eventStream(
        part(0, { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } }),
        part(0, { function: { arguments: '{"town":' } }),
        part(1, { id: 'call_2', type: 'function', function: { name: 'time', arguments: '{}' } }),
        part(0, { function: { arguments: '"Ulm"}' } }),
        { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
        'data: [DONE]\n\n',
      ),
    )
    expect(seen.pieces).toEqual([
      {
        toolCalls: [
          { id: 'call_1', name: 'weather', arguments: '{"town":"Ulm"}' },
          { id: 'call_2', name: 'time', arguments: '{}' },
        ],
      },
    ])
    expect(seen.end).toEqual({ tokens: null, finishReason: 'tool_calls' })
  })

  it.each<[string, VendorAnswer]>([
    [
      'a finish reason but no [DONE]',
      eventStream({ choices: [{ delta: { content: 'Hi' } }] }, { choices: [{ delta: {}, finish_reason: 'stop' }] }),
    ],
    ['[DONE] but no finish reason', eventStream({ choices: [{ delta: { content: 'Hi' } }] }, 'data: [DONE]\n\n')],
    ['no blank line after [DONE]', eventStream({ choices: [{ delta: { content: 'Hi' } }] }, 'data: [DONE]')],
    [
      'comments between',
      eventStream(': keep alive\n\n', { choices: [{ delta: { content: 'Hi' } }] }, 'data: [DONE]\n\n'),
    ],
    [
      'CR LF',
      eventStream('data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\r\n\r\ndata: [DONE]\r\n\r\n'),
    ],
    ['one whole answer from a service that does not stream', chatAnswer('Hi')],
    [
      'frames about something else between',
      eventStream(
        { choices: [{ delta: { content: 'H' } }] },
        { type: 'ping' },
        { id: 'c', choices: null },
        { choices: [{ delta: { content: 'i' }, finish_reason: 'stop' }] },
        'data: [DONE]\n\n',
      ),
    ],
  ])('is complete with %s', async (_what, answer) => {
    expect(await streamOf(answer)).toMatchObject({ text: 'Hi', error: null })
  })

  it('counts what a frame without choices says that it used', async () => {
    const seen = await streamOf(
      eventStream(
        { choices: [{ delta: { content: 'Hi' }, finish_reason: 'stop' }] },
        { usage: { total_tokens: 12 } },
        'data: [DONE]\n\n',
      ),
    )
    expect(seen).toMatchObject({ text: 'Hi', end: { tokens: 12, finishReason: 'stop' }, error: null })
  })

  it('leaves it to the service how long its model may be silent', async () => {
    const { models, http } = await clientOf({ chat: () => chatStream('Hi') })
    const open = vi.spyOn(http, 'open')
    await streamed(models.stream(hello, { signal }))
    const { silenceMs, totalMs } = open.mock.calls[0]![0]
    expect(silenceMs).toBe(totalMs)
    expect(totalMs).toBeGreaterThan(5 * 60_000)
  })

  const begun = { choices: [{ delta: { content: 'Twenty' } }] }
  it.each<[string, VendorAnswer]>([
    [
      'an error frame and [DONE]',
      eventStream(begun, { error: { message: 'upstream', type: 'api_error', code: 'upstream' } }, 'data: [DONE]\n\n'),
    ],
    ['a broken connection', { ...eventStream(begun), drop: true }],
    ['an end without [DONE] and without a finish reason', eventStream(begun)],
    ['an end in the middle of a frame', eventStream(begun, 'data: {"choices":[{"del')],
    ['a frame that is no JSON', eventStream(begun, 'data: hello\n\n', 'data: [DONE]\n\n')],
  ])('is incomplete after %s, and what came was given', async (_what, answer) => {
    expect(await streamOf(answer)).toMatchObject({ text: 'Twenty', error: { code: 'answer_incomplete' } })
  })

  it.each<[string, VendorAnswer, string]>([
    [
      'an error frame',
      eventStream({ error: { message: 'upstream', type: 'api_error', code: 'upstream' } }, 'data: [DONE]\n\n'),
      'model_failed',
    ],
    ['a broken connection', { ...eventStream(), drop: true }, 'connection_lost'],
    ['nothing', eventStream('data: [DONE]\n\n'), 'answer_unreadable'],
    ['JSON of another shape', json({ answer: 'Hi' }), 'answer_unreadable'],
  ])('is no answer when %s comes before any text', async (_what, answer, code) => {
    expect(await streamOf(answer)).toMatchObject({ text: '', error: { code } })
  })

  it('closes the connection when its reader leaves', async () => {
    const held = gate()
    const { models, vendor } = await clientOf({ chat: () => chatStream('Hel', held.opened, 'lo') })
    for await (const piece of models.stream(hello, { signal })) {
      expect(piece).toEqual({ text: 'Hel' })
      break
    }
    await expect.poll(() => vendor.asked[0]!.state).toBe('broken')
  })
})
