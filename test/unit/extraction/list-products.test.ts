import { describe, expect, it } from 'vitest'
import { listOf } from './schema-of.ts'
import { tablesOf } from './tables-of.ts'

const goods = listOf('items', 'description', 'quantity: number', 'unit_price: number', 'amount: number')
const first = (way: 'headed' | 'lanes' | 'unheaded', page: string, list = goods): unknown[][] =>
  tablesOf(way, list, page)[0]!

describe('quantity, price and amount are what they come to', () => {
  it('where a head calls the quantity an amount', () => {
    const page = `
Amount        Article                VAT        Price          Total
3.00          Desk lamp              19%        41.20 €        123.60 €
250.00        Cable ties, black      19%        0.18 €         45.00 €
`
    expect(first('headed', page)).toEqual([
      ['Desk lamp', 3, 41.2, 123.6],
      ['Cable ties, black', 250, 0.18, 45],
    ])
  })

  it('where a row has a discount, and a head with a price in its name is that of the amount', () => {
    const page = `
Désignation              Quantité      Montant unitaire      Rem.      Prix HT
Chaise pliante           12            35,50 €               10%       383,40 €
Table ronde              4             120,00 €                        480,00 €
`
    expect(first('headed', page)).toEqual([
      ['Chaise pliante', 12, 35.5, 383.4],
      ['Table ronde', 4, 120, 480],
    ])
  })

  it('without heads, where a quantity stands before its price', () => {
    const page = `
Espresso                    2,00     2,40      4,80
Apfelkuchen                 1,00     3,90      3,90
Mineralwasser 0,5 l         3,00     2,80      8,40
`
    expect(first('unheaded', page)).toEqual([
      ['Espresso', 2, 2.4, 4.8],
      ['Apfelkuchen', 1, 3.9, 3.9],
      ['Mineralwasser 0,5 l', 3, 2.8, 8.4],
    ])
  })

  it('without heads the one without cents is the quantity, wherever it stands', () => {
    const page = `
Espresso                    2,40     2      4,80
Apfelkuchen                 3,90     1      3,90
Mineralwasser 0,5 l         2,80     3      8,40
`
    expect(first('unheaded', page)[0]).toEqual(['Espresso', 2, 2.4, 4.8])
  })

  it('but another sum beside them changes nothing', () => {
    const converted = `
Article              Quantity      Unit price      Amount      Rate        EUR
Hex nuts             2400          12.50           30.00       0.92        27.60
Wing nuts            1200          25.00           30.00       0.92        27.60
`
    expect(first('headed', converted)[0]).toEqual(['Hex nuts', 2400, 12.5, 30])
    const packed = `
Article              Cartons      Pcs/Ctn      Quantity      Unit price
Hex nuts             12           20           240           1.25
Wing nuts            4            50           200           0.80
`
    expect(first('headed', packed)[0]!.slice(0, 3)).toEqual(['Hex nuts', 240, 1.25])
  })

  it('but heads are believed where nothing but ones is multiplied', () => {
    const page = `
Item                     Qty      Rate        Charge
Annual licence           1        480.00      480.00
Support                  1        90.00       90.00
`
    const list = listOf('items', 'item', 'qty: number', 'charge: number', 'rate: number')
    expect(first('headed', page, list)).toEqual([
      ['Annual licence', 1, 480, 480],
      ['Support', 1, 90, 90],
    ])
  })
})
