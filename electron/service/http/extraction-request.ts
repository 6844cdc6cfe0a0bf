import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { contentMatches, sniffType } from '../../../shared/domain/file-type.ts'
import type { FileKind } from '../../../shared/domain/document.ts'
import { extensionOf, supportedExtensions } from '../../../shared/domain/limits.ts'
import { parseParams } from '../../../shared/domain/schema.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { sentenceFor } from '../../../shared/messages/sentences.ts'
import { namesPrivateHost } from '../async/callback-policy.ts'
import { invalidRequest, HttpError } from './http-error.ts'
import { readRequestBody } from './request-body.ts'

/** One accepted extraction request; its document lies in `path` until someone removes it. */
export type ExtractionRequest = {
  id: string
  path: string
  fileName: string
  kind: FileKind
  schema: SchemaElement[]
  callback: string
}

type ExtractionRequestOptions = {
  /** Where the document is written while it arrives. */
  directory: string
  /** The agent's schema; null on the global extractor, where `params` brings it. */
  agentSchema: SchemaElement[] | null
  /** Asynchronous endpoints need a `callback`; on the synchronous ones it is ignored. */
  needsCallback: boolean
  /** Whether a `callback` may lead to an address inside this network. */
  allowPrivateCallbacks: boolean
}

const headBytes = 1024
/** Written at once: a call for every packet would cost more than the decoding. */
const blockBytes = 256 * 1024

/**
 * Takes one request body in and checks all of it (spec, «Extraction request» and «Limits»).
 * Nothing is left on the disk when it throws: `invalid_request` 400, `file_too_large` 413,
 * `unsupported_type` 415.
 */
export async function receiveExtractionRequest(
  body: AsyncIterable<Buffer>,
  options: ExtractionRequestOptions,
): Promise<ExtractionRequest> {
  const id = randomUUID()
  const path = join(options.directory, id)
  const file = await open(path, 'wx', 0o600)
  try {
    const block = Buffer.allocUnsafe(blockBytes)
    let filled = 0
    let head: Buffer | null = null
    const flush = async (): Promise<void> => {
      head ??= Buffer.from(block.subarray(0, Math.min(filled, headBytes)))
      await writeAll(file, block.subarray(0, filled))
      filled = 0
    }
    const { fields, fileBytes } = await readRequestBody(body, async (bytes) => {
      for (let at = 0; at < bytes.length; ) {
        const copied = bytes.copy(block, filled, at)
        filled += copied
        at += copied
        if (filled === blockBytes) await flush()
      }
    })
    await flush()
    const checked = checkFields(fields, fileBytes, head ?? block.subarray(0, 0), options)
    // The asynchronous answer promises the work, so the bytes must be on the disk before it.
    if (options.needsCallback) await file.sync()
    await file.close()
    return { id, path, ...checked }
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(path, { force: true })
    throw error
  }
}

async function writeAll(
  file: { write(bytes: Uint8Array): Promise<{ bytesWritten: number }> },
  bytes: Buffer,
): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes.subarray(at))).bytesWritten
}

function checkFields(
  fields: Record<string, unknown>,
  fileBytes: number,
  head: Buffer,
  options: ExtractionRequestOptions,
): Omit<ExtractionRequest, 'id' | 'path'> {
  const fileName = checkFileName(fields['filename'])
  const extension = extensionOf(fileName)
  const kind = Object.hasOwn(supportedExtensions, extension) ? supportedExtensions[extension] : undefined
  if (kind === undefined) {
    throw new HttpError(
      415,
      'unsupported_type',
      sentenceFor('unsupported_type', { extension: extension || fileName }, 'en'),
      'Supported: pdf, png, jpg, jpeg, docx, xlsx.',
    )
  }
  if (typeof fields['file'] !== 'string') throw invalidRequest('file is missing or not text.')
  if (fileBytes === 0) throw invalidRequest('file is empty.')
  const schema = checkSchema(fields['params'], options.agentSchema)
  const callback = options.needsCallback ? checkCallback(fields['callback'], options.allowPrivateCallbacks) : ''
  const content = sniffType(head)
  if (!contentMatches(content, kind)) {
    throw new HttpError(
      415,
      'unsupported_type',
      `The content of ${fileName} is not what its extension says.`,
      `Expected ${kind}, found ${content}.`,
    )
  }
  return { fileName, kind, schema, callback }
}

/** A name with path parts keeps its last part only: it is echoed, and never used as a path. */
function checkFileName(value: unknown): string {
  if (typeof value !== 'string') throw invalidRequest('filename is missing or not text.')
  const name = value.split(/[\\/]/).at(-1)!.trim()
  if (name === '') throw invalidRequest('filename is empty.')
  if (name.length > 1024) throw invalidRequest('filename is longer than 1024 characters.')
  return name
}

function checkSchema(params: unknown, agentSchema: SchemaElement[] | null): SchemaElement[] {
  if (agentSchema === null) {
    if (params === undefined) throw invalidRequest('params is missing.')
    return parseParams(params)
  }
  if (params !== undefined) throw invalidRequest('params is not accepted here: the schema is the one of the agent.')
  return agentSchema
}

function checkCallback(value: unknown, allowPrivate: boolean): string {
  if (typeof value !== 'string') throw invalidRequest('callback is missing or not text.')
  if (!URL.canParse(value)) throw invalidRequest('callback is not a URL.')
  const url = new URL(value)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw invalidRequest('callback is not an http or https URL.')
  if (url.username !== '' || url.password !== '')
    throw invalidRequest('callback may not carry a user name or password.')
  if (!allowPrivate && namesPrivateHost(url))
    throw invalidRequest('callback leads to a private address, which this service does not allow.')
  return url.href
}
