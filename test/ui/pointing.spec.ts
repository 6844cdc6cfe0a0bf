import type { Locator, Page } from '@playwright/test'
import { forNight } from '../helpers/scale.ts'
import { startVendor, vendorCredentials } from '../helpers/vendor.ts'
import { callCore, expect, folderWith, openScreen, preparedHome, test as base } from './host.ts'
import type { Host } from './host.ts'
import { contextOf, expectAccessible, looks, picture, titleOf } from './pictures.ts'

const elements = [
  { name: 'invoice_number', format: 'text', description: 'Number of the invoice' },
  { name: 'invoice_date', format: 'text', description: 'Date of the invoice' },
  { name: 'seller', format: 'text', description: 'Who wrote it' },
  { name: 'total', format: 'number', description: 'Total' },
  {
    name: 'items',
    format: 'list',
    description: 'What was bought',
    items: [
      { name: 'article', format: 'text', description: '' },
      { name: 'amount', format: 'number', description: '' },
    ],
  },
]
const files = ['INV-20418.pdf', 'Credit Note CN-1022.docx', 'Invoice 1058 Kestrel Landscaping.xlsx', 'IMG_2231.JPG']

/** Documents in which a service found nothing but the order number, which it took for the number of the invoice. */
async function furnish(host: Host, page: Page): Promise<Map<string, number>> {
  const vendor = await startVendor(({ filename }) => ({
    body: JSON.stringify({
      status: 'success',
      data: [
        {
          invoice_number: filename === 'INV-20418.pdf' ? '55310/KB' : null,
          invoice_date: null,
          seller: null,
          total: null,
          items: [{ article: null, amount: null }],
        },
      ],
      metadata: { filename },
    }),
  }))
  await callCore(page, 'settings.update', { firstRunDone: true })
  const { baseUrl } = vendor
  const connection = { id: null, name: 'Head office', baseUrl, ...vendorCredentials }
  const { id: connectionId } = await callCore(page, 'connections.save', connection)
  const { id: schemaId } = await callCore(page, 'schemas.save', { id: null, name: 'Invoices', elements })
  const path = folderWith(host, 'Invoices', files)
  await callCore(page, 'folders.add', { path, schemaId, connectionId })
  await expect
    .poll(async () => (await callCore(page, 'app.state', {})).counts, { timeout: 60_000 })
    .toMatchObject({ done: files.length })
  await vendor.close()
  const { rows } = await callCore(page, 'documents.list', {})
  return new Map(rows.map(({ id, name }) => [name, id]))
}

const prepare = preparedHome(furnish)
const test = base.extend<{ office: { host: Host; idOf: (file: string) => number } }>({
  office: async ({ browser }, use) => {
    const { host, made } = await prepare(browser)
    await use({ host, idOf: (file) => made.get(file)! })
    await host.stop()
  },
})

const valueOf = (page: Page, label: string): Locator => page.getByRole('textbox', { name: label })
/** Where the middle of a word on the page is, in pixels of the window. */
async function middleOf(page: Page, id: number, text: string, occurrence = 0): Promise<{ x: number; y: number }> {
  const { pages } = await callCore(page, 'documents.preview', { id })
  const word = pages[0]!.words.filter((each) => each.text === text)[occurrence]!
  const box = (await page.locator('.pointing').first().boundingBox())!
  return {
    x: box.x + (word.x + word.width / 2) * box.width,
    y: box.y + (word.y + word.height / 2) * box.height,
  }
}

test(
  'a click takes a word for the value in hand, a drag several, and Escape gives back what was there',
  forNight,
  async ({ office: { host, idOf }, browser }) => {
    const page = await host.open(browser, { viewport: { width: 1600, height: 1000 }, locale: 'en-US' })
    const id = idOf('INV-20418.pdf')
    await openScreen(page, host, `#/documents/${id}`)
    await valueOf(page, 'Invoice number').click()
    const number = await middleOf(page, id, 'INV-20418')
    await page.mouse.move(number.x, number.y)
    await expect(page.locator('.pointing__value')).toHaveText('Invoice number INV-20418')
    await page.mouse.click(number.x, number.y)
    await expect(valueOf(page, 'Invoice number')).toHaveValue('INV-20418')
    await expect(valueOf(page, 'Invoice number')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(valueOf(page, 'Invoice number')).toHaveValue('55310/KB')

    await valueOf(page, 'Seller').click()
    const [first, last] = [await middleOf(page, id, 'Pemberton'), await middleOf(page, id, 'Supplies')]
    await page.mouse.move(first.x, first.y)
    await page.mouse.down()
    await page.mouse.move(last.x, last.y, { steps: 5 })
    await expect(page.locator('.pointing__value')).toHaveText('Seller Pemberton Joinery Supplies')
    await page.mouse.up()
    await expect(valueOf(page, 'Seller')).toHaveValue('Pemberton Joinery Supplies')

    // A date as it is stored, and shown as the language writes it.
    await valueOf(page, 'Invoice date').click()
    const [day, year] = [await middleOf(page, id, '3'), await middleOf(page, id, '2026')]
    await page.mouse.move(day.x, day.y)
    await page.mouse.down()
    await page.mouse.move(year.x, year.y, { steps: 5 })
    await page.mouse.up()
    await expect(valueOf(page, 'Invoice date')).toHaveValue(/11\/0?3\/2026/)

    // Words that are no number are not put into a field for one.
    await valueOf(page, 'Total').click()
    await page.mouse.move(first.x, first.y)
    await expect(page.locator('.pointing__value')).toHaveText('Total No number')
    await page.mouse.click(first.x, first.y)
    await expect(valueOf(page, 'Total')).toHaveValue('')

    // The mark of another value leads to it, unless Shift says that its word is meant.
    await page.locator('[data-mark="/0/invoice_number"]').click()
    await expect(valueOf(page, 'Invoice number')).toBeFocused()
    await valueOf(page, 'Seller').click()
    await page.locator('[data-mark="/0/invoice_number"]').click({ modifiers: ['Shift'] })
    await expect(valueOf(page, 'Seller')).toHaveValue('55310/KB')

    const cell = page.locator('[role="gridcell"][data-pointer="/0/items/0/amount"]')
    await cell.click()
    const amount = await middleOf(page, id, '643.50')
    await page.mouse.click(amount.x, amount.y)
    await expect(cell).toHaveText('643.50')
    const stored = await callCore(page, 'documents.get', { id })
    expect(stored.records[0]).toMatchObject({
      seller: '55310/KB',
      invoice_date: '2026-11-03',
      items: [{ article: null, amount: 643.5 }],
    })
  },
)

test('without a mouse F4 leads into the document, arrows from word to word, and Enter takes', async ({
  office: { host, idOf },
  browser,
}) => {
  const page = await host.open(browser, { viewport: { width: 1600, height: 1000 }, locale: 'en-US' })
  await openScreen(page, host, `#/documents/${idOf('INV-20418.pdf')}`)
  const inHand = page.locator('.pointing__cursor')
  await valueOf(page, 'Seller').focus()
  await page.keyboard.press('F4')
  await expect(inHand).toHaveAccessibleName('Pemberton: Enter puts it into Seller')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  await expect(inHand).toHaveAccessibleName('Pemberton Joinery Supplies: Enter puts it into Seller')
  await page.keyboard.press('Enter')
  await expect(valueOf(page, 'Seller')).toHaveValue('Pemberton Joinery Supplies')
  await expect(valueOf(page, 'Seller')).toBeFocused()

  // It begins where the value was found.
  await valueOf(page, 'Invoice number').focus()
  await page.keyboard.press('F4')
  await expect(inHand).toHaveAccessibleName('55310/KB: Enter puts it into Invoice number')
  await page.keyboard.press('Escape')
  await expect(inHand).toHaveCount(0)
  await expect(valueOf(page, 'Invoice number')).toBeFocused()
  await expect(valueOf(page, 'Invoice number')).toHaveValue('55310/KB')
})

/** Both are read anew to be pointed at, a picture by two readers, which takes longest. */
for (const { file, text } of [
  { file: 'Credit Note CN-1022.docx', text: 'CN-1022' },
  { file: 'IMG_2231.JPG', text: 'TOTAL' },
])
  test(`a word is pointed at as on a PDF page: ${file}`, forNight, async ({ office: { host, idOf }, browser }) => {
    const page = await host.open(browser, { viewport: { width: 1600, height: 1000 }, locale: 'en-US' })
    await openScreen(page, host, `#/documents/${idOf(file)}`)
    await valueOf(page, 'Invoice number').click()
    const word = await middleOf(page, idOf(file), text)
    await expect(async () => {
      await page.mouse.move(word.x, word.y + 1)
      await page.mouse.move(word.x, word.y)
      await expect(page.locator('.pointing__value')).toHaveText(`Invoice number ${text}`, { timeout: 500 })
    }).toPass()
    await page.mouse.click(word.x, word.y)
    await expect(valueOf(page, 'Invoice number')).toHaveValue(text)
  })

test('cells of a sheet are pointed at by mouse and keys', async ({ office: { host, idOf }, browser }) => {
  const page = await host.open(browser, { viewport: { width: 1600, height: 1000 }, locale: 'en-US' })
  await openScreen(page, host, `#/documents/${idOf('Invoice 1058 Kestrel Landscaping.xlsx')}`)
  await valueOf(page, 'Total').click()
  await page.getByRole('cell', { name: /979\.74/ }).click()
  await expect(valueOf(page, 'Total')).toHaveValue('979.74')
  await valueOf(page, 'Seller').focus()
  await page.keyboard.press('F4')
  await expect(page.locator('td:focus')).toHaveText('Kestrel Landscaping')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(valueOf(page, 'Seller')).toHaveValue('Kestrel Landscaping')
})

test(
  'rows are taken out of a page: proposed, drawn by mouse, and put right by keys',
  forNight,
  async ({ office: { host, idOf }, browser }) => {
    const page = await host.open(browser, { viewport: { width: 1600, height: 1000 }, locale: 'en-US' })
    const id = idOf('INV-20418.pdf')
    const items = async () => (await callCore(page, 'documents.get', { id })).records[0]!['items']
    await openScreen(page, host, `#/documents/${id}`)
    await page.getByRole('button', { name: 'Take rows from the page' }).click()
    const picker = page.getByRole('group', { name: 'Items' })
    // The table that was seen on the page, with the fields that its heads name.
    await expect(picker.getByText('5 rows')).toBeVisible()
    const fields = picker.getByRole('combobox')
    await expect(fields).toHaveCount(6)
    await fields.nth(0).selectOption('Left out')
    await fields.nth(1).selectOption('Article')
    await fields.nth(4).selectOption('Amount')
    await picker.getByRole('button', { name: 'Take rows' }).click()
    await expect(picker).toHaveCount(0)
    await expect.poll(items).toEqual([
      { article: 'Oak worktop 40 mm, 2440 x 620', amount: 643.5 },
      { article: 'Soft-close hinge 110°, pair', amount: 151.2 },
      { article: 'Grab rail 900 mm, mobility aid (supplied to disabled person, relief claimed)', amount: 92 },
      { article: 'Energy-saving cavity insulation boards', amount: 225 },
      { article: 'Carriage, 2-man delivery', amount: 65 },
    ])

    // Without a mouse: fewer rows, and one border less.
    await page.getByRole('button', { name: 'Take rows from the page' }).press('Enter')
    const lower = picker.getByRole('separator', { name: 'Lower end of the rows' })
    await lower.focus()
    for (let count = 0; count < 8; count += 1) await page.keyboard.press('ArrowUp')
    await expect(picker.getByText('4 rows')).toBeVisible()
    // A row that was missed is taken by a click.
    const layer = (await page.locator('.table-picker').boundingBox())!
    const preview = await callCore(page, 'documents.preview', { id })
    const missed = preview.pages[0]!.words.find((word) => word.text === 'DEL-STD')!
    await page.mouse.click(
      layer.x + (missed.x + missed.width / 2) * layer.width,
      layer.y + (missed.y + missed.height / 2) * layer.height,
    )
    await expect(picker.getByText('5 rows')).toBeVisible()
    await picker.getByRole('separator', { name: 'Border 1 between columns' }).focus()
    await page.keyboard.press('Delete')
    await expect(fields).toHaveCount(5)
    await page.keyboard.press('Escape')
    await expect(picker).toHaveCount(0)

    // A part that is drawn: two lines of the table, added to the rows.
    await page.getByRole('button', { name: 'Take rows from the page' }).click()
    // The page comes to rest with the focus.
    await expect(picker.getByRole('button', { name: 'Replace the rows' })).toBeFocused()
    const paper = (await page.locator('.table-picker').boundingBox())!
    const { pages } = await callCore(page, 'documents.preview', { id })
    const [from, to] = ['INS-ESM', 'DEL-STD'].map((text) => pages[0]!.words.find((word) => word.text === text)!)
    await page.mouse.move(paper.x + (from!.x - 0.02) * paper.width, paper.y + (from!.y - 0.004) * paper.height)
    await page.mouse.down()
    await page.mouse.move(paper.x + 0.95 * paper.width, paper.y + (to!.y + to!.height + 0.004) * paper.height, {
      steps: 4,
    })
    await page.mouse.up()
    await expect(picker.getByText('2 rows')).toBeVisible()
    // What becomes of the document meanwhile leaves it as it was drawn.
    await callCore(page, 'review.correct', { id, changes: [{ pointer: '/0/seller', value: 'Pemberton Joinery' }] })
    await expect(valueOf(page, 'Seller')).toHaveValue('Pemberton Joinery')
    await expect(picker.getByText('2 rows')).toBeVisible()
    await fields.nth(1).selectOption('Article')
    await fields.nth(4).selectOption('Amount')
    await picker.getByRole('button', { name: 'Add to the rows' }).click()
    await expect.poll(async () => ((await items()) as unknown[]).length).toBe(7)
  },
)

for (const look of looks) {
  test(`pointing looks well: ${titleOf(look)}`, forNight, async ({ office: { host, idOf }, browser }) => {
    const page = await host.open(browser, contextOf(look))
    const id = idOf('INV-20418.pdf')
    await openScreen(page, host, `#/documents/${id}`)
    await page.locator('[data-pointer="/0/seller"]').click()
    const [first, last] = [await middleOf(page, id, 'Pemberton'), await middleOf(page, id, 'Supplies')]
    await page.mouse.move(first.x, first.y)
    await page.mouse.down()
    await page.mouse.move(last.x, last.y, { steps: 5 })
    await page.locator('.pointing__value').waitFor()
    await picture(page, 'pointing', look)
    await page.mouse.up()
    await page.keyboard.press('F4')
    await page.locator('.pointing__cursor').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.locator('.document__bar button').last().click()
    await page.locator('.table-picker__bar').waitFor()
    await picture(page, 'rows-from-page', look)
    await expectAccessible(page)
  })
}
