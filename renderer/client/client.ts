import { onlineManager } from '@tanstack/react-query'
import { AppError } from '../../shared/domain/errors.ts'
import type { Bridge, CallInput, CallName, CallOutput } from '../../shared/contract/contract.ts'
import { sessionHeaders, sessionProtocols } from './session.ts'
import { webSocketBridge } from './websocket-bridge.ts'

/** The desktop host's preload script puts its bridge here. */
type WithBridge = Window & { sheaf?: Bridge }

/** The name of this window in its calls, and in events about what it did itself. */
export const windowName = crypto.randomUUID()

let bridge: Bridge | null = null
const endings = new Set<() => void>()

/** Calls `work` when the page ends. */
export function onPageHide(work: () => void): void {
  endings.add(work)
}

/**
 * The bridge of the desktop host when there is one, else a WebSocket to the host that served this page, which must have
 * let it in.
 */
export function getBridge(): Bridge {
  if (bridge === null) {
    // Added before the bridge's own listener, which sends the last calls: listeners run in the order in which they were
    // added.
    addEventListener('pagehide', () => endings.forEach((work) => work()))
    bridge = (window as WithBridge).sheaf ?? browserBridge()
  }
  return bridge
}

function browserBridge(): Bridge {
  const socket = new URL(`/ws?window=${windowName}`, location.href)
  socket.protocol = socket.protocol === 'https:' ? 'wss:' : 'ws:'
  // Queries and actions wait while the host is away and go on when it is back.
  onlineManager.setOnline(false)
  const host = {
    socketUrl: socket.href,
    socketProtocols: sessionProtocols(),
    lastCallsUrl: `/calls?window=${windowName}`,
    headers: sessionHeaders(),
  }
  return webSocketBridge(host, (connected) => onlineManager.setOnline(connected))
}

/** Carries one call of the contract to core. Throws the `AppError` that core answered. */
export async function call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> {
  const answer = await getBridge().call(name, input)
  if (answer.ok) return answer.value as CallOutput<N>
  throw new AppError(answer.error.code, answer.error.details, { retryAfterMs: answer.error.retryAfterMs })
}
