import { parentPort } from 'node:worker_threads'
import { features } from '../../electron/service/finding/features.ts'
import type { Examples } from './boost.ts'
import { drawnCase } from './cases.ts'
import { addExamples, prepare, Rows } from './fields.ts'
import { buffersOf, inThread, taskOf } from './threads.ts'

/** So many papers are drawn by one thread before the next begins. */
const portion = 100

/** The examples of header fields that the papers of some seeds give, in the order of the seeds. */
export async function drawnExamples(seeds: readonly number[]): Promise<Examples> {
  const portions = Array.from({ length: Math.ceil(seeds.length / portion) }, (_, index) =>
    seeds.slice(index * portion, (index + 1) * portion),
  )
  const found = await Promise.all(portions.map((task) => inThread<Examples>(import.meta.url, () => ({ task }))))
  const rows = new Rows(features.length)
  for (const one of found) rows.addAll(one)
  return rows.examples()
}

const own = taskOf<number[]>(import.meta.url)
if (own) {
  const rows = new Rows(features.length)
  for (const seed of own) addExamples(rows, prepare(drawnCase(seed)), 1)
  const examples = rows.examples()
  parentPort!.postMessage(examples, buffersOf(examples))
}
