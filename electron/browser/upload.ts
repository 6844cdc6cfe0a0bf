import type { Readable } from 'node:stream'
import type { Answer } from '../../shared/contract/dispatch.ts'
import { toAppError } from '../../shared/domain/errors.ts'
import type { Core } from '../core/core.ts'

/**
 * `POST /upload` of both hosts. With `purpose=draft` the file is a sample to draft a schema from, and the value is its
 * `uploadId`; otherwise it goes into the inbox of `schemaId` and `connectionId`. Never throws: a failure is an answer.
 */
export async function answerUpload(
  core: Core,
  query: URLSearchParams,
  content: Readable,
): Promise<{ status: number; answer: Answer }> {
  const name = query.get('name') ?? ''
  try {
    if (query.get('purpose') === 'draft')
      return { status: 200, answer: { ok: true, value: { uploadId: await core.receiveDraft(name, content) } } }
    await core.receiveUpload({
      name,
      schemaId: Number(query.get('schemaId')),
      connectionId: Number(query.get('connectionId')),
      content,
    })
    return { status: 200, answer: { ok: true, value: {} } }
  } catch (error) {
    return { status: 400, answer: { ok: false, error: toAppError(error).reason } }
  }
}
