import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { forNight } from '../helpers/scale.ts'
import { callCore, complaintsOf, expect, test } from './host.ts'

async function openSchemas(page: Page): Promise<void> {
  await callCore(page, 'settings.update', { firstRunDone: true })
  await page.getByRole('link', { name: 'Schemas' }).click()
}

async function saved(page: Page): Promise<unknown> {
  return (await callCore(page, 'schemas.list', {})).schemas[0]?.elements
}

test('a schema is written by hand, checked where it is wrong, and kept', async ({ host, browser }) => {
  const page = await host.open(browser)
  const complaints = complaintsOf(page)
  await openSchemas(page)
  await expect(page.getByRole('heading', { name: 'No schema yet' })).toBeVisible()
  await page.getByRole('button', { name: 'New schema' }).first().click()
  await page.getByRole('button', { name: /Empty schema/ }).click()

  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Give the schema a name.')).toBeVisible()
  await expect(page.getByText('Give the field a name.')).toBeVisible()

  await page.getByLabel('Name of the schema').fill('Delivery')
  const names = page.getByRole('textbox', { name: 'Name', exact: true })
  await names.nth(0).fill('number')
  await page.getByRole('button', { name: 'Add field' }).click()
  await expect(names.nth(1)).toBeFocused()
  await page.keyboard.type('number')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('This name is used twice.')).toBeVisible()
  await names.nth(1).fill('positions')
  await page
    .getByRole('button', { name: /^Text.*Type$/ })
    .nth(1)
    .click()
  await page.getByRole('option', { name: 'List' }).click()
  await names.nth(2).fill('article')
  await page.getByRole('button', { name: 'Add sub-field' }).click()
  await expect(names.nth(3)).toBeFocused()
  await page.keyboard.type('quantity')
  await page.keyboard.press('Alt+ArrowUp')
  await expect(names.nth(2)).toHaveValue('quantity')
  await expect(names.nth(2)).toBeFocused()
  await page.getByRole('textbox', { name: 'Description' }).nth(0).fill('as printed')

  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('“Delivery” is saved.')).toBeVisible()
  await expect
    .poll(() => saved(page))
    .toEqual([
      { name: 'number', format: 'text', description: 'as printed' },
      {
        name: 'positions',
        format: 'list',
        description: '',
        items: [
          { name: 'quantity', format: 'text', description: '' },
          { name: 'article', format: 'text', description: '' },
        ],
      },
    ])
  await page.reload()
  await expect(names.nth(1)).toHaveValue('positions')
  expect(complaints).toEqual([])
  await page.close()
})

test('a schema comes in and goes out as JSON', forNight, async ({ host, browser }) => {
  const page = await host.open(browser)
  await openSchemas(page)
  await page.getByRole('button', { name: 'New schema' }).first().click()
  await page.getByRole('button', { name: /^Receipt/ }).click()
  await page.getByRole('tab', { name: 'JSON' }).click()
  const text = page.getByRole('textbox', { name: 'Schema as JSON' })
  await expect(text).toHaveValue(/"format": "list"/)

  await text.fill('[{"name": "total", "format": "money", "description": ""}]')
  await expect(page.getByText(/format is "money"/)).toBeVisible()
  const elements = [{ name: 'total', format: 'number', description: 'with tax' }]
  await text.fill(JSON.stringify(elements))
  await expect(page.getByText(/format is "money"/)).toBeHidden()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('Receipt.json')
  expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toEqual(elements)

  await page.getByRole('tab', { name: 'Fields' }).click()
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('total')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('“Receipt” is saved.')).toBeVisible()
  await expect.poll(() => saved(page)).toEqual(elements)
  await page.close()
})

test('rules are read as sentences and follow a field that is renamed', forNight, async ({ host, browser }) => {
  const page = await host.open(browser)
  const complaints = complaintsOf(page)
  await openSchemas(page)
  await page.getByRole('button', { name: 'New schema' }).first().click()
  await page.getByRole('button', { name: /^Invoice/ }).click()
  await page.getByRole('tab', { name: /Rules/ }).click()
  const list = page.getByRole('list', { name: 'Rules' })
  await expect(list.getByRole('listitem')).toHaveCount(8)
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.getByRole('menuitem', { name: /Looks like a pattern/ }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Choose a field and type a pattern, or remove the rule.')).toBeVisible()
  const added = list.getByRole('listitem').last()
  await added.getByRole('button', { name: /Field 1 of the rule/ }).click()
  await page.getByRole('option', { name: 'Invoice number' }).click()
  await added.getByRole('textbox', { name: 'Pattern' }).fill('INV-#####')
  await page.getByRole('tab', { name: 'Fields' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('No.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('“Invoice” is saved.')).toBeVisible()
  const { schemas } = await callCore(page, 'schemas.list', {})
  expect(schemas[0]!.rules.at(-1)).toEqual({ kind: 'pattern', field: ['No.'], pattern: 'INV-#####' })
  expect(schemas[0]!.rules).toContainEqual({ kind: 'unique', fields: [['No.'], ['Seller']] })
  expect(complaints).toEqual([])
})
