import { describe, expect, it } from 'vitest'
import { flagText } from '../../../renderer/screens/review/flag-text.ts'
import { formatsFor } from '../../../renderer/messages/formats.ts'
import { i18nFor } from '../../../renderer/messages/language.tsx'
import type { Sources } from '../../../renderer/screens/review/pointer.ts'
import type { Flag } from '../../../shared/domain/review.ts'

const language = {
  t: ((id: string, values?: Record<string, unknown>) => i18nFor('en')._(id, values)) as never,
  formats: formatsFor('en-US'),
}
const printed = (places: Record<string, string>): Sources =>
  new Map(
    Object.entries(places).map(([pointer, text]) => [pointer, { pointer, page: 1, text, boxes: [] }]),
  ) as unknown as Sources
const sum: Flag = {
  code: 'sum',
  pointer: '/0/Total',
  terms: [
    { name: 'Net', value: 1079.5 },
    { name: 'Tax', value: 205 },
  ],
  expected: 1284.5,
  total: 1248,
}
const product: Flag = {
  code: 'product',
  pointer: '/0/Items/1/Worth',
  factors: [
    { name: 'Quantity', value: 2.5 },
    { name: 'Unit price', value: 148.5 },
  ],
  expected: 371.25,
  value: 371,
}

describe('why a value needs a look', () => {
  it('has amounts with two decimals, as beside their document', () => {
    expect(flagText(sum, language, null, 'Invoice')).toBe('Net 1,079.50 + Tax 205.00 is 1,284.50, not 1,248.00.')
    expect(
      flagText(
        { code: 'rows_sum', pointer: '/0/Total', list: 'items', expected: 12.5, total: 13 },
        language,
        null,
        'Invoice',
      ),
    ).toContain('12.50, not 13.00')
  })

  it('leaves what is no amount as it is', () => {
    expect(flagText(product, language, null, 'Invoice')).toBe('Quantity 2.5 × Unit price 148.50 is 371.25, not 371.00.')
    expect(
      flagText(
        {
          ...sum,
          pointer: '/0/Hours',
          terms: [
            { name: 'Day', value: 7.5 },
            { name: 'Night', value: 1 },
          ],
          expected: 8.5,
          total: 9,
        },
        language,
        null,
        'Invoice',
      ),
    ).toBe('Day 7.5 + Night 1 is 8.5, not 9.')
  })

  it('has the decimals that are printed in the value’s place, or in its column', () => {
    const whole: Flag = {
      ...product,
      factors: [
        { name: 'Quantity', value: 4 },
        { name: 'Unit price', value: 148 },
      ],
      expected: 592,
      value: 529,
    }
    expect(flagText(whole, language, null, 'Invoice')).toBe('Quantity 4 × Unit price 148 is 592, not 529.')
    expect(
      flagText(whole, language, printed({ '/0/Items/0/Worth': '12.00', '/0/Items/1/Unit price': '148.00' }), 'Invoice'),
    ).toBe('Quantity 4 × Unit price 148.00 is 592.00, not 529.00.')
  })

  it('names the schema, the parts of the file and what they say', () => {
    const text = (flag: Flag): string => flagText(flag, language, printed({ '/0/Total': '1,190.00' }), 'Invoice')
    expect(text({ code: 'other_kind', pointer: '/0' })).toBe('This does not look like “Invoice”.')
    const differ = {
      code: 'sources_differ',
      pointer: '/0/Total',
      value: 1190,
      from: 'page',
      other: 1109,
      otherFrom: 'e-invoice',
    } as const
    expect(text(differ)).toBe('The page says 1,190.00, the e-invoice in the file says 1,109.00.')
    expect(text({ ...differ, from: 'payment-code', other: null, otherFrom: 'page' })).toBe(
      'The payment code says 1,190.00, the page says nothing.',
    )
  })

  it('says of a doubt whether there is a value to check', () => {
    const text = (value: number | null): string =>
      flagText({ code: 'unsure', pointer: '/0/Total', value }, language, null, 'Invoice')
    expect(text(12)).toBe('Not sure: check this value.')
    expect(text(null)).toBe('Nothing certain was found here.')
  })

  it('says what a value should be where other values tell', () => {
    expect(
      flagText(
        { code: 'implausible', pointer: '/0/Total', reason: 'tax_total', value: 191, expected: 119.5 },
        language,
        null,
        'Invoice',
      ),
    ).toBe('By the other amounts this is 119.50, not 191.00.')
  })
})
