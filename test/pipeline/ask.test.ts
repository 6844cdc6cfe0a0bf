import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Core, CoreOptions } from '../../electron/core/core.ts'
import { calls } from '../../shared/contract/contract.ts'
import type { CallInput, CallName, CallOutput } from '../../shared/contract/contract.ts'
import type { MessageRow } from '../../shared/contract/ask.ts'
import { dispatch } from '../../shared/contract/dispatch.ts'
import { startTestCore, temporaryDir, until } from '../helpers/core.ts'
import { chatStream, eventStream, gate, json, proxyError } from '../helpers/vendor-questions.ts'
import { startVendor, vendorCredentials } from '../helpers/vendor.ts'
import type { Vendor, VendorOptions } from '../helpers/vendor.ts'

type Heard = { name: string; payload: Record<string, unknown> }
type Setup = { core: Core; vendor: Vendor; dataDir: string; connectionId: number; heard: Heard[] }

async function setUp(
  options: VendorOptions,
  secrets?: CoreOptions['secrets'],
  local?: (vendor: Vendor) => CoreOptions['localService'],
): Promise<Setup> {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  const vendor = await startVendor(() => ({}), options)
  onTestFinished(vendor.close)
  const dataDir = join(dir.path, 'data')
  const core = await startTestCore(dataDir, {
    ...(secrets === undefined ? {} : { secrets }),
    ...(local === undefined ? {} : { localService: local(vendor) }),
  })
  onTestFinished(() => core.stop({ atOnce: true }).catch(() => undefined))
  const heard: Heard[] = []
  core.onEvent((name, payload) => heard.push({ name, payload: payload as Record<string, unknown> }))
  const connectionId = core.context.tables.connections.addPlatform('Vendor', vendor.baseUrl, vendorCredentials.clientId)
  return { core, vendor, dataDir, connectionId, heard }
}

/** A call as the window makes it; throws the answered error. */
async function call<N extends CallName>(core: Core, name: N, input: CallInput<N>): Promise<CallOutput<N>> {
  const answer = await dispatch(calls, core.handlers, name, input)
  if (!answer.ok) throw Object.assign(new Error(answer.error.code), answer.error)
  return calls[name].output.parse(answer.value) as CallOutput<N>
}

const ask = (connectionId: number, text: string, conversationId: number | null = null): CallInput<'ask.send'> => ({
  conversationId,
  connectionId,
  kind: 'documentalist',
  agentReference: 'handbook',
  text,
})
const chat = (
  connectionId: number,
  text: string,
  conversationId: number | null = null,
  model: string | null = null,
): CallInput<'ask.send'> => ({
  conversationId,
  connectionId,
  kind: 'chat',
  model,
  text,
})

const messagesOf = async (core: Core, id: number): Promise<MessageRow[]> =>
  (await call(core, 'ask.get', { id })).messages
const lastOf = (core: Core, id: number): MessageRow => core.context.tables.conversations.messages(id).at(-1)!

async function answered(core: Core, id: number): Promise<MessageRow> {
  await until(() => lastOf(core, id).state !== 'writing', 'the end of the answer')
  return lastOf(core, id)
}

describe('what leaves this computer', () => {
  it('counts questions to another computer, and not those that stay', async () => {
    const { core, vendor, connectionId } = await setUp({ documentalist: () => ({ pieces: ['yes'] }) })
    const elsewhere = core.context.tables.connections.addPlatform(
      'Elsewhere',
      vendor.baseUrl.replace('127.0.0.1', '0.0.0.0'),
      vendorCredentials.clientId,
    )
    const here = await call(core, 'ask.send', ask(connectionId, 'Does this stay here?'))
    await answered(core, here.conversationId)
    expect((await call(core, 'app.state', {})).bytesSentToday).toBe(0)
    const there = await call(core, 'ask.send', ask(elsewhere, 'Does this leave?'))
    await answered(core, there.conversationId)
    await until(() => core.context.tables.ledger.bytesSince(0) > 'Does this leave?'.length, 'the bytes of the question')
    expect((await call(core, 'app.state', {})).bytesSentToday).toBe(core.context.tables.ledger.bytesSince(0))
  })
})

describe('a question to a Documentalist', () => {
  it('is stored with an empty answer before anything is answered, and told piece by piece', async () => {
    const held = gate()
    const { core, connectionId, heard } = await setUp({
      documentalist: () => ({ pieces: ['You have ', held.opened, '30 days.'] }),
    })
    const sent = await call(core, 'ask.send', ask(connectionId, 'How long is the leave?'))
    expect(
      (await messagesOf(core, sent.conversationId)).map(({ role, text, state }) => ({ role, text, state })),
    ).toEqual([
      { role: 'user', text: 'How long is the leave?', state: 'complete' },
      { role: 'assistant', text: '', state: 'writing' },
    ])
    expect((await call(core, 'ask.list', {})).conversations[0]).toMatchObject({
      title: 'How long is the leave?',
      writing: true,
      agentReference: 'handbook',
      agentName: 'handbook',
      connectionName: 'Vendor',
    })
    await until(() => heard.some(({ name }) => name === 'ask.delta'), 'the first piece')
    held.open()
    expect(await answered(core, sent.conversationId)).toMatchObject({
      text: 'You have 30 days.',
      state: 'complete',
      reason: null,
    })
    const deltas = heard.filter(({ name }) => name === 'ask.delta').map(({ payload }) => payload)
    expect(deltas).toEqual([
      { conversationId: sent.conversationId, messageId: sent.messageId, offset: 0, text: 'You have ' },
      { conversationId: sent.conversationId, messageId: sent.messageId, offset: 9, text: '30 days.' },
    ])
    expect(heard.filter(({ name }) => name === 'ask.changed')).toHaveLength(2)
    expect((await call(core, 'ask.list', {})).conversations[0]).toMatchObject({ writing: false })
  })

  it('carries the thread of its conversation, 36 characters, the same for every question and another for each conversation', async () => {
    const { core, vendor, connectionId } = await setUp({ documentalist: () => ({ pieces: ['yes'] }) })
    const first = await call(core, 'ask.send', ask(connectionId, 'One?'))
    await answered(core, first.conversationId)
    await call(core, 'ask.send', ask(connectionId, 'Two?', first.conversationId))
    await answered(core, first.conversationId)
    const other = await call(core, 'ask.send', ask(connectionId, 'Three?'))
    await answered(core, other.conversationId)
    const threads = vendor.asked.map(({ body }) => String(body['thread_id']))
    expect(vendor.asked.map(({ agent, body }) => [agent, body['query']])).toEqual([
      ['handbook', 'One?'],
      ['handbook', 'Two?'],
      ['handbook', 'Three?'],
    ])
    expect(threads[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(threads[1]).toBe(threads[0])
    expect(threads[2]).not.toBe(threads[0])
  })

  it('that comes in hundreds of small pieces is told in far fewer events, without losing a character', async () => {
    const text = Array.from({ length: 600 }, (_, index) => `wort${index} ü😀 `)
    const { core, connectionId, heard } = await setUp({ documentalist: () => ({ pieces: text }) })
    const { conversationId } = await call(core, 'ask.send', ask(connectionId, 'All?'))
    expect((await answered(core, conversationId)).text).toBe(text.join(''))
    const deltas = heard
      .filter(({ name }) => name === 'ask.delta')
      .map(({ payload }) => payload as { offset: number; text: string })
    expect(deltas.length).toBeLessThan(200)
    let told = ''
    for (const delta of deltas) {
      expect(delta.offset).toBe(told.length)
      told += delta.text
    }
    expect(told).toBe(text.join(''))
  })

  it('without an agent, on a connection that is not there or while the last answer is written is refused', async () => {
    const held = gate()
    const { core, vendor, connectionId } = await setUp({ documentalist: () => ({ pieces: ['a', held.opened] }) })
    await expect(call(core, 'ask.send', { ...ask(connectionId, 'x'), agentReference: null })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    await expect(call(core, 'ask.send', ask(999, 'x'))).rejects.toMatchObject({ code: 'not_found' })
    const { conversationId } = await call(core, 'ask.send', ask(connectionId, 'first'))
    await expect(call(core, 'ask.send', ask(connectionId, 'second', conversationId))).rejects.toMatchObject({
      code: 'invalid_input',
    })
    expect(await messagesOf(core, conversationId)).toHaveLength(2)
    held.open()
    await answered(core, conversationId)
    expect(vendor.asked).toHaveLength(1)
  })
})

describe('an answer', () => {
  it('that a person stops keeps what came, breaks the request off and is not asked for again', async () => {
    const { core, vendor, connectionId, heard } = await setUp({
      documentalist: () => ({ pieces: ['so far', gate().opened] }),
    })
    const { conversationId } = await call(core, 'ask.send', ask(connectionId, 'x'))
    await until(() => heard.some(({ name }) => name === 'ask.delta'), 'the first piece')
    await call(core, 'ask.stop', { conversationId })
    expect(lastOf(core, conversationId)).toMatchObject({ text: 'so far', state: 'stopped', reason: null })
    await until(() => vendor.asked[0]!.state === 'broken', 'the vendor to notice')
    expect(vendor.asked).toHaveLength(1)
  })

  it('can be stopped while the way to the service is not even known', async () => {
    const { core, vendor, connectionId } = await setUp(
      { documentalist: () => ({ pieces: ['x'] }) },
      { get: () => new Promise(() => undefined), set: async () => undefined, remove: async () => undefined },
    )
    const { conversationId } = await call(core, 'ask.send', ask(connectionId, 'x'))
    await call(core, 'ask.stop', { conversationId })
    expect(lastOf(core, conversationId)).toMatchObject({ text: '', state: 'stopped' })
    expect(vendor.asked).toHaveLength(0)
  })

  it('that breaks off keeps what came and is incomplete', async () => {
    const { core, connectionId } = await setUp({
      documentalist: () => ({ headers: { 'content-length': '500' }, pieces: ['half of'], drop: true }),
    })
    const { conversationId } = await call(core, 'ask.send', ask(connectionId, 'x'))
    expect(await answered(core, conversationId)).toMatchObject({
      text: 'half of',
      state: 'incomplete',
      reason: { code: 'answer_incomplete' },
    })
  })

  it('that is refused fails with the code of the refusal', async () => {
    const { core, connectionId } = await setUp({
      chat: () => proxyError(429, 'spending_limit_reached', 'insufficient_quota'),
    })
    const { conversationId } = await call(core, 'ask.send', chat(connectionId, 'x'))
    expect(await answered(core, conversationId)).toMatchObject({
      text: '',
      state: 'failed',
      reason: { code: 'spending_limit_reached' },
    })
  })

  it('that is being written when Sheaf ends is incomplete, and what came is there at the next start', async () => {
    const { core, dataDir, connectionId, heard } = await setUp({
      documentalist: () => ({ pieces: ['the beginning', gate().opened] }),
    })
    const { conversationId } = await call(core, 'ask.send', ask(connectionId, 'x'))
    await until(() => heard.some(({ name }) => name === 'ask.delta'), 'the first piece')
    await core.stop({ atOnce: true })
    const again = await startTestCore(dataDir)
    onTestFinished(() => again.stop({ atOnce: true }))
    expect(lastOf(again, conversationId)).toMatchObject({
      text: 'the beginning',
      state: 'incomplete',
      reason: { code: 'interrupted' },
    })
  })

  it('that a kill leaves behind as «writing» is incomplete after the start, with what had been stored', async () => {
    const { core, dataDir, connectionId } = await setUp({
      documentalist: () => ({ pieces: ['stored by now', gate().opened] }),
    })
    const { conversationId, messageId } = await call(core, 'ask.send', ask(connectionId, 'x'))
    // What the database holds at this moment is all that a kill would leave.
    await until(
      () => lastOf(core, conversationId).text === 'stored by now',
      'the text to be stored while the answer is still written',
    )
    expect(lastOf(core, conversationId).state).toBe('writing')
    await core.stop({ atOnce: true })
    const after = await startTestCore(dataDir)
    after.context.tables.conversations.ask(conversationId, 'again', 1)
    await after.stop({ atOnce: true })
    const again = await startTestCore(dataDir)
    onTestFinished(() => again.stop({ atOnce: true }))
    const messages = again.context.tables.conversations.messages(conversationId)
    expect(messages.find(({ id }) => id === messageId)).toMatchObject({ text: 'stored by now', state: 'incomplete' })
    expect(messages.at(-1)).toMatchObject({ text: '', state: 'incomplete', reason: { code: 'interrupted' } })
  })
})

describe('a chat', () => {
  it('asks the first model of the list, stays with it, and counts the tokens that were reported', async () => {
    const { core, vendor, connectionId } = await setUp({
      chat: () => chatStream('Good ', 'morning'),
      models: ['svc-large', 'svc-small'],
    })
    const { conversationId } = await call(core, 'ask.send', chat(connectionId, 'Hello'))
    expect(await answered(core, conversationId)).toMatchObject({ text: 'Good morning', state: 'complete' })
    expect(vendor.asked.find(({ kind }) => kind === 'chat')!.body).toMatchObject({ model: 'svc-large', stream: true })
    expect((await call(core, 'ask.get', { id: conversationId })).conversation.model).toBe('svc-large')
    expect(core.context.tables.usage.tokensSince(0)).toBe(12)
  })

  it('sends what was said before in turns, without a question that has no answer', async () => {
    const answers = [chatStream('First answer'), proxyError(502, 'upstream', 'api_error'), chatStream('Third')]
    const { core, vendor, connectionId } = await setUp({ chat: (_asked, index) => answers[index]! })
    const { conversationId } = await call(core, 'ask.send', chat(connectionId, 'One'))
    await answered(core, conversationId)
    await call(core, 'ask.send', chat(connectionId, 'Two', conversationId))
    expect(await answered(core, conversationId)).toMatchObject({ state: 'failed', reason: { code: 'model_failed' } })
    await call(core, 'ask.send', chat(connectionId, 'Three', conversationId, 'svc-small'))
    await answered(core, conversationId)
    const last = vendor.asked.filter(({ kind }) => kind === 'chat').at(-1)!.body
    expect(last).toMatchObject({
      model: 'svc-small',
      messages: [
        { role: 'user', content: 'One' },
        { role: 'assistant', content: 'First answer' },
        { role: 'user', content: 'Three' },
      ],
    })
  })

  it('drops the oldest turns before its request grows too large, and keeps the newest whole', async () => {
    const long = 'ü'.repeat(60_000)
    const { core, vendor, connectionId } = await setUp({ chat: () => chatStream(long) })
    const first = await call(core, 'ask.send', chat(connectionId, 'question 0'))
    await answered(core, first.conversationId)
    for (let index = 1; index < 5; index += 1) {
      await call(core, 'ask.send', chat(connectionId, `question ${index}`, first.conversationId))
      await answered(core, first.conversationId)
    }
    const last = vendor.asked.filter(({ kind }) => kind === 'chat').at(-1)!
    expect(last.sizeBytes).toBeLessThan(512 * 1024)
    const messages = last.body['messages'] as { role: string; content: string }[]
    expect(messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      'question 2',
      'question 3',
      'question 4',
    ])
  })

  it('where no model is offered fails without a question being sent', async () => {
    const { core, vendor, connectionId } = await setUp({ chat: () => chatStream('x'), models: [] })
    const { conversationId } = await call(core, 'ask.send', chat(connectionId, 'x'))
    expect(await answered(core, conversationId)).toMatchObject({
      state: 'failed',
      reason: { code: 'model_unavailable' },
    })
    expect(vendor.asked.filter(({ kind }) => kind === 'chat')).toHaveLength(0)
  })
})

describe('a chat that was cut', () => {
  it.each(['length', 'content_filter'])(
    'by the service (%s) is incomplete, and its tokens are counted',
    async (reason) => {
      const frames = [
        { choices: [{ delta: { content: 'half of a sent' } }] },
        { choices: [{ delta: {}, finish_reason: reason }] },
        { choices: [], usage: { total_tokens: 12 } },
        'data: [DONE]\n\n',
      ]
      const { core, connectionId } = await setUp({ chat: () => eventStream(...frames) })
      const { conversationId } = await call(core, 'ask.send', chat(connectionId, 'x'))
      expect(await answered(core, conversationId)).toMatchObject({
        text: 'half of a sent',
        state: 'incomplete',
        reason: { code: 'answer_incomplete' },
      })
      expect(core.context.tables.usage.tokensSince(0)).toBe(12)
    },
  )
})

describe('a chat on this computer', () => {
  /** The service of this computer, of which the vendor plays the platform's part; its management names these models. */
  async function managed(models: {
    large: string | null
    small: string | null
  }): Promise<(vendor: Vendor) => CoreOptions['localService']> {
    const server = createServer((_request, response) =>
      response.end(JSON.stringify({ ok: true, value: { baseUrl: 'http://127.0.0.1:9', hasKey: false, ...models } })),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
    const control = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'k' }
    return (vendor) => ({
      start: async () => ({ baseUrl: vendor.baseUrl, ...vendorCredentials, control, privateCallbacks: true }),
      suspend: async () => undefined,
      stop: async () => undefined,
    })
  }

  it('asks the model that is served, whatever else is listed', async () => {
    const { core, vendor } = await setUp(
      { chat: () => chatStream('x'), models: ['svc-large', 'svc-small'] },
      undefined,
      await managed({ large: null, small: 'tiny' }),
    )
    const local = core.context.tables.connections.local().id
    const { conversationId } = await call(core, 'ask.send', chat(local, 'Hello'))
    expect(await answered(core, conversationId)).toMatchObject({ text: 'x', state: 'complete' })
    expect(vendor.asked.find(({ kind }) => kind === 'chat')!.body).toMatchObject({ model: 'svc-small' })
    expect(await call(core, 'models.list', { connectionId: local })).toEqual({ models: ['svc-small'], problem: null })
  })

  it('says that no model is served without a question being sent', async () => {
    const { core, vendor } = await setUp(
      { chat: () => chatStream('x') },
      undefined,
      await managed({ large: null, small: null }),
    )
    const { conversationId } = await call(core, 'ask.send', chat(core.context.tables.connections.local().id, 'Hello'))
    expect(await answered(core, conversationId)).toMatchObject({ state: 'failed', reason: { code: 'no_model_server' } })
    expect(vendor.asked).toEqual([])
  })
})

describe('a conversation', () => {
  it('does not stay with a model that never answered', async () => {
    const models = ['svc-large', 'svc-small']
    const { core, vendor, connectionId } = await setUp({
      chat: (_asked, index) => (index === 0 ? proxyError(503, 'unavailable', 'api_error') : chatStream('x')),
      models: () => json({ object: 'list', data: models.map((id) => ({ id })) }),
    })
    const { conversationId } = await call(core, 'ask.send', chat(connectionId, 'One'))
    expect((await answered(core, conversationId)).state).toBe('failed')
    expect((await call(core, 'ask.get', { id: conversationId })).conversation.model).toBeNull()
    models.shift()
    await call(core, 'ask.send', chat(connectionId, 'Two', conversationId))
    expect((await answered(core, conversationId)).state).toBe('complete')
    expect(vendor.asked.filter(({ kind }) => kind === 'chat').map(({ body }) => body['model'])).toEqual([
      'svc-large',
      'svc-small',
    ])
    expect((await call(core, 'ask.get', { id: conversationId })).conversation.model).toBe('svc-small')
  })

  it('of a connection that was removed says that it is gone', async () => {
    const { core, vendor, connectionId } = await setUp({ documentalist: () => ({ pieces: ['x'] }) })
    const { conversationId } = await call(core, 'ask.send', ask(connectionId, 'One?'))
    await answered(core, conversationId)
    await call(core, 'connections.remove', { id: connectionId })
    await call(core, 'ask.send', ask(connectionId, 'Two?', conversationId))
    expect(await answered(core, conversationId)).toMatchObject({
      state: 'failed',
      reason: { code: 'not_found', details: { what: 'connection' } },
    })
    expect(vendor.asked).toHaveLength(1)
  })

  it('that is removed is stopped, gone from the list, and its text is gone from the database', async () => {
    const { core, connectionId, heard } = await setUp({
      documentalist: () => ({ pieces: ['secret matters', gate().opened] }),
    })
    const { conversationId } = await call(core, 'ask.send', ask(connectionId, 'A secret question'))
    await until(() => heard.some(({ name }) => name === 'ask.delta'), 'the first piece')
    await call(core, 'ask.remove', { id: conversationId })
    expect((await call(core, 'ask.list', {})).conversations).toEqual([])
    await expect(call(core, 'ask.get', { id: conversationId })).rejects.toMatchObject({ code: 'not_found' })
    expect(core.context.tables.conversations.messages(conversationId).map(({ text }) => text)).toEqual(['', ''])
  })

  it('is titled by the beginning of its first question on one line', async () => {
    const { core, connectionId } = await setUp({ documentalist: () => ({ pieces: ['x'] }) })
    const { conversationId } = await call(
      core,
      'ask.send',
      ask(connectionId, `What does\n\nthe contract say ${'about this and that '.repeat(10)}`),
    )
    await answered(core, conversationId)
    const { title } = (await call(core, 'ask.get', { id: conversationId })).conversation
    expect(title).toBe('What does the contract say about this and that about this and that about this…')
  })
})

describe('agents and models of a platform', () => {
  it('are the ones that folders and conversations name, and the ones it lists', async () => {
    const { core, connectionId, dataDir } = await setUp({
      documentalist: () => ({ pieces: ['x'] }),
      chat: () => chatStream('x'),
      models: ['svc-large'],
    })
    const { conversationId } = await call(core, 'ask.send', ask(connectionId, 'x'))
    await answered(core, conversationId)
    const { tables, now } = core.context
    const schema = tables.schemas.save(null, 'Invoice', [{ name: 'a', format: 'text', description: '' }], now())
    tables.folders.add(
      {
        kind: 'watched',
        path: dataDir,
        name: 'in',
        schemaId: schema.id,
        connectionId,
        agentReference: 'inv-7',
        mode: 'auto',
        includeSubfolders: false,
        afterwards: 'stay',
      },
      now(),
    )
    const { agents, managed } = await call(core, 'agents.list', { connectionId })
    expect(managed).toBe(false)
    expect(agents.map(({ kind, reference }) => [kind, reference])).toEqual([
      ['documentalist', 'handbook'],
      ['extractor', 'inv-7'],
    ])
    expect(await call(core, 'models.list', { connectionId })).toEqual({ models: ['svc-large'], problem: null })
  })

  it('come with the problem in place of models when the account has no access to them', async () => {
    const { core, connectionId } = await setUp({ models: () => proxyError(403, 'access_denied', 'permission_error') })
    expect(await call(core, 'models.list', { connectionId })).toMatchObject({
      models: [],
      problem: { code: 'access_denied' },
    })
  })
})
