/** The outcome of `wait`, unless `signal` is aborted before: then it throws the reason and `wait` is ignored. */
export async function abortable<T>(wait: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return wait
  let release = (): void => undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    release = () => signal.removeEventListener('abort', onAbort)
  })
  return Promise.race([wait, aborted]).finally(() => release())
}

/**
 * Aborts `controller` when `signal` is, for the same reason, until what is returned is called. `AbortSignal.any` would
 * be held by a signal that lives as long as the program, and with it everything that listens there.
 */
export function forwardAbort(signal: AbortSignal | undefined, controller: AbortController): () => void {
  if (signal === undefined) return () => undefined
  const onAbort = (): void => controller.abort(signal.reason)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  return () => signal.removeEventListener('abort', onAbort)
}
