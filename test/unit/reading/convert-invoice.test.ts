import { describe, expect, it } from 'vitest'
import { convertToPdf } from '../../../electron/reading/convert/convert.ts'
import { eInvoiceFrom } from '../../../electron/reading/exact/e-invoice.ts'
import { readDocument } from '../../../electron/reading/read.ts'
import type { Document } from '../../../shared/domain/document.ts'
import type { Locale } from '../../../shared/messages/sentences.ts'
import { ciiInvoice, ublInvoice, zugferdOne } from '../invoices-as-xml.ts'
import { noRecognition } from './expectations.ts'
import { forNight } from '../../helpers/scale.ts'

async function page(xml: string | Buffer, locale: Locale = 'de'): Promise<Document> {
  const pdf = await convertToPdf({ bytes: Buffer.from(xml), format: 'xml', locale }, async () => undefined)
  return readDocument(pdf, 'pdf', noRecognition)
}

const textOf = ({ pages }: Document): string => pages.flatMap(({ tokens }) => tokens.map(({ text }) => text)).join(' ')

describe('an electronic invoice that is a file of its own', () => {
  it('is a page that says what the file says, in the language of the window', async () => {
    const text = textOf(await page(ciiInvoice()))
    for (const said of [
      'Rechnung R-2026/17',
      'Wörle & Söhne GmbH',
      '80333 München',
      'Kunden AG Mitte',
      'Fällig am 17.04.2026',
      'IBAN DE02120300000000202051',
      'Trennblätter A4',
      '473,00 EUR',
      'Gesamtbetrag 529,87 EUR',
      'Zahlbetrag 500,00 EUR',
    ])
      expect(text).toContain(said)
    expect(textOf(await page(ciiInvoice(), 'en'))).toContain('Total 529.87 EUR')
    expect(textOf(await page(ciiInvoice(), 'fr'))).toContain('Échéance 17/04/2026')
  })

  it.each([
    ['a Cross Industry Invoice', ciiInvoice()],
    ['UBL', ublInvoice('Invoice')],
    ['ZUGFeRD 1.0', zugferdOne()],
  ])('says all of it exactly to who reads the page: %s', async (_, xml) => {
    const { exact } = await page(xml)
    expect(exact).toMatchObject([{ kind: 'e-invoice' }])
    expect(exact![0]!.values).toEqual(eInvoiceFrom(Buffer.from(xml), 'invoice.xml')!.values)
  })

  it('goes on over pages, with the heads of its columns on each', forNight, async () => {
    const [, line] =
      /(<ram:IncludedSupplyChainTradeLineItem>[^]*?<\/ram:IncludedSupplyChainTradeLineItem>)/.exec(ciiInvoice()) ?? []
    const long = ciiInvoice().replace(
      line!,
      Array.from({ length: 200 }, (_, index) => line!.replace('Trennblätter A4', `Blatt ${index}`)).join(''),
    )
    const document = await page(long)
    expect(document.pages.length).toBeGreaterThan(3)
    const text = textOf(document)
    for (let index = 0; index < 200; index++) expect(text).toContain(`Blatt ${index} `)
    expect(text.split('Einzelpreis').length - 1).toBeGreaterThanOrEqual(document.pages.length - 1)
  })

  it('measures no text letter by letter, and cuts what is longer than a page', async () => {
    const note = `<ram:IncludedNote><ram:Content>${'x'.repeat(400_000)}</ram:Content></ram:IncludedNote>`
    const document = await page(ciiInvoice().replace('</rsm:ExchangedDocument>', `${note}</rsm:ExchangedDocument>`))
    expect(textOf(document)).toContain('…')
    expect(document.exact![0]!.values.find(({ term }) => term === 'note')!.value).toHaveLength(400_000)
    expect(document.pages.length).toBeLessThan(4)
  })

  it.each([
    ['other XML', '<?xml version="1.0"?><feed><entry/></feed>'],
    ['an invoice that is cut off', ciiInvoice().slice(0, 900)],
    ['no XML at all', 'Invoice'],
    ['a document type with entities', `<!DOCTYPE a [<!ENTITY b "c">]>${ublInvoice('Invoice')}`],
  ])('is refused where it is %s', async (_, xml) => {
    await expect(page(xml)).rejects.toMatchObject({ code: 'no_e_invoice' })
  })
})
