import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { FolderRow } from '../../shared/contract/folders.ts'
import { pdfBytes } from '../helpers/core.ts'
import { forNight } from '../helpers/scale.ts'
import { startVendor, vendorCredentials } from '../helpers/vendor.ts'
import type { Vendor } from '../helpers/vendor.ts'
import { callCore, complaintsOf, expect, openScreen, startHost, test } from './host.ts'
import type { Host } from './host.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture } from './pictures.ts'

let host: Host
let page: Page
let vendor: Vendor
let complaints: string[]
let invoices: string

test.beforeAll(async ({ browser }) => {
  vendor = await startVendor()
  host = await startHost()
  page = await host.open(browser)
  complaints = complaintsOf(page)
  await callCore(page, 'settings.update', { firstRunDone: true })
  await callCore(page, 'schemas.save', {
    id: null,
    name: 'Invoice',
    elements: [{ name: 'invoice_number', format: 'text', description: 'Number' }],
  })
  await callCore(page, 'connections.save', {
    id: null,
    name: 'Head office',
    baseUrl: vendor.baseUrl,
    ...vendorCredentials,
  })
  invoices = join(host.home, 'Supplier invoices')
  mkdirSync(join(invoices, 'November'), { recursive: true })
  for (const name of ['Invoice 1.pdf', 'Invoice 2.pdf', 'November/invoice 3.pdf', 'Invoice 4 draft.pdf'])
    writeFileSync(join(invoices, name), pdfBytes(name))
  writeFileSync(join(invoices, 'Invoice 1 (copy).pdf'), pdfBytes('Invoice 1.pdf'))
  writeFileSync(join(invoices, 'notes.txt'), 'call the printer')
})
test.afterAll(async () => {
  await page.close()
  await host.stop()
  await vendor.close()
})
test.afterEach(() => {
  expect(complaints.splice(0)).toEqual([])
})

const go = (hash: string): Promise<void> => openScreen(page, host, hash)
const card = (name: string): Locator => page.getByRole('listitem', { name })
const choose = async (where: Locator, label: string, option: string): Promise<void> => {
  await where.getByRole('button', { name: label }).click()
  await page.getByRole('option', { name: option }).click()
}

test('without a folder the screen says in one sentence what one is for', async () => {
  await go('#/folders')
  await expect(
    page.getByText('Add a folder: every document that is in it or arrives there is read by itself.'),
  ).toBeVisible()
  await expectAccessible(page)
})

test('a folder is looked into before it is added, and says which files would be passed over and why', async () => {
  await page.locator('.page-head').getByRole('button', { name: 'Add folder' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Look first' })).toBeDisabled()
  await dialog.getByLabel('Folder', { exact: true }).fill(invoices)
  await choose(dialog, 'Connection', 'Head office')
  await dialog.getByRole('button', { name: 'Look first' }).click()
  await expect(dialog.getByText('4 documents, 8 KB, would go to Head office.')).toBeVisible()
  await expect(dialog.getByText('No estimate of the tokens yet', { exact: false })).toBeVisible()
  await expect(dialog.getByText('2 files are passed over:')).toBeVisible()
  const copies = dialog.getByRole('button', { name: 'Same content as another file or document 1' })
  await copies.click()
  await expect(dialog.getByText('Invoice 1.pdf', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'A type that is not read 1' }).click()
  await expect(dialog.getByText('notes.txt')).toBeVisible()
  await expectAccessible(page)
  expect(vendor.received).toEqual([])
  expect(vendor.tokensIssued()).toBe(0)
})

test('patterns change what it says, and what was seen without them counts no more', async () => {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Only these names').fill('invoice*.pdf')
  await dialog.getByLabel('Not these names').fill('*draft*; *(copy)*')
  await expect(dialog.getByText('2 files are passed over:')).toBeHidden()
  await dialog.getByRole('button', { name: 'Look first' }).click()
  await expect(dialog.getByText('3 documents, 6 KB, would go to Head office.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Do not match the names 3' }).click()
  for (const name of ['Invoice 4 draft.pdf', 'Invoice 1 (copy).pdf', 'notes.txt'])
    await expect(dialog.getByText(name, { exact: true })).toBeVisible()
  await dialog.getByText('Only new files from now on').click()
  await expect(dialog.getByText('3 documents, 6 KB, are there and stay unread.')).toBeVisible()
  await dialog.getByText('Take in what is there').click()
  await dialog.getByRole('button', { name: 'Watch folder' }).click()
  await expect(dialog).toBeHidden()
  await expect.poll(() => vendor.received.length).toBe(3)
})

test('its card says how it is read, what came of today, and leads to the documents', async () => {
  const shown = card('Supplier invoices')
  await expect(shown).toContainText('Only invoice*.pdf')
  await expect(shown).toContainText('Without *draft*; *(copy)*')
  await expect(shown).toContainText('3 files do not match')
  await expect(shown).toContainText('Head office')
  await expect(shown).toContainText('Watching')
  await expect(shown.getByRole('link', { name: 'None: set one up' })).toHaveAttribute('href', '#/exports')
  await expect(shown.getByRole('link', { name: '3 Ready' })).toBeVisible()
  await expect(shown.getByRole('link', { name: /^invoice \d\.pdf$/i })).toBeVisible()
  await expectAccessible(page)
  await shown.getByRole('link', { name: '3 Ready' }).click()
  await expect(page.getByRole('tab', { name: /^Ready/ })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('grid').getByText('Invoice 2.pdf')).toBeVisible()
})

test('a look into a watched folder tells what is known already', async () => {
  writeFileSync(join(invoices, 'Invoice 1 again.pdf'), pdfBytes('Invoice 1.pdf'))
  await go('#/folders')
  await expect(card('Supplier invoices').getByRole('link', { name: '1 Skipped' })).toBeVisible()
  await card('Supplier invoices').getByRole('button', { name: 'What is there?' }).click()
  const dialog = page.getByRole('dialog', { name: 'What lies in “Supplier invoices”' })
  await expect(dialog.getByText('No file there would be sent.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Already in Documents 4' }).click()
  await expect(dialog.getByText('Invoice 1 again.pdf')).toBeVisible()
  await expectAccessible(page)
  await dialog.locator('footer').getByRole('button', { name: 'Close' }).click()
})

test('a paused folder says that its documents wait, also in their list, and goes on when it is resumed', async () => {
  await callCore(page, 'queue.pause', {})
  writeFileSync(join(invoices, 'Invoice 5.pdf'), pdfBytes('5'))
  const shown = card('Supplier invoices')
  await expect(shown.getByRole('link', { name: '1 Waiting' })).toBeVisible()
  await shown.getByRole('button', { name: 'Pause' }).click()
  await expect(shown.getByText('1 document waits until you resume the folder. Nothing new is taken in.')).toBeVisible()
  await expect(shown).toContainText('Paused')
  await callCore(page, 'queue.resume', {})
  writeFileSync(join(invoices, 'Invoice 6.pdf'), pdfBytes('6'))
  await shown.getByRole('link', { name: '1 Waiting' }).click()
  await expect(
    page.getByText('Its folder is paused. The document is sent once you resume the folder (Folders).').first(),
  ).toBeVisible()
  expect(vendor.received).toHaveLength(3)
  await go('#/folders')
  await expectAccessible(page)
  await shown.getByRole('button', { name: 'Resume' }).click()
  await expect.poll(() => vendor.received.length).toBe(5)
  await expect(shown.getByText('Watching')).toBeVisible()
})

test('a folder that cannot be reached says so with what to do, and goes on by itself', async () => {
  const away = `${invoices} away`
  const shown = card('Supplier invoices')
  renameSync(invoices, away)
  await expect(shown.getByText(/^The folder is not there\. Connect its drive or share/)).toBeVisible()
  await expect(shown).toContainText('Offline')
  await expectAccessible(page)
  renameSync(away, invoices)
  await expect(shown.getByText('Watching')).toBeVisible()
})

test('only new files are read when a person says so, and the others after all later', async () => {
  const letters = join(host.home, 'Letters')
  mkdirSync(letters)
  writeFileSync(join(letters, 'old.pdf'), pdfBytes('old'))
  await page.locator('.page-head').getByRole('button', { name: 'Add folder' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Folder', { exact: true }).fill(letters)
  await choose(dialog, 'Connection', 'Head office')
  await dialog.getByText('Only new files from now on').click()
  await dialog.getByRole('button', { name: 'Watch folder' }).click()
  await expect(dialog).toBeHidden()
  writeFileSync(join(letters, 'new.pdf'), pdfBytes('new'))
  const shown = card('Letters')
  await expect(shown.getByRole('link', { name: '1 Ready' })).toBeVisible()
  await expect(shown.getByText('What was here before is left alone; only new files are read.')).toBeVisible()
  await shown.getByRole('button', { name: 'Take it in' }).click()
  await expect(shown.getByRole('link', { name: '2 Ready' })).toBeVisible()
  await expect(shown.getByText('What was here before', { exact: false })).toBeHidden()
})

test('a folder that is read by an agent of this computer keeps its reference when something else is changed', async () => {
  const orders = join(host.home, 'Orders')
  mkdirSync(orders)
  const stored = async (): Promise<FolderRow | undefined> =>
    (await callCore(page, 'folders.list', {})).folders.find(({ name }) => name === 'Orders')
  await page.locator('.page-head').getByRole('button', { name: 'Add folder' }).click()
  const adding = page.getByRole('dialog')
  await adding.getByLabel('Folder', { exact: true }).fill(orders)
  await choose(adding, 'Connection', 'This computer')
  await adding.getByLabel('Agent reference').fill('orders-3')
  await adding.getByRole('button', { name: 'Watch folder' }).click()
  await expect(adding).toBeHidden()
  await expect(card('Orders')).toContainText('orders-3')
  await card('Orders').getByRole('button', { name: 'More for “Orders”' }).click()
  await page.getByRole('menuitem', { name: 'Change…' }).click()
  const changing = page.getByRole('dialog')
  await expect(changing.getByLabel('Agent reference')).toHaveValue('orders-3')
  await changing.getByLabel('Not these names').fill('*draft*')
  await changing.getByRole('button', { name: 'Save' }).click()
  await expect(changing).toBeHidden()
  await expect
    .poll(async () => (await stored()) ?? null)
    .toMatchObject({ exclude: ['*draft*'], agentReference: 'orders-3' })
  await callCore(page, 'folders.remove', { id: (await stored())!.id })
  await expect(card('Orders')).toBeHidden()
})

test('the cards and the look are at ease in every size, light and language', forNight, async ({ browser }) => {
  const scans = join(host.home, 'Scanner')
  mkdirSync(scans)
  const { schemas } = await callCore(page, 'schemas.list', {})
  const { connections } = await callCore(page, 'connections.list', {})
  const local = connections.find(({ kind }) => kind === 'local')!.id
  const [schemaId, connectionId] = [schemas[0]!.id, connections.find(({ kind }) => kind === 'platform')!.id]
  const { id } = await callCore(page, 'folders.add', {
    path: scans,
    schemaId,
    connectionId: local,
    exclude: ['*.png'],
    afterwards: 'move',
  })
  const gone = join(host.home, 'Tax office, statements and reminders of the year 2026')
  mkdirSync(gone)
  await callCore(page, 'folders.add', {
    path: gone,
    schemaId,
    connectionId,
    agentReference: 'statements-7',
    mode: 'async',
    includeSubfolders: false,
  })
  await callCore(page, 'folders.update', { id, paused: true })
  const { folders } = await callCore(page, 'folders.list', {})
  await callCore(page, 'workbooks.set', {
    folderId: folders.find(({ name }) => name === 'Supplier invoices')!.id,
    on: true,
  })
  renameSync(gone, `${gone} away`)
  for (const look of looks) {
    const shown = await host.open(browser, contextOf(look))
    await shown.goto(`${host.url}#/folders`)
    await expect(shown.locator('.folder-card')).toHaveCount(4)
    await expect(shown.locator('.folder-card .badge--flag .icon').first()).toBeVisible()
    await expect(shown.locator('.folder-card .callout--flag')).toHaveCount(1)
    await picture(shown, 'folder-cards', look)
    await expectFitting(shown)
    await expectAccessible(shown)
    await shown.locator('.page-head .button--primary').click()
    await shown.locator('.folder-picker input').fill(invoices)
    await shown.locator('.text-field input').nth(-1).fill('*draft*')
    await shown.locator('.dry-run .button').click()
    await expect(shown.locator('.dry-run__trigger')).toHaveCount(3)
    await shown.locator('.dry-run__trigger').first().click()
    await picture(shown, 'folder-dry-run-add', look)
    await shown.locator('.dry-run').scrollIntoViewIfNeeded()
    await shown.locator('.dry-run__group').last().scrollIntoViewIfNeeded()
    await picture(shown, 'folder-dry-run-seen', look)
    await expectFitting(shown)
    await expectAccessible(shown)
    await shown.close()
  }
})
