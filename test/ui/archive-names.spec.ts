import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startVendor } from '../helpers/vendor.ts'
import { callCore, complaintsOf, connectTo, expect, folderWith, openScreen, test } from './host.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture } from './pictures.ts'

const elements = [
  { name: 'Number', format: 'text' as const, description: '', kind: 'code' as const },
  { name: 'Date', format: 'text' as const, description: '', kind: 'date' as const },
  { name: 'Seller', format: 'text' as const, description: '' },
  { name: 'Total', format: 'number' as const, description: '' },
]
const files = ['INV-20418.pdf', '20261103 delivery note TilePort.pdf', 'invoice_8841_brightwater.pdf']

test('files in Done are called by their values: put together of fields, seen before, and undone', async ({
  host,
  browser,
}) => {
  const vendor = await startVendor(({ filename }) => {
    const at = files.indexOf(filename)
    const data = {
      Number: at === 2 ? null : `RE-${at}`,
      Date: `2026-11-0${at + 1}`,
      Seller: 'Hartmann GmbH',
      Total: 119,
    }
    return { body: JSON.stringify({ status: 'success', data, metadata: { filename } }) }
  })
  const page = await host.open(browser)
  const complaints = complaintsOf(page)
  await callCore(page, 'settings.update', { firstRunDone: true })
  const connectionId = await connectTo(page, vendor)
  const { id: schemaId } = await callCore(page, 'schemas.save', { id: null, name: 'Invoice', elements })
  const path = folderWith(host, 'Invoices', files)
  await callCore(page, 'folders.add', { path, schemaId, connectionId, afterwards: 'move' })
  await expect
    .poll(async () => (await callCore(page, 'app.state', {})).counts, { timeout: 60_000 })
    .toMatchObject({ done: files.length })
  await openScreen(page, host, '#/folders')
  const open = async (): Promise<void> => {
    await page.getByRole('button', { name: 'More for “Invoices”' }).click()
    await page.getByRole('menuitem', { name: 'Change…' }).click()
  }
  await open()
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel('Names in Done')
  await name.fill('invoice')
  await expect(dialog.getByText('Name a field in braces behind the last /, for example {Number}.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await name.fill('{Order}')
  await expect(dialog.getByText('No schema of this folder has a field “Order”.')).toBeVisible()
  await name.fill('')
  const fields = dialog.getByRole('group', { name: 'Add a field' })
  for (const field of ['Date', 'Seller', 'Number'])
    await fields.getByRole('button', { name: field, exact: true }).click()
  await expect(name).toHaveValue('{Date:yyyy}/{Date:mm}/{Seller} {Number}')
  const names = dialog.getByRole('list', { name: 'What the last documents would be called' })
  await expect(names.getByText('2026/11/Hartmann GmbH RE-0.pdf')).toBeVisible()
  await expect(names.getByText('keeps its name: a value is missing')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => existsSync(join(path, 'Done/2026/11/Hartmann GmbH RE-0.pdf'))).toBe(true)
  await expect.poll(() => existsSync(join(path, 'Done/2026/11/Hartmann GmbH RE-1.pdf'))).toBe(true)
  expect(existsSync(join(path, 'Done', files[2]!))).toBe(true)
  await openScreen(page, host, '#/documents')
  await expect(page.getByText('Hartmann GmbH RE-0.pdf')).toBeVisible()

  await openScreen(page, host, '#/folders')
  await open()
  await expect(name).toHaveValue('{Date:yyyy}/{Date:mm}/{Seller} {Number}')
  await name.fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => existsSync(join(path, 'Done', files[0]!))).toBe(true)
  await expect.poll(() => existsSync(join(path, 'Done/2026'))).toBe(false)
  expect(complaints).toEqual([])
  await page.close()

  for (const look of looks) {
    const again = await host.open(browser, contextOf(look))
    await openScreen(again, host, '#/folders')
    await again.locator('.folder-card [aria-haspopup]').first().click()
    await again.getByRole('menuitem').first().click()
    await again.locator('.archive-name input').fill('{Date:yyyy}/{Date:mm}/{Seller} {Number}')
    await expect(again.locator('.archive-name__names li')).toHaveCount(3)
    await again.locator('.archive-name').scrollIntoViewIfNeeded()
    await expectFitting(again)
    await picture(again, 'archive-names', look)
    await again.close()
  }
  await vendor.close()
})
