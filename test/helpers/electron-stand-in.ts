import { EventEmitter } from 'node:events'
import Module from 'node:module'

/** A stand-in for an object of Electron's: whatever is not modelled throws, so that nothing passes by accident. */
export function strict<T extends object>(name: string, model: T): T {
  return new Proxy(model, {
    get(target, key) {
      if (key in target || typeof key === 'symbol' || key === 'then' || key === '__esModule')
        return Reflect.get(target, key) as unknown
      throw new Error(`${name}.${key} is not modelled`)
    },
  })
}

export type StandIn = {
  electron: object
  /** What the page sees as `window.sheaf`, once the preload ran. */
  bridge: () => {
    call(name: string, input: unknown): Promise<unknown>
    onEvent(listener: (name: string, payload: unknown) => void): () => void
  }
  /** Sends a call as another page would. */
  callFrom: (url: string, name: string) => Promise<unknown>
  windowOptions: () => Record<string, unknown>
  loadedUrl: () => string | null
  menu: () => MenuItem[]
  request: (request: Request) => Promise<Response>
  denied: {
    navigation: (url: string) => boolean
    newWindow: () => unknown
    permission: (name: string, url: string) => boolean
    /** What is asked before a page may do something without a question; a page that is gone has no contents. */
    permissionCheck: (name: string, url: string) => boolean
  }
  /** What the page does while its window closes. */
  onClosing: (work: () => void) => void
  /** A person starts Sheaf while it runs. */
  startAgain: () => void
  /** How often the window was brought to the front. */
  focused: () => number
  quit: () => Promise<void>
}

/** As far as a test looks at it. */
export type MenuItem = { label?: string; role?: string; accelerator?: string; click?: () => void; submenu?: MenuItem[] }

type Handler = (event: unknown, ...values: unknown[]) => Promise<unknown>

/** Electron as far as Sheaf uses it: the wiring, not the sandbox, the keychain or the screen. */
export function electronStandIn(options: { documents: string }): StandIn {
  const app = Object.assign(new EventEmitter(), {
    requestSingleInstanceLock: () => true,
    whenReady: () => Promise.resolve(),
    getPath: (name: string) => {
      if (name !== 'documents') throw new Error(`getPath(${name}) is not modelled`)
      return options.documents
    },
    getLocale: () => 'de-AT',
    quit: () => {
      const event = { defaultPrevented: false, preventDefault: () => (event.defaultPrevented = true) }
      app.emit('before-quit', event)
      if (!event.defaultPrevented) app.emit('will-quit')
    },
    exit: (code: number) => {
      throw new Error(`app.exit(${code})`)
    },
  })
  const handlers = new Map<string, Handler>()
  const schemes = new Map<string, (request: Request) => Promise<Response>>()
  const privileged: string[] = []
  const state: {
    bridge: unknown
    options: Record<string, unknown> | null
    url: string | null
    permission: ((contents: unknown, permission: string, answer: (granted: boolean) => void) => void) | null
    permissionCheck: ((contents: unknown, permission: string, origin: string) => boolean) | null
    newWindow: (() => unknown) | null
    menu: MenuItem[]
    closing: () => void
    isClosed: boolean
    focused: number
  } = {
    bridge: null,
    options: null,
    url: null,
    permission: null,
    permissionCheck: null,
    newWindow: null,
    menu: [],
    closing: () => undefined,
    isClosed: false,
    focused: 0,
  }
  const ipcRenderer = Object.assign(new EventEmitter(), {
    invoke: (channel: string, ...values: unknown[]) => invoke('sheaf://app/', channel, values),
  })
  const webContents = Object.assign(new EventEmitter(), {
    isDestroyed: () => state.isClosed,
    send: (channel: string, ...values: unknown[]) =>
      void ipcRenderer.emit(channel, {}, ...values.map((value) => structuredClone(value))),
    setWindowOpenHandler: (handler: () => unknown) => (state.newWindow = handler),
  })

  const contents = strict('webContents', webContents)

  async function invoke(url: string, channel: string, values: unknown[]): Promise<unknown> {
    const handler = handlers.get(channel)
    if (handler === undefined) throw new Error(`nothing handles ${channel}`)
    // What crosses the processes is cloned: a function or a class would fail here as it does there.
    return structuredClone(
      await handler({ sender: contents, senderFrame: { url } }, ...values.map((value) => structuredClone(value))),
    )
  }

  class BrowserWindow extends EventEmitter {
    constructor(given: Record<string, unknown>) {
      super()
      state.options = given
    }
    get webContents(): typeof contents {
      if (state.isClosed) throw new TypeError('Object has been destroyed')
      return contents
    }
    async loadURL(url: string): Promise<void> {
      state.url = url
      this.emit('ready-to-show')
    }
    show(): void {}
    focus(): void {
      state.focused += 1
    }
    isMinimized(): boolean {
      return false
    }
    isDestroyed(): boolean {
      return state.isClosed
    }
    close(): void {
      state.closing()
      state.isClosed = true
      this.emit('closed')
      app.emit('window-all-closed')
    }
  }

  const electron = strict('electron', {
    app: strict('app', app),
    BrowserWindow,
    dialog: strict('dialog', {}),
    Menu: strict('Menu', {
      buildFromTemplate: (template: MenuItem[]) => template,
      setApplicationMenu: (menu: MenuItem[]) => void (state.menu = menu),
    }),
    ipcMain: strict('ipcMain', { handle: (channel: string, handler: Handler) => void handlers.set(channel, handler) }),
    protocol: strict('protocol', {
      registerSchemesAsPrivileged: (list: { scheme: string }[]) =>
        void privileged.push(...list.map(({ scheme }) => scheme)),
      handle: (scheme: string, handler: (request: Request) => Promise<Response>) => {
        if (!privileged.includes(scheme)) throw new Error(`${scheme} was not registered before the app was ready`)
        schemes.set(scheme, handler)
      },
    }),
    safeStorage: strict('safeStorage', {}),
    session: strict('session', {
      defaultSession: strict('defaultSession', {
        setPermissionRequestHandler: (handler: typeof state.permission) => (state.permission = handler),
        setPermissionCheckHandler: (handler: typeof state.permissionCheck) => (state.permissionCheck = handler),
      }),
    }),
    shell: strict('shell', {}),
    utilityProcess: strict('utilityProcess', {}),
    contextBridge: strict('contextBridge', {
      exposeInMainWorld: (name: string, value: unknown) => {
        if (name !== 'sheaf') throw new Error(`exposed as ${name}`)
        state.bridge = value
      },
    }),
    ipcRenderer: strict('ipcRenderer', ipcRenderer),
  })

  return {
    electron,
    bridge: () => state.bridge as ReturnType<StandIn['bridge']>,
    callFrom: (url, name) => invoke(url, 'sheaf:call', [name, {}]),
    windowOptions: () => state.options ?? {},
    loadedUrl: () => state.url,
    menu: () => state.menu,
    request: (request) => schemes.get('sheaf')!(request),
    denied: {
      navigation: (url) => {
        const event = { prevented: false, preventDefault: () => (event.prevented = true) }
        webContents.emit('will-navigate', event, url)
        return event.prevented
      },
      newWindow: () => state.newWindow?.(),
      permission: (name, url) => {
        let granted = true
        state.permission?.(strict('webContents', { getURL: () => url }), name, (answer) => (granted = answer))
        return !granted
      },
      // Electron grants every check for which nobody set a handler, and gives none the contents in some cases.
      permissionCheck: (name, url) => !(state.permissionCheck?.(null, name, url) ?? true),
    },
    onClosing: (work) => (state.closing = work),
    startAgain: () => void app.emit('second-instance'),
    focused: () => state.focused,
    quit: () =>
      new Promise((resolve) => {
        app.once('will-quit', () => resolve())
        app.quit()
      }),
  }
}

type Loader = { _load: (request: string, ...rest: unknown[]) => unknown }

/** Makes `require('electron')` give the stand-in, until the returned function is called. */
export function replaceElectron(electron: object): () => void {
  const loader = Module as unknown as Loader
  const original = loader._load
  loader._load = function (this: unknown, request: string, ...rest: unknown[]) {
    return request === 'electron' ? electron : original.call(this, request, ...rest)
  }
  return () => {
    loader._load = original
  }
}
