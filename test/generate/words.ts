import columnsJson from './words/columns.json' with { type: 'json' }
import fieldsJson from './words/fields.json' with { type: 'json' }
import kindsJson from './words/kinds.json' with { type: 'json' }
import listsJson from './words/lists.json' with { type: 'json' }
import namesJson from './words/names.json' with { type: 'json' }

export const languages = ['en', 'de', 'fr', 'es', 'it', 'nl'] as const
export type Language = (typeof languages)[number]

type Labels = Record<Language, string>
/** What a field or column is: how its value is made, how schemas name it, how senders print it. */
export type Concept = Labels & {
  type?: string
  names: string
  about: string
  /** What it is asked for by on the papers of a shop. */
  shopNames?: string
  shopAbout?: string
}
export type Kind = {
  titles: Labels
  /** The field that the document is numbered by; empty for none. */
  number: string
  layout: 'letter' | 'form' | 'receipt' | 'statement'
  /** Which sums it has. */
  money: string
  /** Fields of its head; `!` stands nearly always. */
  meta: string
  /** Who is named in it; `?` sometimes. */
  parties: string
  list: string
  /** The sender is the customer. */
  swap?: boolean
}

export const fields = fieldsJson as Record<string, Concept>
export const columns = columnsJson as Record<string, Concept>
export const kinds = kindsJson as Record<string, Kind>
const lists = listsJson as Record<string, Labels>
const names = namesJson as Record<string, Record<string, string>>

const parts = new Map<string, string[]>()

/** Lists are asked for all the time: each is cut once. */
function cut(text: string, separator: string): string[] {
  let known = parts.get(text)
  if (!known) parts.set(text, (known = text.split(separator)))
  return known
}

/** The words of a list in a language. */
export function wordsOf(list: string, language: Language): readonly string[] {
  return cut(lists[list]![language], '|')
}

export function labelsOf(concept: Concept, language: Language): readonly string[] {
  return cut(concept[language], '|')
}

const billWords = /invoice|\bbill|factur|fattura|rechnung|faktur|\bnota|tax point/iu
const bills = new Set(['invoice', 'credit_note', 'receipt', 'utility_bill', 'phone_bill', 'medical_bill', 'reminder'])

/** Those that a document of that kind can print: no waybill has an invoice date, unless it names an invoice. */
export function labelsFor(kind: string, concept: Concept, language: Language): readonly string[] {
  const all = labelsOf(concept, language)
  if (bills.has(kind) || concept.names.startsWith('invoice') || concept.names.startsWith('original')) return all
  const fitting = all.filter((label) => !billWords.test(label))
  return fitting.length > 0 ? fitting : all
}

/** Parts of names: of a country where they are told apart, of a language, or of all. */
export function namesOf(part: string, language: Language, country = ''): readonly string[] {
  const list = names[part]!
  const text = list[country] ?? list[language] ?? list['any']!
  return cut(text, text.includes('|') ? '|' : ' ')
}
