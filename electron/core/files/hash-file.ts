import { createHash } from 'node:crypto'
import type { ReadAccess } from './file-access.ts'

const headBytes = 1100
/** Of a larger file so much is read at once. */
export const pieceBytes = 128 * 1024

/**
 * Reads a file once: how many bytes it has, their SHA-256 and the first of them. Where its size is known, what was
 * written behind that since is not read, and a small file takes a small buffer: 128 KB for each cost a third
 * of the processor time of taking in many, in garbage collection. Throws what the file system throws.
 */
export async function hashFile(
  files: ReadAccess,
  path: string,
  expectedBytes = Number.MAX_SAFE_INTEGER,
): Promise<{ sizeBytes: number; sha256: Buffer; head: Buffer }> {
  const hash = createHash('sha256')
  const head: Buffer[] = []
  let sizeBytes = 0
  // Not as a stream, which reads ahead: between two pieces others have their turn.
  const handle = await files.open(path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(Math.min(pieceBytes, expectedBytes))
    while (sizeBytes < expectedBytes) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, null)
      if (bytesRead === 0) break
      const piece = buffer.subarray(0, bytesRead)
      if (sizeBytes < headBytes) head.push(Buffer.from(piece.subarray(0, headBytes)))
      sizeBytes += bytesRead
      hash.update(piece)
    }
  } finally {
    await handle.close()
  }
  return { sizeBytes, sha256: hash.digest(), head: Buffer.concat(head) }
}
