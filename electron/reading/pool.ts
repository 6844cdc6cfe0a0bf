import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Document, FileKind } from '../../shared/document.ts'
import { AppError } from '../../shared/errors.ts'
import { carry, uncarry } from './messages.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { Recogniser } from './ocr/recogniser.ts'
import type { Picture } from './recognise.ts'

export type ReadingPoolOptions = {
  /** The built entry of a reading thread (from worker.ts). */
  workerPath: string
  /** Files read at the same time; default: the processor's cores, at most 4. */
  size?: number
  /** Heap of one reading thread in MB; default 768. */
  memoryMb?: number
  /** Folders searched for `<language>.traineddata.gz` before the npm packages. */
  ocrDataDirs?: readonly string[]
}

export type ReadOptions = {
  /** Time for one file without the time its pictures wait for recognition; default 120,000. */
  timeoutMs?: number
}

const defaultTimeoutMs = 120_000
// a full page takes about three seconds; a picture that takes this long is not a document
const pictureTimeoutMs = 90_000
const idleMs = 60_000

type Job = {
  source: string | Uint8Array
  kind: FileKind
  timeoutMs: number
  resolve: (document: Document) => void
  reject: (error: AppError) => void
}

type Reader = { worker: Worker; job: Job | null; timer: NodeJS.Timeout | null; startedAt: number; leftMs: number; pictures: number }

/**
 * Reads files in worker threads, so that a hostile or huge file costs its own job and nothing else:
 * a thread that takes too long or too much memory is ended, its job fails with `file_too_complex`,
 * and a fresh thread takes the next. Threads start when needed, never keep the process alive while
 * idle, and end after a minute without work. One recogniser thread serves all pictures.
 */
export class ReadingPool {
  readonly #options: ReadingPoolOptions
  readonly #size: number
  readonly #readers = new Set<Reader>()
  readonly #waiting: Job[] = []
  readonly #recogniser: Recogniser
  #idle: NodeJS.Timeout | null = null
  #closed = false

  constructor(options: ReadingPoolOptions) {
    this.#options = options
    this.#size = Math.max(1, options.size ?? Math.min(4, availableParallelism()))
    this.#recogniser = new Recogniser(options.ocrDataDirs)
  }

  /**
   * Reads a file by its path or its bytes (which are copied). Rejects with AppError `file_encrypted`,
   * `file_damaged`, `file_too_complex`, `no_text`, `file_missing`, `file_unreadable`, or `interrupted`
   * when the pool closes first.
   */
  read(filePathOrBytes: string | Uint8Array, kind: FileKind, options: ReadOptions = {}): Promise<Document> {
    if (this.#closed) return Promise.reject(new AppError('interrupted'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ source: filePathOrBytes, kind, timeoutMs: options.timeoutMs ?? defaultTimeoutMs, resolve, reject })
      this.#next()
    })
  }

  /** Ends every thread. Files that are being read or wait fail with `interrupted`. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#idle !== null) clearTimeout(this.#idle)
    for (const job of this.#waiting.splice(0)) job.reject(new AppError('interrupted'))
    const readers = [...this.#readers]
    for (const reader of readers) this.#settle(reader, (job) => job.reject(new AppError('interrupted')))
    this.#readers.clear()
    await Promise.all([...readers.map((reader) => reader.worker.terminate()), this.#recogniser.close()])
  }

  #next(): void {
    while (this.#waiting.length > 0) {
      let reader = [...this.#readers].find((candidate) => candidate.job === null)
      if (reader === undefined) {
        if (this.#readers.size >= this.#size) return
        reader = this.#start()
      }
      const job = this.#waiting.shift()
      if (job === undefined) return
      reader.job = job
      reader.leftMs = job.timeoutMs
      reader.pictures = 0
      reader.worker.ref()
      this.#resume(reader)
      this.#post(reader, { type: 'read', source: job.source, kind: job.kind })
    }
    this.#restLater()
  }

  #start(): Reader {
    const worker = new Worker(this.#options.workerPath, {
      resourceLimits: { maxOldGenerationSizeMb: this.#options.memoryMb ?? 768, maxYoungGenerationSizeMb: 64 },
      // nothing of this process's secrets, flags or input reaches a thread that parses hostile files
      env: process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot },
      execArgv: [],
      stdin: false,
    })
    const reader: Reader = { worker, job: null, timer: null, startedAt: 0, leftMs: 0, pictures: 0 }
    this.#readers.add(reader)
    worker.on('message', (message: FromWorker) => this.#receive(reader, message))
    worker.on('error', (error) => this.#lose(reader, error))
    worker.on('exit', () => this.#lose(reader, null))
    return reader
  }

  #post(reader: Reader, message: ToWorker): void {
    reader.worker.postMessage(message)
  }

  #receive(reader: Reader, message: FromWorker): void {
    if (reader.job === null) return
    switch (message.type) {
      case 'done':
        this.#settle(reader, (job) => job.resolve(message.document))
        this.#next()
        return
      case 'failed':
        this.#settle(reader, (job) => job.reject(uncarry(message.error)))
        this.#next()
        return
      case 'recognise':
        void this.#recognise(reader, message.request, message.picture)
    }
  }

  async #recognise(reader: Reader, request: number, picture: Picture): Promise<void> {
    const { job } = reader
    reader.pictures++
    this.#pause(reader)
    try {
      const tokens = await this.#recogniser.recognise(picture, pictureTimeoutMs)
      if (reader.job === job) this.#post(reader, { type: 'recognised', request, tokens })
    } catch (error) {
      if (reader.job === job) this.#post(reader, { type: 'unrecognised', request, error: carry(error) })
    }
    if (reader.job !== job) return
    reader.pictures--
    if (reader.pictures === 0) this.#resume(reader)
  }

  #resume(reader: Reader): void {
    if (reader.timer !== null) return
    reader.startedAt = performance.now()
    reader.timer = setTimeout(() => {
      const { job } = reader
      this.#settle(reader, () => job?.reject(new AppError('file_too_complex', { timeoutMs: job.timeoutMs })))
      this.#drop(reader)
    }, reader.leftMs)
  }

  #pause(reader: Reader): void {
    if (reader.timer === null) return
    clearTimeout(reader.timer)
    reader.timer = null
    reader.leftMs = Math.max(1, reader.leftMs - (performance.now() - reader.startedAt))
  }

  #settle(reader: Reader, finish: (job: Job) => void): void {
    if (reader.timer !== null) clearTimeout(reader.timer)
    reader.timer = null
    const { job } = reader
    reader.job = null
    reader.worker.unref()
    if (job !== null) finish(job)
  }

  #drop(reader: Reader): void {
    this.#readers.delete(reader)
    void reader.worker.terminate()
    this.#next()
  }

  #lose(reader: Reader, error: unknown): void {
    if (!this.#readers.has(reader)) return
    const outOfMemory = (error as NodeJS.ErrnoException | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
    this.#settle(reader, (job) => {
      job.reject(outOfMemory ? new AppError('file_too_complex', { memoryMb: this.#options.memoryMb ?? 768 }) : new AppError('internal', { detail: 'reading thread ended' }, { cause: error }))
    })
    this.#drop(reader)
  }

  #restLater(): void {
    if (this.#idle !== null) clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      if ([...this.#readers].some((reader) => reader.job !== null)) return this.#restLater()
      for (const reader of [...this.#readers]) this.#drop(reader)
      void this.#recogniser.close()
    }, idleMs)
    this.#idle.unref()
  }
}
