import type { Page } from '@playwright/test'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { forNight } from '../helpers/scale.ts'
import { callCore, complaintsOf, expect, test } from './host.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture } from './pictures.ts'

const first: SchemaElement[] = [
  { name: 'Number', format: 'text', description: 'Number of the invoice, as printed' },
  { name: 'Date', format: 'text', description: 'When it was issued' },
  { name: 'Total', format: 'text', description: '' },
  {
    name: 'Buyer',
    format: 'text',
    description: 'Name and address of the buyer with everything that is printed below it, up to the country',
  },
  {
    name: 'Rows',
    format: 'list',
    description: '',
    items: [
      { name: 'Article', format: 'text', description: '' },
      { name: 'Amount', format: 'number', description: 'of the row' },
    ],
  },
]
const second: SchemaElement[] = [
  first[1]!,
  { ...first[0]!, name: 'Invoice number' },
  { name: 'Total', format: 'number', description: 'with tax' },
  {
    ...first[4]!,
    items: [
      first[4]!.items![1]!,
      { name: 'Unit of the quantity that was delivered', format: 'text', description: 'as in the table' },
    ],
  },
]

async function openVersions(page: Page): Promise<number> {
  await callCore(page, 'settings.update', { firstRunDone: true })
  const { id } = await callCore(page, 'schemas.save', { id: null, name: 'Invoice', elements: first })
  await callCore(page, 'schemas.save', { id, name: 'Invoice', elements: second })
  // The editor takes the fields that the window knows: those of the second version, once it has heard of them.
  await page.goto(`${new URL(page.url()).origin}/#/schemas`)
  await expect(page.getByRole('listitem', { name: 'Invoice' }).getByText('version 2')).toBeVisible()
  await page.goto(`${new URL(page.url()).origin}/#/schemas/${id}`)
  return id
}

test(
  'two versions are compared, and an older one is taken back by the keyboard alone',
  forNight,
  async ({ host, browser }) => {
    const page = await host.open(browser)
    const complaints = complaintsOf(page)
    const id = await openVersions(page)
    await page.getByRole('tab', { name: 'Fields' }).focus()
    await page.keyboard.press('End')
    await expect(page.getByRole('tab', { name: 'Versions' })).toHaveAttribute('aria-selected', 'true')

    const list = page.getByRole('region', { name: 'Saved versions' }).getByRole('listitem')
    await expect(list).toHaveCount(2)
    await expect(list.nth(1)).toContainText('5 fields · 0 results')
    await expect(
      page.getByText('1 field added · 2 fields removed · 1 renamed · 1 moved · 1 other type · 1 other description'),
    ).toBeVisible()
    const row = (text: string): ReturnType<Page['getByRole']> =>
      page.getByRole('table').getByRole('row').filter({ hasText: text })
    await expect(row('Buyer')).toContainText('Removed')
    await expect(row('Invoice number')).toContainText('Renamed')
    await expect(row('Total')).toContainText('Type')
    await expect(row('Unit of')).toContainText('Rows ›')
    await expect(row('of the row')).toHaveCount(0)
    await page.getByText('Show fields that are the same, too').click()
    await expect(row('of the row')).toContainText('Same')

    const back = page.getByRole('button', { name: 'Take into the editor: version 1' })
    await back.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('textbox', { name: 'Name', exact: true }).first()).toHaveValue('Number')
    await expect(page.getByText('Not saved yet')).toBeVisible()
    expect((await callCore(page, 'schemas.versions', { id })).versions).toHaveLength(2)
    await page.getByRole('tab', { name: 'Versions' }).click()
    await page.getByRole('button', { name: /Compare$/ }).click()
    await page.getByRole('option', { name: 'Version 1' }).click()
    await expect(page.getByRole('button', { name: /With$/ })).toContainText('The editor now')
    await expect(page.getByText('The fields are the same.')).toBeVisible()

    await page.getByRole('button', { name: 'Save' }).click()
    await expect(list).toHaveCount(3)
    expect((await callCore(page, 'schemas.version', { id, version: 3 })).elements).toEqual(first)
    expect((await callCore(page, 'schemas.version', { id, version: 2 })).elements).toEqual(second)
    expect(complaints).toEqual([])
    await page.close()
  },
)

test(
  'a schema with one version says so, and the view fits and can be reached in every look',
  forNight,
  async ({ host, browser }) => {
    const start = await host.open(browser)
    await callCore(start, 'settings.update', { firstRunDone: true })
    const { id } = await callCore(start, 'schemas.save', { id: null, name: 'Delivery', elements: first })
    await start.goto(`${host.url}#/schemas/${id}`)
    await start.getByRole('tab', { name: 'Versions' }).click()
    await expect(start.getByText('There is one version so far.')).toBeVisible()
    await expectAccessible(start)
    const twoId = await openVersions(start)
    await start.close()
    for (const look of looks) {
      const page = await host.open(browser, contextOf(look))
      await page.goto(`${host.url}#/schemas/${twoId}`)
      await page.getByRole('tab').last().click()
      await expect(page.getByRole('table')).toBeVisible()
      await expectFitting(page)
      // A mark ends before the next column begins.
      expect(
        await page
          .locator('.change-mark')
          .evaluateAll((marks) =>
            marks
              .filter(
                (mark) => mark.getBoundingClientRect().right > mark.parentElement!.getBoundingClientRect().right - 8,
              )
              .map((mark) => mark.textContent),
          ),
      ).toEqual([])
      await expectAccessible(page)
      await picture(page, 'schema-versions', look)
      await page.close()
    }
  },
)
