import type { Bridge } from '../../shared/contract.ts'
import type { Answer } from '../../shared/dispatch.ts'

type Pending = { resolve: (answer: Answer) => void }
type ServerMessage = { id: number; answer: Answer } | { event: string; payload: unknown }

const firstDelayMs = 250
const longestDelayMs = 5_000

/**
 * A bridge over one WebSocket that reconnects by itself, first after 250 ms and then ever more slowly up to 5 s.
 * `onConnected` hears of every change. Calls made while there is no connection wait for it; calls whose answer
 * was lost are answered with an error, because nobody knows whether they were carried out.
 */
export function webSocketBridge(url: string, onConnected: (connected: boolean) => void): Bridge {
  const pending = new Map<number, Pending>()
  const unsent: string[] = []
  const listeners = new Set<(name: string, payload: unknown) => void>()
  let socket: WebSocket | null = null
  let lastId = 0
  let delayMs = firstDelayMs

  function connect(): void {
    const next = new WebSocket(url)
    next.addEventListener('open', () => {
      socket = next
      delayMs = firstDelayMs
      for (const message of unsent.splice(0)) next.send(message)
      onConnected(true)
    })
    next.addEventListener('message', (message: MessageEvent<string>) => receive(JSON.parse(message.data) as ServerMessage))
    next.addEventListener('close', () => {
      if (socket === next) {
        socket = null
        onConnected(false)
        for (const { resolve } of pending.values()) resolve({ ok: false, error: { code: 'internal', details: { detail: 'connection closed' } } })
        pending.clear()
      }
      setTimeout(connect, delayMs)
      delayMs = Math.min(delayMs * 2, longestDelayMs)
    })
  }

  function receive(message: ServerMessage): void {
    if ('event' in message) {
      for (const listener of listeners) listener(message.event, message.payload)
      return
    }
    pending.get(message.id)?.resolve(message.answer)
    pending.delete(message.id)
  }

  connect()
  return {
    call(name, input) {
      const id = ++lastId
      const message = JSON.stringify({ id, name, input })
      return new Promise((resolve) => {
        pending.set(id, { resolve })
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
