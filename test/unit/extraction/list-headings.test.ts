import { describe, expect, it } from 'vitest'
import { layOut, textOf } from '../../../electron/service/extraction/layout.ts'
import { readEvidence } from '../../../electron/service/extraction/evidence.ts'
import { understandItems } from '../../../electron/service/extraction/list-fields.ts'
import { proposeTables } from '../../../electron/service/finding/tables.ts'
import type { Document } from '../../../shared/domain/document.ts'
import { listOf } from './schema-of.ts'
import { typedInBold } from './typed-page.ts'

const work = listOf('work', 'section', 'description', 'qty: number', 'price: number', 'amount: number')
const bookings = listOf('transactions', 'date', 'details', 'paid out: number', 'balance: number')

/** What stands above each row of the first table, and the row's first text. */
function headingsIn(document: Document, list = work): (string | undefined)[][] {
  const layout = layOut(document)
  const [table] = proposeTables(understandItems(list), layout, readEvidence(layout.text))
  return table!.rows.map(({ heading, cells }) => [heading && textOf(heading), textOf(cells.get(0)!)])
}

describe('what stands above a group of rows', () => {
  it('is said of each of them, down to the next one', () => {
    const page = `
Estimate

Description                      Qty      Price      Amount
*A. Demolition & Protection
Floor and dust protection          1     380.00      380.00
Remove tub, tile, vanity           1   1,650.00    1,650.00
                            Subtotal A             2,030.00
*B. Plumbing
Set toilet and vanity faucet       5     118.00      590.00
*C. Painting
Two coats                          1     720.00      720.00
Total                                              3,340.00
`
    expect(headingsIn(typedInBold(page))).toEqual([
      ['A. Demolition & Protection', 'Floor and dust protection'],
      ['A. Demolition & Protection', 'Remove tub, tile, vanity'],
      ['B. Plumbing', 'Set toilet and vanity faucet'],
      ['C. Painting', 'Two coats'],
    ])
  })

  it('is no row where what its rows come to stands beside it', () => {
    const page = `
Description                      Qty      Price      Amount
Compute                                              145.60
Virtual machines                   2      52.80      105.60
Block storage                    400       0.10       40.00
Support                                              100.00
Business plan                      1     100.00      100.00
`
    expect(headingsIn(typedInBold(page))).toEqual([
      ['Compute', 'Virtual machines'],
      ['Compute', 'Block storage'],
      ['Support', 'Business plan'],
    ])
  })

  it('is a row where only the next one costs as much', () => {
    const page = `
Description                      Qty      Price      Amount
Flat rate for the way                                 50.00
Shelf                              1      50.00       50.00
`
    expect(headingsIn(typedInBold(page)).map(([, text]) => text)).toEqual(['Flat rate for the way', 'Shelf'])
  })

  it('is a day that stands alone, where one stands above the first row', () => {
    const page = `
Details                                  Paid out      Balance
12 May 2026
Card payment Marlows                        63.84       412.76
Direct debit Severnside Water               41.27       371.49
14 May 2026
Standing order rent                        148.00       223.49
`
    expect(headingsIn(typedInBold(page), bookings).map(([heading]) => heading)).toEqual([
      '12 May 2026',
      '12 May 2026',
      '14 May 2026',
    ])
    const below = page.replace('12 May 2026\n', '').replace('14 May 2026\n', '12 May 2026\n') + '14 May 2026\n'
    expect(headingsIn(typedInBold(below), bookings).map(([heading]) => heading)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('is nothing that is otherwise set, nor a discount between rows, nor the head of the table', () => {
    const page = `
Pos.  Description                Qty      Price      Amount
Nr.
*Plumbing
1     Set toilet                   5     118.00      590.00
Discount                                             -50.00
2     Set faucet                   5     118.00      590.00
`
    const list = listOf('work', 'section', 'pos', 'description', 'qty: number', 'price: number', 'amount: number')
    expect(headingsIn(typedInBold(page), list)).toEqual([
      ['Plumbing', '1'],
      ['Plumbing', '2'],
    ])
    expect(headingsIn(typedInBold(page.replace('*Plumbing\n', '')), list)).toEqual([
      [undefined, '1'],
      [undefined, '2'],
    ])
  })

  it('goes on overleaf, whatever stands above the table there', () => {
    const first = `
Description                      Qty      Price      Amount
*Plumbing
Set toilet                         5     118.00      590.00
`
    const second = `
Muster Ltd   Estimate 4711

Description                      Qty      Price      Amount
Set faucet                         5     118.00      590.00
`
    expect(headingsIn(typedInBold(first, second))).toEqual([
      ['Plumbing', 'Set toilet'],
      ['Plumbing', 'Set faucet'],
    ])
  })
})
