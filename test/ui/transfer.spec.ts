import { readFileSync } from 'node:fs'
import { forNight } from '../helpers/scale.ts'
import { callCore, complaintsOf, expect, openScreen, startHost, test } from './host.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture, titleOf } from './pictures.ts'

const elements = [{ name: 'Seller', format: 'text' as const, description: 'Who wrote it' }]

test('schemas and partners are taken to another computer as a file, and a file of something else is refused', async ({
  host,
  browser,
}) => {
  const page = await host.open(browser)
  await callCore(page, 'settings.update', { firstRunDone: true })
  await callCore(page, 'schemas.save', { id: null, name: 'Supplier invoices', elements })
  await callCore(page, 'partners.save', {
    id: null,
    name: 'Ridley Joinery',
    vatId: null,
    accounts: [],
    number: '70012',
    bookAccount: null,
    isOwn: false,
  })
  await openScreen(page, host, '#/settings')
  const panel = page.getByRole('region', { name: 'Take along' })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'Export…' }).press('Enter'),
  ])
  expect(download.suggestedFilename()).toBe('Sheaf settings.json')
  const file = {
    name: 'Sheaf settings.json',
    mimeType: 'application/json',
    buffer: readFileSync(await download.path()),
  }

  const other = await startHost(undefined, 'short', { elsewhere: true })
  const there = await other.open(browser)
  const complaints = complaintsOf(there)
  await callCore(there, 'settings.update', { firstRunDone: true })
  await openScreen(there, other, '#/settings')
  await there.getByTestId('transfer-file').setInputFiles({ ...file, buffer: Buffer.from('{"sheaf":"else"}') })
  await expect(there.getByText('Sheaf has not written this to be taken along')).toBeVisible()
  await there.getByTestId('transfer-file').setInputFiles(file)
  await expect(there.getByText('Brought along: 1 schema, 1 partner, 0 learned forms, 0 presets.')).toBeVisible()
  await openScreen(there, other, '#/partners')
  await expect(there.getByRole('rowheader', { name: 'Ridley Joinery' })).toBeVisible()
  expect(complaints).toEqual([])
  await other.closeWindows()
  await other.stop()
  await page.close()
})

for (const look of looks)
  test(`what is taken along (${titleOf(look)}) fits and is accessible`, forNight, async ({ host, browser }) => {
    const page = await host.open(browser, contextOf(look))
    await callCore(page, 'settings.update', { firstRunDone: true })
    await openScreen(page, host, '#/settings')
    const input = page.getByTestId('transfer-file')
    await input.locator('..').scrollIntoViewIfNeeded()
    await expectFitting(page)
    await expectAccessible(page)
    await picture(page, 'transfer', look)
    await page.close()
  })
