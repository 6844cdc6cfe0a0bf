import * as z from 'zod'
import { settings as settingsShape } from '../../../../shared/contract/contract.ts'
import type { Settings } from '../../../../shared/contract/contract.ts'
import type { Database } from '../open.ts'
import { SettingValues } from '../setting-values.ts'

const portShape = z.number().int().min(1).max(65_535)

/** What the person set (one JSON document) and single values that core keeps for itself. */
export class SettingsTable {
  readonly #values: SettingValues

  constructor(db: Database) {
    this.#values = new SettingValues(db)
  }

  /** What cannot be read is at its default. */
  get(): Settings {
    const stored = z.record(z.string(), z.unknown()).safeParse(this.#values.readOrNull('settings')).data ?? {}
    const readable = Object.entries(settingsShape.shape).flatMap(([name, shape]) =>
      shape.safeParse(stored[name]).success ? [[name, stored[name]]] : [],
    )
    return settingsShape.parse(Object.fromEntries(readable))
  }

  update(change: Partial<Settings>): Settings {
    const next = settingsShape.parse({ ...this.get(), ...change })
    this.#values.write('settings', next)
    return next
  }

  /** Whether the person stopped sending; it stays so over a restart. */
  isPaused(): boolean {
    return this.#values.readOrNull('paused') === true
  }

  setPaused(paused: boolean): void {
    this.#values.write('paused', paused)
  }

  /** The port of the callback listener, kept so that answers still find it after a restart. */
  callbackPort(): number | null {
    return portShape.safeParse(this.#values.readOrNull('callbackPort')).data ?? null
  }

  setCallbackPort(port: number): void {
    this.#values.write('callbackPort', port)
  }
}
