/** What the browser has stored under a key; null where it stores nothing, or something that is not JSON. */
export function readStored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as unknown
  } catch {
    return null
  }
}

/** Stores a value in the browser; null removes it. Where nothing can be stored, it lasts as long as the screen. */
export function writeStored(key: string, value: unknown): void {
  try {
    // Where the new value does not fit, the old one must not stay: it is out of date.
    localStorage.removeItem(key)
    if (value !== null) localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // The screen still has the value in memory.
  }
}
