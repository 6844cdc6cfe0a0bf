import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { exportDocuments } from '../../../electron/core/export/export.ts'
import type { ExportDocument } from '../../../electron/core/export/records.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { besideWithMemory, group } from './group.ts'

const itemsEach = 10

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

type Cell = string | number
type Item = { Article: string; Quantity: number; Price: number; Code: string }

const itemOf = (number: number, item: number): Item => ({
  Article: `Article ${item} of document ${number}`,
  Quantity: item + 1,
  Price: Math.round(number * 7.3 + item * 100) / 100,
  Code: String(number * 10 + item).padStart(9, '0'),
})
const fieldsOf = (number: number) => ({
  'Invoice number': `RE-${number}`,
  Date: '2026-12-31',
  Supplier: `Müller & Söhne ${number % 97}`,
  Total: number * 1.19,
  Paid: number % 2 === 0,
})

function* documentsOf(count: number): Generator<ExportDocument> {
  for (let number = 0; number < count; number++) {
    const Positions = Array.from({ length: itemsEach }, (_, item) => itemOf(number, item))
    yield { fileName: `invoice-${number}.pdf`, records: [{ ...fieldsOf(number), Positions }] }
  }
}

/** The same rows for a peer: the name of the file, the fields and an item. */
function* rowsOf(count: number): Generator<Cell[]> {
  for (let number = 0; number < count; number++) {
    const fields = Object.values(fieldsOf(number)).map((value) => (typeof value === 'boolean' ? Number(value) : value))
    for (let item = 0; item < itemsEach; item++)
      yield [`invoice-${number}.pdf`, ...fields, ...Object.values(itemOf(number, item))]
  }
}

function write(path: string, format: 'csv' | 'xlsx', documents: number): Promise<unknown> {
  return exportDocuments(() => documentsOf(documents), schema, { path, format, locale: 'en', lists: 'rows' })
}

function sqliteTable(path: string, documents: number): void {
  const db = new Sqlite(path)
  db.exec('CREATE TABLE rows (file, number, date, supplier, total, paid, article, quantity, price, code)')
  const insert = db.prepare('INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  db.transaction(() => {
    for (const row of rowsOf(documents)) insert.run(...row)
  })()
  db.close()
}

async function sqliteCsv(db: string, path: string): Promise<void> {
  const child = spawn('sqlite3', ['-csv', '-header', db, 'SELECT * FROM rows'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout.pipe(createWriteStream(path)), 'finish')
}

/** exceljs writing row by row; fetched when it is measured, since nothing else needs it. */
async function exceljs(path: string, documents: number): Promise<void> {
  const folder = join(tmpdir(), 'sheaf-bench', 'exceljs')
  if (!existsSync(join(folder, 'node_modules', 'exceljs')))
    execFileSync('npm', ['install', '--silent', '--ignore-scripts', '--prefix', folder, 'exceljs@4.4.0'])
  type Sheet = { addRow: (row: Cell[]) => { commit: () => void }; commit: () => void }
  type Writer = { addWorksheet: (name: string) => Sheet; commit: () => Promise<void> }
  const { stream } = createRequire(join(folder, 'package.json'))('exceljs') as {
    stream: { xlsx: { WorkbookWriter: new (options: { filename: string }) => Writer } }
  }
  const workbook = new stream.xlsx.WorkbookWriter({ filename: path })
  const sheet = workbook.addWorksheet('Rows')
  for (const row of rowsOf(documents)) sheet.addRow(row).commit()
  sheet.commit()
  await workbook.commit()
}

export const spreadsheets = [
  group({
    name: 'csv',
    rounds: 5,
    figures: {
      time: { what: 'CSV of a million rows, against sqlite3 -csv', limit: 1, unit: '×' },
      memory: { what: 'memory above idle meanwhile', limit: 40, unit: 'MB', isWorst: true },
    },
    async measure(dir, round) {
      const [db, ours, theirs] = ['rows.db', 'ours.csv', 'theirs.csv'].map((name) => join(dir, name)) as [
        string,
        string,
        string,
      ]
      sqliteTable(db, 100_000)
      return besideWithMemory(
        round,
        () => write(ours, 'csv', 100_000),
        () => sqliteCsv(db, theirs),
      )
    },
  }),
  group({
    name: 'xlsx',
    rounds: 5,
    figures: {
      time: { what: 'XLSX of 100,000 rows, against exceljs', limit: 0.4, unit: '×' },
      memory: { what: 'memory above idle meanwhile', limit: 60, unit: 'MB', isWorst: true },
    },
    async measure(dir, round) {
      await exceljs(join(dir, 'warm.xlsx'), 10)
      await write(join(dir, 'warm-too.xlsx'), 'xlsx', 10)
      return besideWithMemory(
        round,
        () => write(join(dir, 'ours.xlsx'), 'xlsx', 10_000),
        () => exceljs(join(dir, 'theirs.xlsx'), 10_000),
      )
    },
  }),
]
