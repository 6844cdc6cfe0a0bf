import type { Value } from '../../../shared/result.ts'
import type { Evidence } from './evidence.ts'
import type { Field } from './field.ts'
import type { Header } from './list-header.ts'
import type { Row } from './list-rows.ts'
import { carryDates, signed, takeLabelled } from './list-signs.ts'
import { textOf, type Word } from './layout.ts'
import { parseBoolean } from './parse-value.ts'
import { numbersIn, readValue } from './read-value.ts'
import { meanings } from './words.ts'

export type CellValue = { value: Exclude<Value, null>; words: Word[] }

/** The value of each sub-field in each row; what no head names is derived where the row proves it. */
export function rowValues(header: Header, fields: readonly Field[], rows: readonly Row[], evidence: Evidence): (CellValue | undefined)[][] {
  const columnOf = fields.map((_, index) => header.columns.findIndex((column) => column.field === index))
  const belowOf = fields.map((_, index) => header.columns.findIndex((column) => column.below === index))
  const values = rows.map((row) =>
    fields.map((field, index) => {
      const column = columnOf[index]!
      if (column >= 0) return cellValue(field, header.columns[column]!.below === undefined ? row.cells.get(column) : linesOf(row.cells.get(column)).first, evidence)
      return belowOf[index]! >= 0 ? cellValue(field, linesOf(row.cells.get(belowOf[index]!)).rest, evidence) : undefined
    }),
  )
  fields.forEach((field, index) => {
    if (!isAmount(field)) return
    const sides = header.columns.filter((column) => sideOfMoney(column.text) !== undefined).length
    if (columnOf[index]! < 0 || sides >= 2) {
      const signed = rows.map((row) => signedAmount(header, row, evidence))
      if (sides >= 2 && columnOf[index]! >= 0 && sideOfMoney(header.columns[columnOf[index]!]!.text) !== undefined) signed.forEach((value, row) => (values[row]![index] = value))
      else fill(values, index, signed)
    }
  })
  const quantity = fields.findIndex((field) => field.concept === 'quantity')
  const price = fields.findIndex((field) => field.concept === 'unitPrice')
  const unit = fields.findIndex((field) => field.concept === 'unit')
  if (quantity >= 0 && unit >= 0 && columnOf[quantity]! >= 0 && columnOf[unit]! >= 0) {
    rows.forEach((row, index) => shareOut(row, columnOf[quantity]!, columnOf[unit]!, values[index]!, quantity, unit, evidence))
  }
  const amount = fields.findIndex((field) => field.concept === 'lineAmount')
  for (const missing of [quantity, price, amount]) {
    if (missing < 0 || columnOf[missing]! >= 0 || quantity < 0 || price < 0 || amount < 0) continue
    const column = provenColumn(header, rows, values, { quantity, price, amount }, missing, evidence)
    if (column !== undefined) columnOf[missing] = column
    if (column !== undefined) fill(values, missing, rows.map((row) => cellValue(fields[missing]!, row.cells.get(column), evidence)))
  }
  fields.forEach((field, index) => {
    if (columnOf[index]! >= 0) return
    if (field.concept === 'unit' && quantity >= 0) fill(values, index, rows.map((row) => unitBeside(row.cells.get(columnOf[quantity]!), evidence)))
    if (field.concept === 'currency') fill(values, index, rows.map((row) => readFromAny(field, row, evidence)))
    if (field.concept === 'taxRate') fill(values, index, rows.map((row) => rateInRow(header, row, evidence)))
  })
  const code = fields.findIndex((field, index) => field.concept === 'articleNumber' && columnOf[index]! < 0)
  const text = fields.findIndex((field, index) => index !== code && (field.concept === 'description' || field.concept === 'bookingText'))
  if (code >= 0 && text >= 0) values.forEach((row) => takeCode(row, text, code))
  fields.forEach((_, index) => {
    if (columnOf[index]! >= 0 || belowOf[index]! >= 0 || text === index) return
    rows.forEach((row, at) => takeLabelled(row, values[at]!, text, index, fields, evidence))
  })
  carryDates(fields, values, columnOf)
  return signed(header, fields, rows, values, columnOf)
}

/** The words of a cell's first line, and those of the further ones. */
function linesOf(words: readonly Word[] = []): { first: Word[]; rest: Word[] } {
  const top = words[0]?.box
  const first = words.filter((word) => top !== undefined && word.box.y < top.y + 0.6 * top.height)
  return { first, rest: words.filter((word) => !first.includes(word)) }
}

function fill(values: (CellValue | undefined)[][], index: number, found: (CellValue | undefined)[]): void {
  found.forEach((value, row) => {
    values[row]![index] ??= value
  })
}

export function cellValue(field: Field, words: readonly Word[] | undefined, evidence: Evidence): CellValue | undefined {
  if (!words || words.length === 0 || field.element.format === 'list') return undefined
  if (field.element.format === 'boolean') {
    const value = parseBoolean(textOf(words))
    return value === null ? undefined : { value, words: [...words] }
  }
  if (field.element.format === 'text' && field.kind === 'number' && words.length <= 3) return { value: textOf(words), words: [...words] }
  const reading = readValue(field.kind, field.element.format, words, evidence)
  if (!reading) {
    const share = field.concept === 'discount' && field.element.format === 'number' ? readValue('percent', 'number', words, evidence) : null
    if (share) return { value: share.value, words: share.words }
    // «Von 07:30 bis 16:00» asks for times, although such names mostly ask for dates.
    const named = field.kind === 'date' && field.phrases[0]!.words.some((word) => word === 'date' || word === 'day')
    return field.kind === 'code' || (field.kind === 'text' && field.concept !== 'description' && field.concept !== 'bookingText') || (field.kind === 'date' && !named) ? plainText(words) : undefined
  }
  return field.asPrinted && field.kind === 'date' ? { value: textOf(reading.words), words: reading.words } : { value: reading.value, words: reading.words }
}

function plainText(words: readonly Word[]): CellValue | undefined {
  const text = textOf(words)
  return text === '' || /^[-–—]+$/.test(text) || words.length > 3 ? undefined : { value: text, words: [...words] }
}

function isAmount(field: Field): boolean {
  return field.kind === 'money' && field.element.format === 'number' && (field.concept === 'lineAmount' || field.concept === 'gross' || field.concept === undefined)
}

/** Statements print money out and money in in two columns; as one amount, what goes out is negative. */
function signedAmount(header: Header, row: Row, evidence: Evidence): CellValue | undefined {
  for (const [index, column] of header.columns.entries()) {
    const side = sideOfMoney(column.text)
    if (side === undefined) continue
    const number = numbersIn(row.cells.get(index) ?? [], evidence).find((one) => one.quality > 0.3)
    if (!number) continue
    const value = number.value as number
    return { value: side === 'out' ? -Math.abs(value) : value, words: number.words }
  }
  return undefined
}

function sideOfMoney(head: string): 'in' | 'out' | undefined {
  const words = meanings(head)
  if (words.includes('balance')) return undefined
  return words.includes('debit') ? 'out' : words.includes('credit') || words.includes('creditnote') ? 'in' : undefined
}

const codeLabel = /^(?:\(?(?:art(?:ikel|icle|ículo)?|item|prod(?:uct|ukt)?|bestell|sku|r[ée]f(?:[ée]rence|erencia)?|ean|code|part)[-.\s]*(?:nr|no|n°|nummer|number|code)?\.?[-:.]*)$/iu

/** «Bürostuhl Art.-Nr. STU-7710» holds the article's number inside its description: it is moved to its own field. */
function takeCode(row: (CellValue | undefined)[], text: number, code: number): void {
  const words = row[text]?.words ?? []
  for (let at = 0; at < words.length - 1; at++) {
    const length = codeLabel.test(words[at]!.text) ? (/^(?:nr|no|n°|number|nummer|code)\.?:?$/iu.test(words[at + 1]!.text) ? 2 : 1) : 0
    const value = words[at + length]
    if (length === 0 || !value || !/\d/.test(value.text) || value.text.length < 3) continue
    row[code] = { value: value.text.replace(/[),;.]+$/, ''), words: [value] }
    const rest = words.filter((_, index) => index < at || index > at + length)
    if (rest.length > 0) row[text] = { value: textOf(rest), words: rest }
    return
  }
}

type Places = { quantity: number; price: number; amount: number }

/** The unnamed column of numbers for which quantity × price = amount holds in most rows. */
function provenColumn(header: Header, rows: readonly Row[], values: (CellValue | undefined)[][], places: Places, missing: number, evidence: Evidence): number | undefined {
  for (const [index, column] of header.columns.entries()) {
    if (column.field !== undefined) continue
    let right = 0
    let all = 0
    rows.forEach((row, position) => {
      const number = numbersIn(row.cells.get(index) ?? [], evidence)[0]
      const read = (place: number): number | undefined => (place === missing ? (number?.value as number | undefined) : (values[position]![place]?.value as number | undefined))
      const [quantity, price, amount] = [read(places.quantity), read(places.price), read(places.amount)]
      if (quantity === undefined || price === undefined || amount === undefined) return
      all++
      if (Math.abs(quantity * price - amount) <= Math.max(0.02, Math.abs(amount) * 0.002)) right++
    })
    if (all > 0 && right / all >= 0.6 && all >= rows.length / 2) return index
  }
  return undefined
}

/** «7,5 m» under «Menge Einheit» stands in either column or in both: the number is the quantity, the rest its unit. */
function shareOut(row: Row, first: number, second: number, values: (CellValue | undefined)[], quantity: number, unit: number, evidence: Evidence): void {
  const words = [...(row.cells.get(first) ?? []), ...(first === second ? [] : (row.cells.get(second) ?? []))]
  // «2 h»: alone, so that the unit is not read as the mark of a credit.
  const number = numbersIn(row.cells.get(first) ?? [], evidence)[0] ?? numbersIn(words, evidence)[0]
  if (!number) return
  const plain = number.words.length === 1 ? /^([-+]?[\d.,'’]+)(\p{L}+\.?)$/u.exec(number.words[0]!.text) : null
  const rest = words.filter((word) => !number.words.includes(word) && /\p{L}/u.test(word.text)).slice(0, 3)
  values[quantity] = { value: number.value, words: number.words }
  values[unit] = rest.length > 0 ? { value: textOf(rest), words: rest } : plain ? { value: plain[2]!, words: number.words } : undefined
}

function unitBeside(words: readonly Word[] | undefined, evidence: Evidence): CellValue | undefined {
  if (!words) return undefined
  const number = numbersIn(words, evidence)[0]
  if (!number) return undefined
  const rest = words.filter((word) => !number.words.includes(word) && /^[\p{L}²³µ°/().-]{1,15}$/u.test(word.text) && !/^x$/i.test(word.text)).slice(0, 2)
  return rest.length === 0 ? undefined : { value: textOf(rest), words: rest }
}

function rateInRow(header: Header, row: Row, evidence: Evidence): CellValue | undefined {
  for (const [index, column] of header.columns.entries()) {
    if (!meanings(column.text).includes('tax')) continue
    const number = numbersIn(row.cells.get(index) ?? [], evidence)[0]
    if (number && /%/.test(textOf(row.cells.get(index)!))) return { value: number.value, words: number.words }
  }
  return undefined
}

function readFromAny(field: Field, row: Row, evidence: Evidence): CellValue | undefined {
  for (const words of row.cells.values()) {
    if (field.element.format === 'text' && field.kind === 'number' && words.length <= 3) return { value: textOf(words), words: [...words] }
  const reading = readValue(field.kind, 'text', words, evidence)
    if (reading) return { value: reading.value, words: reading.words }
  }
  return undefined
}
