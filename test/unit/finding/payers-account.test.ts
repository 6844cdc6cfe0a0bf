import { describe, expect, it } from 'vitest'
import { extractFields } from '../../../electron/service/finding/find.ts'
import { schemaOf } from '../extraction/schema-of.ts'
import { typedDocument } from '../extraction/typed-page.ts'

const bill = (...last: string[]) =>
  typedDocument(
    [
      'Seewind Energie GmbH',
      'Am Deich 4, 26721 Emden',
      '',
      'Rechnung                         Rechnungsnummer   4711-88213',
      'Gesamtbetrag                                  140,90 EUR',
      '',
      ...last,
    ].join('\n'),
  )
const accountIn = (field: string, ...last: string[]) => extractFields(bill(...last), schemaOf(field)).data

describe('the account of who sent a bill', () => {
  it.each([
    ['Der Betrag wird am 15.11.2026 von Ihrem Konto DE89 3704 0044 0532 0130 00 abgebucht.'],
    ['Wir ziehen den Betrag per Lastschrift von Ihrer Bankverbindung', 'IBAN DE89 3704 0044 0532 0130 00 ein.'],
    ['Wir ziehen den Betrag am 15.11. von Ihrem Konto DE89 3704 0044 0532 0130 00 ein.'],
    ['Wir buchen den Betrag von Ihrem angegebenen Konto DE89 3704 0044 0532 0130 00 ab.'],
    ['We will collect £54.00 by Direct Debit from your bank account', 'GB33 BUKB 2020 1555 5555 55 on 18 November.'],
    ['Ce montant sera prélevé le 20/11/2026 sur votre compte FR76 3000 6000 0112 3456 7890 189.'],
    ['El importe se cargará en su cuenta ES91 2100 0418 4502 0005 1332 (adeudo SEPA).'],
    ['Importo addebitato sul suo conto IT60 X054 2811 1010 0000 0123 456.'],
    ['Het bedrag wordt afgeschreven van uw rekening NL91 ABNA 0417 1643 00.'],
  ])('is not the one that it debits: %s', (...last) => {
    expect(accountIn('IBAN', ...last)).toEqual({ IBAN: null })
    expect(accountIn('payer IBAN', ...last)['payer IBAN']).toMatch(/\d/)
  })

  it.each([
    ['Bitte überweisen Sie von Ihrem Konto auf unser Konto DE89 3704 0044 0532 0130 00 (keine Lastschrift).'],
    ['Der Betrag wird von Ihrem Konto abgebucht.', 'Sparkasse Emden IBAN DE89 3704 0044 0532 0130 00'],
    ['Der Betrag wird von Ihrem Konto abgebucht', 'IBAN DE89 3704 0044 0532 0130 00'],
    [
      'Please quote your account number 4711 with any transfer to',
      'GB33 BUKB 2020 1555 5555 55',
      'or by Direct Debit.',
    ],
    ['Ihre Überweisung an IBAN DE89 3704 0044 0532 0130 00', 'Bei Lastschrift wird der Betrag abgebucht.'],
    ['Bonifico su nostro conto IT60 X054 2811 1010 0000 0123 456, spese addebitate al cliente'],
    ['Votre compte client 4711, domiciliation BNP IBAN FR76 3000 6000 0112 3456 7890 189, prélèvement'],
    ['Ihr Skonto: 2 %. Kein Lastschrifteinzug. IBAN DE89 3704 0044 0532 0130 00'],
    ['Kontoauszug zu Ihrem Konto IBAN DE89 3704 0044 0532 0130 00'],
  ])('is found where nothing is debited from it: %s', (...last) => {
    expect(accountIn('IBAN', ...last)['IBAN']).toMatch(/\d{2} \d{2,4}/)
  })
})
