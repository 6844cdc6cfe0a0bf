import { fold } from '../../shared/domain/fold.ts'
import type { Line } from '../service/extraction/layout.ts'

/** The number that a page prints of itself, and of how many; `isBare`: nothing says that it is one. */
export type PrintedNumber = { number: number; of: number | null; isBare: boolean } | null

const named =
  /\b(?:seite|page|pagina|pag|pg|blad|blatt|sheet|folio|foglio|hoja)\b\.?\s*(?:nr)?\s?[.:]?\s*(\d{1,3})(?!\d)(?:\s*(?:\/|von|of|de|di|van|sur|aus)\s*(\d{1,3})(?!\d))?/
const counted = /^\D{0,3}(\d{1,3})\s?(?:\/|von|of|de|di|van|sur)\s?(\d{1,3})\D{0,3}$/
const bare = /^[-–| ]{0,3}(\d{1,3})[-–| ]{0,3}$/

/** Bare numbers are only looked for at the edges of a page. */
const edge = { top: 0.1, bottom: 0.88 }
const [longestLine, longestCell] = [400, 20]

export function printedNumber(lines: readonly Line[]): PrintedNumber {
  for (const { text } of lines) {
    // «Page» and «1of2» may be cells of their own.
    const match = named.exec(fold(text.slice(0, longestLine)).replace(/ {2,}/g, ' '))
    if (match) return of(match, false)
  }
  const edges = lines
    .filter(({ box }) => box.y < edge.top || box.y > edge.bottom)
    .flatMap((line) => line.cells)
    .filter(({ text }) => text.length <= longestCell && /\d/.test(text))
  for (const { text } of edges) {
    const match = counted.exec(fold(text))
    if (match && Number(match[1]) >= 1 && Number(match[1]) <= Number(match[2])) return of(match, false)
  }
  for (const { text } of edges.toReversed()) {
    const match = bare.exec(fold(text))
    if (match) return of(match, true)
  }
  return null
}

function of([, number, all]: RegExpExecArray, isBare: boolean): PrintedNumber {
  return { number: Number(number), of: all === undefined ? null : Number(all), isBare }
}

/**
 * Whether another paper begins between two pages that say how many theirs has: 1 between «2 of 2» and «1 of 3», 0
 * between «1 of 3» and «2 of 3»; null where they say neither.
 */
export function saidByNumbers(before: PrintedNumber, behind: PrintedNumber): 0 | 1 | null {
  if (!before || !behind || before.of === null || behind.of === null) return null
  if (before.number === before.of && behind.number === 1) return 1
  return before.of === behind.of && before.number + 1 === behind.number ? 0 : null
}
