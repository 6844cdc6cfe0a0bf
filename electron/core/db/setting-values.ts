import type { Database } from './open.ts'

/** The values of the table of settings: JSON, by their keys. */
export class SettingValues {
  readonly #select
  readonly #upsert

  constructor(db: Database) {
    this.#select = db.prepare<[string], { value: string }>('SELECT value FROM settings WHERE key = ?')
    this.#upsert = db.prepare<[string, string]>(
      'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    )
  }

  /** Null for a key that was never set. Throws a `SyntaxError` for a value of which a bit flipped. */
  read(key: string): unknown {
    return JSON.parse(this.#select.get(key)?.value ?? 'null')
  }

  /** `read` that takes what cannot be read as never set; a start repairs it. */
  readOrNull(key: string): unknown {
    try {
      return this.read(key)
    } catch (error) {
      if (error instanceof SyntaxError) return null
      throw error
    }
  }

  write(key: string, value: unknown): void {
    this.#upsert.run(key, JSON.stringify(value))
  }
}
