import { app, session, shell } from 'electron'
import type { Event, WebContents, WebPreferences } from 'electron'
import { isAppPage, isAppUrl } from './app-address.ts'

/**
 * What the window and its page may do (docs/security.md has the list). The only module that knows Electron's `shell`:
 * nothing in the window opens a link in a browser, so nothing here does.
 */

/**
 * The window's page has no part of Node, a process in a sandbox and nothing that Chromium tries out. The spelling
 * checker is off: on Windows and Linux it would fetch its dictionaries from Google.
 */
export function windowPreferences(preload: string): WebPreferences {
  return {
    preload,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    navigateOnDragDrop: false,
    spellcheck: false,
  }
}

/** Before the app is ready: every page that is ever made is in a sandbox, stays where it is and opens nothing. */
export function confinePages(): void {
  app.enableSandbox()
  app.on('web-contents-created', (_event, contents) => confine(contents))
}

/** Shows a file of the person's in the file manager of the system, without opening it. */
export function reveal(path: string): void {
  shell.showItemInFolder(path)
}

type Navigation = Event<{ url: string; isMainFrame: boolean }>

function confine(contents: WebContents): void {
  const stay = (navigation: Navigation): void => {
    if (!navigation.isMainFrame || !isAppPage(navigation.url)) navigation.preventDefault()
  }
  contents.on('will-frame-navigate', stay)
  contents.on('will-navigate', stay)
  contents.on('will-redirect', stay)
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
}

/** To copy a text that a person chose. The window needs no camera and no place, and the main process notifies. */
const permissions: readonly string[] = ['clipboard-sanitized-write']

/** What a page could ask of the network, or of the disk by an address. */
const outside = { urls: ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'file:///*'] }

/**
 * The app's own page has the permissions that it needs, and other pages have none. What a page only checks is granted
 * by Electron unless a handler says no, as what it asks for is. No page reaches a device, the network or the disk, and
 * none gives a person files but its own.
 */
export function confineSession(): void {
  const { defaultSession } = session
  defaultSession.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl, isMainFrame }) =>
    answer(isMainFrame && permissions.includes(permission) && isAppPage(requestingUrl)),
  )
  defaultSession.setPermissionCheckHandler(
    (_contents, permission, origin) => permissions.includes(permission) && isAppUrl(origin),
  )
  defaultSession.setDevicePermissionHandler(() => false)
  defaultSession.webRequest.onBeforeRequest(outside, (_request, answer) => answer({ cancel: true }))
  defaultSession.on('will-download', (event, item) => {
    if (!isAppUrl(item.getURL().replace(/^blob:/, ''))) event.preventDefault()
  })
}
