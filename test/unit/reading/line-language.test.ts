import { describe, expect, it } from 'vitest'
import { languageOf, languagesFor } from '../../../electron/reading/ocr/line-language.ts'
import { readingLanguages } from '../../../shared/domain/reading-languages.ts'
import type { ReadingLanguage } from '../../../shared/domain/reading-languages.ts'

// As the first reader sees them: no ö, ß or €, and spaces lost.
const german = ['Bestatigung', 'KundenNr.88231', 'Lieferung frei Haus bis zum 12.Marz', 'Wir danken fur Ihren Auftrag']
const french = ['Facture n°2026-114', 'Date de reglement', 'Montant total a payer', 'Merci pour votre confiance']
const spanish = [
  'Factura num. 2026-114',
  'Fecha de vencimiento',
  'Importe total a pagar',
  'Direccion de entrega',
  'Gracias por su compra en nuestra tienda',
  'Condiciones de pago: treinta dias',
]
const english = ['Invoice number 2026-114', 'Payment is due within thirty days', 'Thank you for your business']
const italian = ['Fattura numero 114', 'Scadenza del pagamento', 'Totale da pagare', 'Grazie per la vostra fiducia']

const languagesOf = async (lines: string[], chosen: readonly ReadingLanguage[]): Promise<readonly ReadingLanguage[]> =>
  languagesFor(await languageOf(lines), chosen)

describe('the languages that a page is read in', () => {
  it.each<[string, string[], ReadingLanguage[]]>([
    ['German', german, ['deu']],
    ['French', french, ['fra']],
    ['Spanish', spanish, ['spa']],
    ['English, with German', english, ['deu', 'eng']],
    ['French, where it is Italian', italian, ['fra']],
  ])('are %s, where its first lines tell', async (_, lines, expected) => {
    expect(await languagesOf(lines, readingLanguages)).toEqual(expected)
  })

  it('are all that were chosen where the lines are numbers, or of no language that is known', async () => {
    expect(await languagesOf(['2026-114', '1.234,56', '19 %'], readingLanguages)).toEqual(readingLanguages)
    expect(await languagesOf([], readingLanguages)).toEqual(readingLanguages)
    expect(await languagesOf(['Faktura numer 114', 'Termin platnosci', 'Razem do zaplaty'], readingLanguages)).toEqual(
      readingLanguages,
    )
  })

  it('are never others than were chosen', async () => {
    expect(await languagesOf(german, ['fra', 'spa'])).toEqual(['fra', 'spa'])
    expect(await languagesOf(english, ['fra', 'eng'])).toEqual(['eng'])
    expect(await languagesOf(english, ['spa'])).toEqual(['spa'])
  })
})
