import type { Candidate } from './candidates.ts'
import type { Evidence } from './evidence.ts'
import { amountRoles, type AmountRole } from './concept.ts'
import { amountRoleOf, understand, type Field } from './field.ts'
import { labelScorer } from './labels.ts'
import { overlapX, wordsOf, type Cell, type Layout, type LayoutPage, type Line, type Word } from './layout.ts'
import { maxBy } from './max-by.ts'
import { numbersIn } from './read-value.ts'
import { meanings, surfaceWords } from './words.ts'

const scorer = labelScorer(
  ['net amount', 'tax amount', 'gross amount'].map((name) =>
    understand({ name, format: 'number', description: '' }, 'document'),
  ),
)
const sumWords = new Set('summe summen total totals totale totaux gesamt gesamtsumme sum suma insgesamt'.split(' '))

/**
 * What the tables of tax rates say: the amounts of their sum row, and the lines of single rates, which are not the
 * total.
 */
type TaxTables = { byRole: Map<AmountRole, Candidate[]>; rateLines: Set<number> }

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
  const role = amountRoleOf(field)
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
    if (scores[best]! >= 0.7 && (amountRoles[best] === 'tax' || !columns.has(amountRoles[best]!)))
      columns.set(amountRoles[best]!, cell)
  }
  return columns
}

function readTable(
  page: LayoutPage,
  head: Line,
  columns: Map<AmountRole, Cell>,
  evidence: Evidence,
  tables: TaxTables,
): void {
  const rows = rowsOf(page, head, columns, evidence)
  const sum = rows.findIndex((line) => surfaceWords(line.cells[0]!.text).some((word) => sumWords.has(word)))
  const result = sum >= 0 ? rows[sum] : rows.length === 1 ? rows[0] : undefined
  const rated = rows.some((line) => /%/.test(line.text)) || rows.length > 1
  if (!rated && sum < 0) return
  for (const line of rows) if (line !== result) tables.rateLines.add(line.index)
  if (!result) return
  for (const [role, cell] of columns) {
    const amount = amountUnder(result, cell, evidence)
    if (amount)
      tables.byRole.set(role, [
        ...(tables.byRole.get(role) ?? []),
        { ...amount, page: page.number, score: sum >= 0 ? 0.88 : 0.74, label: 0.9 },
      ])
  }
}

/** The lines below a head that have amounts under two of its columns. */
function rowsOf(page: LayoutPage, head: Line, columns: Map<AmountRole, Cell>, evidence: Evidence): Line[] {
  const rows: Line[] = []
  let bottom = head.box.y + head.box.height
  for (const line of page.lines) {
    if (line.index <= head.index) continue
    if (line.box.y - bottom > 2.5 * page.lineHeight) break
    const filled = [...columns.values()].filter((cell) => amountUnder(line, cell, evidence) !== undefined).length
    if (filled < 2 && rows.length > 0) break
    if (filled < 2) continue
    rows.push(line)
    bottom = line.box.y + line.box.height
  }
  return rows
}

function amountUnder(line: Line, head: Cell, evidence: Evidence): Pick<Candidate, 'value' | 'words'> | undefined {
  const numbers = numbersIn(wordsOf(line), evidence).filter((one) => one.quality > 0.6)
  const apart = ({ words }: { words: readonly Word[] }): number => {
    const left = words[0]!.box
    const right = words.at(-1)!.box
    const box = { ...left, width: right.x + right.width - left.x }
    return overlapX(box, head.box) > 0.2
      ? 0
      : Math.min(Math.abs(box.x - head.box.x), Math.abs(box.x + box.width - head.box.x - head.box.width))
  }
  const best = maxBy(numbers, (number) => -apart(number), -0.06)
  return best && { value: best.value, words: best.words }
}
