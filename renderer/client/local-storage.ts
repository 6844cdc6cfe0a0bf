/** What the browser keeps for this computer; null where it keeps nothing, or something that is no JSON. */
export function readStored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as unknown
  } catch {
    return null
  }
}

/** Has the browser keep a value; null forgets it. Where it keeps nothing, it lasts as long as the screen. */
export function writeStored(key: string, value: unknown): void {
  try {
    // Where the new value has no room, the old one is not true any more.
    localStorage.removeItem(key)
    if (value !== null) localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // The screen has it all the same.
  }
}
