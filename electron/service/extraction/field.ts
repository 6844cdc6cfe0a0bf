import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { askedAnswer, aspects, participles } from './asked-answer.ts'
import type { Answer } from './asked-answer.ts'
import { beyondLegalName, describesLegalName } from './legal-name.ts'
import { amountRoles, type AmountRole, type Concept, type Role, type ValueKind } from './concept.ts'
import { concepts, partySides } from './concepts.ts'
import { splitExamples, splitNumber } from './description-parts.ts'
import { without } from './leaves-out.ts'
import { likeness } from './likeness.ts'
import { maxBy } from './max-by.ts'
import { meanings, surfaceWords, weightOf } from './words.ts'

/** A wording that may stand as a label of a field, reduced to language-neutral words. */
export type Phrase = { words: readonly string[]; weight: number }

export type Side = 'seller' | 'buyer' | 'delivery'

/** A schema element as it is understood: which labels to look for and what kind of value to expect. */
export type Field = {
  element: SchemaElement
  concept?: string
  role?: Role
  kind: ValueKind
  /** Whose name, address or number is meant. */
  side?: Side
  /** What a text is likely to be, by the words that ask for it. */
  answer?: Answer
  phrases: Phrase[]
  /** The description asks for the value as printed. */
  asPrinted: boolean
  /** The last four digits of a number are asked for («cardLastFour»). */
  isLastFour: boolean
  /** Values that the description allows, when it lists them. */
  allowed?: string[]
  /** How a value may look, as the description shows it. */
  examples?: string[]
  /** The number that its form gives it, if the name or the description says it. */
  number?: string
}

const itemConcepts =
  'quantity quantityOrdered unit unitPrice lineAmount description bookingText articleNumber lineIndex debit credit balance bookingDate valueDate percentDiscount discount taxRate tax deliveryDate orderNumber'.split(
    ' ',
  )
const itemOnly = new Set(
  'unit lineAmount lineIndex description bookingText quantityOrdered debit credit balance percentDiscount bookingDate valueDate unitPrice articleNumber'.split(
    ' ',
  ),
)
const sidedKinds: ReadonlySet<ValueKind> = new Set([
  'party',
  'address',
  'vatid',
  'code',
  'email',
  'phone',
  'iban',
  'bic',
  'url',
  'postcode',
  'city',
  'state',
  'text',
])
const sideWords = new Map<string, Side>()
for (const side of ['seller', 'buyer', 'delivery'] as const)
  for (const word of partySides[side].words) sideWords.set(word, side)
sideWords.set('shipping', 'delivery').set('delivery', 'delivery')

/** Whether a field asks for the text that says what a row or entry is about. */
export function isDescription(field: Field): boolean {
  return field.concept === 'description' || field.concept === 'bookingText'
}

/** Whether a concept is one of the columns that tables of goods and bookings have. */
export function isItemConcept(concept: string): boolean {
  return itemConcepts.includes(concept)
}

/** Which of the amounts that prove each other a field asks for, if any. */
export function amountRoleOf(field: Field): AmountRole | undefined {
  return amountRoles.find((role) => role === field.role)
}

/** A concept by the meanings of its words; `nameKeys` and `strong` are the names and labels as keys. */
type Vocabulary = {
  id: string
  names: string[][]
  nameKeys: ReadonlySet<string>
  labels: Phrase[]
  strong: ReadonlySet<string>
}
const vocabulary: Vocabulary[] = Object.entries(concepts).map(([id, concept]) => ({
  id,
  strong: new Set(concept.labels.map((label) => keyOf(meanings(label)))),
  names: concept.names.map(meanings),
  nameKeys: new Set(concept.names.map((name) => keyOf(meanings(name)))),
  labels: [
    ...concept.labels.map((label) => phrase(label, 1)),
    ...(concept.weak ?? []).map((label) => phrase(label, 0.72)),
  ].filter((one) => one.words.length > 0),
}))
const known = new Map(vocabulary.map((entry) => [entry.id, entry]))
const labelKeys = new Set(vocabulary.flatMap((entry) => entry.labels.map((one) => keyOf(one.words))))
for (const side of Object.values(partySides)) for (const label of side.labels) labelKeys.add(keyOf(meanings(label)))

/** Whether a text is, as a whole, the label of something known. */
export function isKnownLabel(text: string): boolean {
  const plain = text.replace(/\([^)]*\)/gu, ' ')
  const words = meanings(plain)
  if (words.length > 0 && labelKeys.has(keyOf(words))) return true
  // «Proforma No. / Date», «Rechnungs-Nr./Datum»: two labels over two values.
  const parts = plain.split(/\s*\/\s*/u)
  return parts.length === 2 && !/\d/.test(plain) && parts.every((part) => labelKeys.has(keyOf(meanings(part))))
}

/** Understands a field from its name and description; `within` says whether it is a sub-field of a list. */
export function understand(asked: SchemaElement, within: 'document' | 'list'): Field {
  const { element, number } = splitNumber(shortened(asked))
  const field = understood(withoutGroup(element, within), within)
  return { ...field, element: asked, ...(number === undefined ? {} : { number }) }
}

/** Longer than any that was written for a reader; the rest is not read. */
const maxAskedLetters = 4000

function shortened(element: SchemaElement): SchemaElement {
  const { name, description } = element
  if (name.length + description.length <= maxAskedLetters) return element
  return { ...element, name: name.slice(0, maxAskedLetters), description: description.slice(0, maxAskedLetters) }
}

const neutralGroup = new Set(['total', 'amount', 'summary', 'overview', 'header', 'meta'])

/** «totals.subtotal» asks for a subtotal: such a group says nothing of what it holds, as that of «driver.phone» does. */
function withoutGroup(element: SchemaElement, within: 'document' | 'list'): SchemaElement {
  const [, group = '', name = ''] = /^([^\s.]+)\.([^\s.]+)$/u.exec(element.name) ?? []
  const words = meanings(name)
  const isName = !isGeneric(words) && findNamed(conceptOrder[within], words) !== undefined
  return isName && meanings(group).every((word) => neutralGroup.has(word)) ? { ...element, name } : element
}

function understood(element: SchemaElement, within: 'document' | 'list'): Field {
  const words = withTaxNumber(element, withDirection(element.name))
  const name = withRegion(element, withRate(element.name, words))
  const { description: said, examples } = splitExamples(element.description)
  const description = taxAsWords(withoutFormat(withoutNegations(said)))
  const side = sideOf(name, description)
  const rest = side ? name.filter((word) => sideWords.get(word) !== side) : name
  const meant = numberAlone(element, name, within) ?? conceptOf(name, rest, side, description, within, element)
  const found = fitting(meant, element)
  const concept = found === undefined ? undefined : concepts[found]
  const kind = kindOf(element, concept, name, description)
  const phrases = phrasesOf({ ...element, description: said }, name, rest, side, found, description)
  const allowed = allowedValues(element.description)
  return {
    element,
    kind,
    phrases,
    asPrinted: asksAsPrinted.test(element.description),
    isLastFour: asksForLastFour(element),
    ...(found === undefined ? {} : { concept: found }),
    ...(concept?.role && !(side && side !== 'seller') ? { role: concept.role } : {}),
    ...(side && sidedKinds.has(kind) && !sideless.has(found ?? '') ? { side } : {}),
    ...answerOf(element, kind, found, name),
    ...(allowed ? { allowed } : {}),
    ...(examples.length > 0 ? { examples } : {}),
  }
}

/**
 * «vat_21», «Netto 7 %», «Montant de la TVA à 20 %»: the rate, in percent, of which a net amount or tax is asked for;
 * undefined for all others. Without «%» it is not sure: «tax_24» may be a line of a form.
 */
export function rateAskedFor({
  element: { name, description },
  role,
}: Field): { rate: number; isSure: boolean } | undefined {
  if (role !== 'net' && role !== 'tax') return undefined
  const inName = /(?<![\d.,])(\d{1,2}(?:[.,]\d{1,2})?)\s?(%?)$/u.exec(name)
  const isOfAll = severalRates.test(description) || (description.match(/%/g) ?? []).length > 1
  const said = inName ?? (isOfAll ? null : atRate.exec(description))
  const rate = said ? Number(said[1]!.replace(',', '.')) : NaN
  // «tax_1» is the first of several.
  return said && (said[2] !== '' || rate >= lowestRate) ? { rate, isSure: said[2] !== '' } : undefined
}

const atRate = /(?<!\p{L})(?:at|zu|à|al|tegen)\s(\d{1,2}(?:[.,]\d{1,2})?)\s?(%)/iu
const severalRates =
  /(?<!\p{L})(?:total|usually|normally|mostly|or|oder|meist|gesamt\p{L}*|ou|totale?|o|of|meestal)(?!\p{L})/iu
/** In percent: the lowest of Europe's rates but Spain's and France's lowest ones, which a «%» tells. */
const lowestRate = 4

/** What is asked for of a party and does not belong to it. */
const sideless: ReadonlySet<string> = new Set(['customerNumber', 'supplierNumber', 'orderNumber', 'yourReference'])

function asksForLastFour({ name, description }: SchemaElement): boolean {
  return lastFourWanted.test(`${name} ${description}`)
}

const lastFourWanted = new RegExp(
  [
    String.raw`\b(?:last|letzten?|derniers?|[uú]ltimos)\s(?:4|four|vier|quatre|cuatro)\b`,
    String.raw`\b(?:4|quatre)\sderniers\b`,
    // «cardLastFour», and not «lastFourWeeks»
    String.raw`(?:last|ending)_?(?:4|four)(?![\s_]?(?:weeks?|days?|months?|years?))`,
  ].join('|'),
  'iu',
)
const asksAsPrinted = new RegExp(
  [
    String.raw`\bas (?:it is )?(?:printed|written|shown)\b`,
    String.raw`\bwie (?:gedruckt|angegeben|abgedruckt)\b`,
    String.raw`\btel(?:le)? (?:que|qu['’])`,
    String.raw`\b(?:como|come|zoals) (?:aparece|est[aá] impres|impres|appare|stampat|riportat|gedrukt|afgedrukt|vermeld)`,
  ].join('|'),
  'iu',
)

/** «zeitraum_von», «period to»: the small word at the end says which end is meant. */
function withDirection(name: string): string[] {
  const words = surfaceWords(name)
  const found = meanings(name)
  const last = words.at(-1) ?? ''
  // «billTo», «Lieferung an» ask for a name, not for an end.
  if (/^(?:to|an|aan|a)$/.test(last) && words.length === 2) {
    if (found.includes('invoice') || ['bill', 'billed', 'sold'].includes(words[0]!)) return ['buyer']
    if (found.includes('delivery') || ['ship', 'shipped'].includes(words[0]!)) return ['consignee']
    if (words[0] === 'remit') return ['seller']
  }
  // «Genehmigt von», «signed by»: there the small word names a person.
  if (
    words.length < 2 ||
    found.some((word) =>
      ['approval', 'signature', 'issue', 'name', 'payer', 'confirm', 'seller', 'buyer'].includes(word),
    )
  )
    return found
  if (/^(?:von|from|du|desde|ab)$/.test(last)) return [...new Set([...found, 'start'])]
  return /^(?:bis|to|au|al|hasta|until)$/.test(last) ? [...new Set([...found, 'end'])] : found
}

const taxNumbers = /^(?:ein|tin|gst|gstin|abn|pan|npi)$/

/**
 * «employer EIN», «seller GSTIN»: how states call the numbers that they give; a text called «seller_vat» or
 * «tvaFournisseur» is the number for that tax.
 */
function withTaxNumber({ name, format }: SchemaElement, words: string[]): string[] {
  if (!words.some((word) => partyNames.has(word) || sideWords.has(word))) return words
  if (taxNumbers.test(surfaceWords(name).at(-1) ?? '')) return [...words, 'taxnumber']
  const parties = words.filter((word) => !ofTaxNumber.has(word))
  const isNumber = parties.length < words.length && parties.every((word) => partyNames.has(word) || sideWords.has(word))
  return format === 'text' && isNumber ? [...parties, 'vat', 'id'] : words
}

const ofTaxNumber = new Set(['tax', 'vat'])

/** «VAT %» asks for the rate, «VAT 19 %» for what it comes to. */
function withRate(name: string, words: string[]): string[] {
  return words.length === 1 && words[0] === 'tax' && /(?<!\d\s?)%/u.test(name) ? ['tax', 'rate'] : words
}

/** What may stand beside «state» in a name or description that means a part of an address. */
const besideState = new Set('address place region city country store status'.split(' '))

/** «state», «customer_state» ask for a part of an address; «state of the order» and «contract_state» do not. */
function withRegion({ name, format, description }: SchemaElement, words: string[]): string[] {
  const isPlace = (word: string): boolean => besideState.has(word) || sideWords.has(word) || partyNames.has(word)
  const about = meanings(description)
  const isState = format === 'text' && surfaceWords(name).at(-1) === 'state' && words.every(isPlace)
  if (!isState || !(about.includes('region') || about.every(isPlace))) return words
  return words.map((word) => (word === 'status' ? 'region' : word))
}

/**
 * «bezahlt am», «Issued by», «Versand per»: the small word at the end of a name says what kind of answer it has, where
 * the description does not.
 */
function askedBy({ name, format, description }: SchemaElement): ValueKind | undefined {
  const words = format === 'text' && !hasDateHint(description) ? surfaceWords(name) : []
  const [before, last] = words.slice(-2)
  if (last === undefined || words.some((word) => kindByName(meanings(word)) === 'date')) return undefined
  // «pay by» and «add-on» are something else
  const isDone = /^(?:on|by|am|op|le|el|il)$/.test(last) ? participles.get(last) : undefined
  if (isDone && !isDone.test(before!)) return undefined
  if (/^(?:on|am|le|op|el|il|vom)$/.test(last)) return 'date'
  return /^(?:by|par|por|door|da|per|via)$/.test(last) ? 'text' : undefined
}

const noDays: ReadonlySet<ValueKind> = new Set(['money', 'number', 'percent', 'code'])

/** The concept, unless the name asks for another kind of answer. */
function fitting(concept: string | undefined, element: SchemaElement): string | undefined {
  if (concept === undefined) return undefined
  const { kind } = concepts[concept]!
  const asked = askedBy(element) ?? ofParty(kind, element)
  // «fecha» that is described as «de la orden» asks for no number.
  const isDay = element.format === 'text' && meanings(element.name)[0] === 'date' && noDays.has(kind)
  return isDay || (asked !== undefined && kind !== asked) ? undefined : concept
}

/** «cardholder_address», «deliver_to | Delivery address» ask for no name. */
function ofParty(kind: ValueKind, { name, format, description }: SchemaElement): ValueKind | undefined {
  if (kind !== 'party' || format !== 'text') return undefined
  const words = meanings(name)
  const said = kindByName(words)
  if (said !== undefined && contactKinds.has(said)) return said
  const described = words.includes('name') ? undefined : contactKind(withoutNegations(description))
  return described === 'address' ? described : undefined
}

/** How and where somebody is reached. */
const contactKinds: ReadonlySet<ValueKind> = new Set(['email', 'phone', 'url', 'address', 'postcode'])

/** Beside «address» in what is none of a place. */
const otherAddresses = new Set(['ip', 'ipaddress', 'mac', 'wallet', 'bitcoin', 'web', 'domain', 'network'])
const leavesOut = new RegExp(String.raw`(?<!\p{L})(?:${without})(?!\p{L})`, 'iu')
/** Then it is one of several things. */
const several = /\s(?:and|or|und|oder|et|ou|y|o|e|en)\s/iu
/** Before these words of a description stands what is asked for, behind them of whom. */
const ofWhom =
  /[.,;:(]|(?<!\p{L})(?:of|des?|der|du|di|del|della|dell|van|von|für|for|pour|per|para|to|wh\p{L}+|dove|où|waar|wo)(?!\p{L})/iu

/** «direct line | telephone of the writer», «sede | Indirizzo della società», «site | Straße, PLZ und Ort» */
function contactKind(description: string): ValueKind | undefined {
  const all = meanings(description)
  if (all.includes('name') || leavesOut.test(description)) return undefined
  const isInParts = all.includes('street') && (all.includes('postcode') || all.includes('city'))
  if (isInParts && /,/.test(description) && ['street', 'postcode', 'city'].includes(all[0]!)) return 'address'
  // «numero di telefono»
  const text = description.replace(/^\p{L}+\s(?:di|de|del)\s(?=\S+$)/iu, '')
  const [opening = ''] = text.split(ofWhom)
  const words = meanings(opening)
  if (several.test(description) || words.some((word) => otherAddresses.has(word))) return undefined
  const said = words.includes('email') ? 'email' : kindByName(words.slice(-1))
  return said !== undefined && contactKinds.has(said) ? said : undefined
}

function phrase(text: string, weight: number): Phrase {
  return { words: meanings(text), weight }
}

function keyOf(words: readonly string[]): string {
  return [...words].sort().join(' ')
}

function withoutNegations(description: string): string {
  return description.replace(/\b(?:not|never|nicht|kein(?:e[nrsm]?)?|pas|ni|nunca)\b[^,.;()]*/giu, ' ')
}

const howWritten = new RegExp(
  [
    String.raw`\b(?:wie|as)\s+(?:gedruckt|printed|angegeben|shown|written|stated)\b`,
    String.raw`\btel(?:le)?\s+(?:que\s\p{L}+|qu['’]\p{L}+)`,
    String.raw`\b(?:if any|falls vorhanden|si hay|le cas échéant|in prozent|dezimal|24 hours|name only|nur name)\b`,
    String.raw`\b(?:positive?\s?(?:number|value|zahl)?|valeur positive|positivo|negative?)\b`,
  ].join('|'),
  'giu',
)

/** How a value is to be written («YYYY-MM-DD», «wie gedruckt», «in Prozent») says nothing about its label. */
function withoutFormat(description: string): string {
  return description
    .replace(
      /\b(?:format\s*:?\s*)?(?:[ajy]{2,4}[-./]mm[-./](?:tt|dd|jj)|(?:tt|dd|jj)[-./]mm[-./][ajy]{2,4}|hh:mm(?::ss)?)\b/giu,
      ' ',
    )
    .replace(howWritten, ' ')
    .replace(/\(\s*\)/gu, ' ')
    .trim()
}

/** «including tax», «ohne MwSt.», «TTC»: which of the amounts is meant, said by the tax that is in or not in it. */
function taxAsWords(description: string): string {
  const tax = String.raw`(?:all\s+|any\s+|der\s+|la\s+|les\s+|el\s+|los\s+)?(?:taxe?s?|vat|sales tax|mwst\.?|mehrwertsteuer|ust\.?|umsatzsteuer|steuern?|tva|t\.v\.a\.|iva|impuestos?)(?![\p{L}])`
  return description
    .replace(
      new RegExp(
        String.raw`(?<![\p{L}])(?:incl(?:\.|uding|usive of|uded)?|inkl(?:\.|usive)?|with|mit|einschließlich|avec|y compris|incluant|con|incluidos?|incluyendo)\s+${tax}`,
        'giu',
      ),
      ' gross ',
    )
    .replace(
      new RegExp(
        String.raw`(?<![\p{L}])(?:excl(?:\.|uding|usive of)?|exkl(?:\.|usive)?|without|before|net of|ohne|vor|hors|sans|avant|sin|antes de)\s+${tax}`,
        'giu',
      ),
      ' net ',
    )
}

const attributeWords = new Set([
  ...'name address company vat taxnumber iban email phone city postcode street region country nr id contact'.split(' '),
  ...'party bank fax web register passport social birth signature title firstname lastname'.split(' '),
])
const placeWords = new Set('address street city postcode region country name'.split(' '))
const partyWords = new Set('name address company vat taxnumber city postcode street party'.split(' '))

/** The meanings of a text up to the first of the signs that `end` names. */
function openingOf(text: string, end: RegExp): string[] {
  return meanings(text.split(end)[0] ?? '')
}

/** «Name des Gläubigers»: the description says that a name is asked for. */
function asksForName(description: string): boolean {
  return ['name', 'company'].includes(meanings(description)[0] ?? '')
}

function sideOf(name: readonly string[], description: string): Side | undefined {
  const has = (words: ReadonlySet<string>): boolean => name.some((word) => words.has(word))
  const placed = has(placeWords)
  if (has(attributeWords) || name.length === 1) {
    const received = placed || name.includes('recipient') || name.includes('consignee')
    const named = name.map((word) => sideWords.get(word)).find((side) => side && (side !== 'delivery' || received))
    if (named) return named
  }
  if (name.includes('invoice') && placed && !name.includes('nr')) return 'buyer'
  // «gläubiger | Name des Gläubigers (Absender)»: the description says that a name is asked for, and whose.
  if (!has(partyWords) && !(name.length === 1 && asksForName(description))) return undefined
  return openingOf(description, /[.;]/u)
    .map((word) => sideWords.get(word))
    .find((side) => side && side !== 'delivery')
}

const conceptIds = Object.keys(concepts)
/** In which order the concepts are tried: inside a table those of rows come first, outside they do not count. */
const conceptOrder = {
  list: [...itemConcepts, ...conceptIds.filter((id) => !itemConcepts.includes(id))],
  document: conceptIds.filter((id) => !itemOnly.has(id)),
}

function findNamed(order: readonly string[], words: readonly string[]): string | undefined {
  const key = keyOf(words)
  return order.find((id) => known.get(id)!.nameKeys.has(key))
}

function conceptOf(
  name: string[],
  rest: string[],
  side: Side | undefined,
  description: string,
  within: 'document' | 'list',
  element: SchemaElement,
): string | undefined {
  if (element.format === 'boolean') return undefined
  const order = conceptOrder[within].filter((id) => formatFits(element, concepts[id]!))
  const exact = exactConcept(order, name, description)
  const special = exact === undefined ? undefined : specialAmount(order, exact, description)
  if (special !== undefined) return special
  const generic = isGeneric(name)
  const described = generic || exact === undefined ? conceptInDescription(order, exact, description) : undefined
  if (exact !== undefined && !(generic && described !== undefined)) return exact
  const sided = side ? sidedConcept(order, rest, description) : undefined
  if (sided !== undefined) return sided
  if (generic && described !== undefined) return described
  return inferredConcept(order, name, description, within, element) ?? (saysLittle(name) ? described : undefined)
}

/** «number», «id» alone are those of the document, unless the description says whose. */
function numberAlone(
  { format, description }: SchemaElement,
  name: readonly string[],
  within: 'document' | 'list',
): string | undefined {
  const ofDocuments = ['nr', 'id', 'document', 'invoice']
  const isAlone =
    within === 'document' &&
    format === 'text' &&
    name.length === 1 &&
    ['nr', 'id'].includes(name[0]!) &&
    meanings(description).every((word) => ofDocuments.includes(word))
  return isAlone ? 'documentNumber' : undefined
}

/** The concept of a name that is no known name itself. */
function inferredConcept(
  order: readonly string[],
  name: readonly string[],
  description: string,
  within: 'document' | 'list',
  element: SchemaElement,
): string | undefined {
  const inDocument = within === 'document'
  const key = keyOf(name)
  return (
    // What is printed as a label of a thing is a name for it as well.
    (inDocument && !isGeneric(name) ? order.find((id) => known.get(id)!.strong.has(key)) : undefined) ??
    endOfPeriod(name, element) ??
    nearestConcept(order, name) ??
    (inDocument ? restatedConcept(order, name, description) : undefined)
  )
}

/** A telling name of its own («policy_status») is not overruled by what its description mentions in passing. */
function saysLittle(name: readonly string[]): boolean {
  return name.every((word) => weightOf(word) < 1 || (!isTelling(word) && word.length <= 3))
}

/** The concept that the name is a name of. */
function exactConcept(order: readonly string[], name: readonly string[], description: string): string | undefined {
  const named = findNamed(order, name)
  // «dirección | vivienda alquilada» asks for the place that is let or supplied, not for a party's seat.
  return named === 'address' && meanings(description).includes('property') ? 'propertyAddress' : named
}

/** «netto | Nettoverdienst»: the description is the label of something more special than one of the three amounts. */
function specialAmount(order: readonly string[], exact: string, description: string): string | undefined {
  const amounts: readonly string[] = amountRoles
  if (!amounts.includes(exact)) return undefined
  const opening = openingOf(description, /[,;:(]/u)
  if (
    !opening.some(
      (word) => ['salary', 'premium', 'rent', 'weight'].includes(word) || /verdienst|lohn|gehalt/.test(word),
    )
  )
    return undefined
  return firstKnown(
    order.filter((id) => !amounts.includes(id)),
    opening,
  )
}

/** The first concept that has the words as a name or as a label. */
function firstKnown(order: readonly string[], words: readonly string[]): string | undefined {
  const key = keyOf(words)
  return order.find((id) => known.get(id)!.strong.has(key) || known.get(id)!.nameKeys.has(key))
}

/** What is asked about a party, by the words beside those that say which party. */
function sidedConcept(order: readonly string[], rest: readonly string[], description: string): string | undefined {
  const placed = rest.some((word) => placeWords.has(word))
  const attribute = rest.filter((word) => (word !== 'company' || rest.length === 1) && !(word === 'invoice' && placed))
  const unnamed =
    attribute.length === 0 || (attribute.length === 1 && !isTelling(attribute[0]!) && asksForName(description))
  return findNamed(order, unnamed ? ['name'] : attribute)
}

/** The concept with the name that is most like the words, if one is alike enough. */
function nearestConcept(order: readonly string[], name: readonly string[]): string | undefined {
  const alike = (id: string): number =>
    Math.max(...known.get(id)!.names.map((one) => Math.min(likeness(name, one), likeness(one, name))))
  return maxBy(order, alike, 0.78)
}

/** A terse name whose description is itself the name of something («Valid | valid until», «Tot | grand total»). */
function restatedConcept(order: readonly string[], name: readonly string[], description: string): string | undefined {
  const stated = openingOf(description, /[,;:(]/u)
  if (stated.length === 0 || stated.length > 4) return undefined
  return stated.some((word) => name.includes(word)) || name.every((word) => word.length <= 4)
    ? firstKnown(order, stated)
    : undefined
}

/** «Billing Period Start», «policy_end_date»: one end of a time of any kind. */
function endOfPeriod(name: readonly string[], element: SchemaElement): string | undefined {
  if (element.format !== 'text') return undefined
  const timed =
    name.some((word) =>
      [
        'date',
        'period',
        'valid',
        'contract',
        'rent',
        'insurance',
        'policy',
        'service',
        'duration',
        'delivery',
        'employee',
        'loan',
      ].includes(word),
    ) || hasDateHint(element.description)
  if (!timed) return undefined
  return name.includes('start') ? 'startDate' : name.includes('end') ? 'endDate' : undefined
}

/** The description gives a pattern for dates («JJJJ-MM-TT»). */
function hasDateHint(description: string): boolean {
  return /\b(?:[ajy]{2,4}[-./]mm[-./](?:tt|dd|jj)|(?:tt|dd|jj)[-./]mm[-./][ajy]{2,4}|iso 8601)\b/iu.test(description)
}

/** Names that only their description makes clear. */
const vagueNames = new Set(
  'date total amount nr name reference code id value balance payment period company text document type order number rate'.split(
    ' ',
  ),
)

function isGeneric(name: readonly string[]): boolean {
  return name.every((word) => vagueNames.has(word)) || (name.length === 1 && /^(?:start|end)$/.test(name[0]!))
}

const tellingWords = new Set(vocabulary.flatMap((entry) => entry.names.flat()))
function isTelling(word: string): boolean {
  return tellingWords.has(word)
}

/** The concept with the weightiest and earliest name that the description mentions. */
function conceptInDescription(
  order: readonly string[],
  exact: string | undefined,
  description: string,
): string | undefined {
  // «Total amount | total to pay including tax» stays the gross amount.
  const role = exact === undefined ? undefined : concepts[exact]!.role
  if (role !== undefined && meanings(description).includes(role)) return undefined
  const isOfCodes = codeWords.has(meanings(description)[0] ?? '')
  const describable = order.filter((id) => {
    // «Code of the service» asks for no service.
    if (isOfCodes && ['text', 'party'].includes(concepts[id]!.kind)) return false
    // «amount, negative for debits» asks for one signed column, not for the debits.
    return id !== 'debit' && id !== 'credit'
  })
  const words = surfaceWords(description).slice(0, 24)
  let best: string | undefined
  let bestScore = 0
  for (let start = 0; start < words.length; start++) {
    for (let length = Math.min(6, words.length - start); length >= 1; length--) {
      const window = meanings(words.slice(start, start + length).join(' '))
      if (window.length === 0) continue
      const weight = window.reduce((sum, word) => sum + weightOf(word), 0)
      if (weight < 1) continue
      const score = weight - start * 0.06
      if (score <= bestScore) continue
      const id = findNamed(describable, window)
      if (id !== undefined) {
        best = id
        bestScore = score
      }
    }
  }
  return best
}

function formatFits(element: SchemaElement, concept: Concept): boolean {
  if (element.format === 'number') return ['money', 'number', 'percent', 'code', 'postcode'].includes(concept.kind)
  // «Konto», «Zahlung»: a text is an amount only where an amount is named.
  return (
    element.format === 'text' &&
    (concept.kind !== 'money' || meanings(element.name).some((word) => moneyWords.has(word)))
  )
}

const moneyWords = new Set([
  ...'amount price total fee cost salary rent premium tax deposit balance net gross'.split(' '),
  ...'debit credit payout discount surcharge freight budget subtotal interest loan tip value change collateral'.split(
    ' ',
  ),
])
const codeWords = new Set(
  'nr id code reference serial batch tracking plate passport license gtin register taxnumber social blz costcenter mandate policy'.split(
    ' ',
  ),
)
const calendarWords = new Set(['year', 'month', 'week', 'day'])
const numberWords = new Set('quantity weight volume consumption hour duration package child night room'.split(' '))
const partyNames = new Set([
  ...'company employer employee owner landlord tenant insured applicant patient seller buyer insurer broker'.split(' '),
  ...'carrier doctor driver sender recipient payer guest manager contact advertiser agency agent'.split(' '),
  ...'borrower lender debtor creditor registrant member holder beneficiary claimant licensee trustee merchant'.split(
    ' ',
  ),
])

/** What a word in a name says about the kind of value; the first that fits decides. */
const kindsByWord: readonly (readonly [ReadonlySet<string>, ValueKind])[] = [
  [new Set(['range']), 'text'],
  [new Set(['date', 'birth', 'day']), 'date'],
  [new Set(['iban']), 'iban'],
  [new Set(['email']), 'email'],
  [new Set(['phone', 'fax']), 'phone'],
  [new Set(['web']), 'url'],
  [new Set(['currency']), 'currency'],
  [new Set(['time']), 'time'],
  [new Set(['address']), 'address'],
  [new Set(['postcode']), 'postcode'],
  [new Set(['percent']), 'percent'],
  [codeWords, 'code'],
]

function kindOf(
  element: SchemaElement,
  concept: Concept | undefined,
  name: readonly string[],
  description: string,
): ValueKind {
  if (element.format === 'boolean') return 'boolean'
  if (element.format === 'number') return numberKindOf(element, concept, name, description)
  if (asksForLastFour(element)) return 'code'
  const kind = askedBy(element) ?? textKindOf(element, concept, name, description)
  return asksForCompany(element, kind) ? 'party' : kind
}

/** «razon_social_emisor» is no number of social security, «clinic | legal name» no text; «legal_entity_type» is one. */
function asksForCompany({ name, description }: SchemaElement, kind: ValueKind): boolean {
  const beyond = beyondLegalName(name)
  if (beyond === undefined) return kind === 'text' && describesLegalName(description)
  const words = meanings(beyond)
  return ['text', 'code'].includes(kind) && kindByName(words) === undefined && !words.some((word) => aspects.has(word))
}

function textKindOf(
  element: SchemaElement,
  concept: Concept | undefined,
  name: readonly string[],
  description: string,
): ValueKind {
  const dated = hasDateHint(element.description)
  if (concept && !(dated && ['text', 'code'].includes(concept.kind))) return concept.kind
  if (dated) return 'date'
  if (/\bhh:mm\b/iu.test(element.description)) return 'time'
  return kindByName(name) ?? kindByDescription(description) ?? (isPartyName(name) ? 'party' : 'text')
}

function numberKindOf(
  element: SchemaElement,
  concept: Concept | undefined,
  name: readonly string[],
  description: string,
): ValueKind {
  if (concept && ['money', 'number', 'percent'].includes(concept.kind)) return concept.kind
  const has = (words: ReadonlySet<string>): boolean => name.some((word) => words.has(word))
  if (
    name.includes('percent') ||
    // «Tipo IRPF», «Aliquota ritenuta»
    name.includes('aliquota') ||
    surfaceWords(element.name)[0] === 'tipo' ||
    (name.includes('rate') && !name.includes('exchange')) ||
    /\bpercent|prozent|pourcent|porcent|%/i.test(description)
  )
    return 'percent'
  // «pay period year»
  if (name.includes('period') && calendarWords.has(name.at(-1)!)) return 'number'
  return !has(numberWords) && has(moneyWords) ? 'money' : 'number'
}

function kindByName(name: readonly string[]): ValueKind | undefined {
  if (name.includes('vat') && name.includes('id')) return 'vatid'
  if (name.includes('period')) return name.includes('start') || name.includes('end') ? 'date' : 'text'
  // «Geb.-Nr.» is no day, «invoice date no.» is one.
  const isNumber = name.at(-1) === 'nr' && !name.includes('date')
  const fits = kindsByWord.filter(([, kind]) => !isNumber || kind !== 'date')
  return fits.find(([words]) => name.some((word) => words.has(word)))?.[1] ?? (isTownOf(name) ? 'city' : undefined)
}

/** «company_town», «ville du fournisseur»; «city manager» is none. */
function isTownOf(name: readonly string[]): boolean {
  const [first, last] = name
  return name.length === 2 && (last === 'city' || (first === 'city' && sideWords.has(last!)))
}

function kindByDescription(description: string): ValueKind | undefined {
  const opening = openingOf(description, /[.,;(]/u)
  if (['date', 'day'].includes(opening[0] ?? '')) return 'date'
  const contact = contactKind(description)
  if (contact !== undefined) return contact
  const isCode = ['code', 'id'].includes(opening[0] ?? '') || (opening.length <= 3 && opening.includes('nr'))
  return isCode || opening.at(-1) === 'nr' ? 'code' : undefined
}

/** «debtor name», «administrative agent»; «patient state» is none. */
function isPartyName(name: readonly string[]): boolean {
  const isParty = (word: string | undefined): boolean => word === 'name' || partyNames.has(word ?? '')
  return (
    name.some((word) => partyNames.has(word)) &&
    (isParty(name.at(-1)) || name[0] === 'name') &&
    !name.some((word) => weightOf(word) < 1 && word !== 'name')
  )
}

/** A text may be anything, and so may a party that is no known one; of a seller all is known. */
function answerOf(
  element: SchemaElement,
  kind: ValueKind,
  concept: string | undefined,
  name: readonly string[],
): Pick<Field, 'answer'> {
  const isOpen = kind === 'text' || (kind === 'party' && concept === undefined)
  const answer = isOpen ? askedAnswer(element, name) : undefined
  return answer === undefined ? {} : { answer }
}

const describedKinds: ReadonlySet<ValueKind> = new Set(['code', 'party', 'text', 'phone', 'email'])

function phrasesOf(
  element: SchemaElement,
  name: string[],
  rest: string[],
  side: Side | undefined,
  concept: string | undefined,
  description: string,
): Phrase[] {
  const phrases: Phrase[] = [{ words: name, weight: 1 }]
  for (const quoted of element.description.matchAll(/[«"“„'‘]([^«»"“”„'’]{2,40})[»"”“'’]/gu)) {
    if (!/\d/.test(quoted[1]!)) phrases.push(phrase(quoted[1]!, 1))
  }
  phrases.push(...inBrackets(withoutFormat(withoutNegations(element.description))))
  if (concept !== undefined) phrases.push(...labelsOf(concept, name, element))
  if (side && concept !== undefined && rest.length > 0) {
    for (const label of known.get(concept)!.labels.slice(0, 6))
      phrases.push({ words: [...new Set([...label.words, side])], weight: 1 })
  }
  if (concept === undefined || describedKinds.has(concepts[concept]!.kind))
    phrases.push(...described(withoutFormat(element.description)))
  if (concept === undefined) {
    // «dni_arrendatario»: inside the tenant's lines «DNI» alone names it.
    if (side && rest.some((word) => weightOf(word) === 1)) phrases.push({ words: rest, weight: 0.9 })
    phrases.push({ words: openingOf(description, /[.,;:(]/u).slice(0, 6), weight: 0.85 })
    const telling = name.filter((word) => !unsaid.has(word))
    if (telling.length < name.length) phrases.push({ words: telling, weight: 0.8 })
  }
  return phrases.filter((one) => one.words.length > 0)
}

/** What a name says of its value, and no label has to say. */
const unsaid = new Set('name nr date id code value amount text number last four 4 digit digits'.split(' '))

/** The labels of a concept, and with less weight those of what stands in its place. */
function labelsOf(concept: string, name: readonly string[], element: SchemaElement): Phrase[] {
  const weighted = (id: string, factor: number): Phrase[] =>
    known.get(id)!.labels.map((one) => ({ ...one, weight: one.weight * factor }))
  const own = known.get(concept)!.labels
  switch (concept) {
    case 'description':
      return [...own, ...weighted('bookingText', 0.85)]
    // Offices print one or the other; who asks for a tax number is content with the VAT number and the reverse.
    case 'taxNumber':
      return [
        ...own,
        ...weighted('vatId', name.includes('taxnumber') && !surfaceWords(element.name).includes('id') ? 0.8 : 0.98),
      ]
    case 'vatId':
      return [...own, ...weighted('taxNumber', 0.6)]
    default:
      return own
  }
}

/**
 * What a description names in brackets («amount payable (Zahlbetrag)»): with a capital or in letters that have none.
 * What begins small says more of it («(before tax)», «(optional)»).
 */
function inBrackets(description: string): Phrase[] {
  return [...description.matchAll(/\(([\p{Lu}\p{Lo}][^()]*)\)/gu)]
    .flatMap(([, text = '']) => text.split(alternatives))
    .map((part) => phrase(part, 0.78))
    .filter(isTellingPhrase)
}

const alternatives = /,|\/|\b(?:or|oder|ou|o|bzw)\b/iu

/** Few words, of which one says something by itself. */
function isTellingPhrase({ words }: Phrase): boolean {
  return words.length > 0 && words.length <= 4 && words.some((word) => weightOf(word) === 1)
}

/** The alternatives that a description offers («customer number or account number at the supplier»). */
function described(description: string): Phrase[] {
  const sentence = description.split(/[.;:(]/u)[0] ?? ''
  return sentence
    .split(alternatives)
    .flatMap((part) => [phrase(part, 0.78), ...withoutOwner(part)])
    .filter(isTellingPhrase)
}

/** «… at the supplier», «… of the invoice» may be left out of a label; «… of the emergency contact» may not. */
function withoutOwner(part: string): Phrase[] {
  const match = /^(.*?)\s(?:of|at|by|from|on|in|for|to|that|which|der|des|von|bei|du|de|del|à|as)\s(.*)$/iu.exec(
    part.trim(),
  )
  if (!match) return []
  const left = meanings(match[2]!).every(
    (word) =>
      sideWords.has(word) ||
      weightOf(word) < 1 ||
      [
        'invoice',
        'order',
        'deliverynote',
        'receipt',
        'statement',
        'buyer',
        'seller',
        'company',
        'iso',
        'k',
        'wh',
        'kwh',
        'kg',
        'km',
        'hour',
        'day',
        'month',
        'currency',
        'course',
        'supplier',
        'tax',
      ].includes(word),
  )
  return left ? [phrase(match[1]!, 0.8)] : []
}

function allowedValues(description: string): string[] | undefined {
  const match =
    /\b(?:one of|allowed values?|possible values?|eine[rs]? von|mögliche werte|either|valeurs possibles|l['’]un de|uno de|valores posibles)\b\s*(?:are|sind|:)?\s*:?\s*([^.;]+)/iu.exec(
      description,
    )
  if (!match) return undefined
  const values = match[1]!
    .split(/,|\/|\bor\b|\boder\b|\bou\b|\||\bo\b/u)
    .map((value) => value.replace(/[«»"“”„'‘’()]/gu, '').trim())
    .filter((value) => value !== '' && value.length <= 40)
  return values.length >= 2 ? values : undefined
}
