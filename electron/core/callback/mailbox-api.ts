import type { z } from 'zod'
import { AppError, toAppError } from '../../../shared/domain/errors.ts'
import { parseJson } from '../../../shared/domain/json.ts'
import {
  maxBatchBytes,
  maxCallbackBytes,
  maxMailboxJsonBytes,
  messagesAnswer,
  pairAnswer,
  pairingCode,
  pairingCodePrefix,
  refusalAnswer,
} from '../../../shared/wire/mailbox.ts'
import type { pairRequest } from '../../../shared/wire/mailbox.ts'
import { normaliseBaseAddress } from '../platform/base-address.ts'
import { isSuccess, jsonBody } from '../platform/http.ts'
import type { HttpAnswer, HttpClient, HttpRequest } from '../platform/http.ts'
import { technicalReason } from './self-test.ts'

/** Where a paired mailbox is, and what opens it. */
export type MailboxAddress = { url: string; boxId: string; accessKey: string }
export type WaitingMessage = z.output<typeof messagesAnswer>['messages'][number]

const requestMs = 30_000
/** For a whole message of 64 MB over a slow line. */
const fetchMs = 10 * 60_000
/** Base64 in JSON, with the names around it. */
const maxListBytes = Math.ceil((maxBatchBytes / 3) * 4) + 4 * 1024 * 1024
/** Sealing adds 16 bytes to each 256 KB. */
const maxSealedBytes = maxCallbackBytes + 1024 * 1024

/**
 * The mailbox's interface (shared/wire/mailbox.ts) from the desktop's side: `mailbox_unreachable` for everything but
 * what is said.
 */
export class MailboxApi {
  readonly #http: HttpClient
  readonly #onProgress: () => void

  /** `onProgress`: a piece of an answer came. */
  constructor(http: HttpClient, onProgress: () => void) {
    this.#http = http
    this.#onProgress = onProgress
  }

  /** Returns the new box's id. Throws `mailbox_code_invalid`. */
  async pair(url: string, secret: string, request: z.input<typeof pairRequest>, signal: AbortSignal): Promise<string> {
    const answer = await this.#ask(url, secret, {
      method: 'POST',
      url: `${url}/v1/boxes`,
      body: jsonBody(request),
      timeoutMs: requestMs,
      signal,
    })
    if (isRefusal(answer, 403)) throw new AppError('mailbox_code_invalid')
    return parsed(url, answer, pairAnswer).boxId
  }

  /** What waits, after `waitSeconds` at most. Throws `mailbox_refused`, also as follows. */
  async messages(
    place: MailboxAddress,
    how: { waitSeconds: number; release: boolean },
    signal: AbortSignal,
  ): Promise<WaitingMessage[]> {
    const url = `${boxUrl(place)}/messages?wait=${how.waitSeconds}&release=${how.release ? 1 : 0}`
    const answer = await this.#ask(
      place.url,
      place.accessKey,
      { method: 'GET', url, timeoutMs: how.waitSeconds * 1000 + requestMs, signal },
      maxListBytes,
    )
    if (isRefusal(answer, 403)) throw new AppError('mailbox_refused', { host: hostOf(place.url) })
    return parsed(place.url, answer, messagesAnswer).messages
  }

  /** The sealed bytes of a message; null when it is not there any more. */
  async message(place: MailboxAddress, id: number, signal: AbortSignal): Promise<Buffer | null> {
    const answer = await this.#ask(
      place.url,
      place.accessKey,
      { method: 'GET', url: `${boxUrl(place)}/messages/${id}`, timeoutMs: fetchMs, signal },
      maxSealedBytes,
    )
    if (isRefusal(answer, 404)) return null
    return accepted(place.url, answer).body
  }

  async acknowledge(place: MailboxAddress, ids: number[]): Promise<void> {
    accepted(
      place.url,
      await this.#ask(place.url, place.accessKey, {
        method: 'POST',
        url: `${boxUrl(place)}/acknowledgements`,
        body: jsonBody({ ids }),
        timeoutMs: requestMs,
      }),
    )
  }

  /** Ends the box; false when something waits in it or is coming in. Throws `mailbox_refused`. */
  async remove(place: MailboxAddress, signal: AbortSignal): Promise<boolean> {
    const answer = await this.#ask(place.url, place.accessKey, {
      method: 'DELETE',
      url: boxUrl(place),
      timeoutMs: requestMs,
      signal,
    })
    if (isRefusal(answer, 403)) throw new AppError('mailbox_refused', { host: hostOf(place.url) })
    if (isRefusal(answer, 409)) return false
    accepted(place.url, answer)
    return true
  }

  /**
   * One request; an answer is read up to `maxBytes`, so that a server in the mailbox's place cannot fill the
   * memory.
   */
  async #ask(
    url: string,
    key: string,
    request: HttpRequest,
    maxBytes = maxMailboxJsonBytes,
  ): Promise<Pick<HttpAnswer, 'status' | 'body'>> {
    try {
      const headers = {
        authorization: `Bearer ${key}`,
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const limits = { silenceMs: requestMs, totalMs: request.timeoutMs + fetchMs, maxBytes }
      const { status, body } = await this.#http.open({ ...request, headers, ...limits })
      const parts: Uint8Array[] = []
      for await (const part of Buffer.isBuffer(body) ? [body] : body) {
        parts.push(part)
        this.#onProgress()
      }
      return { status, body: Buffer.concat(parts) }
    } catch (error) {
      if (request.signal?.aborted === true) throw error
      throw unreachable(url, technicalReason(toAppError(error)), error)
    }
  }
}

/** What a pairing code says. Throws `mailbox_code_invalid`. */
export function parsePairingCode(code: string): { url: string; secret: string } {
  try {
    const text = code.replace(/\s/g, '')
    if (!text.startsWith(pairingCodePrefix)) throw new AppError('mailbox_code_invalid')
    const { url, secret } = pairingCode.parse(
      JSON.parse(Buffer.from(text.slice(pairingCodePrefix.length), 'base64url').toString('utf8')),
    )
    return { url: normaliseBaseAddress(url), secret }
  } catch (error) {
    throw new AppError('mailbox_code_invalid', {}, { cause: error })
  }
}

function parsed<T>(url: string, answer: Pick<HttpAnswer, 'status' | 'body'>, shape: z.ZodType<T>): T {
  try {
    return shape.parse(JSON.parse(accepted(url, answer).body.toString('utf8')))
  } catch (error) {
    throw error instanceof AppError ? error : unreachable(url, 'no mailbox', error)
  }
}

function accepted<T extends Pick<HttpAnswer, 'status' | 'body'>>(url: string, answer: T): T {
  if (!isSuccess(answer.status)) throw unreachable(url, `HTTP ${answer.status}`)
  return answer
}

/**
 * Whether the mailbox itself says no. A proxy in front of it has pages of its own for the same statuses, and they mean
 * nothing.
 */
function isRefusal({ status, body }: Pick<HttpAnswer, 'status' | 'body'>, expected: 403 | 404 | 409): boolean {
  return status === expected && refusalAnswer.safeParse(parseJson(body.toString('utf8'))).success
}

export function unreachable(url: string, detail: string, cause?: unknown): AppError {
  return new AppError('mailbox_unreachable', { host: hostOf(url), detail }, { cause })
}

function boxUrl({ url, boxId }: MailboxAddress): string {
  return `${url}/v1/boxes/${boxId}`
}

function hostOf(url: string): string {
  return new URL(url).host
}
