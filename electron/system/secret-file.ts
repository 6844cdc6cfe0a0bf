import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../shared/domain/errors.ts'
import { flushFolder } from './flush-folder.ts'

/** What a keychain encrypted (base64), and the name of the backend that did; '' where nobody wrote it down. */
export type Encrypted = { backend: string; ciphertext: string }

/** One entry of the file: a secret as it was typed, or encrypted. */
export type StoredSecret = string | Encrypted

/** The file of a data folder that has its secrets. */
export type SecretFile = {
  read: (key: number | string) => Promise<StoredSecret | null>
  /**
   * Replaces an entry by what `next` makes of it, or removes it for null. Changes run one after another, so that none
   * writes back what another has replaced.
   */
  change: (key: number | string, next: (stored: StoredSecret | null) => StoredSecret | null) => Promise<void>
}

type Secrets = {
  get: (key: number | string) => Promise<string | null>
  set: (key: number | string, secret: string) => Promise<void>
  remove: (key: number | string) => Promise<void>
}

/** `secrets.json` of a data folder, which only its owner can read (mode 0600). Throws what the file system throws. */
export function secretFile(dataDir: string): SecretFile {
  const path = join(dataDir, 'secrets.json')
  let lastChange: Promise<unknown> = Promise.resolve()
  const readAll = async (): Promise<Map<string, StoredSecret>> => {
    try {
      return entriesIn(await readFile(path, 'utf8'))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map()
      throw error
    }
  }
  /** A file that is damaged has nothing to lose any more, and must not keep a person from typing a secret again. */
  const setAside = async (error: unknown): Promise<Map<string, StoredSecret>> => {
    if (!(error instanceof SyntaxError)) throw error
    await rename(path, `${path}.damaged`)
    return new Map()
  }
  const write = async (entries: Map<string, StoredSecret>): Promise<void> => {
    // A key that opens results is not made again: after a power cut either these secrets are here or those before.
    await writeFile(`${path}.new`, JSON.stringify(Object.fromEntries(entries)), { mode: 0o600, flush: true })
    await chmod(`${path}.new`, 0o600)
    await rename(`${path}.new`, path)
    await flushFolder(dataDir)
  }
  return {
    read: async (key) => (await readAll()).get(String(key)) ?? null,
    change: (key, next) => {
      const change = lastChange.then(async () => {
        const entries = await readAll().catch(setAside)
        const stored = entries.get(String(key)) ?? null
        const replacement = next(stored)
        if (replacement === stored) return
        if (replacement === null) entries.delete(String(key))
        else entries.set(String(key), replacement)
        await write(entries)
      })
      lastChange = change.catch(() => undefined)
      return change
    },
  }
}

/**
 * Client secrets of the hosts without a keychain. Throws `keychain_unavailable` for one that the desktop app has
 * encrypted, which no other program can read.
 */
export function fileSecrets(dataDir: string): Secrets {
  const file = secretFile(dataDir)
  return {
    get: async (key) => {
      const stored = await file.read(key)
      if (stored !== null && typeof stored !== 'string')
        throw new AppError('keychain_unavailable', { problem: 'only the desktop app can read it' })
      return stored
    },
    set: (key, secret) => file.change(key, () => secret),
    remove: (key) => file.change(key, () => null),
  }
}

/** Throws where the text is no file of secrets. */
function entriesIn(text: string): Map<string, StoredSecret> {
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed !== 'object' || parsed === null) throw new SyntaxError('secrets.json holds no secrets')
  return new Map(Object.entries(parsed).map(([key, value]) => [key, entryOf(value)]))
}

function entryOf(value: unknown): StoredSecret {
  if (typeof value === 'string') return isBareCiphertext(value) ? { backend: '', ciphertext: value } : value
  if (typeof value === 'object' && value !== null && 'backend' in value && 'ciphertext' in value)
    return { backend: String(value.backend), ciphertext: String(value.ciphertext) }
  throw new SyntaxError('an entry of secrets.json is no secret')
}

/**
 * The desktop app once wrote what it encrypted as a text of base64. Chromium begins it with the version of its format:
 * a secret that was typed does so once in eight million times.
 */
function isBareCiphertext(text: string): boolean {
  const bytes = Buffer.from(text, 'base64')
  return /^v1[01]/.test(bytes.toString('latin1', 0, 3)) && bytes.toString('base64') === text
}
