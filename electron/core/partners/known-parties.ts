// In: a result, and whom the office knows.
// Out: where it says what the office knows.
import { comparableCode, comparableName } from '../../../shared/domain/partner.ts'
import { fewestToSettle } from '../../../shared/domain/learned.ts'
import { pointerOf } from '../../../shared/domain/pointer.ts'
import type { Doubt, ExtractedRecord } from '../../../shared/domain/result.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import type { PartnersTable } from '../db/tables/partners.ts'
import { buyerField, keysOf, senderOf } from './sender.ts'

type Known = Pick<PartnersTable, 'find' | 'approvalsOfBuyer'>

/**
 * Doubts without those about values that are known: a sender's name and number that belong together, and a buyer that
 * is a company of the office itself, or was approved as the buyer of other documents. Both as the service said it and
 * as it is shown: what lessons, partners or persons put beside a value proves nothing of it. Pure but for `partners`.
 */
export function withoutKnownParties(
  doubts: readonly Doubt[],
  { partners, elements, documentId }: { partners: Known; elements: readonly SchemaElement[]; documentId: number },
  extracted: readonly ExtractedRecord[],
  shown: readonly ExtractedRecord[],
): Doubt[] {
  if (!doubts.some(({ code }) => code === 'unsure')) return [...doubts]
  const knownIn = (records: readonly ExtractedRecord[]): Set<string> =>
    new Set([...knownSender(partners, records, elements), ...knownBuyers(partners, records, elements, documentId)])
  const [before, now] = [knownIn(extracted), knownIn(shown)]
  return doubts.filter(({ code, pointer }) => code !== 'unsure' || !before.has(pointer) || !now.has(pointer))
}

/** Of a sender whose name and one of whose numbers are those of one partner, the places of all that are. */
function knownSender(
  partners: Known,
  records: readonly ExtractedRecord[],
  elements: readonly SchemaElement[],
): string[] {
  const sender = senderOf(records, elements)
  const match = sender === null ? null : partners.find(keysOf(sender))
  const { name, vatId, accounts } = sender ?? { name: null, vatId: null, accounts: [] }
  if (!match || match.by === 'name' || !name?.value) return []
  const { partner } = match
  if (comparableName(partner.name) !== comparableName(name.value)) return []
  const numbers = [
    ...(vatId !== null && partner.vatId === comparableCode(vatId.value) ? [vatId] : []),
    ...accounts.filter(({ value }) => partner.accounts.includes(comparableCode(value))),
  ]
  return [name, ...numbers].map(({ pointer }) => pointer)
}

function knownBuyers(
  partners: Known,
  records: readonly ExtractedRecord[],
  elements: readonly SchemaElement[],
  documentId: number,
): string[] {
  const field = buyerField(elements)
  if (field === null) return []
  return records.flatMap((record, index) => {
    const name = record[field.name]
    if (typeof name !== 'string' || comparableName(name) === '') return []
    const isOwn = partners.find({ name, vatId: null, accounts: [] }, true) !== null
    const isKnown = isOwn || partners.approvalsOfBuyer(name, documentId) >= fewestToSettle
    return isKnown ? [pointerOf([index, field.name])] : []
  })
}
