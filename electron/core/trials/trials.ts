import PQueue from 'p-queue'
import { AppError, toAppError } from '../../../shared/domain/errors.ts'
import { recordInKinds } from '../../../shared/domain/in-kind.ts'
import type { ExtractedRecord } from '../../../shared/domain/result.ts'
import type { StoredDocument } from '../db/tables/documents.ts'
import { isStorageTrouble } from '../db/durability/storage-trouble.ts'
import type { Context } from '../pipeline/context.ts'
import type { Route } from '../platform/connect.ts'
import { contentOf, sendTrial, inspectDocument, openTrial, outcomeOf, ownAnswer } from './try-document.ts'
import type { Draft, InspectedDocument, Outcome } from './try-document.ts'

/** `asks`: sending it may be billed, and no person has approved that. */
type ColumnState = 'looking' | 'asks' | 'waiting' | 'sending' | 'answered' | 'failed' | 'lost' | 'stopped'

/** One document that a draft is tried on. */
export type Column = {
  documentId: number
  state: ColumnState
  error: AppError | null
  records: ExtractedRecord[] | null
  /** The stored trial that answered; null where the document's own result does. */
  trialId: number | null
  /** The answer was there before: nothing was sent for it now. */
  isKept: boolean
  /** It reached a service that bills, so sending it again may be billed again. */
  wasSent: boolean
}

export type Run = { id: number; draft: Draft; bills: boolean; columns: Column[] }

type RunOptions = {
  /** It is remembered until `forget`, however many begin after it. */
  isLasting?: boolean
}

type Running = Run & {
  queue: PQueue
  /** Nothing more begins, and what is free ends. */
  stop: AbortController
  work: Set<Promise<void>>
  isLasting: boolean
}

/** So many are remembered for the window; what was paid for is in the database however old it is. */
const maxRuns = 5
const maxAtOnce = 5

type TrialOptions = {
  routeTo: (connectionId: number) => Promise<Route>
  /** Why nothing may go to a connection now; null when it may. Asked when a request is about to leave. */
  refusal: (draft: Draft) => AppError | null
}

/** Drafts of schemas on trial: each run is one draft on a few documents. Its answers become nobody's result. */
export class Trials {
  readonly #context: Context
  readonly #options: TrialOptions
  readonly #runs = new Map<number, Running>()
  /** trial → until it is over, for a second run that asks the same. */
  readonly #underWay = new Map<number, Promise<void>>()
  /** Aborted at the end of the program: answers are no longer awaited. */
  readonly #end = new AbortController()
  #lastId = 0

  constructor(context: Context, options: TrialOptions) {
    this.#context = context
    this.#options = options
  }

  /**
   * Begins a run and returns its number. Where nothing is billed everything is sent at once; elsewhere answers that are
   * kept are used again, and the rest waits for `send`.
   */
  begin(draft: Draft, documentIds: number[], { isLasting = false }: RunOptions = {}): number {
    const { tables } = this.#context
    const bills = tables.connections.bills(draft.connectionId)
    // Nothing has to be kept that costs nothing.
    if (!bills) tables.trials.forgetFree(draft.schemaId)
    // While there is a cap of tokens, the answer of one says what the next may take.
    const concurrency = bills && tables.settings.get().dailyTokenCap !== null ? 1 : maxAtOnce
    const columns = documentIds.map(
      (documentId): Column => ({
        documentId,
        state: 'looking',
        error: null,
        records: null,
        trialId: null,
        isKept: false,
        wasSent: false,
      }),
    )
    const run: Running = {
      id: ++this.#lastId,
      draft,
      bills,
      columns,
      queue: new PQueue({ concurrency }),
      stop: new AbortController(),
      work: new Set(),
      isLasting,
    }
    this.#runs.set(run.id, run)
    const passing = [...this.#runs.values()].filter((each) => !each.isLasting)
    for (const { id, work } of passing.slice(0, -maxRuns)) if (work.size === 0) this.#runs.delete(id)
    for (const column of columns) this.#startColumn(run, column, { approved: !bills, again: false })
    return run.id
  }

  /** A run as it stands; null when it is no longer remembered. */
  get(id: number): Run | null {
    return this.#runs.get(id) ?? null
  }

  /**
   * A person says that these documents may be sent, and billed: those that ask, and once more those that failed, were
   * lost or stopped.
   */
  send(id: number, documentIds: readonly number[]): void {
    const run = this.#runs.get(id)
    if (run === undefined || this.#end.signal.aborted) return
    if (run.stop.signal.aborted) run.stop = new AbortController()
    for (const column of run.columns) {
      if (!documentIds.includes(column.documentId) || !['asks', 'failed', 'lost', 'stopped'].includes(column.state))
        continue
      this.#startColumn(run, column, { approved: true, again: column.wasSent })
    }
  }

  /**
   * Sends nothing more. What a service that bills has already is waited for, since it is paid for; what is free ends.
   */
  stop(id: number): void {
    const run = this.#runs.get(id)
    if (run === undefined) return
    run.stop.abort()
    for (const column of run.columns)
      if (column.state === 'waiting' || column.state === 'asks') this.#show(run, column, { state: 'stopped' })
  }

  /** Stops a run and remembers it no longer. */
  forget(id: number): void {
    const run = this.#runs.get(id)
    if (run === undefined) return
    this.stop(id)
    // Once nothing of it is under way it goes like any other.
    run.isLasting = false
  }

  /** Ends everything: what is with a service that bills is waited for a little, unless `atOnce`. */
  async end({ atOnce }: { atOnce: boolean }): Promise<void> {
    for (const { id } of this.#runs.values()) this.stop(id)
    if (atOnce) this.#end.abort()
    const timer = setTimeout(() => this.#end.abort(), this.#context.timings.graceMs)
    await Promise.all([...this.#runs.values()].flatMap(({ work }) => [...work]))
    clearTimeout(timer)
    this.#end.abort()
  }

  #startColumn(run: Running, column: Column, how: { approved: boolean; again: boolean }): void {
    const work = this.#run(run, column, how).finally(() => run.work.delete(work))
    run.work.add(work)
  }

  async #run(run: Running, column: Column, { approved, again }: { approved: boolean; again: boolean }): Promise<void> {
    const { signal } = run.stop
    try {
      this.#show(run, column, { state: 'looking' })
      const document = await inspectDocument(this.#context, this.#documentOf(column))
      // What is free is asked again: a newer Sheaf may find more.
      if (run.bills && !again && this.#showKept(run, column, document)) return
      if (signal.aborted) return this.#show(run, column, { state: 'stopped' })
      if (!approved) return this.#show(run, column, { state: 'asks' })
      this.#show(run, column, { state: 'waiting' })
      await run.queue.add(() => this.#send(run, column, document, again, signal))
    } catch (error) {
      this.#fail(run, column, toAppError(error), signal)
    }
  }

  async #send(
    run: Running,
    column: Column,
    document: InspectedDocument,
    again: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const context = this.#context
    const { draft, bills } = run
    // Its column is stopped already, or a person started it again meanwhile.
    if (signal.aborted) return
    try {
      this.#show(run, column, { state: 'sending' })
      const route = await this.#options.routeTo(draft.connectionId)
      // A process that ends while it waits for a token has sent nothing.
      if (bills) await route.extractor.ready(signal)
      const refusal = (): AppError | null =>
        signal.aborted ? new AppError('interrupted') : this.#options.refusal(draft)
      const newest = context.tables.trials.latest({ ...draft, sha256: contentOf(document)! })
      const trial = openTrial(context, draft, document, route, again || !bills, refusal)
      const isOurs = trial.id !== newest?.id
      if (isOurs) {
        const carried = sendTrial(context, trial, draft, document, route, bills ? this.#end.signal : signal)
          .catch((error: unknown) => {
            // It stays open, which says of it what is known: nothing.
            if (isStorageTrouble(error)) context.onStorageTrouble(error)
          })
          .finally(() => this.#underWay.delete(trial.id))
        this.#underWay.set(trial.id, carried)
      }
      await this.#underWay.get(trial.id)
      const outcome = outcomeOf(context.tables.trials.get(trial.id))
      if (!bills && signal.aborted && outcome.kind !== 'answered') return this.#show(run, column, { state: 'stopped' })
      this.#showOutcome(run, column, outcome, { trialId: trial.id, isKept: !isOurs })
    } catch (error) {
      this.#fail(run, column, toAppError(error), signal)
    }
  }

  /** Shows the answer that is there already, or that it was lost; false when there is none. */
  #showKept(run: Running, column: Column, document: InspectedDocument): boolean {
    const own = ownAnswer(this.#context, run.draft, document)
    if (own !== null) {
      this.#showOutcome(run, column, { kind: 'answered', records: own }, { trialId: null, isKept: true })
      return true
    }
    const known = this.#context.tables.trials.latest({ ...run.draft, sha256: contentOf(document)! })
    // One that is under way is joined when it is this one's turn.
    if (known === null || this.#underWay.has(known.id)) return false
    this.#showOutcome(run, column, outcomeOf(known), { trialId: known.id, isKept: true })
    return true
  }

  #showOutcome(
    run: Running,
    column: Column,
    outcome: Outcome,
    { trialId, isKept }: { trialId: number | null; isKept: boolean },
  ): void {
    if (outcome.kind === 'answered')
      return this.#show(run, column, {
        state: 'answered',
        records: outcome.records.map((record) => recordInKinds(record, run.draft.elements)),
        trialId,
        isKept,
        wasSent: run.bills,
      })
    const wasSent = run.bills && outcome.kind !== 'returned'
    this.#show(run, column, {
      state: outcome.kind === 'lost' && run.bills ? 'lost' : 'failed',
      error: outcome.error,
      isKept,
      wasSent,
    })
  }

  #fail(run: Running, column: Column, error: AppError, signal: AbortSignal): void {
    this.#show(run, column, signal.aborted ? { state: 'stopped' } : { state: 'failed', error })
  }

  #show(run: Running, column: Column, change: Partial<Column> & { state: ColumnState }): void {
    const wasSent = change.wasSent ?? column.wasSent
    Object.assign(column, { error: null, records: null, trialId: null, isKept: false }, change, { wasSent })
    this.#context.emit('trial.changed', { id: run.id })
  }

  #documentOf({ documentId }: Column): StoredDocument {
    const document = this.#context.tables.documents.get(documentId)
    if (document === null) throw new AppError('not_found', { what: 'document' })
    return document
  }
}
