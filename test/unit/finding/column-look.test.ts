import { describe, expect, it } from 'vitest'
import { layOut } from '../../../electron/service/extraction/layout.ts'
import { understandItems } from '../../../electron/service/extraction/list-fields.ts'
import { ColumnLook, placeFeatures } from '../../../electron/service/finding/column-look.ts'
import type { PlaceScore } from '../../../electron/service/finding/column-look.ts'
import { describeProposals } from '../../../electron/service/finding/describe.ts'
import { describeTables } from '../../../electron/service/finding/describe-tables.ts'
import { noColumn } from '../../../electron/service/finding/places.ts'
import { listOf } from '../extraction/schema-of.ts'
import { typedDocument } from '../extraction/typed-page.ts'

const list = listOf('stock', 'article', 'on hand: number', 'reserved: number', 'value: number')
const fields = understandItems(list)
const document = typedDocument(`
Article          Stock     Held     Value
Basin mixer         84       12   1545.60
Kitchen mixer       17        3    726.75
`)
const layout = layOut(document)
const { evidence, facts } = describeProposals(document, layout, [])
const described = describeTables(list, fields, layout, evidence, facts).find(({ table }) => table.way === 'headed')!

/** What the first look gives the places of the sub-fields: `[field, place, mean]`. */
function lookAt(...scores: [field: number, place: number, mean: number][]) {
  const all = scores.map(
    ([field, place, mean]): PlaceScore => ({ field, place, isOwn: false, mean, ofFilled: mean, filled: 1 }),
  )
  const look = new ColumnLook(described, fields, all)
  /** What the trees see of the score at an index. */
  const seen = (index: number, name: string): number =>
    look.row(all[index]!)[placeFeatures.findIndex(([one]) => one === name)]!
  return { look, all, seen }
}

describe('the look at columns', () => {
  it('sees whether the other sub-fields stand before and behind a place as the list asks for them', () => {
    const { seen } = lookAt([0, 0, 0.9], [1, 1, 0.8], [2, 2, 0.3], [2, 0, 0.1], [3, 3, 0.9])
    expect(seen(2, 'fields in order')).toBeCloseTo(1)
    // Only the value stands behind the first column, and the stock should not.
    expect(seen(3, 'fields in order')).toBeCloseTo(0.9 / 1.7)
    expect(seen(2, 'columns from that of the field before')).toBe(1)
    expect(seen(2, 'columns to that of the field behind')).toBe(1)
    expect(seen(0, 'columns from that of the field before')).toBeNaN()
  })

  it('sees how likely another sub-field is in the same column, and what that one would lose', () => {
    const { look, all } = lookAt([1, 1, 0.6], [2, 1, 0.5], [2, 2, 0.4], [3, 1, 0.2], [3, 3, 0.7])
    expect(look.claim(all[0]!)).toBe(0.5)
    expect(look.loss(all[0]!)).toBeCloseTo(0.1)
    expect(look.elsewhere(all[1]!)).toBe(0.4)
    expect(look.claim(all[4]!)).toBe(0)
    expect(look.loss(all[4]!)).toBe(-1)
  })

  it('knows no rival where a sub-field has no column at all', () => {
    const { look, all } = lookAt([1, noColumn, 0.6], [2, noColumn, 0.5])
    expect(look.claim(all[0]!)).toBe(0)
    expect(look.loss(all[0]!)).toBe(-1)
  })
})

describe('what the numbers of a table come to', () => {
  const bill = listOf('components', 'item', 'quantity: number', 'unit_price: number', 'line_total: number')
  const page = typedDocument(`
Item             Per    Std cost    Ext cost
Weldment        1.00      412.50      412.50
Tube 60x40      6.84        9.12       62.38
Plate           4.00        3.10       12.40
`)
  const laid = layOut(page)
  const seen = describeProposals(page, laid, [])
  const [table] = describeTables(bill, understandItems(bill), laid, seen.evidence, seen.facts)
  const answersOf = (field: number): number[] => [1, 2, 3].filter((column) => table!.describer.addsUp(field, column))

  it('rules out the product as a price or a quantity, and a factor as the amount', () => {
    expect(answersOf(1)).toEqual([1, 2])
    expect(answersOf(2)).toEqual([1, 2])
    expect(answersOf(3)).toEqual([3])
  })
})
