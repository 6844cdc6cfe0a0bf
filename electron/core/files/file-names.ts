import { isUtf8 } from 'node:buffer'
import { wrapAccess } from './file-access.ts'
import type { FileAccess } from './file-access.ts'
import { withoutEnd } from '../../../shared/domain/without-end.ts'

const replacementCharacter = '\ufffd'
const escaped = /\ufffd([0-9A-F]{2})/g

/**
 * A file's name as text. Linux allows any bytes but `/` and NUL in a name: each byte of one that is not UTF-8 is shown
 * as U+FFFD and its two hexadecimal digits, and so is each byte of a true U+FFFD, so that no two names become one text.
 */
export function textOfName(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  if (isUtf8(bytes) && !text.includes(replacementCharacter)) return text
  let shown = ''
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((size) => at + size <= bytes.length && isUtf8(bytes.subarray(at, at + size)))
    const character = length === undefined ? replacementCharacter : bytes.toString('utf8', at, at + length)
    const next = at + (length ?? 1)
    shown +=
      character === replacementCharacter
        ? [...bytes.subarray(at, next)]
            .map((byte) => replacementCharacter + byte.toString(16).toUpperCase().padStart(2, '0'))
            .join('')
        : character
    at = next
  }
  return shown
}

/** The place that a path made of `textOfName` stands for, as the file system takes it. */
export function placeOf(path: string): string | Buffer {
  if (!path.includes(replacementCharacter)) return path
  const parts: Buffer[] = []
  let end = 0
  for (const match of path.matchAll(escaped)) {
    parts.push(Buffer.from(path.slice(end, match.index)), Buffer.from([Number.parseInt(match[1]!, 16)]))
    end = match.index + match[0].length
  }
  return Buffer.concat([...parts, Buffer.from(path.slice(end))])
}

/** The longest name that every file system here takes: 255 bytes (ext4, APFS), no more than 255 characters (NTFS). */
const maxNameBytes = 255

/** `name` with `suffix` after it, its end cut off where the whole would be longer than a name may be. */
export function nameWith(name: string, suffix: string): string {
  let kept = name
  while (Buffer.byteLength(kept + suffix) > maxNameBytes) kept = [...kept].slice(0, -1).join('')
  // Not in the middle of an escaped byte.
  return kept.replace(/\ufffd[0-9A-F]?$/, '') + suffix
}

/** The same file system, for paths whose names were read by `textOfName`. */
export function withTextNames(files: FileAccess): FileAccess {
  // What is not text is a path already as the file system takes it.
  const bytesOf = (path: string): string => (typeof path === 'string' ? (placeOf(path) as string) : path)
  return wrapAccess(
    files,
    (access, _name, paths) =>
      (...given) =>
        access(...given.map((each, index) => (index < paths ? bytesOf(each) : each))),
  )
}

const refused = /[<>:"/\\|?*\u0000-\u001f\u007f-\u009f]/g
const devices = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?= *(\.|$))/i

/** As many bytes of UTF-8 as leave room for a date, a list's name and an ending in the 255 that file systems take. */
const defaultMaxBytes = 100
/** Windows drops these from the end of a name. */
const atEnd = /[. ]/

/**
 * A text with every character that a file's name cannot have on Windows, macOS or Linux replaced, and none of the ends
 * and names that Windows keeps for itself (Microsoft, «Naming Files, Paths, and Namespaces»): always one name, never a
 * path. Empty when nothing is left.
 */
export function asFileName(text: string): string {
  return withoutEnd(text.toWellFormed().replace(refused, '_'), atEnd).replace(devices, '_$1')
}

/**
 * Any text as a part of a file's name: `asFileName`, without dots and spaces before it, at most `maxBytes` long;
 * `fallback` when nothing is left.
 */
export function safeFileName(text: string, fallback: string, maxBytes = defaultMaxBytes): string {
  let kept = ''
  let bytes = 0
  for (const character of asFileName(text.slice(0, maxBytes * 2)).replace(/^[. ]+/, '')) {
    bytes += new TextEncoder().encode(character).length
    if (bytes > maxBytes) break
    kept += character
  }
  return withoutEnd(kept, atEnd) || fallback
}

/** The name of a file that is being written, beside its final place; `part` makes it unique. */
export function temporaryName(part: string): string {
  return `.sheaf-${part}.tmp`
}

/** True for a name that `temporaryName` made. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith('.sheaf-') && name.endsWith('.tmp')
}
