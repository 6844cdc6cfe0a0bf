import type { Formats } from './formats.ts'
import type { Random } from './random.ts'
import { namesOf } from './words.ts'
import type { Language } from './words.ts'

/** Somebody that a document names: a company or a person with an address. */
export type Party = { name: string; isPerson: boolean; street: string; town: string; country: string; slug: string }

export function makeCompany(formats: Formats, random: Random): Party {
  const { language } = formats
  const brand = random.pick(namesOf('brand', language))
  const last = random.pick(namesOf('last', language))
  const trade = random.pick(namesOf('trade', language))
  const legal = random.pick(namesOf('legal', language))
  const name = random.pick([
    `${brand} ${trade} ${legal}`,
    `${last} ${trade} ${legal}`,
    `${trade} ${last}`,
    `${brand} ${legal}`,
    `${brand} & ${last} ${legal}`,
    `${last} ${legal}`,
  ])
  return { name, isPerson: false, slug: slugOf(random.chance(0.5) ? brand : last), ...makePlace(formats, random) }
}

export function makePerson(formats: Formats, random: Random): Party {
  const name = personName(formats.language, random)
  return { name, isPerson: true, slug: slugOf(name), ...makePlace(formats, random) }
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

function makePlace({ country, language }: Formats, random: Random): { street: string; town: string; country: string } {
  const street = random.pick(namesOf('street', language))
  const house = random.int(1, 180)
  const town = random.pick(namesOf('town', language))
  const digits = (count: number): string => Array.from({ length: count }, () => random.int(0, 9)).join('')
  const letters = (count: number): string =>
    Array.from({ length: count }, () => random.pick([...'ABCDEFGHJKLNPRSTWXY'])).join('')
  const towns: Record<string, string> = {
    GB: `${town} ${letters(2)}${random.int(1, 19)} ${random.int(1, 9)}${letters(2)}`,
    US: `${town}, ${random.pick(['CA', 'NY', 'TX', 'OH', 'WA', 'MA'])} ${random.int(10_000, 99_000)}`,
    IE: `${town}, Co. ${random.pick(['Cork', 'Dublin', 'Mayo', 'Kerry'])}`,
    AT: `${random.int(1010, 9990)} ${town}`,
    CH: `${random.int(1000, 9650)} ${town}`,
    BE: `${random.int(1000, 9990)} ${town}`,
    NL: `${random.int(1000, 9990)} ${letters(2)} ${town}`,
    IT: `${random.int(10_000, 98_000)} ${town} (${letters(2)})`,
  }
  const numberFirst = language === 'en' || language === 'fr'
  const line = numberFirst ? `${house}${random.chance(0.1) ? ' bis' : ''} ${street}` : `${street} ${house}`
  return { street: line, town: towns[country] ?? `${digits(5).replace(/^0/, '1')} ${town}`, country }
}

function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z]+/g, '-')
    .toLowerCase()
    .replace(/^-|-$/g, '')
}
