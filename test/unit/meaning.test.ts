import { describe, expect, it } from 'vitest'
import { templatesFor } from '../../electron/core/drafting/templates.ts'
import { meaningOf } from '../../shared/domain/meaning.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'

const meaning = (name: string, format: SchemaElement['format'] = 'number', description = '') =>
  meaningOf({ name, format, description })

describe('the meaning of a field', () => {
  it.each([
    ['opening_balance', 'opening_balance'],
    ['Alter Saldo', 'opening_balance'],
    ['Ancien solde', 'opening_balance'],
    ['Balance brought forward', 'opening_balance'],
    ['closingBalance', 'closing_balance'],
    ['Neuer Kontostand', 'closing_balance'],
    ['Nouveau solde', 'closing_balance'],
    ['Saldo final', 'closing_balance'],
    ['net_amount', 'net'],
    ['Nettobetrag', 'net'],
    ['Montant HT', 'net'],
    ['baseImponible', 'net'],
    ['Imponibile', 'net'],
    ['Bedrag excl. btw', 'net'],
    ['Total before tax', 'net'],
    ['tax_amount', 'tax'],
    ['salesTax', 'tax'],
    ['MwSt.', 'tax'],
    ['Umsatzsteuer', 'tax'],
    ['Montant TVA', 'tax'],
    ['IVA', 'tax'],
    ['btw', 'tax'],
    ['total_amount', 'gross'],
    ['Gesamtbetrag', 'gross'],
    ['Bruttosumme', 'gross'],
    ['Net à payer', 'gross'],
    ['Total TTC', 'gross'],
    ['totalAPagar', 'gross'],
    ['Totale', 'gross'],
    ['Totaal incl. btw', 'gross'],
    ['VAT rate', 'rate'],
    ['Steuersatz', 'rate'],
    ['MwSt. %', 'rate'],
    ['Taux de TVA', 'rate'],
    ['Aliquota IVA', 'rate'],
    ['Amount', 'line_amount'],
    ['lineTotal', 'line_amount'],
    ['Betrag', 'line_amount'],
    ['Importe', 'line_amount'],
    ['qty', 'quantity'],
    ['Menge', 'quantity'],
    ['Quantité', 'quantity'],
    ['unit_price', 'unit_price'],
    ['Einzelpreis', 'unit_price'],
    ['Prix unitaire', 'unit_price'],
  ])('%s is %s', (name, expected) => expect(meaning(name)).toBe(expected))

  it.each([
    ['invoice_date', 'date'],
    ['Rechnungsdatum', 'date'],
    ['Fälligkeit', 'date'],
    ['Échéance', 'date'],
    ['fecha', 'date'],
    ['IBAN', 'iban'],
    ['seller_vat_id', 'vat_id'],
    ['USt-IdNr.', 'vat_id'],
    ['N° TVA', 'vat_id'],
    ['Partita IVA', 'vat_id'],
  ])('%s, a text, is %s', (name, expected) => expect(meaning(name, 'text')).toBe(expected))

  it.each([
    'discount_total',
    'total_pages',
    'Gross weight',
    'totalAssets',
    'amount paid',
    'amount_due',
    'closing balance',
    'subtotal',
    'Zwischensumme',
    'Federal income tax',
    'netToBank',
    'totalHours',
    'Interest rate',
    'Kundennummer',
  ])('%s is none of them', (name) => expect(['net', 'tax', 'gross', 'rate']).not.toContain(meaning(name)))

  it('is told by the description where the name says nothing', () => {
    expect(meaning('A1', 'number', 'Total without tax')).toBe('net')
    expect(meaning('A2', 'number', 'Betrag mit MwSt.')).toBe('gross')
    expect(meaning('freight', 'number', 'Part of the total')).toBeNull()
  })

  it('is not that of an amount where the field holds text', () => {
    expect(meaning('tax_year', 'text')).toBeNull()
    expect(meaning('invoice_date', 'number')).toBeNull()
  })

  it('of each amount of the invoice template is known in all languages', () => {
    for (const locale of ['en', 'de', 'fr'] as const) {
      const { elements } = templatesFor(locale).find(({ key }) => key === 'invoice')!
      const meanings = elements.map((element) => meaningOf(element)).filter((each) => each !== null)
      expect(meanings, locale).toEqual(['date', 'date', 'net', 'tax', 'gross', 'iban'])
      const rows = elements.find(({ format }) => format === 'list')!.items!.map((element) => meaningOf(element))
      expect(rows, locale).toEqual([null, 'quantity', 'unit_price', 'line_amount'])
    }
  })
})
