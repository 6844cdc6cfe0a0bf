import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../files/move-file.ts'
import { flushFolderSync } from '../../system/flush-folder.ts'

const keyLength = 32

/**
 * The secret under which this installation makes its callback tokens: `installation.key` in the data folder (mode
 * 0600), outside of the database, so that a restored database still knows which callbacks are its own.
 */
export class InstallationKey {
  readonly #dataDir: string
  #key: Buffer | null = null

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  /** Null when none was ever made, or when the file is damaged. Throws what the file system throws otherwise. */
  known(): Buffer | null {
    if (this.#key === null) {
      const stored = readIfThere(this.#path)
      if (stored?.length === keyLength) this.#key = stored
    }
    return this.#key
  }

  /**
   * The key, made and on the disk when there was none. A damaged file is set aside. Throws what the file system throws.
   */
  get(): Buffer {
    const known = this.known()
    if (known !== null) return known
    const key = randomBytes(keyLength)
    const fresh = `${this.#path}.new`
    writeDurably(fresh, key)
    if (readIfThere(this.#path) !== null) renameSync(this.#path, `${this.#path}.damaged-${Date.now()}`)
    renameSync(fresh, this.#path)
    flushFolderSync(this.#dataDir)
    this.#key = key
    return key
  }

  get #path(): string {
    return join(this.#dataDir, 'installation.key')
  }
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

function writeDurably(path: string, bytes: Buffer): void {
  const file = openSync(path, 'w', 0o600)
  try {
    writeSync(file, bytes)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** What a token is for; each has tags of its own, so that none passes for another. */
type TokenPurpose = 'attempt' | 'probe'

const randomLength = 16
const tagLength = 16

/**
 * A token for a callback address: 16 random bytes and 16 bytes of HMAC-SHA256 (RFC 2104) over them, as base64url. The
 * tag says that this installation made it, also where no database remembers it any more.
 */
export function makeToken(key: Buffer, purpose: TokenPurpose): string {
  const random = randomBytes(randomLength)
  return Buffer.concat([random, tagOf(key, purpose, random)]).toString('base64url')
}

/** True for a token that `makeToken` made with this key for this purpose, in exactly this spelling. */
export function isOwnToken(key: Buffer, purpose: TokenPurpose, token: string): boolean {
  const bytes = Buffer.from(token, 'base64url')
  // Of base64url the last character has bits to spare, and Node skips what is none: only one spelling counts.
  if (bytes.length !== randomLength + tagLength || bytes.toString('base64url') !== token) return false
  return timingSafeEqual(bytes.subarray(randomLength), tagOf(key, purpose, bytes.subarray(0, randomLength)))
}

function tagOf(key: Buffer, purpose: TokenPurpose, random: Buffer): Buffer {
  return createHmac('sha256', key).update(`sheaf callback ${purpose}\0`).update(random).digest().subarray(0, tagLength)
}
