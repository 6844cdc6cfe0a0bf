import type { Evidence } from './evidence.ts'
import type { Field } from './field.ts'
import type { Column } from './list-content.ts'
import type { Row } from './list-rows.ts'
import { textOf } from './layout.ts'
import { maxBy } from './max-by.ts'
import { numbersIn } from './read-value.ts'

/** Three columns of numbers of which the first two make the third, by their places. */
type Product = { first: number; second: number; result: number }

/** Whether a product is the amount that is printed: prices are rounded. */
export function isAmount(product: number, amount: number): boolean {
  return Math.abs(product - amount) <= Math.max(0.015, Math.abs(amount) * 0.001)
}

/** Rows that say what the columns come to. */
const sampledRows = 40

/** In so many of the rows that have all three a product holds: others have no price, or are read wrong. */
const leastHolding = 0.6

/**
 * Gives quantity, price and amount columns by what they come to, before their values are read: the one that no head
 * names, and all three where heads call a factor an amount or the product a factor («Amount, Product, Price, Total»).
 */
export function settleByProducts(
  columns: readonly Column[],
  fields: readonly Field[],
  rows: readonly Row[],
  evidence: Evidence,
): void {
  const asked = ['quantity', 'unitPrice', 'lineAmount'].map((concept) =>
    fields.findIndex((field) => field.concept === concept),
  )
  if (asked.includes(-1)) return
  const named = asked.map((field) => columns.findIndex((column) => column.field === field)) as Named
  const open = [...columns.keys()].filter((at) => {
    const { field } = columns[at]!
    return field === undefined || asked.includes(field)
  })
  const numbers = rows.slice(0, sampledRows).map((row) => numbersOf(row, open, evidence))
  const products = productsOf(open, named).filter((product) => holds(product, numbers))
  const best = maxBy(products, (product) => agreement(product, named))
  if (best === undefined || !outweighs(best, named, numbers)) return
  const [quantity, price] = named
  const hasHead = (at: number): boolean => columns[at]!.text !== ''
  const isHeaded = [best.first, best.second].some((at) => hasHead(at) && (at === price || at === quantity))
  // Without heads a quantity stands before its price, or is the one without cents.
  const isTurned = isHeaded
    ? best.first === price || best.second === quantity
    : haveCents(best.first, numbers) && !haveCents(best.second, numbers)
  const factors = isTurned ? [best.second, best.first] : [best.first, best.second]
  for (const at of open) delete columns[at]!.field
  for (const [index, at] of [...factors, best.result].entries()) columns[at]!.field = asked[index]!
}

/** The columns of quantity, price and amount by their heads, -1 for none. */
type Named = [quantity: number, price: number, amount: number]

/** How many of the columns that heads name are the factors and the result of a product. */
function agreement({ first, second, result }: Product, [quantity, price, amount]: Named): number {
  return [quantity, price].filter((at) => at === first || at === second).length + Number(result === amount)
}

/**
 * Whether a product says more than the heads: where it fits them all, or proves that they mix up factors and result
 * and yet keeps one of them («Amount 30.00, Rate 0.92, EUR 27.60» behind a price is another sum).
 */
function outweighs(product: Product, named: Named, rows: readonly Numbers[]): boolean {
  const { first, second, result } = product
  const [quantity, price, amount] = named
  if (amount === first || amount === second || result === quantity || result === price) return tells(product, rows)
  return agreement(product, named) >= Math.max(2, named.filter((at) => at >= 0).length)
}

/** All that may be products and have at least one column in the place that its head gives it. */
function productsOf(columns: readonly number[], named: Named): Product[] {
  const found: Product[] = []
  for (const [at, first] of columns.entries())
    for (const second of columns.slice(at + 1))
      for (const result of columns) {
        const product = { first, second, result }
        if (result !== first && result !== second && agreement(product, named) > 0) found.push(product)
      }
  return found
}

/** The first number in each column of a row, which of them are printed with cents, and the percentages in it. */
type Numbers = { in: ReadonlyMap<number, number>; cents: ReadonlySet<number>; rates: readonly number[] }

function numbersOf(row: Row, columns: readonly number[], evidence: Evidence): Numbers {
  const found = new Map<number, number>()
  const cents = new Set<number>()
  const rates: number[] = []
  for (const [column, words] of row.cells) {
    const text = textOf(words)
    const isRate = text.includes('%')
    const number = isRate || columns.includes(column) ? numbersIn(words, evidence)[0] : undefined
    if (number === undefined) continue
    if (isRate) rates.push(Number(number.value))
    else found.set(column, Number(number.value))
    if (/[.,]\d{2}(?!\d)/.test(text)) cents.add(column)
  }
  return { in: found, cents, rates }
}

function haveCents(column: number, rows: readonly Numbers[]): boolean {
  return rows.filter(({ cents }) => cents.has(column)).length * 2 > rows.length
}

/** Whether the product of a row holds, with or without a discount that stands in it; undefined where one is missing. */
function holdsIn({ first, second, result }: Product, { in: of, rates }: Numbers): boolean | undefined {
  const [one, other, product] = [of.get(first), of.get(second), of.get(result)]
  if (one === undefined || other === undefined || product === undefined) return undefined
  // The sign of a credit stands on any of them.
  return [0, ...rates].some((rate) => isAmount(Math.abs(one * other * (1 - rate / 100)), Math.abs(product)))
}

function holds(product: Product, rows: readonly Numbers[]): boolean {
  const whole = rows.map((row) => holdsIn(product, row)).filter((one) => one !== undefined)
  return whole.length * 2 >= rows.length && whole.filter(Boolean).length >= leastHolding * Math.max(1, whole.length)
}

/** Whether a row proves it: 1 × 60 = 60 holds whichever of them is the price. */
function tells(product: Product, rows: readonly Numbers[]): boolean {
  const isTelling = (number: number): boolean => number !== 0 && Math.abs(number) !== 1
  return rows.some(
    (row) =>
      holdsIn(product, row) === true && [product.first, product.second].every((at) => isTelling(row.in.get(at)!)),
  )
}
