import { describe, expect, it } from 'vitest'
import {
  dateOrderEvidence,
  decimalEvidence,
  findDates,
  parseBoolean,
  parseCurrency,
  parseDate,
  parseNumber,
} from '../../../electron/service/extraction/parse-value.ts'

describe('parseNumber', () => {
  it.each([
    ['1.234,56', 1234.56],
    ['1,234.56', 1234.56],
    ['₹ 2,38,372.50', 238372.5],
    ['12,34,567', 1234567],
    ['1,23,45', null],
    ['3, 12, 500', null],
    ['1 234,56', 1234.56],
    ['1\u00A0234,56', 1234.56],
    ['1\u202F234\u202F567,8', 1234567.8],
    ["1'234.56", 1234.56],
    ['1’234.50', 1234.5],
    ['12,5-', -12.5],
    ['(12.50)', -12.5],
    ['−5', -5],
    ['- 3,20 €', -3.2],
    ['+40,00', 40],
    ['€ 12,50', 12.5],
    ['12,50 EUR', 12.5],
    ['$1,000.00', 1000],
    ['CHF 45.-', 45],
    ['12,--', 12],
    ['19 %', 19],
    ['7,7%', 7.7],
    ['0,025 €', 0.025],
    ['120.00 CR', 120],
    ['120.00 DR', -120],
    ['45,10 S', -45.1],
    ['45,10 H', 45.1],
    ['1.234.567', 1234567],
    ['43,2000', 43.2],
    ['0.125', 0.125],
    ['15387,08', 15387.08],
    ['300', 300],
    ['12, 50', 12.5],
    ['187 .31', 187.31],
    ['RM22.65', 22.65],
    ['R288.40', 288.4],
    ['Rs1,675.00', 1675],
    ['S$ 12.90', 12.9],
    ['89,90 zł', 89.9],
    ['245,00 kr.', 245],
    ['0,00', 0],
    ['-0,00', 0],
    ['********1,851.15', 1851.15],
    ['€ **128,40**', 128.4],
    ['=1.234,56=', 1234.56],
  ])('reads %s', (text, value) => {
    expect(parseNumber(text)).toBe(value)
  })

  it.each([
    '',
    'abc',
    '12 34',
    'R288',
    'RM 204',
    '2 .99',
    'A12.50',
    '12 . 5 .',
    '1.2.3',
    '12.05.2026',
    '1,23,4',
    'INV-12',
    '4 711 9',
    'DE123',
    '12:30',
    '****4821',
    '**12.05.2026',
  ])('does not take %j for a number', (text) => {
    expect(parseNumber(text)).toBeNull()
  })

  it('lets the document decide what 1.234 means', () => {
    expect(parseNumber('1.234', { decimal: ',' })).toBe(1234)
    expect(parseNumber('1.234', { decimal: '.' })).toBe(1.234)
    expect(parseNumber('1,234', { decimal: '.' })).toBe(1234)
    expect(parseNumber('1.234')).toBe(1234)
  })

  it('reads a number with its unit only when units are allowed', () => {
    expect(parseNumber('20 Stk', { unit: true })).toBe(20)
    expect(parseNumber('5 Unit(s)', { unit: true })).toBe(5)
    expect(parseNumber('3 m²', { unit: true })).toBe(3)
    expect(parseNumber('12 x', { unit: true })).toBe(12)
    expect(parseNumber('20 Stk')).toBeNull()
  })

  it('knows the decimal sign of a text from its unmistakable numbers', () => {
    expect(decimalEvidence('Summe 12,50 und 1.200,00')).toBe(',')
    expect(decimalEvidence('Total 12.50 and 1,200.00')).toBe('.')
    expect(decimalEvidence('am 12.05.2026')).toBeUndefined()
    expect(decimalEvidence('Grundstücke 2.807.912')).toBe(',')
    expect(decimalEvidence('Land 2,807,912')).toBe('.')
    expect(decimalEvidence('CHE-123.456.789 MWST')).toBeUndefined()
  })
})

describe('parseDate', () => {
  it.each([
    ['2026-03-04', '2026-03-04'],
    ['04.03.2026', '2026-03-04'],
    ['4.3.26', '2026-03-04'],
    ['3. März 2026', '2026-03-03'],
    ['3 mars 2026', '2026-03-03'],
    ['le 1er février 2026', '2026-02-01'],
    ['Mar 3, 2026', '2026-03-03'],
    ['March 3rd, 2026', '2026-03-03'],
    ['3 de marzo de 2026', '2026-03-03'],
    ['24. Januar 2014', '2014-01-24'],
    ['31-Dec-2025', '2025-12-31'],
    ['Friday, 6 March 2026', '2026-03-06'],
    ['12/11/2026', '2026-11-12'],
    ['13/02/2026 14:05', '2026-02-13'],
    ['15 août 2025', '2025-08-15'],
    ['20260304', '2026-03-04'],
    ['den 5. Mai 2026', '2026-05-05'],
    ['31/12/99', '1999-12-31'],
    ['01/06/55', '2055-06-01'],
    ['01 02 1970', '1970-02-01'],
    ["Aug17' 16 11:54AM", '2016-08-17'],
    ['JAN09 03 9:03PM', '2003-01-09'],
    ["Mar06'16", '2016-03-06'],
    ['12FEB24', '2024-02-12'],
    ['03MAY2021', '2021-05-03'],
    ['WED JULY 20,2011', '2011-07-20'],
    ['Jun 15 12:47:59 2011', '2011-06-15'],
  ])('reads %s', (text, value) => {
    expect(parseDate(text)).toBe(value)
  })

  it.each([
    '31.02.2026',
    'invoice',
    '12.50',
    '1.234,56',
    '192.168.1.10',
    '01.01.2026 bis 31.01.2026',
    'INV 2026-03-04',
    '10 12 2020 14',
    '5 10 12 2020',
    '13.13.2026',
  ])('does not take %s for a date', (text) => {
    expect(parseDate(text)).toBeNull()
  })

  it('reads an ambiguous date by the order of the document', () => {
    expect(parseDate('03/04/2026', { order: 'MDY' })).toBe('2026-03-04')
    expect(parseDate('03/04/2026', { order: 'DMY' })).toBe('2026-04-03')
    expect(parseDate('03/25/2026', { order: 'DMY' })).toBe('2026-03-25')
    expect(dateOrderEvidence('issued 03/04/2026, due 04/25/2026', 'DMY')).toBe('MDY')
    expect(dateOrderEvidence('03/04/2026 and 25/04/2026', 'MDY')).toBe('DMY')
    expect(dateOrderEvidence('03/04/2026', 'MDY')).toBe('MDY')
    expect(dateOrderEvidence('Date 04/12/2017, printed Monday, 4 December, 2017', 'MDY')).toBe('DMY')
    expect(dateOrderEvidence('5 March 2026, of 03/05/2026, due 25/05/2026, visit 03/05/2026', 'DMY')).toBe('DMY')
    expect(dateOrderEvidence('Date 04/12/2017, printed April 12, 2017', 'DMY')).toBe('MDY')
  })

  it('finds several dates in one text with their places', () => {
    const text = 'Zeitraum 06.12.2013 bis 6. Dezember 2014'
    const found = findDates(text)
    expect(found.map((date) => date.iso)).toEqual(['2013-12-06', '2014-12-06'])
    expect(text.slice(found[1]!.start, found[1]!.end)).toBe('6. Dezember 2014')
  })
})

describe('parseBoolean and parseCurrency', () => {
  it('reads check marks and words of four languages', () => {
    for (const text of ['☒', '☑', '✓', '[x]', '[ X ]', 'Ja', 'oui', 'Sí', 'YES', 'x'])
      expect(parseBoolean(text), text).toBe(true)
    for (const text of ['☐', '□', '[ ]', '( )', 'nein', 'Non', 'no']) expect(parseBoolean(text), text).toBe(false)
    for (const text of ['maybe', '', '12']) expect(parseBoolean(text), text).toBeNull()
  })

  it('gives ISO codes for signs, words and codes', () => {
    expect(parseCurrency('12,00 €')).toBe('EUR')
    expect(parseCurrency('$5')).toBe('USD')
    expect(parseCurrency('alle Beträge in CHF')).toBe('CHF')
    expect(parseCurrency('£3')).toBe('GBP')
    expect(parseCurrency('RM22.65')).toBe('MYR')
    expect(parseCurrency('S$12.90')).toBe('SGD')
    expect(parseCurrency('R$ 120,00')).toBe('BRL')
    expect(parseCurrency('RM 204')).toBeNull()
    expect(parseCurrency('form')).toBeNull()
    expect(parseCurrency('eurovision')).toBeNull()
  })
})
