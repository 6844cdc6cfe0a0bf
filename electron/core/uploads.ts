import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../shared/domain/errors.ts'
import { asFileName } from './files/file-names.ts'
import type { Tables } from './db/tables/tables.ts'
import { nameWith } from './files/file-names.ts'

/** Longer endings belong to no kind of file. */
const longestExtension = 20
/** More of a name than any file system takes. */
const maxConsidered = 1000

export type Upload = { name: string; schemaId: number; connectionId: number; content: Readable }

/**
 * Puts a file into the inbox for its schema and connection, which is a folder like any other. Throws `not_found` for a
 * schema or a connection that is not there.
 */
export async function receiveUpload(
  { tables, now }: { tables: Tables; now: () => number },
  dataDir: string,
  { name, schemaId, connectionId, content }: Upload,
): Promise<void> {
  if (tables.schemas.get(schemaId) === null) throw new AppError('not_found', { what: 'schema' })
  if (tables.connections.get(connectionId) === null) throw new AppError('not_found', { what: 'connection' })
  const path = join(dataDir, 'inbox', `${schemaId}-${connectionId}`)
  await storeUpload(path, name, content)
  tables.folders.findOrAdd(
    {
      kind: 'inbox',
      path,
      name: 'Inbox',
      schemaId,
      connectionId,
      agentReference: null,
      mode: 'auto',
      includeSubfolders: true,
    },
    now(),
  )
}

/**
 * Puts a file into a directory under the name it came with, or with a number behind it when that is taken: nothing is
 * overwritten.
 */
export async function storeUpload(directory: string, givenName: string, content: Readable): Promise<void> {
  const name = asFileName(basename(givenName.replaceAll('\\', '/')).slice(-maxConsidered)) || 'document'
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const temporary = join(directory, `.${process.pid}-${Date.now()}-${Math.random().toString(36).slice(2)}.part`)
  try {
    await pipeline(content, createWriteStream(temporary, { flags: 'wx', mode: 0o600 }))
    await rename(temporary, await reservePath(directory, name))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** A name of its own, taken by an empty file: of several uploads at once none gets another's. */
async function reservePath(directory: string, name: string): Promise<string> {
  const ending = extname(name)
  const extension = ending.length > longestExtension ? '' : ending
  const stem = name.slice(0, name.length - extension.length)
  for (let number = 1; ; number += 1) {
    const path = join(directory, nameWith(stem, number === 1 ? extension : ` (${number})${extension}`))
    try {
      await (await open(path, 'wx')).close()
      return path
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}
