import type { SchemaElement, TextKind } from '../../../shared/domain/schema.ts'

/** What a service is told of kinds: the interface has none. */
const words: Record<TextKind, string> = {
  date: 'A date, written as YYYY-MM-DD.',
  iban: 'An IBAN, written without spaces.',
  currency: 'A currency, as its ISO 4217 code.',
  vat_id: 'A VAT number with its country code, written without spaces.',
  email: 'An e-mail address.',
  code: 'A code as it is printed, without the label before it.',
  document_type: 'Document type: what the document calls itself, such as invoice or credit note.',
}

/**
 * Fields as the interface has them (spec, «Extraction schema element»): the kind of a text is told in words of its
 * description. Pure.
 */
export function paramsOf(elements: readonly SchemaElement[]): SchemaElement[] {
  return elements.map(({ name, format, description, kind, items }) => ({
    name,
    format,
    description: [description, kind === undefined ? '' : words[kind]].filter((text) => text !== '').join(' '),
    ...(items === undefined ? {} : { items: paramsOf(items) }),
  }))
}
