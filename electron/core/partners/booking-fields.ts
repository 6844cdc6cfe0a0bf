import type { BookingFields } from '../../../shared/domain/datev.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { meaningOf } from '../../../shared/domain/meaning.ts'
import type { Meaning } from '../../../shared/domain/meaning.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { senderField } from './sender.ts'
import { meanings } from '../../service/extraction/words.ts'

/** The number of the document itself, as opposed to that of an order or a customer. */
const numbered = ['invoice', 'document', 'receipt', 'creditnote']
/** Days of a document that are not the one on which it was issued. */
const otherDays = /^(due|delivery|birth|order|service|start|end|from|to|period|booking|payment|value)$/

/**
 * What a booking is made of, by the names of a schema's fields. Throws `datev_fields` for a schema without a field for
 * the day or the total. Pure.
 */
export function bookingFields(elements: readonly SchemaElement[]): BookingFields {
  const ofMeaning = (meaning: Meaning): SchemaElement[] => elements.filter((each) => meaningOf(each) === meaning)
  const says = ({ name }: SchemaElement, word: string): boolean => meanings(name).includes(word)
  const days = ofMeaning('date')
  const date = days.find(({ name }) => !meanings(name).some((word) => otherDays.test(word)))
  const [gross] = ofMeaning('gross')
  if (date === undefined || gross === undefined) throw new AppError('datev_fields')
  const codes = elements.filter(({ format, kind }) => format === 'text' && (kind === undefined || kind === 'code'))
  return {
    number: codes.find((each) => says(each, 'nr') && numbered.some((word) => says(each, word)))?.name ?? null,
    date: date.name,
    due: days.find((each) => says(each, 'due'))?.name ?? null,
    seller: senderField(elements)?.name ?? null,
    currency: elements.find((each) => each.kind === 'currency' || says(each, 'currency'))?.name ?? null,
    net: ofMeaning('net')[0]?.name ?? null,
    tax: ofMeaning('tax')[0]?.name ?? null,
    gross: gross.name,
  }
}
