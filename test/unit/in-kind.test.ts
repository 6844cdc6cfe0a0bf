import { describe, expect, it } from 'vitest'
import { inKind, mayBeOfKind, recordInKinds, valueInKindAt } from '../../shared/domain/in-kind.ts'
import { textKinds } from '../../shared/domain/schema.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'

const elements: SchemaElement[] = [
  { name: 'Date', format: 'text', description: '', kind: 'date' },
  { name: 'Note', format: 'text', description: '' },
  { name: 'Total', format: 'number', description: '' },
  {
    name: '2026',
    format: 'list',
    description: '',
    items: [
      { name: '7', format: 'text', description: '', kind: 'iban' },
      { name: 'Text', format: 'text', description: '' },
    ],
  },
]

describe('a text of a kind', () => {
  it.each([
    ['5.3.24', '2024-03-05'],
    ['19 april 2014', '2014-04-19'],
    ['le 3 août 2025', '2025-08-03'],
    ['31/12/2025', '2025-12-31'],
    ['2026-02-09T00:00:00Z', '2026-02-09'],
    [' 2026-02-09 ', '2026-02-09'],
    // Of 1945 or 2045.
    ['12.03.45', '12.03.45'],
    ['12.03.75', '1975-03-12'],
    // Nobody can say which day.
    ['03/04/2026', '03/04/2026'],
    ['31.02.2024', null],
    ['2026-13-01', null],
    ['soon', null],
    ['10.01.2024 - 31.01.2024', null],
    ['', null],
  ])('is a date: %s → %s', (text, day) => expect(inKind('date', text)).toBe(day))

  it('is the day that a language writes first, where it says which', () => {
    expect(inKind('date', '03/04/2026', 'DMY')).toBe('2026-04-03')
    expect(inKind('date', '03/04/2026', 'MDY')).toBe('2026-03-04')
  })

  it.each([
    ['011226', 'DMY', '2026-12-01'],
    ['120126', 'MDY', '2026-12-01'],
    ['01122026', 'DMY', '2026-12-01'],
    ['20261201', 'DMY', '2026-12-01'],
    ['011245', 'DMY', '011245'],
    ['310226', 'DMY', null],
    ['011226', undefined, null],
  ] as const)('is a date that is typed without separators: %s, %s → %s', (text, order, day) =>
    expect(inKind('date', text, order)).toBe(day),
  )

  it.each([
    ['iban', 'DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['iban', 'de89-3704-0044-0532-0130-00', 'DE89370400440532013000'],
    ['iban', 'IBAN: DE89\u00a03704 0044 0532\u202f0130 00', 'DE89370400440532013000'],
    ['iban', 'DE89.3704.0044.0532.0130.00', 'DE89370400440532013000'],
    ['iban', 'DE89 3704 0044 0532 0130 01', null],
    ['currency', 'eur', 'EUR'],
    ['currency', '€', 'EUR'],
    ['currency', 'CHF', 'CHF'],
    ['currency', 'XYZ', null],
    // Of twenty countries.
    ['currency', '$', null],
    ['vat_id', 'DE 136 695 976', 'DE136695976'],
    ['vat_id', 'FR 40 303 265 045', 'FR40303265045'],
    ['vat_id', 'DE 136 695 977', null],
    ['vat_id', '123/456/78901', null],
    ['vat_id', 'USt-IdNr. DE 136 695 976', 'DE136695976'],
    ['vat_id', 'USt-IdNr.: DE136695977', null],
    ['vat_id', 'TVA FR 40 303 265 045', 'FR40303265045'],
    ['vat_id', 'Steuernummer 12 345 678 90', null],
    ['vat_id', 'St.-Nr. 12345678901', null],
    ['vat_id', 'BE 1000.395.246', 'BE1000395246'],
    ['vat_id', 'BE 1000.395.247', null],
    ['vat_id', 'RECHNUNG', null],
    ['vat_id', 'VAT DE 12345', null],
    // Of a country whose rules nobody knows here.
    ['vat_id', 'TR 123 456 7890', 'TR 123 456 7890'],
    ['email', 'mailto:Info@Hartmann-GmbH.DE', 'Info@hartmann-gmbh.de'],
    ['email', 'max@müller.de', 'max@müller.de'],
    ['email', 'info at hartmann', null],
    ['email', 'info@hartmann', null],
    ['email', 'info@hartmann,de', null],
    ['email', 'Mail:info@hartmann.de', null],
    ['email', '<info@hartmann.de>', null],
    ['code', 'n°562044387', '562044387'],
    ['code', 'Nr. 2026-0917', '2026-0917'],
    ['code', 'No 17', '17'],
    ['code', '#00123', '#00123'],
    ['code', 'NO 923 609 016', 'NO 923 609 016'],
    ['code', 'No Limit 3000', 'No Limit 3000'],
    ['code', 'N° de facture 12', 'N° de facture 12'],
    ['code', 'NO-17', 'NO-17'],
    ['code', 'Nordwind 7', 'Nordwind 7'],
    ['code', '00123', '00123'],
  ] as const)('is a %s: %s → %s', (kind, text, form) => expect(inKind(kind, text)).toBe(form))

  it('is told of three hundred signs at once, whatever they are', () => {
    const hostile = ['TR', 'info@', '1.', 'n° ', 'DE', '\u00a0', 'EUR', '2026-'].flatMap((part) => [
      `${part}${'1'.repeat(290)}!`.slice(0, 299),
      part.repeat(150).slice(0, 299),
    ])
    const begun = process.cpuUsage()
    for (const kind of textKinds) for (const text of hostile) inKind(kind, text)
    expect(process.cpuUsage(begun).user / 1000).toBeLessThan(2000)
  })

  it('is the same text once it is in its form', () => {
    for (const [kind, form] of [
      ['date', '2024-03-05'],
      ['iban', 'DE89370400440532013000'],
      ['currency', 'EUR'],
      ['vat_id', 'DE136695976'],
      ['email', 'Info@hartmann-gmbh.de'],
      ['code', '2026-0917'],
    ] as const)
      expect(inKind(kind, form)).toBe(form)
  })
})

describe('a record', () => {
  it('has each text in the form of its kind, in rows as well, and all else as it came', () => {
    const record = {
      Date: '5.3.24',
      Note: '5.3.24',
      Total: 12,
      extra: { deep: ['5.3.24'] },
      '2026': [{ '7': 'DE89 3704 0044 0532 0130 00', Text: '5.3.24' }, { '7': 'none' }, null, 'lone'],
    }
    expect(recordInKinds(record, elements)).toEqual({
      Date: '2024-03-05',
      Note: '5.3.24',
      Total: 12,
      extra: { deep: ['5.3.24'] },
      '2026': [{ '7': 'DE89370400440532013000', Text: '5.3.24' }, { '7': 'none' }, null, 'lone'],
    })
  })

  it('gets no field that it did not have', () => {
    expect(recordInKinds({ Note: 'x' }, elements)).toEqual({ Note: 'x' })
  })

  it.each([
    ['/0/Date', '5.3.24', '2024-03-05'],
    ['/0/Note', '5.3.24', '5.3.24'],
    ['/0/2026/12/7', 'DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['/0/2026/12', { '7': 'DE89 3704 0044 0532 0130 00' }, { '7': 'DE89370400440532013000' }],
    ['/0/2026', [{ '7': 'DE89 3704 0044 0532 0130 00' }], [{ '7': 'DE89370400440532013000' }]],
    ['/0', { Date: '5.3.24' }, { Date: '2024-03-05' }],
    ['/0/gone/3/7', '5.3.24', '5.3.24'],
    ['/0/Date', null, null],
  ])('has what is put at %s in its form', (pointer, value, form) =>
    expect(valueInKindAt(pointer, value, elements)).toEqual(form),
  )
})

describe('a text that cannot be of a kind', () => {
  it.each([
    ['date', '31.02.2024', true],
    ['date', 'soon', false],
    ['iban', 'DE89 3704 0044 0532 0130 01', true],
    ['iban', 'DEO2 12O3 0000 0000 2020 51', true],
    ['iban', '0E02 1203 0000 0000 2020 51', true],
    ['iban', 'DE89 XXXX XXXX XXXX XXXX 00', true],
    ['iban', 'Sparkasse Musterstadt', false],
    ['iban', '1284,61', false],
    ['currency', '$', true],
    ['currency', '24,50', false],
    ['currency', 'Casa Verde', false],
    ['vat_id', 'DEI23456789', true],
    ['vat_id', '123 4567 89', true],
    ['vat_id', '27/123/45678', false],
    ['vat_id', 'Casa Verde', false],
    ['email', 'info(at)example.com', true],
    ['email', 'www.example.com', false],
    ['code', 'Casa Verde', true],
  ] as const)('as %s «%s»: may be, %s', (kind, text, may) => expect(mayBeOfKind(kind, text)).toBe(may))
})
