import { describe, expect, it } from 'vitest'
import { listOf } from './schema-of.ts'
import { tablesOf } from './tables-of.ts'

describe('a table over several pages', () => {
  const list = listOf('bookings', 'day', 'text', 'amount: number')

  it('has the rows of all of them, also where its columns stand elsewhere overleaf', () => {
    const first = `
Date        Details                        Amount
03/02/2026  WATER WORKS                     61.20
05/02/2026  CITY COUNCIL                    84.97
`
    const second = `
Date              Details                                     Amount
07/02/2026        J PELLING                                   640.00
09/02/2026        RENT                                        500.00
11/02/2026        CASH                                         20.00
`
    const [table] = tablesOf('headed', list, first, second)
    expect(table!.map((row) => row.slice(1))).toEqual([
      ['WATER WORKS', 61.2],
      ['CITY COUNCIL', 84.97],
      ['J PELLING', 640],
      ['RENT', 500],
      ['CASH', 20],
    ])
  })

  it('begins below the balance that stands above its first booking', () => {
    const page = `
Date        Details                        Amount
            Balance on 31/01/2026          412.76
03/02/2026  WATER WORKS                     61.20
05/02/2026  CITY COUNCIL                    84.97
`
    expect(tablesOf('headed', list, page)[0]!.map((row) => row[1])).toEqual(['WATER WORKS', 'CITY COUNCIL'])
  })
})

describe('a table of numbered groups', () => {
  it('goes on behind the sum of each', () => {
    const list = listOf('positions', 'pos', 'text', 'quantity: number', 'total: number')
    const page = `
Pos     Text                        Quantity     Total
01      Bathroom
01.10   Removal of old fittings         1,00    480,00
01.20   Wash basin                      1,00    742,00
        Total 01 Bathroom                     1.222,00
02      Pipes
02.10   Composite pipe                 46,50    688,20
02.20   Waste pipe                     18,00    402,30
        Total 02 Pipes                        1.090,50
`
    const texts = tablesOf('headed', list, page)[0]!.map((row) => row[1])
    expect(texts).toEqual(expect.arrayContaining(['Wash basin', 'Composite pipe', 'Waste pipe']))
  })
})
