import type { WebSocket } from 'ws'
import { z } from 'zod'
import { calls } from '../../shared/contract.ts'
import type { CallHandlers } from '../../shared/contract.ts'
import { dispatch } from '../../shared/dispatch.ts'

const message = z.object({ id: z.number(), name: z.string(), input: z.unknown() })

/**
 * Serves one window over a WebSocket: `{id, name, input}` is answered by `{id, answer}`; events go out as
 * `{event, payload}`. What is not such a message is ignored.
 */
export function serveSocket(
  socket: WebSocket,
  handlers: CallHandlers,
  onEvent: (heard: (name: string, payload: unknown) => void) => () => void,
): void {
  const send = (value: unknown): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(value))
  }
  const stop = onEvent((event, payload) => send({ event, payload }))
  socket.on('close', stop)
  socket.on('error', () => socket.terminate())
  socket.on('message', (data, isBinary) => {
    const parsed = message.safeParse(isBinary ? null : parseJson(String(data)))
    if (!parsed.success) return
    const { id, name, input } = parsed.data
    void dispatch(calls, handlers, name, input).then((answer) => send({ id, answer }))
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
