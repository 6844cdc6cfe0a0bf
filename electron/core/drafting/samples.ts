import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../../shared/domain/errors.ts'
import { extensionOf, maxFileBytes, shownKind } from '../../../shared/domain/limits.ts'

const sampleId = /^[0-9a-f-]{36}\.[a-z]+$/
/** A sample that was uploaded to draft a schema is of no use a day later. */
export const sampleLifetimeMs = 24 * 60 * 60_000

/**
 * Keeps a sample document for `schemas.draft` under an id of our own: nothing of the given name but its kind. Throws
 * `unsupported_type` or `file_too_large`.
 */
export async function storeSample(directory: string, givenName: string, content: Readable): Promise<string> {
  const extension = extensionOf(givenName)
  if (shownKind(extension) === undefined)
    throw new AppError('unsupported_type', { extension: extension === '' ? '(none)' : `.${extension}` })
  const id = `${randomUUID()}.${extension}`
  const path = join(directory, id)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  try {
    await pipeline(bounded(content), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    return id
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/** The path of an uploaded sample. Throws `not_found` for anything that is not the id of one. */
export async function samplePath(directory: string, id: string): Promise<string> {
  const path = join(directory, id)
  if (
    !sampleId.test(id) ||
    !(await stat(path).then(
      (stats) => stats.isFile(),
      () => false,
    ))
  )
    throw new AppError('not_found', { what: 'upload' })
  return path
}

/** Leaves the connection open when it refuses, so that the refusal can be answered. */
async function* bounded(content: Readable): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0
  for await (const chunk of content.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > maxFileBytes) throw new AppError('file_too_large', { size: '> 36 MB' })
    yield chunk
  }
}
