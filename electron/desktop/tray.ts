import { Menu, nativeTheme, Tray } from 'electron'
import type { MenuItemConstructorOptions } from 'electron'
import { iconPath } from '../entries.ts'
import type { Locale } from '../../shared/messages/sentences.ts'
import type { Activity } from './activity.ts'
import { shellWords } from './shell-words.ts'

/** What the menus outside of the window lead to. */
export type ShellActions = {
  show: () => void
  review: () => void
  documents: () => void
  settings: () => void
  showDocument: (id: number) => void
  setPaused: (paused: boolean) => void
  quit: () => void
}

type Item = MenuItemConstructorOptions
const separator: Item = { type: 'separator' }

/** A document whose result came last. */
export type LastResult = { id: number; fileName: string }

/** The menu of the tray: what Sheaf is doing, what came last, and what a person may want without the window. Pure. */
export function trayMenu(activity: Activity, last: LastResult | null, locale: Locale, actions: ShellActions): Item[] {
  const words = shellWords[locale]
  return [
    { label: words.status(activity), enabled: false },
    ...(activity.attention === 0 ? [] : [{ label: words.attention(activity.attention), click: actions.review }]),
    ...(last === null ? [] : [{ label: shortened(last.fileName), click: () => actions.showDocument(last.id) }]),
    separator,
    { label: words.open, click: actions.show },
    pauseItem(activity, locale, actions),
    separator,
    { label: words.quit, click: actions.quit },
  ]
}

/** The menu of the icon in macOS' dock; the system adds the windows and the end. Pure. */
export function dockMenu(activity: Activity, locale: Locale, actions: ShellActions): Item[] {
  return [{ label: shellWords[locale].review, click: actions.review }, pauseItem(activity, locale, actions)]
}

function pauseItem({ isPaused }: Activity, locale: Locale, { setPaused }: ShellActions): Item {
  const words = shellWords[locale]
  return { label: isPaused ? words.resume : words.pause, click: () => setPaused(!isPaused) }
}

/** Longer names make a menu as wide as the screen. */
const maxNameLength = 48

/** A name whose end, with its number and its kind, can be read. An `&` would mark a letter as a key. */
function shortened(name: string): string {
  const half = maxNameLength / 2
  const short = name.length <= maxNameLength ? name : `${name.slice(0, half)}…${name.slice(-half)}`
  return short.replaceAll('&', '&&')
}

/** The icon in the notification area, or in macOS' menu bar. */
export class TrayIcon {
  readonly #tray: Tray

  constructor(onClick: () => void) {
    this.#tray = new Tray(imagePath())
    nativeTheme.on('updated', () => this.#tray.setImage(imagePath()))
    // On macOS a click opens the menu.
    if (process.platform !== 'darwin') this.#tray.on('click', onClick)
  }

  update(tooltip: string, items: Item[]): void {
    this.#tray.setToolTip(`Sheaf · ${tooltip}`)
    this.#tray.setContextMenu(Menu.buildFromTemplate(items))
  }
}

/** macOS colours a template image itself; elsewhere the icon is drawn for a light and for a dark bar. */
function imagePath(): string {
  if (process.platform === 'darwin') return iconPath('trayTemplate.png')
  return iconPath(nativeTheme.shouldUseDarkColorsForSystemIntegratedUI ? 'tray-dark.png' : 'tray.png')
}
