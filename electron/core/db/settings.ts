import { settings as settingsShape } from '../../../shared/contract.ts'
import type { Settings } from '../../../shared/contract.ts'
import type { Database } from './open.ts'

/** What the person set (one JSON document) and single values that core keeps for itself. */
export function settingsTable(db: Database) {
  const select = db.prepare<[string], { value: string }>('SELECT value FROM settings WHERE key = ?')
  const upsert = db.prepare<[string, string]>(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  )
  const read = (key: string): unknown => {
    const row = select.get(key)
    return row === undefined ? undefined : JSON.parse(row.value)
  }

  return {
    get(): Settings {
      return settingsShape.parse(read('settings') ?? {})
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
      return (read('callbackPort') as number | undefined) ?? null
    },
    setCallbackPort(port: number): void {
      upsert.run('callbackPort', JSON.stringify(port))
    },
  }
}
