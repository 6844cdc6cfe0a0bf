import { Worker } from 'node:worker_threads'
import type { AskTogether } from './file-access.ts'

/** A thread that nothing was asked of for so long ends. */
const idleMs = 20_000

type Thread = { worker: Worker; settle: ((outcome: { answers: unknown[] } | { error: Error }) => void) | null }

/**
 * Threads that wait for the file system in place of the event loop, and answer many questions in one message: to wake
 * the event loop for each access costs twenty times what a small one takes. `entry` is built from `file-thread.ts`.
 * Each question has a thread of its own, since one that waits for a share which does not answer is held as long as
 * that; how many there are at once is the caller's affair (`withTimeLimits`).
 */
export class FileThreads {
  readonly #entry: string
  readonly #idle: Thread[] = []
  readonly #all = new Set<Thread>()
  #idleTimer: NodeJS.Timeout | null = null

  constructor(entry: string) {
    this.#entry = entry
  }

  readonly ask: AskTogether = (task, inputs) =>
    new Promise((resolve, reject) => {
      const thread = this.#idle.pop() ?? this.#start()
      thread.worker.ref()
      thread.settle = (outcome) => {
        thread.settle = null
        thread.worker.unref()
        if ('error' in outcome) return reject(outcome.error)
        this.#idle.push(thread)
        this.#endLater()
        resolve(outcome.answers)
      }
      thread.worker.postMessage({ task, inputs })
    })

  /** One that the file system does not answer is not waited for. */
  close(): void {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer)
    this.#idle.length = 0
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
    const at = this.#idle.indexOf(thread)
    if (at >= 0) this.#idle.splice(at, 1)
    thread.settle?.({ error: error instanceof Error ? error : new Error(String(error)) })
  }

  #endLater(): void {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => {
      for (const { worker } of this.#idle.splice(0)) void worker.terminate()
    }, idleMs).unref()
  }
}
