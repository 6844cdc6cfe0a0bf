import { toAppError } from '../../../shared/errors.ts'
import { AppError } from '../../../shared/errors.ts'
import { parseSchema, parseSchemaText } from '../../../shared/schema.ts'
import { templatesFor } from '../templates/templates.ts'
import type { Handlers, HandlerContext } from './types.ts'

type SchemaCalls = Extract<keyof Handlers, `schemas.${string}`>

export function schemaHandlers(context: HandlerContext): Pick<Handlers, SchemaCalls> {
  const { tables, emit, now, watchers } = context
  return {
    'schemas.list': async () => {
      const results = tables.schemas.resultCounts()
      const folders = tables.folders.list().filter((folder) => folder.kind !== 'batch')
      return {
        schemas: tables.schemas.list().map((schema) => ({
          id: schema.id,
          name: schema.name,
          version: schema.version,
          fieldCount: schema.elements.length,
          elements: schema.elements,
          resultCount: results.get(schema.id) ?? 0,
          folderCount: folders.filter((folder) => folder.schemaId === schema.id).length,
          updatedAt: schema.updatedAt,
        })),
      }
    },
    'schemas.save': async ({ id, name, elements }) => {
      if (id !== null && tables.schemas.get(id) === null) throw new AppError('not_found', { what: 'schema' })
      const saved = tables.schemas.save(id, name, parseSchema(elements), now())
      emit('schemas.changed', {})
      return { id: saved.id, version: saved.version }
    },
    'schemas.remove': async ({ id }) => {
      if (tables.folders.list().some((folder) => folder.schemaId === id && folder.kind !== 'batch')) {
        throw new AppError('invalid_input', { problem: 'a folder still uses this schema; give the folder another one first' })
      }
      tables.schemas.remove(id, now())
      await watchers.follow()
      emit('schemas.changed', {})
      return {}
    },
    'schemas.parse': async ({ text }) => {
      try {
        return { problem: null, elements: parseSchemaText(text) }
      } catch (error) {
        return { problem: String(toAppError(error).details['problem'] ?? ''), elements: [] }
      }
    },
    'schemas.templates': async ({ locale }) => ({ templates: templatesFor(locale) }),
  }
}
