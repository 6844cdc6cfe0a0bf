// enters: a document whose result was stored, read again, corrected, or is checked by other rules now
// leaves: its records as lessons and persons corrected them, the flags that nobody confirmed, and whether it waits for a person
import { setImmediate } from 'node:timers/promises'
import type { ReviewState } from '../../../../shared/domain/document-status.ts'
import { isSameJson } from '../../../../shared/domain/pointer.ts'
import type { ExtractedRecord } from '../../../../shared/domain/result.ts'
import { learnedCorrections, learnedFlags, withoutSettled } from '../../../../shared/domain/learned.ts'
import { withCorrections } from '../../../../shared/domain/review.ts'
import type { Flag } from '../../../../shared/domain/review.ts'
import type { SchemaElement } from '../../../../shared/domain/schema.ts'
import type { SummaryValue } from '../../db/tables/results.ts'
import { doubtFlags, openDoubts } from '../../review/doubts.ts'
import { uniqueValues } from '../../review/flags.ts'
import { allFlags } from '../../review/all-flags.ts'
import { usualAmounts } from '../../review/usual-amounts.ts'
import { inTransaction } from '../context.ts'
import type { StoreContext } from '../context.ts'

/** More than a list shows: the window chooses among them. */
const summaryLength = 24
/** A value of megabytes is shown with the document, not in every row of a list. */
const longestSummary = 1000

/**
 * `before`: the result that it had; an approval of that one does not hold for another. `records`: with all corrections,
 * where the caller has made them already.
 */
type Known = { before?: number | null; records?: ExtractedRecord[] }

/** Who takes an approval back when the result became another one. */
const sheaf = 'Sheaf'

/**
 * Judges a document by its result, what persons did and the rules of its schema, and after it those that share a value
 * with it which only one may have. In a transaction of the caller.
 */
export function assess(context: StoreContext, documentId: number, known: Known = {}): void {
  const { tables } = context
  const sharing = new Set(tables.reviews.sharing(documentId))
  assessOne(context, documentId, known)
  for (const other of tables.reviews.sharing(documentId)) sharing.add(other)
  for (const other of sharing) assessOne(context, other, {})
}

function assessOne(context: StoreContext, documentId: number, { before = null, records }: Known): void {
  const { tables, now, emit } = context
  const document = tables.documents.get(documentId)
  if (document === null || document.status !== 'done' || document.resultId === null) return
  const result = tables.results.get(document.resultId)
  const { extracted, records: shownBefore } = result
  const learned = tables.lessons.learnedOf(documentId)
  const shown =
    records ?? withCorrections(extracted, [...learnedCorrections(learned), ...tables.reviews.corrections(documentId)])
  if (before !== null && before !== document.resultId) reopenIfOther(context, documentId, before, shown)
  const { schemaId } = tables.schemas.versionOf(document.schemaVersionId)
  const { rules } = tables.schemas.get(schemaId)!
  tables.reviews.setUnique(documentId, schemaId, uniqueValues(shown, rules))
  const elements = tables.schemas.elementsOf(document.schemaVersionId)
  const held = openDoubts(result.doubts, extracted, shown, () => tables.reviews.movedLists(documentId))
  const doubts = withoutSettled(held, learned, shown)
  const doubted = new Set(result.doubts.map(({ pointer }) => pointer))
  const flags = allFlags(
    {
      records: shown,
      elements,
      rules,
      doubts: [...doubtFlags(doubts, shown, () => result.sources), ...learnedFlags(learned, shown, doubted)],
      usualAmount: usualAmounts(() => tables.results.summariesBefore(schemaId, documentId)),
    },
    {
      today: dayAt(now()),
      seen: (fields, value) => tables.reviews.firstWith(schemaId, fields, value, documentId),
    },
  )
  // Nobody takes it for ready before it is compared with what was learned.
  if (tables.lessons.isComparing(documentId)) flags.unshift({ code: 'comparing', pointer: '/0' })
  const open = withoutConfirmed(flags, tables.reviews.confirmed(documentId))
  const flagsBefore = tables.reviews.flags(document.resultId)
  if (!isSameJson(shown, shownBefore))
    tables.results.setCorrected(
      document.resultId,
      isSameJson(shown, extracted) ? null : shown,
      summarise(shown, elements),
      open,
    )
  const state: ReviewState =
    tables.reviews.approval(documentId) !== null ? 'approved' : open.length > 0 ? 'flagged' : 'ready'
  if (tables.reviews.state(documentId) === state && isSameJson(flagsBefore, open)) return
  tables.reviews.setReview(documentId, document.resultId, state, open)
  emit('document.changed', { id: documentId, status: document.status })
}

/** An approval of the result `before` does not hold for other records. */
function reopenIfOther({ tables, now }: StoreContext, id: number, before: number, shown: ExtractedRecord[]): void {
  if (tables.reviews.approval(id) !== null && !isSameJson(shown, tables.results.get(before).records))
    tables.reviews.reopen([id], { person: sheaf, at: now() })
}

function withoutConfirmed(flags: Flag[], confirmed: Flag[]): Flag[] {
  const known = new Set(confirmed.map((flag) => JSON.stringify(flag)))
  return flags.filter((flag) => !known.has(JSON.stringify(flag)))
}

/** The day where the person is. */
function dayAt(time: number): string {
  const date = new Date(time)
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/**
 * Judges all documents of the schemas whose rules were changed that nobody approved, a page at a time. An approval is a
 * person's last word.
 */
export async function assessByNewRules(context: StoreContext, ended: AbortSignal): Promise<void> {
  const { tables } = context
  for (const schemaId of tables.schemas.withNewRules()) {
    const { rules } = tables.schemas.get(schemaId)!
    for (
      let page = tables.reviews.unapproved(schemaId, 0);
      page.length > 0;
      page = tables.reviews.unapproved(schemaId, page.at(-1)!)
    ) {
      if (ended.aborted) return
      inTransaction(context, (inside) => page.forEach((id) => assessOne(inside, id, {})))
      await setImmediate()
    }
    tables.schemas.settleRules(schemaId, rules)
  }
}

/** The first plain values of the first record, in the schema's order. */
export function summarise(records: ExtractedRecord[], schema: SchemaElement[]): SummaryValue[] {
  const record = records[0] ?? {}
  return schema
    .filter((element) => element.format !== 'list')
    .slice(0, summaryLength)
    .map(({ name }) => {
      const value = record[name]
      if (typeof value === 'string') return { name, value: value.slice(0, longestSummary) }
      return { name, value: typeof value === 'number' || typeof value === 'boolean' ? value : null }
    })
}
