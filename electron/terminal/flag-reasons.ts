import type { Flag, ImplausibleReason } from '../../shared/domain/review.ts'

const implausible: Record<ImplausibleReason, string> = {
  rows_total: 'the rows do not add up to the total',
  balance: 'the old balance and the rows do not come to the new one',
  tax_total: 'net and tax do not add up to the total',
  tax_missing: 'by net amount and total there is a tax',
  tax_rate: 'no tax is that high',
  zero_total: 'nothing to pay although there are amounts',
  identifier: 'looks like a number of something, not like an amount',
  too_large: 'far larger than what it is made of or usually is',
  no_such_date: 'there is no such day',
  odd_date: 'a year before 1900 or after 2100',
  iban: 'this IBAN does not exist: its check digits are wrong',
  vat_id: 'this VAT number does not exist: its check digits are wrong',
  no_date: 'this is no date',
  no_currency: 'this is not the code of one currency',
  no_email: 'this is no e-mail address',
  too_long: 'this is too long for its field',
  same_party: 'the seller has the same name',
}

type PlainCode =
  | 'required'
  | 'not_in_future'
  | 'unsure'
  | 'other_kind'
  | 'rows_missing'
  | 'rows_unsure'
  | 'several_documents'
  | 'comparing'
  | 'learned_differs'
  | 'learned_once'
  | 'account_differs'
  | 'own_company'

/** What says everything without the values. */
const plain: Record<PlainCode, string> = {
  required: 'empty, and a rule wants a value',
  not_in_future: 'in the future',
  unsure: 'not sure, check this value',
  other_kind: 'does not look like what the schema describes',
  rows_missing: 'rows may be missing',
  rows_unsure: 'not sure, check these rows',
  several_documents: 'the file may hold more than one document',
  comparing: 'not compared with what was learned yet',
  learned_differs: 'earlier documents of this sender have something else in this place',
  learned_once: 'learned from a single document, check this value',
  account_differs: 'the bank account differs from the one known for this sender',
  own_company: 'your own company is not the sender',
}

/** Why a value needs a look, in a few words for the terminal. Pure. */
export function reasonOfFlag(flag: Flag): string {
  switch (flag.code) {
    case 'pattern':
      return `does not look like ${flag.pattern}`
    case 'sum':
      return `the parts add up to ${flag.expected}`
    case 'rows_sum':
      return `the rows of «${flag.list}» add up to ${flag.expected}`
    case 'product':
      return `the factors make ${flag.expected}`
    case 'unique':
      return `already seen in ${flag.name}`
    case 'account_of_other':
      return `the bank account is known as that of ${flag.holder}`
    case 'vat_of_other':
      return `the VAT number is known as that of ${flag.holder}`
    case 'sources_differ':
      return `the ${flag.otherFrom} says ${flag.other ?? 'something else'}`
    case 'implausible':
      return implausible[flag.reason]
    default:
      return plain[flag.code]
  }
}
