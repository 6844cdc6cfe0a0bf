import { describe, expect, it } from 'vitest'
import { splitExamples, splitNumber } from '../../../electron/service/extraction/description-parts.ts'
import { meanings } from '../../../electron/service/extraction/words.ts'
import { understand } from '../../../electron/service/extraction/field.ts'

describe('examples in a description', () => {
  it.each([
    ["Order number (e.g. 'KD-4711')", ['KD-4711']],
    ['Time as printed, e.g. 1:00:17 PM', ['1:00:17 PM']],
    ["Code (e.g. '20GP', '1X20ST')", ['20GP', '1X20ST']],
    ['Drainage (e.g. "WD (Well Drained)")', ['WD (Well Drained)']],
    ['Bestellnummer, z.B. „4500 123“ oder „4501“; wie gedruckt', ['4500 123', '4501']],
    ["Adresse, par exemple l'adresse d'envoi", ["l'adresse d'envoi"]],
    ['EG-Typgenehmigung, ZB Teil II', []],
    ['Importe, por ejemplo 12,50 €', ['12,50 €']],
    ['Datum, bijv. 01.02.2026. Zoals gedrukt', ['01.02.2026']],
    ['Eggs and legs', []],
  ])('of «%s» are %j', (description, examples) => {
    expect(splitExamples(description).examples).toEqual(examples)
  })

  it('leave what is said behind them', () => {
    const field = understand(
      { name: 'datum', format: 'text', description: 'Datum, z.B. 01.02.2026, wie gedruckt' },
      'document',
    )
    expect(field).toMatchObject({ kind: 'date', asPrinted: true, examples: ['01.02.2026'] })
  })

  it('are no labels of what is asked for', () => {
    const { phrases } = understand(
      { name: 'terminal', format: 'text', description: "Terminal (e.g. 'DESTINATION')" },
      'document',
    )
    expect(phrases.flatMap(({ words }) => words)).not.toContain('destination')
  })
})

describe('the number that a form gives a field', () => {
  it.each([
    ['box16StateWages', 'Wages', '16'],
    ['Feld 12 Name', '', '12'],
    ['state_wages', 'State wages (box 16)', '16'],
    ['employer', 'box b employer federal id', 'b'],
    ['line_items', 'The rows', undefined],
    ['boxes', 'Number of boxes', undefined],
    ['line1_address', 'Address, PO box 12', undefined],
    ['text', 'Ein Feld 20 Zeichen lang', undefined],
  ])('of «%s», «%s» is %s', (name, description, number) => {
    expect(splitNumber({ name, format: 'text', description }).number).toBe(number)
  })

  it('does not keep the rest of the name from being known', () => {
    expect(understand({ name: 'box 3 IBAN', format: 'text', description: '' }, 'document').kind).toBe('iban')
  })
})

describe('what stands in brackets', () => {
  const labels = (description: string): string[] =>
    understand({ name: 'versand', format: 'number', description }, 'document').phrases.map(({ words }) =>
      words.join(' '),
    )

  it('is a label where it is a name', () => {
    expect(labels('Shipping cost (Frachtpauschale)')).toContain(meanings('Frachtpauschale').join(' '))
    expect(labels('Shipping cost (運送料)')).toContain('運送料')
  })

  it.each(['(before tax)', '(excl. VAT)', '(optional)', '(if applicable)'])('is none where it limits: %s', (limit) => {
    expect(labels(`Shipping cost ${limit}`)).toEqual(labels('Shipping cost'))
  })
})

describe('the name of a company in its register', () => {
  const kindOf = (name: string, description: string): unknown =>
    understand({ name, format: 'text', description }, 'document').kind

  it.each([
    ['razon_social_emisor', ''],
    ['cliente_ragione_sociale', ''],
    ['legalEntity', 'numbered company of the customer'],
    ['legal entity of the airline', ''],
    ['legal_business_name', ''],
    ['clinic', 'legal name'],
    ['drukker', 'naam met rechtsvorm'],
  ])('is what «%s | %s» asks for', (name, description) => {
    expect(kindOf(name, description)).toBe('party')
  })

  it.each([
    ['pagador_direccion', 'sin la razón social', 'address'],
    ['legal_form', '', 'text'],
    ['legal_entity_type', '', 'text'],
    ['legal_entity_identifier', '', 'code'],
    ['registration_number', 'registration number of the legal entity', 'code'],
  ])('is not what «%s | %s» asks for', (name, description, kind) => {
    expect(kindOf(name, description)).toBe(kind)
  })
})
