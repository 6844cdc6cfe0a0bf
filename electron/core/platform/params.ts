import type { SchemaElement, TextKind } from '../../../shared/domain/schema.ts'

/** What a service that does not know the kinds of texts is told of them. */
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
 * description. Without `inWords` only the one that no name may say: the service on this computer finds out the others.
 * Pure.
 */
export function paramsOf(elements: readonly SchemaElement[], inWords: boolean): SchemaElement[] {
  return elements.map(({ name, format, description, kind, items }) => ({
    name,
    format,
    description: [description, isTold(kind, inWords) ? words[kind] : ''].filter((text) => text !== '').join(' '),
    ...(items === undefined ? {} : { items: paramsOf(items, inWords) }),
  }))
}

function isTold(kind: TextKind | undefined, inWords: boolean): kind is TextKind {
  return kind !== undefined && (inWords || kind === 'document_type')
}
