import type { MenuItemConstructorOptions } from 'electron'
import type { Locale } from '../../shared/messages/sentences.ts'
import { menuWords } from './menu-words.ts'

type System = 'macos' | 'other'
type Item = MenuItemConstructorOptions

const separator: Item = { type: 'separator' }

/**
 * The menu as people of a system know it: on macOS with the menu of the program, with what belongs to a window under
 * «Window»; elsewhere with settings and the end of the program under «File». Electron's own one is English everywhere
 * and offers tools for those who build programs. Pure.
 */
export function menuFor(system: System, locale: Locale, openSettings: () => void): Item[] {
  const words = menuWords[system][locale]
  const isMac = system === 'macos'
  const settings: Item = { label: words.settings, accelerator: 'CommandOrControl+,', click: openSettings }
  const program: Item = {
    label: 'Sheaf',
    submenu: [
      { role: 'about', label: words.about },
      separator,
      settings,
      separator,
      { role: 'services', label: words.services },
      separator,
      { role: 'hide', label: words.hide },
      { role: 'hideOthers', label: words.hideOthers },
      { role: 'unhide', label: words.showAll },
      separator,
      { role: 'quit', label: words.quit },
    ],
  }
  const file: Item = {
    label: words.file,
    submenu: isMac
      ? [{ role: 'close', label: words.close }]
      : [settings, separator, { role: 'quit', label: words.quit }],
  }
  const edit: Item = {
    label: words.edit,
    submenu: [
      { role: 'undo', label: words.undo },
      { role: 'redo', label: words.redo },
      separator,
      { role: 'cut', label: words.cut },
      { role: 'copy', label: words.copy },
      { role: 'paste', label: words.paste },
      { role: 'selectAll', label: words.selectAll },
    ],
  }
  const view: Item = {
    label: words.view,
    submenu: [
      { role: 'resetZoom', label: words.actualSize },
      { role: 'zoomIn', label: words.larger },
      { role: 'zoomOut', label: words.smaller },
      separator,
      { role: 'togglefullscreen', label: words.fullScreen },
    ],
  }
  const window: Item = {
    role: 'window',
    label: words.window,
    submenu: [
      { role: 'minimize', label: words.minimize },
      { role: 'zoom', label: words.zoom },
      separator,
      { role: 'front', label: words.front },
    ],
  }
  const help: Item = { role: 'help', label: words.help, submenu: [{ role: 'about', label: words.about }] }
  return isMac ? [program, file, edit, view, window] : [file, edit, view, help]
}
