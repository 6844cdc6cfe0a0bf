import { existsSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { forNight } from '../helpers/scale.ts'
import { startVendor } from '../helpers/vendor.ts'
import { callCore, complaintsOf, connectTo, expect, folderWith, openScreen, test } from './host.ts'
import type { Host } from './host.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture } from './pictures.ts'

const elements = [
  { name: 'Invoice number', format: 'text' as const, description: '', kind: 'code' as const },
  { name: 'Invoice date', format: 'text' as const, description: '', kind: 'date' as const },
  { name: 'Seller', format: 'text' as const, description: '' },
  { name: 'Net amount', format: 'number' as const, description: '' },
  { name: 'Tax amount', format: 'number' as const, description: '' },
  { name: 'Total amount', format: 'number' as const, description: '' },
  { name: 'Currency', format: 'text' as const, description: '', kind: 'currency' as const },
  { name: 'Document type', format: 'text' as const, description: '', kind: 'document_type' as const },
]
const files = ['INV-20418.pdf', '20261103 delivery note TilePort.pdf', 'invoice_8841_brightwater.pdf']
const data: Record<string, unknown>[] = [
  { 'Net amount': 100, 'Tax amount': 19, 'Total amount': 119, Currency: 'EUR', 'Document type': 'Invoice' },
  { 'Net amount': 100, 'Tax amount': 7, 'Total amount': 107, Currency: 'EUR', 'Document type': 'Credit note' },
  { 'Net amount': 100, 'Tax amount': 0, 'Total amount': 100, Currency: 'GBP', 'Document type': 'Invoice' },
]

const fillIn = 'Fill in what the program has to know, and the bookings appear here.'

async function furnish(host: Host, page: Page): Promise<void> {
  const vendor = await startVendor(({ filename }) => {
    const at = files.indexOf(filename)
    const record = {
      'Invoice number': `RE-${at}`,
      'Invoice date': `2026-11-0${at + 1}`,
      Seller: 'Hartmann GmbH',
      ...data[at],
    }
    return { body: JSON.stringify({ status: 'success', data: [record], metadata: { filename } }) }
  })
  await callCore(page, 'settings.update', { firstRunDone: true })
  const connectionId = await connectTo(page, vendor)
  const { id: schemaId } = await callCore(page, 'schemas.save', { id: null, name: 'Invoice', elements })
  await callCore(page, 'folders.add', { path: folderWith(host, 'Invoices', files), schemaId, connectionId })
  await expect
    .poll(async () => (await callCore(page, 'app.state', {})).counts, { timeout: 60_000 })
    .toMatchObject({ done: files.length })
  await vendor.close()
}

test('bookings for DATEV are shown once the numbers of the office are typed, and the numbers stay', async ({
  host,
  browser,
}) => {
  const page = await host.open(browser)
  const complaints = complaintsOf(page)
  await furnish(host, page)
  await openScreen(page, host, '#/exports')
  await page.getByText('Bookkeeping', { exact: true }).click()
  await expect(page.getByText(fillIn)).toBeVisible()
  const button = page.getByRole('button', { name: 'Export', exact: true })
  await expect(button).toBeDisabled()
  for (const [name, text] of [
    ['Consultant number', '29098'],
    ['Client number', '55003'],
    ['Expense account 19 %', '3400'],
    ['Expense account 7 %', '3300'],
    ['Expense account without tax', '3200'],
  ] as const)
    await page.getByLabel(name).fill(text)
  await page.getByLabel('Expense account 7 %').fill('33000')
  await expect(page.getByText('Digits only; creditors have one more than accounts.')).toBeVisible()
  await expect(button).toBeDisabled()
  await page.getByLabel('Expense account 7 %').fill('3300')
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.getByRole('cell', { name: '119,00' })).toBeVisible()
  await expect(preview.getByRole('row', { name: /107,00/ })).toContainText('S')
  await preview.getByText('1 document is not booked').click()
  await expect(preview.getByRole('heading', { name: 'Not in the currency of the books' })).toBeVisible()
  await expect(preview.getByRole('link', { name: 'invoice_8841_brightwater.pdf' })).toBeVisible()
  await expectAccessible(page)
  await button.click()
  await expect(page.getByText(/EXTF_Invoice .*\.csv/)).toBeVisible()
  await expect(page.locator('.written').getByText('1 document is not booked')).toBeVisible()
  const [written] = (await callCore(page, 'exports.list', {})).exports
  expect(written).toMatchObject({ format: 'datev', rows: 2 })
  expect(written!.paths.every((path) => existsSync(path))).toBe(true)

  await page.reload()
  await page.getByText('Bookkeeping', { exact: true }).click()
  await expect(page.getByLabel('Consultant number')).toHaveValue('29098')
  await expect(preview.getByText('2 documents were exported before')).toBeVisible()
  await expect(preview.getByRole('link', { name: 'INV-20418.pdf' })).toBeVisible()
  await button.click()
  await expect(page.getByText('Nothing is left to book:')).toBeVisible()
  await preview.getByRole('button', { name: 'Include them again' }).click()
  await expect(preview.getByRole('cell', { name: '119,00' })).toBeVisible()
  await expect(page.getByText('Imported twice, they are booked twice.')).toBeVisible()
  await expectAccessible(page)
  await button.click()
  await expect(page.locator('.written')).toBeVisible()
  // It was for this once.
  await expect(preview.getByText('2 documents were exported before')).toBeVisible()
  expect(complaints).toEqual([])
  await page.close()

  for (const look of looks) {
    const again = await host.open(browser, contextOf(look))
    await openScreen(again, host, '#/exports')
    await again.locator('.segmented__choice').last().click()
    const fields = again.locator('.bookkeeping input')
    for (const [at, text] of ['29098', '55003', '3400', '3300', '3200', '70000'].entries())
      await fields.nth(at).fill(text)
    await expect(again.locator('.left-out .button')).toBeVisible()
    await expectFitting(again)
    await picture(again, 'datev', look)
    await again.locator('.left-out .button').click()
    await expect(again.locator('.left-out')).toHaveCount(1)
    await again.locator('.left-out summary').click()
    await expectFitting(again)
    await picture(again, 'datev-again', look)
    await again.close()
  }
})

test(
  'bills for Xero are shown once it is said what its accounts and taxes are called, and that stays',
  forNight,
  async ({ host, browser }) => {
    const page = await host.open(browser)
    const complaints = complaintsOf(page)
    await furnish(host, page)
    await openScreen(page, host, '#/exports')
    await page.getByText('Bookkeeping', { exact: true }).click()
    await page
      .getByRole('button', { name: /^Program/ })
      .or(page.getByLabel('Program'))
      .first()
      .click()
    await page.getByRole('option', { name: 'Xero' }).click()
    await expect(page.getByText(fillIn)).toBeVisible()
    const button = page.getByRole('button', { name: 'Export', exact: true })
    await expect(button).toBeDisabled()
    await page.getByLabel('Currency').fill('euro')
    await expect(page.getByText('Three capital letters, as EUR.')).toBeVisible()
    await page.getByLabel('Currency').fill('EUR')
    await page.getByLabel('Tax %, line 1').fill('19')
    await page.getByLabel('Account, line 1').fill('429')
    await page.getByLabel('Tax in Xero, line 1').fill('19% (VAT on Expenses)')
    const preview = page.getByRole('region', { name: 'Preview' })
    await expect(preview.getByRole('row', { name: /RE-0/ })).toContainText('01/11/2026')
    await preview.getByText('2 documents are not booked').click()
    const several = 'Tax of several rates or of another one, and the schema has no field for the rate of each row'
    await expect(preview.getByRole('heading', { name: several })).toBeVisible()
    await expect(preview.getByRole('link', { name: '20261103 delivery note TilePort.pdf' })).toHaveAttribute(
      'href',
      /^#\/documents\/\d+$/,
    )
    await expectAccessible(page)
    await button.click()
    await expect(page.locator('.written').getByText(/Invoice .*\.csv/)).toBeVisible()
    const [written] = (await callCore(page, 'exports.list', {})).exports
    expect(written).toMatchObject({ format: 'xero', rows: 1 })

    await page.reload()
    await page.getByText('Bookkeeping', { exact: true }).click()
    await expect(page.getByLabel('Account, line 1')).toHaveValue('429')
    expect(complaints).toEqual([])
    await page.close()

    for (const look of looks) {
      const again = await host.open(browser, contextOf(look))
      await openScreen(again, host, '#/exports')
      await again.evaluate(() => localStorage.setItem('sheaf.book', '"sage"'))
      await again.locator('.segmented__choice').last().click()
      await again.locator('.rates input').nth(0).fill('19')
      for (const [at, account] of ['5000', '5001', '5002'].entries())
        await again
          .locator('.rates input')
          .nth(3 * at + 1)
          .fill(account)
      await again.locator('.bookkeeping input').nth(0).fill('EUR')
      await again.locator('.bookkeeping input').nth(1).fill('OTHER')
      await again.locator('.left-out .button').click()
      await expect(again.getByRole('columnheader', { name: 'Nominal A/C Ref' })).toBeVisible()
      await expectFitting(again)
      await picture(again, 'bookkeeping', look)
      await again.close()
    }
  },
)
