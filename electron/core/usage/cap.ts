import type { CapHold, CapState } from '../../../shared/contract/usage.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import type { StoredDocument } from '../db/tables/documents.ts'
import type { Tables } from '../db/tables/tables.ts'
import type { Queued } from '../db/tables/usage.ts'
import { Today } from './today.ts'
import { nextMidnight } from './days.ts'

/** An answer that did not come within a day does not come: nothing is reserved for it any more. */
const reservedForMs = 24 * 60 * 60_000

type Clock = { tables: Tables; now: () => number; uptimeMs: () => number }

type Refusal = Omit<CapHold, 'documents'>

const reached: Refusal = { why: 'reached', name: null, tokens: null }

/** One kind of document: of a schema, on a connection. */
type Question = Omit<Queued, 'documents'>

/**
 * Tokens of today: `spent` or to be reckoned with for what is over, `reserved` for what is under way and on which
 * connections.
 */
type Tally = { spent: number; reserved: number; busy: Set<number> }

/**
 * What the person lets go to connections that bill on one day. It is kept before it would be passed: tokens are known
 * only when an answer comes, so what is under way, and what ended without naming any, reserves as much as the largest
 * of its schema's last answers took.
 */
export class DailyCap {
  readonly #tables: Tables
  readonly #now: () => number
  readonly #today: Today

  constructor({ tables, now, uptimeMs }: Clock) {
    this.#tables = tables
    this.#now = now
    this.#today = new Today(now, uptimeMs)
  }

  /**
   * True when the document may begin now. `picked` are documents about to begin that have no attempt yet. Until a first
   * answer of a connection was measured, its documents go one at a time while there is a cap of tokens.
   */
  admits(document: StoredDocument, picked: Iterable<number> = []): boolean {
    return this.refusal(document, picked) === null
  }

  /** Why `admits` says no; null when it says yes. */
  refusal(document: StoredDocument, picked: Iterable<number> = []): Refusal | null {
    return this.#refusal(document.connectionId, () => this.#questionOf(document), picked)
  }

  /** Why a draft of a schema may not be tried on a document now; null when it may. */
  errorOfTrial(question: Question): AppError | null {
    const refusal = this.#refusal(question.connectionId, () => question, [])
    switch (refusal?.why) {
      case undefined:
        return null
      case 'too_large':
        return new AppError('daily_cap_too_small', { name: refusal!.name, tokens: refusal!.tokens })
      case 'no_tokens':
        return new AppError('tokens_not_named', { name: refusal!.name })
      case 'under_way':
        return new AppError('daily_cap_under_way')
      case 'reached':
        return new AppError('daily_cap_reached')
    }
  }

  #refusal(connectionId: number, questionOf: () => Question, picked: Iterable<number>): Refusal | null {
    const { dailyDocumentCap, dailyTokenCap } = this.#tables.settings.get()
    if (dailyDocumentCap === null && dailyTokenCap === null) return null
    if (!this.#tables.connections.bills(connectionId)) return null
    const alongside = [...picked]
      .flatMap((id) => this.#tables.documents.get(id) ?? [])
      .filter((other) => other.status === 'queued' && this.#tables.connections.bills(other.connectionId))
    if (dailyDocumentCap !== null && this.#begun() + alongside.length + 1 > dailyDocumentCap) return reached
    if (dailyTokenCap === null) return null
    const tally = this.#tally(this.#tokensToday())
    for (const other of alongside) {
      tally.reserved += this.#reservation(this.#questionOf(other)) ?? 0
      tally.busy.add(other.connectionId)
    }
    return this.#refusalOf(questionOf(), tally, dailyTokenCap)
  }

  /** Where the cap stands, and what it holds back for which reason. */
  state(): CapState {
    const { dailyDocumentCap: documentCap, dailyTokenCap: tokenCap } = this.#tables.settings.get()
    const documentsToday = this.#begun()
    const tokensToday = this.#tokensToday()
    const holds = this.#holds(
      documentCap === null ? null : Math.max(0, documentCap - documentsToday),
      tokenCap,
      tokensToday,
    )
    const held = holds.reduce((sum, { documents }) => sum + documents, 0)
    const goesOn = holds.some(({ why }) => why === 'reached')
    return {
      documentsToday,
      tokensToday,
      documentCap,
      tokenCap,
      held,
      holds,
      resumesAt: goesOn ? nextMidnight(this.#now()) : null,
    }
  }

  /** When the queue has to look again after `admits` refused. */
  resumesAt(): number {
    return nextMidnight(this.#now())
  }

  /** True when no day has room for a document of this schema on this connection, or none that could be kept. */
  isBarred(connectionId: number, schemaId: number): boolean {
    const { dailyTokenCap } = this.#tables.settings.get()
    return (
      dailyTokenCap !== null &&
      this.#tables.connections.bills(connectionId) &&
      this.#barOf({ connectionId, schemaId }, dailyTokenCap) !== null
    )
  }

  /** The cap of tokens holds back whole questions; what is left of them is cut by the room for documents. */
  #holds(documentRoom: number | null, tokenCap: number | null, tokensToday: number): CapHold[] {
    if (documentRoom === null && tokenCap === null) return []
    const holds: CapHold[] = []
    const hold = (documents: number, { why, name, tokens }: Refusal): void => {
      const same = holds.find((other) => other.why === why && other.name === name)
      if (same === undefined) holds.push({ why, documents, name, tokens })
      else same.documents += documents
    }
    let free = 0
    const tally = tokenCap === null ? null : this.#tally(tokensToday)
    for (const { documents, ...question } of this.#tables.usage.queued()) {
      const refusal = tokenCap === null || tally === null ? null : this.#refusalOf(question, tally, tokenCap)
      if (refusal === null) free += documents
      else hold(documents, refusal)
    }
    const over = documentRoom === null ? 0 : free - documentRoom
    if (over > 0) hold(over, reached)
    return holds
  }

  /** Why one more document cannot begin now below the cap of tokens; null when it can. */
  #refusalOf(question: Question, { spent, reserved, busy }: Tally, tokenCap: number): Refusal | null {
    const bar = this.#barOf(question, tokenCap)
    if (bar !== null) return bar
    const known = this.#reservation(question)
    // More than the cap can only be what another schema took: that must not keep this one from ever being measured.
    const own = known === null || known > tokenCap ? null : known
    if (spent + Math.max(1, own ?? 0) > tokenCap) return reached
    // The first one tells how much a document takes: nothing else until then.
    const fits =
      own === null
        ? !busy.has(question.connectionId) && spent + reserved < tokenCap
        : spent + reserved + own <= tokenCap
    return fits ? null : { why: 'under_way', name: null, tokens: null }
  }

  /** What midnight does not lift: one document takes more than the cap, or nobody says what one takes. */
  #barOf({ connectionId, schemaId }: Question, tokenCap: number): Refusal | null {
    const { usage, schemas, connections } = this.#tables
    const { documents, largest } = usage.measured(connectionId, schemaId)
    if (largest > tokenCap) return { why: 'too_large', name: schemas.get(schemaId)?.name ?? '', tokens: largest }
    if (documents > 0 || !usage.isSilent(connectionId) || usage.measured(connectionId, null).documents > 0) return null
    return { why: 'no_tokens', name: connections.get(connectionId)?.name ?? '', tokens: null }
  }

  /**
   * Tokens that a document may take: as another schema of the connection where this one was not measured; null while
   * neither was.
   */
  #reservation({ connectionId, schemaId }: Question): number | null {
    const ofSchema = this.#tables.usage.measured(connectionId, schemaId)
    if (ofSchema.documents > 0) return ofSchema.largest
    const ofConnection = this.#tables.usage.measured(connectionId, null)
    return ofConnection.documents > 0 ? ofConnection.largest : null
  }

  #tally(tokensToday: number): Tally {
    const now = this.#now()
    const tally: Tally = { spent: tokensToday, reserved: 0, busy: new Set() }
    for (const { documents, underWay, ...question } of this.#tables.usage.unnamed(
      now - reservedForMs,
      this.#today.start(),
    )) {
      tally[underWay ? 'reserved' : 'spent'] += documents * (this.#reservation(question) ?? 0)
      if (underWay) tally.busy.add(question.connectionId)
    }
    return tally
  }

  #questionOf({ connectionId, schemaVersionId }: StoredDocument): Question {
    return { connectionId, schemaId: this.#tables.schemas.versionOf(schemaVersionId).schemaId }
  }

  #tokensToday(): number {
    return this.#tables.usage.tokensSince(this.#today.start())
  }

  #begun(): number {
    return this.#tables.usage.begunSince(this.#today.start())
  }
}
