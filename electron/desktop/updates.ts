import { accessSync, constants, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { AppUpdater, NsisUpdater } from 'electron-updater'
import * as z from 'zod'
import type { UpdateFailure, UpdateState } from '../../shared/contract/updates.ts'
import { keepingOld } from './kept-program.ts'

const hourMs = 60 * 60_000
const timings = {
  /** A start has better things to do. */
  firstMs: 60_000,
  tickMs: hourMs,
  againMs: 24 * hourMs,
  /** Squirrel fetches and checks what it installs; a program that was quit does not stay for longer. */
  installMs: 60_000,
}

type Options = {
  /** False: the administrator has switched updates off. */
  enabled: boolean
  /** The server's address, https only; that of `app-update.yml` when null. */
  url: string | null
  /** The channel of the server; the one for all when null. */
  channel: string | null
  /** Where the packed program's `app-update.yml` is. */
  resourcesPath: string
  /** Whether the person wants updates. */
  isWanted: () => boolean
  /** The state is another one. */
  onChange: () => void
  /** The library for this system; called before the first look. */
  load: () => Promise<AppUpdater>
  app: { quit(): void; relaunch(): void }
}

/**
 * True where a program can update itself: it was packed with the address of a server, in a form that can be replaced.
 */
export function canUpdate(program: {
  platform: NodeJS.Platform
  resourcesPath: string
  execPath: string
  /** `APPIMAGE` of the environment: what was started, where that is an AppImage. */
  appImage: string | undefined
}): boolean {
  if (!existsSync(join(program.resourcesPath, 'app-update.yml'))) return false
  // A package is updated by who installed it: the system's own packages, or whoever deployed an MSI.
  if (program.platform === 'linux') return program.appImage !== undefined && mayWriteIn(dirname(program.appImage))
  return program.platform !== 'win32' || existsSync(join(dirname(program.execPath), 'Uninstall Sheaf.exe'))
}

function mayWriteIn(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** What electron-builder writes there that is needed here. */
const packedConfig = z.object({
  provider: z.string().optional(),
  url: z.string().optional(),
  channel: z.string().optional(),
  publisherName: z.union([z.string(), z.array(z.string())]).optional(),
})

class Refusal extends Error {
  readonly failure: UpdateFailure

  constructor(failure: UpdateFailure) {
    super(failure)
    this.failure = failure
  }
}

/**
 * Looks for updates after the start and once a day, downloads them beside the work, and installs one when the program
 * is quit and no batch runs. Whatever is wrong with one is a state, and never a question: the program stays as it is.
 *
 * Checked is: that the server is the one that was named, over https, for each request; the version, which never goes
 * back; the SHA-512 of the manifest; on Windows the signature's publisher; on macOS, by Squirrel, that it is signed as
 * the program that runs. An AppImage has no signature: there the server's certificate and the SHA-512 are all.
 */
export class Updates {
  readonly #options: Options
  #state: UpdateState = { kind: 'idle', checkedAt: null }
  #updater: Promise<AppUpdater> | null = null
  #cancel: () => void = () => undefined
  #wasOn: boolean | null = null
  #checkedAt = -Infinity
  #timer: NodeJS.Timeout | null = null
  #end: 'quit' | 'install' | 'restart' = 'quit'

  constructor(options: Options) {
    this.#options = options
  }

  get #isOn(): boolean {
    return this.#options.enabled && this.#options.isWanted()
  }

  state(): UpdateState {
    return this.#isOn ? this.#state : { kind: 'off', byAdministrator: !this.#options.enabled }
  }

  /** Looks from now on; times other than the usual ones in milliseconds. */
  begin({ firstMs, tickMs, againMs }: Pick<typeof timings, 'firstMs' | 'tickMs' | 'againMs'> = timings): void {
    this.#wasOn = this.#isOn
    const tick = (): void => {
      this.#timer = setTimeout(tick, tickMs).unref()
      // By the clock: a computer that sleeps at night has a day as well.
      const waitMs = this.#state.kind === 'failed' && this.#state.code === 'unreachable' ? tickMs : againMs
      if (Date.now() - this.#checkedAt >= waitMs) void this.check()
    }
    this.#timer = setTimeout(tick, firstMs).unref()
  }

  /** The person's setting may be another one. */
  settingChanged(): void {
    const isOn = this.#isOn
    if (this.#wasOn === null || this.#wasOn === isOn) return
    this.#wasOn = isOn
    this.#cancel()
    this.#set({ kind: 'idle', checkedAt: null })
    if (isOn) void this.check()
  }

  /**
   * Looks for an update and downloads it; ends when it is ready, or not. Never throws: the state says what happened.
   */
  async check(): Promise<void> {
    if (!this.#isOn || ['checking', 'downloading', 'ready'].includes(this.#state.kind)) return
    this.#checkedAt = Date.now()
    this.#set({ kind: 'checking' })
    let isCancelled = false
    this.#cancel = () => (isCancelled = true)
    const set = (state: UpdateState): void => {
      if (!isCancelled) this.#set(state)
    }
    try {
      const updater = await this.#prepared()
      const found = await updater.checkForUpdates()
      const version = found?.updateInfo.version
      if (version === undefined || found?.isUpdateAvailable !== true) {
        if (version !== undefined && updater.currentVersion.compare(version) > 0) throw new Refusal('older')
        set({ kind: 'idle', checkedAt: this.#checkedAt })
        return
      }
      this.#cancel = () => {
        isCancelled = true
        found.cancellationToken?.cancel()
        // The library lets the request go on.
        void updater.netSession.closeAllConnections()
      }
      const showProgress = ({ percent }: { percent: number }): void =>
        set({ kind: 'downloading', version, percent: Math.max(0, Math.min(100, Math.floor(percent) || 0)) })
      showProgress({ percent: 0 })
      updater.on('download-progress', showProgress)
      await found.downloadPromise?.finally(() => updater.off('download-progress', showProgress))
      set({ kind: 'ready', version })
    } catch (error) {
      set({ kind: 'failed', code: failureOf(error) })
    }
  }

  /** Ends the program, installs what is ready and starts it again. */
  async installNow(): Promise<void> {
    if (this.state().kind !== 'ready') return
    this.#end = 'restart'
    this.#options.app.quit()
  }

  /**
   * The program is about to end, and core still runs: what is ready is installed, unless a batch runs. Whoever quits in
   * the middle of one may start again at once to go on.
   */
  beforeStop(isBusy: boolean): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (this.#end === 'quit' && !isBusy && this.state().kind === 'ready') this.#end = 'install'
  }

  /** Ends the program, once core has stopped; with what is to be installed before. */
  async quit(installMs = timings.installMs): Promise<void> {
    const { app } = this.#options
    if (this.#end === 'quit' || this.#updater === null) {
      app.quit()
      return
    }
    await install(await this.#updater, this.#end === 'restart', installMs)
    // Where it went well the library has ended the program.
    if (this.#end === 'restart') app.relaunch()
    app.quit()
  }

  #set(state: UpdateState): void {
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return
    this.#state = state
    this.#options.onChange()
  }

  #prepared(): Promise<AppUpdater> {
    const updater = (this.#updater ??= this.#prepare())
    updater.catch(() => (this.#updater = null))
    return updater
  }

  async #prepare(): Promise<AppUpdater> {
    const { url, channel, resourcesPath, load } = this.#options
    const { load: parse } = await import('js-yaml')
    const config = packedConfig.parse(parse(await readFile(join(resourcesPath, 'app-update.yml'), 'utf8')))
    const address = URL.parse(url ?? (config.provider === 'generic' ? config.url : undefined) ?? '')
    if (address?.protocol !== 'https:') throw new Refusal('address')
    const updater = await load()
    const named = channel ?? config.channel
    updater.setFeedURL({ provider: 'generic', url: address.href, ...(named === undefined ? {} : { channel: named }) })
    // When it is installed is decided in `beforeStop`.
    updater.autoInstallOnAppQuit = false
    updater.disableWebInstaller = true
    // The library names each installation to the server; which of them a rollout has reached is found out here.
    updater.requestHeaders = { 'x-user-staging-id': '-' }
    updater.logger = null
    // Redirects, and the addresses of a manifest, lead to this server only: the session that the library asks with
    // knows no other.
    updater.netSession.webRequest.onBeforeRequest((request, answer) =>
      answer({ cancel: URL.parse(request.url)?.origin !== address.origin }),
    )
    if ('verifyUpdateCodeSignature' in updater) requireSignature(updater as NsisUpdater, config.publisherName)
    return updater
  }
}

/** Installs what is ready, which ends the program. Comes back where it failed, or took longer than `limitMs`. */
async function install(updater: AppUpdater, restarts: boolean, limitMs: number): Promise<void> {
  updater.autoRunAppAfterInstall = restarts
  let hasFailed = false
  const failed = new Promise<void>((resolve) => {
    updater.once('error', () => {
      hasFailed = true
      resolve()
    })
    setTimeout(resolve, limitMs).unref()
  })
  try {
    keepingOld(process.env['APPIMAGE'], () => {
      updater.quitAndInstall(true, restarts)
      return !hasFailed
    })
  } catch {
    // The old program could not be kept, so nothing was installed.
    return
  }
  await failed
}

/**
 * Windows: without a publisher's name, and where PowerShell cannot be asked, the library takes what is not signed. Here
 * it is refused.
 */
function requireSignature(updater: NsisUpdater, publisherName: string | string[] | undefined): void {
  if (publisherName === undefined || publisherName.length === 0) throw new Refusal('signature')
  const verify = updater.verifyUpdateCodeSignature
  let warnings: string[] = []
  // The library says so to its log only.
  updater.logger = {
    info: () => undefined,
    error: () => undefined,
    warn: (text: unknown) => warnings.push(String(text)),
  }
  updater.verifyUpdateCodeSignature = async (publishers, path) => {
    warnings = []
    const refusal = await verify(publishers, path)
    return refusal ?? warnings.find((text) => text.includes('Ignoring signature validation')) ?? null
  }
}

/** By what the library, Electron and the file system say of an error. */
const failures: [RegExp, UpdateFailure][] = [
  [/ERR_UPDATER_INVALID_SIGNATURE/, 'signature'],
  [/ERR_CHECKSUM_MISMATCH/, 'content'],
  [/ENOSPC|EDQUOT/, 'disk_full'],
  // The request was stopped by the session above.
  [/ERR_BLOCKED_BY_CLIENT/, 'elsewhere'],
  [/ERR_UPDATER_/, 'unreadable'],
  [/net::ERR_|HTTP_ERROR_|Cannot download|aborted/, 'unreachable'],
]

function failureOf(error: unknown): UpdateFailure {
  if (error instanceof Refusal) return error.failure
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const text = `${code} ${name} ${message}`
  return failures.find(([pattern]) => pattern.test(text))?.[1] ?? 'failed'
}
