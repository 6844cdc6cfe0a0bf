// In: documents that a person corrected or approved, and results that are to be compared with what was learned.
// Out: lessons; what they say of the values of a result, with the document judged by that; and of results that were
// compared before, what would change.
import type { Document } from '../../../shared/domain/document.ts'
import { isSameLearned } from '../../../shared/domain/learned.ts'
import type { LearnedValue } from '../../../shared/domain/learned.ts'
import { isStorageTrouble } from '../db/durability/storage-trouble.ts'
import { fileStateOf } from '../document-reader.ts'
import type { DocumentReader } from '../document-reader.ts'
import type { FileAccess } from '../files/file-access.ts'
import { assess } from '../pipeline/answers/assess.ts'
import { inTransaction } from '../pipeline/context.ts'
import type { StoreContext } from '../pipeline/context.ts'
import { oneAtATime } from '../scheduling.ts'
import { checkedDocument, comparedWith, withTouched } from './compare.ts'
import type { Checked } from './compare.ts'
import { formOf, Forms } from './forms.ts'
import { lessonOf, sellerOf } from './lesson.ts'
import { printedOf } from './printed.ts'
import { taughtBy } from './taught.ts'

type Options = {
  files: FileAccess
  reader: DocumentReader
  /** Aborted when core stops. */
  ended: AbortSignal
}

/** So many of the newest documents that wait for a person are looked at anew when something was learned. */
const maxWaiting = 300

/**
 * Learns from what persons correct and approve, and compares results with it, one document after the other. What is due
 * is in the database: after an end of the process it goes on where it was. What would change of documents that were
 * compared before is kept until a person says so, or Sheaf ends.
 */
export class Learner {
  readonly #context: StoreContext
  readonly #options: Options
  readonly #forms: Forms
  readonly #work: ReturnType<typeof oneAtATime>
  /** Core does not wait for a reading when it stops. */
  readonly #whenEnded: Promise<null>
  /** Documents that are to be looked at anew, the newest first. */
  readonly #toLookAt = new Set<number>()
  readonly #offers = new Map<number, LearnedValue[]>()
  /** What lessons said of the documents that were changed last. */
  #before = new Map<number, LearnedValue[]>()

  constructor(context: StoreContext, options: Options) {
    this.#context = context
    this.#options = options
    this.#forms = new Forms(context.tables.lessons)
    this.#whenEnded = new Promise((resolve) =>
      options.ended.addEventListener('abort', () => resolve(null), { once: true }),
    )
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

  /** What lessons would change of documents that wait for a person, the newest first. */
  offers(): { documentId: number; found: LearnedValue[] }[] {
    return [...this.#offers]
      .filter(([documentId]) => this.#isWaiting(documentId))
      .map(([documentId, found]) => ({ documentId, found: withTouched(this.#context.tables, documentId, found) }))
      .filter(({ documentId, found }) => !isSameLearned(found, this.#context.tables.lessons.learnedOf(documentId)))
      .toSorted((one, other) => other.documentId - one.documentId)
  }

  /** Changes the documents of `offers`; returns which. */
  applyOffers(): number[] {
    const offers = this.offers()
    this.#offers.clear()
    this.#before = new Map(
      offers.map(({ documentId }) => [documentId, this.#context.tables.lessons.learnedOf(documentId)]),
    )
    this.#setAll(offers)
    return offers.map(({ documentId }) => documentId)
  }

  /** Undoes the last `applyOffers`, save in what a person approved since; returns how many documents that were. */
  takeBackOffers(): number {
    const before = [...this.#before].filter(([documentId]) => this.#isWaiting(documentId))
    this.#before.clear()
    this.#setAll(
      before.map(([documentId, found]) => ({
        documentId,
        found: withTouched(this.#context.tables, documentId, found),
      })),
    )
    return before.length
  }

  /** Nothing of what was learned until now is offered. */
  forgetOffers(): void {
    this.#toLookAt.clear()
    this.#offers.clear()
  }

  #setAll(documents: readonly { documentId: number; found: LearnedValue[] }[]): void {
    const { tables, emit } = this.#context
    inTransaction(this.#context, (inside) => {
      for (const { documentId, found } of documents) {
        tables.lessons.setLearned(documentId, found)
        assess(inside, documentId)
      }
    })
    for (const { documentId: id } of documents) emit('document.changed', { id, status: 'done' })
    emit('lessons.changed', {})
  }

  #isWaiting(documentId: number): boolean {
    const { reviews } = this.#context.tables
    return checkedDocument(this.#context.tables, documentId)?.inBin === false && reviews.approval(documentId) === null
  }

  /** What is to be compared is first: documents wait for that, and nobody waits for a lesson. */
  async #doWhatIsDue(): Promise<void> {
    const { lessons } = this.#context.tables
    while (!this.#options.ended.aborted) {
      const comparison = lessons.nextComparison()
      const due = comparison === null ? lessons.nextLesson() : null
      const [waiting] = this.#toLookAt
      if (comparison !== null) await this.#compare(comparison)
      else if (due !== null) await this.#learn(due)
      else if (waiting !== undefined) await this.#lookAt(waiting)
      else return
    }
  }

  async #learn(due: { documentId: number; entryId: number }): Promise<void> {
    const { tables, now, emit } = this.#context
    const document = checkedDocument(tables, due.documentId)
    const taught = document === null ? null : taughtBy(tables, document)
    const content = taught === null ? null : await this.#read(document!)
    if (this.#options.ended.aborted) return
    inTransaction(this.#context, () => {
      tables.lessons.settleLesson(due)
      if (taught === null || content === null) return tables.lessons.remove(due.documentId)
      const { schemaId } = tables.schemas.versionOf(document!.schemaVersionId)
      const { form, fields } = lessonOf({ ...taught, document: content })
      if (fields.length === 0) return tables.lessons.remove(due.documentId)
      const known = formOf(printedOf(content), this.#forms.of(schemaId), due.documentId)
      const seller = sellerOf(taught.record, tables.schemas.elementsOf(document!.schemaVersionId))
      const texts = { seller, fingerprint: JSON.stringify(form), fields: JSON.stringify(fields) }
      tables.lessons.put({ schemaId, documentId: due.documentId, ...texts }, known, now())
      for (const id of tables.lessons.waiting(schemaId, maxWaiting)) this.#toLookAt.add(id)
    })
    emit('lessons.changed', {})
  }

  async #compare(due: { documentId: number; resultId: number }): Promise<void> {
    const { tables, now } = this.#context
    const document = checkedDocument(tables, due.documentId)
    const isAsked = document !== null && document.resultId === due.resultId
    const content = isAsked ? await this.#read(document) : null
    if (this.#options.ended.aborted) return
    inTransaction(this.#context, (inside) => {
      const found = content === null ? [] : comparedWith(tables, this.#forms, due.documentId, printedOf(content), now())
      // A person may have been faster.
      if (found !== null) tables.lessons.setLearned(due.documentId, found)
      tables.lessons.settleComparison(due)
      assess(inside, due.documentId)
    })
  }

  /** Finds out what would change of a document that was compared before, or when nothing was learned yet. */
  async #lookAt(documentId: number): Promise<void> {
    const { tables, now, emit } = this.#context
    this.#toLookAt.delete(documentId)
    const document = this.#isWaiting(documentId) ? checkedDocument(tables, documentId) : null
    const content = document === null ? null : await this.#read(document)
    if (content === null || this.#options.ended.aborted) return
    const found = comparedWith(tables, this.#forms, documentId, printedOf(content), now())
    const isOffered = this.#offers.delete(documentId)
    const isOther = found !== null && !isSameLearned(found, tables.lessons.learnedOf(documentId))
    if (isOther) this.#offers.set(documentId, found)
    if (isOther || isOffered) emit('lessons.changed', {})
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
    const now = checkedDocument(this.#context.tables, document.id)
    return now === null || now.path === document.path ? null : this.#read(now)
  }
}
