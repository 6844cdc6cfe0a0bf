// In: a document that a person approved.
// Out: its sender among the partners.
import { isValidIBAN } from 'ibantools'
import { checkVAT, countries } from 'jsvat'
import type { Tables } from '../db/tables/tables.ts'
import { fewestToSettle } from '../../../shared/domain/learned.ts'
import { isSameJson } from '../../../shared/domain/pointer.ts'
import type { Partner } from '../../../shared/domain/partner.ts'
import { mergedWith } from './import.ts'
import { buyerField, keysOf, senderOf } from './sender.ts'

/**
 * What a person approved says who sends documents, by which VAT number, and to which accounts the money goes. The name
 * is the office's own spelling where a person wrote it. In a transaction of the caller. Returns whether the partners
 * are others now.
 */
export function rememberSender({ tables, now }: { tables: Tables; now: () => number }, documentId: number): boolean {
  const said = approvedSender(tables, documentId)
  if (said === null || tables.partners.find(said, true) !== null) return false
  const known = tables.partners.find(said)?.partner ?? null
  const values = { ...nothingKnown, ...said }
  // A VAT number that is known is not another one because a document has it.
  const merged = known === null ? values : mergedWith(known, { ...values, vatId: known.vatId ?? said.vatId })
  if (known !== null && isSameJson(known, merged)) return false
  tables.partners.put(known?.id ?? null, merged, now())
  return true
}

/**
 * Notes to whom a document is that a person approved. Returns `decidesBuyer`. In a transaction of the caller.
 */
export function rememberBuyer({ tables }: { tables: Tables }, documentId: number): boolean {
  tables.partners.setBuyer(documentId, buyerOf(tables, documentId))
  return decidesBuyer(tables, documentId)
}

/** Whether other documents to the same buyer need no look with its approval, and need one without it. */
export function decidesBuyer(tables: Tables, documentId: number): boolean {
  const name = buyerOf(tables, documentId)
  return name !== null && tables.partners.approvalsOfBuyer(name, documentId) === fewestToSettle - 1
}

/** To whom a document is by its values as they are shown; null where that is nobody, or several. */
function buyerOf(tables: Tables, documentId: number): string | null {
  const document = tables.documents.get(documentId)
  if (document === null || document.resultId === null) return null
  const field = buyerField(tables.schemas.elementsOf(document.schemaVersionId))
  const { records } = tables.results.get(document.resultId)
  const name = field !== null && records.length === 1 ? records[0]![field.name] : null
  return typeof name === 'string' && name.trim() !== '' ? name : null
}

const nothingKnown = { number: null, bookAccount: null, isOwn: false }

type Said = Pick<Partner, 'name' | 'vatId' | 'accounts' | 'isNamed'>

/**
 * Who sent a document, by its values as they are shown; null where they name nobody. `isNamed`: a person wrote the
 * name.
 */
function approvedSender(tables: Tables, documentId: number): Said | null {
  const document = tables.documents.get(documentId)
  if (document === null || document.resultId === null) return null
  const { records } = tables.results.get(document.resultId)
  const sender = senderOf(records, tables.schemas.elementsOf(document.schemaVersionId))
  const placed = sender?.name ?? null
  if (sender === null || placed === null || placed.value === null) return null
  const { vatId, accounts } = keysOf(sender)
  const written = tables.reviews.corrections(documentId, (pointer) => pointer === placed.pointer)
  return {
    name: placed.value,
    // A number with a wrong digit, or another tax's, would find documents of others.
    vatId: vatId !== null && checkVAT(vatId, countries).isValid ? vatId : null,
    accounts: accounts.filter((iban) => isValidIBAN(iban)),
    isNamed: written.some(({ value }) => value === placed.value),
  }
}
