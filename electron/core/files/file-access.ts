import {
  access,
  copyFile,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rmdir,
  stat,
  statfs,
  unlink,
  writeFile,
} from 'node:fs/promises'

/** What core does to the folders of a person: one place, so that a share that fails can be shown in a test. */
export type FileAccess = {
  access: typeof access
  copyFile: typeof copyFile
  link: typeof link
  lstat: typeof lstat
  mkdir: typeof mkdir
  open: typeof open
  readdir: typeof readdir
  readFile: typeof readFile
  realpath: (path: string) => Promise<string>
  rename: typeof rename
  rmdir: (path: string) => Promise<void>
  stat: typeof stat
  statfs: (path: string) => Promise<{ type: number }>
  unlink: typeof unlink
  writeFile: typeof writeFile
  /** Where threads answer several small questions as one access (`FileThreads`); see `askAll`. */
  askBatch?: AskBatch
}

/** What looking at files takes. */
export type ReadAccess = Pick<FileAccess, 'lstat' | 'open' | 'readdir' | 'stat'>

/** Asks a task of each input; resolves with the answers to the first of them, one at least, in their order. */
export type AskBatch = (task: string, inputs: readonly { path: string }[]) => Promise<unknown[]>

export const diskAccess: Omit<FileAccess, 'askBatch'> = {
  access,
  copyFile,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rmdir,
  stat,
  statfs,
  unlink,
  writeFile,
}

/** Accesses that take two paths, the second of which is the one that is made. */
const withTwoPaths: readonly string[] = ['copyFile', 'link', 'rename'] satisfies (keyof FileAccess)[]

/** Any access, its paths as strings first. */
type AnyAccess = (...given: string[]) => Promise<unknown>

/**
 * The same file system but for `askBatch`, each access in its wrapping. `wrap` is given the access, its name, and how
 * many of its arguments are paths: the first one or two.
 */
export function wrapAccess(
  files: FileAccess,
  wrap: (access: AnyAccess, name: keyof FileAccess, paths: 1 | 2) => AnyAccess,
): Omit<FileAccess, 'askBatch'> {
  const names = Object.keys(diskAccess) as (keyof FileAccess)[]
  const wrapped = names.map((name) => [
    name,
    wrap(files[name] as unknown as AnyAccess, name, withTwoPaths.includes(name) ? 2 : 1),
  ])
  return Object.fromEntries(wrapped) as Omit<FileAccess, 'askBatch'>
}
