import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { flushFolder } from '../../durable/flush-folder.ts'

const keyLength = 32

/**
 * The secret under which this installation makes its callback tokens: `installation.key` in the data folder (mode 0600),
 * outside of the database, so that a restored database still knows which callbacks are its own.
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

  /** The key, made and on the disk when there was none. A damaged file is set aside. Throws what the file system throws. */
  get(): Buffer {
    const known = this.known()
    if (known !== null) return known
    const key = randomBytes(keyLength)
    const fresh = `${this.#path}.new`
    writeDurably(fresh, key)
    if (readIfThere(this.#path) !== null) renameSync(this.#path, `${this.#path}.damaged-${Date.now()}`)
    renameSync(fresh, this.#path)
    flushFolder(this.#dataDir)
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
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
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
