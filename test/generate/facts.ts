import { addDays, printDate, printDigits, printNumber, signed } from './formats.ts'
import type { Formats } from './formats.ts'
import { personName } from './parties.ts'
import type { Party } from './parties.ts'
import type { Random } from './random.ts'
import { fields, namesOf, wordsOf } from './words.ts'

/** Part of what is printed; `isValue` where it spells the value. */
export type Part = { text: string; isValue: boolean }
/** Something that a document says: what it is about, its value, and how it is printed. */
export type Fact = {
  name: string
  value: string | number | boolean
  parts: Part[]
  isDate?: boolean
  /** A text that is printed in several lines, though it would fit into fewer. */
  lines?: string[]
}

/** What facts of one document share: they must agree with each other. */
export type Scene = {
  formats: Formats
  /** The document is from this day, `YYYY-MM-DD`. */
  today: string
  seller: Party
  buyer: Party
  /** Identifiers look alike in all documents of a template. */
  patterns: (name: string) => string
  longTexts: boolean
  tellsMore: boolean
  random: Random
}

export function textFact(name: string, text: string): Fact {
  return { name, value: text, parts: [{ text, isValue: true }] }
}

export function dateFact(name: string, iso: string, { formats }: Scene): Fact {
  return { name, value: iso, parts: [{ text: printDate(iso, formats), isValue: true }], isDate: true }
}

/** An amount of money as the sender prints it, with or without the currency. */
export function moneyFact(name: string, amount: number, scene: Scene, money = scene.formats.money): Fact {
  const { formats } = scene
  const value = roundCents(amount)
  const number = { text: printNumber(value, formats, 2), isValue: true }
  const beside = (text: string): Part => ({ text, isValue: false })
  const glued = (text: string): Part[] => [{ text, isValue: true }]
  const parts: Record<Formats['money'], Part[]> = {
    none: [number],
    before: glued(signed(`${formats.symbol}${printDigits(value, formats, 2)}`, value, formats)),
    'before-space': [beside(`${formats.symbol} `), number],
    after: glued(`${number.text}${formats.symbol}`),
    'after-space': [number, beside(` ${formats.symbol}`)],
    'code-before': [beside(`${formats.currency} `), number],
    'code-after': [number, beside(` ${formats.currency}`)],
  }
  return { name, value, parts: parts[money] }
}

export function numberFact(name: string, value: number, scene: Scene, decimals: number, unit?: string): Fact {
  const number = { text: printNumber(value, scene.formats, decimals), isValue: true }
  return { name, value, parts: unit === undefined ? [number] : [number, { text: ` ${unit}`, isValue: false }] }
}

/** A rate in percent, with as many decimals as it has. */
export function rateFact(name: string, rate: number, scene: Scene, sign?: string): Fact {
  const decimals = [0, 1, 2].find((count) => Number(rate.toFixed(count)) === rate) ?? 2
  return numberFact(name, rate, scene, decimals, sign)
}

export function roundCents(amount: number): number {
  return Math.round(amount * 100 + Number.EPSILON * Math.sign(amount)) / 100
}

/** Makes the value of a field by its type; fields that depend on others are made elsewhere. */
export function makeFact(name: string, scene: Scene): Fact {
  const type = fields[name]!.type ?? 'id'
  if (type.startsWith('list:')) return textFact(name, scene.random.pick(wordsOf(type.slice(5), scene.formats.language)))
  const make = makers[type]
  if (!make) throw new Error(`No way to make a value of ${type} for ${name}`)
  return make(name, scene)
}

const digits = (count: number, random: Random): string =>
  Array.from({ length: count }, (_, index) => random.int(index === 0 ? 1 : 0, 9)).join('')

/** `#` is a digit, `A` a letter, `Y` and `y` the year. */
export function fillPattern(pattern: string, year: string, random: Random): string {
  return pattern.replace(/#+|A|Y|y/g, (part) => {
    if (part === 'Y') return year
    if (part === 'y') return year.slice(2)
    return part === 'A' ? random.pick([...'ABCDEFGHKLMNPRSTVW']) : digits(part.length, random)
  })
}

export function countFact(name: string, value: number): Fact {
  return { name, value, parts: [{ text: String(value), isValue: true }] }
}

const byCountry = (formats: Formats, patterns: Record<string, string>, otherwise: string): string =>
  patterns[formats.country] ?? otherwise

const makers: Record<string, (name: string, scene: Scene) => Fact> = {
  id: (name, { patterns, today, random }) => textFact(name, fillPattern(patterns(name), today.slice(0, 4), random)),
  code: (name, { random }) =>
    textFact(name, fillPattern(random.pick(['AAA###', 'A##AA', 'AA####', '###A', 'AAAAAA']), '', random)),
  card: (name, { random }) =>
    textFact(
      name,
      random.pick([
        `XXXX XXXX XXXX ${digits(4, random)}`,
        `**** ${digits(4, random)}`,
        `${digits(4, random)} **** **** ${digits(4, random)}`,
        `############${digits(4, random)}`.replaceAll('#', 'X'),
      ]),
    ),
  small: (name, { random }) => countFact(name, random.int(1, 24)),
  year: (name, { today }) => {
    const value = Number(today.slice(0, 4)) - 1
    return { name, value, parts: [{ text: String(value), isValue: true }] }
  },
  date: (name, scene) => dateFact(name, addDays(scene.today, dayOffset(name, scene.random)), scene),
  birthdate: (name, scene) =>
    dateFact(
      name,
      `${scene.random.int(1938, 2006)}-${two(scene.random.int(1, 12))}-${two(scene.random.int(1, 28))}`,
      scene,
    ),
  time: (name, { random, formats }) => {
    const [hour, minute] = [random.int(7, 21), two(random.int(0, 59))]
    if (formats.country === 'US')
      return textFact(name, `${((hour + 11) % 12) + 1}:${minute} ${hour < 12 ? 'AM' : 'PM'}`)
    return textFact(name, `${two(hour)}${random.chance(0.9) ? ':' : '.'}${minute}`)
  },
  percent: (name, scene) => rateFact(name, scene.random.pick([19, 20, 21, 22, 7, 10, 5.5]), scene, '%'),
  consumption: (name, scene) =>
    numberFact(name, scene.random.int(180, 9400), scene, 0, scene.random.pick(['kWh', 'kWh', 'm³'])),
  weight: (name, scene) =>
    numberFact(
      name,
      scene.random.int(20, 24_000) / (scene.random.chance(0.5) ? 1 : 10),
      scene,
      1,
      scene.random.pick(['kg', 'kg', 'KG']),
    ),
  area: (name, scene) => numberFact(name, scene.random.int(240, 1900) / 10, scene, 1, 'm²'),
  person: (name, { formats, random }) => textFact(name, personName(formats.language, random)),
  doctor: (name, { formats, random }) => textFact(name, `Dr. ${personName(formats.language, random)}`),
  firstname: (name, { formats, random }) => textFact(name, random.pick(namesOf('first', formats.language))),
  ref: (name, { buyer }) => textFact(name, buyer.name),
  town: (name, { random, formats }) => textFact(name, random.pick(namesOf('places', formats.language))),
  vessel: (name, { random, formats }) => textFact(name, random.pick(namesOf('vessel', formats.language))),
  bank: (name, { random, formats }) => textFact(name, random.pick(namesOf('bank', formats.language))),
  currency: (name, { formats }) => textFact(name, formats.currency),
  incoterm: (name, { random, formats }) =>
    textFact(
      name,
      `${random.pick(['EXW', 'FCA', 'FOB', 'CIF', 'CPT', 'DAP', 'DDP'])} ${random.pick(namesOf('places', formats.language))}`,
    ),
  taxclass: (name, { random }) => textFact(name, random.pick(['1', '2', '3', '4', '5', '1257L', 'BR', '4C', 'wit'])),
  container: (name, { random }) =>
    textFact(
      name,
      `${random.pick(['MSCU', 'MAEU', 'HLXU', 'TGHU', 'CMAU'])} ${digits(6, random)}-${digits(1, random)}`,
    ),
  mrn: (name, { random, formats, today }) =>
    textFact(name, `${today.slice(2, 4)}${formats.country}${digits(12, random)}A${digits(1, random)}`),
  plate: (name, { random, formats }) =>
    textFact(
      name,
      fillPattern(
        byCountry(
          formats,
          { DE: 'AA-AA ###', AT: 'A-#####A', FR: 'AA-###-AA', ES: '#### AAA', IT: 'AA ###AA', NL: 'AA-##-AA' },
          'AA## AAA',
        ),
        '',
        random,
      ),
    ),
  phone: (name, { random, formats }) =>
    textFact(
      name,
      fillPattern(
        byCountry(
          formats,
          {
            DE: '0### / ######',
            FR: '0# ## ## ## ##',
            GB: '0## #### ####',
            US: '(###) ###-####',
            NL: '0## - ### ## ##',
            IT: '0## ######',
            ES: '### ## ## ##',
          },
          '+## ## ### ## ##',
        ),
        '',
        random,
      ),
    ),
  email: (name, { seller, random, formats }) =>
    textFact(
      name,
      `${random.pick(['info', 'office', 'contact', 'mail', 'service'])}@${seller.slug}.${formats.country.toLowerCase()}`,
    ),
  url: (name, { seller, formats }) => textFact(name, `www.${seller.slug}.${formats.country.toLowerCase()}`),
  iban: (name, { random, formats }) => textFact(name, iban(formats, random)),
  bic: (name, { random, formats }) =>
    textFact(name, fillPattern('AAAA', '', random) + formats.country + fillPattern('##AAA', '', random)),
  vat: (name, { random, formats }) => textFact(name, vatNumber(formats, random)),
  taxnumber: (name, { random, formats }) =>
    textFact(
      name,
      fillPattern(
        byCountry(
          formats,
          {
            DE: '##/###/#####',
            FR: '### ### ### #####',
            ES: 'B########',
            IT: '###########',
            US: '##-#######',
            AT: '## ###/####',
          },
          '##########',
        ),
        '',
        random,
      ),
    ),
  register: (name, { random, formats }) =>
    textFact(
      name,
      fillPattern(
        byCountry(
          formats,
          { DE: 'HRB #####', AT: 'FN ######A', FR: '### ### ###', IT: 'MI-#######', NL: '########' },
          '########',
        ),
        '',
        random,
      ),
    ),
  social: (name, { random, formats }) =>
    textFact(
      name,
      fillPattern(
        byCountry(
          formats,
          {
            DE: '## ###### A ###',
            GB: 'AA ## ## ## A',
            US: '###-##-####',
            FR: '# ## ## ## ### ### ##',
            CH: '756.####.####.##',
            ES: '##/########-##',
          },
          '#########',
        ),
        '',
        random,
      ),
    ),
}

const two = (value: number): string => String(value).padStart(2, '0')

const offsets: Record<string, [number, number]> = {
  issue_date: [0, 0],
  due_date: [7, 60],
  delivery_date: [-10, 30],
  order_date: [-40, -2],
  service_date: [-20, -1],
  valid_until: [14, 400],
  period_start: [-60, -31],
  period_end: [-30, -1],
  arrival_date: [10, 90],
  departure_date: [91, 104],
  payment_date: [-3, 6],
  sample_date: [-6, -1],
}

function dayOffset(name: string, random: Random): number {
  const [low, high] = offsets[name] ?? [-90, 90]
  return random.int(low, high)
}

function iban({ country }: Formats, random: Random): string {
  // Without country and check digits.
  const lengths: Record<string, number> = {
    DE: 18,
    AT: 16,
    CH: 17,
    FR: 23,
    BE: 12,
    ES: 20,
    IT: 23,
    NL: 14,
    GB: 18,
    IE: 18,
  }
  const own = lengths[country] ? country : 'DE'
  const bank = fillPattern(['NL', 'GB', 'IE'].includes(own) ? 'AAAA' : own === 'IT' ? 'A' : '', '', random)
  const account = `${bank}${digits(lengths[own]! - bank.length, random)}`
  const all = `${own}${checkDigits(own, account)}${account}`
  return random.chance(0.75) ? all.replace(/(.{4})(?=.)/g, '$1 ') : all
}

/** Of an IBAN, by ISO 13616: letters are numbers from 10 on, and the whole leaves 1 when divided by 97. */
function checkDigits(country: string, account: string): string {
  const asDigits = `${account}${country}00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return String(98n - (BigInt(asDigits) % 97n)).padStart(2, '0')
}

function vatNumber({ country }: Formats, random: Random): string {
  const patterns: Record<string, string> = {
    DE: 'DE#########',
    AT: 'ATU########',
    FR: 'FR###########',
    ES: 'ESB########',
    IT: 'IT###########',
    NL: 'NL#########B##',
    BE: 'BE 0### ### ###',
    GB: 'GB ### #### ##',
    IE: 'IE#######A',
    CH: 'CHE-###.###.### MWST',
  }
  const pattern = patterns[country] ?? 'EU#########'
  // Only its last part is drawn: its letters are those of the country.
  const prefix = /^[A-Z]+-?/.exec(pattern)![0]
  const known = pattern.startsWith('AT') ? 'ATU' : pattern.startsWith('ES') ? 'ESB' : prefix
  const rest = pattern.slice(known.length).replace(/#+/g, (run) => digits(run.length, random))
  return `${known}${rest.replace(/(?<=\d)A$/, 'T')}`
}
