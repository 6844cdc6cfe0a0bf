import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { forNight } from '../helpers/scale.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { Vendor } from '../helpers/vendor.ts'
import { callCore, complaintsOf, connectTo, expect, test } from './host.ts'
import type { Host } from './host.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture, titleOf } from './pictures.ts'
import { elements, printed, right } from './review-office.ts'

/** The place of a text on the page that `printed` draws, by its x and its height above the lower edge (pt). */
const at = (x: number, y: number, width: number) => ({
  page: 1,
  box: { x: x / 595, y: (842 - y - 9) / 842, width: width / 595, height: 11 / 842 },
})
const values = { ...right('R-1'), IBAN: null, 'Total amount': 1284.61 }
const sources = [
  { pointer: '/0/Total amount', text: '1.284,61', ...at(480, 446, 42) },
  { pointer: '/0/Seller', text: 'Hartmann GmbH', ...at(60, 770, 130) },
  { pointer: '/0/Line items/1/Amount', text: '592.00', ...at(480, 566, 36) },
]
/** What the service doubts, literally. */
const doubts = [
  { pointer: '/0', code: 'other_kind', alternatives: [] },
  { pointer: '/0/Seller', code: 'unsure', alternatives: [{ value: 'Rechnung', text: 'Rechnung', ...at(60, 700, 90) }] },
  {
    pointer: '/0/Total amount',
    code: 'sources_differ',
    alternatives: [
      { value: 1248.61, text: '1248.61', from: 'e-invoice', ...at(480, 446, 42) },
      { value: 1079.5, text: '1.079,50', ...at(480, 490, 42) },
      { value: 205.11, text: '205,11', ...at(480, 468, 36) },
      { value: 7, text: '7', ...at(480, 468, 36) },
    ],
  },
  {
    pointer: '/0/IBAN',
    code: 'unsure',
    alternatives: [
      { value: 'DE89370400440532013000', text: 'DE89 3704 0044 0532 0130 00', ...at(60, 60, 90) },
      { value: 'DE02120300000000202051', text: 'DE02 1203 0000 0000 2020 51', ...at(60, 60, 90) },
    ],
  },
  {
    pointer: '/0/Line items/1/Amount',
    code: 'unsure',
    alternatives: [{ value: 529, text: '529,00', ...at(480, 566, 36) }],
  },
  { pointer: '/0/Line items', code: 'rows_missing', alternatives: [] },
]

let vendor: Vendor
test.beforeEach(async () => {
  vendor = await startVendor(({ filename }) => ({
    body: JSON.stringify({ status: 'success', data: [values], metadata: { filename, sources, doubts } }),
  }))
})
test.afterEach(() => vendor.close())

/** Opens the one document, which a service has read and doubts. */
async function openDoubted(host: Host, page: Page): Promise<number> {
  await callCore(page, 'settings.update', { firstRunDone: true })
  const connectionId = await connectTo(page, vendor)
  const { id: schemaId } = await callCore(page, 'schemas.save', { id: null, name: 'Supplier invoices', elements })
  const path = join(host.home, 'Invoices')
  mkdirSync(path)
  writeFileSync(join(path, 'doubted.pdf'), await printed(values, 'doubted.pdf'))
  await callCore(page, 'folders.add', { path, schemaId, connectionId })
  await expect
    .poll(async () => (await callCore(page, 'app.state', {})).counts, { timeout: 60_000 })
    .toMatchObject({ done: 1, flagged: 1 })
  const { rows } = await callCore(page, 'documents.list', {})
  await page.goto(`${host.url}#/review`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('doubted.pdf')
  await expect(page.locator('canvas[data-drawn="true"]').first()).toBeVisible()
  return rows[0]!.id
}
const storedOf = async (page: Page, id: number) => (await callCore(page, 'documents.get', { id })).records[0]!
const openFlags = async (page: Page, id: number) =>
  (await callCore(page, 'documents.get', { id })).check.flags.map(({ pointer }) => pointer)
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

test('one key takes one of the next best values, and the next flag is in hand', async ({ host, browser }) => {
  const page = await host.open(browser, { locale: 'en-US' })
  const complaints = complaintsOf(page)
  const id = await openDoubted(host, page)

  // What is about the whole document comes first, and one key says that it is right.
  await expect(page.getByRole('button', { name: 'Fine as it is' }).first()).toBeFocused()
  await expect(page.locator('.place-flags').first()).toContainText('This does not look like “Supplier invoices”.')
  await page.keyboard.press('Enter')

  await expect(field(page, 'Seller')).toBeFocused()
  await page.keyboard.press('Alt+1')
  await expect(field(page, 'Total amount')).toBeFocused()
  await expect(field(page, 'Seller')).toHaveValue('Rechnung')
  const total = page.locator('.field', { has: field(page, 'Total amount') })
  await expect(total.locator('.field__flag')).toHaveText(
    'The page says 1,284.61, the e-invoice in the file says 1,248.61.',
  )
  await expect(total.getByRole('group', { name: 'Other values that it may be' }).getByRole('button')).toHaveText([
    'Alt 11,248.61e-invoice',
    'Alt 21,079.50',
    'Alt 3205.11',
  ])
  // A key of a value that is not offered does nothing, and what was begun to be typed gives way.
  await page.keyboard.press('Alt+4')
  await page.keyboard.type('lots')
  await page.keyboard.press('Alt+1')
  await expect(field(page, 'IBAN')).toBeFocused()
  await expect(field(page, 'Total amount')).toHaveValue('1,248.61')

  // A value that was not found can have others.
  await page.keyboard.press('Alt+2')
  await expect(page.locator('[role="gridcell"]:focus')).toHaveAttribute('data-pointer', '/0/Line items/1/Amount')
  await expect
    .poll(() => storedOf(page, id))
    .toMatchObject({
      Seller: 'Rechnung',
      'Total amount': 1248.61,
      IBAN: 'DE02120300000000202051',
    })

  // In a table as well, where it can be undone.
  await page.keyboard.press('Alt+1')
  await expect(page.getByRole('button', { name: 'Fine as it is' })).toBeFocused()
  await expect(page.locator('[data-pointer="/0/Line items/1/Amount"]')).toHaveText('529.00')
  await page.locator('[data-pointer="/0/Line items/1/Amount"]').click()
  await page.keyboard.press('Control+z')
  await expect(page.locator('[data-pointer="/0/Line items/1/Amount"]')).toHaveText('592.00')
  await expect.poll(() => openFlags(page, id)).toContain('/0/Line items/1/Amount')

  // What was taken is a correction like a typed one: the way back leads to the doubt.
  await total.getByRole('button', { name: 'Take the service’s value' }).click()
  await expect(total.locator('.field__flag')).toHaveCount(1)
  expect(complaints).toEqual([])
})

test('a value that is pointed at is shown in its place, and a click takes it', forNight, async ({ host, browser }) => {
  const page = await host.open(browser, { locale: 'en-US' })
  const id = await openDoubted(host, page)
  const other = page.getByRole('button', { name: 'Rechnung', exact: true })
  const strong = page.locator('.mark[data-on]')
  await field(page, 'Total amount').focus()
  await expect(strong).toHaveAttribute('data-mark', '/0/Total amount')
  await other.hover()
  await expect(strong).toHaveAccessibleName('Seller: Rechnung')
  await page.mouse.move(0, 0)
  await expect(strong).toHaveAttribute('data-mark', '/0/Total amount')
  await other.focus()
  await expect(strong).toHaveAccessibleName('Seller: Rechnung')
  await other.click()
  await expect.poll(() => storedOf(page, id)).toMatchObject({ Seller: 'Rechnung' })
  await expect(other).toHaveCount(0)
  await expect(field(page, 'Total amount')).toBeFocused()
})

test('the keys of the other values are among the keys that are shown', forNight, async ({ host, browser }) => {
  const page = await host.open(browser, { locale: 'en-US' })
  await openDoubted(host, page)
  await page.getByRole('button', { name: 'Keys' }).click()
  await expect(page.locator('.keys__row', { hasText: 'Take another value that is offered' })).toContainText('Alt 1')
})

for (const look of looks)
  test(`doubts can be looked at: ${titleOf(look)}`, forNight, async ({ host, browser }) => {
    const page = await host.open(browser, contextOf(look))
    await openDoubted(host, page)
    await field(page, 'Total amount').focus()
    await expect(page.locator('.mark[data-on]')).toBeVisible()
    await expectAccessible(page)
    await expectFitting(page)
    await picture(page, 'review-doubts', look)
    await page.locator('[data-pointer="/0/Line items/1/Amount"]').click()
    await picture(page, 'review-doubts-table', look)
  })
