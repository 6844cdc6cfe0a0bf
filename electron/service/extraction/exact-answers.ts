import type { Box, Document, ExactSource, ExactValue } from '../../../shared/domain/document.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { documentTerms, listNames, rowTerms, type Term } from './exact-terms.ts'
import { understand, type Field } from './field.ts'
import { likeness } from './likeness.ts'
import { statementScore, wordingsOf } from './check-marks.ts'
import { findDates, parseBoolean, parseNumber } from './parse-value.ts'
import { meanings, weightOf } from './words.ts'

/** What an exact source answers to a field, in the field's format; `loose` fills a gap and overrules nothing. */
export type ExactAnswer = {
  value: string | number | boolean
  from: ExactSource['kind']
  loose: boolean
  page?: number
  box?: Box
}

/** Answers to the sub-fields of a list, one map for each row. */
export type ExactRow = Map<SchemaElement, ExactAnswer>

/** A form was filled in by hand or by a program for just this; a code only says what a payment needs. */
const kindOrder = ['form', 'e-invoice', 'payment-code'] as const

/** What the exact sources of a document answer to a field that is no list, best first: one answer of each source. */
export function exactAnswers(element: SchemaElement, document: Document): ExactAnswer[] {
  const field = understand(element, 'document')
  return kindOrder.flatMap((kind) =>
    (document.exact ?? [])
      .filter((source) => source.kind === kind)
      .flatMap((source) => {
        const values = source.values.filter(({ row }) => row === undefined)
        return kind === 'form'
          ? formAnswers(field, values)
          : answerOf(field, termsFor(field, documentTerms), values, kind).slice(0, 1)
      }),
  )
}

/**
 * Less is another field of the form, for yes and no as `booleanCandidates` has it on the page; two that are alike with
 * different values are for the page to decide.
 */
const leastAlike = { boolean: 0.6, other: 0.7 }

/** The value of the form field whose label names what is asked, if just one does. */
function formAnswers(field: Field, values: readonly ExactValue[]): ExactAnswer[] {
  const wordings = field.element.format === 'boolean' ? wordingsOf(field) : []
  const found = values.flatMap((one) => {
    const value = inFormat(field, one.value)
    if (value === null) return []
    const score =
      field.element.format === 'boolean'
        ? statementScore(one.term, wordings)
        : Math.max(0, ...field.phrases.map(({ words, weight }) => weight * likeness(meanings(one.term), words)))
    const least = field.element.format === 'boolean' ? leastAlike.boolean : leastAlike.other
    return score < least ? [] : [{ one, value, score }]
  })
  const best = onlyBest(found)
  if (best !== undefined) return [formAnswer(best.one, best.value, false)]
  // «First name» may be that of the child who is asked for, when no other is in the form and the page does not say.
  const shorter = onlyBest(found.length > 0 ? [] : shortened(field, values))
  return shorter === undefined ? [] : [formAnswer(shorter.one, shorter.value, true)]
}

type Scored = { one: ExactValue; value: ExactAnswer['value']; score: number }

/** The best, unless others are as good and say something else. */
function onlyBest(found: readonly Scored[]): Scored | undefined {
  const best = Math.max(...found.map(({ score }) => score))
  const [first, ...others] = found.filter(({ score }) => score > best - 0.02)
  return others.some(({ value }) => value !== first?.value) ? undefined : first
}

/** Less of what is asked says too little: «address» for the address of the delivery. */
const leastShare = 0.4

/** Form fields whose label is a part of what is asked, and nothing else. */
function shortened(field: Field, values: readonly ExactValue[]): Scored[] {
  if (field.element.format === 'boolean') return []
  return values.flatMap((one) => {
    const label = meanings(one.term)
    const score = Math.max(
      0,
      ...field.phrases.map(({ words }) =>
        label.every((word) => words.includes(word)) ? weightOfAll(label) / weightOfAll(words) : 0,
      ),
    )
    const value = score < leastShare ? null : inFormat(field, one.value)
    return value === null ? [] : [{ one, value, score }]
  })
}

function weightOfAll(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + weightOf(word), 0)
}

function formAnswer({ page, box }: ExactValue, value: ExactAnswer['value'], loose: boolean): ExactAnswer {
  return { value, from: 'form', loose, ...(page && box ? { page, box } : {}) }
}

/** What the form field says that a value of the page was read from, by its place; null when it was none. */
export function answerAt(element: SchemaElement, document: Document, page: number, box: Box): ExactAnswer | null {
  const field = understand(element, 'document')
  for (const source of document.exact ?? []) {
    if (source.kind !== 'form') continue
    for (const one of source.values) {
      if (one.page !== page || one.box === undefined || !isWithin(one.box, box)) continue
      const value = inFormat(field, one.value)
      if (value !== null) return { value, from: 'form', loose: false, page, box: one.box }
    }
  }
  return null
}

/** Whether the centre of one box lies in the other, either way. */
function isWithin(one: Box, other: Box): boolean {
  const holds = (outer: Box, inner: Box): boolean => {
    const [x, y] = [inner.x + inner.width / 2, inner.y + inner.height / 2]
    return x > outer.x && x < outer.x + outer.width && y > outer.y && y < outer.y + outer.height
  }
  return holds(one, other) || holds(other, one)
}

/** The rows that an exact source has for a list; null when none has a list that is meant. */
export function exactRows(element: SchemaElement, document: Document): ExactRow[] | null {
  const fields = (element.items ?? []).filter((item) => item.format !== 'list').map((item) => understand(item, 'list'))
  for (const source of document.exact ?? []) {
    const list = listMeant(element, fields, source)
    if (list === undefined) continue
    const terms = fields.map((field) => termsFor(field, rowTerms[list] ?? []))
    const rows = groupedRows(source, list).map((values): ExactRow => {
      const answers = fields.map((field, index) => answerOf(field, terms[index]!, values, source.kind)[0])
      return new Map(fields.flatMap(({ element: item }, index) => (answers[index] ? [[item, answers[index]]] : [])))
    })
    if (rows.length > 0) return rows
  }
  return null
}

function groupedRows(source: ExactSource, list: string): ExactValue[][] {
  const rows: ExactValue[][] = []
  for (const value of source.values) if (value.row?.list === list) (rows[value.row.index] ??= []).push(value)
  return rows.filter((row) => row !== undefined)
}

/** Which list of a source is meant: the one of that name, else the line items when their sub-fields are asked for. */
function listMeant(element: SchemaElement, fields: readonly Field[], source: ExactSource): string | undefined {
  const named = Object.keys(listNames).find((list) => listNames[list]!.some((name) => alike(element.name, name) >= 0.8))
  if (named !== undefined) return source.values.some(({ row }) => row?.list === named) ? named : undefined
  const asked = fields.map((field) => termsFor(field, rowTerms.line_items!)[0]?.term)
  const known = asked.filter((term) => term !== undefined)
  const isItems = known.some((term) => ['item_name', 'article_number', 'gtin'].includes(term))
  return isItems && known.length * 2 >= fields.length ? 'line_items' : undefined
}

/** The terms that a field may ask for: of that name, else of that meaning, else of a name that is like it. */
function termsFor(field: Field, terms: readonly Term[]): Term[] {
  const { name, description } = field.element
  const opening = description.split(/[.,;:(]/u)[0] ?? ''
  const scored = terms.map((term) => ({ term, score: scoreOf(field, term, name, opening) }))
  return scored
    .filter(({ score }) => score >= 0.75)
    .sort((left, right) => right.score - left.score)
    .map(({ term }) => term)
}

function scoreOf(field: Field, term: Term, name: string, opening: string): number {
  const byName = Math.max(0, ...term.names.map((one) => alike(name, one)))
  if (byName === 1) return 1
  const means =
    field.concept !== undefined &&
    term.concepts?.includes(field.concept) === true &&
    (term.side ?? 'none') ===
      (field.side ?? (sellersOwn.has(field.concept) && term.side === 'seller' ? 'seller' : 'none'))
  if (means) return term.loose ? 0.9 : 0.95
  // Another meaning is known: a name that is only like it would be another thing.
  if (field.concept !== undefined) return 0
  return Math.max(byName, 0.9 * Math.max(0, ...term.names.map((one) => alike(opening, one))))
}

/** Of these a document without further words names its sender's. */
const sellersOwn: ReadonlySet<string> = new Set(['vatId', 'taxNumber', 'registerNumber'])

/** The share of words that two names have in common, whatever their language (Dice). */
function alike(one: string, other: string): number {
  const [left, right] = [meaningsOfName(one), meaningsOfName(other)]
  if (left.size === 0 || right.size === 0) return 0
  const shared = [...left].filter((word) => right.has(word)).length
  return (2 * shared) / (left.size + right.size)
}

const known = new Map<string, ReadonlySet<string>>()

function meaningsOfName(name: string): ReadonlySet<string> {
  const found = known.get(name) ?? new Set(meanings(name.slice(0, 200)))
  if (known.size > 5000) known.clear()
  known.set(name, found)
  return found
}

function answerOf(
  field: Field,
  terms: readonly Term[],
  values: readonly ExactValue[],
  from: ExactSource['kind'],
): ExactAnswer[] {
  return terms.flatMap((term) => {
    const found = values.find((value) => value.term === term.term)
    const value = found === undefined ? null : inFormat(field, found.value)
    if (found === undefined || value === null) return []
    const { page, box } = found
    return [{ value, from, loose: term.loose === true, ...(page && box ? { page, box } : {}) }]
  })
}

/** The value as the field wants it; null when it cannot be that. */
function inFormat(field: Field, value: ExactValue['value']): ExactAnswer['value'] | null {
  const { format } = field.element
  if (format === 'boolean') return typeof value === 'boolean' ? value : parseBoolean(String(value))
  if (typeof value === 'boolean') return null
  if (format === 'number') return typeof value === 'number' ? value : parseNumber(value)
  const text = typeof value === 'number' ? String(value) : value
  if (field.allowed) return allowedOne(field.allowed, text)
  if (field.kind !== 'date' || field.asPrinted) return text
  return findDates(text)[0]?.iso ?? text
}

function allowedOne(allowed: readonly string[], text: string): string | null {
  const wanted = text.toLowerCase()
  return (
    allowed.find((one) => one.toLowerCase() === wanted) ??
    allowed.find((one) => wanted.includes(one.toLowerCase())) ??
    null
  )
}
