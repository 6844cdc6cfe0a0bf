import type { Page } from '@playwright/test'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { forNight } from '../helpers/scale.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { Vendor, VendorReply } from '../helpers/vendor.ts'
import { callCore, complaintsOf, expect, extractedInvoices, test } from './host.ts'
import type { Host } from './host.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture, titleOf } from './pictures.ts'

const files = [
  'INV-20418.pdf',
  'Rechnung 2026-0917 Hartmann.pdf',
  'invoice_8841_brightwater.pdf',
  'Credit Note CN-1022.docx',
]
const elements: SchemaElement[] = [
  { name: 'Number', format: 'text', description: 'Number of the invoice, as printed' },
  { name: 'Total', format: 'number', description: 'With tax' },
  {
    name: 'Rows',
    format: 'list',
    description: 'What is invoiced',
    items: [{ name: 'Article', format: 'text', description: 'What it is' }],
  },
]
const gained: SchemaElement[] = [
  ...elements,
  { name: 'Payment terms', format: 'text', description: 'When it is to be paid' },
]

/** Four documents of a service that bills; of one of them the later fields give nothing. */
async function furnish(host: Host, page: Page): Promise<{ vendor: Vendor; schemaId: number; ids: number[] }> {
  const vendor = await startVendor(({ filename, params }): VendorReply => {
    const isLater = JSON.stringify(params).includes('Payment terms')
    if (isLater && filename === files[3])
      return { status: 422, body: '{"status":"error","code":"422","error":"no text"}' }
    const rows = [{ Article: 'Filter' }, { Article: isLater ? 'Pump, large' : 'Pump' }]
    const data = {
      Number: filename.slice(0, 12),
      Total: 119,
      Rows: isLater && filename === files[2] ? rows.slice(1) : rows,
    }
    return {
      body: JSON.stringify({
        status: 'success',
        data: isLater ? { ...data, 'Payment terms': 'within 30 days' } : data,
        metadata: { tokens_consumed: 20 },
      }),
    }
  })
  const { schemaId, ids } = await extractedInvoices(host, page, { vendor, elements, files })
  return { vendor, schemaId, ids }
}

test('after a field was added documents are extracted again by keys, with a look at what changes, and undone', async ({
  host,
  browser,
}) => {
  const page = await host.open(browser)
  const complaints = complaintsOf(page)
  const { vendor, schemaId, ids } = await furnish(host, page)
  await callCore(page, 'review.correct', { id: ids[1]!, changes: [{ pointer: '/0/Number', value: 'A-1' }] })
  await page.goto(`${new URL(page.url()).origin}/#/schemas/${schemaId}`)
  await expect(page.getByRole('tab', { name: 'Fields' })).toBeVisible()
  await expect(page.getByText('the values of earlier versions')).toHaveCount(0)
  await callCore(page, 'schemas.save', { id: schemaId, name: 'Invoice', elements: gained })

  await expect(page.getByText('4 documents have the values of earlier versions.')).toBeVisible()
  await page.getByRole('button', { name: 'Extract again…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Extract again with the fields of version 2' })
  await expect(dialog.getByText('4 documents would be sent to “Head office”')).toBeVisible()
  await expect(dialog.getByRole('button', { name: /^Take over/ })).toBeDisabled()
  expect(vendor.received).toHaveLength(4)
  await dialog.getByRole('button', { name: 'Send 4 documents' }).press('Enter')

  await expect(dialog.getByText('3 documents would change. 1 corrected value stays.')).toBeVisible()
  expect(vendor.received).toHaveLength(8)
  const document = (name: string): ReturnType<typeof dialog.locator> =>
    dialog.locator('section').filter({ hasText: name })
  await expect(document('INV-20418.pdf')).toContainText('Payment terms')
  await expect(document('INV-20418.pdf')).toContainText('Rows · 2 · Article')
  await expect(document('INV-20418.pdf')).toContainText('Pump → Pump, large')
  await expect(document('invoice_8841_brightwater.pdf')).toContainText('2 rows → 1 row')
  await expect(document('Rechnung 2026-0917 Hartmann.pdf')).not.toContainText('Number')
  await expect(dialog.getByText('1 document stays as it is:')).toBeVisible()
  await expect(dialog.getByText('Credit Note CN-1022.docx:')).toBeVisible()
  await expectAccessible(page)

  await dialog.getByRole('button', { name: 'Take over 3 documents' }).press('Enter')
  await expect(page.getByText('3 documents have the values of version 2.')).toBeVisible()
  await expect(page.getByText('1 document has the values of an earlier version.')).toBeVisible()
  const recordOf = async (id: number): Promise<unknown> => (await callCore(page, 'documents.get', { id })).records[0]
  expect(await recordOf(ids[1]!)).toMatchObject({ Number: 'A-1', 'Payment terms': 'within 30 days' })

  await page.getByRole('button', { name: 'Undo', exact: true }).last().press('Enter')
  await expect(page.getByText('3 documents are as they were.')).toBeVisible()
  expect(await recordOf(ids[1]!)).toEqual({
    Number: 'A-1',
    Total: 119,
    Rows: [{ Article: 'Filter' }, { Article: 'Pump' }],
  })
  expect(complaints).toEqual([])
  await page.close()
  await vendor.close()
})

for (const look of looks)
  test(`extracting again (${titleOf(look)}) fits and is accessible`, forNight, async ({ host, browser }) => {
    const page = await host.open(browser, contextOf(look))
    const { vendor, schemaId } = await furnish(host, page)
    await callCore(page, 'schemas.save', { id: schemaId, name: 'Invoice', elements: gained })
    await page.goto(`${new URL(page.url()).origin}/#/schemas/${schemaId}`)
    const begin = page.locator('.callout').getByRole('button')
    await begin.press('Enter')
    const dialog = page.getByRole('dialog')
    const send = dialog.locator('.callout').getByRole('button')
    await expect(send).toBeVisible()
    await expectFitting(page)
    await picture(page, 'reextraction-asks', look)
    await send.press('Enter')
    await expect(dialog.locator('.changed-document')).toHaveCount(3)
    await expectAccessible(page)
    await expectFitting(page)
    await picture(page, 'reextraction-changes', look)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await picture(page, 'reextraction-schema', look)
    await page.close()
    await vendor.close()
  })
