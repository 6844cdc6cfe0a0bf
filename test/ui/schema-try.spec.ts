import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { totalOf } from '../../shared/domain/document-status.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { VendorReply } from '../helpers/vendor.ts'
import { gate } from '../helpers/vendor-questions.ts'
import { callCore, complaintsOf, connectTo, expect, folderWith, test } from './host.ts'
import type { Host } from './host.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture } from './pictures.ts'
import type { Look } from './pictures.ts'
import { forNight, isLong } from '../helpers/scale.ts'

const files = [
  'INV-20418.pdf',
  'Rechnung 2026-0917 Hartmann.pdf',
  'Credit Note CN-1022.docx',
  'Invoice 1058 Kestrel Landscaping.xlsx',
  'invoice_8841_brightwater.pdf',
]

/** A schema whose documents are read: on this computer, or by what is given. */
async function furnish(
  host: Host,
  page: Page,
  connection?: number,
): Promise<{ schemaId: number; folder: string; elements: SchemaElement[] }> {
  await callCore(page, 'settings.update', { firstRunDone: true })
  const elements = (await callCore(page, 'schemas.templates', { locale: 'en' })).templates.find(
    ({ key }) => key === 'invoice',
  )!.elements
  const { id: schemaId } = await callCore(page, 'schemas.save', { id: null, name: 'Invoice', elements })
  const connectionId =
    connection ?? (await callCore(page, 'connections.list', {})).connections.find(({ kind }) => kind === 'local')!.id
  const folder = folderWith(host, 'Invoices', files)
  await callCore(page, 'folders.add', { path: folder, schemaId, connectionId })
  await expect
    .poll(async () => totalOf((await callCore(page, 'documents.counts', { schemaId })).counts))
    .toBe(files.length)
  await expect
    .poll(async () => (await callCore(page, 'documents.counts', { schemaId })).counts.done ?? 0, { timeout: 60_000 })
    .toBe(files.length)
  return { schemaId, folder, elements }
}

async function openTry(page: Page, schemaId: number): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/#/schemas/${schemaId}`)
  await page.locator('.tab').nth(3).click()
}

/** The fields in the editor become others, without being saved. */
async function edit(page: Page, elements: SchemaElement[]): Promise<void> {
  await page.locator('.tab').nth(2).click()
  await page.locator('.schema-json textarea').fill(JSON.stringify(elements))
  // What was typed is checked a moment later.
  await expect(page.locator('.page-head__actions .hint')).toBeVisible()
  await page.locator('.tab').nth(3).click()
}

/** One field less, one more, one of another name, and a list without one of its columns. */
function changed(elements: SchemaElement[]): SchemaElement[] {
  const [first, second, ...rest] = elements
  return [
    { ...first!, name: 'No. of the invoice as the supplier wrote it' },
    ...rest.map((element) => (element.items ? { ...element, items: element.items.slice(1) } : element)),
    { name: 'Payment terms', format: 'text' as const, description: 'When it has to be paid, in words' },
  ].filter(({ name }) => name !== second!.name)
}

test(
  'a draft is tried on this computer at once, by the keyboard, and nothing of it is saved',
  forNight,
  async ({ host, browser }) => {
    const page = await host.open(browser)
    const complaints = complaintsOf(page)
    const { schemaId, folder, elements } = await furnish(host, page)
    const before = await callCore(page, 'documents.list', { schemaId })
    await openTry(page, schemaId)
    await expect(page.getByRole('list', { name: 'Documents to try it on' }).getByRole('listitem')).toHaveCount(5)
    await expect(page.getByText('Read on this computer: nothing is billed.')).toBeVisible()

    const start = page.getByRole('button', { name: 'Try on 5 documents' })
    await start.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^All \d+ values are the same\.$/)).toBeVisible()

    await edit(page, changed(elements))
    await expect(page.getByText('Fields, documents or connection were changed since.')).toBeVisible()
    rmSync(join(folder, files[4]!))
    await start.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^\d+ of \d+ values differ\. 1 document gave none\.$/)).toBeVisible()
    const table = page.getByRole('region', { name: 'Values of the documents' })
    await expect(table.getByText('The file is no longer in its place.')).toBeVisible()
    const row = (name: string): ReturnType<Page['locator']> =>
      table.locator('tbody tr').filter({ has: page.locator('th', { hasText: name }) })
    await expect(row('No. of the invoice').getByText(`was: ${elements[0]!.name}`)).toBeVisible()
    await expect(row('No. of the invoice').locator('[data-mark="same"]').first()).toContainText('Same')
    await expect(row(elements[1]!.name).getByText('not in the editor')).toBeVisible()
    await expect(row(elements[1]!.name).locator('[data-mark="gone"]').first()).toContainText('Gone')
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Other documents…' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('checkbox')).toHaveCount(5)
    await dialog.getByRole('checkbox').first().focus()
    await page.keyboard.press('Space')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Use 4 documents' }).click()
    await expect(page.getByRole('button', { name: 'Try on 4 documents' })).toBeVisible()

    expect(await callCore(page, 'documents.list', { schemaId })).toEqual(before)
    expect((await callCore(page, 'schemas.versions', { id: schemaId })).versions).toHaveLength(1)
    expect(complaints).toEqual([])
    await page.close()
  },
)

test('where it is billed one button confirms, an answer is not paid for twice, and a lost one says so', async ({
  host,
  browser,
}) => {
  const held = gate()
  let drafts = 0
  const isDraft = (params: unknown): boolean => JSON.stringify(params).includes('Payment terms')
  const vendor = await startVendor(async (document): Promise<VendorReply> => {
    if (!isDraft(document.params)) return {}
    drafts += 1
    await held.opened
    return document.filename === files[0] ? { drop: true } : {}
  })
  const page = await host.open(browser)
  const complaints = complaintsOf(page)
  const connectionId = await connectTo(page, vendor)
  const { schemaId, elements } = await furnish(host, page, connectionId)
  await openTry(page, schemaId)
  await edit(page, changed(elements))
  await expect(page.getByText('“Head office” may bill this. First you see what it would come to.')).toBeVisible()
  await page.getByRole('button', { name: 'Try on 5 documents' }).click()
  await expect(page.getByText('5 documents would be sent to “Head office”, where they may be billed.')).toBeVisible()
  await expect(page.getByText('About 35 tokens (from 5 measured documents).')).toBeVisible()
  await expectAccessible(page)
  expect(drafts).toBe(0)

  await page.getByRole('button', { name: 'Send 5 documents' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('is being read')).toHaveCount(5)
  await expect.poll(() => drafts).toBe(5)
  held.open()
  await expect(page.getByText('may have been billed')).toBeVisible()
  await expect(page.getByText(/1 document gave none\./)).toBeVisible()
  expect(drafts).toBe(5)

  await page.getByRole('button', { name: 'Try on 5 documents' }).click()
  await expect(page.getByText('kept answer, nothing was sent')).toHaveCount(4)
  await expect(page.getByText('may have been billed')).toBeVisible()
  expect(drafts).toBe(5)
  await page.getByRole('button', { name: `Send again… ${files[0]}` }).click()
  await expect(page.getByRole('alertdialog')).toContainText('may be billed twice')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => drafts).toBe(6)
  expect(complaints).toEqual([])
  await page.close()
  await vendor.close()
})

const more: Look[] = [
  { locale: 'en-US', scheme: 'dark', width: 1024, height: 700 },
  { locale: 'de-DE', scheme: 'light', width: 1280, height: 800 },
  { locale: 'de-DE', scheme: 'dark', width: 1280, height: 800 },
]

test(
  'trying fits and can be reached in every look, also before there is any document',
  forNight,
  async ({ host, browser }) => {
    const start = await host.open(browser)
    const { schemaId, folder, elements } = await furnish(host, start)
    rmSync(join(folder, files[4]!))
    const { id: empty } = await callCore(start, 'schemas.save', { id: null, name: 'Delivery', elements })
    await openTry(start, empty)
    await expect(start.getByText('No document of this schema yet')).toBeVisible()
    await expectAccessible(start)
    await start.close()
    for (const look of [...looks, ...(isLong ? more : [])]) {
      const page = await host.open(browser, contextOf(look))
      await openTry(page, schemaId)
      await edit(page, changed(elements))
      await page.locator('.try-it__start .button--primary').click()
      await expect(page.locator('.trial__reason')).toBeVisible()
      await expect(page.locator('.comparison__sum')).not.toContainText('…')
      await expectFitting(page)
      await expectAccessible(page)
      await picture(page, 'schema-try', look)
      await page.close()
    }
  },
)
