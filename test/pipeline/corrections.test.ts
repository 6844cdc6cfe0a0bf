import { describe, expect, it, onTestFinished } from 'vitest'
import { startBatch } from '../helpers/batch.ts'
import type { Batch } from '../helpers/batch.ts'
import { startTestCore, statuses, until } from '../helpers/core.ts'
import { startVendor, vendorCredentials } from '../helpers/vendor.ts'
import type { VendorReply } from '../helpers/vendor.ts'

const setUp = (...given: Parameters<typeof startBatch>): Promise<Batch> => startBatch(...given)

/** Opens when told to. */
function gate(): { open: () => void; opened: Promise<void> } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

describe('a folder that is given another connection', () => {
  it('takes a document along that was picked but not sent yet', async () => {
    const keychain = gate()
    const state = { asked: false }
    const secrets = {
      get: async () => {
        state.asked = true
        await keychain.opened
        return vendorCredentials.clientSecret
      },
      set: async () => undefined,
      remove: async () => undefined,
    }
    const { core, vendor, folder, take } = await setUp(() => ({}), { secrets })
    const second = await startVendor()
    onTestFinished(second.close)
    await take(1)
    await until(() => state.asked, 'the document to be picked')
    const other = core.context.tables.connections.addPlatform('Other', second.baseUrl, vendorCredentials.clientId)
    await core.handlers['folders.update']({ id: folder.id, connectionId: other })
    keychain.open()
    await until(() => statuses(core)['done'] === 1, 'the result')
    expect([vendor.received.length, second.received.length]).toEqual([0, 1])
    expect(core.context.tables.attempts.ofDocument(1).map(({ host }) => host)).toEqual([new URL(second.baseUrl).host])
  })

  it('takes one along that was refused for now meanwhile', async () => {
    const refusal = gate()
    const { core, vendor, folder, take } = await setUp(async () => {
      await refusal.opened
      return { status: 503, body: '{}' }
    })
    const second = await startVendor()
    onTestFinished(second.close)
    await take(1)
    await until(() => vendor.received.length === 1, 'the document to be sent')
    const other = core.context.tables.connections.addPlatform('Other', second.baseUrl, vendorCredentials.clientId)
    await core.handlers['folders.update']({ id: folder.id, connectionId: other })
    refusal.open()
    await until(() => statuses(core)['done'] === 1, 'the result')
    expect([vendor.received.length, second.received.length]).toEqual([1, 1])
  })
})

describe('a refusal of what was corrected meanwhile', () => {
  it('of old credentials does not stop the connection', async () => {
    const refusal = gate()
    const stored = { secret: 'wrong' }
    const secrets = {
      get: async () => stored.secret,
      set: async (_id: number, secret: string) => void (stored.secret = secret),
      remove: async () => undefined,
    }
    const late = { asked: 0 }
    const token = async (index: number): Promise<VendorReply | null> => {
      late.asked += 1
      if (index > 0) return null
      await refusal.opened
      return { status: 401, body: '{"status":"error","error":"Unauthorized"}' }
    }
    const { core, vendor, folder, take } = await setUp(() => ({}), { secrets }, { token })
    await take(3)
    await until(() => late.asked === 1, 'the request with the wrong secret')
    await core.handlers['connections.save']({
      id: folder.connectionId,
      name: 'x',
      baseUrl: vendor.baseUrl,
      ...vendorCredentials,
    })
    await take(2)
    await until(() => statuses(core)['done'] === 2, 'the later ones')
    refusal.open()
    await until(() => statuses(core)['done'] === 5, 'all of them')
    expect(core.context.tables.connections.get(folder.connectionId)!.pausedReason).toBeNull()
    expect(vendor.received).toHaveLength(5)
  })

  it('of an agent that was corrected does not pause the folder, and the document goes to the right one', async () => {
    const refusal = gate()
    const { core, vendor, folder, take } = await setUp(async (document) => {
      if (!document.path.endsWith('/wrong')) return {}
      await refusal.opened
      return { status: 404, body: '{"status":"error","code":"404","error":"Not Found","detail":"Agent not found"}' }
    })
    core.context.tables.folders.save({ ...folder, agentReference: 'wrong' })
    await take(1)
    await until(() => vendor.received.length === 1, 'the document to be sent')
    await core.handlers['folders.update']({ id: folder.id, agentReference: 'right' })
    refusal.open()
    await until(() => statuses(core)['done'] === 1, 'the result')
    expect(core.context.tables.folders.get(folder.id)!.paused).toBe(false)
    expect(vendor.received.map(({ path }) => path.split('/').at(-1))).toEqual(['wrong', 'right'])
  })
})

describe('an address that was stored as it was typed', () => {
  it('is the same connection as the same address written another way, from the next start on', async () => {
    const { core, dataDir } = await setUp(() => ({}))
    const { connections } = core.context.tables
    const typed = connections.addPlatform('Old', 'https://Platform.Example.com:443/', 'client')
    const broken = connections.addPlatform('Broken', 'no address', 'client')
    await core.stop({ atOnce: true })
    const again = await startTestCore(dataDir)
    onTestFinished(() => again.stop({ atOnce: true }))
    expect(again.context.tables.connections.findPlatform('https://platform.example.com', 'client')).toMatchObject({
      id: typed,
      name: 'Old',
    })
    expect(again.context.tables.connections.get(broken)).toMatchObject({ baseUrl: 'no address' })
  })
})
