import * as z from 'zod'
import { settings } from '../../../shared/contract/contract.ts'
import { presetSpec } from '../../../shared/contract/exports.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { partnerValues } from '../../../shared/domain/partner.ts'
import { isSameJson } from '../../../shared/domain/pointer.ts'
import { requireAllowedSettings } from '../../../shared/domain/policies.ts'
import { rules } from '../../../shared/domain/review.ts'
import { parseSchema, schemaElement } from '../../../shared/domain/schema.ts'
import { fieldLessons, fingerprintShape } from '../learning/lesson-shape.ts'
import { inTransaction } from '../pipeline/context.ts'
import { mergePartner } from '../partners/import.ts'
import type { Handlers, HandlerContext } from './types.ts'

type TransferCalls = Extract<keyof Handlers, `transfer.${string}`>

type Needs = Pick<HandlerContext, 'tables' | 'emit' | 'now' | 'reassessment' | 'policies'>

/** What a choice on this computer alone is: it is not taken along. */
const takenSettings = settings.omit({ firstRunDone: true, localService: true, documentColumns: true }).partial()

const fileShape = z.object({
  sheaf: z.literal('settings'),
  version: z.literal(1),
  settings: takenSettings,
  schemas: z.array(
    z.object({
      name: z.string().trim().min(1).max(200),
      elements: z.array(schemaElement).min(1),
      rules,
      columns: z.array(z.string()).max(50).nullable(),
      lessons: z
        .array(
          z.object({
            form: z.number().int(),
            documentName: z.string().max(1000),
            seller: z.string().max(1000).nullable(),
            fingerprint: fingerprintShape,
            fields: fieldLessons,
          }),
        )
        .max(100_000),
      presets: z.array(
        z.object({ name: z.string().trim().min(1).max(200), spec: presetSpec.omit({ schemaId: true }) }),
      ),
    }),
  ),
  partners: z.array(partnerValues.extend({ isNamed: z.boolean() })).max(100_000),
})
type TransferFile = z.infer<typeof fileShape>

export function transferHandlers(context: Needs): Pick<Handlers, TransferCalls> {
  return {
    'transfer.export': async () => ({ text: `${JSON.stringify(fileOf(context), null, 2)}\n` }),
    'transfer.import': async ({ text }) => {
      const file = readFile(text)
      const choices = allowed(context, file.settings)
      const imported = inTransaction(context, (inside) => importFile(inside, { ...file, settings: choices }))
      context.reassessment.begin()
      for (const event of [
        'app.changed',
        'schemas.changed',
        'partners.changed',
        'lessons.changed',
        'exports.changed',
      ] as const)
        context.emit(event, {})
      return imported
    },
  }
}

function fileOf({ tables }: Needs): TransferFile {
  const presets = tables.exports.presets()
  return {
    sheaf: 'settings',
    version: 1,
    settings: takenSettings.parse(tables.settings.get()),
    schemas: tables.schemas.list().map(({ id, name, elements, rules: own, columns }) => ({
      name,
      elements,
      rules: own,
      columns,
      lessons: tables.lessons.ofSchema(id).map(({ fingerprint, fields, ...lesson }) => ({
        ...lesson,
        fingerprint: fingerprintShape.parse(JSON.parse(fingerprint)),
        fields: fieldLessons.parse(JSON.parse(fields)),
      })),
      presets: presets
        .filter(({ spec }) => spec.schemaId === id)
        .map(({ name: called, spec: { schemaId: _, ...spec } }) => ({ name: called, spec })),
    })),
    partners: tables.partners.list().map(({ id: _, ...partner }) => partner),
  }
}

/** Throws `transfer_unreadable`. */
function readFile(text: string): TransferFile {
  try {
    const file = fileShape.parse(JSON.parse(text.replace(/^\uFEFF/, '')))
    for (const { elements } of file.schemas) parseSchema(elements)
    return file
  } catch (error) {
    throw new AppError('transfer_unreadable', {}, { cause: error })
  }
}

/** Those that no administrator has set otherwise. */
function allowed({ policies }: Needs, choices: TransferFile['settings']): TransferFile['settings'] {
  const kept = Object.entries(choices).filter(([name, value]) => {
    try {
      requireAllowedSettings(policies, { [name]: value })
      return true
    } catch {
      return false
    }
  })
  return Object.fromEntries(kept)
}

/** In a transaction of the caller. */
function importFile(
  context: Needs,
  file: TransferFile,
): { schemas: number; partners: number; forms: number; presets: number } {
  const { tables, now } = context
  const imported = { schemas: 0, partners: 0, forms: 0, presets: 0 }
  tables.settings.update(file.settings)
  for (const { name, elements, rules: own, columns, lessons, presets } of file.schemas) {
    const here = tables.schemas.list().find((schema) => schema.name === name && isSameJson(schema.elements, elements))
    const schemaId = here?.id ?? tables.schemas.save(null, name, elements, now()).id
    if (here === undefined) {
      tables.schemas.setRulesAndColumns(schemaId, own, columns)
      imported.schemas += 1
    }
    imported.forms += tables.lessons.import(
      schemaId,
      lessons.map((lesson) => ({
        ...lesson,
        fingerprint: JSON.stringify(lesson.fingerprint),
        fields: JSON.stringify(lesson.fields),
      })),
      now(),
    )
    const known = tables.exports.presets().filter(({ spec }) => spec.schemaId === schemaId)
    for (const preset of presets) {
      if (known.some((each) => each.name === preset.name)) continue
      tables.exports.savePreset(null, preset.name, { ...preset.spec, schemaId }, now())
      imported.presets += 1
    }
  }
  for (const partner of file.partners) if (mergePartner(context, partner) !== 'same') imported.partners += 1
  tables.schemas.requireReassessment(null)
  return imported
}
