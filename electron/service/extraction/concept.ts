/** What a value is, whatever it is called. */
export type ValueKind =
  | 'money'
  | 'number'
  | 'percent'
  | 'date'
  | 'code'
  | 'iban'
  | 'bic'
  | 'vatid'
  | 'currency'
  | 'email'
  | 'phone'
  | 'url'
  | 'party'
  | 'address'
  | 'postcode'
  | 'city'
  | 'state'
  | 'time'
  | 'text'
  | 'boolean'

/**
 * What a field can mean, as data. `labels` are phrases that name the thing in any of the four languages
 * beyond what the words themselves say; `weak` ones only count when nothing better is there. Words are
 * compared by meaning (see `words.ts`), so one language often stands for all.
 */
export type Concept = { kind: ValueKind; names: string[]; labels: string[]; weak?: string[]; role?: Role }

/** Which part of the document's own structure can answer when no label does. */
export type Role =
  | 'range-start'
  | 'range-end'
  | 'range'
  | 'document-number'
  | 'document-date'
  | 'document-type'
  | 'gross'
  | 'net'
  | 'tax'
  | 'due'
  | 'currency'
  | 'tax-rate'

/** The amounts that prove each other: net + tax = gross. */
export const amountRoles = ['net', 'tax', 'gross'] as const
export type AmountRole = (typeof amountRoles)[number]
