import { AppError } from '../../../shared/domain/errors.ts'
import { streamsIn } from './stream-sizes.ts'

/**
 * Longer than any writer's: a page's list of references or a table's widths, some 100 kB. Where pdf.js has to look for
 * the objects of a file, it puts each line together letter by letter, at 32 bytes a letter: 30 MB took 1.1 GB.
 */
const maxLineBytes = 4 * 1024 * 1024
const [lineFeed, carriageReturn, lessThan] = [0x0a, 0x0d, 0x3c]

/** Throws AppError `file_damaged` when a PDF has a line longer than 4 MB outside of the streams of its objects. */
export function checkLines(bytes: Uint8Array): void {
  let after = 0
  for (const { begin, end, number } of streamsIn(bytes)) {
    if (number < 0) continue
    checkBetween(bytes, after, begin)
    after = end
  }
  checkBetween(bytes, after, bytes.length)
}

/** A line ends where pdf.js lets it end: at `<` as well. */
function checkBetween(bytes: Uint8Array, from: number, to: number): void {
  let lineBegin = from
  for (let at = from; at < to; at++) {
    const byte = bytes[at]
    if (byte === lineFeed || byte === carriageReturn || byte === lessThan) lineBegin = at
    else if (at - lineBegin > maxLineBytes) throw new AppError('file_damaged', { maxLineBytes })
  }
}
