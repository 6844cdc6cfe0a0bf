import { mkdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { pdfBytes } from '../helpers/core.ts'
import { forNight } from '../helpers/scale.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { Vendor } from '../helpers/vendor.ts'
import { callCore, complaintsOf, connectTo, expect, startHost, test } from './host.ts'
import type { Host } from './host.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture } from './pictures.ts'

const names = [
  'Hartmann 2026-0917.pdf',
  'Kestrel 1058.pdf',
  'Lumière 2026-57.pdf',
  'Nordwind 44190.pdf',
  'Talleres Ibáñez 8841.pdf',
]
const invoice = [
  { name: 'Invoice number', format: 'text', description: '' },
  { name: 'Seller', format: 'text', description: '' },
  { name: 'Total amount', format: 'number', description: '' },
]
const delivery = [{ name: 'Order number', format: 'text', description: '' }]

let vendor: Vendor
let letGo: () => void
test.beforeEach(async () => {
  const held = new Promise<void>((resolve) => (letGo = resolve))
  vendor = await startVendor(async ({ filename, params }) => {
    const isInvoice = (params as { name: string }[])[0]!.name === 'Invoice number'
    if (filename.startsWith('held')) await held
    const [seller, number] = filename.replace('.pdf', '').split(' ')
    const data = isInvoice
      ? { 'Invoice number': number, Seller: seller, 'Total amount': filename.length * 97.13 }
      : { 'Order number': `PO-${number}` }
    return {
      body: JSON.stringify({
        status: 'success',
        data: [data],
        metadata: { filename, duration: 3400, tokens_consumed: 1200 },
      }),
    }
  })
})
test.afterEach(async () => {
  letGo()
  await vendor.close()
})

type Office = { folder: string; folderId: number }

/** Some invoices that a service read, and a second schema. */
async function furnish(host: Host, page: Page): Promise<Office> {
  await callCore(page, 'settings.update', { firstRunDone: true })
  const connectionId = await connectTo(page, vendor)
  const { id: schemaId } = await callCore(page, 'schemas.save', { id: null, name: 'Invoice', elements: invoice })
  await callCore(page, 'schemas.save', { id: null, name: 'Delivery note', elements: delivery })
  const folder = join(host.home, 'Supplier invoices')
  mkdirSync(folder)
  for (const name of names) writeFileSync(join(folder, name), pdfBytes(name))
  const { id: folderId } = await callCore(page, 'folders.add', { path: folder, schemaId, connectionId })
  await expect
    .poll(async () => (await callCore(page, 'app.state', {})).counts.done, { timeout: 60_000 })
    .toBe(names.length)
  await expect(grid(page)).toHaveAttribute('aria-rowcount', String(names.length + 1))
  return { folder, folderId }
}

const grid = (page: Page): Locator => page.getByRole('grid')
const row = (page: Page, name: string): Locator =>
  grid(page)
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) })
const rowCount = (page: Page, count: number): Promise<void> =>
  expect(grid(page)).toHaveAttribute('aria-rowcount', String(count + 1))

async function chooseOther(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Schema', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Extract with another schema…' }).click()
}

test.describe('another schema', () => {
  test('documents are extracted with another schema after a look at what that comes to, and once only', async ({
    host,
    browser,
  }) => {
    const page = await host.open(browser)
    const complaints = complaintsOf(page)
    await furnish(host, page)
    await row(page, names[0]!).locator('.grid__check').click()
    await row(page, names[1]!).click({ modifiers: ['Control'] })
    await chooseOther(page)
    const dialog = page.getByRole('dialog', { name: 'Extract 2 documents with another schema' })
    await expect(dialog.getByRole('button', { name: 'Delivery note Schema' })).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Head office Connection' })).toBeVisible()
    await expect(dialog.locator('.estimate')).toContainText('2 documents')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Extract', exact: true }).click()
    await expect(page.getByText('2 documents are extracted with “Delivery note”')).toBeVisible()
    await rowCount(page, names.length + 2)
    await expect.poll(() => vendor.received.length).toBe(names.length + 2)
    await expect(row(page, names[0]!)).toHaveCount(2)
    await expect(row(page, names[0]!).first()).toContainText('PO-2026-0917')

    // The same once more costs nothing.
    await grid(page).press('Control+a')
    await chooseOther(page)
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Schema$/ })
      .click()
    await page.getByRole('option', { name: 'Delivery note' }).click()
    await expect(page.getByRole('dialog').locator('.estimate')).toContainText('3 documents')
    await page.getByRole('dialog').getByRole('button', { name: 'Extract', exact: true }).click()
    await expect(
      page.getByText('4 documents were extracted with this schema before and are not sent again'),
    ).toBeVisible()
    await rowCount(page, names.length + 5)
    await expect.poll(() => vendor.received.length).toBe(names.length + 5)
    expect(complaints).toEqual([])
  })

  test(
    'the open document offers the same by keyboard and in the palette, and a file that is gone says so',
    forNight,
    async ({ host, browser }) => {
      const page = await host.open(browser)
      const { folder } = await furnish(host, page)
      await row(page, names[2]!).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(names[2]!)
      await expect(page.getByRole('button', { name: 'Extract with another schema…' })).toBeVisible()
      await page.keyboard.press('Control+k')
      await page.keyboard.type('with another schema')
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Extract 1 document with another schema' })
      await expect(dialog.locator('.estimate')).toContainText('1 document')
      await dialog.getByRole('button', { name: 'Extract', exact: true }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await expect(
        page.getByRole('region', { name: 'Values' }).getByRole('textbox', { name: 'Order number' }),
      ).toHaveValue('PO-2026-57')

      await page.goto(`${host.url}#/documents`)
      // The list as it was is shown at once; the document that was added moves its rows.
      await rowCount(page, names.length + 1)
      await rm(join(folder, names[3]!))
      await row(page, names[3]!).locator('.grid__check').click()
      await chooseOther(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Extract', exact: true }).click()
      await expect(page.locator('.notice--problem')).toContainText(`“${names[3]!}” cannot be extracted.`)
      await rowCount(page, names.length + 1)
    },
  )
})

const tab = (page: Page, name: RegExp): Locator => page.getByRole('tab', { name })

test.describe('the bin', () => {
  test('a selection goes into the bin, comes back with «Undo», and is restored from its tab', async ({
    host,
    browser,
  }) => {
    const page = await host.open(browser)
    const complaints = complaintsOf(page)
    await furnish(host, page)
    await expect(tab(page, /^Bin/)).toHaveCount(0)
    await row(page, names[0]!).locator('.grid__check').click()
    await row(page, names[1]!).click({ modifiers: ['Control'] })
    await page.getByRole('button', { name: 'Move to bin' }).click()
    await expect(page.getByText('2 documents moved to the bin')).toBeVisible()
    await rowCount(page, names.length - 2)
    await expect(tab(page, /^All/)).toContainText(String(names.length - 2))
    await expect(page.getByRole('tab').last()).toHaveText('Bin2')
    await page.getByRole('button', { name: 'Undo' }).click()
    await rowCount(page, names.length)
    await expect(tab(page, /^Bin/)).toHaveCount(0)

    // By keyboard: the row that is current, without a selection.
    await grid(page).focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('Delete')
    await rowCount(page, names.length - 1)
    await page.keyboard.press('Control+a')
    await expect(page.getByText(`${names.length - 1} selected`)).toBeVisible()
    await page.keyboard.press('Delete')
    await expect(page.getByRole('heading', { name: 'No documents yet' })).toBeVisible()

    await tab(page, /^Bin/).click()
    await rowCount(page, names.length)
    await expect(page.getByText('Files and results are kept')).toBeVisible()
    await page.getByRole('searchbox').fill('kestrel')
    await rowCount(page, 1)
    await page.getByRole('searchbox').fill('')
    await rowCount(page, names.length)
    await grid(page).focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await rowCount(page, names.length)
    await expectAccessible(page)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('restore 5')
    await page.keyboard.press('Enter')
    await expect(page.getByText('5 documents restored')).toBeVisible()
    await tab(page, /^All/).click()
    await rowCount(page, names.length)
    expect(vendor.received).toHaveLength(names.length)
    expect(complaints).toEqual([])
  })

  test(
    'what a service has stays in the list and says so; an open document goes to the bin and back',
    forNight,
    async ({ host, browser }) => {
      const page = await host.open(browser)
      const { folder } = await furnish(host, page)
      writeFileSync(join(folder, 'held.pdf'), pdfBytes('held'))
      await expect
        .poll(async () => (await callCore(page, 'app.state', {})).counts.submitting, { timeout: 30_000 })
        .toBe(1)
      await rowCount(page, names.length + 1)
      await grid(page).focus()
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Delete')
      await expect(
        page.getByText('1 document is with the service and stays in the list until its answer is here'),
      ).toBeVisible()
      await expect(page.getByText('5 documents moved to the bin')).toBeVisible()
      await rowCount(page, 1)
      await expect(row(page, 'held.pdf')).toBeVisible()
      letGo()
      await expect(row(page, 'held.pdf')).toContainText('Ready')

      await row(page, 'held.pdf').click()
      await page.getByRole('button', { name: 'Move to bin' }).click()
      await expect(page.getByText('1 document moved to the bin')).toBeVisible()
      await tab(page, /^Bin/).click()
      await rowCount(page, names.length + 1)
      await row(page, 'held.pdf').click()
      await expect(page.locator('.review__sub')).toContainText('In the bin')
      await page.getByRole('button', { name: 'Restore', exact: true }).click()
      await expect(page.getByText('1 document restored')).toBeVisible()
      await expect(page.locator('.review__sub')).not.toContainText('In the bin')
    },
  )
})

const headers = (page: Page): Promise<string[]> =>
  grid(page)
    .getByRole('columnheader')
    .filter({ has: page.getByRole('separator') })
    .allInnerTexts()
const edge = (page: Page, column: string): Locator => page.getByRole('separator', { name: `Width of “${column}”` })
const widthOf = async (page: Page, column: string): Promise<number> =>
  Number(await edge(page, column).getAttribute('aria-valuenow'))
const drawnWidth = (page: Page, column: string): Promise<number> =>
  page
    .getByRole('columnheader', { name: column, exact: false })
    .first()
    .evaluate((head) => Math.round(head.getBoundingClientRect().width))

test.describe('the columns', () => {
  test(
    'are chosen in a menu, by pointer and by keyboard, and are there again after a restart at another address',
    forNight,
    async ({ browser }) => {
      let host = await startHost()
      try {
        let page = await host.open(browser)
        await furnish(host, page)
        const usual = ['Document', 'Folder', 'State', 'Invoice number', 'Seller', 'Total amount', 'Received']
        await expect.poll(() => headers(page)).toEqual(usual)
        await page.getByRole('button', { name: 'Columns' }).click()
        const item = (name: string): Locator => page.getByRole('menuitemcheckbox', { name, exact: true })
        await expect(item('Document')).toBeDisabled()
        await expect(item('Document')).toBeChecked()
        await item('Folder').click()
        await expect(item('Folder')).not.toBeChecked()
        await expectAccessible(page)
        await item('Schema').focus()
        await page.keyboard.press('Space')
        await item('Size').click()
        await page.keyboard.press('Escape')
        // One value gives way, so that nothing has to be scrolled to.
        const chosen = ['Document', 'Schema', 'State', 'Invoice number', 'Total amount', 'Size', 'Received']
        await expect.poll(() => headers(page)).toEqual(chosen)
        await expect(row(page, names[0]!)).toContainText('2 kB')
        await page.getByRole('button', { name: 'Size', exact: true }).click()
        await expect(page.getByRole('columnheader', { name: 'Size' })).toHaveAttribute('aria-sort', 'ascending')
        await edge(page, 'Total amount').focus()
        const before = await widthOf(page, 'Total amount')
        await page.keyboard.press('ArrowRight')
        await page.keyboard.press('ArrowRight')
        await expect.poll(() => widthOf(page, 'Total amount')).toBe(before + 32)
        await expect
          .poll(async () => (await callCore(page, 'app.state', {})).settings.documentColumns.widths)
          .toEqual({ 'value.Total amount': before + 32 })
        await page.close()
        await host.stop({ keepHome: true })

        host = await startHost(host.home, 'short', { elsewhere: true })
        page = await host.open(browser)
        await expect(grid(page)).toHaveAttribute('aria-rowcount', String(names.length + 1))
        await expect.poll(() => headers(page)).toEqual(chosen)
        await expect.poll(() => widthOf(page, 'Total amount')).toBe(before + 32)
        await page.getByRole('button', { name: 'Columns' }).focus()
        await page.keyboard.press('Enter')
        await page.keyboard.press('ArrowUp')
        await expect(page.getByRole('menuitem', { name: 'Reset columns and widths' })).toBeFocused()
        await page.keyboard.press('Enter')
        await expect.poll(() => headers(page)).toEqual(usual)
        await expect
          .poll(async () => (await callCore(page, 'app.state', {})).settings.documentColumns)
          .toEqual({ shown: null, widths: {} })
        await page.close()
      } finally {
        await host.stop()
      }
    },
  )

  test(
    'say how long a document took and how many tokens, where that is wished',
    forNight,
    async ({ host, browser }) => {
      const page = await host.open(browser)
      await furnish(host, page)
      await page.getByRole('button', { name: 'Columns' }).click()
      for (const name of ['Duration', 'Tokens']) await page.getByRole('menuitemcheckbox', { name, exact: true }).click()
      await page.keyboard.press('Escape')
      const at = async (column: string): Promise<string> =>
        row(page, names[0]!)
          .getByRole('gridcell')
          .nth((await headers(page)).indexOf(column) + 1)
          .innerText()
      await expect.poll(() => at('Duration')).toBe('3.4 sec')
      await expect.poll(() => at('Tokens')).toBe('1,200')
      await page.close()
    },
  )

  test(
    'are as wide as their edge is dragged, moved by keys, or as what they show after a double click',
    forNight,
    async ({ host, browser }) => {
      const page = await host.open(browser)
      const complaints = complaintsOf(page)
      await furnish(host, page)
      const before = await drawnWidth(page, 'Folder')
      const box = (await edge(page, 'Folder').boundingBox())!
      await page.mouse.move(box.x + 4, box.y + 10)
      await page.mouse.down()
      await page.mouse.move(box.x + 104, box.y + 10, { steps: 5 })
      await page.mouse.up()
      await expect.poll(() => drawnWidth(page, 'Folder')).toBe(before + 100)
      await expect.poll(() => widthOf(page, 'Folder')).toBe(before + 100)
      // In the row as in the head.
      expect(
        await row(page, names[0]!)
          .getByText('Supplier invoices')
          .evaluate((cell) => Math.round(cell.getBoundingClientRect().width)),
      ).toBe(before + 100)

      await edge(page, 'Folder').dblclick()
      const fitting = await widthOf(page, 'Folder')
      expect(fitting).toBeLessThan(before + 100)
      expect(
        await row(page, names[0]!)
          .getByText('Supplier invoices')
          .evaluate((cell) => cell.scrollWidth - cell.clientWidth),
      ).toBe(0)
      await edge(page, 'Document').focus()
      await page.keyboard.press('Home')
      await expect.poll(() => widthOf(page, 'Document')).toBe(40)
      await page.keyboard.press('Enter')
      const name = row(page, names[4]!).locator('strong')
      await expect.poll(() => name.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBe(0)

      // Wider than the window: the list is scrolled sideways, the window is not.
      await edge(page, 'Document').focus()
      await page.keyboard.press('End')
      await expect.poll(() => grid(page).evaluate((list) => list.scrollWidth > list.clientWidth)).toBe(true)
      await expectFitting(page)
      // What a key does to an edge is not what it does to the list.
      await page.keyboard.press('Control+a')
      await expect(page.getByText('selected')).toHaveCount(0)
      await expectAccessible(page)
      expect(complaints).toEqual([])
    },
  )
})

test('another schema, the bin and the columns in every look', forNight, async ({ host, browser }) => {
  const first = await host.open(browser)
  await furnish(host, first)
  for (const look of looks) {
    const page = await host.open(browser, contextOf(look))
    await expect(grid(page)).toBeVisible()
    await expectFitting(page)
    await page.locator('.columns-button').click()
    await expect(page.getByRole('menu')).toBeVisible()
    await page.getByRole('menuitemcheckbox').nth(2).click()
    await page.getByRole('menuitemcheckbox').nth(5).click()
    await expectFitting(page)
    await expectAccessible(page)
    await picture(page, 'documents-columns', look)
    await page.getByRole('menuitem').last().click()
    await grid(page).focus()
    await page.keyboard.press('Space')
    await expect(page.locator('.document-actions .button').first()).toBeVisible()
    await expectFitting(page)
    await expectAccessible(page)
    await picture(page, 'documents-selected', look)
    await page.locator('.document-actions .button[aria-haspopup]').click()
    await page.getByRole('menuitem').nth(1).click()
    await expect(page.locator('.estimate strong')).toBeVisible()
    await expectFitting(page)
    await expectAccessible(page)
    await picture(page, 'documents-other-schema', look)
    await page.keyboard.press('Escape')
    await page.locator('.document-actions .icon-button').first().click()
    await expect(page.locator('.notice')).toBeVisible()
    await tab(page, /^(Bin|Papierkorb|Corbeille)/).click()
    await rowCount(page, 1)
    await grid(page).focus()
    await page.keyboard.press('Space')
    await expectFitting(page)
    await expectAccessible(page)
    await picture(page, 'documents-bin', look)
    await page.keyboard.press('Enter')
    await expect(page.locator('.review__title')).toBeVisible()
    await expectFitting(page)
    await picture(page, 'documents-bin-open', look)
    await page
      .locator('.page-head__actions .button')
      .filter({ hasText: /Restore|Wiederherstellen|Restaurer/ })
      .click()
    await expect(
      page.getByRole('button', { name: /^(Move to bin|In den Papierkorb|Mettre à la corbeille)$/ }),
    ).toBeVisible()
    await expectFitting(page)
    await picture(page, 'documents-open', look)
    await page.close()
  }
})
