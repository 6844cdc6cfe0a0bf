import { calls } from '../../shared/contract/contract.ts'
import type { CallHandlers } from '../../shared/contract/contract.ts'
import { dispatch } from '../../shared/contract/dispatch.ts'
import type { Answer } from '../../shared/contract/dispatch.ts'
import { maxCallBytes } from '../../shared/domain/limits.ts'

/** The two channels between window and core in Electron. */
export const callChannel = 'sheaf:call'
export const eventChannel = 'sheaf:event'

type Frame = { url: string }
type Contents = { mainFrame: Frame; isDestroyed(): boolean; send(channel: string, ...values: unknown[]): void }
type InvokeEvent = { sender: unknown; senderFrame: Frame | null }
type IpcMain = {
  handle(channel: string, listener: (event: InvokeEvent, name: unknown, input: unknown) => Promise<unknown>): void
}

/**
 * Answers calls of one window. A call from any other frame than its main one, or while that shows another page than the
 * app's own (`isTrusted` says which), is refused before it is looked at; so is an input that no call has.
 */
export function serveIpc(
  ipcMain: IpcMain,
  handlers: CallHandlers,
  onEvent: (listener: (name: string, payload: unknown) => void) => () => void,
  window: { webContents: Contents },
  isTrusted: (url: string) => boolean,
): () => void {
  // A window that is closed no longer gives its contents out.
  const { webContents } = window
  const isWindow = ({ sender, senderFrame }: InvokeEvent): boolean =>
    sender === webContents &&
    senderFrame !== null &&
    senderFrame === webContents.mainFrame &&
    isTrusted(senderFrame.url)
  ipcMain.handle(callChannel, async (event, name, input) => {
    if (!isWindow(event)) return refusal('the sender is not the window')
    if (!isPlainData(input)) return refusal('the input is too large, too deep, or no plain data')
    return dispatch(calls, handlers, name, input)
  })
  return onEvent((name, payload) => {
    if (!webContents.isDestroyed()) webContents.send(eventChannel, name, payload)
  })
}

function refusal(problem: string): Answer {
  return { ok: false, error: { code: 'invalid_input', details: { problem } } }
}

/** Far deeper than a schema whose lists hold lists. */
const maxDepth = 64
/** What an object, or a number, takes at least. */
const leastBytes = 8

/**
 * True for what the browser host would take over its WebSocket: objects, arrays, texts and numbers, and no more of
 * them. A window could send what else a structured clone carries: buffers, maps, and objects that hold themselves.
 */
function isPlainData(input: unknown): boolean {
  let bytesLeft = maxCallBytes
  const open: { value: unknown; depth: number }[] = [{ value: input, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next
    bytesLeft -= typeof value === 'string' ? value.length + leastBytes : leastBytes
    if (bytesLeft < 0 || depth > maxDepth || typeof value === 'bigint') return false
    if (typeof value !== 'object' || value === null) continue
    // A long array is not gone through to find out that it is too long.
    if (Array.isArray(value) ? value.length * leastBytes > bytesLeft : !isRecord(value)) return false
    for (const [key, inner] of Object.entries(value)) {
      bytesLeft -= key.length
      open.push({ value: inner, depth: depth + 1 })
    }
  }
  return true
}

function isRecord(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
