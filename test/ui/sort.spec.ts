import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { forNight } from '../helpers/scale.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { Vendor } from '../helpers/vendor.ts'
import { callCore, complaintsOf, connectTo, expect, openScreen, startHost, test } from './host.ts'
import type { Host } from './host.ts'
import { contextOf, expectAccessible, expectFitting, picture, plain, screenLooks, titleOf } from './pictures.ts'

const text = (name: string, description = '') => ({ name, format: 'text' as const, description })
const number = (name: string, description = '') => ({ name, format: 'number' as const, description })
const invoice = [
  text('Invoice number', 'Number of the invoice'),
  text('Invoice date', 'Date of the invoice'),
  number('Total', 'Total to pay including tax'),
]
const deliveryNote = [
  text('Delivery note number', 'Number of the delivery note'),
  text('Delivery date', 'Day of the delivery'),
  number('Packages', 'How many packages were delivered'),
]

type Sheet = { title: string; lines: string[]; foot?: string }

function invoiceSheet(number: string, page = 1, of = 1): Sheet {
  return page === 1
    ? {
        title: 'Invoice',
        lines: [
          `Invoice number: ${number}`,
          'Invoice date: 12 March 2026',
          'Bill to: Brightwater Ltd, 4 Quay Street, Bristol',
          'Description        Quantity     Unit price     Amount',
          'Oak board, planed        12        14.50        174.00',
          'Wood glue, 5 kg           3        22.00         66.00',
          ...(of === 1 ? ['Net 240.00', 'VAT 20 % 48.00', 'Total to pay 288.00', 'Please pay within 30 days.'] : []),
        ],
        foot: `Page ${page} of ${of}`,
      }
    : {
        title: '',
        lines: [
          `Invoice number: ${number} (continued)`,
          'Sanding discs            10         4.95         49.50',
          'Net 289.50',
          'VAT 20 % 57.90',
          'Total to pay 347.40',
          'Please pay within 30 days. IBAN GB33 BUKB 2020 1555 5555 55',
        ],
        foot: `Page ${page} of ${of}`,
      }
}

function deliverySheet(number: string): Sheet {
  return {
    title: 'Delivery note',
    lines: [
      `Delivery note number: ${number}`,
      'Delivery date: 10 March 2026',
      'Ship to: Brightwater Ltd, 4 Quay Street, Bristol',
      'Packages: 3',
      'Oak board, planed        12 pieces',
      'Wood glue, 5 kg           3 buckets',
      'Goods received in good order: ____________________',
    ],
    foot: 'Page 1 of 1',
  }
}

const memo: Sheet = { title: 'Memo', lines: ['The heating in the warehouse is serviced on Monday.', 'Bring a coat.'] }

async function printed(sheets: readonly Sheet[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const [font, bold] = [await pdf.embedFont(StandardFonts.Helvetica), await pdf.embedFont(StandardFonts.HelveticaBold)]
  for (const { title, lines, foot } of sheets) {
    const page = pdf.addPage([595, 842])
    page.drawText('Northfield Supplies Ltd', { x: 60, y: 780, size: 11, font: bold })
    page.drawText(title, { x: 60, y: 730, size: 22, font: bold })
    lines.forEach((line, index) => page.drawText(line, { x: 60, y: 690 - index * 26, size: 11, font }))
    if (foot !== undefined) page.drawText(foot, { x: 480, y: 40, size: 9, font })
  }
  return pdf.save()
}

type Made = { vendor: Vendor; folderId: number; invoiceId: number; deliveryId: number }

/** A folder with two schemas at a service that bills: a stack of three documents, and one that fits neither schema. */
async function furnish(host: Host, page: Page): Promise<Made> {
  const vendor = await startVendor(({ filename, params }) => ({
    body: JSON.stringify({
      status: 'success',
      data: JSON.stringify(params).includes('Packages')
        ? { 'Delivery note number': 'D-77', 'Delivery date': '2026-03-10', Packages: 3 }
        : { 'Invoice number': 'R-1', 'Invoice date': '2026-03-12', Total: 288 },
      metadata: { filename, tokens_consumed: 20 },
    }),
  }))
  await callCore(page, 'settings.update', { firstRunDone: true })
  const connectionId = await connectTo(page, vendor)
  const save = async (name: string, elements: SchemaElement[]) =>
    (await callCore(page, 'schemas.save', { id: null, name, elements })).id
  const invoiceId = await save('Invoice', invoice)
  const deliveryId = await save('Delivery note', deliveryNote)
  const path = join(host.home, 'Post')
  mkdirSync(path)
  const stack = [invoiceSheet('R-1', 1, 2), invoiceSheet('R-1', 2, 2), deliverySheet('D-77'), invoiceSheet('R-2')]
  writeFileSync(join(path, 'scan-0412.pdf'), await printed(stack))
  writeFileSync(join(path, 'memo.pdf'), await printed([memo]))
  const { id: folderId } = await callCore(page, 'folders.add', {
    path,
    schemaId: invoiceId,
    otherSchemaIds: [deliveryId],
    cuts: 'ask',
    connectionId,
  })
  await expect.poll(async () => (await callCore(page, 'sorting.list', {})).total, { timeout: 60_000 }).toBe(2)
  return { vendor, folderId, invoiceId, deliveryId }
}

const tile = (page: Page, number: number): Locator =>
  page.getByRole('button', { name: `Page ${number} begins a document`, exact: true })
const sortedParts = (page: Page): Promise<string[]> =>
  page.locator('.sort-tile__name').evaluateAll((names) => names.map(({ textContent }) => textContent!.trim()))

/** Has documents begin with these pages and no others, by keys alone, whatever is proposed. */
async function cutAt(page: Page, starts: readonly number[], pageCount: number): Promise<void> {
  await page.keyboard.press('Home')
  for (let number = 2; number <= pageCount; number += 1) {
    await page.keyboard.press('ArrowRight')
    const focused = page.locator(`.sort-page[data-page="${number}"]`)
    await expect(focused).toBeFocused()
    const isCut = (await focused.getAttribute('aria-pressed')) === 'true'
    if (isCut !== starts.includes(number)) await page.keyboard.press(number % 2 === 0 ? 'Enter' : ' ')
  }
}

test('a stack is cut by keys, a kind is said by a digit, and a schema is changed afterwards', async ({
  host,
  browser,
}) => {
  const page = await host.open(browser)
  const complaints = complaintsOf(page)
  const { vendor } = await furnish(host, page)
  const waiting = await callCore(page, 'sorting.list', {})
  const [stack, memoId] = ['scan-0412.pdf', 'memo.pdf'].map(
    (name) => waiting.documents.find((document) => document.name === name)!.id,
  )
  await openScreen(page, host, '#/documents')
  await expect(page.getByText('2 documents wait to be sorted')).toBeVisible()
  await test.step('what waits for its schema can be given any', async () => {
    const document = page.getByRole('row').filter({ hasText: 'memo.pdf' })
    await document.locator('.grid__check').click()
    await page.getByRole('button', { name: 'Schema', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Change schema…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change the schema of 1 document' })
    await dialog.getByRole('button', { name: /Schema$/ }).click()
    for (const name of ['Invoice', 'Delivery note'])
      await expect(page.getByRole('option', { name, exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await document.locator('.grid__check').click()
  })
  const entry = page.locator('.sidebar').getByRole('link', { name: /^Sort/ })
  await expect(entry.getByText('2 files to sort')).toHaveCount(1)
  await page.getByRole('link', { name: 'Sort', exact: true }).press('Enter')
  const files = page.getByRole('navigation', { name: 'Files that wait to be sorted' })
  await expect(files.locator('[aria-current]')).toHaveCount(1)

  await test.step('the stack is proposed as several documents, and a cut is moved by keys', async () => {
    await files.getByRole('link', { name: /scan-0412/ }).click()
    await expect(page).toHaveURL(new RegExp(`#/sort/${stack}$`))
    await expect(page.locator('.sort-page canvas[data-drawn]')).toHaveCount(4)
    await expect(page.locator('.sort-page:focus')).toHaveCount(1)
    await files.getByRole('link', { name: /scan-0412/ }).press('Enter')
    await expect(page.locator('.sort-page:focus')).toHaveCount(1)
    expect((await sortedParts(page)).length).toBeGreaterThan(1)
    await cutAt(page, [1, 2, 4], 4)
    expect(await sortedParts(page)).toEqual(['Part 1 · page 1', 'Part 2 · pages 2–3', 'Part 3 · page 4'])
    await tile(page, 2).focus()
    await page.keyboard.press('Alt+ArrowRight')
    await expect(tile(page, 3)).toBeFocused()
    expect(await sortedParts(page)).toEqual(['Part 1 · pages 1–2', 'Part 2 · page 3', 'Part 3 · page 4'])
    await page.keyboard.press('Alt+ArrowRight')
    expect(await sortedParts(page)).toEqual(['Part 1 · pages 1–2', 'Part 2 · page 3', 'Part 3 · page 4'])
  })

  await test.step('the gap between two pages joins and cuts by the mouse', async () => {
    await page.locator('.sort-gap[data-cut]').last().click()
    await expect(page.locator('.sort-tile__name')).toHaveCount(2)
    await expect(tile(page, 4)).toBeFocused()
    await page.locator('.sort-gap').last().click()
    await expect(page.locator('.sort-tile__name')).toHaveCount(3)
  })

  await test.step('what was said is kept while a person looks elsewhere', async () => {
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(/#\/documents$/)
    await page.goBack()
    await expect(page.locator('.sort-tile__name')).toHaveCount(3)
  })

  await test.step('digits choose schemas, and confirming says what it comes to', async () => {
    await tile(page, 1).press('1')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('2')
    await page.keyboard.press('End')
    await page.keyboard.press('1')
    await expect(page.getByRole('group', { name: 'Part 2 · page 3' })).toContainText('Delivery note')
    await expect(page.getByRole('status').getByText('3 documents go to the service.')).toBeVisible()
    await expectAccessible(page)
    expect(vendor.received).toHaveLength(0)
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('3 documents are being read.')).toBeVisible()
  })

  await test.step('the next file is a kind that nobody is sure of', async () => {
    await expect(page).toHaveURL(new RegExp(`#/sort/${memoId}$`))
    await expect(page.getByText('Choose the schema that fits.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Confirm' })).toBeDisabled()
    await expectAccessible(page)
    await page.keyboard.press('0')
    await expect(page.getByRole('status').getByText('This is not a document; nothing is read.')).toBeVisible()
    await page.keyboard.press('1')
    await expect(page.getByRole('button', { name: 'Invoice Schema' })).toBeVisible()
    await page.getByRole('button', { name: 'Confirm' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Nothing to sort' })).toBeVisible()
  })

  const row = (name: string): Locator => page.getByRole('row').filter({ hasText: name })
  await test.step('the documents have their pages in their names, and their file says that it is cut', async () => {
    await page.getByRole('link', { name: 'To the documents' }).press('Enter')
    await expect(page.getByText('wait to be sorted')).toHaveCount(0)
    await expect(entry).toHaveCount(0)
    await expect(row('scan-0412.pdf, pages 1–2')).toContainText('Ready')
    await expect(row('scan-0412.pdf, page 3')).toContainText('Ready')
    await expect(row('scan-0412.pdf, page 4')).toContainText('Ready')
    await expect(row('The file holds 3 documents')).toContainText('Cut')
    expect(vendor.received).toHaveLength(4)
    await row('scan-0412.pdf, page 3').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('scan-0412.pdf, page 3')
    await page.keyboard.press('Escape')
    await row('The file holds 3 documents').click()
    await expect(page.locator('.reason__parts a')).toHaveText(['pages 1–2', 'page 3', 'page 4'])
    await picture(page, 'cut', plain)
    await page.locator('.reason__parts').getByRole('link', { name: 'page 3' }).press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('scan-0412.pdf, page 3')
    await page.keyboard.press('Escape')
  })

  await test.step('a schema is changed, and back: nothing is sent twice', async () => {
    const change = async (name: string, own: string, schema: string): Promise<void> => {
      await row(name).locator('.grid__check').click()
      await page.getByRole('button', { name: 'Schema', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Change schema…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Change the schema of 1 document' })
      await expect(dialog.locator('.estimate strong')).toBeVisible()
      const [notices, actions] = await Promise.all(
        [page.locator('.notices'), dialog.locator('.dialog__actions')].map((one) => one.boundingBox()),
      )
      expect(notices!.y + notices!.height).toBeLessThan(actions!.y)
      await dialog.getByRole('button', { name: /Schema$/ }).click()
      await expect(page.getByRole('option', { name: own, exact: true })).toHaveCount(0)
      await page.getByRole('option', { name: schema }).click()
      await dialog.getByRole('button', { name: 'Change schema' }).click()
    }
    await change('page 4', 'Invoice', 'Delivery note')
    await expect(page.getByText('1 document is being read.', { exact: true })).toBeVisible()
    await expect(row('page 4')).toContainText('D-77')
    expect(vendor.received).toHaveLength(5)
    await change('page 4', 'Delivery note', 'Invoice')
    await expect(page.getByText('1 document was read so before and has its values already.')).toBeVisible()
    await expect(row('page 4')).toContainText('R-1')
    expect(vendor.received).toHaveLength(5)
  })

  await test.step('where it is looked at, the document that has the schema now is shown', async () => {
    await row('page 4').click()
    const change = async (schema: string): Promise<void> => {
      await page.getByRole('button', { name: 'Change schema…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Change the schema of 1 document' })
      await dialog.getByRole('button', { name: /Schema$/ }).click()
      await page.getByRole('option', { name: schema }).click()
      await dialog.getByRole('button', { name: 'Change schema' }).click()
      await expect(dialog).toHaveCount(0)
      await expect(page.locator('.review__sub')).toContainText(schema)
      await expect(page.getByRole('button', { name: 'Restore' })).toHaveCount(0)
    }
    await change('Delivery note')
    await expect(page.getByText('D-77').first()).toBeVisible()
    await change('Invoice')
    await page.keyboard.press('Escape')
    await expect(row('page 4')).toContainText('R-1')
    expect(vendor.received).toHaveLength(5)
  })

  await test.step('a part opens its file as it is cut', async () => {
    await row('page 4').locator('.grid__check').click()
    await page.getByRole('button', { name: 'Schema', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Sort…' }).click()
    await expect(page.locator('.sort-tile__name')).toHaveCount(3)
    await expect(page.getByRole('status').getByText('Nothing changes.')).toBeVisible()
  })
  await test.step('the folder says what it does, and that can be changed as long as no agent is named', async () => {
    await page.getByRole('link', { name: /^Folders/ }).click()
    const card = page.getByRole('listitem', { name: 'Post' })
    await expect(card).toContainText('also Delivery note')
    await expect(card).toContainText('Asks where a file holds several')
    await card.getByRole('button', { name: 'More for “Post”' }).click()
    await page.getByRole('menuitem', { name: 'Change…' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('checkbox', { name: 'Delivery note' })).toBeChecked()
    await dialog.getByRole('checkbox', { name: 'Delivery note' }).press(' ')
    await dialog.getByRole('button', { name: /Files that hold several documents$/ }).click()
    await page.getByRole('option', { name: 'Cut them where Sheaf is sure' }).click()
    await dialog.getByRole('textbox', { name: 'Agent reference' }).fill('agent')
    await expect(dialog.getByRole('button', { name: /^Several kinds of documents/ })).toHaveCount(0)
    await dialog.getByRole('textbox', { name: 'Agent reference' }).fill('')
    await expect(dialog.getByRole('button', { name: /^Several kinds of documents/ })).toBeVisible()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(card).toContainText('Cuts files that hold several')
    await expect(card).not.toContainText('also Delivery note')
  })
  expect(complaints).toEqual([])
  await vendor.close()
})

test.describe('sorting in every look', () => {
  let host: Host
  let made: Made
  test.beforeAll(async ({ browser }) => {
    host = await startHost()
    const page = await host.open(browser)
    made = await furnish(host, page)
    const long = Array.from({ length: 4 }, (_, index) => [
      invoiceSheet(`R-${index}`, 1, 2),
      invoiceSheet(`R-${index}`, 2, 2),
      deliverySheet(`D-${index}`),
    ])
    writeFileSync(join(host.home, 'Post', 'Eingangspost Lieferanten 2026-03-12.pdf'), await printed(long.flat()))
    await callCore(page, 'schemas.save', { id: null, name: 'Eingangsrechnungen Handwerker', elements: invoice })
    await expect.poll(async () => (await callCore(page, 'sorting.list', {})).total, { timeout: 60_000 }).toBe(3)
    await page.close()
  })
  test.afterAll(async () => {
    await host.stop()
    await made.vendor.close()
  })

  for (const look of screenLooks)
    test(`sorting (${titleOf(look)}) fits and is accessible`, forNight, async ({ browser }) => {
      const page = await host.open(browser, contextOf(look))
      const show = async (name: string): Promise<void> => {
        await expectFitting(page)
        await expectAccessible(page)
        await picture(page, `sort-${name}`, look)
      }
      const idOf = async (name: string): Promise<number> =>
        (await callCore(page, 'sorting.list', {})).documents.find((document) => document.name === name)!.id
      await openScreen(page, host, '#/documents')
      await expect(page.locator('.list-line')).toBeVisible()
      await show('line')

      await page.getByRole('row').last().click()
      await page.locator('.document-actions .button[aria-haspopup]').click()
      await expect(page.getByRole('menuitem')).toHaveCount(3)
      await show('schema-menu')
      await page.getByRole('menuitem').first().click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expect(page.getByRole('menu')).toHaveCount(0)
      await show('change')

      await openScreen(page, host, `#/sort/${await idOf('scan-0412.pdf')}`)
      await expect(page.locator('.sort-page canvas[data-drawn]').first()).toBeVisible()
      await cutAt(page, [1, 3, 4], 4)
      for (const [key, digit] of [
        ['ArrowLeft', '2'],
        ['ArrowLeft', '1'],
      ] as const) {
        await page.keyboard.press(key)
        await page.keyboard.press(digit)
      }
      await show('stack')

      await openScreen(page, host, `#/sort/${await idOf('Eingangspost Lieferanten 2026-03-12.pdf')}`)
      await expect(page.locator('.sort-page canvas[data-drawn]').first()).toBeVisible()
      await cutAt(page, [1, 3, 4, 6, 7, 8, 12], 12)
      for (const digit of ['1', '2', '1', '3', '2', '1']) {
        await page.keyboard.press('ArrowLeft')
        await page.keyboard.press(digit)
      }
      await show('long')
      await page.locator('.sort-tile__part .select__button').nth(1).click()
      await expect(page.getByRole('listbox')).toBeVisible()
      await picture(page, 'sort-choice', look)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('listbox')).toHaveCount(0)
      await page.locator('.page-head .icon-button').click()
      await expect(page.getByRole('dialog').getByText('0', { exact: true })).toBeVisible()
      await show('keys')

      await openScreen(page, host, `#/sort/${await idOf('memo.pdf')}`)
      await expect(page.locator('.paper canvas[data-drawn]')).toBeVisible()
      await show('kind')

      await openScreen(page, host, `#/documents/${await idOf('memo.pdf')}`)
      await expect(page.locator('.reason .button').first()).toBeVisible()
      // Nobody has said yet that it is one.
      await expect(page.locator('.review__sub')).not.toContainText('Invoice')
      await show('reason')

      await openScreen(page, host, '#/folders')
      await expect(page.locator('.folder-card')).toBeVisible()
      await show('folder-card')
      await page.locator('.folder-card .card__head .icon-button').click()
      await page.getByRole('menuitem').first().click()
      await page.locator('.kinds').scrollIntoViewIfNeeded()
      await expect(page.locator('.kinds .select')).toBeVisible()
      await show('folder-form')
    })
})
