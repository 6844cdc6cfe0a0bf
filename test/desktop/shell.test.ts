import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { electronStandIn, replaceElectron } from '../helpers/electron-stand-in.ts'
import type { MenuItem } from '../helpers/electron-stand-in.ts'
import { temporaryDir, until } from '../helpers/core.ts'
import { eventually } from '../helpers/eventually.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const dir = temporaryDir()
const invoice = join(dir.path, 'Rechnung & Söhne.pdf')
const standIn = electronStandIn({
  documents: dir.path,
  screens: [
    { x: 0, y: 0, width: 1440, height: 900 },
    { x: 1440, y: 0, width: 1920, height: 1080 },
  ],
})
const bridge = (): ReturnType<typeof standIn.bridge> => standIn.bridge()
const other = join(root, 'test/fixtures/samples/INV-20418.pdf')
let restore: () => void

beforeAll(async () => {
  process.env['SHEAF_DATA_DIR'] = dir.path
  mkdirSync(join(dir.path, 'window'))
  writeFileSync(
    join(dir.path, 'window', 'placement.json'),
    JSON.stringify({
      bounds: { x: 1500, y: 60, width: 1300, height: 820 },
      isMaximized: false,
      zoom: 1.25,
      isTrayExplained: false,
    }),
  )
  copyFileSync(join(root, 'test/fixtures/samples/Factura A-2026-0318.pdf'), invoice)
  process.argv = [process.execPath, '.', '--hidden']
  restore = replaceElectron(standIn.electron)
  const require = createRequire(import.meta.url)
  require(`${root}dist/main.cjs`)
  await until(() => standIn.loadedUrl() !== null, 'the window to load its page')
  require(`${root}dist/preload.cjs`)
  await bridge().call('settings.update', { language: 'en' })
})
afterAll(async () => {
  await standIn.quit()
  restore()
  dir.remove()
})

const trayItem = (label: string): MenuItem | undefined => standIn.tray().menu.find((item) => item.label === label)

describe('Sheaf on the desktop, built, outside of its window', () => {
  it('starts without its window when the system started it with the session', () => {
    expect(standIn.window().isShown).toBe(false)
    standIn.tray().click()
    expect(standIn.window().isShown).toBe(true)
  })

  it('opens where it was, at the zoom that it had', () => {
    expect(standIn.windowOptions()).toMatchObject({ x: 1500, y: 60, width: 1300, height: 820 })
    expect(standIn.window().zoom).toBe(1.25)
  })

  it('goes on when its window is closed, and says so once', () => {
    standIn.closeWindow()
    expect(standIn.window().isShown).toBe(false)
    expect(standIn.notifications()).toEqual([expect.objectContaining({ title: 'Sheaf goes on', silent: true })])
    standIn.startAgain()
    expect(standIn.window().isShown).toBe(true)
    standIn.closeWindow()
    expect(standIn.notifications()).toHaveLength(1)
    standIn.notifications()[0]!.click()
    expect(standIn.window().isShown).toBe(true)
  })

  it('says in the tray what it is doing, and is paused from there', async () => {
    await eventually(() => expect(standIn.tray().tooltip).toBe('Sheaf · Waiting for documents'))
    trayItem('Pause')!.click!()
    await eventually(() => expect(trayItem('Resume')).toBeDefined())
    expect(standIn.tray().tooltip).toBe('Sheaf · Paused')
    expect(await bridge().call('app.state', {})).toMatchObject({ value: { paused: true } })
    standIn.startAgain('--resume')
    await eventually(() => expect(trayItem('Pause')).toBeDefined())
  })

  it('keeps files that are opened with it until the window has asked what to do with them', async () => {
    const heard: string[] = []
    const stop = bridge().onEvent((name) => heard.push(name))
    standIn.startAgain(invoice)
    expect(standIn.openFile(invoice)).toBe(true)
    expect(heard).toContain('openedFiles.changed')
    expect(await bridge().call('openedFiles.list', {})).toMatchObject({
      value: { files: [{ name: 'Rechnung & Söhne.pdf' }] },
    })
    await bridge().call('openedFiles.dismiss', {})
    expect(await bridge().call('openedFiles.list', {})).toEqual({ ok: true, value: { files: [] } })
    stop()
  })

  it('reads an opened file, tells that it is done, and leads to it', async () => {
    const saved = (await bridge().call('schemas.save', {
      id: null,
      name: 'Invoice',
      elements: [{ name: 'invoice_number', format: 'text', description: 'number of the invoice' }],
    })) as { value: { id: number } }
    const state = (await bridge().call('app.state', {})) as { value: { connections: { id: number }[] } }
    await bridge().call('settings.update', { notifyWhenDone: true })
    standIn.startAgain(invoice)
    expect(
      await bridge().call('openedFiles.take', {
        schemaId: saved.value.id,
        connectionId: state.value.connections[0]!.id,
      }),
    ).toEqual({ ok: true, value: { added: 1, failed: [] } })
    await eventually(() =>
      expect(standIn.notifications().at(-1)).toMatchObject({ title: 'Sheaf is done', isShown: true }),
    )
    expect(standIn.window().progress).toEqual({ share: -1 })
    const heard: unknown[] = []
    const stop = bridge().onEvent((name, payload) => name === 'window.go' && heard.push(payload))
    standIn.notifications().at(-1)!.click()
    trayItem('Rechnung && Söhne.pdf')!.click!()
    expect(heard).toEqual(
      [{ screen: expect.stringMatching(/^(documents|review)$/) }, { screen: 'document', id: 1 }].map((to) =>
        expect.objectContaining(to),
      ),
    )
    stop()
  })

  it('asks for a folder in a dialog of the system, over its window', async () => {
    expect(await bridge().call('folders.choose', {})).toEqual({ ok: true, value: { path: null } })
    standIn.choose(dir.path)
    expect(await bridge().call('folders.choose', {})).toEqual({ ok: true, value: { path: dir.path } })
  })

  it('says by name which of the opened files cannot be read', async () => {
    standIn.startAgain(invoice)
    standIn.openFile(join(dir.path, 'gone.pdf'))
    expect(await bridge().call('openedFiles.take', { schemaId: 1, connectionId: 1 })).toMatchObject({
      value: { added: 1, failed: [{ code: 'file_missing', details: { file: 'gone.pdf' } }] },
    })
  })

  it('drags an export out of the window as the file that it is', async () => {
    await bridge().call('exports.drag', { id: 1 })
    expect(standIn.dragged()).toBeNull()
    const made = await bridge().call('exports.run', { schemaId: 1, format: 'csv', locale: 'en' })
    expect(made).toMatchObject({ ok: true })
    await bridge().call('exports.drag', { id: 1 })
    expect(standIn.dragged()).toMatchObject({ files: [expect.stringMatching(/Invoice.*\.csv$/)] })
  })

  it('asks where an export goes, and writes none where the person chooses no place', async () => {
    const run = () => bridge().call('exports.run', { schemaId: 1, format: 'csv', locale: 'en', askWhere: true })
    standIn.choose(null)
    expect(await run()).toEqual({ ok: true, value: { export: null, leftOut: [], alreadyBooked: 0 } })
    standIn.choose(dir.path)
    expect(await run()).toMatchObject({
      value: { export: { paths: [expect.stringMatching(new RegExp(`^${dir.path}/Invoice [\\d. -]+\\.csv$`))] } },
    })
  })

  it('starts nothing while the computer sleeps, and looks for what came meanwhile when it wakes up', async () => {
    standIn.power.suspend()
    standIn.startAgain(other)
    await bridge().call('openedFiles.take', { schemaId: 1, connectionId: 1 })
    const counts = (): Promise<unknown> => bridge().call('documents.counts', {})
    await eventually(async () => expect(await counts()).toMatchObject({ value: { counts: { queued: 1 } } }))
    standIn.power.resume()
    await eventually(async () => expect(await counts()).toMatchObject({ value: { counts: { done: 2 } } }))
  })

  it('draws the frame of the window as light or dark as the settings say', async () => {
    await bridge().call('settings.update', { theme: 'dark' })
    expect(standIn.themeSource()).toBe('dark')
  })

  it('closes with its window where the person wants that', async () => {
    await bridge().call('settings.update', { staysInTray: false })
    standIn.closeWindow()
    await standIn.quit()
    expect(standIn.window().isShown).toBe(true)
  })
})
