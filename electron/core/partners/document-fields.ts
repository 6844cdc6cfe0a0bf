import type { CommonFields } from '../../../shared/contract/schemas.ts'
import type { BookingFields } from '../../../shared/domain/bookings.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { meaningOf } from '../../../shared/domain/meaning.ts'
import type { Meaning } from '../../../shared/domain/meaning.ts'
import type { SchemaElement, TextKind } from '../../../shared/domain/schema.ts'
import { senderField } from './sender.ts'
import { meanings } from '../../service/extraction/words.ts'

/** Papers by whose words a field is about the document itself; beside these the others are another paper. */
const own = new Set(['invoice', 'document', 'receipt', 'creditnote'])
const others = new Set(['statement', 'deliverynote', 'order', 'quote', 'policy', 'contract', 'delivery'])

/** The field of these that says `word` and nothing more than that it is about one of these papers. */
function about(
  elements: readonly SchemaElement[],
  word: string,
  papers: ReadonlySet<string>,
): SchemaElement | undefined {
  const saying = (isNamed: boolean): SchemaElement | undefined =>
    elements.find(({ name }) => {
      const rest = meanings(name).filter((each) => each !== word && each !== 'issue')
      return rest.every((each) => papers.has(each)) && rest.length > 0 === isNamed
    })
  return saying(true) ?? saying(false)
}

function numbersAndDays(elements: readonly SchemaElement[]): Record<'numbers' | 'days', SchemaElement[]> {
  const codes = elements.filter(({ format, kind }) => format === 'text' && (kind === undefined || kind === 'code'))
  return {
    numbers: codes.filter(({ name }) => meanings(name).includes('nr')),
    days: elements.filter((each) => meaningOf(each) === 'date'),
  }
}

/**
 * What documents of any kind have, by the names of a schema's fields: their own number, the day on which they were
 * issued, who sent them, and their total with its currency. Pure.
 */
export function commonFields(elements: readonly SchemaElement[]): CommonFields {
  const { numbers, days } = numbersAndDays(elements)
  return {
    number: (about(numbers, 'nr', own) ?? about(numbers, 'nr', others))?.name ?? null,
    date: (about(days, 'date', own) ?? about(days, 'date', others))?.name ?? null,
    // A shop is nobody whom the office keeps among its partners.
    sender: (senderField(elements) ?? elements.find(({ name }) => meanings(name).includes('store')))?.name ?? null,
    total: elements.find((each) => meaningOf(each) === 'gross')?.name ?? null,
    currency: currencyField(elements),
  }
}

/**
 * What a booking is made of. Throws `booking_without_type`, `booking_without_date` or `booking_without_total` for a
 * schema without a field for that. Pure.
 */
export function bookingFields(elements: readonly SchemaElement[]): BookingFields {
  const named = (meaning: Meaning): string | null => elements.find((each) => meaningOf(each) === meaning)?.name ?? null
  const { sender, total, currency } = commonFields(elements)
  const { numbers, days } = numbersAndDays(elements)
  const date = about(days, 'date', own)?.name ?? null
  const type = ofKind(elements, 'document_type')
  if (type === null) throw new AppError('booking_without_type')
  if (date === null) throw new AppError('booking_without_date')
  if (total === null) throw new AppError('booking_without_total')
  return {
    type,
    number: about(numbers, 'nr', own)?.name ?? null,
    date,
    due: saying(elements, 'due'),
    seller: sender,
    currency,
    net: named('net'),
    tax: named('tax'),
    gross: total,
    rows: taxedRows(elements),
  }
}

function ofKind(elements: readonly SchemaElement[], kind: TextKind): string | null {
  return elements.find((each) => each.kind === kind)?.name ?? null
}

function saying(elements: readonly SchemaElement[], word: string): string | null {
  return elements.find(({ name, format }) => format === 'text' && meanings(name).includes(word))?.name ?? null
}

function currencyField(elements: readonly SchemaElement[]): string | null {
  return ofKind(elements, 'currency') ?? saying(elements, 'currency')
}

/** The list that has amounts and their rates of tax; null where there is none. */
function taxedRows(elements: readonly SchemaElement[]): BookingFields['rows'] {
  for (const { name: list, items = [] } of elements) {
    const named = (...wanted: Meaning[]): string | undefined =>
      wanted.flatMap((meaning) => items.find((each) => meaningOf(each) === meaning) ?? [])[0]?.name
    const [amount, rate] = [named('line_amount', 'net', 'gross'), named('rate')]
    if (amount !== undefined && rate !== undefined) return { list, amount, rate }
  }
  return null
}
