import type { ServerResponse } from 'node:http'

/** A signal that is aborted when the client's connection closes before the answer is written. */
export function abortOnDisconnect(outgoing: Pick<ServerResponse, 'writableFinished' | 'closed' | 'once'>): AbortSignal {
  const controller = new AbortController()
  const onClose = (): void => {
    if (!outgoing.writableFinished) controller.abort(new Error('the client left'))
  }
  if (outgoing.closed) onClose()
  else outgoing.once('close', onClose)
  return controller.signal
}
