import { layOut } from '../../electron/service/extraction/layout.ts'
import { choicesOf, logit, settingRow, settingWidth } from '../../electron/service/finding/decide.ts'
import { features } from '../../electron/service/finding/features.ts'
import { isPhoto } from '../../electron/service/finding/find.ts'
import type { Field } from '../../electron/service/extraction/field.ts'
import { describeProposals } from '../../electron/service/finding/describe.ts'
import type { Described } from '../../electron/service/finding/describe.ts'
import type { Model, Sure } from '../../electron/service/finding/model.ts'
import { sharesOf } from '../../electron/service/finding/trees.ts'
import type { Trees } from '../../electron/service/finding/trees.ts'
import { written } from '../../electron/service/finding/write.ts'
import { sameValue } from '../bench/compare.ts'
import type { Examples } from './boost.ts'
import { arrivingSets, paperSets } from './cases.ts'
import type { TrainingCase } from './cases.ts'
import { meanOfTwo } from './mean-of-two.ts'

/**
 * Size of the trees. Of 1,221 values of senders left out 844 came first with 200 trees of 31 leaves, 870 with 500 and
 * 887 with 800 of 20 leaves and twice the generated documents (by another trainer, LightGBM); the data file is to stay
 * under a megabyte.
 */
const firstOptions = { trees: 800, leaves: 20, rate: 0.1, leastWeight: 2, lambda: 4, share: 0.3 }
const secondOptions = { trees: 300, leaves: 12, rate: 0.07, leastWeight: 8, lambda: 6, share: 0.3 }

/**
 * The real documents of a sender count together as much as so many generated ones. With 16, when the papers had doubled
 * the senders, drawn papers were right in 80.5 instead of 82.3 of 100 fields, photos in 473 instead of 476 of 730.
 */
const realWeight = 9
/**
 * The same of a paper that others made, of one of our own or a typed one beside those of the sets, and of a field that a
 * document does not have beside one of its own. The first look learns from papers of all kinds where values stand. The
 * second says how sure that is, and learns it more from plain papers, which offices get most, and from what is not
 * there: as the first counts them it was sure of 4,286 of 21,007 values of senders left out (98.2 % right) and gave 263
 * of 2,959 that a document does not have. With our own papers four times it is sure of 5,429 (98.2 %) and gives 168, with
 * six times of 5,504 (98.1 %) and 164, with eight times of 5,594 (98.1 %) and 165, and fewer of papers are right.
 */
const firstWeights = { paper: 4, own: 2, absent: 0.15 }
const secondWeights = { paper: 2, own: 6, absent: 0.6 }
/**
 * Of what is wrong for a field those are kept that stand nearest to its label, some that are labels themselves, and of
 * the rest every n-th, each of which stands for n.
 */
const keptWrong = 13
const keptLabels = 6
const keptRest = 20
/**
 * The share of unflagged values that has to be right among those that choose the threshold. It flatters them a little:
 * chosen by 0.985, 98.1 of 100 were right of senders that had no part in the choice. What an invoice inside the file says
 * otherwise than its page is not counted.
 */
const wantedRight = 0.98

/** A wrong value costs a look, a right one saves the look and the typing: it is worth giving from here on. */
export const worthGiving = 1 / 3

/** Of the empty fields that a person is asked to look at, so many have their value among those that are offered. */
const wantedOffers = 0.5

const width = features.length
const nearest = features.findIndex(([name]) => name === 'best label')
const ownLabels = ['own: all words', 'own: known term'].map((own) => features.findIndex(([name]) => name === own))

/**
 * One document described for training: `right` says of each proposal of each field whether it is the value, `usable` of
 * each field whether it teaches anything.
 */
export type Prepared = { one: TrainingCase; described: Described; right: boolean[][]; usable: boolean[] }

export function prepare(one: TrainingCase): Prepared {
  const described = describeProposals(one.document, layOut(one.document), one.schema)
  const asked = described.fields.slice(0, described.asked)
  const right = asked.map((field, index) => {
    const want = one.expected[field.element.name] ?? null
    return described.proposals[index]!.map((proposal) => says(one, field, want, written(field, proposal)))
  })
  // What came from an attachment and stands nowhere on the page teaches nothing; what could not be read teaches doubt.
  const usable = asked.map(
    (field, index) =>
      field.element.name in one.expected &&
      (!one.isAnsweredInside || (one.expected[field.element.name] ?? null) === null || right[index]!.some(Boolean)),
  )
  return { one, described, right, usable }
}

/** Whether a value is the one that is wanted; a time with its seconds is no other time than the one without. */
function says({ spaces }: TrainingCase, { element, kind }: Field, want: unknown, value: unknown): boolean {
  if (want === null) return false
  if (sameValue(element, want, value, spaces === 'missing')) return true
  const minute = (time: unknown): string | undefined => /^\d{1,2}:\d{2}(?=:\d{2}$|$)/.exec(String(time))?.[0]
  return kind === 'time' && minute(want) !== undefined && minute(want) === minute(value)
}

/** How like a field the label is that is likest to it of all labels of its proposals; 0 where there are none. */
export function bestLabelOf({ described }: Prepared, field: number): number {
  const values = described.rows[field]!
  let best = 0
  for (let at = nearest; at < values.length; at += width) best = Math.max(best, values[at]! || 0)
  return best
}

/** What is left out with no fold. */
const noFold = 255

/** Rows of examples that grow. Those that are pushed behind an `ask` are the possible answers to one question. */
export class Rows {
  readonly width: number
  #values = new Float32Array(1 << 20)
  readonly #labels: number[] = []
  readonly #weights: number[] = []
  readonly #questions: number[] = []
  readonly #copies: number[] = []
  readonly #folds: number[] = []
  #asked = 0
  #fold = noFold

  constructor(rowWidth: number) {
    this.width = rowWidth
  }

  ask(): void {
    this.#asked++
  }

  /** What is pushed from here on is of this fold. */
  of(fold: number): void {
    this.#fold = fold
  }

  push(row: ArrayLike<number>, label: boolean | number, weight: number, copies = 1): void {
    const at = this.#labels.length * this.width
    if (at + this.width > this.#values.length) {
      const larger = new Float32Array(this.#values.length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values.set(row, at)
    this.#labels.push(Number(label))
    this.#weights.push(weight)
    this.#questions.push(this.#asked)
    this.#copies.push(copies)
    this.#folds.push(this.#fold)
  }

  addAll({ values, labels, weights, questions, folds }: Examples): void {
    for (let index = 0; index < labels.length; index++) {
      this.of(folds?.[index] ?? noFold)
      if (questions && questions.numbers[index] !== questions.numbers[index - 1]) this.ask()
      const row = values.subarray(index * this.width, (index + 1) * this.width)
      this.push(row, labels[index]!, weights[index]!, questions?.copies[index])
    }
  }

  examples(): Examples {
    return {
      width: this.width,
      values: this.#values.subarray(0, this.#labels.length * this.width),
      labels: Uint8Array.from(this.#labels),
      weights: Float32Array.from(this.#weights),
      ...(this.#asked > 0 && {
        questions: { numbers: Uint32Array.from(this.#questions), copies: Float32Array.from(this.#copies) },
      }),
      ...(this.#folds.some((fold) => fold !== noFold) && { folds: Uint8Array.from(this.#folds) }),
    }
  }
}

/** Adds the proposals of a document, field by field: all right ones, and of the wrong ones a part. */
export function addExamples(rows: Rows, { described, right, usable }: Prepared, weight: number): void {
  for (let field = 0; field < described.asked; field++) {
    if (!usable[field]) continue
    const values = described.rows[field]!
    const row = (index: number): Float32Array => values.subarray(index * width, (index + 1) * width)
    const all = [...described.proposals[field]!.keys()]
    rows.ask()
    for (const index of all) if (right[field]![index]) rows.push(row(index), 1, weight)
    const by = (columns: readonly number[]) => (left: number, other: number) => {
      const most = (index: number): number => Math.max(...columns.map((column) => values[index * width + column]! || 0))
      return most(other) - most(left) || left - other
    }
    const wrong = all.filter((index) => !right[field]![index]).sort(by([nearest]))
    const kept = new Set([...wrong.slice(0, keptWrong), ...wrong.toSorted(by(ownLabels)).slice(0, keptLabels)])
    for (const index of kept) rows.push(row(index), 0, weight)
    const rest = wrong.filter((index) => !kept.has(index))
    const step = Math.max(1, Math.floor(rest.length / keptRest))
    const some = rest.filter((_, place) => place % step === field % step)
    for (const index of some) rows.push(row(index), 0, weight, rest.length / some.length)
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
  isPicture: boolean
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
        right: choices[index]!.map(({ proposal }) => says(one, field, want, written(field, proposal))),
        isWanted: want !== null,
        isUsable: usable[index]!,
        isPicture: isPhoto(one.document),
      },
    ]
  })
}

function addLooks(rows: Rows, looks: readonly Look[], weight: number): void {
  for (const look of looks)
    if (look.isUsable) {
      rows.ask()
      look.rows.forEach((row, place) => rows.push(row, look.right[place]!, weight))
    }
}

/** How much each document counts: one sender as much as another, whether sixty documents are his or one. */
function weightsOf(real: readonly TrainingCase[], { paper, own }: typeof firstWeights): number[] {
  const counts = new Map<string, number>()
  for (const { group } of real) counts.set(group, (counts.get(group) ?? 0) + 1)
  return real.map(({ group, set }) => {
    const weight = paperSets.includes(set) ? paper : realWeight * (arrivingSets.includes(set) ? 1 : own)
    return weight / counts.get(group)!
  })
}

/** How much each document counts for the first look, and its fields that it does not have. */
export function firstWeightsOf(real: readonly TrainingCase[]): { own: number; absent: number }[] {
  return weightsOf(real, firstWeights).map((own) => ({ own, absent: own * firstWeights.absent }))
}

/** The trees of the first look from all folds but one. */
export function trainFirst(examples: Examples, leftOut: number | null): Promise<Trees> {
  return meanOfTwo(() => examples, { ...firstOptions, ...(leftOut !== null && { leftOut }) })
}

/** The looks at a document: at its own fields, and at fields that it does not have. */
export type Looks = { own: Look[]; absent: Look[] }

export function trainSecond(
  real: readonly { one: TrainingCase; looks: Looks }[],
  generated: readonly (readonly Look[])[],
): Promise<Trees> {
  const examples = (): Examples => {
    const rows = new Rows(settingWidth)
    const cases = real.map(({ one }) => one)
    for (const [place, weight] of weightsOf(cases, secondWeights).entries()) {
      const { own, absent } = real[place]!.looks
      addLooks(rows, own, weight)
      addLooks(rows, absent, weight * secondWeights.absent)
    }
    for (const one of generated) addLooks(rows, one, 1)
    return rows.examples()
  }
  return meanOfTwo(examples, secondOptions)
}

export type Outcome = {
  trust: number
  isRight: boolean
  isWanted: boolean
  isUsable: boolean
  kind: string
  isPicture: boolean
}

/** Whether a document had to be recognised in pictures. */
export const isOfPictures = ({ document }: TrainingCase): boolean =>
  document.pages.some(({ origin }) => origin === 'ocr')

/** From which trust on an outcome needs no look. */
export const sureOf = ({ isPicture }: Outcome, sure: Sure): number => (isPicture ? sure.picture : sure.text)

/** The best choice of each field as the second look sees it. */
export function outcomesOf(looks: readonly Look[], second: Trees): Outcome[] {
  return looks.map((look) => {
    const trusts = sharesOf(second, look.rows)
    const trust = Math.max(0, ...trusts)
    const isRight = look.right[trusts.indexOf(trust)] ?? false
    const { isWanted, isUsable, isPicture, kind } = look
    return { trust, isRight, isWanted, isUsable, isPicture, kind }
  })
}

/** How often a value of each trust is right: a logistic curve through outcomes (Platt), by Newton's method. */
function curveThrough(outcomes: readonly Outcome[]): (trust: number) => number {
  const points = outcomes.map(({ trust, isRight }) => ({ x: logit(trust), y: Number(isRight) }))
  let [slope, shift] = [1, 0]
  for (let step = 0; step < curveSteps; step++) {
    // Held a little to the trust itself, so that outcomes without a wrong one have a curve too.
    let [bySlope, byShift] = [held * (1 - slope), -held * shift]
    let [slopes, both, shifts] = [held, 0, held]
    for (const { x, y } of points) {
      const p = sigmoid(slope * x + shift)
      const steep = p * (1 - p)
      bySlope += (y - p) * x
      byShift += y - p
      slopes += steep * x * x
      both += steep * x
      shifts += steep
    }
    const size = slopes * shifts - both * both
    slope += (bySlope * shifts - byShift * both) / size
    shift += (byShift * slopes - bySlope * both) / size
  }
  return (trust) => sigmoid(slope * logit(trust) + shift)
}

/** Newton's method has long settled by then. */
const curveSteps = 20
/** As much as one outcome counts. */
const held = 1
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))

/**
 * The thresholds for outcomes that no training saw; what teaches nothing chooses nothing. What is given goes by the
 * curve through all outcomes, since the few near a threshold changed it with each training (0.22 to 0.43); what is sure
 * by the outcomes themselves, since the curve promises too little at its end (340 instead of 417 values).
 */
export function thresholdsOf(
  outcomes: readonly Outcome[],
  wanted = wantedRight,
): Pick<Model, 'given' | 'sure' | 'absent'> {
  const sorted = outcomes.filter(({ isUsable }) => isUsable).toSorted((left, right) => right.trust - left.trust)
  const chance = curveThrough(sorted)
  const given = sorted.findLast(({ trust }) => chance(trust) >= worthGiving)?.trust ?? 1
  let absent = given
  let [missed, seen] = [0, 0]
  for (const one of sorted.filter(({ trust }) => trust < given)) {
    seen++
    if (one.isRight) missed++
    if (missed / seen >= wantedOffers) absent = one.trust
  }
  const round = (value: number): number => Number(value.toFixed(3))
  const sure = (isPicture: boolean): number =>
    Math.max(
      round(given),
      sureFrom(
        sorted.filter((one) => one.isPicture === isPicture),
        wanted,
      ),
    )
  return { given: round(given), sure: { text: sure(false), picture: sure(true) }, absent: round(absent) }
}

/**
 * The least that may be sure. Of what files say in letters 98.6 of 100 values that train nothing were right from 0.95
 * on (277 of 281) and 97.8 from 0.94 on. Photos of receipts, which train nothing, are worse: from 0.98 on 232 of 236 are
 * right, and of 72 from 0.956 to 0.98 only 63; neither what the readers were sure of nor the clearer photos are better.
 * Of scans that are PDFs and train nothing 206 of 208 are right from 0.956 on, and 143 of 143 from 0.98 on (30 November
 * 2026).
 */
const leastSure: Sure = { text: 0.95, picture: 0.98 }

/**
 * Of what is trusted from 0.32 to 0.42 seventy of 171 values that train nothing are right (30 November 2026), and of what
 * is trusted from 0.32 to 0.36 of senders left out 36 of 100.
 */
const leastGiven = 0.34

/** The thresholds of the judge of header fields. */
export function fieldThresholds(outcomes: readonly Outcome[]): Pick<Model, 'given' | 'sure' | 'absent'> {
  const thresholds = thresholdsOf(outcomes)
  const { text, picture } = thresholds.sure
  return {
    given: Math.max(thresholds.given, leastGiven),
    sure: { text: Math.max(text, leastSure.text), picture: Math.max(picture, leastSure.picture) },
    absent: thresholds.absent,
  }
}

/** The least trust from which on so many of these outcomes, the surest first, are right. */
function sureFrom(sorted: readonly Outcome[], wanted: number): number {
  let [right, sure] = [0, 1]
  for (const [place, { trust, isRight }] of sorted.entries()) {
    if (isRight) right++
    // Those of one trust are sure together.
    if (sorted[place + 1]?.trust !== trust && right >= wanted * (place + 1)) sure = trust
  }
  // Rounded up: what lies just below must not count as sure.
  return Math.ceil(sure * 1000) / 1000
}
