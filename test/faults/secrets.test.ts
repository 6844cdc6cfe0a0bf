import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import type { SecretKey, SecretStore } from '../../electron/core/platform/connect.ts'
import { redacted, redactedStream } from '../../electron/core/platform/redact.ts'
import { serveWindow } from '../../electron/browser/serve-window.ts'
import { startHost } from '../../electron/host.ts'
import { fileSecrets } from '../../electron/system/secret-file.ts'
import { exportSpec } from '../../shared/contract/exports.ts'
import { dispatch } from '../../shared/contract/dispatch.ts'
import { calls } from '../../shared/contract/contract.ts'
import type { CallName } from '../../shared/contract/contract.ts'
import { AppError } from '../../shared/domain/errors.ts'
import { consumed, startBatch } from '../helpers/batch.ts'
import { filesWith } from '../helpers/canaries.ts'
import { openWindowSession, postSession } from '../helpers/window-session.ts'
import { pdfBytes, simpleSchema, temporaryDir, until } from '../helpers/core.ts'
import { sheaf } from '../helpers/sheaf.ts'
import { startVendor, vendorCredentials } from '../helpers/vendor.ts'
import type { VendorReply } from '../helpers/vendor.ts'
import { expectInvariants } from './invariants.ts'
import { documentFilter } from '../../shared/contract/documents.ts'

const lists: [CallName, unknown][] = [
  ['app.state', {}],
  ['connections.list', {}],
  ['folders.list', {}],
  ['schemas.list', {}],
  ['exports.list', {}],
  ['ask.list', {}],
  ['storage.get', {}],
  ['callbacks.get', {}],
  ['documents.list', { limit: 500 }],
  ['ledger.list', { from: '2026-01-01', to: '2028-12-31' }],
  ['diagnostics.get', {}],
  ['partners.list', {}],
  ['transfer.export', {}],
]

/** All that the window may be told. */
async function everythingSaid(core: Core): Promise<string> {
  const said: unknown[] = []
  for (const [name, input] of lists) said.push(await dispatch(calls, core.handlers, name, input))
  const { rows } = await core.handlers['documents.list']({
    ...documentFilter.parse({}),
    sort: 'name',
    descending: false,
    offset: 0,
    limit: 500,
  })
  for (const { id } of rows) said.push(await core.handlers['documents.get']({ id }))
  for (const { id } of (await core.handlers['ask.list']({})).conversations)
    said.push(await core.handlers['ask.get']({ id }))
  return JSON.stringify(said)
}

describe('F39 a keychain that is absent, locked or changed', () => {
  const trouble: Record<string, { store: () => SecretStore['get']; code: string }> = {
    locked: {
      store: () => () => Promise.reject(new AppError('keychain_unavailable', { problem: 'it is locked' })),
      code: 'keychain_unavailable',
    },
    broken: {
      store: () => () => Promise.reject(new Error('decryption failed: canary-in-an-exception')),
      code: 'secret_unavailable',
    },
    absent: { store: () => async () => null, code: 'secret_missing' },
    changed: {
      store: () => async (key) => (key === 'mailbox' ? null : 'another-secret-of-before'),
      code: 'credentials_refused',
    },
  }

  it.each(Object.keys(trouble))(
    '%s: the person is asked again, the documents are kept, nothing is sent, and all are done once the secret is there',
    async (name) => {
      const { store, code } = trouble[name]!
      const holder: { get: SecretStore['get'] } = { get: store() }
      const secrets: SecretStore = {
        get: (key) => holder.get(key),
        set: async (_key: SecretKey, secret) => {
          holder.get = async (key) => (key === 'mailbox' ? null : secret)
        },
        remove: async () => undefined,
      }
      const { core, vendor, take, folder, dataDir } = await startBatch(() => consumed(1), { secrets })
      await take(3)
      const connection = (): { pausedReason: { code: string } | null } =>
        core.context.tables.connections.list().find(({ id }) => id === folder.connectionId)!
      await until(() => connection().pausedReason !== null, 'the connection to wait for a person')
      expect(connection().pausedReason).toMatchObject({ code })
      expect(vendor.received).toHaveLength(0)
      await until(() => core.queue.idle, 'the queue to stand')
      expect(core.context.tables.documents.inFolder(folder.id).map(({ status }) => status)).toEqual([
        'queued',
        'queued',
        'queued',
      ])
      expect(JSON.stringify(connection().pausedReason)).not.toContain('canary-in-an-exception')

      const { baseUrl } = vendor
      await core.handlers['connections.save']({
        id: folder.connectionId,
        name: 'Vendor',
        baseUrl,
        ...vendorCredentials,
      })
      await until(
        () => core.context.tables.documents.inFolder(folder.id).every(({ status }) => status === 'done'),
        'all documents',
      )
      expect(await filesWith(dataDir, [vendorCredentials.clientSecret, 'another-secret-of-before'])).toEqual([])
      expectInvariants(dataDir, {
        paths: core.context.tables.documents.inFolder(folder.id).map(({ path }) => path),
        billable: vendor.received.length,
        filesSent: 3,
        approvedResends: 0,
      })
    },
  )

  it('without any store that can keep it, saving says so and leaves no connection behind', async () => {
    const secrets: SecretStore = {
      get: async () => null,
      set: () => Promise.reject(new AppError('keychain_unavailable', { problem: 'no keychain' })),
      remove: async () => undefined,
    }
    const { core, dataDir } = await startBatch(() => consumed(1), { secrets })
    const before = (await core.handlers['connections.list']({})).connections.length
    const saved = dispatch(calls, core.handlers, 'connections.save', {
      id: null,
      name: 'x',
      baseUrl: 'https://platform.test',
      clientId: 'c',
      clientSecret: 'canary-not-kept-secret',
    })
    expect(await saved).toMatchObject({ ok: false, error: { code: 'keychain_unavailable' } })
    expect((await core.handlers['connections.list']({})).connections).toHaveLength(before)
    expect(await filesWith(dataDir, ['canary-not-kept-secret'])).toEqual([])
  })
})

const secret = 'canary/secret+of the=client&7f1c'
const token = 'canary-token-of-the-platform-93ab'

describe('F42 a secret on every way of an error', () => {
  const echo = `you sent ${secret} and ${token} (${encodeURIComponent(secret)}, ${JSON.stringify(secret)})`
  const both = { told: echo, headers: { 'x-api-key': token }, query: `client_secret=${encodeURIComponent(secret)}` }
  const replies: VendorReply[] = [
    {
      body: JSON.stringify({
        status: 'success',
        data: { invoice_number: token, total_amount: secret, [token]: echo },
        metadata: {
          filename: token,
          sources: [{ pointer: '/0', page: 1, box: { x: 0, y: 0, width: 1, height: 1 }, text: token }],
        },
      }),
      headers: { 'content-type': `application/json; x=${token}` },
    },
    { body: `{"status":"success","data":${token}` },
    { body: `<html>${echo}</html>` },
    {
      status: 302,
      body: echo,
      headers: { location: `http://127.0.0.1:9/?token=${token}&client_secret=${encodeURIComponent(secret)}` },
    },
    ...[400, 402, 403, 404, 409, 413, 422, 429, 500, 502, 503].map(
      (status): VendorReply => ({
        status,
        body: JSON.stringify({ status: 'error', code: String(status), error: both, detail: echo }),
        headers: { 'retry-after': '0', 'x-echo': token },
      }),
    ),
    { status: 400, body: JSON.stringify({ error: { message: echo, code: token, type: token } }) },
    { body: JSON.stringify({ extract_id: token, status: 'error', error: token, detail: [both] }) },
    { drop: true },
  ]

  it('stands in no database, log, list, answer or export, though the service says it back', async () => {
    const printed: string[] = []
    const spies = (['stdout', 'stderr'] as const).map((stream) =>
      vi.spyOn(process[stream], 'write').mockImplementation((chunk) => printed.push(String(chunk)) > 0),
    )
    onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
    const errors = (['error', 'warn', 'log'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((...said) => void printed.push(said.join(' '))),
    )
    onTestFinished(() => errors.forEach((spy) => spy.mockRestore()))

    const holder: { reply: VendorReply } = { reply: {} }
    const pieces = [
      `data: {"text":"${token.slice(0, 9)}`,
      `${token.slice(9)} and ${secret.slice(0, 12)}`,
      `${secret.slice(12)}"}\n\n`,
      `data: {"error":{"message":"${token}","code":"${token}"}}\n\n`,
    ]
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    const secrets = fileSecrets(dir.path)
    const { core, vendor, take, folder, dataDir } = await startBatch(
      () => holder.reply,
      { secrets, timings: { firstRetryMs: 1, longestRetryMs: 1 } },
      {
        token: () => ({ body: JSON.stringify({ access_token: token, token_type: 'x-api-key', expires_in: '3600' }) }),
        documentalist: () => ({ status: 200, headers: { 'content-type': 'text/event-stream' }, pieces }),
        chat: () => ({
          status: 400,
          headers: { 'content-type': 'application/json' },
          pieces: [JSON.stringify({ error: { message: echo, code: token, type: token } })],
        }),
        models: () => ({
          status: 403,
          headers: { 'content-type': 'application/json' },
          pieces: [JSON.stringify({ error: echo })],
        }),
      },
    )
    await core.handlers['connections.save']({
      id: folder.connectionId,
      name: 'Vendor',
      baseUrl: vendor.baseUrl,
      clientId: 'client',
      clientSecret: secret,
    })
    const heard: string[] = []
    core.onEvent((name, payload) => void heard.push(JSON.stringify([name, payload])))
    const connectionId = folder.connectionId
    let said = ''
    for (const reply of replies) {
      const sent = vendor.received.length
      holder.reply = reply
      await take(1)
      await until(() => vendor.received.length > sent && core.queue.idle, 'the answer')
      said += await everythingSaid(core)
      // What would be tried again gets a plain answer, so that each reply has a document of its own.
      holder.reply = consumed(1)
      await core.handlers['connections.resume']({ id: connectionId })
      await core.handlers['folders.update']({ id: folder.id, paused: false })
      await until(
        () => core.queue.idle && core.context.tables.documents.openCount() === 0,
        'the document to be settled',
      )
    }
    expect(vendor.received.length).toBeGreaterThanOrEqual(replies.length)

    for (const kind of ['documentalist', 'chat'] as const) {
      const { conversationId } = await core.handlers['ask.send']({
        conversationId: null,
        connectionId,
        kind,
        agentReference: 'a',
        model: 'svc-large',
        text: 'What?',
      })
      let state = ''
      await until(
        () => (
          void core.handlers['ask.get']({ id: conversationId }).then(
            ({ messages }) => (state = messages.at(-1)!.state),
          ),
          state !== '' && state !== 'writing'
        ),
        'the end of the answer',
      )
    }
    said += JSON.stringify(await core.handlers['models.list']({ connectionId }))
    for (const reply of [
      { status: 401, body: echo },
      { status: 401, body: JSON.stringify(both) },
      { status: 400, body: JSON.stringify({ error: echo, code: token }) },
      { status: 500, body: echo },
      { body: echo },
      { body: JSON.stringify({ access_token: [token], error: echo }) },
      { status: 302, headers: { location: `https://${encodeURIComponent(secret)}.test/?t=${token}` } },
      { drop: true },
    ]) {
      const refusing = await startVendor(() => ({}), { token: () => reply })
      onTestFinished(refusing.close)
      said += JSON.stringify(
        await dispatch(calls, core.handlers, 'connections.test', {
          baseUrl: refusing.baseUrl,
          clientId: 'client',
          clientSecret: secret,
        }),
      )
    }
    for (const baseUrl of [
      `https://user:${encodeURIComponent(secret)}@127.0.0.1:9`,
      `http://127.0.0.1:9/?client_secret=${encodeURIComponent(secret)}`,
    ]) {
      const answer = await dispatch(calls, core.handlers, 'connections.test', {
        baseUrl,
        clientId: 'client',
        clientSecret: 'x-another-secret',
      })
      expect(JSON.stringify(answer)).not.toContain('x-another-secret')
    }
    said += await everythingSaid(core)
    const { schemaId } = folder
    for (const format of ['csv', 'xlsx', 'json'] as const)
      await core.handlers['exports.run']({
        ...exportSpec.parse({ schemaId, format, locale: 'en', lists: 'rows' }),
        askWhere: false,
      })
    await core.handlers['storage.backUp']({})

    const all = [said, heard.join('\n'), printed.join('\n')]
    for (const text of all)
      for (const canary of [secret, token, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
        expect(text).not.toContain(canary)
    expect(said).toContain('****')
    expect(await filesWith(dir.path, [secret, token])).toEqual([])
    expect(await filesWith(dataDir, [secret, token])).toEqual([])
  })

  it('as the token of a callback is not kept, whoever names it, and the launch token opens the window once', async () => {
    const { core, vendor, folder, take, dataDir } = await startBatch((document) => ({
      body: JSON.stringify({ status: 'started', extract_id: 'e-1', callback: document.callback }),
    }))
    core.context.tables.folders.save({ ...core.context.tables.folders.get(folder.id)!, mode: 'async' })
    await take(1)
    await until(() => vendor.received.length === 1 && core.queue.idle, 'the receipt')
    const address = vendor.received[0]!.callback!
    const callbackToken = address.split('/').at(-1)!
    expect(callbackToken.length).toBeGreaterThan(30)
    expect(
      await vendor.callBack(
        address,
        JSON.stringify({ extract_id: 'e-1', data: { invoice_number: callbackToken }, metadata: { callback: address } }),
      ),
    ).toBe(200)
    await until(() => core.context.tables.documents.inFolder(folder.id)[0]!.status === 'done', 'the result')
    const host = await serveWindow(core, { port: 0, rendererDir: dataDir })
    onTestFinished(() => host.close())
    const launchToken = new URL(host.launchUrl).searchParams.get('token')!
    const { secret: session } = await openWindowSession(host.launchUrl)
    expect((await postSession(new URL(host.launchUrl).origin, launchToken)).status).toBe(403)
    const said = await everythingSaid(core)
    for (const canary of [callbackToken, launchToken, session]) expect(said).not.toContain(canary)
    expect(await filesWith(dataDir, [callbackToken, launchToken, session])).toEqual([])
  })

  it('stands in nothing that a command in the terminal prints or leaves behind', async () => {
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    const vendor = await startVendor(() => ({ status: 422, body: JSON.stringify({ error: echo, detail: both }) }), {
      token: () => ({ body: JSON.stringify({ access_token: token, expires_in: 60 }) }),
    })
    onTestFinished(vendor.close)
    await mkdir(join(dir.path, 'in'))
    await writeFile(join(dir.path, 'in', 'a.pdf'), pdfBytes('a'))
    await writeFile(join(dir.path, 'schema.json'), JSON.stringify(simpleSchema))
    const environment = {
      SHEAF_DATA_DIR: join(dir.path, 'data'),
      SHEAF_BASE_URL: vendor.baseUrl,
      SHEAF_CLIENT_ID: 'client',
      SHEAF_CLIENT_SECRET: secret,
    }
    const run = await sheaf(
      ['extract', join(dir.path, 'in', 'a.pdf'), '--schema', join(dir.path, 'schema.json')],
      environment,
    )
    expect(run.code).not.toBe(0)
    expect(vendor.received).toHaveLength(1)
    for (const canary of [secret, token]) expect(run.stdout + run.stderr).not.toContain(canary)
    expect(await filesWith(dir.path, [secret, token])).toEqual([])
  })

  it('is found in every spelling and wherever a stream is cut, and nothing else of the bytes moves', async () => {
    const text = `{"a":"${token}","b":${JSON.stringify(`${secret}"\\`)},"c":"${encodeURIComponent(secret)}","d":"${new URLSearchParams({ s: secret }).toString()}"} ${token.slice(0, -1)}`
    const clean = redacted(Buffer.from(text), [secret, token]).toString()
    expect(clean).toHaveLength(text.length)
    expect(JSON.parse(clean.slice(0, clean.lastIndexOf('}') + 1))).toMatchObject({ a: '*'.repeat(token.length) })
    expect(clean.endsWith(token.slice(0, -1))).toBe(true)
    for (let cut = 0; cut <= text.length; cut += 1) {
      const parts: Uint8Array[] = []
      const pieces = (async function* () {
        yield* [
          Buffer.from(text.slice(0, cut)),
          Buffer.from(text.slice(cut, cut + 3)),
          Buffer.from(text.slice(cut + 3)),
        ]
      })()
      for await (const part of redactedStream(pieces, [secret, token])) parts.push(part)
      expect(Buffer.concat(parts).toString()).toBe(clean)
    }
    const plain = Buffer.from('nothing to hide')
    expect(redacted(plain, [secret, 'short'])).toBe(plain)
  })
})

describe('F42 the key of a model server', () => {
  it('is in no answer, no conversation and no file but its own, though the model server says it back', async () => {
    const key = 'canary-key-of-a-model-4c2d'
    const server = createServer((request, response) => {
      const echo = JSON.stringify({
        error: { message: `bad key ${request.headers.authorization ?? ''}`, code: key },
        data: request.url === '/v1/models' ? [{ id: 'm', object: 'model' }] : [],
      })
      response
        .writeHead(request.url === '/v1/models' ? 200 : 401, { 'content-type': 'application/json', 'x-echo': key })
        .end(echo)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    const core = await startHost({ dataDir: dir.path, secrets: fileSecrets(dir.path), desktop: null })
    onTestFinished(() => core.stop({ atOnce: true }))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    let said = JSON.stringify(await dispatch(calls, core.handlers, 'models.discover', { baseUrl, apiKey: key }))
    said += JSON.stringify(
      await dispatch(calls, core.handlers, 'models.saveServer', { baseUrl, apiKey: key, large: 'm', small: 'm' }),
    )
    said += JSON.stringify(await dispatch(calls, core.handlers, 'models.server', {}))
    expect(said).toContain('"hasKey":true')
    const connectionId = core.context.tables.connections.local().id
    const { conversationId } = await core.handlers['ask.send']({
      conversationId: null,
      connectionId,
      kind: 'chat',
      agentReference: null,
      model: 'svc-large',
      text: 'What?',
    })
    let state = ''
    await until(
      () => (
        void core.handlers['ask.get']({ id: conversationId }).then(({ messages }) => (state = messages.at(-1)!.state)),
        state === 'failed'
      ),
      'the end of the answer',
    )
    said += await everythingSaid(core)
    expect(said).not.toContain(key)
    expect(await filesWith(dir.path, [key])).toEqual([])
  })
})
