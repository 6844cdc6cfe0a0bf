import { pointerOf } from '../../shared/domain/pointer.ts'
import type { ExtractedRecord, Value } from '../../shared/domain/result.ts'
import type { FieldFormat, SchemaElement } from '../../shared/domain/schema.ts'
import { factsOfRole } from './content.ts'
import type { Content } from './content.ts'
import type { Spots } from './document.ts'
import type { Fact } from './facts.ts'
import type { Random } from './random.ts'
import { moreOf } from './rows.ts'
import type { Joined, List } from './rows.ts'
import { headedBy } from './sections.ts'
import type { Template } from './template.ts'
import { columns, fields, kinds, labelsFor } from './words.ts'
import type { Concept, Language } from './words.ts'

/** What is asked of a document, what is right, and where it stands: by pointer, token indexes. */
export type Asked = {
  schema: SchemaElement[]
  expected: ExtractedRecord
  places: Record<string, number[]>
  /** The other places at which a value is printed too. */
  alsoAt: Record<string, number[][]>
}

/** How one person writes a schema: in which language, in which case, and how much is said about a field. */
type Style = {
  kind: string
  language: Language
  /** The language of the paper. */
  printed: Language
  naming: 'snake' | 'camel' | 'words' | 'label' | 'upper'
  describes: 'not' | 'shortly' | 'fully'
  random: Random
}

// Two that mean nearly the same: where one is printed, the other must not count as absent.
const alike: string[][] = [
  [
    'total_amount',
    'amount_due',
    'reimbursement',
    'net_pay',
    'premium',
    'closing_balance',
    'total_rent',
    'net_amount',
    'customs_value',
    'gross_pay',
    'unrounded_total',
    'cash_given',
  ],
  [
    'invoice_number',
    'credit_note_number',
    'receipt_number',
    'reference',
    'quote_number',
    'certificate_number',
    'declaration_number',
    'delivery_note_number',
    'sample_number',
    'waybill_number',
  ],
  ['customer_number', 'member_number', 'patient_number', 'account_number', 'contract_number', 'policy_number'],
  ['order_number', 'your_reference', 'reference', 'project_number'],
  ['issue_date', 'payment_date', 'service_date', 'order_date', 'delivery_date', 'sample_date', 'period_start'],
  ['due_date', 'valid_until', 'period_end'],
  ['period_start', 'arrival_date'],
  ['period_end', 'departure_date', 'valid_until'],
  ['seller_name', 'other_party_name', 'buyer_name', 'person_name', 'ship_to_name'],
  ['contact_person', 'cashier', 'doctor', 'account_holder', 'person_name'],
  ['opening_balance', 'prepaid'],
  ['seller_tax_number', 'seller_vat_id', 'buyer_vat_id', 'register_number'],
  ['iban', 'account_number', 'customer_number'],
  ['tax_amount', 'income_tax', 'duty', 'tax_assessed'],
  ['phone', 'fax'],
  ['discount', 'reminder_fee', 'rounding'],
  ['packages', 'persons', 'nights', 'item_count'],
  ['gross_weight', 'net_weight'],
  ['tariff', 'subject', 'room_type', 'purpose'],
  ['payment_terms', 'payment_method'],
  ['department', 'occupation'],
]

const neighbours = new Map<string, Set<string>>()
for (const group of alike)
  for (const name of group) neighbours.set(name, new Set([...(neighbours.get(name) ?? []), ...group]))

/** Asks for some of what a document says, and for some of what it does not say. */
export function ask(content: Content, spots: Spots, numberOf: Template['numberOf'], random: Random): Asked {
  const style = makeStyle(content, random)
  const said = saidBy(content, spots)
  const asked: Asked = { schema: [], expected: {}, places: {}, alsoAt: {} }
  const wanted = random.sample([...said.keys()], Math.max(2, Math.round(said.size * (random.int(35, 95) / 100))))
  const absent = absentFrom(content, new Set(said.keys()), Math.round(wanted.length * 0.18 + random.next()), random)
  const names = random.shuffle([...wanted, ...absent])
  for (const concept of names) {
    const element = withNumber(elementOf(concept, fields[concept]!, style), numberOf(concept), style)
    if (asked.schema.some(({ name }) => name === element.name)) continue
    const fact = said.get(concept)
    const isPrinted = fact?.isDate === true && random.chance(0.12) && style.describes !== 'not'
    if (fact?.isDate ?? fields[concept]!.type === 'date')
      element.description = dateDescription(element.description, isPrinted, style)
    element.description = withExample(element.description, fact, [...said.values()], style)
    asked.schema.push(element)
    asked.expected[element.name] = fact ? (isPrinted ? textOf(fact) : fact.value) : null
    if (!fact) continue
    const pointer = pointerOf([0, element.name])
    place(asked, pointer, spots.get(concept)!)
  }
  if (content.list && random.chance(0.85)) askList(asked, content, spots, style)
  askForParts(asked, content, spots, style)
  const order = random.fork('order')
  if (!order.chance(asksInOrder)) return asked
  return {
    ...asked,
    schema: inPrintedOrder(asked.schema, ({ name }) => asked.places[pointerOf([0, name])]?.[0], order),
  }
}

/** So many ask for what they read from above, and from the left. */
const asksInOrder = 0.5

/** Elements as their values stand on the paper; those without one stand anywhere among them, lists at the end. */
function inPrintedOrder(
  elements: readonly SchemaElement[],
  placeOf: (element: SchemaElement) => number | undefined,
  random: Random,
): SchemaElement[] {
  const lists = elements.filter(({ format }) => format === 'list')
  const fields = elements.filter(({ format }) => format !== 'list')
  const ordered = fields
    .filter((one) => placeOf(one) !== undefined)
    .toSorted((left, right) => placeOf(left)! - placeOf(right)!)
  for (const one of fields.filter((field) => placeOf(field) === undefined))
    ordered.splice(random.int(0, ordered.length), 0, one)
  return [...ordered, ...lists]
}

/** So many papers are asked for the parts of an address. */
const asksForParts = 0.2

/** The street, town, code and state of one of the parties whose address is printed, and what of these it does not have. */
function askForParts(asked: Asked, content: Content, spots: Spots, { random: by, ...style }: Style): void {
  const random = by.fork('parts of an address')
  const roles = content.roles.filter(({ role }) => fields[`${role}_city`] && spots.has(`${role}_address`))
  if (roles.length === 0 || !random.chance(asksForParts)) return
  const { role, party } = random.pick(roles)
  for (const part of random.sample(['street', 'city', 'postcode', 'state'] as const, random.int(2, 4))) {
    const element = elementOf(`${role}_${part}`, fields[`${role}_${part}`]!, { ...style, random })
    const value = party.parts[part] ?? null
    const found = spots.get(`${role}_${part}`)
    if (asked.schema.some(({ name }) => name === element.name) || (value !== null && !found)) continue
    asked.schema.push(element)
    asked.expected[element.name] = value
    if (found) place(asked, pointerOf([0, element.name]), found)
  }
}

function place({ places, alsoAt }: Asked, pointer: string, [first, ...more]: number[][]): void {
  places[pointer] = first!
  if (more.length > 0) alsoAt[pointer] = more
}

/** Every fact that was drawn, by the name of its field. */
function saidBy(content: Content, spots: Spots): Map<string, Fact> {
  const roles = content.roles.flatMap((one) => {
    const { name, address } = factsOfRole(one)
    return one.role === 'other' ? [name] : [name, address]
  })
  const all = [
    ...roles,
    ...content.meta,
    ...content.checks,
    ...content.sums,
    ...content.own,
    ...(content.number ? [content.number] : []),
  ]
  return new Map(all.filter(({ name }) => spots.has(name) && fields[name]).map((fact) => [fact.name, fact]))
}

/** All but parts of an address, which are asked for by themselves. */
const drawnFields = Object.keys(fields).filter((name) => fields[name]!.type !== 'part')

function absentFrom(content: Content, said: ReadonlySet<string>, count: number, random: Random): string[] {
  const near = kinds[content.kind]!.meta.split(' ').map((entry) => entry.replace(/[!?]$/, ''))
  const sums = [
    'discount',
    'shipping',
    'prepaid',
    'due_date',
    'order_number',
    'iban',
    'phone',
    'email',
    'tip',
    'reminder_fee',
    'buyer_vat_id',
    'delivery_date',
  ]
  const drawn = new Set([...content.meta, ...content.own, ...content.sums].map(({ name }) => name))
  const isAbsent = (name: string): boolean => {
    if (said.has(name) || drawn.has(name) || ['check', 'none'].includes(fields[name]!.type ?? '')) return false
    // A currency that is not named is still the one of the amounts.
    if (name === 'currency' || name === 'tax_rate') return false
    // What a receipt is for has been paid.
    if (content.kind === 'receipt' && name === 'prepaid') return false
    return ![...(neighbours.get(name) ?? [])].some((other) => said.has(other))
  }
  const others = random.sample(drawnFields, 8)
  return random.shuffle([...new Set([...near, ...near, ...sums, ...others])].filter(isAbsent)).slice(0, count)
}

// Where a table has one of these, another one of the same line must not count as absent.
const alikeColumns = [
  [
    'row_amount',
    'row_premium',
    'signed_amount',
    'debit',
    'credit',
    'balance',
    'unit_price',
    'limit',
    'net_price',
    'row_tax',
  ],
  ['account_amount', 'account_before', 'row_amount', 'balance'],
  [
    'description',
    'account',
    'coverage',
    'program',
    'analyte',
    'destination',
    'category',
    'condition',
    'package_kind',
    'place',
  ],
  ['category', 'section'],
  ['details', 'description', 'condition'],
  ['article_number', 'code', 'line', 'serial_number', 'hs_code', 'row_invoice', 'position'],
  ['date', 'value_date', 'row_due', 'start_time', 'end_time'],
  ['quantity', 'quantity_delivered', 'hours', 'spots', 'factor', 'length', 'weight', 'result'],
  ['unit', 'measure_unit'],
  ['tax_code', 'row_tax_rate', 'code'],
  ['previous_reading', 'present_reading'],
]

/** So many lists ask for one or two columns that their table does not have. */
const asksForMore = 0.6

/** Columns that a table has not, and nothing that could be taken for them. */
function absentColumns(shown: readonly string[], random: Random): string[] {
  const near = new Set(alikeColumns.filter((group) => group.some((name) => shown.includes(name))).flat())
  const absent = Object.keys(columns).filter((name) => !near.has(name) && !shown.includes(name))
  return random.chance(asksForMore) ? random.sample(absent, random.chance(0.5) ? 1 : 2) : []
}

function askList(asked: Asked, content: Content, spots: Spots, style: Style): void {
  const { random } = style
  const list = content.list!
  const { all, wanted, isApart } = wantedColumns(list, random)
  const order = random.fork('order of columns')
  const items: SchemaElement[] = []
  const concepts = new Map<string, string>()
  for (const name of random.shuffle([...wanted, ...absentColumns(all, random)])) {
    const element = elementOf(name, columns[name]!, style, formatOf(list.rows.map((row) => row[name])))
    if (concepts.has(element.name)) continue
    if (list.rows.some((row) => row[name]?.isDate))
      element.description = dateDescription(element.description, false, style)
    concepts.set(element.name, name)
    items.push(element)
  }
  const columnOf = ({ name }: SchemaElement): number | undefined => {
    const concept = concepts.get(name)!
    // What stands below a text follows it, and a heading stands above all.
    const column = list.columns.indexOf(concept === 'details' ? 'description' : concept)
    return column >= 0 ? column : list.sections?.[0]?.heading.name === concept ? -1 : undefined
  }
  const plain = random.pick(listNames[style.language].split('|'))
  const isTaken = asked.schema.some((element) => element.name === cased(plain, style))
  const name = cased(isTaken ? `${plain} 2` : plain, style)
  const leavesOutSums = (list.groups ?? []).length > 0 && style.describes !== 'not' && random.chance(0.5)
  const about = style.describes === 'not' ? '' : listAbout[style.language]
  asked.schema.push({
    name,
    format: 'list',
    description: leavesOutSums ? `${about}; ${withoutSums[style.language]}` : about,
    items: order.chance(asksInOrder) ? inPrintedOrder(items, columnOf, order) : items,
  })
  // A number that nobody asks for stays with the text before which it is printed.
  const unasked = list.joined?.isBehind === false && !wanted.includes(list.joined.name) ? list.joined : undefined
  const sums = new Set((list.groups ?? []).map(({ sum }) => sum))
  const shownRows = [...list.rows.entries()].filter(([index]) => !leavesOutSums || !sums.has(index))
  const rows = shownRows.map(([index], at) => {
    const cells = items.map((item): [string, Value] => {
      const concept = concepts.get(item.name)!
      const { value, found } = cellOf(list, index, concept, spots, { isApart, unasked })
      if (!found || value === undefined) return [item.name, null]
      place(asked, pointerOf([0, name, at, item.name]), found)
      return [item.name, item.format === 'text' ? String(value) : value]
    })
    return Object.fromEntries(cells)
  })
  asked.expected[name] = rows
}

/** What a cell says, and where it was drawn, once or more. */
function cellOf(
  list: List,
  index: number,
  concept: string,
  spots: Spots,
  { isApart, unasked }: { isApart: boolean; unasked: Joined | undefined },
): { value: Value | undefined; found: number[][] | undefined } {
  const row = list.rows[index]!
  const text = partOf(row, concept, isApart)
  const key = `${list.name}/${headedBy(list, index, concept)}/${text?.name ?? concept}`
  const found = text?.isRest ? spots.get(moreOf(key)) : withMore(key, spots, text?.isFirst ?? false)
  const value = text?.value ?? row[concept]?.value
  const code = concept === unasked?.host ? row[unasked.name] : undefined
  if (!code || !found || value === undefined) return { value, found }
  const ofCode = spots.get(`${list.name}/${index}/${code.name}`)
  return { value: `${code.value} ${value}`, found: together(ofCode, found) }
}

/** The columns that a list has and those that are asked for; `isApart`: what stands below a text is asked for by itself. */
function wantedColumns(list: List, random: Random): { all: string[]; wanted: string[]; isApart: boolean } {
  const heading = (list.sections ?? []).slice(0, 1).map(({ heading: { name } }) => name)
  const hasMore = list.rows.some((row) => row['description']?.lines)
  const all = [...list.columns, ...heading]
  const shown = all.filter((name) => name !== 'position' || random.chance(0.3))
  const some = random.chance(0.6) ? shown : random.sample(shown, Math.max(1, Math.round(shown.length * 0.6)))
  const isApart = hasMore && some.includes('description') && random.fork('apart').chance(asksApart)
  return {
    all: hasMore ? [...all, 'details'] : all,
    wanted: isApart ? [...some, 'details'] : some,
    isApart,
  }
}

/** So many lists whose texts go on below ask for the text and the rest of it. */
const asksApart = 0.35

/** What is asked of a text in several lines: its first line or the further ones, where these are asked for apart. */
function partOf(
  row: Record<string, Fact>,
  concept: string,
  isApart: boolean,
): { name: string; value: string | undefined; isFirst: boolean; isRest: boolean } | undefined {
  if (!isApart || !['description', 'details'].includes(concept)) return undefined
  const { lines, value } = row['description']!
  const [first, ...rest] = lines ?? [String(value)]
  const isRest = concept === 'details'
  const text = isRest ? (rest.length > 0 ? rest.join(' ') : undefined) : first
  return { name: 'description', value: text, isFirst: !isRest, isRest }
}

/** The places of a text, with those of its further lines unless only the first is meant. */
function withMore(key: string, spots: Spots, isFirst: boolean): number[][] | undefined {
  const first = spots.get(key)
  return isFirst || !first ? first : together(spots.get(moreOf(key)), first)
}

/** The places of two values as those of one, each time in reading order. */
function together(others: number[][] | undefined, own: number[][]): number[][] {
  return own.map((tokens, at) => [...tokens, ...(others?.[at] ?? [])].sort((one, other) => one - other))
}

const listNames: Record<Language, string> = {
  en: 'line_items|items|rows|positions|entries|lines|table',
  de: 'Positionen|Zeilen|Artikel|positionen|Einträge',
  fr: 'lignes|articles|Lignes|positions|détails',
  es: 'líneas|conceptos|partidas|Detalle',
  it: 'righe|voci|articoli|Dettaglio',
  nl: 'regels|artikelen|posten|Regels',
}

const listAbout: Record<Language, string> = {
  en: 'The rows of the table, one for each',
  de: 'Alle Zeilen der Tabelle',
  fr: 'Toutes les lignes du tableau',
  es: 'Todas las líneas de la tabla',
  it: 'Tutte le righe della tabella',
  nl: 'Alle regels van de tabel',
}

const withoutSums: Record<Language, string> = {
  en: 'exclude subtotals and totals',
  de: 'ohne Summen',
  fr: 'sans les totaux',
  es: 'sin totales',
  it: 'senza totali',
  nl: 'zonder totalen',
}

function makeStyle(content: Content, random: Random): Style {
  const own = content.scene.formats.language
  return {
    kind: content.kind,
    printed: own,
    // Many ask in English for what is printed in another language.
    language: random.chance(0.55)
      ? own
      : random.chance(0.8)
        ? 'en'
        : random.pick(['de', 'fr', 'es', 'it', 'nl'] as const),
    naming: random.pick(['snake', 'snake', 'camel', 'words', 'label', 'label', 'upper']),
    describes: random.pick(['not', 'shortly', 'fully', 'fully']),
    random,
  }
}

function elementOf(
  name: string,
  concept: Concept,
  style: Style,
  format: FieldFormat = formatOfType(concept, name),
): SchemaElement {
  const { random, language } = style
  const synonyms = wordingOf(concept, style).names.split('|')
  const canonical = (random.chance(0.6) ? synonyms[0]! : random.pick(synonyms)).replaceAll('_', ' ')
  // «Delivery address» may stand over a name, but nobody asks for a name by it.
  const labels = labelsFor(style.kind, concept, language).filter(
    (label) => concept.type !== 'party' || !labelOfPlace.test(label),
  )
  const label =
    random
      .pick(labels)
      .replace(/[.:#°]+$/u, '')
      .trim() || canonical
  const base = language === 'en' && style.naming !== 'label' ? canonical : label
  return {
    name: cased(base, style),
    format,
    description: descriptionOf(concept, label, style) + inBrackets(concept, style),
  }
}

const labelOfPlace = /addre|adres|anschrift|direcci|destinazione|^lieu|^luogo/iu

/** Who asks in another language than the paper's may say what stands there («amount payable (Zahlbetrag)»). */
function inBrackets(concept: Concept, { kind, language, printed, describes, random }: Style): string {
  if (language === printed || describes !== 'fully' || !random.chance(0.25)) return ''
  return ` (${random
    .pick(labelsFor(kind, concept, printed))
    .replace(/[.:#°]+$/u, '')
    .trim()})`
}

const boxes: Record<Language, string> = { en: 'box', de: 'Feld', fr: 'case', es: 'casilla', it: 'riquadro', nl: 'vak' }

/** Most ask for a field that has a number by that as well («box16StateWages», «State wages (box 16)»). */
function withNumber(element: SchemaElement, number: number | null, style: Style): SchemaElement {
  const { random, language } = style
  if (number === null || random.chance(0.3)) return element
  const box = `${boxes[language]} ${number}`
  return random.chance(0.5)
    ? { ...element, name: cased(`${box} ${element.name}`, style) }
    : { ...element, description: `${element.description} (${box})`.trim() }
}

/** How people give an example, by language. */
const exampleForms: Record<Language, string[]> = {
  en: [' (e.g. X)', " (e.g. 'X')", ', e.g. X', ', for example X', ' (e.g. "X")'],
  de: [' (z. B. X)', ', z.B. X', ' (z. B. „X“)'],
  fr: [' (p. ex. X)', ', par exemple X'],
  es: [' (p. ej. X)', ', por ejemplo X'],
  it: [' (ad es. X)', ', per esempio X'],
  nl: [' (bijv. X)', ', bijvoorbeeld X'],
}

/**
 * Some say how a value looks: as on this paper where the schema was written from it, as on another one of the same
 * sender, or of another sender, who writes it otherwise. Where the paper has no value, the example is like another of
 * its facts.
 */
function withExample(
  description: string,
  fact: Fact | undefined,
  said: readonly Fact[],
  { random, language, describes }: Style,
): string {
  if (describes === 'not' || said.length === 0 || !random.chance(0.2)) return description
  const like = fact ?? random.pick(said)
  const text = textOf(like)
  if (typeof like.value === 'boolean' || text === '' || text.length > 40) return description
  const example = fact && random.chance(0.35) ? text : anotherLike(text, random)
  return description + random.pick(exampleForms[language]).replace('X', () => example)
}

/** Another value of the kind: a number mostly of as many signs, a name of other words. */
function anotherLike(text: string, random: Random): string {
  const isCode = /\d/.test(text)
  const end = random.pick(['', '-1', '/20', ' A'])
  const shape = isCode && random.chance(0.3) ? text.slice(0, Math.ceil(text.length / 2)) + end : text
  const signs = (from: string, sign: string): string => sign.replace(/./gu, () => random.pick([...from]))
  return shape
    .replace(/\p{Ll}+/gu, (run) => signs(small, isCode ? run : 'x'.repeat(random.int(2, 9))))
    .replace(/\p{Lu}/gu, (sign) => signs(small.toUpperCase(), sign))
    .replace(/\d/gu, (sign) => signs('0123456789', sign))
}

const small = 'abcdefghiklmnoprstuvw'

/** How a concept is asked for: of a shop by words of its own where it has some. */
function wordingOf(
  { names, about, shopNames = names, shopAbout = about }: Concept,
  { kind }: Style,
): { names: string; about: string } {
  return kind === 'receipt' ? { names: shopNames, about: shopAbout } : { names, about }
}

function descriptionOf(concept: Concept, label: string, style: Style): string {
  const { describes, language, random } = style
  if (describes === 'not') return ''
  if (language === 'en' && describes === 'fully') return wordingOf(concept, style).about
  const forms: Record<Language, string[]> = {
    en: [label, `${label}, as printed`, `The ${label.toLowerCase()}`],
    de: [label, `${label} des Dokuments`, `${label}, wie gedruckt`],
    fr: [label, `${label} du document`, `${label} tel qu'imprimé`],
    es: [label, `${label} del documento`],
    it: [label, `${label} del documento`],
    nl: [label, `${label} van het document`],
  }
  return describes === 'shortly' ? label : random.pick(forms[language])
}

/** Dates are wanted as `YYYY-MM-DD` unless the description asks for what is printed. */
function dateDescription(description: string, isPrinted: boolean, { language, describes }: Style): string {
  const plain = description.replace(/, (?:as printed|wie gedruckt)$| tel qu'imprimé$/u, '')
  if (isPrinted)
    return `${plain}, ${{ en: 'as printed', de: 'wie gedruckt', fr: 'tel qu’imprimé', es: 'como está impreso', it: 'come stampato', nl: 'zoals gedrukt' }[language]}`
  return describes === 'fully' ? `${plain}, YYYY-MM-DD` : plain
}

function cased(text: string, { naming }: Style): string {
  const plain = text.replace(/\s+/gu, ' ').trim()
  if (naming === 'label') return plain
  const words = plain.toLowerCase().split(/[\s_]+/u)
  if (naming === 'snake') return words.join('_')
  if (naming === 'upper') return words.join('_').toUpperCase()
  if (naming === 'words') return words.join(' ')
  return words.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('')
}

const numberTypes = new Set(['money', 'small', 'percent', 'consumption', 'weight', 'area', 'year'])

function formatOfType({ type = '' }: Concept, name: string): FieldFormat {
  if (type === 'check') return 'boolean'
  if (name === 'table_number' || name === 'till_number') return 'number'
  return numberTypes.has(type) ? 'number' : 'text'
}

function formatOf(facts: readonly (Fact | undefined)[]): FieldFormat {
  const first = facts.find((fact) => fact !== undefined)
  return typeof first?.value === 'number' ? 'number' : 'text'
}

function textOf(fact: Fact): string {
  return fact.parts
    .filter(({ isValue }) => isValue)
    .map(({ text }) => text)
    .join('')
}
