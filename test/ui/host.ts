import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test as base } from '@playwright/test'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import type { CallInput, CallName, CallOutput } from '../../shared/contract/contract.ts'
import type { Answer } from '../../shared/contract/dispatch.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { launcherMemory, testProgram } from '../helpers/built.ts'
import { freePort } from '../helpers/free-port.ts'
import { timeZone } from '../helpers/time-zone.ts'
import { vendorCredentials } from '../helpers/vendor.ts'
import { electronHost } from './electron-host.ts'
import { openWindow } from './windows.ts'
import type { StorageState } from './windows.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export type Host = {
  /** The address of the window, without its token. */
  url: string
  home: string
  /**
   * Opens the window as in a browser of its own; the launch token is spent on the first one, the others get its secret.
   */
  open(browser: Browser, options?: BrowserContextOptions): Promise<Page>
  /** Closes its windows: those of a program that has ended would look for it for as long as the browser lives. */
  closeWindows(): Promise<void>
  /** Ends the program; its home goes with it, unless it is to be started there again. */
  stop(how?: { keepHome: boolean }): Promise<void>
}

/**
 * `short`: with the waits of serve.ts; `words`: that, and a search finds the words of documents; `sheaf`: the program
 * as a person starts it, with its own waits.
 */
export type HostProgram = 'short' | 'words' | 'sheaf'

/** No host of a test lives long enough for what these compile (82 to 76 s of processor time, 32 tests). */
const unoptimized = ['--no-turbofan', '--no-maglev']
const programs: Record<HostProgram, string[]> = {
  short: [...launcherMemory, ...unoptimized, testProgram('serve')],
  words: [...launcherMemory, ...unoptimized, testProgram('serve'), '--words'],
  sheaf: [join(root, 'electron/launch.mjs'), 'serve'],
}

/** The port of this worker's programs, one after the other: the browser knows the window at this address already. */
let ownPort: Promise<number> | null = null
let isPortTaken = false

/**
 * Starts the program in a home of its own, or in one that was kept; with `elsewhere` at another address than the one
 * before it. `policies`: a file with what an administrator set. Under `npm run test:desktop` it is the desktop app
 * instead. Needs a build.
 */
export async function startHost(
  home = mkdtempSync(join(tmpdir(), 'sheaf-ui-')),
  program: HostProgram = 'short',
  { elsewhere = false, policies }: { elsewhere?: boolean; policies?: string } = {},
): Promise<Host> {
  if (process.env['SHEAF_UI_HOST'] === 'electron') return electronHost(home)
  mkdirSync(join(home, 'Documents'), { recursive: true })
  const isAtOwnPort = !elsewhere && !isPortTaken
  if (isAtOwnPort) isPortTaken = true
  const port = isAtOwnPort ? await (ownPort ??= freePort()) : 0
  const child = spawn(
    process.execPath,
    [...programs[program], '--port', String(port), ...(policies ? ['--policies', policies] : [])],
    {
      // A day begins for host and window at the same time.
      env: { ...process.env, HOME: home, USERPROFILE: home, SHEAF_DATA_DIR: join(home, 'data'), TZ: timeZone },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  // Whatever happens to the test, no program stays behind.
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  let said = ''
  const ready = new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString()
      const address = /READY (http:\S+)/.exec(said)?.[1]
      if (address) resolve(address)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('exit', (code) => reject(new Error(`Sheaf ended with ${code} before it was ready:\n${said}`)))
  })
  const launchUrl = await ready
  const url = new URL('/', launchUrl).href
  const pages: Page[] = []
  let state: StorageState | null = null
  return {
    url,
    home,
    async open(browser, options = {}) {
      const page = await openWindow(browser, state ? url : launchUrl, options, state)
      pages.push(page)
      // Looked for at each frame: what Playwright waits for between two looks grows to a second.
      await page.waitForFunction(() => document.querySelector('h1') !== null)
      state ??= await page.context().storageState()
      return page
    },
    async closeWindows() {
      await Promise.all(pages.map((page) => page.close()))
    },
    async stop({ keepHome } = { keepHome: false }) {
      if (child.exitCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }
      if (isAtOwnPort) isPortTaken = false
      process.off('exit', kill)
      if (!keepHome) rmSync(home, { recursive: true, force: true })
    },
  }
}

/**
 * A home that is set up at its first use, by `furnish`, and then copied for each test of this worker: what it takes to
 * read the documents again is more than most tests are. Always in the same place, since a data folder knows files by
 * their paths, so one host at a time; `stop` takes the copy away.
 */
export function preparedHome<Made>(
  furnish: (host: Host, page: Page) => Promise<Made>,
): (browser: Browser) => Promise<{ host: Host; made: Made }> {
  const place = mkdtempSync(join(tmpdir(), 'sheaf-ui-'))
  const [home, kept] = [join(place, 'home'), join(place, 'kept')]
  process.once('exit', () => rmSync(place, { recursive: true, force: true }))
  const prepare = async (browser: Browser): Promise<Made> => {
    const host = await startHost(home)
    const made = await furnish(host, await host.open(browser))
    await host.closeWindows()
    await host.stop({ keepHome: true })
    renameSync(home, kept)
    return made
  }
  let prepared: Promise<Made> | null = null
  return async (browser) => {
    const made = await (prepared ??= prepare(browser))
    cpSync(kept, home, { recursive: true, preserveTimestamps: true })
    return { host: await startHost(home), made }
  }
}

/** Puts copies of the project's sample documents into a new folder below the host's home. Returns its path. */
export function folderWith(host: Host, name: string, files: string[]): string {
  const folder = join(host.home, name)
  mkdirSync(folder, { recursive: true })
  for (const file of files) cpSync(join(root, 'test/fixtures/samples', file), join(folder, file))
  return folder
}

/** Carries one call of the contract to core as the window does, to prepare what a test is about. Throws on an error. */
export async function callCore<N extends CallName>(page: Page, name: N, input: CallInput<N>): Promise<CallOutput<N>> {
  const answer = await page.evaluate(
    ([called, given]) =>
      new Promise<Answer>((resolve, reject) => {
        // On the desktop the window has a bridge of its own.
        const { sheaf } = window as { sheaf?: { call: (name: string, input: unknown) => Promise<Answer> } }
        if (sheaf !== undefined) return void sheaf.call(called, given).then(resolve, reject)
        const secret = JSON.parse(localStorage.getItem('sheaf.session')!) as string
        const socket = new WebSocket(new URL('/ws', location.href.replace(/^http/, 'ws')), ['sheaf', secret])
        socket.onopen = () => socket.send(JSON.stringify({ id: 1, name: called, input: given }))
        socket.onerror = () => reject(new Error('no connection'))
        socket.onmessage = (message: MessageEvent<string>) => {
          const heard = JSON.parse(message.data) as { id?: number; answer?: Answer }
          if (heard.id !== 1 || !heard.answer) return
          socket.close()
          resolve(heard.answer)
        }
      }),
    [name, input] as const,
  )
  if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer.error)}`)
  return answer.value as CallOutput<N>
}

/** Adds a connection to a vendor of tests; returns its id. */
export async function connectTo(page: Page, { baseUrl }: { baseUrl: string }, name = 'Head office'): Promise<number> {
  return (await callCore(page, 'connections.save', { id: null, name, baseUrl, ...vendorCredentials })).id
}

/**
 * The fixtures of a folder «Invoices» that a vendor extracted for a schema «Invoice»; ids of the documents by their
 * names.
 */
export async function extractedInvoices(
  host: Host,
  page: Page,
  { vendor, elements, files }: { vendor: { baseUrl: string }; elements: SchemaElement[]; files: string[] },
): Promise<{ schemaId: number; ids: number[] }> {
  await callCore(page, 'settings.update', { firstRunDone: true })
  const connectionId = await connectTo(page, vendor)
  const { id: schemaId } = await callCore(page, 'schemas.save', { id: null, name: 'Invoice', elements })
  await callCore(page, 'folders.add', { path: folderWith(host, 'Invoices', files), schemaId, connectionId })
  await expect
    .poll(async () => (await callCore(page, 'documents.counts', { schemaId })).counts.done ?? 0, { timeout: 60_000 })
    .toBe(files.length)
  const { rows } = await callCore(page, 'documents.list', { schemaId, sort: 'name', descending: false })
  return { schemaId, ids: rows.map(({ id }) => id) }
}

/**
 * Opens a screen (`#/folders`) as after a start: nothing is left of the one before. A reload keeps the process and what
 * it compiled, which a way over about:blank does not.
 */
export async function openScreen(page: Page, host: Host, hash: string): Promise<void> {
  if (!page.url().startsWith(host.url)) return void (await page.goto(`${host.url}${hash}`))
  const loaded = page.waitForEvent('load')
  await page.evaluate((next) => {
    location.hash = next
    location.reload()
  }, hash)
  await loaded
}

/** Everything that the browser complained about: errors of scripts and of the content security policy. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}

/** A test with a program of its own, fresh as after the installation. */
export const test = base.extend<{ host: Host; program: HostProgram }>({
  program: ['short', { option: true }],
  host: async ({ program }, use) => {
    const host = await startHost(undefined, program)
    await use(host)
    await host.closeWindows()
    await host.stop()
  },
})
export { expect }
