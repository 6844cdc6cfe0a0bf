import type { Value } from '../../../shared/domain/result.ts'
import type { Field } from '../extraction/field.ts'
import { textOf } from '../extraction/layout.ts'
import { withSign } from '../extraction/sign.ts'
import type { Proposal } from './propose.ts'

/** The value as the field's description wants it written: as printed, unsigned, by the clock of 24 hours; or null. */
export function written(field: Field, proposal: Proposal): Exclude<Value, null> | null {
  const { value } = proposal
  const { description } = field.element
  if (typeof value === 'number') return withSign(value, description, textAround(proposal))
  if (typeof value !== 'string') return value
  if (field.isLastFour) return /(\d{4})\D*$/u.exec(value)?.[1] ?? null
  if (field.kind === 'time') return timeOf(value, description)
  if (field.asPrinted && (field.kind === 'date' || field.kind === 'currency')) return textOf(proposal.words)
  return proposal.words.some(({ confidence }) => confidence !== undefined) ? withTightBrackets(value) : value
}

/** «Bakeries (KL ) Ltd»: a picture is often read with a space inside a bracket. */
function withTightBrackets(text: string): string {
  return text.replace(/([([])\s+/gu, '$1').replace(/\s+(?=[)\]])/gu, '')
}

/** A time as it is printed, or by the clock of 24 hours where that is asked for: with seconds where «ss» is. */
function timeOf(text: string, description: string): string {
  if (!/hh:mm|24/iu.test(description)) return text
  const match = /^(\d{1,2})[:.h](\d{2})(:\d{2})?\s*([ap])?\.?m?/iu.exec(text)
  if (!match) return text
  const hour = Number(match[1]) % (match[4] ? 12 : 24)
  const seconds = /:ss/iu.test(description) ? (match[3] ?? '') : ''
  return `${String(match[4]?.toLowerCase() === 'p' ? hour + 12 : hour).padStart(2, '0')}:${match[2]}${seconds}`
}

/** A value with the word behind it, where the mark of a sign stands. */
function textAround({ cell, from, to }: Proposal): string {
  return textOf(cell.words.slice(from, to + 1))
}
