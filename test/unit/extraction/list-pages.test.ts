import { describe, expect, it } from 'vitest'
import { joined, layOut } from '../../../electron/service/extraction/layout.ts'
import { understandItems } from '../../../electron/service/extraction/list-fields.ts'
import { describeProposals } from '../../../electron/service/finding/describe.ts'
import { proposeTables } from '../../../electron/service/finding/tables.ts'
import { listOf } from './schema-of.ts'
import { tablesOf } from './tables-of.ts'
import { typedDocument } from './typed-page.ts'

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

  it('ends with the total on top of the next page, whatever stands below that', () => {
    const first = `
Date        Details                        Amount
03/02/2026  WATER WORKS                     61.20
05/02/2026  CITY COUNCIL                    84.97
`
    const second = `
            Net total                      146.17
            VAT 20%                         29.23
            Grand total                    175.40
20 days     Discount within 10 days          3.51
`
    expect(tablesOf('headed', list, first, second)[0]!.map((row) => row[1])).toEqual(['WATER WORKS', 'CITY COUNCIL'])
  })

  it('is that with the most to say where a page lies between two heads', () => {
    const cover = `
Date        Details                        Amount
see overleaf
`
    const bookings = `
Date        Details                        Amount
03/02/2026  WATER WORKS                     61.20
05/02/2026  CITY COUNCIL                    84.97
`
    const table = tablesOf('headed', list, cover, 'Terms of business apply.', bookings)[0]
    expect(table!.map((row) => row[1])).toEqual(['WATER WORKS', 'CITY COUNCIL'])
  })

  it('has its groups under their own headings, also where they stand elsewhere overleaf', () => {
    const grouped = listOf('bookings', 'card', 'day', 'text', 'amount: number')
    const first = `
Date        Details                        Amount
Card 4417 of Miller
03/02/2026  WATER WORKS                     61.20
05/02/2026  CITY COUNCIL                    84.97
`
    const second = `
          Date        Details                        Amount
          Card 4425 of Jones
          07/02/2026  J PELLING                     640.00
          09/02/2026  RENT                          500.00
`
    const document = typedDocument(first, second)
    const layout = layOut(document)
    const { evidence } = describeProposals(document, layout, [])
    const [table] = proposeTables(understandItems(grouped), layout, evidence).filter(({ way }) => way === 'headed')
    expect(table!.rows.map(({ heading }) => heading && joined(heading))).toEqual([
      'Card 4417 of Miller',
      'Card 4417 of Miller',
      'Card 4425 of Jones',
      'Card 4425 of Jones',
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
    expect(tablesOf('headed', list, page)[0]!.map((row) => row.slice(0, 2))).toEqual([
      ['01', 'Bathroom'],
      ['01.10', 'Removal of old fittings'],
      ['01.20', 'Wash basin'],
      ['02', 'Pipes'],
      ['02.10', 'Composite pipe'],
      ['02.20', 'Waste pipe'],
    ])
  })

  it('has rows that are as short as headings where all are', () => {
    const list = listOf('tasks', 'hours: number', 'task')
    const page = `
Hours   Task
2.00    Kickoff meeting
3.50    Draft of the plan
Total 5.50
Second phase
1.00    Review
2.00    Final version
`
    expect(tablesOf('headed', list, page)[0]).toHaveLength(4)
  })
})
