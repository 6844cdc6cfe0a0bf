import type { CommonFields } from '../../../shared/contract/schemas.ts'
import type { BookingFields } from '../../../shared/domain/datev.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { meaningOf } from '../../../shared/domain/meaning.ts'
import type { Meaning } from '../../../shared/domain/meaning.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { senderField } from './sender.ts'
import { meanings } from '../../service/extraction/words.ts'

/** Papers that have a number of their own; on one of the first kind one of the others is another paper's. */
const ownNumbers = [
  ['invoice', 'document', 'receipt', 'creditnote'],
  ['statement', 'deliverynote', 'order', 'quote', 'policy', 'contract'],
]
/** Days of a document that are not the one on which it was issued. */
const otherDays = /^(due|delivery|birth|order|service|start|end|from|to|period|booking|payment|value)$/

const says = ({ name }: SchemaElement, word: string): boolean => meanings(name).includes(word)

/**
 * What documents of any kind have, by the names of a schema's fields: their own number, the day on which they were
 * issued, who sent them, and their total. Pure.
 */
export function commonFields(elements: readonly SchemaElement[]): CommonFields {
  const codes = elements.filter(({ format, kind }) => format === 'text' && (kind === undefined || kind === 'code'))
  const numbers = codes.filter((each) => says(each, 'nr'))
  const days = elements.filter((each) => meaningOf(each) === 'date')
  const [number] = ownNumbers.flatMap((words) => numbers.filter((each) => words.some((word) => says(each, word))))
  const issued = days.find(({ name }) => !meanings(name).some((word) => otherDays.test(word)))
  return {
    number: number?.name ?? null,
    date: (issued ?? days.find((each) => !says(each, 'due')))?.name ?? null,
    // A shop is nobody whom the office keeps among its partners.
    sender: (senderField(elements) ?? elements.find((each) => says(each, 'store')))?.name ?? null,
    total: elements.find((each) => meaningOf(each) === 'gross')?.name ?? null,
  }
}

/**
 * What a booking is made of. Throws `datev_fields` for a schema without a field for the day or the total. Pure.
 */
export function bookingFields(elements: readonly SchemaElement[]): BookingFields {
  const named = (meaning: Meaning): string | null => elements.find((each) => meaningOf(each) === meaning)?.name ?? null
  const { number, date, sender, total } = commonFields(elements)
  if (date === null || total === null) throw new AppError('datev_fields')
  return {
    number,
    date,
    due: elements.find((each) => meaningOf(each) === 'date' && says(each, 'due'))?.name ?? null,
    seller: sender,
    currency: elements.find((each) => each.kind === 'currency' || says(each, 'currency'))?.name ?? null,
    net: named('net'),
    tax: named('tax'),
    gross: total,
  }
}
