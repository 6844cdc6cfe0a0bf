import type { SchemaElement } from '../../shared/domain/schema.ts'

/** What was right of one document: header fields, whole rows of lists, and cells of lists. */
export type Score = { fields: Share; rows: Share; cells: Share; wrong: string[] }
export type Share = { right: number; all: number }

type Rec = Record<string, unknown>

/**
 * Compares extracted data with what a person expects. A field is right when numbers agree within 0.005 and texts agree
 * without regard to case and white space; null only agrees with null. A row is right when all its numbers are right and
 * its texts contain one another; rows are paired greedily, extra rows do not count.
 */
export function compare(schema: readonly SchemaElement[], expected: Rec, actual: Rec): Score {
  const score: Score = {
    fields: { right: 0, all: 0 },
    rows: { right: 0, all: 0 },
    cells: { right: 0, all: 0 },
    wrong: [],
  }
  for (const element of schema) {
    if (!(element.name in expected)) continue
    const want = expected[element.name]
    const got = actual[element.name]
    if (element.format === 'list') {
      compareRows(element, Array.isArray(want) ? (want as Rec[]) : [], Array.isArray(got) ? (got as Rec[]) : [], score)
      continue
    }
    score.fields.all++
    if (same(want, got)) score.fields.right++
    else score.wrong.push(`${element.name}: expected ${JSON.stringify(want)}, got ${JSON.stringify(got)}`)
  }
  return score
}

function compareRows(element: SchemaElement, want: Rec[], got: Rec[], score: Score): void {
  const left = new Set(got.keys())
  const names = (element.items ?? []).map((item) => item.name)
  for (const row of want) {
    let best = -1
    let bestRight = -1
    for (const index of left) {
      const right = names.filter((name) => sameCell(row[name], got[index]![name])).length
      if (right > bestRight) {
        best = index
        bestRight = right
      }
    }
    const asked = names.filter((name) => name in row)
    score.rows.all++
    score.cells.all += asked.length
    const partner = best >= 0 ? got[best]! : {}
    if (best >= 0) left.delete(best)
    const wrong = asked.filter((name) => !sameCell(row[name], partner[name]))
    score.cells.right += asked.length - wrong.length
    if (wrong.length === 0 && best >= 0) score.rows.right++
    else
      score.wrong.push(
        `${element.name}: ${wrong.map((name) => `${name} expected ${JSON.stringify(row[name])}, got ${JSON.stringify(partner[name])}`).join('; ')}`,
      )
  }
  if (got.length > want.length) score.wrong.push(`${element.name}: ${got.length} rows instead of ${want.length}`)
}

function same(want: unknown, got: unknown): boolean {
  if (want === null || want === undefined) return got === null
  if (typeof want === 'number') return typeof got === 'number' && Math.abs(want - got) < 0.005
  if (typeof want === 'boolean') return want === got
  return typeof got === 'string' && plain(String(want)) === plain(got)
}

function sameCell(want: unknown, got: unknown): boolean {
  if (typeof want !== 'string' || typeof got !== 'string') return same(want, got)
  const [left, right] = [plain(want), plain(got)]
  return left === right || (left.length > 2 && right.includes(left)) || (right.length > 2 && left.includes(right))
}

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, '')
}
