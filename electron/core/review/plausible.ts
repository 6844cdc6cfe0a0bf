// In: records and the fields of their schema.
// Out: flags of what cannot well be right, whatever anybody wrote as a rule.
import { isValidIBAN } from 'ibantools'
import { inKind } from '../../../shared/domain/in-kind.ts'
import { meaningOf } from '../../../shared/domain/meaning.ts'
import type { Meaning } from '../../../shared/domain/meaning.ts'
import { pointerOf } from '../../../shared/domain/pointer.ts'
import { isRecord } from '../../../shared/domain/json.ts'
import type { ExtractedRecord } from '../../../shared/domain/result.ts'
import type { Flag, ImplausibleReason, Rule } from '../../../shared/domain/review.ts'
import type { SchemaElement, TextKind } from '../../../shared/domain/schema.ts'
import { bareNumber, isMasked, isVatId } from '../../../shared/domain/vat-id.ts'
import { numberOf } from './value.ts'

type Implausible = Extract<Flag, { code: 'implausible' }>
type Around = {
  /** What a rule checks already is not checked once more. */
  rules: readonly Rule[]
  usualAmount: (name: string) => number | null
}

/** Half of the smallest coin: each printed amount is rounded by at most so much. */
const halfCoin = 0.005 + 1e-9
/**
 * The highest rate of any value added tax is 27 % (Hungary); reduced rates and none make every share below possible.
 */
const highestRate = 0.3
/**
 * Discounts, freight and tips of the whole document are often no fields of the schema: up to this share of the rows
 * they may be what is between rows and total. Of 102 right documents with rows and totals 18 are flagged where nothing
 * may be between them, and 6 from 10 % on; the most that a discount was is 11 %.
 */
const unnamedShare = 0.15
/** Where the rows are a subtotal, tax, freight and tips do not double it, and discounts do not halve it. */
const farFromSubtotal = 2
/** So many times as much as what it is made of, or as the same field usually has, is another number. */
const farTooLarge = 1000
/** From nine digits on a number without decimals has the length of register, tax and account numbers. */
const shortestIdentifier = 100_000_000
/** With more amounts that may be part of a sum, some of them would add up by chance. */
const maxOtherAmounts = 4
const [firstYear, lastYear] = [1900, 2100]

/** Flags of one cause each. Fields whose meaning is not clear say nothing. Pure but for `usualAmount`. */
export function implausibleFlags(
  records: readonly ExtractedRecord[],
  elements: readonly SchemaElement[],
  around: Around,
): Implausible[] {
  const fields = withMeanings(elements)
  return records.flatMap((record, index) => [
    ...flagsAlone(record, fields, [index]),
    ...fields.flatMap(({ name, items }) =>
      rowsOf(record[name]).flatMap((row, at) => flagsAlone(row, items, [index, name, at])),
    ),
    ...amountFlags(record, index, fields, around),
  ])
}

type Field = Pick<SchemaElement, 'name' | 'format' | 'kind'> & { meaning: Meaning | null; items: Field[] }
type Tokens = readonly (string | number)[]
type Amount = { name: string; at: Tokens; value: number }

function withMeanings(elements: readonly SchemaElement[]): Field[] {
  return elements.map((element) => ({
    name: element.name,
    format: element.format,
    kind: element.kind,
    meaning: meaningOf(element),
    items: withMeanings(element.items ?? []),
  }))
}

function rowsOf(value: unknown): ExtractedRecord[] {
  return Array.isArray(value) ? value.filter((row): row is ExtractedRecord => isRecord(row)) : []
}

const checkedAlone = new Set<Meaning>(['date', 'iban', 'vat_id', 'rate'])

/** What is wrong with values whatever stands beside them. */
function flagsAlone(record: ExtractedRecord, fields: readonly Field[], at: Tokens): Implausible[] {
  return fields.flatMap(({ name, kind, meaning }) => {
    const value = record[name]
    const byMeaning = meaning !== null && checkedAlone.has(meaning) ? reasonAlone(meaning, value) : null
    const reason = byMeaning ?? (kind === undefined ? null : reasonOfKind(kind, value))
    return reason === null ? [] : [flagAt([...at, name], reason, value as string | number)]
  })
}

function amountFlags(
  record: ExtractedRecord,
  index: number,
  fields: readonly Field[],
  { rules, usualAmount }: Around,
): Implausible[] {
  const given = amountsOf(record, index, fields)
  const wrong = given.all.flatMap((amount) => sizeFlag(amount, given, usualAmount) ?? [])
  // What is no amount at all is left out of every sum: one cause, one flag.
  const sound = without(given, new Set(wrong.map(({ pointer }) => pointer)))
  const zero = zeroTotal(sound)
  const sums = zero
    ? [zero]
    : [taxTotal(sound, rules), taxMissing(sound), taxRate(sound), rowsTotal(sound, rules), balance(sound)]
  return [...wrong, ...sums.filter((flag) => flag !== null)]
}

function flagAt(
  at: Tokens,
  reason: ImplausibleReason,
  value: string | number,
  expected: number | null = null,
): Implausible {
  return { code: 'implausible', pointer: pointerOf(at), reason, value, expected }
}

function reasonAlone(meaning: Meaning, value: unknown): ImplausibleReason | null {
  if (meaning === 'rate') {
    const rate = numberOf(value)
    return rate !== null && (rate < 0 || rate > highestRate * 100) ? 'tax_rate' : null
  }
  if (typeof value !== 'string') return null
  if (meaning === 'date') return reasonOfDate(value.trim())
  const bare = bareNumber(value)
  if (!/^[A-Z]{2}[A-Z0-9]*\d[A-Z0-9]*$/.test(bare) || isMasked(value)) return null
  if (meaning === 'iban') return isValidIBAN(bare) ? null : 'iban'
  return isVatId(bare) === false ? 'vat_id' : null
}

const reasonsOfKinds: Record<TextKind, ImplausibleReason> = {
  date: 'no_date',
  iban: 'iban',
  currency: 'no_currency',
  vat_id: 'vat_id',
  email: 'no_email',
  code: 'too_long',
  document_type: 'too_long',
}

/** Why a value is none of its kind. */
function reasonOfKind(kind: TextKind, value: unknown): ImplausibleReason | null {
  if (value === null || value === undefined || value === '') return null
  // A number is a code that has lost its zeros at most.
  const text = typeof value === 'string' || kind === 'code' ? String(value) : ''
  const isHidden = (kind === 'iban' || kind === 'vat_id') && isMasked(text)
  return inKind(kind, text) === null && !isHidden ? reasonsOfKinds[kind] : null
}

/** Of a day that is written out in digits with its whole year; all else says nothing. */
function reasonOfDate(text: string): ImplausibleReason | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:T.*)?$/.exec(text)
  const printed = /^(\d{1,2})([./-])\s?(\d{1,2})\2\s?(\d{4})$/.exec(text)
  const readings = iso
    ? [[iso[1]!, iso[2]!, iso[3]!]]
    : printed
      ? [
          [printed[4]!, printed[3]!, printed[1]!],
          // Only a slash stands between a month and the day behind it.
          ...(printed[2] === '/' ? [[printed[4]!, printed[1]!, printed[3]!]] : []),
        ]
      : []
  if (readings.length === 0) return null
  const years = readings.map(([year]) => Number(year))
  if (!readings.some(([year, month, day]) => isDay(Number(year), Number(month), Number(day)))) return 'no_such_date'
  return years[0]! < firstYear || years[0]! > lastYear ? 'odd_date' : null
}

function isDay(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** The amounts of a record by what they are. `sums`: of each column of amounts of the one list that has some. */
type Amounts = {
  net: Amount[]
  tax: Amount[]
  gross: Amount[]
  /** Amounts that may be part of a sum: freight, discounts, tips, what was left to pay. */
  other: Amount[]
  opening: Amount[]
  closing: Amount[]
  /** Where the tax would stand; null where the schema does not ask for one. */
  taxAt: Tokens | null
  /** All totals, and of the rows what is large enough to be an identifier or to show that one is none. */
  all: Amount[]
  list: { name: string; at: Tokens; sums: number[]; rows: number } | null
}

function amountsOf(record: ExtractedRecord, index: number, fields: readonly Field[]): Amounts {
  const numbers = fields.flatMap((field): (Amount & { meaning: Meaning | null })[] => {
    const value = field.format === 'number' ? numberOf(record[field.name]) : null
    return value === null ? [] : [{ name: field.name, at: [index, field.name], value, meaning: field.meaning }]
  })
  const taxField = fields.find(({ format, meaning }) => format === 'number' && meaning === 'tax')
  const of = (meaning: Meaning | null): Amount[] => numbers.filter((each) => each.meaning === meaning)
  const lists = fields.flatMap(({ name, items }) => {
    const columns = items.filter(({ meaning }) => isTotal(meaning) || meaning === 'line_amount')
    const rows = rowsOf(record[name])
    return columns.length === 0 || rows.length === 0 ? [] : [{ name, columns, prices: items, rows }]
  })
  const [only, second] = lists
  const sums = (only?.columns ?? []).flatMap((column) => sumOf(only!.rows.map((row) => row[column.name])) ?? [])
  const cells = lists.flatMap(({ name, prices, rows }) =>
    prices
      .filter(({ meaning }) => isTotal(meaning) || meaning === 'line_amount' || meaning === 'unit_price')
      .flatMap((column) =>
        rows.flatMap((row, at): Amount[] => {
          const value = numberOf(row[column.name])
          const isSmall = value === null || Math.abs(value) < shortestIdentifier / farTooLarge
          return isSmall ? [] : [{ name: column.name, at: [index, name, at, column.name], value }]
        }),
      ),
  )
  const totals = [...of('net'), ...of('tax'), ...of('gross')]
  return {
    net: of('net'),
    tax: of('tax'),
    gross: of('gross'),
    other: [...of(null), ...of('line_amount'), ...of('opening_balance'), ...of('closing_balance')],
    taxAt: taxField === undefined ? null : [index, taxField.name],
    opening: of('opening_balance'),
    closing: of('closing_balance'),
    all: [...totals, ...cells],
    list:
      only === undefined || second !== undefined || sums.length === 0
        ? null
        : { name: only.name, at: [index, only.name], sums, rows: only.rows.length },
  }
}

function isTotal(meaning: Meaning | null): boolean {
  return meaning === 'net' || meaning === 'tax' || meaning === 'gross'
}

/** Empty cells add nothing; null where one holds something else than a number, or all are empty. */
function sumOf(cells: readonly unknown[]): number | null {
  const filled = cells.filter((cell) => cell !== null && cell !== undefined && cell !== '')
  const values = filled.map(numberOf)
  if (values.length === 0 || !values.every((value) => value !== null)) return null
  return Number(values.reduce((sum, value) => sum + value, 0).toPrecision(12))
}

function without(amounts: Amounts, doubted: ReadonlySet<string>): Amounts {
  const sound = (list: readonly Amount[]): Amount[] => list.filter(({ at }) => !doubted.has(pointerOf(at)))
  const { list } = amounts
  const isListSound = list !== null && ![...doubted].some((pointer) => pointer.startsWith(`${pointerOf(list.at)}/`))
  return {
    ...amounts,
    net: sound(amounts.net),
    tax: sound(amounts.tax),
    gross: sound(amounts.gross),
    list: isListSound ? list : null,
  }
}

/** A number that cannot be an amount: as long as an identifier, or far from everything that it could be made of. */
function sizeFlag(
  amount: Amount,
  { all, list }: Amounts,
  usualAmount: (name: string) => number | null,
): Implausible | null {
  const size = Math.abs(amount.value)
  // Whatever is a thousand times as large as an amount of one coin is more than this.
  if (size <= farTooLarge * 0.01) return null
  const isFar = (other: number): boolean => other !== 0 && size > farTooLarge * Math.abs(other)
  const isNear = (other: number): boolean => other !== 0 && !isFar(other)
  // In a row it is told by the totals and its neighbours.
  const usual = amount.at.length === 2 ? usualAmount(amount.name) : null
  if (
    Number.isInteger(amount.value) &&
    size >= shortestIdentifier &&
    !(usual !== null && isNear(usual)) &&
    // Of thousands of such amounts the first that are looked at are near one another.
    !all.some((other) => other !== amount && isNear(other.value))
  )
    return flagAt(amount.at, 'identifier', amount.value)
  const isBeyondRows = amount.at.length === 2 && list !== null && list.sums.every(isFar)
  return isBeyondRows || (usual !== null && isFar(usual)) ? flagAt(amount.at, 'too_large', amount.value) : null
}

/** Nothing to pay although there are rows or a net amount, and nothing that takes them back. */
function zeroTotal({ net, tax, gross, other, list }: Amounts): Implausible | null {
  if (gross.length === 0 || gross.some(({ value }) => value !== 0)) return null
  const parts = [...net.map(({ value }) => value), ...(list?.sums ?? [])].filter((value) => value !== 0)
  const sums = parts.flatMap((part) => [part, ...tax.map(({ value }) => part + value)])
  return parts.length === 0 || sums.some((sum) => isExplained(sum, halfCoin, other))
    ? null
    : flagAt(gross[0]!.at, 'zero_total', 0, parts[0]!)
}

/** Net and tax are the gross amount, with whatever else is printed among the amounts. */
function taxTotal({ net, tax, gross, other, list }: Amounts, rules: readonly Rule[]): Implausible | null {
  if (net.length === 0 || tax.length === 0 || gross.length === 0) return null
  const isRuled = rules.some(
    (rule) => rule.kind === 'sum' && gross.some(({ name }) => rule.total.length === 1 && rule.total[0] === name),
  )
  if (isRuled) return null
  const taxes = taxSums(tax)
  const fits = gross.some((total) =>
    net.some((part) =>
      taxes.some((sum) => isExplained(total.value - part.value - sum, halfCoin * (taxes.length + 2), other)),
    ),
  )
  if (fits) return null
  const [total, part, sum] = [gross[0]!, net[0]!, taxes[0]!]
  // Where the rows agree with the gross amount, the net amount is the odd one.
  const isNetOdd = list?.sums.some((rows) => Math.abs(rows + sum - total.value) < halfCoin * (list.rows + 2)) ?? false
  return isNetOdd
    ? flagAt(part.at, 'tax_total', part.value, cents(total.value - sum))
    : flagAt(total.at, 'tax_total', total.value, cents(part.value + sum))
}

/** Net and gross amount differ, and nothing says by what, though the schema asks for the tax. */
function taxMissing({ net, tax, gross, other, taxAt }: Amounts): Implausible | null {
  const [part, total] = [net[0], gross[0]]
  if (taxAt === null || tax.length > 0 || part === undefined || total === undefined) return null
  const fits = gross.some((one) => net.some(({ value }) => isExplained(one.value - value, 2 * halfCoin, other)))
  return fits ? null : flagAt(taxAt, 'tax_missing', '', cents(total.value - part.value))
}

/** All of it together first, then each: one schema asks for the sum beside its parts, another for the parts. */
function taxSums(tax: readonly Amount[]): number[] {
  const values = tax.map(({ value }) => value)
  return [values.reduce((sum, value) => sum + value, 0), ...(values.length > 1 ? values : [])]
}

function taxRate({ net, tax, gross }: Amounts): Implausible | null {
  if (tax.length === 0) return null
  const smallest = Math.min(...tax.map(({ value }) => Math.abs(value)))
  const base = net[0]?.value ?? (gross[0] === undefined ? null : gross[0].value - Math.sign(gross[0].value) * smallest)
  if (base === null || smallest <= Math.abs(base) * highestRate + halfCoin) return null
  const [first] = tax
  return flagAt(first!.at, 'tax_rate', first!.value, base === 0 ? null : cents(first!.value / base))
}

/**
 * The rows add up to the net amount, or to the gross amount where prices hold the tax; or to an amount of its own, as a
 * subtotal is.
 */
function rowsTotal({ net, tax, gross, other, list }: Amounts, rules: readonly Rule[]): Implausible | null {
  const total = net[0] ?? gross[0]
  if (list === null || total === undefined) return null
  if (rules.some((rule) => rule.kind === 'rows_sum' && rule.column[0] === list.name)) return null
  const taxes = tax.length === 0 ? [] : taxSums(tax)
  const totals = [...net, ...gross].map(({ value }) => value)
  const targets = totals.flatMap((value) => [value, ...taxes.flatMap((sum) => [value - sum, value + sum])])
  const tolerance = halfCoin * (list.rows + 1)
  // Without net and tax among the fields, tax is part of what nobody can name.
  const unnamed = net.length === 0 && tax.length === 0 ? highestRate : unnamedShare
  const fits = list.sums.some(
    (rows) =>
      targets.some(
        (target) => Math.abs(target - rows) <= Math.abs(rows) * unnamed || isExplained(target - rows, tolerance, other),
      ) ||
      (other.some(({ value }) => Math.abs(value - rows) < tolerance) &&
        totals.some((value) => value / rows > 1 / farFromSubtotal && value / rows < farFromSubtotal)),
  )
  return fits ? null : flagAt(list.at, 'rows_total', total.value, list.sums[0]!)
}

/** The bookings of a statement lead from its old balance to its new one, with whatever else is printed. */
function balance({ opening, closing, other, list }: Amounts): Implausible | null {
  const [from, to, sum] = [opening[0], closing[0], list?.sums[0]]
  // Of several columns of amounts nobody knows which are debits.
  if (from === undefined || to === undefined || list === null || sum === undefined || list.sums.length > 1) return null
  const others = other.filter((amount) => !opening.includes(amount) && !closing.includes(amount))
  // What a card was charged is printed as a debit, and is what is owed.
  const fits = [sum, -sum].some((bookings) =>
    isExplained(to.value - from.value - bookings, halfCoin * (list.rows + 2), others),
  )
  return fits ? null : flagAt(to.at, 'balance', to.value, cents(from.value + sum))
}

/** Whether a difference is nothing, or what some of the other amounts add or take away. */
function isExplained(difference: number, tolerance: number, others: readonly Amount[]): boolean {
  const values = others.map(({ value }) => value).filter((value) => value !== 0)
  if (values.length > maxOtherAmounts) values.length = maxOtherAmounts
  let sums = [difference]
  for (const value of values) sums = sums.flatMap((sum) => [sum, sum - value, sum + value])
  return sums.some((sum) => Math.abs(sum) < tolerance)
}

function cents(value: number): number {
  return Number(value.toPrecision(12))
}
