import type { FieldType } from '../../../shared/domain/schema.ts'
import type { MessageId } from '../../messages/language.tsx'

/** What people call the types of fields. */
export const typeLabels: Record<FieldType, MessageId> = {
  text: 'type.text',
  date: 'type.date',
  iban: 'type.iban',
  currency: 'type.currency',
  vat_id: 'type.vatId',
  email: 'type.email',
  code: 'type.code',
  document_type: 'type.documentType',
  number: 'type.number',
  boolean: 'type.boolean',
  list: 'type.list',
}
