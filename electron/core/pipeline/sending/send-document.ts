import { AppError, toAppError } from '../../../../shared/domain/errors.ts'
import { isReadHereOnly } from '../../../../shared/domain/limits.ts'
import type { SchemaElement } from '../../../../shared/domain/schema.ts'
import { isPassing } from '../../db/durability/storage-trouble.ts'
import type { StoredDocument } from '../../db/tables/documents.ts'
import type { ShownFile } from '../../files/open-document.ts'
import type { Route } from '../../platform/connect.ts'
import type { HttpAnswer } from '../../platform/http.ts'
import { fileError } from '../../platform/upload.ts'
import type { Context } from '../context.ts'
import { orFolderOffline } from '../files/current-file.ts'

const base64Growth = 4 / 3
/** Progress is told in steps of this share, so that a large file is not a flood of events. */
const progressStep = 0.02

export type Sent = { answer: HttpAnswer } | { error: AppError; bytesSent: number }

/** What is asked of a document: by these fields or those of an agent, and where the answer shall come. */
export type ExtractionRequest = {
  params: SchemaElement[] | null
  agentReference: string | null
  mode: 'sync' | 'async'
  callback: string | null
}

/**
 * Sends the file of a document as it is known there, or the PDF that is made of it; `onShare` hears how much of it has
 * left, 0..1. Never throws: what no answer came for is the error that says why, and `signal` breaks it off.
 */
export async function sendDocument(
  context: Context,
  document: StoredDocument,
  route: Route,
  { params, agentReference, mode, callback }: ExtractionRequest,
  { signal, onShare }: { signal: AbortSignal; onShare?: (share: number) => void },
): Promise<Sent> {
  let bytesSent = 0
  let shown = 0
  try {
    const file = await fileToSend(context, document, route)
    const answer = await route.extractor.send({
      file: { files: context.files, ...file },
      params,
      agentReference,
      callback,
      timeoutMs: mode === 'sync' ? context.timings.syncAnswerMs : context.timings.asyncAnswerMs,
      stallMs: context.timings.stallMs,
      signal,
      onSent: (bytes) => {
        bytesSent = bytes
        const share = Math.min(1, bytes / (file.sizeBytes * base64Growth))
        if (share - shown < progressStep) return
        shown = share
        onShare?.(share)
      },
    })
    return { answer }
  } catch (error) {
    return { error: await orFolderOffline(context, document, toAppError(error)), bytesSent }
  }
}

/**
 * A document's file, or the PDF that is made of it. Throws what converting throws, and reasons of the file; a file over
 * which the reading thread ended by itself is too complex. `read_here_only` for what goes to no service that bills.
 */
export async function fileToSend(
  { converted }: Pick<Context, 'converted'>,
  document: StoredDocument,
  { bills }: Pick<Route, 'bills'>,
): Promise<ShownFile> {
  if (bills && isReadHereOnly(document.name)) throw new AppError('read_here_only')
  try {
    return await converted.of(document)
  } catch (error) {
    const problem = fileError(error, document.name)
    throw problem.code === 'internal' ? new AppError('file_too_complex', {}, { cause: error }) : problem
  }
}

/**
 * Stores what may be paid for, as soon as that is possible. Throws when `signal` ends the wait, and what is no trouble
 * of the storage.
 */
export async function untilStored<T>(context: Context, signal: AbortSignal, store: () => T | Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await store()
    } catch (error) {
      if (!isPassing(error) || signal.aborted) throw error
      context.onStorageTrouble(error)
      await new Promise((resolve) => setTimeout(resolve, context.timings.storageRetryMs))
    }
  }
}
