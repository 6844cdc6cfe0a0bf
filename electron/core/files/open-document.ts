import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FileAccess } from './file-access.ts'

/** A file as large as most documents is one piece. */
const pieceBytes = 512 * 1024

/** A file as it is sent and shown: what a person put there, or the PDF that was made of it. */
export type ShownFile = { path: string; name: string; sizeBytes: number; mtimeMs: number; sha256: Buffer | null }

/** A file of a person, of which a part may be meant: these pages of it as it is shown, counted from 1. */
export type DocumentFile = ShownFile & { firstPage?: number | null; lastPage?: number | null }

export type OpenDocument = { sizeBytes: number; content: Readable }

/**
 * Opens a file of a person to be shown: its size in bytes, and its content, which is to be read or destroyed. Null
 * where no regular file lies. A piece is read when it is asked for, and each of these accesses has its own limit
 * (`withTimeLimits`), so that a slow reader holds nothing up. Throws what the file system throws; so does the content,
 * which ends early by an error too.
 */
export async function openDocument(
  files: Pick<FileAccess, 'stat' | 'open'>,
  path: string,
): Promise<OpenDocument | null> {
  // Before it is opened: to open a pipe is to wait for its other end.
  if (!(await files.stat(path)).isFile()) return null
  const handle = await files.open(path, 'r')
  try {
    const { size: sizeBytes } = await handle.stat()
    return { sizeBytes, content: contentOf(handle, sizeBytes) }
  } catch (error) {
    await handle.close()
    throw error
  }
}

function contentOf(handle: FileHandle, sizeBytes: number): Readable {
  let position = 0
  const next = async (): Promise<Buffer | null> => {
    const length = Math.min(pieceBytes, sizeBytes - position)
    if (length === 0) return null
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position)
    if (bytesRead === 0) throw new Error('the file became shorter while it was read')
    position += bytesRead
    return buffer.subarray(0, bytesRead)
  }
  return new Readable({
    highWaterMark: pieceBytes,
    read() {
      next().then(
        (piece) => this.push(piece),
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      handle.close().then(
        () => done(error),
        (closing: Error) => done(error ?? closing),
      )
    },
  })
}
