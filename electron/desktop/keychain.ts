import { safeStorage } from 'electron'
import { AppError } from '../../shared/domain/errors.ts'
import type { SecretStore } from '../core/platform/connect.ts'
import { fileSecrets } from '../system/secret-file.ts'

/**
 * Client secrets encrypted with a key of the system's keychain. Without a real keychain (Linux' `basic_text` is
 * none) nothing is stored, and saving fails with the reason.
 */
export function keychainSecrets(dataDir: string): SecretStore {
  const file = fileSecrets(dataDir)
  const requireKeychain = (): void => {
    const backend = process.platform === 'linux' ? safeStorage.getSelectedStorageBackend() : ''
    if (!safeStorage.isEncryptionAvailable() || backend === 'basic_text') {
      throw new AppError('invalid_input', {
        problem: 'the keychain of this system is locked or missing; unlock it and save the connection again',
      })
    }
  }
  return {
    get: async (id) => {
      const stored = await file.get(id)
      if (stored === null) return null
      requireKeychain()
      return safeStorage.decryptString(Buffer.from(stored, 'base64'))
    },
    set: async (id, secret) => {
      requireKeychain()
      await file.set(id, safeStorage.encryptString(secret).toString('base64'))
    },
    remove: (id) => file.remove(id),
  }
}
