import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../../shared/domain/errors.ts'
import type { Picture } from '../recognise.ts'
import { usedBy } from '../time-limit.ts'
import type { SeenLine } from './line-reader.ts'

export type ToLineThread = { picture: Picture } | 'end'
/** `turn` holds the id of the thread that looks for lines: of one only at a time. */
export type SharedWithThread = { id: number; flags: Int32Array; turn: Int32Array }
export type FromLineThread =
  | 'loaded'
  | { line: SeenLine }
  | { language: string | null }
  | { leanDegrees: number }
  | { failed: string }

/** What is told while a picture is read: each line, and once, with any line, the language that they are in. */
export type LineListener = { onLine: (line: SeenLine) => void; onLanguage: (language: string | null) => void }

/** Cells of the memory that a line thread shares with who started it. */
export const isEnding = 0
export const isRunning = 1

// how long the end of the process waits for a model to come to its end: half a second, and far longer on a busy machine
const endTimeoutMs = 30_000
// Bundles lie together; from the source (tests) the entry is beside this file.
const entry = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './ocr-thread.ts' : './ocr-thread.mjs', import.meta.url),
)
const turn = new Int32Array(new SharedArrayBuffer(4))
let lastId = 0
let keeper: Promise<unknown> | null = null

/**
 * The binding of the models cannot be loaded a second time once the last thread that had it is gone: one thread holds
 * it as long as the process lives, and does nothing else.
 */
function keepBindingLoaded(): Promise<unknown> {
  if (keeper !== null) return keeper
  const thread = start(null)
  keeper = Promise.race([
    once(thread, 'message'),
    once(thread, 'exit').then(() => {
      keeper = null
      throw new AppError('internal', { detail: 'text recognition could not start' })
    }),
  ]).finally(() => thread.unref())
  return keeper
}

function start(shared: SharedWithThread | null): Worker {
  // nothing of this process's secrets, flags or input reaches a thread that reads pictures of others
  const env = process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot }
  const thread = new Worker(entry, { workerData: shared, env, execArgv: [], stdin: false })
  thread.on('error', () => undefined)
  return thread
}

/** Lets the next thread look for lines, if this one had its turn. */
export function giveUpTurn(turn: Int32Array, id: number): void {
  if (Atomics.compareExchange(turn, 0, id, 0) === id) Atomics.notify(turn, 0)
}

/**
 * A thread with a LineReader of its own (about 250 MB), which keeps no process alive while it is idle. Reads one
 * picture at a time.
 */
export class LineThread {
  readonly #flags: Int32Array
  readonly #thread: Worker
  readonly #waitForEnd = (): void => this.#endBeforeExit()
  #onMessage: ((message: FromLineThread | null) => void) | null = null

  private constructor() {
    this.#flags = new Int32Array(new SharedArrayBuffer(8))
    const id = ++lastId
    this.#thread = start({ id, flags: this.#flags, turn })
    this.#thread.unref()
    process.on('exit', this.#waitForEnd)
    this.#thread.on('message', (message: FromLineThread) => this.#onMessage?.(message))
    this.#thread.on('exit', () => {
      giveUpTurn(turn, id)
      process.off('exit', this.#waitForEnd)
      this.#onMessage?.(null)
    })
  }

  /** A thread whose models load while the first picture is on its way. Rejects with AppError `internal`. */
  static async start(): Promise<LineThread> {
    await keepBindingLoaded()
    return new LineThread()
  }

  /**
   * Reads a picture, and takes its pixels away; each line is told as soon as it is read. Resolves with the degrees by
   * which they lean clockwise. Rejects with AppError `interrupted` or `internal`.
   */
  async read(picture: Picture, { onLine, onLanguage }: LineListener): Promise<number> {
    this.#thread.ref()
    const said = await new Promise<FromLineThread | null>((resolve) => {
      this.#onMessage = (message) => {
        if (message === null || message === 'loaded') resolve(message)
        else if ('line' in message) onLine(message.line)
        else if ('language' in message) onLanguage(message.language)
        else resolve(message)
      }
      const message: ToLineThread = { picture }
      this.#thread.postMessage(message, [picture.pixels.buffer])
    })
    this.#onMessage = null
    this.#thread.unref()
    if (said !== null && typeof said === 'object' && 'leanDegrees' in said) return said.leanDegrees
    if (said === null || Atomics.load(this.#flags, isEnding) === 1) throw new AppError('interrupted')
    throw new AppError('internal', { detail: typeof said === 'object' && 'failed' in said ? said.failed : 'no answer' })
  }

  /** Processor time since it started, in milliseconds; null once it has ended. */
  usedMs(): Promise<number | null> {
    return usedBy(this.#thread)
  }

  /** The thread ends as soon as the model that runs has come to its end. */
  end(): void {
    Atomics.store(this.#flags, isEnding, 1)
    const message: ToLineThread = 'end'
    this.#thread.postMessage(message)
  }

  /** A thread that is ended while a model runs takes the process down with it. */
  #endBeforeExit(): void {
    Atomics.store(this.#flags, isEnding, 1)
    Atomics.wait(this.#flags, isRunning, 1, endTimeoutMs)
  }
}
