import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExportSpec } from '../../../shared/contract.ts'
import { AppError } from '../../../shared/errors.ts'
import { safeFileName } from '../../../shared/file-name.ts'
import type { StoredSchema } from '../db/schemas.ts'
import { exportDocuments, previewTables } from '../export/export.ts'
import type { Handlers, HandlerContext } from './types.ts'

type ExportCalls = Extract<keyof Handlers, `exports.${string}`>

export function exportHandlers(context: HandlerContext): Pick<Handlers, ExportCalls> {
  const { tables, emit, now } = context
  return {
    'exports.preview': async ({ limit, ...spec }) => {
      const schema = findSchema(context, spec.schemaId)
      const documents = tables.results.count(spec)
      const preview = await previewTables(() => tables.results.documents(spec), schema.elements, spec, limit)
      return { tables: preview, documents }
    },
    'exports.run': async ({ askWhere, ...spec }) => {
      const schema = findSchema(context, spec.schemaId)
      if (tables.results.count(spec) === 0) throw new AppError('export_empty')
      const path = await placeFor(context, schema, spec, askWhere)
      if (path === null) return { export: null }
      const made = await exportDocuments(() => tables.results.documents(spec), schema.elements, { ...spec, path })
      const row = tables.exports.add({ schemaId: schema.id, format: spec.format, ...made }, now())
      emit('exports.changed', {})
      return { export: row }
    },
    'exports.list': async () => ({ exports: tables.exports.list() }),
    'exports.reveal': async ({ id }) => {
      const path = tables.exports.get(id)?.paths[0]
      if (path === undefined) throw new AppError('not_found', { what: 'export' })
      context.desktop?.reveal(path)
      return {}
    },
  }
}

function findSchema(context: HandlerContext, id: number): StoredSchema {
  const schema = context.tables.schemas.get(id)
  if (schema === null) throw new AppError('not_found', { what: 'schema' })
  return schema
}

async function placeFor(context: HandlerContext, schema: StoredSchema, spec: ExportSpec, askWhere: boolean): Promise<string | null> {
  const time = new Date(context.now())
  const two = (number: number): string => String(number).padStart(2, '0')
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  const stamp = `${day} ${two(time.getHours())}.${two(time.getMinutes())}.${two(time.getSeconds())}`
  const name = `${safeFileName(schema.name, 'Sheaf')} ${stamp}`
  if (askWhere && context.desktop !== null) return context.desktop.chooseExportPath(join(context.documentsDir, `${name}.${spec.format}`))
  await mkdir(context.exportsDir, { recursive: true })
  return freePlace(join(context.exportsDir, name), spec.format)
}

const givenAway = new Set<string>()

/** Two exports of one second, or of schemas that differ by case only, are two files. */
function freePlace(path: string, format: string): string {
  for (let number = 1; ; number += 1) {
    const free = `${path}${number === 1 ? '' : ` (${number})`}.${format}`
    if (givenAway.has(free) || existsSync(free)) continue
    givenAway.add(free)
    return free
  }
}
