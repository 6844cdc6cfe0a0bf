import { describe, expect, it, vi } from 'vitest'
import { parseExact } from '../../../electron/core/platform/exact-json.ts'

describe('F27 JSON with numbers that JavaScript cannot hold', () => {
  it.each([
    ['[9007199254740993,-9007199254740993]', ['9007199254740993', '-9007199254740993']],
    ['{"a":1e999,"b":-1E+400,"c":1e-400}', { a: '1e999', b: '-1E+400', c: '1e-400' }],
    ['{"12345678901234567890":12345678901234567890}', { '12345678901234567890': '12345678901234567890' }],
    [
      String.raw`["a\\",12345678901234567890,"\"12345678901234567890","\\\"",1e999]`,
      ['a\\', '12345678901234567890', '"12345678901234567890', '\\"', '1e999'],
    ],
    ['[ 0.1234567890123456789 , 3]', ['0.1234567890123456789', 3]],
    ['12345678901234567890', '12345678901234567890'],
    [`[${'1'.repeat(100_000)}]`, ['1'.repeat(100_000)]],
  ])('has the digits that were sent in their place: %.60s', (json, value) => {
    expect(parseExact(json)).toEqual(value)
  })

  it.each([
    [
      '[0.10000000000000001,1234567890123456,1.7976931348623157e308,0.30000000000000004]',
      [0.1, 1234567890123456, 1.7976931348623157e308, 0.30000000000000004],
    ],
    [
      '["DE02 12345678901234567890","1e999","................",100000000000000000000]',
      ['DE02 12345678901234567890', '1e999', '................', 1e20],
    ],
  ])('has numbers where nothing is lost, and texts as they are: %s', (json, value) => {
    expect(parseExact(json)).toEqual(value)
  })

  it.each([
    '{12345678901234567890:1}',
    '[12345678901234567890',
    '[012345678901234567890]',
    '1234567890123456.',
    '[12345678901234567890e]',
  ])('is none where it is none: %s', (json) => {
    expect(() => parseExact(json)).toThrow(SyntaxError)
  })

  it('is read by the engine alone, value by value nothing is asked: a result of megabytes stops everything else meanwhile', () => {
    const parse = vi.spyOn(JSON, 'parse')
    parseExact('{"a":[12345678901234567890,1,2,3]}')
    expect(parse.mock.calls.map(([, reviver]) => reviver)).toEqual([undefined, undefined])
    parse.mockRestore()
  })
})
