import { countFact, makeFact, moneyFact, rateFact, roundCents, textFact } from './facts.ts'
import type { Fact, Scene } from './facts.ts'
import { addDays } from './formats.ts'
import type { Formats } from './formats.ts'
import { inCapitals, makeCompany, makePerson, makeShop, onOneLine } from './parties.ts'
import type { Party } from './parties.ts'
import { columnsOf, joinedIn, makeRows, withMoreAmounts } from './rows.ts'
import type { Joined, List } from './rows.ts'
import type { Random } from './random.ts'
import { inSections, sectionHabits } from './sections.ts'
import type { SectionHabits } from './sections.ts'
import { fields, kinds, namesOf, wordsOf } from './words.ts'
import type { Kind } from './words.ts'

/** Who a document names, and as what: the facts are its name and address. */
export type Role = {
  party: Party
  role: 'seller' | 'buyer' | 'ship_to' | 'person' | 'other'
  /** The address as it came to be printed first: its lines joined by spaces. */
  printed?: string
}
export type TaxRow = { rate: number; net: Fact; tax: Fact; gross: Fact }

/** Everything that one document says, before it is laid out. */
export type Content = {
  kind: string
  scene: Scene
  title: string
  number: Fact | undefined
  meta: Fact[]
  checks: Fact[]
  roles: Role[]
  list: List | undefined
  /** In the order in which they are added up. */
  sums: Fact[]
  taxRows: TaxRow[]
  /** Of the sender, at the head or foot. */
  own: Fact[]
  notes: string[]
}

/** What a template decides about what its documents say. */
export type Habits = {
  kind: string
  formats: Formats
  title: string
  metaNames: string[]
  ownNames: string[]
  columns: string[]
  joined: Joined | undefined
  /** Its rows stand in groups. */
  sections: SectionHabits | undefined
  vatRates: number[]
  negativeCredit: boolean
  gross: boolean
  /** Who sends it prints name and address in capitals. */
  capitals: boolean
  /** What is sold is described at length. */
  longTexts: boolean
  /** Below what is sold stands more about it, in a line of its own, as a part of its text. */
  tellsMore: boolean
  patterns: (name: string) => string
  sumNames: Set<string>
}

const idPatterns = [
  'Y-####',
  '######',
  'RE-Y-####',
  '########',
  'Y/####',
  'R######',
  '##-####',
  'INV-#####',
  '#####',
  'Yy####',
  '###-######',
  'F####/y',
  'G######-#',
  '#.###.###',
  'MX #### ###',
  'V##########',
]

export function makeHabits(kindName: string, formats: Formats, random: Random): Habits {
  const kind = kinds[kindName]!
  const names = kind.meta.split(' ')
  const share = random.int(25, 75) / 100
  const vat: Record<string, number[]> = {
    GB: [20, 5],
    IE: [23, 13.5],
    US: [8.25, 0],
    DE: [19, 7],
    AT: [20, 10],
    CH: [8.1, 2.6],
    FR: [20, 5.5],
    BE: [21, 6],
    ES: [21, 10],
    MX: [16, 0],
    MY: [6, 0],
    SG: [9, 0],
    AU: [10, 0],
    IN: [18, 5],
    CA: [13, 5],
    IT: [22, 10],
    NL: [21, 9],
  }
  const rates = vat[formats.country] ?? [20, 10]
  const habits = {
    kind: kindName,
    formats,
    title: random.pick(kind.titles[formats.language].split('|')),
    metaNames: random.chance(0.5) ? chosen(names, share, random) : random.shuffle(chosen(names, share, random)),
    ownNames: random
      .shuffle([
        'phone',
        'email',
        'website',
        'fax',
        'iban',
        'bic',
        'bank_name',
        'seller_vat_id',
        'seller_tax_number',
        'register_number',
      ])
      .filter(() => random.chance(0.6)),
    columns: kind.list === '' ? [] : columnsOf(kind.list, random),
    sections: sectionHabits(kind.list, random.fork('sections')),
    vatRates: random.chance(0.55) ? [rates[0]!] : rates,
    negativeCredit: random.chance(0.5),
    // In America the tax is added to what the articles cost.
    gross: kind.money === 'receipt' && !['US', 'CA'].includes(formats.country),
    capitals: random.fork('capitals').chance(kind.money === 'receipt' ? 0.5 : 0.1),
    longTexts: random.fork('long texts').chance(0.4),
    tellsMore: random.fork('details').chance(0.3),
    patterns: (name: string) => random.fork(`pattern ${name}`).pick(idPatterns),
    sumNames: new Set(
      [
        ...['discount', 'shipping', 'prepaid', 'amount_due', 'tip', 'cash', 'deductible', 'interest', 'sum_insured'],
        ...(roundsCash.has(formats.country) ? ['rounding'] : []),
        'item_count',
      ].filter(() => random.chance(0.4)),
    ),
  }
  const more = random.fork('more columns')
  const columns = withMoreAmounts(habits.columns, more)
  return { ...habits, columns, joined: more.chance(joinsColumns) ? joinedIn(columns, habits) : undefined }
}

/** So many templates print a number before a text, or a sign behind a result, in one column. */
const joinsColumns = 0.3

/** Where the smallest coin is five cents. */
const roundsCash = new Set(['MY', 'AU', 'CA', 'CH', 'NL', 'BE', 'IE', 'IT'])

function chosen(names: readonly string[], share: number, random: Random): string[] {
  return names.flatMap((entry) => {
    const name = entry.replace(/[!?]$/, '')
    return random.chance(entry.endsWith('!') ? 0.95 : share) ? [name] : []
  })
}

/** What a document of a template says: the same seed says the same. */
export function makeContent(habits: Habits, random: Random): Content {
  const { formats } = habits
  const kind = kinds[habits.kind]!
  const today = addDays('2015-01-01', random.int(0, 4300))
  const made = kind.money === 'receipt' ? makeShop(formats, random) : makeCompany(formats, random)
  const seller = habits.capitals ? inCapitals(made) : made
  const buyer =
    kind.parties.includes('person') || random.chance(0.2) ? makePerson(formats, random) : makeCompany(formats, random)
  const { patterns, longTexts, tellsMore } = habits
  const scene: Scene = { formats, today, seller, buyer, patterns, longTexts, tellsMore, random }
  const { list, sums, taxRows } = makeMoney(habits, kind, scene)
  const taken = new Set(sums.map(({ name }) => name))
  const facts = habits.metaNames
    // Not each document has each line of its form filled.
    .filter((name) => !taken.has(name) && fields[name]!.type !== 'check' && random.chance(0.93))
    .map((name) => makeFact(name, scene))
  orderDates(facts, scene)
  const metaNames = new Set(facts.map(({ name }) => name))
  const own = habits.ownNames.filter((name) => !metaNames.has(name)).map((name) => makeFact(name, scene))
  return {
    kind: habits.kind,
    scene,
    title: habits.title,
    number: kind.number === '' ? undefined : makeFact(kind.number, scene),
    meta: facts,
    checks: checksOf(habits, scene),
    roles: rolesOf(kind, scene),
    list,
    sums,
    taxRows,
    own,
    notes: notesOf(scene),
  }
}

/** Boxes stand apart from the other facts. */
function checksOf({ metaNames }: Habits, { random }: Scene): Fact[] {
  return metaNames
    .filter((name) => fields[name]!.type === 'check')
    .map((name) => ({ name, value: random.chance(0.5), parts: [] }))
}

/** A period ends after it has begun, a guest leaves after the arrival. */
function orderDates(facts: Fact[], scene: Scene): void {
  const start = facts.find(({ name }) => name === 'arrival_date')
  const nights = facts.find(({ name }) => name === 'nights')
  const end = facts.find(({ name }) => name === 'departure_date')
  if (!start || !end) return
  const count = typeof nights?.value === 'number' ? nights.value : scene.random.int(1, 14)
  const made = makeFact('departure_date', {
    ...scene,
    today: addDays(String(start.value), count),
    random: { ...scene.random, int: () => 0 },
  })
  Object.assign(end, made)
}

function rolesOf(kind: Kind, scene: Scene): Role[] {
  const { random, formats } = scene
  return kind.parties.split(' ').flatMap((entry): Role[] => {
    if (entry.endsWith('?') && random.chance(0.5)) return []
    const name = entry.replace('?', '')
    if (name === 'seller') return [{ role: 'seller', party: scene.seller }]
    if (name === 'buyer' || name === 'person') return [{ role: name, party: scene.buyer }]
    return [{ role: name === 'shipto' ? 'ship_to' : 'other', party: makeCompany(formats, random) }]
  })
}

function notesOf({ random, formats, today }: Scene): string[] {
  const fill = (text: string): string =>
    text
      .replace('{n}', String(random.int(2, 30)))
      .replace('{town}', random.pick(namesOf('town', formats.language)))
      .replace('{date}', makeFact('order_date', { formats, today, random } as Scene).parts[0]!.text)
  return random.sample(wordsOf('notes', formats.language), random.int(0, 4)).map(fill)
}

type Money = { list: List | undefined; sums: Fact[]; taxRows: TaxRow[] }

function makeMoney(habits: Habits, kind: Kind, scene: Scene): Money {
  const { random } = scene
  const sign = kind.money === 'credit' && habits.negativeCredit ? -1 : 1
  const count = random.chance(0.12) ? random.int(14, 45) : random.int(1, 9)
  const options = { vatRates: habits.vatRates, sign, gross: habits.gross, count } as const
  const plain =
    kind.list === '' ? undefined : { ...makeRows(kind.list, habits.columns, scene, options), joined: habits.joined }
  const list = plain && habits.sections ? inSections(plain, habits.sections, scene) : plain
  const add = adders[kind.money]
  const amounts = add ? add(list, habits, scene, options) : []
  const money = (name: string, value: number): Fact => moneyFact(name, value, scene)
  const taxRows =
    list && ['items', 'credit', 'utility', 'receipt'].includes(kind.money)
      ? taxRowsOf(list, habits, scene, amounts)
      : []
  const sums = amounts.map(([name, value]) => (name === 'item_count' ? countFact(name, value) : money(name, value)))
  return { list, sums, taxRows }
}

type Amounts = [name: string, value: number][]
type Adder = (list: List | undefined, habits: Habits, scene: Scene, options: { sign: 1 | -1 }) => Amounts

function sumOf(list: List | undefined, column = 'row_amount'): number {
  return roundCents((list?.rows ?? []).reduce((sum, row) => sum + Number(row[column]?.value ?? 0), 0))
}

const invoiceSums: Adder = (list, { sumNames, vatRates, kind }, { random }, { sign }) => {
  const lines = sumOf(list)
  const discount =
    sumNames.has('discount') && random.chance(0.6) ? roundCents(lines * random.pick([0.02, 0.03, 0.05, 0.1])) : 0
  const shipping = sumNames.has('shipping') && random.chance(0.7) ? (sign * random.int(390, 9900)) / 100 : 0
  const net = roundCents(lines - discount + shipping)
  const tax = roundCents(taxParts(list!, vatRates, net).reduce((sum, part) => sum + part.tax, 0))
  const total = roundCents(net + tax)
  const prepaid =
    sign > 0 && kind !== 'credit_note' && sumNames.has('prepaid') && random.chance(0.5)
      ? roundCents(total * random.pick([0.3, 0.5, 0.25]))
      : 0
  const sums: Amounts = []
  if (discount !== 0) sums.push(['discount', discount])
  if (shipping !== 0) sums.push(['shipping', shipping])
  sums.push(['net_amount', net], ['tax_amount', tax], ['total_amount', total])
  if (prepaid !== 0) sums.push(['prepaid', prepaid])
  if (prepaid !== 0 || (sumNames.has('amount_due') && kind !== 'quote'))
    sums.push(['amount_due', roundCents(total - prepaid)])
  return sums
}

const adders: Record<string, Adder> = {
  items: invoiceSums,
  credit: invoiceSums,
  utility: invoiceSums,
  receipt: (list, { sumNames, vatRates, gross }, { random }) => {
    const lines = sumOf(list)
    const tip = sumNames.has('tip') ? roundCents(lines * 0.1) : 0
    const share = vatRates[0]! / 100
    const tax = roundCents(gross ? lines + tip - (lines + tip) / (1 + share) : lines * share)
    const unrounded = roundCents(lines + tip + (gross ? 0 : tax))
    // Where the smallest coin is not in use any more, tills say what they rounded.
    const total = sumNames.has('rounding') ? Math.round(unrounded * 20) / 20 : unrounded
    const given = random.chance(0.7) ? Math.ceil(total / 10) * 10 : total
    const showsTax = !gross || random.chance(0.6)
    const sums: [isPrinted: boolean, name: string, value: number][] = [
      [sumNames.has('item_count'), 'item_count', list?.rows.length ?? 0],
      [tip > 0 && gross, 'tip', tip],
      [showsTax, 'net_amount', gross ? roundCents(unrounded - tax) : lines],
      [showsTax, 'tax_amount', tax],
      [tip > 0 && !gross, 'tip', tip],
      [sumNames.has('rounding'), 'unrounded_total', unrounded],
      [sumNames.has('rounding'), 'rounding', roundCents(total - unrounded)],
      [true, 'total_amount', total],
      [sumNames.has('cash'), 'cash_given', given],
      [sumNames.has('cash'), 'change', roundCents(given - total)],
    ]
    return sums.filter(([isPrinted]) => isPrinted).map(([, name, value]) => [name, value])
  },
  statement: (list, _habits, { random }) => {
    const signed = (list?.rows ?? []).map((row) =>
      Number(row['signed_amount']?.value ?? row['credit']?.value ?? -Number(row['debit']?.value ?? 0)),
    )
    const credits = roundCents(signed.filter((value) => value > 0).reduce((sum, value) => sum + value, 0))
    const debits = roundCents(-signed.filter((value) => value < 0).reduce((sum, value) => sum + value, 0))
    const last = list?.rows.at(-1)?.['balance']?.value
    const closing = typeof last === 'number' ? last : roundCents(random.int(10_000, 900_000) / 100)
    return [
      ['opening_balance', roundCents(closing - credits + debits)],
      ['total_credits', credits],
      ['total_debits', debits],
      ['closing_balance', closing],
    ]
  },
  card: (list, _habits, { random }) => {
    const spent = roundCents(-sumOf(list, 'signed_amount'))
    const before = roundCents(random.int(0, 90_000) / 100)
    const after = roundCents(before + spent)
    return [
      ['opening_balance', before],
      ['closing_balance', after],
      ['minimum_payment', roundCents(Math.abs(after) * 0.05)],
      ['credit_limit', random.int(1, 20) * 500],
    ]
  },
  payslip: (list) => {
    const gross = sumOf(list)
    const [tax, social] = [roundCents(gross * 0.17), roundCents(gross * 0.2)]
    return [
      ['gross_pay', gross],
      ['income_tax', tax],
      ['social_contributions', social],
      ['net_pay', roundCents(gross - tax - social)],
    ]
  },
  insurance: (list, { sumNames }, { random }) => [
    ...(sumNames.has('sum_insured') ? ([['sum_insured', random.int(5, 500) * 1000]] as Amounts) : []),
    ...(sumNames.has('deductible') ? ([['deductible', random.pick([150, 300, 500, 1000])]] as Amounts) : []),
    ['premium', sumOf(list, 'row_premium')],
  ],
  tax: (_list, _habits, { random }) => {
    const income = random.int(12_000, 140_000)
    const [tax, paid] = [Math.round(income * 0.22), Math.round(income * 0.18)]
    return [
      ['taxable_income', income],
      ['tax_assessed', tax],
      ['prepaid', paid],
      ['amount_due', tax - paid],
    ]
  },
  reminder: (list, { sumNames }, { random }) => {
    const open = sumOf(list)
    const fee = random.pick([2.5, 5, 10, 15, 40])
    const interest = sumNames.has('interest') ? roundCents(open * 0.012) : 0
    return [
      ['total_amount', open],
      ['reminder_fee', fee],
      ...(interest ? ([['interest', interest]] as Amounts) : []),
      ['amount_due', roundCents(open + fee + interest)],
    ]
  },
  expenses: (list, { sumNames }) => {
    const total = sumOf(list)
    const paid = sumNames.has('prepaid') ? 100 : 0
    return [
      ['total_amount', total],
      ...(paid ? ([['prepaid', paid]] as Amounts) : []),
      ['reimbursement', roundCents(total - paid)],
    ]
  },
  rent: (_list, _habits, { random }) => {
    const [rent, charges] = [random.int(380, 2400), random.int(60, 390)]
    return [
      ['rent', rent],
      ['service_charges', charges],
      ['total_rent', rent + charges],
      ['deposit', rent * random.pick([1, 2, 3])],
    ]
  },
  customs: (list, _habits, { random }) => {
    const value = sumOf(list)
    const duty = roundCents(value * random.pick([0.02, 0.047, 0.065, 0.12]))
    return [
      ['customs_value', value],
      ['duty', duty],
      ['tax_amount', roundCents((value + duty) * 0.19)],
    ]
  },
  booking: (list, { sumNames }) => {
    const total = sumOf(list)
    const paid = sumNames.has('prepaid') ? roundCents(total * 0.3) : 0
    return [
      ['total_amount', total],
      ...(paid
        ? ([
            ['prepaid', paid],
            ['amount_due', roundCents(total - paid)],
          ] as Amounts)
        : []),
    ]
  },
  medical: (list, { sumNames }) => {
    const total = sumOf(list)
    return [['total_amount', total], ...(sumNames.has('amount_due') ? ([['amount_due', total]] as Amounts) : [])]
  },
  broadcast: (list, { sumNames }) => {
    const gross = sumOf(list)
    const commission = roundCents(gross * 0.15)
    return sumNames.has('discount')
      ? [
          ['total_amount', gross],
          ['discount', commission],
          ['net_amount', roundCents(gross - commission)],
        ]
      : [['total_amount', gross]]
  },
}

/** Net and tax of each rate that is in use; what is no row (freight, a discount) has the first rate. */
function taxParts(list: List, vatRates: readonly number[], net: number): { rate: number; net: number; tax: number }[] {
  const used = vatRates.filter((rate, index) => index === 0 || list.rates.includes(rate))
  const others = used.slice(1).map((rate) => ({ rate, net: sumWhere(list, rate) }))
  const first = { rate: used[0]!, net: roundCents(net - others.reduce((sum, other) => sum + other.net, 0)) }
  return [first, ...others].map((part) => ({ ...part, tax: roundCents((part.net * part.rate) / 100) }))
}

function sumWhere({ rows, rates }: List, rate: number): number {
  return roundCents(
    rows.reduce((sum, row, index) => sum + (rates[index] === rate ? Number(row['row_amount']?.value ?? 0) : 0), 0),
  )
}

function taxRowsOf(list: List, { vatRates, kind }: Habits, scene: Scene, amounts: Amounts): TaxRow[] {
  const [net, tax] = ['net_amount', 'tax_amount'].map((wanted) => amounts.find(([name]) => name === wanted)?.[1])
  if (net === undefined || tax === undefined || list.rows.length === 0) return []
  const fact = (name: string, value: number): Fact => moneyFact(name, value, scene, 'none')
  const isReceipt = kind === 'receipt'
  const parts = isReceipt ? [{ rate: vatRates[0]!, net, tax }] : taxParts(list, vatRates, net)
  if (parts.length === 1 && scene.random.chance(isReceipt ? 0.6 : 0.8)) return []
  return parts.map((part) => ({
    rate: part.rate,
    net: fact('tax_net', part.net),
    tax: fact('tax_tax', part.tax),
    gross: fact('tax_gross', roundCents(part.net + part.tax)),
  }))
}

/** The facts about who is named: name and address of each. */
export function factsOfRole({ role, party, printed }: Role): { name: Fact; address: Fact } {
  const full = printed ?? onOneLine(party)
  return {
    name: textFact(role === 'other' ? 'other_party_name' : `${role}_name`, party.name),
    address: textFact(role === 'other' ? 'other_party_address' : `${role}_address`, full),
  }
}

export function percentFact(rate: number, scene: Scene): Fact {
  return rateFact('tax_rate', rate, scene, '%')
}
