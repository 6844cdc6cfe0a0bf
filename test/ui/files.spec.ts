import { mkdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { pdfBytes } from '../helpers/core.ts'
import { forNight } from '../helpers/scale.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { Vendor } from '../helpers/vendor.ts'
import { callCore, connectTo, expect, test } from './host.ts'
import { expectAccessible, picture, plain } from './pictures.ts'

const elements = [{ name: 'Invoice number', format: 'text', description: '' }]

let vendor: Vendor
test.beforeEach(async () => {
  vendor = await startVendor(() => ({ status: 422, body: '{"error":"no"}' }))
})
test.afterEach(() => vendor.close())

const row = (page: Page, name: string): Locator =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) })

test('an empty list says that documents are on their way while their files are not complete', async ({
  host,
  browser,
}) => {
  const page = await host.open(browser)
  await callCore(page, 'settings.update', { firstRunDone: true })
  const { id: schemaId } = await callCore(page, 'schemas.save', { id: null, name: 'Invoice', elements })
  const folder = join(host.home, 'Scans')
  mkdirSync(folder)
  const whole = pdfBytes('scan')
  writeFileSync(join(folder, 'scan.pdf'), whole.subarray(0, 1500))
  const { connections } = await callCore(page, 'connections.list', {})
  await page.goto(`${host.url}#/documents`)
  await expect(page.getByText('No documents yet')).toBeVisible()
  await callCore(page, 'folders.add', { path: folder, schemaId, connectionId: connections[0]!.id })
  await expect(page.getByText('Documents are being taken in')).toBeVisible()
  await expect(page.getByText('No documents yet')).toHaveCount(0)
  await picture(page, 'documents-arriving', plain)
  // From now on nothing but the row may take its place.
  await page.evaluate(() => {
    new MutationObserver(
      () =>
        document.body.innerText.includes('No documents yet') &&
        document.documentElement.setAttribute('data-said-none', ''),
    ).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  writeFileSync(join(folder, 'scan.pdf'), whole)
  await expect(row(page, 'scan.pdf')).toBeVisible()
  await expect(page.locator('html[data-said-none]')).toHaveCount(0)
})

test(
  'a failed document names the document that its corrected file became, and is not said to go again; nor is one whose file is gone',
  forNight,
  async ({ host, browser }) => {
    const page = await host.open(browser)
    await callCore(page, 'settings.update', { firstRunDone: true })
    const connectionId = await connectTo(page, vendor)
    const { id: schemaId } = await callCore(page, 'schemas.save', { id: null, name: 'Invoice', elements })
    const folder = join(host.home, 'Supplier invoices')
    mkdirSync(folder)
    await callCore(page, 'folders.add', { path: folder, schemaId, connectionId })
    const bad = join(folder, 'refused 1.pdf')
    writeFileSync(bad, pdfBytes('refused'))
    await expect(row(page, 'refused 1.pdf')).toContainText('Failed')
    await row(page, 'refused 1.pdf').click()
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
    writeFileSync(bad, pdfBytes('corrected'))
    await expect(page.getByText('nothing is left to do here')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0)
    await expectAccessible(page)
    await picture(page, 'document-newer', plain)
    await page.getByRole('link', { name: 'Show the new version' }).click()
    await expect(page.getByText('nothing is left to do here')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
    await rm(bad)
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.locator('.notice--problem')).toHaveText(/The file is not there any more\.$/)

    writeFileSync(bad, pdfBytes('corrected again'))
    await page.goto(`${host.url}#/documents`)
    await expect(row(page, 'refused 1.pdf')).toHaveCount(3)
    await row(page, 'refused 1.pdf').last().click()
    await page.getByRole('button', { name: 'Retry 1' }).click()
    await expect(
      page.locator('.notice--problem').filter({ hasText: 'The file has changed: it was taken as a new document.' }),
    ).toBeVisible()
    expect(vendor.received).toHaveLength(3)
  },
)
