import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../../shared/domain/errors.ts'
import { isSameJson, valueAt } from '../../../shared/domain/pointer.ts'
import type { ExtractedRecord } from '../../../shared/domain/result.ts'
import { withCorrections } from '../../../shared/domain/review.ts'
import type { ValueChange } from '../../../shared/contract/reextraction.ts'
import type { StoredDocument } from '../db/tables/documents.ts'
import { sheaf } from '../db/tables/reviews.ts'
import type { Author } from '../db/tables/reviews.ts'
import type { StoredTrial } from '../db/tables/trials.ts'
import { insertResult, succeed } from '../pipeline/answers/end-attempt.ts'
import { asShown, assess } from '../pipeline/answers/assess.ts'
import { inTransaction } from '../pipeline/context.ts'
import type { Context } from '../pipeline/context.ts'
import { readAnswer } from '../platform/answer.ts'
import { carryCorrections, carryFlag, carryPointer } from './carry-over.ts'
import { contentOf } from './try-document.ts'
import type { CarriedCorrection } from './carry-over.ts'
import type { Column, Run, Trials } from './trials.ts'
import { valueChanges } from './value-changes.ts'

/** What taking the answer of one document would do. */
export type Preview = {
  documentId: number
  changes: ValueChange[]
  corrections: CarriedCorrection[]
  isApproved: boolean
}

/** Documents of earlier versions of a schema that are extracted by its newest one; a run for each connection. */
export type Reextraction = { schemaId: number; versionId: number; runs: Run[] }

type Done = StoredDocument & { resultId: number }

/** A document as it was, the approval that it had, and the result and the confirmed places that it has since. */
type Before = { document: Done; resultId: number; approval: Author | null; confirmed: string[] }

/** Documents in one transaction: none takes so long that the window waits for it. */
const pageSize = 20

/**
 * Extracts the documents of earlier versions of a schema by its newest one, in place: each stays one document, what
 * persons put there stays, and nothing changes before a person has seen what would. Requests and answers are trials
 * until they are taken; then each is an attempt of its document with its answer, as if it had been sent so.
 */
export class Reextractions {
  readonly #context: Context
  readonly #trials: Trials
  readonly #bySchema = new Map<number, Reextraction>()
  /** schema → what the last `apply` changed. */
  readonly #applied = new Map<number, Before[]>()
  readonly #previews = new Map<number, { records: ExtractedRecord[]; preview: Preview }>()

  constructor(context: Context, trials: Trials) {
    this.#context = context
    this.#trials = trials
  }

  /** Begins anew with all documents of earlier versions. Throws `not_found`. */
  begin(schemaId: number): void {
    const { tables } = this.#context
    const schema = tables.schemas.get(schemaId)
    if (schema === null) throw new AppError('not_found', { what: 'schema' })
    this.discard(schemaId)
    const byConnection = new Map<number, number[]>()
    for (const { id, connectionId } of tables.documents.ofEarlierVersions(schemaId))
      byConnection.set(connectionId, [...(byConnection.get(connectionId) ?? []), id])
    const runs = [...byConnection].map(([connectionId, ids]) => {
      const draft = { schemaId, connectionId, elements: schema.elements }
      return this.#trials.get(this.#trials.begin(draft, ids, { isLasting: true }))!
    })
    this.#bySchema.set(schemaId, { schemaId, versionId: schema.versionId, runs })
    this.#changed(schemaId)
  }

  /** As it stands; null where there is none, or its schema has a newer version by now. */
  get(schemaId: number): Reextraction | null {
    const found = this.#bySchema.get(schemaId)
    return found?.versionId === this.#context.tables.schemas.get(schemaId)?.versionId ? (found ?? null) : null
  }

  /**
   * A person says that what waits for that may be sent to a connection, and billed. What failed or was lost there is
   * not sent once more: each document can be, by itself.
   */
  send(schemaId: number, connectionId: number): void {
    for (const { id, draft, columns } of this.get(schemaId)?.runs ?? []) {
      const asking = columns.filter(({ state }) => state === 'asks').map(({ documentId }) => documentId)
      if (draft.connectionId === connectionId) this.#trials.send(id, asking)
    }
  }

  /** Stops it and gives up its answers; those of a service that bills stay stored, and are used if it begins again. */
  discard(schemaId: number): void {
    for (const { id, columns } of this.#bySchema.get(schemaId)?.runs ?? []) {
      this.#trials.forget(id)
      for (const { documentId } of columns) this.#previews.delete(documentId)
    }
    if (this.#bySchema.delete(schemaId)) this.#changed(schemaId)
  }

  /** What an answer would change of its document; null where there is none that can be taken. */
  preview(column: Column): Preview | null {
    const { documentId, records } = column
    if (records === null) return null
    const known = this.#previews.get(documentId)
    if (known?.records === records) return known.preview
    const document = this.#doneDocument(documentId)
    if (document === null || this.problem(column) !== null) return null
    const preview = this.#previewOf(document, records)
    this.#previews.set(documentId, { records, preview })
    return preview
  }

  /** Why there is no answer that can be taken; null where there is one, or may be. */
  problem({ error, trialId, documentId }: Column): AppError | null {
    if (error !== null || trialId === null) return error
    const { tables } = this.#context
    const content = tables.trials.contentOf(trialId)
    // One that cost nothing is given up by the next trial of its schema.
    if (content === null) return new AppError('service_interrupted')
    const document = tables.documents.get(documentId)
    return document !== null && contentOf(document)?.equals(content) === true ? null : new AppError('file_replaced')
  }

  /** The document is another one by now: what was said of it is to be looked at anew. */
  documentChanged(documentId: number): void {
    this.#previews.delete(documentId)
  }

  /** Takes all that is answered. Resolves with how many documents that were; what is under way is given up. */
  async apply(schemaId: number, person: string): Promise<number> {
    const reextraction = this.get(schemaId)
    if (reextraction === null) return 0
    for (const { id } of reextraction.runs) this.#trials.stop(id)
    const columns = reextraction.runs.flatMap((run) => run.columns)
    const applied: Before[] = []
    this.#applied.set(schemaId, applied)
    for (let from = 0; from < columns.length; from += pageSize) {
      applied.push(
        ...inTransaction(this.#context, (inside) =>
          columns.slice(from, from + pageSize).flatMap((column) => this.#take(inside, reextraction, column, person)),
        ),
      )
      await setImmediate()
    }
    this.discard(schemaId)
    return applied.length
  }

  /** Undoes the last `apply`, save in what was approved or extracted since. Returns how many documents that were. */
  async takeBack(schemaId: number): Promise<number> {
    const applied = this.#applied.get(schemaId) ?? []
    this.#applied.delete(schemaId)
    let changed = 0
    for (let from = 0; from < applied.length; from += pageSize) {
      inTransaction(this.#context, (inside) => {
        for (const before of applied.slice(from, from + pageSize)) if (restore(inside, before)) changed += 1
      })
      await setImmediate()
    }
    return changed
  }

  #doneDocument(id: number): Done | null {
    const document = this.#context.tables.documents.get(id)
    if (document === null || document.status !== 'done' || document.resultId === null || document.inBin) return null
    return { ...document, resultId: document.resultId }
  }

  #previewOf(document: Done, extracted: ExtractedRecord[]): Preview {
    const { tables } = this.#context
    const { id: documentId } = document
    const result = tables.results.get(document.resultId)
    const before = tables.schemas.elementsOf(document.schemaVersionId)
    const newest = tables.schemas.get(tables.schemas.versionOf(document.schemaVersionId).schemaId)!
    const after = newest.elements
    const corrected = withCorrections(result.extracted, tables.reviews.corrections(documentId))
    const corrections = carryCorrections(
      { elements: before, extracted: result.extracted, corrected },
      { elements: after, extracted },
    )
    const { shown } = asShown({ tables }, { ...document, schemaVersionId: newest.versionId }, extracted, {
      corrections: () => corrections,
      approved: null,
    })
    const changes = valueChanges({ elements: before, records: result.records }, { elements: after, records: shown })
    return { documentId, changes, corrections, isApproved: tables.reviews.approval(documentId) !== null }
  }

  /** In a transaction: the trial becomes an attempt of the document, and its answer the document's result. */
  #take(context: Context, { versionId }: Reextraction, column: Column, person: string): Before[] {
    const { tables, now } = context
    const preview = this.preview(column)
    const document = this.#doneDocument(column.documentId)
    if (preview === null || document === null) return []
    const approval = tables.reviews.approval(document.id)
    const corrections = tables.reviews.corrections(document.id)
    tables.documents.setSchemaVersion(document.id, versionId)
    const resultId = column.trialId === null ? document.resultId : storeAttempt(context, document, column.trialId)
    for (const { from, ...carried } of preview.corrections) {
      // Who put the value there did so, whatever the field is called now.
      const made = corrections.findLast(({ pointer }) => from === pointer || from.startsWith(`${pointer}/`))
      tables.reviews.correct(document.id, [carried], made ?? { person, at: now() })
    }
    const confirmed = carryConfirmations(context, document, versionId, resultId)
    succeed(context, { ...document, schemaVersionId: versionId }, resultId)
    context.emit('document.changed', { id: document.id, status: 'done' })
    return [{ document, resultId, approval, confirmed }]
  }

  #changed(schemaId: number): void {
    this.#context.emit('reextraction.changed', { schemaId })
  }
}

/**
 * What a person confirmed of a value is not asked again where its field is called otherwise and the value is the same.
 * Returns the places that are confirmed so.
 */
function carryConfirmations({ tables }: Context, before: Done, versionId: number, resultId: number): string[] {
  const { id, schemaVersionId } = before
  const elements = { before: tables.schemas.elementsOf(schemaVersionId), after: tables.schemas.elementsOf(versionId) }
  const { records } = tables.results.get(before.resultId)
  const now = withCorrections(tables.results.get(resultId).extracted, tables.reviews.corrections(id))
  return tables.reviews.confirmations(id).flatMap(({ pointer, flags, author }) => {
    const to = carryPointer(pointer, elements)
    if (to === null || !isSameJson(valueAt(records, pointer), valueAt(now, to))) return []
    const carried = flags.map((flag) => carryFlag(flag, to, elements))
    if (isSameJson(carried, flags)) return []
    tables.reviews.confirm(id, [{ pointer: to, flags: carried }], author)
    return to === pointer ? [] : [to]
  })
}

/** Returns the number of the result. */
function storeAttempt({ tables, now, emit }: Context, document: Done, trialId: number): number {
  const trial = tables.trials.get(trialId)
  const { httpStatus, body, complete } = trial.answer!
  const attemptId = tables.attempts.open(document.id, 'sync', trial.host, null, trial.startedAt)
  const answer = { attemptId, source: 'response', httpStatus, contentType: null, body, complete } as const
  const answerId = tables.attempts.storeAnswer(answer, now())
  tables.attempts.markRead(answerId)
  const { bytesSent, tokens } = trial
  tables.attempts.finish(attemptId, 'succeeded', { httpStatus, code: null, bytesSent, tokens }, now())
  // Counted once: what was sent and billed is the attempt's from now on.
  tables.trials.remove(trialId)
  return insertResult({ tables, now, emit }, tables.documents.get(document.id)!, answerId, resultIn(trial))
}

function resultIn(trial: StoredTrial) {
  const meaning = readAnswer(trial.answer!.body)
  if (meaning.kind !== 'result') throw new Error('a trial that succeeded has a result')
  return meaning
}

/** What a document had before, unless something else became of it since. */
function restore(context: Context, { document, resultId, approval, confirmed }: Before): boolean {
  const { tables, now } = context
  const current = tables.documents.get(document.id)
  const approvedNow = tables.reviews.approval(document.id)
  const isApprovedSince = approvedNow !== null && approvedNow.at !== approval?.at
  if (current?.resultId !== resultId || current.status !== 'done' || isApprovedSince) return false
  tables.documents.setSchemaVersion(document.id, document.schemaVersionId)
  tables.documents.apply(document.id, 'succeed', { resultId: document.resultId }, now())
  tables.reviews.unconfirm(document.id, confirmed, { person: sheaf, at: now() })
  if (approval !== null && approvedNow === null)
    tables.reviews.approve([document.id], tables.reviews.newBatch(), approval)
  assess(context, document.id)
  context.emit('document.changed', { id: document.id, status: 'done' })
  return true
}
