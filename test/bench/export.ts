import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportDocuments } from '../../electron/core/export/export.ts'
import type { ExportDocument } from '../../electron/core/export/records.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'

const documents = 10_000
const itemsEach = 10
const bar = { megabytes: 70 }

const schema: SchemaElement[] = [
  { name: 'Invoice number', format: 'text', description: '' },
  { name: 'Date', format: 'text', description: '' },
  { name: 'Supplier', format: 'text', description: '' },
  { name: 'Total', format: 'number', description: '' },
  { name: 'Paid', format: 'boolean', description: '' },
  {
    name: 'Positions',
    format: 'list',
    description: '',
    items: [
      { name: 'Article', format: 'text', description: '' },
      { name: 'Quantity', format: 'number', description: '' },
      { name: 'Price', format: 'number', description: '' },
      { name: 'Code', format: 'text', description: '' },
    ],
  },
]

function* source(count: number): Generator<ExportDocument> {
  for (let number = 0; number < count; number++) {
    const Positions = Array.from({ length: itemsEach }, (_, item) => ({
      Article: `Article ${item} of document ${number}`,
      Quantity: item + 1,
      Price: Math.round(number * 7.3 + item * 100) / 100,
      Code: String(number * 10 + item).padStart(9, '0'),
    }))
    const fields = {
      'Invoice number': `RE-${number}`,
      Date: '2026-12-31',
      Supplier: `Müller & Söhne ${number % 97}`,
      Total: number * 1.19,
      Paid: number % 2 === 0,
    }
    yield { fileName: `invoice-${number}.pdf`, records: [{ ...fields, Positions }] }
  }
}

/** 100,000 rows of 10 columns as XLSX and CSV: memory above idle and time. */
export async function run(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'sheaf-export-'))
  try {
    // A small one first, so that code and zlib are loaded before idle is measured.
    await exportDocuments(() => source(10), schema, {
      path: join(directory, 'warm.xlsx'),
      format: 'xlsx',
      locale: 'en',
      lists: 'rows',
    })
    for (const format of ['xlsx', 'csv'] as const) {
      globalThis.gc?.()
      const idle = process.memoryUsage.rss()
      let peak = idle
      const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 10)
      const startedAt = performance.now()
      const path = join(directory, `big.${format}`)
      const { rows } = await exportDocuments(() => source(documents), schema, {
        path,
        format,
        locale: 'de',
        lists: 'rows',
      })
      clearInterval(timer)
      const seconds = (performance.now() - startedAt) / 1000
      const megabytes = (peak - idle) / 1024 / 1024
      const sizeMegabytes = (await stat(path)).size / 1024 / 1024
      const verdict = megabytes <= bar.megabytes ? 'ok' : `over the bar of ${bar.megabytes} MB`
      process.stdout.write(
        `export ${format}: ${rows} rows x 10 columns, ${megabytes.toFixed(0)} MB above idle, ${seconds.toFixed(1)} s, file ${sizeMegabytes.toFixed(1)} MB: ${verdict}\n`,
      )
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
