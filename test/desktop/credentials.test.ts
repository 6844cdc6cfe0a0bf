import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { SecretStore } from '../../electron/core/platform/connect.ts'
import { keychainSecrets } from '../../electron/desktop/keychain.ts'
import { fileSecrets } from '../../electron/system/secret-file.ts'
import { expectInvariants } from '../faults/invariants.ts'
import { consumed, startBatch } from '../helpers/batch.ts'
import { filesWith } from '../helpers/canaries.ts'
import { startTestCore, temporaryDir, until } from '../helpers/core.ts'
import { keychainStandIn } from '../helpers/keychain-stand-in.ts'
import type { KeychainStandIn } from '../helpers/keychain-stand-in.ts'
import { vendorCredentials } from '../helpers/vendor.ts'

const system = vi.hoisted(() => ({ keychain: null as unknown as KeychainStandIn }))
vi.mock('electron', () => ({
  get safeStorage() {
    return system.keychain.safeStorage
  },
}))
beforeEach(() => {
  system.keychain = keychainStandIn()
})

const canary = 'canary-of-a-keychain-77e1'
const nothing = (): boolean => false
const onLinux = process.platform === 'linux'
const ownBackend = { linux: 'gnome_libsecret', darwin: 'keychain' }[process.platform as string] ?? 'dpapi'

/** A data folder with no more than secrets in it, and what lies there. */
function secretsFolder(): { path: string; store: SecretStore; entries: () => Record<string, unknown> } {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  return {
    path: dir.path,
    store: keychainSecrets(dir.path),
    entries: () => JSON.parse(readFileSync(join(dir.path, 'secrets.json'), 'utf8')) as Record<string, unknown>,
  }
}

/** What the desktop app wrote before it wrote down the backend. */
async function bareCiphertext(text: string): Promise<string> {
  const { encryptStringAsync } = system.keychain.safeStorage as { encryptStringAsync(text: string): Promise<Buffer> }
  return (await encryptStringAsync(text)).toString('base64')
}

const unavailable = { code: 'keychain_unavailable' }

describe('F39 a keychain that is absent, locked or changed, on the desktop', () => {
  const trouble: Record<string, { begin: () => void; code: string; isTemporary: boolean }> = {
    locked: { begin: () => (system.keychain.state = 'locked'), code: 'keychain_unavailable', isTemporary: true },
    changed: { begin: () => (system.keychain.key = 'another'), code: 'secret_unavailable', isTemporary: false },
    ...(onLinux && {
      absent: {
        begin: () => (system.keychain.backend = 'basic_text'),
        code: 'keychain_unavailable',
        isTemporary: true,
      },
    }),
  }

  it.each(Object.keys(trouble))(
    '%s: the documents wait and the person is asked for the secret, which is on no disk in plain text, and all are done',
    async (name) => {
      const { begin, code, isTemporary } = trouble[name]!
      const { path, store } = secretsFolder()
      const { core, vendor, take, folder, dataDir } = await startBatch(() => consumed(1), { secrets: store })
      const { tables } = core.context
      const account = { id: folder.connectionId, name: 'Vendor', baseUrl: vendor.baseUrl, ...vendorCredentials }
      const save = (): Promise<unknown> => core.handlers['connections.save'](account)
      const documents = (): string[] => tables.documents.inFolder(folder.id).map(({ status }) => status)
      expect(await save()).toMatchObject({ isSecretTemporary: false })

      begin()
      await take(3)
      await until(() => tables.connections.get(folder.connectionId)!.pausedReason !== null, 'the connection to stop')
      await until(() => core.queue.idle, 'the queue to stand')
      expect(tables.connections.get(folder.connectionId)!.pausedReason).toEqual({ code, details: {} })
      expect(documents()).toEqual(['queued', 'queued', 'queued'])
      expect(vendor.received).toHaveLength(0)

      expect(await save()).toMatchObject({ isSecretTemporary: isTemporary })
      await until(() => documents().every((status) => status === 'done'), 'all documents')
      for (const place of [path, dataDir])
        expect(await filesWith(place, [vendorCredentials.clientSecret], nothing)).toEqual([])
      // The next start has what was stored, and asks again for what was not.
      expect(await keychainSecrets(path).get(folder.connectionId)).toBe(
        isTemporary ? null : vendorCredentials.clientSecret,
      )
      expectInvariants(dataDir, {
        paths: tables.documents.inFolder(folder.id).map((document) => document.path),
        billable: vendor.received.length,
        filesSent: 3,
        approvedResends: 0,
      })
    },
  )

  it('unlocked again: the documents go on without the secret being typed', async () => {
    const { store } = secretsFolder()
    const { core, vendor, take, folder } = await startBatch(() => consumed(1), { secrets: store })
    await store.set(folder.connectionId, vendorCredentials.clientSecret)
    system.keychain.state = 'locked'
    await take(2)
    const { connections } = core.context.tables
    await until(() => connections.get(folder.connectionId)!.pausedReason !== null, 'the connection to stop')
    system.keychain.state = 'open'
    await core.handlers['connections.resume']({ id: folder.connectionId })
    await until(() => vendor.received.length === 2 && core.queue.idle, 'both documents')
  })

  it('waiting for the person’s password: Sheaf can be closed, and the next start sends what was left', async () => {
    const { store } = secretsFolder()
    const { core, vendor, take, folder, dataDir } = await startBatch(() => consumed(1), { secrets: store })
    await store.set(folder.connectionId, vendorCredentials.clientSecret)
    system.keychain.state = 'silent'
    await take(1)
    await until(() => !core.queue.idle, 'the document to wait for its secret')
    await core.stop()
    expect(vendor.received).toHaveLength(0)
    system.keychain.state = 'open'
    const next = await startTestCore(dataDir, { secrets: store })
    onTestFinished(() => next.stop({ atOnce: true }))
    const [left] = next.context.tables.documents.inFolder(folder.id)
    expect([left!.status, left!.reasonCode]).toEqual(['queued', null])
    await next.run()
    await until(() => vendor.received.length === 1 && next.queue.idle, 'the document')
  })

  it('is not asked for where a connection is tested with a secret that was typed', async () => {
    const { store } = secretsFolder()
    const { core, vendor, folder } = await startBatch(() => consumed(1), { secrets: store })
    await store.set(folder.connectionId, vendorCredentials.clientSecret)
    system.keychain.state = 'locked'
    const { clientSecret, ...stored } = { id: folder.connectionId, baseUrl: vendor.baseUrl, ...vendorCredentials }
    await expect(core.handlers['connections.test'](stored)).rejects.toMatchObject(unavailable)
    expect(await core.handlers['connections.test']({ ...stored, clientSecret })).toMatchObject({ problem: null })
  })
})

describe('the secrets of the desktop app', () => {
  it('lie encrypted beside the name of the backend, readable by their owner only', async () => {
    const { path, store, entries } = secretsFolder()
    await store.set(1, canary)
    expect(entries()).toEqual({ 1: { backend: ownBackend, ciphertext: expect.any(String) as unknown } })
    expect(await filesWith(path, [canary], nothing)).toEqual([])
    if (process.platform !== 'win32') expect(statSync(join(path, 'secrets.json')).mode & 0o077).toBe(0)
    expect(await keychainSecrets(path).get(1)).toBe(canary)
    await store.remove(1)
    expect([entries(), await store.get(1)]).toEqual([{}, null])
  })

  it('are not written again while nothing has changed', async () => {
    const { store, entries } = secretsFolder()
    await store.set(1, canary)
    const before = entries()
    expect(await store.get(1)).toBe(canary)
    expect(entries()).toEqual(before)
  })

  it.each([
    ['as the desktop app once wrote it', (bare: string) => bare, 'login'],
    [
      'of another backend that has the same key',
      (bare: string) => ({ backend: 'kwallet6', ciphertext: bare }),
      'login',
    ],
    ['whose key has a successor', (bare: string) => ({ backend: ownBackend, ciphertext: bare }), 'rotated'],
  ])('%s is read, and encrypted anew under the backend of now', async (_what, entry, key) => {
    const { path, store, entries } = secretsFolder()
    const bare = await bareCiphertext(canary)
    writeFileSync(join(path, 'secrets.json'), JSON.stringify({ 1: entry(bare), 2: 'other' }), { mode: 0o600 })
    system.keychain.isOld = key === 'rotated'
    expect(await store.get(1)).toBe(canary)
    expect(entries()).toEqual({ 1: { backend: ownBackend, ciphertext: expect.any(String) as unknown }, 2: 'other' })
    expect(JSON.stringify(entries())).not.toContain(bare)
    system.keychain.isOld = false
    expect(await keychainSecrets(path).get(1)).toBe(canary)
  })

  it('are encrypted when the browser’s host had written them as they are', async () => {
    const { path, store } = secretsFolder()
    await fileSecrets(path).set(1, canary)
    expect(await store.get(1)).toBe(canary)
    expect(await filesWith(path, [canary], nothing)).toEqual([])
    // The other way about it says why: what is encrypted is no secret of any server.
    await expect(fileSecrets(path).get(1)).rejects.toMatchObject(unavailable)
  })

  it('keep what a person typed while an earlier one was being moved', async () => {
    const { path, store } = secretsFolder()
    await fileSecrets(path).set(1, 'typed long ago')
    await fileSecrets(path).set(2, 'other')
    system.keychain.meanwhile = () => store.set(1, canary)
    expect(await store.get(1)).toBe('typed long ago')
    expect(await keychainSecrets(path).get(1)).toBe(canary)
    // Nor does one change lose another.
    await Promise.all([store.set(1, 'a'), store.set(2, 'b'), store.set('mailbox', 'c')])
    expect(await Promise.all([store.get(1), store.get(2), store.get('mailbox')])).toEqual(['a', 'b', 'c'])
  })

  it('stay as they are while the keychain cannot decrypt them', async () => {
    const { store, entries } = secretsFolder()
    await store.set(1, canary)
    const before = entries()
    system.keychain.state = 'locked'
    await expect(store.get(1)).rejects.toMatchObject(unavailable)
    system.keychain.state = 'open'
    // Locked between the question and the answer.
    system.keychain.meanwhile = async () => {
      system.keychain.meanwhile = async () => void (system.keychain.state = 'locked')
    }
    await expect(store.get(1)).rejects.toMatchObject(unavailable)
    system.keychain.state = 'open'
    system.keychain.meanwhile = async () => void (system.keychain.key = 'another')
    await expect(store.get(1)).rejects.not.toMatchObject(unavailable)
    expect(entries()).toEqual(before)
    system.keychain.key = 'login'
    expect(await store.get(1)).toBe(canary)
  })

  it.runIf(onLinux).each(['basic_text', 'unknown'])(
    'are in memory only where Electron’s backend is %s, and those of an earlier account go',
    async (backend) => {
      const { path, store, entries } = secretsFolder()
      await store.set(1, 'for another server')
      system.keychain.backend = backend
      await expect(store.get(1)).rejects.toMatchObject(unavailable)
      await store.set(1, canary)
      expect([await store.get(1), store.isTemporary?.(1)]).toEqual([canary, true])
      expect(entries()).toEqual({})
      expect(await keychainSecrets(path).get(1)).toBeNull()
      // With a keychain again it is stored when it is saved.
      system.keychain.backend = 'gnome_libsecret'
      await store.set(1, canary)
      expect([await keychainSecrets(path).get(1), store.isTemporary?.(1)]).toEqual([canary, false])
    },
  )

  it('refuse the keys of the mailbox while they cannot be stored: results wait there longer than Sheaf runs', async () => {
    const { store, entries } = secretsFolder()
    await store.set('mailbox', 'the keys of before')
    const before = entries()
    system.keychain.state = 'locked'
    await expect(store.set('mailbox', canary)).rejects.toMatchObject(unavailable)
    expect(entries()).toEqual(before)
  })

  it.each(['{"1": "canary', 'null', '{"1": 7}'])(
    'can be typed again after %s: the damaged file is set aside',
    async (damaged) => {
      const { path, store } = secretsFolder()
      writeFileSync(join(path, 'secrets.json'), damaged, { mode: 0o600 })
      await expect(store.get(1)).rejects.toThrow(SyntaxError)
      await store.set(1, canary)
      expect(await store.get(1)).toBe(canary)
      expect(readFileSync(join(path, 'secrets.json.damaged'), 'utf8')).toBe(damaged)
    },
  )
})
