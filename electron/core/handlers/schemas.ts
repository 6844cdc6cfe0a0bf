import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Document } from '../../../shared/document.ts'
import { AppError } from '../../../shared/errors.ts'
import { extensionOf, supportedExtensions } from '../../../shared/limits.ts'
import { parseSchema } from '../../../shared/schema.ts'
import { draftSchema } from '../drafting/draft.ts'
import { samplePath } from '../drafting/samples.ts'
import { templatesFor } from '../templates/templates.ts'
import { findJob, readJob } from './jobs.ts'
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
          rules: schema.rules,
          columns: schema.columns,
          resultCount: results.get(schema.id) ?? 0,
          folderCount: folders.filter((folder) => folder.schemaId === schema.id).length,
          updatedAt: schema.updatedAt,
        })),
      }
    },
    'schemas.save': async ({ id, name, elements, rules, columns }) => {
      const before = id === null ? null : tables.schemas.get(id)
      if (id !== null && before === null) throw new AppError('not_found', { what: 'schema' })
      const parsed = parseSchema(elements)
      const saved = tables.together(() => {
        const schema = tables.schemas.save(id, name, parsed, now())
        tables.schemas.setChecks(schema.id, rules ?? schema.rules, columns === undefined ? schema.columns : columns)
        return schema
      })
      context.checks.begin()
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
    'schemas.versions': async ({ id }) => {
      if (tables.schemas.get(id) === null) throw new AppError('not_found', { what: 'schema' })
      return { versions: tables.schemas.versions(id).map(({ results, fields, ...saved }) => ({ ...saved, resultCount: results, fieldCount: fields })) }
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

/** A document to draft a schema from, read; `name` is what a person knows it by. Throws as reading does, and `not_found`. */
async function sampleOf(context: HandlerContext, source: { jobId: number } | { uploadId: string }): Promise<{ name: string; document: Document }> {
  if ('jobId' in source) {
    const job = findJob(context, source.jobId)
    return { name: job.name, document: await readJob(context, job) }
  }
  const path = await samplePath(context.draftsDir, source.uploadId)
  return { name: basename(path), document: await context.read(await readFile(path), supportedExtensions[extensionOf(path)]!) }
}
