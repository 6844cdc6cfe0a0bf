import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Document, Packer, Paragraph } from 'docx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { startHost } from '../../electron/host.ts'
import { calls } from '../../shared/contract/contract.ts'
import type { CallInput, CallName, CallOutput } from '../../shared/contract/contract.ts'
import { dispatch } from '../../shared/contract/dispatch.ts'
import { simpleSchema, temporaryDir, until } from '../helpers/core.ts'

/** Core with the real service of this computer in a process of its own. */
const dir = temporaryDir()
let core: Core
let local: number
beforeAll(async () => {
  core = await startHost({
    dataDir: join(dir.path, 'data'),
    secrets: { get: async () => null, set: async () => undefined, remove: async () => undefined },
    desktop: null,
  })
  local = core.context.tables.connections.local().id
})
afterAll(async () => {
  await core.stop({ atOnce: true })
  dir.remove()
})

async function call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> {
  const answer = await dispatch(calls, core.handlers, name, input)
  if (!answer.ok) throw Object.assign(new Error(answer.error.code), answer.error)
  return calls[name].output.parse(answer.value) as CallOutput<N>
}

async function handbook(): Promise<string> {
  const path = join(dir.path, 'documents')
  await mkdir(path, { recursive: true })
  const text = [
    'Leave',
    'Every employee has thirty days of annual leave.',
    'Requests are sent to Petra Lechner in personnel.',
  ]
  await writeFile(
    join(path, 'leave.docx'),
    await Packer.toBuffer(new Document({ sections: [{ children: text.map((line) => new Paragraph(line)) }] })),
  )
  await writeFile(join(path, 'notes.txt'), 'no document')
  return path
}

describe('agents of this computer', () => {
  it('are made, given documents, asked by name and removed, and every change is announced', async () => {
    let changes = 0
    core.onEvent((name) => {
      if (name === 'agents.changed') changes += 1
    })
    const { reference } = await call('agents.save', { kind: 'documentalist', name: 'Handbook' })
    expect(await call('agents.addDocuments', { reference, paths: [await handbook()] })).toEqual({
      added: 1,
      skipped: 1,
    })
    let documents = (await call('agents.documents', { reference })).documents
    await until(() => {
      void call('agents.documents', { reference }).then((answer) => (documents = answer.documents))
      return documents.every(({ state }) => state === 'ready')
    }, 'the document to be read')
    expect(await call('agents.list', { connectionId: local })).toMatchObject({
      managed: true,
      agents: [{ reference, kind: 'documentalist', name: 'Handbook', ready: 1 }],
    })

    const { conversationId } = await call('ask.send', {
      conversationId: null,
      connectionId: local,
      kind: 'documentalist',
      agentReference: reference,
      text: 'How many days of annual leave are there?',
    })
    const { tables } = core.context
    await until(() => tables.conversations.messages(conversationId).at(-1)!.state !== 'writing', 'the answer')
    const { conversation, messages } = await call('ask.get', { id: conversationId })
    expect(messages.at(-1)).toMatchObject({ state: 'complete', reason: null })
    expect(messages.at(-1)!.text).toContain('thirty days of annual leave')
    expect(conversation).toMatchObject({ agentName: 'Handbook', connectionName: 'This computer' })

    await call('agents.removeDocument', { reference, id: documents[0]!.id })
    await call('agents.remove', { reference })
    expect((await call('agents.list', { connectionId: local })).agents).toEqual([])
    expect(changes).toBe(4)
  })

  it('that extract take the fields of a schema over', async () => {
    const schema = core.context.tables.schemas.save(null, 'Invoice', [...simpleSchema], 1)
    const { reference } = await call('agents.save', {
      reference: 'inv-1',
      kind: 'extractor',
      name: 'Invoices',
      schemaId: schema.id,
    })
    expect(reference).toBe('inv-1')
    expect((await call('agents.list', { connectionId: local })).agents).toMatchObject([
      { kind: 'extractor', schema: simpleSchema },
    ])
    await expect(call('agents.save', { kind: 'extractor', name: 'No fields' })).rejects.toMatchObject({
      code: 'schema_invalid',
    })
    await expect(call('agents.save', { kind: 'extractor', name: 'Unknown', schemaId: 999 })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('the model server of this computer', () => {
  it('is none at first: a chat says so, and an address that nobody answers has no models and a problem', async () => {
    expect(await call('models.server', {})).toEqual({ baseUrl: null, hasKey: false, large: null, small: null })
    const { conversationId } = await call('ask.send', {
      conversationId: null,
      connectionId: local,
      kind: 'chat',
      text: 'Hello',
    })
    const { tables } = core.context
    await until(() => tables.conversations.messages(conversationId).at(-1)!.state !== 'writing', 'the refusal')
    expect(tables.conversations.messages(conversationId).at(-1)).toMatchObject({
      state: 'failed',
      reason: { code: 'no_model_server' },
    })
    const { models, problem } = await call('models.discover', { baseUrl: 'http://127.0.0.1:9/v1' })
    expect(models).toEqual([])
    expect(problem).not.toBeNull()
  })
})
