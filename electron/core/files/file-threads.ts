import { Worker } from 'node:worker_threads'
import type { AskBatch } from './file-access.ts'

/** A thread that nothing was asked of for so long ends; twice as long as a folder waits between two sweeps. */
const idleMs = 60_000

type Thread = { worker: Worker; settle: ((outcome: { answers: unknown[] } | { error: Error }) => void) | null }

/**
 * Threads that wait for the file system in place of the event loop, and answer many questions in one message: to wake
 * the event loop for each access costs twenty times what a small one takes. `entry` is built from `file-thread.ts`.
 * Each batch has a thread of its own, since one that waits for a share which does not answer is held as long as
 * that; how many there are at once is the caller's affair (`withTimeLimits`).
 */
export class FileThreads {
  readonly #entry: string
  /** One at most is kept. */
  #idle: Thread | null = null
  readonly #all = new Set<Thread>()
  #idleTimer: NodeJS.Timeout | null = null
  #closed = false

  constructor(entry: string) {
    this.#entry = entry
  }

  readonly askBatch: AskBatch = (task, inputs) =>
    new Promise((resolve, reject) => {
      if (this.#closed) return reject(new Error('the threads that read files are closed'))
      const thread = this.#idle ?? this.#start()
      this.#idle = null
      thread.worker.ref()
      thread.settle = (outcome) => {
        thread.settle = null
        thread.worker.unref()
        if ('error' in outcome) return reject(outcome.error)
        this.#keep(thread)
        resolve(outcome.answers)
      }
      thread.worker.postMessage({ task, inputs })
    })

  /** One that the file system does not answer is not waited for. */
  close(): void {
    this.#closed = true
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer)
    for (const thread of this.#all) void thread.worker.terminate()
  }

  #start(): Thread {
    const worker = new Worker(this.#entry, { execArgv: [] })
    const thread: Thread = { worker, settle: null }
    this.#all.add(thread)
    worker.on('message', (answers: unknown[]) => thread.settle?.({ answers }))
    worker.on('error', (error) => this.#lose(thread, error))
    worker.on('exit', () => this.#lose(thread, new Error('the thread that reads files ended')))
    return thread
  }

  #lose(thread: Thread, error: unknown): void {
    this.#all.delete(thread)
    if (this.#idle === thread) this.#idle = null
    thread.settle?.({ error: error instanceof Error ? error : new Error(String(error)) })
  }

  #keep(thread: Thread): void {
    if (this.#idle !== null) return void thread.worker.terminate()
    this.#idle = thread
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => void this.#idle?.worker.terminate(), idleMs).unref()
  }
}
