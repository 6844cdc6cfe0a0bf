import type { SchemaElement } from '../../../shared/schema.ts'
import { concepts, partySides, type Concept, type Role, type ValueKind } from './concepts.ts'
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
  phrases: Phrase[]
  /** The description asks for the value as printed. */
  asPrinted: boolean
  /** Values that the description allows, when it lists them. */
  allowed?: string[]
}

const itemConcepts = 'quantity quantityOrdered unit unitPrice lineAmount description bookingText articleNumber lineIndex debit credit balance bookingDate valueDate percentDiscount discount taxRate tax deliveryDate orderNumber'.split(' ')
const itemOnly = new Set('unit lineAmount lineIndex description bookingText quantityOrdered debit credit balance percentDiscount bookingDate valueDate unitPrice articleNumber'.split(' '))
const sidedKinds: ReadonlySet<ValueKind> = new Set(['party', 'address', 'vatid', 'code', 'email', 'phone', 'iban', 'bic', 'url', 'postcode', 'city', 'text'])
const sideWords = new Map<string, Side>()
for (const side of ['seller', 'buyer', 'delivery'] as const) for (const word of partySides[side].words) sideWords.set(word, side)
sideWords.set('shipping', 'delivery').set('delivery', 'delivery')

/** Whether a word names one of the parties of a document («tenant», «employer», «guest»). */
export function isSideWord(word: string): boolean {
  return sideWords.has(word) && word !== 'shipping' && word !== 'delivery'
}

type Vocabulary = { id: string; names: string[][]; labels: Phrase[]; strong: ReadonlySet<string> }
const vocabulary: Vocabulary[] = Object.entries(concepts).map(([id, concept]) => ({
  id,
  strong: new Set(concept.labels.map((label) => keyOf(meanings(label)))),
  names: concept.names.map(meanings),
  labels: [...concept.labels.map((label) => phrase(label, 1)), ...(concept.weak ?? []).map((label) => phrase(label, 0.72))].filter((one) => one.words.length > 0),
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
export function understand(element: SchemaElement, within: 'document' | 'list'): Field {
  const name = withDirection(element.name)
  const description = taxAsWords(withoutFormat(withoutNegations(element.description)))
  const side = sideOf(name, description)
  const rest = side ? name.filter((word) => sideWords.get(word) !== side) : name
  const found = element.format === 'boolean' ? undefined : conceptOf(name, rest, side, description, within, element)
  const concept = found === undefined ? undefined : concepts[found]
  const kind = kindOf(element, concept, name, description)
  const phrases = phrasesOf(element, name, rest, side, found, description)
  const allowed = allowedValues(element.description)
  return {
    element, kind, phrases,
    asPrinted: /\bas (?:it is )?(?:printed|written|shown)\b|\bwie (?:gedruckt|angegeben|abgedruckt)\b|\btel(?:le)? (?:que|qu['’])|\bcomo (?:aparece|impres)/i.test(element.description),
    ...(found === undefined ? {} : { concept: found }),
    ...(concept?.role && !(side && side !== 'seller') ? { role: concept.role } : {}),
    ...(side && sidedKinds.has(kind) && !['customerNumber', 'supplierNumber', 'orderNumber', 'yourReference'].includes(found ?? '') ? { side } : {}),
    ...(allowed ? { allowed } : {}),
  }
}

/** «Number», «reference», «code» and «id» are said for one another. */
const marks = new Set(['nr', 'reference', 'code', 'id'])

/** Words of one sense: what one paper calls a fee, the next calls a cost. */
const kinOf: Readonly<Record<string, string>> = { fee: 'charge', cost: 'charge', surcharge: 'charge', amount: 'value', value: 'value', total: 'sum', subtotal: 'sum', paid: 'pay', payment: 'pay', duration: 'term', period: 'term', contract: 'term', seller: 'firm', company: 'firm' }

function kin(left: string, right: string): boolean {
  return kinOf[left] !== undefined && kinOf[left] === kinOf[right]
}

/** How well the words of a printed label name what a phrase names, 0..1. Missing and foreign words both cost. */
export function likeness(label: readonly string[], wanted: readonly string[]): number {
  let shared = 0
  let missing = 0
  const mark = label.find((word) => marks.has(word))
  const wantsMark = wanted.some((word) => marks.has(word))
  for (const word of wanted) {
    if (label.includes(word)) shared += weightOf(word)
    else if ((mark !== undefined && marks.has(word)) || label.some((one) => kin(one, word))) {
      shared += 0.8 * weightOf(word)
      missing += 0.2 * weightOf(word)
    }
    else missing += weightOf(word)
  }
  if (shared === 0) return 0
  let foreign = 0
  for (const word of label) if (!wanted.includes(word) && !(wantsMark && marks.has(word)) && !wanted.some((one) => kin(one, word))) foreign += weightOf(word)
  const coverage = shared / (shared + missing)
  return coverage < 0.6 ? 0 : coverage * (shared / (shared + 0.8 * foreign))
}

/** «zeitraum_von», «period to»: the small word at the end says which end is meant. */
function withDirection(name: string): string[] {
  const words = surfaceWords(name)
  const found = meanings(name)
  const last = words.at(-1) ?? ''
  // «billTo», «shipTo» ask for a name, not for an end.
  if (last === 'to' && words.length === 2) {
    if (['bill', 'billed', 'sold', 'invoice', 'invoiced'].includes(words[0]!)) return ['buyer']
    if (['ship', 'shipped', 'deliver', 'delivered'].includes(words[0]!)) return ['consignee']
    if (words[0] === 'remit') return ['seller']
  }
  // «Genehmigt von», «signed by»: there the small word names a person.
  if (words.length < 2 || found.some((word) => ['approval', 'signature', 'issue', 'name', 'payer', 'confirm', 'seller', 'buyer'].includes(word))) return found
  if (/^(?:von|from|du|desde|ab)$/.test(last)) return [...new Set([...found, 'start'])]
  return /^(?:bis|to|au|al|hasta|until)$/.test(last) ? [...new Set([...found, 'end'])] : found
}

function phrase(text: string, weight: number): Phrase {
  return { words: meanings(text), weight }
}

function keyOf(words: readonly string[]): string {
  return [...words].sort().join(' ')
}

function withoutNegations(description: string): string {
  return description.replace(/\b(?:not|never|nicht|kein(?:e[nrsm]?)?|pas|ni|nunca)\b[^,.;()]*/giu, ' ').replace(/\((?:e\.?g\.?|z\.?\s?B\.?|p\.?\s?ex\.?|for example|par exemple)[^)]*\)/giu, ' ').replace(/\b(?:e\.g\.|z\. ?B\.|for example|such as)[^.;]*/giu, ' ')
}

/** How a value is to be written («YYYY-MM-DD», «wie gedruckt», «in Prozent») says nothing about its label. */
function withoutFormat(description: string): string {
  return description
    .replace(/\b(?:format\s*:?\s*)?(?:[ajy]{2,4}[-./]mm[-./](?:tt|dd|jj)|(?:tt|dd|jj)[-./]mm[-./][ajy]{2,4}|hh:mm(?::ss)?)\b/giu, ' ')
    .replace(/\b(?:wie|as)\s+(?:gedruckt|printed|angegeben|shown|written|stated)\b|\btel(?:le)?\s+qu\S+\s\p{L}+|\b(?:if any|falls vorhanden|si hay|le cas échéant|positive?\s?(?:number|value|zahl)?|valeur positive|positivo|negative?|in prozent|dezimal|24 hours|name only|nur name)\b/giu, ' ')
    .replace(/\(\s*\)/gu, ' ')
    .trim()
}

/** «including tax», «ohne MwSt.», «TTC»: which of the amounts is meant, said by the tax that is in or not in it. */
function taxAsWords(description: string): string {
  const tax = String.raw`(?:all\s+|any\s+|der\s+|la\s+|les\s+|el\s+|los\s+)?(?:taxe?s?|vat|sales tax|mwst\.?|mehrwertsteuer|ust\.?|umsatzsteuer|steuern?|tva|t\.v\.a\.|iva|impuestos?)(?![\p{L}])`
  return description
    .replace(new RegExp(String.raw`(?<![\p{L}])(?:incl(?:\.|uding|usive of|uded)?|inkl(?:\.|usive)?|with|mit|einschließlich|avec|y compris|incluant|con|incluidos?|incluyendo)\s+${tax}`, 'giu'), ' gross ')
    .replace(new RegExp(String.raw`(?<![\p{L}])(?:excl(?:\.|uding|usive of)?|exkl(?:\.|usive)?|without|before|net of|ohne|vor|hors|sans|avant|sin|antes de)\s+${tax}`, 'giu'), ' net ')
}

function sideOf(name: readonly string[], description: string): Side | undefined {
  const attribute = name.some((word) => ['name', 'address', 'company', 'vat', 'taxnumber', 'iban', 'email', 'phone', 'city', 'postcode', 'street', 'country', 'nr', 'id', 'contact', 'party', 'bank', 'fax', 'web', 'register', 'passport', 'social', 'birth', 'signature', 'title', 'firstname', 'lastname'].includes(word))
  for (const word of name) {
    const side = sideWords.get(word)
    if (side === 'delivery' && !name.some((one) => ['address', 'name', 'city', 'postcode', 'street', 'country', 'recipient', 'consignee'].includes(one))) continue
    if (side && (attribute || name.length === 1)) return side
  }
  if (name.includes('invoice') && name.some((word) => ['address', 'street', 'city', 'postcode', 'country', 'name'].includes(word)) && !name.includes('nr')) return 'buyer'
  // «gläubiger | Name des Gläubigers (Absender)»: the description says that a name is asked for, and whose.
  const named = ['name', 'company'].includes(meanings(description)[0] ?? '') && name.length === 1
  if (!named && !name.some((word) => ['name', 'address', 'company', 'vat', 'taxnumber', 'city', 'postcode', 'street', 'party'].includes(word))) return undefined
  for (const word of meanings(description.split(/[.;]/u)[0] ?? '')) {
    const side = sideWords.get(word)
    if (side && side !== 'delivery') return side
  }
  return undefined
}

function conceptOf(name: string[], rest: string[], side: Side | undefined, description: string, within: 'document' | 'list', element: SchemaElement): string | undefined {
  const order = within === 'list' ? [...itemConcepts, ...Object.keys(concepts).filter((id) => !itemConcepts.includes(id))] : Object.keys(concepts).filter((id) => !itemOnly.has(id))
  const fits = (id: string): boolean => formatFits(element, concepts[id]!)
  // «amount, negative for debits» asks for one signed column, not for the debits.
  const describable = order.filter((id) => fits(id) && id !== 'debit' && id !== 'credit')
  const named = order.find((id) => fits(id) && known.get(id)!.names.some((one) => keyOf(one) === keyOf(name)))
  // «dirección | vivienda alquilada» asks for the place that is let or supplied, not for a party's seat.
  const exact = named === 'address' && meanings(description).includes('property') ? 'propertyAddress' : named
  const generic = name.every((word) => vagueNames.has(word))
  // «netto | Nettoverdienst»: the description is the label of something more special.
  const opening = meanings(description.split(/[,;:(]/u)[0] ?? '')
  const special = exact !== undefined && ['net', 'gross', 'tax'].includes(exact) && opening.some((word) => ['salary', 'premium', 'rent', 'weight'].includes(word) || /verdienst|lohn|gehalt/.test(word)) ? order.find((id) => fits(id) && !['net', 'gross', 'tax'].includes(id) && (known.get(id)!.strong.has(keyOf(opening)) || known.get(id)!.names.some((one) => keyOf(one) === keyOf(opening)))) : undefined
  if (special !== undefined) return special
  // «Total amount | total to pay including tax» stays the gross amount.
  const settled = exact !== undefined && concepts[exact]!.role !== undefined && meanings(description).includes(concepts[exact]!.role!)
  const described = !settled && (generic || exact === undefined) ? conceptInDescription(describable, description) : undefined
  if (exact !== undefined && !(generic && described !== undefined)) return exact
  if (side) {
    const place = rest.some((word) => ['address', 'street', 'city', 'postcode', 'country', 'name'].includes(word))
    const attribute = rest.filter((word) => (word !== 'company' || rest.length === 1) && !(word === 'invoice' && place))
    const unnamed = attribute.length === 0 || (attribute.length === 1 && !isTelling(attribute[0]!) && ['name', 'company'].includes(meanings(description)[0] ?? ''))
    const wanted = unnamed ? ['name'] : attribute
    const sided = order.find((id) => fits(id) && known.get(id)!.names.some((one) => keyOf(one) === keyOf(wanted)))
    if (sided !== undefined) return sided
  }
  if (exact !== undefined) return described ?? exact
  if (generic && described !== undefined) return described
  const stated = meanings(description.split(/[,;:(]/u)[0] ?? '')
  // What is printed as a label of a thing is a name for it as well.
  const asLabel = within === 'document' && !generic ? order.find((id) => fits(id) && known.get(id)!.strong.has(keyOf(name))) : undefined
  if (asLabel !== undefined) return asLabel
  const end = endOfPeriod(name, element)
  if (end !== undefined) return end
  let best: string | undefined
  let bestScore = 0.78
  for (const id of order) {
    if (!fits(id)) continue
    for (const one of known.get(id)!.names) {
      const score = Math.min(likeness(name, one), likeness(one, name))
      if (score > bestScore) {
        best = id
        bestScore = score
      }
    }
  }
  if (best !== undefined) return best
  // A telling name of its own («policy_status») is not overruled by what its description mentions in passing.
  // A terse name whose description is itself the name of something («Valid | valid until», «Tot | grand total»).
  const restated = within === 'document' && stated.length > 0 && stated.length <= 4 ? order.find((id) => fits(id) && (known.get(id)!.names.some((one) => keyOf(one) === keyOf(stated)) || known.get(id)!.strong.has(keyOf(stated)))) : undefined
  if (restated !== undefined && (stated.some((word) => name.includes(word)) || name.every((word) => word.length <= 4))) return restated
  return generic || name.every((word) => weightOf(word) < 1 || (!isTelling(word) && word.length <= 3)) ? described : undefined
}

/** «Billing Period Start», «policy_end_date»: one end of a time of any kind. */
function endOfPeriod(name: readonly string[], element: SchemaElement): string | undefined {
  if (element.format !== 'text') return undefined
  const timed = name.some((word) => ['date', 'period', 'valid', 'contract', 'rent', 'insurance', 'policy', 'service', 'duration', 'delivery', 'employee', 'loan'].includes(word)) || hasDateHint(element.description)
  if (!timed) return undefined
  return name.includes('start') ? 'startDate' : name.includes('end') ? 'endDate' : undefined
}

/** The description gives a pattern for dates («JJJJ-MM-TT»). */
function hasDateHint(description: string): boolean {
  return /\b(?:[ajy]{2,4}[-./]mm[-./](?:tt|dd|jj)|(?:tt|dd|jj)[-./]mm[-./][ajy]{2,4}|iso 8601)\b/iu.test(description)
}

/** Names that only their description makes clear. */
const vagueNames = new Set('date total amount nr name reference code id value balance payment period company text document type order number rate'.split(' '))

const tellingWords = new Set(vocabulary.flatMap((entry) => entry.names.flat()))
function isTelling(word: string): boolean {
  return tellingWords.has(word)
}

function conceptInDescription(order: string[], description: string): string | undefined {
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
      const key = keyOf(window)
      const id = order.find((candidate) => known.get(candidate)!.names.some((one) => keyOf(one) === key))
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
  return element.format === 'text'
}

const moneyWords = new Set('amount price total fee cost salary rent premium tax deposit balance net gross debit credit payout discount surcharge freight budget subtotal interest loan tip value'.split(' '))
const codeWords = new Set('nr id code reference serial batch tracking plate passport license gtin register taxnumber social blz costcenter mandate policy'.split(' '))
const dateWords = new Set(['date', 'birth', 'day'])
const numberWords = new Set('quantity weight volume consumption hour duration package child night room'.split(' '))

function kindOf(element: SchemaElement, concept: Concept | undefined, name: readonly string[], description: string): ValueKind {
  if (element.format === 'boolean') return 'boolean'
  if (element.format === 'number') {
    if (concept && ['money', 'number', 'percent'].includes(concept.kind)) return concept.kind
    if (name.includes('percent') || (name.includes('rate') && !name.includes('exchange')) || /\bpercent|prozent|pourcent|porcent|%/i.test(description)) return 'percent'
    return name.some((word) => numberWords.has(word)) ? 'number' : name.some((word) => moneyWords.has(word)) ? 'money' : 'number'
  }
  if (concept && !(hasDateHint(element.description) && ['text', 'code'].includes(concept.kind))) return concept.kind
  if (hasDateHint(element.description)) return 'date'
  if (/\bhh:mm\b/iu.test(element.description)) return 'time'
  const opening = meanings(description.split(/[.,;(]/u)[0] ?? '')
  const pick = (words: readonly string[]): ValueKind | undefined => {
    if (words.includes('period')) return words.includes('start') || words.includes('end') ? 'date' : 'text'
    if (words.some((word) => dateWords.has(word))) return 'date'
    if (words.includes('iban')) return 'iban'
    if (words.includes('email')) return 'email'
    if (words.includes('phone') || words.includes('fax')) return 'phone'
    if (words.includes('web')) return 'url'
    if (words.includes('currency')) return 'currency'
    if (words.includes('time')) return 'time'
    if (words.includes('address')) return 'address'
    if (words.includes('postcode')) return 'postcode'
    if (words.includes('percent')) return 'percent'
    if (words.some((word) => codeWords.has(word))) return 'code'
    return undefined
  }
  const byName = pick(name)
  if (byName) return byName
  if (['date', 'day'].includes(opening[0] ?? '')) return 'date'
  if ((opening.length <= 3 && opening.includes('nr')) || opening.at(-1) === 'nr') return 'code'
  if (name.some((word) => ['company', 'employer', 'employee', 'owner', 'landlord', 'tenant', 'insured', 'applicant', 'patient', 'seller', 'buyer', 'insurer', 'broker', 'carrier', 'doctor', 'driver', 'sender', 'recipient', 'payer', 'guest', 'manager', 'contact'].includes(word)) && !name.some((word) => weightOf(word) < 1 && word !== 'name')) return 'party'
  return 'text'
}

function phrasesOf(element: SchemaElement, name: string[], rest: string[], side: Side | undefined, concept: string | undefined, description: string): Phrase[] {
  const phrases: Phrase[] = []
  if (name.length > 0) phrases.push({ words: name, weight: 1 })
  for (const quoted of element.description.matchAll(/[«"“„'‘]([^«»"“”„'’]{2,40})[»"”“'’]/gu)) {
    if (!/\d/.test(quoted[1]!)) phrases.push(phrase(quoted[1]!, 1))
  }
  if (concept !== undefined) phrases.push(...known.get(concept)!.labels)
  if (concept === 'description') phrases.push(...known.get('bookingText')!.labels.map((one) => ({ ...one, weight: one.weight * 0.85 })))
  // Offices print one or the other; who asks for a tax number is content with the VAT number and the reverse.
  if (concept === 'taxNumber') phrases.push(...known.get('vatId')!.labels.map((one) => ({ ...one, weight: one.weight * (name.includes('taxnumber') && !surfaceWords(element.name).includes('id') ? 0.8 : 0.98) })))
  if (concept === 'vatId') phrases.push(...known.get('taxNumber')!.labels.map((one) => ({ ...one, weight: one.weight * 0.6 })))
  if (side && concept !== undefined && rest.length > 0) {
    for (const label of known.get(concept)!.labels.slice(0, 6)) phrases.push({ words: [...new Set([...label.words, side])], weight: 1 })
  }
  if (concept === undefined || ['code', 'party', 'text', 'phone', 'email'].includes(concepts[concept]!.kind)) phrases.push(...described(withoutFormat(element.description)))
  // «dni_arrendatario»: inside the tenant's lines «DNI» alone names it.
  if (concept === undefined && side && rest.length > 0 && rest.some((word) => weightOf(word) === 1)) phrases.push({ words: rest, weight: 0.9 })
  if (concept === undefined) {
    const opening = meanings(description.split(/[.,;:(]/u)[0] ?? '').slice(0, 6)
    if (opening.length > 0) phrases.push({ words: opening, weight: 0.85 })
    const telling = name.filter((word) => !['name', 'nr', 'date', 'id', 'code', 'value', 'amount', 'text', 'number'].includes(word))
    if (telling.length > 0 && telling.length < name.length) phrases.push({ words: telling, weight: 0.8 })
  }
  return phrases.filter((one) => one.words.length > 0)
}

/** The alternatives that a description offers («customer number or account number at the supplier»). */
function described(description: string): Phrase[] {
  const sentence = description.split(/[.;:(]/u)[0] ?? ''
  return sentence
    .split(/,|\/|\b(?:or|oder|ou|o|bzw)\b/iu)
    .flatMap((part) => [phrase(part, 0.78), ...withoutOwner(part)])
    .filter((one) => one.words.length > 0 && one.words.length <= 4 && one.words.some((word) => weightOf(word) === 1))
}

/** «… at the supplier», «… of the invoice» may be left out of a label; «… of the emergency contact» may not. */
function withoutOwner(part: string): Phrase[] {
  const match = /^(.*?)\s(?:of|at|by|from|on|in|for|to|that|which|der|des|von|bei|du|de|del|à|as)\s(.*)$/iu.exec(part.trim())
  if (!match) return []
  const left = meanings(match[2]!).every((word) => sideWords.has(word) || weightOf(word) < 1 || ['invoice', 'order', 'deliverynote', 'receipt', 'statement', 'buyer', 'seller', 'company', 'iso', 'k', 'wh', 'kwh', 'kg', 'km', 'hour', 'day', 'month', 'currency', 'course', 'supplier', 'tax'].includes(word))
  return left ? [phrase(match[1]!, 0.8)] : []
}

function allowedValues(description: string): string[] | undefined {
  const match = /\b(?:one of|allowed values?|possible values?|eine[rs]? von|mögliche werte|either|valeurs possibles|l['’]un de|uno de|valores posibles)\b\s*(?:are|sind|:)?\s*:?\s*([^.;]+)/iu.exec(description)
  if (!match) return undefined
  const values = match[1]!.split(/,|\/|\bor\b|\boder\b|\bou\b|\||\bo\b/u).map((value) => value.replace(/[«»"“”„'‘’()]/gu, '').trim()).filter((value) => value !== '' && value.length <= 40)
  return values.length >= 2 ? values : undefined
}
