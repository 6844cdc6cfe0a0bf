import { AppError } from '../../../shared/errors.ts'
import type { ServiceFile } from '../../../shared/service-control.ts'
import type { Tables } from '../db/tables.ts'
import type { LocalService } from './connect.ts'

type SwitchBooks = Pick<Tables, 'settings' | 'connections' | 'jobs'>

/**
 * The service on this computer behind its switch in the settings. While it is off nothing starts it, and its connection is
 * paused as one that waits for a person (`service_off`), so what is sent there waits.
 */
export class LocalSwitch {
  readonly #local: LocalService
  readonly #books: SwitchBooks

  constructor(local: LocalService, books: SwitchBooks) {
    this.#local = local
    this.#books = books
  }

  /** The service that runs, or is started now, reading in the chosen languages. Throws `service_off` or `service_not_started`. */
  async start(): Promise<ServiceFile> {
    if (!this.#isOn()) throw new AppError('service_off')
    const file = await this.#local.start(this.#books.settings.get().readingLanguages)
    if (this.#isOn()) return file
    // It was switched off while it started.
    await this.#local.rest()
    throw new AppError('service_off')
  }

  /** Ends it for good: Sheaf ends. */
  stop(): Promise<void> {
    return this.#local.stop()
  }

  /** Makes the connection say what the setting says. Where it is on, what else stopped the way there is over: its service starts anew. */
  apply(): void {
    const { id } = this.#books.connections.local()
    if (this.#isOn()) this.#books.connections.resume(id)
    else this.#books.connections.pause(id, 'service_off', {})
  }

  /**
   * Ends the process at once, whatever it does: nothing is billed here, so a document that it was reading is queued again, and
   * one that it has taken for a webhook is stored there and goes on when it is on. A service that another program runs with
   * the same folder is left alone and no longer asked.
   */
  rest(): Promise<void> {
    return this.#local.rest()
  }

  /** Starts it where documents wait for its webhook: it has to run to deliver them. Whether it starts is told by the first job that needs it. */
  startIfAwaited(): void {
    const local = this.#books.connections.local().id
    if (this.#books.jobs.withStatus('waiting').some(({ connectionId }) => connectionId === local)) this.start().catch(() => undefined)
  }

  #isOn(): boolean {
    return this.#books.settings.get().localService
  }
}
