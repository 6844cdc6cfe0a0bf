import { isDeepStrictEqual } from 'node:util'
import { safeStorage } from 'electron'
import { AppError } from '../../shared/domain/errors.ts'
import type { SecretKey, SecretStore } from '../core/platform/connect.ts'
import { secretFile } from '../system/secret-file.ts'
import type { Encrypted, StoredSecret } from '../system/secret-file.ts'

/** What Electron calls these on Linux is no keychain: a key that is in its source, and none chosen yet. */
const noKeychains: readonly string[] = ['basic_text', 'unknown']

/**
 * Secrets encrypted with a key of the system's keychain, in `secrets.json`. Without a keychain, or while it is locked,
 * a client secret is kept in memory until the end of this process (`isTemporary`) and is on no disk.
 *
 * `get` throws `keychain_unavailable` while the keychain is locked or missing, and Electron's error for what it cannot
 * decrypt, as after a keychain was replaced; what is stored stays, for a day when it can. `set` throws
 * `keychain_unavailable` for the keys of the mailbox: results wait for them there longer than this process runs.
 */
export function keychainSecrets(dataDir: string): SecretStore {
  const file = secretFile(dataDir)
  const temporary = new Map<SecretKey, string>()
  return {
    get: async (key) => {
      const kept = temporary.get(key)
      if (kept !== undefined) return kept
      const stored = await file.read(key)
      if (stored === null) return null
      const backend = await openBackend()
      if (backend === null) {
        // A host without a keychain wrote it as it is.
        if (typeof stored === 'string') return stored
        throw unavailable()
      }
      const { secret, isCurrent } = await decrypt(stored, backend)
      // What was read is of use, whether or not it can be moved to this backend now.
      if (!isCurrent)
        await encrypt(secret, backend)
          .then((anew) => file.change(key, (now) => (isDeepStrictEqual(now, stored) ? anew : now)))
          .catch(() => undefined)
      return secret
    },
    set: async (key, secret) => {
      const backend = await openBackend()
      const encrypted = backend === null ? null : await encrypt(secret, backend).catch(() => null)
      if (encrypted === null && key === 'mailbox') throw unavailable()
      // Where it is not stored, an earlier one goes all the same: it may be for another server.
      await file.change(key, () => encrypted)
      if (encrypted === null) temporary.set(key, secret)
      else temporary.delete(key)
    },
    remove: async (key) => {
      await file.change(key, () => null)
      temporary.delete(key)
    },
    isTemporary: (key) => temporary.has(key),
  }
}

/** The name of the keychain that encrypts now; null while there is none or it is locked. May ask the person. */
async function openBackend(): Promise<string | null> {
  const name = backendName()
  if (noKeychains.includes(name)) return null
  return (await safeStorage.isAsyncEncryptionAvailable().catch(() => false)) ? name : null
}

function backendName(): string {
  if (process.platform === 'linux') return safeStorage.getSelectedStorageBackend()
  return process.platform === 'darwin' ? 'keychain' : 'dpapi'
}

async function encrypt(secret: string, backend: string): Promise<Encrypted> {
  return { backend, ciphertext: (await safeStorage.encryptStringAsync(secret)).toString('base64') }
}

/** `isCurrent` is false for what this backend, with the key that it has now, has not encrypted. */
async function decrypt(stored: StoredSecret, backend: string): Promise<{ secret: string; isCurrent: boolean }> {
  if (typeof stored === 'string') return { secret: stored, isCurrent: false }
  try {
    const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(Buffer.from(stored.ciphertext, 'base64'))
    return { secret: result, isCurrent: !shouldReEncrypt && stored.backend === backend }
  } catch (error) {
    // Locked a moment ago, rather than another keychain.
    if ((await openBackend()) === null) throw unavailable()
    throw error
  }
}

function unavailable(): AppError {
  return new AppError('keychain_unavailable', { problem: 'the keychain of this computer is locked or missing' })
}
