/** What `wait` comes to, unless `signal` is aborted before: then it throws its reason, and nobody hears of `wait` any more. */
export async function orAborted<T>(wait: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return wait
  const over = new AbortController()
  const aborted = new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: over.signal })
  })
  return Promise.race([wait, aborted]).finally(() => over.abort())
}
