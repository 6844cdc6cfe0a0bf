import { layOut } from '../../electron/service/extraction/layout.ts'
import { choicesOf, settingRow, settingWidth } from '../../electron/service/finding/decide.ts'
import { features } from '../../electron/service/finding/features.ts'
import { describeProposals } from '../../electron/service/finding/describe.ts'
import type { Described } from '../../electron/service/finding/describe.ts'
import type { Model } from '../../electron/service/finding/model.ts'
import { probability } from '../../electron/service/finding/trees.ts'
import type { Trees } from '../../electron/service/finding/trees.ts'
import { written } from '../../electron/service/finding/write.ts'
import { sameValue } from '../bench/compare.ts'
import { boost } from './boost.ts'
import type { BoostOptions, Examples } from './boost.ts'
import type { TrainingCase } from './cases.ts'

/**
 * Size of the trees. Larger ones gained less than half a point on senders that were left out, and the data file is to
 * stay under a megabyte.
 */
const firstOptions: BoostOptions = { trees: 200, leaves: 31, rate: 0.1, leastWeight: 4, lambda: 2 }
const secondOptions: BoostOptions = { trees: 80, leaves: 12, rate: 0.07, leastWeight: 4, lambda: 3 }

/** A real document counts as much as so many generated ones. */
const realWeight = 8
/** Of what is wrong for a field as many are kept as stand nearest to its label, and as many again by chance. */
const keptWrong = 9
/** The share of unflagged values that has to be right. */
const wantedRight = 0.98

/** Of the empty fields that a person is asked to look at, so many have their value among those that are offered. */
const wantedOffers = 0.5

const width = features.length
const nearest = features.findIndex(([name]) => name === 'best label')

/** One document described for training: `right` says of each proposal of each field whether it is the value. */
export type Prepared = { one: TrainingCase; described: Described; right: boolean[][]; usable: boolean[] }

export function prepare(one: TrainingCase): Prepared {
  const described = describeProposals(one.document, layOut(one.document), one.schema)
  const asked = described.fields.slice(0, described.asked)
  const right = asked.map((field, index) => {
    const want = one.expected[field.element.name] ?? null
    return described.proposals[index]!.map(
      (proposal) => want !== null && sameValue(field.element, want, written(field, proposal), one.spaces === 'missing'),
    )
  })
  // What is expected and stands nowhere on the page (it came from an attachment) teaches nothing.
  const usable = asked.map(
    (field, index) =>
      field.element.name in one.expected &&
      ((one.expected[field.element.name] ?? null) === null || right[index]!.some(Boolean)),
  )
  return { one, described, right, usable }
}

/** Rows of examples that grow. */
export class Rows {
  readonly width: number
  #values = new Float32Array(1 << 20)
  readonly #labels: number[] = []
  readonly #weights: number[] = []

  constructor(rowWidth: number) {
    this.width = rowWidth
  }

  push(row: ArrayLike<number>, label: boolean | number, weight: number): void {
    const at = this.#labels.length * this.width
    if (at + this.width > this.#values.length) {
      const larger = new Float32Array(this.#values.length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values.set(row, at)
    this.#labels.push(Number(label))
    this.#weights.push(weight)
  }

  addAll(other: Rows): void {
    const { values, labels, weights } = other.examples()
    for (let index = 0; index < labels.length; index++)
      this.push(values.subarray(index * this.width, (index + 1) * this.width), labels[index]!, weights[index]!)
  }

  examples(): Examples {
    return {
      width: this.width,
      values: this.#values.subarray(0, this.#labels.length * this.width),
      labels: Uint8Array.from(this.#labels),
      weights: Float32Array.from(this.#weights),
    }
  }
}

/** Adds the proposals of a document: all right ones, and of the wrong ones a part. */
export function addExamples(rows: Rows, { described, right, usable }: Prepared, weight: number): void {
  for (let field = 0; field < described.asked; field++) {
    if (!usable[field]) continue
    const values = described.rows[field]!
    const row = (index: number): Float32Array => values.subarray(index * width, (index + 1) * width)
    const all = [...described.proposals[field]!.keys()]
    for (const index of all) if (right[field]![index]) rows.push(row(index), 1, weight)
    const wrong = all
      .filter((index) => !right[field]![index])
      .sort((left, other) => values[other * width + nearest]! - values[left * width + nearest]! || left - other)
    for (const index of wrong.slice(0, keptWrong)) rows.push(row(index), 0, weight)
    const rest = wrong.slice(keptWrong)
    const step = Math.max(1, Math.floor(rest.length / keptWrong))
    for (let place = field % step; place < rest.length; place += step)
      rows.push(row(rest[place]!), 0, weight * Math.min(step, 4))
  }
}

/** What the second look is trained and measured by: each field's choices, their rows, and whether each is right. */
export type Look = {
  field: number
  kind: string
  rows: Float32Array[]
  right: boolean[]
  isWanted: boolean
  isUsable: boolean
}

export function looksOf({ one, described, usable }: Prepared, first: Trees): Look[] {
  const choices = choicesOf(described, first)
  return described.fields.slice(0, described.asked).flatMap((field, index) => {
    const want = one.expected[field.element.name] ?? null
    if (!(field.element.name in one.expected)) return []
    return [
      {
        field: index,
        kind: field.kind,
        rows: choices[index]!.map((_, place) => settingRow({ choices, field: index, place, described })),
        right: choices[index]!.map(
          (choice) =>
            want !== null && sameValue(field.element, want, written(field, choice.proposal), one.spaces === 'missing'),
        ),
        isWanted: want !== null,
        isUsable: usable[index]!,
      },
    ]
  })
}

function addLooks(rows: Rows, looks: readonly Look[], weight: number): void {
  for (const look of looks)
    if (look.isUsable) look.rows.forEach((row, place) => rows.push(row, look.right[place]!, weight))
}

/** The trees of the first look from real documents and from what generated ones gave. */
export function trainFirst(real: readonly Prepared[], generated: Rows): Trees {
  const rows = new Rows(width)
  for (const one of real) addExamples(rows, one, realWeight)
  rows.addAll(generated)
  return boost(rows.examples(), firstOptions)
}

export function trainSecond(looks: readonly (readonly Look[])[], generated: readonly (readonly Look[])[]): Trees {
  const rows = new Rows(settingWidth)
  for (const one of looks) addLooks(rows, one, realWeight)
  for (const one of generated) addLooks(rows, one, 1)
  return boost(rows.examples(), secondOptions)
}

export type Outcome = { trust: number; isRight: boolean; isWanted: boolean; isUsable: boolean; kind: string }

/** The best choice of each field as the second look sees it. */
export function outcomesOf(looks: readonly Look[], second: Trees): Outcome[] {
  return looks.map((look) => {
    let [trust, isRight] = [0, false]
    look.rows.forEach((row, place) => {
      const found = probability(second, row)
      if (found > trust) [trust, isRight] = [found, look.right[place]!]
    })
    return { trust, isRight, isWanted: look.isWanted, isUsable: look.isUsable, kind: look.kind }
  })
}

/** The thresholds that serve outcomes best which no training saw. */
export function thresholdsOf(
  outcomes: readonly Outcome[],
  wanted = wantedRight,
): Pick<Model, 'given' | 'sure' | 'absent'> {
  const sorted = outcomes.toSorted((left, right) => right.trust - left.trust)
  let [given, best] = [0.5, 0]
  let [right, wrong] = [0, 0]
  let sure = 1
  for (const [place, one] of sorted.entries()) {
    if (one.isRight) right++
    else wrong++
    // Those of one trust are given and flagged together.
    if (sorted[place + 1]?.trust === one.trust) continue
    // What is flagged is looked at either way: a wrong value costs a look, a right one saves the look and the typing.
    if (right - wrong / 2 > best) [given, best] = [one.trust, right - wrong / 2]
    if (right >= wanted * (right + wrong)) sure = one.trust
  }
  let absent = given
  let [missed, seen] = [0, 0]
  for (const one of sorted.filter(({ trust }) => trust < given)) {
    seen++
    if (one.isRight) missed++
    if (missed / seen >= wantedOffers) absent = one.trust
  }
  const round = (value: number): number => Number(value.toFixed(3))
  // Rounded up: what lies just below must not count as sure.
  return { given: round(given), sure: Math.ceil(Math.max(sure, given) * 1000) / 1000, absent: round(absent) }
}
