import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { test as base } from '@playwright/test'
import type { Browser, BrowserContextOptions, Locator, Page } from '@playwright/test'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import { startVendor } from '../helpers/vendor.ts'
import { callCore, connectTo, expect, preparedHome, startHost } from './host.ts'
import type { Host } from './host.ts'

const elements = [
  { name: 'Invoice number', format: 'text', description: '' },
  { name: 'Total', format: 'number', description: '' },
  {
    name: 'Line items',
    format: 'list',
    description: 'What was bought',
    items: [
      { name: 'Article', format: 'text', description: '' },
      { name: 'Description', format: 'text', description: '' },
      { name: 'Delivered', format: 'text', description: '' },
      { name: 'Quantity', format: 'number', description: '' },
      { name: 'Unit price', format: 'number', description: '' },
      { name: 'Amount', format: 'number', description: '' },
      { name: 'Stock', format: 'boolean', description: '' },
    ],
  },
]
const rules = [
  {
    kind: 'product',
    factors: [
      ['Line items', 'Quantity'],
      ['Line items', 'Unit price'],
    ],
    result: ['Line items', 'Amount'],
  },
]
type Row = Record<string, unknown>

export function itemRow(index: number): Row {
  const quantity = (index % 9) + 1
  const price = 4.95 + (index % 40)
  return {
    Article: `A-${1000 + index}`,
    Description: ['Schleifscheibe 125 mm, K80', 'Spannfutter ER32, gehärtet', 'Wartung vor Ort, Stunden'][index % 3],
    Delivered: `2026-02-${String((index % 28) + 1).padStart(2, '0')}`,
    Quantity: quantity,
    'Unit price': price,
    Amount: Math.round(quantity * price * 100) / 100,
    Stock: index % 2 === 0,
  }
}

function totalOf(rows: readonly Row[]): number {
  return Math.round(rows.reduce((sum, { Amount }) => sum + Number(Amount), 0) * 100) / 100
}

/** An invoice that shows its first rows, on so many pages. */
async function printed(rows: Row[], pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  const onPage = 25
  for (let first = 0; first < pages * onPage; first += onPage) {
    const page = pdf.addPage([595, 842])
    page.drawText('Rechnung R-77', { x: 60, y: 770, size: 18, font })
    rows.slice(first, first + onPage).forEach((each, index) => {
      page.drawText(String(each['Article']), { x: 60, y: 720 - index * 24, size: 10, font })
      page.drawText(String(each['Description']), { x: 130, y: 720 - index * 24, size: 10, font })
      page.drawText(Number(each['Amount']).toFixed(2).replace('.', ','), {
        x: 480,
        y: 720 - index * 24,
        size: 10,
        font,
      })
    })
  }
  return pdf.save()
}

/** One document, read by a service that says these rows of it. Resolves with the document's number. */
async function furnish(host: Host, page: Page, rows: Row[], pages: number): Promise<number> {
  const vendor = await startVendor(({ filename }) => ({
    body: JSON.stringify({
      status: 'success',
      data: [{ 'Invoice number': 'R-77', Total: totalOf(rows), 'Line items': rows }],
      metadata: { filename },
    }),
  }))
  await callCore(page, 'settings.update', { firstRunDone: true })
  const connectionId = await connectTo(page, vendor)
  const { id: schemaId } = await callCore(page, 'schemas.save', {
    id: null,
    name: 'Invoices',
    elements,
    rules,
  } as never)
  const path = join(host.home, 'Invoices')
  mkdirSync(path)
  writeFileSync(join(path, 'invoice.pdf'), await printed(rows, pages))
  await callCore(page, 'folders.add', { path, schemaId, connectionId })
  await expect
    .poll(async () => (await callCore(page, 'app.state', {})).counts, { timeout: 60_000 })
    .toMatchObject({ done: 1 })
  const { rows: documents } = await callCore(page, 'documents.list', {})
  // It is read: nothing is sent any more.
  await vendor.close()
  return documents[0]!.id
}

const rowsOf = (count: number): Row[] => Array.from({ length: count }, (_, index) => itemRow(index))
/** Five rows on one page, and 75 on three. */
const prepared = [
  { count: 5, pages: 1 },
  { count: 75, pages: 3 },
].map(({ count, pages }) => ({
  rows: rowsOf(count),
  pages,
  start: preparedHome((host, page) => furnish(host, page, rowsOf(count), pages)),
}))

async function startRead(browser: Browser, rows: Row[], pages: number): Promise<{ host: Host; id: number }> {
  const known = prepared.find((one) => one.pages === pages && isDeepStrictEqual(one.rows, rows))
  if (known) {
    const { host, made } = await known.start(browser)
    return { host, id: made }
  }
  const host = await startHost()
  const page = await host.open(browser)
  const id = await furnish(host, page, rows, pages)
  await page.close()
  return { host, id }
}

type Opened = { host: Host; page: Page; grid: Locator; stored: () => Promise<Row[]> }
/** What the service says of an invoice, and the one document of it, opened in a host of its own. */
export type Invoice = {
  rows: Row[]
  open: (options?: BrowserContextOptions & { pages?: number }) => Promise<Opened>
}

/** The window's test with an invoice of five rows, which a test may change before it opens it. */
export const test = base.extend<{ invoice: Invoice }>({
  invoice: async ({ browser }, use) => {
    let host: Host | null = null
    const invoice: Invoice = {
      rows: rowsOf(5),
      open: async ({ pages = 1, ...options } = {}) => {
        const read = await startRead(browser, invoice.rows, pages)
        host = read.host
        const page = await host.open(browser, {
          locale: 'en-US',
          permissions: ['clipboard-read', 'clipboard-write'],
          ...options,
        })
        await page.goto(`${host.url}#/documents/${read.id}`)
        const grid = page.getByRole('grid', { name: 'Line items' })
        await expect(grid).toBeVisible()
        // Where each value was found is said below it, which moves what stands further down.
        await expect(page.locator('.value[data-found]').first()).toBeVisible()
        const stored = async (): Promise<Row[]> =>
          (await callCore(page, 'documents.get', { id: read.id })).records[0]!['Line items'] as Row[]
        return { host, page, grid, stored }
      },
    }
    await use(invoice)
    await (host as Host | null)?.closeWindows()
    await (host as Host | null)?.stop()
  },
})

export const place = (row: number, name: string): string => `[data-pointer="/0/Line items/${row}/${name}"]`
export const focusedCell = (page: Page, row: number, name: string) =>
  expect(page.locator(place(row, name))).toBeFocused()
export const press = async (page: Page, ...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}
