import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import type { Rule } from '../../shared/domain/review.ts'
import { startVendor } from '../helpers/vendor.ts'
import { callCore, connectTo, expect, preparedHome, test as base } from './host.ts'
import type { Host } from './host.ts'

export const elements = [
  { name: 'Invoice number', format: 'text', description: '' },
  { name: 'Invoice date', format: 'text', description: '' },
  { name: 'Seller', format: 'text', description: '' },
  { name: 'Net amount', format: 'number', description: '' },
  { name: 'Tax amount', format: 'number', description: '' },
  { name: 'Total amount', format: 'number', description: '' },
  { name: 'IBAN', format: 'text', description: '' },
  {
    name: 'Line items',
    format: 'list',
    description: '',
    items: [
      { name: 'Description', format: 'text', description: '' },
      { name: 'Quantity', format: 'number', description: '' },
      { name: 'Unit price', format: 'number', description: '' },
      { name: 'Amount', format: 'number', description: '' },
    ],
  },
]
const rules: Rule[] = [
  { kind: 'required', field: ['IBAN'] },
  { kind: 'not_in_future', field: ['Invoice date'] },
  { kind: 'sum', terms: [['Net amount'], ['Tax amount']], total: ['Total amount'] },
  {
    kind: 'product',
    factors: [
      ['Line items', 'Quantity'],
      ['Line items', 'Unit price'],
    ],
    result: ['Line items', 'Amount'],
  },
  { kind: 'unique', fields: [['Invoice number'], ['Seller']] },
]

export type Invoice = Record<string, unknown>
export const right = (number: string): Invoice => ({
  'Invoice number': number,
  'Invoice date': '2026-02-17',
  Seller: 'Hartmann GmbH',
  'Net amount': 1079.5,
  'Tax amount': 205.11,
  'Total amount': 1284.61,
  IBAN: 'DE89 3704 0044 0532 0130 00',
  'Line items': [
    { Description: 'Schleifscheibe 125 mm, K80', Quantity: 50, 'Unit price': 4.95, Amount: 247.5 },
    { Description: 'Spannfutter ER32, gehärtet', Quantity: 4, 'Unit price': 148, Amount: 592 },
    { Description: 'Wartung vor Ort, Stunden', Quantity: 2.5, 'Unit price': 96, Amount: 240 },
  ],
})
/** What is printed, and what the service made of it: ten documents, seven flags in six of them. */
const office: Record<string, Invoice> = {
  'a clean.pdf': right('R-1'),
  'b total.pdf': { ...right('R-2'), 'Total amount': 1248.61 },
  'c clean.pdf': right('R-3'),
  'd iban.pdf': { ...right('R-4'), IBAN: null },
  'e seen.pdf': right('R-1'),
  'f clean.pdf': right('R-6'),
  'g two.pdf': { ...right('R-7'), 'Invoice date': '2096-02-17', IBAN: '' },
  'h row.pdf': {
    ...right('R-8'),
    'Line items': (right('R-8')['Line items'] as Invoice[]).map((row, index) =>
      index === 1 ? { ...row, Amount: 529 } : row,
    ),
  },
  'i clean.pdf': right('R-9'),
  'j future.pdf': { ...right('R-10'), 'Invoice date': '2096-03-01' },
}

/** The invoice as a page of paper. */
export async function printed(invoice: Invoice, name: string): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.TimesRoman)
  const bold = await pdf.embedFont(StandardFonts.TimesRomanBold)
  const page = pdf.addPage([595, 842])
  const write = (text: unknown, x: number, y: number, size = 11, face = font): void =>
    page.drawText(String(text), { x, y, size, font: face })
  write(invoice['Seller'], 60, 770, 18, bold)
  write('Rechnung', 60, 700, 20, bold)
  const head = [
    ['Rechnungs-Nr.', invoice['Invoice number']],
    ['Datum', '17.02.2026'],
  ]
  head.forEach(([label, value], index) => [write(label, 60, 660 - index * 20), write(value, 180, 660 - index * 20)])
  ;(invoice['Line items'] as Invoice[]).forEach((row, index) => {
    const y = 590 - index * 24
    write(row['Description'], 60, y)
    write(String(row['Quantity']).replace('.', ','), 320, y)
    write(Number(row['Unit price']).toFixed(2).replace('.', ','), 390, y)
    write((Number(row['Quantity']) * Number(row['Unit price'])).toFixed(2).replace('.', ','), 480, y)
  })
  const sums = [
    ['Nettobetrag', '1.079,50'],
    ['zzgl. 19 % MwSt.', '205,11'],
    ['Rechnungsbetrag', '1.284,61'],
  ]
  sums.forEach(([label, value], index) => [
    write(label, 330, 490 - index * 22, 11, index === 2 ? bold : font),
    write(value, 480, 490 - index * 22, 11, index === 2 ? bold : font),
  ])
  // Two documents of the same content would be one and its copy.
  write(name, 60, 60, 9)
  return pdf.save()
}

/** Reads all ten documents by a service that answers with these values. Resolves with the number of their schema. */
async function furnish(host: Host, page: Page): Promise<number> {
  const vendor = await startVendor(({ filename }) => ({
    body: JSON.stringify({ status: 'success', data: [office[filename]], metadata: { filename } }),
  }))
  // In the order of their names, so that the first with a number is the first.
  await callCore(page, 'settings.update', { firstRunDone: true, concurrency: 1 })
  const connectionId = await connectTo(page, vendor)
  const { id: schemaId } = await callCore(page, 'schemas.save', {
    id: null,
    name: 'Supplier invoices',
    elements,
    rules,
  })
  const path = join(host.home, 'Invoices')
  mkdirSync(path)
  for (const [name, invoice] of Object.entries(office)) writeFileSync(join(path, name), await printed(invoice, name))
  await callCore(page, 'folders.add', { path, schemaId, connectionId })
  await expect
    .poll(async () => (await callCore(page, 'app.state', {})).counts, { timeout: 60_000 })
    .toMatchObject({ done: 10, flagged: 6, ready: 4 })
  // All are read: nothing is sent any more.
  await vendor.close()
  return schemaId
}

const start = preparedHome(furnish)

/** A test whose host has all ten documents read, of the schema with this number. */
export const test = base.extend<{ office: { host: Host; made: number }; host: Host; schemaId: number }>({
  office: async ({ browser }, use) => {
    const started = await start(browser)
    await use(started)
    await started.host.closeWindows()
    await started.host.stop()
  },
  host: ({ office: { host } }, use) => use(host),
  schemaId: ({ office: { made } }, use) => use(made),
})
