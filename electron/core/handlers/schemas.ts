import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Document } from '../../../shared/domain/document.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { extensionOf } from '../../../shared/domain/limits.ts'
import { parseSchema } from '../../../shared/domain/schema.ts'
import { draftSchema } from '../drafting/draft.ts'
import { samplePath } from '../drafting/samples.ts'
import { templatesFor } from '../drafting/templates.ts'
import { commonFields } from '../partners/document-fields.ts'
import { schemaIdsOf } from '../pipeline/sorting/recognise.ts'
import { findDocument, findSchema } from './lookups.ts'
import type { Handlers, HandlerContext } from './types.ts'

type SchemaCalls = Extract<keyof Handlers, `schemas.${string}`>

type Needs = Pick<
  HandlerContext,
  'tables' | 'emit' | 'now' | 'watchers' | 'reassessment' | 'connections' | 'reader' | 'draftsDir'
>

export function schemaHandlers(context: Needs): Pick<Handlers, SchemaCalls> {
  const { tables, emit, now, watchers } = context
  return {
    'schemas.list': async () => {
      const results = tables.schemas.resultCounts()
      const earlier = tables.schemas.earlierCounts()
      const folders = tables.folders.list().filter((folder) => folder.kind !== 'batch')
      return {
        schemas: tables.schemas.list().map((schema) => ({
          id: schema.id,
          name: schema.name,
          version: schema.version,
          fieldCount: schema.elements.length,
          elements: schema.elements,
          rules: schema.rules,
          columns: schema.columns,
          common: commonFields(schema.elements),
          resultCount: results.get(schema.id) ?? 0,
          earlierCount: earlier.get(schema.id) ?? 0,
          folderCount: folders.filter((folder) => schemaIdsOf(folder).includes(schema.id)).length,
          updatedAt: schema.updatedAt,
        })),
      }
    },
    'schemas.save': async ({ id, name, elements, rules, columns }) => {
      if (id !== null) findSchema(context, id)
      const parsed = parseSchema(elements)
      const saved = tables.transaction(() => {
        const schema = tables.schemas.save(id, name, parsed, now())
        tables.schemas.setRulesAndColumns(
          schema.id,
          rules ?? schema.rules,
          columns === undefined ? schema.columns : columns,
        )
        return schema
      })
      context.reassessment.begin()
      emit('schemas.changed', {})
      return { id: saved.id, version: saved.version }
    },
    'schemas.remove': async ({ id }) => {
      if (tables.folders.list().some((folder) => folder.kind !== 'batch' && schemaIdsOf(folder).includes(id))) {
        throw new AppError('schema_in_use')
      }
      tables.schemas.remove(id, now())
      await watchers.follow()
      emit('schemas.changed', {})
      return {}
    },
    'schemas.versions': async ({ id }) => {
      findSchema(context, id)
      return {
        versions: tables.schemas
          .versions(id)
          .map(({ results, fields, ...saved }) => ({ ...saved, resultCount: results, fieldCount: fields })),
      }
    },
    'schemas.version': async ({ id, version }) => {
      const elements = tables.schemas.elementsOfVersion(id, version)
      if (elements === null) throw new AppError('not_found', { what: 'schema' })
      return { elements }
    },
    'schemas.templates': async ({ locale }) => ({ templates: templatesFor(locale) }),
    'schemas.draft': async ({ source, connectionId, model, locale }) => {
      const sample = await sampleOf(context, source)
      const models = connectionId === null ? null : async () => (await context.connections.routeTo(connectionId)).models
      const onTokens = (tokens: number): void => {
        if (connectionId !== null) tables.exchanges.addTokens(connectionId, tokens, now())
        emit('usage.changed', {})
      }
      return draftSchema(sample.document, { fileName: sample.name, locale, model, models, onTokens })
    },
  }
}

/**
 * A document to draft a schema from, read; `name` is what a person knows it by. Throws as reading does, and
 * `not_found`.
 */
async function sampleOf(
  context: Needs,
  source: { documentId: number } | { uploadId: string },
): Promise<{ name: string; document: Document }> {
  if ('documentId' in source) {
    const document = findDocument(context, source.documentId)
    return { name: document.name, document: await context.reader.read(document) }
  }
  const path = await samplePath(context.draftsDir, source.uploadId)
  return {
    name: basename(path),
    document: await context.reader.readContent(await readFile(path), extensionOf(path)),
  }
}
