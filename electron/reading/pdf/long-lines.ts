import { AppError } from '../../../shared/domain/errors.ts'
import { streamsIn } from './stream-sizes.ts'

/**
 * Longer than any writer's: a page's list of references or a table's widths, some 100 kB. Where pdf.js has to look for
 * the objects of a file, it puts each line together letter by letter, at 32 bytes a letter: 30 MB took 1.1 GB.
 */
const maxLineBytes = 4 * 1024 * 1024
const [tab, lineFeed, carriageReturn, space, percent, lessThan] = [0x09, 0x0a, 0x0d, 0x20, 0x25, 0x3c]

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

/** A line begins and ends where it does for pdf.js: at `<` as well, and comments are none. */
function checkBetween(bytes: Uint8Array, from: number, to: number): void {
  let begin = from
  let isComment = false
  for (let at = from; at < to; at++) {
    const byte = bytes[at]
    if (byte === lineFeed || byte === carriageReturn || (byte === lessThan && !isComment)) {
      begin = at + 1
      isComment = false
    } else if (at === begin && (byte === space || byte === tab)) begin++
    else if (at === begin) isComment = byte === percent
    else if (!isComment && at - begin >= maxLineBytes) throw new AppError('file_damaged', { maxLineBytes })
  }
}
