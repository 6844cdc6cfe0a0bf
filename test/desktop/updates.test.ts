import { execFileSync } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AppUpdater, NsisUpdater } from 'electron-updater'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { canUpdate, Updates } from '../../electron/desktop/updates.ts'
import type { UpdateFailure, UpdateState } from '../../shared/contract/updates.ts'
import { temporaryDir, until } from '../helpers/core.ts'
import { electronNet } from '../helpers/electron-net.ts'
import { replaceElectron, strict } from '../helpers/electron-stand-in.ts'
import { manifestOf, startUpdateServer } from '../helpers/update-server.ts'
import type { UpdateServer } from '../helpers/update-server.ts'

const origin = 'https://updates.test'
const elsewhere = 'https://elsewhere.test'

/** What electron-updater's `require('electron')` gives: replaced for each test. */
const electron: Record<string, unknown> = {}
const restore = replaceElectron(strict('electron', electron))
afterAll(restore)
type Library = { AppImageUpdater: new () => AppUpdater; NsisUpdater: new () => NsisUpdater }
const library = createRequire(import.meta.url)('electron-updater') as Library

let dir: string
let at: (name: string) => string
beforeEach(() => {
  const made = temporaryDir()
  onTestFinished(made.remove)
  dir = made.path
  at = (name) => join(dir, name)
  mkdirSync(at('resources'))
  writeFileSync(at('Sheaf.AppImage'), 'old')
  setEnvironment({ XDG_CACHE_HOME: at('cache'), APPIMAGE: at('Sheaf.AppImage') })
})

function setEnvironment(values: Record<string, string>): void {
  const before = Object.keys(values).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, values)
  onTestFinished(() => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  })
}

/** A program that says in a file how it was started. */
const newProgram = (): { name: string; content: string } => ({
  name: 'Sheaf-0.2.0.AppImage',
  content: `#!/bin/sh\necho "$@ \${APPIMAGE_EXIT_AFTER_INSTALL:-run}" > '${at('started')}.part' && mv '${at('started')}.part' '${at('started')}'\n`,
})

type Rig = {
  updates: Updates
  states: UpdateState[]
  /** Calls of the program's `quit` and `relaunch`. */
  ends: string[]
  server: UpdateServer
  other: UpdateServer
  isWanted: { value: boolean }
}

type RigOptions = {
  routes?: Record<string, RequestListener>
  config?: Record<string, unknown>
  policy?: Partial<{ enabled: boolean; url: string | null; channel: string | null }>
  version?: string
  load?: () => AppUpdater
}

const answering =
  (body: string): RequestListener =>
  (_request, response) =>
    void response.end(body)

/** Updates of an AppImage of version 0.1.0, by the library itself, from a server that offers 0.2.0. */
async function setUp({ routes = {}, config, policy, version = '0.1.0', load }: RigOptions = {}): Promise<Rig> {
  const program = newProgram()
  const server = await startUpdateServer({
    '/latest-linux.yml': answering(manifestOf(program)),
    [`/${program.name}`]: answering(program.content),
    ...routes,
  })
  const other = await startUpdateServer({ [`/${program.name}`]: answering(program.content) })
  writeFileSync(
    at('resources/app-update.yml'),
    JSON.stringify({ provider: 'generic', url: origin, updaterCacheDirName: 'sheaf-updater', ...config }),
  )
  const ends: string[] = []
  const app = { quit: () => void ends.push('quit'), relaunch: () => void ends.push('relaunch') }
  const { net, session } = electronNet({
    [origin]: server.port,
    [elsewhere]: other.port,
    'http://updates.test': server.port,
  })
  Object.assign(electron, {
    net,
    session: strict('session', { fromPartition: session }),
    autoUpdater: strict('autoUpdater', new EventEmitter()),
    app: strict('app', {
      ...app,
      isPackaged: true,
      getVersion: () => version,
      getName: () => 'Sheaf',
      getPath: () => at('user'),
      whenReady: () => Promise.resolve(),
    }),
  })
  Object.defineProperty(process, 'resourcesPath', { value: at('resources'), configurable: true })
  const isWanted = { value: true }
  const states: UpdateState[] = []
  const updates: Updates = new Updates({
    enabled: true,
    url: null,
    channel: null,
    ...policy,
    resourcesPath: at('resources'),
    isWanted: () => isWanted.value,
    onChange: () => void states.push(updates.state()),
    load: async () => load?.() ?? new library.AppImageUpdater(),
    app,
  })
  onTestFinished(() => updates.beforeStop(true))
  return { updates, states, ends, server, other, isWanted }
}

const paths = (server: UpdateServer): string[] => server.asked.map(({ path }) => path)
const installed = (): string => readFileSync(at('Sheaf.AppImage'), 'utf8')

/** Quits the program as the desktop does; resolves once it has ended. */
async function quit({ updates, ends }: Rig, isBusy = false): Promise<void> {
  updates.beforeStop(isBusy)
  void updates.quit()
  await until(() => ends.includes('quit'), 'the end of the program')
}

describe('an update', () => {
  it('is found, downloaded beside the work, and installed when the program is quit', async () => {
    const rig = await setUp()
    await rig.updates.check()
    expect(rig.states.map(({ kind }) => kind).filter((kind, index, all) => kind !== all[index - 1])).toEqual([
      'checking',
      'downloading',
      'ready',
    ])
    expect(rig.updates.state()).toEqual({ kind: 'ready', version: '0.2.0' })
    expect(installed()).toBe('old')
    await quit(rig)
    expect(installed()).toBe(newProgram().content)
    expect(rig.ends).toEqual(['quit'])
    // It was set up, and not started: the person quit.
    expect(readFileSync(at('started'), 'utf8').trim()).toBe('true')
    expect(readdirSync(dir)).not.toContain('Sheaf.AppImage.old')
  })

  it('is not installed when the program is quit in the middle of a batch, but the next time, from what is here', async () => {
    const rig = await setUp()
    await rig.updates.check()
    await quit(rig, true)
    expect([installed(), rig.ends]).toEqual(['old', ['quit']])
    const next = await setUp()
    await next.updates.check()
    expect(next.updates.state().kind).toBe('ready')
    expect(paths(next.server)).toEqual(['/latest-linux.yml'])
    await quit(next)
    expect(installed()).toBe(newProgram().content)
  })

  it('is installed at once when the person says so, and the new program is started', async () => {
    const rig = await setUp()
    await rig.updates.check()
    await rig.updates.installNow()
    // The program's end comes by way of core's.
    expect([installed(), rig.ends.splice(0)]).toEqual(['old', ['quit']])
    await quit(rig)
    await until(() => existsSync(at('started')), 'the new program')
    expect(readFileSync(at('started'), 'utf8').trim()).toBe('run')
    expect([installed(), rig.ends]).toEqual([newProgram().content, ['quit']])
  })

  it('does not end the program when there is none to install', async () => {
    const rig = await setUp()
    await rig.updates.installNow()
    expect(rig.ends).toEqual([])
  })

  it('that cannot be installed leaves the old program where it was, which is started again where that was asked for', async () => {
    const program = { name: newProgram().name, content: '#!/bin/sh\nexit 1\n' }
    const rig = await setUp({
      routes: {
        '/latest-linux.yml': answering(manifestOf(program)),
        [`/${program.name}`]: answering(program.content),
      },
    })
    await rig.updates.check()
    await quit(rig)
    expect([installed(), rig.ends]).toEqual(['old', ['quit']])

    const next = await setUp()
    await next.updates.check()
    rmSync(at('cache'), { recursive: true })
    await next.updates.installNow()
    next.ends.length = 0
    await quit(next)
    expect([installed(), next.ends]).toEqual(['old', ['relaunch', 'quit']])
  })

  it('is for those whom a rollout has reached, without telling the server who that is', async () => {
    const program = newProgram()
    const rollout = (stagingPercentage: number) => ({
      routes: { '/latest-linux.yml': answering(manifestOf(program, { stagingPercentage })) },
    })
    const first = await setUp(rollout(0))
    await first.updates.check()
    expect(first.updates.state()).toEqual({ kind: 'idle', checkedAt: expect.any(Number) as number })
    const all = await setUp(rollout(100))
    await all.updates.check()
    expect(all.updates.state().kind).toBe('ready')
    const named = readFileSync(at('user/.updaterId'), 'utf8')
    expect(named).toMatch(/^[0-9a-f-]{36}$/)
    expect(JSON.stringify([first.server.asked, all.server.asked])).not.toContain(named)
  })

  it('comes from the administrator’s server and channel where one is set', async () => {
    const rig = await setUp({
      policy: { url: `${elsewhere}/fleet`, channel: 'pilot' },
    })
    await rig.updates.check()
    expect(paths(rig.server)).toEqual([])
    expect(paths(rig.other)).toEqual(['/fleet/pilot-linux.yml'])
  })

  it('may be at another path of the same server', async () => {
    const rig = await setUp({
      routes: {
        '/latest-linux.yml': (_request, response) => void response.writeHead(302, { location: '/new.yml' }).end(),
        '/new.yml': answering(manifestOf(newProgram())),
      },
    })
    await rig.updates.check()
    expect(rig.updates.state().kind).toBe('ready')
  })

  it('is looked for after the start and then once a day, and sooner where nobody was reached', async () => {
    const times = { firstMs: 1, tickMs: 5, againMs: 60_000 }
    const reached = await setUp({ version: '0.2.0' })
    reached.updates.begin(times)
    await until(() => reached.updates.state().kind === 'idle' && reached.states.length > 0, 'the first look')
    const lost = await setUp({ routes: { '/latest-linux.yml': (_request, response) => void response.destroy() } })
    lost.updates.begin(times)
    await until(() => lost.server.asked.length >= 3, 'a third look')
    expect(reached.server.asked).toHaveLength(1)
    const often = await setUp({ version: '0.2.0' })
    often.updates.begin({ ...times, againMs: 10 })
    await until(() => often.server.asked.length >= 3, 'the looks of three days')
  })
})

describe('updates that are switched off', () => {
  it('ask nobody, by the person’s setting and by the administrator’s', async () => {
    const person = await setUp()
    person.isWanted.value = false
    person.updates.begin({ firstMs: 0, tickMs: 1, againMs: 0 })
    await person.updates.check()
    expect(person.updates.state()).toEqual({ kind: 'off', byAdministrator: false })
    const administrator = await setUp({ policy: { enabled: false } })
    await administrator.updates.check()
    expect(administrator.updates.state()).toEqual({ kind: 'off', byAdministrator: true })
    expect([person.server.asked, administrator.server.asked]).toEqual([[], []])
    person.isWanted.value = true
    person.updates.settingChanged()
    await until(() => person.updates.state().kind === 'ready', 'an update after it was switched on')
  })

  it('break a download off, and do not install what is ready', async () => {
    const program = newProgram()
    let [isAsked, isCutOff] = [false, false]
    const rig = await setUp({
      routes: {
        [`/${program.name}`]: (request, response) => {
          isAsked = true
          request.on('close', () => (isCutOff = true))
          response.writeHead(200, { 'content-length': program.content.length }).write('half')
        },
      },
    })
    rig.updates.begin({ firstMs: 0, tickMs: 60_000, againMs: 60_000 })
    // What is switched off before it is asked for is never asked for.
    await until(() => isAsked && rig.updates.state().kind === 'downloading', 'the download')
    rig.isWanted.value = false
    rig.updates.settingChanged()
    await until(() => isCutOff, 'the end of the download')
    expect(rig.updates.state().kind).toBe('off')

    const ready = await setUp()
    await ready.updates.check()
    ready.isWanted.value = false
    await quit(ready)
    expect(installed()).toBe('old')
  })
})

describe('F40 a hostile or broken update is refused, and the old version runs on', () => {
  const program = (): string => `/${newProgram().name}`
  const manifest = '/latest-linux.yml'
  const to =
    (location: string): RequestListener =>
    (_request, response) =>
      void response.writeHead(302, { location }).end()

  async function expectRefused(rig: Rig, code: UpdateFailure): Promise<void> {
    await rig.updates.check()
    expect(rig.updates.state()).toEqual({ kind: 'failed', code })
    await quit(rig)
    expect([installed(), rig.ends]).toEqual(['old', ['quit']])
    expect(existsSync(at('started'))).toBe(false)
    // Nothing of it is left that a later start could take for one that was checked; the library removes it by and by.
    const pending = at('cache/sheaf-updater/pending')
    await expect.poll(() => (existsSync(pending) ? readdirSync(pending) : [])).toEqual([])
  }

  it.each<[string, () => Record<string, RequestListener>, UpdateFailure]>([
    [
      'whose manifest leads to another server',
      () => ({ [manifest]: to(`${elsewhere}/latest-linux.yml`) }),
      'elsewhere',
    ],
    ['whose manifest leads to plain HTTP', () => ({ [manifest]: to('http://updates.test/other.yml') }), 'elsewhere'],
    ['whose file leads to another server', () => ({ [program()]: to(elsewhere + program()) }), 'elsewhere'],
    [
      'whose manifest names a file of another server',
      () => ({ [manifest]: answering(manifestOf({ ...newProgram(), name: elsewhere + program() })) }),
      'elsewhere',
    ],
    ['of another content than announced', () => ({ [program()]: answering('#!/bin/sh\nexit 0\n') }), 'content'],
    ['that is cut short, by its own count whole', () => ({ [program()]: answering('#!/bin/sh') }), 'content'],
    [
      'that breaks off',
      () => ({
        [program()]: (_request, response) => {
          response.writeHead(200, { 'content-length': newProgram().content.length })
          response.write('#!/bin/sh', () => response.destroy())
        },
      }),
      'unreachable',
    ],
    [
      'that is not there',
      () => ({ [program()]: (_request, response) => void response.writeHead(404).end() }),
      'unreachable',
    ],
    [
      'without a manifest',
      () => ({ [manifest]: (_request, response) => void response.writeHead(404).end() }),
      'unreadable',
    ],
    ['whose manifest is a page', () => ({ [manifest]: answering('<html>Please sign in</html>') }), 'unreadable'],
    ['whose manifest is empty', () => ({ [manifest]: answering('') }), 'unreadable'],
    ['whose manifest names no file', () => ({ [manifest]: answering('version: 0.2.0') }), 'unreadable'],
    [
      'whose manifest names no sum',
      () => ({ [manifest]: answering(`{"version":"0.2.0","files":[{"url":"${newProgram().name}"}]}`) }),
      'unreadable',
    ],
    [
      'from a server that fails',
      () => ({ [manifest]: (_request, response) => void response.writeHead(500).end() }),
      'unreachable',
    ],
    [
      'from a server that hangs up',
      () => ({ [manifest]: (_request, response) => void response.destroy() }),
      'unreachable',
    ],
  ])('%s', async (_what, routes, code) => {
    const rig = await setUp({ routes: routes() })
    await expectRefused(rig, code)
    expect(rig.other.asked).toEqual([])
  })

  it.each([null, 'pilot'])('of an older version, on the channel %s', async (channel) => {
    const rig = await setUp({
      version: '0.3.0',
      policy: { channel },
      routes: { '/pilot-linux.yml': answering(manifestOf(newProgram())) },
    })
    await expectRefused(rig, 'older')
    expect(paths(rig.server)).toEqual([channel === null ? manifest : '/pilot-linux.yml'])
  })

  it.each([
    ['over plain HTTP', { config: { url: 'http://updates.test' } }],
    ['over plain HTTP by the administrator', { policy: { url: 'http://updates.test' } }],
    ['from what is no address', { policy: { url: 'updates.test' } }],
    ['from a place that is no server of its own', { config: { provider: 'github' } }],
  ] satisfies [string, RigOptions][])('%s, and nobody is asked', async (_what, options) => {
    const rig = await setUp(options)
    await expectRefused(rig, 'address')
    expect(rig.server.asked).toEqual([])
  })

  it('by a disk that is full', async ({ skip }) => {
    mkdirSync(at('cache'))
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', at('cache')], { stdio: 'ignore' })
    } catch {
      skip('a small disk can only be made by root')
    }
    onTestFinished(() => void execFileSync('umount', [at('cache')]))
    const large = { ...newProgram(), content: 'x'.repeat(256 * 1024) }
    const rig = await setUp({
      routes: { [manifest]: answering(manifestOf(large)), [program()]: answering(large.content) },
    })
    await expectRefused(rig, 'disk_full')
  })

  describe('on Windows', () => {
    const setup = { name: 'Sheaf Setup 0.2.0.exe', content: '' }
    type Verify = NsisUpdater['verifyUpdateCodeSignature']

    /** `verify` in place of the library's own, which asks PowerShell. */
    async function setUpWindows(publisherName: unknown, verify?: Verify): Promise<Rig> {
      setup.content = newProgram().content
      return setUp({
        config: { publisherName },
        routes: {
          [manifest]: answering(manifestOf({ name: encodeURIComponent(setup.name), content: setup.content })),
          [`/${encodeURIComponent(setup.name)}`]: answering(setup.content),
        },
        load: () => {
          const updater = new library.NsisUpdater()
          if (verify !== undefined) updater.verifyUpdateCodeSignature = verify
          return updater
        },
      })
    }

    it('signed by somebody else', async () => {
      const seen: unknown[] = []
      const rig = await setUpWindows(['CN=Sheaf, O=Sheaf'], async (publishers, path) => {
        seen.push(publishers, readFileSync(path, 'utf8'))
        return 'CN=Somebody'
      })
      await expectRefused(rig, 'signature')
      expect(seen).toEqual([['CN=Sheaf, O=Sheaf'], setup.content])
    })

    // There is no PowerShell here, and the library takes what it cannot check.
    it.runIf(process.platform !== 'win32')('whose signature nobody could check', async () => {
      // What the library runs writes a file named NUL where there is no such device.
      const cwd = process.cwd()
      process.chdir(dir)
      onTestFinished(() => process.chdir(cwd))
      await expectRefused(await setUpWindows('CN=Sheaf'), 'signature')
    })

    it.each([{ name: undefined }, { name: [] }])(
      'of a program that does not say who publishes it (%j)',
      async ({ name }) => {
        const rig = await setUpWindows(name, async () => null)
        await expectRefused(rig, 'signature')
        expect(rig.server.asked).toEqual([])
      },
    )

    it('but one of the right signer is installed without a question', async () => {
      delete process.env['APPIMAGE']
      const rig = await setUpWindows('CN=Sheaf', async () => null)
      await rig.updates.check()
      expect(rig.updates.state().kind).toBe('ready')
      // Windows starts whatever ends in .exe.
      chmodSync(at(`cache/sheaf-updater/pending/${setup.name}`), 0o700)
      await quit(rig)
      await until(() => existsSync(at('started')), 'the installer')
      expect(readFileSync(at('started'), 'utf8').trim()).toBe('--updated /S run')
    })
  })
})

describe('a program can update itself', () => {
  const program = { resourcesPath: '', execPath: '', appImage: undefined }

  it('only where it was packed with the address of a server, in a form that can be replaced', () => {
    const linux = {
      ...program,
      platform: 'linux',
      resourcesPath: at('resources'),
      appImage: at('Sheaf.AppImage'),
    } as const
    const windows = {
      ...program,
      platform: 'win32',
      resourcesPath: at('resources'),
      execPath: at('Sheaf.exe'),
    } as const
    expect(canUpdate(linux)).toBe(false)
    writeFileSync(at('resources/app-update.yml'), '')
    expect(canUpdate(linux)).toBe(true)
    expect(canUpdate({ ...linux, appImage: at('gone/Sheaf.AppImage') })).toBe(false)
    // A package of the system, and an MSI.
    expect(canUpdate({ ...linux, appImage: undefined })).toBe(false)
    expect(canUpdate(windows)).toBe(false)
    writeFileSync(at('Uninstall Sheaf.exe'), '')
    expect(canUpdate(windows)).toBe(true)
    expect(canUpdate({ ...program, platform: 'darwin', resourcesPath: at('resources') })).toBe(true)
  })
})
