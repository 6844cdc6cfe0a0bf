import type { Evidence } from './evidence.ts'
import { isDescription, type Field } from './field.ts'
import { cellValue, isRowAmount, type CellValue, type CellValues } from './list-cell.ts'
import type { Header } from './list-header.ts'
import { settleByProducts } from './list-products.ts'
import { takeRanges } from './list-ranges.ts'
import type { Row } from './list-rows.ts'
import { carryDates, signed, takeLabelled } from './list-signs.ts'
import { asksForUnsigned } from './sign.ts'
import { textOf, type Word } from './layout.ts'
import { numbersIn, readValue } from './read-value.ts'
import { meanings } from './words.ts'
import { withoutEnd } from '../../../shared/domain/without-end.ts'

/** A table as it is read: `columnOf` and `belowOf` are the columns of each sub-field, -1 without one. */
type Table = {
  header: Header
  fields: readonly Field[]
  rows: readonly Row[]
  values: CellValues
  columnOf: number[]
  belowOf: readonly number[]
  evidence: Evidence
}

/** The value of each sub-field in each row; what no head names is derived where the row proves it. */
export function rowValues(
  header: Header,
  fields: readonly Field[],
  rows: readonly Row[],
  evidence: Evidence,
): CellValues {
  settleByProducts(header.columns, fields, rows, evidence)
  countBesideUnits(header, fields, rows, evidence)
  const columnOf = fields.map((_, index) => header.columns.findIndex((column) => column.field === index))
  const belowOf = fields.map((_, index) => header.columns.findIndex((column) => column.below === index))
  const values = rows.map((row) =>
    fields.map((field, index) => cellValue(field, wordsFor(row, header, columnOf[index]!, belowOf[index]!), evidence)),
  )
  takeRanges(header, fields, rows, values, columnOf, evidence)
  const table: Table = { header, fields, rows, values, columnOf, belowOf, evidence }
  takeSides(table)
  fillUnits(table)
  fillFromRows(table)
  takeBehindNumbers(table)
  takeFromTexts(table)
  carryDates(fields, values, columnOf)
  signed(header, fields, rows, values, columnOf)
  withoutSigns(fields, values)
  return values
}

/** The words of a row that answer a sub-field: those of its own column, or the further lines of another. */
function wordsFor(row: Row, header: Header, column: number, below: number): readonly Word[] | undefined {
  if (column < 0) return below < 0 ? undefined : linesOf(row.cells.get(below)).rest
  const words = row.cells.get(column)
  return header.columns[column]!.below === undefined ? words : linesOf(words).first
}

/** Whatever gave an amount its sign, it has none where the description wants none. */
function withoutSigns(fields: readonly Field[], values: CellValues): void {
  for (const [index, { element }] of fields.entries()) {
    if (!asksForUnsigned(element.description)) continue
    for (const row of values) {
      const cell = row[index]
      if (typeof cell?.value === 'number') row[index] = { ...cell, value: Math.abs(cell.value) }
    }
  }
}

/** Money out and money in in two columns make one signed amount. */
function takeSides({ header, fields, rows, values, columnOf, evidence }: Table): void {
  const sides = header.columns.filter((column) => sideOfMoney(column.text) !== undefined).length
  for (const [index, field] of fields.entries()) {
    const own = header.columns[columnOf[index]!]
    if (!isRowAmount(field) || (own && sides < 2)) continue
    const isSide = own !== undefined && sideOfMoney(own.text) !== undefined
    rows.forEach((row, at) => {
      const amount = signedAmount(header, row, evidence)
      values[at]![index] = isSide ? amount : (values[at]![index] ?? amount)
    })
  }
}

/**
 * «1,8 stuks» under «Stuks» is a quantity with its unit, though the head names units as well; then no column that is
 * only left over is one of units.
 */
function countBesideUnits(
  { columns }: Header,
  fields: readonly Field[],
  rows: readonly Row[],
  evidence: Evidence,
): void {
  const [quantity, unit] = placesOf(fields, ['quantity', 'unit'])
  const counts = columns.find(({ field }) => field === quantity)
  const units = columns.find(({ field }) => field === unit)
  if (quantity < 0 || unit < 0 || !units || !isCounted(rows, columns.indexOf(counts ?? units), evidence)) return
  if (!counts) units.field = quantity
  else if (!names(units.text, fields[unit]!)) delete units.field
}

/** Whether a head has all words of one of the labels of a sub-field. */
function names(head: string, { phrases }: Field): boolean {
  const words = new Set(meanings(head))
  return phrases.some((phrase) => phrase.words.every((word) => words.has(word)))
}

/** Units, and the quantities with which they share a column. */
function fillUnits({ header, fields, rows, values, columnOf, evidence }: Table): void {
  const [quantity, unit] = placesOf(fields, ['quantity', 'unit'])
  const column = columnOf[unit] ?? -1
  if (column < 0) return
  const counted = columnOf[quantity] ?? -1
  const isOfQuantities = meanings(header.columns[column]!.text).includes('quantity')
  rows.forEach((row, at) => {
    if (counted >= 0) shareOut(row, counted, column, values[at]!, quantity, unit, evidence)
    else if (isOfQuantities) values[at]![unit] = unitBeside(row.cells.get(column), evidence) ?? values[at]![unit]
  })
}

/** What no column answers, from the other cells of its row. */
function fillFromRows({ header, fields, rows, values, columnOf, evidence }: Table): void {
  const ofQuantity = columnOf[fields.findIndex((field) => field.concept === 'quantity')] ?? -1
  const isUnitOpen = fields.some(({ concept }, index) => concept === 'unit' && columnOf[index]! < 0)
  const counted = ofQuantity >= 0 ? ofQuantity : isUnitOpen ? countedColumn(header, fields, rows, evidence) : undefined
  const derived: Readonly<Record<string, (row: Row) => CellValue | undefined>> = {
    unit: (row) => (counted === undefined ? undefined : unitBeside(row.cells.get(counted), evidence)),
    currency: (row) => currencyInRow(row, evidence),
    taxRate: (row) => rateInRow(header, row, evidence),
  }
  for (const [index, { concept }] of fields.entries()) {
    const read = concept === undefined || columnOf[index]! >= 0 ? undefined : derived[concept]
    if (read) fill(values, index, rows, read)
  }
}

/** What a row is called, without a column of its own, stands behind the number in front of it («1 Preliminaries»). */
function takeBehindNumbers({ fields, values, columnOf, belowOf, rows }: Table): void {
  const open = fields.findIndex(
    (field, index) =>
      (isDescription(field) || field.concept === 'partyName') && columnOf[index]! < 0 && belowOf[index]! < 0,
  )
  if (open < 0 || values.some((row) => row[open])) return
  for (const [index, { element, concept }] of fields.entries()) {
    const column = columnOf[index]!
    // Behind a quantity stands its unit.
    if (element.format !== 'number' || concept === 'quantity' || column < 0) continue
    const behind = rows.map((row, at) => {
      const words = row.cells.get(column) ?? []
      const number = values[at]![index]?.words ?? []
      const rest = words.slice(number.length)
      const isBehind = number.length > 0 && number.every((word, place) => word === words[place])
      return isBehind && /\p{L}{3}/u.test(textOf(rest)) ? rest : []
    })
    if (behind.filter((words) => words.length > 0).length < 0.8 * rows.length) continue
    behind.forEach((words, at) => {
      if (words.length > 0) values[at]![open] = { value: textOf(words), words }
    })
    return
  }
}

/** Codes and labelled values that stand inside the texts of the rows. */
function takeFromTexts({ fields, rows, values, columnOf, belowOf, evidence }: Table): void {
  const code = fields.findIndex((field, index) => field.concept === 'articleNumber' && columnOf[index]! < 0)
  const text = fields.findIndex((field, index) => index !== code && isDescription(field))
  if (code >= 0 && text >= 0) values.forEach((row) => takeCode(row, text, code))
  if (text >= 0) takeCountBelow(fields, rows, values, columnOf, columnOf[text]!, evidence)
  for (const index of fields.keys()) {
    if (columnOf[index]! >= 0 || belowOf[index]! >= 0 || text === index) continue
    rows.forEach((row, at) => takeLabelled(row, values[at]!, text, index, fields, evidence))
  }
}

/** What a package holds, and no quantity that was bought («Flour» above «500 g»). */
const ofPackage = /^(?:g|gr|ml|cl|mm|cm)\.?$/iu

/** Tills print «2,00 kg» or «1.00» below the name of the article: that is how much of it, where most rows have that. */
function takeCountBelow(
  fields: readonly Field[],
  rows: readonly Row[],
  values: CellValues,
  columnOf: readonly number[],
  text: number,
  evidence: Evidence,
): void {
  const [quantity, unit] = placesOf(fields, ['quantity', 'unit'])
  const counts = rows.map((row) => countIn(linesOf(row.cells.get(text)).rest, evidence))
  if (counts.filter((count) => count !== undefined).length * 2 <= rows.length) return
  counts.forEach((count, at) => {
    if (quantity >= 0 && columnOf[quantity]! < 0) values[at]![quantity] ??= count?.number
    if (unit >= 0 && columnOf[unit]! < 0) values[at]![unit] ??= count?.unit
  })
}

/** A number with its unit, or with decimals: «4006381333931» counts nothing. */
function countIn(words: readonly Word[], evidence: Evidence): { number: CellValue; unit?: CellValue } | undefined {
  const number = words.length <= 2 ? numbersIn(words, evidence)[0] : undefined
  const unit = unitBeside(words, evidence)
  if (!number || number.words[0] !== words[0]) return undefined
  if (number.words.length + (unit?.words.length ?? 0) < words.length) return undefined
  if (unit ? ofPackage.test(String(unit.value)) : !/\d[.,]\d/.test(textOf(number.words))) return undefined
  return { number: { value: number.value, words: number.words }, ...(unit && { unit }) }
}

/** The words of a cell's first line, and those of the further ones. */
function linesOf(words: readonly Word[] = []): { first: Word[]; rest: Word[] } {
  const top = words[0]?.box
  const first = words.filter((word) => top !== undefined && word.box.y < top.y + 0.6 * top.height)
  return { first, rest: words.filter((word) => !first.includes(word)) }
}

/** Fills what is still open of a sub-field. */
function fill(
  values: CellValues,
  index: number,
  rows: readonly Row[],
  read: (row: Row) => CellValue | undefined,
): void {
  rows.forEach((row, at) => (values[at]![index] ??= read(row)))
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

const codeLabel =
  /^(?:\(?(?:art(?:ikel|icle|ículo)?|item|prod(?:uct|ukt)?|bestell|sku|r[ée]f(?:[ée]rence|erencia)?|ean|code|part)[-.\s]*(?:nr|no|n°|nummer|number|code)?\.?[-:.]*)$/iu

/** «Bürostuhl Art.-Nr. STU-7710» holds the article's number inside its description: it is moved to its own field. */
function takeCode(row: (CellValue | undefined)[], text: number, code: number): void {
  const words = row[text]?.words ?? []
  for (let at = 0; at < words.length - 1; at++) {
    const length = codeLabel.test(words[at]!.text)
      ? /^(?:nr|no|n°|number|nummer|code)\.?:?$/iu.test(words[at + 1]!.text)
        ? 2
        : 1
      : 0
    const value = words[at + length]
    if (length === 0 || !value || !/\d/.test(value.text) || value.text.length < 3) continue
    row[code] = { value: withoutEnd(value.text, /[),;.]/), words: [value] }
    const rest = words.filter((_, index) => index < at || index > at + length)
    if (rest.length > 0) row[text] = { value: textOf(rest), words: rest }
    return
  }
}

/** «7,5 m» under «Menge Einheit» stands in either column or in both: the number is the quantity, the rest its unit. */
function shareOut(
  row: Row,
  first: number,
  second: number,
  values: (CellValue | undefined)[],
  quantity: number,
  unit: number,
  evidence: Evidence,
): void {
  const words = [...(row.cells.get(first) ?? []), ...(first === second ? [] : (row.cells.get(second) ?? []))]
  // «2 h»: alone, so that the unit is not read as the mark of a credit.
  const number = numbersIn(row.cells.get(first) ?? [], evidence)[0] ?? numbersIn(words, evidence)[0]
  if (!number) return
  const plain = number.words.length === 1 ? /^([-+]?[\d.,'’]+)(\p{L}+\.?)$/u.exec(number.words[0]!.text) : null
  const rest = words.filter((word) => !number.words.includes(word) && /\p{L}/u.test(word.text)).slice(0, 3)
  values[quantity] = { value: number.value, words: number.words }
  values[unit] =
    rest.length > 0
      ? { value: textOf(rest), words: rest }
      : plain
        ? { value: plain[2]!, words: number.words }
        : undefined
}

/** The places of two sub-fields by what they mean, -1 for one that is not asked for. */
function placesOf(fields: readonly Field[], concepts: readonly [string, string]): [number, number] {
  return concepts.map((concept) => fields.findIndex((field) => field.concept === concept)) as [number, number]
}

/** Rows that say in which column numbers have a unit. */
const sampledRows = 40

/** Whether most rows have a number with a word behind it in a column. */
function isCounted(rows: readonly Row[], column: number, evidence: Evidence): boolean {
  const sampled = rows.slice(0, sampledRows)
  const counted = sampled.filter(({ cells }) => {
    const words = cells.get(column) ?? []
    const number = words.length === 2 ? numbersIn(words, evidence)[0] : undefined
    return number?.words[0] === words[0] && unitBeside(words, evidence) && !currencyOf(words, evidence)
  })
  return counted.length * 2 > sampled.length
}

/** The only column of numbers that have a word behind them, if there is one; no column of texts or days is. */
function countedColumn(
  { columns }: Header,
  fields: readonly Field[],
  rows: readonly Row[],
  evidence: Evidence,
): number | undefined {
  const often = [...columns.keys()].filter((column) => {
    const { field } = columns[column]!
    const canCount = field === undefined || fields[field]!.element.format === 'number'
    return canCount && isCounted(rows, column, evidence)
  })
  return often.length === 1 ? often[0] : undefined
}

function unitBeside(words: readonly Word[] | undefined, evidence: Evidence): CellValue | undefined {
  if (!words) return undefined
  const number = numbersIn(words, evidence)[0]
  if (!number) return undefined
  const rest = words
    .filter(
      (word) => !number.words.includes(word) && /^[\p{L}²³µ°/().-]{1,15}$/u.test(word.text) && !/^x$/i.test(word.text),
    )
    .slice(0, 2)
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

function currencyInRow(row: Row, evidence: Evidence): CellValue | undefined {
  for (const words of row.cells.values()) {
    const found = currencyOf(words, evidence)
    if (found) return found
  }
  return undefined
}

function currencyOf(words: readonly Word[], evidence: Evidence): CellValue | undefined {
  const reading = readValue('currency', 'text', words, evidence)
  return reading ? { value: reading.value, words: reading.words } : undefined
}
