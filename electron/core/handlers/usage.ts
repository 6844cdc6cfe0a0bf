import { basename, resolve } from 'node:path'
import { leftOutBy } from '../patterns.ts'
import type { FilePatterns } from '../../../shared/domain/file-patterns.ts'
import type { Tables } from '../db/tables/tables.ts'
import { refusalOf } from '../pipeline/files/file-rules.ts'
import { filesBelow } from '../pipeline/files/list-files.ts'
import { estimateBatch } from '../usage/estimate.ts'
import { usageReport } from '../usage/report.ts'
import { requireDirectory, requireKnown } from './lookups.ts'
import type { Handlers, HandlerContext } from './types.ts'

type UsageCalls = Extract<keyof Handlers, `usage.${string}`>

type Needs = Pick<HandlerContext, 'tables' | 'cap' | 'files'>

export function usageHandlers(context: Needs): Pick<Handlers, UsageCalls> {
  const { tables, cap } = context
  const sizesBelow = cachedBriefly((place: Place) => measureBelow(context, place))
  return {
    'usage.report': async ({ from, to }) => usageReport(tables, from, to),
    'usage.estimate': async ({ schemaId, connectionId, source }) => {
      requireKnown(context, { schemaId, connectionId })
      const sizes =
        'path' in source
          ? await sizesBelow({ ...source, schemaId, connectionId })
          : 'documentIds' in source
            ? sizesOfDocuments(tables, source.documentIds, schemaId, connectionId)
            : sizesOf(source.files)
      const taken = sizes.filter((size) => size !== null)
      return estimateBatch(tables, cap, {
        schemaId,
        connectionId,
        documents: taken.length,
        skipped: sizes.length - taken.length,
        sizeBytes: taken.reduce((sum, size) => sum + size, 0),
      })
    },
  }
}

type Place = { path: string; includeSubfolders: boolean; schemaId: number; connectionId: number } & FilePatterns

/** While a batch runs the window asks again several times a second. */
const cacheMs = 3000

/** The same work for everybody who asks for it while it runs, and shortly after; what failed is done again. */
function cachedBriefly<T>(work: (place: Place) => Promise<T>): (place: Place) => Promise<T> {
  const kept = new Map<string, Promise<T>>()
  return (place) => {
    const key = JSON.stringify(place)
    const found = kept.get(key)
    if (found !== undefined) return found
    const running = work(place)
    kept.set(key, running)
    running.then(
      () => setTimeout(() => kept.delete(key), cacheMs).unref(),
      () => kept.delete(key),
    )
    return running
  }
}

/**
 * The size of each file of a folder that would be sent; null for one that would not: refused by intake, or taken in
 * before.
 */
async function measureBelow({ tables, files }: Needs, place: Place): Promise<(number | null)[]> {
  const path = resolve(place.path)
  await requireDirectory(files, path)
  const known = tables.usage
    .foldersAt(path, place.schemaId, place.connectionId)
    .map((id) => tables.documents.knownFiles(id))
  const found =
    (await filesBelow(files, path, { recursive: place.includeSubfolders, isLeftOut: leftOutBy(place) })) ?? []
  return found.map((candidate) => {
    const isKnown = known.some((files) => {
      const version = files.get(candidate.path)
      return version !== undefined && version.sizeBytes === candidate.sizeBytes && version.mtimeMs === candidate.mtimeMs
    })
    return isKnown || refusalOf(basename(candidate.path), candidate) !== null ? null : candidate.sizeBytes
  })
}

/**
 * Of documents that are extracted with another schema as well: null where that was asked already, or cannot be sent.
 */
function sizesOfDocuments(tables: Tables, ids: number[], schemaId: number, connectionId: number): (number | null)[] {
  const { versionId: schemaVersionId } = tables.schemas.get(schemaId)!
  return ids.flatMap((id) => {
    const document = tables.documents.get(id)
    if (document === null) return []
    const { sha256, firstPage, lastPage } = document
    const question = { schemaVersionId, connectionId, agentReference: null, firstPage, lastPage }
    const isAsked = sha256 !== null && tables.documents.findTwin({ ...question, sha256 }) !== null
    return isAsked ? [null] : sizesOf([document])
  })
}

function sizesOf(files: { name: string; sizeBytes: number }[]): (number | null)[] {
  return files.map(({ name, sizeBytes }) =>
    refusalOf(basename(name), { path: name, type: 'file', sizeBytes, mtimeMs: 0, changedAt: 0 }) === null
      ? sizeBytes
      : null,
  )
}
