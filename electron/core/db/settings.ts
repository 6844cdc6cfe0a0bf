import { z } from 'zod'
import { settings as settingsShape } from '../../../shared/contract.ts'
import type { Settings } from '../../../shared/contract.ts'
import type { Database } from './open.ts'

const portShape = z.number().int().min(1).max(65_535)

/** What the person set (one JSON document) and single values that core keeps for itself. */
export function settingsTable(db: Database) {
  const select = db.prepare<[string], { value: string }>('SELECT value FROM settings WHERE key = ?')
  const upsert = db.prepare<[string, string]>(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  )
  const read = (key: string): unknown => {
    try {
      return JSON.parse(select.get(key)?.value ?? 'null')
    } catch (error) {
      // A bit of it flipped: as if it was never set. A start repairs it.
      if (error instanceof SyntaxError) return null
      throw error
    }
  }

  return {
    /** What cannot be read is at its default. */
    get(): Settings {
      const stored = z.record(z.string(), z.unknown()).safeParse(read('settings')).data ?? {}
      const readable = Object.entries(settingsShape.shape).flatMap(([name, shape]) => (shape.safeParse(stored[name]).success ? [[name, stored[name]]] : []))
      return settingsShape.parse(Object.fromEntries(readable))
    },
    update(change: Partial<Settings>): Settings {
      const next = settingsShape.parse({ ...this.get(), ...change })
      upsert.run('settings', JSON.stringify(next))
      return next
    },
    /** Whether the person stopped sending; it stays so over a restart. */
    isPaused(): boolean {
      return read('paused') === true
    },
    setPaused(paused: boolean): void {
      upsert.run('paused', JSON.stringify(paused))
    },
    /** The port of the callback listener, kept so that answers still find it after a restart. */
    callbackPort(): number | null {
      return portShape.safeParse(read('callbackPort')).data ?? null
    },
    setCallbackPort(port: number): void {
      upsert.run('callbackPort', JSON.stringify(port))
    },
  }
}
