import { calls } from '../../shared/contract/contract.ts'
import type { CallHandlers } from '../../shared/contract/contract.ts'
import { dispatch } from '../../shared/contract/dispatch.ts'

/** The two channels between window and core in Electron. */
export const callChannel = 'sheaf:call'
export const eventChannel = 'sheaf:event'

type Sender = { isDestroyed(): boolean; send(channel: string, ...values: unknown[]): void }
type InvokeEvent = { sender: Sender; senderFrame: { url: string } | null }
type IpcMain = {
  handle(channel: string, listener: (event: InvokeEvent, name: unknown, input: unknown) => Promise<unknown>): void
}

/**
 * Answers calls of one window. A call from any other page than the app's own (`isTrusted` says which) is refused
 * before it is looked at.
 */
export function serveIpc(
  ipcMain: IpcMain,
  handlers: CallHandlers,
  onEvent: (listener: (name: string, payload: unknown) => void) => () => void,
  window: { webContents: Sender },
  isTrusted: (url: string) => boolean,
): () => void {
  // A window that is closed no longer gives its contents out.
  const { webContents } = window
  ipcMain.handle(callChannel, async (event, name, input) => {
    if (event.sender !== webContents || event.senderFrame === null || !isTrusted(event.senderFrame.url)) {
      return { ok: false, error: { code: 'invalid_input', details: { problem: 'the sender is not the window' } } }
    }
    return dispatch(calls, handlers, name, input)
  })
  return onEvent((name, payload) => {
    if (!webContents.isDestroyed()) webContents.send(eventChannel, name, payload)
  })
}
