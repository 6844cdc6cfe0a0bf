import type { Document, Page, Token } from '../../shared/domain/document.ts'
import { tablesOf } from '../../electron/reading/pdf/page-tables.ts'
import type { Rule } from '../../electron/reading/pdf/rules.ts'
import type { Word } from '../../electron/reading/pdf/words.ts'
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
    const words = sheet.runs.flatMap((run) => wordsOf(run, paper, sheet))
    const placed = inReadingOrder([...words, ...squaresOf(sheet)])
    for (const [at, { marks }] of placed.entries())
      for (const mark of marks) {
        const indexes = byMark.get(mark)
        if (indexes) indexes.push(count + at)
        else byMark.set(mark, [count + at])
      }
    const tokens = placed.map(({ token }) => token)
    count += tokens.length
    const { width, height } = sheet
    const tables = tablesOf(
      inReadingOrder(words).map((one) => wordOf(one, sheet)),
      rulesOf(sheet),
      width,
      height,
    )
    return { number: index + 1, width, height, origin: 'text', tokens, tables }
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

/** A word as the reader of PDFs has it, in points. */
function wordOf({ token, startX, startY, directionX, directionY, size }: Placed, { width, height }: Sheet): Word {
  const left = token.box.x * width
  const top = token.box.y * height
  const bounds = { left, top, right: left + token.box.width * width, bottom: top + token.box.height * height }
  const { text, bold } = token
  const [endX, endY] = [bounds.right, startY]
  return { text, bounds, size, bold, startX, startY, endX, endY, directionX, directionY, spaceAfter: true }
}

/** The lines that the reader of PDFs sees: those that are drawn, and the sides of coloured areas. */
function rulesOf({ lines, fills }: Sheet): Rule[] {
  const drawn = lines.map(({ x1, y1, x2, y2 }): Rule => {
    const isAcross = Math.abs(x2 - x1) > Math.abs(y2 - y1)
    const [at, from, to] = isAcross ? [y1, x1, x2] : [x1, y1, y2]
    return { isAcross, at, from: Math.min(from, to), to: Math.max(from, to), isSide: false }
  })
  const sides = fills.flatMap(({ x, y, width, height }): Rule[] => [
    ...[y, y + height].map((at) => ({ isAcross: true, at, from: x, to: x + width, isSide: true })),
    ...[x, x + width].map((at) => ({ isAcross: false, at, from: y, to: y + height, isSide: true })),
  ])
  return [...drawn, ...sides]
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
