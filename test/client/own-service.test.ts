import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Documentalist } from '../../electron/core/platform/documentalist.ts'
import { HttpClient } from '../../electron/core/platform/http.ts'
import { Models } from '../../electron/core/platform/models.ts'
import { callService } from '../../electron/core/platform/service-control.ts'
import { testConnection } from '../../electron/core/platform/test-connection.ts'
import { TokenSource } from '../../electron/core/platform/token.ts'
import { startModelServer } from '../helpers/model-server.ts'
import type { ModelReply, ModelServer } from '../helpers/model-server.ts'
import { pdf } from '../service/documents.ts'
import { giveDocuments } from '../service/documentalist-rig.ts'
import { startRig } from '../service/setup.ts'
import type { Rig } from '../service/setup.ts'
import { collect, errorOf } from './client.ts'

const signal = new AbortController().signal
const hello = { model: 'svc-large', messages: [{ role: 'user' as const, content: 'Hello there' }] }

describe('the client at Sheaf’s own service', () => {
  let rig: Rig
  let http: HttpClient
  let models: Models
  let documentalist: Documentalist
  let server: ModelServer
  let reply: ModelReply | undefined

  beforeAll(async () => {
    rig = await startRig()
    server = await startModelServer(() => reply)
    http = new HttpClient()
    const tokens = new TokenSource(http, rig.credentials)
    models = new Models(http, tokens)
    documentalist = new Documentalist(http, tokens)
  })
  afterAll(async () => {
    await http.close()
    await rig.close()
    await server.close()
  })
  const ask = (agentId: string): AsyncGenerator<string> =>
    documentalist.ask({ agentId, query: 'How warm may the cellar be?', signal })

  it('is told that no model is served before a model server is named', async () => {
    expect(await errorOf(models.complete(hello, { signal }))).toMatchObject({
      code: 'model_unavailable',
      details: { model: 'svc-large' },
    })
  })

  it('names a model server by the management of the service', async () => {
    const saved = await callService(rig.credentials.control, 'models.save', {
      baseUrl: server.baseUrl,
      large: 'big',
      small: 'tiny',
    })
    expect(saved).toEqual({ baseUrl: server.baseUrl, hasKey: false, large: 'big', small: 'tiny' })
  })

  it('tests the connection and sees the models', async () => {
    expect(await testConnection(http, { ...rig.credentials, baseUrl: `${rig.service.baseUrl}/compat/v1/` })).toEqual({
      problem: null,
      baseUrl: rig.service.baseUrl,
      models: ['svc-large', 'svc-small'],
      modelsProblem: null,
    })
    expect((await testConnection(http, { ...rig.credentials, clientSecret: 'wrong' })).problem?.code).toBe(
      'credentials_refused',
    )
  })

  it('chats without and with stream', async () => {
    reply = undefined
    expect(await models.complete(hello, { signal })).toMatchObject({
      text: 'Echo: Hello there',
      finishReason: 'stop',
      toolCalls: [],
    })
    const pieces = await collect(models.stream(hello, { signal }))
    expect(pieces.map(({ text }) => text).join('')).toBe('Echo: Hello there')
    expect(pieces.length).toBeGreaterThan(1)
  })

  it.each(['complete', 'stream'] as const)('gets tool calls by %s', async (how) => {
    reply = { toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"town":"Ulm"}' }] }
    const toolCalls =
      how === 'complete'
        ? (await models.complete(hello, { signal })).toolCalls
        : (await collect(models.stream(hello, { signal }))).at(-1)?.toolCalls
    expect(toolCalls).toEqual([{ id: 'call_1', name: 'weather', arguments: '{"town":"Ulm"}' }])
  })

  it('is told when a stream breaks off behind the service', async () => {
    reply = { pieces: ['Twenty', ' degrees'], ending: 'drop' }
    expect((await errorOf(collect(models.stream(hello, { signal })))).code).toBe('answer_incomplete')
    reply = undefined
  })

  it('is told that a model is unknown', async () => {
    expect((await errorOf(models.complete({ ...hello, model: 'svc-huge' }, { signal }))).code).toBe('model_not_found')
  })

  it('asks a Documentalist and gets an answer from its documents', async () => {
    reply = { pieces: ['At most ', 'twelve degrees.'] }
    await rig.control('agents.save', { kind: 'documentalist', reference: 'house', name: 'House' })
    await giveDocuments(rig, 'house', {
      'cellar.pdf': pdf(['House rules', 'The wine cellar may be twelve degrees warm, never more.']),
    })
    expect((await collect(ask('house'))).join('')).toContain('twelve degrees')
  })

  it('is told what an agent is', async () => {
    await rig.control('agents.save', { kind: 'documentalist', reference: 'mine', name: 'Mine', visibility: 'Private' })
    await rig.control('agents.save', {
      kind: 'extractor',
      reference: 'inv',
      name: 'Invoices',
      schema: [{ name: 'a', format: 'text', description: 'a' }],
    })
    await rig.control('agents.save', { kind: 'writer', reference: 'pen', name: 'Pen' })
    const codes = await Promise.all(
      ['mine', 'inv', 'pen', 'nobody'].map(async (reference) => (await errorOf(collect(ask(reference)))).code),
    )
    expect(codes).toEqual(['agent_private', 'agent_wrong_kind', 'agent_coming_soon', 'agent_not_found'])
  })

  it('is told by the management that an agent is unknown', async () => {
    expect((await errorOf(callService(rig.credentials.control, 'agents.remove', { reference: 'nobody' }))).code).toBe(
      'not_found',
    )
  })
})
