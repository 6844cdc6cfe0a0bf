import type { FileKind } from './document.ts'
import type { ConvertedFormat } from './limits.ts'

export type SniffedType = FileKind | ConvertedFormat | 'zip' | 'encrypted-office' | 'unknown'

/**
 * What the first bytes of a file say it is. `zip` is a DOCX or XLSX (or any other archive);
 * `encrypted-office` is the compound file that Office wraps around a password-protected document
 * ([MS-OFFCRYPTO] 2.3.1). PDF allows up to 1,024 bytes before its header (ISO 32000-1, H.3.4.1).
 */
export function sniffType(head: Uint8Array): SniffedType {
  const starts = (...bytes: number[]): boolean => bytes.every((byte, index) => head[index] === byte)
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png'
  if (starts(0xff, 0xd8, 0xff)) return 'jpeg'
  if (starts(0x50, 0x4b, 0x03, 0x04)) return 'zip'
  if (starts(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)) return 'encrypted-office'
  if (starts(0x49, 0x49, 0x2a, 0x00) || starts(0x4d, 0x4d, 0x00, 0x2a)) return 'tiff'
  const text = new TextDecoder('latin1').decode(head.subarray(0, 1024))
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'webp'
  if (text.includes('%PDF-')) return 'pdf'
  // A BMP has a size and four zero bytes before its pixels begin; two letters alone begin many texts.
  if (text.startsWith('BM') && text.startsWith('\0\0\0\0', 6)) return 'bmp'
  // Any of the three encodings that a mark tells, or UTF-8.
  return /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*</.test(text) ? 'xml' : 'unknown'
}

/** True when the content can be what the extension promises. */
export function contentMatches(content: SniffedType, kind: FileKind | ConvertedFormat): boolean {
  return kind === 'docx' || kind === 'xlsx' ? content === 'zip' || content === 'encrypted-office' : content === kind
}
