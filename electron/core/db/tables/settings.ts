import * as z from 'zod'
import { settings as settingsShape } from '../../../../shared/contract/contract.ts'
import type { Settings } from '../../../../shared/contract/contract.ts'
import type { Database } from '../open.ts'
import { SettingValues } from '../setting-values.ts'

/** What of the stored settings counts. Pure. */
export type Prescribe = (settings: Settings) => Settings

const idsShape = z.array(z.number().int())
const portShape = z.number().int().min(1).max(65_535)

/** What the person set (one JSON document) and single values that core keeps for itself. */
export class SettingsTable {
  readonly #values: SettingValues
  readonly #asPrescribed: Prescribe

  constructor(db: Database, asPrescribed: Prescribe) {
    this.#asPrescribed = asPrescribed
    this.#values = new SettingValues(db)
  }

  /** What cannot be read is at its default. */
  get(): Settings {
    return this.#asPrescribed(this.#stored())
  }

  #stored(): Settings {
    const stored = z.record(z.string(), z.unknown()).safeParse(this.#values.readOrNull('settings')).data ?? {}
    const readable = Object.entries(settingsShape.shape).flatMap(([name, shape]) =>
      shape.safeParse(stored[name]).success ? [[name, stored[name]]] : [],
    )
    return settingsShape.parse(Object.fromEntries(readable))
  }

  update(change: Partial<Settings>): Settings {
    this.#values.write('settings', settingsShape.parse({ ...this.#stored(), ...change }))
    return this.get()
  }

  /** Whether the person stopped sending; it stays so over a restart. */
  isPaused(): boolean {
    return this.#values.readOrNull('paused') === true
  }

  setPaused(paused: boolean): void {
    this.#values.write('paused', paused)
  }

  /** Folders that are paused since an administrator does not allow them, and not by a person. */
  forbiddenFolders(): number[] {
    return idsShape.safeParse(this.#values.readOrNull('forbiddenFolders')).data ?? []
  }

  setForbiddenFolders(ids: number[]): void {
    this.#values.write('forbiddenFolders', ids)
  }

  /** The port of the callback listener, kept so that answers still find it after a restart. */
  callbackPort(): number | null {
    return portShape.safeParse(this.#values.readOrNull('callbackPort')).data ?? null
  }

  setCallbackPort(port: number): void {
    this.#values.write('callbackPort', port)
  }

  /** The port at which a browser knows the window, with what it keeps for it. */
  windowPort(): number | null {
    return portShape.safeParse(this.#values.readOrNull('windowPort')).data ?? null
  }

  setWindowPort(port: number): void {
    this.#values.write('windowPort', port)
  }
}
