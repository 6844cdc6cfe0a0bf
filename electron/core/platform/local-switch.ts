import { AppError } from '../../../shared/domain/errors.ts'
import type { ServiceFile } from '../../../shared/wire/service-control.ts'
import type { Tables } from '../db/tables/tables.ts'
import type { ReadingLanguage } from '../../../shared/domain/reading-languages.ts'

/** The platform's service on this computer, a process of its own: started when first needed. */
export type LocalService = {
  /** Resolves when it answers and reads pictures in these languages; throws `service_not_started`. */
  start(languages: readonly ReadingLanguage[]): Promise<ServiceFile>
  /** Ends the process until `start` is called again. */
  suspend(): Promise<void>
  /** Ends it for good. */
  stop(): Promise<void>
}

type SwitchTables = Pick<Tables, 'settings' | 'connections' | 'documents'>

/**
 * The service on this computer behind its switch in the settings. While it is off nothing starts it, and its connection
 * is paused as one that waits for a person (`service_off`), so what is sent there waits.
 */
export class LocalSwitch {
  readonly #local: LocalService
  readonly #tables: SwitchTables

  constructor(local: LocalService, books: SwitchTables) {
    this.#local = local
    this.#tables = books
  }

  /**
   * The service that runs, or is started now, reading in the chosen languages. Throws `service_off` or
   * `service_not_started`.
   */
  async start(): Promise<ServiceFile> {
    if (!this.#isOn()) throw new AppError('service_off')
    const file = await this.#local.start(this.#tables.settings.get().readingLanguages)
    if (this.#isOn()) return file
    // It was switched off while it started.
    await this.#local.suspend()
    throw new AppError('service_off')
  }

  /** Ends it for good: Sheaf ends. */
  stop(): Promise<void> {
    return this.#local.stop()
  }

  /**
   * Makes the connection say what the setting says. Where it is on, what else stopped the way there is over: its
   * service starts anew.
   */
  apply(): void {
    const { id } = this.#tables.connections.local()
    if (this.#isOn()) this.#tables.connections.resume(id)
    else this.#tables.connections.pause(id, 'service_off', {})
  }

  /**
   * Ends the process at once, whatever it does: nothing is billed here, so a document that it was reading is queued
   * again, and one that it has taken for a webhook is stored there and goes on when it is on. A service that another
   * program runs with the same folder is left alone and no longer asked.
   */
  suspend(): Promise<void> {
    return this.#local.suspend()
  }

  /**
   * Starts it where documents wait for its webhook: it has to run to deliver them, and may have ended meanwhile, also
   * with another program that began it. Whether it starts is told by the first document that needs it.
   */
  startIfAwaited(): void {
    const local = this.#tables.connections.local().id
    if (this.#tables.documents.withStatus('waiting').some(({ connectionId }) => connectionId === local))
      this.start().catch(() => undefined)
  }

  #isOn(): boolean {
    return this.#tables.settings.get().localService
  }
}
