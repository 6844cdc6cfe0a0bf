import { describe, expect, it } from 'vitest'
import { flagsOf, uniqueValues } from '../../electron/core/review/flags.ts'
import { matchesRulePattern } from '../../electron/core/patterns.ts'
import { copyOnWrite, pointerOf, tokensOf, valueAt } from '../../shared/domain/pointer.ts'
import { dayOf, numberOf, comparisonKey } from '../../electron/core/review/value.ts'
import type { ExtractedRecord } from '../../shared/domain/result.ts'
import type { Flag, Rule } from '../../shared/domain/review.ts'

/** The copy after one change; null where there is no such place. */
function withValueAt<T>(root: T, pointer: string, value: unknown): T | null {
  const copy = copyOnWrite(root)
  return copy.put(pointer, value) ? copy.root() : null
}

const around = { today: '2026-11-22', seen: () => null }
const flags = (record: ExtractedRecord, ...rules: Rule[]): Flag[] => flagsOf([record], rules, around)

describe('a field that is required', () => {
  const rule: Rule = { kind: 'required', field: ['IBAN'] }

  it('is flagged where it is missing, null, blank or an empty list', () => {
    for (const record of [{}, { IBAN: null }, { IBAN: '  ' }, { IBAN: [] }] as ExtractedRecord[])
      expect(flags(record, rule)).toEqual([{ code: 'required', pointer: '/0/IBAN' }])
  })

  it('is fine with anything else, 0 and «no» included', () => {
    for (const IBAN of ['DE02', 0, false]) expect(flags({ IBAN }, rule)).toEqual([])
  })

  it('is looked for in each row of a list', () => {
    const record = { Items: [{ Text: 'a' }, { Text: '' }, {}] } as unknown as ExtractedRecord
    expect(flags(record, { kind: 'required', field: ['Items', 'Text'] })).toEqual([
      { code: 'required', pointer: '/0/Items/1/Text' },
      { code: 'required', pointer: '/0/Items/2/Text' },
    ])
  })

  it('has a pointer that any name survives', () => {
    expect(flags({}, { kind: 'required', field: ['Net/gross ~1'] })).toEqual([
      { code: 'required', pointer: '/0/Net~1gross ~01' },
    ])
  })
})

describe('a pattern', () => {
  it.each([
    ['RE-2026-17', 'RE-####-##', true],
    ['re-2026-17', 'RE-####-##', true],
    ['RE-26-17', 'RE-####-##', false],
    ['RE-2026-17x', 'RE-####-##', false],
    ['DE89 3704', '@@## ####', true],
    ['ÄÖ12', '@@##', true],
    ['RE/2026/000417', 'RE/*', true],
    ['', '*', true],
    ['abcabd', '*abd', true],
    ['a.c', 'a?c', true],
    ['abc', 'a.c', false],
    ['😀1', '?#', true],
  ])('of «%s» for %s: %s', (text, pattern, fits) => {
    expect(matchesRulePattern(text, pattern)).toBe(fits)
  })

  it('flags what does not fit, and nothing that is empty', () => {
    const rule: Rule = { kind: 'pattern', field: ['Number'], pattern: '##' }
    expect(flags({ Number: '7' }, rule)).toEqual([{ code: 'pattern', pointer: '/0/Number', pattern: '##' }])
    expect(flags({ Number: 77 }, rule)).toEqual([])
    expect(flags({ Number: null }, rule)).toEqual([])
  })
})

describe('a date that may not be in the future', () => {
  it('is flagged from tomorrow on, in ISO form or with dots', () => {
    const rule: Rule = { kind: 'not_in_future', field: ['Date'] }
    expect(flags({ Date: '2026-11-23' }, rule)).toEqual([
      { code: 'not_in_future', pointer: '/0/Date', date: '2026-11-23' },
    ])
    expect(flags({ Date: '1.12.2026' }, rule)).toEqual([
      { code: 'not_in_future', pointer: '/0/Date', date: '2026-12-01' },
    ])
    for (const Date of ['2026-11-22', '22.11.2026', 'soon', '2026-13-45', '', null])
      expect(flags({ Date }, rule)).toEqual([])
  })
})

describe('net and tax', () => {
  const rule: Rule = { kind: 'sum', terms: [['Net'], ['VAT']], total: ['Total'] }

  it('are right to the cent, whatever binary fractions say', () => {
    expect(flags({ Net: 0.1, VAT: 0.2, Total: 0.3 }, rule)).toEqual([])
    expect(flags({ Net: '1.079,50 €', VAT: '205,11', Total: 1284.61 }, rule)).toEqual([])
  })

  it('are flagged at the total, with what they come to', () => {
    const terms = [
      { name: 'Net', value: 1079.5 },
      { name: 'VAT', value: 205.11 },
    ]
    expect(flags({ Net: 1079.5, VAT: 205.11, Total: 1284.6 }, rule)).toEqual([
      { code: 'sum', pointer: '/0/Total', terms, expected: 1284.61, total: 1284.6 },
    ])
  })

  it('say nothing where a number is missing or may be two', () => {
    for (const Net of [null, 'x', '1.079', Number.POSITIVE_INFINITY])
      expect(flags({ Net, VAT: 205.11, Total: 1 }, rule)).toEqual([])
  })
})

describe('the rows of a list', () => {
  const items = (...amounts: unknown[]): ExtractedRecord['Items'] => amounts.map((Amount) => ({ Amount })) as never
  const rule: Rule = { kind: 'rows_sum', column: ['Items', 'Amount'], total: ['Net'] }

  it('add up to the total, an empty cell as nothing', () => {
    expect(flags({ Items: items(247.5, 592, null, 240), Net: 1079.5 }, rule)).toEqual([])
    expect(flags({ Items: items(247.5, 592), Net: 1079.5 }, rule)).toEqual([
      { code: 'rows_sum', pointer: '/0/Net', list: 'Items', expected: 839.5, total: 1079.5 },
    ])
  })

  it('say nothing where there are none, or one is no number', () => {
    expect(flags({ Items: items(), Net: 5 }, rule)).toEqual([])
    expect(flags({ Items: items('a lot'), Net: 5 }, rule)).toEqual([])
    expect(flags({ Items: 'none' as never, Net: 5 }, rule)).toEqual([])
  })

  it('multiply row by row', () => {
    const record = {
      Items: [
        { Quantity: 50, Price: 4.95, Amount: 247.5 },
        { Quantity: 4, Price: 148, Amount: 529 },
        { Quantity: 1, Price: null, Amount: 3 },
      ],
    } as unknown as ExtractedRecord
    const product: Rule = {
      kind: 'product',
      factors: [
        ['Items', 'Quantity'],
        ['Items', 'Price'],
      ],
      result: ['Items', 'Amount'],
    }
    expect(flags(record, product)).toEqual([
      {
        code: 'product',
        pointer: '/0/Items/1/Amount',
        factors: [
          { name: 'Quantity', value: 4 },
          { name: 'Price', value: 148 },
        ],
        expected: 592,
        value: 529,
      },
    ])
  })

  it('take a minus before the amount alone as a credit note prints it', () => {
    const product: Rule = {
      kind: 'product',
      factors: [
        ['Items', 'Quantity'],
        ['Items', 'Price'],
      ],
      result: ['Items', 'Amount'],
    }
    const lines = (...amounts: [number, number, number][]) =>
      ({
        Items: amounts.map(([Quantity, Price, Amount]) => ({ Quantity, Price, Amount })),
      }) as unknown as ExtractedRecord
    expect(flags(lines([10, 19.8, -198], [-10, 19.8, -198], [10, -19.8, -198]), product)).toEqual([])
    expect(flags(lines([10, 19.8, -189], [-10, 19.8, 198]), product)).toMatchObject([
      { expected: 198, value: -189 },
      { expected: -198, value: 198 },
    ])
  })
})

describe('a value that no other document has', () => {
  it('is compared as a person compares it, and says where it was seen', () => {
    const asked: unknown[] = []
    const seen = (fields: string[][], value: string) => {
      asked.push([fields, value])
      return value === 're-17' ? { documentId: 3, name: 'first.pdf', at: 5 } : null
    }
    const unique: Rule[] = [{ kind: 'unique', fields: [['Number']] }]
    expect(flagsOf([{ Number: ' RE-17' }, { Number: 18 }, { Number: '' }], unique, { ...around, seen })).toEqual([
      { code: 'unique', pointer: '/0/Number', value: ' RE-17', documentId: 3, name: 'first.pdf', at: 5 },
    ])
    expect(asked).toEqual([
      [[['Number']], 're-17'],
      [[['Number']], '18'],
    ])
  })

  it('is the same only where all fields of the rule are', () => {
    const rule: Rule = { kind: 'unique', fields: [['Number'], ['Seller']] }
    const values = (record: ExtractedRecord): string[] => uniqueValues([record], [rule]).map(({ value }) => value)
    expect(values({ Number: '17', Seller: 'Voss AG' })).toEqual(values({ Number: '17 ', Seller: 'VOSS AG' }))
    expect(values({ Number: '17', Seller: 'Voss AG' })).not.toEqual(values({ Number: '17', Seller: 'Vogt AG' }))
    expect(values({ Number: '17', Seller: null })).toHaveLength(1)
    expect(values({ Number: null, Seller: 'Voss AG' })).toEqual([])
  })
})

describe('a number in a text', () => {
  it.each<[unknown, number | null]>([
    [12.5, 12.5],
    ['1.284,61 €', 1284.61],
    ['EUR 1,284.61', 1284.61],
    ['$ 412.00', 412],
    ['-320,18', -320.18],
    ['1 284,61', 1284.61],
    ["1'284.61", 1284.61],
    ['1.284.610', 1284610],
    ['1284', 1284],
    ['0,5', 0.5],
    ['1.284', null],
    ['1,284', null],
    ['1.2.3', null],
    ['1,284.610,00', null],
    ['', null],
    ['12 pieces', null],
    [null, null],
    [true, null],
  ])('%j is %s', (value, number) => {
    expect(numberOf(value)).toBe(number)
  })

  it('has a day, and is the same as another, only where that is certain', () => {
    expect(['2026-02-30', '30.2.2026', '2/3/2026', '2026-02-28T10:00:00Z', '3. 4. 2026'].map(dayOf)).toEqual([
      null,
      null,
      null,
      '2026-02-28',
      '2026-04-03',
    ])
    expect([' RE 17 ', 'ｒｅ17', 17, true, ' '].map(comparisonKey)).toEqual(['re17', 're17', '17', null, null])
  })
})

describe('a pointer into records', () => {
  const records = [{ Total: 1, Items: [{ Amount: 2 }] }]

  it('finds and replaces one value and shares the rest', () => {
    const changed = withValueAt(records, '/0/Items/0/Amount', 3)!
    expect([valueAt(changed, '/0/Items/0/Amount'), valueAt(records, '/0/Items/0/Amount')]).toEqual([3, 2])
    expect(withValueAt(records, '/0/Items/1', { Amount: 9 })).toEqual([
      { Total: 1, Items: [{ Amount: 2 }, { Amount: 9 }] },
    ])
    expect(withValueAt(records, '/0/New', null)).toEqual([{ ...records[0], New: null }])
  })

  it('goes nowhere where there is nothing', () => {
    for (const pointer of [
      '/1/Total',
      '/0/Items/2',
      '/0/Items/-1',
      '/0/Items/x',
      '/0/Items/00',
      '/0/Total/x',
      '/x',
      '/0/Missing/deeper',
      '/0/Items/1/Amount',
    ]) {
      expect(withValueAt(records, pointer, 1), pointer).toBeNull()
    }
    expect(valueAt(records, '/0/toString')).toBeUndefined()
  })

  it('changes no prototype', () => {
    const changed = withValueAt(records, '/0/__proto__', { polluted: true })!
    expect(Object.getPrototypeOf(changed[0])).toBe(Object.prototype)
    expect(Object.hasOwn(changed[0]!, '__proto__')).toBe(true)
  })

  it('writes names as RFC 6901 does', () => {
    for (const tokens of [['a/b', 'c~d'], ['~1'], ['']]) expect(tokensOf(pointerOf(tokens))).toEqual(tokens)
  })
})
