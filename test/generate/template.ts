import { makeHabits } from './content.ts'
import type { Habits } from './content.ts'
import { formatsFor } from './formats.ts'
import type { FontFamily } from './metrics.ts'
import { hash, randomFrom } from './random.ts'
import type { Random } from './random.ts'
import { columns, fields, kinds, labelsFor } from './words.ts'
import type { Concept, Language } from './words.ts'

export const metaStyles = [
  'pairs',
  'pairs-columns',
  'above',
  'strip',
  'boxed-strip',
  'inline',
  'sidebar',
  'boxed-pairs',
  'dotted',
] as const
export const sumStyles = ['right', 'right-boxed', 'left', 'strip', 'in-table', 'wide'] as const
export const tableStyles = ['ruled', 'rows', 'head', 'open', 'striped', 'columns'] as const

/** A sender's form: how all documents of one template look. */
export type Template = {
  id: string
  habits: Habits
  language: Language
  family: FontFamily
  size: number
  margin: number
  page: { width: number; height: number }
  /** Where things stand at the head. */
  head: 'left' | 'right' | 'centre' | 'foot'
  recipient: 'left' | 'right'
  labelsRecipient: boolean
  titleFirst: boolean
  titleSize: number
  /** «Invoice 4711» in one line. */
  numberInTitle: boolean
  /** «Leeds, 12 March 2024», without a label. */
  bareDate: boolean
  /** First and last day in one field. */
  joinsPeriod: boolean
  /** An article over what it costs, as on receipts. */
  stacksRows: boolean
  /** How many is said only where it is more than one. */
  hidesSingles: boolean
  /** Over texts that speak for themselves nothing is printed. */
  hidesTextHeads: boolean
  /** Over no column anything is printed. */
  hidesHeads: boolean
  /** A new source of what else a till prints, the same on all slips of a shop. */
  ofShop: () => Random
  meta: (typeof metaStyles)[number]
  metaRight: boolean
  colon: string
  boldLabels: boolean
  boldValues: boolean
  table: (typeof tableStyles)[number]
  upperHeads: boolean
  narrowText: boolean
  /** Between lines on all sides: numbers beside the middle of a text. */
  centresCells: boolean
  subLines: boolean
  /** «3 Stk» in one column. */
  joinsUnit: boolean
  /** Between two columns, in points. */
  padding: number
  repeatsHead: boolean
  carries: boolean
  sums: (typeof sumStyles)[number]
  sumsFirst: boolean
  boldTotal: boolean
  rateInLabel: boolean
  footColumns: number
  noise: number
  pageNumbers: boolean
  squares: 'before' | 'after' | 'yes-no'
  /** «16 State wages»: forms may number their fields. */
  numberOf: (name: string) => number | null
  label: (name: string) => string
  columnLabel: (name: string) => string
}

/** Every template has a number; every fifth is held out of training. */
export const templateCount = 6000
export type Split = 'training' | 'held-out' | 'all'

export function isHeldOut(number: number): boolean {
  return hash(`split ${number}`) % 5 === 0
}

/** The numbers of the templates of a split, of those kinds and languages where they are named. */
export function templatesOf(
  split: Split,
  only: { kinds?: readonly string[] | undefined; languages?: readonly Language[] | undefined } = {},
): number[] {
  const key = JSON.stringify([split, only])
  const known = pools.get(key)
  if (known) return known
  const pool = Array.from({ length: templateCount }, (_, number) => number).filter((number) => {
    if (split !== 'all' && isHeldOut(number) !== (split === 'held-out')) return false
    const { kind, language } = nature(number)
    return (!only.kinds || only.kinds.includes(kind)) && (!only.languages || only.languages.includes(language))
  })
  pools.set(key, pool)
  return pool
}

const pools = new Map<string, number[]>()
const made = new Map<number, Template>()

function nature(number: number): { kind: string; language: Language; random: Random } {
  const random = randomFrom(hash(`template ${number}`))
  const isOfAccounts = hash(`accounts ${number}`) % 30 === 0
  const all = Object.keys(kinds).filter((name) => name !== 'annual_accounts')
  // Invoices and receipts are what most folders hold.
  const kind = random.chance(0.25)
    ? random.pick(['invoice', 'invoice', 'invoice', 'receipt', 'credit_note'])
    : random.pick(all)
  const language = random.pick(['en', 'en', 'de', 'de', 'fr', 'es', 'it', 'nl'] as const)
  return { kind: isOfAccounts ? 'annual_accounts' : kind, language, random }
}

/** The same template for the same number. */
export function templateOf(number: number): Template {
  const known = made.get(number)
  if (known) return known
  const template = makeTemplate(number)
  made.set(number, template)
  return template
}

function makeTemplate(number: number): Template {
  const { kind, language, random } = nature(number)
  const formats = formatsFor(language, random)
  const habits = makeHabits(kind, formats, random)
  const isReceipt = kinds[kind]!.layout === 'receipt' && random.chance(0.9)
  const isLetter = formats.country === 'US'
  const isWide = kind === 'annual_accounts' && random.fork('wide').chance(0.4)
  const labels = random.fork('labels')
  const id = `generated-${String(number).padStart(4, '0')}`
  const isNumbered = !isReceipt && randomFrom(hash(`numbered ${id}`)).chance(0.1)
  const numbers = isNumbered ? numbered(id) : new Map<string, number>()
  const numberOf = (name: string): number | null => numbers.get(name) ?? null
  const shortens = randomFrom(hash(`short heads ${id}`)).chance(0.12)
  return {
    id,
    habits,
    language,
    family: isReceipt
      ? random.pick(['Courier', 'Courier', 'Helvetica'])
      : random.pick(['Helvetica', 'Helvetica', 'Helvetica', 'Times', 'Courier']),
    size: isReceipt ? random.int(8, 10) : random.int(7, 11),
    margin: isReceipt ? random.int(6, 14) : random.int(34, 64),
    page: isReceipt
      ? { width: random.int(190, 260), height: 2000 }
      : isWide
        ? { width: 842, height: 595 }
        : isLetter
          ? { width: 612, height: 792 }
          : { width: 595, height: 842 },
    head: random.pick(['left', 'right', 'centre', 'foot', 'left']),
    recipient: random.chance(0.7) ? 'left' : 'right',
    labelsRecipient: random.chance(0.5),
    titleFirst: random.chance(0.45),
    titleSize: random.int(11, 24),
    numberInTitle: random.chance(0.25),
    bareDate: random.chance(0.15),
    joinsPeriod: random.chance(0.6),
    stacksRows: random.chance(0.4),
    hidesSingles: randomFrom(hash(`singles ${id}`)).chance(0.5),
    hidesTextHeads: randomFrom(hash(`heads ${id}`)).chance(0.12),
    hidesHeads: kind !== 'annual_accounts' && randomFrom(hash(`no heads ${id}`)).chance(0.05),
    ofShop: () => randomFrom(hash(id)),
    meta: random.pick(metaStyles),
    metaRight: random.chance(0.6),
    colon: random.pick([':', ':', ':', '', '', ' :']),
    boldLabels: random.chance(0.35),
    boldValues: random.chance(0.2),
    table: random.pick(tableStyles),
    upperHeads: random.chance(0.2),
    narrowText: random.chance(0.35),
    centresCells: randomFrom(hash(`centred ${id}`)).chance(0.5),
    subLines: random.chance(0.25),
    joinsUnit: random.chance(0.4),
    padding: random.pick([3, 4, 6, 8, 8, 12]),
    repeatsHead: random.chance(0.75),
    carries: random.chance(0.4),
    sums: random.pick(sumStyles),
    sumsFirst: random.chance(0.12),
    boldTotal: random.chance(0.6),
    rateInLabel: random.chance(0.5),
    footColumns: random.int(1, 4),
    noise: random.int(0, 3),
    pageNumbers: random.chance(0.5),
    squares: random.pick(['before', 'before', 'after', 'yes-no']),
    numberOf,
    label: (name) => {
      const label = pickLabel(fields[name], name, kind, language, labels)
      return isNumbered ? `${numberOf(name)} ${label}` : label
    },
    columnLabel: (name) => {
      const label = pickLabel(columns[name], `column ${name}`, kind, language, labels)
      return shortens ? shortened(label, randomFrom(hash(`short ${name} of ${id}`))) : label
    },
  }
}

/** A head as it is abbreviated where there is little room: its first letters, or those that one hears. */
function shortened(label: string, random: Random): string {
  return label
    .split(' ')
    .map((word) => {
      if (!/^\p{L}{5,}$/u.test(word)) return word
      const [first, ...rest] = word
      if (random.chance(0.6)) return `${word.slice(0, random.int(2, 4))}.`
      return [first, ...rest.filter((letter) => !/[aeiouäöüáéíóúàèìòùâêîôû]/iu.test(letter))]
        .slice(0, random.int(3, 4))
        .join('')
    })
    .join(' ')
}

/** A number for each field that a form may have, none twice. */
function numbered(id: string): Map<string, number> {
  const orderOf = (name: string): number => hash(`${name} of ${id}`)
  const names = Object.keys(fields).toSorted((left, right) => orderOf(left) - orderOf(right))
  return new Map(names.map((name, index) => [name, index + 1]))
}

function pickLabel(
  concept: Concept | undefined,
  name: string,
  kind: string,
  language: Language,
  random: Random,
): string {
  if (!concept) throw new Error(`No word for ${name}`)
  return random.fork(name).pick(labelsFor(kind, concept, language))
}
