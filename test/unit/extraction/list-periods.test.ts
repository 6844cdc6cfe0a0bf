import { describe, expect, it } from 'vitest'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { listOf } from './schema-of.ts'
import { tablesOf } from './tables-of.ts'

/** What each table of periods offers for a list. */
const accountsIn = (list: SchemaElement, ...pages: string[]): unknown[][][] => tablesOf('periods', list, ...pages)

const lines = listOf('balance_sheet', 'line_item', 'amount: number')

const assets = `
Muster Handels GmbH

BILANZ ZUM 31.12.2024

                                       31.12.2024      31.12.2023
                                             EUR             EUR
Anlagevermögen
Software                                   7.456           8.381
Sachanlagen                      (2)
Grundstücke und Bauten                     1.619           1.813
Technische Anlagen                         2.655           3.398
                                           4.274           5.211
Forderungen gegen Unternehmen, mit
denen ein Vertrag besteht      (15, 16)      860             541
Guthaben                                   1.033             300
`
const liabilities = `
Muster Handels GmbH

                                       31.12.2024      31.12.2023
Eigenkapital                              12.000          12.000
Verbindlichkeiten                          1.623           2.433
`
const income = `
Muster Handels GmbH

GEWINN- UND VERLUSTRECHNUNG

                                             2024            2023
Umsatzerlöse                              101.685          51.296
Materialaufwand                               479             -
`

describe('accounts under periods', () => {
  it('have the amount of the newest period, and a sum without a text is called like its group', () => {
    expect(accountsIn(lines, assets)).toEqual([
      [
        ['Software', 7456],
        ['Grundstücke und Bauten', 1619],
        ['Technische Anlagen', 2655],
        ['Sachanlagen', 4274],
        ['Forderungen gegen Unternehmen, mit denen ein Vertrag besteht', 860],
        ['Guthaben', 1033],
      ],
    ])
  })

  it('go on overleaf until another title stands above them', () => {
    const [balance, other] = accountsIn(lines, assets, liabilities, income)
    expect(balance!.slice(-2)).toEqual([
      ['Eigenkapital', 12000],
      ['Verbindlichkeiten', 1623],
    ])
    expect(other).toEqual([
      ['Umsatzerlöse', 101685],
      ['Materialaufwand', 479],
    ])
  })

  it('answer what is asked of the period before by its name', () => {
    const both = listOf('income', 'prior_year_amount: number', 'line_item', 'amount: number')
    expect(accountsIn(both, income)[0]).toEqual([
      [51296, 'Umsatzerlöse', 101685],
      [null, 'Materialaufwand', 479],
    ])
  })

  it('beside each other under one title are one table, the left ones first', () => {
    const panels = `
Balance sheet as at 31 December

ASSETS              2024      2023      LIABILITIES          2024     2023
Land             150,000   150,000      Capital            90,000   90,000
Stocks            12,500     9,000      Bank loans         72,500   69,000
`
    expect(accountsIn(lines, panels)).toEqual([
      [
        ['Land', 150000],
        ['Stocks', 12500],
        ['Capital', 90000],
        ['Bank loans', 72500],
      ],
    ])
  })

  it('may have sums in a column of their own under the same period', () => {
    const lanes = `
                                2024                 2023
                              €        €           €        €
Costs
Wages                     1,200                1,100
Rent                        300                  290
                                   1,500                1,390
Result                             8,250                7,410
`
    expect(accountsIn(lines, lanes)[0]).toEqual([
      ['Wages', 1200],
      ['Rent', 300],
      ['Costs', 1500],
      ['Result', 8250],
    ])
  })

  it('are not seen in a table of bookings, whose days stand in its rows', () => {
    const bookings = `
Date           Value date     Text                   Amount
01.12.2024     02.12.2024     Rent                 1.200,00
03.12.2024     03.12.2024     Energy                 300,00
`
    expect(accountsIn(lines, bookings)).toEqual([])
  })

  it('keep a row whose amounts look like years or days', () => {
    const ratios = `
                               2024            2023
Margin                         12.1            11.4
Staff                         1,250           1,200
Machines                       1987            2013
Stocks                          400             380
`
    expect(accountsIn(lines, ratios)).toEqual([
      [
        ['Margin', 12.1],
        ['Staff', 1250],
        ['Machines', 1987],
        ['Stocks', 400],
      ],
    ])
  })

  it('have their own years also where days stand in a line above them', () => {
    const page = `
Annual accounts
Issue date: 26/03/2020    07/02/2020   25/02/2020

Costs                                       2019        2018
Wages                                      1,250       1,200
Rent                                         400         380
`
    expect(accountsIn(lines, page)).toEqual([
      [
        ['Wages', 1250],
        ['Rent', 400],
      ],
    ])
  })
})
