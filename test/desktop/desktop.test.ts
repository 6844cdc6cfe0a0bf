import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { electronStandIn, replaceElectron } from '../helpers/electron-stand-in.ts'
import { temporaryDir, until } from '../helpers/core.ts'

const dist = fileURLToPath(new URL('../../dist/', import.meta.url))
const dir = temporaryDir()
const standIn = electronStandIn({ documents: dir.path })
let restore: () => void

beforeAll(async () => {
  process.env['SHEAF_DATA_DIR'] = dir.path
  restore = replaceElectron(standIn.electron)
  const require = createRequire(import.meta.url)
  require(`${dist}main.cjs`)
  // It takes a while, so a person starts it once more.
  standIn.startAgain()
  await until(() => standIn.loadedUrl() !== null, 'the window to load its page')
  require(`${dist}preload.cjs`)
})
afterAll(async () => {
  await standIn.quit()
  restore()
  dir.remove()
})

describe('the desktop host, built, against a strict stand-in for Electron', () => {
  it('comes to the front when it is started once more, also while it starts', async () => {
    await until(() => standIn.window().focused === 2, 'both starts to be handled')
    standIn.startAgain()
    expect(standIn.window().focused).toBe(3)
  })

  it('carries a call from the page to core and back', async () => {
    expect(await standIn.bridge().call('app.state', {})).toMatchObject({
      ok: true,
      value: { host: 'electron', dataDir: dir.path },
    })
  })

  it('carries an event from core to the page until the page no longer listens', async () => {
    const heard: string[] = []
    const stop = standIn.bridge().onEvent((name) => heard.push(name))
    await standIn.bridge().call('settings.update', { theme: 'dark' })
    expect(heard).toContain('app.changed')
    stop()
    heard.length = 0
    await standIn.bridge().call('settings.update', { theme: 'light' })
    expect(heard).toEqual([])
  })

  it('has the menu of the system in the language of the settings, and opens the settings from it', async () => {
    const names = (): (string | undefined)[] => standIn.menu().map(({ label }) => label)
    // Nothing is set: the language of the system.
    expect(names()).toEqual(
      process.platform === 'darwin'
        ? ['Sheaf', 'Ablage', 'Bearbeiten', 'Darstellung', 'Fenster']
        : ['Datei', 'Bearbeiten', 'Ansicht', 'Hilfe'],
    )
    await standIn.bridge().call('settings.update', { language: 'en' })
    expect(names()).toContain('File')
    const heard: unknown[] = []
    const stop = standIn.bridge().onEvent((name, payload) => heard.push([name, payload]))
    const items = standIn.menu().flatMap(({ submenu }) => submenu ?? [])
    const settings = items.find(({ label }) => label === 'Settings…')
    expect(settings?.accelerator).toBe('CommandOrControl+,')
    settings?.click?.()
    expect(heard).toEqual([['window.go', { screen: 'settings' }]])
    stop()
    for (const role of ['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll', 'quit'])
      expect(items.filter((item) => item.role === role)).toHaveLength(1)
    expect(JSON.stringify(standIn.menu())).not.toMatch(/reload|toggleDevTools/)
    await standIn.bridge().call('settings.update', { language: 'system' })
  })

  it('answers a failing call with its code instead of throwing', async () => {
    expect(await standIn.bridge().call('documents.get', { id: 99 })).toEqual({
      ok: false,
      error: { code: 'not_found', details: { what: 'document' } },
    })
    expect(await standIn.bridge().call('no.such', {})).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  })

  it('carries out what the window sends while it closes before core stops', async () => {
    const answers: unknown[] = []
    standIn.onClosing(
      () =>
        void standIn
          .bridge()
          .call('settings.update', { theme: 'dark' })
          .then((answer) => answers.push(answer)),
    )
    // Quitting twice is quitting once.
    await Promise.all([standIn.quit(), standIn.quit()])
    expect(answers).toEqual([expect.objectContaining({ ok: true })])
    // Until core has stopped there is a program without a window.
    standIn.startAgain()
    for (const item of standIn.menu().flatMap(({ submenu }) => submenu ?? [])) item.click?.()
  })
})
