import { closeSync, fdatasync, openSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'

/**
 * Flushes a file for all that wait at once (group commit), beside the thread that writes: what is written while one
 * flush runs waits for the next.
 */
export class GroupFlush {
  readonly #path: string
  readonly #flushFile: (file: number) => Promise<void>
  #file: number | null = null
  #running: Promise<void> | null = null
  #next: Promise<void> | null = null

  constructor(path: string, flushFile: (file: number) => Promise<void> = promisify(fdatasync)) {
    this.#path = path
    this.#flushFile = flushFile
  }

  /** Resolves when all that was written until now is on the disk; rejects with what the file system says. */
  flushed(): Promise<void> {
    this.#next ??= (this.#running ?? Promise.resolve())
      .catch(() => undefined)
      // What is written in the same turn of the loop comes along.
      .then(() => setImmediate())
      .then(() => {
        this.#next = null
        this.#running = this.#flush()
        return this.#running
      })
    return this.#next
  }

  /** A flush that runs is waited for by nobody any more. */
  close(): void {
    const file = this.#file
    this.#file = null
    if (file === null) return
    if (this.#running === null) closeSync(file)
    else void this.#running.catch(() => undefined).then(() => closeSync(file))
  }

  async #flush(): Promise<void> {
    try {
      // Windows flushes only what is open for writing.
      await this.#flushFile((this.#file ??= openSync(this.#path, 'r+')))
    } finally {
      this.#running = null
    }
  }
}
