// In: a result and its document, and what was learned of forms.
// Out: what the lessons say of its values.
import { valueInKind } from '../../../shared/domain/in-kind.ts'
import { bareAccount, fewestToSettle } from '../../../shared/domain/learned.ts'
import type { LearnedValue } from '../../../shared/domain/learned.ts'
import { meaningOf } from '../../../shared/domain/meaning.ts'
import { pointerOf, tokensOf, valueAt } from '../../../shared/domain/pointer.ts'
import { plainValueOf } from '../../../shared/domain/result.ts'
import type { PlainValue } from '../../../shared/domain/result.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { StoredDocument } from '../db/tables/documents.ts'
import type { Tables } from '../db/tables/tables.ts'
import { applyLessons, comparable } from './apply.ts'
import type { Learned } from './apply.ts'
import { accountsIn } from './fingerprint.ts'
import { formOf } from './forms.ts'
import type { Forms, SchemaForms } from './forms.ts'
import type { FieldLesson } from './lesson.ts'
import { standsIn } from './printed.ts'
import type { Printed } from './printed.ts'

export type Checked = StoredDocument & { resultId: number }

/** A document whose result can be learned from and compared; null for others. */
export function checkedDocument(tables: Tables, documentId: number): Checked | null {
  const document = tables.documents.get(documentId)
  return document?.status === 'done' && document.resultId !== null ? { ...document, resultId: document.resultId } : null
}

/**
 * What the lessons say of a document's values: nothing of what a person corrected or confirmed, nor of what its file
 * says exactly. Null where a person approved it: nothing changes. `at`: epoch ms.
 */
export function comparedWith(
  tables: Tables,
  known: Forms,
  documentId: number,
  printed: Printed,
  at: number,
): LearnedValue[] | null {
  const document = checkedDocument(tables, documentId)
  if (document === null || tables.reviews.approval(documentId) !== null) return null
  const forms = known.of(tables.schemas.versionOf(document.schemaVersionId).schemaId)
  const form = formOf(printed, forms, documentId)
  const { extracted, sources } = tables.results.get(document.resultId)
  if (form === null || extracted.length !== 1) return withTouched(tables, documentId, [])
  const lessons = tables.lessons.fieldsOf(form).map((fields) => JSON.parse(fields) as FieldLesson[])
  const elements = tables.schemas.elementsOf(document.schemaVersionId)
  const isLocal = tables.connections.local().id === document.connectionId
  const taught = forms.known.filter((each) => each.form === form)
  const corrected = new Set(
    taught
      .flatMap(({ documentId: id }) => (id === null ? [] : tables.reviews.corrections(id)))
      .map(({ pointer }) => pointer),
  )
  const headers = sources?.filter(({ pointer }) => tokensOf(pointer).length === 2) ?? []
  const exact = new Set(sources?.filter(({ from = 'page' }) => from !== 'page').map(({ pointer }) => pointer))
  const found = [...applyLessons(lessons, printed)].flatMap(([name, read]): LearnedValue[] => {
    const pointer = pointerOf([0, name])
    const element = elements.find((each) => each.name === name)
    const learned =
      element === undefined || typeof read.value !== 'string'
        ? read
        : { ...read, value: valueInKind(read.value, element) as string }
    const isCorrected = corrected.has(pointer)
    const said = headerValueOf(valueAt(extracted, pointer))
    if (element === undefined || said === undefined || !isOf(element, learned)) return []
    if (exact.has(pointer)) return []
    if (comparable(said) !== comparable(learned.value)) {
      // What earlier documents of a sender are called says nothing of this one, and a sign goes by it.
      if (element.kind === 'document_type') return []
      const kind = isLocal ? 'replaced' : 'differs'
      const { place } = learned
      const isOfOther = place !== null && headers.some((one) => one.pointer !== pointer && standsIn(place, one))
      return [{ pointer, kind, extracted: said, ...learned, isCorrected, at, ...(isOfOther && { isOfOther }) }]
    }
    // A constant says nothing of this document.
    return learned.documents < fewestToSettle || learned.place === null
      ? []
      : [{ pointer, kind: 'agrees', extracted: said, ...learned, value: said, isCorrected, at }]
  })
  const accounts = otherAccounts(extracted, elements, found, printed, form, forms).map((each) => ({ ...each, at }))
  return withTouched(tables, documentId, [...found, ...accounts])
}

/** What lessons say, save of what a person changed or confirmed: there it is what they said before. */
export function withTouched(
  { reviews, lessons }: Tables,
  documentId: number,
  found: readonly LearnedValue[],
): LearnedValue[] {
  const corrected = reviews.corrections(documentId).map(({ pointer }) => pointer)
  const places = new Set([...corrected, ...reviews.confirmed(documentId).map(({ pointer }) => pointer)])
  return [
    ...lessons.learnedOf(documentId).filter(({ pointer }) => places.has(pointer)),
    ...found.filter(({ pointer }) => !places.has(pointer)),
  ]
}

/** IBANs that the sender's earlier documents did not have, where they had one. */
function otherAccounts(
  extracted: unknown,
  elements: readonly SchemaElement[],
  found: readonly LearnedValue[],
  printed: Printed,
  form: number,
  { known, shared }: SchemaForms,
): Omit<LearnedValue, 'at'>[] {
  const lessons = known.filter((each) => each.form === form)
  const before = new Set(lessons.flatMap(({ fingerprint }) => fingerprint.accounts))
  if (![...before].some((account) => !shared.has(account))) return []
  const others = accountsIn(printed).filter((account) => !before.has(account) && !shared.has(account))
  const field = elements
    .filter((element) => meaningOf(element) === 'iban')
    .map(({ name }) => pointerOf([0, name]))
    .find((pointer) => {
      const replaced = found.find((each) => each.pointer === pointer && each.kind === 'replaced')
      return others.includes(bareAccount(replaced === undefined ? valueAt(extracted, pointer) : replaced.value))
    })
  return others.slice(0, 1).map((account) => ({
    pointer: field ?? pointerOf([0]),
    kind: 'account',
    extracted: field === undefined ? null : plainValueOf(valueAt(extracted, field)),
    value: field === undefined ? account : bareAccount(valueOf(found, field) ?? valueAt(extracted, field)),
    documents: lessons.length,
    isCorrected: false,
    place: null,
  }))
}

function valueOf(found: readonly LearnedValue[], pointer: string): unknown {
  return found.find((each) => each.pointer === pointer && each.kind === 'replaced')?.value
}

/** A value of a header; undefined for rows. */
function headerValueOf(value: unknown): PlainValue | undefined {
  return typeof value === 'object' && value !== null ? undefined : plainValueOf(value)
}

/** Whether a field, as it is now, can hold what was learned of the one of that name. */
function isOf({ format }: SchemaElement, { value }: Learned): boolean {
  return (
    value === null || (format === 'number' ? typeof value === 'number' : format === 'text' && typeof value === 'string')
  )
}
