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
 * 8.95», «Cash 50.00», «Change 41.05»): they add up as net amount, tax and total do, and are none of these. What a sum
 * was rounded to was paid as well.
 */
export function handedOver(numbers: readonly Proposal[]): HandedOver {
  const labels = new Map(numbers.map((one) => [one, labelBefore(one)]))
  const terms = termsOf(numbers, labels)
  const isNamed = (one: Proposal): boolean => ['tendered', 'change'].includes(terms.get(one) ?? '')
  const named = numbers.filter(isNamed)
  const [given, paidCents] = [new Set<Proposal>(), roundedIn(labels)]
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

/**
 * What the labels of numbers are known to mean. Of money that was given and stands there once («Cash 50.00»), the number
 * behind it is the change, however it is called («Ch. 21.50»), where a third one is what is left.
 */
function termsOf(
  numbers: readonly Proposal[],
  labels: ReadonlyMap<Proposal, readonly string[]>,
): Map<Proposal, string | undefined> {
  const terms = new Map([...labels].map(([one, words]) => [one, words.length === 0 ? undefined : termOf(words)]))
  const cents = numbers.map((one) => centsOf(one) ?? NaN)
  numbers.forEach((one, at) => {
    const next = numbers[at + 1]
    const isOnce = cents.indexOf(cents[at]!) === cents.lastIndexOf(cents[at]!)
    if (!next || terms.get(one) !== 'tendered' || terms.get(next) !== undefined || !isOnce) return
    if (labels.get(next)!.length > 0 && cents.includes(cents[at]! - cents[at + 1]!)) terms.set(next, 'change')
  })
  return terms
}

/** Where the smallest coin is five cents, a sum is rounded by at most so many. */
export const mostRounded = 4

/** What a sum was rounded to, in cents: «Total 37.44», «Rounding .01», «To pay 37.45». Of several it is the largest. */
function roundedIn(labels: ReadonlyMap<Proposal, readonly string[]>): Set<number> {
  const all = [...labels].flatMap(([one, words]) => ({ cents: centsOf(one) ?? 0, words }))
  const by = all.filter(({ cents, words }) => words.includes('rounding') && cents > 0 && cents <= mostRounded)
  const sums = new Set(all.map(({ cents }) => cents))
  const rounded = [...sums].filter(
    (sum) => sum % 5 === 0 && by.some(({ cents }) => sums.has(sum - cents) || sums.has(sum + cents)),
  )
  return new Set(rounded.length === 0 ? [] : [Math.max(...rounded)])
}

/** What a number is called, by the words before it in its cell or in the one before; none where it has no label. */
function labelBefore({ line, cell, from }: Proposal): string[] {
  const own = withoutCurrency(cell.words.slice(0, from))
  const before = own.length > 0 ? own : withoutCurrency(line.cells[line.cells.indexOf(cell) - 1]?.words ?? [])
  return before.length > longestLabel ? [] : meanings(joined(before))
}

/** «CASH   RM 50.00»: the currency beside an amount is not what it is called. */
function withoutCurrency(words: readonly Word[]): Word[] {
  return words.filter(({ text }) => surfaceWords(text).some((word) => !currencyWords.has(word)))
}

/** Whether a field asks for a net amount, a tax or a total, and not for one that was handed over. */
export function asksForSum(field: Field): boolean {
  const { name, description } = field.element
  const asked = meanings(`${name} ${description}`)
  return (
    amountRoleOf(field) !== undefined && !asked.some((word) => ['cash', 'change', 'paid', 'rounding'].includes(word))
  )
}
