import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from '@playwright/test'
import { forNight } from '../helpers/scale.ts'
import { callCore, complaintsOf, expect, openScreen, startHost, test } from './host.ts'
import type { Host } from './host.ts'
import { furnish, officeFiles, startForgetfulPlatform } from './office.ts'
import type { ForgetfulPlatform } from './office.ts'

const total = officeFiles.good.length + 5
let host: Host
let platform: ForgetfulPlatform
let page: Page
let complaints: string[]

test.beforeAll(async ({ browser }) => {
  platform = await startForgetfulPlatform()
  host = await startHost(undefined, 'words')
  page = await host.open(browser)
  complaints = complaintsOf(page)
  await furnish(host, page, platform)
})
test.afterAll(async () => {
  await page.close()
  await host.stop()
  platform.stop()
  // Nothing of all this made the browser complain, least of all the content security policy.
  expect(complaints).toEqual([])
})
test.beforeEach(async () => {
  await openScreen(page, host, '')
  await expect(grid()).toHaveAttribute('aria-rowcount', String(total + 1))
})

const grid = (): Locator => page.getByRole('grid')
const row = (name: string): Locator =>
  grid()
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) })
const tab = (name: string): Locator => page.getByRole('tab', { name })
const rowCount = (count: number): Promise<void> => expect(grid()).toHaveAttribute('aria-rowcount', String(count + 1))

test('every file is in exactly one state, with the reason where there is one', async () => {
  // Whether a value of it needs a look is for the judge to say.
  await expect(row('INV-20418.pdf')).toContainText(/Ready|to check/)
  await expect(row(officeFiles.duplicate)).toContainText('Already seen')
  await expect(row(officeFiles.duplicate)).toContainText(
    'Has the same content as “INV-20418.pdf” and shares its result',
  )
  await expect(row(officeFiles.damaged)).toContainText('Failed')
  await expect(row(officeFiles.damaged)).toContainText('The file is damaged or incomplete')
  await expect(row(officeFiles.empty)).toContainText('Skipped')
  await expect(row(officeFiles.empty)).toContainText('The file is empty')
  await expect(row(officeFiles.unsupported)).toContainText('Save it as PDF, PNG, JPG, DOCX or XLSX')
  await expect(row(officeFiles.lost)).toContainText('Outcome unclear')
  await expect(row(officeFiles.lost)).toContainText('may already be billed')
})

test('a plain invoice that this computer read is ready, without a flag', async () => {
  await expect(row('INV-20418.pdf')).toContainText('Ready')
})

test('the tabs count the documents by state and show only theirs', async () => {
  await expect(tab('All')).toContainText(String(total))
  const { flagged, ready } = (await callCore(page, 'app.state', {})).counts
  expect(flagged + ready).toBe(officeFiles.good.length)
  await expect(tab('To check')).toContainText(String(flagged))
  await expect(tab('Ready')).toContainText(String(ready))
  await tab('Failed').click()
  await rowCount(1)
  await expect(row(officeFiles.damaged)).toBeVisible()
  await tab('Outcome unclear').click()
  await rowCount(1)
  await expect(row(officeFiles.lost)).toBeVisible()
  await tab('Waiting').click()
  await expect(page.getByText('No document is in this state at the moment.')).toBeVisible()
})

test('the number beside Documents is always that of all documents, and says so; a sign beside it says how many need a look', async () => {
  const entry = page.getByRole('navigation').locator('.nav-link[href="#/documents"]')
  await expect(entry.locator('.nav-link__count')).toHaveText(`${total}${total} documents`)
  await expect(entry).toHaveAccessibleName(new RegExp(`^Documents .*need a look.* ${total} documents$`))
})

test('the search finds names and values, and says so when it finds nothing', forNight, async () => {
  await page.keyboard.press('Control+f')
  await page.keyboard.type('kestrel')
  await rowCount(1)
  await expect(row('Invoice 1058 Kestrel Landscaping.xlsx').locator('mark')).toHaveText('Kestrel')
  const search = page.getByRole('searchbox')
  await search.fill('CN-1022')
  await rowCount(1)
  await search.fill('tulip bulbs')
  await rowCount(1)
  await expect(grid().locator('.grid__reason mark').first()).toHaveText(/tulip/i)
  // As people write it, not as it is kept.
  await search.fill('2026-11-03')
  await expect(row('INV-20418.pdf').locator('.grid__reason')).toHaveText('Invoice date: 11/03/2026')
  // A word of the document that is none of its values, once it was read for that, after all scans that are newer.
  await expect
    .poll(async () => (await callCore(page, 'documents.list', { search: 'tannery' })).total, { timeout: 120_000 })
    .toBe(1)
  await search.fill('tannery')
  await rowCount(1)
  await expect(row('INV-20418.pdf').locator('.grid__reason mark')).toHaveText(/tannery/i)
  await tab('Failed').click()
  await expect(page.getByText('No document in this state, but 1 in another one.')).toBeVisible()
  await page.getByRole('button', { name: 'Search in every state' }).click()
  await rowCount(1)
  await search.fill('nothing has this')
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
  await page.getByRole('button', { name: 'Show all documents' }).click()
  await rowCount(total)
  await expect(search).toHaveValue('')
})

test('the folder filter shows the documents of one folder', async () => {
  await page.getByRole('button', { name: /Folder$/ }).click()
  await page.getByRole('option', { name: /Head office/ }).click()
  await rowCount(1)
  await expect(row(officeFiles.lost)).toBeVisible()
})

test('rows are selected by their boxes, Ctrl, Shift, Space and all at once', async () => {
  const selected = grid().getByRole('row', { selected: true })
  const names = grid()
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') })
  // Hidden, not only without a colour: high contrast gives everything one.
  const tick = names.nth(0).locator('.check-mark .icon')
  await expect(tick).toBeHidden()
  await names.nth(0).locator('.grid__check').click()
  await expect(selected).toHaveCount(1)
  await expect(tick).toBeVisible()
  await names.nth(2).click({ modifiers: ['Control'] })
  await expect(selected).toHaveCount(2)
  await names.nth(5).click({ modifiers: ['Shift'] })
  await expect(selected).toHaveCount(4)
  await grid().press('ArrowDown')
  await grid().press('Space')
  await expect(selected).toHaveCount(5)
  await grid().press('Control+a')
  await expect(page.getByText(`${total} selected`)).toBeVisible()
  await grid().press('Escape')
  await expect(selected).toHaveCount(0)
  await page.getByRole('button', { name: 'Select all documents' }).click()
  await expect(page.getByText(`${total} selected`)).toBeVisible()
})

test('a failed document is tried again, and its second attempt is on record', async () => {
  await row(officeFiles.damaged).locator('.grid__check').click()
  await page.getByRole('button', { name: 'Retry 1' }).click()
  await expect(page.getByText('1 document is tried again')).toBeVisible()
  await expect(row(officeFiles.damaged)).toContainText('Failed')
  await row(officeFiles.damaged).click()
  await expect(page.getByText('2 attempts')).toBeVisible()
  // It is read on this computer, so nothing was sent and no service said anything.
  await expect(page.locator('.attempts li').first()).toContainText(/Read on this computer.*could not be read$/)
  expect(await page.locator('.attempts').textContent()).not.toMatch(/sent|service/i)
  await expect(page.getByRole('alert')).toContainText('The file is damaged or incomplete')
})

test('a document of unclear outcome is sent again only after a yes', async () => {
  expect(platform.bodies()).toBe(1)
  await row(officeFiles.lost).locator('.grid__check').click()
  await page.getByRole('button', { name: 'Send 1 again (may be billed twice)…' }).click()
  const question = page.getByRole('alertdialog', { name: 'Send this document again?' })
  await expect(question).toContainText('may be billed twice')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await expect(row(officeFiles.lost)).toContainText('Outcome unclear')
  expect(platform.bodies()).toBe(1)
  await page.getByRole('button', { name: 'Send 1 again (may be billed twice)…' }).click()
  await question.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => platform.bodies()).toBe(2)
  await expect(row(officeFiles.lost)).toContainText('Outcome unclear')
})

test('documents are narrowed to a day, and several are approved at once, with a way back', async () => {
  const grid = page.getByRole('grid')
  const rows = Number(await grid.getAttribute('aria-rowcount')) - 1
  const received = page.getByRole('button', { name: /. Received$/ })
  await received.click()
  await page.getByRole('option', { name: 'Yesterday' }).click()
  await expect(page.getByText('Nothing found')).toBeVisible()
  await page.getByRole('button', { name: 'Show all documents' }).click()
  await received.click()
  await page.getByRole('option', { name: 'Today' }).click()
  await expect(grid).toHaveAttribute('aria-rowcount', String(rows + 1))

  await grid.focus()
  await page.keyboard.press('Control+a')
  const approved = async (): Promise<number> => (await callCore(page, 'app.state', {})).counts.approved ?? 0
  const before = await approved()
  // It says before how many of them nobody has looked at.
  const some = page.getByRole('button', { name: /^Approve \d+, [1-9]\d* with flags$/ })
  const count = Number(/\d+/.exec(await some.innerText())?.[0])
  expect(count).toBeGreaterThan(1)
  await some.click()
  await expect.poll(approved).toBe(before + count)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(approved).toBe(before)
})

test('a value shows its place in the document, and a place its value', async () => {
  await row('INV-20418.pdf').click()
  await expect(page.locator('canvas[data-drawn="true"]').first()).toBeVisible()
  await expect(page.getByText('Page 1 of 1')).toBeVisible()
  const value = page.getByRole('region', { name: 'Values' }).getByRole('textbox', { name: 'Invoice number' })
  await value.focus()
  const mark = page.locator('.mark[data-on]')
  await expect(mark).toHaveCount(1)
  await expect(mark).toHaveAttribute('aria-label', /INV-20418/)
  const date = page.locator('.mark[data-mark$="/Invoice date"]')
  await date.click()
  await expect(page.locator('.value[data-pointer$="/Invoice date"]')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(page.locator('.value[data-pointer$="/Invoice number"]')).toBeFocused()
  // The tools have a place of their own, whatever the page is scrolled to.
  const tools = (await page.getByRole('group', { name: 'View of the document' }).boundingBox())!
  const view = (await page.getByRole('region', { name: 'Document', exact: true }).boundingBox())!
  expect(tools.y + tools.height).toBeLessThanOrEqual(view.y)
})

test('every kind of document is shown: picture, text document and sheet', async () => {
  await row('IMG_2231.JPG').click()
  await expect(page.locator('.paper img')).toHaveJSProperty('complete', true)
  await expect(page.locator('.mark').first()).toBeVisible()
  await page.getByRole('link', { name: 'Back to the documents' }).click()
  await row('Credit Note CN-1022.docx').click()
  await expect(page.locator('.paper svg text').filter({ hasText: 'CN-1022' })).toBeVisible()
  await page.keyboard.press('Escape')
  await row('Invoice 1058 Kestrel Landscaping.xlsx').click()
  await expect(page.locator('.workbook td').filter({ hasText: 'Tulip bulbs' })).toBeVisible()
})

test('the keys go to the next document and back to the list', async () => {
  await grid().focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main').getByText(`1 of ${total}`, { exact: true })).toBeVisible()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(page.getByRole('main').getByText(`2 of ${total}`, { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(grid()).toBeVisible()
})

test('a file that is dropped on the window is read like any other', async () => {
  const name = 'R2609-118.PDF'
  const bytes = readFileSync(fileURLToPath(new URL(`../fixtures/samples/${name}`, import.meta.url))).toString('base64')
  const data = await page.evaluateHandle(
    ([fileName, content]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(atob(content), (character) => character.charCodeAt(0))], fileName))
      return transfer
    },
    [name, bytes] as const,
  )
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: data })
  await expect(page.getByText('Drop to extract')).toBeVisible()
  await page.dispatchEvent('body', 'drop', { dataTransfer: data })
  await expect(page.getByText('Drop to extract')).toBeHidden()
  await page.getByRole('dialog', { name: 'Add 1 document' }).getByRole('button', { name: 'Extract' }).click()
  await expect(page.getByText('1 document added')).toBeVisible()
  await rowCount(total + 1)
  await expect(row(name)).toContainText(/Ready|to check/, { timeout: 60_000 })
})
