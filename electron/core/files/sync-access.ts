import { closeSync, lstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { diskAccess } from './file-access.ts'
import type { FileAccess, ReadAccess } from './file-access.ts'

/** The file system for a thread of its own, where waiting for it holds up nobody. */
const syncReads = {
  lstat: async (path: string) => lstatSync(path),
  stat: async (path: string) => statSync(path),
  readdir: async (path: string, options: { withFileTypes: true; encoding: 'buffer' }) => readdirSync(path, options),
  open: async (path: string) => {
    const fd = openSync(path, 'r')
    return {
      read: async (buffer: Buffer, offset: number, length: number, position: number | null) => ({
        bytesRead: readSync(fd, buffer, offset, length, position),
        buffer,
      }),
      close: async () => closeSync(fd),
    }
  },
} satisfies Record<keyof ReadAccess, unknown>

export const syncAccess = { ...diskAccess, ...syncReads } as unknown as FileAccess
