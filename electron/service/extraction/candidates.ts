import type { Value } from '../../../shared/result.ts'
import type { Evidence } from './evidence.ts'
import { isSideWord, type Field } from './field.ts'
import { findWindows, isLabelCell, labelScorer, restOf, type Window } from './labels.ts'
import { cellsBelow, type Cell, type Layout, type LayoutPage, type Word } from './layout.ts'
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

const typed: ReadonlySet<Field['kind']> = new Set(['money', 'number', 'percent', 'date', 'iban', 'bic', 'vatid', 'currency', 'email', 'phone', 'url', 'postcode', 'time'])

/** Values beside, behind and below the labels of each field, best first; one list for each field. */
export function labelledCandidates(fields: readonly Field[], layout: Layout, parties: Parties, evidence: Evidence): Candidate[][] {
  const found: Candidate[][] = fields.map(() => [])
  const scorer = labelScorer(fields)
  const readValueOf = readingOnce(evidence)
  const last = Math.max(1, layout.lines.length - 1)
  for (const window of findWindows(layout)) {
    const scores = scorer(window.words)
    let rest: Word[] | undefined
    for (let index = 0; index < fields.length; index++) {
      const field = fields[index]!
      const label = scores[index]! * window.trust
      if (label < 0.45 || field.kind === 'boolean' || field.element.format === 'list') continue
      if (window.shape === 'through' && field.kind !== 'date' && field.kind !== 'money') continue
      if (window.shape === 'prefix' && typed.has(field.kind) && !opensTotal(field, window)) continue
      if (field.kind === 'party' && !isNameLabel(window)) continue
      // «P.O. Box 12» counts nothing.
      if (field.kind === 'number' && /^(?:box|bp|postfach|apartado)$/iu.test(window.cell.words[window.to - 1]!.text)) continue
      for (const { reading: whole, nearness, line } of readingsFor(field, window, (rest ??= restOf(window)), readValueOf)) {
        const reading = withoutName(field, whole, parties)
        const prior = field.role === 'gross' || field.role === 'net' || field.role === 'tax' ? 0.03 * (window.line.index / last) : -0.03 * (window.line.index / last)
        const side = (field.kind === 'party' && window.shape === 'suffix' && window.trust < 0.9 ? 0.8 : 1) * sideFactor(field, window, parties, reading.words)
        const score = subtotalFactor(field, window) * (label * nearness * (0.6 + 0.4 * reading.quality) + prior) * side
        found[index]!.push({ value: reading.value, words: reading.words, page: window.page.number, score, label, line })
      }
    }
  }
  for (const list of found) list.sort((left, right) => right.score - left.score)
  return found
}

/** «Total CIF Mombasa EUR», «Gesamt Positionen 1–4»: what follows the word for the total only describes it. */
function opensTotal(field: Field, window: Window): boolean {
  if (field.role !== 'gross' || !window.words.includes('total')) return false
  const rest = meanings(window.cell.words.slice(window.to).map((word) => word.text).join(' '))
  return !rest.some((word) => ['net', 'tax', 'subtotal', 'weight', 'quantity', 'hour', 'package', 'discount', 'article', 'freight', 'deposit', 'service', 'paid', 'payment', 'nr', 'percent'].includes(word))
}

/** «Code client», «Kundennummer»: a label for a number is none for a name. */
function isNameLabel(window: Window): boolean {
  const label = [...window.words, ...meanings(window.cell.words.slice(Math.max(0, window.from - 2), window.from).map((word) => word.text).join(' '))]
  return !label.some((word) => ['nr', 'code', 'id', 'date', 'reference'].includes(word))
}

/** The total is not what is called a subtotal, whatever words come with it. */
function subtotalFactor(field: Field, window: Window): number {
  if (field.role !== 'gross' && field.concept !== 'amountDue') return 1
  const label = meanings(window.cell.words.slice(0, window.to).map((word) => word.text).join(' '))
  return label.includes('subtotal') && !field.phrases[0]?.words.includes('subtotal') ? 0.6 : 1
}

/** An address is asked for without the name above it, which has a field of its own. */
function withoutName(field: Field, reading: Reading, parties: Parties): Reading {
  if (field.kind !== 'address' || !field.side) return reading
  const names = new Set(parties.found.flatMap((party) => party.name.map((word) => word.box)))
  const words = reading.words.filter((word) => !names.has(word.box))
  return words.length < 2 || words.length === reading.words.length ? reading : { ...reading, words, value: words.map((word) => word.text).join(' ') }
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

function readingsFor(field: Field, window: Window, rest: Word[], readValueOf: ReadValueOf): Found[] {
  const found: Found[] = []
  const line = window.line.index
  const format = field.element.format === 'number' ? 'number' : 'text'
  const isTyped = typed.has(field.kind) || format === 'number'
  const read = (words: readonly Word[]): Reading | null => {
    // An account has an IBAN today; its spaces and what follows it are no matter of codes in general.
    const iban = field.concept === 'accountNumber' && format === 'text' ? readValueOf('iban', format, words) : null
    return iban ?? readValueOf(field.kind, format, field.kind === 'party' ? plainName(words) : words)
  }
  let behind: Reading | null = null
  if (field.kind === 'percent' && window.from > 0) {
    // «19 % Umsatzsteuer»: rates stand before their name as often as behind it.
    const before = window.cell.words.slice(Math.max(0, window.from - 2), window.from)
    const reading = before.some((word) => word.text.includes('%')) ? read(before) : null
    if (reading) found.push({ reading, nearness: 0.95, line })
  }
  if (rest.length > 0 && (isTyped || window.colon || window.shape === 'prefix' || field.kind === 'code')) {
    behind = read(rest)
    const loose = !isTyped && !window.colon && field.kind !== 'code'
    if (behind && !(isTyped && distance(rest, behind) > 4)) found.push({ reading: continued(field, window.page, behind), nearness: loose ? (rest.length <= 2 && /\d/.test(rest[0]!.text) ? 0.85 : 0.66) : 1, line })
  }
  // «Umsatzsteuer § 13  281,25»: an amount with decimals beside outweighs a bare figure in the label.
  const bare = behind !== null && field.kind === 'money' && behind.quality < 1 && rest.length <= 6
  // «la cantidad de 975 euros en concepto de fianza», «£950 deposit»: in a sentence the amount may stand first.
  if (!behind && field.kind === 'money' && window.from > 0 && window.cell.words.length >= 6) {
    const before = window.cell.words.slice(Math.max(0, window.from - 5), window.from)
    const reading = window.cell.words[window.from - 1]!.text.endsWith('.') ? null : read(before)
    if (reading && reading.quality > 0.6 && !/[.;]$/.test(before.at(-1)!.text)) found.push({ reading, nearness: 0.72, line })
  }
  const open = rest.length === 0 || ((!behind || bare) && rest.length <= 6 && isTyped)
  if (!open) return found
  const right = window.line.cells.slice(window.line.cells.indexOf(window.cell) + 1)
  const first = right[0]
  const rightIsLabel = first !== undefined && isLabelCell(first)
  if (!rightIsLabel || (isTyped && !window.colon && field.kind !== 'date')) {
    const product = field.kind === 'money' ? productOf(right.map((cell) => read(cell.words))) : undefined
    if (product) found.push({ reading: product, nearness: 0.985, line })
    for (const [steps, cell] of right.slice(0, isTyped ? 5 : 1).entries()) {
      const under = field.kind === 'date' && /\p{L}|,$/u.test(cell.text) ? cellsBelow(window.page, cell, 1)[0] : undefined
      const reading = read(cell.words) ?? (under ? read([...cell.words, ...under.words]) : null)
      if (!reading) {
        if (field.kind === 'text' || field.kind === 'party') break
        continue
      }
      if (bare && reading.quality < 1) continue
      if (bare && found[0]) found[0].nearness = Math.min(found[0].nearness, 0.6)
      if (steps > 0 && right.slice(0, steps).some((one) => isLabelCell(one))) break
      // In a row of heads over values the neighbour is another head.
      const head = !isTyped && !window.colon && window.line.cells.length >= 3 && !/\d/.test(window.line.text) ? 0.6 : 1
      const far = cell.box.x - (window.cell.box.x + window.cell.box.width) > 0.45 && !isTyped ? 0.85 : 1
      found.push({ reading: continued(field, window.page, reading), nearness: (steps === 0 ? 0.98 : 0.92 - 0.03 * steps) * far * head * (window.colon || isTyped ? 1 : 0.95), line })
    }
  }
  const onlyRate = !behind && field.kind === 'money' && rest.every((word) => /%$|^[\d.,]+$/.test(word.text)) && rest.some((word) => word.text.endsWith('%'))
  const rowLabel = !isTyped && first !== undefined && /\d/.test(first.text) && !rightIsLabel
  if (!rowLabel && (rest.length === 0 || (onlyRate && found.length === 0)) && !(window.colon && found.length > 0)) {
    const reading = below(field, window, read, rightIsLabel || first === undefined)
    if (reading) found.push(reading)
  }
  return found
}

/** «Salary  1.00  2,416.67  2,416.67»: of a quantity, a price and their product the product is the amount. */
function productOf(row: readonly (Reading | null)[]): Reading | undefined {
  const [first, second, third] = row
  if (!first || !second || !third) return undefined
  const [left, right, product] = [Number(first.value), Number(second.value), Number(third.value)]
  return product !== 0 && Math.abs(left * right - product) <= 0.011 ? third : undefined
}

function below(field: Field, window: Window, read: (words: readonly Word[]) => Reading | null, alone: boolean): Found | undefined {
  const under = cellsBelow(window.page, window.cell, 2.6)
  const first = under[0]
  if (!first || isLabelCell(first)) return undefined
  const reading = read(first.words)
  if (!reading) return undefined
  // A column of numbers under a heading is a table, not the answer to a label.
  const deeper = cellsBelow(window.page, first, 2.6)[0]
  // A heading over label and value pairs is no label: what stands below it is the first label.
  const pairs = window.line.cells.length === 1 && !typed.has(field.kind) && field.element.format === 'text' && !window.colon && window.page.lines.some((line) => line.index === first.line && line.cells.indexOf(first) < line.cells.length - 1)
  const column = field.kind !== 'address' && field.kind !== 'party' && deeper !== undefined && !isLabelCell(deeper) && read(deeper.words) !== null && window.line.cells.length > 2 && (window.page.lines.find((one) => one.index === deeper.line)?.cells.length ?? 0) > 2
  return { reading: continued(field, window.page, reading), nearness: (alone ? 0.95 : 0.86) * (column ? 0.55 : 1) * (pairs ? 0.55 : 1), line: first.line }
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
    if (!cell || isLabelCell(cell) || line.cells.some((one) => one.box.x < first.box.x - page.em && isLabelCell(one)) || /^[^:]{2,40}:/.test(cell.text)) break
    words.push(...cell.words)
    bottom = cell.box.y + cell.box.height
    lines++
  }
  return { ...reading, words, value: words.map((word) => word.text).join(' ') }
}

function distance(rest: readonly Word[], reading: Reading): number {
  return Math.max(0, rest.indexOf(reading.words[0]!))
}

function sideFactor(field: Field, window: Window, parties: Parties, words: readonly Word[]): number {
  if (!field.side) {
    if (field.kind !== 'vatid') return 1
    return zoneAt(parties, window.page.number, words[0]!.box) === 'buyer' ? 0.8 : 1
  }
  // «Tenant», «Mitarbeiter»: the label itself says whose.
  if (window.words.includes(field.side) || window.words.some((word) => field.phrases[0]!.words.includes(word) && isSideWord(word))) return 1
  // «Arrendatario | D. Pablo Núñez, DNI 55667788-B»: the cell before says whose number it is.
  const heading = window.line.cells[window.line.cells.indexOf(window.cell) - 1]
  const headed = heading && sideOfHeading(heading.text.replace(/:$/, ''))
  if (headed) return headed === field.side ? 1 : 0
  const zone = zoneAt(parties, window.page.number, words[0]!.box)
  if (zone === field.side) return 1
  if (zone !== undefined) return 0
  if (field.side === 'seller') return field.kind === 'party' || field.kind === 'address' ? 0.5 : 0.88
  const client = (window.words.includes('buyer') && field.side === 'buyer') || (window.words.includes('delivery') && field.side === 'delivery')
  return client ? 1 : field.kind === 'party' ? 0.6 : 0.4
}
