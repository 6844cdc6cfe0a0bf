import type { Evidence } from './evidence.ts'
import { isKnownLabel, type Field } from './field.ts'
import { labelScorer } from './labels.ts'
import type { Row } from './list-rows.ts'
import { cellValue, type CellValues } from './list-cell.ts'
import { textOf, type Layout, type Line, type Word } from './layout.ts'
import { meanings } from './words.ts'

type Pair = { field: number; words: Word[]; line: Line }
type Score = (words: readonly string[]) => number[]

const longestLabel = 4
const furthestLines = 8

/**
 * Entries of a form that repeat the same labels («Employer: … From: … To: …», twice or more) are rows: each begins
 * where a label comes again. At least two entries must answer two sub-fields or more.
 */
export function blockRows(
  fields: readonly Field[],
  layout: Layout,
  evidence: Evidence,
): { rows: Row[]; values: CellValues } | undefined {
  if (fields.length < 2) return undefined
  const score = labelScorer(fields)
  const entries: Pair[][] = []
  for (const pair of layout.lines.flatMap((line) => pairsOf(line, score))) {
    const entry = entries.at(-1)
    const last = entry?.at(-1)
    if (!entry || entry.some((one) => one.field === pair.field) || pair.line.index - last!.line.index > furthestLines)
      entries.push([pair])
    else entry.push(pair)
  }
  const first = entries.filter((entry) => entry.length >= 2).map((entry) => entry[0]!.field)
  const leading = first.find((field) => first.filter((one) => one === field).length >= 2)
  const kept = entries.filter((entry) => entry[0]!.field === leading && entry.length >= Math.max(2, fields.length / 2))
  if (kept.length < 2) return undefined
  const values = kept.map((entry) =>
    fields.map((field, index) => cellValue(field, entry.find((pair) => pair.field === index)?.words, evidence)),
  )
  const rows = kept.map(
    (entry): Row => ({
      cells: new Map(),
      lines: [...new Set(entry.map((pair) => pair.line.index))],
      bottom: 0,
      page: entry[0]!.line.page,
    }),
  )
  return { rows, values }
}

function pairsOf(line: Line, score: Score): Pair[] {
  const pairs: Pair[] = []
  line.cells.forEach((cell, index) => {
    const marks = labelsIn(cell.words, score)
    marks.forEach((mark, position) => {
      const rest = cell.words.slice(mark.to, marks[position + 1]?.from ?? cell.words.length)
      const next = line.cells[index + 1]
      const words = rest.length > 0 || !next || next.words.some((word) => word.text.endsWith(':')) ? rest : next.words
      if (mark.field >= 0 && words.length > 0) pairs.push({ field: mark.field, words, line })
    })
  })
  return pairs
}

/** The labels with a colon in a run of words; the field is -1 for those that nobody asks for. */
function labelsIn(words: readonly Word[], score: Score): { from: number; to: number; field: number }[] {
  const found: { from: number; to: number; field: number }[] = []
  words.forEach((word, at) => {
    if (!/[\p{L}).]:$/u.test(word.text)) return
    const earliest = Math.max(found.at(-1)?.to ?? 0, at - longestLabel + 1)
    let best = { from: at, to: at + 1, field: -1, score: 0.69 }
    for (let from = earliest; from <= at; from++) {
      const text = textOf(words.slice(from, at + 1)).replace(/\d+/g, ' ')
      const scores = score(meanings(text))
      const highest = Math.max(...scores)
      if (highest > best.score) best = { from, to: at + 1, field: scores.indexOf(highest), score: highest }
      else if (best.field < 0 && best.from === at && isKnownLabel(text)) best = { ...best, from }
    }
    found.push(best)
  })
  return found
}
