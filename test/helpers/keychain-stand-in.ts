import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { strict } from './electron-stand-in.ts'

/**
 * The system's keychain as Electron's `safeStorage` gives it. `state` is what it is now, `key` what it encrypts with,
 * `isOld` whether there is a newer key; `refusals` are calls that must never come.
 */
export type KeychainStandIn = {
  state: 'open' | 'locked' | 'silent'
  backend: string
  key: string
  isOld: boolean
  /** Called once before it answers the next time, with what it is asked. */
  meanwhile: ((asked: string) => Promise<void>) | null
  safeStorage: object
}

const noKeychains = ['basic_text', 'unknown']

/** Only the asynchronous calls: Electron 46 has no others. */
export function keychainStandIn(): KeychainStandIn {
  const keychain: KeychainStandIn = {
    state: 'open',
    backend: 'gnome_libsecret',
    key: 'login',
    isOld: false,
    meanwhile: null,
    safeStorage: strict('safeStorage', {
      getSelectedStorageBackend: () => keychain.backend,
      isAsyncEncryptionAvailable: async () => {
        await asked('available')
        // Electron encrypts with a key from its source where there is no keychain, and calls that available.
        return keychain.state === 'open'
      },
      encryptStringAsync: async (text: string) => {
        await asked('encrypt')
        const nonce = randomBytes(12)
        const cipher = createCipheriv('aes-256-gcm', keyOf(keychain), nonce)
        return Buffer.concat([Buffer.from('v11'), nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()])
      },
      decryptStringAsync: async (bytes: Buffer) => {
        await asked('decrypt')
        const decipher = createDecipheriv('aes-256-gcm', keyOf(keychain), bytes.subarray(3, 15))
        decipher.setAuthTag(bytes.subarray(-16))
        const result = Buffer.concat([decipher.update(bytes.subarray(15, -16)), decipher.final()]).toString()
        return { result, shouldReEncrypt: keychain.isOld }
      },
    }),
  }
  async function asked(what: string): Promise<void> {
    if (keychain.state === 'silent') await new Promise(() => undefined)
    const work = keychain.meanwhile
    keychain.meanwhile = null
    await work?.(what)
    if (what === 'available') return
    if (keychain.state === 'locked') throw new Error(`safeStorage: cannot ${what} now`)
    if (noKeychains.includes(keychain.backend)) throw new Error(`asked to ${what} without a keychain`)
  }
  return keychain
}

function keyOf({ key }: { key: string }): Buffer {
  return createHash('sha256').update(key).digest()
}
