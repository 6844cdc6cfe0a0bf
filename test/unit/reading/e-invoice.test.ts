import { PDFDocument } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { readDocument } from '../../../electron/reading/read.ts'
import type { Document, ExactValue } from '../../../shared/domain/document.ts'
import { ciiInvoice, ublInvoice, zugferdOne } from '../invoices-as-xml.ts'
import { noRecognition, textsOf } from './expectations.ts'
import { forNight } from '../../helpers/scale.ts'

describe('a PDF that carries an e-invoice', () => {
  it('says the amounts, parties and dates of a Cross Industry Invoice exactly', async () => {
    const document = await read('factur-x.xml', ciiInvoice())
    expect(document.exact).toMatchObject([{ kind: 'e-invoice', name: 'factur-x.xml' }])
    expect(headerOf(document)).toMatchObject({
      invoice_number: 'R-2026/17',
      issue_date: '2026-03-18',
      due_date: '2026-04-17',
      document_type: 'invoice',
      currency: 'EUR',
      seller_name: 'Wörle & Söhne GmbH',
      seller_vat_id: 'DE136695976',
      seller_tax_number: '201/113/40209',
      seller_address: 'Lieferantenstraße 20, 80333 München',
      buyer_name: 'Kunden AG Mitte',
      order_number: 'B-77',
      delivery_date: '2026-03-14',
      line_total: 473,
      net_amount: 473,
      tax_amount: 56.87,
      total_amount: 529.87,
      prepaid_amount: 29.87,
      amount_due: 500,
      iban: 'DE02120300000000202051',
      bic: 'BYLADEM1001',
      payment_reference: 'R-2026/17',
    })
  })

  it('gives the rows of lines and taxes in their order', async () => {
    const document = await read('factur-x.xml', ciiInvoice())
    expect(rowsOf(document, 'line_items')).toEqual([
      {
        line_number: '1',
        item_name: 'Trennblätter A4',
        article_number: 'TB100A4',
        gross_unit_price: 9.9,
        unit_price: 9.9,
        quantity: 20,
        unit: 'piece',
        tax_rate: 19,
        line_amount: 198,
      },
      {
        line_number: '2',
        item_name: 'Joghurt',
        unit_price: 5.5,
        quantity: 50,
        unit: 'kg',
        tax_rate: 7,
        line_amount: 275,
      },
    ])
    expect(rowsOf(document, 'tax_breakdown')).toMatchObject([
      { tax_rate: 7, taxable_amount: 275, tax_amount: 19.25 },
      { tax_rate: 19, taxable_amount: 198, tax_amount: 37.62 },
    ])
  })

  it('reads a minimum without lines', async () => {
    const document = await read('factur-x.xml', ciiInvoice({ minimum: true }))
    expect(headerOf(document)).toMatchObject({ invoice_number: 'R-2026/17', total_amount: 529.87, amount_due: 500 })
    expect(rowsOf(document, 'line_items')).toEqual([])
  })

  it('reads the names of ZUGFeRD 1.0 as the same terms', async () => {
    const document = await read('ZUGFeRD-invoice.xml', zugferdOne())
    expect(headerOf(document)).toMatchObject({
      invoice_number: 'RE-9',
      issue_date: '2015-03-03',
      document_type: 'invoice',
      seller_name: 'Bei Spiel GmbH',
      total_amount: 119,
      tax_amount: 19,
      tax_rate: 19,
    })
    expect(rowsOf(document, 'line_items')).toMatchObject([
      { item_name: 'Beratung', quantity: 2, unit: 'h', line_amount: 100 },
    ])
  })

  it('reads a UBL invoice and a UBL credit note', async () => {
    const invoice = await read('xrechnung.xml', ublInvoice('Invoice'))
    expect(headerOf(invoice)).toMatchObject({
      invoice_number: 'U-5',
      issue_date: '2026-01-31',
      document_type: 'invoice',
      seller_name: 'Seller & Co',
      seller_vat_id: 'NL123456789B01',
      buyer_city: 'Utrecht',
      net_amount: 200,
      tax_amount: 42,
      total_amount: 242,
      amount_due: 242,
    })
    expect(rowsOf(invoice, 'line_items')).toMatchObject([
      {
        item_name: 'Chair',
        article_number: 'C-1',
        quantity: 4,
        unit: 'piece',
        unit_price: 50,
        line_amount: 200,
        tax_rate: 21,
      },
    ])
    const credit = await read('credit.xml', ublInvoice('CreditNote'))
    expect(headerOf(credit)).toMatchObject({ invoice_number: 'U-5', document_type: 'credit note', total_amount: 242 })
    expect(rowsOf(credit, 'line_items')).toMatchObject([{ item_name: 'Chair', quantity: 4 }])
  })

  it('takes the tax in the money of the invoice, not in that of the accounts', async () => {
    const twice = ciiInvoice().replace(
      '<ram:TaxTotalAmount',
      '<ram:TaxTotalAmount currencyID="GBP">48.11</ram:TaxTotalAmount><ram:TaxTotalAmount',
    )
    expect(headerOf(await read('factur-x.xml', twice))).toMatchObject({ tax_amount: 56.87 })
  })

  it.each(['utf-16le', 'latin1'] as const)('reads %s as it is marked or declared', async (encoding) => {
    const xml = ciiInvoice().replace('UTF-8', encoding === 'latin1' ? 'ISO-8859-1' : 'UTF-16')
    const bytes = Buffer.from(encoding === 'latin1' ? xml : `\ufeff${xml}`, encoding)
    expect(headerOf(await read('factur-x.xml', bytes))).toMatchObject({ seller_name: 'Wörle & Söhne GmbH' })
  })

  it('leaves out what is no number or no date', async () => {
    const xml = ciiInvoice().replace('>529.87<', '>five hundred<').replace('20260318', '20261318')
    const header = headerOf(await read('factur-x.xml', xml))
    expect(header).not.toHaveProperty('total_amount')
    expect(header).not.toHaveProperty('issue_date')
    expect(header).toMatchObject({ amount_due: 500 })
  })

  it.each([
    [
      'entities that grow',
      `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${ciiInvoice({ bare: true })}`,
    ],
    ['an entity that nobody declared', ciiInvoice().replace('Joghurt', '&xxe;')],
    ['elements nested without end', '<a>'.repeat(100_000)],
    ['half of a file', ciiInvoice().slice(0, 2000)],
    ['an encoding that does not exist', ciiInvoice().replace('UTF-8', 'x-none')],
    ['another kind of XML', '<invoices><Invoice/></invoices>'],
    ['an Invoice of another vocabulary', '<Invoice><Total>5</Total></Invoice>'],
    ['nothing', ''],
    ['no XML', Buffer.from([0, 1, 2, 3, 255, 254])],
  ])('reads the page beside %s', async (_what, content) => {
    const document = await read('factur-x.xml', content)
    expect(document.exact).toBeUndefined()
    expect(textsOf(document)).toContain('page')
  })

  it('does not parse an attachment of 50 MB', forNight, async () => {
    const filler = `<!--${' '.repeat(50_000_000)}-->`
    const document = await read('factur-x.xml', ciiInvoice().replace('?>', `?>${filler}`))
    expect(document.exact).toBeUndefined()
    expect(textsOf(document)).toContain('page')
  })

  it('opens no attachment that is no XML', async () => {
    expect((await read('factur-x.pdf', ciiInvoice())).exact).toBeUndefined()
  })
})

async function read(name: string, content: string | Uint8Array): Promise<Document> {
  const pdf = await PDFDocument.create()
  pdf.addPage([400, 400]).drawText('page with some words', { x: 40, y: 300 })
  await pdf.attach(typeof content === 'string' ? Buffer.from(content) : content, name)
  return readDocument(await pdf.save(), 'pdf', noRecognition)
}

function headerOf(document: Document): Record<string, ExactValue['value']> {
  const values = document.exact?.flatMap((source) => source.values) ?? []
  return Object.fromEntries(values.filter(({ row }) => row === undefined).map(({ term, value }) => [term, value]))
}

function rowsOf(document: Document, list: string): Record<string, ExactValue['value']>[] {
  const rows: Record<string, ExactValue['value']>[] = []
  for (const { term, value, row } of document.exact?.flatMap((source) => source.values) ?? [])
    if (row?.list === list) rows[row.index] = { ...rows[row.index], [term]: value }
  return rows
}
