import { contextBridge, ipcRenderer } from 'electron'
import type { IpcRendererEvent } from 'electron'

// One file without dependencies: a sandboxed preload can load nothing but electron. Hence the channels by name.
const bridge = {
  call: (name: string, input: unknown): Promise<unknown> => ipcRenderer.invoke('sheaf:call', name, input),
  onEvent: (listener: (name: string, payload: unknown) => void): (() => void) => {
    const forward = (_event: IpcRendererEvent, name: string, payload: unknown): void => listener(name, payload)
    ipcRenderer.on('sheaf:event', forward)
    return () => ipcRenderer.off('sheaf:event', forward)
  },
}
contextBridge.exposeInMainWorld('sheaf', bridge)
