import { join } from 'node:path'
import { app, BrowserWindow, dialog, ipcMain, Menu, session, shell } from 'electron'
import { locales } from '../../shared/messages/sentences.ts'
import type { Locale } from '../../shared/messages/sentences.ts'
import { rendererDir } from '../entries.ts'
import { dataDirOf } from '../data-dir.ts'
import { startHost } from '../host.ts'
import { eventChannel, serveIpc } from './ipc.ts'
import { keychainSecrets } from './keychain.ts'
import { menuFor } from './menu.ts'
import { appOrigin, isAppUrl, serveScheme } from './scheme.ts'
import { spawnUtility } from './utility.ts'

/** The desktop host: one instance, core in this process, one window on the app's own protocol. */
export async function startDesktop(): Promise<void> {
  if (!app.requestSingleInstanceLock()) {
    app.quit()
    return
  }
  const holder: { window: BrowserWindow | null } = { window: null }
  const wantsFront = followSecondStarts(holder)
  await app.whenReady()
  const dataDir = dataDirOf(process.env)
  const core = await startHost({
    dataDir,
    secrets: keychainSecrets(dataDir),
    documentsDir: app.getPath('documents'),
    spawnService: spawnUtility,
    desktop: {
      reveal: (path) => shell.showItemInFolder(path),
      chooseFolder: async () => {
        const { canceled, filePaths } = await dialog.showOpenDialog(holder.window!, {
          properties: ['openDirectory', 'createDirectory'],
        })
        return canceled ? null : (filePaths[0] ?? null)
      },
      chooseExportPath: async (suggested) => {
        const { canceled, filePath } = await dialog.showSaveDialog(holder.window!, { defaultPath: suggested })
        return canceled ? null : filePath
      },
    },
  })
  denyPermissions()
  serveScheme(core, rendererDir)
  const window = createWindow()
  holder.window = window
  if (wantsFront()) window.once('ready-to-show', () => bringToFront(window))
  serveIpc(ipcMain, core.handlers, (listener) => core.onEvent(listener), window, isAppUrl)
  let menuLocale: Locale | null = null
  const setMenu = (): void => {
    const { language } = core.context.tables.settings.get()
    const locale =
      language === 'system' ? (locales.find((known) => app.getLocale().startsWith(known)) ?? 'en') : language
    if (locale === menuLocale) return
    menuLocale = locale
    const openSettings = (): void => {
      if (!window.isDestroyed()) window.webContents.send(eventChannel, 'window.go', { screen: 'settings' })
    }
    Menu.setApplicationMenu(
      Menu.buildFromTemplate(menuFor(process.platform === 'darwin' ? 'macos' : 'other', locale, openSettings)),
    )
  }
  setMenu()
  core.onEvent((name) => name === 'app.changed' && setMenu())
  app.on('window-all-closed', () => app.quit())
  stopBeforeQuit(window, () => core.stop())
  await core.run()
  // Whoever quits meanwhile has no window any more.
  if (!window.isDestroyed()) {
    await window.loadURL(`${appOrigin}/`).catch((error: unknown) => {
      if (!window.isDestroyed()) throw error
    })
  }
}

/**
 * Brings the window to the front when a person starts Sheaf once more. A start can take a while, and nobody knows of it:
 * returns whether that happened before there was a window.
 */
function followSecondStarts(holder: { window: BrowserWindow | null }): () => boolean {
  let wantsFront = false
  app.on('second-instance', () => {
    if (holder.window === null) wantsFront = true
    else bringToFront(holder.window)
  })
  return () => wantsFront
}

function bringToFront(window: BrowserWindow): void {
  if (window.isDestroyed()) return
  if (window.isMinimized()) window.restore()
  window.focus()
}

function createWindow(): BrowserWindow {
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    minWidth: 1024,
    minHeight: 700,
    show: false,
    webPreferences: {
      preload: join(__dirname, 'preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
    },
  })
  window.once('ready-to-show', () => window.show())
  window.webContents.on('will-navigate', (event, url) => {
    if (!isAppUrl(url)) event.preventDefault()
  })
  window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }))
  return window
}

/** To say that a batch is done, and to copy a text that a person chose; the window needs no camera and no place. */
const permissions: readonly string[] = ['notifications', 'clipboard-sanitized-write']

/**
 * The window's own page has these permissions, and no other page has any. What a page only checks is
 * granted by Electron unless a handler says no, as what it asks for is.
 */
function denyPermissions(): void {
  const isGranted = (permission: string, url: string): boolean => permissions.includes(permission) && isAppUrl(url)
  session.defaultSession.setPermissionRequestHandler((contents, permission, answer) =>
    answer(isGranted(permission, contents.getURL())),
  )
  session.defaultSession.setPermissionCheckHandler((_contents, permission, origin) =>
    isGranted(permission, origin.replace(/\/$/, '')),
  )
}

/** Quitting waits until the window has sent what it has, and what is under way is recorded. */
function stopBeforeQuit(window: BrowserWindow, stop: () => Promise<void>): void {
  let state: 'running' | 'stopping' | 'stopped' = 'running'
  app.on('before-quit', (event) => {
    if (state === 'stopped') return
    event.preventDefault()
    if (state === 'stopping') return
    state = 'stopping'
    void close(window)
      .then(stop)
      .finally(() => {
        state = 'stopped'
        app.quit()
      })
  })
}

/** What was typed in a window goes to core when it closes. */
async function close(window: BrowserWindow): Promise<void> {
  if (window.isDestroyed()) return
  await new Promise<void>((resolve) => {
    window.once('closed', () => resolve())
    window.close()
  })
}
