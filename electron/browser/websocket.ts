import { setImmediate } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import * as z from 'zod'
import { calls } from '../../shared/contract/contract.ts'
import type { CallHandlers } from '../../shared/contract/contract.ts'
import { dispatch } from '../../shared/contract/dispatch.ts'
import type { Answer } from '../../shared/contract/dispatch.ts'
import { parseJson } from '../../shared/domain/json.ts'

const message = z.object({ id: z.number(), name: z.string(), input: z.unknown() })

/**
 * The calls of one window. They come over its sockets, and in one request as it ends, since what is sent over a socket
 * at that moment may be lost with it. Their ids rise, so that a call that comes both ways is carried out once.
 */
export class WindowCalls {
  readonly #handlers: CallHandlers
  #lastId = -Infinity
  #sockets = 0

  constructor(handlers: CallHandlers) {
    this.#handlers = handlers
  }

  get isConnected(): boolean {
    return this.#sockets > 0
  }

  /** Counts a socket of the window until it is closed. */
  connected(socket: WebSocket): void {
    this.#sockets += 1
    socket.on('close', () => (this.#sockets -= 1))
  }

  /**
   * Carries out `{id, name, input}` and resolves with what its window is told. Null: it is no call, or was carried out
   * before.
   */
  take(value: unknown): Promise<{ id: number; answer: Answer }> | null {
    const parsed = message.safeParse(value)
    if (!parsed.success || parsed.data.id <= this.#lastId) return null
    const { id, name, input } = parsed.data
    this.#lastId = id
    return dispatch(calls, this.#handlers, name, input).then((answer) => ({ id, answer }))
  }

  /**
   * Carries out what a window that ends sends along, the text of a list of calls, each in a turn of its own. False: it
   * is no list.
   */
  async takeLast(text: string): Promise<boolean> {
    const list = parseJson(text)
    if (!Array.isArray(list)) return false
    for (const value of list) {
      void this.take(value)
      await setImmediate()
    }
    return true
  }
}

/** So many windows are remembered, besides those that are connected: each may still send its last calls. */
const maxWindows = 1000

/** The windows of this host, each with its calls, by the name that a window gives itself. */
export class OpenWindows {
  readonly #handlers: CallHandlers
  /** The most recently used is last. */
  readonly #windows = new Map<string, WindowCalls>()

  constructor(handlers: CallHandlers) {
    this.#handlers = handlers
  }

  /** The calls of the window that an address names (`?window=`); new ones, not remembered, where it names none. */
  callsOf(url: URL): WindowCalls {
    const name = url.searchParams.get('window')
    if (name === null) return new WindowCalls(this.#handlers)
    const calls = this.#windows.get(name) ?? new WindowCalls(this.#handlers)
    this.#windows.delete(name)
    this.#windows.set(name, calls)
    for (const [each, { isConnected }] of this.#windows) {
      if (this.#windows.size <= maxWindows) break
      if (!isConnected && each !== name) this.#windows.delete(each)
    }
    return calls
  }
}

/**
 * Serves one window over a WebSocket: `{id, name, input}` is answered by `{id, answer}`; events go out as
 * `{event, payload}`. What is not such a message is ignored.
 */
export function serveSocket(
  socket: WebSocket,
  windowCalls: WindowCalls,
  onEvent: (listener: (name: string, payload: unknown) => void) => () => void,
): void {
  const send = (value: unknown): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(value))
  }
  const stop = onEvent((event, payload) => send({ event, payload }))
  windowCalls.connected(socket)
  socket.on('close', stop)
  socket.on('error', () => socket.terminate())
  socket.on('message', (data, isBinary) => void windowCalls.take(isBinary ? null : parseJson(String(data)))?.then(send))
}
