import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import PQueue from 'p-queue'
import type { Trees } from '../../electron/service/finding/trees.ts'
import { boost } from './boost.ts'
import type { BoostOptions, Examples } from './boost.ts'

type Task = { examples: Examples; options: BoostOptions }

/** One thread for each core: each holds the examples of its own. */
const threads = new PQueue({ concurrency: availableParallelism() })

/**
 * `boost` in a thread of its own, so that several are trained beside one another. `examples` makes the examples once a
 * core is free; the thread takes them away.
 */
export function boostInThread(examples: () => Examples, options: BoostOptions): Promise<Trees> {
  return threads.add(() => boostApart(examples(), options))
}

function boostApart(examples: Examples, options: BoostOptions): Promise<Trees> {
  return new Promise((resolve, reject) => {
    const { values, labels, weights, questions } = examples
    const all = [values, labels, weights, ...(questions ? [questions.numbers, questions.copies] : [])]
    const worker = new Worker(new URL(import.meta.url), {
      workerData: { examples, options } satisfies Task,
      transferList: all.map(({ buffer }) => buffer) as ArrayBuffer[],
    })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

if (!isMainThread) {
  const { examples, options } = workerData as Task
  parentPort!.postMessage(boost(examples, options))
}
