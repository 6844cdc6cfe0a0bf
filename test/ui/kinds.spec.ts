import type { Page } from '@playwright/test'
import { forNight } from '../helpers/scale.ts'
import { startVendor } from '../helpers/vendor.ts'
import { callCore, connectTo, expect, folderWith, test } from './host.ts'
import type { Host } from './host.ts'
import { contextOf, expectFitting, looks, picture } from './pictures.ts'

const elements = [
  { name: 'Invoice number', format: 'text' as const, description: '', kind: 'code' as const },
  { name: 'Invoice date', format: 'text' as const, description: '', kind: 'date' as const },
  { name: 'IBAN', format: 'text' as const, description: '', kind: 'iban' as const },
  {
    name: 'Items',
    format: 'list' as const,
    description: '',
    items: [
      { name: 'Delivered on', format: 'text' as const, description: '', kind: 'date' as const },
      { name: 'Article', format: 'text' as const, description: '' },
    ],
  },
]

const data = {
  'Invoice number': 'Nr. 20418',
  'Invoice date': '31.02.2024',
  IBAN: 'DE89 3704 0044 0532 0130 00',
  Items: [
    { 'Delivered on': '5.3.24', Article: 'Oak board' },
    { 'Delivered on': '19 april 2024', Article: 'Glue' },
  ],
}

/** One document, answered by a platform with `data`. Resolves with its id. */
async function read(host: Host, page: Page): Promise<number> {
  const vendor = await startVendor(({ filename }) => ({
    body: JSON.stringify({ status: 'success', data, metadata: { filename } }),
  }))
  await callCore(page, 'settings.update', { firstRunDone: true })
  const connectionId = await connectTo(page, vendor)
  const { id: schemaId } = await callCore(page, 'schemas.save', { id: null, name: 'Deliveries', elements })
  await callCore(page, 'folders.add', { path: folderWith(host, 'Invoices', ['INV-20418.pdf']), schemaId, connectionId })
  await expect
    .poll(async () => (await callCore(page, 'app.state', {})).counts, { timeout: 60_000 })
    .toMatchObject({ done: 1 })
  await vendor.close()
  return (await callCore(page, 'documents.list', {})).rows[0]!.id
}

test('a day that there is not is flagged and cannot be typed; one that is printed in another way is a day', async ({
  host,
  browser,
}) => {
  const page = await host.open(browser, { locale: 'en-US' })
  const id = await read(host, page)
  await page.goto(`${host.url}#/documents/${id}`)
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  await expect(field('Invoice number')).toHaveValue('20418')
  await expect(field('IBAN')).toHaveValue('DE89370400440532013000')
  await expect(page.locator('[data-pointer="/0/Items/0/Delivered on"]')).toHaveText('03/05/2024')
  await expect(page.getByText('There is no such day.')).toBeVisible()

  await field('Invoice date').focus()
  await page.keyboard.type('02/31/2024')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Not a date.')
  await expect(field('Invoice date')).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('3/4/24')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toBeHidden()
  const record = async () => (await callCore(page, 'documents.get', { id })).records[0]!
  await expect.poll(async () => (await record())['Invoice date']).toBe('2024-03-04')
  await expect(page.getByText('There is no such day.')).toBeHidden()

  await page.locator('[data-pointer="/0/Items/1/Delivered on"]').click()
  await page.keyboard.type('later')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Row 2, Delivered on: Not a date. Nothing was changed.')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('20 April 2024')
  await page.keyboard.press('Enter')
  await expect
    .poll(async () => (await record())['Items'])
    .toEqual([
      { 'Delivered on': '2024-03-05', Article: 'Oak board' },
      { 'Delivered on': '2024-04-20', Article: 'Glue' },
    ])
  await page.close()
})

test('what a field holds is chosen in one list, in every look', forNight, async ({ host, browser }) => {
  const first = await host.open(browser)
  const id = await callCore(first, 'schemas.save', { id: null, name: 'Deliveries', elements })
  await callCore(first, 'settings.update', { firstRunDone: true })
  await first.close()
  for (const look of looks) {
    const page = await host.open(browser, contextOf(look))
    await page.goto(`${host.url}#/schemas/${id.id}`)
    await page.locator('.field-row .select button').nth(2).click()
    await expect(page.getByRole('option')).toHaveCount(11)
    await picture(page, 'kinds-of-text', look)
    await page.getByRole('option').nth(5).click()
    await expectFitting(page)
    await page.close()
  }
})
