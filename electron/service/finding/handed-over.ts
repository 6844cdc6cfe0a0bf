import { amountRoleOf } from '../extraction/field.ts'
import type { Field } from '../extraction/field.ts'
import { joined } from '../extraction/layout.ts'
import type { Word } from '../extraction/layout.ts'
import { currencyWords } from '../extraction/lexicon.ts'
import { meanings, surfaceWords } from '../extraction/words.ts'
import { centsOf } from './facts.ts'
import { termOf } from './labels.ts'
import type { Proposal } from './propose.ts'

/** A till asks for money once; a paper with more of such amounts is another one. */
const mostHandedOver = 8
/** Words; what names money that was handed over has no more. */
const longestLabel = 6

/** What a customer gave and got back, and what is left of the one without the other, in cents: that was paid. */
export type HandedOver = { given: ReadonlySet<Proposal>; paidCents: ReadonlySet<number> }

/**
 * The amounts that a customer gave and got back, where the two differ by an amount that stands there as well («Total
 * 8.95», «Cash 50.00», «Change 41.05»): they add up as net amount, tax and total do, and are none of these.
 */
export function handedOver(numbers: readonly Proposal[]): HandedOver {
  const terms = new Map(numbers.map((one) => [one, termBefore(one)]))
  const isNamed = (one: Proposal): boolean => ['tendered', 'change'].includes(terms.get(one) ?? '')
  const named = numbers.filter(isNamed)
  const [given, paidCents] = [new Set<Proposal>(), new Set<number>()]
  if (named.length > mostHandedOver) return { given, paidCents }
  const others = new Set(numbers.filter((one) => !isNamed(one)).map(centsOf))
  // «Rounding 0.00» is the difference of all that are alike.
  others.delete(0)
  for (const one of named)
    for (const other of named) {
      const rest = (centsOf(one) ?? NaN) - (centsOf(other) ?? NaN)
      if (!others.has(Math.abs(rest))) continue
      given.add(one)
      if (rest > 0 && terms.get(one) === 'tendered' && terms.get(other) === 'change') paidCents.add(rest)
    }
  return { given, paidCents }
}

/** What a number is called, by what stands before it in its cell or in the one before. */
function termBefore({ line, cell, from }: Proposal): string | undefined {
  const own = withoutCurrency(cell.words.slice(0, from))
  const before = own.length > 0 ? own : withoutCurrency(line.cells[line.cells.indexOf(cell) - 1]?.words ?? [])
  return before.length === 0 || before.length > longestLabel ? undefined : termOf(meanings(joined(before)))
}

/** «CASH   RM 50.00»: the currency beside an amount is not what it is called. */
function withoutCurrency(words: readonly Word[]): Word[] {
  return words.filter(({ text }) => surfaceWords(text).some((word) => !currencyWords.has(word)))
}

/** Whether a field asks for a net amount, a tax or a total, and not for one that was handed over. */
export function asksForSum(field: Field): boolean {
  const { name, description } = field.element
  const asked = meanings(`${name} ${description}`)
  return amountRoleOf(field) !== undefined && !asked.some((word) => ['cash', 'change', 'paid'].includes(word))
}
