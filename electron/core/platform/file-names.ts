import { isUtf8 } from 'node:buffer'
import type { PathLike } from 'node:fs'
import type { FileAccess } from './file-access.ts'

const mark = '\ufffd'
const escaped = /\ufffd([0-9A-F]{2})/g

/**
 * A file's name as text. Linux allows any bytes but `/` and NUL in a name: each byte of one that is not UTF-8 is shown as
 * U+FFFD and its two hexadecimal digits, and so is each byte of a true U+FFFD, so that no two names become one text.
 */
export function textOfName(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  if (isUtf8(bytes) && !text.includes(mark)) return text
  let shown = ''
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((size) => at + size <= bytes.length && isUtf8(bytes.subarray(at, at + size)))
    const character = length === undefined ? mark : bytes.toString('utf8', at, at + length)
    const next = at + (length ?? 1)
    shown += character === mark ? [...bytes.subarray(at, next)].map((byte) => mark + byte.toString(16).toUpperCase().padStart(2, '0')).join('') : character
    at = next
  }
  return shown
}

/** The place that a path made of `textOfName` stands for, as the file system takes it. */
export function placeOf(path: string): string | Buffer {
  if (!path.includes(mark)) return path
  const parts: Buffer[] = []
  let end = 0
  for (const match of path.matchAll(escaped)) {
    parts.push(Buffer.from(path.slice(end, match.index)), Buffer.from([Number.parseInt(match[1]!, 16)]))
    end = match.index + match[0].length
  }
  return Buffer.concat([...parts, Buffer.from(path.slice(end))])
}

/** The longest name that every file system here takes: 255 bytes (ext4, APFS), no more than 255 characters (NTFS). */
const longestNameBytes = 255

/** `name` with `suffix` after it, its end cut off where the whole would be longer than a name may be. */
export function nameWith(name: string, suffix: string): string {
  let kept = name
  while (Buffer.byteLength(kept + suffix) > longestNameBytes) kept = [...kept].slice(0, -1).join('')
  // Not in the middle of an escaped byte.
  return kept.replace(/\ufffd[0-9A-F]?$/, '') + suffix
}

/** The same file system, for paths whose names were read by `textOfName`. */
export function withTextNames(files: FileAccess): FileAccess {
  const at = <F extends (path: PathLike, ...rest: never[]) => unknown>(access: F): F => ((path: PathLike, ...rest: never[]) => access(known(path), ...rest)) as F
  const between = <F extends (from: PathLike, to: PathLike, ...rest: never[]) => unknown>(access: F): F =>
    ((from: PathLike, to: PathLike, ...rest: never[]) => access(known(from), known(to), ...rest)) as F
  return {
    access: at(files.access),
    copyFile: between(files.copyFile),
    link: between(files.link),
    lstat: at(files.lstat as (path: PathLike, ...rest: never[]) => unknown) as FileAccess['lstat'],
    mkdir: at(files.mkdir as (path: PathLike, ...rest: never[]) => unknown) as FileAccess['mkdir'],
    open: at(files.open),
    readdir: at(files.readdir as (path: PathLike, ...rest: never[]) => unknown) as FileAccess['readdir'],
    readFile: at(files.readFile as (path: PathLike, ...rest: never[]) => unknown) as FileAccess['readFile'],
    realpath: at(files.realpath as (path: PathLike) => Promise<string>) as FileAccess['realpath'],
    rename: between(files.rename),
    stat: at(files.stat as (path: PathLike, ...rest: never[]) => unknown) as FileAccess['stat'],
    unlink: at(files.unlink),
    writeFile: at(files.writeFile as (path: PathLike, ...rest: never[]) => unknown) as FileAccess['writeFile'],
  }
}

function known(path: PathLike): PathLike {
  return typeof path === 'string' ? placeOf(path) : path
}
