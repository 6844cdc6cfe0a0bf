import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Core } from '../../electron/core/core.ts'
import { startTestCore, temporaryDir } from '../helpers/core.ts'
import { electronStandIn } from '../helpers/electron-stand-in.ts'
import type { MenuItem, StandIn } from '../helpers/electron-stand-in.ts'
import { eventually } from '../helpers/eventually.ts'

const electron = vi.hoisted(() => ({ current: {} as Record<string, unknown> }))
vi.mock('electron', () => {
  const part = (name: string): object =>
    new Proxy(Object, { get: (_target, key) => Reflect.get(electron.current[name] as object, key) as unknown })
  // What is made by `new`, and what has members only.
  const made = (name: string) =>
    function (...given: unknown[]) {
      return Reflect.construct(electron.current[name] as new () => object, given)
    }
  return {
    app: part('app'),
    Menu: part('Menu'),
    nativeTheme: part('nativeTheme'),
    screen: part('screen'),
    session: part('session'),
    shell: part('shell'),
    BrowserWindow: made('BrowserWindow'),
    Notification: made('Notification'),
    Tray: made('Tray'),
  }
})

const { platform } = process
afterEach(() => void Object.defineProperty(process, 'platform', { value: platform }))

/** What is shown outside of the window on a system, with core as it is anywhere. */
async function startOn(system: 'win32' | 'darwin' | 'linux'): Promise<{ standIn: StandIn; core: Core; home: string }> {
  const dir = temporaryDir()
  onTestFinished(dir.remove)
  const core = await startTestCore(join(dir.path, 'data'))
  onTestFinished(() => core.stop({ atOnce: true }))
  const standIn = electronStandIn({ documents: dir.path })
  electron.current = standIn.electron as Record<string, unknown>
  Object.defineProperty(process, 'platform', { value: system })
  vi.stubEnv('XDG_CONFIG_HOME', join(dir.path, 'config'))
  onTestFinished(() => void vi.unstubAllEnvs())
  const { MainWindow } = await import('../../electron/desktop/main-window.ts')
  const { Shell } = await import('../../electron/desktop/shell.ts')
  mkdirSync(join(dir.path, 'window'))
  const shell = new Shell(core, new MainWindow(join(dir.path, 'window', 'placement.json')))
  onTestFinished(() => shell.stop())
  return { standIn, core, home: dir.path }
}

const labels = (items: MenuItem[]): (string | undefined)[] => items.map(({ label }) => label)

describe('the desktop as people of each system know it', () => {
  it('has on macOS the menu of the program first, and a menu at the icon in the dock', async () => {
    const { standIn, core } = await startOn('darwin')
    expect(labels(standIn.menu())).toEqual(['Sheaf', 'Ablage', 'Bearbeiten', 'Darstellung', 'Fenster'])
    await eventually(() => expect(labels(standIn.dockMenu())).toEqual(['Prüfen', 'Anhalten']))
    standIn.dockMenu()[1]!.click!()
    expect(core.queue.paused).toBe(true)
    await eventually(() => expect(labels(standIn.dockMenu())).toEqual(['Prüfen', 'Fortsetzen']))
    expect(standIn.tray().image).toMatch(/trayTemplate\.png$/)
    // A click on the icon opens its menu there, and not the window.
    standIn.tray().click()
    expect(standIn.window().isShown).toBe(false)
    expect(standIn.jumpList()).toEqual([])
  })

  it('has on Windows a jump list whose tasks start it once more, with what is to be done', async () => {
    const { standIn, core } = await startOn('win32')
    expect(labels(standIn.menu())).toEqual(['Datei', 'Bearbeiten', 'Ansicht', 'Hilfe'])
    const tasks = (): string[] => standIn.jumpList().map((task) => `${task.title} ${task.arguments}`)
    await eventually(() =>
      expect(tasks()).toEqual(['Prüfen --show=review', 'Einstellungen … --show=settings', 'Anhalten --pause']),
    )
    core.queue.pause()
    await eventually(() => expect(tasks()).toContain('Fortsetzen --resume'))
    expect(standIn.tray().image).toMatch(/tray\.png$/)
    standIn.tray().click()
    expect(standIn.window().isShown).toBe(true)
    expect(standIn.dockMenu()).toEqual([])
  })

  it.each(['win32', 'darwin'] as const)(
    'starts with the session, hidden, where a person wants that: %s',
    async (system) => {
      const { standIn, core } = await startOn(system)
      expect(standIn.loginItem()).toBeNull()
      await core.handlers['settings.update']({ startsAtLogin: true })
      expect(standIn.loginItem()).toEqual({ openAtLogin: true, args: ['--hidden'] })
      await core.handlers['settings.update']({ startsAtLogin: false })
      expect(standIn.loginItem()).toMatchObject({ openAtLogin: false })
    },
  )

  it('starts with the session on Linux by a file that the desktop there reads', async () => {
    const { core, home } = await startOn('linux')
    const { existsSync, readFileSync } = await import('node:fs')
    const entry = join(home, 'config', 'autostart', 'sheaf.desktop')
    await core.handlers['settings.update']({ startsAtLogin: true })
    await eventually(() => expect(readFileSync(entry, 'utf8')).toContain(`Exec="${process.execPath}" --hidden`))
    await core.handlers['settings.update']({ startsAtLogin: false })
    await eventually(() => expect(existsSync(entry)).toBe(false))
  })
})
