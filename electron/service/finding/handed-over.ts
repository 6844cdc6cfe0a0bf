import { amountRoleOf } from '../extraction/field.ts'
import type { Field } from '../extraction/field.ts'
import { joined } from '../extraction/layout.ts'
import { meanings } from '../extraction/words.ts'
import { centsOf } from './facts.ts'
import { termOf } from './labels.ts'
import type { Proposal } from './propose.ts'

/** A till asks for money once; a paper with more of such amounts is another one. */
const mostHandedOver = 8
/** Words; what names money that was handed over has no more. */
const longestLabel = 6

/**
 * The amounts that a customer gave and got back, where the two differ by an amount that stands there as well («Total
 * 8.95», «Cash 50.00», «Change 41.05»): they add up as net amount, tax and total do, and are none of these.
 */
export function handedOver(numbers: readonly Proposal[]): ReadonlySet<Proposal> {
  const given = new Set(numbers.filter(isNamedSo))
  if (given.size > mostHandedOver) return new Set()
  const others = new Set(numbers.filter((one) => !given.has(one)).map(centsOf))
  // «Rounding 0.00» is the difference of all that are alike.
  others.delete(0)
  const differsByOther = (one: Proposal): boolean =>
    [...given].some((other) => others.has(Math.abs((centsOf(one) ?? NaN) - (centsOf(other) ?? NaN))))
  return new Set([...given].filter(differsByOther))
}

/** Whether a number is called cash or change, by what stands before it in its cell or in the one before. */
function isNamedSo({ line, cell, from }: Proposal): boolean {
  const before = from > 0 ? cell.words.slice(0, from) : (line.cells[line.cells.indexOf(cell) - 1]?.words ?? [])
  if (before.length === 0 || before.length > longestLabel) return false
  const term = termOf(meanings(joined(before)))
  return term === 'tendered' || term === 'change'
}

/** Whether a field asks for a net amount, a tax or a total, and not for one that was handed over. */
export function asksForSum(field: Field): boolean {
  const { name, description } = field.element
  const asked = meanings(`${name} ${description}`)
  return amountRoleOf(field) !== undefined && !asked.some((word) => ['cash', 'change', 'paid'].includes(word))
}
