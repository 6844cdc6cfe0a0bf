import type { FieldFormat } from '../../../shared/schema.ts'
import type { MessageId } from '../../messages/language.tsx'

/** What people call the formats of fields. */
export const formatWords: Record<FieldFormat, MessageId> = { text: 'format.text', number: 'format.number', boolean: 'format.boolean', list: 'format.list' }
