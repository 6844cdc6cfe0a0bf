import { describe, expect, it } from 'vitest'
import { joined, layOut } from '../../../electron/service/extraction/layout.ts'
import { understandItems } from '../../../electron/service/extraction/list-fields.ts'
import { productsOf } from '../../../electron/service/finding/column-products.ts'
import { describeProposals } from '../../../electron/service/finding/describe.ts'
import { describeTables } from '../../../electron/service/finding/describe-tables.ts'
import { Parts, aboveGroup, columnOfPlace, isPart } from '../../../electron/service/finding/places.ts'
import { abbreviates, spelledLike } from '../../../electron/service/finding/spelling.ts'
import type { Described } from '../../../electron/service/finding/describe-tables.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { listOf } from '../extraction/schema-of.ts'
import { typedInBold } from '../extraction/typed-page.ts'

/** The first reading of a page's tables under heads, and what its document says of numbers. */
function headedIn(page: string, list: SchemaElement) {
  const document = typedInBold(page)
  const layout = layOut(document)
  const { evidence, facts } = describeProposals(document, layout, [])
  const tables = describeTables(list, understandItems(list), layout, evidence, facts)
  return { evidence, one: tables.find(({ table }) => table.way === 'headed')! }
}

/** What the places of a sub-field have in a row. */
function offered({ describer, places }: Described, at: number, field: number): unknown[] {
  return describer.readings(at, field, places[field]!).map(({ cell }) => cell.value)
}

describe('the parts of a column', () => {
  const page = `
Test                 Result            Range
Glucose              H mg/dL           65 - 99
Urea                 L mmol/L          7 - 25
Sodium                 mmol/L          135 - 146
`
  it('are told apart by a white lane that runs through its rows', () => {
    const { one } = headedIn(page, listOf('results', 'test', 'flag', 'unit', 'range'))
    const parts = new Parts(one.table)
    const lanes = parts.ofColumn(1).filter((place) => parts.describe(place).gap > 0)
    const texts = lanes.map((place) => one.table.rows.map((row) => joined(parts.wordsAt(row, place) ?? [])))
    expect(texts).toContainEqual(['H', 'L', ''])
    expect(texts).toContainEqual(['mg/dL', 'mmol/L', 'mmol/L'])
    expect(lanes.every((place) => isPart(place) && columnOfPlace(place) === 1)).toBe(true)
  })

  it('are offered to what has no column of its own', () => {
    const { one } = headedIn(page, listOf('results', 'test', 'flag', 'unit', 'range'))
    expect(offered(one, 0, 1)).toContain('H')
    expect(offered(one, 0, 2)).toContain('mg/dL')
  })

  it('are its first word and what follows it', () => {
    const { one } = headedIn(
      `
Product                                   Ordered
SWT47 Sawn carcassing 47 x 225 C16             24
NAIL3 Round wire nails, bright                 10
`,
      listOf('goods', 'code', 'description', 'ordered: number'),
    )
    expect(offered(one, 0, 0)).toContain('SWT47')
    expect(offered(one, 0, 1)).toContain('Sawn carcassing 47 x 225 C16')
  })
})

describe('a place', () => {
  it('is every column in which any of the first rows has something', () => {
    const { one } = headedIn(
      `
Day         Start     End      O/T HRS
Monday      08:00     16:30
Tuesday     08:00     16:30
Wednesday   08:00     18:00       1:30
Thursday    08:00     16:30
`,
      listOf('days', 'day', 'start', 'end', 'extra'),
    )
    expect(offered(one, 2, 3)).toContain('1:30')
  })

  it('offers a text as it is printed where its kind asks for another form', () => {
    const { one } = headedIn(
      `
Code        Description            Discount      Amount
ESP.0001    Coffee machine         50+10         150,00
ESP.0002    Coffee grinder         30             70,00
`,
      listOf('lines', 'code', 'description', 'discount', 'amount: number'),
    )
    expect(offered(one, 0, 2)).toContain('50+10')
  })

  it('offers the pieces of what stands above a group of rows', () => {
    const { one } = headedIn(
      `
Article                         Quantity       Price      Amount
*Delivery note 338104 – Kitchen
Oven tray with a lid                   4        3,00       12,00
Bread knife, 24 cm                     2        9,00       18,00
                                Subtotal                   30,00
*Delivery note 338127 – Bar
Glass rack, grey                       6        7,00       42,00
Total                                                      72,00
`,
      listOf('items', 'delivery note', 'article', 'quantity: number', 'amount: number'),
    )
    const pieces = one.describer.readings(0, 0, [aboveGroup]).map(({ cell }) => cell.value)
    expect(pieces).toEqual(expect.arrayContaining(['338104', 'Kitchen']))
  })
})

describe('the numbers of columns', () => {
  const page = `
Code     Description        Qty     Price     Disc     Value
CB4712   Timber C24          12     11.84     15.0     120.77
CB4797   Timber C16          30      6.92     15.0     176.46
CB1001   Nails                1      4.10      0.0       4.10
`
  it('say which column is a product of others, less a discount, and which are its factors', () => {
    const list = listOf('items', 'code', 'description', 'amount: number')
    const { evidence, one } = headedIn(page, list)
    const products = productsOf(one.table, evidence)
    const named = new Map(one.table.header!.columns.map(({ text }, column) => [text, products(column)]))
    expect(named.get('Value')).toEqual({ result: 1, factor: 0 })
    expect(named.get('Price')).toEqual({ result: 0, factor: 1 })
    expect(named.get('Qty')).toEqual({ result: 0, factor: 1 })
    expect(named.get('Description')).toEqual({ result: NaN, factor: NaN })
  })
})

describe('a label', () => {
  it.each([
    [['texte'], ['text'], 0.8, 0],
    [['reference', 'interval'], ['reference', 'range'], 0.5, 0],
    [['arr'], ['arrivee'], 3 / 7, 3],
    [['amount'], ['total'], 0, 0],
    [[], ['total'], 0, 0],
  ])('%j is spelled like the name %j by %f and abbreviates it by %i letters', (label, name, alike, letters) => {
    expect(spelledLike(label, name)).toBeCloseTo(alike)
    expect(abbreviates(label, name)).toBe(letters)
  })
})
