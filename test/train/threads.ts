import { availableParallelism } from 'node:os'
import { Worker, workerData } from 'node:worker_threads'
import PQueue from 'p-queue'
import type { Examples } from './boost.ts'

/** One thread for each core: each may hold examples of its own. */
const threads = new PQueue({ concurrency: availableParallelism() })

type Work = { module: string; task: unknown }

/**
 * Runs a module in a thread of its own and resolves with its first message. `take` gives its task once a core is free;
 * the buffers `moved` go over to it. Rejects with what the module throws.
 */
export function inThread<T>(module: string, take: () => { task: unknown; moved?: ArrayBuffer[] }): Promise<T> {
  return threads.add(() => {
    const { task, moved = [] } = take()
    return new Promise<T>((resolve, reject) => {
      const worker = new Worker(new URL(module), {
        workerData: { module, task } satisfies Work,
        transferList: moved,
      })
      worker.once('message', resolve)
      worker.once('error', reject)
    })
  })
}

/** The task of the thread that was begun for a module; undefined in all others, which may import it too. */
export function taskOf<T>(module: string): T | undefined {
  const work = workerData as Work | null
  return work?.module === module ? (work.task as T) : undefined
}

/** The memory of examples, for moving it between threads; what they share need not be moved. */
export function buffersOf({ values, labels, weights, questions, folds }: Examples): ArrayBuffer[] {
  const all = [values, labels, weights, folds, questions?.numbers, questions?.copies]
  return all.flatMap((array) => (array && array.buffer instanceof ArrayBuffer ? [array.buffer] : []))
}

/** The same examples in memory that all threads see. */
export function shared({ width, values, labels, weights, questions, folds }: Examples): Examples {
  return {
    width,
    values: inShared(values),
    labels: inShared(labels),
    weights: inShared(weights),
    ...(questions && { questions: { numbers: inShared(questions.numbers), copies: inShared(questions.copies) } }),
    ...(folds && { folds: inShared(folds) }),
  }
}

function inShared<T extends Float32Array | Uint32Array | Uint8Array>(array: T): T {
  const copy = new (array.constructor as new (buffer: SharedArrayBuffer) => T)(new SharedArrayBuffer(array.byteLength))
  copy.set(array)
  return copy
}
