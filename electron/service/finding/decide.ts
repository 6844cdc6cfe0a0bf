import type { Value } from '../../../shared/domain/result.ts'
import { amountRoleOf } from '../extraction/field.ts'
import { features } from './features.ts'
import type { Described } from './describe.ts'
import type { Mentioned } from './mentions.ts'
import type { Proposal } from './propose.ts'
import { agreementOf, confidenceOf } from './readers.ts'
import { sharesOf, sumsOf } from './trees.ts'
import type { Trees } from './trees.ts'

/**
 * One value that a field may have: its likeliest place, and how probable it is that the field has it, wherever it
 * stands.
 */
export type Choice = { value: Exclude<Value, null>; proposal: Proposal; score: number; places: number; row: number }

const mostChoices = 6
/**
 * So many trees sort out what is far from likely, and so many proposals of a field are then judged by all: of 384
 * values of senders that training never saw 281 come first with that, and 281 without.
 */
const sortingTrees = 100
const mostSorted = 40

/**
 * The values of each field that the judge finds likeliest, best first. All proposals of a field and «none of them»
 * share what is certain; the same value in several places is one.
 */
export function choicesOf(described: Described, trees: Trees): Choice[][] {
  const width = features.length
  return described.proposals.map((proposals, field) => {
    const rows = proposals.map((_, index) => described.rows[field]!.subarray(index * width, index * width + width))
    const isOffered = (index: number): boolean =>
      alwaysNamed.has(described.fields[field]!.concept ?? '') && !isNamed(proposals[index]!, rows[index]!)
    const all = likeliest(sumsOf(trees, rows, sortingTrees))
    const judged = all.filter((index) => !isOffered(index))
    const shares = sharesOf(
      trees,
      judged.map((index) => rows[index]!),
    )
    const ranked = judged
      .map((index, place) => ({ index, score: shares[place]! }))
      .sort((left, right) => right.score - left.score)
    const offered = all.filter(isOffered).map((index) => ({ index, score: 0 }))
    const byValue = new Map<string, Choice>()
    for (const { index, score } of [...ranked, ...offered]) {
      const proposal = proposals[index]!
      const known = byValue.get(keyOf(proposal.value))
      if (known) known.score += score
      else byValue.set(keyOf(proposal.value), { value: proposal.value, proposal, score, places: 0, row: index })
    }
    for (const { value } of proposals) {
      const choice = byValue.get(keyOf(value))
      if (choice) choice.places++
    }
    return [...byValue.values()].sort((left, right) => right.score - left.score).slice(0, mostChoices)
  })
}

/**
 * What a label names or a sign («*12.03.1985»), or else is only offered: the day of entry on a payslip was taken for a
 * day of birth.
 */
const alwaysNamed: ReadonlySet<string> = new Set(['birthDate'])

function isNamed({ cell, from, words }: Proposal, row: Float32Array): boolean {
  const sign = `${cell.words[from - 1]?.text ?? ''} ${words[0]!.text}`
  return row[bestLabel]! > 0 || /(?:^|[\s(])[*°]/u.test(sign)
}

const bestLabel = features.findIndex(([name]) => name === 'best label')

/** The places of the highest of these numbers, in their order. */
function likeliest(sums: Float64Array): number[] {
  const least = sums.toSorted((left, right) => right - left)[mostSorted - 1] ?? -Infinity
  return [...sums.keys()].filter((index) => sums[index]! >= least)
}

function keyOf(value: Exclude<Value, null>): string {
  return typeof value === 'string' ? value.toLowerCase().replace(/\s+/g, '') : String(value)
}

/** The log of the odds of a probability. */
export const logit = (p: number): number => Math.log(Math.max(1e-6, p) / Math.max(1e-6, 1 - p))

/** What the second look sees: a choice beside those of its own field and of all others. */
type Setting = {
  choices: readonly Choice[][]
  field: number
  place: number
  described: Described
}

/** Whether a number adds up with likely values of the fields that prove it: the weakest of the other two. */
function support(setting: Setting, without: boolean): number {
  const { choices, field, place } = setting
  const { fields } = setting.described
  const own = amountRoleOf(fields[field]!)
  if (!own) return NaN
  const value = choices[field]![place]!.value
  const of = (role: string): readonly Choice[] => {
    const at = fields.findIndex((one) => amountRoleOf(one) === role && one.element.format === 'number')
    return at < 0 ? [] : choices[at]!
  }
  let best = 0
  for (const net of of('net'))
    for (const tax of of('tax'))
      for (const gross of of('gross')) {
        const parts = { net, tax, gross }
        if ((parts[own].value === value) === without) continue
        if (Math.abs(Number(net.value) + Number(tax.value) - Number(gross.value)) > 0.011) continue
        const others = Object.entries(parts).filter(([role]) => role !== own)
        const least = Math.min(...others.map(([, one]) => one.score))
        if (least > best) best = least
      }
  return best
}

function claimed({ choices, field, place }: Setting): number {
  const words = new Set<unknown>(choices[field]![place]!.proposal.words.map((word) => word.box))
  let best = 0
  choices.forEach((others, index) => {
    if (index === field) return
    const first = others[0]
    if (first && first.score > best && first.proposal.words.some((word) => words.has(word.box))) best = first.score
  })
  return best
}

/** How likely the first choices of the other fields are, in the mean: a page that is read well is read well as a whole. */
function othersFound({ choices, field, described }: Setting): number {
  const others = choices.slice(0, described.asked).filter((list, index) => index !== field && list.length > 0)
  return others.length === 0 ? NaN : others.reduce((sum, [first]) => sum + first!.score, 0) / others.length
}

/** Where a choice stands on the pages: its line, and how far right in it. */
const positionOf = ({ proposal: { line, words } }: Choice): number => line.index + words[0]!.box.x

/** Where another field's likeliest choice stands, as far as the schema asks for that field. */
function positionOfField({ choices, described }: Setting, field: number): number {
  const first = field < 0 || field >= described.asked ? undefined : choices[field]![0]
  return first ? positionOf(first) : NaN
}

/** Of the other fields, by how likely they are, the share that stands before or behind this one as the schema asks. */
function inOrder(setting: Setting): number {
  const { choices, field, place, described } = setting
  const own = positionOf(choices[field]![place]!)
  let [all, ordered] = [0, 0]
  choices.slice(0, described.asked).forEach(([first], other) => {
    const position = first && other !== field ? positionOf(first) : own
    if (position === own) return
    all += first!.score
    if (position < own === other < field) ordered += first!.score
  })
  return all === 0 ? NaN : ordered / all
}

/** How many lines it stands below the likeliest choice of the field before it in the schema, or of the one behind it. */
const linesFrom =
  (step: 1 | -1) =>
  (setting: Setting): number => {
    const { choices, field, place } = setting
    return positionOf(choices[field]![place]!) - positionOfField(setting, field + step)
  }

/** What the whole document says of a text: of all parties only the sender's register and account are printed. */
const ofMention =
  (feature: (mentioned: Mentioned) => number) =>
  ({ choices, field, place, described }: Setting): number => {
    const { value } = choices[field]![place]!
    const isParty = described.fields[field]!.kind === 'party'
    const mentioned = isParty && typeof value === 'string' ? described.facts.mentions.of(value) : undefined
    return mentioned ? feature(mentioned) : NaN
  }

/** Named like the judge's features; the trained trees of the second look refer to this order (docs/judge.md). */
export const choiceFeatures: readonly [name: string, of: (setting: Setting) => number][] = [
  ['score', ({ choices, field, place }) => logit(choices[field]![place]!.score)],
  ['rank', ({ place }) => place],
  [
    'margin',
    ({ choices, field, place }) => {
      const other = choices[field]![place === 0 ? 1 : 0]
      return other ? logit(choices[field]![place]!.score) - logit(other.score) : NaN
    },
  ],
  ['none of them', ({ choices, field }) => logit(1 - choices[field]!.reduce((sum, { score }) => sum + score, 0))],
  ['other fields that are found', othersFound],
  ['places', ({ choices, field, place }) => choices[field]![place]!.places],
  ['claimed by another field', claimed],
  ['claimed more', (setting) => claimed(setting) - setting.choices[setting.field]![setting.place]!.score],
  ['supported by sums', (setting) => support(setting, false)],
  ['sums without it', (setting) => support(setting, true)],
  ['fields in order', inOrder],
  ['lines from the field before', linesFrom(-1)],
  ['lines from the field behind', linesFrom(1)],
  ['named beside a register', ofMention(({ isRegistered }) => Number(isRegistered))],
  ['named beside an account', ofMention(({ isPaid }) => Number(isPaid))],
  ['confidence of reading', ({ choices, field, place }) => confidenceOf(choices[field]![place]!.proposal.words)],
  ['readers agree', ({ choices, field, place }) => agreementOf(choices[field]![place]!.proposal.words)],
]

export const settingWidth = choiceFeatures.length + features.length

/** The row of a choice for the trees of the second look: how it stands among the others, and all that the first saw. */
export function settingRow(setting: Setting): Float32Array {
  const { described, choices, field, place } = setting
  const { row: at } = choices[field]![place]!
  const row = new Float32Array(settingWidth)
  choiceFeatures.forEach(([, of], index) => (row[index] = of(setting)))
  row.set(described.rows[field]!.subarray(at * features.length, (at + 1) * features.length), choiceFeatures.length)
  return row
}

/** A choice with how probable it is that it is right. */
export type Decision = Choice & { trust: number }

/** For each field its choices with their trust, best first. */
export function decide(described: Described, first: Trees, second: Trees): Decision[][] {
  const choices = choicesOf(described, first)
  return choices.map((list, field) => {
    const trusts = sharesOf(
      second,
      list.map((_, place) => settingRow({ choices, field, place, described })),
    )
    return list
      .map((choice, place) => ({ ...choice, trust: trusts[place]! }))
      .sort((left, right) => right.trust - left.trust)
  })
}
