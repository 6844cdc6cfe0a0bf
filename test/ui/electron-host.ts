import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { _electron } from '@playwright/test'
import type { BrowserContextOptions, ElectronApplication } from '@playwright/test'
import { findElectron } from '../../electron/terminal/electron-binary.ts'
import { timeZone } from '../helpers/time-zone.ts'
import type { Host } from './host.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The built desktop app on real Electron, with a home of its own. It starts when its window is opened, in the language
 * and size that are asked for, and has one window; its waits are its own.
 */
export function electronHost(home: string): Host {
  let running: ElectronApplication | null = null
  const close = async (): Promise<void> => {
    await running?.close()
    running = null
  }
  mkdirSync(join(home, 'Documents'), { recursive: true })
  return {
    url: 'sheaf://app/',
    home,
    async open(_browser, options = {}) {
      if (running?.windows().some((page) => !page.isClosed())) throw new Error('The desktop app has one window.')
      await close()
      running = await launch(home, options.locale ?? 'en-US')
      const page = await running.firstWindow()
      const size = options.viewport ?? { width: 1280, height: 800 }
      await running.evaluate(
        ({ BrowserWindow }, { width, height }) => BrowserWindow.getAllWindows()[0]!.setContentSize(width, height),
        size,
      )
      const { colorScheme = 'light', reducedMotion = null, forcedColors = null } = options
      await page.emulateMedia({ colorScheme, reducedMotion, forcedColors } satisfies Pick<
        BrowserContextOptions,
        'colorScheme' | 'reducedMotion' | 'forcedColors'
      >)
      await page.waitForFunction(() => document.querySelector('h1') !== null)
      return page
    },
    closeWindows: close,
    async stop({ keepHome } = { keepHome: false }) {
      await close()
      if (!keepHome) rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function launch(home: string, locale: string): Promise<ElectronApplication> {
  const found = findElectron(process.env)
  if ('why' in found || found.path === null) throw new Error('There is no Electron here.')
  // Started as Node it would have no window.
  const { ELECTRON_RUN_AS_NODE: _, ...environment } = process.env
  return _electron.launch({
    executablePath: found.path,
    args: [
      root,
      `--user-data-dir=${join(home, 'electron')}`,
      `--lang=${locale}`,
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
    env: {
      ...(environment as Record<string, string>),
      HOME: home,
      USERPROFILE: home,
      SHEAF_DATA_DIR: join(home, 'data'),
      TZ: timeZone,
    },
  })
}
