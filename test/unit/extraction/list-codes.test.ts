import { describe, expect, it } from 'vitest'
import { listOf } from './schema-of.ts'
import { tablesOf } from './tables-of.ts'

describe('a code and a text under one head', () => {
  const page = `
Art.-Nr.                                          Menge        Preis
K7712-04 Fensterdichtung braun                        8         3,20
K7790-11 Türstopper                                   2        11,75
M1002-88 Schließblech verzinkt                        5         6,40
`
  it('are two columns where both are asked for', () => {
    const list = listOf('positionen', 'artikelnummer', 'bezeichnung', 'menge: number', 'einzelpreis: number')
    expect(tablesOf('headed', list, page)[0]).toEqual([
      ['K7712-04', 'Fensterdichtung braun', 8, 3.2],
      ['K7790-11', 'Türstopper', 2, 11.75],
      ['M1002-88', 'Schließblech verzinkt', 5, 6.4],
    ])
  })

  it('are two columns where only the text is asked for and the head is that of the code', () => {
    const list = listOf('positionen', 'bezeichnung', 'menge: number', 'einzelpreis: number')
    expect(tablesOf('headed', list, page)[0]![0]).toEqual(['Fensterdichtung braun', 8, 3.2])
  })

  it('stay together where a head of texts stands over them and nobody asks for a code', () => {
    const list = listOf('positionen', 'bezeichnung', 'menge: number', 'einzelpreis: number')
    const rows = tablesOf('headed', list, page.replace('Art.-Nr.', 'Artikel '))[0]!
    expect(rows[0]).toEqual(['K7712-04 Fensterdichtung braun', 8, 3.2])
  })

  it('stay together where the text begins with a quantity, a size, a day or a year', () => {
    const list = listOf('items', 'article_number', 'description', 'price: number')
    const rows = tablesOf(
      'headed',
      list,
      `
Description                                  Price
2026 wall calendar                            9.90
1000 paper clips                              4.20
500 envelopes                                12.00
500ml glue                                    3.10
15/03/2026 delivery                           7.00
`,
    )[0]!
    expect(rows.map(([, text]) => text)).toEqual([
      '2026 wall calendar',
      '1000 paper clips',
      '500 envelopes',
      '500ml glue',
      '15/03/2026 delivery',
    ])
  })
})
