import { startVendor } from '../helpers/vendor.ts'
import { callCore, connectTo, expect, folderWith, openScreen, test } from './host.ts'
import { contextOf, expectFitting, looks, picture } from './pictures.ts'

const records: Record<string, object> = {
  'INV-20418.pdf': {
    'Invoice number': 'INV-20418',
    Seller: 'Hartmann GmbH',
    'Invoice date': '2026-11-03',
    Total: 1284.5,
    Currency: 'EUR',
  },
  'Facture_FA-2026-1183.pdf': {
    'Invoice number': 'FA-1183',
    Seller: 'Lumière',
    'Invoice date': '2026-11-04',
    Total: 90,
    Currency: 'CHF',
  },
  'Factura A-2026-0318.pdf': { Shop: 'Café Lind', 'Receipt date': '2026-11-05', 'Total amount': 12.4 },
  'invoice_8841_brightwater.pdf': { Shop: 'Rewe', 'Receipt date': '2026-11-06', 'Total amount': 7 },
}
const text = (name: string) => ({ name, format: 'text' as const, description: '' })
const number = (name: string) => ({ name, format: 'number' as const, description: '' })
const schemas = {
  Invoices: [text('Invoice number'), text('Seller'), text('Invoice date'), number('Total'), text('Currency')],
  Receipts: [text('Shop'), text('Receipt date'), number('Total amount')],
}

test('a list of several schemas shows what they share by meaning', async ({ host, browser }) => {
  const page = await host.open(browser)
  const vendor = await startVendor(({ filename }) => ({
    body: JSON.stringify({ status: 'success', data: [records[filename]], metadata: { filename } }),
  }))
  await callCore(page, 'settings.update', { firstRunDone: true })
  const connectionId = await connectTo(page, vendor)
  for (const [index, [name, elements]] of Object.entries(schemas).entries()) {
    const { id: schemaId } = await callCore(page, 'schemas.save', { id: null, name, elements })
    const files = Object.keys(records).slice(index * 2, index * 2 + 2)
    await callCore(page, 'folders.add', { path: folderWith(host, name, files), schemaId, connectionId })
  }
  await expect
    .poll(async () => (await callCore(page, 'app.state', {})).counts, { timeout: 60_000 })
    .toMatchObject({ done: 4 })
  await vendor.close()
  await openScreen(page, host, '#/documents')
  for (const name of ['From', 'Date', 'Total'])
    await expect(page.getByRole('columnheader', { name: new RegExp(`^${name} `) })).toBeVisible()
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
  await expect(row('INV-20418')).toContainText(/Hartmann GmbH.*1,284\.50 EUR/)
  await expect(row('Factura A-2026')).toContainText(/Café Lind.*12\.40/)
  await page.close()
  for (const look of looks) {
    const again = await host.open(browser, contextOf(look))
    await openScreen(again, host, '#/documents')
    await expect(again.getByRole('row')).toHaveCount(5)
    await expectFitting(again)
    await picture(again, 'mixed-list', look)
    await again.close()
  }
})
