import assert from 'node:assert/strict'
import { chat, json } from '../ask.ts'
import type { Answer } from '../ask.ts'
import { section } from '../case.ts'
import type { CaseBody } from '../case.ts'
import { array, completion, integer, invalid, record, status, string } from '../expect.ts'
import { own } from '../target.ts'
import type { Target } from '../target.ts'

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a place',
    parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  },
}

/** Lets the model call the tool once. */
function callsTool(t: Target): Promise<Answer> {
  own(t).model.answer(() => ({ toolCalls: [{ id: 'call_1', name: 'get_weather', arguments: '{"place":"Graz"}' }] }))
  return chat(t, { tools: [weather] })
}

/** What the model behind the alias was sent last. */
const relayed = (t: Target): Record<string, unknown> => own(t).model.requests.at(-1)!.body

/** Asks and gives what the model was sent for it; fails when the model was not asked. */
async function relayedFor(t: Target, changes: Record<string, unknown>): Promise<Record<string, unknown>> {
  const before = own(t).model.requests.length
  status(await chat(t, changes), 200)
  assert.equal(own(t).model.requests.length, before + 1, 'the model was not asked exactly once')
  return relayed(t)
}

/** The request is refused, no model was asked and nothing was billed. */
async function refusedUnasked(t: Target, changes: Record<string, unknown>, code: string): Promise<void> {
  if (t.own === null) return void invalid(await chat(t, changes), 400, code)
  const organization = await own(t).organization()
  const before = own(t).model.requests.length
  invalid(await chat(t, changes, { token: await organization.token() }), 400, code)
  assert.equal(own(t).model.requests.length, before, 'the model was asked')
  assert.equal((await own(t).call('usage.month', { organizationId: organization.id }))['tokens'], 0)
}

const resource = section('Resources › Chat completion', [
  {
    id: 'chat.id',
    sentence: 'id | string',
    name: 'id is a string that says something, object is chat.completion, model a string',
    async run(t) {
      completion(await chat(t))
    },
  },
  {
    id: 'chat.index',
    sentence: 'choices[].index | integer',
    name: 'There is one choice and its index is 0',
    async run(t) {
      const answer = await chat(t)
      assert.equal(array(json(answer)['choices'], 'choices').length, 1)
      assert.equal(integer(completion(answer).choice['index'], 'index'), 0)
    },
  },
  {
    id: 'chat.role',
    sentence: 'choices[].message.role | string | `assistant`',
    name: 'The role of the message is assistant',
    async run(t) {
      assert.equal(completion(await chat(t)).message['role'], 'assistant')
    },
  },
  {
    id: 'chat.content',
    sentence: 'choices[].message.content | string',
    name: 'The content is the text of the model',
    async run(t) {
      const content = string(completion(await chat(t)).message['content'], 'content')
      if (t.own !== null) assert.equal(content, 'Echo: Reply with the word: ready')
    },
  },
  {
    id: 'chat.no-tool-calls',
    sentence: 'choices[].message.tool_calls[] | array',
    name: 'A message without tool calls has no list of them, or an empty one',
    async run(t) {
      const calls = completion(await chat(t)).message['tool_calls']
      assert.ok(calls === undefined || (Array.isArray(calls) && calls.length === 0), JSON.stringify(calls))
    },
  },
  {
    id: 'chat.content-absent',
    sentence: 'absent when the message carries tool calls',
    name: 'A message with tool calls has no content',
    needs: ['model'],
    async run(t) {
      assert.ok(!('content' in completion(await callsTool(t)).message), 'content is there')
    },
  },
  {
    id: 'chat.tool-calls',
    sentence:
      'each has `id` (string), `type` (`function`), `function.name` (string), `function.arguments` (string holding JSON)',
    name: 'A tool call has these four, and its arguments are JSON in a string',
    needs: ['model'],
    async run(t) {
      const call = record(array(completion(await callsTool(t)).message['tool_calls'], 'tool_calls')[0], 'tool_calls[0]')
      assert.notEqual(string(call['id'], 'id'), '')
      assert.equal(call['type'], 'function')
      const called = record(call['function'], 'function')
      assert.equal(called['name'], 'get_weather')
      assert.deepEqual(JSON.parse(string(called['arguments'], 'arguments')), { place: 'Graz' })
    },
  },
  {
    id: 'chat.finish-stop',
    sentence: 'choices[].finish_reason | string | `stop` or `tool_calls`',
    name: 'finish_reason is stop for a text',
    async run(t) {
      assert.equal(completion(await chat(t)).choice['finish_reason'], 'stop')
    },
  },
  {
    id: 'chat.finish-other',
    sentence: 'choices[].finish_reason | string | `stop` or `tool_calls`',
    name: 'Whatever the model behind calls its end, the answer has one of the two',
    needs: ['model'],
    async run(t) {
      for (const finishReason of ['length', 'content_filter', 'eos']) {
        own(t).model.answer(() => ({ pieces: ['cut'], finishReason }))
        assert.equal(completion(await chat(t)).choice['finish_reason'], 'stop')
      }
    },
  },
  {
    id: 'chat.usage',
    sentence: 'usage.prompt_tokens, usage.completion_tokens, usage.total_tokens | integer',
    name: 'The three are integers and the third is the sum of the others',
    async run(t) {
      const { usage } = completion(await chat(t))
      const [prompt, answer, total] = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((name) =>
        integer(usage[name], `usage.${name}`),
      )
      assert.equal(total, prompt! + answer!)
    },
  },
])

const endpoint = section('Endpoints › POST /compat/v1/chat/completions', [
  ...['svc-large', 'svc-small'].map(
    (model): CaseBody => ({
      id: `chat.${model}`,
      sentence: 'Model identifiers: `svc-large` (default, best quality) and `svc-small` (faster, cheaper)',
      name: `${model} answers, and the answer names it`,
      async run(t) {
        const answer = await chat(t, { model })
        completion(answer)
        assert.equal(json(answer)['model'], model)
      },
    }),
  ),
  {
    id: 'chat.alias-mapped',
    sentence: 'They are aliases, and the model served behind them can change without notice',
    name: 'After the model behind an alias changed, the same request is answered by the other one',
    needs: ['model'],
    async run(t) {
      assert.equal((await relayedFor(t, { model: 'svc-small' }))['model'], 'tiny')
      await own(t).modelsServedBy({ baseUrl: own(t).model.baseUrl, large: 'tiny', small: 'big' })
      assert.equal((await relayedFor(t, { model: 'svc-small' }))['model'], 'big')
    },
  },
  {
    id: 'chat.default-model',
    sentence: '`svc-large` (default, best quality)',
    name: 'Without model it is svc-large',
    needs: ['model'],
    async run(t) {
      assert.equal((await relayedFor(t, { model: undefined }))['model'], 'big')
    },
  },
  {
    id: 'chat.messages',
    sentence: 'messages | required, non-empty array',
    name: 'The messages reach the model as they are, also roles and parts that are not text',
    needs: ['model'],
    async run(t) {
      const messages = [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Größe? 📏' }] },
        { role: 'assistant', content: 'Ja', name: 'helper' },
        { role: 'user', content: 'Danke' },
      ]
      assert.deepEqual((await relayedFor(t, { messages }))['messages'], messages)
    },
  },
  ...Object.entries({
    tools: [weather],
    tool_choice: 'auto',
    temperature: 0.25,
    top_p: 0.5,
    presence_penalty: -1.5,
    frequency_penalty: 1.25,
    stop: ['END', '\n\n'],
    stream_options: { include_usage: true },
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'answer',
        strict: true,
        schema: {
          type: 'object',
          properties: { yes: { type: 'boolean' } },
          required: ['yes'],
          additionalProperties: false,
        },
      },
    },
  }).map(
    ([name, value]): CaseBody => ({
      id: `chat.relays-${name}`,
      sentence:
        'tools, tool_choice, temperature, top_p, presence_penalty, frequency_penalty, stop, stream_options, response_format | relayed as given',
      name: `${name} reaches the model as given`,
      needs: ['model'],
      async run(t) {
        const streams = name === 'stream_options'
        assert.deepEqual(
          (
            await relayedFor(t, {
              [name]: value,
              ...(streams ? { stream: true } : {}),
              ...(name === 'tool_choice' ? { tools: [weather] } : {}),
            })
          )[name],
          value,
        )
      },
    }),
  ),
  {
    id: 'chat.relays-nothing',
    sentence: 'relayed as given',
    name: 'What was not given is not made up',
    needs: ['model'],
    async run(t) {
      const sent = await relayedFor(t, {})
      for (const name of [
        'tools',
        'tool_choice',
        'temperature',
        'top_p',
        'presence_penalty',
        'frequency_penalty',
        'stop',
        'response_format',
        'n',
        'logprobs',
        'logit_bias',
      ])
        assert.ok(!(name in sent), `${name} is there`)
    },
  },
  {
    id: 'chat.tool-rounds',
    sentence: 'When the model calls a tool, `finish_reason` is `tool_calls` and `message.tool_calls` is filled',
    name: 'The second round with the tool’s result is answered with a text',
    needs: ['model'],
    async run(t) {
      own(t).model.answer(({ body }) => {
        const last = (body['messages'] as { role: string; content: string }[]).at(-1)!
        return last.role === 'tool'
          ? `It is ${last.content}.`
          : { toolCalls: [{ id: 'call_7', name: 'get_weather', arguments: '{"place":"Graz"}' }] }
      })
      const user = { role: 'user', content: 'Weather in Graz?' }
      const first = completion(await chat(t, { messages: [user], tools: [weather] }))
      assert.equal(first.choice['finish_reason'], 'tool_calls')
      const second = completion(
        await chat(t, {
          messages: [user, first.message, { role: 'tool', tool_call_id: 'call_7', content: 'sunny' }],
          tools: [weather],
        }),
      )
      assert.equal(second.choice['finish_reason'], 'stop')
      assert.equal(second.message['content'], 'It is sunny.')
    },
  },
  ...[false, null, undefined].map(
    (stream): CaseBody => ({
      id: `chat.stream-${stream === undefined ? 'absent' : String(stream)}`,
      sentence: '`false`, absent or `null` give a regular JSON response',
      name: `stream ${stream === undefined ? 'absent' : String(stream)} gives JSON`,
      async run(t) {
        const answer = await chat(t, { stream })
        assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
        completion(answer)
      },
    }),
  ),
  ...['true', 'false', '', 1, 0, {}, [], [true]].map(
    (stream, index): CaseBody => ({
      id: `chat.stream-invalid-${index + 1}`,
      sentence: 'any other value is rejected with 400 `invalid_value` before any model call, and nothing is billed',
      name: `stream as ${JSON.stringify(stream)} is rejected`,
      async run(t) {
        await refusedUnasked(t, { stream }, 'invalid_value')
      },
    }),
  ),
  {
    id: 'chat.template-default',
    sentence: 'when absent it is set to an object with `enable_thinking` false',
    name: 'Without chat_template_kwargs the model is sent enable_thinking false',
    needs: ['model'],
    async run(t) {
      assert.deepEqual((await relayedFor(t, {}))['chat_template_kwargs'], { enable_thinking: false })
    },
  },
  ...[{ enable_thinking: true }, {}, { enable_thinking: false, other: 1 }].map(
    (kwargs, index): CaseBody => ({
      id: `chat.template-${index + 1}`,
      sentence:
        'relayed when provided; when absent it is set to an object with `enable_thinking` false; provide it explicitly to re-enable extended reasoning',
      name: `chat_template_kwargs as ${JSON.stringify(kwargs)} is relayed as it is`,
      needs: ['model'],
      async run(t) {
        assert.deepEqual((await relayedFor(t, { chat_template_kwargs: kwargs }))['chat_template_kwargs'], kwargs)
      },
    }),
  ),
  ...[2, 3, 128].map(
    (n): CaseBody => ({
      id: `chat.n-${n}`,
      sentence: 'rejected with 400 `unsupported_parameter` when greater than 1',
      name: `n as ${n} is rejected, no model is asked and nothing is billed`,
      async run(t) {
        await refusedUnasked(t, { n }, 'unsupported_parameter')
      },
    }),
  ),
  {
    id: 'chat.n-1',
    sentence: '`1` is the default',
    name: 'n as 1 is answered with one choice',
    async run(t) {
      const answer = await chat(t, { n: 1 })
      completion(answer)
      assert.equal(array(json(answer)['choices'], 'choices').length, 1)
    },
  },
  ...[true, false, 1].map(
    (logprobs): CaseBody => ({
      id: `chat.logprobs-${String(logprobs)}`,
      sentence: 'logprobs | rejected with 400 `unsupported_parameter` for any defined value',
      name: `logprobs as ${String(logprobs)} is rejected, no model is asked and nothing is billed`,
      async run(t) {
        await refusedUnasked(t, { logprobs }, 'unsupported_parameter')
      },
    }),
  ),
  ...[{}, { 50256: -100 }].map(
    (bias, index): CaseBody => ({
      id: `chat.logit-bias-${index + 1}`,
      sentence: 'logit_bias | rejected with 400 `unsupported_parameter` for any defined value',
      name: `logit_bias as ${JSON.stringify(bias)} is rejected, no model is asked and nothing is billed`,
      async run(t) {
        await refusedUnasked(t, { logit_bias: bias }, 'unsupported_parameter')
      },
    }),
  ),
  {
    id: 'chat.unknown-fields',
    sentence: 'Body parameters',
    name: 'Fields that the interface does not know are no reason to refuse',
    async run(t) {
      completion(await chat(t, { user: 'someone', seed: 7, metadata: { a: 1 }, x_unknown: [1, 2] }))
    },
  },
])

export const chatCases = [...resource, ...endpoint]
