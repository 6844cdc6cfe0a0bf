import type { TextKind } from '../../shared/domain/schema.ts'
import type { MessageId } from './language.tsx'

/** What is said of a text that is none of its kind. */
export const notOfKindTexts: Record<TextKind, MessageId> = {
  date: 'flag.noDate',
  iban: 'flag.iban',
  currency: 'flag.noCurrency',
  vat_id: 'flag.vatId',
  email: 'flag.noEmail',
  code: 'flag.tooLongText',
  document_type: 'flag.tooLongText',
}
