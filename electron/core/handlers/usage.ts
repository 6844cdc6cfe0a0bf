import { basename, resolve } from 'node:path'
import { AppError } from '../../../shared/errors.ts'
import { leavesOut } from '../../../shared/file-patterns.ts'
import type { FilePatterns } from '../../../shared/file-patterns.ts'
import type { Tables } from '../db/tables.ts'
import { refuseByName } from '../pipeline/intake.ts'
import { filesBelow } from '../pipeline/watch.ts'
import { estimateBatch } from '../usage/estimate.ts'
import { usageReport } from '../usage/report.ts'
import { requireDirectory } from './folders.ts'
import type { Handlers, HandlerContext } from './types.ts'

type UsageCalls = Extract<keyof Handlers, `usage.${string}`>

export function usageHandlers(context: HandlerContext): Pick<Handlers, UsageCalls> {
  const { tables, cap } = context
  const sizesBelow = keptShortly((place: Place) => measureBelow(context, place))
  return {
    'usage.report': async ({ from, to }) => usageReport(tables, from, to),
    'usage.cap': async () => cap.state(),
    'usage.estimate': async ({ schemaId, connectionId, source }) => {
      if (tables.schemas.get(schemaId) === null) throw new AppError('not_found', { what: 'schema' })
      if (tables.connections.get(connectionId) === null) throw new AppError('not_found', { what: 'connection' })
      const sizes = 'path' in source ? await sizesBelow({ ...source, schemaId, connectionId }) : 'jobIds' in source ? sizesOfJobs(tables, source.jobIds, schemaId, connectionId) : sizesOf(source.files)
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
const keptMs = 3000

/** The same work for everybody who asks for it while it runs, and shortly after; what failed is done again. */
function keptShortly<T>(work: (place: Place) => Promise<T>): (place: Place) => Promise<T> {
  const kept = new Map<string, Promise<T>>()
  return (place) => {
    const key = JSON.stringify(place)
    const found = kept.get(key)
    if (found !== undefined) return found
    const running = work(place)
    kept.set(key, running)
    running.then(
      () => setTimeout(() => kept.delete(key), keptMs).unref(),
      () => kept.delete(key),
    )
    return running
  }
}

/** The size of each file of a folder that would be sent; null for one that would not: refused by intake, or taken in before. */
async function measureBelow({ tables, files }: HandlerContext, place: Place): Promise<(number | null)[]> {
  const path = resolve(place.path)
  await requireDirectory(files, path)
  const known = tables.usage.foldersAt(path, place.schemaId, place.connectionId).map((id) => tables.jobs.knownFiles(id))
  const found = (await filesBelow(files, path, { recursive: place.includeSubfolders, leavesOut: leavesOut(place) })) ?? []
  return found.map((candidate) => {
    const isKnown = known.some((files) => {
      const version = files.get(candidate.path)
      return version !== undefined && version.sizeBytes === candidate.sizeBytes && version.mtimeMs === candidate.mtimeMs
    })
    return isKnown || refuseByName(basename(candidate.path), candidate) !== null ? null : candidate.sizeBytes
  })
}

/** Of documents that are extracted with another schema as well: null where that was asked already, or cannot be sent. */
function sizesOfJobs(tables: Tables, ids: number[], schemaId: number, connectionId: number): (number | null)[] {
  const { versionId: schemaVersionId } = tables.schemas.get(schemaId)!
  return ids.flatMap((id) => {
    const job = tables.jobs.get(id)
    if (job === null) return []
    const isAsked = job.sha256 !== null && tables.jobs.findTwin({ sha256: job.sha256, schemaVersionId, connectionId, agentReference: null }) !== null
    return isAsked ? [null] : sizesOf([job])
  })
}

function sizesOf(files: { name: string; sizeBytes: number }[]): (number | null)[] {
  return files.map(({ name, sizeBytes }) => (refuseByName(basename(name), { path: name, type: 'file', sizeBytes, mtimeMs: 0, changedAt: 0 }) === null ? sizeBytes : null))
}
