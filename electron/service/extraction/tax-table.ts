import type { Candidate } from './candidates.ts'
import type { Evidence } from './evidence.ts'
import { understand, type Field } from './field.ts'
import { labelScorer } from './labels.ts'
import { overlapX, type Cell, type Layout, type LayoutPage, type Line } from './layout.ts'
import { numbersIn } from './read-value.ts'
import { meanings, surfaceWords } from './words.ts'

const roles = ['net', 'tax', 'gross'] as const
type AmountRole = (typeof roles)[number]

const scorer = labelScorer(['net amount', 'tax amount', 'gross amount'].map((name) => understand({ name, format: 'number', description: '' }, 'document')))
const sumWords = new Set('summe summen total totals totale totaux gesamt gesamtsumme sum suma insgesamt'.split(' '))

/** What the tables of tax rates say: the amounts of their sum row, and the lines of single rates, which are not the total. */
export type TaxTables = { byRole: Map<AmountRole, Candidate[]>; rateLines: Set<number> }

/** Reads tables such as «Steuersatz | Netto | MwSt | Brutto» with one row for each rate and a sum below. */
export function readTaxTables(layout: Layout, evidence: Evidence): TaxTables {
  const tables: TaxTables = { byRole: new Map(), rateLines: new Set() }
  for (const page of layout.pages) {
    for (const line of page.lines) {
      if (/\d[.,]\d{2}/.test(line.text)) continue
      const columns = columnsOf(line)
      if (columns.size >= 2) readTable(page, line, columns, evidence, tables)
    }
  }
  return tables
}

/** Candidates of a field from the sum rows of tax tables. */
export function taxTableCandidates(field: Field, tables: TaxTables): Candidate[] {
  const role = roles.find((one) => one === field.role)
  return role === undefined || field.element.format !== 'number' ? [] : (tables.byRole.get(role) ?? [])
}

function columnsOf(line: Line): Map<AmountRole, Cell> {
  const columns = new Map<AmountRole, Cell>()
  for (const cell of line.cells) {
    const words = meanings(cell.text)
    if (words.includes('rate') || words.includes('percent') || /%/.test(cell.text)) continue
    const scores = scorer(words)
    const best = scores.indexOf(Math.max(...scores))
    // «MwSt | Netto | Steuer | Brutto»: the later of two tax columns holds the amounts.
    if (scores[best]! >= 0.7 && (roles[best] === 'tax' || !columns.has(roles[best]!))) columns.set(roles[best]!, cell)
  }
  return columns
}

function readTable(page: LayoutPage, head: Line, columns: Map<AmountRole, Cell>, evidence: Evidence, tables: TaxTables): void {
  const rows: Line[] = []
  let bottom = head.box.y + head.box.height
  for (const line of page.lines) {
    if (line.index <= head.index) continue
    if (line.box.y - bottom > 2.5 * page.lineHeight) break
    const filled = [...columns.values()].filter((cell) => amountUnder(line, cell, evidence) !== undefined).length
    if (filled < 2) {
      if (rows.length > 0) break
      continue
    }
    rows.push(line)
    bottom = line.box.y + line.box.height
  }
  const sum = rows.findIndex((line) => surfaceWords(line.cells[0]!.text).some((word) => sumWords.has(word)))
  const result = sum >= 0 ? rows[sum] : rows.length === 1 ? rows[0] : undefined
  const rated = rows.some((line) => /%/.test(line.text)) || rows.length > 1
  if (!rated && sum < 0) return
  for (const line of rows) if (line !== result) tables.rateLines.add(line.index)
  if (!result) return
  for (const [role, cell] of columns) {
    const amount = amountUnder(result, cell, evidence)
    if (amount) tables.byRole.set(role, [...(tables.byRole.get(role) ?? []), { ...amount, page: page.number, score: sum >= 0 ? 0.88 : 0.74, label: 0.9 }])
  }
}

function amountUnder(line: Line, head: Cell, evidence: Evidence): Pick<Candidate, 'value' | 'words'> | undefined {
  const words = line.cells.flatMap((cell) => cell.words)
  const numbers = numbersIn(words, evidence).filter((one) => one.quality > 0.6)
  let best: Pick<Candidate, 'value' | 'words'> | undefined
  let distance = 0.06
  for (const number of numbers) {
    const left = number.words[0]!.box
    const right = number.words.at(-1)!.box
    const box = { x: left.x, y: left.y, width: right.x + right.width - left.x, height: left.height }
    const apart = overlapX(box, head.box) > 0.2 ? 0 : Math.min(Math.abs(box.x - head.box.x), Math.abs(box.x + box.width - head.box.x - head.box.width))
    if (apart < distance) {
      best = { value: number.value, words: number.words }
      distance = apart
    }
  }
  return best
}
