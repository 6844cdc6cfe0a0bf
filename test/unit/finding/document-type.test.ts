import { describe, expect, it } from 'vitest'
import { extractFields } from '../../../electron/service/finding/find.ts'
import { schemaOf } from '../extraction/schema-of.ts'
import { typedDocument } from '../extraction/typed-page.ts'

const found = (page: string, name = 'document_type') => extractFields(typedDocument(page), schemaOf(name))
const typeIn = (page: string): unknown => found(page).data['document_type']

describe('the type of a document', () => {
  it('is its title, where that names a kind of paper', () => {
    expect(typeIn('Hartmann GmbH\n\nGUTSCHRIFT\nNr. G-12   Datum 01.10.2026')).toBe('GUTSCHRIFT')
    expect(typeIn('Northwind Ltd\nTax Invoice\nTotal 12.00')).toBe('Tax Invoice')
    expect(typeIn('Credit Note   CN-1022\nTotal 12.00')).toBe('Credit Note')
  })

  it('is asked for where there is none, since a credit note is known by it', () => {
    const { data, doubts } = found('Hartmann GmbH\n\nTotal 12.00')
    expect(data['document_type']).toBeNull()
    expect(doubts).toEqual([{ pointer: '/0/document_type', code: 'unsure', alternatives: [] }])
  })

  it('is what stands before its number, where it has no title by itself', () => {
    expect(typeIn('Hartmann GmbH\nRechnung Nr. 2026-0917 vom 01.10.2026\nSumme 12,00')).toBe('Rechnung')
    expect(typeIn('Northwind Ltd\nInvoice number 17\nTotal 12.00')).toBe('Invoice')
    expect(typeIn('Au bon moulin 12 rue du Port\nFacture n° FA-12\nTotal 12,00')).toBe('Facture')
  })

  it('may be a compound, or say which of several bills it is', () => {
    expect(typeIn('Elektro Maier\nSchlussrechnung Nr. SR-26-11\nSumme 12,00')).toBe('Schlussrechnung')
    expect(typeIn('Telefon AG\nMobilfunk-Rechnung\nSumme 12,00')).toBe('Mobilfunk-Rechnung')
    expect(typeIn('Northwind Ltd\nFinal invoice 17\nTotal 12.00')).toBe('Final invoice')
    expect(typeIn('Au bon moulin\nFacture d’acompte n° 12\nTotal 12,00')).toBe('Facture d’acompte')
  })

  it('is no row with an amount', () => {
    expect(typeIn('Telefon AG\nGutschrift Treuebonus   -10,00\nGutschrift Bonus 5,00 €\nSumme 12,00')).toBeNull()
    expect(typeIn('Telefon AG\nGutschrift   10.11.2026\nSumme 12,00')).toBe('Gutschrift')
  })

  it('is no label, no other paper that it names, and nothing below the fold', () => {
    expect(typeIn('Hartmann GmbH\nBestellung:   B-17\nIhre Bestellung\nSumme 12,00')).toBeNull()
    expect(typeIn(`Hartmann GmbH\n${'Zeile\n'.repeat(40)}Rechnung`)).toBeNull()
    expect(typeIn('Hartmann GmbH\nPO   17\nSumme 12,00')).toBeNull()
  })

  it('is found whatever language its field has, with its place, and without a doubt', () => {
    for (const name of ['Belegart', 'Type de document', 'Document type']) {
      const { data, sources, doubts } = found('Hartmann GmbH\nGutschrift\nSumme 12,00', name)
      expect(data[name]).toBe('Gutschrift')
      expect(sources).toMatchObject([{ pointer: `/0/${name}`, page: 1, text: 'Gutschrift' }])
      expect(doubts).toEqual([])
    }
  })

  it('is the largest of the texts that name a paper, and doubted where a small one says otherwise of a credit note', () => {
    const sized = (title: string, head: string) => {
      const document = typedDocument(`${title}\n\n${head}\nSumme 12,00`)
      const words = title.split(' ').length
      for (const token of document.pages[0]!.tokens.slice(0, words)) token.fontSize = 0.03
      const { data, doubts } = extractFields(document, schemaOf('document_type'))
      return [data['document_type'], doubts.length]
    }
    expect(sized('Gutschrift Nr. GS-17', 'Rechnung')).toEqual(['Gutschrift', 1])
    expect(sized('Credit Note No. CN-17', 'Invoice')).toEqual(['Credit Note', 1])
    expect(sized('Stornorechnung Nr. 5', 'Rechnung')).toEqual(['Stornorechnung', 1])
    expect(sized('Rechnung Nr. 5', 'Gutschrift')).toEqual(['Rechnung', 1])
    expect(sized('NOTE DE CRÉDIT', 'Facture')).toEqual(['NOTE DE CRÉDIT', 1])
    expect(sized('Gutschrift vom 12.03.2024', 'Hartmann')).toEqual(['Gutschrift', 0])
    expect(sized('Rechnung Nr. 5', 'Bestellung')).toEqual(['Rechnung', 0])
  })

  it('is doubted where it may be the label of another paper', () => {
    const { data, doubts } = found('Hartmann GmbH\nAuftrag   A-17/4\nSumme 12,00')
    expect([data['document_type'], doubts.length]).toEqual(['Auftrag', 1])
  })

  it('is doubted where two titles of one size differ', () => {
    const { data, doubts } = found('Rechnung\nHartmann GmbH\nGutschrift\nSumme 12,00')
    expect(data['document_type']).toBe('Rechnung')
    expect(doubts).toMatchObject([
      { pointer: '/0/document_type', code: 'unsure', alternatives: [{ value: 'Gutschrift' }] },
    ])
  })
})
