import { describe, expect, it } from 'vitest'
import { creditSigns } from '../../../shared/domain/credit-signs.ts'
import { isCreditNote, isInvoice } from '../../../shared/domain/credit-note.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'

const elements: SchemaElement[] = [
  { name: 'Belegart', format: 'text', description: '', kind: 'document_type' },
  { name: 'Nettobetrag', format: 'number', description: '' },
  { name: 'Steuerbetrag', format: 'number', description: '' },
  { name: 'Gesamtbetrag', format: 'number', description: '' },
  { name: 'Seiten', format: 'number', description: '' },
  {
    name: 'Positionen',
    format: 'list',
    description: '',
    items: [
      { name: 'Menge', format: 'number', description: '' },
      { name: 'Einzelpreis', format: 'number', description: '' },
      { name: 'Betrag', format: 'number', description: '' },
    ],
  },
]

const credit = {
  Belegart: 'Gutschrift',
  Nettobetrag: 100,
  Steuerbetrag: 19,
  Gesamtbetrag: 119,
  Seiten: 1,
  Positionen: [{ Menge: 2, Einzelpreis: 50, Betrag: 100 }],
}
const negative = {
  ...credit,
  Nettobetrag: -100,
  Steuerbetrag: -19,
  Gesamtbetrag: -119,
  Positionen: [{ Menge: -2, Einzelpreis: 50, Betrag: -100 }],
}

describe('the amounts of a credit note', () => {
  const sign = creditSigns(elements)!

  it('are negative in a spreadsheet, whether they are printed so or not', () => {
    expect(sign(credit)).toEqual(negative)
    expect(sign(negative)).toEqual(negative)
  })

  it('keep their signs among each other: a surcharge of a credit note stays against it', () => {
    const mixed = { ...credit, Positionen: [{ Betrag: 120 }, { Betrag: -20 }] }
    expect(sign(mixed)['Positionen']).toEqual([{ Betrag: -120 }, { Betrag: 20 }])
  })

  it('are told by the net amount, or by the tax, where there is no total', () => {
    expect(sign({ Belegart: 'Credit note', Nettobetrag: 5, Gesamtbetrag: null })).toMatchObject({ Nettobetrag: -5 })
    expect(sign({ Belegart: 'Avoir', Gesamtbetrag: 0, Steuerbetrag: 1 })).toMatchObject({ Steuerbetrag: -1 })
  })

  it('of rows are told by their own sum: one is printed with signs and the other without', () => {
    const rows = [{ Betrag: 100 }]
    expect(sign({ ...credit, Positionen: [{ Betrag: -100 }] })).toMatchObject({
      Gesamtbetrag: -119,
      Positionen: [{ Betrag: -100 }],
    })
    expect(sign({ ...negative, Positionen: rows })).toMatchObject({
      Gesamtbetrag: -119,
      Positionen: [{ Betrag: -100 }],
    })
    expect(sign({ Belegart: 'Gutschrift', Positionen: rows })).toMatchObject({ Positionen: [{ Betrag: -100 }] })
  })

  it('of several lists turn together, so that they still add up', () => {
    const two: SchemaElement[] = [
      ...elements,
      {
        name: 'Rabatte',
        format: 'list',
        description: '',
        items: [{ name: 'Betrag', format: 'number', description: '' }],
      },
    ]
    expect(creditSigns(two)!({ ...credit, Positionen: [{ Betrag: 110 }], Rabatte: [{ Betrag: -10 }] })).toMatchObject({
      Gesamtbetrag: -119,
      Positionen: [{ Betrag: -110 }],
      Rabatte: [{ Betrag: 10 }],
    })
  })

  it('stay as they are where nothing says what they are', () => {
    for (const record of [
      { ...credit, Belegart: 'Rechnung' },
      { ...credit, Belegart: null },
      { Belegart: 'Gutschrift', Gesamtbetrag: '119,00', Positionen: null },
      { Belegart: 'Gutschrift', Positionen: 'none' },
    ])
      expect(sign(record)).toEqual(record)
  })

  it('stay as they are in a schema that does not ask for the type', () => {
    expect(creditSigns(elements.slice(1))).toBeNull()
    expect(creditSigns([{ ...elements[0]!, kind: undefined }, ...elements.slice(1)])).toBeNull()
  })
})

it.each([
  ['Gutschrift', true],
  ['GUTSCHRIFT', true],
  ['Rechnungskorrektur', true],
  ['Stornorechnung', true],
  ['Credit Note', true],
  ['credit memo', true],
  ['Avoir', true],
  ['Facture d’avoir', true],
  ['Factura de abono', true],
  ['Nota di credito', true],
  ['Creditfactuur', true],
  ['credit_note', true],
  ['Credit  Note', true],
  ['Note de crédit', true],
  ['Credit Note No. 17', true],
  ['Avoir no 12', true],
  // These replace an invoice in full as often.
  ['Factura rectificativa', false],
  ['Korrekturrechnung', false],
  ['Rechnung, keine Gutschrift', false],
  ['381', true],
  ['Rechnung (kein Storno)', false],
  ['Gutschrift (Selbst ausgestellte Rechnung)', false],
  ['self-billed invoice', false],
  ['Rechnung', false],
  ['Credit card statement', false],
  ['Invoice', false],
])('«%s» is the type of a credit note: %s', (type, is) => expect(isCreditNote(type)).toBe(is))

it.each([
  ['Rechnung', true],
  ['Handelsrechnung', true],
  ['TAX INVOICE', true],
  ['Facture', true],
  ['Beleg', true],
  ['Gutschrift', false],
  ['Factuur', true],
  ['Bill', true],
  ['Mahnung zur Rechnung', false],
  ['Provisionsabrechnung', false],
  ['Kreditkartenabrechnung', false],
  ['Statement of invoices', false],
  ['Bill of lading', false],
  ['Ausgangsrechnung', false],
  ['Korrekturrechnung', false],
  ['Gutschrift (selbst ausgestellte Rechnung)', false],
  ['self-billed invoice', false],
  ['Proforma-Rechnung', false],
  ['Angebot', false],
  ['Kontoauszug', false],
  ['', false],
])('«%s» is the type of an invoice: %s', (type, is) => expect(isInvoice(type)).toBe(is))
