import { isColumnHeading, itemKey, plain } from './known-labels.ts'
import type { Block, Line, Run } from './lines.ts'

export type Column = { heading: string; values: string[] }

/** A table with a header row: where it begins in its block, and which lines belong to it. */
export type FoundTable = {
  columns: Column[]
  name: string | null
  lines: ReadonlySet<Line>
  linesAbove: number
  kind: Block['kind']
}

const maxHeadingChars = 40
const maxWords = 5
/** So many lines that are no rows (a second line of a description, a note) may stand between two rows. */
const maxBetween = 3

/** The tables of a block: a line of headings with rows of values under them. Pure. */
export function findTables(block: Block): FoundTable[] {
  const found: FoundTable[] = []
  for (let index = 0; index < block.lines.length; index += 1) {
    const header = headerAt(block, index)
    if (header === null) continue
    const { rows, last } = rowsBelow(block, index, header)
    if (rows.length === 0 || (rows.length === 1 && !isItemHeader(header))) continue
    const columns = header.map((run, at) => ({
      heading: run.text,
      values: rows.flatMap((row) => row.filter((cell) => columnOf(header, cell) === at).map((cell) => cell.text)),
    }))
    const lines = new Set(block.lines.slice(index, last + 1))
    found.push({
      columns: columns.filter(({ heading, values }) => values.length > 0 || itemKey(heading) !== null),
      name: block.name,
      lines,
      linesAbove: index,
      kind: block.kind,
    })
    index = last
  }
  return found.filter((table) => table.columns.length >= 2)
}

function headerAt(block: Block, index: number): Line | null {
  const line = block.lines[index]!.flatMap(splitHeadings)
  if (line.length < 2 || !line.every(isHeading)) return null
  const known = line.filter((run) => isColumnHeading(run.text)).length
  const least = block.kind === 'sheet' ? 0 : 2
  if (known < least || (line.length === 2 && known < 2)) return null
  if (block.kind === 'sheet' && !isFullerThanAbove(block, index)) return null
  // Headings on two lines: the upper ones stand right above.
  const above = block.lines[index - 1]
  if (block.kind !== 'page' || above === undefined || !above.every(isHeading) || above.length < 2) return line
  return line.map((run) => {
    const upper = above.filter((other) => overlap(other, run) > 0.3)
    return upper.length === 1 && gapBetween(upper[0]!, run) < run.box.height
      ? { ...run, text: `${upper[0]!.text} ${run.text}` }
      : run
  })
}

/** The header of a sheet has a heading for every column; a title or a pair of label and value above it has not. */
function isFullerThanAbove(block: Block, index: number): boolean {
  const width = Math.max(...block.lines.slice(index, index + 20).map((line) => line.length))
  return block.lines[index]!.length >= Math.max(2, width * 0.7) && index + 1 < block.lines.length
}

function isItemHeader(header: Line): boolean {
  return (
    new Set(header.map((run) => itemKey(run.text)).filter((key) => key !== null && key !== 'booking_date')).size >= 2
  )
}

function isHeading(run: Run): boolean {
  const words = run.text.split(' ').length
  return (
    run.text.length <= maxHeadingChars &&
    words <= maxWords &&
    !/\d/.test(run.text) &&
    /\p{L}|[#%]/u.test(run.text) &&
    !/[:!?]$/.test(run.text)
  )
}

/** «Menge Einheit» printed close together are two headings. */
function splitHeadings(run: Run): Run[] {
  const words = run.text.split(' ')
  if (
    words.length < 2 ||
    isColumnHeading(run.text) ||
    !words.every((word) => isColumnHeading(word) || /^[€£$%]$/.test(word) || plain(word) === '')
  )
    return [run]
  const kept = words.filter((word) => isColumnHeading(word))
  const width = run.box.width / kept.length
  return kept.map((text, at) => ({ text, box: { ...run.box, x: run.box.x + at * width, width } }))
}

function rowsBelow(block: Block, index: number, header: Line): { rows: Line[]; last: number } {
  const rows: Line[] = []
  let last = index
  const singleWords = block.kind === 'sheet'
  for (let at = index + 1; at < block.lines.length && at - last <= maxBetween; at += 1) {
    const line = block.lines[at]!
    const columns = new Set(line.map((cell) => columnOf(header, cell)).filter((column) => column !== null))
    const hasValue = singleWords || line.some((cell) => /\d/.test(cell.text))
    const enough = columns.size >= Math.max(2, Math.ceil(header.length / 2))
    if (!enough || !hasValue || columns.size < line.length - 1) continue
    rows.push(line)
    last = at
  }
  return { rows, last }
}

/** The column that a cell stands in: the one it overlaps most, or the nearest; null when it is far from all. */
function columnOf(header: Line, cell: Run): number | null {
  const overlaps = header.map((run) => overlap(run, cell))
  const best = Math.max(...overlaps)
  if (best > 0) return overlaps.indexOf(best)
  const gaps = header.map((run) =>
    Math.max(run.box.x - (cell.box.x + cell.box.width), cell.box.x - (run.box.x + run.box.width)),
  )
  const nearest = Math.min(...gaps)
  return nearest < 0.06 ? gaps.indexOf(nearest) : null
}

function overlap(one: Run, other: Run): number {
  const width = Math.min(one.box.x + one.box.width, other.box.x + other.box.width) - Math.max(one.box.x, other.box.x)
  return Math.max(0, width) / Math.max(1e-9, Math.min(one.box.width, other.box.width))
}

function gapBetween(upper: Run, lower: Run): number {
  return lower.box.y - (upper.box.y + upper.box.height)
}
