import type { ReadAccess } from '../../files/file-access.ts'
import { textOfName } from '../../files/file-names.ts'
import { codeOf } from '../../files/move-file.ts'
import { candidateAt } from './file-rules.ts'
import type { Candidate } from './file-rules.ts'

/** No name holds it. */
const separator = '\0'

/**
 * The names in a directory, sorted: of directories, and of all else as one text, since a hundred thousand of them cross
 * from one thread to another much faster so (`namesOf`). Or the file system's code where it cannot be listed.
 */
export async function listDirectory(
  files: ReadAccess,
  directory: string,
): Promise<{ names: string; directories: string[] } | { code: string }> {
  try {
    const entries = await files.readdir(directory, { withFileTypes: true, encoding: 'buffer' })
    const names: string[] = []
    const directories: string[] = []
    for (const entry of entries) (entry.isDirectory() ? directories : names).push(textOfName(entry.name))
    return { names: names.sort().join(separator), directories: directories.sort() }
  } catch (error) {
    return { code: codeOf(error) }
  }
}

/** The names in a text of `listDirectory`, `count` at a time. */
export function* namesOf(text: string, count: number): Generator<string[]> {
  let names: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf(separator, at)
    names.push(text.slice(at, end < 0 ? undefined : end))
    at = end < 0 ? text.length : end + 1
    if (names.length < count) continue
    yield names
    names = []
  }
  if (names.length > 0) yield names
}

/**
 * A path as its directory entry says now; null when it is gone. One that may not be looked at is there all the same.
 */
export async function statCandidate(files: ReadAccess, path: string): Promise<Candidate | null> {
  try {
    return candidateAt(path, await files.lstat(path))
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    return { path, type: 'file', sizeBytes: 0, mtimeMs: 0, changedAt: 0, unreadable: code }
  }
}
