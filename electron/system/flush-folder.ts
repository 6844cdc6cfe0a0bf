import { closeSync, fsyncSync, openSync } from 'node:fs'

/**
 * Makes a rename in a folder durable: it is on the disk only once its folder is. Windows opens no folder as a file, and
 * needs no such flush.
 */
export function flushFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
