import { AppError, isErrorCode } from '../../shared/errors.ts'
import type { ErrorDetails } from '../../shared/errors.ts'

/** Where the bytes of a job's document are. Relative, so that it holds on both hosts. */
export function fileUrl(jobId: number): string {
  return new URL(`files/${jobId}`, document.baseURI).href
}

/** Where one file of an export is downloaded from. */
export function exportUrl(exportId: number, index: number): string {
  return new URL(`exports/${exportId}/${index}`, document.baseURI).href
}

/**
 * Puts one file of the person's into the inbox folder, to be extracted like any other file.
 * Throws the `AppError` that the host answered, or `internal` when it cannot be reached.
 */
export async function upload(file: File, target: { schemaId: number; connectionId: number }): Promise<void> {
  const url = new URL('upload', document.baseURI)
  url.searchParams.set('name', file.name)
  url.searchParams.set('schemaId', String(target.schemaId))
  url.searchParams.set('connectionId', String(target.connectionId))
  const response = await fetch(url, { method: 'POST', body: file, headers: { 'content-type': 'application/octet-stream' } })
  const answer = (await response.json().catch(() => null)) as { ok?: boolean; error?: { code: string; details: ErrorDetails } } | null
  if (response.ok && answer?.ok !== false) return
  if (answer?.error && isErrorCode(answer.error.code)) throw new AppError(answer.error.code, answer.error.details)
  throw new AppError('internal', { detail: `${file.name}: ${response.status}` })
}
