import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import type { Rule } from '../../shared/review.ts'
import { startVendor, vendorCredentials } from '../helpers/vendor.ts'
import type { Vendor } from '../helpers/vendor.ts'
import { callCore, complaintsOf, expect, test } from './host.ts'
import type { Host } from './host.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture } from './pictures.ts'

const elements = [
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
  { kind: 'notInFuture', field: ['Invoice date'] },
  { kind: 'sum', terms: [['Net amount'], ['Tax amount']], total: ['Total amount'] },
  { kind: 'product', factors: [['Line items', 'Quantity'], ['Line items', 'Unit price']], result: ['Line items', 'Amount'] },
  { kind: 'unique', fields: [['Invoice number'], ['Seller']] },
]

type Invoice = Record<string, unknown>
const right = (number: string): Invoice => ({
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
  'h row.pdf': { ...right('R-8'), 'Line items': (right('R-8')['Line items'] as Invoice[]).map((row, index) => (index === 1 ? { ...row, Amount: 529 } : row)) },
  'i clean.pdf': right('R-9'),
  'j future.pdf': { ...right('R-10'), 'Invoice date': '2096-03-01' },
}

async function printed(invoice: Invoice, name: string): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.TimesRoman)
  const bold = await pdf.embedFont(StandardFonts.TimesRomanBold)
  const page = pdf.addPage([595, 842])
  const write = (text: unknown, x: number, y: number, size = 11, face = font): void => page.drawText(String(text), { x, y, size, font: face })
  write(invoice['Seller'], 60, 770, 18, bold)
  write('Rechnung', 60, 700, 20, bold)
  const head = [['Rechnungs-Nr.', invoice['Invoice number']], ['Datum', '17.02.2026']]
  head.forEach(([label, value], index) => [write(label, 60, 660 - index * 20), write(value, 180, 660 - index * 20)])
  ;(invoice['Line items'] as Invoice[]).forEach((row, index) => {
    const y = 590 - index * 24
    write(row['Description'], 60, y)
    write(String(row['Quantity']).replace('.', ','), 320, y)
    write(Number(row['Unit price']).toFixed(2).replace('.', ','), 390, y)
    write((Number(row['Quantity']) * Number(row['Unit price'])).toFixed(2).replace('.', ','), 480, y)
  })
  const sums = [['Nettobetrag', '1.079,50'], ['zzgl. 19 % MwSt.', '205,11'], ['Rechnungsbetrag', '1.284,61']]
  sums.forEach(([label, value], index) => [write(label, 330, 490 - index * 22, 11, index === 2 ? bold : font), write(value, 480, 490 - index * 22, 11, index === 2 ? bold : font)])
  // Two documents of the same content would be one and its copy.
  write(name, 60, 60, 9)
  return pdf.save()
}

let vendor: Vendor
let schemaId: number
test.beforeEach(async () => {
  vendor = await startVendor(({ filename }) => ({ body: JSON.stringify({ status: 'success', data: [office[filename]], metadata: { filename } }) }))
})
test.afterEach(() => vendor.close())

/** All ten documents, in the order of their names, so that the first with a number is the first. */
async function furnish(host: Host, page: Page): Promise<void> {
  await callCore(page, 'settings.update', { firstRunDone: true, concurrency: 1 })
  const { id: connectionId } = await callCore(page, 'connections.save', { id: null, name: 'Head office', baseUrl: vendor.baseUrl, ...vendorCredentials })
  schemaId = (await callCore(page, 'schemas.save', { id: null, name: 'Supplier invoices', elements, rules })).id
  const path = join(host.home, 'Invoices')
  mkdirSync(path)
  for (const [name, invoice] of Object.entries(office)) writeFileSync(join(path, name), await printed(invoice, name))
  await callCore(page, 'folders.add', { path, schemaId, connectionId })
  await expect.poll(async () => (await callCore(page, 'app.state', {})).counts, { timeout: 60_000 }).toMatchObject({ done: 10, flagged: 6, ready: 4 })
}

test('ten documents with seven flags are checked by keyboard alone: three corrected, the rest confirmed, all approved', async ({ host, browser }) => {
  const page = await host.open(browser, { viewport: { width: 1280, height: 800 }, locale: 'de-DE' })
  const complaints = complaintsOf(page)
  await furnish(host, page)
  let presses = 0
  const press = async (key: string): Promise<void> => {
    presses += 1
    await page.keyboard.press(key)
  }
  const inHand = (name: string) => expect(page.locator('.field[data-on] .value:focus')).toHaveAccessibleName(name)
  const document = (name: string) => expect(page.getByRole('heading', { level: 1 })).toHaveText(name)

  // To Review, from the top of the window.
  await page.getByRole('link', { name: 'Prüfen' }).focus()
  await press('Enter')
  await document('b total.pdf')
  await inHand('Total amount')
  await expect(page.locator('.field__flag')).toHaveText('Net amount 1.079,50 + Tax amount 205,11 ist 1.284,61, nicht 1.248,61.')
  await page.keyboard.type('1284,61')
  await press('Enter')
  await expect(page.locator('.field__flag')).toHaveCount(0)
  await press('Control+Enter')

  await document('d iban.pdf')
  await inHand('IBAN')
  await page.keyboard.type('DE89 3704 0044 0532 0130 00')
  await press('Control+Enter')

  await document('e seen.pdf')
  await inHand('Invoice number')
  await expect(page.locator('.field__flag')).toContainText('R-1 gab es schon am')
  await press('Enter')
  await press('Control+Enter')

  await document('g two.pdf')
  await inHand('Invoice date')
  await press('Enter')
  await inHand('IBAN')
  await press('Enter')
  await press('Control+Enter')

  await document('h row.pdf')
  await expect(page.locator('[role="gridcell"]:focus')).toHaveAttribute('data-pointer', '/0/Line items/1/Amount')
  await expect(page.locator('.field__flag')).toHaveText('Zeile 2: Quantity 4 × Unit price 148,00 ist 592,00, nicht 529,00.')
  await page.keyboard.type('592')
  await press('Enter')
  await press('Control+Enter')

  await document('j future.pdf')
  await press('F8')
  await press('Control+Enter')

  await expect(page.getByRole('heading', { name: 'Nichts zu prüfen' })).toBeVisible()
  await page.getByRole('button', { name: 'Alle ohne Hinweis freigeben (4)' }).focus()
  await press('Enter')
  await expect.poll(async () => (await callCore(page, 'app.state', {})).counts).toMatchObject({ flagged: 0, ready: 0, approved: 10 })
  expect(presses).toBeLessThan(60)

  const { rows } = await callCore(page, 'jobs.list', { search: 'b total' })
  const { records, check } = await callCore(page, 'jobs.get', { id: rows[0]!.id })
  expect(records[0]!['Total amount']).toBe(1284.61)
  expect(check.corrections).toMatchObject([{ pointer: '/0/Total amount', said: 1248.61 }])
  const { tables } = await callCore(page, 'exports.preview', { schemaId, format: 'xlsx', locale: 'de' })
  expect(tables[0]!.rows.flat().filter((cell) => cell === '1248,61' || cell === '529')).toEqual([])
  expect(complaints).toEqual([])
})

test('Escape takes back what was typed, and what is no number stays in hand', async ({ host, browser }) => {
  const page = await host.open(browser, { locale: 'en-US' })
  await furnish(host, page)
  await page.goto(`${host.url}#/review`)
  const total = page.getByRole('textbox', { name: 'Total amount' })
  await expect(total).toBeFocused()
  await page.keyboard.type('lots')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('This is not a number. Type it as in 1,284.50.')
  await expect(total).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('b total.pdf')
  await page.keyboard.press('Escape')
  await expect(total).toHaveValue('1248.61')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { level: 1, name: 'Documents' })).toBeVisible()
})

test('a document stays in hand when nothing in it needs a look any more, until it is approved', async ({ host, browser }) => {
  const page = await host.open(browser, { locale: 'en-US' })
  await furnish(host, page)
  await page.goto(`${host.url}#/review`)
  await expect(page.getByRole('textbox', { name: 'Total amount' })).toBeFocused()
  await page.keyboard.type('1284.61')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: /Review/ })).toContainText('5')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('b total.pdf')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('d iban.pdf')
})

test('an approval with open flags is one key, and says so before and after', async ({ host, browser }) => {
  const page = await host.open(browser, { locale: 'en-US' })
  await furnish(host, page)
  const { rows } = await callCore(page, 'jobs.list', { search: 'g two' })
  await page.goto(`${host.url}#/documents/${rows[0]!.id}`)
  await expect(page.getByRole('button', { name: 'Approve with 2 flags' })).toBeVisible()
  await page.keyboard.press('Control+Enter')
  const notice = page.locator('.notice')
  await expect(notice).toContainText('Approved with 2 flags open')
  await notice.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await callCore(page, 'app.state', {})).counts).toMatchObject({ flagged: 6, approved: 0 })
  const [fine] = (await callCore(page, 'jobs.list', { search: 'f clean' })).rows
  await page.goto(`${host.url}#/documents/${fine!.id}`)
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeVisible()
})

test('an approval can be undone, and a correction taken back', async ({ host, browser }) => {
  const page = await host.open(browser, { locale: 'en-US' })
  await furnish(host, page)
  await page.goto(`${host.url}#/review`)
  await expect(page.getByRole('textbox', { name: 'Total amount' })).toBeFocused()
  await page.keyboard.type('5')
  await page.keyboard.press('Enter')
  await expect(page.getByText('The service said “1,248.61”.')).toBeVisible()
  await page.getByRole('button', { name: 'Take the service’s value' }).click()
  await expect(page.getByText('The service said')).toHaveCount(0)
  await page.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('d iban.pdf')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await callCore(page, 'app.state', {})).counts).toMatchObject({ flagged: 6, approved: 0 })
})

test('the check looks at ease in each language and theme', async ({ host, browser }) => {
  const first = await host.open(browser)
  await furnish(host, first)
  await first.context().close()
  for (const look of looks) {
    const page = await host.open(browser, contextOf(look))
    await page.goto(`${host.url}#/review`)
    await expect(page.locator('canvas[data-drawn="true"]').first()).toBeVisible()
    await expect(page.locator('.value:focus')).toBeVisible()
    await expectAccessible(page)
    await expectFitting(page)
    await picture(page, 'review', look)
    await page.locator('.approve-bar button').focus()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page)
    await picture(page, 'review-keys', look)
    await page.context().close()
  }
})
