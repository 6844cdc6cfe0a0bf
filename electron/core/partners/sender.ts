import { meaningOf } from '../../../shared/domain/meaning.ts'
import { comparableCode, comparableName } from '../../../shared/domain/partner.ts'
import { pointerOf } from '../../../shared/domain/pointer.ts'
import type { Flag } from '../../../shared/domain/review.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { meanings } from '../../service/extraction/words.ts'

/** A value and where it stands; `value` is null where nothing does. */
export type Placed = { pointer: string; value: string | null }

/** What a result says of who sent the document: the fields that its schema has for that. */
export type Sender = { name: Placed | null; vatId: Placed | null; accounts: Placed[] }

/** A seller's address or VAT number is not its name. */
const nameWords = new Set(['name', 'company'])

/** The field for the name of who sent a document; null where there is none. Pure. */
export function senderField(elements: readonly SchemaElement[]): SchemaElement | null {
  return partyField(elements, 'seller')
}

/** The field for the name of whom the document is to; null where there is none. Pure. */
export function buyerField(elements: readonly SchemaElement[]): SchemaElement | null {
  return partyField(elements, 'buyer')
}

function partyField(elements: readonly SchemaElement[], party: 'seller' | 'buyer'): SchemaElement | null {
  return (
    elements.find(({ name, format }) => {
      const said = meanings(name)
      return format === 'text' && said.includes(party) && said.every((word) => word === party || nameWords.has(word))
    }) ?? null
  )
}

/** A flag at the buyer of each record whose seller has the same name: one of them is wrong. Pure. */
export function sameParties(records: readonly Record<string, unknown>[], elements: readonly SchemaElement[]): Flag[] {
  const [seller, buyer] = [senderField(elements)?.name, buyerField(elements)?.name]
  if (seller === undefined || buyer === undefined) return []
  return records.flatMap((record, index): Flag[] => {
    const [one, other] = [record[seller], record[buyer]]
    if (typeof one !== 'string' || typeof other !== 'string') return []
    if (comparableName(one) === '' || comparableName(one) !== comparableName(other)) return []
    return [
      { code: 'implausible', reason: 'same_party', pointer: pointerOf([index, buyer]), value: other, expected: null },
    ]
  })
}

/** Who sent the document, as one record says it; null where a result has several, or none. Pure. */
export function senderOf(
  records: readonly Record<string, unknown>[],
  elements: readonly SchemaElement[],
): Sender | null {
  const [record] = records
  if (record === undefined || records.length > 1) return null
  const placed = ({ name }: SchemaElement): Placed => {
    const value = record[name]
    return {
      pointer: pointerOf([0, name]),
      value: typeof value === 'string' && value.trim() !== '' ? value.trim() : null,
    }
  }
  const nameField = senderField(elements)
  // Of two parties' numbers only the seller's is meant.
  const isOfSeller = ({ name }: SchemaElement): boolean => !meanings(name).includes('buyer')
  const vatField = elements.find((element) => meaningOf(element) === 'vat_id' && isOfSeller(element))
  return {
    name: nameField && placed(nameField),
    vatId: vatField === undefined ? null : placed(vatField),
    accounts: elements.filter((element) => meaningOf(element) === 'iban' && isOfSeller(element)).map(placed),
  }
}

/** By what the sender is looked for among the partners. Pure. */
export function keysOf({ name, vatId, accounts }: Sender): {
  name: string | null
  vatId: string | null
  accounts: string[]
} {
  const code = (placed: Placed | null): string => comparableCode(placed?.value)
  return {
    name: name?.value ?? null,
    vatId: code(vatId) === '' ? null : code(vatId),
    accounts: accounts.map(code).filter((iban) => iban !== ''),
  }
}

/** Where the values of a sender stand. Pure. */
export function placesOf(sender: Sender | null): string[] {
  if (sender === null) return []
  return [sender.name, sender.vatId, ...sender.accounts].flatMap((placed) => (placed === null ? [] : [placed.pointer]))
}
