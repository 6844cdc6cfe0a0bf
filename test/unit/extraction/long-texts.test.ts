import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entryPath } from '../../../electron/entries.ts'
import { ThreadPool } from '../../../electron/reading/thread-pool.ts'
import { extractFields } from '../../../electron/service/finding/find.ts'
import { layOut } from '../../../electron/service/extraction/layout.ts'
import { findDates } from '../../../shared/domain/parse-date.ts'
import type { extractionTasks } from '../../../electron/service/extraction/thread-tasks.ts'
import type { Document } from '../../../shared/domain/document.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { xlsxEntries, zipBytes } from '../../faults/hostile-files.ts'
import { forNight, isLong, scaled } from '../../helpers/scale.ts'

const schema: SchemaElement[] = [
  { name: 'Invoice number', format: 'text', description: 'The number of the invoice' },
  { name: 'Total amount', format: 'number', description: 'The total' },
]

function workbookOf(rows: readonly string[]): Buffer {
  return zipBytes(xlsxEntries(`<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`))
}

function sheetOf(...texts: string[]): Document {
  const box = { x: 0, y: 0, width: 1, height: 1 / texts.length }
  const rows = texts.map((text, index) => [{ text, box: { ...box, y: index / texts.length } }])
  const page = { number: 1, width: 60, height: 2, origin: 'sheet' as const, name: 'S', tokens: [] }
  return { kind: 'xlsx', pages: [{ ...page, tables: [{ box: { ...box, height: 1 }, rows }] }] }
}

/** A sheet of rows of cells. */
function tableOf(texts: readonly string[][]): Document {
  const width = 1 / texts[0]!.length
  const rows = texts.map((row, y) =>
    row.map((text, x) => ({
      text,
      box: { x: x * width, y: y / texts.length, width: width * 0.9, height: 0.9 / texts.length },
    })),
  )
  const page = { number: 1, width: 60, height: 2, origin: 'sheet' as const, name: 'S', tokens: [] }
  return { kind: 'xlsx', pages: [{ ...page, tables: [{ box: { x: 0, y: 0, width: 1, height: 1 }, rows }] }] }
}

describe('a long text', () => {
  let pool: ThreadPool<typeof extractionTasks>
  beforeAll(() => {
    pool = new ThreadPool<typeof extractionTasks>({ workerPath: entryPath('service-worker'), size: 1 })
  })
  afterAll(() => pool.close())

  it(
    'of hundreds of thousands of letters in one cell is extracted within the time of a document',
    forNight,
    async () => {
      const words = scaled(75_000, 225_000)
      const source = workbookOf([`<row><c r="A1" t="str"><v>${'123 '.repeat(words)}</v></c></row>`])
      expect(source.length).toBeLessThan(10_000)
      await expect(pool.run('extract', { source, kind: 'xlsx', schema })).resolves.toMatchObject({ words })
    },
  )

  it.runIf(isLong)('of 190,000 numbers in one column is extracted within the time of a document', async () => {
    const numbers = Array.from({ length: 190_000 }, (_, index) => 100 + ((index * 7919) % 900))
    const source = workbookOf(numbers.map((number) => `<row><c><v>${number}</v></c></row>`))
    await expect(pool.run('extract', { source, kind: 'xlsx', schema })).resolves.toMatchObject({ words: 190_000 })
  })

  const heads = [['Description', 'Quantity', 'Unit price', 'Amount', 'Code', 'Date']]
  const bare: [string, string[][]] = ['without heads', []]
  it.each(scaled([bare], [bare, ['with heads', heads]]))(
    'of thousands of rows of a workbook %s gives all of them',
    forNight,
    (_, heads) => {
      const cells = Array.from({ length: scaled(2000, 20_000) }, (_, at) => [
        `Article ${at}`,
        String((at % 9) + 1),
        '4.50',
        (((at % 9) + 1) * 4.5).toFixed(2),
        `A-${at}`,
        '2026-01-02',
      ])
      const list = {
        name: 'items',
        format: 'list' as const,
        description: '',
        items: [
          { name: 'description', format: 'text' as const, description: '' },
          { name: 'quantity', format: 'number' as const, description: '' },
          { name: 'amount', format: 'number' as const, description: '' },
        ],
      }
      expect(extractFields(tableOf([...heads, ...cells]), [list]).data['items']).toHaveLength(cells.length)
    },
  )

  it('of one cell goes on in further lines, with all of its words', () => {
    const words = Array.from({ length: 3000 }, (_, index) => `word${index}`)
    const { lines } = layOut(sheetOf('Total amount', words.join(' ')))
    expect(lines.length).toBeGreaterThan(3)
    expect(Math.max(...lines.map((line) => line.text.length))).toBeLessThanOrEqual(4000)
    const kept = lines.slice(1).flatMap((line) => line.cells.flatMap((cell) => cell.words.map((word) => word.text)))
    expect(kept).toEqual(words)
  })

  it('gives each date once, however many forms look like it', () => {
    const found = findDates('12.10.2026, 20261013 and 14 October 2026, then 2026-10-15')
    expect(found.map((date) => date.iso)).toEqual(['2026-10-12', '2026-10-13', '2026-10-14', '2026-10-15'])
  })
})
