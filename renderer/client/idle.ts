/** Where a browser does not say when it has nothing to do, as Safari. */
const unaskedMs = 50

/** Calls once the window has nothing else to do. Returns how to take that back. */
export function whenIdle(run: () => void): () => void {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(run, unaskedMs)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(run)
  return () => cancelIdleCallback(idle)
}
