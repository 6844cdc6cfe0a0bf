import { describe, expect, it } from 'vitest'
import { layOut } from '../../../electron/service/extraction/layout.ts'
import { isOtherKind } from '../../../electron/service/finding/kind.ts'
import { schemaOf } from '../extraction/schema-of.ts'
import { typedDocument } from '../extraction/typed-page.ts'

const invoice = schemaOf('invoice_number', 'invoice_date', 'total: number')
const isOther = (page: string): boolean => isOtherKind(layOut(typedDocument(page)), invoice)

describe('a document that calls itself something else than the schema asks for', () => {
  it('is a bank statement that is read as an invoice', () => {
    expect(isOther('Sparkasse Nordheide\nKontoauszug\n01.10.2026   Miete   -900,00')).toBe(true)
  })

  it('is not an invoice in another language, nor a credit note', () => {
    expect(isOther('Facture\nN° F-12')).toBe(false)
    expect(isOther('Gutschrift\nNr. G-12')).toBe(false)
  })

  it('is not one that has no title', () => {
    expect(isOther('Hartmann GmbH\nSumme 12,00')).toBe(false)
  })

  it('is nothing that a schema can say which names no kind of paper', () => {
    expect(isOtherKind(layOut(typedDocument('Kontoauszug')), schemaOf('company', 'date'))).toBe(false)
  })
})
