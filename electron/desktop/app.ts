import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { app, dialog, ipcMain, nativeTheme, powerMonitor, session } from 'electron'
import { iconPath, rendererDir } from '../entries.ts'
import { dataDirOf } from '../data-dir.ts'
import type { Core } from '../core/core.ts'
import type { DesktopAbilities } from '../core/handlers/types.ts'
import { startHost } from '../host.ts'
import { updateOptions } from '../../shared/domain/policies.ts'
import { readPolicies } from '../system/policies.ts'
import { appOrigin, isAppPage } from './app-address.ts'
import { followStartRequests } from './follow-starts.ts'
import { serveIpc } from './ipc.ts'
import { keychainSecrets } from './keychain.ts'
import { MainWindow } from './main-window.ts'
import { systemProxy } from './proxy.ts'
import { serveScheme } from './scheme.ts'
import { Shell } from './shell.ts'
import { confinePages, confineSession, reveal } from './trust.ts'
import { canUpdate, Updates } from './updates.ts'
import { spawnUtility } from './utility.ts'

/** The desktop host: one instance, core in this process, one window on the app's own protocol. */
export async function startDesktop(): Promise<void> {
  const dataDir = dataDirOf(process.env)
  // What Chromium keeps lies apart from people's data, and two data folders are two instances.
  const windowDir = join(dataDir, 'window')
  mkdirSync(windowDir, { recursive: true, mode: 0o700 })
  app.setPath('userData', windowDir)
  if (!app.requestSingleInstanceLock()) {
    app.quit()
    return
  }
  // Windows shows notifications only of a program that it knows by this name, that of electron-builder.yml.
  app.setAppUserModelId('com.sheaf.desktop')
  const handleStarts = followStartRequests()
  confinePages()
  // Side by side: on Windows policies are asked for in other processes.
  const [policies] = await Promise.all([readPolicies(), app.whenReady()])
  const window = new MainWindow(join(windowDir, 'placement.json'))
  const updates = findUpdates(
    updateOptions(policies.values),
    () => core.context.tables.settings.get().updates,
    () => core.context.emit('updates.changed', {}),
  )
  const core = await startHost({
    dataDir,
    policies,
    secrets: keychainSecrets(dataDir),
    documentsDir: app.getPath('documents'),
    spawnService: spawnUtility,
    proxyFor: systemProxy((url) => session.defaultSession.resolveProxy(url)),
    desktop: { ...abilitiesOf(window), ...(updates === null ? {} : { updates }) },
  })
  confineSession()
  serveScheme(core, rendererDir)
  serveIpc(ipcMain, core.handlers, (listener) => core.onEvent(listener), window.native, isAppPage)
  followTheme(core)
  const isShutDown = followPower(core)
  const desktopShell = new Shell(core, window)
  window.onClose({
    staysInTray: () => core.context.tables.settings.get().staysInTray,
    explainTray: () => desktopShell.explainTray(),
    // The system waits for a moment only.
    sessionEnds: () => void core.stop({ atOnce: true }),
  })
  core.onEvent((name) => name === 'app.changed' && updates?.settingChanged())
  app.on('window-all-closed', () => app.quit())
  stopBeforeQuit(
    async () => {
      await window.end()
      desktopShell.stop()
      updates?.beforeStop(core.queue.busy)
      await core.stop()
    },
    // A system that shuts down does not wait for an installation.
    () => (updates === null || isShutDown() ? app.quit() : void updates.quit()),
  )
  await core.run()
  updates?.begin()
  if (await window.load(`${appOrigin}/`)) handleStarts((request) => desktopShell.handle(request))
}

function abilitiesOf(window: MainWindow): DesktopAbilities {
  return {
    reveal,
    chooseFolder: async () => {
      const { canceled, filePaths } = await dialog.showOpenDialog(window.native, {
        properties: ['openDirectory', 'createDirectory'],
      })
      return canceled ? null : (filePaths[0] ?? null)
    },
    chooseExportPath: async (suggested) => {
      const { canceled, filePath } = await dialog.showSaveDialog(window.native, { defaultPath: suggested })
      return canceled ? null : filePath
    },
    startDrag: (files) => window.contents.startDrag({ file: files[0] ?? '', files, icon: iconPath('icon.png') }),
    isOnBattery: () => powerMonitor.isOnBatteryPower(),
  }
}

/** What the system draws of the window is as light or dark as what is in it. */
function followTheme(core: Core): void {
  const follow = (): void => void (nativeTheme.themeSource = core.context.tables.settings.get().theme)
  follow()
  core.onEvent((name) => name === 'app.changed' && follow())
}

/**
 * Nothing begins while the computer goes to sleep, and what it slept through is looked for when it wakes up. On macOS
 * and Linux a shutdown waits until Sheaf has ended; returns whether there is one.
 */
function followPower(core: Core): () => boolean {
  let isShutDown = false
  powerMonitor.on('suspend', () => core.sleep())
  powerMonitor.on('resume', () => void core.wakeUp())
  const shutDown = (event: { preventDefault(): void }): void => {
    // Quitting alone, which is put off until all is recorded, would call the shutdown off on macOS.
    event.preventDefault()
    isShutDown = true
    app.quit()
  }
  // Electron's types leave out the event that its documentation names.
  powerMonitor.on('shutdown', shutDown as () => void)
  return () => isShutDown
}

/** Updates of this program; null where it has none. */
function findUpdates(
  policy: ReturnType<typeof updateOptions>,
  isWanted: () => boolean,
  onChange: () => void,
): Updates | null {
  const { resourcesPath, platform, execPath } = process
  if (!app.isPackaged || !canUpdate({ resourcesPath, platform, execPath, appImage: process.env['APPIMAGE'] }))
    return null
  return new Updates({
    ...policy,
    resourcesPath,
    isWanted,
    onChange,
    // Its names are getters, which an import of a CommonJS package does not see.
    load: async () => (await import('electron-updater')).default.autoUpdater,
    app,
  })
}

/** Quitting waits until the window has sent what it has, and what is under way is recorded; then `quit` ends it. */
function stopBeforeQuit(stop: () => Promise<void>, quit: () => void): void {
  let state: 'running' | 'stopping' | 'stopped' = 'running'
  app.on('before-quit', (event) => {
    if (state === 'stopped') return
    event.preventDefault()
    if (state === 'stopping') return
    state = 'stopping'
    void stop().finally(() => {
      state = 'stopped'
      quit()
    })
  })
}
