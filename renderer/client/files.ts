import { AppError, isErrorCode } from '../../shared/domain/errors.ts'
import type { ErrorDetails } from '../../shared/domain/errors.ts'
import { sessionHeaders } from './session.ts'

/** Where the bytes of a document are, for requests with `sessionHeaders`. Relative, so that it holds on both hosts. */
export function fileUrl(documentId: number): string {
  return new URL(`files/${documentId}`, document.baseURI).href
}

/** Where one file of an export is, for requests with `sessionHeaders`. */
export function exportUrl(exportId: number, index: number): string {
  return new URL(`exports/${exportId}/${index}`, document.baseURI).href
}

/** What is at one of these addresses. Throws AppError `file_missing` with `file: name`, or `internal`. */
export async function fetchFile(url: string, name: string): Promise<Blob> {
  const response = await fetch(url, { headers: sessionHeaders() })
  if (response.ok) return response.blob()
  if (response.status === 404) throw new AppError('file_missing', { file: name })
  throw new AppError('internal', { detail: `${name}: ${response.status}` })
}

/** Gives the person JSON as a file, as a download. */
export function saveJson(text: string, name: string): void {
  saveBlob(new Blob([text], { type: 'application/json' }), name)
}

/** Gives the person a file, as a download. The browser keeps a large one on its disk until then. */
export function saveBlob(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/**
 * Puts one file of the person's into the inbox folder, to be extracted like any other file.
 * Throws the `AppError` that the host answered, or `internal` when it cannot be reached.
 */
export async function upload(file: File, target: { schemaId: number; connectionId: number }): Promise<void> {
  await post(file, { schemaId: String(target.schemaId), connectionId: String(target.connectionId) })
}

/**
 * Lends core one file to draft a schema from; what it answers names the file in `schemas.draft`. Throws as `upload`.
 */
export async function uploadForDraft(file: File): Promise<string> {
  const value = (await post(file, { purpose: 'draft' })) as { uploadId?: unknown } | undefined
  if (typeof value?.uploadId === 'string') return value.uploadId
  throw new AppError('internal', { detail: `${file.name}: no uploadId` })
}

async function post(file: File, query: Record<string, string>): Promise<unknown> {
  const url = new URL('upload', document.baseURI)
  url.searchParams.set('name', file.name)
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
  const response = await fetch(url, {
    method: 'POST',
    body: file,
    headers: { ...sessionHeaders(), 'content-type': 'application/octet-stream' },
  })
  const answer = (await response.json().catch(() => null)) as {
    ok?: boolean
    value?: unknown
    error?: { code: string; details: ErrorDetails }
  } | null
  if (response.ok && answer?.ok !== false) return answer?.value
  if (answer?.error && isErrorCode(answer.error.code)) throw new AppError(answer.error.code, answer.error.details)
  throw new AppError('internal', { detail: `${file.name}: ${response.status}` })
}
