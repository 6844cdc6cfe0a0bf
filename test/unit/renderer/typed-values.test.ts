import { describe, expect, it } from 'vitest'
import { formatsFor } from '../../../renderer/messages/formats.ts'
import { editText, parseDay, parseNumber, parseTyped } from '../../../renderer/grid/typed-values.ts'

const de = formatsFor('de-DE')
const en = formatsFor('en-US')
const fr = formatsFor('fr-FR')
const swiss = formatsFor('de-CH')

describe('a number that is typed', () => {
  it.each([
    ['1.284,61', de, 1284.61],
    ['1284,61', de, 1284.61],
    ['1.284', de, 1284],
    ['12.5', de, 12.5],
    ['-320,18 €', de, -320.18],
    ['−5', de, -5],
    [',5', de, 0.5],
    ['5,', de, 5],
    ['1,284.61', en, 1284.61],
    ['$ 412.00', en, 412],
    ['12,5', en, 12.5],
    ['1.514,00', en, 1514],
    ['1,514.00', de, 1514],
    ['1,284', en, 1284],
    ['1 284,61', fr, 1284.61],
    ['1\u202f284,61', fr, 1284.61],
    ['1.5', fr, 1.5],
    ["1'284.61", swiss, 1284.61],
    ['1’284.61 CHF', swiss, 1284.61],
  ])('%s is %#', (text, formats, value) => {
    expect(parseNumber(text, formats.numberSigns)).toBe(value)
  })

  it.each(['twelve', '1.2.3,4', '12 pieces', '1,2,3', '-', '.', ''])('«%s» is none', (text) => {
    expect(parseNumber(text, de.numberSigns)).toBeNull()
  })

  it('is what editing shows', () => {
    for (const formats of [de, en, fr, swiss]) {
      for (const value of [0, -1, 1284.6, 1234567.891, 0.1])
        expect(parseNumber(editText(value, formats, 2), formats.numberSigns)).toBe(value)
    }
    expect([editText(1284.6, de, 2), editText(1284, de), editText(1284, de, 2)]).toEqual(['1284,60', '1284', '1284,00'])
  })
})

describe('a day that is typed', () => {
  it('is kept as ISO writes it, in the order of the language', () => {
    expect(['17.11.2026', '1.2.2026', '2026-11-17', '17. 11. 2026'].map((text) => parseDay(text, de.dayOrder))).toEqual(
      ['2026-11-17', '2026-02-01', '2026-11-17', '2026-11-17'],
    )
    // Points are never used month first.
    expect(parseDay('09.11.2026', en.dayOrder)).toBe('2026-11-09')
    expect([parseDay('11/17/2026', en.dayOrder), parseDay('17/11/2026', fr.dayOrder)]).toEqual([
      '2026-11-17',
      '2026-11-17',
    ])
  })

  it('is text where it is none', () => {
    for (const text of ['30.02.2026', '17.11.26', '17.11', '2026', '1.2.3', '17.11/2026', '192.168.1.1'])
      expect(parseDay(text, de.dayOrder)).toBeNull()
  })

  it('is what editing shows', () => {
    for (const formats of [de, en, fr])
      expect(parseDay(editText('2026-02-09', formats), formats.dayOrder)).toBe('2026-02-09')
  })
})

describe('a typed value', () => {
  it('is nothing where it is empty, a number only in a field of numbers, else text without what surrounds it', () => {
    expect(parseTyped('  ', { format: 'text' }, de)).toEqual({ value: null })
    expect(parseTyped('1284,61', { format: 'text' }, de)).toEqual({ value: '1284,61' })
    expect(parseTyped('1284,61', { format: 'number' }, de)).toEqual({ value: 1284.61 })
    expect(parseTyped('a lot', { format: 'number' }, de)).toEqual({ problem: 'number' })
    // An amount has no thousandths; a quantity may.
    expect(parseTyped('1.514', { format: 'number', name: 'Net amount' }, en)).toEqual({ problem: 'twofold' })
    expect(parseTyped('1,514 €', { format: 'number', name: 'Nettobetrag' }, de)).toEqual({ problem: 'twofold' })
    expect(parseTyped('1.514', { format: 'number', name: 'Nettobetrag' }, de)).toEqual({ value: 1514 })
    expect(parseTyped('1.514', { format: 'number', name: 'Quantity' }, en)).toEqual({ value: 1.514 })
    expect(parseTyped(' Hartmann GmbH ', { format: 'text' }, de)).toEqual({ value: 'Hartmann GmbH' })
    expect(parseTyped('17.11.2026', { format: 'text' }, de)).toEqual({ value: '2026-11-17' })
  })
})
