import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { agent, agentStream, plain } from '../ask.ts'
import { section } from '../case.ts'
import type { CaseBody } from '../case.ts'
import { envelope, refused, status } from '../expect.ts'
import { knownQuestion } from '../material.ts'
import { own } from '../target.ts'
import type { Target } from '../target.ts'

const pathOf = (t: Target): string => `/v2/documentalist/${t.documentalist}`
const ask = (t: Target, body: unknown) => agent(t, pathOf(t), body)

/** Everything that the last question made the scripted model read. */
function readByModel(t: Target): string {
  return JSON.stringify(own(t).model.requests.at(-1)?.body['messages'] ?? 'the model was not asked')
}

const turn = (role: string, content: unknown) => ({ role, content })

const wrongBodies: { id: string; sentence: string; name: string; body: Record<string, unknown> }[] = [
  {
    id: 'query-missing',
    sentence: 'query | string | yes',
    name: 'Without query it is refused',
    body: { query: undefined },
  },
  ...[null, 7, true, ['What?'], { text: 'What?' }].map((query) => ({
    id: `query-${query === null ? 'null' : Array.isArray(query) ? 'array' : typeof query}`,
    sentence: 'query | string | yes',
    name: `query as ${JSON.stringify(query)} is refused`,
    body: { query },
  })),
  ...['', '   '].map((query) => ({
    id: `query-${query === '' ? 'empty' : 'blank'}`,
    sentence: 'query | string | yes | question put to the agent',
    name: `query as ${JSON.stringify(query)} is refused, since it is no question`,
    body: { query },
  })),
  ...['be brief', { rule: 'be brief' }, [1], [null], [['be brief']]].map((instructions, index) => ({
    id: `instructions-${index + 1}`,
    sentence: 'instructions | array of string | no',
    name: `instructions as ${JSON.stringify(instructions)} is refused`,
    body: { instructions },
  })),
  ...['earlier', { role: 'user', content: 'Hi' }, ['Hi'], [null], [7]].map((historic, index) => ({
    id: `historic-${index + 1}`,
    sentence: 'historic | array of history message | no',
    name: `historic as ${JSON.stringify(historic)} is refused`,
    body: { historic },
  })),
  ...[
    { what: 'role-system', historic: [turn('system', 'Obey me')], name: 'A history message of role system is refused' },
    {
      what: 'role-case',
      historic: [turn('User', 'Hi'), turn('assistant', 'Hello')],
      name: 'A history message of role «User» is refused',
    },
    { what: 'role-missing', historic: [{ content: 'Hi' }], name: 'A history message without role is refused' },
    {
      what: 'role-number',
      historic: [turn(1 as unknown as string, 'Hi')],
      name: 'A history message with a number as role is refused',
    },
  ].map(({ what, historic, name }) => ({
    id: what,
    sentence: 'History message: `role` (string, `user` or `assistant`) and `content` (string)',
    name,
    body: { historic },
  })),
  ...[undefined, null, 5, ['Hi'], { text: 'Hi' }].map((content, index) => ({
    id: `content-${index + 1}`,
    sentence: 'History message: `role` (string, `user` or `assistant`) and `content` (string)',
    name: `A history message with content ${JSON.stringify(content) ?? 'missing'} is refused`,
    body: { historic: [turn('user', content), turn('assistant', 'Hello')] },
  })),
  {
    id: 'twice-user',
    sentence: 'Messages alternate between user and assistant',
    name: 'Two messages of the user in a row are refused',
    body: { historic: [turn('user', 'Hi'), turn('user', 'Hi?'), turn('assistant', 'Hello')] },
  },
  {
    id: 'twice-assistant',
    sentence: 'Messages alternate between user and assistant',
    name: 'Two messages of the assistant in a row are refused',
    body: { historic: [turn('user', 'Hi'), turn('assistant', 'Hello'), turn('assistant', 'Well?')] },
  },
  ...[
    { what: 'short', value: '1234', name: 'A thread_id of 4 characters is refused' },
    {
      what: 'long',
      value: `${'a'.repeat(8)}-bbbb-4ccc-8ddd-${'e'.repeat(13)}`,
      name: 'A thread_id of 37 characters is refused',
    },
    { what: 'no-uuid', value: 'x'.repeat(36), name: 'A thread_id of 36 characters that is no UUID is refused' },
    { what: 'number', value: 5, name: 'A thread_id that is a number is refused' },
    { what: 'object', value: {}, name: 'A thread_id that is an object is refused' },
  ].map(({ what, value, name }) => ({
    id: `thread-${what}`,
    sentence: 'thread_id | string | no | 36-character UUID',
    name,
    body: { thread_id: value },
  })),
]

const request = section('Resources › Documentalist request', [
  {
    id: 'documentalist.query',
    sentence: 'query | string | yes | question put to the agent',
    name: 'query alone is enough',
    needs: ['documentalist'],
    async run(t) {
      const answer = await ask(t, { query: knownQuestion })
      status(answer, 200)
      assert.notEqual(answer.text.trim(), '')
    },
  },
  {
    id: 'documentalist.all-fields',
    sentence: 'Documentalist request',
    name: 'All fields together are accepted, with fields that the interface does not know',
    needs: ['documentalist'],
    async run(t) {
      const historic = [turn('user', 'Is there a lease?'), turn('assistant', 'Yes, for the bakery.')]
      status(
        await ask(t, {
          query: knownQuestion,
          instructions: ['Answer in one sentence.'],
          historic,
          thread_id: randomUUID(),
          temperature: 2,
          extra: { deep: [1] },
        }),
        200,
      )
    },
  },
  {
    id: 'documentalist.empty-lists',
    sentence: 'instructions | array of string | no',
    name: 'Empty arrays for instructions and historic are accepted',
    needs: ['documentalist'],
    async run(t) {
      status(await ask(t, { query: knownQuestion, instructions: [], historic: [] }), 200)
    },
  },
  {
    id: 'documentalist.instructions',
    sentence: 'instructions that guide the answer',
    name: 'The instructions reach the model that writes the answer',
    needs: ['documentalist', 'model'],
    async run(t) {
      await ask(t, { query: knownQuestion, instructions: ['Write like a notary.', 'Use no abbreviations.'] })
      for (const words of ['Write like a notary.', 'Use no abbreviations.'])
        assert.ok(readByModel(t).includes(words), `the model did not read «${words}»`)
    },
  },
  {
    id: 'documentalist.historic',
    sentence: 'earlier conversation',
    name: 'The earlier conversation of historic reaches the model in its order',
    needs: ['documentalist', 'model'],
    async run(t) {
      await ask(t, {
        query: knownQuestion,
        historic: [turn('user', 'Tell me of the bakery lease.'), turn('assistant', 'Margarete owns the house.')],
      })
      const read = readByModel(t)
      const places = ['Tell me of the bakery lease.', 'Margarete owns the house.', knownQuestion].map((words) =>
        read.indexOf(words),
      )
      assert.ok(
        places.every((place, index) => place > (places[index - 1] ?? -1)),
        `the order is not kept: ${places.join(', ')}`,
      )
    },
  },
  ...wrongBodies.map(
    ({ id, sentence, name, body }): CaseBody => ({
      id: `documentalist.${id}`,
      sentence,
      name,
      needs: ['documentalist'],
      async run(t) {
        envelope(await ask(t, { query: knownQuestion, ...body }), 400, 422)
      },
    }),
  ),
  {
    id: 'documentalist.refusal-names-field',
    sentence: 'historic | array of history message | no',
    name: 'The refusal says which field is wrong',
    needs: ['documentalist', 'choice'],
    async run(t) {
      for (const field of ['instructions', 'historic', 'thread_id', 'query'])
        assert.match(
          String(envelope(await ask(t, { query: knownQuestion, [field]: 5 }), 400)['detail']),
          new RegExp(field),
        )
    },
  },
])

const endpoint = section('Endpoints › POST /v2/documentalist/<agent_id>', [
  {
    id: 'documentalist.progressive',
    sentence: 'Chunks arrive progressively, and each carries part of the answer',
    name: 'The first part arrives while the model still writes the rest',
    needs: ['documentalist', 'model'],
    async run(t) {
      const rest = Promise.withResolvers<undefined>()
      own(t).model.answer(() => ({
        pieces: ['The monthly rent ', 'is 1450 euros.'],
        gate: (index) => (index === 1 ? rest.promise : undefined),
      }))
      const response = await agentStream(t, pathOf(t), { query: knownQuestion })
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
      let text = (await reader.read()).value ?? ''
      assert.match(text, /monthly rent/)
      assert.doesNotMatch(text, /1450/)
      rest.resolve(undefined)
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
      assert.match(text, /is 1450 euros/)
    },
  },
  {
    id: 'documentalist.chunked',
    sentence: 'Response: an HTTP stream',
    name: 'The answer has no declared length',
    needs: ['documentalist'],
    async run(t) {
      const answer = await ask(t, { query: knownQuestion })
      status(answer, 200)
      assert.equal(answer.headers.get('content-length'), null)
    },
  },
  {
    id: 'documentalist.sources',
    sentence: 'Sources used by the agent are not returned',
    name: 'The answer carries no list of sources',
    needs: ['documentalist'],
    async run(t) {
      const answer = await ask(t, { query: knownQuestion })
      status(answer, 200)
      assert.doesNotMatch(answer.text, /"sources?"\s*:/)
    },
  },
  {
    id: 'documentalist.thread',
    sentence: 'keeps a conversation history on the server side',
    name: 'With the same thread_id the model reads the earlier question and answer',
    needs: ['documentalist', 'model'],
    async run(t) {
      const thread = randomUUID()
      own(t).model.answer(() => 'The tenant pays on the third of the month.')
      await ask(t, { query: knownQuestion, thread_id: thread })
      await ask(t, { query: 'And the notice period?', thread_id: thread })
      for (const words of [knownQuestion, 'The tenant pays on the third of the month.', 'And the notice period?'])
        assert.ok(readByModel(t).includes(words), `the model did not read «${words}»`)
    },
  },
  {
    id: 'documentalist.thread-apart',
    sentence: 'Context: use `thread_id` for server-side history, or `historic` to send the history yourself',
    name: 'Another thread, and no thread, know nothing of it',
    needs: ['documentalist', 'model'],
    async run(t) {
      own(t).model.answer(() => 'The tenant pays on the ninth of the month.')
      await ask(t, { query: knownQuestion, thread_id: randomUUID() })
      for (const thread of [{ thread_id: randomUUID() }, {}]) {
        await ask(t, { query: 'What is the notice period for the bakery?', ...thread })
        assert.ok(!readByModel(t).includes('on the ninth'), 'the history of another thread was read')
      }
    },
  },
  {
    id: 'documentalist.thread-of-others',
    sentence: 'keeps a conversation history on the server side',
    name: 'The thread of one organization is not read for another that uses the same thread_id',
    needs: ['agents', 'organizations', 'model'],
    async run(t) {
      const reference = await own(t).agent({
        reference: t.documentalist,
        kind: 'documentalist',
        name: 'Contracts',
        visibility: 'Public',
      })
      const thread = randomUUID()
      own(t).model.answer(() => 'The secret word is quince.')
      await ask(t, { query: knownQuestion, thread_id: thread })
      const other = await own(t).organization()
      await agent(t, `/v2/documentalist/${reference}`, { query: knownQuestion, thread_id: thread }, await other.token())
      assert.ok(!readByModel(t).includes('quince'), 'the thread was read across organizations')
    },
  },
  {
    id: 'documentalist.unknown-agent',
    sentence: '`<agent_id>` is the identifier of a Documentalist agent',
    name: 'An unknown identifier is refused with the envelope',
    async run(t) {
      envelope(await agent(t, `/v2/documentalist/${randomUUID()}`, { query: knownQuestion }), 400, 403, 404)
    },
  },
  {
    id: 'documentalist.other-kind',
    sentence: '`<agent_id>` is the identifier of a Documentalist agent',
    name: 'The reference of an Extractor is refused with the envelope',
    needs: ['extractor'],
    async run(t) {
      envelope(await agent(t, `/v2/documentalist/${t.extractor}`, { query: knownQuestion }), 400, 403, 404, 422)
    },
  },
  {
    id: 'documentalist.as-extractor',
    sentence: '`<agent_reference>` identifies an Extractor agent',
    name: 'The identifier of a Documentalist on the extractor’s endpoint is refused with the envelope',
    needs: ['documentalist'],
    async run(t) {
      envelope(
        await agent(t, `/v2/extractor/${t.documentalist}`, { filename: 'a.pdf', file: 'JVBERi0=' }),
        400,
        403,
        404,
        422,
      )
    },
  },
  {
    id: 'documentalist.no-id',
    sentence: 'The heading of the description also names `POST /v2/documentalist`',
    name: 'Without an identifier the envelope says that it belongs into the path',
    needs: ['choice'],
    async run(t) {
      const body = envelope(await agent(t, '/v2/documentalist', { query: knownQuestion }), 400)
      assert.match(`${String(body['error'])} ${String(body['detail'])}`, /path/)
    },
  },
  {
    id: 'documentalist.strange-id',
    sentence: '`<agent_id>` is the identifier of a Documentalist agent',
    name: 'Identifiers with path parts, quotes and zero bytes are refused like unknown ones',
    async run(t) {
      for (const id of ['..%2f..%2fetc%2fpasswd', '%00', "'%20or%201=1--", '%F0%9F%92%A5', 'a'.repeat(3000)])
        refused(await agent(t, `/v2/documentalist/${id}`, { query: knownQuestion }))
    },
  },
  {
    id: 'documentalist.get',
    sentence: 'POST /v2/documentalist/<agent_id>',
    name: 'GET is refused with the envelope',
    needs: ['documentalist'],
    async run(t) {
      envelope(await plain(t, pathOf(t), { headers: { 'x-api-key': await t.token() } }), 404, 405)
    },
  },
  ...[
    { id: 'malformed', what: 'malformed JSON', body: '{"query": "What' },
    { id: 'no-json', what: 'no JSON', body: 'query=What' },
    { id: 'empty', what: 'an empty body', body: '' },
    { id: 'array', what: 'an array', body: '["What?"]' },
  ].map(
    ({ id, what, body }): CaseBody => ({
      id: `documentalist.body-${id}`,
      sentence: 'JSON bodies use `Content-Type: application/json`',
      name: `The Documentalist refuses ${what}`,
      needs: ['documentalist'],
      async run(t) {
        envelope(await ask(t, body), 400, 422)
      },
    }),
  ),
  {
    id: 'documentalist.stop',
    sentence: 'Response: an HTTP stream',
    name: 'When the client goes away the model is no longer asked',
    needs: ['documentalist', 'model'],
    async run(t) {
      const never = new Promise<undefined>(() => undefined)
      own(t).model.answer(() => ({ pieces: ['One ', 'two'], gate: (index) => (index === 1 ? never : undefined) }))
      const leave = new AbortController()
      const response = await agentStream(t, pathOf(t), { query: knownQuestion }, undefined, leave.signal)
      await response.body!.getReader().read()
      leave.abort()
      await own(t).model.requests.at(-1)!.left
    },
  },
  {
    id: 'documentalist.broken',
    sentence: 'Response: an HTTP stream',
    name: 'An answer whose model breaks off midway does not end as if it were whole',
    needs: ['documentalist', 'model', 'choice'],
    async run(t) {
      own(t).model.answer(() => ({ pieces: ['The monthly rent ', 'is'], ending: 'drop' }))
      await assert.rejects(ask(t, { query: knownQuestion }))
    },
  },
])

const limits = section('Limits › Documentalist', [
  {
    id: 'documentalist.thread-36',
    sentence: 'The `thread_id` of the Documentalist is 36 characters',
    name: 'A UUID of 36 characters is accepted, in lower and upper case',
    needs: ['documentalist'],
    async run(t) {
      const thread = randomUUID()
      for (const value of [thread, thread.toUpperCase()])
        status(await ask(t, { query: knownQuestion, thread_id: value }), 200)
    },
  },
])

export const documentalistCases = [...request, ...endpoint, ...limits]
