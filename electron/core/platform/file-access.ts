import { access, copyFile, link, lstat, mkdir, open, readdir, readFile, realpath, rename, stat, unlink, writeFile } from 'node:fs/promises'

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
  stat: typeof stat
  unlink: typeof unlink
  writeFile: typeof writeFile
}

export const diskAccess: FileAccess = { access, copyFile, link, lstat, mkdir, open, readdir, readFile, realpath, rename, stat, unlink, writeFile }
