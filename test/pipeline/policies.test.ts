import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { policiesFrom } from '../../shared/domain/policies.ts'
import type { Policies, PolicyName, PolicySet } from '../../shared/domain/policies.ts'
import { result, startCallbackRig, startProxy } from '../faults/callback-rig.ts'
import { standsStill, startBatch } from '../helpers/batch.ts'
import { simpleSchema, startTestCore, statuses, temporaryDir, until } from '../helpers/core.ts'
import { freePort } from '../helpers/free-port.ts'
import { startVendor, vendorCredentials } from '../helpers/vendor.ts'
import { startRig } from '../service/setup.ts'

const set = (given: Policies): PolicySet => policiesFrom([{ where: '/etc/sheaf/policies.json', given }])
const refusedBy = (policy: PolicyName) => ({ code: 'set_by_administrator', details: { policy } })

/** Core on one data folder, started anew with each set of policies. */
function startsOf(dataDir: string, options: Parameters<typeof startTestCore>[1] = {}) {
  let running: Core | null = null
  const stop = async (): Promise<void> => {
    await running?.stop({ atOnce: true })
    running = null
  }
  onTestFinished(stop)
  return async (given: Policies): Promise<Core> => {
    await stop()
    running = await startTestCore(dataDir, { ...options, policies: set(given) })
    return running
  }
}

function dataFolder(): string {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  return dir.path
}

describe('hosts that an administrator allows', () => {
  const allowed = { AllowedPlatformHosts: ['api.example.com'] }
  const account = { id: null, name: 'Account', ...vendorCredentials }

  it('are the only ones to which a connection is made, and the only ones that are tested', async () => {
    const vendor = await startVendor()
    onTestFinished(vendor.close)
    const { handlers, context } = await startsOf(dataFolder())(allowed)
    const before = context.tables.connections.list()
    await expect(handlers['connections.save']({ ...account, baseUrl: vendor.baseUrl })).rejects.toMatchObject(
      refusedBy('AllowedPlatformHosts'),
    )
    expect(await handlers['connections.test']({ ...account, baseUrl: vendor.baseUrl })).toMatchObject({
      problem: refusedBy('AllowedPlatformHosts'),
    })
    expect([vendor.tokensIssued(), context.tables.connections.list()]).toEqual([0, before])
    const { id } = await handlers['connections.save']({ ...account, baseUrl: 'api.example.com/v2' })
    await expect(
      handlers['connections.save']({ ...account, id, clientSecret: 'new', baseUrl: vendor.baseUrl }),
    ).rejects.toMatchObject(refusedBy('AllowedPlatformHosts'))
    expect(context.tables.connections.get(id)!.baseUrl).toBe('https://api.example.com')
  })

  it('pause a connection of earlier to another one: its documents wait, nothing is asked, and it goes on later', async () => {
    const { core: first, vendor, folder, take, dataDir } = await startBatch(() => ({}))
    await take(1)
    await until(() => statuses(first)['done'] === 1, 'the first document')
    await first.stop({ atOnce: true })
    const start = startsOf(dataDir)
    const core = await start(allowed)
    const connection = () => core.context.tables.connections.get(folder.connectionId)!
    expect(connection().pausedReason).toEqual(refusedBy('AllowedPlatformHosts'))
    await take(1, { core })
    await expect(core.handlers['connections.resume']({ id: folder.connectionId })).rejects.toMatchObject(
      refusedBy('AllowedPlatformHosts'),
    )
    const { conversationId } = await core.handlers['ask.send']({
      conversationId: null,
      connectionId: folder.connectionId,
      kind: 'chat',
      agentReference: null,
      model: null,
      text: 'Does this leave?',
    })
    await until(
      () => core.context.tables.conversations.messages(conversationId).at(-1)!.state !== 'writing',
      'the end of the answer',
    )
    expect(core.context.tables.conversations.messages(conversationId).at(-1)).toMatchObject({
      state: 'failed',
      reason: refusedBy('AllowedPlatformHosts'),
    })
    // Even where something resumes it, as a command in a terminal does.
    core.context.tables.connections.resume(folder.connectionId)
    core.queue.wake()
    await until(() => core.queue.idle && connection().pausedReason !== null, 'the queue to be refused')
    expect([vendor.received.length, statuses(core)]).toEqual([1, { done: 1, queued: 1 }])

    const later = await start({})
    later.queue.wake()
    await until(() => statuses(later)['done'] === 2, 'the second document')
  })

  it('do not take the place of another reason for which a connection is paused', async () => {
    const { core: first, folder, dataDir } = await startBatch(() => ({}))
    first.context.tables.connections.pause(folder.connectionId, 'restored_from_snapshot', {})
    await first.stop({ atOnce: true })
    const start = startsOf(dataDir)
    await start(allowed)
    const later = await start({})
    expect(later.context.tables.connections.get(folder.connectionId)!.pausedReason!.code).toBe('restored_from_snapshot')
  })

  it('stand in the state of the app with their place, for the window', async () => {
    const { handlers } = await startsOf(dataFolder())(allowed)
    expect((await handlers['app.state']({})).policies).toEqual({
      values: allowed,
      sources: { AllowedPlatformHosts: '/etc/sheaf/policies.json' },
      problems: [],
    })
  })
})

describe('a daily cap that an administrator sets', () => {
  it('counts for what is sent, is refused to be changed, and gives back what the person had chosen', async () => {
    const { core: first, take, dataDir } = await startBatch(() => ({}))
    await first.handlers['settings.update']({ dailyDocumentCap: 300 })
    await first.stop({ atOnce: true })
    const start = startsOf(dataDir)
    const core = await start({ DailyDocumentCap: 1 })
    await take(2, { core })
    await standsStill(core)
    expect(statuses(core)).toEqual({ done: 1, queued: 1 })
    await expect(core.handlers['settings.update']({ dailyDocumentCap: null })).rejects.toMatchObject(
      refusedBy('DailyDocumentCap'),
    )
    expect(await core.handlers['settings.update']({ theme: 'dark' })).toMatchObject({
      theme: 'dark',
      dailyDocumentCap: 1,
    })
    const later = await start({ MaximumDailyDocumentCap: 500 })
    expect(await later.handlers['settings.update']({ theme: 'light' })).toMatchObject({ dailyDocumentCap: 300 })
    await expect(later.handlers['settings.update']({ dailyDocumentCap: 501 })).rejects.toMatchObject(
      refusedBy('MaximumDailyDocumentCap'),
    )
    expect(await later.handlers['settings.update']({ dailyDocumentCap: 500 })).toMatchObject({ dailyDocumentCap: 500 })
  })
})

describe('routes of callbacks that an administrator allows', () => {
  const onlyMailbox: Policies = { AllowedCallbackRoutes: ['mailbox'] }

  it('are the only ones that can be chosen', async () => {
    const { handlers } = await startsOf(dataFolder())(onlyMailbox)
    const address = { route: 'address', address: 'https://office.example', network: false, port: null } as const
    await expect(handlers['callbacks.save'](address)).rejects.toMatchObject(refusedBy('AllowedCallbackRoutes'))
    // Allowed, but none is paired.
    await expect(handlers['callbacks.save']({ route: 'mailbox' })).rejects.toMatchObject({ code: 'mailbox_not_paired' })
    expect(await handlers['callbacks.save']({ route: 'none' })).toMatchObject({ route: 'none', problem: null })
    const none = await startsOf(dataFolder())({ AllowedCallbackRoutes: [] })
    await expect(none.handlers['callbacks.pair']({ code: 'sheaf-pair-x' })).rejects.toMatchObject(
      refusedBy('AllowedCallbackRoutes'),
    )
  })

  it('close the listener of one of earlier to which nothing is under way', async () => {
    const start = startsOf(dataFolder())
    const port = await freePort()
    const asked = (): Promise<number> => fetch(`http://127.0.0.1:${port}/`).then(({ status }) => status)
    const first = await start({})
    await first.handlers['callbacks.save']({
      route: 'address',
      address: 'https://office.example',
      network: false,
      port,
    })
    expect(await asked()).toBe(404)
    await start(onlyMailbox)
    await expect(asked()).rejects.toThrow('fetch failed')
    await start({})
    expect(await asked()).toBe(404)
  })

  it('leave one of earlier unused, and still take the result that is under way to it', async () => {
    const rig = await startCallbackRig({ isElsewhere: true, core: { timings: { probeTimeoutMs: 10_000 } } })
    let port = rig.core().context.tables.settings.callbackPort()!
    const proxy = await startProxy(() => port)
    await rig.core().handlers['callbacks.save']({ route: 'address', address: proxy.url, network: false, port: null })
    await rig.core().handlers['callbacks.test']({})
    await rig.add('a.pdf')
    await until(() => rig.document().status === 'waiting', 'the acceptance')
    await rig.stop()
    await rig.start({ policies: set(onlyMailbox) })
    const { handlers } = rig.core()
    expect((await handlers['app.state']({})).callbackRoute).toBe('none')
    expect(await handlers['callbacks.get']({})).toMatchObject({
      route: 'address',
      problem: refusedBy('AllowedCallbackRoutes'),
    })
    const second = await rig.add('b.pdf')
    await until(() => rig.document(second).reasonCode === 'no_callback', 'the reason')
    port = rig.core().context.tables.settings.callbackPort()!
    expect(await rig.vendor.callBack(rig.callback(), result())).toBe(200)
    expect([rig.document().status, rig.vendor.received.length]).toEqual(['done', 1])
    await rig.stop()
    await rig.start()
    port = rig.core().context.tables.settings.callbackPort()!
    expect(await rig.core().handlers['callbacks.test']({})).toMatchObject({ problem: null })
    await until(() => rig.document(second).status === 'waiting', 'the acceptance of the second')
  })
})

describe('folders that an administrator allows', () => {
  async function office() {
    const path = dataFolder()
    const [inside, outside] = [join(path, 'Allowed', 'Invoices'), join(path, 'Other')]
    for (const folder of [inside, outside]) await mkdir(folder, { recursive: true })
    const start = startsOf(join(path, 'data'), { documentsDir: outside, samplesDir: inside })
    const first = await start({})
    const { tables, now } = first.context
    const choice = {
      schemaId: tables.schemas.save(null, 'Invoice', [...simpleSchema], now()).id,
      connectionId: tables.connections.local().id,
    }
    const values = {
      ...choice,
      cuts: 'never',
      agentReference: null,
      mode: 'auto',
      includeSubfolders: true,
      afterwards: 'stay',
      archiveName: '',
    } as const
    const add = (core: Core, folder: string) =>
      core.handlers['folders.add']({
        ...values,
        otherSchemaIds: [],
        include: [],
        exclude: [],
        existing: 'take',
        path: folder,
      })
    return { path, inside, outside, start, first, choice, add, allowed: { AllowedFolders: [join(path, 'Allowed')] } }
  }
  const folderOf = async (core: Core, id: number) =>
    (await core.handlers['folders.list']({})).folders.find((folder) => folder.id === id)!

  it('are the only ones that can be added, whatever link leads elsewhere', async () => {
    const { path, inside, outside, start, choice, add, allowed } = await office()
    const core = await start(allowed)
    await symlink(outside, join(path, 'Allowed', 'link'))
    for (const refused of [outside, join(path, 'Allowed', 'link'), path])
      await expect(add(core, refused)).rejects.toMatchObject(refusedBy('AllowedFolders'))
    await expect(core.handlers['folders.addSamples'](choice)).rejects.toMatchObject(refusedBy('AllowedFolders'))
    const { id } = await add(core, inside)
    await expect(core.handlers['folders.update']({ id, path: outside })).rejects.toMatchObject(
      refusedBy('AllowedFolders'),
    )
    const folder = core.context.tables.folders.get(id)!
    expect(folder.path).toBe(inside)
    // As `sheaf watch` does.
    await expect(core.watchers.followOnly({ ...folder, path: outside }, () => false)).rejects.toMatchObject(
      refusedBy('AllowedFolders'),
    )
  })

  it('may be named from the home of whoever works here', async () => {
    const { path, inside, outside, start, add } = await office()
    for (const name of ['HOME', 'USERPROFILE']) vi.stubEnv(name, path)
    onTestFinished(() => void vi.unstubAllEnvs())
    const core = await start({ AllowedFolders: ['~/Allowed'] })
    await expect(add(core, outside)).rejects.toMatchObject(refusedBy('AllowedFolders'))
    expect(await add(core, inside)).toEqual({ id: expect.any(Number) as number })
  })

  it('pause one of earlier that is elsewhere until it is allowed again, or leads to where it is', async () => {
    const { inside, outside, start, first, add, allowed } = await office()
    const { id } = await add(first, outside)
    const core = await start(allowed)
    expect(await folderOf(core, id)).toMatchObject({ paused: true, pausedReason: refusedBy('AllowedFolders') })
    await expect(core.handlers['folders.update']({ id, paused: false })).rejects.toMatchObject(
      refusedBy('AllowedFolders'),
    )
    const freed = await start({})
    expect(await folderOf(freed, id)).toMatchObject({ paused: false, pausedReason: null })
    const again = await start(allowed)
    await again.handlers['folders.update']({ id, path: inside })
    expect(await folderOf(again, id)).toMatchObject({ path: inside, paused: false, pausedReason: null })
  })

  it('leave a folder paused that a person had paused', async () => {
    const { path, outside, start, first, add, allowed } = await office()
    const another = join(path, 'Another')
    await mkdir(another)
    const [{ id }, other] = [await add(first, outside), await add(first, another)]
    await first.handlers['folders.update']({ id, paused: true })
    await start(allowed)
    const later = await start({})
    expect(await folderOf(later, id)).toMatchObject({ paused: true, pausedReason: null })
    expect(await folderOf(later, other.id)).toMatchObject({ paused: false })
  })
})

describe('hosts of model servers that an administrator allows', () => {
  it('are the only ones whose models can be asked', async () => {
    const rig = await startRig()
    onTestFinished(rig.close)
    await rig.control('models.save', { baseUrl: 'http://models.example:8080/v1', large: 'big', small: null })
    const localService = {
      start: async () => rig.credentials,
      suspend: async () => undefined,
      stop: async () => undefined,
    }
    const start = startsOf(dataFolder(), { localService })
    const modelsOf = async (given: Policies) => {
      const core = await start(given)
      return core.handlers['models.list']({ connectionId: core.context.tables.connections.local().id })
    }
    expect(await modelsOf({ AllowedModelServerHosts: ['127.0.0.1'] })).toEqual({
      models: [],
      problem: refusedBy('AllowedModelServerHosts'),
    })
    expect(await modelsOf({ AllowedModelServerHosts: ['models.example'] })).toEqual({
      models: ['svc-large'],
      problem: null,
    })
  })
})
