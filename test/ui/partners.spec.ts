import type { Page } from '@playwright/test'
import { forNight } from '../helpers/scale.ts'
import { startVendor } from '../helpers/vendor.ts'
import type { Vendor } from '../helpers/vendor.ts'
import { complaintsOf, expect, extractedInvoices, openScreen, test } from './host.ts'
import type { Host } from './host.ts'
import { contextOf, expectAccessible, expectFitting, looks, picture, titleOf } from './pictures.ts'

const files = ['INV-20418.pdf', 'invoice_8841_brightwater.pdf']
const elements = ['Seller', 'IBAN', 'Invoice number'].map((name) => ({
  name,
  format: 'text' as const,
  description: '',
}))
const table =
  'Kreditorennummer;Firma;USt-IdNr.;IBAN;Gegenkonto\r\n' +
  '70012;Pemberton Joinery;GB284771906;GB63 HBUK 4012 7688 2033 14;3400\r\n' +
  '70013;Müller & Söhne;DE136695976;;3410\r\n' +
  '70014;;;;\r\n'

/** Two documents of a service: one of a sender with another account than the table has, one of the office itself. */
async function furnish(host: Host, page: Page): Promise<{ vendor: Vendor; ids: number[] }> {
  const vendor = await startVendor(({ filename }) => ({
    body: JSON.stringify({
      status: 'success',
      data:
        filename === files[0]
          ? { Seller: 'PEMBERTON JOINERY LTD', IBAN: 'DE02 1203 0000 0000 2020 51', 'Invoice number': 'INV-20418' }
          : { Seller: 'Mossfield Interiors LLP', IBAN: null, 'Invoice number': '8841' },
      metadata: { tokens_consumed: 20 },
    }),
  }))
  const { ids } = await extractedInvoices(host, page, { vendor, elements, files })
  return { vendor, ids }
}

async function importTable(page: Page): Promise<void> {
  // As Excel writes CSV in the West of Europe.
  const buffer = Buffer.from(table, 'latin1')
  await page.getByTestId('partners-file').setInputFiles({ name: 'Kreditoren.csv', mimeType: 'text/csv', buffer })
}

test(
  'partners are brought along, added and changed by keys, and say who a document is from',
  forNight,
  async ({ host, browser }) => {
    const page = await host.open(browser)
    const complaints = complaintsOf(page)
    const { vendor, ids } = await furnish(host, page)
    await openScreen(page, host, '#/partners')
    await expect(page.getByRole('heading', { name: 'No partner yet' })).toBeVisible()
    await importTable(page)
    await expect(
      page.getByText('2 partners added, 0 changed. 1 row without a name or IBAN that does not exist'),
    ).toBeVisible()
    const row = (name: string): ReturnType<Page['locator']> =>
      page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
    await expect(row('Müller & Söhne')).toContainText('DE136695976')
    await expect(row('Pemberton Joinery')).toContainText('GB63 HBUK 4012 7688 2033 14')
    await page.getByRole('textbox', { name: 'Search by name or number' }).fill('70013')
    await expect(page.getByRole('rowheader')).toHaveCount(1)
    await page.getByRole('textbox', { name: 'Search by name or number' }).fill('')

    await page.getByRole('button', { name: 'Add your own company' }).press('Enter')
    await page.keyboard.type('Mossfield Interiors')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('checkbox', { name: 'This is our own company' })).toBeChecked()
    await dialog.getByRole('textbox', { name: 'VAT number' }).fill('DE 136 695 976')
    await dialog.getByRole('textbox', { name: 'Accounts (IBAN)' }).fill('GB00 1234')
    await dialog.getByRole('button', { name: 'Save' }).press('Enter')
    await expect(dialog.getByRole('alert')).toContainText('“GB00 1234” is no IBAN')
    await expectAccessible(page)
    await dialog.getByRole('textbox', { name: 'Accounts (IBAN)' }).fill('')
    await dialog.getByRole('button', { name: 'Save' }).press('Enter')
    await expect(row('Mossfield Interiors')).toContainText('Own company')
    await expect(page.getByText('No longer of Müller & Söhne')).toBeVisible()
    await expect(row('Müller & Söhne')).not.toContainText('DE136695976')
    await expect(page.getByRole('button', { name: 'Add your own company' })).toHaveCount(0)
    await expectAccessible(page)

    await openScreen(page, host, `#/documents/${ids[0]}`)
    await expect(page.getByRole('textbox', { name: 'Seller' })).toHaveValue('Pemberton Joinery')
    await expect(page.getByText('As in your partners. Sheaf read “PEMBERTON JOINERY LTD”.')).toBeVisible()
    await expect(page.locator('[data-grave]')).toContainText('DE02 1203 0000 0000 2020 51 is another bank account')
    await openScreen(page, host, `#/documents/${ids[1]}`)
    await expect(page.getByRole('textbox', { name: 'Seller' })).toHaveValue('')
    await expect(page.getByText('“Mossfield Interiors LLP” is your own company')).toBeVisible()

    await openScreen(page, host, '#/partners')
    await row('Müller & Söhne')
      .getByRole('button', { name: /^Remove/ })
      .press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).press('Enter')
    await expect(page.getByRole('rowheader')).toHaveCount(2)
    expect(complaints).toEqual([])
    await page.close()
    await vendor.close()
  },
)

for (const look of looks)
  test(`partners (${titleOf(look)}) fit and are accessible`, forNight, async ({ host, browser }) => {
    const page = await host.open(browser, contextOf(look))
    const { vendor, ids } = await furnish(host, page)
    await openScreen(page, host, '#/partners')
    await expect(page.locator('.empty-state')).toBeVisible()
    await expectFitting(page)
    await picture(page, 'partners-none', look)
    await importTable(page)
    await expect(page.getByRole('rowheader')).toHaveCount(2)
    await expectAccessible(page)
    await expectFitting(page)
    await picture(page, 'partners', look)
    await page.locator('.page-head .button--primary').press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page)
    await expectFitting(page)
    await picture(page, 'partners-add', look)
    await openScreen(page, host, `#/documents/${ids[0]}`)
    await expect(page.locator('[data-grave]')).toBeVisible()
    await expect(page.locator('canvas[data-drawn="true"]').first()).toBeVisible()
    await expectAccessible(page)
    await picture(page, 'partners-document', look)
    await page.close()
    await vendor.close()
  })
