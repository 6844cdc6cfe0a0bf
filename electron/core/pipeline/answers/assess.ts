// enters: a document whose result was stored, read again, corrected, or is checked by other rules now
// leaves: its records as lessons and persons corrected them, the flags that nobody confirmed, and whether it waits for
// a person
import { setImmediate } from 'node:timers/promises'
import type { ReviewState } from '../../../../shared/domain/document-status.ts'
import { isSameJson } from '../../../../shared/domain/pointer.ts'
import { plainValueOf } from '../../../../shared/domain/result.ts'
import type { ExtractedRecord } from '../../../../shared/domain/result.ts'
import { learnedCorrections, learnedFlags, withoutSettled } from '../../../../shared/domain/learned.ts'
import { withCorrections } from '../../../../shared/domain/review.ts'
import type { Correction, FieldPath, Flag } from '../../../../shared/domain/review.ts'
import type { SchemaElement } from '../../../../shared/domain/schema.ts'
import type { StoredDocument } from '../../db/tables/documents.ts'
import type { SummaryValue } from '../../db/tables/results.ts'
import { sheaf } from '../../db/tables/reviews.ts'
import { blendedFlags, doubtFlags, openDoubts } from '../../review/doubts.ts'
import { uniqueValues } from '../../review/flags.ts'
import { allFlags } from '../../review/all-flags.ts'
import { usualAmounts } from '../../review/usual-amounts.ts'
import { creditSigns } from '../../../../shared/domain/credit-signs.ts'
import { byPartners, senderAsBefore } from '../../partners/by-partners.ts'
import { withoutKnownParties } from '../../partners/known-parties.ts'
import { sameParties } from '../../partners/sender.ts'
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

/** Documents in one transaction: the window is not to wait for more. */
const pageSize = 20

/**
 * Assesses a document by its result, what persons did and the rules of its schema, and after it those that share a
 * value with it which only one may have. In a transaction of the caller.
 */
export function assess(context: StoreContext, documentId: number, known: Known = {}): void {
  const { tables } = context
  const sharing = new Set(tables.reviews.sharing(documentId))
  assessOne(context, documentId, known)
  for (const other of tables.reviews.sharing(documentId)) sharing.add(other)
  for (const other of sharing) assessOne(context, other, {})
}

function assessOne(
  context: StoreContext,
  documentId: number,
  { before: resultBefore = null, records: known }: Known,
): void {
  const { tables, emit } = context
  const document = tables.documents.get(documentId)
  if (document === null || document.status !== 'done' || document.resultId === null) return
  const { resultId, schemaVersionId, status } = document
  const { extracted, records: shownBefore } = tables.results.get(resultId)
  const isOtherResult = resultBefore !== null && resultBefore !== resultId
  const isApproved = !isOtherResult && tables.reviews.approval(documentId) !== null
  const { shown, flags: partnerFlags } = asShown(context, document, extracted, {
    corrections: () => tables.reviews.corrections(documentId),
    approved: isApproved ? shownBefore : null,
    known,
  })
  if (isOtherResult) reopenIfOther(context, documentId, resultBefore, shown)
  const open = openFlags(
    context,
    documentId,
    flagsOf(context, { ...document, resultId }, { extracted, shown, partnerFlags }),
    shown,
  )
  const flagsBefore = tables.reviews.flags(resultId)
  const isChanged = !isSameJson(shown, shownBefore)
  if (isChanged) {
    const summary = summarise(shown, tables.schemas.elementsOf(schemaVersionId))
    tables.results.setCorrected(resultId, isSameJson(shown, extracted) ? null : shown, summary, open)
  }
  const state = stateOf(context, documentId, open)
  const isSame = tables.reviews.state(documentId) === state && isSameJson(flagsBefore, open)
  if (isSame && !isChanged) return
  if (!isSame) tables.reviews.setReview(documentId, resultId, state, open)
  emit('document.changed', { id: documentId, status })
}

function stateOf({ tables }: StoreContext, documentId: number, open: readonly Flag[]): ReviewState {
  if (tables.reviews.approval(documentId) !== null) return 'approved'
  return open.length > 0 ? 'flagged' : 'ready'
}

/** All flags of the records as they are shown, those that a person confirmed among them. */
function flagsOf(
  { tables, now }: StoreContext,
  { id, resultId, schemaVersionId }: StoredDocument & { resultId: number },
  { extracted, shown, partnerFlags }: { extracted: ExtractedRecord[]; shown: ExtractedRecord[]; partnerFlags: Flag[] },
): Flag[] {
  const { schemaId } = tables.schemas.versionOf(schemaVersionId)
  const elements = tables.schemas.elementsOf(schemaVersionId)
  // What the schema did not ask for when the document was extracted is not empty.
  const rules = tables.schemas
    .get(schemaId)!
    .rules.filter((rule) => rule.kind !== 'required' || hasField(elements, rule.field))
  tables.reviews.setUnique(id, schemaId, uniqueValues(shown, rules))
  const result = tables.results.get(resultId)
  const learned = tables.lessons.learnedOf(id)
  const { doubts: all } = result
  const held = openDoubts(all, extracted, shown, () => tables.reviews.movedLists(id))
  const about = { partners: tables.partners, elements, documentId: id }
  const doubts = withoutKnownParties(withoutSettled(held, learned, shown), about, extracted, shown)
  const doubted = new Set(all.map(({ pointer }) => pointer))
  return allFlags(
    {
      records: shown,
      elements,
      rules,
      doubts: [
        ...doubtFlags(doubts, shown, () => result.sources),
        ...distinct([...learnedFlags(learned, shown, doubted), ...partnerFlags]),
        ...sameParties(shown, elements),
      ],
      usualAmount: usualAmounts(() => tables.results.summariesBefore(schemaId, id)),
    },
    {
      today: dayAt(now()),
      seen: (fields, value) => tables.reviews.firstWith(schemaId, fields, value, id),
    },
  )
}

function hasField(elements: readonly SchemaElement[], [name, ...rest]: FieldPath): boolean {
  const element = elements.find((each) => each.name === name)
  return element !== undefined && (rest.length === 0 || hasField(element.items ?? [], rest))
}

/**
 * What lessons, persons and partners make of what a service extracted, with the flags of partners. `corrections`: of
 * persons, who have the last word. `approved`: the records that a person approved, whose sender stays; null: nobody
 * did. `known`: what lessons and persons make of it, where the caller has that already.
 */
export function asShown(
  { tables }: Pick<StoreContext, 'tables'>,
  { id, schemaVersionId }: StoredDocument,
  extracted: readonly ExtractedRecord[],
  {
    corrections: correctionsOf,
    approved,
    known,
  }: {
    corrections: () => readonly Correction[]
    approved: readonly ExtractedRecord[] | null
    known?: ExtractedRecord[] | undefined
  },
): { shown: ExtractedRecord[]; flags: Flag[] } {
  if (known !== undefined && tables.partners.isEmpty) return { shown: known, flags: [] }
  const corrections = correctionsOf()
  const records = withCorrections(extracted, [...learnedCorrections(tables.lessons.learnedOf(id)), ...corrections])
  if (tables.partners.isEmpty) return { shown: records, flags: [] }
  const elements = tables.schemas.elementsOf(schemaVersionId)
  const touched = new Set(corrections.map(({ pointer }) => pointer))
  const isTouched = (pointer: string): boolean => touched.has(pointer)
  if (approved !== null)
    return { shown: withCorrections(records, senderAsBefore(records, approved, elements, isTouched)), flags: [] }
  const byThem = byPartners(tables.partners, records, elements, isTouched)
  return { shown: withCorrections(records, byThem.corrections), flags: byThem.flags }
}

/** What lessons and partners say alike is said once. */
function distinct(flags: Flag[]): Flag[] {
  return flags.filter((flag, index) => flags.findIndex((other) => isSameJson(flag, other)) === index)
}

/** An approval of the result `before` does not hold for other records. */
function reopenIfOther({ tables, now }: StoreContext, id: number, before: number, shown: ExtractedRecord[]): void {
  if (tables.reviews.approval(id) !== null && !isSameJson(shown, tables.results.get(before).records))
    tables.reviews.reopen([id], { person: sheaf, at: now() })
}

/** Those that no person confirmed. Nobody takes a document for ready before it is compared with what was learned. */
function openFlags({ tables }: StoreContext, documentId: number, flags: Flag[], shown: ExtractedRecord[]): Flag[] {
  const confirmed = new Set(tables.reviews.confirmed(documentId).map((flag) => JSON.stringify(flag)))
  const isOpen = (flag: Flag): boolean => !confirmed.has(JSON.stringify(flag))
  const open = flags.filter(isOpen)
  if (open.some(({ code }) => code === 'several_documents')) {
    const settled = new Set([...open, ...tables.reviews.corrections(documentId)].map(({ pointer }) => pointer))
    open.push(...blendedFlags(shown, (pointer) => settled.has(pointer)).filter(isOpen))
  }
  return tables.lessons.isComparing(documentId) ? [{ code: 'comparing', pointer: '/0' }, ...open] : open
}

/** The day where the person is. */
function dayAt(time: number): string {
  const date = new Date(time)
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/**
 * Assesses the documents of schemas where that is due again, a page at a time, save what somebody approved. An approval
 * is a person's last word.
 */
export async function reassess(context: StoreContext, ended: AbortSignal): Promise<void> {
  const { tables } = context
  for (const { id: schemaId, pending } of tables.schemas.toReassess()) {
    for (
      let page = tables.reviews.unapproved(schemaId, 0);
      page.length > 0;
      page = tables.reviews.unapproved(schemaId, page.at(-1)!)
    ) {
      if (ended.aborted) return
      for (let from = 0; from < page.length; from += pageSize) {
        inTransaction(context, (inside) => page.slice(from, from + pageSize).forEach((id) => assessOne(inside, id, {})))
        await setImmediate()
      }
    }
    tables.schemas.reassessed(schemaId, pending)
  }
}

/** The first plain values of the first record, in the schema's order; amounts of credit notes as exports have them. */
export function summarise(records: ExtractedRecord[], schema: SchemaElement[]): SummaryValue[] {
  const signed = creditSigns(schema)
  const record = signed && records[0] ? signed(records[0]) : (records[0] ?? {})
  return schema
    .filter((element) => element.format !== 'list')
    .slice(0, summaryLength)
    .map(({ name }) => {
      const value = record[name]
      if (typeof value === 'string') return { name, value: value.slice(0, longestSummary) }
      return { name, value: plainValueOf(value) }
    })
}
