import { basename } from 'node:path'
import { deserializeError, serializeError } from '../../../../shared/domain/errors.ts'
import type { SerializedError } from '../../../../shared/domain/errors.ts'
import { diskAccess, wrapAccess } from '../../files/file-access.ts'
import type { FileAccess, ReadAccess } from '../../files/file-access.ts'
import { noAnswerCode } from '../../files/file-limits.ts'
import { pieceBytes } from '../../files/hash-file.ts'
import { codeOf } from '../../files/move-file.ts'
import { listDirectory, statCandidate } from './directory-entries.ts'
import { identify } from './identify.ts'
import { looksComplete } from './looks-complete.ts'

/** What may be asked about several files in a batch: each answers about one, and waits for the file system alone. */
const tasks = {
  list: (files: ReadAccess, { path }: { path: string }) => listDirectory(files, path),
  stat: (files: ReadAccess, { path }: { path: string }) => statCandidate(files, path),
  isComplete: looksComplete,
  /** Only of small files, since one access has to do. */
  identify: (files: ReadAccess, { path }: { path: string }) => identify(files, path, basename(path), pieceBytes),
}

type Tasks = typeof tasks
type TaskName = keyof Tasks
type Input<Name extends TaskName> = Parameters<Tasks[Name]>[1]
type Output<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]>>
/** What a task came to for one file. */
export type Answer<T> = { value: T } | { error: SerializedError }

/** A thread answers for so long before others of the folder have their turn; a first one it answers in any case. */
const sliceMs = 50
/** A message for each file would cost four times what a small file takes; for a hundred it costs nothing. */
const batchSize = 100
/** Without a thread so many are asked about at once: what is sent from their folder must not wait for long. */
const concurrentAsks = 2

/** In a thread: the answers about the first of these, as many as there is time for. */
export async function answerFirst(
  files: ReadAccess,
  name: TaskName,
  inputs: readonly never[],
): Promise<Answer<unknown>[]> {
  const until = performance.now() + sliceMs
  const answers: Answer<unknown>[] = []
  for (const input of inputs) {
    answers.push(await answer(files, name, input))
    if (performance.now() >= until) break
  }
  return answers
}

/**
 * Asks a task about each of these files, in their order: in batches where threads answer, else one by one. An error of
 * the task is an answer of its own.
 */
export async function askAll<Name extends TaskName>(
  files: FileAccess,
  name: Name,
  inputs: readonly Input<Name>[],
): Promise<Answer<Output<Name>>[]> {
  const answers: Answer<Output<Name>>[] = []
  while (answers.length < inputs.length)
    answers.push(...(await askSome(files, name, inputs.slice(answers.length, answers.length + batchSize))))
  return answers
}

async function askSome<Name extends TaskName>(
  files: FileAccess,
  name: Name,
  inputs: readonly Input<Name>[],
): Promise<Answer<Output<Name>>[]> {
  try {
    if (files.askBatch !== undefined) return (await files.askBatch(name, inputs)) as Answer<Output<Name>>[]
  } catch (error) {
    // The place of the first does not answer, which that says in its own way. A thread that ended says nothing.
    if (codeOf(error) === noAnswerCode)
      return [
        await answer(
          wrapAccess(diskAccess, () => () => Promise.reject(error)),
          name,
          inputs[0]!,
        ),
      ]
  }
  const answers: Answer<Output<Name>>[] = []
  const left = inputs.entries()
  const answerNext = async (): Promise<void> => {
    for (const [index, input] of left) answers[index] = await answer(files, name, input)
  }
  await Promise.all(Array.from({ length: concurrentAsks }, answerNext))
  return answers
}

/** What an answer says; throws the error that the task came to. */
export function valueOf<T>(given: Answer<T>): T {
  if ('error' in given) throw deserializeError(given.error)
  return given.value
}

async function answer<Name extends TaskName>(
  files: ReadAccess,
  name: Name,
  input: Input<Name>,
): Promise<Answer<Output<Name>>> {
  try {
    const task = tasks[name] as (files: ReadAccess, input: Input<Name>) => Promise<Output<Name>>
    return { value: await task(files, input) }
  } catch (error) {
    return { error: serializeError(error) }
  }
}
