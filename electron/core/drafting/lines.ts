import { declaredTables } from '../../../shared/domain/document.ts'
import type { Box, Document, Page, Table, Token } from '../../../shared/domain/document.ts'

/** A run of words that belong together. */
export type Run = { text: string; box: Box }

/** What stands side by side, from left to right. */
export type Line = Run[]

/** Lines that belong together: a page without its tables, or one table. `name` is that of a sheet. */
export type Block = { kind: 'page' | 'table' | 'sheet'; name: string | null; lines: Line[] }

/** A gap wider than this share of the type's height parts two runs. */
const gapByHeight = 1.1
/** Words whose middles lie closer than this share of their height stand on one line. */
const sameLineByHeight = 0.5

/**
 * What a kind of document is like shows on its first pages; a workbook of a million rows is not gone through for it.
 */
const maxPages = 20
const maxLines = 1000

/** A document's first pages as blocks of lines; of a table each row is a line, without its empty cells. */
export function blocksOf(document: Document): Block[] {
  return document.pages.slice(0, maxPages).flatMap((page) => {
    const declared = declaredTables(page)
    const tables = declared.map(
      (table): Block => ({
        kind: page.origin === 'sheet' ? 'sheet' : 'table',
        name: page.name ?? null,
        lines: shortened(rowsOf(table)),
      }),
    )
    const outside = page.tokens.filter((token) => !declared.some((table) => contains(table.box, token.box)))
    return [
      { kind: 'page' as const, name: null, lines: shortened(linesOf(outside, page).slice(0, maxLines)) },
      ...tables,
    ].filter((block) => block.lines.length > 0)
  })
}

/** Longer than any label or value; patterns look at the rest of a text from each of its letters. */
const maxRunChars = 500

function shortened(lines: readonly Line[]): Line[] {
  return lines.map((line) => line.map((run) => ({ ...run, text: run.text.slice(0, maxRunChars) })))
}

/** A document as plain text, at most `maxLength` characters of it, page after page. */
export function textOf(document: Document, maxLength: number): string {
  let text = ''
  for (const page of document.pages) {
    // Every word is a character and a space at least; the last line that is needed may be a long one.
    for (const line of linesOf(topmost(page.tokens, maxLength - text.length + maxLineChars), page)) {
      text += `${line.map((run) => run.text).join('  ')}\n`
      if (text.length >= maxLength) return text.slice(0, maxLength)
    }
  }
  return text
}

const maxLineChars = 1000

/**
 * The first `most` tokens from above and those level with them, so that the rest of a long sheet is not put in order.
 */
function topmost(tokens: readonly Token[], most: number): readonly Token[] {
  if (tokens.length <= most) return tokens
  // Numbers in a typed array are sorted many times faster than tokens by a function.
  const middles = new Float64Array(tokens.length)
  tokens.forEach(({ box }, index) => {
    middles[index] = middle(box)
  })
  const lowest = Float64Array.from(middles).sort()[most]!
  return tokens.filter((_token, index) => middles[index]! <= lowest)
}

function rowsOf(table: Table): Line[] {
  return table.rows
    .slice(0, maxLines)
    .map((row) =>
      row
        .map(({ text, box }) => ({ text: text.replaceAll(/\s+/g, ' ').trim(), box }))
        .filter((cell) => cell.text !== ''),
    )
    .filter((line) => line.length > 0)
}

function linesOf(tokens: readonly Token[], page: Page): Line[] {
  const lines: Token[][] = []
  for (const token of [...tokens].sort((a, b) => middle(a.box) - middle(b.box))) {
    const line = lines.slice(-4).findLast((candidate) => isBeside(candidate.at(-1)!, token))
    if (line === undefined) lines.push([token])
    else line.push(token)
  }
  return lines.map((line) =>
    runsOf(
      line.sort((a, b) => a.box.x - b.box.x),
      page,
    ),
  )
}

function isBeside(one: Token, other: Token): boolean {
  return Math.abs(middle(one.box) - middle(other.box)) < Math.min(one.box.height, other.box.height) * sameLineByHeight
}

function runsOf(tokens: readonly Token[], page: Page): Line {
  const runs: Run[] = []
  for (const { text, box, fontSize } of tokens) {
    const last = runs.at(-1)
    const heightAsWidth = (Math.max(fontSize, box.height) * page.height) / page.width
    if (last !== undefined && box.x - (last.box.x + last.box.width) < heightAsWidth * gapByHeight) {
      last.text += ` ${text}`
      last.box = { ...last.box, width: box.x + box.width - last.box.x }
    } else runs.push({ text, box })
  }
  return runs
}

function middle(box: Box): number {
  return box.y + box.height / 2
}

function contains(outer: Box, inner: Box): boolean {
  const x = inner.x + inner.width / 2
  return (
    x >= outer.x && x <= outer.x + outer.width && middle(inner) >= outer.y && middle(inner) <= outer.y + outer.height
  )
}
