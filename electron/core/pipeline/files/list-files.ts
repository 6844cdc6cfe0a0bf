import { join } from 'node:path'
import { noAnswerCode } from '../../files/file-limits.ts'
import type { FileAccess } from '../../files/file-access.ts'
import { namesOf } from './directory-entries.ts'
import type { Candidate } from './file-rules.ts'
import { askAll, valueOf } from './file-tasks.ts'

/** So many files are asked for at once: neither the event loop nor a share waits for long. */
const batchSize = 100

type Listing = {
  recursive: boolean
  ignores?: (path: string) => boolean
  /** Of files only, by their names. */
  isLeftOut?: (name: string) => boolean
  onFound?: (files: number) => void
  signal?: AbortSignal
}

/**
 * Everything below a directory except directories themselves, sorted by path; links are listed, never followed.
 * Null when the directory cannot be listed: it is offline, and nothing in it is taken for deleted. The same holds for a
 * directory further down that cannot be listed; one of which something does not answer is offline as a whole.
 * `onFound` hears how many there are so far; throws once `signal` is aborted.
 */
export async function filesBelow(
  files: FileAccess,
  root: string,
  { onFound, signal, ...listing }: Listing,
): Promise<Candidate[] | null> {
  const found: Candidate[] = []
  for await (const batch of batchesBelow(files, root, { ...listing, signal })) {
    if (batch === null) return null
    found.push(...batch)
    onFound?.(found.length)
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/**
 * The same, a hundred at most at a time as they are listed: the files of a directory by name, then those of its
 * subdirectories. The last batch is null where something cannot be listed, and nothing is known of what was not given.
 */
export async function* batchesBelow(
  files: FileAccess,
  root: string,
  { recursive, ignores = () => false, isLeftOut = () => false, signal }: Omit<Listing, 'onFound'>,
): AsyncGenerator<Candidate[] | null> {
  const directories = [root]
  for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
    signal?.throwIfAborted()
    const [listed] = await askAll(files, 'list', [{ path: directory }])
    const entries = valueOf(listed!)
    if ('code' in entries) {
      if (directory === root || entries.code === noAnswerCode) return void (yield null)
      continue
    }
    if (recursive) directories.push(...subdirectoriesIn(directory, entries.directories, ignores).reverse())
    for (const names of namesOf(entries.names, batchSize)) {
      signal?.throwIfAborted()
      const wanted = names.flatMap((name) => {
        const path = join(directory, name)
        return ignores(path) || isLeftOut(name) ? [] : { path }
      })
      const candidates = (await askAll(files, 'stat', wanted)).map(valueOf)
      if (candidates.some((candidate) => candidate?.unreadable === noAnswerCode)) return void (yield null)
      yield candidates.filter((candidate) => candidate !== null)
    }
  }
}

/** Hidden directories are not gone into. */
function subdirectoriesIn(directory: string, names: readonly string[], ignores: (path: string) => boolean): string[] {
  return names
    .filter((name) => !name.startsWith('.'))
    .map((name) => join(directory, name))
    .filter((path) => !ignores(path))
}
