import { unzipSync } from 'node:zlib'
import { AppError } from '../../../shared/domain/errors.ts'
import { extractionEnvelope, extractionMetadata } from './wire-shapes.ts'
import type { ExtractionEnvelope } from './wire-shapes.ts'
import { doubt, fieldSource } from '../../../shared/domain/result.ts'
import type { Doubt, ExtractedRecord, FieldSource } from '../../../shared/domain/result.ts'
import { parseExact } from './exact-json.ts'
import { isRecord } from '../../../shared/domain/json.ts'
import { maxWords } from './problem.ts'

export type ExtractionAnswer =
  | {
      kind: 'result'
      extractId: string | null
      records: ExtractedRecord[]
      sources: FieldSource[] | null
      doubts: Doubt[]
      durationMs: number | null
      tokensConsumed: number | null
    }
  | { kind: 'started'; extractId: string | null }
  | { kind: 'failed'; extractId: string | null; error: AppError; tokensConsumed: number | null }

/**
 * Reads the bytes of a synchronous answer or a webhook (spec, «Extraction result», «Events»). The envelope comes in
 * shapes that are «not shown»; what decides is that nothing is lost: values are read where there are any, and a service
 * that says that it failed is believed, with its words. An answer to the request may be a mere receipt; a webhook
 * without values is the end of an extraction, unless it says nothing but that it is under way. Never throws: what
 * cannot be read is `failed` with `answer_unreadable`, and the caller keeps the bytes.
 */
export function readAnswer(body: Buffer, source: 'response' | 'callback' = 'response'): ExtractionAnswer {
  const parsed = parse(body)
  if (parsed instanceof AppError) return { kind: 'failed', extractId: null, error: parsed, tokensConsumed: null }
  const envelope = extractionEnvelope.safeParse(unwrapped(parsed))
  if (!envelope.success)
    return { kind: 'failed', extractId: null, error: unreadable('it is not a JSON object'), tokensConsumed: null }
  const { data, extract_id: extractId = null } = envelope.data
  const metadata = extractionMetadata.safeParse(envelope.data.metadata)
  const known = metadata.success ? metadata.data : {}
  const tokensConsumed = numberOf(known.tokens_consumed)
  const records = recordsOf(data)
  const outcome = outcomeWithoutValues(envelope.data, records, source)
  if (outcome === 'started') return { kind: 'started', extractId }
  if (outcome !== null) return { kind: 'failed', extractId, error: outcome, tokensConsumed }
  if (records === null) {
    const error = unreadable('data is neither an object nor a list of objects')
    return { kind: 'failed', extractId, error, tokensConsumed }
  }
  const sources = fieldSource.array().safeParse(known.sources)
  return {
    kind: 'result',
    extractId,
    records,
    sources: sources.success ? sources.data : null,
    doubts: doubtsIn(known.doubts),
    durationMs: numberOf(known.duration),
    tokensConsumed,
  }
}

/** The doubts that can be read: one that cannot takes nothing from the others, and odd alternatives only themselves. */
function doubtsIn(value: unknown): Doubt[] {
  return (Array.isArray(value) ? value : []).flatMap((each: unknown) => {
    if (!isRecord(each)) return []
    const given = Array.isArray(each['alternatives']) ? each['alternatives'] : []
    const alternatives = given.filter((one: unknown) => doubt.safeParse({ ...each, alternatives: [one] }).success)
    const parsed = doubt.safeParse({ ...each, alternatives })
    return parsed.success ? [parsed.data] : []
  })
}

/** That it was only taken, or why it failed; null where its values are to be read. */
function outcomeWithoutValues(
  envelope: ExtractionEnvelope,
  records: ExtractedRecord[] | null,
  source: 'response' | 'callback',
): 'started' | AppError | null {
  const { status, data } = envelope
  if (source === 'response' ? isWord(status, 'started') : isOnlyProgress(envelope)) return 'started'
  // spec, Events: a failed webhook carries `error` and no `status`; a synchronous one may say `status: error`.
  if (saysFailure(envelope, records !== null && records.some(hasValues))) return extractionFailure(envelope)
  if ((data !== undefined && data !== null) || isWord(status, 'success')) return null
  if (source === 'response' && isReceipt(envelope)) return 'started'
  return reasonsIn(envelope).some(isSaid) ? extractionFailure(envelope) : null
}

/** A number to wait for and no reason why not: it was taken. */
function isReceipt(envelope: ExtractionEnvelope): boolean {
  return envelope.extract_id !== undefined && envelope.data === undefined && !saysNo(envelope)
}

/** JSON once more where it was put into a text, and the one envelope out of a list. */
function unwrapped(value: unknown): unknown {
  const inner = typeof value === 'string' ? (parsedText(value) ?? value) : value
  return Array.isArray(inner) && inner.length === 1 ? inner[0] : inner
}

function parsedText(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return null
  }
}

function isWord(value: unknown, word: string): boolean {
  return typeof value === 'string' && value.trim().toLowerCase() === word
}

/**
 * `status: error`, a status of HTTP's from 400 on, or, without the word `success` and without values, an error or such
 * a status as `code`: beside values an error is a warning. An error that is empty (null, '', false, an empty list) is
 * none.
 */
function saysFailure(envelope: ExtractionEnvelope, isValued: boolean): boolean {
  const { status } = envelope
  if (['error', 'failed', 'failure'].some((word) => isWord(status, word)) || envelope.success === false) return true
  if (isRefusal(status)) return true
  return (
    !isWord(status, 'success') &&
    !isValued &&
    (isSaid(envelope.error) || isSaid(envelope.errors) || (isRefusal(envelope.code) && !isSaid(envelope.data)))
  )
}

function hasValues(record: ExtractedRecord): boolean {
  return Object.values(record).some(
    (value) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
  )
}

/** What the message of a receipt says; without such a word it is the reason why there is none. */
const acceptingWords =
  /\b(?:accept\w*|start\w*|queue\w*|enqueue\w*|receiv\w*|submit\w*|schedul\w*|process\w*|progress|pending|running|creat\w*|success\w*|ok|thank\w*)\b/i
const refusingWords =
  /\b(?:not|no|never|fail\w*|reject\w*|refus\w*|den(?:y|ied)|error\w*|insufficient|exceed\w*|invalid|cannot|can['’]?t|couldn['’]?t|could|unable|quota|limit\w*|credits?)\b/i

/** A number and a reason why nothing will come of it: in `detail`, or as a message that does not speak of a receipt. */
function saysNo({ status, message, detail }: ExtractionEnvelope): boolean {
  if (isSaid(detail)) return true
  if (!isSaid(message) || progressWords.some((word) => isWord(status, word))) return false
  return refusingWords.test(words(message)) || !acceptingWords.test(words(message))
}

function isRefusal(status: unknown): boolean {
  const number = typeof status === 'string' && /^\d{3}$/.test(status) ? Number(status) : status
  return typeof number === 'number' && number >= 400
}

const progressWords = ['started', 'queued', 'pending', 'accepted', 'running', 'processing', 'in_progress', 'progress']

/** A webhook that says only how far it is: the end is still to come. */
function isOnlyProgress(envelope: ExtractionEnvelope): boolean {
  return (
    progressWords.some((word) => isWord(envelope.status, word)) &&
    !isRefusal(envelope.code) &&
    ![envelope.data, ...reasonsIn(envelope)].some(isSaid)
  )
}

/** Where a service says why there are no values. */
function reasonsIn({ error, errors, message, detail }: ExtractionEnvelope): unknown[] {
  return [error, errors, message, detail]
}

function isSaid(error: unknown): boolean {
  return Boolean(error) && !(Array.isArray(error) && error.length === 0)
}

function parse(body: Buffer): unknown {
  try {
    return parseExact(new TextDecoder('utf-8', { fatal: true }).decode(unpacked(body)))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      return unreadable('it unpacks to more than 64 MB')
    return unreadable(body.length === 0 ? 'it is empty' : 'it is not JSON')
  }
}

/** More is no answer of a service: as much as is taken unpacked. */
const maxUnpackedBytes = 64 * 1024 * 1024

/**
 * A gzip (RFC 1952) or zlib (RFC 1950) body, told by its first two bytes, which begin no JSON. Throws for a damaged or
 * too large one.
 */
function unpacked(body: Buffer): Buffer {
  const start = body.length < 2 ? 0 : body.readUInt16BE(0)
  const isGzip = start === 0x1f8b
  const isZlib = start >>> 8 === 0x78 && start % 31 === 0
  return isGzip || isZlib ? unzipSync(body, { maxOutputLength: maxUnpackedBytes }) : body
}

function unreadable(detail: string): AppError {
  return new AppError('answer_unreadable', { detail })
}

/** What Sheaf's own service says about a document; a sentence of ours in the person's language stands for each. */
const documentFailures = ['file_encrypted', 'file_damaged', 'file_too_complex', 'no_text'] as const

/** The failure in the service's own words, or in ours where it uses one of our codes. */
function extractionFailure(envelope: ExtractionEnvelope): AppError {
  const { code, error, detail } = envelope
  const known = documentFailures.find((candidate) => candidate === code || candidate === error)
  if (known !== undefined) return new AppError(known, { detail: words(detail) })
  const first = [error, envelope.errors, envelope.message].find(isSaid)
  const parts = [words(first), words(detail)].filter((part) => part !== '')
  return new AppError('extraction_failed', { detail: [...new Set(parts)].join(': ') || 'no reason given' })
}

/** What was said, as text: of an error object its message, of a list its entries. */
function words(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value))
    return value
      .map(words)
      .filter((part) => part !== '')
      .join('; ')
      .slice(0, maxWords)
  if (isRecord(value) && typeof value['message'] === 'string') return value['message'].slice(0, maxWords)
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, maxWords)
}

/** One object, a list of objects (an empty one is no record, entries of null are none), or either as JSON in a text. */
function recordsOf(data: unknown): ExtractedRecord[] | null {
  const value = typeof data === 'string' ? parsedText(data) : data
  if (value === null || value === undefined) return null
  const list = (Array.isArray(value) ? value : [value]).map((entry: unknown) =>
    typeof entry === 'string' ? (parsedText(entry) ?? entry) : entry,
  )
  const records = list.filter((entry) => entry !== null)
  return records.every((entry): entry is ExtractedRecord => isRecord(entry)) ? records : null
}

function numberOf(value: string | number | undefined): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? Math.round(number) : null
}
