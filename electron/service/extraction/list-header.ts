import { isKnownLabel, type Field } from './field.ts'
import { labelScorer } from './labels.ts'
import { makeCell, overlapX, unionBox, type Cell, type Layout, type LayoutPage, type Line } from './layout.ts'
import { meanings } from './words.ts'

/** A column of a table: its head, its extent, and the sub-field that the head names, when one does. */
export type Column = { left: number; right: number; text: string; field?: number }

export type Header = { page: number; columns: Column[]; firstLine: number; lastLine: number; score: number; key: string }

const mostLines = 5

/** Heads of tables in a document that name at least two of the sub-fields (or the only one), best first. */
export function findHeaders(fields: readonly Field[], layout: Layout): Header[] {
  const scorer = labelScorer(fields)
  const headers: Header[] = []
  for (const page of layout.pages) {
    for (let start = 0; start < page.lines.length; start++) {
      const group: Line[] = []
      for (let end = start; end < Math.min(page.lines.length, start + mostLines); end++) {
        const line = page.lines[end]!
        if (!couldBeHead(line) || (group.length > 0 && tooFar(group.at(-1)!, line, page))) break
        group.push(line)
        const header = headerOf(group, fields, scorer, page)
        if (header) headers.push(header)
      }
    }
  }
  headers.sort((left, right) => right.score - left.score || left.firstLine - right.firstLine)
  // Of overlapping groups of lines only the best one stays.
  return headers.filter((header, index) => !headers.slice(0, index).some((better) => better.firstLine <= header.lastLine && better.lastLine >= header.firstLine))
}

function couldBeHead(line: Line): boolean {
  const numeric = line.cells.filter((cell) => /\d[.,]\d|\d{3,}/.test(cell.text)).length
  return numeric === 0 && line.text.length < 220 && line.cells.every((cell) => cell.text.length < 60)
}

function tooFar(above: Line, below: Line, page: LayoutPage): boolean {
  return below.box.y - (above.box.y + above.box.height) > 0.9 * page.lineHeight
}

function headerOf(lines: readonly Line[], fields: readonly Field[], scorer: (words: readonly string[]) => number[], page: LayoutPage): Header | undefined {
  const columns = columnsOf(lines, page)
  if (columns.length < 2 && fields.length > 1) return undefined
  const pairs: { column: number; field: number; score: number }[] = []
  columns.forEach((column, index) => {
    const scores = scorer(meanings(column.text))
    scores.forEach((score, field) => {
      const value = Math.max(score, symbolScore(column.text, fields[field]!))
      if (value >= 0.5) pairs.push({ column: index, field, score: value })
    })
  })
  pairs.sort((left, right) => right.score - left.score || Math.abs(left.column - left.field) - Math.abs(right.column - right.field))
  const usedColumns = new Set<number>()
  const usedFields = new Set<number>()
  let sum = 0
  for (const pair of pairs) {
    if (usedColumns.has(pair.column) || usedFields.has(pair.field)) continue
    usedColumns.add(pair.column)
    usedFields.add(pair.field)
    columns[pair.column]!.field = pair.field
    sum += pair.score
  }
  if (usedFields.size < Math.min(2, fields.length)) return undefined
  const known = columns.filter((column) => column.field !== undefined || isKnownLabel(column.text)).length
  if (known / columns.length < 0.5) return undefined
  const key = columns.map((column) => meanings(column.text).join(' ')).join('|')
  return { page: page.number, columns, firstLine: lines[0]!.index, lastLine: lines.at(-1)!.index, score: sum + 0.05 * known - 0.08 * (lines.length - 1), key }
}

/** `%` or `#` alone heads a column of rates or positions. */
function symbolScore(text: string, field: Field): number {
  // Money out and money in make one signed amount.
  if (field.concept === 'lineAmount') {
    const words = meanings(text)
    if ((words.includes('debit') || words.includes('credit')) && !words.includes('balance')) return 0.55
  }
  if (/^%$/.test(text.trim())) return field.kind === 'percent' ? 0.8 : 0
  return 0
}

function columnsOf(lines: readonly Line[], page: LayoutPage): Column[] {
  const stacks: { cells: Cell[]; left: number; right: number }[] = []
  for (const cell of lines.flatMap((line) => line.cells.flatMap((one) => splitHead(one)))) {
    const box = cell.box
    const stack = stacks.find((one) => cell.line !== one.cells.at(-1)!.line && overlapX({ ...box, x: one.left, width: one.right - one.left }, box) > 0.25)
      ?? stacks.find((one) => cell.line !== one.cells.at(-1)!.line && Math.abs(one.left - box.x) < 0.5 * page.em)
    if (stack) {
      stack.cells.push(cell)
      stack.left = Math.min(stack.left, box.x)
      stack.right = Math.max(stack.right, box.x + box.width)
    } else stacks.push({ cells: [cell], left: box.x, right: box.x + box.width })
  }
  return stacks
    .sort((left, right) => left.left - right.left)
    .map((stack) => ({ left: stack.left, right: stack.right, text: stack.cells.map((cell) => cell.text).join(' ').replace(/(\p{Ll})- (?=\p{Ll})/gu, '$1') }))
}

/** Heads that stand close together («Menge Einzelpreis Gesamt») are cut where every part is known by itself. */
function splitHead(cell: Cell): Cell[] {
  if (cell.words.length < 2 || cell.declared || isKnownLabel(cell.text)) return [cell]
  const parts: Cell[] = []
  for (let from = 0; from < cell.words.length; ) {
    let to = Math.min(cell.words.length, from + 3)
    while (to > from && !isKnownLabel(cell.words.slice(from, to).map((word) => word.text).join(' '))) to--
    if (to === from) return [cell]
    const words = cell.words.slice(from, to)
    parts.push({ ...makeCell(words, cell.page, cell.line), box: unionBox(words.map((word) => word.box)) })
    from = to
  }
  return parts
}
