import type { FieldFormat } from '../../../shared/domain/schema.ts'
import type { MessageId } from '../../messages/language.tsx'

/** What people call the formats of fields. */
export const formatLabels: Record<FieldFormat, MessageId> = {
  text: 'format.text',
  number: 'format.number',
  boolean: 'format.boolean',
  list: 'format.list',
}
