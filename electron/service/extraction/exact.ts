import type { Document } from '../../../shared/domain/document.ts'
import { pointerOf } from '../../../shared/domain/pointer.ts'
import type { Alternative, Doubt, ExtractedRecord, FieldSource, Value } from '../../../shared/domain/result.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { Evidence } from './evidence.ts'
import { answerAt, exactAnswers, exactRows, type ExactAnswer, type ExactRow } from './exact-answers.ts'
import { setOwn } from './set-own.ts'
import { plainOf, printedIn, type FindPrinted, type Printed } from './printed.ts'

type Values = { data: ExtractedRecord; sources: FieldSource[]; doubts: Doubt[] }

/** Said exactly and printed too; said exactly alone; said exactly while the page says something else. */
const trusts = { printed: 0.99, alone: 0.95, contradicted: 0.6 }

/**
 * Puts what the file says exactly into the values that were found on its pages: it wins, and where the page says
 * something else a doubt holds both. What agrees keeps its spelling and place on the page. Rows of a list are those of
 * the exact source; what it does not say of a row is taken from the row of the page that is most like it. Same input,
 * same result; without exact sources the values come back as they are.
 */
export function withExact(
  found: Values,
  schema: readonly SchemaElement[],
  document: Document,
  evidence: Evidence,
): Values {
  if (document.exact === undefined || document.exact.length === 0) return found
  const data: ExtractedRecord = {}
  const merge = new Merge(printedIn(document, evidence.dates), found.sources)
  for (const element of schema) {
    const pointer = pointerOf([0, element.name])
    const own = found.data[element.name] ?? null
    if (element.format === 'list') {
      const rows = exactRows(element, document)
      const records = Array.isArray(own) ? own : []
      setOwn(data, element.name, rows === null ? records : merge.rows(pointer, element, rows, records))
      if (rows === null) merge.keep(pointer)
    } else {
      const answers = exactAnswers(element, document)
      const place = merge.placeOf(pointer)
      const read =
        answers.length === 0 && place !== undefined ? answerAt(element, document, place.page, place.box) : null
      setOwn(data, element.name, merge.value(pointer, own, read === null ? answers : [read]))
    }
  }
  // What is said exactly is no longer unsure.
  const open = found.doubts.filter(({ pointer }) => !merge.settled.some((at) => isWithin(pointer, at)))
  return { data, sources: merge.sources, doubts: [...open, ...merge.doubts] }
}

/** Less is printed on any page: «19», «EUR». */
const tellingDigits = 3
const tellingLetters = 4

class Merge {
  readonly sources: FieldSource[] = []
  readonly doubts: Doubt[] = []
  /** Pointers of the fields and lists that an exact source answered. */
  readonly settled: string[] = []
  readonly #find: FindPrinted
  readonly #found: ReadonlyMap<string, FieldSource>

  constructor(find: FindPrinted, sources: readonly FieldSource[]) {
    this.#find = find
    this.#found = new Map(sources.map((source) => [source.pointer, source]))
  }

  /** Where the page's own value stands. */
  placeOf(pointer: string): FieldSource | undefined {
    return this.#found.get(pointer)
  }

  /** Takes the places of a value of the page, and of all within it, over as they are. */
  keep(pointer: string): void {
    for (const [at, source] of this.#found)
      if (at === pointer || at.startsWith(`${pointer}/`)) this.sources.push(source)
  }

  /** Decides between what the page says and the answers of exact sources. */
  value(pointer: string, own: Value, answers: readonly ExactAnswer[], from = pointer): Value {
    const answer = answers.find((one) => !one.loose || own === null || agree(own, one.value)) ?? null
    const place = this.#found.get(from)
    if (answer === null) {
      if (place !== undefined) this.sources.push({ ...place, pointer })
      return own
    }
    this.settled.push(pointer)
    if (own !== null && place !== undefined && agree(own, answer.value)) {
      this.sources.push({ ...place, pointer, from: answer.from, trust: trusts.printed })
      return own
    }
    const printed = answer.from === 'form' ? undefined : this.#printed(answer.value, own, place)
    const differs = own !== null && place !== undefined && printed === undefined
    const trust = printed !== undefined ? trusts.printed : differs ? trusts.contradicted : trusts.alone
    const source = sourceOf(pointer, answer, printed, trust)
    this.sources.push(source)
    if (differs) this.#doubt(source, answer.value, own, place)
    return printed === undefined ? answer.value : asPrinted(answer.value, printed)
  }

  /** The rows of an exact source with the values of the page's rows where it says nothing. */
  rows(
    pointer: string,
    element: SchemaElement,
    rows: readonly ExactRow[],
    records: readonly ExtractedRecord[],
  ): ExtractedRecord[] {
    const partners = pairs(rows, records)
    this.settled.push(pointer)
    return rows.map((row, index) => {
      const partner = partners[index]
      const record: ExtractedRecord = {}
      for (const item of element.items ?? []) {
        const own = partner === undefined ? null : (records[partner]![item.name] ?? null)
        const from = partner === undefined ? '' : `${pointer}${pointerOf([partner, item.name])}`
        const at = `${pointer}${pointerOf([index, item.name])}`
        const answer = row.get(item)
        setOwn(record, item.name, this.value(at, own, answer === undefined ? [] : [answer], from))
      }
      return record
    })
  }

  /** A place where the value stands on the page, if it says enough for that to be no chance. */
  #printed(value: ExactAnswer['value'], own: Value, place: FieldSource | undefined): Printed | undefined {
    if (typeof value === 'boolean') return undefined
    if (typeof value === 'number') {
      // Totals stand at the end, names and numbers at the beginning.
      return this.#find(value).findLast(({ text }) => text.replace(/\D/g, '').length >= tellingDigits)
    }
    const plain = plainOf(value)
    if (plain.length < tellingLetters) return undefined
    const around = place !== undefined && typeof own === 'string' && plainOf(own).includes(plain) ? place : undefined
    return this.#find(value)[0] ?? around
  }

  #doubt(source: FieldSource, value: ExactAnswer['value'], own: Value, place: FieldSource): void {
    if (own === null || Array.isArray(own)) return
    const { pointer, page, box, text, from } = source
    const alternatives: Alternative[] = [
      { value, page, box, text, ...(from ? { from } : {}) },
      { value: own, page: place.page, box: place.box, text: place.text, from: 'page' },
    ]
    this.doubts.push({ pointer, code: 'sources_differ', alternatives })
  }
}

/** What stands nowhere on a page is shown at the beginning of the first. */
const nowhere = { page: 1, box: { x: 0, y: 0, width: 0, height: 0 } }

function sourceOf(pointer: string, answer: ExactAnswer, printed: Printed | undefined, trust: number): FieldSource {
  const { page, box } =
    printed ??
    (answer.page !== undefined && answer.box !== undefined ? { page: answer.page, box: answer.box } : nowhere)
  return { pointer, page, box, text: printed?.text ?? String(answer.value), from: answer.from, trust }
}

function isWithin(pointer: string, at: string): boolean {
  return pointer === at || pointer.startsWith(`${at}/`)
}

function agree(own: Value, value: ExactAnswer['value']): boolean {
  if (typeof own === 'number' && typeof value === 'number') return Math.abs(own - value) < 0.005
  if (typeof own === 'string' && typeof value === 'string') return plainOf(own) === plainOf(value)
  return own === value
}

/** A text as it is printed, where it stands in one line; a date stays a date. */
function asPrinted(value: ExactAnswer['value'], { text }: Printed): ExactAnswer['value'] {
  return typeof value === 'string' && plainOf(text) === plainOf(value) && !value.includes(',') ? text : value
}

/** So far from its place in order a row of the page is looked for: rows of hundreds are not compared each with each. */
const farthestRow = 25

/** For each exact row the row of the page that shares most values with it, each taken once. */
function pairs(rows: readonly ExactRow[], records: readonly ExtractedRecord[]): (number | undefined)[] {
  const taken = new Set<number>()
  let expected = 0
  return rows.map((row) => {
    let best: number | undefined
    let most = 0
    for (let at = Math.max(0, expected - farthestRow); at < Math.min(records.length, expected + farthestRow); at++) {
      if (taken.has(at)) continue
      const shared = [...row].filter(([item, { value }]) => agree(records[at]![item.name] ?? null, value)).length
      if (shared > most) [best, most] = [at, shared]
    }
    if (best !== undefined) taken.add(best)
    expected = (best ?? expected) + 1
    return best
  })
}
