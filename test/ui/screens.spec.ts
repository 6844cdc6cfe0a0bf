import type { Page } from '@playwright/test'
import { forNight } from '../helpers/scale.ts'
import { callCore, complaintsOf, expect, openScreen, startHost, test } from './host.ts'
import type { Host } from './host.ts'
import { furnish, furnishAnswers, officeFiles, pretendElsewhere, startForgetfulPlatform } from './office.ts'
import type { ForgetfulPlatform, Office } from './office.ts'
import { contextOf, expectAccessible, expectFitting, picture, plain, screenLooks, titleOf } from './pictures.ts'

let host: Host
let platform: ForgetfulPlatform
let office: Office

test.beforeAll(async ({ browser }) => {
  platform = await startForgetfulPlatform()
  host = await startHost()
  const page = await host.open(browser)
  office = await furnish(host, page, platform)
  await furnishAnswers(host, page, office)
  await callCore(page, 'settings.update', { dailyDocumentCap: 40 })
  await callCore(page, 'exports.run', { schemaId: office.schemaId, format: 'xlsx', locale: 'en' })
  pretendElsewhere(host, 'a-rather-long-name-of-a-platform.documents.example.com')
  await page.close()
})
test.afterAll(async () => {
  await host.stop()
  platform.stop()
})

/**
 * A dialog is as large in every window: the largest one shows nothing new of it. `further`: another state of a screen
 * of this list.
 */
type Screen = { name: string; hash: string; dialog?: true; further?: true; ready: (page: Page) => Promise<void> }

/** The row of a document, searched for: a small window does not show it by itself. */
async function rowOf(page: Page, name: string): Promise<ReturnType<Page['locator']>> {
  await page.getByRole('searchbox').fill(name)
  // Rows that are still about to leave would move it under the pointer.
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '2')
  return page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) })
}

const openDocument =
  (name: string, drawn: string) =>
  async (page: Page): Promise<void> => {
    await (await rowOf(page, name)).click()
    await expect(page.locator(drawn).first()).toBeVisible()
  }

/** The documents that need no look, while they are in the bin: then there is nothing to export but what needs one. */
const binned: number[] = []

async function binReady(page: Page): Promise<void> {
  const { documents } = await callCore(page, 'documents.selectable', { limit: 100 })
  // Copies as well: each would stand for the document that is in the bin.
  for (const { id, review } of documents) if (review !== 'flagged') binned.push(id)
  if (binned.length > 0) await callCore(page, 'documents.bin', { ids: binned })
}

async function restoreReady(page: Page): Promise<void> {
  if (binned.length > 0) await callCore(page, 'documents.restore', { ids: binned.splice(0) })
}

const screens: Screen[] = [
  {
    name: 'documents',
    hash: '#/documents',
    ready: (page) =>
      expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', String(officeFiles.good.length + 6)),
  },
  {
    name: 'documents-selected',
    hash: '#/documents',
    further: true,
    ready: async (page) => {
      const grid = page.getByRole('grid')
      await expect(grid.getByRole('row').nth(1)).toBeVisible()
      await grid.focus()
      await page.keyboard.press('Control+a')
      await expect(page.getByRole('row', { selected: true }).first()).toBeVisible()
    },
  },
  {
    name: 'resend',
    hash: '#/documents',
    further: true,
    dialog: true,
    ready: async (page) => {
      await (await rowOf(page, officeFiles.lost)).click()
      await page.locator('.document-actions .button--quiet').first().click()
      await expect(page.getByRole('alertdialog')).toBeVisible()
    },
  },
  {
    name: 'document-pdf',
    hash: '#/documents',
    ready: async (page) => {
      await openDocument('Rechnung 2026-0917 Hartmann.pdf', 'canvas[data-drawn="true"]')(page)
      await page.locator('.value[data-found]').nth(1).focus()
      await expect(page.locator('.mark[data-on]')).toHaveCount(1)
    },
  },
  { name: 'document-image', hash: '#/documents', further: true, ready: openDocument('IMG_2231.JPG', '.paper img') },
  { name: 'document-docx', hash: '#/documents', ready: openDocument('Credit Note CN-1022.docx', '.paper svg text') },
  {
    name: 'document-xlsx',
    hash: '#/documents',
    further: true,
    ready: openDocument('Invoice 1058 Kestrel Landscaping.xlsx', '.workbook td'),
  },
  { name: 'document-failed', hash: '#/documents', ready: openDocument(officeFiles.damaged, '.document .empty-state') },
  {
    name: 'document-unknown',
    hash: '#/documents',
    further: true,
    ready: openDocument(officeFiles.lost, 'canvas[data-drawn="true"]'),
  },
  { name: 'folders', hash: '#/folders', ready: (page) => expect(page.locator('.folder-card')).toHaveCount(2) },
  {
    name: 'folder-add',
    hash: '#/folders',
    dialog: true,
    ready: async (page) => {
      await page.locator('.page-head .button--primary').click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  {
    name: 'folder-browse',
    hash: '#/folders',
    further: true,
    dialog: true,
    ready: async (page) => {
      await page.locator('.page-head .button--primary').click()
      await page.locator('.folder-picker .button').click()
      await expect(page.locator('.browse__item').first()).toBeVisible()
    },
  },
  { name: 'schemas', hash: '#/schemas', ready: (page) => expect(page.locator('.card')).toHaveCount(1) },
  {
    name: 'schema-templates',
    hash: '#/schemas',
    further: true,
    dialog: true,
    ready: async (page) => {
      await page.locator('.page-head .button--primary').click()
      await expect(page.locator('.choice')).toHaveCount(7)
    },
  },
  { name: 'schema', hash: '#/schemas/1', ready: (page) => expect(page.locator('.field-row').nth(5)).toBeVisible() },
  {
    name: 'schema-rules',
    hash: '#/schemas/1',
    further: true,
    ready: async (page) => {
      await page.getByRole('tab').nth(1).click()
      await expect(page.locator('.rule')).toHaveCount(8)
    },
  },
  {
    name: 'schema-json',
    hash: '#/schemas/1',
    further: true,
    ready: async (page) => {
      await page.getByRole('tab', { name: 'JSON' }).click()
      await expect(page.locator('textarea')).toBeVisible()
    },
  },
  {
    name: 'export-unchecked',
    hash: '#/exports',
    ready: async (page) => {
      await binReady(page)
      await expect(page.locator('.callout__actions')).toBeVisible()
    },
  },
  {
    name: 'export',
    hash: '#/exports',
    ready: async (page) => {
      await page.locator('.callout__actions .button').last().click()
      await restoreReady(page)
      await expect(page.locator('.sheet__table td').nth(5)).toBeVisible()
    },
  },
  {
    name: 'ask',
    hash: '#/ask',
    ready: (page) => expect(page.locator('.whom .select').nth(1)).toContainText('Delivery notes'),
  },
  {
    name: 'ask-answered',
    hash: '#/ask/2',
    ready: (page) => expect(page.locator('.message--answer .message__text')).toContainText('TilePort'),
  },
  {
    name: 'ask-failed',
    hash: '#/ask/1',
    further: true,
    ready: (page) => expect(page.locator('.message--answer .callout--bad .button')).toBeVisible(),
  },
  { name: 'agents', hash: '#/agents', ready: (page) => expect(page.locator('.agent-card')).toHaveCount(2) },
  {
    name: 'agent-documents',
    hash: '#/agents',
    further: true,
    dialog: true,
    ready: async (page) => {
      await page.locator('.agent-card .card__foot .button:not(.button--quiet)').click()
      await expect(page.getByRole('dialog').locator('.rows__item')).toHaveCount(3)
    },
  },
  {
    name: 'schema-draft',
    hash: '#/schemas',
    further: true,
    dialog: true,
    ready: async (page) => {
      await page.locator('.page-head .button').first().click()
      await expect(page.locator('.chosen-file')).toBeVisible()
    },
  },
  { name: 'usage', hash: '#/usage', ready: (page) => expect(page.locator('.chart__bar').first()).toBeAttached() },
  { name: 'sent', hash: '#/sent', ready: (page) => expect(page.locator('.usage-table--sent tbody tr')).toHaveCount(2) },
  { name: 'settings', hash: '#/settings', ready: (page) => expect(page.locator('.rows__item')).toHaveCount(2) },
  {
    name: 'settings-account',
    hash: '#/settings',
    further: true,
    dialog: true,
    ready: async (page) => {
      await page.locator('.panel__head .button').first().click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  {
    name: 'diagnostics',
    hash: '#/settings',
    dialog: true,
    ready: async (page) => {
      await page
        .locator('.panel')
        .filter({ has: page.getByRole('heading', { name: 'Sheaf', exact: true }) })
        .locator('.button')
        .first()
        .click()
      await expect(page.locator('.diagnostics')).toContainText('"documents"')
    },
  },
]

for (const look of screenLooks) {
  test.describe(titleOf(look), () => {
    let page: Page
    let complaints: string[]
    test.beforeAll(async ({ browser }) => {
      page = await host.open(browser, contextOf(look))
      complaints = complaintsOf(page)
    })
    test.afterAll(() => page.close())

    for (const { name, hash, further, ready } of screens.filter(({ dialog }) => !dialog || look.width < 1920)) {
      test(`${name} is usable and looks at ease`, further ? forNight : {}, async () => {
        await openScreen(page, host, hash)
        await ready(page)
        await picture(page, name, look)
        await expectFitting(page)
        await expectAccessible(page)
        expect(complaints.splice(0)).toEqual([])
      })
    }
  })
}

test('the first run and the empty list are usable, in light and dark', async ({ browser, host: fresh }) => {
  for (const look of screenLooks.filter(({ width, forced }) => width === 1280 && !forced)) {
    const page = await fresh.open(browser, contextOf(look))
    await expect(page.locator('.radio-card')).toHaveCount(11)
    await picture(page, 'first-run', look)
    await page.locator('.radio-card').nth(1).click()
    await page.locator('.radio-card').nth(3).click()
    await expect(page.locator('.folder-picker')).toBeVisible()
    await picture(page, 'first-run-platform', look)
    await expectFitting(page)
    await expectAccessible(page)
    await page.close()
  }
  const page = await fresh.open(browser, { reducedMotion: 'reduce' })
  await callCore(page, 'settings.update', { firstRunDone: true })
  for (const screen of ['documents', 'folders', 'schemas', 'exports', 'ask', 'agents', 'usage', 'sent']) {
    await page.goto(`${fresh.url}#/${screen}`)
    await expect(
      page.locator(screen === 'usage' || screen === 'sent' ? '.empty-state' : '.empty-state .button').first(),
    ).toBeVisible()
    await picture(page, `${screen}-empty`, plain)
    await expectFitting(page)
    await expectAccessible(page)
  }
  await page.close()
})
