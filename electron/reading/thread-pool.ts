import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { AppError, deserializeError, serializeError } from '../../shared/domain/errors.ts'
import type { ReadingLanguage } from '../../shared/domain/reading-languages.ts'
import type { FromThread, ToThread } from './thread-messages.ts'
import { Recogniser } from './ocr/recogniser.ts'
import type { Picture } from './recognise.ts'
import { limitTime, usedBy } from './time-limit.ts'
import type { ThreadTasks } from './thread.ts'

export type ThreadPoolOptions = {
  /** The built entry of a thread, which calls `serveThread`. */
  workerPath: string
  /** Tasks done at the same time; default: the processor's cores, at most 4. */
  size?: number
  /** Heap of one thread in MB; default 768. */
  memoryMb?: number
  /**
   * What all threads together may hold, on their heaps and outside of them (unpacked streams, decoded pictures), in MB;
   * default 704.
   */
  budgetMb?: number
  /** Processor time for one task, without the recognition of its pictures; default 120,000. */
  timeoutMs?: number
  /** Folders searched for `<language>.traineddata.gz` before the npm packages. */
  ocrDataDirs?: readonly string[]
}

const mebibyte = 1024 * 1024

const defaultTimeoutMs = 120_000
const defaultMemoryMb = 768
// what the largest documents worth reading take: 200,000 cells of text 640 MB
const defaultBudgetMb = 704
const memoryCheckMs = 50
// What a thread holds besides its document once it has read some: code, models, room for new objects. After 158
// ordinary documents, one after another, it was 120 MB in the median and 170 MB for 19 of 20.
const ownMb = 128
// What an idle thread may keep of the budget beyond that: a new one takes 0.3 s to start, and several times as long as
// before for its first documents.
const keptShare = 1 / 16
// Room for new objects; with 64 MB a thread held 167 MB instead of 120, and was 10 % faster.
const youngMb = 24
// a full page takes about three seconds; a picture that takes this long is not a document
const pictureTimeoutMs = 90_000
const idleMs = 60_000

/** A task that waits or runs, with the promise that it settles. */
type Job = {
  task: string
  input: unknown
  timeoutMs: number
  /** Was too much beside others, or in a thread that others had used: begins again by itself, in a new one. */
  alone: boolean
  resolve: (result: unknown) => void
  reject: (error: AppError) => void
}

type Thread = {
  worker: Worker
  job: Job | null
  /** Whether its job is its first. */
  isNew: boolean
  /** Ends the watch over the time of its job. */
  endLimit: (() => void) | null
  /** What it held when it was last asked, in bytes. */
  heldBytes: number
  /** What its job reserved. */
  reservedBytes: number
  /** Its job waits for what it wants to reserve. */
  waitsForMemory: boolean
  isAsked: boolean
  /** When its job began. */
  beganAt: number
  /** How many of its pictures are being recognised. */
  openPictures: number
}

/**
 * Runs tasks on files in worker threads, so that a hostile or huge file costs its own job and nothing else:
 * a thread that takes too long or too much memory is ended, its job fails with `file_too_complex`,
 * and a fresh thread takes the next. All threads share one memory budget: where documents hold more than half of it no
 * further job begins or decodes a large picture, where threads hold more than it the youngest job begins again later,
 * and a job that is above it alone fails.
 * Threads start when needed, never keep the process alive while idle, and end after a large document or a minute
 * without work. One recogniser serves all pictures.
 */
export class ThreadPool<Tasks extends ThreadTasks> {
  readonly #options: ThreadPoolOptions
  readonly #size: number
  readonly #memoryMb: number
  readonly #budgetMb: number
  readonly #threads = new Set<Thread>()
  readonly #waiting: Job[] = []
  readonly #recogniser: Recogniser
  #idle: NodeJS.Timeout | null = null
  #memoryCheck: NodeJS.Timeout | null = null
  #closed = false

  constructor(options: ThreadPoolOptions) {
    this.#options = options
    this.#size = Math.max(1, options.size ?? Math.min(4, availableParallelism()))
    this.#memoryMb = options.memoryMb ?? defaultMemoryMb
    this.#budgetMb = options.budgetMb ?? defaultBudgetMb
    this.#recogniser = new Recogniser(options.ocrDataDirs)
  }

  /**
   * Runs one of the thread's tasks; what enters and leaves is copied between the threads. `timeoutMs` is this task's
   * own limit. Rejects with the task's AppError, `file_too_complex` over a limit, `internal` when its thread ended by
   * itself, or `interrupted` when the pool closes first.
   */
  run<Name extends keyof Tasks & string>(
    task: Name,
    input: Parameters<Tasks[Name]>[0],
    timeoutMs?: number,
  ): Promise<Awaited<ReturnType<Tasks[Name]>>> {
    if (this.#closed) return Promise.reject(new AppError('interrupted'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        task,
        input,
        timeoutMs: timeoutMs ?? this.#options.timeoutMs ?? defaultTimeoutMs,
        alone: false,
        resolve: resolve as Job['resolve'],
        reject,
      })
      this.#dispatch()
    })
  }

  /** In which languages pictures are read, from the next picture on. */
  useLanguages(languages: readonly ReadingLanguage[]): void {
    this.#recogniser.useLanguages(languages)
  }

  /** Ends every thread. Tasks that run or wait fail with `interrupted`. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#idle !== null) clearTimeout(this.#idle)
    if (this.#memoryCheck !== null) clearInterval(this.#memoryCheck)
    for (const job of this.#waiting.splice(0)) job.reject(new AppError('interrupted'))
    const threads = [...this.#threads]
    for (const thread of threads) this.#settle(thread, (job) => job.reject(new AppError('interrupted')))
    this.#threads.clear()
    await Promise.all([...threads.map((thread) => thread.worker.terminate()), this.#recogniser.close()])
  }

  #dispatch(): void {
    this.#grantMemory()
    while (this.#mayBegin(this.#waiting[0])) {
      if (this.#waiting[0]?.alone === true) this.#endIdle()
      let thread = [...this.#threads].find((candidate) => candidate.job === null)
      if (thread === undefined) {
        if (this.#threads.size >= this.#size) return
        thread = this.#start()
      }
      const job = this.#waiting.shift()
      if (job === undefined) return
      thread.job = job
      thread.beganAt = performance.now()
      thread.openPictures = 0
      thread.reservedBytes = 0
      thread.waitsForMemory = false
      thread.worker.ref()
      thread.endLimit = limitTime({
        limitMs: job.timeoutMs,
        usedMs: () => usedBy(thread.worker),
        isWaiting: () => thread.openPictures > 0 || thread.waitsForMemory,
        onOver: () => this.#refuseSlow(thread, job),
      })
      this.#memoryCheck ??= setInterval(() => this.#checkMemory(), memoryCheckMs).unref()
      this.#post(thread, { type: 'run', task: job.task, input: job.input })
    }
    this.#scheduleIdleStop()
  }

  #start(): Thread {
    const worker = new Worker(this.#options.workerPath, {
      resourceLimits: { maxOldGenerationSizeMb: this.#memoryMb, maxYoungGenerationSizeMb: youngMb },
      // nothing of this process's secrets, flags or input reaches a thread that parses hostile files
      env: process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot },
      execArgv: [],
      stdin: false,
    })
    const thread: Thread = {
      worker,
      job: null,
      isNew: true,
      endLimit: null,
      heldBytes: 0,
      reservedBytes: 0,
      waitsForMemory: false,
      isAsked: false,
      beganAt: 0,
      openPictures: 0,
    }
    this.#threads.add(thread)
    worker.on('message', (message: FromThread) => this.#receive(thread, message))
    worker.on('error', (error) => this.#handleExit(thread, error))
    worker.on('exit', () => this.#handleExit(thread, null))
    return thread
  }

  #post(thread: Thread, message: ToThread): void {
    thread.worker.postMessage(message)
  }

  #receive(thread: Thread, message: FromThread): void {
    if (thread.job === null) return
    switch (message.type) {
      case 'done':
        this.#settle(thread, (job) => job.resolve(message.result))
        return this.#goOn(thread)
      case 'failed':
        this.#settle(thread, (job) => job.reject(deserializeError(message.error)))
        return this.#goOn(thread)
      case 'reserve':
        thread.reservedBytes = message.bytes
        thread.waitsForMemory = true
        return this.#grantMemory()
      case 'recognise':
        void this.#recognise(thread, message.request, message.picture)
    }
  }

  async #recognise(thread: Thread, request: number, picture: Picture): Promise<void> {
    const { job } = thread
    thread.openPictures++
    try {
      const recognised = await this.#recogniser.recognise(picture, pictureTimeoutMs)
      if (thread.job === job) this.#post(thread, { type: 'recognised', request, recognised })
    } catch (error) {
      if (thread.job === job) this.#post(thread, { type: 'unrecognised', request, error: serializeError(error) })
    }
    if (thread.job === job) thread.openPictures--
  }

  #refuseSlow(thread: Thread, { timeoutMs }: Job): void {
    this.#settle(thread, (job) => job.reject(new AppError('file_too_complex', { timeoutMs })))
    this.#terminate(thread)
  }

  /** After a job. What its document held goes back to the system with its thread. */
  #goOn(thread: Thread): void {
    thread.isNew = false
    if (this.#isLarge(thread)) this.#terminate(thread)
    else this.#dispatch()
  }

  #isLarge(thread: Thread): boolean {
    return thread.heldBytes > (ownMb + this.#budgetMb * keptShare) * mebibyte
  }

  /** Not beside others that hold so much that one more could be too much. */
  #mayBegin(job: Job | undefined): boolean {
    const busy = this.#busy()
    if (job === undefined || busy.length === 0) return job !== undefined
    // Or smaller documents would pass a large one as long as there are any.
    if (busy.some((thread) => thread.waitsForMemory)) return false
    return !job.alone && this.#roomBytes() >= 0
  }

  #busy(): Thread[] {
    return [...this.#threads].filter((thread) => thread.job !== null)
  }

  /** Grants what was asked for first, where there is room for it beside the others, or where none of them works. */
  #grantMemory(): void {
    const busy = this.#busy().toSorted((one, other) => one.beganAt - other.beganAt)
    for (const thread of busy.filter((candidate) => candidate.waitsForMemory)) {
      const worksAlone = busy.every((other) => other.waitsForMemory)
      if (!worksAlone && thread.reservedBytes - thread.heldBytes > this.#roomBytes()) return
      thread.waitsForMemory = false
      this.#post(thread, { type: 'reserved' })
    }
  }

  #heldBytes(): number {
    return [...this.#threads].reduce((sum, thread) => sum + thread.heldBytes, 0)
  }

  /**
   * What is left of half of the budget beside what documents hold, or will as far as it was reserved for them, and no
   * more than what is left of all of it beside what threads hold.
   */
  #roomBytes(): number {
    const documents = [...this.#threads].map(({ heldBytes }) => Math.max(0, heldBytes - ownMb * mebibyte))
    const taken = this.#busy()
      .filter((thread) => !thread.waitsForMemory)
      .reduce(
        (sum, thread) => sum + Math.max(0, thread.reservedBytes - thread.heldBytes),
        documents.reduce((sum, bytes) => sum + bytes, 0),
      )
    const budget = this.#budgetMb * mebibyte
    return Math.min(budget / 2 - taken, budget - this.#heldBytes())
  }

  /** Asks each thread what it holds; one in the middle of a long step answers later. */
  #checkMemory(): void {
    if (this.#busy().length === 0 && this.#memoryCheck !== null) {
      clearInterval(this.#memoryCheck)
      this.#memoryCheck = null
    }
    for (const thread of this.#threads) {
      if (thread.isAsked) continue
      thread.isAsked = true
      void bytesHeldBy(thread.worker).then((bytes) => {
        thread.isAsked = false
        thread.heldBytes = bytes
        this.#keepWithinBudget()
      })
    }
  }

  /**
   * The limits that a thread is started with count its own heap only: a small stream can unpack to gigabytes beside it.
   * Whatever is read at the same time, whether a document is read depends on itself alone, and on what it holds, not on
   * what it reserved.
   */
  #keepWithinBudget(): void {
    const isOver = this.#heldBytes() > this.#budgetMb * mebibyte
    const idle = [...this.#threads].filter((thread) => thread.job === null && (isOver || this.#isLarge(thread)))
    // All of them, before one is given the next job.
    this.#end(idle)
    if (!isOver || idle.length > 0) return this.#dispatch()
    const busy = this.#busy()
    const youngest = busy.toSorted((one, other) => one.beganAt - other.beganAt).at(-1)
    if (youngest === undefined) return
    const tooMuch = new AppError('file_too_complex', {
      budgetMb: this.#budgetMb,
      detail: `it takes more than ${this.#budgetMb} MB of memory`,
    })
    this.#settle(youngest, (job) => {
      if (busy.length > 1 || !youngest.isNew) this.#waiting.unshift({ ...job, alone: true })
      else job.reject(tooMuch)
    })
    this.#terminate(youngest)
  }

  #settle(thread: Thread, finish: (job: Job) => void): void {
    thread.endLimit?.()
    const { job } = thread
    thread.job = null
    thread.worker.unref()
    if (job !== null) finish(job)
  }

  #terminate(thread: Thread): void {
    this.#threads.delete(thread)
    void thread.worker.terminate()
    this.#dispatch()
  }

  #endIdle(): void {
    this.#end([...this.#threads].filter((thread) => thread.job === null))
  }

  #end(threads: readonly Thread[]): void {
    for (const thread of threads) {
      this.#threads.delete(thread)
      void thread.worker.terminate()
    }
  }

  #handleExit(thread: Thread, error: unknown): void {
    if (!this.#threads.has(thread)) return
    const outOfMemory = (error as NodeJS.ErrnoException | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
    this.#settle(thread, (job) => {
      job.reject(
        outOfMemory
          ? new AppError('file_too_complex', { memoryMb: this.#memoryMb })
          : new AppError('internal', { detail: 'worker thread ended' }, { cause: error }),
      )
    })
    this.#terminate(thread)
  }

  #scheduleIdleStop(): void {
    if (this.#idle !== null) clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      if ([...this.#threads].some((thread) => thread.job !== null)) return this.#scheduleIdleStop()
      this.#endIdle()
      void this.#recogniser.close()
    }, idleMs)
    this.#idle.unref()
  }
}

/** Bytes that a thread holds, on its heap and outside; 0 where this Node cannot tell (before 22.16) or it has ended. */
async function bytesHeldBy(worker: Partial<Pick<Worker, 'getHeapStatistics'>>): Promise<number> {
  try {
    const held = await worker.getHeapStatistics?.()
    return held === undefined ? 0 : held.total_heap_size + held.external_memory + held.malloced_memory
  } catch {
    return 0
  }
}
