import type { ServerResponse } from 'node:http'

/** Aborted when nobody waits for the answer any more: its connection closed before it was written. */
export function untilClientLeaves(outgoing: Pick<ServerResponse, 'writableFinished' | 'closed' | 'once'>): AbortSignal {
  const left = new AbortController()
  const leave = (): void => {
    if (!outgoing.writableFinished) left.abort(new Error('the client left'))
  }
  if (outgoing.closed) leave()
  else outgoing.once('close', leave)
  return left.signal
}
