import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cellXml, columnName, sheetName } from '../../../electron/core/export/sheet-xml.ts'
import type { CellValue } from '../../../electron/core/export/values.ts'
import { xlsxChunks } from '../../../electron/core/export/xlsx.ts'
import type { SheetTable } from '../../../electron/core/export/xlsx.ts'
import { readXlsx, unzip } from './read-back.ts'
import type { ReadSheet } from './read-back.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sheaf-xlsx-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

async function* each(rows: Iterable<CellValue[]>): AsyncGenerator<CellValue[]> {
  yield* rows
}

async function write(tables: SheetTable[], limits?: { maxSheetRows: number }): Promise<ReadSheet[]> {
  const path = join(directory, 'out.xlsx')
  await writeFile(path, await buffer(xlsxChunks(tables, 'en', limits)))
  return readXlsx(path)
}

async function writeRows(
  headers: string[],
  rows: CellValue[][],
  limits?: { maxSheetRows: number },
): Promise<ReadSheet[]> {
  return write([{ name: 'Documents', headers, rows: each(rows) }], limits)
}

const dateStyle = '2'
const textStyle = '3'
const amountStyle = '4'

describe('cells in XLSX', () => {
  it('are numbers, booleans, dates and text by their type', async () => {
    const [sheet] = await writeRows(
      ['a', 'b', 'c', 'd', 'e', 'f'],
      [[12.5, -3, true, false, '2026-12-31', 'Müller & <Söhne>']],
    )
    expect(sheet?.cells[1]).toEqual([
      { type: 'n', value: '12.5', style: amountStyle },
      { type: 'n', value: '-3', style: '0' },
      { type: 'b', value: '1', style: '0' },
      { type: 'b', value: '0', style: '0' },
      { type: 'n', value: '46387', style: dateStyle },
      { type: 'inlineStr', value: 'Müller & <Söhne>', style: '0' },
    ])
  })

  it('lead to a file by a formula of Sheaf’s own, in which a name stays text', () => {
    expect(cellXml({ href: 'file:///in/%22)%20&%20<x>.pdf', text: '") & <x>.pdf' })).toBe(
      '<c s="5" t="str"><f>HYPERLINK(&quot;file:///in/%22)%20&amp;%20&lt;x&gt;.pdf&quot;,&quot;&quot;&quot;) &amp; &lt;x&gt;.pdf&quot;)</f>' +
        '<v>&quot;) &amp; &lt;x&gt;.pdf</v></c>',
    )
    // Excel knows no longer text in a formula.
    expect(cellXml({ href: `file:///${'x'.repeat(300)}`, text: 'x' })).not.toContain('<f>')
  })

  it('show amounts with two decimals in all of their column, and what has more, or none anywhere, as it is', async () => {
    const [sheet] = await writeRows(
      ['total', 'rate', 'count'],
      [
        [559.7, 0.0725, 3],
        [-300, 1.5, 12],
        [null, 2, 1],
      ],
    )
    expect(sheet?.cells.slice(1).map((row) => row.map((cell) => cell?.style ?? null))).toEqual([
      [amountStyle, '0', '0'],
      [amountStyle, '0', '0'],
      ['0', '0', '0'],
    ])
    // Behind the rows that are looked at, a number that has more decimals than its column keeps them.
    const [long] = await writeRows(['total'], [...Array.from({ length: 100 }, () => [1.25]), [1.255], [8]])
    expect(
      long?.cells
        .slice(-3)
        .flat()
        .map(({ value, style }) => [value, style]),
    ).toEqual([
      ['1.25', amountStyle],
      ['1.255', '0'],
      ['8', amountStyle],
    ])
    // Wider than its column it would be shown as «####».
    const [wide] = await writeRows(['total'], [[-999999999.99], [-1234567890.25]])
    expect(
      wide?.cells
        .slice(1)
        .flat()
        .map(({ style }) => style),
    ).toEqual([amountStyle, '0'])
    expect([sheet, wide].map((one) => /<col min="1" max="1" width="(\d+)"/.exec(one!.xml)?.[1])).toEqual(['16', '16'])
  })

  it('hold dates as Excel counts them, and leave what is no date it can hold', async () => {
    const dates = [
      '1900-03-01',
      '1970-01-01',
      '2000-02-29',
      '2024-02-29',
      '9999-12-31',
      '1900-02-28',
      '2023-02-29',
      '0000-01-01',
    ]
    const [sheet] = await writeRows(
      ['d'],
      dates.map((date) => [date]),
    )
    expect(sheet?.values.slice(1).flat()).toEqual([
      '61',
      '25569',
      '36585',
      '45351',
      '2958465',
      '1900-02-28',
      '2023-02-29',
      '0000-01-01',
    ])
    expect(sheet?.cells.slice(1).map(([cell]) => cell!.type)).toEqual([
      'n',
      'n',
      'n',
      'n',
      'n',
      'inlineStr',
      'inlineStr',
      'inlineStr',
    ])
  })

  it('keep codes with leading zeros and long codes as text, also when they are edited', async () => {
    const codes = ['00123', '12345678901234567890', '1E5', '4006381333931']
    const [sheet] = await writeRows(
      ['code'],
      codes.map((code) => [code]),
    )
    expect(sheet?.cells.slice(1).flat()).toEqual(codes.map((value) => ({ type: 'inlineStr', value, style: textStyle })))
  })

  it('are never formulas, and their text is unchanged', async () => {
    const texts = ['=1+1', '+1', '-x', '@SUM(A1)', '＝1', '\t=1', ' =1', "'x"]
    const [sheet] = await writeRows(
      ['=header'],
      texts.map((text) => [text]),
    )
    expect(sheet?.values).toEqual([['=header'], ...texts.map((text) => [text])])
    expect(sheet?.cells.flat().every(({ type }) => type === 'inlineStr')).toBe(true)
    expect(sheet?.xml).not.toMatch(/<f[ >]/)
  })

  it('keep white space and line breaks, and lose only what XML cannot carry', async () => {
    const texts = [
      '  two  spaces  ',
      'a\r\nb\rc\nd',
      'x\u0000\u0008\u001f\ufffey',
      '\ud800lone\udc00',
      'pair 😀',
      '_x0041_ stays',
      ']]> & "q"',
    ]
    const [sheet] = await writeRows(
      ['t'],
      texts.map((text) => [text]),
    )
    // An escape that stands in the file as _x005F_ is read back by Excel as an underscore.
    const read = sheet?.values.slice(1).map(([value]) => value!.replaceAll('_x005F_', '_'))
    expect(read).toEqual(['  two  spaces  ', 'a\nb\nc\nd', 'xy', 'lone', 'pair 😀', '_x0041_ stays', ']]> & "q"'])
    expect(sheet?.xml).toContain('_x005F_x0041_')
  })

  it('are cut at 32,767 characters with a sign that something is missing, never inside a character', async () => {
    const [sheet] = await writeRows(['t'], [['x'.repeat(32_767)], ['x'.repeat(32_768)], ['x'.repeat(32_765) + '😀😀']])
    expect(sheet?.values[1]?.[0]).toBe('x'.repeat(32_767))
    expect(sheet?.values[2]?.[0]).toBe(`${'x'.repeat(32_766)}…`)
    expect(sheet?.values[3]?.[0]).toBe(`${'x'.repeat(32_765)}…`)
  })

  it('hold very large and very small numbers', async () => {
    const [sheet] = await writeRows(['n'], [[1e21], [1.5e-9], [123456789012345]])
    expect(sheet?.values.slice(1).map(([value]) => Number(value))).toEqual([1e21, 1.5e-9, 123456789012345])
  })
})

describe('sheets in XLSX', () => {
  it('have a bold, frozen header, a filter over all rows and sensible widths', async () => {
    const [sheet] = await writeRows(
      ['No', 'A rather long header here', 'Long'],
      [
        [1, 2, 'word '.repeat(40)],
        [3, 4, 'x'],
      ],
    )
    expect(sheet?.xml).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
    expect(sheet?.xml).toContain('<autoFilter ref="A1:C3"/>')
    expect(sheet?.cells[0]?.every(({ style }) => style === '1')).toBe(true)
    expect([...(sheet?.xml.matchAll(/<col [^>]*width="(\d+)"/g) ?? [])].map((match) => Number(match[1]))).toEqual([
      8, 29, 60,
    ])
    const styles = (await unzip(join(directory, 'out.xlsx'))).get('xl/styles.xml')!
    const formats = [...styles.matchAll(/<xf numFmtId="(\d+)" fontId="(\d+)"[^>]*xfId/g)].map((match) => [
      match[1],
      match[2],
    ])
    expect(formats).toEqual([
      ['0', '0'],
      ['49', '1'],
      ['14', '0'],
      ['49', '0'],
      ['4', '0'],
      ['0', '2'],
    ])
    expect(styles).toMatch(/<font><b\/>/)
  })

  it('stand in the order of the tables, the first one open', async () => {
    const sheets = await write([
      { name: 'Documents', headers: ['a'], rows: each([['1']]) },
      { name: 'Positions', headers: ['b'], rows: each([]) },
    ])
    expect(sheets.map(({ name, values }) => ({ name, values }))).toEqual([
      { name: 'Documents', values: [['a'], ['1']] },
      { name: 'Positions', values: [['b']] },
    ])
    expect(sheets.map(({ xml }) => xml.includes('tabSelected="1"'))).toEqual([true, false])
  })

  it('go on in another sheet when one is full', async () => {
    const rows = Array.from({ length: 7 }, (_, index) => [index])
    const sheets = await writeRows(['n'], rows, { maxSheetRows: 4 })
    expect(sheets.map(({ name, values }) => ({ name, values }))).toEqual([
      { name: 'Documents', values: [['n'], ['0'], ['1'], ['2']] },
      { name: 'Documents 2', values: [['n'], ['3'], ['4'], ['5']] },
      { name: 'Documents 3', values: [['n'], ['6']] },
    ])
  })

  it('do not go on in another sheet when the last one is exactly full', async () => {
    expect(await writeRows(['n'], [[1], [2], [3]], { maxSheetRows: 4 })).toHaveLength(1)
  })

  it('have names that Excel takes', () => {
    const taken = new Set<string>()
    const named = (wanted: string): string => {
      const name = sheetName(wanted, taken)
      taken.add(name.toLowerCase())
      return name
    }
    expect(named('Lines [a]:*?/\\b')).toBe('Lines a b')
    expect(named('lines a b')).toBe('lines a b 2')
    expect(named('History')).toBe('History_')
    expect(named("'quoted'")).toBe('quoted')
    expect(named('')).toBe('_')
    expect(named('x'.repeat(40))).toBe('x'.repeat(31))
    expect(named('x'.repeat(40))).toBe(`${'x'.repeat(29)} 2`)
    expect(named('😀'.repeat(20))).toBe('😀'.repeat(15))
    expect(named('a & "b"')).toBe('a & "b"')
  })

  it('count columns beyond Z', () => {
    expect([1, 26, 27, 52, 53, 702, 703, 16_384].map(columnName)).toEqual([
      'A',
      'Z',
      'AA',
      'AZ',
      'BA',
      'ZZ',
      'AAA',
      'XFD',
    ])
  })

  it('give up with the error of their rows and close the source', async () => {
    let closed = false
    async function* broken(): AsyncGenerator<CellValue[]> {
      try {
        yield [1]
        throw new Error('the database is gone')
      } finally {
        closed = true
      }
    }
    await expect(write([{ name: 'a', headers: ['n'], rows: broken() }])).rejects.toThrow('the database is gone')
    expect(closed).toBe(true)
  })

  it('close the source when nobody reads on', async () => {
    let closed = false
    async function* endless(): AsyncGenerator<CellValue[]> {
      try {
        for (let index = 0; ; index++) yield [`${index} ${Math.random()}`]
      } finally {
        closed = true
      }
    }
    for await (const chunk of xlsxChunks([{ name: 'a', headers: ['n'], rows: endless() }], 'en')) {
      if (chunk.length > 1000) break
    }
    expect(closed).toBe(true)
  })
})
