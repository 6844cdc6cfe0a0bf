import { extensionOf, mailExtensions, maxFileBytes, supportedExtensions } from '../../../../shared/domain/limits.ts'
import type { ReadAccess } from '../../files/file-access.ts'
import type { Candidate } from './file-rules.ts'

const tailBytes = 66_000
/**
 * What the end of a whole file holds, by kind: ISO 32000-1 7.5.5, PNG 11.2.5, JPEG EOI, ZIP end of central directory.
 */
const endings = {
  pdf: Buffer.from('%%EOF'),
  png: Buffer.from('IEND'),
  jpeg: Buffer.from([0xff, 0xd9]),
  docx: Buffer.from([0x50, 0x4b, 0x05, 0x06]),
  xlsx: Buffer.from([0x50, 0x4b, 0x05, 0x06]),
}
const endingWithin = { pdf: 2048, png: 64, jpeg: 4096, docx: tailBytes, xlsx: tailBytes }

/** True when the file ends as its kind does. A preallocated or half-copied file does not. */
export async function looksComplete(files: ReadAccess, { path, sizeBytes }: Candidate): Promise<boolean> {
  if (sizeBytes === 0) return false
  // A mail that is cut gives cut attachments, and nothing at its end says so.
  if (mailExtensions[extensionOf(path)] !== undefined) return false
  const kind = supportedExtensions[extensionOf(path)]
  if (kind === undefined || sizeBytes > maxFileBytes) return true
  try {
    const handle = await files.open(path, 'r')
    try {
      const length = Math.min(endingWithin[kind], sizeBytes)
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, sizeBytes - length)
      return buffer.subarray(0, bytesRead).includes(endings[kind])
    } finally {
      await handle.close()
    }
  } catch {
    // Not readable for now: intake says so.
    return true
  }
}
