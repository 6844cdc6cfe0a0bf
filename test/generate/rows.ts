import { addDays } from './formats.ts'
import { dateFact, fillPattern, makeFact, moneyFact, numberFact, rateFact, roundCents, textFact } from './facts.ts'
import type { Fact, Scene } from './facts.ts'
import { makeCompany, personName } from './parties.ts'
import type { Random } from './random.ts'
import type { Section } from './sections.ts'
import { namesOf, wordsOf } from './words.ts'

/** A list as a document prints it: its columns in order, and rows of facts; a cell may be empty. */
export type List = {
  name: string
  columns: string[]
  rows: Record<string, Fact>[]
  /** The rate of tax of each row, printed or not. */
  rates: number[]
  /** Of accounts: how their lines are grouped. */
  groups?: Group[]
  /** Groups of rows under what they have in common. */
  sections?: Section[]
  /** What stands in the cells of another column. */
  joined?: Joined | undefined
}

/** What has no column of its own: an article's number before its text, a sign behind a result. */
export type Joined = { name: string; host: string; isBehind: boolean }

/**
 * Lines of accounts under a heading: from the first to the one before `to`. The line `sum` is what they come to; it
 * has no text of its own where it is not `named`.
 */
export type Group = { heading: string; from: number; to: number; sum: number | undefined; named: boolean }

/** Columns of each kind of list; `?` stands sometimes, `|` is one of several ways to print it. */
const lists: Record<string, string> = {
  items:
    'position? article_number? description! quantity! unit? unit_price! discount_percent? row_tax_rate? row_amount!',
  delivered: 'position? article_number! description! quantity! unit? quantity_delivered?',
  goods: 'description! quantity? unit? unit_price? row_amount! tax_code?',
  packages: 'position? package_kind! description! quantity! weight! dimensions?',
  transactions: 'date! value_date? description! debit|signed_amount! credit|signed_amount! balance?',
  card_transactions: 'date! value_date? description! place? signed_amount!',
  earnings: 'code? description! hours? unit_price? row_amount!',
  readings: 'serial_number? description! previous_reading! present_reading! quantity! unit_price? row_amount?',
  charges: 'date? description! quantity? unit_price? row_amount!',
  coverages: 'coverage! limit! row_premium!',
  tax_lines: 'description! row_amount!',
  departures: 'start_time! line! destination! end_time? platform?',
  prices: 'article_number! description! unit? unit_price!',
  open_invoices: 'row_invoice! date! row_due! row_amount!',
  expenses: 'position? date! category! description? row_amount!',
  results: 'analyte! result! flag? measure_unit! reference_range!',
  inventory: 'position? serial_number! description! quantity! place! condition? row_amount?',
  customs_goods: 'position! hs_code! description! origin! weight! row_amount!',
  treatments: 'date! code! description! factor? row_amount!',
  berths: 'vessel! berth! date! start_time? length?',
  spots: 'position? date! start_time? program! spot_length? spots! unit_price! row_amount!',
  accounts: 'account! account_amount! account_before!',
}

/** The place of the further lines of a text. */
export const moreOf = (key: string): string => `${key}/more`

export type RowOptions = { vatRates: number[]; sign: 1 | -1; gross: boolean; count: number }

/** The columns that a template prints of a list: always the same, drawn from the template's chances. */
export function columnsOf(
  list: string,
  { chance, pick }: { chance: (share: number) => boolean; pick: <T>(from: readonly T[]) => T },
): string[] {
  const signed = chance(0.5)
  const columns = lists[list]!.split(' ').flatMap((entry) => {
    const name = entry.replace(/[!?]$/, '')
    if (name.includes('|')) return [name.split('|')[signed ? 1 : 0]!]
    return entry.endsWith('!') || chance(0.45) ? [name] : []
  })
  const unique = [...new Set(columns)]
  // Some print the quantity first.
  const at = unique.indexOf('quantity')
  if (at > 0 && unique.includes('unit_price') && chance(0.25)) {
    const moved = unique.filter((name) => name !== 'quantity')
    moved.splice(pick([0, 1]), 0, 'quantity')
    return moved
  }
  return unique
}

/** Some print what a price comes to after its discount, and the tax of each row. */
export function withMoreAmounts(columns: readonly string[], random: Random): string[] {
  const [showsNet, showsTax] = [random.chance(0.4), random.chance(0.35)]
  return columns.flatMap((name) => [
    ...(name === 'row_amount' && showsTax && columns.includes('row_tax_rate') ? ['row_tax'] : []),
    name,
    ...(name === 'discount_percent' && showsNet && columns.includes('unit_price') ? ['net_price'] : []),
  ])
}

/** What a template prints in the cells of another column. */
export function joinedIn(columns: readonly string[], { patterns }: Pick<Scene, 'patterns'>): Joined | undefined {
  const code = ['article_number', 'code'].find((name) => columns.includes(name))
  const isOneWord = code === 'code' || !/\s/.test(patterns('article_number'))
  if (code && isOneWord && columns.includes('description')) return { name: code, host: 'description', isBehind: false }
  return columns.includes('flag') ? { name: 'flag', host: 'result', isBehind: true } : undefined
}

export function makeRows(list: string, columns: string[], scene: Scene, options: RowOptions): List {
  if (list === 'accounts') return makeAccounts(columns, scene)
  const state: RowState = {
    index: 0,
    balance: roundCents(scene.random.int(20_000, 900_000) / 100),
    date: addDays(scene.today, -40),
    stacks: scene.random.chance(0.5),
  }
  const rates: number[] = []
  const rows = Array.from({ length: options.count }, (_, index) => {
    state.index = index
    state.date = addDays(state.date, scene.random.int(0, 4))
    const rate = scene.random.pick(options.vatRates)
    rates.push(rate)
    const all = rowOf(list, scene, { ...options, vatRates: [rate] }, state)
    return Object.fromEntries(columns.flatMap((name) => (all[name] ? [[name, all[name]]] : [])))
  })
  return { name: list, columns, rows, rates }
}

/** `stacks`: the texts of bookings stand in several lines. */
type RowState = { index: number; balance: number; date: string; stacks: boolean }
type Row = Record<string, Fact>

function rowOf(list: string, scene: Scene, options: RowOptions, state: RowState): Row {
  const { random } = scene
  const common: Row = {
    position: textFact('position', String(state.index + 1)),
    date: dateFact('date', state.date, scene),
    value_date: dateFact('value_date', addDays(state.date, random.int(0, 2)), scene),
    start_time: { ...makeFact('time', scene), name: 'start_time' },
    end_time: { ...makeFact('time', scene), name: 'end_time' },
    place: textFact('place', random.pick(wordsOf('places', scene.formats.language))),
  }
  if (list === 'transactions' || list === 'card_transactions') return { ...common, ...transactionRow(scene, state) }
  if (list === 'results') return resultRow(scene, state)
  if (list === 'readings') return { ...common, ...readingRow(scene) }
  const row = { ...common, ...goodsRow(list, scene, options), ...otherCells(list, scene, state) }
  return withDetails.has(list) && scene.tellsMore ? { ...row, description: detailed(row, scene, state) } : row
}

const withDetails = new Set(['items', 'delivered', 'packages', 'charges', 'inventory', 'treatments'])

/** The text of a row, for most of them with a further line that is a part of it. */
function detailed({ description }: Row, scene: Scene, { index }: RowState): Fact {
  const { formats, today } = scene
  const random = scene.random.fork(`details ${index}`)
  if (!random.chance(0.6)) return description!
  const day = (): string => dateFact('date', addDays(today, -random.int(1, 60)), scene).parts[0]!.text
  const more = random
    .pick(wordsOf('details', formats.language))
    .replaceAll('{date}', day)
    .replace('{n}', String(random.int(2, 48)))
    .replace('{town}', random.pick(namesOf('town', formats.language)))
  const lines = [String(description!.value), more]
  return { ...textFact('description', lines.join(' ')), lines }
}

/** How many at what price: much is bought of what is cheap. */
function bought(list: string, random: Random): { quantity: number; price: number; isWhole: boolean } {
  const isGoods = list === 'goods'
  const isWhole = list === 'spots' || random.chance(isGoods ? 0.92 : 0.8)
  const price = isGoods
    ? random.int(45, 3900) / 100
    : roundCents(random.chance(0.7) ? random.int(90, 24_000) / 100 : random.int(100, 4800))
  const most = isGoods ? random.pick([1, 1, 1, 2, 4]) : price < 60 && random.chance(0.4) ? 400 : 12
  const quantity = isWhole ? random.int(1, most) : random.int(3, most * 10) / 10
  return { quantity, price, isWhole }
}

function goodsRow(list: string, scene: Scene, { vatRates, sign, gross }: RowOptions): Row {
  const { random, formats } = scene
  const { quantity, price, isWhole } = bought(list, random)
  const discount = random.chance(0.3) ? random.pick([5, 10, 15, 20]) : 0
  const [rate = 0] = vatRates
  const plain = scene.formats.money === 'before' && random.chance(0.5) ? 'before' : 'none'
  const amount = roundCents(sign * quantity * price * (gross ? 1 : 1 - discount / 100))
  return {
    article_number: textFact(
      'article_number',
      fillPattern(scene.patterns('article_number'), scene.today.slice(0, 4), random),
    ),
    description: textFact('description', articleOf(list, scene)),
    quantity: numberFact(
      'quantity',
      sign * quantity,
      scene,
      isWhole ? (scene.patterns('decimals').length > 4 ? 2 : 0) : 1,
    ),
    unit: textFact('unit', random.pick(wordsOf('units', formats.language))),
    unit_price: moneyFact('unit_price', price, scene, plain),
    discount_percent: numberFact(
      'discount_percent',
      discount,
      scene,
      0,
      discount > 0 && random.chance(0.5) ? '%' : undefined,
    ),
    row_tax_rate: rateFact('row_tax_rate', rate, scene, random.chance(0.6) ? '%' : undefined),
    net_price: moneyFact('net_price', roundCents(price * (1 - discount / 100)), scene, plain),
    row_tax: moneyFact('row_tax', roundCents((amount * rate) / 100), scene, plain),
    row_amount: moneyFact('row_amount', amount, scene, plain),
    tax_code: textFact('tax_code', taxCodes[scene.patterns('tax_code').length % taxCodes.length]![rate > 12 ? 0 : 1]),
    row_premium: moneyFact('row_premium', price, scene, plain),
    limit: moneyFact('limit', random.int(5, 500) * 10_000, scene, plain),
    quantity_delivered: numberFact('quantity_delivered', Math.max(1, Math.floor(quantity)), scene, 0),
    weight: numberFact('weight', random.int(10, 9000) / 10, scene, 1, random.chance(0.4) ? 'kg' : undefined),
    hours: numberFact('hours', random.int(10, 340) / 2, scene, 2),
    previous_reading: numberFact('previous_reading', random.int(1000, 90_000), scene, 0),
    spots: numberFact('spots', quantity, scene, 0),
  }
}

/** How tills mark the usual rate of tax and the reduced one, or none. */
const taxCodes = [
  ['A', 'B'],
  ['1', '2'],
  ['B', 'A'],
  ['SR', 'ZR'],
  ['T', 'N'],
] as const

const articleLists: Record<string, string> = {
  goods: 'goods',
  earnings: 'earnings',
  coverages: 'coverages',
  tax_lines: 'tax_lines',
  charges: 'charges',
  treatments: 'treatments',
}

function articleOf(list: string, { random, formats, longTexts }: Scene): string {
  const words = wordsOf(articleLists[list] ?? 'articles', formats.language)
  const first = random.pick(words)
  if (longTexts && list !== 'goods' && random.chance(0.7))
    return [first, ...random.sample(words, random.int(1, 3))].join(random.pick([', ', ' / ', ' ']))
  if (articleLists[list] || random.chance(0.7)) return first
  return `${first}${random.pick([', ', ' – ', ' / ', ' + '])}${random.pick(words)}`
}

function otherCells(list: string, scene: Scene, state: RowState): Row {
  const { random, formats, today } = scene
  const text = (name: string, value: string): [string, Fact] => [name, textFact(name, value)]
  const pattern = (value: string): string => fillPattern(value, today.slice(0, 4), random)
  return Object.fromEntries([
    text('package_kind', random.pick(wordsOf('package_kinds', formats.language))),
    text('dimensions', pattern('##0x##0x##').replace(/0x/g, ' x ')),
    text('hs_code', pattern(random.pick(['########', '#### ## ##', '####.##.##']))),
    text('origin', random.pick(namesOf('country', formats.language))),
    text('coverage', random.pick(wordsOf('coverages', formats.language))),
    text('line', pattern(random.pick(['S#', 'IC ###', 'RE ##', '##', 'N#']))),
    text('destination', random.pick(namesOf('town', formats.language))),
    text('platform', String(random.int(1, 14))),
    text('row_invoice', pattern(scene.patterns('invoice_number'))),
    ['row_due', dateFact('row_due', addDays(state.date, 30), scene)],
    text('category', random.pick(wordsOf('categories', formats.language))),
    text('serial_number', pattern(scene.patterns('serial_number'))),
    text('condition', random.pick(wordsOf('conditions', formats.language))),
    text('code', pattern(list === 'earnings' ? '####' : random.pick(['##', '###', '#####', '####']))),
    ['factor', numberFact('factor', random.pick([1, 1.15, 1.8, 2.3, 3.5]), scene, 2)],
    text('vessel', random.pick(namesOf('vessel', formats.language))),
    text('berth', pattern(random.pick(['A##', '##', '##-#']))),
    ['length', numberFact('length', random.int(60, 3990) / 10, scene, 1)],
    text('program', random.pick(wordsOf('programs', formats.language))),
    text('spot_length', random.pick([':30', ':15', ':60', '30', '20'])),
  ])
}

function transactionRow(scene: Scene, state: RowState): Row {
  const { random, formats } = scene
  const text = random
    .pick(wordsOf('transactions', formats.language))
    .replace('{company}', makeCompany(formats, random).name)
    .replace('{person}', personName(formats.language, random))
    .replace('{town}', random.pick(namesOf('town', formats.language)))
  const isCredit = random.chance(0.3)
  const amount = roundCents(random.int(150, 250_000) / 100)
  state.balance = roundCents(state.balance + (isCredit ? amount : -amount))
  const money = scene.formats.money === 'before' ? 'before' : 'none'
  return {
    description: bookingFact(text, scene, state),
    ...(isCredit
      ? { credit: moneyFact('credit', amount, scene, money) }
      : { debit: moneyFact('debit', amount, scene, money) }),
    signed_amount: moneyFact('signed_amount', isCredit ? amount : -amount, scene, money),
    balance: moneyFact('balance', state.balance, scene, money),
  }
}

/** A booking as banks print it: its kind, whom it concerns and what for, often one below the other. */
function bookingFact(text: string, scene: Scene, { index, stacks }: RowState): Fact {
  const { random, today } = scene
  if (!stacks) return textFact('description', text)
  const [first = text, ...rest] = text.split(' ')
  const lines = [
    first,
    ...(rest.length > 0 ? [rest.join(' ')] : []),
    ...(index % 3 === 0
      ? [fillPattern(random.pick(['RE ######', 'REF ####-##', '##.## ##:## ####']), today, random)]
      : []),
  ]
  return { ...textFact('description', lines.join(' ')), lines }
}

/** How laboratories mark what is too low and too high. */
const flags = [
  ['L', 'H'],
  ['-', '+'],
  ['*', '*'],
  ['LOW', 'HIGH'],
] as const

const analyses: [low: number, high: number, unit: string, decimals: number][] = [
  [12, 17, 'g/dl', 1],
  [70, 110, 'mg/dl', 0],
  [0.5, 1.2, 'mg/dl', 2],
  [120, 240, 'mg/dl', 0],
  [135, 145, 'mmol/l', 0],
  [3.5, 5.1, 'mmol/l', 1],
  [0.3, 4.2, 'mU/l', 2],
  [30, 300, 'ng/ml', 0],
  [0, 5, 'mg/l', 1],
  [4, 10, '10^9/l', 1],
]

function resultRow(scene: Scene, { index }: RowState): Row {
  const names = wordsOf('analytes', scene.formats.language)
  const [low, high, unit, decimals] = analyses[index % analyses.length]!
  const found = Number(Math.max(0, low + (scene.random.next() * 1.5 - 0.2) * (high - low)).toFixed(decimals))
  const range = [low, high].map((value) => numberFact('', value, scene, decimals).parts[0]!.text).join(' - ')
  const [below, above] = flags[scene.patterns('flag').length % flags.length]!
  const flag = found < low ? below : found > high ? above : undefined
  return {
    analyte: textFact('analyte', names[index % names.length]!),
    result: numberFact('result', found, scene, decimals),
    ...(flag !== undefined && { flag: textFact('flag', flag) }),
    measure_unit: textFact('measure_unit', unit),
    reference_range: textFact('reference_range', range),
  }
}

function readingRow(scene: Scene): Row {
  const { random, today, formats } = scene
  const before = random.int(1000, 80_000)
  const used = random.int(50, 4000)
  const price = random.int(800, 4200) / 10_000
  return {
    serial_number: textFact('serial_number', fillPattern('##########', today, random)),
    description: textFact('description', random.pick(wordsOf('tariff', formats.language))),
    previous_reading: numberFact('previous_reading', before, scene, 0),
    present_reading: numberFact('present_reading', before + used, scene, 0),
    quantity: numberFact('quantity', used, scene, 0, random.chance(0.4) ? 'kWh' : undefined),
    unit_price: numberFact('unit_price', price, scene, 4),
    row_amount: moneyFact('row_amount', used * price, scene, 'none'),
  }
}

/** A balance sheet or what is like it: lines in groups, each with an amount of this period and of the one before. */
function makeAccounts(columns: string[], scene: Scene): List {
  const { random, formats } = scene
  const headings = random.sample(wordsOf('account_groups', formats.language), random.int(1, 5))
  const texts = random.shuffle(wordsOf('account_lines', formats.language))
  const decimals = random.chance(0.6) ? 0 : 2
  const isNumbered = random.chance(0.3)
  const largest = random.pick([9_000, 90_000, 900_000, 90_000_000])
  const sums = random.pick(['none', 'bare', 'bare', 'named'] as const)
  const rows: List['rows'] = []
  const add = (text: string, amounts: readonly number[]): void => {
    const facts = [textFact('account', text)]
    for (const [at, name] of ['account_amount', 'account_before'].entries())
      if (at === 0 || amounts[at] !== 0) facts.push(numberFact(name, roundCents(amounts[at]!), scene, decimals))
    rows.push(Object.fromEntries(facts.map((fact) => [fact.name, fact])))
  }
  const amountOf = (): number => {
    const amount = random.int(20, random.pick([900, largest])) * (random.chance(0.08) ? -1 : 1)
    return decimals === 0 ? amount : amount + random.int(0, 99) / 100
  }
  const groups = headings.map((title, place): Group => {
    const heading = isNumbered ? `${'ABCDE'[place]!}. ${title}` : title
    const from = rows.length
    const lines = Array.from({ length: random.int(1, 5) }, () => [amountOf(), random.chance(0.06) ? 0 : amountOf()])
    for (const [at, line] of lines.entries())
      add(`${isNumbered ? `${at + 1}. ` : ''}${texts[rows.length % texts.length]!}`, line)
    const to = rows.length
    const isSummed = sums !== 'none' && to - from > 1
    const total = [0, 1].map((at) => lines.reduce((sum, line) => sum + line[at]!, 0))
    const named = random.pick(wordsOf('account_sum', formats.language)).replace('{x}', title)
    if (isSummed) add(sums === 'named' ? named : heading, total)
    return { heading, from, to, sum: isSummed ? to : undefined, named: sums === 'named' }
  })
  return { name: 'accounts', columns, rows, rates: rows.map(() => 0), groups }
}
