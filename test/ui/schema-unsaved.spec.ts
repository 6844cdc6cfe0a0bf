import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { forNight } from '../helpers/scale.ts'
import { changeAnswers } from './answers.ts'
import { callCore, complaintsOf, expect, folderWith, test } from './host.ts'
import type { Host } from './host.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture } from './pictures.ts'

const elements: SchemaElement[] = [
  { name: 'Number', format: 'text', description: 'as printed' },
  { name: 'Net', format: 'number', description: '' },
  { name: 'Total', format: 'number', description: 'with tax' },
]

const names = (page: Page): ReturnType<Page['locator']> =>
  page.locator('.field-row__line > .text-field:first-child input')
const unsaved = (page: Page): ReturnType<Page['getByText']> => page.getByText('Not saved yet')

async function openSchema(page: Page): Promise<number> {
  await callCore(page, 'settings.update', { firstRunDone: true })
  const { id } = await callCore(page, 'schemas.save', { id: null, name: 'Delivery', elements })
  await page.getByRole('navigation').getByRole('link', { name: 'Schemas' }).click()
  await page.getByRole('link', { name: 'Delivery' }).click()
  await expect(names(page).first()).toHaveValue('Number')
  return id
}

/** The schema has a result, so that other fields are a new version of it. */
async function withResult(host: Host, page: Page, schemaId: number): Promise<void> {
  const connectionId = (await callCore(page, 'connections.list', {})).connections.find(
    ({ kind }) => kind === 'local',
  )!.id
  await callCore(page, 'folders.add', { path: folderWith(host, 'Invoices', ['INV-20418.pdf']), schemaId, connectionId })
  await expect
    .poll(async () => (await callCore(page, 'schemas.list', {})).schemas[0]!.resultCount, { timeout: 60_000 })
    .toBe(1)
}

test('what is not saved is there again after another screen and after a reload, until it is saved', async ({
  host,
  browser,
}) => {
  const page = await host.open(browser)
  const complaints = complaintsOf(page)
  const id = await openSchema(page)
  await names(page).first().fill('Invoice number')
  await page.getByRole('tab', { name: /Rules/ }).click()
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.getByRole('menuitem', { name: /Looks like a pattern/ }).click()
  await page.getByRole('textbox', { name: 'Pattern' }).fill('INV-*')

  await page.getByRole('link', { name: 'Documents' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Schemas' }).click()
  await page.getByRole('link', { name: 'Delivery' }).click()
  await expect(names(page).first()).toHaveValue('Invoice number')
  await expect(unsaved(page)).toBeVisible()
  await page.reload()
  await expect(names(page).first()).toHaveValue('Invoice number')
  await expect(unsaved(page)).toBeVisible()
  await page.getByRole('tab', { name: /Rules/ }).click()
  await expect(page.getByRole('textbox', { name: 'Pattern' })).toHaveValue('INV-*')
  await page.getByRole('button', { name: /Field 1 of the rule/ }).click()
  await page.getByRole('option', { name: 'Invoice number' }).click()
  await page.getByRole('tab', { name: 'Fields' }).click()
  // What is added now is not taken for what was added before the reload.
  await page.getByRole('button', { name: 'Add field' }).click()
  await page.keyboard.type('Buyer')
  await expect(names(page).first()).toHaveValue('Invoice number')

  await page.getByRole('button', { name: 'Save' }).click()
  await expect(unsaved(page)).toBeHidden()
  const { schemas } = await callCore(page, 'schemas.list', {})
  expect(schemas[0]!.elements.map(({ name }) => name)).toEqual(['Invoice number', 'Net', 'Total', 'Buyer'])
  expect(schemas[0]!.rules).toEqual([{ kind: 'pattern', field: ['Invoice number'], pattern: 'INV-*' }])
  await callCore(page, 'schemas.save', { id, name: 'Delivery', elements })
  await page.reload()
  await expect(names(page).first()).toHaveValue('Number')
  expect(complaints).toEqual([])
  await page.close()
})

test('changes are discarded, and what was discarded is taken up again', forNight, async ({ host, browser }) => {
  const page = await host.open(browser)
  await openSchema(page)
  await names(page).first().fill('Invoice number')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(names(page).first()).toHaveValue('Number')
  await expect(unsaved(page)).toBeHidden()
  await page.getByRole('link', { name: 'Documents' }).click()
  await page.locator('.notice').getByRole('button', { name: 'Undo' }).click()
  await expect(names(page).first()).toHaveValue('Invoice number')
  await expect(unsaved(page)).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.reload()
  await expect(names(page).first()).toHaveValue('Number')
  await page.close()
})

test(
  'an editor without changes follows what is saved elsewhere; one with changes keeps them and says so',
  forNight,
  async ({ host, browser }) => {
    const page = await host.open(browser)
    const id = await openSchema(page)
    await callCore(page, 'schemas.save', { id, name: 'Delivery', elements: [{ ...elements[0]!, name: 'No.' }] })
    await expect(names(page).first()).toHaveValue('No.')
    await expect(unsaved(page)).toBeHidden()

    await names(page).first().fill('Mine')
    await callCore(page, 'schemas.save', { id, name: 'Delivery', elements })
    await expect(page.getByText('It was saved elsewhere since these changes began.')).toBeVisible()
    await page.reload()
    await expect(names(page).first()).toHaveValue('Mine')
    await expect(page.getByText('It was saved elsewhere since these changes began.')).toBeVisible()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(unsaved(page)).toBeHidden()
    await expect(page.getByText('It was saved elsewhere')).toBeHidden()
    expect((await callCore(page, 'schemas.versions', { id })).versions).toHaveLength(4)
    await page.close()
  },
)

test(
  'JSON that is typed half is there again, and is not lost by saving the fields',
  forNight,
  async ({ host, browser }) => {
    const page = await host.open(browser)
    await openSchema(page)
    await page.getByRole('tab', { name: 'JSON' }).click()
    const half = '[{"name": "Number", "format": "te'
    const text = page.getByRole('textbox', { name: 'Schema as JSON' })
    await text.fill(half)
    await expect(unsaved(page)).toBeVisible()
    await page.reload()
    await expect(text).toHaveValue(half)
    await page.getByRole('tab', { name: 'Fields' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(text).toHaveValue(half)
    await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(text).toHaveValue(/"as printed"/)
    await page.close()
  },
)

test(
  'a new schema that is not saved is gone on with, or discarded before another is begun',
  forNight,
  async ({ host, browser }) => {
    const page = await host.open(browser)
    await callCore(page, 'settings.update', { firstRunDone: true })
    await page.getByRole('navigation').getByRole('link', { name: 'Schemas' }).click()
    const begin = page.getByRole('button', { name: 'New schema' }).first()
    await begin.click()
    await page.getByRole('button', { name: /^Receipt/ }).click()
    // Only looked at: nothing to keep.
    await page.getByRole('link', { name: 'All schemas' }).click()
    await begin.click()
    await page.getByRole('button', { name: /Empty schema/ }).click()
    await page.getByLabel('Name of the schema').fill('Delivery')
    await page.reload()
    await expect(page.getByLabel('Name of the schema')).toHaveValue('Delivery')
    await page.getByRole('link', { name: 'All schemas' }).click()
    await begin.click()
    const question = page.getByRole('dialog', { name: '“Delivery” is not saved yet' })
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Go on with it' }).click()
    await expect(page.getByLabel('Name of the schema')).toHaveValue('Delivery')
    await page.getByRole('link', { name: 'All schemas' }).click()
    await begin.click()
    await question.getByRole('button', { name: 'Discard and begin another' }).click()
    await page.getByRole('button', { name: /^Receipt/ }).click()
    await expect(page.getByLabel('Name of the schema')).toHaveValue('Receipt')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('“Receipt” is saved.')).toBeVisible()
    await page.getByRole('link', { name: 'All schemas' }).click()
    await begin.click()
    await expect(page.getByRole('button', { name: /Empty schema/ })).toBeVisible()
    await page.close()
  },
)

test(
  'a field that was removed comes back with its rules, by the pointer and by the keys',
  forNight,
  async ({ host, browser }) => {
    const page = await host.open(browser)
    const id = await openSchema(page)
    await callCore(page, 'schemas.save', {
      id,
      name: 'Delivery',
      elements,
      rules: [{ kind: 'required', field: ['Net'] }],
    })
    await expect(page.getByRole('tab', { name: /^Rules ?1$/ })).toBeVisible()
    await names(page).first().pressSequentially(' of it')
    await page.getByRole('button', { name: 'Remove “Net”' }).click()
    await expect(names(page)).toHaveCount(2)
    await expect(page.getByRole('tab', { name: 'Rules', exact: true })).toBeVisible()
    const undo = page.getByRole('button', { name: 'Undo', exact: true })
    await undo.click()
    await expect(names(page)).toHaveCount(3)
    await expect(page.getByRole('tab', { name: /^Rules ?1$/ })).toBeVisible()
    await page.getByRole('button', { name: 'Redo' }).click()
    await expect(names(page)).toHaveCount(2)
    await page.keyboard.press('Control+z')
    await expect(names(page)).toHaveCount(3)
    // All the letters that were typed are one step.
    await undo.click()
    await expect(names(page).first()).toHaveValue('Number')
    await expect(undo).toBeDisabled()
    await expect(unsaved(page)).toBeHidden()
    await page.close()
  },
)

test('what was drafted from a document is there after a reload, and once it is discarded nobody asks about it', async ({
  host,
  browser,
}) => {
  const page = await host.open(browser)
  await callCore(page, 'settings.update', { firstRunDone: true })
  await page.goto(`${host.url}#/schemas`)
  await page.getByRole('button', { name: 'Draft from a document…' }).first().click()
  await page
    .getByTestId('draft-file')
    .setInputFiles(fileURLToPath(new URL('../fixtures/samples/INV-20418.pdf', import.meta.url)))
  await page.getByRole('dialog').getByRole('button', { name: 'Draft', exact: true }).click()
  await expect(page.getByText('Drafted from “INV-20418.pdf”')).toBeVisible()
  const drafted = await names(page).count()
  expect(drafted).toBeGreaterThan(3)
  await page.reload()
  await expect(page.getByText('Drafted from “INV-20418.pdf”')).toBeVisible()
  await expect(names(page)).toHaveCount(drafted)

  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('navigation').getByRole('link', { name: 'Schemas' }).click()
  await page.getByRole('button', { name: 'Draft from a document…' }).first().click()
  await expect(page.getByTestId('draft-file')).toBeAttached()
  await page.close()
})

test(
  'nothing moves under the pointer with the first change, and what is said below it fits in every look',
  forNight,
  async ({ host, browser }) => {
    const start = await host.open(browser)
    const id = await openSchema(start)
    await withResult(host, start, id)
    await start.close()
    for (const look of looks) {
      const page = await host.open(browser, contextOf(look))
      await page.goto(`${host.url}#/schemas/${id}`)
      const bin = page.locator('.field-row').nth(1).locator('.icon-button').last()
      await names(page).nth(1).focus()
      // In the middle: a field that something covers is brought into view when it is typed into.
      await bin.evaluate((element) => element.scrollIntoView({ block: 'center' }))
      const before = await bin.boundingBox()
      await names(page).nth(1).pressSequentially('!')
      await expect(page.locator('.editor__foot')).toBeVisible()
      expect(await bin.boundingBox()).toEqual(before)
      await expectFitting(page)
      await expectAccessible(page)
      await picture(page, 'schema-unsaved', look)
      await page.close()
    }
  },
)

for (const late of ['schemas.save', 'schemas.list'] as const) {
  test(`who goes on to the list before the answer to ${late} stays there, and the schema is saved once`, async ({
    host,
    browser,
  }) => {
    const page = await host.open(browser)
    await callCore(page, 'settings.update', { firstRunDone: true })
    const held = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    let isHeld = false
    await changeAnswers(page, () => ({
      [late]: async (answer: never) => {
        if (!isHeld) return answer
        reached.resolve()
        await held.promise
        return answer
      },
    }))
    await page.reload()
    await page.getByRole('navigation').getByRole('link', { name: 'Schemas' }).click()
    const begin = page.getByRole('button', { name: 'New schema' }).first()
    await begin.click()
    await page.getByRole('button', { name: /^Receipt/ }).click()
    await expect(page.getByLabel('Name of the schema')).toHaveValue('Receipt')
    isHeld = true
    await page.getByRole('button', { name: 'Save' }).click()
    await reached.promise
    await page.getByRole('link', { name: 'All schemas' }).click()
    held.resolve()
    await expect(page.getByText('“Receipt” is saved.')).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: /Receipt/ })).toBeVisible()
    await begin.click()
    await expect(page.getByRole('button', { name: /Empty schema/ })).toBeVisible()
    await page.close()
  })
}
