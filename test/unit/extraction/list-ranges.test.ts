import { describe, expect, it } from 'vitest'
import { listOf } from './schema-of.ts'
import { tablesOf } from './tables-of.ts'

describe('the first and the last day of what a row is about', () => {
  it('stand in one column, whatever else a head offers one of them', () => {
    const list = listOf('services', 'service', 'from | YYYY-MM-DD', 'to | YYYY-MM-DD', 'net: number')
    const page = `
Mobilfunkrechnung vom 03.05.2025

Leistung               Zeitraum                  Netto in €      Vertragsbeginn
Flex L Grundpreis      01.04.–30.04.2025              33,57      14.09.2023
Reisepaket Schweiz     11.03. bis 17.03.2025          12,60
Treuerabatt            01.04.–30.04.2025              -4,20
`
    expect(tablesOf('headed', list, page)[0]).toEqual([
      ['Flex L Grundpreis', '2025-04-01', '2025-04-30', 33.57],
      ['Reisepaket Schweiz', '2025-03-11', '2025-03-17', 12.6],
      ['Treuerabatt', '2025-04-01', '2025-04-30', -4.2],
    ])
  })

  it('leave a single day in that column to what it is headed for', () => {
    const list = listOf('services', 'service', 'from | YYYY-MM-DD', 'to | YYYY-MM-DD', 'net: number')
    const page = `
Rechnung vom 03.05.2025

Leistung               bis                       Netto in €
Grundpreis             01.04.–30.04.2025              33,57
Reisepaket             11.03.–17.03.2025              12,60
Freischaltung          14.04.2025                      5,00
`
    expect(tablesOf('headed', list, page)[0]![2]).toEqual(['Freischaltung', null, '2025-04-14', 5])
  })

  it('stand below the text of the row', () => {
    const list = listOf('lines', 'description', 'period_start', 'period_end', 'quantity: number', 'amount: number')
    const page = `
Invoice of Mar 1, 2025

Description                              Qty      Amount
Team plan                                 18      432.00
Feb 14 – Mar 14, 2025
Rest of the plan after Feb 3, 2025         1       39.00
Feb 3 – Feb 14, 2025
`
    expect(tablesOf('headed', list, page)[0]!.map((row) => row.slice(1))).toEqual([
      ['2025-02-14', '2025-03-14', 18, 432],
      ['2025-02-03', '2025-02-14', 1, 39],
    ])
  })

  it('stay in their own columns where each has one, whatever the text says', () => {
    const rents = listOf('rents', 'description', 'from | YYYY-MM-DD', 'to | YYYY-MM-DD', 'amount: number')
    const lease = `
Description                        From          To              Amount
Rent 01.01.2025 - 31.12.2025       01.03.2025    31.03.2025      900,00
Store 01.02.2025 - 31.12.2025      01.03.2025    31.03.2025      120,00
Parking space                      01.03.2025    31.03.2025       60,00
`
    expect(tablesOf('headed', rents, lease)[0]!.map((row) => row.slice(1, 3))).toEqual(
      Array(3).fill(['2025-03-01', '2025-03-31']),
    )
    const list = listOf('stays', 'room', 'from | YYYY-MM-DD', 'to | YYYY-MM-DD', 'nights: number')
    const page = `
Room        From          To            Nights
114         01.04.2025    03.04.2025         2
207         05.04.2025    06.04.2025         1
`
    expect(tablesOf('headed', list, page)[0]).toEqual([
      ['114', '2025-04-01', '2025-04-03', 2],
      ['207', '2025-04-05', '2025-04-06', 1],
    ])
  })
})

describe('the time of day of a row', () => {
  it('has its half of the day as it is printed, however short', () => {
    const list = listOf('spots', 'air_time', 'rate: number')
    const page = `
Air time     Rate
7:19a       96.00
12:40 pm    96.00
5:05 PM     80.00
`
    expect(tablesOf('headed', list, page)[0]).toEqual([
      ['7:19a', 96],
      ['12:40 pm', 96],
      ['5:05 PM', 80],
    ])
  })

  it('is no part of the day beside it, and no amount', () => {
    const list = listOf('shifts', 'start_time', 'place')
    const page = `
Start time          Place
12.03.26 18:30      Hall A
9.30                Hall B
13.03.26            Hall C
€12.50              Hall D
18:33, Gate 4       Hall E
`
    expect(tablesOf('headed', list, page)[0]!.map(([time]) => time)).toEqual(['18:30', '9.30', null, null, '18:33'])
  })
})
