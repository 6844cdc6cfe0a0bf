import { createHash } from 'node:crypto'
import type { FileAccess } from './file-access.ts'

const headBytes = 1100

/** Reads a whole file once: its size, its SHA-256 and its first bytes. Throws what the file system throws. */
export async function readThrough(files: FileAccess, path: string): Promise<{ sizeBytes: number; sha256: Buffer; head: Buffer }> {
  const hash = createHash('sha256')
  const head: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of files.createReadStream(path) as AsyncIterable<Buffer>) {
    if (sizeBytes < headBytes) head.push(chunk)
    sizeBytes += chunk.length
    hash.update(chunk)
  }
  return { sizeBytes, sha256: hash.digest(), head: Buffer.concat(head) }
}
