import type { Document, Page } from '../../../shared/domain/document.ts'
import { layOut } from '../extraction/layout.ts'
import type { LayoutPage, Line } from '../extraction/layout.ts'

/**
 * A piece of a document that answers can quote: whole lines and paragraphs, a row of a table with the table's heading
 * row.
 */
export type Passage = { page: number; text: string }

/** Lines of a passage end with this; a paragraph is one line however it was set. */
const lineEnd = '\n'
const enoughChars = 500
const maxChars = 900
const smallestChars = 300

/** Lines that stay together when passages are cut; `header` is repeated where a table is cut. */
type Block = { lines: string[]; header: string | null; heading: boolean }

/** The passages of one page in reading order, 300 to 900 characters where the page has as much. Pure. */
export function passagesOf(page: Page, kind: Document['kind']): Passage[] {
  const layout = layOut({ kind, pages: [page] }).pages[0]
  if (layout === undefined) return []
  const passages: Passage[] = []
  let open: Block[] = []
  const close = (): void => {
    // A heading belongs to what follows it.
    const kept = open.length > 1 && open.at(-1)!.heading ? [open.pop()!] : []
    if (open.length > 0) passages.push({ page: page.number, text: textOf(open) })
    open = kept
  }
  for (const block of blocksOf(layout).flatMap(cutBlock)) {
    const size = sizeOf(open)
    if (size + sizeOf([block]) > maxChars || size >= enoughChars || (block.heading && size >= smallestChars)) close()
    open.push(block)
  }
  const last = open.length > 0 ? textOf(open) : ''
  const before = passages.at(-1)
  // The rest of a page is no passage of its own when it is short.
  if (before !== undefined && last !== '' && last.length < smallestChars / 2) before.text += lineEnd + last
  else if (last !== '') passages.push({ page: page.number, text: last })
  return passages
}

function textOf(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => block.lines).join(lineEnd)
}

function sizeOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + block.lines.reduce((chars, line) => chars + line.length + 1, 0), 0)
}

/** Paragraphs, tables and loose lines of a page. */
function blocksOf(page: LayoutPage): Block[] {
  const pitch = pitchOf(page)
  const groups: Line[][] = []
  let previous: Line | undefined
  for (const line of page.lines) {
    const apart = previous === undefined || line.box.y - previous.box.y > 1.6 * pitch
    if (apart && !(previous !== undefined && isRow(previous) && isRow(line))) groups.push([line])
    else groups.at(-1)!.push(line)
    previous = line
  }
  return groups.map((lines) => {
    const header = lines.filter(isRow).length >= 3 ? lines.find(isRow)! : null
    return {
      lines: joinProse(lines, page),
      header: header !== null && header.cells.every((cell) => !/\d/.test(cell.text)) ? header.text : null,
      heading: lines.length === 1 && isHeading(lines[0]!, page),
    }
  })
}

/** The usual distance from one line to the next. */
function pitchOf(page: LayoutPage): number {
  const steps = page.lines.slice(1).map((line, index) => line.box.y - page.lines[index]!.box.y)
  const positive = steps.filter((step) => step > page.lineHeight * 0.5).sort((left, right) => left - right)
  return positive[positive.length >> 1] ?? page.lineHeight * 1.3
}

function isRow(line: Line): boolean {
  return line.cells.length >= 3 || (line.cells.length === 2 && line.cells.every((cell) => cell.declared !== undefined))
}

function isHeading(line: Line, page: LayoutPage): boolean {
  const words = line.cells.flatMap((cell) => cell.words)
  if (line.text.length > 80 || /[.,;:]$/.test(line.text)) return false
  return words.every((word) => word.bold) || words.every((word) => word.fontSize > page.fontSize * 1.15)
}

/** Lines of running text become one; a word cut at the end of a line is put together. */
function joinProse(lines: readonly Line[], page: LayoutPage): string[] {
  const widest = lines.reduce((most, line) => Math.max(most, line.box.width), 0)
  // Each paragraph in its parts: to look at the end of what is joined already would read it once more for each line.
  const joined: string[][] = []
  let previous: Line | undefined
  for (const line of lines) {
    const flows =
      previous !== undefined &&
      previous.cells.length === 1 &&
      line.cells.length === 1 &&
      isFull(previous, widest, page) &&
      !/^\s*(?:[-–•*]|\d+[.)])\s/.test(line.text)
    if (!flows) joined.push([line.text])
    else connect(joined.at(-1)!, line.text)
    previous = line
  }
  return joined.map((parts) => parts.join(''))
}

/** The line ended because the column did, not because its text did. */
function isFull(line: Line, widest: number, page: LayoutPage): boolean {
  return line.text.length > 40 && line.box.width > widest - 12 * page.em
}

function connect(parts: string[], right: string): void {
  const left = parts.at(-1)!
  if (!/\p{Ll}[-\u00AD]$/u.test(left) || !/^\p{Ll}/u.test(right)) parts.push(` ${right}`)
  else parts.splice(-1, 1, left.slice(0, -1), right)
}

/** A block longer than a passage in pieces; each piece of a table begins with its heading row. */
function cutBlock(block: Block): Block[] {
  if (sizeOf([block]) <= maxChars) return [block]
  const pieces: Block[] = []
  let lines: string[] = []
  const close = (): void => {
    if (lines.length > 0) pieces.push({ ...block, lines })
    lines = []
  }
  for (const line of block.lines.flatMap(cutLine)) {
    if (sizeOf([{ ...block, lines }]) + line.length > maxChars) {
      close()
      if (block.header !== null && block.header.length < smallestChars && pieces.length > 0) lines = [block.header]
    }
    lines.push(line)
  }
  close()
  return pieces
}

/** A paragraph that is longer than a passage, cut after sentences, else between words. */
function cutLine(line: string): string[] {
  if (line.length <= maxChars) return [line]
  const pieces: string[] = []
  let rest = line
  while (rest.length > maxChars) {
    const room = rest.slice(0, maxChars)
    const sentence = Math.max(room.lastIndexOf('. '), room.lastIndexOf('! '), room.lastIndexOf('? '))
    const at = sentence > smallestChars ? sentence + 1 : Math.max(room.lastIndexOf(' '), 0) || maxChars
    pieces.push(rest.slice(0, at).trim())
    rest = rest.slice(at).trim()
  }
  return rest === '' ? pieces : [...pieces, rest]
}
