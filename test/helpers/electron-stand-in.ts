import { fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import Module from 'node:module'
import { basename, join } from 'node:path'
import type { Area } from '../../electron/desktop/window-placement.ts'

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
  /** Sends a call as another page in the window would, or a frame within it. */
  callFrom: (url: string, name: string, frame?: 'main' | 'inner') => Promise<unknown>
  windowOptions: () => Record<string, unknown>
  loadedUrl: () => string | null
  menu: () => MenuItem[]
  request: (request: Request) => Promise<Response>
  denied: {
    navigation: (url: string, event?: string, isMainFrame?: boolean) => boolean
    newWindow: () => unknown
    webview: () => boolean
    device: () => boolean
    download: (url: string) => boolean
    /** By the patterns of the addresses that are cancelled. */
    request: (url: string) => boolean
    permission: (name: string, url: string, isMainFrame?: boolean) => boolean
    /** What is asked before a page may do something without a question; a page that is gone has no contents. */
    permissionCheck: (name: string, url: string) => boolean
  }
  /** What the page does while its window closes. */
  onClosing: (work: () => void) => void
  /** A person starts Sheaf while it runs, maybe with arguments. */
  startAgain: (...given: string[]) => void
  /** macOS: a file was opened with Sheaf, or dropped on its icon. */
  openFile: (path: string) => boolean
  /** The window as the screen has it. */
  window: () => WindowState
  /** The person closes the window by its button. */
  closeWindow: () => void
  tray: () => { tooltip: string; menu: MenuItem[]; image: string; click: () => void }
  dockMenu: () => MenuItem[]
  jumpList: () => { title: string; arguments: string }[]
  badge: () => number
  notifications: () => Notification[]
  loginItem: () => { openAtLogin: boolean; args: string[] } | null
  dragged: () => { files: string[]; icon: string } | null
  themeSource: () => string
  power: {
    suspend: () => void
    resume: () => void
    setOnBattery: (isOn: boolean) => void
    /** Whether the app has the system wait for it. */
    shutDown: () => boolean
  }
  /** The system logs the person out: nothing is asked, as on Windows. */
  endSession: () => void
  quit: () => Promise<void>
  /** What the app listens to, and whether every page of it is in a sandbox. */
  app: {
    listenerCount: (event: string) => number
    isSandboxed: () => boolean
    hasQuit: () => boolean
    exitCode: () => number | null
  }
  /** Sends an event to the page as the window's contents would. */
  emitToPage: (name: string, payload: unknown) => void
  /** The folder that the person chooses in the next dialogs, or saves into; null: nothing. */
  choose: (path: string | null) => void
  /** The last box with an error that was shown. */
  errorBox: () => string | null
}

/** As far as a test looks at it. */
export type MenuItem = {
  label?: string
  role?: string
  accelerator?: string
  enabled?: boolean
  click?: () => void
  submenu?: MenuItem[]
}

export type WindowState = {
  isShown: boolean
  /** How often it was brought to the front. */
  focused: number
  isMaximized: boolean
  zoom: number
  progress: { share: number; mode?: string }
}

export type Notification = { title: string; body: string; silent: boolean; isShown: boolean; click: () => void }

type Handler = (event: unknown, ...values: unknown[]) => Promise<unknown>

/** Electron as far as Sheaf uses it: the wiring, not the sandbox, the keychain or the screen. */
export function electronStandIn(options: {
  documents: string
  screens?: Area[]
  isFirst?: boolean
  safeStorage?: object
}): StandIn {
  const paths: Record<string, string> = { documents: options.documents }
  const app = Object.assign(new EventEmitter(), {
    requestSingleInstanceLock: () => options.isFirst ?? true,
    enableSandbox: () => void (state.isSandboxed = true),
    isPackaged: false,
    whenReady: () => Promise.resolve(),
    getPath: (name: string) => {
      const path = paths[name]
      if (path === undefined) throw new Error(`getPath(${name}) is not modelled`)
      return path
    },
    setPath: (name: string, path: string) => void (paths[name] = path),
    setAppUserModelId: () => undefined,
    setBadgeCount: (count: number) => void (state.badge = count),
    setUserTasks: (tasks: typeof state.jumpList) => void (state.jumpList = tasks),
    setLoginItemSettings: (item: typeof state.loginItem) => void (state.loginItem = item),
    dock: strict('dock', { setMenu: (menu: MenuItem[]) => void (state.dockMenu = menu) }),
    getLocale: () => 'de-AT',
    quit: () => {
      const event = { defaultPrevented: false, preventDefault: () => (event.defaultPrevented = true) }
      app.emit('before-quit', event)
      if (event.defaultPrevented) return
      state.hasQuit = true
      app.emit('will-quit')
    },
    exit: (code: number) => void (state.exitCode = code),
  })
  const handlers = new Map<string, Handler>()
  const downloads = new EventEmitter()
  const schemes = new Map<string, (request: Request) => Promise<Response>>()
  const privileged: string[] = []
  const state: {
    bridge: unknown
    options: Record<string, unknown> | null
    url: string | null
    isSandboxed: boolean
    hasQuit: boolean
    exitCode: number | null
    errorBox: string | null
    device: (() => boolean) | null
    cancelled: string[]
    permission:
      | ((contents: unknown, permission: string, answer: (granted: boolean) => void, details: unknown) => void)
      | null
    permissionCheck: ((contents: unknown, permission: string, origin: string) => boolean) | null
    newWindow: (() => unknown) | null
    menu: MenuItem[]
    closing: () => void
    isClosed: boolean
    window: WindowState
    badge: number
    jumpList: { title: string; arguments: string }[]
    loginItem: { openAtLogin: boolean; args: string[] } | null
    dockMenu: MenuItem[]
    tray: ReturnType<StandIn['tray']> | null
    notifications: Notification[]
    dragged: ReturnType<StandIn['dragged']>
    isOnBattery: boolean
    chosen: { canceled: boolean; filePaths: string[] }
  } = {
    bridge: null,
    options: null,
    url: null,
    isSandboxed: false,
    hasQuit: false,
    exitCode: null,
    errorBox: null,
    device: null,
    cancelled: [],
    permission: null,
    permissionCheck: null,
    newWindow: null,
    menu: [],
    closing: () => undefined,
    isClosed: false,
    window: { isShown: false, focused: 0, isMaximized: false, zoom: 1, progress: { share: -1 } },
    badge: 0,
    jumpList: [],
    loginItem: null,
    dockMenu: [],
    tray: null,
    notifications: [],
    dragged: null,
    isOnBattery: false,
    chosen: { canceled: true, filePaths: [] },
  }
  const ipcRenderer = Object.assign(new EventEmitter(), {
    invoke: (channel: string, ...values: unknown[]) => invoke(mainFrame, channel, values),
  })
  const mainFrame = { url: 'sheaf://app/' }
  const webContents = Object.assign(new EventEmitter(), {
    mainFrame,
    isDestroyed: () => state.isClosed,
    send: (channel: string, ...values: unknown[]) =>
      void ipcRenderer.emit(channel, {}, ...values.map((value) => structuredClone(value))),
    setWindowOpenHandler: (handler: () => unknown) => (state.newWindow = handler),
    setZoomFactor: (zoom: number) => void (state.window.zoom = zoom),
    getZoomFactor: () => state.window.zoom,
    startDrag: (item: { files: string[]; icon: string }) => (state.dragged = item),
  })

  const contents = strict('webContents', webContents)

  async function invoke(senderFrame: { url: string }, channel: string, values: unknown[]): Promise<unknown> {
    const handler = handlers.get(channel)
    if (handler === undefined) throw new Error(`nothing handles ${channel}`)
    // What crosses the processes is cloned: a function or a class would fail here as it does there.
    return structuredClone(
      await handler({ sender: contents, senderFrame }, ...values.map((value) => structuredClone(value))),
    )
  }

  /** What a person does to the window, once there is one. */
  const person = { close: () => undefined as void, logOut: () => undefined as void }
  class BrowserWindow extends EventEmitter {
    constructor(given: Record<string, unknown>) {
      super()
      state.options = given
      person.close = () => this.close()
      person.logOut = () => void this.emit('session-end')
      app.emit('web-contents-created', {}, contents)
    }
    get webContents(): typeof contents {
      if (state.isClosed) throw new TypeError('Object has been destroyed')
      return contents
    }
    async loadURL(url: string): Promise<void> {
      state.url = url
      webContents.emit('did-finish-load')
    }
    show(): void {
      state.window.isShown = true
      this.emit('show')
    }
    hide(): void {
      state.window.isShown = false
    }
    focus(): void {
      state.window.focused += 1
    }
    isFocused(): boolean {
      return false
    }
    maximize(): void {
      state.window.isMaximized = true
    }
    isMaximized(): boolean {
      return state.window.isMaximized
    }
    getNormalBounds(): Area {
      const { x = 100, y = 100, width, height } = state.options as Partial<Area> & Pick<Area, 'width' | 'height'>
      return { x, y, width, height }
    }
    setProgressBar(share: number, mode: { mode?: string } = {}): void {
      state.window.progress = { share, ...mode }
    }
    isMinimized(): boolean {
      return false
    }
    isDestroyed(): boolean {
      return state.isClosed
    }
    close(): void {
      const event = { defaultPrevented: false, preventDefault: () => (event.defaultPrevented = true) }
      this.emit('close', event)
      if (event.defaultPrevented) return
      state.closing()
      state.isClosed = true
      this.emit('closed')
      app.emit('window-all-closed')
    }
  }

  class Tray {
    constructor(image: string) {
      state.tray = { tooltip: '', menu: [], image, click: () => undefined }
    }
    setImage(image: string): void {
      state.tray!.image = image
    }
    setToolTip(tooltip: string): void {
      state.tray!.tooltip = tooltip
    }
    setContextMenu(menu: MenuItem[]): void {
      state.tray!.menu = menu
    }
    on(name: string, listener: () => void): void {
      if (name !== 'click') throw new Error(`tray.on(${name}) is not modelled`)
      state.tray!.click = listener
    }
  }

  class SystemNotification {
    readonly #shown: Notification
    constructor(given: { title: string; body: string; silent: boolean }) {
      this.#shown = { ...given, isShown: false, click: () => undefined }
    }
    on(name: string, listener: () => void): void {
      if (name !== 'click') throw new Error(`notification.on(${name}) is not modelled`)
      this.#shown.click = listener
    }
    show(): void {
      this.#shown.isShown = true
      state.notifications.push(this.#shown)
    }
    close(): void {
      this.#shown.isShown = false
    }
  }

  const nativeTheme = Object.assign(new EventEmitter(), {
    themeSource: 'system',
    shouldUseDarkColorsForSystemIntegratedUI: false,
  })
  const powerMonitor = Object.assign(new EventEmitter(), { isOnBatteryPower: () => state.isOnBattery })

  const electron = strict('electron', {
    app: strict('app', app),
    BrowserWindow,
    Tray,
    Notification: SystemNotification,
    nativeTheme: strict('nativeTheme', nativeTheme),
    powerMonitor: strict('powerMonitor', powerMonitor),
    screen: strict('screen', {
      getAllDisplays: () =>
        (options.screens ?? [{ x: 0, y: 0, width: 1920, height: 1080 }]).map((workArea) => ({ workArea })),
    }),
    dialog: strict('dialog', {
      showOpenDialog: async (parent: unknown, given: { properties: string[] }) => {
        if (!(parent instanceof BrowserWindow)) throw new Error('a dialog of no window')
        return given.properties.includes('openDirectory') ? state.chosen : { canceled: true, filePaths: [] }
      },
      showSaveDialog: async (parent: unknown, { defaultPath }: { defaultPath: string }) => {
        if (!(parent instanceof BrowserWindow)) throw new Error('a dialog of no window')
        const { canceled, filePaths } = state.chosen
        return { canceled, filePath: canceled ? '' : join(filePaths[0]!, basename(defaultPath)) }
      },
      showErrorBox: (_title: string, text: string) => void (state.errorBox = text),
    }),
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
    safeStorage: options.safeStorage ?? strict('safeStorage', {}),
    session: strict('session', {
      defaultSession: strict('defaultSession', {
        setPermissionRequestHandler: (handler: typeof state.permission) => (state.permission = handler),
        setPermissionCheckHandler: (handler: typeof state.permissionCheck) => (state.permissionCheck = handler),
        setDevicePermissionHandler: (handler: typeof state.device) => (state.device = handler),
        on: (event: string, listener: (...values: unknown[]) => void) => void downloads.on(event, listener),
        webRequest: strict('webRequest', {
          onBeforeRequest: (
            { urls }: { urls: string[] },
            listener: (request: unknown, answer: (response: { cancel: boolean }) => void) => void,
          ) => listener({}, ({ cancel }) => (state.cancelled = cancel ? urls : [])),
        }),
      }),
    }),
    shell: strict('shell', {}),
    utilityProcess: strict('utilityProcess', {
      // A process of Node's own kind sends its messages as one of Electron's would.
      fork: (entry: string, given: string[], { stdio }: { stdio: 'ignore' }) =>
        fork(entry, given, { stdio: [stdio, stdio, stdio, 'ipc'] }),
    }),
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
    callFrom: async (url, name, frame = 'main') => {
      if (frame === 'inner') return invoke({ url }, 'sheaf:call', [name, {}])
      const own = mainFrame.url
      mainFrame.url = url
      return invoke(mainFrame, 'sheaf:call', [name, {}]).finally(() => (mainFrame.url = own))
    },
    windowOptions: () => state.options ?? {},
    loadedUrl: () => state.url,
    menu: () => state.menu,
    request: (request) => schemes.get('sheaf')!(request),
    denied: {
      navigation: (url, event = 'will-frame-navigate', isMainFrame = true) =>
        isPrevented((details) => webContents.emit(event, Object.assign(details, { url, isMainFrame }))),
      newWindow: () => state.newWindow?.(),
      webview: () => isPrevented((event) => webContents.emit('will-attach-webview', event)),
      device: () => !(state.device?.() ?? true),
      download: (url) =>
        isPrevented((event) => downloads.emit('will-download', event, strict('item', { getURL: () => url }))),
      request: (url) => state.cancelled.some((pattern) => url.startsWith(pattern.replace(/\*.*$/, ''))),
      permission: (name, url, isMainFrame = true) => {
        let granted = true
        const details = { requestingUrl: url, isMainFrame }
        state.permission?.(strict('webContents', {}), name, (answer) => (granted = answer), details)
        return !granted
      },
      // Electron grants every check for which nobody set a handler, and gives none the contents in some cases.
      permissionCheck: (name, url) => !(state.permissionCheck?.(null, name, url) ?? true),
    },
    onClosing: (work) => (state.closing = work),
    startAgain: (...given) =>
      void app.emit('second-instance', {}, [process.execPath, '.', '--allow-file-access', ...given], options.documents),
    openFile: (path) => {
      const event = { prevented: false, preventDefault: () => (event.prevented = true) }
      app.emit('open-file', event, path)
      return event.prevented
    },
    window: () => state.window,
    closeWindow: () => person.close(),
    tray: () => state.tray!,
    dockMenu: () => state.dockMenu,
    jumpList: () => state.jumpList,
    badge: () => state.badge,
    notifications: () => state.notifications,
    loginItem: () => state.loginItem,
    dragged: () => state.dragged,
    themeSource: () => nativeTheme.themeSource,
    power: {
      suspend: () => void powerMonitor.emit('suspend'),
      resume: () => void powerMonitor.emit('resume'),
      setOnBattery: (isOn) => (state.isOnBattery = isOn),
      shutDown: () => isPrevented((event) => powerMonitor.emit('shutdown', event)),
    },
    endSession: () => person.logOut(),
    app: {
      listenerCount: (event) => app.listenerCount(event),
      isSandboxed: () => state.isSandboxed,
      hasQuit: () => state.hasQuit,
      exitCode: () => state.exitCode,
    },
    emitToPage: (name, payload) => webContents.send('sheaf:event', name, payload),
    choose: (path) => (state.chosen = { canceled: path === null, filePaths: path === null ? [] : [path] }),
    errorBox: () => state.errorBox,
    quit: () =>
      new Promise((resolve) => {
        app.once('will-quit', () => resolve())
        app.quit()
      }),
  }
}

/** Whether somebody prevents an event that `emit` sends. */
function isPrevented(emit: (event: { preventDefault: () => void }) => void): boolean {
  let prevented = false
  emit({ preventDefault: () => (prevented = true) })
  return prevented
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
