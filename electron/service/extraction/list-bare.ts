import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { Evidence } from './evidence.ts'
import { isDescription, understand, type Field } from './field.ts'
import { labelScorer } from './labels.ts'
import type { Row } from './list-rows.ts'
import type { CellValue, CellValues } from './list-cell.ts'
import { textOf, wordsOf, type Layout, type Line, type Word } from './layout.ts'
import { parseNumber } from './parse-value.ts'
import { numbersIn } from './read-value.ts'
import { meanings } from './words.ts'

type Sold = Omit<Item, 'amount'> & { amount: Amount | undefined }
type Amount = { value: number; words: Word[] }
type Item = {
  description: Word[]
  /** Of what is charged by use, the text with how much at what price («Energy charge 463 kWh x 0.0691»). */
  fullText?: Word[] | undefined
  amount: Amount
  quantity?: Amount | undefined
  unit?: Word | undefined
  price?: Amount | undefined
  /** «B» in «0,89 B»: by which rate the till taxes the item. */
  taxCode?: Word | undefined
  lines: number[]
  page: number
  left: number
}
/** Items on following lines, and the amounts of the totals right below them. */
type Run = {
  items: Item[]
  totals: number[]
  afterTotal: boolean
  /** Lines of words alone above, between and below the items. */
  silent: Line[]
}

const totals: SchemaElement[] = ['gross total', 'net total', 'tax amount', 'amount due', 'amount paid', 'change'].map(
  (name) => ({ name, format: 'number', description: '' }),
)
const tender =
  /^(?:(?:visa|mastercard|master|maestro|girocard|amex|american express|ec[- ]?karte|kreditkarte|credit card|debit card|card|cash|bar|carte|cb|esp[eè]ces|tarjeta|efectivo|contactless|kontaktlos|v[ -]?pay)\b\s*)+/iu
const totalScore = labelScorer(totals.map((element) => understand(element, 'document')))

/**
 * Items of a receipt, letter or bill without column heads: lines of text that end in an amount. They are believed when
 * their amounts add up to an amount that is printed elsewhere, or, on a scan, when they stand as a column directly
 * above a total. The most items first.
 */
export function bareRows(
  fields: readonly Field[],
  layout: Layout,
  evidence: Evidence,
): { rows: Row[]; values: CellValues }[] {
  const description = fields.findIndex(
    (field) =>
      field.element.format === 'text' &&
      (isDescription(field) || field.concept === 'articleNumber' || field.kind === 'text'),
  )
  const isMoney = (field: Field): boolean => field.element.format === 'number' && field.kind === 'money'
  const total = fields.findIndex((field) => isMoney(field) && field.concept !== 'unitPrice')
  // A receipt's «price» is what its line ends in, when nothing else is asked for.
  const amount = total >= 0 ? total : fields.findIndex(isMoney)
  if (description < 0 || amount < 0) return []
  const { runs, printed } = collect(layout, evidence)
  const proven = longest(runs.map((run) => provenItems(run, printed)))
  const found: Sold[][] =
    proven.length > 0 ? proven : longest(runs.map((run) => columnOfItems(run, layout))).slice(0, 1)
  return found.map((items) => rowsOfItems(items, fields, description, amount))
}

function rowsOfItems(
  items: readonly Sold[],
  fields: readonly Field[],
  description: number,
  amount: number,
): { rows: Row[]; values: CellValues } {
  const asksForParts = fields.some(({ concept }) => concept === 'quantity' || concept === 'unitPrice')
  const rows = items.map((item): Row => ({ cells: new Map(), lines: item.lines, bottom: 0, page: item.page }))
  const values = items.map((item) =>
    fields.map((field, index): CellValue | undefined => {
      if (index === description) {
        const words = asksForParts ? item.description : (item.fullText ?? item.description)
        return { value: textOf(words), words }
      }
      if (index === amount) return item.amount
      if (field.element.format === 'number') {
        if (field.concept === 'quantity') return item.quantity
        return field.concept === 'unitPrice' ? item.price : undefined
      }
      const word = field.concept === 'unit' ? item.unit : field.concept === 'taxCode' ? item.taxCode : undefined
      return word && { value: word.text.replaceAll('*', ''), words: [word] }
    }),
  )
  return { rows, values }
}

const mostRuns = 4

function longest<T>(found: (T[] | undefined)[]): T[][] {
  return found
    .filter((items): items is T[] => items !== undefined)
    .sort((left, right) => right.length - left.length)
    .slice(0, mostRuns)
}

/** The items of a run that add up: to its total, or from three on to any amount printed on other lines. */
function provenItems(run: Run, printed: ReadonlyMap<number, number[]>): Item[] | undefined {
  const items = withoutGroups(run.items)
  // A lead-in line may look like an item: the longest run that ends at the total and adds up is taken.
  for (let start = 0; start < items.length; start++) {
    const part = items.slice(start)
    const sum = part.reduce((total, item) => total + item.amount.value, 0)
    const equal = (amount: number): boolean => Math.abs(amount - sum) < 0.015
    const product = part.length === 1 ? productOf(part[0]!) : undefined
    if (!run.afterTotal && product !== undefined && equal(product)) return part
    if (!run.afterTotal && run.totals.some(equal) && (part.length > 1 || run.totals.length > 1)) return part
    if (start > 0 || part.length < 3) continue
    const own = new Set(run.items.flatMap((item) => item.lines))
    if ([...printed].some(([line, amounts]) => !own.has(line) && amounts.some(equal))) return part
  }
  return undefined
}

function productOf({ quantity, price }: Item): number | undefined {
  return quantity && price && quantity.value !== 1 ? quantity.value * price.value : undefined
}

/** «Elastic Compute 245.60» above the lines that make up the 245.60 is the heading of a group, not an item. */
function withoutGroups(items: readonly Item[]): Item[] {
  return items.filter((item, index) => {
    let sum = 0
    for (
      let next = index + 1;
      next < items.length && items[next]!.description[0]!.box.x > item.description[0]!.box.x + 0.004;
      next++
    ) {
      sum += items[next]!.amount.value
      if (Math.abs(sum - item.amount.value) < 0.011) return false
    }
    return true
  })
}

/**
 * At least three items one below the other, amounts set in one column, with a total below them: the way of tills. Where
 * they come to less than the total, lines of words that stand like the items are items whose amount could not be read.
 */
function columnOfItems(run: Run, layout: Layout): Sold[] | undefined {
  // Only a misread digit excuses a sum that is wrong.
  const scanned = layout.pages.some((page) => page.number === run.items[0]!.page && page.origin === 'ocr')
  if (!scanned || run.afterTotal || run.totals.length === 0 || run.items.length < 2) return undefined
  const rights = run.items.map((item) => rightOf(item.amount.words)).sort((left, right) => left - right)
  const middle = rights[rights.length >> 1]!
  const items: Sold[] = run.items.filter((item) => Math.abs(rightOf(item.amount.words) - middle) < 0.05)
  const sum = run.items.reduce((total, item) => total + item.amount.value, 0)
  if (Math.max(...run.totals) > sum + 0.01) items.push(...unreadItems(run, middle, layout))
  items.sort((left, right) => left.lines[0]! - right.lines[0]!)
  const lines = items.at(-1)!.lines.at(-1)! - items[0]!.lines[0]! + 1
  return items.length >= 3 && items.length >= 0.5 * lines ? items : undefined
}

function unreadItems(run: Run, right: number, layout: Layout): Sold[] {
  const left = Math.min(...run.items.map((item) => item.left))
  const em = layout.pages.find((page) => page.number === run.items[0]!.page)?.em ?? 0.02
  const own = new Set(run.items.flatMap((item) => item.lines))
  const alike = run.silent.filter(
    (line) =>
      !own.has(line.index) &&
      Math.abs(line.box.x - left) < em &&
      (line.cells.length === 1 ||
        (line.cells.length === 2 &&
          /^\D?\d/.test(line.cells[1]!.text) &&
          Math.abs(rightOf(line.cells[1]!.words) - right) < 0.05)) &&
      !/:/.test(line.cells[0]!.text),
  )
  const found: Sold[] = []
  // Upwards from the first item the chain must not break, except by the line of a multiplication.
  let next = run.items[0]!.lines[0]!
  for (const line of [...alike].reverse()) {
    const inside = line.index > run.items[0]!.lines[0]!
    if (!inside && next - line.index > 2) break
    if (!inside) next = line.index
    found.push({
      description: line.cells[0]!.words,
      amount: undefined,
      lines: [line.index],
      page: line.page,
      left: line.box.x,
    })
  }
  return found
}

function rightOf(words: readonly Word[]): number {
  return words.at(-1)!.box.x + words.at(-1)!.box.width
}

/** What was found on the lines so far. */
type Scan = {
  runs: Run[]
  /** The amounts that lines end in, by the number of the line. */
  printed: Map<number, number[]>
  run?: Run
  /** A line of words that may be the text of the amount below it. */
  waiting: Line | undefined
  /** The page of the last total, and the line of the last item. */
  totalPage: number
  lastLine: number
  silent: Line[]
}

function collect(layout: Layout, evidence: Evidence): Scan {
  const scan: Scan = { runs: [], printed: new Map(), waiting: undefined, totalPage: 0, lastLine: -9, silent: [] }
  for (const line of layout.lines) {
    const words = wordsOf(line)
    const last = endAmount(words, evidence)
    if (!last) {
      takeWords(scan, line)
      takeMultiplication(itemAbove(scan, line), words, evidence)
      continue
    }
    scan.printed.set(line.index, [last.value])
    const before = words.filter((word) => word.box.x + word.box.width <= last.words[0]!.box.x + 1e-6)
    if (isTotal(before, last.value, scan) || (scan.run && scan.run.totals.length > 0 && line.page === scan.totalPage)) {
      scan.run?.totals.push(last.value)
      if (scan.run) scan.totalPage = line.page
    } else if (!takeMultiplication(itemAbove(scan, line), words, evidence) && !isMultiplication(before)) {
      const item = itemOf(before, last, scan.waiting, line, evidence)
      scan.waiting = undefined
      if (item) addItem(scan, { ...item, taxCode: last.taxCode }, line)
    }
  }
  return scan
}

/** Whether what stands before an amount calls it a total, or nothing does and there are items above it. */
function isTotal(before: readonly Word[], amount: number, scan: Scan): boolean {
  const text = textOf(before)
  const label = text.replace(/[\d.,]+\s*%?|[€$£:()]|\b(?:EUR|CHF|USD|GBP)\b/gu, ' ').trim()
  if (/^(?:EUR|CHF|USD|GBP|[€$£:*\s])*$/u.test(text) && scan.run) return true
  if (label === '') return false
  return (
    (Math.max(...totalScore(meanings(label))) >= 0.6 && !/^(?:pfand|leergut|consigne)/iu.test(label)) ||
    tender.test(label) ||
    /^(?:\S+ ){0,3}(?:total|summe|gesamt):?$/iu.test(label) ||
    (sumWord.test(label) && Math.abs(itemsOf(scan) - amount) < 0.015)
  )
}

/** «Total Electric Bill (Non-Taxable)»: a name that begins so is a sum where it is one. */
const sumWord = /^(?:total|totale|totaal|summe|gesamt|somme|suma|sum)\b/iu

/** What the items of the run come to. */
function itemsOf({ run }: Scan): number {
  return run ? run.items.reduce((sum, { amount }) => sum + amount.value, 0) : NaN
}

/** «2 x 1,29» alone: the amount of the line stands above or below. */
function isMultiplication(before: readonly Word[]): boolean {
  return /^\d[\d.,]*\s*\p{L}{0,3}\.?\s*[x×*@]$/iu.test(textOf(before))
}

/** The item on the line directly above. */
function itemAbove(scan: Scan, line: Line): Item | undefined {
  return line.index - scan.lastLine === 1 ? scan.run?.items.at(-1) : undefined
}

function takeWords(scan: Scan, line: Line): void {
  if (!/\p{L}{2}/u.test(line.text) || /:$/.test(line.text)) return
  scan.waiting = line
  scan.silent.push(line)
  if (scan.run?.totals.length === 0) scan.run.silent.push(line)
}

/** Adds an item to the run it stands in, or begins a new run. */
function addItem(scan: Scan, item: Item, line: Line): void {
  if (!scan.run || scan.run.totals.length > 0 || line.index - scan.lastLine > 4) {
    scan.run = {
      items: [],
      totals: [],
      afterTotal: scan.totalPage === line.page,
      silent: scan.silent.filter((one) => one.page === line.page).slice(-12),
    }
    scan.runs.push(scan.run)
  }
  scan.run.items.push(item)
  scan.lastLine = line.index
}

/** «2 x 1,29» on the line below an item of 2,58 tells its quantity and price. */
function takeMultiplication(item: Item | undefined, words: Word[], evidence: Evidence): boolean {
  const found = !item || item.quantity ? undefined : multiplication(words, evidence, item.amount.value)
  if (!item || !found?.price || Math.abs(found.quantity.value * found.price.value - item.amount.value) > 0.015)
    return false
  item.quantity = found.quantity
  item.price = found.price
  item.unit = found.unit
  return true
}

/** What is sold by weight, by volume or by the piece says so only beside its price. */
const unitOfGoods = /^(?:k?g|lbs?|oz|[cm]?l|m|st(?:k|ck|ück)?|pcs?|pz|uds?|ea|x)\.?$/iu

const isOfGoods = (unit: Word | undefined): boolean => !unit || unitOfGoods.test(unit.text)

function itemOf(
  before: Word[],
  amount: Amount,
  waiting: Line | undefined,
  line: Line,
  evidence: Evidence,
): Item | undefined {
  const multiplied = multiplication(before, evidence, amount.value)
  const text = before.filter((word) => !multiplied?.words.includes(word))
  const lines = [line.index]
  let description = text.filter((word) => /\p{L}/u.test(word.text) || text.length > 1)
  if (!description.some((word) => /\p{L}{2}/u.test(word.text))) {
    if (!waiting || line.index - waiting.index > 1) return undefined
    description = wordsOf(waiting)
    lines.unshift(waiting.index)
  }
  if (/:$/.test(textOf(description))) return undefined
  let quantity = multiplied?.quantity
  let price = multiplied?.price
  if (!quantity && description.length > 1 && /^\d{1,3}x?$/.test(description[0]!.text)) {
    quantity = { value: Number.parseInt(description[0]!.text, 10), words: [description[0]!] }
    description = description.slice(1)
  }
  if (quantity && !price) {
    price = innerPrice(description, quantity.value, amount.value, evidence)
    description = description.filter((word) => !price?.words.includes(word))
  }
  return {
    description,
    fullText: isOfGoods(multiplied?.unit) ? undefined : before,
    amount,
    lines,
    page: line.page,
    left: line.box.x,
    quantity,
    unit: multiplied?.unit,
    price,
  }
}

/** The number inside a text that makes the amount with the quantity. */
function innerPrice(text: readonly Word[], quantity: number, amount: number, evidence: Evidence): Amount | undefined {
  const inner = numbersIn(text.slice(1), evidence).findLast((one) => one.quality === 1)
  return inner && Math.abs((inner.value as number) * quantity - amount) < 0.011
    ? { value: inner.value as number, words: inner.words }
    : undefined
}

/**
 * «2 x 3,50» before or after the text, «49,88 l x 1,769 €/l»; of two numbers before the sign the one that makes the
 * amount.
 */
function multiplication(
  words: Word[],
  evidence: Evidence,
  amount: number,
): { words: Word[]; quantity: Amount; unit?: Word; price?: Amount } | undefined {
  const read = (at: number): number | null => (words[at] ? parseNumber(words[at].text, evidence.numbers) : null)
  const at = words.findIndex(
    (word, index) =>
      index > 0 &&
      /^[x×X*@]$/.test(word.text) &&
      (read(index - 1) !== null || (read(index - 2) !== null && words[index - 1]!.text.length <= 4)),
  )
  if (at < 0) {
    const glued = words.findIndex((word) => /^\d{1,3}[x×]$/i.test(word.text))
    if (glued < 0) return undefined
    return {
      words: [words[glued]!],
      quantity: { value: Number.parseInt(words[glued]!.text, 10), words: [words[glued]!] },
    }
  }
  const price = read(at + 1)
  // «600 x 1000 mm» inside a text is a size.
  const makes = (index: number): boolean =>
    read(index) !== null && price !== null && Math.abs(read(index)! * price - amount) < 0.015
  const from = read(at - 1) === null || (!makes(at - 1) && makes(at - 2)) ? at - 2 : at - 1
  if (from > 0 && !makes(from)) return undefined
  const rest = words.slice(at + 2).findIndex((word) => !/^[€$£]?\/?\p{L}{0,4}$|\/\S{1,4}$/u.test(word.text))
  const used = price === null ? words.slice(from, at + 1) : words.slice(from, at + 2 + (rest < 0 ? words.length : rest))
  return {
    words: used,
    quantity: { value: read(from)!, words: [words[from]!] },
    ...(from === at - 2 && /^\p{L}/u.test(words[at - 1]!.text) ? { unit: words[at - 1]! } : {}),
    ...(price === null ? {} : { price: { value: price, words: [words[at + 1]!] } }),
  }
}

function endAmount(words: Word[], evidence: Evidence): (Amount & { taxCode: Word | undefined }) | undefined {
  const tail = words.slice(-4)
  // «0,85 A *»: the kind of tax and a remark.
  const marks = tail.toReversed().findIndex(({ text }) => !/^[A-Z*]{1,2}$/.test(text))
  const trimmed = marks > 0 && marks < 3 ? tail.slice(0, -marks) : tail
  const taxCode = tail.slice(trimmed.length).find(({ text }) => /\p{L}/u.test(text))
  const number = numbersIn(trimmed, evidence).at(-1)
  if (
    !number ||
    number.quality < 1 ||
    !/[.,]\s?\d{2}/.test(textOf(number.words)) ||
    number.words.at(-1) !== trimmed.at(-1)
  )
    return undefined
  return {
    value: number.value as number,
    words: number.words,
    taxCode,
  }
}
