import type { Page } from '@playwright/test'
import { forNight } from '../helpers/scale.ts'
import { callCore, expect } from './host.ts'
import type { Host } from './host.ts'
import { test } from './review-office.ts'

const fieldOf = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const isOpen = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
/** Opens the review with its first document, whose total needs a look. */
async function openReview(host: Host, page: Page): Promise<void> {
  await page.goto(`${host.url}#/review`)
  await expect(fieldOf(page, 'Total amount')).toBeFocused()
  await neighboursAreKnown(page)
}
/** Keys that lead to the document before and behind do nothing until then. */
const neighboursAreKnown = (page: Page) => expect(page.locator('.review__head .hint')).toBeVisible()
async function openDocument(host: Host, page: Page, search: string): Promise<number> {
  const { rows } = await callCore(page, 'documents.list', { search })
  const { id } = rows.find(({ name }) => name === `${search}.pdf`)!
  await page.goto(`${host.url}#/documents/${id}`)
  await isOpen(page, `${search}.pdf`)
  await neighboursAreKnown(page)
  return id
}

test('what was typed is kept by whatever leads away from it: the next document, the one before, a link, the way back', async ({
  host,
  browser,
}) => {
  const page = await host.open(browser, { locale: 'en-US' })
  await openReview(host, page)
  await page.keyboard.type('111.25')
  await page.keyboard.press('Alt+ArrowDown')
  await isOpen(page, 'd iban.pdf')
  await expect(fieldOf(page, 'IBAN')).toBeFocused()
  await page.keyboard.type('DE02')
  await page.keyboard.press('Alt+ArrowUp')
  await isOpen(page, 'b total.pdf')
  await expect(fieldOf(page, 'Total amount')).toHaveValue('111.25')
  const [second] = (await callCore(page, 'documents.list', { search: 'd iban' })).rows
  expect((await callCore(page, 'documents.get', { id: second!.id })).records[0]!['IBAN']).toBe('DE02')

  const id = await openDocument(host, page, 'c clean')
  await fieldOf(page, 'Seller').focus()
  await page.keyboard.type('Hartmann KG')
  await page.goBack()
  await isOpen(page, 'b total.pdf')
  await expect
    .poll(async () => (await callCore(page, 'documents.get', { id })).records[0]!['Seller'])
    .toBe('Hartmann KG')

  await openDocument(host, page, 'h row')
  await page.locator('[data-pointer="/0/Line items/1/Amount"]').click()
  await page.keyboard.type('592')
  await page.keyboard.press('Alt+ArrowDown')
  await isOpen(page, 'g two.pdf')
  await page.keyboard.press('Alt+ArrowUp')
  await expect(page.locator('[data-pointer="/0/Line items/1/Amount"]')).toHaveText('592.00')
})

test('Ctrl and Enter approve wherever the focus is, and press no button that has it', async ({ host, browser }) => {
  const page = await host.open(browser, { locale: 'en-US' })
  const id = await openDocument(host, page, 'h row')
  const rows = async () => (await callCore(page, 'documents.get', { id })).records[0]!['Line items']
  const before = await rows()
  await page.locator('[data-pointer="/0/Line items/1/Amount"]').click()
  await page.getByRole('button', { name: 'Add a row below' }).focus()
  await page.keyboard.press('Control+Enter')
  await expect.poll(async () => (await callCore(page, 'documents.get', { id })).check.state).toBe('approved')
  expect(await rows()).toEqual(before)
})

test('what cannot stand there keeps a person with it', forNight, async ({ host, browser }) => {
  const page = await host.open(browser, { locale: 'en-US' })
  await openReview(host, page)
  const total = fieldOf(page, 'Total amount')
  const stays = async (): Promise<void> => {
    await expect(page.getByRole('alert')).toHaveText('This is not a number. Type it as in 1,284.50.')
    await expect(total).toBeFocused()
    await expect(total).toHaveValue('lots')
    await isOpen(page, 'b total.pdf')
  }
  await page.keyboard.type('lots')
  await page.keyboard.press('Alt+ArrowDown')
  await stays()
  await page.keyboard.press('F8')
  await stays()
  await page.getByRole('link', { name: 'Folders' }).click()
  await stays()
  await page.goBack()
  await stays()
  await page.keyboard.press('Escape')
  // The way back still leads somewhere.
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Folders' })).toBeVisible()
  await page.goto(`${host.url}#/review`)
  await isOpen(page, 'b total.pdf')
  await page.keyboard.press('Alt+ArrowDown')
  await isOpen(page, 'd iban.pdf')

  const cell = page.locator('[data-pointer="/0/Line items/1/Amount"]')
  await openDocument(host, page, 'h row')
  await cell.click()
  await page.keyboard.type('lots')
  await page.keyboard.press('Alt+ArrowDown')
  await expect(page.locator('.items-grid__editor[aria-invalid]')).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(page.locator('.items-grid__editor[aria-invalid]')).toBeFocused()
  await isOpen(page, 'h row.pdf')
})

test('a reload keeps what was typed, and the browser asks first', { tag: '@browser' }, async ({ host, browser }) => {
  const page = await host.open(browser, { locale: 'en-US' })
  await openReview(host, page)
  let asked = ''
  page.on('dialog', (dialog) => {
    asked = dialog.type()
    void dialog.accept()
  })
  await page.keyboard.type('111.25')
  await page.reload()
  await expect(fieldOf(page, 'Total amount')).toHaveValue('111.25')
  expect(asked).toBe('beforeunload')
  asked = ''
  await page.reload()
  await expect(fieldOf(page, 'Total amount')).toBeFocused()
  expect(asked).toBe('')
})

test(
  'Enter and F8 go round all flags that are open, and to the approval only when none is',
  forNight,
  async ({ host, browser }) => {
    const page = await host.open(browser, { locale: 'en-US' })
    await openDocument(host, page, 'g two')
    const date = fieldOf(page, 'Invoice date')
    const iban = fieldOf(page, 'IBAN')
    await expect(page.getByRole('button', { name: 'Approve with 2 flags' })).toBeVisible()
    for (const [key, field] of [
      ['F8', date],
      ['F8', iban],
      ['F8', date],
      ['Shift+F8', iban],
      ['Shift+F8', date],
      ['F8', iban],
    ] as const) {
      await page.keyboard.press(key)
      await expect(field).toBeFocused()
    }
    await page.keyboard.press('Enter')
    await expect(date).toBeFocused()
    await expect(page.getByRole('button', { name: 'Approve with 1 flag' })).toBeVisible()
    await page.keyboard.press('F8')
    await expect(date).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeFocused()
  },
)

test(
  'a correction that does not settle its flag keeps the focus there, and one that raises a flag leads to it',
  forNight,
  async ({ host, browser }) => {
    const page = await host.open(browser, { locale: 'en-US' })
    await openReview(host, page)
    const total = fieldOf(page, 'Total amount')
    await page.keyboard.type('1300')
    await page.keyboard.press('Enter')
    await expect(page.locator('.field__flag')).toContainText('not 1,300.00')
    await expect(total).toBeFocused()
    // Typing replaces what is there.
    await page.keyboard.type('1284.61')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeFocused()

    await fieldOf(page, 'Tax amount').focus()
    await page.keyboard.type('205')
    await page.keyboard.press('Enter')
    await expect(total).toBeFocused()

    await openDocument(host, page, 'h row')
    const cell = page.locator('[data-pointer="/0/Line items/1/Amount"]')
    await page.keyboard.press('F8')
    await expect(cell).toBeFocused()
    await page.keyboard.type('600')
    await page.keyboard.press('Enter')
    await expect(page.locator('.field__flag')).toContainText('not 600.00')
    await expect(cell).toBeFocused()
    await page.keyboard.type('592')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeFocused()
  },
)

test('F8 leaves the focus where it is in a document that is approved', forNight, async ({ host, browser }) => {
  const page = await host.open(browser, { locale: 'en-US' })
  await openReview(host, page)
  const id = await openDocument(host, page, 'c clean')
  await callCore(page, 'review.approve', { ids: [id] })
  await expect(page.getByRole('button', { name: 'Take back' })).toBeVisible()
  await fieldOf(page, 'Seller').focus()
  await page.keyboard.press('F8')
  await expect(fieldOf(page, 'Seller')).toBeFocused()
})
