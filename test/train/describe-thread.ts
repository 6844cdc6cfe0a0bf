import { parentPort } from 'node:worker_threads'
import { features } from '../../electron/service/finding/features.ts'
import type { Trees } from '../../electron/service/finding/trees.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { prepareAbsent } from './absent.ts'
import type { Examples } from './boost.ts'
import { drawnCase } from './cases.ts'
import type { TrainingCase } from './cases.ts'
import { addExamples, looksOf, prepare, Rows } from './fields.ts'
import type { Looks } from './fields.ts'
import { buffersOf, inThread, shared, taskOf } from './threads.ts'

/**
 * Documents are described in threads, a few at a time: all proposals of all documents with their features are many
 * gigabytes, of which examples and looks are a small part.
 */
const portion = 40

/** A document to learn from, how much it and what it does not have count, and the fold that it is left out of. */
type Weighted = { one: TrainingCase; own: number; absent: number; fold: number }

type Task =
  | { step: 'draw'; seeds: number[] }
  | { step: 'examples'; cases: Weighted[]; pool: SchemaElement[] }
  | { step: 'looks'; cases: TrainingCase[]; pool: SchemaElement[]; first: Trees }

/** The examples of header fields that the papers of some seeds give, in the order of the seeds. */
export async function drawnExamples(seeds: readonly number[]): Promise<Examples[]> {
  return Promise.all(inPortions(seeds).map((some) => run<Examples>({ step: 'draw', seeds: some })))
}

/** The examples of documents; `pool` are the fields of which some are asked that a document does not have. */
export async function examplesOf(cases: readonly Weighted[], pool: SchemaElement[]): Promise<Examples[]> {
  return Promise.all(inPortions(cases).map((some) => run<Examples>({ step: 'examples', cases: some, pool })))
}

/** What the first look makes of documents, in their order; without a pool no fields are asked that they do not have. */
export async function looksInThreads(
  cases: readonly TrainingCase[],
  pool: SchemaElement[],
  first: Trees,
): Promise<Looks[]> {
  const found = inPortions(cases).map((some) => run<Looks[]>({ step: 'looks', cases: some, pool, first }))
  return (await Promise.all(found)).flat()
}

/** All examples behind one another, in memory that threads share. */
export function together(parts: readonly Examples[]): Examples {
  const rows = new Rows(features.length)
  for (const part of parts) rows.addAll(part)
  return shared(rows.examples())
}

function inPortions<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / portion) }, (_, index) =>
    all.slice(index * portion, (index + 1) * portion),
  )
}

const run = <T>(task: Task): Promise<T> => inThread<T>(import.meta.url, () => ({ task }))

const task = taskOf<Task>(import.meta.url)
if (task?.step === 'looks') parentPort!.postMessage(task.cases.map((one) => looksAt(one, task)))
else if (task) {
  const rows = new Rows(features.length)
  if (task.step === 'draw') for (const seed of task.seeds) addExamples(rows, prepare(drawnCase(seed)), 1)
  else for (const one of task.cases) addWeighted(rows, one, task.pool)
  const examples = rows.examples()
  parentPort!.postMessage(examples, buffersOf(examples))
}

function addWeighted(rows: Rows, { one, own, absent, fold }: Weighted, pool: SchemaElement[]): void {
  rows.of(fold)
  addExamples(rows, prepare(one), own)
  addExamples(rows, prepareAbsent(one, pool), absent)
}

function looksAt(one: TrainingCase, { pool, first }: { pool: SchemaElement[]; first: Trees }): Looks {
  return {
    own: looksOf(prepare(one), first),
    absent: pool.length > 0 ? looksOf(prepareAbsent(one, pool), first) : [],
  }
}
