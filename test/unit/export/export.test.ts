import * as files from 'node:fs/promises'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { exportDocuments, previewTables } from '../../../electron/core/export/export.ts'
import type { TableFormat } from '../../../electron/core/export/export.ts'
import type { ExportDocument } from '../../../electron/core/export/records.ts'
import { replaceFiles } from '../../../electron/core/export/replace-file.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { readCsv, readXlsx } from './read-back.ts'

vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof files>()
  return { ...actual, rename: vi.fn(actual.rename) }
})

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sheaf-export-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const schema: SchemaElement[] = [
  { name: 'Number', format: 'text', description: '' },
  { name: 'Date', format: 'text', description: '' },
  { name: 'Total', format: 'number', description: '' },
  { name: 'Paid', format: 'boolean', description: '' },
  {
    name: 'Positions',
    format: 'list',
    description: '',
    items: [
      { name: 'Article', format: 'text', description: '' },
      { name: 'Price', format: 'number', description: '' },
    ],
  },
]

const documents: ExportDocument[] = [
  {
    fileName: 'a.pdf',
    records: [
      {
        Number: '00017',
        Date: '2026-12-31',
        Total: -1234.5,
        Paid: true,
        Positions: [
          { Article: '=1+1', Price: 1 },
          { Article: 'Screw; M4', Price: 2 },
        ],
      },
    ],
  },
  { fileName: '=b.pdf', records: [{ Number: '-', Date: null, Total: null, Paid: false, Positions: [] }] },
  { fileName: 'c.pdf', records: [] },
]

const taxes: SchemaElement = {
  name: 'Taxes/VAT',
  format: 'list',
  description: '',
  items: [{ name: 'Rate', format: 'number', description: '' }],
}

describe('an export to CSV', () => {
  it('has every document and is written for German Excel', async () => {
    const path = join(directory, 'invoices.csv')
    const result = await exportDocuments(() => documents, schema, { path, format: 'csv', locale: 'de', lists: 'rows' })
    expect(result).toEqual({ paths: [path], rows: 4, documents: 3 })
    expect(await readCsv(path, ';')).toEqual([
      ['Datei', 'Number', 'Date', 'Total', 'Paid', 'Article', 'Price'],
      ['a.pdf', '00017', '31.12.2026', '-1234,50', 'WAHR', "'=1+1", '1'],
      ['a.pdf', '00017', '31.12.2026', '-1234,50', 'WAHR', 'Screw; M4', '2'],
      ["'=b.pdf", "'-", '', '', 'FALSCH', '', ''],
      ['c.pdf', '', '', '', '', '', ''],
    ])
    expect(await readFile(path, 'utf8')).not.toContain('sep=')
  })

  it('is a file for each of two lists, named after them', async () => {
    const path = join(directory, 'invoices.csv')
    const { paths } = await exportDocuments(() => documents, [...schema, taxes], {
      path,
      format: 'csv',
      locale: 'en',
      lists: 'rows',
    })
    expect(paths).toEqual([join(directory, 'invoices-Positions.csv'), join(directory, 'invoices-Taxes_VAT.csv')])
    expect((await readdir(directory)).sort()).toEqual(['invoices-Positions.csv', 'invoices-Taxes_VAT.csv'])
    expect((await readCsv(paths[1]!, ','))[0]).toEqual(['File', 'Number', 'Date', 'Total', 'Paid', 'Rate'])
  })

  it('is a file of documents and one of items when lists stand on their own', async () => {
    const path = join(directory, 'invoices.csv')
    const { paths, rows } = await exportDocuments(() => documents, schema, {
      path,
      format: 'csv',
      locale: 'fr',
      lists: 'sheets',
    })
    expect(paths).toEqual([path, join(directory, 'invoices-Positions.csv')])
    expect(rows).toBe(5)
    expect(await readCsv(paths[1]!, ';')).toEqual([
      ['Document', 'Fichier', 'Article', 'Price'],
      ['1', 'a.pdf', "'=1+1", '1'],
      ['1', 'a.pdf', 'Screw; M4', '2'],
    ])
  })

  it('never writes outside its folder, whatever a list is called', async () => {
    const inner = join(directory, 'inner')
    await mkdir(inner)
    const evil = ['../../evil', '..\\evil', 'con:x', '...', '\u0000', 'A', 'a'].map(
      (name): SchemaElement => ({ ...taxes, name }),
    )
    const { paths } = await exportDocuments(() => documents, evil, {
      path: join(inner, 'out.csv'),
      format: 'csv',
      locale: 'en',
      lists: 'rows',
    })
    expect(await readdir(directory)).toEqual(['inner'])
    expect((await readdir(inner)).sort()).toEqual(paths.map((path) => path.slice(inner.length + 1)).sort())
    expect(paths).toHaveLength(7)
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(7)
  })
})

describe('an export to XLSX', () => {
  it('has a sheet for documents and a sheet for items', async () => {
    const path = join(directory, 'invoices.xlsx')
    const result = await exportDocuments(() => documents, schema, {
      path,
      format: 'xlsx',
      locale: 'de',
      lists: 'sheets',
    })
    expect(result).toEqual({ paths: [path], rows: 5, documents: 3 })
    const sheets = await readXlsx(path)
    expect(sheets.map(({ name, values }) => ({ name, values }))).toEqual([
      {
        name: 'Dokumente',
        values: [
          ['Dokument', 'Datei', 'Number', 'Date', 'Total', 'Paid'],
          ['1', 'a.pdf', '00017', '46387', '-1234.5', '1'],
          ['2', '=b.pdf', '-', '', '', '0'],
          ['3', 'c.pdf', '', '', '', ''],
        ],
      },
      {
        name: 'Positions',
        values: [
          ['Dokument', 'Datei', 'Article', 'Price'],
          ['1', 'a.pdf', '=1+1', '1'],
          ['1', 'a.pdf', 'Screw; M4', '2'],
        ],
      },
    ])
  })
})

describe('an export to JSON', () => {
  it('is an array of files with their records, unchanged', async () => {
    const path = join(directory, 'invoices.json')
    const result = await exportDocuments(() => documents, schema, { path, format: 'json', locale: 'de', lists: 'rows' })
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(
      documents.map(({ fileName, records }) => ({ file: fileName, records })),
    )
    expect(result).toEqual({ paths: [path], rows: 2, documents: 3 })
  })
})

describe('writing beside, then renaming', () => {
  const options = (format: TableFormat): Parameters<typeof exportDocuments>[2] => ({
    path: join(directory, `out.${format}`),
    format,
    locale: 'en',
    lists: 'rows',
  })

  it.each(['csv', 'xlsx', 'json'] as const)('replaces an older %s and leaves nothing else behind', async (format) => {
    await writeFile(join(directory, `out.${format}`), 'old')
    await exportDocuments(() => documents, schema, options(format))
    expect(await readdir(directory)).toEqual([`out.${format}`])
    expect(await readFile(join(directory, `out.${format}`), 'utf8')).not.toBe('old')
  })

  it.each(['csv', 'xlsx', 'json'] as const)(
    'keeps the old %s when the documents cannot be read to the end',
    async (format) => {
      await writeFile(join(directory, `out.${format}`), 'old')
      let pass = 0
      function* source(): Generator<ExportDocument> {
        yield documents[0]!
        if (++pass > 1) throw new Error('the database is gone')
      }
      await expect(exportDocuments(source, schema, options(format))).rejects.toMatchObject({ code: 'export_failed' })
      expect(await readdir(directory)).toEqual([`out.${format}`])
      expect(await readFile(join(directory, `out.${format}`), 'utf8')).toBe('old')
    },
  )

  it.each([
    ['EBUSY', 'export_file_open'],
    ['EPERM', 'export_file_open'],
    ['EACCES', 'export_file_open'],
    ['EIO', 'export_failed'],
  ])('says so and keeps the old file when the rename fails with %s', async (errno, code) => {
    await writeFile(join(directory, 'out.csv'), 'old')
    vi.mocked(files.rename).mockRejectedValueOnce(Object.assign(new Error(errno), { code: errno }))
    await expect(exportDocuments(() => documents, schema, options('csv'))).rejects.toMatchObject({
      code,
      details: { file: expect.stringContaining('out.csv') as string },
    })
    expect(await readdir(directory)).toEqual(['out.csv'])
    expect(await readFile(join(directory, 'out.csv'), 'utf8')).toBe('old')
  })

  it('says that the disk is full, and removes what it had written', async () => {
    async function* full(): AsyncGenerator<Buffer> {
      yield Buffer.from('some')
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    }
    await writeFile(join(directory, 'a.csv'), 'old')
    const writing = replaceFiles([{ path: join(directory, 'a.csv'), chunks: full }])
    await expect(writing).rejects.toMatchObject({ code: 'export_disk_full', details: { file: 'a.csv' } })
    expect(await readdir(directory)).toEqual(['a.csv'])
    expect(await readFile(join(directory, 'a.csv'), 'utf8')).toBe('old')
  })

  it('replaces none of several files when one of them cannot be written', async () => {
    async function* good(): AsyncGenerator<Buffer> {
      yield Buffer.from('new')
    }
    await writeFile(join(directory, 'a.csv'), 'old')
    const writing = replaceFiles([
      { path: join(directory, 'a.csv'), chunks: good },
      { path: join(directory, 'missing', 'b.csv'), chunks: good },
    ])
    await expect(writing).rejects.toMatchObject({ code: 'export_failed', details: { detail: 'ENOENT' } })
    expect(await readFile(join(directory, 'a.csv'), 'utf8')).toBe('old')
    expect(await readdir(directory)).toEqual(['a.csv'])
  })

  it('does not take a folder for a file', async () => {
    await mkdir(join(directory, 'out.csv'))
    await expect(exportDocuments(() => documents, schema, options('csv'))).rejects.toMatchObject({
      code: 'export_failed',
    })
    expect(await readdir(directory)).toEqual(['out.csv'])
  })

  it('takes a name as long as the disk allows', async () => {
    const path = join(directory, `${'x'.repeat(251)}.csv`)
    await exportDocuments(() => documents, schema, { ...options('csv'), path })
    expect(await readdir(directory)).toEqual([`${'x'.repeat(251)}.csv`])
  })

  it('writes nothing when there is nothing to export', async () => {
    await expect(exportDocuments(() => [], schema, options('xlsx'))).rejects.toMatchObject({ code: 'export_empty' })
    expect(await readdir(directory)).toEqual([])
  })

  it('takes documents that arrive one after the other', async () => {
    async function* arriving(): AsyncGenerator<ExportDocument> {
      for (const document of documents) yield await Promise.resolve(document)
    }
    expect(await exportDocuments(arriving, schema, options('csv'))).toMatchObject({ rows: 4, documents: 3 })
  })

  it.each(['csv', 'json'] as const)(
    'leaves documents that come while it writes for the next time (%s)',
    async (format) => {
      let pass = 0
      function* growing(): Generator<ExportDocument> {
        yield* documents
        for (let late = 0; late < pass; late++) yield { fileName: 'late.pdf', records: [{ surprise: 'x' }] }
        pass++
      }
      const { paths, documents: count } = await exportDocuments(growing, schema, {
        ...options(format),
        lists: 'sheets',
      })
      expect(count).toBe(3)
      expect(pass).toBeGreaterThan(0)
      for (const path of paths) expect(await readFile(path, 'utf8')).not.toContain('late.pdf')
    },
  )

  it('lets other work of the process run while it writes', async () => {
    let ticks = 0
    const timer = setInterval(() => ticks++, 1)
    function* many(): Generator<ExportDocument> {
      for (let index = 0; index < 20_000; index++) yield { fileName: `${index}.pdf`, records: documents[0]!.records }
    }
    await previewTables(many, schema, { format: 'csv', locale: 'en', lists: 'rows' }, 1)
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(1)
  })
})

describe('the preview', () => {
  it('shows cells as Excel of the language shows them, and how many rows there are', async () => {
    const { tables } = await previewTables(() => documents, schema, { format: 'xlsx', locale: 'de', lists: 'rows' }, 2)
    expect(tables).toEqual([
      {
        name: 'Dokumente',
        columns: [
          { header: 'Datei', align: 'left' },
          { header: 'Number', align: 'left' },
          { header: 'Date', align: 'left' },
          { header: 'Total', align: 'right' },
          { header: 'Paid', align: 'left' },
          { header: 'Article', align: 'left' },
          { header: 'Price', align: 'right' },
        ],
        rows: [
          ['a.pdf', '00017', '31.12.2026', '-1.234,50', 'WAHR', '=1+1', '1'],
          ['a.pdf', '00017', '31.12.2026', '-1.234,50', 'WAHR', 'Screw; M4', '2'],
        ],
        totalRows: 4,
      },
    ])
  })

  it('has the very cells that the CSV has', async () => {
    const path = join(directory, 'x.csv')
    for (const lists of ['rows', 'sheets'] as const) {
      const { paths } = await exportDocuments(() => documents, schema, { path, format: 'csv', locale: 'fr', lists })
      const { tables } = await previewTables(() => documents, schema, { format: 'csv', locale: 'fr', lists }, 100)
      const written = await Promise.all(paths.map((each) => readCsv(each, ';')))
      expect(tables.map(({ columns, rows }) => [columns.map(({ header }) => header), ...rows])).toEqual(written)
    }
  })

  it('has amounts as the file has them, by as many rows as decide there', async () => {
    const prices: SchemaElement[] = [
      {
        name: 'Lines',
        format: 'list',
        description: '',
        items: [
          { name: 'Amount', format: 'number', description: '' },
          { name: 'Rate', format: 'number', description: '' },
        ],
      },
    ]
    const line = (Amount: number, Rate: number): object => ({ Amount, Rate })
    const source = (lines: object[]) => () => [{ fileName: 'a.pdf', records: [{ Lines: lines }] }] as ExportDocument[]
    const cells = async (lines: object[], format: TableFormat, locale: 'en' | 'de' | 'fr' = 'en') =>
      (await previewTables(source(lines), prices, { format, locale, lists: 'rows' }, 2)).tables[0]!.rows.map(
        ([, ...row]) => row,
      )
    const lines = [line(1234567, 1.255), line(-0.5, 2)]
    expect(await cells(lines, 'xlsx')).toEqual([
      ['1,234,567.00', '1.255'],
      ['-0.50', '2'],
    ])
    expect(await cells(lines, 'xlsx', 'fr')).toEqual([
      ['1\u00a0234\u00a0567,00', '1,255'],
      ['-0,50', '2'],
    ])
    expect(await cells(lines, 'csv')).toEqual([
      ['1234567.00', '1.255'],
      ['-0.50', '2'],
    ])
    const whole = Array.from({ length: 99 }, () => line(5, 1))
    expect(await cells([...whole, line(7.5, 1)], 'xlsx')).toEqual([
      ['5.00', '1'],
      ['5.00', '1'],
    ])
    expect(await cells([...whole, line(5, 1), line(7.5, 1)], 'xlsx')).toEqual([
      ['5', '1'],
      ['5', '1'],
    ])
  })

  it('is empty tables with their columns when there is no document', async () => {
    const { tables } = await previewTables(() => [], schema, { format: 'csv', locale: 'en', lists: 'sheets' }, 10)
    expect(tables.map(({ rows, totalRows, columns }) => [rows.length, totalRows, columns.length])).toEqual([
      [0, 0, 6],
      [0, 0, 4],
    ])
  })
})
