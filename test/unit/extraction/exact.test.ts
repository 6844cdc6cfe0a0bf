import { describe, expect, it } from 'vitest'
import { extractFields } from '../../../electron/service/finding/find.ts'
import type { Document, ExactSource, ExactValue } from '../../../shared/domain/document.ts'
import { listOf, schemaOf } from './schema-of.ts'
import { typedDocument } from './typed-page.ts'

const page = `
Wörle & Söhne GmbH                                   RECHNUNG

Rechnungsnummer:   R-2026/17
Rechnungsdatum:    18. März 2026

Bezeichnung             Menge     Einzelpreis       Betrag
Trennblätter A4            20            9,90       198,00
Joghurt                    50            5,50       275,00

Nettobetrag                                         473,00
MwSt.                                                56,87
Gesamtbetrag                                        529,87
IBAN  DE02 1203 0000 0000 2020 51
`

const header: Record<string, ExactValue['value']> = {
  invoice_number: 'R-2026/17',
  issue_date: '2026-03-18',
  total_amount: 529.87,
  seller_name: 'Wörle & Söhne GmbH',
  iban: 'DE02120300000000202051',
  mandate_reference: 'M-88',
}

describe('a field that an e-invoice answers', () => {
  it('keeps the spelling and the place of the page where both agree, and is trusted', () => {
    const { data, sources, doubts } = extract(header, 'IBAN', 'issue_date', 'total_amount: number')
    expect(data).toEqual({ IBAN: 'DE02 1203 0000 0000 2020 51', issue_date: '2026-03-18', total_amount: 529.87 })
    expect(sources.map(({ from, text }) => [from, text])).toEqual([
      ['e-invoice', 'DE02 1203 0000 0000 2020 51'],
      ['e-invoice', '18. März 2026'],
      ['e-invoice', '529,87'],
    ])
    for (const { trust, box } of sources) {
      expect(trust).toBeGreaterThan(0.9)
      expect(box.width).toBeGreaterThan(0)
    }
    expect(doubts).toEqual([])
  })

  it.each([
    ['Rechnungsnummer', 'R-2026/17'],
    ['numéro de facture', 'R-2026/17'],
    ['Número de factura', 'R-2026/17'],
    ['numero fattura', 'R-2026/17'],
    ['factuurnummer', 'R-2026/17'],
    ['Name des Verkäufers', 'Wörle & Söhne GmbH'],
    ['nome del fornitore', 'Wörle & Söhne GmbH'],
    ['vendor_name', 'Wörle & Söhne GmbH'],
    ['Mandatsreferenz', 'M-88'],
    ['Data di emissione', '2026-03-18'],
  ])('is found under the name «%s»', (name, value) => {
    expect(extract(header, name).data).toEqual({ [name]: value })
  })

  it('wins over the page, which is kept as the other of a doubt', () => {
    const { data, sources, doubts } = extract({ total_amount: 600.5 }, 'total_amount: number')
    expect(data).toEqual({ total_amount: 600.5 })
    expect(sources).toMatchObject([{ pointer: '/0/total_amount', from: 'e-invoice' }])
    expect(sources[0]!.trust).toBeLessThan(0.9)
    expect(doubts).toMatchObject([
      {
        pointer: '/0/total_amount',
        code: 'sources_differ',
        alternatives: [
          { value: 600.5, from: 'e-invoice' },
          { value: 529.87, from: 'page', text: '529,87' },
        ],
      },
    ])
  })

  it('is in no doubt when the page prints the value elsewhere', () => {
    const { data, doubts } = extract({ total_amount: 473 }, 'total_amount: number')
    expect(data).toEqual({ total_amount: 473 })
    expect(doubts).toEqual([])
  })

  it('fills what the page does not say', () => {
    const { data, sources, doubts } = extract(header, 'mandate_reference')
    expect(data).toEqual({ mandate_reference: 'M-88' })
    expect(sources).toMatchObject([{ from: 'e-invoice', text: 'M-88', box: { width: 0 } }])
    expect(doubts).toEqual([])
  })

  it('is never a number for what is a text, nor a text for a number', () => {
    expect(extract({ total_amount: 'much' }, 'total_amount: number').data).toEqual({ total_amount: 529.87 })
  })

  it('answers no other field', () => {
    const asked = ['order_number', 'weather', 'line_total: number', 'buyer_name']
    const { exact: _exact, ...bare } = documentWith(header)
    const schema = schemaOf(...asked)
    expect(extractFields(documentWith(header), schema).data).toEqual(extractFields(bare, schema).data)
  })

  it('leaves everything as it is without an exact source', () => {
    const { exact: _exact, ...bare } = documentWith(header)
    const { sources, doubts } = extractFields(bare, schemaOf('IBAN'))
    expect(sources[0]).not.toHaveProperty('from')
    expect(doubts).toEqual([])
  })
})

describe('a field that a form answers', () => {
  const place = { page: 1, box: { x: 0.6, y: 0.8, width: 0.2, height: 0.02 } }
  const filled = (...values: [string, ExactValue['value']][]): Document => ({
    ...typedDocument(page),
    exact: [{ kind: 'form', name: 'AcroForm', values: values.map(([term, value]) => ({ term, value, ...place })) }],
  })

  it('has its value and place from the form field of that label, in the format that is asked', () => {
    const form = filled(['Geburtsdatum (TT.MM.JJJJ)', '12.05.1983'], ['Newsletter gewünscht', true])
    const { data, sources } = extractFields(form, schemaOf('date_of_birth', 'newsletter: boolean'))
    expect(data).toEqual({ date_of_birth: '1983-05-12', newsletter: true })
    expect(sources).toMatchObject([
      { from: 'form', ...place },
      { from: 'form', ...place },
    ])
  })

  it('may have a label that says less, while no other says more', () => {
    const schema = schemaOf('child_first_name | First name of the child')
    expect(extractFields(filled(['First name', 'Zoé']), schema).data).toEqual({ child_first_name: 'Zoé' })
    const both = filled(['First name', 'Chloé'], ['First name of the child', 'Zoé'])
    expect(extractFields(both, schema).data).toEqual({ child_first_name: 'Zoé' })
  })

  it('is left to the page when two form fields of that label say different things', () => {
    const twice = filled(['Ort', 'Jena'], ['Ort', 'Erfurt'])
    expect(extractFields(twice, schemaOf('Ort')).data).toEqual({ Ort: null })
  })
})

describe('a list that an e-invoice answers', () => {
  const items = listOf(
    'line_items',
    'description',
    'quantity: number',
    'unit_price: number',
    'amount: number',
    'colour',
  )
  const rows = [
    { item_name: 'Trennblätter A4', quantity: 20, unit_price: 9.9, line_amount: 198, unit: 'piece' },
    { item_name: 'Joghurt', quantity: 50, unit_price: 5.5, line_amount: 275, unit: 'piece' },
    { item_name: 'Lieferung', quantity: 1, unit_price: 0, line_amount: 0, unit: 'piece' },
  ]

  it('has the rows of the e-invoice, each with its place on the page', () => {
    const { data, sources, doubts } = extractFields(documentWith({}, { line_items: rows }), [items])
    expect(data.line_items).toEqual([
      { description: 'Trennblätter A4', quantity: 20, unit_price: 9.9, amount: 198, colour: null },
      { description: 'Joghurt', quantity: 50, unit_price: 5.5, amount: 275, colour: null },
      { description: 'Lieferung', quantity: 1, unit_price: 0, amount: 0, colour: null },
    ])
    expect(sources.find(({ pointer }) => pointer === '/0/line_items/1/amount')).toMatchObject({
      from: 'e-invoice',
      text: '275,00',
    })
    expect(doubts).toEqual([])
  })

  it('takes what the e-invoice does not say of a row from the page', () => {
    const withoutPrices = rows.slice(0, 2).map(({ item_name, quantity }) => ({ item_name, quantity }))
    const { data } = extractFields(documentWith({}, { line_items: withoutPrices.toReversed() }), [items])
    expect(data.line_items).toMatchObject([
      { description: 'Joghurt', unit_price: 5.5, amount: 275 },
      { description: 'Trennblätter A4', unit_price: 9.9, amount: 198 },
    ])
  })

  it('tells the breakdown of taxes from the line items', () => {
    const taxes = listOf('Steueraufschlüsselung', 'rate: number', 'base: number', 'tax_amount: number')
    const breakdown = [{ tax_rate: 19, taxable_amount: 198, tax_amount: 37.62 }]
    const { data } = extractFields(documentWith({}, { line_items: rows, tax_breakdown: breakdown }), [taxes])
    expect(data).toEqual({ Steueraufschlüsselung: [{ rate: 19, base: 198, tax_amount: 37.62 }] })
  })

  it('is not taken for a list of something else', () => {
    const payments = listOf('payments', 'paid_on', 'method')
    expect(extractFields(documentWith({}, { line_items: rows }), [payments]).data).toEqual({ payments: [] })
  })
})

function extract(values: Record<string, ExactValue['value']>, ...fields: string[]): ReturnType<typeof extractFields> {
  return extractFields(documentWith(values), schemaOf(...fields))
}

function documentWith(
  values: Record<string, ExactValue['value']>,
  lists: Record<string, Record<string, ExactValue['value']>[]> = {},
): Document {
  const rows = Object.entries(lists).flatMap(([list, all]) =>
    all.flatMap((row, index) => Object.entries(row).map(([term, value]) => ({ term, value, row: { list, index } }))),
  )
  const exact: ExactSource[] = [
    {
      kind: 'e-invoice',
      name: 'factur-x.xml',
      values: [...Object.entries(values).map(([term, value]) => ({ term, value })), ...rows],
    },
  ]
  return { ...typedDocument(page), exact }
}
