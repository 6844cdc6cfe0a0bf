import assert from 'node:assert/strict'
import { chat, proxyStream, readFrames, smallChat, streamedChat } from '../ask.ts'
import type { Streamed } from '../ask.ts'
import { section } from '../case.ts'
import type { CaseBody } from '../case.ts'
import { proxyError, record, status, string } from '../expect.ts'
import type { ModelReply } from '../../helpers/model-server.ts'
import { own } from '../target.ts'
import type { Target } from '../target.ts'

/** What is left of a stream that broke: 200, the text so far, one error frame, [DONE], nothing after. */
function brokenStream(streamed: Streamed, text: string): Record<string, unknown> {
  status(streamed, 200)
  assert.equal(streamed.content, text)
  assert.equal(streamed.errors.length, 1, `${streamed.errors.length} error frames: ${streamed.text.slice(-300)}`)
  assert.equal(streamed.data.at(-1), '[DONE]')
  assert.ok(streamed.data.at(-2)?.includes('"error"'), 'the error frame is not the last before [DONE]')
  assert.equal(streamed.data.filter((line) => line === '[DONE]').length, 1)
  return record(streamed.errors[0]!['error'], 'error')
}

async function broken(
  t: Target,
  reply: ModelReply,
  options: { target?: Target } = {},
): Promise<Record<string, unknown>> {
  own(t).model.answer(() => ({ pieces: ['One ', 'two '], ...reply }))
  return brokenStream(await streamedChat(options.target ?? t), 'One two ')
}

const states = section('States and transitions › Stream of a chat completion', [
  {
    id: 'stream.begins',
    sentence: 'A stream begins with HTTP 200 and delta frames',
    name: 'HTTP 200, and the first frames carry deltas',
    async run(t) {
      const streamed = await streamedChat(t)
      status(streamed, 200)
      assert.ok(streamed.deltas.length > 0, 'there is no delta frame')
      assert.notEqual(streamed.content, '')
    },
  },
  {
    id: 'stream.done',
    sentence: 'It ends with `data: [DONE]`',
    name: 'The last line of data is [DONE], and it is there once',
    async run(t) {
      const { data } = await streamedChat(t)
      assert.equal(data.at(-1), '[DONE]')
      assert.equal(data.filter((line) => line === '[DONE]').length, 1)
    },
  },
  {
    id: 'stream.failure',
    sentence:
      'If generation fails after the start, an error frame is emitted and then `data: [DONE]`; the status stays 200',
    name: 'A model that fails midway leaves the text so far, one error frame and [DONE] under HTTP 200',
    needs: ['model'],
    async run(t) {
      await broken(t, { ending: 'error' })
    },
  },
])

const endpoint = section('Endpoints › POST /compat/v1/chat/completions', [
  {
    id: 'stream.type',
    sentence: 'Response with stream: `text/event-stream`',
    name: 'The content type is text/event-stream',
    async run(t) {
      assert.match((await streamedChat(t)).headers.get('content-type') ?? '', /^text\/event-stream/)
    },
  },
  {
    id: 'stream.frames',
    sentence: 'Each frame is `data: <JSON>`',
    name: 'Nothing but data lines (and comments) is in the stream, each with one JSON object, frames apart by an empty line',
    async run(t) {
      const { text } = await streamedChat(t)
      for (const block of text.split('\n\n').filter((part) => part !== '' && !part.startsWith(':'))) {
        assert.match(block, /^data: /)
        assert.ok(!block.includes('\n'), `a frame of several lines: ${block.slice(0, 200)}`)
        if (block !== 'data: [DONE]') record(JSON.parse(block.slice(6)), 'frame')
      }
    },
  },
  {
    id: 'stream.delta',
    sentence: 'A delta frame has `id` and `choices[].delta.content`',
    name: 'Each frame with text has an id, the same in all, and its text in choices[].delta.content',
    async run(t) {
      const { deltas } = await streamedChat(t)
      const withText = deltas.filter((frame) => JSON.stringify(frame).includes('"content":"'))
      assert.ok(withText.length > 0)
      assert.equal(new Set(withText.map((frame) => string(frame['id'], 'id'))).size, 1)
    },
  },
  {
    id: 'stream.whole-text',
    sentence: 'A delta frame has `id` and `choices[].delta.content`',
    name: 'The contents together are the text of the model, letter by letter',
    needs: ['model'],
    async run(t) {
      const pieces = ['Grü', 'ße 👩‍👩', '‍👧 \n\n', 'data: [DONE]', '\u0000"\\', ' end']
      own(t).model.answer(() => ({ pieces }))
      assert.equal((await streamedChat(t)).content, pieces.join(''))
    },
  },
  {
    id: 'stream.alias',
    sentence: 'They are aliases, and the model served behind them can change without notice',
    name: 'The frames name the alias and not the model behind it',
    needs: ['model'],
    async run(t) {
      const { text } = await streamedChat(t)
      assert.doesNotMatch(text, /"tiny"/)
      assert.match(text, /"svc-small"/)
    },
  },
  {
    id: 'stream.progressive',
    sentence: '`true` gives a server-sent event stream',
    name: 'A piece is there while the model still writes the next',
    needs: ['model'],
    async run(t) {
      const rest = Promise.withResolvers<undefined>()
      own(t).model.answer(() => ({
        pieces: ['First', 'Second'],
        gate: (index) => (index === 1 ? rest.promise : undefined),
      }))
      const response = await proxyStream(t, '/chat/completions', { ...smallChat, stream: true })
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      while (!text.includes('First')) text += (await reader.read()).value ?? assert.fail('the stream ended')
      assert.doesNotMatch(text, /Second/)
      rest.resolve(undefined)
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
      assert.equal(readFrames(text).content, 'FirstSecond')
    },
  },
  {
    id: 'stream.tools',
    sentence: 'When the model calls a tool, `finish_reason` is `tool_calls` and `message.tool_calls` is filled',
    name: 'A tool call arrives in parts with its id, name and arguments, and finish_reason tool_calls',
    needs: ['model'],
    async run(t) {
      own(t).model.answer(() => ({ toolCalls: [{ id: 'call_3', name: 'get_weather', arguments: '{"place":"Graz"}' }] }))
      const { deltas } = await streamedChat(t)
      const choices = deltas.flatMap(
        (frame) =>
          (frame['choices'] as
            | {
                delta?: { tool_calls?: { id?: string; function?: { name?: string; arguments?: string } }[] }
                finish_reason?: string | null
              }[]
            | undefined) ?? [],
      )
      const parts = choices.flatMap((choice) => choice.delta?.tool_calls ?? [])
      assert.equal(parts.find((part) => part.id !== undefined)?.id, 'call_3')
      assert.equal(parts.find((part) => part.function?.name)?.function?.name, 'get_weather')
      assert.equal(parts.map((part) => part.function?.arguments ?? '').join(''), '{"place":"Graz"}')
      assert.ok(choices.some((choice) => choice.finish_reason === 'tool_calls'))
    },
  },
  {
    id: 'stream.usage',
    sentence: 'stream_options',
    name: 'With include_usage a frame tells the tokens',
    needs: ['model'],
    async run(t) {
      const { deltas } = await streamedChat(t, { stream_options: { include_usage: true } })
      const usage = deltas.map((frame) => frame['usage']).find((value) => typeof value === 'object' && value !== null)
      assert.ok(Number.isInteger(record(usage, 'usage')['total_tokens']))
    },
  },
  {
    id: 'stream.keep-alive',
    sentence: 'A delta frame has `id` and `choices[].delta.content`',
    name: 'Comments of the model’s server do not become text',
    needs: ['model'],
    async run(t) {
      own(t).model.answer(() => ({ rawBefore: ': keep-alive\n\n', pieces: ['Hello'] }))
      assert.equal((await streamedChat(t)).content, 'Hello')
    },
  },
  {
    id: 'stream.error-frame',
    sentence: 'The message is constant, with `type` `api_error` and `code` `upstream`',
    name: 'The error frame has these, the same message for different causes, and nothing of the model’s own words',
    needs: ['model'],
    async run(t) {
      const first = await broken(t, { ending: 'error' })
      const second = await broken(t, { ending: 'drop' })
      assert.deepEqual({ type: first['type'], code: first['code'] }, { type: 'api_error', code: 'upstream' })
      assert.notEqual(string(first['message'], 'message'), '')
      assert.deepEqual(second, first)
      assert.doesNotMatch(String(first['message']), /scripted failure/)
    },
  },
  {
    id: 'stream.partial',
    sentence: 'Content received before an error frame is partial',
    name: 'The text before the error frame is what the model wrote until then',
    needs: ['model'],
    async run(t) {
      own(t).model.answer(() => ({ pieces: ['Half a sent'], ending: 'drop' }))
      brokenStream(await streamedChat(t), 'Half a sent')
    },
  },
  ...(
    [
      { id: 'model-error', what: 'model error', reply: { ending: 'error' } },
      { id: 'lost', what: 'loss of the upstream connection', reply: { ending: 'drop' } },
      { id: 'cut', what: 'generation cut short (the model’s stream ends without its end)', reply: { ending: 'cut' } },
      { id: 'no-finish', what: 'generation cut short (no finish reason)', reply: { ending: 'no-finish' } },
    ] satisfies { id: string; what: string; reply: ModelReply }[]
  ).map(
    ({ id, what, reply }): CaseBody => ({
      id: `stream.cause-${id}`,
      sentence:
        'An error frame is sent for: model error, loss of the upstream connection, prolonged silence from the model, generation cut short, and stream duration exceeded',
      name: `Error frame after ${what}`,
      needs: ['model'],
      async run(t) {
        await broken(t, reply)
      },
    }),
  ),
  {
    id: 'stream.cause-silence',
    sentence:
      'An error frame is sent for: model error, loss of the upstream connection, prolonged silence from the model, generation cut short, and stream duration exceeded',
    name: 'Error frame after prolonged silence (a service told to wait 1 s)',
    needs: ['limits', 'model'],
    async run(t) {
      await broken(t, { ending: 'silence' }, { target: await own(t).strict() })
    },
  },
])

const limits = section('Limits › Proxy', [
  {
    id: 'stream.duration',
    sentence: 'A longer stream is interrupted with an error frame and `data: [DONE]`',
    name: 'A stream beyond its time (a service told to allow 2 s) is interrupted although the model goes on writing',
    needs: ['limits', 'model'],
    async run(t) {
      const target = await own(t).strict()
      const pieces = Array.from({ length: 200 }, () => 'more ')
      own(t).model.answer(() => ({ pieces, gate: () => new Promise((resolve) => setTimeout(resolve, 100)) }))
      const begun = performance.now()
      const streamed = await streamedChat(target)
      const seconds = (performance.now() - begun) / 1000
      brokenStream(streamed, streamed.content)
      assert.ok(streamed.content.length > 20, 'almost nothing came before the interruption')
      assert.ok(seconds > 1.8 && seconds < 10, `it was interrupted after ${seconds.toFixed(1)} s`)
    },
  },
  {
    id: 'stream.duration-billed',
    sentence: 'tokens produced so far are billed',
    name: 'The tokens of a stream that broke are added to the month',
    needs: ['organizations', 'model'],
    async run(t) {
      const organization = await own(t).organization()
      own(t).model.answer(() => ({ pieces: ['One ', 'two ', 'three '], ending: 'drop' }))
      await streamedChat(t, {}, { token: await organization.token() })
      const month = await own(t).call('usage.month', { organizationId: organization.id })
      assert.ok(Number(month['tokens']) >= 3, `${String(month['tokens'])} tokens were billed`)
    },
  },
  {
    id: 'stream.before-start',
    sentence: 'Mid-stream failures use an error frame under HTTP 200',
    name: 'A failure before the first byte is a plain error answer, also when a stream was asked for',
    needs: ['model'],
    async run(t) {
      own(t).model.answer(() => ({ status: 500 }))
      proxyError(await chat(t, { stream: true }), 502, 'upstream', 'api_error')
    },
  },
])

export const streamCases = [...states, ...endpoint, ...limits]
