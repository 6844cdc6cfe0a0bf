import type { StorageTrouble } from '../../../../shared/contract/storage.ts'
import { isDamage, isStorageTrouble, troubleIn } from '../../db/durability/storage-trouble.ts'
import type { Context } from '../context.ts'

type Options = Pick<Context, 'emit'> & {
  retryMs: number
  /** Writes something into the data folder, and throws as long as that is not possible. */
  probe: () => void
  /** The database is damaged: whoever looks after it hears of it, and `holdForRepair` follows. */
  reportDamage: () => void
  /** There is room again. */
  onLifted: () => void
}

/** Holds everything that needs the disk while nothing can be stored, and asks the disk until it can. */
export class StorageHold {
  readonly #options: Options
  #trouble: StorageTrouble | null = null
  /** What could not be stored, and is stored with the next successful probe. */
  readonly #retries: (() => void)[] = []
  #timer: NodeJS.Timeout | null = null
  #stopped = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Why nothing can be stored, and so nothing is sent; null when it can. Lifted by itself. */
  get trouble(): StorageTrouble | null {
    return this.#trouble
  }

  /** Takes any error of the storage: holds until something can be stored again, or for the rest of this run. */
  report(error: unknown): void {
    if (isDamage(error)) this.#options.reportDamage()
    else this.#hold(error)
  }

  /** Runs `work`; what it meets of the storage is reported, anything else thrown. */
  guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!isStorageTrouble(error)) throw error
      this.report(error)
    }
  }

  /** Nothing goes any more in this run: the database is damaged, and the next start repairs it. */
  holdForRepair(): void {
    this.#trouble = 'damaged'
    this.#options.emit('app.changed', {})
  }

  /** `retry` is run each time the disk is asked, and holds on when it throws. */
  onRetry(retry: () => void): void {
    this.#retries.push(retry)
  }

  stop(): void {
    this.#stopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  #hold(error: unknown): void {
    if (this.#trouble === 'damaged') return
    const trouble = troubleIn(error)
    const isNews = this.#trouble !== trouble
    this.#trouble = trouble
    if (this.#timer === null && !this.#stopped) this.#timer = setTimeout(() => this.#retry(), this.#options.retryMs)
    if (isNews) this.#options.emit('app.changed', {})
  }

  #retry(): void {
    this.#timer = null
    if (this.#stopped || this.#trouble === 'damaged') return
    try {
      this.#options.probe()
      for (const retry of this.#retries) retry()
    } catch (error) {
      this.report(error)
      return
    }
    this.#trouble = null
    this.#options.emit('app.changed', {})
    this.#options.onLifted()
  }
}
