import { basename } from 'node:path'
import { deserializeError, serializeError } from '../../../../shared/domain/errors.ts'
import type { SerializedError } from '../../../../shared/domain/errors.ts'
import { diskAccess, wrapAccess } from '../../files/file-access.ts'
import type { FileAccess, ReadAccess } from '../../files/file-access.ts'
import { listDirectory, statCandidate } from './directory-entries.ts'
import { identify } from './identify.ts'
import { looksComplete } from './looks-complete.ts'

/** What may be asked of several files together: each answers of one file, and waits for the file system alone. */
const tasks = {
  list: (files: ReadAccess, { path }: { path: string }) => listDirectory(files, path),
  stat: (files: ReadAccess, { path }: { path: string }) => statCandidate(files, path),
  isComplete: looksComplete,
  identify: (files: ReadAccess, { path }: { path: string }) => identify(files, path, basename(path)),
}

type Tasks = typeof tasks
type TaskName = keyof Tasks
type Input<Name extends TaskName> = Parameters<Tasks[Name]>[1]
type Output<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]>>
/** What a task came to for one file. */
export type Answer<T> = { value: T } | { error: SerializedError }

/** A thread answers for so long before others have their turn; a first one it answers in any case. */
const sliceMs = 50
/** So many files are asked of in one message. */
const askedTogether = 100
/** Without a thread so many are asked of beside one another: what is sent from their folder must not wait for long. */
const beside = 2

/** In a thread: the answers to the first of these, as many as there is time for. */
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
 * Asks a task of each of these files, which lie in one folder, in one access where threads answer, else in one each.
 * An error of the task is an answer of its own.
 */
export async function askTogether<Name extends TaskName>(
  files: FileAccess,
  name: Name,
  inputs: readonly Input<Name>[],
): Promise<Answer<Output<Name>>[]> {
  const answers: Answer<Output<Name>>[] = []
  try {
    while (files.ask !== undefined && answers.length < inputs.length) {
      const next = inputs.slice(answers.length, answers.length + askedTogether)
      answers.push(...((await files.ask(name, next)) as Answer<Output<Name>>[]))
    }
  } catch (error) {
    // The place does not answer: each of those left says so in its own way.
    const failing = wrapAccess(diskAccess, () => () => Promise.reject(error))
    for (const input of inputs.slice(answers.length)) answers.push(await answer(failing, name, input))
  }
  if (answers.length > 0) return answers
  const left = inputs.entries()
  const answerNext = async (): Promise<void> => {
    for (const [index, input] of left) answers[index] = await answer(files, name, input)
  }
  await Promise.all(Array.from({ length: beside }, answerNext))
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
