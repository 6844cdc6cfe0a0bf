import type { Paragraph, Piece } from './docx-blocks.ts'
import type { TabStop } from './docx-styles.ts'

/** A word at its column, in cells from the left edge of its paragraph. */
type LaidWord = { text: string; column: number; width: number; bold: boolean; scale: number }
export type LaidLine = { words: LaidWord[]; startsPage: boolean }

const defaultTabTwips = 720
const ordinarySize = 11

type Word = { text: string; bold: boolean; size: number }
/** Words between two tabs, with the stop that the tab before them goes to. */
type Segment = { words: Word[]; afterTab: boolean }
type SourceLine = { segments: Segment[]; startsPage: boolean }

/**
 * Breaks a paragraph into lines of at most `width` cells. Tabs advance to the paragraph's tab stops
 * (ECMA-376 Part 1, 17.3.1.37), else to every half inch, so columns made with tabs stay columns.
 */
export function linesOfParagraph(paragraph: Paragraph, width: number, cellsPerTwip: number): LaidLine[] {
  const indent = Math.min(Math.max(0, paragraph.look.indent * cellsPerTwip), width * 0.6)
  const lines: LaidLine[] = []
  for (const source of sourceLines(paragraph.pieces)) {
    const first = lines.length === 0 ? paragraph.look.firstLine * cellsPerTwip : 0
    const laid = wrap(source, Math.max(0, indent + first), indent, width, paragraph.look.tabs, cellsPerTwip)
    for (const [index, words] of laid.entries()) {
      lines.push({ words: align(words, paragraph.look.align, width), startsPage: index === 0 && source.startsPage })
    }
  }
  return lines
}

function sourceLines(pieces: readonly Piece[]): SourceLine[] {
  const lines: SourceLine[] = [{ segments: [{ words: [], afterTab: false }], startsPage: false }]
  let glued = false
  for (const piece of pieces) {
    const line = lines.at(-1)
    const segment = line?.segments.at(-1)
    if (line === undefined || segment === undefined) break
    if (piece.kind === 'text') {
      for (const part of piece.text.split(/(\s+)/)) {
        if (part === '') continue
        if (part.trim() === '') glued = false
        else {
          const last = segment.words.at(-1)
          if (glued && last !== undefined) {
            last.text += part
            last.bold = last.bold && piece.bold
          } else segment.words.push({ text: part, bold: piece.bold, size: piece.size })
          glued = true
        }
      }
      continue
    }
    glued = false
    if (piece.kind === 'tab') line.segments.push({ words: [], afterTab: true })
    else lines.push({ segments: [{ words: [], afterTab: false }], startsPage: piece.kind === 'page' })
  }
  return lines
}

function wrap(
  source: SourceLine,
  firstLeft: number,
  left: number,
  width: number,
  tabs: readonly TabStop[],
  cellsPerTwip: number,
): LaidWord[][] {
  const lines: LaidWord[][] = [[]]
  let pen = firstLeft
  for (const segment of source.segments) {
    const length = segment.words.reduce((sum, word) => sum + word.text.length + 1, -1)
    if (segment.afterTab) pen = tabbed(pen, Math.max(0, length), tabs, cellsPerTwip)
    for (const word of segment.words) {
      const wordWidth = Math.min(word.text.length, Math.max(2, width - left))
      const line = lines.at(-1) ?? []
      if (line.length > 0 && pen + wordWidth > width + 0.5) {
        lines.push([])
        pen = left
      }
      const column = Math.min(pen, Math.max(left, width - wordWidth))
      lines.at(-1)?.push({
        text: word.text,
        column,
        width: wordWidth,
        bold: word.bold,
        scale: Math.min(Math.max(word.size / ordinarySize, 0.5), 3),
      })
      pen = column + wordWidth + 1
    }
  }
  return lines
}

// Where the text after a tab starts.
function tabbed(pen: number, length: number, tabs: readonly TabStop[], cellsPerTwip: number): number {
  const free = pen > 0 ? pen : -0.01 // at the very start of a line a stop at zero does not count
  for (const tab of tabs) {
    const at = tab.at * cellsPerTwip
    if (at <= free) continue
    const start = tab.align === 'right' ? at - length : tab.align === 'center' ? at - length / 2 : at
    return Math.max(pen, start)
  }
  const step = defaultTabTwips * cellsPerTwip
  return (Math.floor(pen / step) + 1) * step
}

function align(words: LaidWord[], side: 'left' | 'center' | 'right', width: number): LaidWord[] {
  const last = words.at(-1)
  if (side === 'left' || last === undefined) return words
  const room = width - (last.column + last.width)
  const shift = side === 'right' ? room : room / 2
  return shift > 0 ? words.map((word) => ({ ...word, column: word.column + shift })) : words
}
