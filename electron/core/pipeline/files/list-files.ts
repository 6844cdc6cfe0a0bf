import { join } from 'node:path'
import { noAnswerCode } from '../../files/file-limits.ts'
import type { FileAccess } from '../../files/file-access.ts'
import { textOfName } from '../../files/file-names.ts'
import { codeOf } from '../../files/move-file.ts'
import { candidateAt } from './file-rules.ts'
import type { Candidate } from './file-rules.ts'

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
    const entries = await entriesOf(files, directory)
    if (entries instanceof Error) {
      if (directory === root || codeOf(entries) === noAnswerCode) return void (yield null)
      continue
    }
    const { subdirectories, paths } = sortEntries(directory, entries, ignores, isLeftOut)
    if (recursive) directories.push(...subdirectories.sort().reverse())
    paths.sort()
    for (let at = 0; at < paths.length; at += batchSize) {
      signal?.throwIfAborted()
      const candidates = await Promise.all(paths.slice(at, at + batchSize).map((path) => statCandidate(files, path)))
      if (candidates.some((candidate) => candidate?.unreadable === noAnswerCode)) return void (yield null)
      yield candidates.filter((candidate) => candidate !== null)
    }
  }
}

type Entry = { name: Buffer; isDirectory: () => boolean }

async function entriesOf(files: FileAccess, directory: string): Promise<Entry[] | Error> {
  try {
    return await files.readdir(directory, { withFileTypes: true, encoding: 'buffer' })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Hidden directories are not gone into. */
function sortEntries(
  directory: string,
  entries: Entry[],
  ignores: (path: string) => boolean,
  isLeftOut: (name: string) => boolean,
): { subdirectories: string[]; paths: string[] } {
  const subdirectories: string[] = []
  const paths: string[] = []
  for (const entry of entries) {
    const name = textOfName(entry.name)
    const path = join(directory, name)
    if (ignores(path)) continue
    if (!entry.isDirectory()) {
      if (!isLeftOut(name)) paths.push(path)
    } else if (!name.startsWith('.')) subdirectories.push(path)
  }
  return { subdirectories, paths }
}

/**
 * A path as its directory entry says now; null when it is gone. One that may not be looked at is there all the same.
 */
export async function statCandidate(files: FileAccess, path: string): Promise<Candidate | null> {
  try {
    return candidateAt(path, await files.lstat(path))
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    return { path, type: 'file', sizeBytes: 0, mtimeMs: 0, changedAt: 0, unreadable: code }
  }
}
