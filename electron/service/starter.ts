import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../../shared/domain/errors.ts'
import { serviceFile } from '../../shared/wire/service-control.ts'
import type { ServiceFile } from '../../shared/wire/service-control.ts'
import { credentialsPathIn } from './access/credentials.ts'
import { isServiceRunning } from './database.ts'

type ServiceStart = {
  /** The bundle of the service's process and the one of its threads. */
  entry: string
  worker: string
  dataDir: string
  /** Whether results may be sent to this computer itself: Sheaf's own listener is one of its addresses. */
  allowPrivateCallbacks: boolean
  /** Starts the process; Electron gives its own way. */
  spawn?: (entry: string, args: string[]) => ServiceProcess
  /** Time for the process to end before it is killed; default 8000, twice what closing takes. */
  endTimeoutMs?: number
}

/** The part of a child process that the starter needs; Electron's utility process has it too. */
export type ServiceProcess = {
  onMessage(listener: (message: unknown) => void): void
  onExit(listener: (detail: string) => void): void
  /** Asks it to end, or ends it whatever it does. No error when it is gone. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void
}

const startTimeoutMs = 30_000
const answerTimeoutMs = 5000
const defaultEndTimeoutMs = 8000
const pollIntervalMs = 100

/**
 * The platform's service on this computer as a process of its own: started at the first need, started again after it
 * ended by itself, ended with the parent (its channel closes however the parent dies). Where another program already
 * runs it with the same data folder, that one is used and left running.
 */
export class ServiceStarter {
  readonly #options: ServiceStart
  #own: { process: ServiceProcess; ready: Promise<ServiceFile> } | null = null
  #finding: Promise<ServiceFile> | null = null
  #suspending: Promise<void> | null = null
  #stopped = false

  constructor(options: ServiceStart) {
    this.#options = options
  }

  /** Resolves when the service answers; throws `service_not_started`. */
  async start(): Promise<ServiceFile> {
    await this.#suspending
    if (this.#stopped) throw new AppError('service_not_started', { detail: 'Sheaf is stopping' })
    if (this.#own !== null) return this.#own.ready
    this.#finding ??= this.#findOrLaunch().finally(() => (this.#finding = null))
    return this.#finding
  }

  /** Ends the process that this one started, for good; resolves when it is gone. */
  stop(): Promise<void> {
    this.#stopped = true
    return this.suspend()
  }

  /** Ends the process until `start` is called again; a start meanwhile waits for the end. */
  suspend(): Promise<void> {
    this.#suspending ??= this.#endOwn().finally(() => (this.#suspending = null))
    return this.#suspending
  }

  async #endOwn(): Promise<void> {
    await this.#finding?.catch(() => undefined)
    const own = this.#own
    if (own === null) return
    await this.#end(own.process)
  }

  /**
   * Asks the process to end and, when it does not, ends it: all that it had begun is stored and resumed at the next
   * start.
   */
  #end(child: ServiceProcess): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), this.#options.endTimeoutMs ?? defaultEndTimeoutMs)
      child.onExit(() => {
        clearTimeout(timer)
        resolve()
      })
      child.kill('SIGTERM')
    })
  }

  async #findOrLaunch(): Promise<ServiceFile> {
    const other = await this.#runningElsewhere()
    if (other !== null) return other
    if (this.#stopped) throw new AppError('service_not_started', { detail: 'Sheaf is stopping' })
    this.#own = this.#launch()
    try {
      return await this.#own.ready
    } catch (error) {
      // Two programs started it at the same moment, and the other one was first.
      const first = await this.#runningElsewhere()
      if (first !== null) return first
      throw error
    }
  }

  /**
   * The service that another process has begun with this data folder, once it answers; null when there is none. Its
   * lock on the database comes first: an address in a file that a dead service left could by now belong to anyone.
   */
  async #runningElsewhere(): Promise<ServiceFile | null> {
    const { dataDir } = this.#options
    const until = Date.now() + startTimeoutMs
    while (!this.#stopped && isServiceRunning(dataDir)) {
      const file = await readServiceFile(credentialsPathIn(dataDir)).catch(() => null)
      if (file !== null && (await answers(file.control))) return file
      if (Date.now() > until)
        throw new AppError('service_not_started', {
          detail: 'another one runs with the same data folder and does not answer',
        })
      await wait(pollIntervalMs)
    }
    return null
  }

  #launch(): { process: ServiceProcess; ready: Promise<ServiceFile> } {
    const { entry, dataDir, worker, allowPrivateCallbacks, spawn = forkProcess } = this.#options
    const args = [
      '--data-dir',
      dataDir,
      '--port',
      '0',
      '--worker',
      worker,
      ...(allowPrivateCallbacks ? ['--allow-private-callbacks'] : []),
    ]
    const child = spawn(entry, args)
    const ready = new Promise<ServiceFile>((resolve, reject) => {
      const timer = setTimeout(() => {
        void this.#end(child)
        reject(new AppError('service_not_started', { detail: 'it did not answer in time' }))
      }, startTimeoutMs)
      child.onMessage((message) => {
        const path = readyPath(message)
        if (path === null) return
        clearTimeout(timer)
        readServiceFile(path).then(resolve, reject)
      })
      child.onExit((detail) => {
        clearTimeout(timer)
        this.#own = null
        reject(new AppError('service_not_started', { detail }))
      })
    })
    // A start that fails while nobody waits for it must not end this process.
    ready.catch(() => undefined)
    return { process: child, ready }
  }
}

function readyPath(message: unknown): string | null {
  if (typeof message !== 'object' || message === null || !('credentialsPath' in message)) return null
  return typeof message.credentialsPath === 'string' ? message.credentialsPath : null
}

async function readServiceFile(path: string): Promise<ServiceFile> {
  return serviceFile.parse(JSON.parse(await readFile(path, 'utf8')))
}

/** Whether the control of a service takes its key. */
async function answers(control: ServiceFile['control']): Promise<boolean> {
  try {
    const response = await fetch(control.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${control.key}` },
      body: JSON.stringify({ name: 'organizations.list', input: {} }),
      signal: AbortSignal.timeout(answerTimeoutMs),
    })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

/** The launcher's memory limits apply to the service as well; other options of this process do not. */
export function memoryOptions(): string[] {
  return process.execArgv.filter((option) => /^--(?:(?:min|max)-semi-space-size|heap-growing-percent)=/.test(option))
}

function forkProcess(entry: string, args: string[]): ServiceProcess {
  // A group of its own: Ctrl-C in a terminal goes to Sheaf, which ends the service when its work is done.
  const child: ChildProcess = fork(entry, args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
    windowsHide: true,
    execArgv: memoryOptions(),
  })
  return {
    onMessage: (listener) => child.on('message', listener),
    onExit: (listener) => {
      if (child.exitCode !== null || child.signalCode !== null) listener('ended')
      child.on('exit', (code, signal) => listener(signal ?? `exit code ${String(code)}`))
      child.on('error', (error) => listener(error.message))
    },
    kill: (signal) => void child.kill(signal),
  }
}
