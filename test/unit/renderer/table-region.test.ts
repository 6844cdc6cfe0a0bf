import { describe, expect, it } from 'vitest'
import { formatsFor } from '../../../renderer/messages/formats.ts'
import {
  bordersOf,
  linesIn,
  proposeRegion,
  regionIn,
  rowsOf,
  withBorder,
  withLine,
  withoutBorder,
} from '../../../renderer/screens/review/table-region.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { PreviewPage } from '../../../renderer/screens/review/table-region.ts'

const list: SchemaElement = {
  name: 'items',
  format: 'list',
  description: 'what was bought',
  items: [
    { name: 'description', format: 'text', description: '' },
    { name: 'quantity', format: 'number', description: '' },
    { name: 'unit_price', format: 'number', description: '' },
    { name: 'amount', format: 'number', description: '' },
  ],
}
const german = formatsFor('de-DE')

/** A page on which texts begin, or end, at their places; each letter is a hundredth of the page wide. */
function pageOf(...lines: [text: string, x: number, y: number][]): PreviewPage {
  const words = lines.flatMap(([text, x, y]) => {
    let at = x
    return text.split(' ').map((part) => {
      const word = { text: part, x: at, y, width: part.length * 0.01, height: 0.012, bold: false }
      at += (part.length + 0.5) * 0.01
      return word
    })
  })
  return { number: 1, width: 595, height: 842, name: null, words, tables: [] }
}

const invoice = pageOf(
  ['Rechnung 4711', 0.1, 0.05],
  ['Bezeichnung', 0.1, 0.2],
  ['Menge', 0.5, 0.2],
  ['Einzelpreis', 0.62, 0.2],
  ['Betrag', 0.85, 0.2],
  ['Schleifscheibe 125 mm', 0.1, 0.23],
  ['50', 0.53, 0.2305],
  ['4,95', 0.69, 0.23],
  ['247,50', 0.85, 0.23],
  ['Körnung 80', 0.1, 0.25],
  ['Wartung vor Ort', 0.1, 0.28],
  ['2,5', 0.52, 0.28],
  ['96,00', 0.68, 0.28],
  ['1.240,00', 0.83, 0.28],
  ['Summe', 0.62, 0.33],
  ['1.487,50', 0.83, 0.33],
)
const table = { x: 0.08, y: 0.19, width: 0.85, height: 0.11 }

describe('rows that are taken out of a page', () => {
  it('reach to a line that is clicked, with the columns and fields that were chosen', () => {
    const region = regionIn(invoice, { ...table, height: 0.08 }, list)
    expect(rowsOf(region, invoice.words, list, german)).toHaveLength(1)
    const grown = withLine(region, invoice.words, { x: 0.12, y: 0.285 })
    expect(rowsOf(grown, invoice.words, list, german)).toHaveLength(2)
    expect([grown.borders, grown.fields]).toEqual([region.borders, region.fields])
    expect(withLine(region, invoice.words, { x: 0.4, y: 0.6 })).toBe(region)
  })

  it.each([0.05, -0.05])('are the same on a scan that leans (slope %d)', (slope) => {
    const leaning = { ...invoice, words: invoice.words.map((word) => ({ ...word, y: word.y + slope * word.x })) }
    const box = { ...table, y: table.y - 0.05, height: table.height + 0.15 }
    const [straight, crooked] = [invoice, leaning].map((page) =>
      linesIn(page.words, box).map((line) => line.map(({ text }) => text).join(' ')),
    )
    expect(crooked).toEqual(straight)
  })

  it('are the lines of its part, each from left to right', () => {
    const texts = linesIn(invoice.words, table).map((line) => line.map(({ text }) => text).join(' '))
    expect(texts).toEqual([
      'Bezeichnung Menge Einzelpreis Betrag',
      'Schleifscheibe 125 mm 50 4,95 247,50',
      'Körnung 80',
      'Wartung vor Ort 2,5 96,00 1.240,00',
    ])
  })

  it('have their borders where no line has words, and none between the words of a text', () => {
    const borders = bordersOf(linesIn(invoice.words, table), 842 / 595)
    expect(borders.map((border) => Math.round(border * 10) / 10)).toEqual([0.4, 0.6, 0.8])
  })

  it('are values of the fields that their heads name, in the language of the document', () => {
    const region = regionIn(invoice, table, list as never)
    expect(region.fields).toEqual(['description', 'quantity', 'unit_price', 'amount'])
    expect(rowsOf(region, invoice.words, list as never, german)).toEqual([
      { description: 'Schleifscheibe 125 mm Körnung 80', quantity: 50, unit_price: 4.95, amount: 247.5 },
      { description: 'Wartung vor Ort', quantity: 2.5, unit_price: 96, amount: 1240 },
    ])
  })

  it('are proposed from the largest table that was seen, else from the whole page', () => {
    const cell = (text: string, x: number, y: number) => ({ text, x, y, width: 0.1, height: 0.02 })
    const seen = [
      [cell('a', 0.1, 0.19), cell('b', 0.5, 0.19)],
      [cell('c', 0.1, 0.27), cell('d', 0.83, 0.27)],
    ]
    expect(proposeRegion([{ ...invoice, tables: [seen] }], list as never)?.box).toMatchObject({ x: 0.1, y: 0.19 })
    expect(proposeRegion([invoice], list as never)?.box.y).toBe(0.05)
    expect(proposeRegion([pageOf()], list as never)).toBeNull()
  })

  it('keep the fields of the other columns when a border comes or goes', () => {
    const region = regionIn(invoice, table, list as never)
    const more = withBorder(region, 0.3)
    expect(more.fields).toEqual(['description', null, 'quantity', 'unit_price', 'amount'])
    expect(withoutBorder(more, 0).fields).toEqual(region.fields)
    expect(withoutBorder(more, 0).borders).toEqual(region.borders)
  })
})
