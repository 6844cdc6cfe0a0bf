import fc from 'fast-check'
import type { z } from 'zod'
import type { Random } from './kit.ts'

/** Of zod's own description of a shape (`_zod.def`), what is needed to make inputs for it. */
type Def = {
  type: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  innerType?: z.ZodType
  options?: z.ZodType[]
  entries?: Record<string, string>
  values?: unknown[]
  keyType?: z.ZodType
  valueType?: z.ZodType
  getter?: () => z.ZodType
  in?: z.ZodType
}

/** Texts that mean something elsewhere: paths, addresses, statements, formulas, markup. */
export const hostileTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '../../../../../../etc/passwd',
  '..\\..\\..\\Windows\\win.ini',
  '/etc/passwd',
  '/proc/self/environ',
  'file:///etc/passwd',
  '%2e%2e%2f%2e%2e%2fsecrets.json',
  'secrets.json',
  'service/service.json',
  'C:\\Windows\\System32\\',
  '\\\\?\\C:\\',
  '//127.0.0.1/share',
  "' OR 1=1 --",
  '"; DROP TABLE documents; --',
  '%',
  '_',
  '*',
  '(',
  'a AND',
  'NEAR(',
  '"',
  '{"$ne":1}',
  '=1+1',
  '<img src=x onerror=1>',
  '${7*7}',
  '{{7*7}}',
  '\ud800',
  '\u202e',
  'é\u0301',
  '😀'.repeat(30),
  'x'.repeat(5000),
  '__proto__',
  'constructor',
  'toString',
  '1e309',
  'NaN',
  '-1',
  '0',
  'null',
  'javascript:alert(1)',
  'http://127.0.0.1:9/',
  'http://127.0.0.1:9/v2?x=1#y',
  'http://user:pass@127.0.0.1:9/',
  'https://[::1]:9',
  '2026-11-21',
  '2026-13-45',
  '9999-12-31',
  '0000-00-00',
  'svc-large',
] as const

const numbers = [0, 1, 2, 3, -1, 0.5, 1e10, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, NaN, Infinity]
const anything = fc.anything({
  maxDepth: 2,
  withBigInt: false,
  withDate: false,
  withMap: false,
  withSet: false,
  withTypedArray: false,
  withSparseArray: false,
})

type Making = { random: Random; texts: readonly string[]; depth: number; again: (inner: z.ZodType) => unknown }

const orAgain =
  (instead: null | undefined) =>
  ({ innerType }: Def, { random, again }: Making): unknown =>
    random.oneIn(3) ? instead : again(innerType!)

/** Not each thing can be made a text. */
function keyOf(given: unknown): string {
  return typeof given === 'string' ? given : (JSON.stringify(given) ?? '')
}

/** How an input is made for each type of zod's. */
const makers: Record<string, (def: Def, making: Making) => unknown> = {
  object: ({ shape }, { random, again }) =>
    Object.fromEntries(
      Object.entries(shape!).flatMap(([key, inner]) => (random.oneIn(12) ? [] : [[key, again(inner)]])),
    ),
  array: ({ element }, { random, depth, again }) =>
    Array.from({ length: depth > 4 ? 0 : random.below(4) }, () => again(element!)),
  nullable: orAgain(null),
  optional: orAgain(undefined),
  default: orAgain(undefined),
  union: ({ options }, { random, again }) => again(random.pick(options!)),
  enum: ({ entries }, { random }) => random.pick(Object.values(entries!)),
  literal: ({ values }, { random }) => random.pick(values!),
  boolean: (_, { random }) => random.oneIn(2),
  number: (_, { random }) => (random.oneIn(3) ? random.pick(numbers) : 1 + random.below(6)),
  record: ({ keyType, valueType }, { random, again }) =>
    Object.fromEntries(Array.from({ length: random.below(3) }, () => [keyOf(again(keyType!)), again(valueType!)])),
  lazy: ({ getter }, { depth, again }) => (depth > 5 ? null : again(getter!())),
  pipe: ({ in: inner }, { again }) => again(inner!),
  string: (_, { random, texts }) =>
    random.oneIn(3) ? random.value(fc.string()) : random.pick(random.oneIn(2) ? texts : hostileTexts),
}

/**
 * An input for a shape: mostly one that it takes, with hostile texts and numbers; sometimes anything. `texts` are
 * further ones to try.
 */
export function inputFor(random: Random, shape: z.ZodType, texts: readonly string[], depth = 0): unknown {
  const def = shape._zod.def as unknown as Def
  const make = makers[def.type]
  if (make === undefined || random.oneIn(25)) return random.value(anything)
  return make(def, { random, texts, depth, again: (inner) => inputFor(random, inner, texts, depth + 1) })
}
