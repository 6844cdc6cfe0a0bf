import type { Formats } from './formats.ts'
import type { Random } from './random.ts'
import { namesOf } from './words.ts'
import type { Language } from './words.ts'

/** What an address is made of, as far as it has that. */
export type AddressParts = { street: string; city: string; postcode?: string; state?: string }

/** Somebody that a document names: a company or a person with an address, whose lines stand one below another. */
export type Party = {
  name: string
  isPerson: boolean
  address: string[]
  parts: AddressParts
  country: string
  slug: string
}

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
  return { name, isPerson: false, slug, country, ...addressOf(formats, random, more) }
}

/** An address in one line. */
export function onOneLine({ address }: Party): string {
  return address.map((line) => line.replace(/,$/, '')).join(', ')
}

/** The same party in capitals, as many tills and some letterheads print it. */
export function inCapitals(party: Party): Party {
  const parts = Object.entries(party.parts).map(([part, text]) => [part, text.toUpperCase()])
  return {
    ...party,
    name: party.name.toUpperCase(),
    address: party.address.map((line) => line.toUpperCase()),
    parts: Object.fromEntries(parts) as AddressParts,
  }
}

export function makePerson(formats: Formats, random: Random): Party {
  const name = personName(formats.language, random)
  return {
    name,
    isPerson: true,
    slug: slugOf(name),
    country: formats.country,
    ...addressOf(formats, random, 0.1),
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
function addressOf({ country, language }: Formats, random: Random, more: number): Pick<Party, 'address' | 'parts'> {
  const rest = random.fork('rest of the address')
  const street = streetOf(country, language, random)
  const area = rest.pick(namesOf('area', language, country))
  const { line, ...town } = townOf(country, language, random)
  const parts = { street, ...town }
  const lines = [street, line]
  if (rest.chance(more)) lines.splice(rest.int(0, 1), 0, area)
  if (rest.chance(more / 4)) lines.splice(1, 0, rest.pick(namesOf('area', language)))
  if (rest.chance(more / 6)) lines.push(rest.pick(namesOf('country', language)))
  if (rest.chance(0.1)) return { address: [lines.slice(0, -1).join(', '), lines.at(-1)!], parts }
  const hasCommas = rest.chance(more / 4)
  return { address: lines.map((one, index) => (hasCommas && index < lines.length - 1 ? `${one},` : one)), parts }
}

function streetOf(country: string, language: Language, random: Random): string {
  const street = random.pick(namesOf('street', language, country))
  const house = random.int(1, 180)
  if (country === 'MY') return `${random.pick(['No. ', 'No ', 'Lot ', ''])}${house}, ${street}`
  if (country === 'SG') return `Blk ${house} ${street}`
  const numberFirst = language === 'en' || language === 'fr'
  return numberFirst ? `${house}${random.chance(0.1) ? ' bis' : ''} ${street}` : `${street} ${house}`
}

type Town = Omit<AddressParts, 'street'> & { line: string }

function townOf(country: string, language: Language, random: Random): Town {
  const city = random.pick(namesOf('town', language, country))
  const someState = (): string => random.pick(namesOf('state', language, country))
  const digits = (count: number): string => Array.from({ length: count }, () => random.int(0, 9)).join('')
  const letters = (count: number): string =>
    Array.from({ length: count }, () => random.pick([...'ABCDEFGHJKLNPRSTWXY'])).join('')
  const number = (first: number, last: number): string => String(random.int(first, last))
  const written = (line: (postcode: string) => string, postcode: string, state?: string): Town => ({
    city,
    postcode,
    ...(state === undefined ? {} : { state }),
    line: line(postcode),
  })
  switch (country) {
    case 'GB':
      return written((code) => `${city} ${code}`, `${letters(2)}${random.int(1, 19)} ${random.int(1, 9)}${letters(2)}`)
    case 'US': {
      const state = someState()
      return written((code) => `${city}, ${state} ${code}`, number(10_000, 99_000), state)
    }
    case 'CA': {
      const state = someState()
      const code = `${letters(1)}${digits(1)}${letters(1)} ${digits(1)}${letters(1)}${digits(1)}`
      return written(() => `${city}, ${state} ${code}`, code, state)
    }
    case 'AU': {
      const state = someState()
      return written((code) => `${city} ${state} ${code}`, number(2000, 7999), state)
    }
    case 'IN':
      return written((code) => `${city} - ${code}`, number(110_000, 790_000))
    case 'SG':
      return written((code) => `${city} ${code}`, number(100_000, 799_000))
    case 'MY': {
      const code = number(10_000, 89_000)
      const state = random.chance(0.5) ? someState() : undefined
      return written(() => `${code} ${city}${state === undefined ? '' : `, ${state}`}`, code, state)
    }
    case 'IE': {
      const state = someState()
      return { city, state, line: `${city}, Co. ${state}` }
    }
    case 'AT':
      return written((code) => `${code} ${city}`, number(1010, 9990))
    case 'CH':
      return written((code) => `${code} ${city}`, number(1000, 9650))
    case 'BE':
      return written((code) => `${code} ${city}`, number(1000, 9990))
    case 'NL':
      return written((code) => `${code} ${city}`, `${number(1000, 9990)} ${letters(2)}`)
    case 'IT': {
      const code = number(10_000, 98_000)
      return written(() => `${code} ${city} (${letters(2)})`, code)
    }
    default:
      return written((code) => `${code} ${city}`, digits(5).replace(/^0/, '1'))
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
