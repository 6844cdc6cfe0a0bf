import * as z from 'zod'
import { errorReason } from '../../../shared/domain/error-reason.ts'
import type { RuleKind } from '../../../shared/domain/review.ts'
import { fieldTypes } from '../../../shared/domain/schema.ts'
import { readStored, writeStored } from '../../client/local-storage.ts'
import type { DraftOrigin, FieldDraft } from './field-draft.ts'
import { slots } from './rule-draft.ts'
import type { RuleDraft } from './rule-draft.ts'

/** A schema as it stands in the editor. */
export type SchemaEdit = {
  name: string
  fields: FieldDraft[]
  rules: RuleDraft[]
  /** What is typed as JSON while it is no schema; null where the fields say it all. */
  json: string | null
  origin: DraftOrigin | null
}

/** An edit that is not saved yet, and the content of the saved schema that it began from. */
type Unsaved = { edit: SchemaEdit; base: string }

const field: z.ZodType<FieldDraft> = z.lazy(() =>
  z.object({
    key: z.string(),
    name: z.string(),
    format: z.enum(fieldTypes),
    description: z.string(),
    items: z.array(field),
    inTables: z.boolean(),
  }),
)
const ruleDraft: z.ZodType<RuleDraft> = z.object({
  key: z.string(),
  kind: z.custom<RuleKind>((kind) => typeof kind === 'string' && Object.hasOwn(slots, kind)),
  fields: z.array(z.string().nullable()),
  pattern: z.string(),
})
const origin = z.object({
  from: z.string(),
  by: z.enum(['model', 'rules']),
  model: z.string(),
  note: errorReason.nullable(),
})
const unsaved: z.ZodType<Unsaved> = z.object({
  edit: z.object({
    name: z.string(),
    fields: z.array(field),
    rules: z.array(ruleDraft),
    json: z.string().nullable(),
    origin: origin.nullable(),
  }),
  base: z.string(),
})

/** In memory as well, for a browser that stores nothing. */
const inWindow = new Map<string, Unsaved>()
const keyFor = (id: number | null): string => `sheaf.unsavedSchema.${id ?? 'new'}`

/** What was changed in a schema (null: in a new one) and is not saved yet; null where nothing was. */
export function readUnsaved(id: number | null): Unsaved | null {
  const kept = unsaved.safeParse(readStored(keyFor(id)))
  return kept.success ? kept.data : (inWindow.get(keyFor(id)) ?? null)
}

/** Keeps what is not saved yet, so that it is there when the schema is opened again; null forgets it. */
export function saveUnsaved(id: number | null, kept: Unsaved | null): void {
  if (kept === null) inWindow.delete(keyFor(id))
  else inWindow.set(keyFor(id), kept)
  writeStored(keyFor(id), kept)
}
