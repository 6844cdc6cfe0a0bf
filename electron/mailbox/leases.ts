import { maxBatchBytes, maxBatchMessages, maxInlineBytes } from '../../shared/wire/mailbox.ts'
import type { MailboxStore, StoredMessage } from './store.ts'

type Waiter = () => void

/**
 * Who has which message for now, and who waits for one. In memory and by a monotonic clock: after a restart everything
 * is handed out again, which a desktop recognises.
 */
export class Leases {
  readonly #store: MailboxStore
  readonly #leaseMs: number
  readonly #elapsedMs: () => number
  readonly #until = new Map<string, Map<number, number>>()
  readonly #waiters = new Map<string, Set<Waiter>>()

  constructor(store: MailboxStore, leaseMs: number, elapsedMs: () => number) {
    this.#store = store
    this.#leaseMs = leaseMs
    this.#elapsedMs = elapsedMs
  }

  /** The oldest messages of a box that nobody has now, leased from here on: one, or as many as stand in an answer. */
  take(boxId: string): StoredMessage[] {
    const leased = this.#current(boxId)
    const until = this.#elapsedMs() + this.#leaseMs
    const taken: StoredMessage[] = []
    let sizeBytes = 0
    for (const message of this.#store.messages(boxId)) {
      if (leased.has(message.id)) continue
      // A large one is only named in the answer.
      sizeBytes += message.sizeBytes > maxInlineBytes ? 0 : message.sizeBytes
      if (taken.length > 0 && (sizeBytes > maxBatchBytes || taken.length === maxBatchMessages)) break
      taken.push(message)
      leased.set(message.id, until)
    }
    if (leased.size > 0) this.#until.set(boxId, leased)
    else this.#until.delete(boxId)
    return taken
  }

  /** Gives back what is acknowledged (so there is nothing to lease) or, without ids, all that a box has. */
  release(boxId: string, ids?: readonly number[]): void {
    const leased = this.#until.get(boxId)
    if (ids !== undefined) for (const id of ids) leased?.delete(id)
    if (ids === undefined || leased?.size === 0) this.#until.delete(boxId)
  }

  /**
   * Resolves when a message has come for the box, a lease of it has ended, `limitMs` have passed or `signal` is
   * aborted.
   */
  wait(boxId: string, limitMs: number, signal: AbortSignal): Promise<void> {
    // One that has ended since `take` looked counts as well: it would be waited for in vain.
    const untilLeaseEnds = Math.min(...(this.#until.get(boxId)?.values() ?? [])) - this.#elapsedMs()
    return new Promise((resolve) => {
      const waiters = this.#waiters.get(boxId) ?? new Set()
      this.#waiters.set(boxId, waiters)
      const end = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        waiters.delete(end)
        if (waiters.size === 0 && this.#waiters.get(boxId) === waiters) this.#waiters.delete(boxId)
        resolve()
      }
      const timer = setTimeout(end, Math.max(0, Math.min(limitMs, untilLeaseEnds)))
      waiters.add(end)
      signal.addEventListener('abort', end)
      if (signal.aborted) end()
    })
  }

  /** A message arrived, or the box was removed. */
  wake(boxId: string): void {
    for (const waiter of [...(this.#waiters.get(boxId) ?? [])]) waiter()
  }

  /** Leases that have not ended. */
  #current(boxId: string): Map<number, number> {
    const now = this.#elapsedMs()
    return new Map([...(this.#until.get(boxId) ?? [])].filter(([, until]) => until > now))
  }
}
