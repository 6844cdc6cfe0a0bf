import type { Value } from '../../../shared/domain/result.ts'
import type { Evidence } from './evidence.ts'
import { amountRoleOf, isSideWord, type Field, type Side } from './field.ts'
import { findWindows, isLabelCell, labelScorer, restOf, type Window } from './labels.ts'
import { cellsBelow, joined, type Cell, type Layout, type LayoutPage, type Word } from './layout.ts'
import { zoneAt, type Parties } from './parties.ts'
import { plainName } from './party-words.ts'
import { sideOfHeading } from './party-zones.ts'
import { readValue, type Reading } from './read-value.ts'
import { meanings } from './words.ts'

/** A value that may answer a field: where it stands and how much speaks for it (0..1). */
export type Candidate = {
  value: Exclude<Value, null>
  words: Word[]
  page: number
  score: number
  /** How well its label names the field; 0 without a label. */
  label: number
  /** The line of the document it stands on, where that is known. */
  line?: number
}

const typed: ReadonlySet<Field['kind']> = new Set([
  'money',
  'number',
  'percent',
  'date',
  'iban',
  'bic',
  'vatid',
  'currency',
  'email',
  'phone',
  'url',
  'postcode',
  'time',
])

/** Values beside, behind and below the labels of each field, best first; one list for each field. */
export function labelledCandidates(
  fields: readonly Field[],
  layout: Layout,
  parties: Parties,
  evidence: Evidence,
): Candidate[][] {
  const found: Candidate[][] = fields.map(() => [])
  const scorer = labelScorer(fields)
  const readValueOf = readingOnce(evidence)
  const last = Math.max(1, layout.lines.length - 1)
  for (const window of findWindows(layout)) {
    const scores = scorer(window.words)
    const depth = 0.03 * (window.line.index / last)
    let rest: Word[] | undefined
    for (const [index, field] of fields.entries()) {
      const label = scores[index]! * window.trust
      if (label < 0.45 || !canLabel(window, field)) continue
      // Totals stand low on the page, everything else high.
      const prior = amountRoleOf(field) ? depth : -depth
      for (const { reading: whole, nearness, line } of readingsFor(
        field,
        window,
        (rest ??= restOf(window)),
        readValueOf,
      )) {
        const reading = withoutName(field, whole, parties)
        const side =
          (field.kind === 'party' && window.shape === 'suffix' && window.trust < 0.9 ? 0.8 : 1) *
          sideFactor(field, window, parties, reading.words)
        const score = subtotalFactor(field, window) * (label * nearness * (0.6 + 0.4 * reading.quality) + prior) * side
        found[index]!.push({ value: reading.value, words: reading.words, page: window.page.number, score, label, line })
      }
    }
  }
  for (const list of found) list.sort((left, right) => right.score - left.score)
  return found
}

/** Whether a stretch of words can be the label of a field at all, by its shape and the kind of value that is asked. */
function canLabel(window: Window, field: Field): boolean {
  if (field.kind === 'boolean' || field.element.format === 'list') return false
  if (window.shape === 'through' && field.kind !== 'date' && field.kind !== 'money') return false
  if (window.shape === 'prefix' && typed.has(field.kind) && !opensTotal(field, window)) return false
  if (field.kind === 'party') return isNameLabel(window)
  // «P.O. Box 12» counts nothing.
  return field.kind !== 'number' || !/^(?:box|bp|postfach|apartado)$/iu.test(window.cell.words[window.to - 1]!.text)
}

/** «Total CIF Mombasa EUR», «Gesamt Positionen 1–4»: what follows the word for the total only describes it. */
function opensTotal(field: Field, window: Window): boolean {
  if (field.role !== 'gross' || !window.words.includes('total')) return false
  const rest = meanings(joined(window.cell.words.slice(window.to)))
  return !rest.some((word) =>
    [
      'net',
      'tax',
      'subtotal',
      'weight',
      'quantity',
      'hour',
      'package',
      'discount',
      'article',
      'freight',
      'deposit',
      'service',
      'paid',
      'payment',
      'nr',
      'percent',
    ].includes(word),
  )
}

/** «Code client», «Kundennummer»: a label for a number is none for a name. */
function isNameLabel(window: Window): boolean {
  const label = [
    ...window.words,
    ...meanings(joined(window.cell.words.slice(Math.max(0, window.from - 2), window.from))),
  ]
  return !label.some((word) => ['nr', 'code', 'id', 'date', 'reference'].includes(word))
}

/** The total is not what is called a subtotal, whatever words come with it. */
function subtotalFactor(field: Field, window: Window): number {
  if (field.role !== 'gross' && field.concept !== 'amountDue') return 1
  const label = meanings(joined(window.cell.words.slice(0, window.to)))
  return label.includes('subtotal') && !field.phrases[0]?.words.includes('subtotal') ? 0.6 : 1
}

/** An address is asked for without the name above it, which has a field of its own. */
function withoutName(field: Field, reading: Reading, parties: Parties): Reading {
  if (field.kind !== 'address' || !field.side) return reading
  const names = new Set(parties.found.flatMap((party) => party.name.map((word) => word.box)))
  const words = reading.words.filter((word) => !names.has(word.box))
  return words.length < 2 || words.length === reading.words.length
    ? reading
    : { ...reading, words, value: joined(words) }
}

type Found = { reading: Reading; nearness: number; line: number }
type ReadValueOf = (kind: Field['kind'], format: 'text' | 'number', words: readonly Word[]) => Reading | null

/** `readValue`, once for each cell or rest of a cell, however many fields it may answer. */
function readingOnce(evidence: Evidence): ReadValueOf {
  const known = new Map<string, WeakMap<readonly Word[], Reading | null>>()
  return (kind, format, words) => {
    const key = `${kind} ${format}`
    const ofKind = known.get(key) ?? new WeakMap<readonly Word[], Reading | null>()
    known.set(key, ofKind)
    let reading = ofKind.get(words)
    if (reading === undefined) ofKind.set(words, (reading = readValue(kind, format, words, evidence)))
    return reading
  }
}

type Read = (words: readonly Word[]) => Reading | null
/** A label and a field that it may name, with how to read a value for it. */
type Search = { field: Field; window: Window; rest: Word[]; isTyped: boolean; read: Read }

/** The readings around one label: before, behind, beside and below it. */
function readingsFor(field: Field, window: Window, rest: Word[], readValueOf: ReadValueOf): Found[] {
  const isTyped = typed.has(field.kind) || field.element.format === 'number'
  const search: Search = { field, window, rest, isTyped, read: readerOf(field, readValueOf) }
  const money = field.kind === 'money'
  const behind = readBehind(search)
  const found = [
    ...(field.kind === 'percent' ? rateBefore(search) : []),
    ...(behind ? foundBehind(search, behind) : []),
    ...(money && !behind ? amountBefore(search) : []),
  ]
  // «Umsatzsteuer § 13  281,25»: an amount with decimals beside outweighs a bare figure in the label.
  const bare = money && behind !== null && behind.quality < 1
  if (rest.length === 0 || ((!behind || bare) && rest.length <= 6 && isTyped))
    addAround(found, search, behind !== null, bare)
  return found
}

/** Whether only a colon could tell the label from what follows it. */
function isLoose({ field, window, isTyped }: Search): boolean {
  return !isTyped && !window.colon && field.kind !== 'code'
}

function readBehind(search: Search): Reading | null {
  const { rest, window, read } = search
  return rest.length > 0 && (!isLoose(search) || window.shape === 'prefix') ? read(rest) : null
}

function foundBehind(search: Search, reading: Reading): Found[] {
  const { field, window, rest, isTyped } = search
  if (isTyped && distance(rest, reading) > 4) return []
  const nearness = !isLoose(search) ? 1 : rest.length <= 2 && /\d/.test(rest[0]!.text) ? 0.85 : 0.66
  return [{ reading: continued(field, window.page, reading), nearness, line: window.line.index }]
}

/** Adds what stands right of a label and under it; `bare` says that a figure without decimals was found behind it. */
function addAround(found: Found[], search: Search, isBehind: boolean, bare: boolean): void {
  const { field, window, isTyped } = search
  const right = window.line.cells.slice(window.line.cells.indexOf(window.cell) + 1)
  const rightIsLabel = right[0] !== undefined && isLabelCell(right[0])
  if (!rightIsLabel || (isTyped && !window.colon && field.kind !== 'date')) addBeside(found, search, right, bare)
  const rowLabel = !isTyped && !rightIsLabel && right[0] !== undefined && /\d/.test(right[0].text)
  if (rowLabel || !mayStandBelow(search, found.length > 0, isBehind)) return
  const reading = below(search, rightIsLabel || right.length === 0)
  if (reading) found.push(reading)
}

function readerOf(field: Field, readValueOf: ReadValueOf): Read {
  const format = field.element.format === 'number' ? 'number' : 'text'
  return (words) => {
    // An account has an IBAN today; its spaces and what follows it are no matter of codes in general.
    const iban = field.concept === 'accountNumber' && format === 'text' ? readValueOf('iban', format, words) : null
    return iban ?? readValueOf(field.kind, format, field.kind === 'party' ? plainName(words) : words)
  }
}

/** «19 % Umsatzsteuer»: rates stand before their name as often as behind it. */
function rateBefore({ window, read }: Search): Found[] {
  const before = window.cell.words.slice(Math.max(0, window.from - 2), window.from)
  const reading = before.some((word) => word.text.includes('%')) ? read(before) : null
  return reading ? [{ reading, nearness: 0.95, line: window.line.index }] : []
}

/** «la cantidad de 975 euros en concepto de fianza», «£950 deposit»: in a sentence the amount may stand first. */
function amountBefore({ window, read }: Search): Found[] {
  const { words } = window.cell
  const before = words.slice(Math.max(0, window.from - 5), window.from)
  if (before.length === 0 || words.length < 6 || /[.;]$/.test(before.at(-1)!.text)) return []
  const reading = read(before)
  return reading && reading.quality > 0.6 ? [{ reading, nearness: 0.72, line: window.line.index }] : []
}

function addBeside(found: Found[], search: Search, right: readonly Cell[], bare: boolean): void {
  const { field, window, isTyped, read } = search
  const line = window.line.index
  const product = field.kind === 'money' ? productOf(right.map((cell) => read(cell.words))) : undefined
  if (product) found.push({ reading: product, nearness: 0.985, line })
  for (const [steps, cell] of right.slice(0, isTyped ? 5 : 1).entries()) {
    const reading = readCell(field, window, cell, read)
    if (!reading) {
      if (field.kind === 'text' || field.kind === 'party') break
      continue
    }
    if (bare && reading.quality < 1) continue
    if (bare && found[0]) found[0].nearness = Math.min(found[0].nearness, 0.6)
    if (right.slice(0, steps).some((one) => isLabelCell(one))) break
    const nearness = nearnessBeside(search, cell, steps)
    found.push({ reading: continued(field, window.page, reading), nearness, line })
  }
}

/** How near a cell is to the label left of it, with `steps` cells between. */
function nearnessBeside({ window, isTyped }: Search, cell: Cell, steps: number): number {
  const near = steps === 0 ? 0.98 : 0.92 - 0.03 * steps
  if (isTyped) return near
  const far = cell.box.x - (window.cell.box.x + window.cell.box.width) > 0.45 ? 0.85 : 1
  if (window.colon) return near * far
  // In a row of heads over values the neighbour is another head.
  const head = window.line.cells.length >= 3 && !/\d/.test(window.line.text) ? 0.6 : 1
  return near * far * head * 0.95
}

/** The value of a cell; a date may be set in two lines. */
function readCell(field: Field, window: Window, cell: Cell, read: Read): Reading | null {
  const reading = read(cell.words)
  if (reading || field.kind !== 'date' || !/\p{L}|,$/u.test(cell.text)) return reading
  const under = cellsBelow(window.page, cell, 1)[0]
  return under ? read([...cell.words, ...under.words]) : null
}

/** Whether the value may stand under its label: nothing but a rate follows the label. */
function mayStandBelow({ field, window, rest }: Search, isFound: boolean, isBehind: boolean): boolean {
  if (isFound && window.colon) return false
  if (rest.length === 0) return true
  return (
    !isFound &&
    !isBehind &&
    field.kind === 'money' &&
    rest.every((word) => /%$|^[\d.,]+$/.test(word.text)) &&
    rest.some((word) => word.text.endsWith('%'))
  )
}

/** «Salary  1.00  2,416.67  2,416.67»: of a quantity, a price and their product the product is the amount. */
function productOf(row: readonly (Reading | null)[]): Reading | undefined {
  const [first, second, third] = row
  if (!first || !second || !third) return undefined
  const [left, right, product] = [Number(first.value), Number(second.value), Number(third.value)]
  return product !== 0 && Math.abs(left * right - product) <= 0.011 ? third : undefined
}

function below({ field, window, read }: Search, alone: boolean): Found | undefined {
  const under = cellsBelow(window.page, window.cell, 2.6)
  const first = under[0]
  if (!first || isLabelCell(first)) return undefined
  const reading = read(first.words)
  if (!reading) return undefined
  return {
    reading: continued(field, window.page, reading),
    nearness:
      (alone ? 0.95 : 0.86) *
      (opensColumn(field, window, first, read) ? 0.55 : 1) *
      (headsPairs(field, window, first) ? 0.55 : 1),
    line: first.line,
  }
}

/** A column of numbers under a heading is a table, not the answer to a label. */
function opensColumn(field: Field, window: Window, first: Cell, read: Read): boolean {
  if (field.kind === 'address' || field.kind === 'party' || window.line.cells.length <= 2) return false
  const deeper = cellsBelow(window.page, first, 2.6)[0]
  return (
    deeper !== undefined &&
    !isLabelCell(deeper) &&
    read(deeper.words) !== null &&
    (window.page.lines.find((one) => one.index === deeper.line)?.cells.length ?? 0) > 2
  )
}

/** A heading over label and value pairs is no label: what stands below it is the first label. */
function headsPairs(field: Field, window: Window, first: Cell): boolean {
  return (
    window.line.cells.length === 1 &&
    !typed.has(field.kind) &&
    field.element.format === 'text' &&
    !window.colon &&
    window.page.lines.some((line) => line.index === first.line && line.cells.indexOf(first) < line.cells.length - 1)
  )
}

/** An address goes on in the lines under its first one. */
function continued(field: Field, page: LayoutPage, reading: Reading): Reading {
  if (field.kind !== 'address') return reading
  const first = reading.words[0]!
  const words = [...reading.words]
  let bottom = first.box.y + first.box.height
  let lines = 1
  for (const line of page.lines) {
    if (line.box.y <= first.box.y + first.box.height / 2 || lines >= 4) continue
    if (line.box.y - bottom > 0.9 * page.lineHeight) break
    const cell: Cell | undefined = line.cells.find((one) => Math.abs(one.box.x - first.box.x) < page.em)
    if (
      !cell ||
      isLabelCell(cell) ||
      line.cells.some((one) => one.box.x < first.box.x - page.em && isLabelCell(one)) ||
      /^[^:]{2,40}:/.test(cell.text)
    )
      break
    words.push(...cell.words)
    bottom = cell.box.y + cell.box.height
    lines++
  }
  return { ...reading, words, value: joined(words) }
}

function distance(rest: readonly Word[], reading: Reading): number {
  return Math.max(0, rest.indexOf(reading.words[0]!))
}

/** How much the side that a label and its place belong to speaks for a field: 0 when it is that of another party. */
function sideFactor(field: Field, window: Window, parties: Parties, words: readonly Word[]): number {
  const { side } = field
  const zoneOf = (): Side | undefined => zoneAt(parties, window.page.number, words[0]!.box)
  if (!side) return field.kind === 'vatid' && zoneOf() === 'buyer' ? 0.8 : 1
  // «Tenant», «Mitarbeiter»: the label itself says whose.
  if (
    window.words.includes(side) ||
    window.words.some((word) => field.phrases[0]!.words.includes(word) && isSideWord(word))
  )
    return 1
  // «Arrendatario | D. Pablo Núñez, DNI 55667788-B»: the cell before says whose number it is.
  const heading = window.line.cells[window.line.cells.indexOf(window.cell) - 1]
  const stated = (heading && sideOfHeading(heading.text.replace(/:$/, ''))) ?? zoneOf()
  if (stated !== undefined) return stated === side ? 1 : 0
  if (side === 'seller') return field.kind === 'party' || field.kind === 'address' ? 0.5 : 0.88
  return field.kind === 'party' ? 0.6 : 0.4
}
