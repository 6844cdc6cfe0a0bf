import * as z from 'zod'
import { copyOnWrite, isSameJson, valueAt } from './pointer.ts'
import { plainValue, sourceKinds } from './result.ts'
import type { ExtractedRecord } from './result.ts'

/**
 * What a person checks a result by: rules of a schema, the flags that a document gets by them, and how far its check
 * is. Fields are named by their path through the schema: `['Line items', 'Amount']`.
 */

const path = z.array(z.string().min(1)).min(1).max(10)
export type FieldPath = z.infer<typeof path>

export const rule = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('required'), field: path }),
  /**
   * `#` stands for a digit, `@` for a letter, `?` for any character, `*` for any number of them; everything else for
   * itself.
   */
  z.object({ kind: z.literal('pattern'), field: path, pattern: z.string().min(1).max(200) }),
  z.object({ kind: z.literal('not_in_future'), field: path }),
  /** The terms, fields of the record itself, add up to the total. */
  z.object({ kind: z.literal('sum'), terms: z.array(path).min(2).max(10), total: path }),
  /** A column of a list adds up to the total. */
  z.object({ kind: z.literal('rows_sum'), column: path, total: path }),
  /** Two columns of a list, or two fields, multiplied are the third. */
  z.object({ kind: z.literal('product'), factors: z.tuple([path, path]), result: path }),
  /**
   * No other document of the schema has the same in all of these fields of the record; the flag stands at the first.
   */
  z.object({ kind: z.literal('unique'), fields: z.array(path).min(1).max(5) }),
])
export type Rule = z.infer<typeof rule>
export type RuleKind = Rule['kind']

export const rules = z.array(rule).max(200)

const term = z.object({ name: z.string(), value: z.number() })
/** Why a value by itself cannot well be right, whatever the rules of its schema say. */
export const implausibleReasons = [
  'rows_total',
  'balance',
  'tax_total',
  'tax_missing',
  'tax_rate',
  'zero_total',
  'identifier',
  'too_large',
  'no_such_date',
  'odd_date',
  'iban',
  'vat_id',
  'no_date',
  'no_currency',
  'no_email',
  'too_long',
  'same_party',
] as const
export type ImplausibleReason = (typeof implausibleReasons)[number]

/** Why a value needs a look. `pointer`: RFC 6901 into the records; a flag stands at the value that it is about. */
export const flag = z.discriminatedUnion('code', [
  z.object({ code: z.literal('required'), pointer: z.string() }),
  z.object({ code: z.literal('pattern'), pointer: z.string(), pattern: z.string() }),
  z.object({ code: z.literal('not_in_future'), pointer: z.string(), date: z.string() }),
  z.object({
    code: z.literal('sum'),
    pointer: z.string(),
    terms: z.array(term),
    expected: z.number(),
    total: z.number(),
  }),
  z.object({
    code: z.literal('rows_sum'),
    pointer: z.string(),
    list: z.string(),
    expected: z.number(),
    total: z.number(),
  }),
  z.object({
    code: z.literal('product'),
    pointer: z.string(),
    factors: z.array(term),
    expected: z.number(),
    value: z.number(),
  }),
  /** Seen in the document of that name, received then. */
  z.object({
    code: z.literal('unique'),
    pointer: z.string(),
    value: z.string(),
    documentId: z.number().int(),
    name: z.string(),
    at: z.number().int(),
  }),
  // What a service doubts (`Doubt`). With the value, so that a person's word on it holds for that value only.
  z.object({ code: z.literal('unsure'), pointer: z.string(), value: plainValue }),
  /** The value was taken from one part of the file; another part says something else. */
  z.object({
    code: z.literal('sources_differ'),
    pointer: z.string(),
    value: plainValue,
    from: z.enum(sourceKinds),
    other: plainValue,
    otherFrom: z.enum(sourceKinds),
  }),
  z.object({ code: z.literal('other_kind'), pointer: z.string() }),
  z.object({ code: z.enum(['rows_missing', 'rows_unsure']), pointer: z.string(), rows: z.number().int() }),
  z.object({ code: z.literal('several_documents'), pointer: z.string() }),
  // What lessons say (`LearnedValue`).
  /** It is not compared with what was learned yet. */
  z.object({ code: z.literal('comparing'), pointer: z.string() }),
  z.object({
    code: z.literal('learned_differs'),
    pointer: z.string(),
    value: plainValue,
    learned: plainValue,
    documents: z.number().int(),
  }),
  /** Only one document taught it. */
  z.object({ code: z.literal('learned_once'), pointer: z.string(), value: plainValue }),
  z.object({ code: z.literal('account_differs'), pointer: z.string(), account: z.string() }),
  z.object({ code: z.literal('account_of_other'), pointer: z.string(), account: z.string(), holder: z.string() }),
  z.object({ code: z.literal('vat_of_other'), pointer: z.string(), vatId: z.string(), holder: z.string() }),
  /** The value is one of a company of the office itself, and was taken out: it is not the sender. */
  z.object({ code: z.literal('own_company'), pointer: z.string(), value: z.string() }),
  /** `expected`: what the other values make of it, where there is such a thing. */
  z.object({
    code: z.literal('implausible'),
    pointer: z.string(),
    reason: z.enum(implausibleReasons),
    value: z.union([z.string(), z.number()]),
    expected: z.number().nullable(),
  }),
])
export type Flag = z.infer<typeof flag>

/** What a person put in the place of what the service said there; both are JSON, null where there was nothing. */
export type Correction = { pointer: string; extracted: unknown; value: unknown }

/**
 * The records with what persons put in their place, in the order in which they did. A correction of what the service no
 * longer says (its answer was read anew) is left out. Pure.
 */
export function withCorrections(
  records: readonly ExtractedRecord[],
  corrections: readonly Correction[],
): ExtractedRecord[] {
  const copy = copyOnWrite([...records])
  for (const { pointer, extracted, value } of corrections) {
    if (isSameJson(valueAt(records, pointer) ?? null, extracted ?? null)) copy.put(pointer, value)
  }
  return copy.root()
}
