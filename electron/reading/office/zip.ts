import { fromBuffer } from 'yauzl'
import type { Entry, ZipFile } from 'yauzl'
import { AppError } from '../../../shared/domain/errors.ts'
import { sniffType } from '../../../shared/domain/file-type.ts'
import { asDamaged } from '../damaged.ts'

const mebibyte = 1024 * 1024
const maxUnpackedBytes = 100 * mebibyte
const maxEntries = 10_000
const maxRatio = 100
const ratioFromBytes = mebibyte

/**
 * The parts of an Office file by their name without a leading slash, in any case (ECMA-376 Part 2, 6.2.2.3); unpacked
 * when asked for.
 */
export type Parts = { has(name: string): boolean; text(name: string): Promise<string | null>; close(): void }

/**
 * Opens a DOCX or XLSX. Before anything is unpacked the directory is checked, and while unpacking the
 * bytes are counted, so a directory that lies gains nothing. Throws `file_encrypted` (an Office file
 * inside a compound file, or encrypted entries), `file_too_complex` (over 10,000 entries, over 100 MB
 * unpacked, an entry over 1 MB that shrank more than a hundredfold) or `file_damaged`.
 */
export async function openParts(bytes: Uint8Array): Promise<Parts> {
  if (sniffType(bytes) === 'encrypted-office') throw new AppError('file_encrypted')
  const zip = await openZip(bytes)
  const entries = new Map<string, Entry>()
  try {
    await listEntries(zip, (entry) => entries.set(entry.fileName.replace(/^\/+/, '').toLowerCase(), entry))
  } catch (error) {
    zip.close()
    throw asDamaged(error)
  }
  let unpackedBytes = 0
  const spend = (count: number): void => {
    unpackedBytes += count
    if (unpackedBytes > maxUnpackedBytes) throw new AppError('file_too_complex', { unpackedBytes, maxUnpackedBytes })
  }
  return {
    has: (name) => entries.has(name.toLowerCase()),
    async text(name) {
      const entry = entries.get(name.toLowerCase())
      if (entry === undefined) return null
      try {
        return decode(await unpack(zip, entry, spend))
      } catch (error) {
        throw asDamaged(error)
      }
    },
    close: () => zip.close(),
  }
}

function openZip(bytes: Uint8Array): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      { lazyEntries: true, autoClose: false },
      (error, zip) => {
        if (error) reject(asDamaged(error))
        else resolve(zip)
      },
    )
  })
}

function listEntries(zip: ZipFile, add: (entry: Entry) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let count = 0
    let declaredBytes = 0
    zip.on('error', reject)
    zip.on('end', resolve)
    zip.on('entry', (entry: Entry) => {
      count++
      declaredBytes += entry.uncompressedSize
      const ratio = entry.uncompressedSize / Math.max(1, entry.compressedSize)
      if ((entry.generalPurposeBitFlag & 1) !== 0) return reject(new AppError('file_encrypted'))
      if (count > maxEntries) return reject(new AppError('file_too_complex', { entries: count, maxEntries }))
      if (declaredBytes > maxUnpackedBytes)
        return reject(new AppError('file_too_complex', { unpackedBytes: declaredBytes, maxUnpackedBytes }))
      if (entry.uncompressedSize > ratioFromBytes && ratio > maxRatio)
        return reject(new AppError('file_too_complex', { ratio: Math.round(ratio), maxRatio }))
      add(entry)
      zip.readEntry()
    })
    zip.readEntry()
  })
}

function unpack(zip: ZipFile, entry: Entry, spend: (count: number) => void): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) return reject(error)
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => {
        try {
          spend(chunk.length)
          chunks.push(chunk)
        } catch (limit) {
          stream.destroy()
          reject(limit)
        }
      })
      stream.on('error', reject)
      stream.on('end', () => resolve(Buffer.concat(chunks)))
    })
  })
}

// XML is UTF-8 unless a byte order mark says UTF-16 (XML 1.0, 4.3.3)
function decode(bytes: Uint8Array): string {
  const label =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(label).decode(bytes)
}
