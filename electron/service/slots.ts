/**
 * Who has the next turn, the first of these first: a document whose sender waits for the answer, a picture whose sender
 * waits (to recognise it takes seconds), and work that nobody waits for.
 */
const priorities = ['document', 'picture', 'background'] as const
export type Priority = (typeof priorities)[number]

/** After so many turns of its own a priority gives one to those behind it, so that none of them starves. */
const maxTurns = 3

type Queue = { maxRunning: number; running: number; turns: number; waiting: (() => void)[] }

/**
 * A semaphore of `count` permits, given by priority, and within one in the order in which they were asked for. Of
 * several permits pictures leave one to what is read at once.
 */
export class Slots {
  readonly #count: number
  readonly #queues: Record<Priority, Queue>

  constructor(count: number) {
    const queue = (maxRunning: number): Queue => ({ maxRunning, running: 0, turns: 0, waiting: [] })
    this.#count = count
    this.#queues = { document: queue(count), picture: queue(Math.max(1, count - 1)), background: queue(count) }
  }

  /** Runs `work` in a slot. Throws the reason of `signal` when that is aborted before a slot is free. */
  async run<T>(work: () => Promise<T>, priority: Priority, signal?: AbortSignal): Promise<T> {
    const queue = this.#queues[priority]
    signal?.throwIfAborted()
    await this.#turnIn(queue, signal)
    try {
      return await work()
    } finally {
      queue.running--
      this.#dispatch()
    }
  }

  #turnIn({ waiting }: Queue, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = (): void => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }
      const onAbort = (): void => {
        const place = waiting.indexOf(turn)
        if (place >= 0) waiting.splice(place, 1)
        reject(signal?.reason as Error)
      }
      waiting.push(turn)
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#dispatch()
    })
  }

  #dispatch(): void {
    const queue = this.#nextQueue()
    if (queue === undefined) return
    queue.running++
    queue.waiting.shift()!()
  }

  /** Whose turn it is; undefined where no permit is free for those who wait. */
  #nextQueue(): Queue | undefined {
    const all = priorities.map((priority) => this.#queues[priority])
    if (all.reduce((sum, { running }) => sum + running, 0) >= this.#count) return undefined
    const queues = all.filter(({ waiting, running, maxRunning }) => waiting.length > 0 && running < maxRunning)
    const queue = queues.find(({ turns }) => turns < maxTurns) ?? queues.at(-1)
    if (queue === undefined) return undefined
    for (const before of queues.slice(0, queues.indexOf(queue))) before.turns = 0
    queue.turns++
    return queue
  }
}
