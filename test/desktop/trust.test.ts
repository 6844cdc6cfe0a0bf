import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { filesWith } from '../helpers/canaries.ts'
import { electronStandIn, replaceElectron } from '../helpers/electron-stand-in.ts'
import type { StandIn } from '../helpers/electron-stand-in.ts'
import { startTestCore, temporaryDir, until } from '../helpers/core.ts'
import { keychainStandIn } from '../helpers/keychain-stand-in.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const require = createRequire(import.meta.url)
const main = join(root, 'dist/main.cjs')

/** Starts the built app against a stand-in of its own; what is returned gives the one of before back. */
function startApp(dataDir: string, standIn: StandIn): () => void {
  process.env['SHEAF_DATA_DIR'] = dataDir
  const restore = replaceElectron(standIn.electron)
  delete require.cache[main]
  require(main)
  return restore
}

const dir = temporaryDir()
const standIn = electronStandIn({ documents: dir.path, safeStorage: keychainStandIn().safeStorage })
let restore: () => void

beforeAll(async () => {
  restore = startApp(join(dir.path, 'data'), standIn)
  await until(() => standIn.loadedUrl() !== null, 'the window to load its page')
  require(join(root, 'dist/preload.cjs'))
})
afterAll(async () => {
  await standIn.quit()
  restore()
  dir.remove()
})

const elsewhere = [
  'https://evil.test/',
  'http://127.0.0.1/',
  'file:///etc/passwd',
  'sheaf://other/',
  'sheaf://app.evil.test/',
  'sheaf://app:80/',
  'sheaf://user@app/',
  'data:text/html,x',
  'about:blank',
]

describe('the window’s page, by Electron’s security checklist', () => {
  it('has no part of Node, a context and a sandbox of its own, and nothing that Electron warns of', () => {
    expect(standIn.windowOptions()['webPreferences']).toEqual({
      preload: join(root, 'dist/preload.cjs'),
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
    })
    expect(standIn.app.isSandboxed()).toBe(true)
  })

  it('comes from the app’s own protocol and asks nothing of a network or a disk', async () => {
    expect(standIn.loadedUrl()).toBe('sheaf://app/')
    expect((await standIn.request(new Request('sheaf://elsewhere/'))).status).toBe(403)
    for (const url of ['http://a.test/', 'https://a.test/x', 'ws://a.test/', 'wss://a.test/', 'file:///etc/passwd'])
      expect(standIn.denied.request(url), url).toBe(true)
    expect(standIn.denied.request('sheaf://app/')).toBe(false)
  })

  it.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])('stays where it is (%s)', (event) => {
    for (const url of [...elsewhere, 'sheaf://app/files/1', 'sheaf://app/exports/1/0', 'sheaf://app/assets/a.js'])
      expect(standIn.denied.navigation(url, event), url).toBe(true)
    for (const url of ['sheaf://app/', 'sheaf://app/#/documents'])
      expect(standIn.denied.navigation(url, event), url).toBe(false)
    // It has no frames: what appears in one is not of the app.
    expect(standIn.denied.navigation('sheaf://app/', event, false)).toBe(true)
  })

  it('opens no window and holds no webview', () => {
    expect(standIn.denied.newWindow()).toEqual({ action: 'deny' })
    expect(standIn.denied.webview()).toBe(true)
  })

  it('may copy a text, and asks for nothing else', () => {
    for (const name of [
      'media',
      'display-capture',
      'geolocation',
      'openExternal',
      'clipboard-read',
      'fileSystem',
      'notifications',
    ])
      expect(standIn.denied.permission(name, 'sheaf://app/'), name).toBe(true)
    const copying = 'clipboard-sanitized-write'
    expect(standIn.denied.permission(copying, 'sheaf://app/#/review')).toBe(false)
    expect(standIn.denied.permission(copying, 'sheaf://app/', false), 'in a frame').toBe(true)
    for (const url of [...elsewhere, 'sheaf://app/files/1'])
      expect(standIn.denied.permission(copying, url), url).toBe(true)
  })

  it('has no more of what is only checked, and no device', () => {
    for (const name of [
      'media',
      'geolocation',
      'hid',
      'serial',
      'usb',
      'clipboard-read',
      'idle-detection',
      'notifications',
    ])
      expect(standIn.denied.permissionCheck(name, 'sheaf://app/'), name).toBe(true)
    const copying = 'clipboard-sanitized-write'
    expect(standIn.denied.permissionCheck(copying, 'sheaf://app/')).toBe(false)
    for (const origin of [...elsewhere, '']) expect(standIn.denied.permissionCheck(copying, origin), origin).toBe(true)
    expect(standIn.denied.device()).toBe(true)
  })

  it('gives a person files of its own only', () => {
    for (const url of ['blob:sheaf://app/0f1e', 'sheaf://app/exports/1/0'])
      expect(standIn.denied.download(url), url).toBe(false)
    for (const url of [...elsewhere, 'blob:https://evil.test/1', 'blob:null/1'])
      expect(standIn.denied.download(url), url).toBe(true)
  })

  it.each([...elsewhere, 'sheaf://app/files/1', ''])('is not heard while it is at «%s»', async (url) => {
    const refusal = {
      ok: false,
      error: { code: 'invalid_input', details: { problem: 'the sender is not the window' } },
    }
    expect(await standIn.callFrom(url, 'app.state')).toEqual(refusal)
    expect(await standIn.callFrom('sheaf://app/#/settings', 'app.state')).toMatchObject({ ok: true })
    expect(await standIn.callFrom('sheaf://app/', 'app.state', 'inner')).toEqual(refusal)
  })

  it('is not heard with more, or with anything else, than a call can hold', async () => {
    const refusal = { problem: 'the input is too large, too deep, or no plain data' }
    const nested = (depth: number): unknown => Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 1)
    const mebibyte = 1024 * 1024
    // An update takes what it does not know for nothing: whatever comes so far is carried out.
    const answerTo = (more: unknown): Promise<unknown> => standIn.bridge().call('settings.update', { more })
    for (const odd of [
      'x'.repeat(4 * mebibyte),
      Array.from({ length: mebibyte }, () => 0),
      Object.assign([], { length: 2 ** 32 - 1 }),
      { ['x'.repeat(4 * mebibyte)]: 1 },
      nested(70),
      new Map(),
      new Uint8Array(1),
      new Date(0),
      1n,
    ])
      expect(await answerTo(odd)).toEqual({ ok: false, error: { code: 'invalid_input', details: refusal } })
    for (const plain of ['x'.repeat(3 * mebibyte), Array.from({ length: 100_000 }, () => 0), nested(50), null])
      expect(await answerTo(plain)).toMatchObject({ ok: true })
  })

  it('sees two functions and nothing of Electron', () => {
    const bridge = standIn.bridge()
    expect(Object.keys(bridge)).toEqual(['call', 'onEvent'])
    const heard: unknown[][] = []
    const stop = bridge.onEvent((...values) => void heard.push(values))
    onTestFinished(stop)
    standIn.emitToPage('app.changed', {})
    // The event of IPC, whose sender answers to the other process, stays in the preload.
    expect(heard).toEqual([['app.changed', {}]])
  })

  it('overrides no certificate, answers no server’s question for a password, and keeps no dump of the process', () => {
    for (const event of ['certificate-error', 'select-client-certificate', 'login'])
      expect(standIn.app.listenerCount(event), event).toBe(0)
    // The stand-in has no such thing: it would have thrown.
    for (const thing of ['crashReporter', 'desktopCapturer'])
      expect(() => (standIn.electron as Record<string, unknown>)[thing]).toThrow('not modelled')
  })
})

it('F39: what the window saves lies encrypted by the keychain, and nowhere else', async () => {
  const clientSecret = 'canary-of-the-window-2b90'
  const account = { id: null, name: 'a', baseUrl: 'https://platform.test', clientId: 'c', clientSecret }
  const saved = (await standIn.bridge().call('connections.save', account)) as { value: { id: number } }
  expect(saved).toMatchObject({ ok: true, value: { isSecretTemporary: false } })
  const entries = JSON.parse(readFileSync(join(dir.path, 'data/secrets.json'), 'utf8')) as Record<string, unknown>
  expect(entries[saved.value.id]).toEqual({
    backend: expect.any(String) as unknown,
    ciphertext: expect.any(String) as unknown,
  })
  expect(await filesWith(dir.path, [clientSecret], () => false)).toEqual([])
})

describe('F15 a second instance of the desktop app', () => {
  /** Names, sizes and times of all files, but for the folder that Chromium has in it. */
  const shape = (path: string): string[] =>
    readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.startsWith('window'))
      .sort()
      .map((name) => `${name} ${statSync(join(path, name)).size} ${statSync(join(path, name)).mtimeMs}`)

  it('leaves before it touches anything, and the first one comes to the front', () => {
    const before = shape(join(dir.path, 'data'))
    const second = electronStandIn({ documents: dir.path, isFirst: false })
    onTestFinished(startApp(join(dir.path, 'data'), second))
    expect(second.app.hasQuit()).toBe(true)
    expect(shape(join(dir.path, 'data'))).toEqual(before)
    expect([second.loadedUrl(), second.windowOptions()]).toEqual([null, {}])
    const { focused } = standIn.window()
    standIn.startAgain()
    expect(standIn.window().focused).toBe(focused + 1)
  })

  it('finds the data folder locked by another host, says so, and changes nothing of its data', async () => {
    const other = temporaryDir()
    onTestFinished(other.remove)
    const data = join(other.path, 'data')
    const core = await startTestCore(data)
    onTestFinished(() => core.stop({ atOnce: true }))
    const before = shape(data)
    const second = electronStandIn({ documents: other.path })
    onTestFinished(startApp(data, second))
    await until(() => second.app.exitCode() !== null, 'the end of the second one')
    expect(second.app.exitCode()).toBe(1)
    expect(second.errorBox()).toContain(data)
    expect(second.loadedUrl()).toBeNull()
    expect(shape(data)).toEqual(before)
  })
})

/** What the linter says to these files, by rule. */
function lint(files: Record<string, string>): string[] {
  const folder = temporaryDir()
  onTestFinished(folder.remove)
  // These rules need no types, and there is nothing here that would know them.
  const rules = readFileSync(join(root, '.oxlintrc.json'), 'utf8').replace('"typeAware": true', '"typeAware": false')
  writeFileSync(join(folder.path, '.oxlintrc.json'), rules)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder.path, name, '..'), { recursive: true })
    writeFileSync(join(folder.path, name), text)
  }
  try {
    const program = join(root, 'node_modules/oxlint/bin/oxlint')
    execFileSync(process.execPath, [program, '--format=unix', '.'], { cwd: folder.path, encoding: 'utf8' })
    return []
  } catch (error) {
    const { stdout } = error as { stdout: string }
    return [...stdout.matchAll(/^(\S+?):.*\[Error\/\w+\((.+)\)\]$/gm)].map((match) => `${match[1]} ${match[2]}`)
  }
}

describe('what it is built on', () => {
  it('is the Electron that is installed, of one exact version', () => {
    const { devDependencies } = require(join(root, 'package.json')) as { devDependencies: { electron: string } }
    const installed = require(join(root, 'node_modules/electron/package.json')) as { version: string }
    expect(devDependencies.electron).toBe(installed.version)
  })
})

describe('the linter', () => {
  it('lets only trust.ts know the shell, and nobody open what others wrote', () => {
    const reveal =
      "import { shell } from 'electron'\nexport const show = (path: string): void => shell.showItemInFolder(path)\n"
    const open =
      'export const go = (it: { openExternal(url: string): void }, url: string): void => it.openExternal(url)\n'
    expect(
      lint({
        'electron/desktop/trust.ts': reveal,
        'electron/desktop/app.ts': reveal,
        'electron/desktop/dump.ts': "export { crashReporter } from 'electron'\n",
        'electron/desktop/open.ts': open,
        'renderer/show.ts': 'export const show = (box: { innerHTML: string }, t: string) => (box.innerHTML = t)\n',
        'shared/run.ts': 'export const run = (text: string): unknown => new Function(text)\n',
      }).sort(),
    ).toEqual([
      'electron/desktop/app.ts no-restricted-imports',
      'electron/desktop/dump.ts no-restricted-imports',
      'electron/desktop/open.ts no-restricted-properties',
      'renderer/show.ts no-restricted-properties',
      'shared/run.ts no-new-func',
    ])
  })
})

describe('docs/security.md', () => {
  it('names for each of the twenty items of Electron’s checklist a test that is there', () => {
    const rows = readFileSync(join(root, 'docs/security.md'), 'utf8')
      .split('\n')
      .filter((line) => /^\| \d+ \|/.test(line))
    expect(rows.map((row) => Number(/\d+/.exec(row)![0]))).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    for (const row of rows) {
      const tests = [...row.matchAll(/`([\w./-]+\.test\.ts)` «([^»]+)»/g)]
      expect(tests.length, row).toBeGreaterThan(0)
      for (const [, file, title] of tests)
        expect(readFileSync(join(root, 'test/desktop', file!), 'utf8'), row).toContain(title)
    }
  })
})
