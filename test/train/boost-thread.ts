import { parentPort } from 'node:worker_threads'
import type { Trees } from '../../electron/service/finding/trees.ts'
import { boost } from './boost.ts'
import type { BoostOptions, Examples } from './boost.ts'
import { buffersOf, inThread, taskOf } from './threads.ts'

type Task = { examples: Examples; options: BoostOptions }

/**
 * `boost` in a thread of its own, so that several are trained beside one another. `examples` makes the examples once a
 * core is free; the thread takes them away unless they are shared.
 */
export function boostInThread(examples: () => Examples, options: BoostOptions): Promise<Trees> {
  return inThread(import.meta.url, () => {
    const made = examples()
    return { task: { examples: made, options } satisfies Task, moved: buffersOf(made) }
  })
}

const task = taskOf<Task>(import.meta.url)
if (task) parentPort!.postMessage(boost(task.examples, task.options))
