import type { Document, Page, Token } from '../../shared/domain/document.ts'
import { tokensInReadingOrder } from '../../electron/reading/reading-order.ts'
import { boxEmpty, boxTicked } from '../../electron/reading/symbols.ts'
import type { Paper, Run, Sheet } from './paper.ts'

/** Where each drawn value stands: by key, token indexes through all pages, for each time it was drawn. */
export type Spots = Map<string, number[][]>

type Placed = { token: Token; marks: number[] }

/**
 * What reading makes of a drawn paper: words with the boxes that the reader gives them, in its reading order, and which
 * of them spell which value.
 */
export function documentOf(paper: Paper): { document: Document; spots: Spots } {
  const byMark = new Map<number, number[]>()
  let count = 0
  const pages = paper.sheets.map((sheet, index): Page => {
    const placed = [...sheet.runs.flatMap((run) => wordsOf(run, paper, sheet)), ...squaresOf(sheet)]
    const marks = new Map(placed.map(({ token, marks: own }) => [token, own]))
    const tokens = tokensInReadingOrder([...marks.keys()], sheet.width / sheet.height)
    for (const [at, token] of tokens.entries())
      for (const mark of marks.get(token)!) {
        const indexes = byMark.get(mark)
        if (indexes) indexes.push(count + at)
        else byMark.set(mark, [count + at])
      }
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
    if (open) words.push({ token: tokenAt(open.text, open.start, x, run, sheet), marks: open.marks })
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

// As the reader's boxes of the standard fonts: a little above the capitals, and down to the descenders.
const [ascent, descent] = [0.8, 0.2]

function tokenAt(text: string, left: number, right: number, run: Run, sheet: Sheet): Token {
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
  }))
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}
