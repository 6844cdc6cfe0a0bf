import type { Document } from '../../../shared/domain/document.ts'
import { pointerOf } from '../../../shared/domain/pointer.ts'
import type { Alternative, Doubt, ExtractedRecord, FieldSource, Value } from '../../../shared/domain/result.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { Field } from '../extraction/field.ts'
import { withExact } from '../extraction/exact.ts'
import { layOut } from '../extraction/layout.ts'
import { setOwn } from '../extraction/set-own.ts'
import { chooseTables } from './choose-tables.ts'
import { decide } from './decide.ts'
import type { Decision } from './decide.ts'
import { describeProposals } from './describe.ts'
import { typeOfDocument } from './document-type.ts'
import type { DocumentType } from './document-type.ts'
import { shippedModel } from './model.ts'
import type { Model } from './model.ts'
import { mostAlternatives, placeOf, rowsOf } from './rows.ts'
import type { ListResult } from './rows.ts'
import { written } from './write.ts'

/** One record of values, where each value was found, and what a person should look at. */
export type Extraction = { data: ExtractedRecord; sources: FieldSource[]; doubts: Doubt[] }

const noRows: ListResult = { records: [], sources: [], doubts: [] }

/**
 * Who asks for rows has papers that have some: of 18 real documents of which no row was found each had rows
 * (27 November 2026).
 */
const rowsMissing: Doubt = { pointer: '', code: 'rows_missing', alternatives: [] }

/**
 * Fills a schema from one document that was read into tokens with places: proposals for each field are judged by
 * trained trees, then all are decided together (docs/decisions/0093). Every field of the schema is a key of `data`:
 * `null` when the document does not say or nothing is likely enough, `[]` for a list without rows. Every value has a
 * source with its trust; one whose trust is too low has a doubt with the next best values. Pointers begin with `/0/`,
 * because `data` is record 0. Same input, same result. Training measures with a `model` that never saw the sender.
 */
export function extractFields(document: Document, schema: SchemaElement[], model: Model = shippedModel): Extraction {
  const layout = layOut(document)
  const described = describeProposals(document, layout, schema)
  const decisions = decide(described, model.first, model.second)
  const result: Extraction = { data: {}, sources: [], doubts: [] }
  const tables = chooseTables(schema, layout, described.evidence, described.facts, model.rows)
  const lists = new Map(tables.map((table) => [table.element.name, rowsOf(table, model.rows)]))
  let next = 0
  for (const element of schema) {
    if (element.format === 'list') {
      addRows(result, element, lists.get(element.name) ?? noRows)
      continue
    }
    const field = described.fields[next]!
    if (field.role === 'document-type') addType(result, element, typeOfDocument(layout))
    else
      addField(result, field, decisions[next]!, {
        ...model,
        sure: isPhoto(document) ? model.sure.picture : model.sure.text,
      })
    next++
  }
  return withExact(result, schema, document, described.evidence)
}

function addRows(result: Extraction, { name }: SchemaElement, { records, sources, doubts }: ListResult): void {
  const pointer = pointerOf([0, name])
  setOwn(result.data, name, records)
  for (const source of sources) result.sources.push({ ...source, pointer: pointer + source.pointer })
  const isMissing = records.length === 0 && doubts.length === 0
  for (const doubt of isMissing ? [rowsMissing] : doubts)
    result.doubts.push({ ...doubt, pointer: pointer + doubt.pointer })
}

/** Whether a file is a picture: most are photos, which are read worse than what a scanner made of a paper, a PDF. */
export function isPhoto({ kind }: Pick<Document, 'kind'>): boolean {
  return kind === 'png' || kind === 'jpeg'
}

type Thresholds = Pick<Model, 'given' | 'absent'> & { sure: number }

function addField(
  result: Extraction,
  field: Field,
  decisions: readonly Decision[],
  { given, absent, sure }: Thresholds,
): void {
  const pointer = pointerOf([0, field.element.name])
  const usable = decisions.flatMap((decision) => {
    const value = written(field, decision.proposal)
    return value === null ? [] : [{ decision, value }]
  })
  const best = usable[0]
  const isGiven = best !== undefined && best.decision.trust >= given
  setOwn(result.data, field.element.name, isGiven ? best.value : null)
  if (isGiven)
    result.sources.push({ pointer, ...placeOf(best.decision.proposal.words), trust: rounded(best.decision.trust) })
  const others = usable.slice(isGiven ? 1 : 0).map((one) => alternative(one.decision, one.value))
  const isSure = isGiven ? best.decision.trust >= sure : best === undefined || best.decision.trust < absent
  if (!isSure) result.doubts.push({ pointer, code: 'unsure', alternatives: others.slice(0, mostAlternatives) })
}

function addType(result: Extraction, { name }: SchemaElement, type: DocumentType | null): void {
  const pointer = pointerOf([0, name])
  setOwn(result.data, name, type === null ? null : placeOf(type.words).text)
  if (type === null) {
    // Whether it is a credit note decides on a sign.
    result.doubts.push({ pointer, code: 'unsure', alternatives: [] })
    return
  }
  result.sources.push({ pointer, ...placeOf(type.words) })
  const alternatives = type.others.map((words) => ({ value: placeOf(words).text, ...placeOf(words) }))
  if (!type.isSure)
    result.doubts.push({ pointer, code: 'unsure', alternatives: alternatives.slice(0, mostAlternatives) })
}

/** More digits would say more than was measured. */
function rounded(trust: number): number {
  return Number(trust.toFixed(3))
}

function alternative(decision: Decision, value: Exclude<Value, null>): Alternative {
  return { value: value as Alternative['value'], ...placeOf(decision.proposal.words) }
}
