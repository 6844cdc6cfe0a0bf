/** For browsers without requestIdleCallback, such as Safari. */
const unaskedMs = 50

/** Calls `run` once the window is idle. Returns a function that cancels that. */
export function whenIdle(run: () => void): () => void {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(run, unaskedMs)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(run)
  return () => cancelIdleCallback(idle)
}
