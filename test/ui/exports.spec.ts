import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { Rule } from '../../shared/domain/review.ts'
import type { ExportColumn } from '../../shared/contract/exports.ts'
import { pdfBytes } from '../helpers/core.ts'
import { forNight } from '../helpers/scale.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { Vendor } from '../helpers/vendor.ts'
import { readXlsx } from '../unit/export/read-back.ts'
import { changeAnswers } from './answers.ts'
import { callCore, complaintsOf, connectTo, expect, openScreen, test } from './host.ts'
import type { Host } from './host.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture } from './pictures.ts'

const elements = [
  { name: 'Number', format: 'text', description: '' },
  { name: 'Date', format: 'text', description: '' },
  { name: 'Supplier', format: 'text', description: '' },
  { name: 'Total', format: 'number', description: '' },
  {
    name: 'Items',
    format: 'list',
    description: '',
    items: [
      { name: 'Article', format: 'text', description: '' },
      { name: 'Amount', format: 'number', description: '' },
    ],
  },
]
const suppliers = ['Hartmann GmbH', 'Kestrel Landscaping Ltd', 'Café Lind', 'Brückner Logistik KG']
const answerFor = (filename: string): object => {
  const number = Number(/\d+/.exec(filename)![0])
  const amounts = [100 + number, 20.5]
  return {
    Number: `RE-${String(number).padStart(4, '0')}`,
    Date: `2026-11-${String(1 + (number % 20)).padStart(2, '0')}`,
    Supplier: suppliers[number % suppliers.length],
    Total: amounts[0]! + amounts[1]!,
    Items: [
      { Article: 'Spannfutter ER32, gehärtet', Amount: amounts[0] },
      { Article: 'Fracht', Amount: amounts[1] },
    ],
  }
}

let vendor: Vendor
test.beforeAll(async () => {
  vendor = await startVendor(({ filename }) => ({
    body: JSON.stringify({ status: 'success', data: [answerFor(filename)], metadata: { filename } }),
  }))
})
test.afterAll(async () => {
  await vendor.close()
})

type Office = { folderId: number; schemaId: number; path: string }

/** A folder whose documents were read, none of them approved yet. */
async function furnish(host: Host, page: Page, count = 3, rules: Rule[] = []): Promise<Office> {
  await callCore(page, 'settings.update', { firstRunDone: true })
  const connectionId = await connectTo(page, vendor)
  const { id: schemaId } = await callCore(page, 'schemas.save', {
    id: null,
    name: 'Supplier invoices',
    elements,
    rules,
  })
  const path = join(host.home, 'Invoices')
  mkdirSync(path)
  for (let number = 1; number <= count; number += 1)
    writeFileSync(join(path, `invoice ${number}.pdf`), pdfBytes(`invoice ${number}`))
  const { id: folderId } = await callCore(page, 'folders.add', { path, schemaId, connectionId })
  await expect.poll(async () => (await callCore(page, 'app.state', {})).counts.done, { timeout: 60_000 }).toBe(count)
  return { folderId, schemaId, path }
}

const headers = async (page: Page): Promise<string[]> =>
  (await page.locator('.sheet__table th').allTextContents()).slice(1)
const fold = (page: Page, name: string): Locator => page.locator('.fold__button').filter({ hasText: name })
const column = (page: Page, name: string): Locator =>
  page.getByRole('grid', { name: 'Columns' }).getByRole('row', { name, exact: true })

test(
  'columns are arranged by keyboard, kept as a preset, and are what the file has',
  forNight,
  async ({ host, browser }) => {
    const page = await host.open(browser, { locale: 'en-US' })
    const complaints = complaintsOf(page)
    await furnish(host, page)
    await page.goto(`${host.url}#/exports`)
    await expect(page.locator('.sheet__table td').nth(5)).toBeVisible()
    await expect.poll(() => headers(page)).toEqual(['Document', 'File', 'Number', 'Date', 'Supplier', 'Total'])
    await page.getByRole('tab', { name: 'Items' }).click()
    await expect.poll(() => headers(page)).toEqual(['Document', 'File', 'Article', 'Amount'])
    await page.getByText('One row per item').click()
    await expect.poll(() => headers(page)).toEqual(['File', 'Number', 'Date', 'Supplier', 'Total', 'Article', 'Amount'])
    await expectAccessible(page)

    await fold(page, 'Columns').click()
    await column(page, 'Supplier').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowUp')
    await expect(column(page, 'Supplier')).toBeFocused()
    await expect.poll(() => headers(page)).toEqual(['File', 'Supplier', 'Number', 'Date', 'Total', 'Article', 'Amount'])

    await page.keyboard.press('Enter')
    await expect(page.getByRole('textbox', { name: 'Header' })).toBeFocused()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Paid to whom')
    await page.keyboard.press('Enter')
    await expect(column(page, 'Paid to whom')).toBeFocused()

    await page.getByRole('checkbox', { name: 'Date' }).press(' ')
    await page.getByRole('button', { name: 'Add column' }).click()
    await page.getByRole('menuitem', { name: 'Constant' }).click()
    await expect(page.getByRole('textbox', { name: 'Header' })).toBeFocused()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Account')
    await page.keyboard.press('Tab')
    await page.keyboard.type('4400 goods')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Add column' }).click()
    await page.getByRole('menuitem', { name: 'Folder' }).click()
    const arranged = ['File', 'Paid to whom', 'Number', 'Total', 'Article', 'Amount', 'Account', 'Folder']
    await expect.poll(() => headers(page)).toEqual(arranged)
    await expect(page.locator('.sheet__table tbody tr').first()).toContainText('4400 goods')
    await expectAccessible(page)

    await expect(page.getByText('sums count them several times')).toBeVisible()
    await page.getByText('All items in one cell').click()
    await expect(page.getByText('sums count them several times')).toHaveCount(0)
    const flat = ['File', 'Paid to whom', 'Number', 'Total', 'Items', 'Account', 'Folder']
    await expect.poll(() => headers(page)).toEqual(flat)

    await page.getByRole('button', { name: 'Save as preset…' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Monthly')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Monthly Preset' })).toBeVisible()

    // Columns are of this export; how lists are written stays with the schema.
    await page.reload()
    await expect.poll(() => headers(page)).toEqual(['File', 'Number', 'Date', 'Supplier', 'Total', 'Items'])
    await expect(page.getByRole('radio', { name: 'All items in one cell' })).toBeChecked()
    await page.getByRole('button', { name: 'No preset Preset' }).click()
    await page.getByRole('option', { name: 'Monthly' }).click()
    await expect.poll(() => headers(page)).toEqual(flat)
    const shown = await Promise.all(
      (await page.locator('.sheet__table tbody tr').all()).map(async (row) =>
        (await row.locator('td').allTextContents()).slice(1),
      ),
    )

    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+Enter')])
    await expect(page.getByText('Done: 3 rows, 3 documents')).toBeVisible()
    const [sheet] = await readXlsx(await download.path())
    expect(sheet!.values[0]).toEqual(flat)
    expect(sheet!.values.slice(1).map((row) => row[0])).toEqual(shown.map((row) => row[0]))
    expect(sheet!.values[1]!.slice(1, 3)).toEqual(shown[0]!.slice(1, 3))
    expect(sheet!.values[1]!.slice(5)).toEqual(['4400 goods', 'Invoices'])

    await page.getByRole('tab', { name: 'Earlier exports' }).click()
    await page.getByRole('button', { name: /^Again: “Supplier invoices/ }).click()
    await expect(page.getByRole('list', { name: 'Earlier exports' }).getByRole('listitem')).toHaveCount(2)
    await expectAccessible(page)
    expect(complaints).toEqual([])
  },
)

test('which documents are exported is in sight, and so is each other choice', async ({ host, browser }) => {
  const page = await host.open(browser, { locale: 'en-US' })
  await furnish(host, page)
  const document = (await callCore(page, 'documents.list', {})).rows[0]!
  await callCore(page, 'review.approve', { ids: [document.id] })
  await page.goto(`${host.url}#/exports`)
  await expect(page.getByRole('button', { name: 'From all folders Documents' })).toBeVisible()
  await expect(page.locator('.sheet__head')).toContainText('3 documents')
  await page.getByRole('button', { name: 'Without those to check Which of them' }).click()
  await page.getByRole('option', { name: 'Approved only' }).click()
  await expect(page.getByRole('button', { name: 'Approved only Which of them' })).toBeVisible()
  await expect(page.locator('.sheet__head')).toContainText('1 document')
})

test('what is to be checked is left out, says so, and goes along when a person wants it', async ({ host, browser }) => {
  const page = await host.open(browser, { locale: 'en-US' })
  await furnish(host, page, 3, [{ kind: 'pattern', field: ['Number'], pattern: 'INV-\\d+' }])
  await page.goto(`${host.url}#/exports`)
  await expect(page.getByText('All 3 documents with a result are still to be checked.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Export', exact: true })).toBeDisabled()
  await expectAccessible(page)
  const first = (await callCore(page, 'documents.list', {})).rows[0]!
  await callCore(page, 'review.approve', { ids: [first.id] })
  await expect(page.locator('.sheet__head')).toContainText('2 to check are left out')
  await expect(page.locator('.sheet__head')).toContainText('1 document')
  await page.getByRole('button', { name: 'Without those to check Which of them' }).click()
  await page.getByRole('option', { name: 'By state' }).click()
  await page.getByRole('checkbox', { name: 'Approved' }).press(' ')
  await expect(page.locator('.sheet__head')).toContainText('3 documents')
  // The states stay in sight, though these are those of another choice.
  await page.getByRole('checkbox', { name: 'To check' }).press(' ')
  await expect(page.locator('.sheet__head')).toContainText('1 document')
  await expect(page.getByRole('checkbox', { name: 'To check' })).toBeFocused()
  await page.getByRole('button', { name: 'By state Which of them' }).click()
  await page.getByRole('option', { name: 'All with a result' }).click()
  await expect(page.locator('.sheet__head')).toContainText('2 need a look')
  await expect(page.locator('.sheet__head')).toContainText('3 documents')
  await page.getByRole('link', { name: '2 need a look' }).click()
  await expect(page.getByRole('tab', { name: /^To check/ })).toHaveAttribute('aria-selected', 'true')
})

test('a column is dragged to its place with the keyboard, and by the mouse', forNight, async ({ host, browser }) => {
  const page = await host.open(browser, { locale: 'en-US' })
  await furnish(host, page, 1)
  await page.goto(`${host.url}#/exports`)
  await page.getByText('One row per item').click()
  await fold(page, 'Columns').click()
  await column(page, 'File').focus()
  for (const name of ['Number', 'Date', 'Supplier', 'Total']) {
    await page.keyboard.press('ArrowDown')
    await expect(column(page, name)).toBeFocused()
  }
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Move “Total”' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Insert / }).and(page.locator(':focus'))).toBeVisible()
  await page.keyboard.press('Home')
  await expect(page.getByRole('button', { name: 'Insert before File' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(() => headers(page)).toEqual(['Total', 'File', 'Number', 'Date', 'Supplier', 'Article', 'Amount'])

  const from = (await column(page, 'Date').boundingBox())!
  const to = (await column(page, 'File').boundingBox())!
  await page.mouse.move(from.x + 12, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + 12, to.y + 12, { steps: 5 })
  await page.mouse.move(to.x + 12, to.y + 3, { steps: 3 })
  await page.mouse.up()
  await expect.poll(() => headers(page)).toEqual(['Total', 'Date', 'File', 'Number', 'Supplier', 'Article', 'Amount'])
})

test(
  'a preset is updated, renamed and removed, and is there again when that is taken back',
  forNight,
  async ({ host, browser }) => {
    const page = await host.open(browser, { locale: 'en-US' })
    const { schemaId } = await furnish(host, page, 1)
    await callCore(page, 'exports.presets.save', {
      id: null,
      name: 'Approved',
      spec: { schemaId, format: 'csv', locale: 'de', reviews: ['approved'], days: { by: 'approved', last: 31 } },
    })
    await page.goto(`${host.url}#/exports`)
    await page.getByRole('button', { name: 'No preset Preset' }).click()
    await page.getByRole('option', { name: 'Approved' }).click()
    await expect(page.getByRole('button', { name: 'Approved only Which of them' })).toBeVisible()
    await expect(fold(page, 'Days')).toContainText('31 days')
    await expect(fold(page, 'Numbers and dates')).toContainText('Deutsch')
    await expect(page.getByRole('button', { name: 'Update preset' })).toHaveCount(0)
    await page.getByText('Excel', { exact: true }).click()
    await page.getByRole('button', { name: 'Update preset' }).click()
    await expect(page.getByText('“Approved” is updated.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Update preset' })).toHaveCount(0)
    expect((await callCore(page, 'exports.presets.list', {})).presets[0]!.spec.format).toBe('xlsx')

    await page.getByRole('button', { name: 'More for “Approved”' }).click()
    await page.getByRole('menuitem', { name: 'Rename preset…' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Every month')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'More for “Every month”' }).click()
    await page.getByRole('menuitem', { name: 'Remove preset' }).click()
    await expect.poll(async () => (await callCore(page, 'exports.presets.list', {})).presets).toEqual([])
    await page
      .getByRole('status')
      .filter({ hasText: '“Every month” is removed.' })
      .getByRole('button', { name: 'Undo' })
      .last()
      .click()
    await expect(page.getByRole('button', { name: 'Every month Preset' })).toBeVisible()
    expect((await callCore(page, 'exports.presets.list', {})).presets).toMatchObject([
      { name: 'Every month', spec: { format: 'xlsx', days: { last: 31 } } },
    ])
  },
)

test('a workbook that is switched on has the row of a document as soon as it is approved', async ({
  host,
  browser,
}) => {
  const page = await host.open(browser, { locale: 'en-US' })
  const complaints = complaintsOf(page)
  const { folderId } = await furnish(host, page)
  await page.goto(`${host.url}#/exports`)
  await page.getByRole('tab', { name: 'Workbooks' }).click()
  const line = page.getByRole('list', { name: 'Workbooks' }).getByRole('listitem').filter({ hasText: 'Invoices' })
  await expect(line).toContainText('No workbook')
  await page.getByRole('switch', { name: 'Workbook of “Invoices”' }).press(' ')
  await expect(line).toContainText('Nothing approved yet')
  const document = (await callCore(page, 'documents.list', {})).rows.find(({ name }) => name === 'invoice 2.pdf')
  await callCore(page, 'review.approve', { ids: [document!.id] })
  await expect(line).toContainText('Up to date')
  await expect(line).toContainText('3 rows · 1 document')
  const { place } = (await callCore(page, 'workbooks.list', {})).workbooks.find((each) => each.folderId === folderId)!
  const [sheet] = await readXlsx(place)
  expect(sheet!.values.map((row) => row[1])).toEqual(['File', 'invoice 2.pdf'])
  await expectAccessible(page)

  const lock = join(place, '..', '.~lock.Invoices.xlsx#')
  writeFileSync(lock, '')
  const others = (await callCore(page, 'documents.list', {})).rows
    .filter(({ id }) => id !== document!.id)
    .map(({ id }) => id)
  await callCore(page, 'review.approve', { ids: others })
  await expect(line).toContainText('6 rows wait')
  await expect(line).toContainText('“Invoices.xlsx” is open in Excel or another program.')
  await page.getByRole('button', { name: 'Write now: “Invoices”' }).click()
  await expect(line).toContainText('9 rows · 3 documents')
  await expect(line).toContainText('Up to date')

  await page.getByRole('button', { name: 'Change… “Invoices”' }).click()
  await page.getByText('In another folder').click()
  await page.getByRole('textbox', { name: 'Folder' }).fill(join(host.home, 'nowhere'))
  await page.getByRole('textbox', { name: 'File name' }).fill('Supplier invoices 2026')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  mkdirSync(join(host.home, 'Accounting'))
  await page.getByRole('textbox', { name: 'Folder' }).fill(join(host.home, 'Accounting'))
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const elsewhere = join(host.home, 'Accounting', 'Supplier invoices 2026.xlsx')
  await expect(line).toContainText(elsewhere)
  await expect.poll(() => existsSync(elsewhere)).toBe(true)

  writeFileSync(elsewhere, 'mine now')
  await callCore(page, 'review.reopen', { ids: [document!.id] })
  await expect(line).toContainText('was changed by hand and stays as it is')
  await line.getByRole('button', { name: 'Understood' }).click()
  await expect(line).not.toContainText('was changed by hand')
  await page.getByRole('switch', { name: 'Workbook of “Invoices”' }).press(' ')
  await expect(line).toContainText('No workbook')
  expect(complaints).toEqual([])
})

test('exports and workbooks look at ease in each language, size and scheme', forNight, async ({ host, browser }) => {
  test.slow()
  const first = await host.open(browser)
  const { schemaId, folderId } = await furnish(host, first, 36)
  const rows = (await callCore(first, 'documents.list', { limit: 500 })).rows
  await callCore(first, 'review.approve', { ids: rows.slice(0, 20).map(({ id }) => id) })
  const columns: ExportColumn[] = [
    { kind: 'about', about: 'receivedOn', header: null },
    { kind: 'field', field: ['Supplier'], header: 'Kreditor' },
    { kind: 'field', field: ['Number'], header: null },
    { kind: 'constant', header: 'Konto', value: '4400' },
    { kind: 'field', field: ['Items', 'Article'], header: null },
    { kind: 'field', field: ['Items', 'Amount'], header: null },
  ]
  await callCore(first, 'exports.presets.save', {
    id: null,
    name: 'Buchhaltung',
    spec: { schemaId, format: 'xlsx', locale: 'de', columns, reviews: ['approved'], days: { last: 30 } },
  })
  for (const format of ['xlsx', 'csv', 'json'] as const)
    await callCore(first, 'exports.run', { schemaId, format, locale: 'en', lists: 'sheets' })
  for (const [name, on] of [
    ['Deliveries', true],
    ['Scanner', false],
  ] as const) {
    mkdirSync(join(host.home, name))
    const { connectionId } = (await callCore(first, 'folders.list', {})).folders[0]!
    const { id } = await callCore(first, 'folders.add', { path: join(host.home, name), schemaId, connectionId })
    if (on) await callCore(first, 'workbooks.set', { folderId: id, on })
  }
  await callCore(first, 'workbooks.set', { folderId, on: true, locale: 'de' })
  await expect
    .poll(async () =>
      (await callCore(first, 'workbooks.list', {})).workbooks.some(({ rows: written }) => written === 60),
    )
    .toBe(true)
  await first.close()

  for (const look of looks) {
    const page = await host.open(browser, contextOf(look))
    const take = async (name: string): Promise<void> => {
      await picture(page, name, look)
      await expectFitting(page)
      if (look === looks[0]) await expectAccessible(page)
    }
    await changeAnswers(page, () => ({
      'workbooks.list': ({ workbooks }) => ({
        workbooks: workbooks.map((each) =>
          each.folderName === 'Deliveries'
            ? {
                ...each,
                rows: 1_204,
                documents: 388,
                writtenAt: Date.now() - 3_600_000,
                waitingRows: 12,
                waitingDocuments: 4,
                problem: { code: 'workbook_open' as const, details: { file: 'Deliveries.xlsx' } },
                changedByHand: each.place.replace('.xlsx', ' old.xlsx'),
              }
            : each,
        ),
      }),
    }))
    await openScreen(page, host, '#/exports')
    await expect(page.locator('.sheet__table td').nth(5)).toBeVisible()
    await take('exports-new')
    await page.locator('.page-head .select__button').click()
    await page.getByRole('option', { name: 'Buchhaltung' }).click()
    await expect(page.locator('.sheet__table th').filter({ hasText: 'Kreditor' })).toBeVisible()
    await page.locator('.fold__button').nth(1).click()
    await expect(page.locator('.column').first()).toBeVisible()
    await take('exports-columns')
    await page.locator('.fold__button').nth(1).click()
    await page.locator('.fold__button').nth(0).click()
    await page.locator('.radio-line').nth(1).click()
    await expect(page.locator('.sheet__tab')).toHaveCount(2)
    await take('exports-lists')
    await page.keyboard.press('Control+Enter')
    await expect(page.locator('.written')).toBeVisible()
    await take('exports-written')
    await page.getByRole('tab').nth(1).click()
    await expect(page.locator('.book')).toHaveCount(3)
    await take('exports-workbooks')
    await page.locator('.book').filter({ hasText: 'Deliveries' }).locator('.rows__line .button--quiet').click()
    await page.getByRole('dialog').locator('.radio-line').nth(1).click()
    await take('exports-workbook-dialog')
    await page.keyboard.press('Escape')
    await page.getByRole('tab').nth(2).click()
    await expect(page.locator('.rows__item').nth(3)).toBeVisible()
    await take('exports-history')
    await page.close()
  }
})
