import { AppError } from '../../../shared/errors.ts'
import { extractionMetadata, failureBody, startedResponse } from '../../../shared/platform.ts'
import { fieldSource } from '../../../shared/result.ts'
import type { ExtractedRecord, FieldSource } from '../../../shared/result.ts'

export type ExtractionAnswer =
  | { kind: 'result'; extractId: string | null; records: ExtractedRecord[]; sources: FieldSource[] | null; durationMs: number | null; tokensConsumed: number | null }
  | { kind: 'started'; extractId: string }
  | { kind: 'failed'; extractId: string | null; error: AppError }

/**
 * Reads the bytes of a synchronous answer or a webhook (spec, «Extraction result», «Events»). `data` may be one object
 * or an array of objects. Never throws: what is not as the spec says is `failed` with `answer_unreadable`.
 */
export function readAnswer(body: Buffer): ExtractionAnswer {
  const value = parse(body)
  if (value instanceof AppError) return { kind: 'failed', extractId: null, error: value }
  const started = startedResponse.safeParse(value)
  if (started.success) return { kind: 'started', extractId: started.data.extract_id }

  const failure = failureBody.safeParse(value)
  if (!failure.success) return unreadable('it is not a JSON object')
  const { status, code, error, detail } = failure.data
  // spec, Events: a failed webhook carries `error` and no `status`; a synchronous one may say `status: error`.
  if (status === 'error' || (status !== 'success' && error !== undefined && error !== null)) {
    return { kind: 'failed', extractId: failure.data.extract_id ?? null, error: extractionFailure(code, error, detail) }
  }
  const fields = value as Record<string, unknown>
  const records = recordsOf(fields['data'])
  if (records === null) return unreadable('data is neither an object nor a list of objects')
  const metadata = extractionMetadata.safeParse(fields['metadata'])
  const known = metadata.success ? metadata.data : {}
  const sources = fieldSource.array().safeParse(known.sources)
  return {
    kind: 'result',
    extractId: failure.data.extract_id ?? null,
    records,
    sources: sources.success ? sources.data : null,
    durationMs: numberOf(known.duration),
    tokensConsumed: numberOf(known.tokens_consumed),
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return new AppError('answer_unreadable', { detail: body.length === 0 ? 'it is empty' : 'it is not JSON' })
  }
}

function unreadable(detail: string): ExtractionAnswer {
  return { kind: 'failed', extractId: null, error: new AppError('answer_unreadable', { detail }) }
}

/** What Sheaf's own service says about a document; a sentence of ours in the person's language stands for each. */
const documentFailures = ['file_encrypted', 'file_damaged', 'file_too_complex', 'no_text'] as const

/** The failure in the service's own words, or in ours where it uses one of our codes. */
function extractionFailure(code: unknown, error: unknown, detail: unknown): AppError {
  const known = documentFailures.find((candidate) => candidate === code || candidate === error)
  if (known !== undefined) return new AppError(known, { detail: words(detail) })
  const parts = [words(error), words(detail)].filter((part) => part !== '')
  return new AppError('extraction_failed', { detail: [...new Set(parts)].join(': ') || 'no reason given' })
}

function words(value: unknown): string {
  if (value === undefined || value === null) return ''
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 500)
}

function recordsOf(data: unknown): ExtractedRecord[] | null {
  const list = Array.isArray(data) ? data : [data]
  const isRecord = (value: unknown): value is ExtractedRecord => typeof value === 'object' && value !== null && !Array.isArray(value)
  return list.every(isRecord) ? list : null
}

function numberOf(value: string | number | undefined): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? Math.round(number) : null
}
