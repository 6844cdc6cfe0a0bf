import { Document, Packer, Paragraph, Table, TableCell, TableRow, TextRun, WidthType } from 'docx'
import { steady } from '../fixtures/samples-package.ts'
import { serial, workbook } from '../fixtures/samples-workbook.ts'
import type { Cell } from '../fixtures/samples-workbook.ts'
import { boxEmpty, boxTicked } from '../../electron/reading/symbols.ts'
import { factsOfRole } from './content.ts'
import type { Content } from './content.ts'
import type { Fact } from './facts.ts'
import type { Random } from './random.ts'
import type { Joined } from './rows.ts'
import type { Template } from './template.ts'

/** The parts of a document as an office program holds them, not where they are drawn. */
type Outline = { blocks: Row[][]; table: Row[]; sums: Row[]; after: Row[][] }
type Row = (Fact | string)[]

function outlineOf(content: Content, template: Template): Outline {
  const pair = (fact: Fact): Row => [`${template.label(fact.name)}${template.colon}`, fact]
  const parties = content.roles.map((one): Row[] => {
    const { name, address } = factsOfRole(one)
    const label = template.label(one.role === 'other' ? 'other_party_name' : `${one.role}_name`)
    return [...(one.role === 'seller' ? [] : [[label]]), [name], [address]]
  })
  const { list } = content
  const columns = list ? list.columns.filter((name) => name !== list.joined?.name) : []
  const facts = content.number ? [content.number, ...content.meta] : content.meta
  return {
    blocks: [
      parties[0] ?? [],
      [[content.title]],
      ...parties.slice(1),
      facts.map(pair),
      content.checks.map((check) => [check, template.label(check.name)]),
    ],
    table: list
      ? [
          columns.map((name) => template.columnLabel(name)),
          ...list.rows.map((row) => columns.map((name) => cellOf(row, name, list.joined))),
        ]
      : [],
    sums: content.sums.map(pair),
    after: [content.notes.map((note) => [note]), content.own.map(pair)],
  }
}

function cellOf(row: Record<string, Fact>, name: string, joined: Joined | undefined): Fact | string {
  const [own, guest] = [row[name], joined?.host === name ? row[joined.name] : undefined]
  if (!own || !guest) return own ?? ''
  return (joined!.isBehind ? [own, guest] : [guest, own]).map(textOf).join(' ')
}

function textOf(cell: Fact | string): string {
  if (typeof cell === 'string') return cell
  if (typeof cell.value === 'boolean') return cell.value ? boxTicked : boxEmpty
  return cell.parts.map(({ text }) => text).join('')
}

/** What the document says as a Word file: pairs as lines or as a table without rules, rows as a table. */
export async function docxOf(content: Content, template: Template, random: Random): Promise<Uint8Array> {
  const { blocks, table, sums, after } = outlineOf(content, template)
  const asTable = random.chance(0.5)
  const line = (row: Row): Paragraph => new Paragraph({ children: [new TextRun({ text: row.map(textOf).join(' ') })] })
  const block = (rows: Row[]): (Paragraph | Table)[] =>
    rows.length > 0 && asTable && rows[0]!.length > 1
      ? [tableOf(rows), new Paragraph('')]
      : [...rows.map(line), new Paragraph('')]
  const children = [
    ...blocks.flatMap(block),
    ...(table.length > 0 ? [tableOf(table)] : []),
    new Paragraph(''),
    ...block(sums),
    ...after.flatMap((rows) => rows.map(line)),
  ]
  const document = new Document({ creator: 'Office', title: '', lastModifiedBy: 'Office', sections: [{ children }] })
  return steady(await Packer.toBuffer(document))
}

function tableOf(rows: readonly Row[]): Table {
  const width = Math.floor(9000 / Math.max(1, rows[0]!.length))
  return new Table({
    columnWidths: rows[0]!.map(() => width),
    rows: rows.map(
      (row) =>
        new TableRow({
          children: row.map(
            (cell) =>
              new TableCell({
                width: { size: width, type: WidthType.DXA },
                children: [new Paragraph({ children: [new TextRun({ text: textOf(cell) })] })],
              }),
          ),
        }),
    ),
  })
}

/**
 * What the document says as a workbook, in which numbers are numbers and dates are dates; `typesDates` is off where the
 * text of a date counts.
 */
export async function xlsxOf(content: Content, template: Template, typesDates: boolean): Promise<Uint8Array> {
  const { blocks, table, sums, after } = outlineOf(content, template)
  const cell = (one: Fact | string): Cell => {
    if (typeof one === 'string') return one
    if (typeof one.value === 'number')
      return { v: one.value, ...(Number.isInteger(one.value) ? {} : { look: 'amount' as const }) }
    if (one.isDate && typesDates)
      return { v: serial(String(one.value)), look: content.scene.formats.date === 'd.m.y' ? 'date' : 'dateEn' }
    return textOf(one)
  }
  const widest = Math.max(2, table[0]?.length ?? 0)
  const shifted = (row: Row): Cell[] => [...Array.from({ length: widest - 2 }, () => null), ...row.map(cell)]
  const gap: Cell[][] = [[]]
  const rows: Cell[][] = [
    ...blocks.flatMap((block) => [...block.map((row) => row.map(cell)), ...gap]),
    ...table.map((row) => row.map(cell)),
    ...gap,
    ...sums.map(shifted),
    ...gap,
    ...after.flat().map((row) => row.map(cell)),
  ]
  return workbook([
    {
      name: content.title.replace(/[^\p{L} ]/gu, '').slice(0, 28) || 'Sheet',
      widths: Array.from({ length: widest }, () => 24),
      rows,
    },
  ])
}
