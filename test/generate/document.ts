import type { Document, Page, Token } from '../../shared/domain/document.ts'
import { inReadingOrder } from '../../electron/reading/reading-order.ts'
import { boxEmpty, boxTicked } from '../../electron/reading/symbols.ts'
import type { Paper, Run, Sheet } from './paper.ts'

/** Where each drawn value stands: by key, token indexes through all pages, for each time it was drawn. */
export type Spots = Map<string, number[][]>

/** A word with where its baseline begins, in points: the reader orders words by that. */
type Placed = {
  token: Token
  marks: number[]
  startX: number
  startY: number
  directionX: 1
  directionY: 0
  size: number
}

/**
 * What reading makes of a drawn paper: words with the boxes that the reader gives them, in its reading order, and which
 * of them spell which value.
 */
export function documentOf(paper: Paper): { document: Document; spots: Spots } {
  const byMark = new Map<number, number[]>()
  let count = 0
  const pages = paper.sheets.map((sheet, index): Page => {
    const placed = inReadingOrder([...sheet.runs.flatMap((run) => wordsOf(run, paper, sheet)), ...squaresOf(sheet)])
    for (const [at, { marks }] of placed.entries())
      for (const mark of marks) {
        const indexes = byMark.get(mark)
        if (indexes) indexes.push(count + at)
        else byMark.set(mark, [count + at])
      }
    const tokens = placed.map(({ token }) => token)
    count += tokens.length
    return { number: index + 1, width: sheet.width, height: sheet.height, origin: 'text', tokens, tables: [] }
  })
  const spots: Spots = new Map()
  for (const [mark, indexes] of [...byMark].toSorted(([one], [other]) => one - other)) {
    const key = paper.marks[mark]!
    spots.set(key, [...(spots.get(key) ?? []), indexes])
  }
  return { document: { kind: 'pdf', pages }, spots }
}

/** The reader cuts lines into words at white space; a word belongs to every mark that has a letter in it. */
function wordsOf(run: Run, paper: Paper, sheet: Sheet): Placed[] {
  const words: Placed[] = []
  let x = run.x
  let open: { text: string; marks: number[]; start: number } | undefined
  const close = (): void => {
    if (!open) return
    const { text, marks, start } = open
    const token = tokenAt(text, start, x, run, sheet, heights[paper.family])
    words.push({ token, marks, startX: start, startY: run.baseline, directionX: 1, directionY: 0, size: run.size })
    open = undefined
  }
  for (const { text, mark } of run.pieces)
    for (const character of text) {
      const width = paper.widthOf(character, { size: run.size, bold: run.bold })
      if (/\s/.test(character)) close()
      else {
        open ??= { text: '', marks: [], start: x }
        open.text += character
        if (mark !== undefined && !open.marks.includes(mark)) open.marks.push(mark)
      }
      x += width
    }
  close()
  return words
}

// As the reader takes them from the standard fonts: from above the capitals down to the descenders.
const heights = { Helvetica: [0.905, 0.212], Times: [0.8, 0.2], Courier: [0.8, 0.2] } as const

function tokenAt(
  text: string,
  left: number,
  right: number,
  run: Run,
  sheet: Sheet,
  [ascent, descent]: readonly [number, number],
): Token {
  return {
    text,
    box: {
      x: clamp(left / sheet.width),
      y: clamp((run.baseline - run.size * ascent) / sheet.height),
      width: Math.min((right - left) / sheet.width, 1),
      height: (run.size * (ascent + descent)) / sheet.height,
    },
    fontSize: run.size / sheet.height,
    bold: run.bold,
  }
}

function squaresOf(sheet: Sheet): Placed[] {
  return sheet.squares.map(({ x, y, size, ticked, mark }) => ({
    token: {
      text: ticked ? boxTicked : boxEmpty,
      box: { x: x / sheet.width, y: y / sheet.height, width: size / sheet.width, height: size / sheet.height },
      fontSize: size / sheet.height,
      bold: false,
    },
    marks: [mark],
    startX: x,
    startY: y + size * 0.85,
    directionX: 1,
    directionY: 0,
    size,
  }))
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}
