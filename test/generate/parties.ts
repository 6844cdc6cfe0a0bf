import type { Formats } from './formats.ts'
import type { Random } from './random.ts'
import { namesOf } from './words.ts'
import type { Language } from './words.ts'

/** Somebody that a document names: a company or a person with an address, whose lines stand one below another. */
export type Party = { name: string; isPerson: boolean; address: string[]; country: string; slug: string }

export function makeCompany(formats: Formats, random: Random): Party {
  return named(formats, random, { list: 'trade', more: 0.35 }, ({ brand, last, word, legal }) => [
    `${brand} ${word} ${legal}`,
    `${last} ${word} ${legal}`,
    `${word} ${last}`,
    `${brand} ${legal}`,
    `${brand} & ${last} ${legal}`,
    `${last} ${legal}`,
  ])
}

/** Who a receipt is from: many shops have a name without a legal form. */
export function makeShop(formats: Formats, random: Random): Party {
  const isEnglish = formats.language === 'en'
  return named(formats, random, { list: 'shop', more: 0.5 }, ({ brand, last, word, legal }) => [
    `${brand} ${word}`,
    `${word} ${last}`,
    `${word} ${brand}`,
    brand,
    isEnglish ? `${last}'s ${word}` : `${brand} ${word} ${last}`,
    isEnglish ? `The ${brand} ${word}` : `${word} ${brand} & ${last}`,
    `${brand} ${word} ${legal}`,
    `${brand} ${legal}`,
    `${last} ${word} ${legal}`,
  ])
}

type NameParts = Record<'brand' | 'last' | 'word' | 'legal', string>

/** A company with one of the names that its parts make; `word` is of `list`, `more` as for `addressOf`. */
function named(
  formats: Formats,
  random: Random,
  { list, more }: { list: string; more: number },
  namesFrom: (parts: NameParts) => string[],
): Party {
  const { language, country } = formats
  const brand = random.pick(namesOf('brand', language))
  const last = random.pick(namesOf('last', language))
  const word = random.pick(namesOf(list, language))
  const legal = random.pick(namesOf('legal', language, country))
  const name = random.pick(namesFrom({ brand, last, word, legal }))
  const slug = slugOf(random.chance(0.5) ? brand : last)
  return { name, isPerson: false, slug, country, address: addressOf(formats, random, more) }
}

/** An address in one line. */
export function onOneLine({ address }: Party): string {
  return address.map((line) => line.replace(/,$/, '')).join(', ')
}

/** The same party in capitals, as many tills and some letterheads print it. */
export function inCapitals(party: Party): Party {
  return { ...party, name: party.name.toUpperCase(), address: party.address.map((line) => line.toUpperCase()) }
}

export function makePerson(formats: Formats, random: Random): Party {
  const name = personName(formats.language, random)
  return {
    name,
    isPerson: true,
    slug: slugOf(name),
    country: formats.country,
    address: addressOf(formats, random, 0.1),
  }
}

export function personName(language: Language, random: Random): string {
  // Names of last resort of other countries: people move.
  const from = random.chance(0.85) ? language : random.pick(['en', 'de', 'fr', 'es', 'it', 'nl'] as const)
  return `${random.pick(namesOf('first', from))} ${lastName(from, random)}`
}

function lastName(language: Language, random: Random): string {
  const parts = namesOf('last', language)
  const at = random.int(0, parts.length - 1)
  const word = parts[at]!
  // «de Vries» and «van Dijk» stand in the list as two words.
  if (/^(?:de|van|De)$/.test(word)) return `${word} ${parts[(at + 1) % parts.length]!}`
  return word
}

/** Street and town, and with the chance `more` what an address has besides: a unit, a part of the town, a country. */
function addressOf({ country, language }: Formats, random: Random, more: number): string[] {
  const rest = random.fork('rest of the address')
  const street = streetOf(country, language, random)
  const area = rest.pick(namesOf('area', language, country))
  const lines = [street, townOf(country, language, random)]
  if (rest.chance(more)) lines.splice(rest.int(0, 1), 0, area)
  if (rest.chance(more / 4)) lines.splice(1, 0, rest.pick(namesOf('area', language)))
  if (rest.chance(more / 6)) lines.push(rest.pick(namesOf('country', language)))
  if (rest.chance(0.1)) return [lines.slice(0, -1).join(', '), lines.at(-1)!]
  return rest.chance(more / 4) ? lines.map((line, index) => (index < lines.length - 1 ? `${line},` : line)) : lines
}

function streetOf(country: string, language: Language, random: Random): string {
  const street = random.pick(namesOf('street', language, country))
  const house = random.int(1, 180)
  if (country === 'MY') return `${random.pick(['No. ', 'No ', 'Lot ', ''])}${house}, ${street}`
  if (country === 'SG') return `Blk ${house} ${street}`
  const numberFirst = language === 'en' || language === 'fr'
  return numberFirst ? `${house}${random.chance(0.1) ? ' bis' : ''} ${street}` : `${street} ${house}`
}

function townOf(country: string, language: Language, random: Random): string {
  const town = random.pick(namesOf('town', language, country))
  const state = (): string => random.pick(namesOf('state', language, country))
  const digits = (count: number): string => Array.from({ length: count }, () => random.int(0, 9)).join('')
  const letters = (count: number): string =>
    Array.from({ length: count }, () => random.pick([...'ABCDEFGHJKLNPRSTWXY'])).join('')
  switch (country) {
    case 'GB':
      return `${town} ${letters(2)}${random.int(1, 19)} ${random.int(1, 9)}${letters(2)}`
    case 'US':
      return `${town}, ${state()} ${random.int(10_000, 99_000)}`
    case 'CA':
      return `${town}, ${state()} ${letters(1)}${digits(1)}${letters(1)} ${digits(1)}${letters(1)}${digits(1)}`
    case 'AU':
      return `${town} ${state()} ${random.int(2000, 7999)}`
    case 'IN':
      return `${town} - ${random.int(110_000, 790_000)}`
    case 'SG':
      return `${town} ${random.int(100_000, 799_000)}`
    case 'MY':
      return `${random.int(10_000, 89_000)} ${town}${random.chance(0.5) ? `, ${state()}` : ''}`
    case 'IE':
      return `${town}, Co. ${state()}`
    case 'AT':
      return `${random.int(1010, 9990)} ${town}`
    case 'CH':
      return `${random.int(1000, 9650)} ${town}`
    case 'BE':
      return `${random.int(1000, 9990)} ${town}`
    case 'NL':
      return `${random.int(1000, 9990)} ${letters(2)} ${town}`
    case 'IT':
      return `${random.int(10_000, 98_000)} ${town} (${letters(2)})`
    default:
      return `${digits(5).replace(/^0/, '1')} ${town}`
  }
}

function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z]+/g, '-')
    .toLowerCase()
    .replace(/^-|-$/g, '')
}
