import { describe, expect, it } from 'vitest'
import { formatsFor } from '../../../renderer/messages/formats.ts'
import {
  columnDecimals,
  fieldDecimals,
  isAmount,
  isPerPiece,
  labelOf,
  printedDecimals,
  valueText,
} from '../../../renderer/messages/values.ts'

const words = { yes: 'Ja', no: 'Nein' }
const german = formatsFor('de-DE')
const english = formatsFor('en-US')

describe('a value', () => {
  it('is written in the reader’s language', () => {
    expect(valueText(1284.61, german, words)).toBe('1.284,61')
    expect(valueText(1284.61, english, words)).toBe('1,284.61')
    expect(valueText(1284.6, german, words, 2)).toBe('1.284,60')
    expect(valueText('2026-11-17', german, words)).toBe('17.11.2026')
    expect(valueText(true, german, words)).toBe('Ja')
  })

  it('keeps years and codes as printed, and every decimal', () => {
    expect(valueText(2026, english, words)).toBe('2026')
    expect(valueText(0.000125, english, words)).toBe('0.000125')
    expect(valueText('00123', english, words)).toBe('00123')
    expect(valueText('2026-11-17 08:00', english, words)).toBe('2026-11-17 08:00')
  })

  it('is nothing when it is empty, and its JSON when it is nothing that a schema knows', () => {
    expect(valueText(null, german, words)).toBeNull()
    expect(valueText('', german, words)).toBeNull()
    expect(valueText({ amount: 1 }, german, words)).toBe('{"amount":1}')
  })
})

describe('decimals', () => {
  it('are taken from the printed text, groups of thousands not counted', () => {
    expect(printedDecimals('1.284,60 €')).toBe(2)
    expect(printedDecimals('1,284')).toBe(0)
    expect(printedDecimals('7,5 m')).toBe(1)
    expect(printedDecimals('12')).toBe(0)
  })

  it('line up amounts in a column, not quantities', () => {
    expect(columnDecimals([148, 4.95, null])).toBe(2)
    expect(columnDecimals([50, 2.5, 'x'])).toBe(0)
  })

  it('are two of amounts, as their names say in each language, once one of them is not whole', () => {
    expect(
      ['Total amount', 'unitPrice', 'Rechnungsbetrag', 'Montant TTC', 'tax_amount', 'Stückpreis', 'IVA'].filter(
        isAmount,
      ),
    ).toHaveLength(7)
    expect(
      [
        'Quantity',
        'Tax rate',
        'Steuersatz',
        'Total hours',
        'Network',
        'Invoice number',
        'Total pages',
        'Heart rate',
      ].filter(isAmount),
    ).toEqual([])
    expect(fieldDecimals('Total amount', [1284.5, 300])).toBe(2)
    expect(fieldDecimals('Total amount', [1284, 300])).toBe(0)
    expect(fieldDecimals('Quantity', [1284.5, 300])).toBe(0)
  })

  it('knows what nobody adds up: shares, and prices of one piece', () => {
    expect(
      [
        'Unit price',
        'unit_price',
        'Einzelpreis',
        'Einzel-Preis',
        'Stückpreis',
        'Prix unitaire',
        'precio unitario',
        'EP',
        'Tax rate',
        'MwSt-Satz',
        'Steuersatz',
        'VAT %',
        'Taux TVA',
      ].filter((name) => !isPerPiece(name)),
    ).toEqual([])
    expect(
      [
        'Amount',
        'Total price',
        'Gesamtpreis',
        'Preis',
        'Quantity',
        'Units',
        'Unit',
        'Menge',
        'Montant HT',
        'Tax amount',
        'Hours',
        'Stück',
      ].filter(isPerPiece),
    ).toEqual([])
  })
})

describe('a label', () => {
  it('is the name of a field in words', () => {
    expect(labelOf('invoice_number')).toBe('Invoice number')
    expect(labelOf('invoiceNumber')).toBe('Invoice number')
    expect(labelOf('Rechnungs-Nr')).toBe('Rechnungs Nr')
    expect(labelOf('USt-ID Lieferant')).toBe('USt-ID Lieferant')
    expect(labelOf('IBAN')).toBe('IBAN')
    expect(labelOf('__')).toBe('__')
  })
})
