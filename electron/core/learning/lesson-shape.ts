import * as z from 'zod'
import { boxShape } from '../../../shared/domain/result.ts'
import type { Fingerprint } from './fingerprint.ts'
import type { Anchor, FieldLesson, Place, ValueKind } from './lesson.ts'

/** Lessons as they come from another computer, in a file that anybody may have written. */

const text = z.string().max(1000)
const share = z.number()

const anchor: z.ZodType<Anchor> = z.tuple([text, share, share, share, share])
const place: z.ZodType<Place> = z.object({
  page: z.number().int().min(1),
  box: boxShape,
  lines: z.number(),
  before: z.array(text).max(20),
  behind: text.nullable(),
  until: share.nullable(),
  anchors: z.array(anchor).max(50),
})
const valueKind: z.ZodType<ValueKind> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('number'), decimal: z.enum(['.', ',']), sign: z.union([z.literal(1), z.literal(-1)]) }),
  z.object({ kind: z.literal('date'), order: z.enum(['DMY', 'MDY']), iso: z.boolean() }),
  z.object({ kind: z.literal('iban') }),
  z.object({
    kind: z.literal('code'),
    shape: text,
    words: z.number(),
    spaced: z.boolean(),
    before: text,
    behind: text,
  }),
  z.object({ kind: z.literal('text'), joint: text }),
])

export const fieldLessons: z.ZodType<FieldLesson[]> = z
  .array(
    z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('printed'),
        name: text,
        as: valueKind,
        value: z.union([text, z.number()]),
        places: z.array(place).max(10),
      }),
      z.object({ kind: z.literal('constant'), name: text, value: text }),
      z.object({ kind: z.literal('nothing'), name: text }),
    ]),
  )
  .max(100)

export const fingerprintShape: z.ZodType<Fingerprint> = z.object({
  words: z.array(z.tuple([text, share, share])).max(200),
  ids: z.array(text).max(50),
  accounts: z.array(text).max(50),
})
