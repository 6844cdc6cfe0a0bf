import { expect, it } from 'vitest'
import { listOf } from './schema-of.ts'
import { tablesOf } from './tables-of.ts'

it('rows without heads tell a number from the name behind it, and what stands before each number from both', () => {
  const page = `
Bill of quantities
Summary

Bill No. 8 Preliminaries                                 £352.00
Bill No. 9 Excavating & filling                        £5,158.95
Bill No. 10 Composite precast concrete                 £2,487.79
Bill No. 11 Masonry                                   £31,566.68
Bill No. 12 Windows, screens and lights                £3,315.56
`
  const list = listOf('bills', 'bill_number: number', 'bill_name', 'amount: number')
  expect(tablesOf('unheaded', list, page)).toEqual([
    [
      [8, 'Preliminaries', 352],
      [9, 'Excavating & filling', 5158.95],
      [10, 'Composite precast concrete', 2487.79],
      [11, 'Masonry', 31566.68],
      [12, 'Windows, screens and lights', 3315.56],
    ],
  ])
})
