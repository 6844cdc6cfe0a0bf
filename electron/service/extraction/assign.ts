import type { Candidate } from './candidates.ts'
import { amountRoles } from './concept.ts'
import type { Field } from './field.ts'

const tolerance = 0.021

/**
 * Gives each field its candidate so that no place in the document answers two different questions, and so that
 * net, tax and gross add up where the document allows it. Fields from `asked` on only help to find such amounts. A
 * field without a good enough candidate gets undefined.
 */
export function assign(
  fields: readonly Field[],
  candidates: readonly Candidate[][],
  asked = fields.length,
): (Candidate | undefined)[] {
  const lists = candidates.map((list) => [...list].sort((left, right) => right.score - left.score).slice(0, 12))
  preferConsistentAmounts(fields, lists)
  const chosen: (Candidate | undefined)[] = fields.map(() => undefined)
  const open = new Set([...fields.keys()].slice(0, asked))
  const taken: { field: number; candidate: Candidate }[] = []
  while (open.size > 0) {
    let best: { field: number; candidate: Candidate } | undefined
    for (const index of open) {
      const candidate = lists[index]!.find(
        (one) =>
          one.score >= threshold(fields[index]!, one) &&
          !taken.some((other) => conflict(fields, other, { field: index, candidate: one })),
      )
      if (candidate && (!best || candidate.score > best.candidate.score)) best = { field: index, candidate }
    }
    if (!best) break
    chosen[best.field] = best.candidate
    taken.push(best)
    open.delete(best.field)
  }
  return chosen
}

function threshold(field: Field, candidate: Candidate): number {
  if (candidate.label === 0) return 0.45
  switch (field.kind) {
    case 'text':
    case 'party':
    case 'address':
    case 'code':
    case 'city':
      return field.concept === undefined ? 0.62 : 0.52
    case 'number':
      return 0.56
    default:
      return 0.46
  }
}

function conflict(
  fields: readonly Field[],
  one: { field: number; candidate: Candidate },
  other: { field: number; candidate: Candidate },
): boolean {
  if (!one.candidate.words.some((word) => other.candidate.words.some((same) => same.box === word.box))) return false
  const left = fields[one.field]!
  const right = fields[other.field]!
  if (left.concept !== undefined && left.concept === right.concept && left.side === right.side) return false
  // Parts of one printed text: a name and its first name, an address and its town, a number and its unit.
  if (String(one.candidate.value) !== String(other.candidate.value))
    return left.kind === right.kind && left.kind !== 'text' && left.kind !== 'address'
  const group = (field: Field): string => sharing[field.concept ?? ''] ?? `${field.concept ?? field.element.name}`
  if (group(left) === group(right)) return false
  return !(other.candidate.label >= 0.95 && one.candidate.label >= 0.95)
}

/** Questions that one printed value often answers together. */
const sharing: Readonly<Record<string, string>> = {
  gross: 'payable',
  amountDue: 'payable',
  netSalary: 'payout',
  payout: 'payout',
  partyName: 'name',
  accountHolder: 'name',
  paymentReference: 'reference',
  documentNumber: 'reference',
}

function preferConsistentAmounts(fields: readonly Field[], lists: Candidate[][]): void {
  const indexes = amountRoles.map((role) =>
    fields.findIndex((field) => field.role === role && field.element.format === 'number'),
  )
  const [net, tax, gross] = indexes.map((index) => (index < 0 ? [] : distinct(lists[index]!)))
  if (!net || !tax || !gross) return
  let best: { sum: number; triple: [Candidate, Candidate, Candidate] } | undefined
  for (const total of gross) {
    for (const duty of tax) {
      if (duty === total || samePlace(duty, total)) continue
      for (const base of net) {
        if (samePlace(base, total) && numberOf(duty) !== 0) continue
        if (Math.abs(numberOf(base) + numberOf(duty) - numberOf(total)) > tolerance) continue
        const sum = total.score + duty.score + base.score
        if (!best || sum > best.sum + 1e-9) best = { sum, triple: [base, duty, total] }
      }
    }
  }
  if (!best) return
  best.triple.forEach((candidate, role) => {
    const index = indexes[role]!
    if (candidate.score < 0.25) return
    lists[index] = [
      { ...candidate, score: Math.max(0.8, candidate.score + 0.3) },
      ...lists[index]!.filter((one) => one !== candidate),
    ]
  })
}

function distinct(list: readonly Candidate[]): Candidate[] {
  return list
    .filter(
      (one, index) =>
        typeof one.value === 'number' && list.findIndex((other) => other.words[0]!.box === one.words[0]!.box) === index,
    )
    .slice(0, 8)
}

function samePlace(left: Candidate, right: Candidate): boolean {
  return left.words[0]!.box === right.words[0]!.box
}

function numberOf(candidate: Candidate): number {
  return candidate.value as number
}
