import { createHash } from 'node:crypto'
import type { FileAccess } from './file-access.ts'

const headBytes = 1100
const pieceBytes = 128 * 1024

/** Reads a whole file once: its size, its SHA-256 and its first bytes. Throws what the file system throws. */
export async function hashFile(
  files: FileAccess,
  path: string,
): Promise<{ sizeBytes: number; sha256: Buffer; head: Buffer }> {
  const hash = createHash('sha256')
  const head: Buffer[] = []
  let sizeBytes = 0
  // Not as a stream, which reads ahead: between two pieces others have their turn.
  const handle = await files.open(path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(pieceBytes)
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, pieceBytes, null)
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
