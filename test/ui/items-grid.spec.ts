import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Locator, Page } from '@playwright/test'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import { startVendor, vendorCredentials } from '../helpers/vendor.ts'
import type { Vendor } from '../helpers/vendor.ts'
import { callCore, complaintsOf, expect, test } from './host.ts'
import type { Host } from './host.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture } from './pictures.ts'

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
const rules = [{ kind: 'product', factors: [['Line items', 'Quantity'], ['Line items', 'Unit price']], result: ['Line items', 'Amount'] }]
type Row = Record<string, unknown>

function row(index: number): Row {
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
      page.drawText(Number(each['Amount']).toFixed(2).replace('.', ','), { x: 480, y: 720 - index * 24, size: 10, font })
    })
  }
  return pdf.save()
}

let vendor: Vendor
let rows: Row[]
test.beforeEach(async () => {
  rows = Array.from({ length: 5 }, (_, index) => row(index))
  vendor = await startVendor(({ filename }) => ({ body: JSON.stringify({ status: 'success', data: [{ 'Invoice number': 'R-77', Total: 1, 'Line items': rows }], metadata: { filename } }) }))
})
test.afterEach(() => vendor.close())

/** One document with these rows, opened. */
async function opened(host: Host, browser: Browser, { pages = 1, ...options }: BrowserContextOptions & { pages?: number } = {}): Promise<{ page: Page; grid: Locator; stored: () => Promise<Row[]> }> {
  const page = await host.open(browser, { locale: 'en-US', permissions: ['clipboard-read', 'clipboard-write'], ...options })
  await callCore(page, 'settings.update', { firstRunDone: true })
  const { id: connectionId } = await callCore(page, 'connections.save', { id: null, name: 'Head office', baseUrl: vendor.baseUrl, ...vendorCredentials })
  const { id: schemaId } = await callCore(page, 'schemas.save', { id: null, name: 'Invoices', elements, rules } as never)
  const path = join(host.home, 'Invoices')
  mkdirSync(path)
  writeFileSync(join(path, 'invoice.pdf'), await printed(rows, pages))
  await callCore(page, 'folders.add', { path, schemaId, connectionId })
  await expect.poll(async () => (await callCore(page, 'app.state', {})).counts, { timeout: 60_000 }).toMatchObject({ done: 1 })
  const { rows: jobs } = await callCore(page, 'jobs.list', {})
  await page.goto(`${host.url}#/documents/${jobs[0]!.id}`)
  const grid = page.getByRole('grid', { name: 'Line items' })
  await expect(grid).toBeVisible()
  const stored = async (): Promise<Row[]> => (await callCore(page, 'jobs.get', { id: jobs[0]!.id })).records[0]!['Line items'] as Row[]
  return { page, grid, stored }
}

const place = (row: number, name: string): string => `[data-pointer="/0/Line items/${row}/${name}"]`
const inHand = (page: Page, row: number, name: string) => expect(page.locator(place(row, name))).toBeFocused()
const press = async (page: Page, ...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const copied = (page: Page, text: string) => page.evaluate((given) => navigator.clipboard.writeText(given), text)

test('cells are gone through and typed over by keys, as in a spreadsheet', async ({ host, browser }) => {
  const { page, grid, stored } = await opened(host, browser)
  const complaints = complaintsOf(page)
  await expect(grid).toHaveAttribute('aria-rowcount', '7')
  await expect(grid).toHaveAttribute('aria-colcount', '8')
  await page.locator(place(0, 'Article')).click()
  await inHand(page, 0, 'Article')
  await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowDown')
  await inHand(page, 1, 'Quantity')
  await expect(page.locator(place(1, 'Quantity'))).toHaveAttribute('aria-colindex', '5')
  await page.keyboard.type('12')
  await press(page, 'Enter')
  await inHand(page, 2, 'Quantity')
  await expect.poll(async () => (await stored())[1]!['Quantity']).toBe(12)
  await press(page, 'Tab', 'Tab', 'Tab', 'Tab')
  await inHand(page, 3, 'Article')
  await press(page, 'Shift+Tab')
  await inHand(page, 2, 'Stock')
  await page.keyboard.type('n')
  await press(page, 'Enter')
  await inHand(page, 3, 'Stock')
  await expect.poll(async () => (await stored())[2]!['Stock']).toBe(false)
  await press(page, 'Home')
  await inHand(page, 3, 'Article')
  await press(page, 'Control+End')
  await inHand(page, 4, 'Stock')
  await press(page, 'Control+Home', 'F2')
  await page.keyboard.type('7')
  await press(page, 'Escape')
  await expect(page.locator(place(0, 'Article'))).toHaveText('A-1000')
  await inHand(page, 0, 'Article')
  await press(page, 'F2')
  await page.keyboard.type('7')
  await press(page, 'Tab')
  await inHand(page, 0, 'Description')
  await press(page, 'Delete')
  await expect.poll(async () => (await stored())[0]).toMatchObject({ Article: 'A-10007', Description: null })
  expect(complaints).toEqual([])
})

test('what is no number stays in hand with a sentence, and Escape takes it back', async ({ host, browser }) => {
  const { page, stored } = await opened(host, browser)
  await page.locator(place(1, 'Amount')).click()
  await page.keyboard.type('lots')
  await press(page, 'Enter')
  await expect(page.getByRole('alert')).toHaveText('Row 2, Amount: this is not a number. Type it as in 1,284.50. Nothing was changed.')
  await expect(page.getByRole('textbox', { name: 'Amount' })).toBeFocused()
  await page.locator(place(3, 'Article')).click()
  await expect(page.getByRole('textbox', { name: 'Amount' })).toBeFocused()
  await press(page, 'Escape')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await inHand(page, 1, 'Amount')
  expect(await stored()).toEqual(rows)
})

test('a block from Excel is pasted in the person’s language, makes the rows that are missing, and is taken back in one step', async ({ host, browser }) => {
  const { page, stored } = await opened(host, browser, { locale: 'de-DE' })
  await page.locator(place(4, 'Description')).click()
  await copied(page, '"Bohrer ""HSS""\r\n6 mm"\t03.03.2026\t1.200\r\nScheibe\t04.03.2026\t-3\r\nRest\r\n')
  await press(page, 'Control+v')
  await expect.poll(async () => (await stored()).length).toBe(7)
  expect((await stored()).slice(4)).toEqual([
    { ...rows[4], Description: 'Bohrer "HSS"\n6 mm', Delivered: '2026-03-03', Quantity: 1200 },
    { Article: null, Description: 'Scheibe', Delivered: '2026-03-04', Quantity: -3, 'Unit price': null, Amount: null, Stock: null },
    { Article: null, Description: 'Rest', Delivered: null, Quantity: null, 'Unit price': null, Amount: null, Stock: null },
  ])
  await press(page, 'Control+z')
  await expect.poll(stored).toEqual(rows)
  await press(page, 'Control+Shift+z')
  await expect.poll(async () => (await stored()).length).toBe(7)
})

test('a block with what is no number changes nothing and names its place', async ({ host, browser }) => {
  const { page, stored } = await opened(host, browser)
  await page.locator(place(1, 'Quantity')).click()
  await copied(page, '5\t6.50\n7\tcheap')
  await press(page, 'Control+v')
  await expect(page.getByRole('alert')).toContainText('Row 3, Unit price: this is not a number.')
  expect(await stored()).toEqual(rows)
  await copied(page, '1\t2\t3\tyes\tmore')
  await press(page, 'Control+v')
  await expect(page.getByRole('alert')).toContainText('fewer columns')
})

test('a range is chosen by keys and pointer, copied as Excel reads it, cut, and put elsewhere', async ({ host, browser }) => {
  const { page, grid, stored } = await opened(host, browser, { locale: 'de-DE' })
  await page.locator(place(0, 'Delivered')).click()
  await press(page, 'Shift+ArrowDown', 'Shift+End', 'Control+c')
  await inHand(page, 0, 'Delivered')
  expect(await clipboard(page)).toBe('01.02.2026\t1\t4,95\t4,95\tWAHR\r\n02.02.2026\t2\t5,95\t11,90\tFALSCH')
  await expect(grid.locator('[role="gridcell"][aria-selected="true"]')).toHaveCount(10)
  await page.locator(place(1, 'Quantity')).click()
  await page.locator(place(3, 'Unit price')).click({ modifiers: ['Shift'] })
  await expect(grid.locator('[role="gridcell"][aria-selected="true"]')).toHaveCount(6)
  const [from, to] = [await page.locator(place(2, 'Unit price')).boundingBox(), await page.locator(place(3, 'Amount')).boundingBox()]
  await page.mouse.move(from!.x + 10, from!.y + 10)
  await page.mouse.down()
  await page.mouse.move(to!.x + 10, to!.y + 10, { steps: 4 })
  await page.mouse.up()
  await expect(grid.locator('[role="gridcell"][aria-selected="true"]')).toHaveCount(4)
  await press(page, 'Control+x')
  await expect.poll(async () => (await stored()).slice(2, 4).map((each) => [each['Unit price'], each['Amount']])).toEqual([[null, null], [null, null]])
  await press(page, 'Control+Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Control+v')
  await expect.poll(async () => (await stored())[1]).toMatchObject({ 'Unit price': 7.95, Amount: 31.8 })
  await press(page, 'Control+a')
  await expect(grid.locator('[role="gridcell"][aria-selected="true"]')).toHaveCount(35)
})

test('rows are added, moved and removed, by keys and by buttons, and the sums follow', async ({ host, browser }) => {
  const { page, grid, stored } = await opened(host, browser)
  const articles = async () => (await stored()).map((each) => each['Article'])
  await page.locator(place(1, 'Article')).click()
  await press(page, 'Alt+Enter')
  await inHand(page, 2, 'Article')
  await page.keyboard.type('NEW')
  await press(page, 'Tab')
  await expect.poll(articles).toEqual(['A-1000', 'A-1001', 'NEW', 'A-1002', 'A-1003', 'A-1004'])
  await press(page, 'Alt+Shift+ArrowUp', 'Alt+Shift+ArrowUp')
  await inHand(page, 0, 'Description')
  await expect.poll(articles).toEqual(['NEW', 'A-1000', 'A-1001', 'A-1002', 'A-1003', 'A-1004'])
  await press(page, 'Shift+ArrowDown')
  await page.getByRole('button', { name: 'Remove rows' }).click()
  await expect.poll(articles).toEqual(['A-1001', 'A-1002', 'A-1003', 'A-1004'])
  await expect(grid.locator('.items-grid__foot')).toContainText('109.30')
  await press(page, 'Control+a', 'Alt+Delete')
  await expect.poll(articles).toEqual([])
  await page.getByRole('button', { name: 'Add a row below' }).click()
  await expect(page.locator(place(0, 'Article'))).toBeFocused()
  await page.getByRole('button', { name: 'Step back' }).click()
  await page.getByRole('button', { name: 'Step back' }).click()
  await expect.poll(articles).toEqual(['A-1001', 'A-1002', 'A-1003', 'A-1004'])
  await expect(page.getByText('Rows changed by')).toBeVisible()
})

test('a flag far below is reached by F8, confirmed by Enter, and a mark of the document puts its cell in hand', async ({ host, browser }) => {
  rows = Array.from({ length: 3000 }, (_, index) => row(index))
  rows[2500]!['Amount'] = 1
  rows[2900]!['Amount'] = 2
  const { page, grid } = await opened(host, browser)
  expect(await grid.locator('[role="gridcell"]').count()).toBeLessThan(600)
  await page.locator(place(0, 'Article')).click()
  await press(page, 'F8')
  await inHand(page, 2500, 'Amount')
  await expect(page.locator(place(2500, 'Amount'))).toHaveAttribute('data-flagged', 'true')
  await expect(page.locator(place(2500, 'Amount'))).toHaveAttribute('title', /not 1/)
  await press(page, 'Enter')
  await inHand(page, 2900, 'Amount')
  await press(page, 'Enter')
  await expect(page.getByRole('button', { name: 'Approve' })).toBeFocused()
  await expect(grid.locator('[data-flagged]')).toHaveCount(0)
  const mark = page.locator('[data-mark="/0/Line items/3/Article"]')
  await mark.click()
  await inHand(page, 3, 'Article')
  await expect(mark).toHaveAttribute('data-on', 'true')
  // Far from its cell, it still has the focus.
  await grid.evaluate((element) => element.scrollTo(0, 60_000))
  await press(page, 'ArrowDown')
  await inHand(page, 4, 'Article')
  await expect(page.locator('[data-mark="/0/Line items/4/Article"]')).toHaveAttribute('data-on', 'true')
})

test('columns are made narrower and wider by keys and pointer, and stay so', async ({ host, browser }) => {
  const { page, grid } = await opened(host, browser)
  const width = async () => Math.round((await page.locator(place(0, 'Article')).boundingBox())!.width)
  await page.locator(place(0, 'Article')).click()
  const before = await width()
  await press(page, 'Alt+Shift+ArrowRight', 'Alt+Shift+ArrowRight')
  await expect.poll(width).toBe(before + 32)
  const edge = grid.locator('[role="columnheader"]', { hasText: 'Article' }).locator('.items-grid__edge')
  // Once it lies still: the document beside it may still be opening.
  await edge.hover({ position: { x: 4, y: 10 } })
  const { x, y } = (await edge.boundingBox())!
  await page.mouse.down()
  await page.mouse.move(x + 44, y + 10, { steps: 3 })
  await page.mouse.up()
  await expect.poll(width).toBe(before + 72)
  await page.reload()
  await expect(grid).toBeVisible()
  await expect.poll(width).toBe(before + 72)
})

test('the border beside the document is moved by keys and pointer, stays so, and is set back by a double click', async ({ host, browser }) => {
  const { page } = await opened(host, browser, { viewport: { width: 1280, height: 800 } })
  const border = page.getByRole('separator', { name: 'Border between document and values' })
  const width = async () => Math.round((await page.getByRole('region', { name: 'Values' }).boundingBox())!.width)
  const before = await width()
  await border.focus()
  await press(page, 'ArrowLeft', 'ArrowLeft', 'ArrowLeft')
  await expect(border).toHaveAttribute('aria-valuenow', '52')
  expect(await width()).toBeGreaterThan(before + 50)
  const box = (await border.boundingBox())!
  await page.mouse.move(box.x + 4, box.y + 300)
  await page.mouse.down()
  await page.mouse.move(box.x - 196, box.y + 300, { steps: 4 })
  await page.mouse.up()
  const dragged = await width()
  expect(dragged).toBeGreaterThan(before + 240)
  await page.reload()
  await expect.poll(width).toBe(dragged)
  await border.dblclick()
  await expect.poll(width).toBe(before)
})

test('a cell is shown beside the column that stays, and what is typed into it over the rows below', async ({ host, browser }) => {
  rows[1]!['Description'] = 'Wartung vor Ort mit Anfahrt, Prüfprotokoll und allem, was zum Betrieb der Anlage nötig ist, nach Aufwand und Absprache mit dem Leiter der Werkstatt'
  const { page } = await opened(host, browser, { viewport: { width: 1024, height: 768 } })
  const cell = page.locator(place(1, 'Description'))
  const grid = page.getByRole('grid')
  await expect.poll(async () => (await cell.boundingBox())!.width).toBeGreaterThan((await grid.boundingBox())!.width - 130)
  await page.locator(place(1, 'Article')).click()
  await press(page, 'End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft')
  await expect(cell).toBeFocused()
  const fixed = (await page.locator(place(1, 'Article')).boundingBox())!
  expect((await cell.boundingBox())!.x).toBeGreaterThanOrEqual(fixed.x + fixed.width - 1)
  await press(page, 'F2')
  const editor = page.locator('.items-grid__editor')
  const { x, y, width, height } = (await editor.boundingBox())!
  expect(height).toBeGreaterThan(60)
  const isEditor = await page.evaluate(([left, top]) => document.elementFromPoint(left!, top!)!.className, [x + width / 2, y + height - 8])
  expect(isEditor).toBe('items-grid__editor')
})

test('the text of a page can be selected where it is printed', async ({ host, browser }) => {
  const { page } = await opened(host, browser)
  const word = page.locator('.textLayer span', { hasText: 'A-1000' }).first()
  const mark = page.locator('[data-mark="/0/Line items/0/Article"]')
  // As wide as printed, although the font behind it is another one; a mark reaches a little beyond the letters.
  const wider = async (): Promise<number> => (await word.boundingBox())!.width / (await mark.boundingBox())!.width
  await expect.poll(wider).toBeGreaterThan(0.8)
  expect(await wider()).toBeLessThan(1)
  await word.evaluate((element) => getSelection()!.selectAllChildren(element))
  expect(await page.evaluate(() => getSelection()!.toString())).toContain('A-1000')
  // A transform for each word is what the browser would go through at every frame.
  expect(await word.evaluate((element) => getComputedStyle(element).transform)).toBe('none')
})

test('what is chosen on a page stays chosen while others are looked at', async ({ host, browser }) => {
  rows = Array.from({ length: 75 }, (_, index) => row(index))
  const { page } = await opened(host, browser, { pages: 3 })
  const word = page.locator('.textLayer span', { hasText: 'A-1000' }).first()
  await word.evaluate((element) => getSelection()!.selectAllChildren(element))
  const document = page.getByRole('region', { name: 'Document', exact: true })
  await document.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect(page.locator('.textLayer span', { hasText: 'A-1074' })).toBeVisible()
  await expect(page.locator('[data-mark="/0/Line items/0/Article"]')).toHaveCount(0)
  await document.evaluate((element) => element.scrollTo(0, 0))
  await expect(page.locator('[data-mark="/0/Line items/0/Article"]')).toBeVisible()
  expect(await page.evaluate(() => getSelection()!.toString())).toContain('A-1000')
})

test('a value is brought into view wherever it is on a large page', async ({ host, browser }) => {
  rows = Array.from({ length: 75 }, (_, index) => row(index))
  const { page } = await opened(host, browser, { pages: 3 })
  await page.locator(place(2, 'Amount')).click()
  await expect(page.locator('[data-mark="/0/Line items/2/Amount"]')).toBeInViewport()
  for (let step = 0; step < 6; step += 1) await page.getByRole('button', { name: 'Larger' }).click()
  await page.getByRole('region', { name: 'Document', exact: true }).evaluate((element) => element.scrollTo(0, 0))
  await expect(page.locator('[data-mark="/0/Line items/2/Amount"]')).not.toBeInViewport()
  await page.locator(place(2, 'Amount')).focus()
  await press(page, 'Control+ArrowDown')
  await inHand(page, 74, 'Amount')
  await expect(page.locator('[data-mark="/0/Line items/74/Amount"]')).toBeInViewport()
})

test('a page is turned with its marks, and zoomed by keys', async ({ host, browser }) => {
  const { page } = await opened(host, browser)
  const paper = page.locator('[data-page="1"]')
  const mark = page.locator('[data-mark="/0/Line items/0/Article"]')
  await expect(mark).toBeVisible()
  const middle = async (): Promise<number[]> => {
    const [on, of] = [(await mark.boundingBox())!, (await paper.boundingBox())!]
    return [(on.x + on.width / 2 - of.x) / of.width, (on.y + on.height / 2 - of.y) / of.height]
  }
  const [x, y] = (await middle()) as [number, number]
  await page.getByRole('button', { name: 'Rotate' }).click()
  const isWide = async (): Promise<boolean> => {
    const { width, height } = (await paper.boundingBox())!
    return width > height
  }
  await expect.poll(isWide).toBe(true)
  const turned = (await middle()) as [number, number]
  expect(turned[0]).toBeCloseTo(1 - y, 1)
  expect(turned[1]).toBeCloseTo(x, 1)
  // The text of the page lies where its drawing does.
  const away = async (): Promise<number> => {
    const [word, on] = [(await page.locator('.textLayer span', { hasText: 'A-1000' }).first().boundingBox())!, (await mark.boundingBox())!]
    return Math.hypot(word.x + word.width / 2 - on.x - on.width / 2, word.y + word.height / 2 - on.y - on.height / 2)
  }
  await expect.poll(away).toBeLessThan(12)
  const percent = async () => Number((await page.locator('.document__zoom').textContent())!.replace('%', ''))
  await page.getByRole('region', { name: 'Document' }).focus()
  const fit = await percent()
  await press(page, 'Control++')
  expect(await percent()).toBeGreaterThan(fit)
  await press(page, 'Control+-', 'Control+-')
  expect(await percent()).toBeLessThan(fit)
  await press(page, 'Control+0')
  expect(await percent()).toBe(fit)
})

test('the grid looks at ease in each language and theme', async ({ host, browser }) => {
  rows = Array.from({ length: 60 }, (_, index) => row(index))
  rows[1]!['Amount'] = 5
  rows[3]!['Amount'] = 6
  const { page: first } = await opened(host, browser)
  const address = first.url()
  await first.locator(place(4, 'Article')).click()
  await first.keyboard.type('A-2000')
  await press(first, 'Enter')
  await expect(first.locator(place(4, 'Article'))).toHaveAttribute('data-changed', 'true')
  await first.context().close()
  for (const look of looks) {
    const page = await host.open(browser, contextOf(look))
    await page.goto(address)
    await expect(page.locator('canvas[data-drawn="true"]').first()).toBeVisible()
    await page.locator(place(2, 'Description')).click()
    await press(page, 'Shift+ArrowDown', 'Shift+ArrowRight')
    await expect(page.locator('[aria-selected="true"]')).toHaveCount(4)
    await expectAccessible(page)
    await expectFitting(page)
    await picture(page, 'items-grid', look)
    await page.context().close()
  }
})
