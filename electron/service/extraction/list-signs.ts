import type { Evidence } from './evidence.ts'
import type { Field } from './field.ts'
import { labelScorer } from './labels.ts'
import { cellValue, isRowAmount, type CellValue, type CellValues } from './list-cell.ts'
import type { Header } from './list-header.ts'
import type { Row } from './list-rows.ts'
import { linesOfWords, textOf } from './layout.ts'
import type { Word } from './layout.ts'
import { meanings } from './words.ts'

/**
 * «Delivery date: 06/20/2025» inside a row, or «HS code 84821010» as a line of its own, answers a sub-field that has no
 * column; it is taken out of the row's text.
 */
export function takeLabelled(
  row: Row,
  values: (CellValue | undefined)[],
  text: number,
  index: number,
  fields: readonly Field[],
  evidence: Evidence,
): void {
  if (values[index] !== undefined) return
  const score = labelScorer([fields[index]!])
  const names = (label: readonly Word[]): boolean => (score(meanings(textOf(label)))[0] ?? 0) >= leastLikeness
  for (const words of row.cells.values()) {
    const labelled = withColon(words, names) ?? onLine(words, names)
    const found = labelled && cellValue(fields[index]!, labelled.behind, evidence)
    if (!found) continue
    values[index] = found
    const label = new Set([...labelled.label, ...found.words])
    const rest = values[text]?.words.filter((word) => !label.has(word)) ?? []
    if (rest.length > 0) values[text] = { value: textOf(rest), words: rest }
    return
  }
}

const leastLikeness = 0.8
const longestLabel = 3

type Labelled = { label: readonly Word[]; behind: readonly Word[] }

function withColon(words: readonly Word[], names: (label: readonly Word[]) => boolean): Labelled | undefined {
  const colon = words.findIndex((word) => /\p{L}:$/u.test(word.text))
  if (colon < 0 || colon === words.length - 1) return undefined
  const start = [colon, colon - 1, colon - 2].find((from) => from >= 0 && names(words.slice(from, colon + 1)))
  return start === undefined ? undefined : { label: words.slice(start, colon + 1), behind: words.slice(colon + 1) }
}

/** A line below the first one that is the label and a value with figures. */
function onLine(words: readonly Word[], names: (label: readonly Word[]) => boolean): Labelled | undefined {
  for (const line of linesOfWords(words).slice(1)) {
    const length = Array.from({ length: longestLabel }, (_, at) => longestLabel - at).find(
      (count) => count < line.length && /\d/.test(line[count]!.text) && names(line.slice(0, count)),
    )
    if (length !== undefined) return { label: line.slice(0, length), behind: line.slice(length) }
  }
  return undefined
}

/**
 * A journal prints the day once for all its entries: where dates open the table and only some rows have one, the others
 * are of the day above. Dates of delivery or maturity are not carried.
 */
export function carryDates(fields: readonly Field[], values: CellValues, columnOf: readonly number[]): void {
  for (const [index, field] of fields.entries()) {
    if (columnOf[index] !== 0 || !carriesDate(field)) continue
    const dates = values.map((row) => row[index]?.value).filter((value) => typeof value === 'string')
    if (values[0]?.[index] === undefined || dates.length < 2 || dates.length === values.length || !ordered(dates))
      continue
    const has = (row: CellValues[number], format: 'number' | 'text'): boolean =>
      row.some((cell, at) => cell !== undefined && at !== index && fields[at]!.element.format === format)
    let last: CellValue | undefined
    for (const row of values) {
      if (row[index]) last = row[index]
      else if (has(row, 'number') && has(row, 'text')) row[index] = last
    }
  }
}

function carriesDate(field: Field): boolean {
  return (
    field.kind === 'date' &&
    !field.asPrinted &&
    !['deliveryDate', 'dueDate', 'valueDate', 'birthDate', 'endDate'].includes(field.concept ?? '')
  )
}

function ordered(dates: readonly string[]): boolean {
  return (
    dates.every((date, index) => index === 0 || date >= dates[index - 1]!) ||
    dates.every((date, index) => index === 0 || date <= dates[index - 1]!)
  )
}

const outMarks = /^(?:S|D|DR|Dr\.?|Soll|-|−|–|d[ée]bit)$/u
const credited = /\bCR\b|\dCR\b/u
const payment =
  /^(?:online |auto(?:matic)? |direct debit )?payments?\b|\bthank you\b|^(?:ihre )?zahlung\b|^paiement\b|^pago\b/iu
const inMarks = /^(?:H|C|CR|Cr\.?|Haben|\+|cr[ée]dit)$/u

const wantsNegativeCredits =
  /\b(?:payments?|credits?|refunds?)\b[^,;.]{0,30}\bnegativ|\bnegativ\w*\b[^,;.]{0,20}\b(?:payments?|credits?|refunds?)|(?:zahlungen|gutschriften|paiements|cr[ée]dits|pagos|abonos)[^,;.]{0,20}\bn[ée]gativ/iu

/**
 * Signs that stand apart from their amount: in a narrow column of S and H or + and −, or as «CR» behind what a card
 * holder paid, when the description wants payments or credits negative.
 */
export function signed(
  header: Header,
  fields: readonly Field[],
  rows: readonly Row[],
  values: CellValues,
  columnOf: readonly number[],
): void {
  const marks = header.columns.findIndex(
    (column, index) => column.field === undefined && rows.length > 0 && rows.every((row) => isMark(row, index)),
  )
  fields.forEach((field, index) => {
    if (!isRowAmount(field)) return
    const negativeCredits = wantsNegativeCredits.test(field.element.description)
    const unsigned = !rows.some(
      (row, at) =>
        Number(values[at]![index]?.value) < 0 || credited.test(textOf(row.cells.get(columnOf[index]!) ?? [])),
    )
    rows.forEach((row, at) => {
      const value = values[at]![index]
      if (!value || typeof value.value !== 'number') return
      const side = marks >= 0 ? textOf(row.cells.get(marks)!) : undefined
      if (side !== undefined && outMarks.test(side)) values[at]![index] = { ...value, value: -Math.abs(value.value) }
      const words = row.cells.get(columnOf[index]!) ?? []
      const paid =
        credited.test(textOf(words)) ||
        (unsigned && values[at]!.some((cell) => typeof cell?.value === 'string' && payment.test(cell.value)))
      if (negativeCredits && value.value > 0 && paid) values[at]![index] = { ...value, value: -value.value }
    })
  })
}

function isMark(row: Row, column: number): boolean {
  const text = textOf(row.cells.get(column) ?? [])
  return outMarks.test(text) || inMarks.test(text)
}
