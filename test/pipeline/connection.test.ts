import { lstat, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Core, CoreOptions } from '../../electron/core/core.ts'
import type { Folder } from '../../electron/core/db/tables/folders.ts'
import type { SecretKey } from '../../electron/core/platform/connect.ts'
import { candidateAt } from '../../electron/core/pipeline/files/file-rules.ts'
import { takeIn } from '../helpers/take-in.ts'
import { addFolder, pdfBytes, simpleSchema, startTestCore, statuses, temporaryDir, until } from '../helpers/core.ts'
import { gate } from '../helpers/vendor-questions.ts'
import { startVendor, successBody, vendorCredentials } from '../helpers/vendor.ts'
import type { Vendor, VendorOptions, VendorReply } from '../helpers/vendor.ts'

type Reply = (index: number) => VendorReply
type Setup = { core: Core; vendor: Vendor; folder: Folder; take: (name: string) => Promise<void> }

async function setUp(
  reply: Reply = () => ({}),
  vendorOptions: VendorOptions = {},
  options: Partial<CoreOptions> = {},
): Promise<Setup> {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  const vendor = await startVendor((_document, index) => reply(index), vendorOptions)
  onTestFinished(vendor.close)
  const core = await startTestCore(join(dir.path, 'data'), options)
  onTestFinished(() => core.stop({ atOnce: true }))
  const inbox = join(dir.path, 'in')
  await mkdir(inbox)
  const folder = addFolder(core, vendor, { path: inbox })
  const take = async (name: string): Promise<void> => {
    const path = join(inbox, `${name}.pdf`)
    await writeFile(path, pdfBytes(name))
    await takeIn(core.context, folder, candidateAt(path, await lstat(path)))
    core.queue.wake()
  }
  return { core, vendor, folder, take }
}

/** Another server: what was asked of it, with which credentials. */
async function otherVendor(): Promise<{ vendor: Vendor; asked: () => number }> {
  let requests = 0
  const vendor = await startVendor(
    () => {
      requests += 1
      return {}
    },
    { token: () => ((requests += 1), null) },
  )
  onTestFinished(vendor.close)
  return { vendor, asked: () => requests }
}

const whenIdle = (core: Core, done: number): Promise<void> =>
  until(() => core.queue.idle && statuses(core)['done'] === done, `${done} to be done`)

describe('a change of a connection', () => {
  const change = (
    folder: Folder,
    vendor: Vendor,
    clientSecret?: string,
  ): Parameters<Core['handlers']['connections.save']>[0] => ({
    id: folder.connectionId,
    name: 'Vendor',
    baseUrl: vendor.baseUrl,
    clientId: vendorCredentials.clientId,
    ...(clientSecret === undefined ? {} : { clientSecret }),
  })

  it('leaves everything as it was when the secret cannot be stored', async () => {
    const secrets = {
      get: async () => vendorCredentials.clientSecret,
      set: () => Promise.reject(new Error('locked')),
      remove: async () => undefined,
    }
    const { core, vendor, folder, take } = await setUp(undefined, {}, { secrets })
    const other = await otherVendor()
    await take('one')
    await whenIdle(core, 1)
    await expect(core.handlers['connections.save'](change(folder, other.vendor, 'new'))).rejects.toThrow('locked')
    expect(core.context.tables.connections.get(folder.connectionId)!.baseUrl).toBe(vendor.baseUrl)
    await take('two')
    await whenIdle(core, 2)
    expect([vendor.received.length, other.asked()]).toEqual([2, 0])
  })

  it('puts the stored secret back when the rest of it cannot be stored', async () => {
    const secrets = new Map<SecretKey, string>()
    const { core, folder } = await setUp(
      undefined,
      {},
      {
        secrets: {
          get: async (id) => secrets.get(id) ?? null,
          set: async (id, secret) => void secrets.set(id, secret),
          remove: async (id) => void secrets.delete(id),
        },
      },
    )
    secrets.set(folder.connectionId, 'old')
    const other = await otherVendor()
    vi.spyOn(core.context.tables.connections, 'update').mockImplementationOnce(() => {
      throw new Error('disk full')
    })
    await expect(core.handlers['connections.save'](change(folder, other.vendor, 'new'))).rejects.toThrow('disk full')
    expect(secrets.get(folder.connectionId)).toBe('old')
  })

  it('sends nothing to either server while the secret is being stored, and then only the new one to the new', async () => {
    const held = gate()
    let secret = 'old-secret'
    const secrets = {
      get: async () => secret,
      // The keychain has the new one already, and has not said so.
      set: async (_id: number, value: string) => {
        secret = value
        await held.opened
      },
      remove: async () => undefined,
    }
    let oldAsked = 0
    const { core, vendor, folder, take } = await setUp(undefined, { token: () => ((oldAsked += 1), null) }, { secrets })
    const other = await otherVendor()
    const saved = core.handlers['connections.save'](change(folder, other.vendor, vendorCredentials.clientSecret))
    await take('one')
    await expect.poll(() => core.queue.idle).toBe(false)
    expect(core.context.tables.connections.get(folder.connectionId)).toMatchObject({
      baseUrl: vendor.baseUrl,
      pausedReason: null,
    })
    held.open()
    await saved
    await whenIdle(core, 1)
    // One request for a token and one document, all of it at the new address.
    expect([oldAsked, other.asked(), other.vendor.received.length]).toEqual([0, 2, 1])
  })

  it('lets an exchange that began before end with the old token at the old address', async () => {
    const held = gate()
    let requests = 0
    const { core, vendor, folder, take } = await setUp(undefined, {
      token: async () => {
        requests += 1
        await held.opened
        return null
      },
    })
    const other = await otherVendor()
    await take('one')
    await until(() => requests === 1, 'the request for a token')
    await core.handlers['connections.save'](change(folder, other.vendor, vendorCredentials.clientSecret))
    held.open()
    await whenIdle(core, 1)
    expect([vendor.received.length, other.vendor.received.length]).toEqual([1, 0])
    await take('two')
    await whenIdle(core, 2)
    expect([vendor.received.length, other.vendor.received.length]).toEqual([1, 1])
    expect(other.asked()).toBe(2)
  })

  it('to another server needs its secret, and to another path of the same does not', async () => {
    const { core, vendor, folder } = await setUp()
    const other = await otherVendor()
    const refusal = {
      code: 'invalid_input',
      details: { problem: 'the address is on another server; type the client secret for it' },
    }
    await expect(core.handlers['connections.save'](change(folder, other.vendor))).rejects.toMatchObject(refusal)
    const { id, baseUrl, clientId } = change(folder, other.vendor)
    await expect(core.handlers['connections.test']({ id, baseUrl, clientId })).rejects.toMatchObject(refusal)
    await expect(
      core.handlers['connections.test']({ id, baseUrl: vendor.baseUrl.replace('http:', 'https:'), clientId }),
    ).rejects.toMatchObject(refusal)
    expect(other.asked()).toBe(0)
    expect(core.context.tables.connections.get(folder.connectionId)!.baseUrl).toBe(vendor.baseUrl)
    expect(
      await core.handlers['connections.test']({ id, baseUrl: `${vendor.baseUrl}/compat/v1`, clientId }),
    ).toMatchObject({ problem: null })
    await core.handlers['connections.save']({ ...change(folder, vendor), baseUrl: `${vendor.baseUrl}/area` })
    expect(core.context.tables.connections.get(folder.connectionId)!.baseUrl).toBe(`${vendor.baseUrl}/area`)
  })
})

describe('a connection', () => {
  it('whose secret cannot be stored is not added', async () => {
    const { core } = await setUp(
      undefined,
      {},
      {
        secrets: {
          get: async () => null,
          set: () => Promise.reject(new Error('locked')),
          remove: async () => undefined,
        },
      },
    )
    const before = core.context.tables.connections.list()
    await expect(
      core.handlers['connections.save']({
        id: null,
        name: 'New',
        baseUrl: 'https://api.example.com',
        ...vendorCredentials,
      }),
    ).rejects.toThrow('locked')
    expect(core.context.tables.connections.list()).toEqual(before)
  })

  it('is not removed while a folder uses it, nor is its schema, and the reason says what to do first', async () => {
    const { core, folder } = await setUp()
    await expect(core.handlers['connections.remove']({ id: folder.connectionId })).rejects.toMatchObject({
      code: 'connection_in_use',
    })
    await expect(core.handlers['schemas.remove']({ id: folder.schemaId })).rejects.toMatchObject({
      code: 'schema_in_use',
    })
    expect(core.context.tables.folders.list()).toHaveLength(1)
  })

  it('that was removed can neither be changed nor tested, and does not come back to the queue', async () => {
    const { core, vendor } = await setUp()
    const { id } = await core.handlers['connections.save']({
      id: null,
      name: 'New',
      baseUrl: `${vendor.baseUrl}/b`,
      ...vendorCredentials,
    })
    await core.handlers['connections.remove']({ id })
    const gone = { code: 'not_found', details: { what: 'connection' } }
    await expect(
      core.handlers['connections.save']({ id, name: 'New', baseUrl: vendor.baseUrl, ...vendorCredentials }),
    ).rejects.toMatchObject(gone)
    await expect(
      core.handlers['connections.test']({ id, baseUrl: vendor.baseUrl, clientId: 'x' }),
    ).rejects.toMatchObject(gone)
    await expect(core.handlers['connections.remove']({ id })).rejects.toMatchObject(gone)
    expect(await core.handlers['models.list']({ connectionId: id })).toMatchObject({ problem: gone })
    expect(core.context.tables.connections.get(id)!.pausedReason).toEqual(gone)
  })
})

describe('a document', () => {
  const error = (status: number, body: object): VendorReply => ({
    status,
    body: JSON.stringify({ status: 'error', ...body }),
  })

  it.each<[string, VendorReply]>([
    ['401', error(401, { error: 'Unauthorized' })],
    ['400 that says so', error(400, { code: '400', error: 'invalid token', detail: 'Bad Request' })],
    ['400 with a code for it', error(400, { code: 'token_expired', error: 'Bad Request' })],
    ['403 that says so', error(403, { error: 'Your API key has been revoked' })],
    ['498', error(498, { error: 'Token expired' })],
    ['an envelope under 200', error(200, { code: 401, error: 'Unauthorized', detail: 'token expired' })],
  ])('whose token is refused by %s is sent once more with a new one', async (_what, refusal) => {
    const { core, vendor, take } = await setUp((index) => (index === 0 ? refusal : {}))
    await take('one')
    await whenIdle(core, 1)
    expect([vendor.received.length, vendor.tokensIssued()]).toEqual([2, 2])
  })

  it('is kept when an envelope under 200 refuses the new token as well: the connection waits', async () => {
    const { core, vendor, folder, take } = await setUp(() => error(200, { code: 401, error: 'Unauthorized' }))
    await take('one')
    await until(
      () => core.queue.idle && core.context.tables.connections.get(folder.connectionId)!.pausedReason !== null,
      'the connection to be paused',
    )
    expect(core.context.tables.connections.get(folder.connectionId)!.pausedReason!.code).toBe('credentials_refused')
    expect(statuses(core)).toEqual({ queued: 1 })
    expect(vendor.received).toHaveLength(2)
  })

  it.each<[string, VendorReply]>([
    ['a quota of tokens', error(403, { error: 'Not enough tokens left in your plan' })],
    ['a key that may not use an agent', error(403, { error: 'API key not allowed for this agent' })],
    ['a quota that has expired', error(403, { error: 'Your token quota has expired' })],
    ['a key of a JSON object', error(400, { code: 'invalid_key', error: 'Invalid key "format" in params' })],
    [
      'a document that cannot be parsed',
      error(400, { error: 'Unexpected token', detail: 'Invalid token at byte 91 of the PDF' }),
    ],
    [
      'a failed extraction',
      error(400, { error: 'Extraction failed', detail: 'model output is not JSON: invalid token in line 3' }),
    ],
    [
      'a failed extraction in an envelope',
      error(400, { code: '400', error: 'Bad Request', detail: 'Malformed token, unexpected end of input' }),
    ],
    ['a failed extraction of few words', error(400, { error: 'Invalid token' })],
    ['a failed extraction with its number', error(400, { code: '400', extract_id: 'x-1', error: 'Invalid token' })],
    ['a 403 about a document', error(403, { detail: 'invalid token while parsing XLSX' })],
    ['a success that names a token', { body: successBody('token expired.pdf') }],
  ])('is sent once, and with the same token, when the answer is %s', async (_what, answer) => {
    const { core, vendor, take } = await setUp(() => answer)
    await take('one')
    await until(
      () => core.queue.idle && (statuses(core)['submitting'] ?? 0) === 0 && vendor.received.length > 0,
      'the answer',
    )
    expect([vendor.received.length, vendor.tokensIssued()]).toEqual([1, 1])
  })
})

describe('the service on this computer', () => {
  const localTo = (vendor: Vendor, secret: () => string): CoreOptions['localService'] => ({
    start: async () => ({
      baseUrl: vendor.baseUrl,
      clientId: vendorCredentials.clientId,
      clientSecret: secret(),
      control: { url: 'http://127.0.0.1:9/', key: 'none' },
      privateCallbacks: true,
    }),
    suspend: async () => undefined,
    stop: async () => undefined,
  })

  async function takeHere(core: Core, path: string): Promise<number> {
    const { tables } = core.context
    const schemaId = tables.schemas.save(null, 'Invoice', [...simpleSchema], Date.now()).id
    const connectionId = tables.connections.local().id
    const folder = tables.folders.add(
      {
        kind: 'watched',
        path,
        name: 'Here',
        schemaId,
        connectionId,
        agentReference: null,
        mode: 'sync',
        includeSubfolders: true,
        afterwards: 'stay',
      },
      Date.now(),
    )
    const file = join(path, 'one.pdf')
    await writeFile(file, pdfBytes('one'))
    await takeIn(core.context, folder, candidateAt(file, await lstat(file)))
    core.queue.wake()
    return connectionId
  }

  it('is asked for its credentials anew when it refuses those that it gave', async () => {
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    let secret = 'of a client that is gone'
    const vendor = await startVendor(() => ({}), {
      token: (index) => {
        if (index === 0) secret = vendorCredentials.clientSecret
        return null
      },
    })
    onTestFinished(vendor.close)
    const core = await startTestCore(join(dir.path, 'data'), { localService: localTo(vendor, () => secret) })
    onTestFinished(() => core.stop({ atOnce: true }))
    const connectionId = await takeHere(core, dir.path)
    await whenIdle(core, 1)
    expect(core.context.tables.connections.get(connectionId)!.pausedReason).toBeNull()
  })

  it('is tried again at the next start, whatever stopped the way there', async () => {
    const dir = temporaryDir()
    onTestFinished(dir.remove)
    const vendor = await startVendor(() => ({}))
    onTestFinished(vendor.close)
    const options = { localService: localTo(vendor, () => vendorCredentials.clientSecret) }
    const first = await startTestCore(join(dir.path, 'data'), options)
    first.context.tables.connections.pause(first.context.tables.connections.local().id, 'credentials_refused', {
      host: '127.0.0.1:9',
    })
    await takeHere(first, dir.path)
    await first.stop({ atOnce: true })
    const core = await startTestCore(join(dir.path, 'data'), options)
    onTestFinished(() => core.stop({ atOnce: true }))
    core.queue.wake()
    await whenIdle(core, 1)
  })
})
