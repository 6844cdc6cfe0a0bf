import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { AppError } from '../../shared/errors.ts'

export type ServiceCredentials = { baseUrl: string; clientId: string; clientSecret: string }

export type ServiceStart = {
  /** The bundle of the service's process and the one of its reading threads. */
  entry: string
  readingWorker: string
  dataDir: string
  /** Starts the process; Electron gives its own way. */
  spawn?: (entry: string, args: string[]) => ServiceProcess
}

/** The part of a child process that the starter needs; Electron's utility process has it too. */
export type ServiceProcess = {
  onMessage(heard: (message: unknown) => void): void
  onExit(heard: (detail: string) => void): void
  kill(): void
}

const startTimeoutMs = 30_000

/**
 * The platform's service on this computer as a process of its own: started at the first need, started again after it
 * ended by itself, ended with the parent (its channel closes however the parent dies).
 */
export class ServiceStarter {
  readonly #options: ServiceStart
  #running: { process: ServiceProcess; ready: Promise<ServiceCredentials> } | null = null
  #stopped = false

  constructor(options: ServiceStart) {
    this.#options = options
  }

  /** Resolves when the service answers; throws `service_not_started`. */
  async start(): Promise<ServiceCredentials> {
    if (this.#stopped) throw new AppError('service_not_started', { detail: 'Sheaf is stopping' })
    this.#running ??= this.#launch()
    return this.#running.ready
  }

  async stop(): Promise<void> {
    this.#stopped = true
    const running = this.#running
    if (running === null) return
    await new Promise<void>((resolve) => {
      running.process.onExit(() => resolve())
      running.process.kill()
    })
  }

  #launch(): { process: ServiceProcess; ready: Promise<ServiceCredentials> } {
    const { entry, dataDir, readingWorker, spawn = forkProcess } = this.#options
    const child = spawn(entry, ['--data-dir', dataDir, '--port', '0', '--reading-worker', readingWorker])
    const ready = new Promise<ServiceCredentials>((resolve, reject) => {
      const timer = setTimeout(() => {
        child.kill()
        reject(new AppError('service_not_started', { detail: 'it did not answer in time' }))
      }, startTimeoutMs)
      child.onMessage((message) => {
        const path = readyPath(message)
        if (path === null) return
        clearTimeout(timer)
        readCredentials(path).then(resolve, reject)
      })
      child.onExit((detail) => {
        clearTimeout(timer)
        this.#running = null
        reject(new AppError('service_not_started', { detail }))
      })
    })
    // Whoever waits hears of it; nobody waiting is no crash.
    ready.catch(() => undefined)
    return { process: child, ready }
  }
}

function readyPath(message: unknown): string | null {
  if (typeof message !== 'object' || message === null || !('credentialsPath' in message)) return null
  return typeof message.credentialsPath === 'string' ? message.credentialsPath : null
}

async function readCredentials(path: string): Promise<ServiceCredentials> {
  return JSON.parse(await readFile(path, 'utf8')) as ServiceCredentials
}

function forkProcess(entry: string, args: string[]): ServiceProcess {
  // A group of its own: Ctrl-C in a terminal goes to Sheaf, which ends the service when its work is done.
  const child: ChildProcess = fork(entry, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], detached: true, windowsHide: true, execArgv: [] })
  return {
    onMessage: (heard) => child.on('message', heard),
    onExit: (heard) => {
      if (child.exitCode !== null || child.signalCode !== null) heard('ended')
      child.on('exit', (code, signal) => heard(signal ?? `exit code ${String(code)}`))
      child.on('error', (error) => heard(error.message))
    },
    kill: () => child.kill(),
  }
}
