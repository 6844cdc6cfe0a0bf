import { join } from 'node:path'
import { BrowserWindow, screen } from 'electron'
import type { WebContents } from 'electron'
import type { EventName, EventPayload } from '../../shared/contract/contract.ts'
import { iconPath } from '../entries.ts'
import { eventChannel } from './ipc.ts'
import { windowPreferences } from './trust.ts'
import { boundsOn, minSize, readPlacement, writePlacement } from './window-placement.ts'
import type { taskbarProgress } from './activity.ts'

type CloseOptions = {
  /** Whether Sheaf goes on without its window once that is closed. */
  staysInTray: () => boolean
  /** Tells the person, the first time that Sheaf goes on without its window. */
  explainTray: () => void
  /** The system ends the session of the person, and quits without a word. */
  sessionEnds: () => void
}

/** The one window: where it was last, and hidden instead of closed where the person wants that. */
export class MainWindow {
  readonly native: BrowserWindow
  readonly #placementPath: string
  #isTrayExplained: boolean
  #isEnding = false

  /** Makes it, and shows nothing yet. `placementPath`: where its place is kept from one start to the next. */
  constructor(placementPath: string) {
    const last = readPlacement(placementPath)
    this.#placementPath = placementPath
    this.#isTrayExplained = last?.isTrayExplained ?? false
    const workAreas = screen.getAllDisplays().map(({ workArea }) => workArea)
    this.native = new BrowserWindow({
      ...boundsOn(workAreas, last?.bounds ?? null),
      minWidth: minSize.width,
      minHeight: minSize.height,
      show: false,
      // Elsewhere it is that of the program.
      ...(process.platform === 'linux' ? { icon: iconPath('icon.png') } : {}),
      webPreferences: windowPreferences(join(__dirname, 'preload.cjs')),
    })
    // Chromium forgets a zoom with the page that it was set for.
    this.contents.on('did-finish-load', () => this.contents.setZoomFactor(last?.zoom ?? 1))
    if (last?.isMaximized === true) this.native.once('show', () => this.native.maximize())
  }

  get contents(): WebContents {
    return this.native.webContents
  }

  get isFocused(): boolean {
    return !this.native.isDestroyed() && this.native.isFocused()
  }

  /** Loads the page; false when the window was closed meanwhile. */
  async load(url: string): Promise<boolean> {
    if (!this.native.isDestroyed())
      await this.native.loadURL(url).catch((error: unknown) => {
        if (!this.native.isDestroyed()) throw error
      })
    return !this.native.isDestroyed()
  }

  /** Brings it to the front, from wherever it is. */
  show(): void {
    if (this.native.isDestroyed()) return
    if (this.native.isMinimized()) this.native.restore()
    this.native.show()
    this.native.focus()
  }

  /** Sends an event of the contract to the page. */
  send<N extends EventName>(name: N, payload: EventPayload<N>): void {
    if (!this.native.isDestroyed()) this.contents.send(eventChannel, name, payload)
  }

  /** Shows how far a batch is, on the icon in the taskbar or the dock; null: there is none. */
  setProgress(progress: ReturnType<typeof taskbarProgress>): void {
    if (this.native.isDestroyed()) return
    if (progress === null) this.native.setProgressBar(-1)
    else this.native.setProgressBar(progress.share, { mode: progress.mode })
  }

  /** Says what closing means; until then it is the end. */
  onClose({ staysInTray, explainTray, sessionEnds }: CloseOptions): void {
    this.native.on('close', (event) => {
      const isHidden = !this.#isEnding && staysInTray()
      const explains = isHidden && !this.#isTrayExplained
      this.#isTrayExplained ||= isHidden
      this.#keepPlacement()
      if (!isHidden) return
      event.preventDefault()
      this.native.hide()
      if (explains) explainTray()
    })
    this.native.on('session-end', sessionEnds)
  }

  /** Closes it for good. What was typed in it goes to core while it closes. */
  async end(): Promise<void> {
    this.#isEnding = true
    if (this.native.isDestroyed()) return
    await new Promise<void>((resolve) => {
      this.native.once('closed', () => resolve())
      this.native.close()
    })
  }

  #keepPlacement(): void {
    writePlacement(this.#placementPath, {
      bounds: this.native.getNormalBounds(),
      isMaximized: this.native.isMaximized(),
      zoom: this.contents.getZoomFactor(),
      isTrayExplained: this.#isTrayExplained,
    })
  }
}
