import type { Document } from '../../../shared/domain/document.ts'
import { pointerOf } from '../../../shared/domain/pointer.ts'
import type { Doubt, ExtractedRecord, FieldSource } from '../../../shared/domain/result.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { assign } from './assign.ts'
import { labelledCandidates, type Candidate } from './candidates.ts'
import { booleanCandidates, optionCandidates } from './check-marks.ts'
import { readEvidence } from './evidence.ts'
import { withExact } from './exact.ts'
import { amountRoleOf, understand, type Field } from './field.ts'
import { isBank, issuerCandidates } from './issuers.ts'
import { layOut, sourceBox, textOf, withoutWords, type Layout, type Word } from './layout.ts'
import { extractList, setOwn, type ListResult } from './lists.ts'
import { findParties } from './parties.ts'
import { isTitle } from './party-words.ts'
import { periodCandidates } from './periods.ts'
import { sentenceAnswers } from './sentences.ts'
import { structuralCandidates } from './structure.ts'
import { columnSumCandidates } from './sums.ts'
import { readTaxTables, taxTableCandidates } from './tax-table.ts'
import { meanings } from './words.ts'

/** One record of values, for each value that was found where it stands, and which of them need a look. */
export type Extraction = { data: ExtractedRecord; sources: FieldSource[]; doubts: Doubt[] }

const positive = /\bpositiv/i

/** Amounts that every bill has: looked for even when nobody asks, because they prove each other. */
const implied: SchemaElement[] = [
  { name: 'net total', format: 'number', description: '' },
  { name: 'tax amount', format: 'number', description: '' },
  { name: 'gross total', format: 'number', description: '' },
]

/**
 * Fills a schema from one document that was read into tokens with places.
 * Every field of the schema is a key of `data`: `null` when the document does not say, `[]` for a list without rows.
 * Every value has a source whose pointer begins with `/0/`, because `data` is record 0. What the file says exactly wins
 * over what its pages show (`exact.ts`). Same input, same result.
 */
export function extractFields(document: Document, schema: SchemaElement[]): Extraction {
  const whole = layOut(document)
  const evidence = readEvidence(whole.text)
  const parties = findParties(whole)
  const lists = new Map<SchemaElement, ListResult>()
  const used = new Set<Word>()
  for (const element of schema) {
    if (element.format !== 'list') continue
    const result = extractList(element, whole, evidence)
    lists.set(element, result)
    for (const word of result.words) used.add(word)
  }
  const layout = withoutWords(whole, used)
  const asked = schema.filter((element) => element.format !== 'list')
  // Where amounts of a credit are wanted without their sign, those that only help lose it too.
  const unsigned = asked.some((element) => element.format === 'number' && positive.test(element.description))
  const fields = [
    ...asked,
    ...implied.map((element) => (unsigned ? { ...element, description: 'positive' } : element)),
  ].map((element) => understand(element, 'document'))
  namedByNeighbours(fields)
  datedByTitle(fields, layout)
  const labelled = labelledCandidates(fields, layout, parties, evidence)
  const options = optionCandidates(fields, layout)
  const sums = columnSumCandidates(fields, whole, evidence)
  // The balances of a statement often stand in the rows of its list.
  const statements = fields.map((field) =>
    field.concept?.endsWith('Balance') ? labelledCandidates([field], whole, parties, evidence)[0]! : [],
  )
  const taxTables = readTaxTables(whole, evidence)
  for (const [index, field] of fields.entries()) {
    if (!amountRoleOf(field)) continue
    for (const candidate of labelled[index]!)
      if (candidate.line !== undefined && taxTables.rateLines.has(candidate.line)) candidate.score *= 0.62
  }
  const candidates = fields.map((field, index) => {
    if (inOtherMoney(field, whole)) return []
    if (field.kind === 'boolean') {
      const answers = booleanCandidates(field, layout)
      return answers.length > 0 ? answers : [...booleanCandidates(field, whole), ...sentenceAnswers(field, whole)]
    }
    return [
      ...options[index]!,
      ...taxTableCandidates(field, taxTables),
      ...sums[index]!,
      ...periodCandidates(field, layout, evidence),
      ...issuerCandidates(field, whole, parties, evidence),
      ...labelled[index]!,
      ...statements[index]!,
      ...structuralCandidates(field, field.concept?.endsWith('Balance') ? whole : layout, parties, evidence),
    ]
      .map((candidate) => settle(field, candidate))
      .filter((candidate) => candidate !== undefined)
  })
  const wanted = fields.length - implied.length
  const chosen = withoutImplied(fields, candidates, wanted)
  const data: ExtractedRecord = {}
  const sources: FieldSource[] = []
  let next = 0
  for (const element of schema) {
    if (element.format === 'list') {
      const result = lists.get(element)!
      setOwn(data, element.name, result.records)
      sources.push(
        ...result.sources.map((source) => ({ ...source, pointer: pointerOf([0, element.name]) + source.pointer })),
      )
      continue
    }
    const candidate = chosen[next++]
    setOwn(data, element.name, candidate ? candidate.value : null)
    if (candidate)
      sources.push({
        pointer: pointerOf([0, element.name]),
        page: candidate.page,
        box: sourceBox(candidate.words),
        text: textOf(candidate.words),
      })
  }
  return withExact({ data, sources }, schema, document, evidence)
}

/** Beside a field for the first name the plain «name» is the family name. */
function namedByNeighbours(fields: Field[]): void {
  if (!fields.some((field) => field.concept === 'firstName')) return
  for (const [index, field] of fields.entries()) {
    if (field.concept !== 'partyName' || field.side || field.phrases[0]?.words.join() !== 'name') continue
    fields[index] = { ...understand({ ...field.element, name: 'last name' }, 'document'), element: field.element }
  }
}

/** On a delivery note the plain «Date» is the date of the delivery. */
function datedByTitle(fields: readonly Field[], layout: Layout): void {
  const title = layout.lines
    .slice(0, 12)
    .some((line) =>
      line.cells.some(
        (cell) => isTitle(cell.text.replace(/[\d:].*$/u, '')) && meanings(cell.text).includes('deliverynote'),
      ),
    )
  if (title)
    for (const field of fields)
      if (field.concept === 'deliveryDate') field.phrases.push({ words: ['date'], weight: 0.62 })
}

/** The implied amounts help to choose; they must not take a value away from a field that was asked for. */
function withoutImplied(fields: Field[], candidates: Candidate[][], wanted: number): (Candidate | undefined)[] {
  const asked = new Set(
    fields
      .slice(0, wanted)
      .map((field) => field.role)
      .filter((role) => role !== undefined),
  )
  const kept = fields
    .map((field, index) => (index < wanted || !asked.has(field.role!) ? index : -1))
    .filter((index) => index >= 0)
  const chosen = assign(
    kept.map((index) => fields[index]!),
    kept.map((index) => candidates[index]!),
    wanted,
  )
  return chosen.slice(0, wanted)
}

/** The value as the field wants it: as printed, or one of those that its description allows. */
function settle(field: Field, found: Candidate): Candidate | undefined {
  const candidate = field.concept === 'deliveryTerms' ? incoterm(found) : found
  const { value } = candidate
  if (typeof value === 'string') return settleText(field, candidate, value)
  return typeof value === 'number' && value < 0 && losesSign(field) ? { ...candidate, value: -value } : candidate
}

function losesSign(field: Field): boolean {
  const { description } = field.element
  // What was paid is printed as a deduction; it is an amount all the same.
  return positive.test(description) || (field.concept === 'prepaid' && !/negativ|négativ/iu.test(description))
}

const lastFourWanted =
  /\b(?:last|letzten?|derniers?|[uú]ltimos)\s(?:4|four|vier|quatre|cuatro)\b|\b(?:4|quatre)\sderniers\b|(?:last|ending)_?4/iu

function settleText(field: Field, candidate: Candidate, value: string): Candidate | undefined {
  if (/[☐□]/u.test(value) || (field.concept === 'accountHolder' && isBank(value))) return undefined
  if (lastFourWanted.test(`${field.element.name} ${field.element.description}`)) return lastFour(candidate, value)
  if (field.kind === 'time' && /hh:mm|24/iu.test(field.element.description))
    return { ...candidate, value: onTheClock(value) }
  if (field.asPrinted && (field.kind === 'date' || field.kind === 'currency'))
    return { ...candidate, value: textOf(candidate.words) }
  if (field.concept === 'paymentMethod' && candidate.words.length > 1 && opensPayment.test(candidate.words[0]!.text)) {
    const words = candidate.words.slice(1)
    return { ...candidate, words, value: textOf(words) }
  }
  return field.allowed ? allowedOnly(field.allowed, candidate, value) : candidate
}

/** The four digits that a number ends in; a date has none. */
function lastFour(candidate: Candidate, value: string): Candidate | undefined {
  const four = /(\d{4})\D*$/u.exec(value)?.[1]
  return four === undefined || /^\d{1,2}[./-]\d{1,2}[./-]\d{4}$/.test(value) ? undefined : { ...candidate, value: four }
}

const opensPayment = /^(?:by|with|mit|per|par|con|via|en|geg\.?|gegeben|bezahlt|paid|payé|pagado)$/iu

function allowedOnly(allowed: readonly string[], candidate: Candidate, value: string): Candidate | undefined {
  const printed = value.toLowerCase()
  const fitting =
    allowed.find((one) => printed === one.toLowerCase()) ?? allowed.find((one) => printed.includes(one.toLowerCase()))
  return fitting === undefined ? undefined : { ...candidate, value: fitting }
}

/** «CIF Mombasa – 30% advance»: the term of delivery with its place, without what is agreed besides. */
function incoterm(candidate: Candidate): Candidate {
  const first = candidate.words.findIndex((word) =>
    /^(?:EXW|FCA|FAS|FOB|CFR|CIF|CPT|CIP|DAP|DPU|DAT|DDP)[,;]?$/u.test(word.text),
  )
  if (first < 0) return candidate
  const end = candidate.words.findIndex((word, index) => index > first && /^[–—|/-]$/u.test(word.text))
  const words = candidate.words.slice(first, end < 0 ? undefined : end)
  return { ...candidate, words, value: textOf(words).replace(/[,;]$/u, '') }
}

/** «TotalEUR» asks for another amount than the one in dollars: a currency in the name must be in the document. */
function inOtherMoney(field: Field, layout: Layout): boolean {
  const code = /(?:^|[\s_(-]|[a-z])(EUR|USD|CHF|GBP)\)?$/u.exec(field.element.name)?.[1]
  return code !== undefined && field.element.format === 'number' && evidenceOf(code).test(layout.text) === false
}

function evidenceOf(code: string): RegExp {
  return (
    {
      EUR: /€|\bEUR\b|\beuros?\b/iu,
      USD: /\$|\bUSD\b|dollars?/iu,
      CHF: /\bCHF\b|\bSFr\b|francs?|franken/iu,
      GBP: /£|\bGBP\b|pounds?/iu,
    }[code] ?? /(?:)/u
  )
}

/** «6:52 PM» as the clock of 24 hours shows it. */
function onTheClock(text: string): string {
  const match = /^(\d{1,2})[:.h](\d{2})(?::\d{2})?\s*([ap])?\.?m?/iu.exec(text)
  if (!match) return text
  const hour = Number(match[1]) % (match[3] ? 12 : 24)
  return `${String(match[3]?.toLowerCase() === 'p' ? hour + 12 : hour).padStart(2, '0')}:${match[2]}`
}
