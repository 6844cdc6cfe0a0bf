import { describe, expect, it } from 'vitest'
import { textOf } from '../../../electron/core/drafting/lines.ts'
import type { Document, Token } from '../../../shared/domain/document.ts'

const columns = 8
const height = 0.00001

/** A page with so many rows of words, given column by column: its order from above has to be found. */
function tall(rows: number): Document['pages'][number] {
  const tokens: Token[] = []
  for (let column = 0; column < columns; column += 1) {
    for (let row = rows - 1; row >= 0; row -= 1) {
      tokens.push({
        text: `r${row}c${column}`,
        box: { x: column / columns, y: row / rows, width: 0.5 / columns, height },
        fontSize: height,
        bold: false,
      })
    }
  }
  return { number: 1, width: 10, height: 10, origin: 'text', tokens, tables: [] }
}

const rowText = (row: number): string =>
  `${Array.from({ length: columns }, (_, column) => `r${row}c${column}`).join('  ')}\n`

describe('the text of a document', () => {
  it('begins at the top of each page, as much of it as is asked for', () => {
    const rows = 3000
    const whole = Array.from({ length: rows }, (_, row) => rowText(row)).join('')
    const document: Document = { kind: 'pdf', pages: [tall(rows), tall(3)] }
    for (const length of [1, 40, 5000, 30_000, whole.length])
      expect(textOf(document, length)).toBe(whole.slice(0, length))
    expect(textOf(document, whole.length + 60)).toBe((whole + rowText(0) + rowText(1)).slice(0, whole.length + 60))
  })

  it('costs much less for its beginning than for all of it', () => {
    const document: Document = { kind: 'xlsx', pages: [tall(25_000)] }
    const costOf = (length: number): number => {
      const before = process.cpuUsage()
      textOf(document, length)
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    costOf(1000)
    expect(costOf(5000)).toBeLessThan(costOf(10_000_000) / 2)
  })
})
