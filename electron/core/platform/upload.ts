import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { AppError } from '../../../shared/domain/errors.ts'
import type { ShownFile } from '../files/open-document.ts'
import type { FileAccess } from '../files/file-access.ts'
import { codeOf } from '../files/move-file.ts'

/**
 * A multiple of 3, so that each piece is base64 of its own without padding between. Larger pieces are faster, but above
 * 1,031,913 characters Node keeps the base64 text outside of the heap until the next collection (seen: 109 MB for
 * eight).
 */
const maxPieceBytes = 384 * 1024

export type UploadFile = ShownFile & { files: FileAccess }

/**
 * The JSON body of an extraction request (spec, «Extraction request»), streamed from disk: base64 as it goes, its
 * exact size known before. `more` holds the other properties (`params`, `callback`).
 * The chunks share memory: each must be written out before the one after the next is asked for, which is how a
 * consumer behaves that waits for `drain` (pieces are larger than any socket's buffer mark).
 * While it is read the body throws `file_changed` when the file is no longer the one that was taken in.
 */
export function uploadBody(
  file: UploadFile,
  more: Record<string, unknown>,
): { chunks: AsyncIterable<Uint8Array>; sizeBytes: number } {
  const head = Buffer.from(`{"filename":${JSON.stringify(file.name)},"file":"`)
  const rest = JSON.stringify(more)
  const tail = Buffer.from(rest === '{}' ? '"}' : `",${rest.slice(1)}`)
  const base64Bytes = Math.ceil(file.sizeBytes / 3) * 4
  return { sizeBytes: head.length + base64Bytes + tail.length, chunks: pieces(file, head, tail) }
}

async function* pieces(file: UploadFile, head: Buffer, tail: Buffer): AsyncGenerator<Uint8Array> {
  const handle = await openFile(file)
  try {
    yield head
    const hash = createHash('sha256')
    // A small file takes small buffers: 1.4 MB for each cost a fifth of the time of sending it.
    const pieceBytes = Math.min(maxPieceBytes, roundedUp(file.sizeBytes))
    const buffer = Buffer.allocUnsafeSlow(pieceBytes)
    // Two outgoing buffers in turn: the one before is in the kernel's hands by the time its turn comes again.
    const outgoing: (Buffer | undefined)[] = []
    let turn = 0
    let position = 0
    while (position < file.sizeBytes) {
      const length = await fill(handle, buffer, Math.min(pieceBytes, file.sizeBytes - position), position)
      if (length === 0) throw new AppError('file_changed', { file: file.name })
      const piece = buffer.subarray(0, length)
      hash.update(piece)
      position += length
      turn = 1 - turn
      const encoded = (outgoing[turn] ??= Buffer.allocUnsafeSlow((pieceBytes / 3) * 4))
      yield encoded.subarray(0, encoded.write(piece.toString('base64'), 'latin1'))
    }
    const after = await handle.stat()
    const changed = after.size !== file.sizeBytes || Math.trunc(after.mtimeMs) !== file.mtimeMs
    if (changed || (file.sha256 !== null && !hash.digest().equals(file.sha256))) {
      // Thrown before the tail leaves: the service never sees a whole request.
      throw new AppError('file_changed', { file: file.name })
    }
    yield tail
  } catch (error) {
    // A share that goes away in the middle: the tail never leaves, so the service never sees a whole request.
    throw fileError(error, file.name)
  } finally {
    await handle.close()
  }
}

/** To a multiple of 3. */
function roundedUp(bytes: number): number {
  return Math.ceil(bytes / 3) * 3
}

async function openFile(file: UploadFile): Promise<FileHandle> {
  try {
    return await file.files.open(file.path, 'r')
  } catch (error) {
    throw fileError(error, file.name)
  }
}

/** What a failed access to a document means: gone, or locked and forbidden for now. */
export function fileError(error: unknown, name: string): AppError {
  if (error instanceof AppError) return error
  const code = codeOf(error)
  if (code === 'ENOENT' || code === 'ENOTDIR') return new AppError('file_missing', { file: name }, { cause: error })
  return new AppError('file_unreadable', { file: name, detail: code }, { cause: error })
}

/** Reads until the piece is full or the file ends: a short read in the middle would put padding into the base64. */
async function fill(handle: FileHandle, buffer: Buffer, length: number, position: number): Promise<number> {
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return filled
}
