import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { csvChunks, csvText } from '../../../electron/core/export/csv.ts'
import type { CellValue } from '../../../electron/core/export/values.ts'
import type { Locale } from '../../../shared/messages/sentences.ts'
import { parseCsv } from './read-back.ts'

async function* each(rows: CellValue[][]): AsyncGenerator<CellValue[]> {
  yield* rows
}

async function csv(headers: string[], rows: CellValue[][], locale: Locale): Promise<string> {
  return (await buffer(csvChunks(headers, each(rows), locale))).toString('utf8')
}

describe('CSV', () => {
  it('begins with a byte order mark, ends every line with CRLF and has no sep= line', async () => {
    expect(await csv(['Datei', 'Betrag'], [['a.pdf', 12.5]], 'de')).toBe('\uFEFFDatei;Betrag\r\na.pdf;12,50\r\n')
    expect(await csv(['Fichier', 'Montant'], [['a.pdf', 12.5]], 'fr')).toBe('\uFEFFFichier;Montant\r\na.pdf;12,50\r\n')
    expect(await csv(['File', 'Amount'], [['a.pdf', 12.5]], 'en')).toBe('\uFEFFFile,Amount\r\na.pdf,12.50\r\n')
  })

  it.each(['en', 'de', 'fr'] as const)('can be read back whatever the cells hold (%s)', async (locale) => {
    const rows = [
      ['plain', 'with, comma', 'with; semicolon', 'with "quotes"', '"'],
      ['two\nlines', 'two\r\nlines', ' spaces ', 'a\ttab', ''],
      ['Müller & Söhne', '日本語', '😀', 'a,b;c"d\n', '1.234,56'],
    ]
    const text = await csv(['a', 'b', 'c', 'd', 'e'], rows, locale)
    expect(parseCsv(text.slice(1), locale === 'en' ? ',' : ';').slice(1)).toEqual(rows)
  })

  it('writes an empty cell for null', async () => {
    expect(await csv(['a', 'b', 'c'], [[null, '', null]], 'en')).toBe('\uFEFFa,b,c\r\n,,\r\n')
  })

  it('writes what a column has again as before, and not what only looks alike', async () => {
    const rows: CellValue[][] = [
      ['=1', 1.5, 'a;'],
      ['=1', 1.5, 'a;'],
      ['1.5', '1.5', true],
      [1.5, null, 'TRUE'],
    ]
    expect(await csv(['a', 'b', 'c'], rows, 'de')).toBe(
      `\uFEFFa;b;c\r\n${`'=1;1,50;"a;'"\r\n`.repeat(2)}1.5;1.5;WAHR\r\n1,50;;TRUE\r\n`,
    )
  })

  it('writes amounts with their decimals and without groups, by as many rows as decide it in a workbook', async () => {
    const lines = (rows: CellValue[][]): Promise<string> => csv(['a', 'b'], rows, 'de')
    expect(
      await lines([
        [1234567, 1.255],
        [-0.5, 2],
        [12.3, 3],
      ]),
    ).toBe('\uFEFFa;b\r\n1234567,00;1,255\r\n-0,50;2\r\n12,30;3\r\n')
    const whole: CellValue[][] = Array.from({ length: 100 }, () => [5, 5])
    expect(await lines([...whole, [7.5, 1]])).toBe(`\uFEFFa;b\r\n${'5;5\r\n'.repeat(100)}7,5;1\r\n`)
    expect(await lines([[0.5, 1], ...whole, [7.125, 1]])).toBe(
      `\uFEFFa;b\r\n0,50;1\r\n${'5,00;5\r\n'.repeat(100)}7,125;1\r\n`,
    )
  })

  it('has the address of a file', async () => {
    // Whatever a program splits the file by, no formula begins.
    const link = { href: 'file:///in/a;=1+1,%20b.pdf', text: 'a;=1+1, b.pdf' }
    for (const locale of ['en', 'de'] as const)
      expect(await csv(['a'], [[link]], locale)).toBe('\uFEFFa\r\nfile:///in/a%3B=1+1%2C%20b.pdf\r\n')
  })

  it('makes headers inert as well', async () => {
    expect(await csv(['=cmd', 'ok'], [], 'en')).toBe("\uFEFF'=cmd,ok\r\n")
  })
})

describe('numbers in CSV', () => {
  it.each([
    [1234567.891, '1234567,891'],
    [-12.5, '-12,5'],
    [0.1 + 0.2, '0,30000000000000004'],
    [1e21, '1000000000000000000000'],
    [-1.5e25, '-15000000000000000000000000'],
    [1.25e-7, '0,000000125'],
    [-2e-10, '-0,0000000002'],
    [1.234567890123e22, '12345678901230000000000'],
    [-0, '0'],
    [5e-324, `0,${'0'.repeat(323)}5`],
  ])('writes %d with its digits and no exponent', (value, text) => {
    expect(csvText(value, 'de')).toBe(text)
    expect(csvText(value, 'en')).toBe(text.replace(',', '.'))
    expect(Number(csvText(value, 'en'))).toBe(value === 0 ? 0 : value)
  })

  it('keeps codes exactly as they are', () => {
    for (const code of ['00123', '12345678901234567890', '4006381333931', '1E5', '3-4'])
      expect(csvText(code, 'de')).toBe(code)
  })
})

describe('booleans and dates in CSV', () => {
  it.each([
    ['en', 'TRUE', 'FALSE', '2026-12-31'],
    ['de', 'WAHR', 'FALSCH', '31.12.2026'],
    ['fr', 'VRAI', 'FAUX', '31/12/2026'],
  ] as const)('are written as Excel of %s reads them', (locale, yes, no, date) => {
    expect(csvText(true, locale)).toBe(yes)
    expect(csvText(false, locale)).toBe(no)
    expect(csvText('2026-12-31', locale)).toBe(date)
  })

  it('leaves what only looks like a date', () => {
    for (const text of ['2026-02-30', '2026-13-01', '2026-12-31 10:00', '1899-12-31', '2026-1-5', 'on 2026-12-31'])
      expect(csvText(text, 'de')).toBe(text)
  })
})

describe('text that a spreadsheet may run', () => {
  it.each([
    '=1+1',
    '=HYPERLINK("http://x","y")',
    '+1+1',
    '-1+1',
    '@SUM(A1)',
    '-',
    '+49 30 1234',
    '-2+3',
    ' =1',
    '\u00a0=1',
    '\u200b=1',
    '\ufeff=1',
    '\u202e=1',
    '\t1',
    '\rx',
    '＝1+1',
    '＋1',
    '－1',
    '＠x',
    ' ＝1',
  ])('is made inert by an apostrophe: %j', (text) => {
    for (const locale of ['en', 'de', 'fr'] as const) expect(csvText(text, locale)).toBe(`'${text}`)
  })

  it('is made inert by one more where a line of its own begins with it', () => {
    for (const locale of ['en', 'de', 'fr'] as const) expect(csvText('\n=1', locale)).toBe("'\n'=1")
  })

  it('is found behind characters that are removed', () => {
    expect(csvText('\u0000=1', 'en')).toBe("'=1")
    expect(csvText('\u0001\u001b=1\u0000', 'en')).toBe("'=1")
    expect(csvText('a\u0000b\u0007c', 'en')).toBe('abc')
  })

  it.each([
    ['-12,50', 'de'],
    ['+49', 'de'],
    ['-1.234,56', 'de'],
    ['-1.234,56', 'en', "'-1.234,56"],
    ['-12.50', 'en'],
    ['-1,234.56', 'en'],
    ['-12.50', 'de', "'-12.50"],
    ['-1\u202f234,5', 'fr'],
    ['+49 301 234', 'fr', "'+49 301 234"],
    ['-1.2.3', 'de', "'-1.2.3"],
    ['-5', 'fr'],
  ] as [string, Locale, string?][])('is not a number of that language: %s in %s', (text, locale, expected = text) => {
    expect(csvText(text, locale)).toBe(expected)
  })

  it('leaves other text alone', () => {
    for (const text of ['a=b', 'x@y.de', '1-2', "'quoted", '#1', '5 + 5']) expect(csvText(text, 'en')).toBe(text)
  })
})
