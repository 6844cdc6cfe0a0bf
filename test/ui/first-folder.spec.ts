import { forNight } from '../helpers/scale.ts'
import { callCore, expect, folderWith, test } from './host.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture } from './pictures.ts'

test('a new folder takes a template at once, and asks nothing about platforms while there are none', async ({
  host,
  browser,
}) => {
  const page = await host.open(browser)
  await callCore(page, 'settings.update', { firstRunDone: true })
  const path = folderWith(host, 'Invoices', ['INV-20418.pdf'])
  await page.getByRole('navigation').getByRole('link', { name: 'Folders' }).click()
  await page.getByRole('button', { name: 'Add folder' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Folder', exact: true }).fill(path)
  await expect(dialog.getByRole('button', { name: /Connection$|Sending$/ })).toHaveCount(0)
  const add = dialog.getByRole('button', { name: 'Watch folder' })
  await expect(add).toBeDisabled()
  await dialog.getByRole('button', { name: /Schema$/ }).click()
  await page.getByRole('option', { name: /^Invoice \(template\)/ }).click()
  // All kinds that come into one folder, on the first day.
  await dialog.getByRole('button', { name: /^Several kinds of documents/ }).click()
  await expect(dialog.getByRole('checkbox', { name: 'Invoice (template)' })).toHaveCount(0)
  const others = dialog.getByRole('group', { name: 'Other schemas' })
  await others.getByText('Bank statement (template)').click()
  await expectFitting(page)
  await add.click()
  await expect(dialog).toBeHidden()
  expect((await callCore(page, 'schemas.list', {})).schemas.map(({ name, rules }) => [name, rules.length > 0])).toEqual(
    [
      ['Bank statement', true],
      ['Invoice', true],
    ],
  )
  const { schemas } = await callCore(page, 'schemas.list', {})
  const [folder] = (await callCore(page, 'folders.list', {})).folders
  expect(folder!.otherSchemaIds).toEqual([schemas.find(({ name }) => name === 'Bank statement')!.id])
  await expect
    .poll(async () => (await callCore(page, 'app.state', {})).counts, { timeout: 60_000 })
    .toMatchObject({ done: 1 })
  // What has a schema by now is no template any more.
  await page.getByRole('button', { name: 'Add folder' }).first().click()
  await dialog.getByRole('button', { name: /Schema$/ }).click()
  await expect(page.getByRole('option', { name: 'Invoice', exact: true })).toBeVisible()
  await expect(page.getByRole('option', { name: /Invoice \(template\)/ })).toHaveCount(0)
  await page.close()
})

test('the form of a folder looks at ease with this computer alone', forNight, async ({ host, browser }) => {
  const first = await host.open(browser)
  await callCore(first, 'settings.update', { firstRunDone: true })
  await first.close()
  for (const look of looks) {
    const page = await host.open(browser, contextOf(look))
    await page.goto(`${host.url}#/folders`)
    await page.locator('.page-head .button--primary, .empty .button--primary').first().click()
    await page.getByRole('dialog').locator('.select button').first().click()
    await expect(page.getByRole('option')).toHaveCount(6)
    await picture(page, 'folder-form', look)
    await page.keyboard.press('Escape')
    await expectFitting(page)
    if (look === looks[0]) await expectAccessible(page)
    await page.close()
  }
})
