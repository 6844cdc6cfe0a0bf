import { documentKey } from './known-labels.ts'
import type { Block, Line, Run } from './lines.ts'
import { kindOf, looksLikeValue } from './value-kind.ts'
import { withoutEnd } from '../../../shared/domain/without-end.ts'

/** A label as the document prints it, and what it gives; a box to tick has no value. */
export type Pair = { label: string; value: string; tick: boolean }

/** Where labels and values stood that took turns: what stands in the same places below them is the same. */
type Columns = [labelX: number, valueX: number][]

const maxLabelChars = 45
const maxWords = 6
const tickBox = /^(?:\[[ _xX]\]\s*[☐☒☑]?|[☐☒☑])\s*(.{2,})$/
const yesOrNo = /^(?:yes|no|ja|nein|oui|non)$/i
const inline = /(?:^|\s)(\p{L}[^:]{1,44}?)\s?:\s+(?=\S)/gu

/** Labels with their values in lines that no table took: beside, behind a colon, or right below. Pure. */
export function findPairs(block: Block, taken: ReadonlySet<Line>): Pair[] {
  const pairs: Pair[] = []
  const used = new Set<Run>()
  // In a table the columns hold for every row, also above the first sure one.
  const sure =
    block.kind === 'page'
      ? []
      : block.lines
          .filter((line) => !taken.has(line))
          .flatMap(alternating)
          .filter(isSure)
  const columns: Columns = sure.map(([label, value]) => [label.box.x, value.box.x])
  for (const [index, line] of block.lines.entries()) {
    if (taken.has(line)) continue
    pairs.push(...ticks(line, used))
    const below = block.lines[index + 1]
    const nextLine = below === undefined || taken.has(below) ? [] : below
    pairs.push(...labelsAboveValues(line, nextLine, used), ...alternatingPairs(line, columns, used))
    for (const [at, run] of line.entries()) {
      if (used.has(run)) continue
      pairs.push(...besideOrBelow(run, line[at + 1], block.kind === 'page' ? nextLine : [], used))
    }
  }
  return pairs
}

function ticks(line: Line, used: Set<Run>): Pair[] {
  const found: Pair[] = []
  const question = line[0]!
  for (const [at, run] of line.entries()) {
    const text = tickBox.exec(run.text)?.[1]
    if (text === undefined) continue
    used.add(run)
    if (at === 0 || tickBox.test(question.text)) found.push({ label: text, value: '', tick: true })
    else if (!used.has(question) && yesOrNo.test(text)) {
      // «Company car used?  ☐ Yes  ☒ No» is one question with its answers.
      used.add(question)
      found.push({ label: question.text, value: text, tick: false })
    }
  }
  return found
}

/** «Employee  R. Adeyemi  Personnel number  000417»: where one pair of a line is sure, labels and values take turns. */
function alternatingPairs(line: Line, columns: Columns, used: Set<Run>): Pair[] {
  const pairs = alternating(line)
  const fits = pairs.every(
    ([label, value]) => isLabel(label.text) && !used.has(label) && !used.has(value) && !isKnownLabel(value.text),
  )
  const isKept = ([label, value]: Turn): boolean =>
    columns.some(([labelX, valueX]) => isNear(label.box.x, labelX) && isNear(value.box.x, valueX))
  if (!fits || !pairs.some((pair) => (line.length > 2 && isSure(pair)) || isKept(pair))) return []
  for (const [label, value] of pairs) {
    columns.push([label.box.x, value.box.x])
    used.add(label)
    used.add(value)
  }
  return pairs.map(([label, value]) => pairOf(label.text, value.text))
}

type Turn = [label: Run, value: Run]

function alternating(line: Line): Turn[] {
  if (line.length % 2 === 1) return []
  return line.flatMap((run, at): Turn[] => (at % 2 === 0 ? [[run, line[at + 1]!]] : []))
}

function isSure([label, value]: Turn): boolean {
  return (
    isLabel(label.text) &&
    (looksLikeValue(value.text) || (documentKey(label.text) !== null && !isKnownLabel(value.text)))
  )
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) < 0.005
}

/** A line of labels above a line of values. */
function labelsAboveValues(line: Line, below: Line, used: Set<Run>): Pair[] {
  const labels = line.filter((run) => !used.has(run))
  if (labels.length < 2 || !labels.every((run) => isLabel(run.text) && !run.text.endsWith(':'))) return []
  const found = labels.flatMap((label) => {
    const value = below.find((run) => isBelow(label, run))
    return value === undefined || documentKey(value.text) !== null ? [] : [{ label, value }]
  })
  const known = found.filter(({ label }) => documentKey(label.text) !== null).length
  const valued = found.filter(({ value }) => looksLikeValue(value.text)).length
  if (found.length < 2 || found.length < labels.length - 1) return []
  const isSurelyValues = valued === found.length && found.length === labels.length
  if (!isSurelyValues && (known === 0 || (valued * 2 < found.length && known < found.length))) return []
  for (const { label, value } of found) for (const run of [label, value]) used.add(run)
  return found.map(({ label, value }) => pairOf(label.text, value.text))
}

function besideOrBelow(run: Run, next: Run | undefined, below: Line, used: Set<Run>): Pair[] {
  const inside = insideOf(run.text)
  if (inside.length > 0) {
    used.add(run)
    return inside
  }
  if (!isLabel(run.text)) return []
  if (next !== undefined && !used.has(next)) {
    const value = next.text.replace(/^:\s*/, '')
    if (value !== '' && isValueBeside(run, next, value)) {
      used.add(run).add(next)
      return [pairOf(run.text, value)]
    }
  }
  const value = below.find((other) => isBelow(run, other))
  if (value === undefined || used.has(value) || isKnownLabel(value.text) || value.text.includes(':')) return []
  const isAlone = next === undefined && below.length === 1 && isAmountOrDate(value, run)
  if (documentKey(run.text) === null && !isAlone) return []
  used.add(run).add(value)
  return [pairOf(run.text, value.text)]
}

function isValueBeside(label: Run, next: Run, value: string): boolean {
  if (tickBox.test(value)) return false
  if (label.text.endsWith(':') || next.text.startsWith(':') || looksLikeValue(value)) return true
  return documentKey(label.text) !== null && !isKnownLabel(value)
}

/** A single amount or date right below a single label is its value, whatever the label says. */
function isAmountOrDate(value: Run, label: Run): boolean {
  return kindOf([value.text], label.text) !== 'text' && /[.,/-]/.test(value.text)
}

/** «Nº factura: A-2026-0318» and several of them in one run. */
function insideOf(text: string): Pair[] {
  const found = [...text.matchAll(inline)].filter((match) => isLabel(match[1]!))
  return found.flatMap((match, index) => {
    const value = text.slice(match.index + match[0].length, found[index + 1]?.index).trim()
    return !/[\p{L}\p{N}]/u.test(value) || value.length > 120 ? [] : [pairOf(match[1]!, value)]
  })
}

function pairOf(label: string, value: string): Pair {
  return { label: withoutEnd(label, /[\s:.=*]/).trimStart(), value, tick: false }
}

function isKnownLabel(text: string): boolean {
  return !/\d/.test(text) && documentKey(text) !== null
}

function isLabel(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const digits = text.match(/\d/g)?.length ?? 0
  if (text.length > maxLabelChars || text.split(' ').length > maxWords || letters < 3) return false
  // A rate belongs to a label («MwSt 19 %»), other digits to a value.
  return digits === 0 || (/%/.test(text) && letters > digits) || documentKey(text) !== null
}

function isBelow(label: Run, value: Run): boolean {
  const left = Math.abs(label.box.x - value.box.x)
  const right = Math.abs(label.box.x + label.box.width - (value.box.x + value.box.width))
  const overlap =
    Math.min(label.box.x + label.box.width, value.box.x + value.box.width) - Math.max(label.box.x, value.box.x)
  return overlap > 0 && Math.min(left, right) < 0.03
}
