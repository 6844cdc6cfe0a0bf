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
 * Trains `rounds` times, which differ in the features that each tree sees, and gives the mean of what they say: where
 * they say different things of the same they were led by chance, and together they err less. `examples` makes them anew
 * for each thread, which takes them away.
 */
export async function trainEnsemble(
  examples: () => Examples,
  { rounds, ...options }: Omit<BoostOptions, 'round'> & { rounds: number },
): Promise<Trees> {
  const all = await Promise.all(
    Array.from({ length: rounds }, (_, round) => threads.add(() => boostInThread(examples(), { ...options, round }))),
  )
  return averageOf(all)
}

/** Trees that give the mean of the scores that these give. */
export function averageOf(all: readonly Trees[]): Trees {
  const share = (value: number): number => Number((value / all.length).toPrecision(5))
  return {
    bias: share(all.reduce((sum, { bias }) => sum + bias, 0)),
    feature: all.flatMap(({ feature }) => feature),
    right: all.flatMap(({ right }) => right),
    at: all.flatMap(({ at, feature }) =>
      at.map((nodes, tree) => nodes.map((value, node) => (feature[tree]![node]! < 0 ? share(value) : value))),
    ),
  }
}

/** `boost` in a thread of its own, so that several are trained beside one another. Takes the examples away. */
function boostInThread(examples: Examples, options: BoostOptions): Promise<Trees> {
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
