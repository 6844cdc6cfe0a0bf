// In: documents that a person corrected or approved, and results that are to be compared with what was learned.
// Out: lessons; and what they say of the values of a result, with the document judged by that.
import type { Document } from '../../../shared/domain/document.ts'
import { bareAccount } from '../../../shared/domain/learned.ts'
import type { LearnedValue } from '../../../shared/domain/learned.ts'
import { meaningOf } from '../../../shared/domain/meaning.ts'
import { isSameJson, pointerOf, valueAt } from '../../../shared/domain/pointer.ts'
import type { FieldSource } from '../../../shared/domain/result.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { StoredDocument } from '../db/tables/documents.ts'
import { isStorageTrouble } from '../db/durability/storage-trouble.ts'
import { fileStateOf } from '../document-reader.ts'
import type { DocumentReader } from '../document-reader.ts'
import type { FileAccess } from '../files/file-access.ts'
import { assess } from '../pipeline/answers/assess.ts'
import { inTransaction } from '../pipeline/context.ts'
import type { StoreContext } from '../pipeline/context.ts'
import { oneAtATime } from '../scheduling.ts'
import { applyLessons, comparable } from './apply.ts'
import type { Learned } from './apply.ts'
import { accountsIn, fits, idsOf } from './fingerprint.ts'
import type { Fingerprint } from './fingerprint.ts'
import { lessonOf, sellerOf } from './lesson.ts'
import type { FieldLesson } from './lesson.ts'
import { printedOf } from './printed.ts'
import type { Printed } from './printed.ts'

type Options = {
  files: FileAccess
  reader: DocumentReader
  /** Aborted when core stops. */
  ended: AbortSignal
}

type Checked = StoredDocument & { resultId: number }

/** The forms of a schema. `shared`: what documents of several of them have. */
type Forms = {
  known: { form: number; documentId: number; fingerprint: Fingerprint }[]
  shared: ReadonlySet<string>
}

/**
 * Learns from what persons correct and approve, and compares new results with it, one document after the other. What is
 * due is in the database: after an end of the process it goes on where it was.
 */
export class Learner {
  readonly #context: StoreContext
  readonly #options: Options
  readonly #work: ReturnType<typeof oneAtATime>
  /** The forms of the schema that was asked for last. */
  #forms: (Forms & { schemaId: number; changes: number }) | null = null

  /** Core does not wait for a reading when it stops. */
  readonly #whenEnded: Promise<null>

  constructor(context: StoreContext, options: Options) {
    this.#context = context
    this.#whenEnded = new Promise((resolve) =>
      options.ended.addEventListener('abort', () => resolve(null), { once: true }),
    )
    this.#options = options
    this.#work = oneAtATime(() => this.#doWhatIsDue())
  }

  /** Something may be due. */
  begin(): void {
    if (!this.#options.ended.aborted) this.#work.begin()
  }

  /** Resolves when it works at nothing. */
  settled(): Promise<void> {
    return this.#work.settled()
  }

  /** What was compared already is first: documents wait for that, and nobody waits for a lesson. */
  async #doWhatIsDue(): Promise<void> {
    const { lessons } = this.#context.tables
    while (!this.#options.ended.aborted) {
      const comparison = lessons.nextComparison()
      const due = comparison === null ? lessons.nextLesson() : null
      if (comparison !== null) await this.#compare(comparison)
      else if (due !== null) await this.#learn(due)
      else return
    }
  }

  async #learn(due: { documentId: number; entryId: number }): Promise<void> {
    const { tables, now, emit } = this.#context
    const document = this.#checked(due.documentId)
    const taught = document === null ? null : this.#taughtBy(document)
    const content = taught === null ? null : await this.#read(document!)
    if (this.#options.ended.aborted) return
    inTransaction(this.#context, () => {
      tables.lessons.settleLesson(due)
      if (taught === null || content === null) return tables.lessons.remove(due.documentId)
      const { schemaId } = tables.schemas.versionOf(document!.schemaVersionId)
      const { form, fields } = lessonOf({ ...taught, document: content })
      if (fields.length === 0) return tables.lessons.remove(due.documentId)
      const known = this.#formOf(printedOf(content), this.#formsOf(schemaId), due.documentId)
      const seller = sellerOf(taught.record, tables.schemas.elementsOf(document!.schemaVersionId))
      const texts = { seller, fingerprint: JSON.stringify(form), fields: JSON.stringify(fields) }
      tables.lessons.put({ schemaId, documentId: due.documentId, ...texts }, known, now())
    })
    emit('lessons.changed', {})
  }

  /** What a person said of a document; null where that is nothing. An approval is said of all of its values. */
  #taughtBy(document: Checked): Omit<Parameters<typeof lessonOf>[0], 'document'> | null {
    const { reviews, results, schemas, lessons } = this.#context.tables
    const corrected = new Map(reviews.corrections(document.id).map(({ pointer, value }) => [pointer, value]))
    const isApproved = reviews.approval(document.id) !== null
    const { records, sources, doubts, extracted } = results.get(document.resultId)
    const [record] = records
    if (document.inBin || records.length !== 1 || record === undefined || (corrected.size === 0 && !isApproved))
      return null
    const at = (name: string): string => pointerOf([0, name])
    const elements = schemas
      .elementsOf(document.schemaVersionId)
      .filter(({ name }) => isApproved || corrected.has(at(name)))
    const emptied = elements.filter(
      ({ name }) => corrected.get(at(name)) === null && (valueAt(extracted, at(name)) ?? null) !== null,
    )
    const learned = lessons.learnedOf(document.id)
    const boxOf = (name: string): { page: number; box: FieldSource['box'] } | null => {
      const value = record[name] ?? null
      const others = doubts.filter(({ pointer }) => pointer === at(name)).flatMap(({ alternatives }) => alternatives)
      const same = learned.find((each) => each.pointer === at(name) && isSameJson(each.value, value))
      if (isSameJson(valueAt(extracted, at(name)) ?? null, value))
        return sources?.find(({ pointer }) => pointer === at(name)) ?? null
      return same?.place ?? others.find((other) => other.value === value) ?? null
    }
    return { record, elements, boxOf, emptied: new Set(emptied.map(({ name }) => name)) }
  }

  async #compare(due: { documentId: number; resultId: number }): Promise<void> {
    const { tables, now } = this.#context
    const document = this.#checked(due.documentId)
    const isAsked = document !== null && document.resultId === due.resultId
    const content = isAsked && this.#hasLessons(document) ? await this.#read(document) : null
    if (this.#options.ended.aborted) return
    inTransaction(this.#context, (inside) => {
      // A person may have been faster.
      const found = content === null ? [] : this.#compared(due.documentId, printedOf(content))
      if (found !== null) tables.lessons.setLearned(due.documentId, found, now())
      tables.lessons.settleComparison(due)
      assess(inside, due.documentId)
    })
  }

  /** What the lessons say of a document; null where its form is not known, or a person approved it. */
  #compared(documentId: number, printed: Printed): LearnedValue[] | null {
    const { tables, now } = this.#context
    const document = this.#checked(documentId)
    if (document === null || tables.reviews.approval(documentId) !== null) return null
    const { schemaId } = tables.schemas.versionOf(document.schemaVersionId)
    const forms = this.#formsOf(schemaId)
    const form = this.#formOf(printed, forms, documentId)
    const { extracted, sources } = tables.results.get(document.resultId)
    if (form === null || extracted.length !== 1) return []
    const lessons = tables.lessons.fieldsOf(form).map((fields) => JSON.parse(fields) as FieldLesson[])
    const elements = tables.schemas.elementsOf(document.schemaVersionId)
    const isLocal = tables.connections.local().id === document.connectionId
    const isTouched = this.#touched(documentId)
    const exact = new Set(sources?.filter(({ from = 'page' }) => from !== 'page').map(({ pointer }) => pointer))
    const found = [...applyLessons(lessons, printed)].flatMap(([name, learned]): LearnedValue[] => {
      const pointer = pointerOf([0, name])
      const element = elements.find((each) => each.name === name)
      const said = plainOf(valueAt(extracted, pointer))
      if (element === undefined || said === undefined || !isOf(element, learned)) return []
      if (isTouched(pointer) || exact.has(pointer) || comparable(said) === comparable(learned.value)) return []
      return [{ pointer, kind: isLocal ? 'replaced' : 'differs', extracted: said, ...learned, at: now() }]
    })
    return [
      ...found,
      ...otherAccounts(extracted, elements, found, printed, form, forms).map((each) => ({ ...each, at: now() })),
    ]
  }

  /** The places that a person changed or confirmed. */
  #touched(documentId: number): (pointer: string) => boolean {
    const { reviews } = this.#context.tables
    const corrected = reviews.corrections(documentId).map(({ pointer }) => pointer)
    const places = new Set([...corrected, ...reviews.confirmed(documentId).map(({ pointer }) => pointer)])
    return (pointer) => places.has(pointer)
  }

  #checked(documentId: number): Checked | null {
    const document = this.#context.tables.documents.get(documentId)
    return document?.status === 'done' && document.resultId !== null
      ? { ...document, resultId: document.resultId }
      : null
  }

  #hasLessons(document: StoredDocument): boolean {
    const { schemaId } = this.#context.tables.schemas.versionOf(document.schemaVersionId)
    return this.#formsOf(schemaId).known.length > 0
  }

  /** The form that a document fits best, other than by what it taught itself; null where it fits none. */
  #formOf(printed: Printed, { known, shared }: Forms, documentId: number): number | null {
    const ids = idsOf(printed)
    let best: { form: number; share: number } | null = null
    for (const { form, documentId: taught, fingerprint } of known) {
      const share = taught === documentId ? 0 : fits(fingerprint, printed, ids, shared)
      if (share > (best?.share ?? 0)) best = { form, share }
    }
    return best?.form ?? null
  }

  #formsOf(schemaId: number): Forms {
    const { lessons } = this.#context.tables
    if (this.#forms?.schemaId === schemaId && this.#forms.changes === lessons.changes) return this.#forms
    const known = lessons
      .fingerprints(schemaId)
      .map(({ fingerprint, ...row }) => ({ ...row, fingerprint: JSON.parse(fingerprint) as Fingerprint }))
    this.#forms = { known, shared: sharedIn(known), schemaId, changes: lessons.changes }
    return this.#forms
  }

  /** What the file says; null where it is not there, is another one by now, or cannot be read. */
  async #read(document: Checked): Promise<Document | null> {
    const { reader, files } = this.#options
    try {
      const reading = fileStateOf(files, document).then((state) =>
        state === 'there' ? reader.readAndIndex(document, 'whenIdle') : null,
      )
      const content = await Promise.race([reading, this.#whenEnded])
      if (content !== null || this.#options.ended.aborted) return content
    } catch (error) {
      if (isStorageTrouble(error)) throw error
    }
    // It may have been archived meanwhile.
    const now = this.#checked(document.id)
    return now === null || now.path === document.path ? null : this.#read(now)
  }
}

/** What documents of more than one form have is of who receives them. */
function sharedIn(known: Forms['known']): Set<string> {
  const formsWith = new Map<string, Set<number>>()
  for (const { form, fingerprint } of known)
    for (const id of [...fingerprint.ids, ...fingerprint.accounts])
      formsWith.set(id, (formsWith.get(id) ?? new Set()).add(form))
  return new Set([...formsWith].filter(([, forms]) => forms.size > 1).map(([id]) => id))
}

/** IBANs that the sender's earlier documents did not have, where they had one. */
function otherAccounts(
  extracted: unknown,
  elements: readonly SchemaElement[],
  found: readonly LearnedValue[],
  printed: Printed,
  form: number,
  { known, shared }: Forms,
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
    extracted: field === undefined ? null : (plainOf(valueAt(extracted, field)) ?? null),
    value: field === undefined ? account : bareAccount(valueOf(found, field) ?? valueAt(extracted, field)),
    documents: lessons.length,
    place: null,
  }))
}

function valueOf(found: readonly LearnedValue[], pointer: string): unknown {
  return found.find((each) => each.pointer === pointer && each.kind === 'replaced')?.value
}

/** A value of a header; undefined for rows. */
function plainOf(value: unknown): string | number | boolean | null | undefined {
  if (value === undefined || value === null) return null
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}

/** Whether a field, as it is now, can hold what was learned of the one of that name. */
function isOf({ format }: SchemaElement, { value }: Learned): boolean {
  return (
    value === null || (format === 'number' ? typeof value === 'number' : format === 'text' && typeof value === 'string')
  )
}
