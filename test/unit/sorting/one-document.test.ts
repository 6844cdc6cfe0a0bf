import { describe, expect, it } from 'vitest'
import { templatesFor } from '../../../electron/core/drafting/templates.ts'
import { extractDocument } from '../../../electron/service/extraction/thread-tasks.ts'
import { holdsSeveral, isOtherKind } from '../../../electron/sorting/one-document.ts'
import type { Document } from '../../../shared/domain/document.ts'
import { schemaOf } from '../extraction/schema-of.ts'
import { typedDocument } from '../extraction/typed-page.ts'

const template = (key: string) => templatesFor('en').find((one) => one.key === key)!.elements
/** The words of a title are twice as large as the others. */
const titled = (title: string, page: string): Document => {
  const document = typedDocument(`${title}\n${page}`)
  const words = new Set(title.split(' '))
  return {
    ...document,
    pages: document.pages.map((one) => ({
      ...one,
      tokens: one.tokens.map((token) => (words.has(token.text) ? { ...token, fontSize: 0.023 } : token)),
    })),
  }
}

const bookings = `
Sparkasse Nordheide                              Seite 1
Girokonto 4711 0815   IBAN DE89 3704 0044 0532 0130 00
Buchungstag   Wert         Verwendungszweck               Betrag
01.10.2026    01.10.2026   Miete Oktober                 -900,00
05.10.2026    05.10.2026   Gehalt                       2.410,00
12.10.2026    12.10.2026   Lastschrift Stadtwerke         -84,20
Alter Kontostand 30.09.2026                             1.000,00
Neuer Kontostand 31.10.2026                             2.425,80
`
const bill = `
Hartmann GmbH, Lindenweg 4, 21244 Buchholz
Rechnungsnummer: 2026-0917      Rechnungsdatum: 03.11.2026
Pos   Bezeichnung         Menge   Einzelpreis   Betrag
1     Spannfutter ER32        2         50,00   100,00
Nettobetrag 100,00
Umsatzsteuer 19 % 19,00
Gesamtbetrag 119,00 EUR
Zahlbar bis 17.11.2026 auf IBAN DE89 3704 0044 0532 0130 00
`
const open = `
Kestrel Supplies Ltd   Account C-2201   Date 30 November 2026
Invoice    Date          Due           Amount
INV-101    02/10/2026    01/11/2026    240.00
INV-117    16/10/2026    15/11/2026     96.50
Balance due 336.50
`

describe('a document is another kind than the schema asks for', () => {
  it('by its large title, whatever stands below it', () => {
    expect(isOtherKind(titled('Statement of account', open), template('invoice'))).toBe(true)
    expect(isOtherKind(titled('Lieferschein', bill), template('invoice'))).toBe(true)
  })

  it('by all that it says, where no title does', () => {
    expect(isOtherKind(typedDocument(bookings), template('delivery_note'))).toBe(true)
    expect(isOtherKind(typedDocument(bill), template('bank_statement'))).toBe(true)
  })

  it('and is not where it is what is asked for, whatever it calls itself', () => {
    expect(isOtherKind(typedDocument(bill), template('invoice'))).toBe(false)
    expect(isOtherKind(titled('Gutschrift', bill), template('invoice'))).toBe(false)
    expect(isOtherKind(titled('Facture', bill), template('invoice'))).toBe(false)
    expect(isOtherKind(titled('Kontoauszug', bookings), template('bank_statement'))).toBe(false)
  })

  it('and is not by the name of a company over it', () => {
    expect(isOtherKind(titled('Kassen Order Express GmbH', bill), template('invoice'))).toBe(false)
    const both = titled('Delivery Note Services', bill.replace('Hartmann', 'Services\nRechnung\nHartmann'))
    const large = both.pages[0]!.tokens.map((token) =>
      token.text === 'Rechnung' ? { ...token, fontSize: 0.018 } : token,
    )
    expect(isOtherKind({ ...both, pages: [{ ...both.pages[0]!, tokens: large }] }, template('invoice'))).toBe(false)
  })

  it('and that is a flag of what is read', () => {
    const flagged = (document: Document, key: string) =>
      extractDocument(document, template(key)).doubts.some(
        ({ code, pointer }) => code === 'other_kind' && pointer === '/0',
      )
    expect(flagged(titled('Statement of account', open), 'invoice')).toBe(true)
    expect(flagged(typedDocument(bill), 'invoice')).toBe(false)
  })

  it('and is not where the schema names no kind and its fields are there', () => {
    const schema = schemaOf('iban', 'new_balance: number', 'old_balance: number')
    expect(isOtherKind(titled('Kontoauszug', bookings), schema)).toBe(false)
  })

  it('and says nothing of a page without words', () => {
    expect(isOtherKind(typedDocument(''), template('invoice'))).toBe(false)
    expect(isOtherKind({ kind: 'pdf', pages: [] }, template('invoice'))).toBe(false)
  })
})

describe('a file holds several documents', () => {
  const second = bill.replace('2026-0917', 'AS-26-3310').replace('Hartmann', 'Brückner').replace('Lindenweg', 'Am Ring')

  it('where another one begins behind the first, and that is a flag of what is read', () => {
    const stack = typedDocument(`Rechnung${bill}Seite 1 von 1`, `Rechnung${second}Seite 1 von 1`)
    expect(holdsSeveral(stack)).toBe(true)
    const { doubts } = extractDocument(stack, template('invoice'))
    expect(doubts).toContainEqual({ pointer: '/0', code: 'several_documents', alternatives: [] })
  })

  it('where that is likely and not sure as well: otherwise nobody looks at a row of both', () => {
    expect(holdsSeveral(typedDocument(bill, second))).toBe(true)
  })

  it('and does not where the second page goes on, nor in a single page', () => {
    const pages = typedDocument(
      `Rechnung${bill}Seite 1 von 2`,
      `Zahlungsbedingungen\nUnser Dank gilt Ihnen.\nSeite 2 von 2`,
    )
    expect(holdsSeveral(pages)).toBe(false)
    expect(holdsSeveral(typedDocument(bill))).toBe(false)
  })
})
