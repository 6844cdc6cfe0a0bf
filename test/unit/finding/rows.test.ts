import { describe, expect, it } from 'vitest'
import { layOut } from '../../../electron/service/extraction/layout.ts'
import { understandItems } from '../../../electron/service/extraction/list-fields.ts'
import { chooseTables } from '../../../electron/service/finding/choose-tables.ts'
import { describeTables, leavesOutSums } from '../../../electron/service/finding/describe-tables.ts'
import type { Choice } from '../../../electron/service/finding/choose-tables.ts'
import { describeProposals } from '../../../electron/service/finding/describe.ts'
import { extractFields } from '../../../electron/service/finding/find.ts'
import { shippedModel } from '../../../electron/service/finding/model.ts'
import { rowsOf } from '../../../electron/service/finding/rows.ts'
import type { Token } from '../../../shared/domain/document.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { listOf } from '../extraction/schema-of.ts'
import { typedDocument, withGrid } from '../extraction/typed-page.ts'

const goods = listOf('items', 'description', 'quantity: number', 'amount: number')

function extract(text: string, ...lists: SchemaElement[]): ReturnType<typeof extractFields> {
  return extractFields(typedDocument(text), lists)
}

function rowsIn(text: string, list: SchemaElement): unknown[][] {
  return (extract(text, list).data[list.name] as Record<string, unknown>[]).map((row) => Object.values(row))
}

describe('rows of tables', () => {
  it('are rows of a table that was seen, though they begin like what was carried forward', () => {
    const page = `
Leistung                             Menge       Betrag
Beratung vor Ort                         2       480,00
Vortrag KI im Büro                       1     1.450,00
Annual report                            1       900,00
`
    const seen = withGrid(typedDocument(page), [0, 36, 44, 58], 4)
    const { data } = extractFields(seen, [listOf('leistungen', 'leistung', 'menge: number', 'betrag: number')])
    expect((data['leistungen'] as Record<string, unknown>[]).map((row) => row['betrag'])).toEqual([480, 1450, 900])
  })

  it('are called what is set in the type of their first line, and not by the remarks below that', () => {
    const page = `
Bezeichnung                          Menge       Betrag
Kopierpapier A4, 80 g                    4        23,96
Karton zu 5 Ries, weiß
Ordner A4, 8 cm                          2         6,98
PP-Bezug mit Griffloch
Bürodrehstuhl Arco                       1       189,00
Netzrücken, montiert
`
    const list = listOf('positionen', 'bezeichnung', 'menge: number', 'betrag: number')
    const typed = typedDocument(page)
    const [first] = typed.pages
    const tops = [...new Set(first!.tokens.map(({ box }) => box.y))]
    const textsOf = (change: (token: Token, isRemark: boolean) => Token): unknown[] => {
      const isRemark = ({ box }: Token): boolean => tops.indexOf(box.y) > 0 && tops.indexOf(box.y) % 2 === 0
      const tokens = first!.tokens.map((token) => change(token, isRemark(token)))
      const { data } = extractFields({ ...typed, pages: [{ ...first!, tokens }] }, [list])
      return (data['positionen'] as Record<string, unknown>[]).map((row) => row['bezeichnung'])
    }
    const names = ['Kopierpapier A4, 80 g', 'Ordner A4, 8 cm', 'Bürodrehstuhl Arco']
    expect(textsOf((token, isRemark) => ({ ...token, bold: !isRemark }))).toEqual(names)
    const smaller = (token: Token, isRemark: boolean) => ({
      ...token,
      fontSize: token.fontSize * (isRemark ? 0.85 : 1),
    })
    expect(textsOf(smaller)).toEqual(names)
    const whole = 'Kopierpapier A4, 80 g Karton zu 5 Ries, weiß'
    expect(textsOf((token) => token)[0]).toBe(whole)
    // A word that stands out is no name.
    expect(textsOf((token) => ({ ...token, bold: token.text === 'Kopierpapier' }))[0]).toBe(whole)
  })

  it('are told apart by their lines where one box is drawn around all of them, and are no balances', () => {
    const page = `
Datum     Vorgang                          Betrag
          Alter Kontostand               2.418,63
01.04.    Dauerauftrag Miete              -780,00
02.04.    Lastschrift Stadtwerke          -214,00
03.04.    Gutschrift Gasthof             1.368,50
04.04.    Kartenzahlung Tanken             -81,47
07.04.    Kartenzahlung Baumarkt          -137,26
          Neuer Kontostand               2.574,40
`
    const statement = typedDocument(page)
    const [first] = statement.pages
    const tops = [...new Set(first!.tokens.map(({ box }) => box.y))]
    // Heads, a balance, all bookings, a balance.
    const edges = [0, 1, 2, 7, 8].map((line) => (tops[line] ?? tops.at(-1)! + 0.018) - 0.004)
    const rows = edges.slice(1).map((bottom, at) =>
      [0, 9, 36].map((left, column) => {
        const right = [9, 36, 52][column]!
        return {
          text: '',
          box: { x: left / 100, y: edges[at]!, width: (right - left) / 100, height: bottom - edges[at]! },
        }
      }),
    )
    const box = { x: 0, y: edges[0]!, width: 0.52, height: edges.at(-1)! - edges[0]! }
    const boxed = { ...statement, pages: [{ ...first!, tables: [{ box, rows, ruled: true as const }] }] }
    const { data } = extractFields(boxed, [listOf('buchungen', 'datum', 'vorgang', 'betrag: number')])
    expect((data['buchungen'] as Record<string, unknown>[]).map((row) => row['betrag'])).toEqual([
      -780, -214, 1368.5, -81.47, -137.26,
    ])
  })

  it('are not given twice where one way to read them has two rows for one of another', () => {
    const page = `
Description                          Qty    Unit price       Amount
Team plan, 24 seats                   24        $18.00      $432.00
Oct 14 - Nov 13, 2026
Additional storage (100 GB)            6         $9.50       $57.00
Oct 14 - Nov 13, 2026
Onboarding session, remote             1       $850.00      $850.00
                                   Subtotal               $1,339.00
`
    const list = listOf('items', 'description', 'quantity: number', 'unit price: number', 'amount: number')
    const amountsOf = (text: string, lines: number): unknown[] => {
      const { data } = extractFields(withGrid(typedDocument(text), [0, 36, 44, 58, 70], lines), [list])
      return (data['items'] as Record<string, unknown>[]).map((row) => row['amount']).filter((one) => one !== null)
    }
    expect(amountsOf(page, 6)).toEqual([432, 57, 850])
    // Also where a text begins above its numbers.
    const above = `
Description                          Qty    Unit price       Amount
Team plan for the office in Leeds
from October until November           24        $18.00      $432.00
Storage space for the archive
and a second copy                      6         $9.50       $57.00
Onboarding of the whole team
remote, half a day                     1       $850.00      $850.00
                                   Subtotal               $1,339.00
`
    expect(amountsOf(above, 7)).toEqual([432, 57, 850])
  })

  it('may stand in a table whose heads and kinds of columns name no sub-field', () => {
    const page = `
Halt        Linie      Nach            Gleis
Kiel        IC 125     Göttingen       1
Jena        N3         Kiel            9
Ulm         IC 837     Bochum          12
`
    const waysOf = (lines: number): string[] => {
      const document = withGrid(typedDocument(page), [0, 11, 22, 38, 50], lines)
      const layout = layOut(document)
      const { evidence, facts } = describeProposals(document, layout, [])
      const list = listOf('zeilen', 'alpha', 'beta', 'gamma', 'delta')
      return describeTables(list, understandItems(list), layout, evidence, facts).map(({ table }) => table.way)
    }
    expect(waysOf(4)).toContain('grid')
    expect(waysOf(3)).not.toContain('grid')
  })

  it('may be missing where none is found', () => {
    const { data, doubts } = extract('Hartmann GmbH\nRechnung 17\nSumme 12,00', goods)
    expect(data['items']).toEqual([])
    expect(doubts).toEqual([{ pointer: '/0/items', code: 'rows_missing', alternatives: [] }])
  })

  it('have all lines of a text, but not a number of its own that is set in below it', () => {
    const page = `
Pos  Bezeichnung                          Menge      Preis      Betrag
1    Stahltreppe verzinkt, 11 Stufen          1   3.480,00    3.480,00
     nach Aufmaß vom 24.08.2026
2    Handlauf V2A                             7      86,40      604,80
     geschliffen Korn 240, inkl. Wandhalter
3    Türschließer silber                      2      48,00       96,00
       EAN 4006381333931
                                       Summe              4.180,80
`
    const texts = rowsIn(page, goods).map(([description]) => description)
    expect(texts).toEqual([
      'Stahltreppe verzinkt, 11 Stufen nach Aufmaß vom 24.08.2026',
      'Handlauf V2A geschliffen Korn 240, inkl. Wandhalter',
      'Türschließer silber',
    ])
  })

  it('have no number of an article for a text, though one head may stand over both columns', () => {
    const page = `
Pos. Art.-Nr.   Bezeichnung                        Menge Einheit   Einzelpreis      Gesamt
1     40-1180   Edelstahl-Handlauf V2A               7,5 m               86,40      648,00
                geschliffen Korn 240
2     40-2210   Stahltreppe verzinkt                   1 Stk          3.480,00    3.480,00
                nach Aufmaß vom 24.08.2026
3     90-0010   Montage vor Ort                       14 Std             62,50      875,00
4     90-0040   An- und Abfahrt                        2 Psch            48,00       96,00
`
    const list = listOf('items', 'Description', 'Quantity: number', 'Unit price: number', 'Amount: number')
    const document = typedDocument(page)
    const layout = layOut(document)
    const { evidence, facts } = describeProposals(document, layout, [])
    const tables = describeTables(list, understandItems(list), layout, evidence, facts)
    const texts = tables.flatMap(({ table, describer, places }) =>
      [...table.rows.keys()].flatMap((at) =>
        describer.readings(at, 0, places[0]!).map(({ cell }) => String(cell.value)),
      ),
    )
    expect(texts).toContain('Montage vor Ort')
    expect(texts).not.toContain('40-1180')
  })

  it('of bookings have all lines of their text, whatever else is asked for', () => {
    const page = `
Date        Text                                   Amount
02.10.2026  Dauerauftrag                        -1.850,00
            Lagerhalle Miete 10/2026
            Immobilien Krahe GbR
05.10.2026  Gutschrift                           3.213,00
            RE 2026-0911
            Autohaus Peters GmbH
12.10.2026  Lastschrift                           -418,22
            Beitrag BG
`
    const list = listOf('bookings', 'date | Booking date', 'text | Text of the booking', 'amount: number')
    expect(rowsIn(page, list).map(([, text]) => text)).toEqual([
      'Dauerauftrag Lagerhalle Miete 10/2026 Immobilien Krahe GbR',
      'Gutschrift RE 2026-0911 Autohaus Peters GmbH',
      'Lastschrift Beitrag BG',
    ])
  })

  it('ask about a cell that is empty where nearly all others of its column are not', () => {
    const page = `
Nr. Bezeichnung          Menge      Preis      Betrag
1   Gartenbank Eiche         2     189,00      378,00
2   Sonnenschirm                    79,90       79,90
3   Tischdecke grün          4      12,50       50,00
4   Gartenstuhl              6      59,00      354,00
`
    const priced = listOf('items', 'description', 'quantity: number', 'unit price: number', 'amount: number')
    const { data, doubts } = extract(page, priced)
    expect((data['items'] as Record<string, unknown>[]).map((row) => row['quantity'])).toEqual([2, null, 4, 6])
    expect(doubts).toContainEqual({ pointer: '/0/items/1/quantity', code: 'unsure', alternatives: [] })
  })

  it('tells columns apart whose heads stand a space apart', () => {
    const rows = rowsIn(
      `
Nr. Bezeichnung          Menge      Preis      Betrag
1   Gartenbank Eiche         2     189,00      378,00
2   Sonnenschirm             1      79,90       79,90
3   Tischdecke grün          4      12,50       50,00
                    Summe                      507,90
`,
      goods,
    )
    expect(rows).toEqual([
      ['Gartenbank Eiche', 2, 378],
      ['Sonnenschirm', 1, 79.9],
      ['Tischdecke grün', 4, 50],
    ])
  })

  it('does not join numbers of neighbouring columns that stand a space apart', () => {
    const rows = rowsIn(
      `
Description              Quantity      Price      VAT % Line Amount
Desk lamp, white         3            191.00        19       573.00
Office chair             12            80.00         7       960.00
Subtotal                                                   1,533.00
`,
      goods,
    )
    expect(rows).toEqual([
      ['Desk lamp, white', 3, 573],
      ['Office chair', 12, 960],
    ])
  })

  it('finds rows of words and amounts without any head', () => {
    const rows = rowsIn(
      `
Charges

Meter rental                        4.20
Standing charge                    11.75
Electricity 412 kWh                98.88
Discount                           -5.00
Total                             109.83
`,
      listOf('charges', 'description', 'amount: number'),
    )
    expect(rows).toEqual([
      ['Meter rental', 4.2],
      ['Standing charge', 11.75],
      ['Electricity 412 kWh', 98.88],
      ['Discount', -5],
    ])
  })

  it('have a trust and a place for each cell', () => {
    const { sources } = extract(
      `
Description              Quantity      Price       Amount
Desk lamp, white                3     191.00       573.00
Office chair                   12      80.00       960.00
                         Subtotal                1,533.00
`,
      goods,
    )
    expect(sources.map(({ pointer }) => pointer)).toEqual([
      '/0/items/0/description',
      '/0/items/0/quantity',
      '/0/items/0/amount',
      '/0/items/1/description',
      '/0/items/1/quantity',
      '/0/items/1/amount',
    ])
    for (const { trust } of sources) expect(trust).toBeGreaterThan(0.5)
  })

  it('are doubted as a whole where another list could as well have the table', () => {
    const { data, doubts } = extract(
      `
Description              Quantity      Price       Amount
Desk lamp, white                3     191.00       573.00
Office chair                   12      80.00       960.00
                         Subtotal                1,533.00
`,
      goods,
      { ...goods, name: 'returns' },
    )
    const taken = ['items', 'returns'].filter((name) => (data[name] as unknown[]).length > 0)
    expect(taken).toHaveLength(1)
    expect(doubts).toContainEqual({ pointer: `/0/${taken[0]}`, code: 'rows_unsure', alternatives: [] })
  })

  it('are not filled from elsewhere, but asked about, where their own column is empty in a row', () => {
    const page = `
Code     Description                Qty    Price   Disc %     Amount   VAT
100417   Apple juice 6x1.0 l         12     8.94              107.28    2
100562   Mineral water 12x0.7 l      40     4.35     5.0      165.30    2
110208   Pils 20x0.5 l               24    15.80     5.0      360.24    2
`
    const list = listOf('items', 'description', 'price: number', 'discount_percent: number', 'amount: number')
    const layout = layOut(typedDocument(page))
    const { evidence, facts } = describeProposals(typedDocument(page), layout, [])
    const { rows: model } = shippedModel
    const [table] = chooseTables([list], layout, evidence, facts, model)
    const [, price, discount, amount] = table!.choices[0]!
    expect(discount).toEqual([])
    const resultWith = (rival: Choice[]): ReturnType<typeof rowsOf> => {
      const [row, ...others] = table!.choices
      const choices = [[row![0]!, price!, rival, amount!], ...others]
      return rowsOf({ ...table!, choices }, { ...model, given: 0, sure: { text: 0, picture: 0 } })
    }
    const { records, doubts } = resultWith(amount!)
    expect(records[0]).toMatchObject({ discount_percent: null, amount: 107.28 })
    expect(doubts.map(({ pointer }) => pointer)).toEqual(['/0/discount_percent'])
    expect(doubts[0]!.alternatives.map(({ value }) => value)).toEqual([107.28])
  })

  it('have a value at least where they are surest, once they are shown', () => {
    const page = `
Description                          Qty       Amount
Apple juice, six bottles              12       107.28
Mineral water                         40       165.30
`
    const strict = { ...shippedModel, rows: { ...shippedModel.rows, given: 1 } }
    const { data } = extractFields(typedDocument(page), [goods], strict)
    const rows = data['items'] as Record<string, unknown>[]
    expect(rows.map((row) => Object.values(row).some((value) => value !== null))).toEqual([true, true])
    expect(rows.flatMap((row) => Object.values(row))).toContain(null)
  })
})

it.each([
  ['each line item. exclude subtotal rows and grand totals', true],
  ['Alle Zeilen ohne Zwischensummen', true],
  ['toutes les lignes, sans les totaux', true],
  ['each line, its total included', false],
  ['without rows of text', false],
])('a list that is described as «%s» leaves out sums: %s', (description, expected) => {
  expect(leavesOutSums({ ...goods, description })).toBe(expected)
})
