import type { Column } from './list-content.ts'
import { columnsOn } from './list-header.ts'
import type { Header } from './list-header.ts'
import { beginsAsSum, namesBalance, namesSum } from './list-rows.ts'
import type { Row } from './list-rows.ts'
import { textOf, wordsOf } from './layout.ts'
import type { Layout, Line, Word } from './layout.ts'
import { findDates } from './parse-value.ts'

/** Headings of groups are short, and begin at the edge of the table or so many em beside it. */
const longestHeading = 10
const furthestIn = 2
/** In em: headings of one table begin at the same place. */
const sameEdge = 0.5

/**
 * The rows of a table with what stands above them as the heading of their group («B. Plumbing», «Monday, 12 May»): it
 * says the same of all rows down to the next one. A row that is such a heading itself is none, and no more are those of
 * `groups`, which what stands below them makes up.
 */
export function withHeadings(header: Header, all: readonly Row[], groups: readonly Row[], layout: Layout): Row[] {
  const rows = all.filter((row, at) => !isHeadingRow(row, all[at + 1]))
  const lines = new Map(layout.lines.map((line) => [line.index, line]))
  const taken = new Set(rows.flatMap((row) => row.lines))
  const summed = new Set(groups.flatMap((row) => row.lines))
  let first: Found | undefined
  let heading: readonly Word[] | undefined
  return rows.map((row, at) => {
    const page = layout.pages.find(({ number }) => number === row.page)!
    const columns = columnsOn(header, row.page)
    for (let index = beginOf(row, rows[at - 1], header); index < Math.min(...row.lines); index++) {
      const line = taken.has(index) ? undefined : lines.get(index)
      const words = line && headingIn(line, columns, summed.has(index), page.em)
      if (!words) continue
      const found = { line, inset: line.box.x - columns[0]!.left }
      if (first && !areAlike(found, first, page.em)) continue
      first ??= found
      heading = words
    }
    return heading ? { ...row, heading: [...heading] } : row
  })
}

/** The first line that may be a heading of a row: behind the row above, behind the head, or right above the row. */
function beginOf(row: Row, above: Row | undefined, header: Header): number {
  if (above?.page === row.page) return Math.max(...above.lines) + 1
  const isBelowHead = row.page === header.page && header.columns.some(({ text }) => text !== '')
  return Math.max(Math.min(...row.lines) - 1, isBelowHead ? header.lastLine + 1 : 0)
}

/** A row of one text, above one of several cells. */
function isHeadingRow({ cells }: Row, next: Row | undefined): boolean {
  const [only] = cells.values()
  return cells.size === 1 && next !== undefined && next.cells.size > 2 && isText(only!)
}

function isText(words: readonly Word[]): boolean {
  const text = textOf(words)
  return words.length <= longestHeading && (/\p{L}{2}/u.test(text) || findDates(text).length > 0)
}

/** What a line says as a heading: one text, or one with the sum of its rows beside it. */
function headingIn(line: Line, columns: readonly Column[], isSummed: boolean, em: number): readonly Word[] | undefined {
  const [left, right] = [columns[0]!.left - furthestIn * em, columns.at(-1)!.right + em]
  const [cell, ...others] = line.cells.filter(({ box }) => box.x + box.width > left && box.x < right)
  if (!cell || cell.box.x > columns[0]!.left + furthestIn * em || !isText(cell.words)) return undefined
  if (others.length > 0 && !isSummed) return undefined
  return namesBalance(line.text) || namesSum(cell.text) || beginsAsSum(cell.text) ? undefined : cell.words
}

/** A heading, and how far right of the table's edge on its page it begins. */
type Found = { line: Line; inset: number }

function areAlike(one: Found, other: Found, em: number): boolean {
  const isBold = ({ line }: Found): boolean => wordsOf(line)[0]!.bold
  return Math.abs(one.inset - other.inset) < sameEdge * em && isBold(one) === isBold(other)
}
