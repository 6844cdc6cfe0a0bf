import type { Bridge } from '../../shared/contract/contract.ts'
import type { Answer } from '../../shared/contract/dispatch.ts'
import { maxKeepaliveBytes } from '../../shared/domain/limits.ts'

type Pending = { message: string; resolve: (answer: Answer) => void }
type ServerMessage = { id: number; answer: Answer } | { event: string; payload: unknown }

const firstDelayMs = 250
const longestDelayMs = 5_000

/**
 * A bridge over one WebSocket that reconnects by itself, first after 250 ms and then ever more slowly up to 5 s.
 * `onConnected` is called with every change. Calls made while there is no connection wait for it; calls whose answer
 * was lost are answered with an error, because nobody knows whether they were carried out. When the page ends, calls
 * without an answer are sent again in one request, as far as 64 KiB hold them: unlike a socket, it outlives the page.
 * The host carries out no call twice.
 */
export function webSocketBridge(
  host: { socketUrl: string; socketProtocols: string[]; lastCallsUrl: string; headers: Record<string, string> },
  onConnected: (connected: boolean) => void,
): Bridge {
  const pending = new Map<number, Pending>()
  const unsent: string[] = []
  const listeners = new Set<(name: string, payload: unknown) => void>()
  let socket: WebSocket | null = null
  let lastId = 0
  let delayMs = firstDelayMs

  function connect(): void {
    const next = new WebSocket(host.socketUrl, host.socketProtocols)
    next.addEventListener('open', () => {
      socket = next
      delayMs = firstDelayMs
      for (const message of unsent.splice(0)) next.send(message)
      onConnected(true)
    })
    next.addEventListener('message', (message: MessageEvent<string>) =>
      receive(JSON.parse(message.data) as ServerMessage),
    )
    next.addEventListener('close', () => {
      if (socket === next) {
        socket = null
        onConnected(false)
        const lost = [...pending]
        // When a page ends, its socket may close before `pagehide` fires, and these calls are among the last ones.
        setTimeout(() => lost.forEach(giveUp), firstDelayMs)
      }
      setTimeout(connect, delayMs)
      delayMs = Math.min(delayMs * 2, longestDelayMs)
    })
  }

  function giveUp([id, { resolve }]: [number, Pending]): void {
    pending.delete(id)
    resolve({ ok: false, error: { code: 'internal', details: { detail: 'connection closed' } } })
  }

  function receive(message: ServerMessage): void {
    if ('event' in message) {
      for (const listener of listeners) listener(message.event, message.payload)
      return
    }
    pending.get(message.id)?.resolve(message.answer)
    pending.delete(message.id)
  }

  function sendLast(): void {
    const encoder = new TextEncoder()
    let sizeBytes = 2
    const messages = [...pending.values()].map(({ message }) => message)
    const tooMuch = messages.findIndex(
      (message) => (sizeBytes += encoder.encode(message).length + 1) > maxKeepaliveBytes,
    )
    const last = tooMuch < 0 ? messages : messages.slice(0, tooMuch)
    if (last.length === 0) return
    const { lastCallsUrl, headers } = host
    void fetch(lastCallsUrl, { method: 'POST', keepalive: true, headers, body: `[${last.join(',')}]` }).catch(
      () => undefined,
    )
  }

  connect()
  addEventListener('pagehide', sendLast)
  // A page that is restored from the back/forward cache does not know what became of its calls.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
  return {
    call(name, input) {
      const id = ++lastId
      const message = JSON.stringify({ id, name, input })
      return new Promise((resolve) => {
        pending.set(id, { message, resolve })
        if (socket) socket.send(message)
        else unsent.push(message)
      })
    },
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
