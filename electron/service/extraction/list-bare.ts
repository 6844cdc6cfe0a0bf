import type { SchemaElement } from '../../../shared/schema.ts'
import type { Evidence } from './evidence.ts'
import { understand, type Field } from './field.ts'
import { labelScorer } from './labels.ts'
import type { Row } from './list-rows.ts'
import type { CellValue } from './list-values.ts'
import { textOf, type Layout, type Line, type Word } from './layout.ts'
import { parseNumber } from './parse-value.ts'
import { numbersIn } from './read-value.ts'
import { meanings } from './words.ts'

type Item = { description: Word[]; amount: { value: number; words: Word[] }; quantity?: { value: number; words: Word[] }; price?: { value: number; words: Word[] }; lines: number[] }

const totals: SchemaElement[] = ['gross total', 'net total', 'tax amount', 'amount due', 'amount paid', 'change'].map((name) => ({ name, format: 'number', description: '' }))
const totalScore = labelScorer(totals.map((element) => understand(element, 'document')))

/**
 * Items of a receipt or letter without column heads: lines of text that end in an amount, directly above a total.
 * They are only believed when their amounts add up to a total that is printed below them.
 */
export function bareRows(fields: readonly Field[], layout: Layout, evidence: Evidence): { rows: Row[]; values: (CellValue | undefined)[][] } | undefined {
  const description = fields.findIndex((field) => field.element.format === 'text' && (field.concept === 'description' || field.concept === 'bookingText' || field.concept === 'articleNumber' || field.kind === 'text'))
  const isMoney = (field: Field): boolean => field.element.format === 'number' && field.kind === 'money'
  const total = fields.findIndex((field) => isMoney(field) && field.concept !== 'unitPrice')
  // A receipt's «price» is what its line ends in, when nothing else is asked for.
  const amount = total >= 0 ? total : fields.findIndex(isMoney)
  if (description < 0 || amount < 0) return undefined
  const { items, sums } = collect(layout, evidence)
  const proven = provenItems(items, sums)
  if (!proven) return undefined
  const rows = proven.map((item): Row => ({ cells: new Map(), lines: item.lines, bottom: 0, page: item.amount.words[0]!.page }))
  const values = proven.map((item) =>
    fields.map((field, index): CellValue | undefined => {
      if (index === description) return { value: textOf(item.description), words: item.description }
      if (index === amount) return item.amount
      if (field.concept === 'quantity' && field.element.format === 'number') return item.quantity
      if (field.concept === 'unitPrice' && field.element.format === 'number') return item.price ?? undefined
      return undefined
    }),
  )
  return { rows, values }
}

function provenItems(items: Item[], sums: number[]): Item[] | undefined {
  // A lead-in line may look like an item: the longest run that ends at the total and adds up is taken.
  for (let start = 0; start < items.length; start++) {
    const run = items.slice(start)
    const sum = run.reduce((total, item) => total + item.amount.value, 0)
    if (sums.some((printed) => Math.abs(printed - sum) < 0.015) && (run.length > 1 || sums.length > 1)) return run
  }
  return undefined
}

function collect(layout: Layout, evidence: Evidence): { items: Item[]; sums: number[] } {
  const items: Item[] = []
  const sums: number[] = []
  let waiting: Line | undefined
  let totalSeen = false
  for (const line of layout.lines) {
    const words = line.cells.flatMap((cell) => cell.words)
    const last = endAmount(words, evidence)
    const before = last ? words.filter((word) => word.box.x + word.box.width <= last.words[0]!.box.x + 1e-6) : words
    const label = textOf(before).replace(/[\d.,]+\s*%?|[€$£:()]|\b(?:EUR|CHF|USD|GBP)\b/gu, ' ').trim()
    const total = label !== '' && Math.max(...totalScore(meanings(label))) >= 0.6
    if (total && last) {
      sums.push(last.value)
      totalSeen = true
      continue
    }
    if (totalSeen) {
      if (last) sums.push(last.value)
      continue
    }
    if (!last) {
      if (/\p{L}{2}/u.test(line.text) && !/:$/.test(line.text)) waiting = line
      continue
    }
    const item = itemOf(before, last, waiting, line, evidence)
    if (item) items.push(item)
    waiting = undefined
  }
  return { items, sums }
}

function itemOf(before: Word[], amount: { value: number; words: Word[] }, waiting: Line | undefined, line: Line, evidence: Evidence): Item | undefined {
  const multiplied = multiplication(before, evidence)
  const text = before.filter((word) => !multiplied?.words.includes(word))
  const lines = [line.index]
  let description = text.filter((word) => /\p{L}/u.test(word.text) || text.length > 1)
  if (!description.some((word) => /\p{L}{2}/u.test(word.text))) {
    if (!waiting || line.index - waiting.index > 1) return undefined
    description = waiting.cells.flatMap((cell) => cell.words)
    lines.unshift(waiting.index)
  }
  if (/:$/.test(textOf(description))) return undefined
  let quantity = multiplied?.quantity
  let price = multiplied?.price
  if (!quantity && description.length > 1 && /^\d{1,3}x?$/.test(description[0]!.text)) {
    quantity = { value: Number.parseInt(description[0]!.text, 10), words: [description[0]!] }
    description = description.slice(1)
  }
  const inner = numbersIn(description.slice(1), evidence).filter((one) => one.quality === 1).at(-1)
  if (quantity && inner && !price && Math.abs((inner.value as number) * quantity.value - amount.value) < 0.011) {
    price = { value: inner.value as number, words: inner.words }
    description = description.filter((word) => !inner.words.includes(word))
  }
  return { description, amount, lines, ...(quantity ? { quantity } : {}), ...(price ? { price } : {}) }
}

/** «2 x 3,50» before or after the text. */
function multiplication(words: Word[], evidence: Evidence): { words: Word[]; quantity: { value: number; words: Word[] }; price?: { value: number; words: Word[] } } | undefined {
  const at = words.findIndex((word, index) => index > 0 && /^[x×X*]$/.test(word.text) && parseNumber(words[index - 1]!.text, evidence.numbers) !== null)
  if (at < 0) {
    const glued = words.findIndex((word) => /^\d{1,3}[x×]$/i.test(word.text))
    if (glued < 0) return undefined
    return { words: [words[glued]!], quantity: { value: Number.parseInt(words[glued]!.text, 10), words: [words[glued]!] } }
  }
  const quantity = parseNumber(words[at - 1]!.text, evidence.numbers)!
  const price = words[at + 1] ? parseNumber(words[at + 1]!.text, evidence.numbers) : null
  const used = price === null ? words.slice(at - 1, at + 1) : words.slice(at - 1, at + 2)
  return { words: used, quantity: { value: quantity, words: [words[at - 1]!] }, ...(price === null ? {} : { price: { value: price, words: [words[at + 1]!] } }) }
}

function endAmount(words: Word[], evidence: Evidence): { value: number; words: Word[] } | undefined {
  const tail = words.slice(-3)
  const trimmed = tail.length > 1 && /^[A-Z*]{1,2}$/.test(tail.at(-1)!.text) ? tail.slice(0, -1) : tail
  const number = numbersIn(trimmed, evidence).at(-1)
  if (!number || number.quality < 1 || !/[.,]\s?\d{2}/.test(textOf(number.words)) || number.words.at(-1) !== trimmed.at(-1)) return undefined
  return { value: number.value as number, words: number.words }
}
