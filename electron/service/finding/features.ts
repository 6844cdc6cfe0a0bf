import { electronicFormatIBAN, validateIBAN, ValidationErrorsIBAN } from 'ibantools'
import { answers } from '../extraction/asked-answer.ts'
import type { ValueKind } from '../extraction/concept.ts'
import { concepts } from '../extraction/concepts.ts'
import type { Field, Side } from '../extraction/field.ts'
import { joined, positionOf } from '../extraction/layout.ts'
import { fold } from '../../../shared/domain/fold.ts'
import { meanings } from '../extraction/words.ts'
import { below, blockFeatures, farthestBelow, under } from './block-features.ts'
import { centsOf, columnKeys, columnOf, hasLegalForm, isNoName, isPlace } from './facts.ts'
import { mostOfOthers, sideOf } from './labels.ts'
import type { Label, Surroundings } from './labels.ts'
import { mentionFeatures } from './mention-features.ts'
import { shapes } from './propose.ts'
import type { Proposal } from './propose.ts'
import { flag, isOfPlace, ofPlaces, shareOf } from './situation.ts'
import type { Feature, Place, PlaceFeature, Situation } from './situation.ts'

type Measure = (one: Situation) => number

/** A feature is the place of a kind in this list. */
export const kinds: readonly ValueKind[] = [
  'money',
  'number',
  'percent',
  'date',
  'code',
  'iban',
  'bic',
  'vatid',
  'currency',
  'email',
  'phone',
  'url',
  'party',
  'address',
  'postcode',
  'city',
  'time',
  'text',
  'boolean',
  'state',
]
const roles = [
  'gross',
  'net',
  'tax',
  'due',
  'document-number',
  'document-date',
  'document-type',
  'currency',
  'tax-rate',
  'range-start',
  'range-end',
  'range',
] as const
const sides = ['seller', 'buyer', 'delivery'] as const

const whole =
  (pick: (around: Surroundings) => Label | undefined): Measure =>
  (one) =>
    pick(one.around)?.whole[one.index] ?? NaN
const ending =
  (pick: (around: Surroundings) => Label | undefined): Measure =>
  (one) =>
    pick(one.around)?.ending[one.index] ?? NaN

/** How much better another field of the schema, or another known term, is named by a label than this field. */
function rival(label: Label | undefined, { field, index }: Situation): number {
  if (!label) return NaN
  const isOther = label.term !== undefined && label.term !== field.concept && label.side === undefined
  const best = Math.max(isOther ? label.termScore : 0, mostOfOthers(label.mostWhole, index))
  return best - Math.max(label.ending[index]!, label.whole[index]!)
}

/** The same by the last words of a label («Hartmann Ltd Invoice Date»). */
function rivalAtEnd(label: Label | undefined, { field, index }: Situation): number {
  if (!label) return NaN
  const isOther = label.endTerm !== undefined && label.endTerm !== field.concept
  const best = Math.max(isOther ? label.endTermScore : 0, mostOfOthers(label.mostEnding, index))
  return best - label.ending[index]!
}

const part =
  (pick: (around: Surroundings) => Label | undefined): Measure =>
  (one) =>
    pick(one.around)?.part[one.index] ?? NaN

const spelled =
  (pick: (around: Surroundings) => Label | undefined): Measure =>
  (one) =>
    pick(one.around)?.spelling.alike[one.index] ?? NaN

/** The likest of the labels around a place: by their last words, in part where they have few of the field's, or spelled. */
const bestLabelBy =
  (by: (label: Label) => Float32Array): Measure =>
  ({ around, index }) => {
    const labels = [around.before, around.left, around.above, around.head, around.heading]
    return Math.max(0, ...labels.map((label) => (label ? by(label)[index]! : 0)))
  }

/** The likeness of what stands right before, beside or above, with nothing between. */
function nearOf({ around, index }: Situation): number {
  const left = around.leftSteps === 0 ? (around.left?.ending[index] ?? 0) : 0
  const above = around.aboveGap < 2 ? (around.above?.ending[index] ?? 0) : 0
  return Math.max(around.before?.ending[index] ?? 0, left, above)
}

/** Dates that stand in the same line before or behind this one: two are a period. */
function datesBeside({ proposal, facts }: Place, isBehind: boolean): number {
  if (proposal.shape !== 'date') return NaN
  const { x } = proposal.words[0]!.box
  const places = facts.datePlaces.get(proposal.line.index) ?? []
  return places.filter((other) => (isBehind ? other > x : other < x)).length
}

/** Addresses that begin above this line, and how many there are: the sender's stands before the recipient's. */
function addressesAbove({ proposal, facts }: Place): number {
  let count = 0
  for (const line of facts.placeLines) if (line < proposal.line.index) count++
  return count
}

/** What stands nearest before a value: in its cell, left of it or above it, with nothing between. */
function nearestLabel(around: Surroundings): Label | undefined {
  return around.before ?? (around.leftSteps === 0 ? around.left : undefined) ?? around.above
}

/** A feature of the words before a period, for both of its days. */
const ofPeriod =
  (feature: (one: Situation, label: Label | undefined) => number): Measure =>
  (one) =>
    one.opening ? feature({ ...one, around: one.opening }, nearestLabel(one.opening)) : NaN

/** 0 for a date that stands alone, 1 for the first and 2 for the last day of a period. */
function placeInPeriod({ proposal, facts }: Place): number {
  if (proposal.shape !== 'date') return NaN
  const period = facts.periods.get(proposal)
  return period === undefined ? 0 : period.first === proposal ? 1 : 2
}

/** The share of the document's days that a period holds: the whole holds its parts. */
function daysHeld({ proposal, facts }: Place): number {
  const period = facts.periods.get(proposal)
  if (!period) return NaN
  const [first, last] = [String(period.first.value), String(period.last.value)]
  return facts.dates.filter((date) => date >= first && date <= last).length / facts.dates.length
}

/** The likeness of what stands around a period to what is asked for, without its ends. */
function spanOf({ around, index }: Situation): number {
  const labels = [around.before, around.left, around.above, around.head, around.heading]
  return Math.max(0, ...labels.map((label) => label?.span[index] ?? 0))
}

function namesPeriod(label: Label | undefined): number {
  const role = label?.term === undefined ? undefined : concepts[label.term]?.role
  return role?.startsWith('range') ? label!.termScore : 0
}

/** Whether a label says what the document calls itself («Contract No.» on a contract). */
function namedByTitle({ around, facts }: Place): number {
  if (facts.titles.size === 0) return NaN
  const near = [around.before, around.leftSteps === 0 ? around.left : undefined, around.above]
  return flag(near.some((label) => label?.words.some((word) => facts.titles.has(word))))
}

/** How many words in the column of a value are written like it, by where they begin or end. */
function inColumn({ proposal, facts }: Place): number {
  const keys = columnKeys(proposal.page.number, proposal.words[0]!, proposal.words.at(-1)!)
  return Math.max(...keys.map((key) => facts.columnCounts.get(key) ?? 0))
}

/** 1 where it is the side that is asked for, -1 where it says another one, 0 where it says none. */
function sideMatch(said: Side | undefined, field: Field): number {
  if (said === undefined) return 0
  return said === (field.side ?? (field.kind === 'party' ? 'seller' : undefined)) ? 1 : -1
}

function dateRank({ proposal, facts }: Place): number {
  if (proposal.shape !== 'date') return NaN
  return facts.dates.length < 2 ? 0 : facts.dates.indexOf(String(proposal.value)) / (facts.dates.length - 1)
}

function cents({ proposal }: Place): number | null {
  return centsOf(proposal)
}

function ofSums(as: 'of' | 'parts'): (place: Place) => number {
  return (one) => {
    const amount = cents(one)
    const { sums } = one.facts
    return amount === null || !sums.among.has(amount) ? NaN : flag(sums[as].has(amount))
  }
}

/** Whether an amount is what a till took: cash less change. */
function cashLessChange(one: Place): number {
  const amount = cents(one)
  const { paidCents } = one.facts
  return amount === null || paidCents.size === 0 ? NaN : flag(paidCents.has(amount))
}

/**
 * Where the smallest coin is five cents, a sum stands there twice: 1 for the rounded one, -1 for the one before it, 0
 * for an amount that has no other so near.
 */
function roundedToFive(one: Place): number {
  const amount = cents(one)
  if (amount === null) return NaN
  const isRound = amount % 5 === 0
  const near = [1, 2, 3, 4].some((off) =>
    [amount - off, amount + off].some((other) => one.facts.amounts.has(other) && (other % 5 === 0) !== isRound),
  )
  return near ? (isRound ? 1 : -1) : 0
}

function arithmetic(role: 'net' | 'tax' | 'gross'): (place: Place) => number {
  return (one) => {
    const amount = cents(one)
    return amount === null ? NaN : (one.facts.arithmetic.get(amount)?.[role] ?? NaN)
  }
}

/** On how many lines a value stands. */
function linesOf({ page, line, last }: Proposal): number {
  return last ? positionOf(page, last.line) - positionOf(page, line.index) + 1 : 1
}

function gapBelow({ proposal }: Place): number {
  const { page, cell, last = cell } = proposal
  const next = below(proposal)
  return next ? (next.box.y - last.box.y - last.box.height) / page.lineHeight : NaN
}

function linesBelow({ proposal }: Place): number {
  const at = under(proposal.page, proposal.cell, farthestBelow).findIndex((cell) => isPlace(cell))
  return at < 0 ? 9 : at + 1
}

function inDomain({ text, facts }: Place): number {
  if (facts.domains.size === 0) return NaN
  const plain = fold(text).replace(/[^a-z0-9]/g, '')
  const words = fold(text).match(/[a-z0-9]{3,}/g) ?? []
  let best = 0
  for (const domain of facts.domains) {
    if (plain.length >= 4 && (domain.includes(plain) || plain.includes(domain))) return 1
    const shared = words.filter((word) => domain.includes(word)).join('').length
    best = Math.max(best, shared / Math.max(domain.length, 1))
  }
  return best
}

/** Filled in by `compareRows`. */
const relativeNames = [
  'behind the best label',
  'order by best label',
  'behind the nearest label',
  'order by near label',
  'behind the best label of a period',
  'order by label of a period',
  'behind the best part',
  'order by best part',
  'behind the best line',
  'order by best line',
  'behind the best spelled',
  'order by best spelled',
]

/** Whether the check digits of an account are right; a figure that was read wrong makes them wrong. */
function checkDigits({ field, proposal }: Situation): number {
  if (field.kind !== 'iban') return NaN
  const { errorCodes } = validateIBAN(electronicFormatIBAN(String(proposal.value)) ?? '')
  return flag(!errorCodes.includes(ValidationErrorsIBAN.WrongIBANChecksum))
}

/** 1 where a label near it has the number that its form gives the field, -1 where one has another; NaN without one. */
function numberOfLabel({ field, around }: Situation): number {
  if (field.number === undefined) return NaN
  const labels = [around.before, around.leftSteps === 0 ? around.left : undefined, around.above]
  const isLetter = (text: string): boolean => /^\D/.test(text)
  // «A payer» is no box of a form that numbers its boxes.
  const numbers = labels
    .flatMap((label) => label?.number ?? [])
    .filter((number) => isLetter(number) === isLetter(field.number!))
  return numbers.includes(field.number) ? 1 : numbers.length > 0 ? -1 : 0
}

/** Letters and digits by their kind («KD-4711» is «AA-9999»). */
const shapeOf = (text: string): string =>
  text
    .replace(/\p{Lu}/gu, 'A')
    .replace(/\p{Ll}/gu, 'a')
    .replace(/\d/g, '9')
/** The same with each run as one («A-9»). */
const runsOf = (text: string): string => shapeOf(text).replace(/(.)\1+/gu, '$1')

/** Whether a value is, by `form`, the same as an example that the description gives; NaN where it gives none. */
const likeExample =
  (form: (text: string) => string): Measure =>
  ({ field: { examples }, text }) => {
    if (!examples) return NaN
    const own = form(text)
    return flag(examples.some((example) => form(example) === own))
  }

const titles = [
  ...'Mr Mrs Ms Miss Dr Prof Sir Cllr Rev Sgt Herr Herrn Frau Hr Fr Dipl Ing Mag M Mme Mlle Me Sr Sra Dn Dña'.split(
    ' ',
  ),
  ...String.raw`Dott Sig Sig\.ra Avv Rag Geom Dhr Mevr Mw Heer Mevrouw De\sheer de\sheer`.split(' '),
]
/** «Dr.-Ing. Max Berger», «MME LEROY»: «M 12» is none. */
const personTitle = new RegExp(
  String.raw`^(?:(?:${titles.flatMap((title) => [title, title.toUpperCase()]).join('|')})[.\s][-\s]?)+\p{Lu}`,
  'u',
)

function capitalShare({ words }: Proposal): number {
  return words.filter(({ text }) => /^\p{Lu}/u.test(text)).length / words.length
}

/**
 * What the judge sees of a proposal, by name. Every number is measured on the page, in the words or in the schema; none
 * is set by hand. The trained trees (fields-model.json) refer to this order; docs/judge.md explains them.
 */
export const features: readonly Feature[] = [
  ['kind of the field', ({ field }) => kinds.indexOf(field.kind)],
  ['field is a number', ({ field }) => flag(field.element.format === 'number')],
  ['role of the field', ({ field }) => (field.role ? roles.indexOf(field.role) : -1)],
  ['side of the field', ({ field }) => (field.side ? sides.indexOf(field.side) : -1)],
  ['field is a known term', ({ field }) => flag(field.concept !== undefined)],
  ['words of the field', ({ field }) => field.phrases[0]?.words.length ?? 0],
  ...ofPlaces([['shape', ({ proposal }) => shapes.indexOf(proposal.shape)]]),
  ['before: all words', whole((around) => around.before)],
  ['before: last words', ending((around) => around.before)],
  ['before: rival', (one) => rival(one.around.before, one)],
  ['before: rival at its end', (one) => rivalAtEnd(one.around.before, one)],
  ...ofPlaces([
    ['before: colon', ({ around }) => (around.before ? flag(around.before.colon) : NaN)],
    ['before: digits', ({ around }) => (around.before ? flag(around.before.hasDigit) : NaN)],
    ['before: words', ({ proposal }) => proposal.from],
  ]),
  ['left: all words', whole((around) => around.left)],
  ['left: last words', ending((around) => around.left)],
  ['left: rival', (one) => rival(one.around.left, one)],
  ['left: rival at its end', (one) => rivalAtEnd(one.around.left, one)],
  ...ofPlaces([
    ['left: colon', ({ around }) => (around.left ? flag(around.left.colon) : NaN)],
    ['left: steps', ({ around }) => around.leftSteps],
    ['left: gap', ({ around }) => around.leftGap],
    ['left: letters', ({ around }) => around.left?.letters ?? NaN],
  ]),
  ['above: all words', whole((around) => around.above)],
  ['above: last words', ending((around) => around.above)],
  ['above: rival', (one) => rival(one.around.above, one)],
  ['above: rival at its end', (one) => rivalAtEnd(one.around.above, one)],
  ...ofPlaces([
    ['above: gap', ({ around }) => around.aboveGap],
    ['left: times', ({ around }) => around.leftTimes],
    ['above: times', ({ around }) => around.aboveTimes],
    ['head: times', ({ around }) => around.headTimes],
    ['columns shared with the line above', ({ around }) => around.columnsShared],
    ['columns shared with the line below', ({ around }) => around.columnsUnder],
    ['like it in its column', inColumn],
    ['above: digits', ({ around }) => (around.above ? flag(around.above.hasDigit) : NaN)],
  ]),
  ['head: all words', whole((around) => around.head)],
  ['head: rival', (one) => rival(one.around.head, one)],
  ...ofPlaces([['head: steps', ({ around }) => around.headSteps]]),
  ['row and column: all words', whole((around) => around.cross)],
  ['row and column: rival', (one) => rival(one.around.cross, one)],
  ['heading: all words', whole((around) => around.heading)],
  ['heading: rival', (one) => rival(one.around.heading, one)],
  ...ofPlaces([['heading: lines', ({ around }) => around.headingLines]]),
  ['below: all words', whole((around) => around.below)],
  ...ofPlaces([['below: digits', ({ around }) => (around.below ? flag(around.below.hasDigit) : NaN)]]),
  ['after: all words', whole((around) => around.after)],
  ...ofPlaces([['after: digits', ({ around }) => (around.after ? flag(around.after.hasDigit) : NaN)]]),
  ['own: all words', ({ around, index }) => around.own.whole[index]!],
  ...ofPlaces([['own: known term', ({ around }) => around.own.termScore]]),
  ['own: rival', (one) => rival(one.around.own, one)],
  ['best label', bestLabelBy(({ ending }) => ending)],
  ['near label', nearOf],
  ['before: part', part((around) => around.before)],
  ['left: part', part((around) => around.left)],
  ['above: part', part((around) => around.above)],
  ['head: part', part((around) => around.head)],
  ['heading: part', part((around) => around.heading)],
  ['after: part', part((around) => around.after)],
  ['best part', bestLabelBy(({ part }) => part)],
  ['before: spelled', spelled((around) => around.before)],
  ['left: spelled', spelled((around) => around.left)],
  ['above: spelled', spelled((around) => around.above)],
  ['head: spelled', spelled((around) => around.head)],
  ['best spelled', bestLabelBy(({ spelling }) => spelling.alike)],
  ['best abbreviated', bestLabelBy(({ spelling }) => spelling.letters)],
  ['on its line', ({ around, index }) => around.onLine[index]!],
  ['on the line above', ({ around, index }) => around.lineAbove[index]!],
  ...ofPlaces([['own: colon', ({ around }) => flag(around.own.colon)]]),
  ['named by before', ({ around, index }) => around.before?.named[index] ?? NaN],
  ['named by left', ({ around, index }) => around.left?.named[index] ?? NaN],
  ['named by above', ({ around, index }) => around.above?.named[index] ?? NaN],
  ['side: before', ({ around, field }) => sideMatch(sideOf(around.before), field)],
  ['side: left', ({ around, field }) => sideMatch(sideOf(around.left), field)],
  ['side: above', ({ around, field }) => sideMatch(sideOf(around.above), field)],
  ['side: heading', ({ around, field }) => sideMatch(sideOf(around.heading), field)],
  ['side: over it', ({ around, field }) => sideMatch(around.over?.side, field)],
  ...ofPlaces([
    ['lines to the side over it', ({ around }) => around.over?.lines ?? NaN],
    ['named by the title', namedByTitle],

    ['x', ({ proposal }) => proposal.words[0]!.box.x],
    ['right edge', ({ proposal }) => proposal.words.at(-1)!.box.x + proposal.words.at(-1)!.box.width],
    ['y', ({ proposal }) => proposal.words[0]!.box.y],
    ['page', ({ proposal }) => proposal.page.number - 1],
    ['pages', ({ facts }) => facts.pages],
    ['from the end', ({ proposal, facts }) => facts.lines - proposal.line.index],
    ['line', ({ proposal }) => proposal.line.index],
    ['cells in line', ({ proposal }) => proposal.line.cells.length],
    ['cell in line', ({ proposal }) => proposal.line.cells.indexOf(proposal.cell)],
    ['words behind in cell', ({ proposal }) => proposal.cell.words.length - proposal.to],
    ['in a row of figures', ({ proposal, facts }) => flag(facts.tableLines.has(proposal.line.index))],
    ['size of type', ({ proposal }) => proposal.words[0]!.fontSize / Math.max(1e-4, proposal.page.fontSize)],
    ['bold', ({ proposal }) => flag(proposal.words[0]!.bold)],
    ['kind of page', ({ facts }) => facts.origin],

    ['words', ({ proposal }) => proposal.words.length],
    ['letters', ({ text }) => shareOf(text, /\p{L}/gu)],
    ['digits', ({ text }) => shareOf(text, /\d/g)],
    ['capitals', ({ text }) => shareOf(text, /\p{Lu}/gu)],
    ['length', ({ text }) => text.length],
    ['signs inside', ({ text }) => shareOf(text, /[-./_]/g)],
    ['opens with a capital', ({ text }) => flag(/^\p{Lu}/u.test(text))],
    [
      'how often',
      ({ text, proposal, facts }) =>
        proposal.shape === 'date'
          ? (facts.dateCounts.get(String(proposal.value)) ?? 0)
          : (facts.textCounts.get(fold(text)) ?? 0),
    ],
    ['looks like a date', ({ text }) => flag(/^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/.test(text))],
    ['looks like an amount', ({ text }) => flag(/^[-+]?\d{1,3}(?:[.,' ’]?\d{3})*[.,]\d{2}$/.test(text))],
    ['legal form', ({ text }) => flag(hasLegalForm(text))],
    ['lines to a place below', linesBelow],
    ['place', ({ proposal }) => flag(isPlace(proposal.cell))],
    ['lines', ({ proposal }) => linesOf(proposal)],
    ['last line: place', ({ proposal }) => flag(isPlace(proposal.last ?? proposal.cell))],
    ['line below: place', ({ proposal }) => (below(proposal) ? flag(isPlace(below(proposal)!)) : NaN)],
    ['gap to the line below', gapBelow],
    ['street or register', ({ proposal }) => flag(isNoName(proposal.cell))],
    ['in an address of the web', inDomain],
  ]),
  ['check digits', checkDigits],
  ...ofPlaces([['statement', ({ proposal }) => proposal.statement ?? NaN]]),
  ['number of the label', numberOfLabel],
  ['example: the same', likeExample(fold)],
  ['example: same signs', likeExample(shapeOf)],
  ['example: same runs', likeExample(runsOf)],
  ...ofPlaces([
    ['telling words', ({ text }) => (text.length > 60 ? NaN : meanings(text).length)],

    [
      'size of the number',
      ({ proposal }) => (typeof proposal.value === 'number' ? Math.log10(Math.abs(proposal.value) + 1) : NaN),
    ],
    ['decimals', (one) => (typeof one.proposal.value === 'number' ? flag(cents(one) !== null) : NaN)],
    [
      'currency beside',
      ({ proposal, around }) =>
        flag(
          /[€$£₹]|\b(?:EUR|USD|CHF|GBP|INR)\b/.test(
            joined(proposal.words) + ' ' + (around.after ? proposal.cell.text : ''),
          ),
        ),
    ],
    ['negative', ({ proposal }) => flag(typeof proposal.value === 'number' && proposal.value < 0)],
    [
      'of the largest',
      (one) => {
        const amount = cents(one)
        return amount === null || one.facts.largest === 0 ? NaN : amount / one.facts.largest
      },
    ],
    [
      'how often as amount',
      (one) => {
        const amount = cents(one)
        return amount === null ? NaN : (one.facts.amounts.get(amount) ?? 0)
      },
    ],
    ['net of a sum', arithmetic('net')],
    ['tax of a sum', arithmetic('tax')],
    ['gross of a sum', arithmetic('gross')],
    ['sum of two amounts', ofSums('of')],
    ['part of a sum', ofSums('parts')],
    ['rounded to five', roundedToFive],
    ['cash less change', cashLessChange],
    ['sum of a column', ({ proposal, facts }) => flag(facts.columnSums.has(proposal.cell))],
    ['rank of the date', dateRank],
    ['dates', ({ facts }) => facts.dates.length],
    ['dates before in line', (one) => datesBeside(one, false)],
    ['dates behind in line', (one) => datesBeside(one, true)],
    ['place in a period', placeInPeriod],
    ['days of the period', ({ proposal, facts }) => facts.periods.get(proposal)?.days ?? NaN],
    ['days that the period holds', daysHeld],
    [
      'periods in its column',
      ({ proposal, facts }) => {
        const period = facts.periods.get(proposal)
        return period ? facts.periodPlaces.get(columnOf(period.first))! : NaN
      },
    ],
  ]),
  ['period: best label', ofPeriod(spanOf)],
  ['period: near label', ofPeriod(({ index }, label) => label?.span[index] ?? 0)],
  ['period: named by near label', ofPeriod(({ index }, label) => label?.namedSpan[index] ?? 0)],
  ['period: rival', ofPeriod((one, label) => rival(label, one))],
  ...ofPlaces([
    ['period: is named', ({ opening }) => (opening ? namesPeriod(nearestLabel(opening)) : NaN)],
    ['addresses above', addressesAbove],
    ['addresses', ({ facts }) => facts.placeLines.size],
  ]),
  ['asked for by its words', ({ field }) => (field.answer ? answers.indexOf(field.answer) : -1)],
  ...ofPlaces([
    ['begins with a title', ({ text }) => flag(personTitle.test(text))],
    ['words with a capital', ({ proposal }) => capitalShare(proposal)],
    ...blockFeatures,
  ]),
  ...mentionFeatures,
  ...ofPlaces([...relativeNames.map((name): PlaceFeature => [name, () => NaN])]),
]

const compared = ['best label', 'near label', 'period: near label', 'best part', 'on its line', 'best spelled'].map(
  (name) => features.findIndex(([one]) => one === name),
)
const firstRelative = features.findIndex(([one]) => one === relativeNames[0])

/** Fills in the features that compare a proposal with the field's others; `rows` holds those of one field. */
export function compareRows(rows: Float32Array): void {
  const width = features.length
  const count = rows.length / width
  compared.forEach((column, place) => {
    let best = 0
    // what is no date of a period has no such label
    const likenessAt = (row: number): number => rows[row * width + column]! || 0
    for (let row = 0; row < count; row++) best = Math.max(best, likenessAt(row))
    let order = 0
    for (let row = 0; row < count; row++) {
      const own = likenessAt(row)
      rows[row * width + firstRelative + 2 * place] = best - own
      // those before it on the pages that are labelled as well
      rows[row * width + firstRelative + 2 * place + 1] = order
      if (own > 0 && own > best - 0.005) order++
    }
  })
}

const placed = features.flatMap((feature, at) => (isOfPlace(feature) ? [{ at, of: feature[1] }] : []))
const asked = features.flatMap((feature, at) => (isOfPlace(feature) ? [] : [{ at, of: feature[1] }]))

/** What does not go by the field, in the row that `rowOf` fills up: six fields of a schema share a place in the mean. */
export function rowOfPlace(place: Place): Float32Array {
  const row = new Float32Array(features.length)
  for (const { at, of } of placed) row[at] = of(place)
  return row
}

/** The features of a situation as the row that the trees take, from the row of its place. */
export function rowOf(situation: Situation, ofPlace: Float32Array, row: Float32Array, from: number): void {
  row.set(ofPlace, from)
  for (const { at, of } of asked) row[from + at] = of(situation)
}
