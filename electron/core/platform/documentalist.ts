import { AppError } from '../../../shared/domain/errors.ts'
import { answerText } from './answer-text.ts'
import { ErrorFrame, streamError } from './stream-error.ts'
import { jsonBody } from './http.ts'
import type { HttpClient, HttpStream } from './http.ts'
import { problemOf } from './problem.ts'
import type { RequestTarget } from './problem.ts'
import { endpoint } from './token.ts'
import type { TokenSource } from './token.ts'

/** spec, Resources, «Documentalist request». */
export type Question = {
  agentId: string
  query: string
  instructions?: string[]
  /** Earlier messages, user and assistant in turn. */
  historic?: { role: 'user' | 'assistant'; content: string }[]
  /** A UUID of 36 characters: the service keeps the history. */
  threadId?: string
  signal: AbortSignal
}

/** An agent may read for long before it writes. */
const questionLimits = {
  timeoutMs: 5 * 60_000,
  silenceMs: 2 * 60_000,
  totalMs: 20 * 60_000,
  maxBytes: 16 * 1024 * 1024,
}

/**
 * An answer up to its first piece of text, or what it refused with: `body` where that was said, under whatever status.
 */
type FirstPiece = { status: number; body: Buffer | null } & (
  | { failure: Error }
  | { failure: null; first: IteratorResult<string>; rest: AsyncGenerator<string> }
)

/** The Documentalist endpoint of one connection (spec, Endpoints, «POST /v2/documentalist/<agent_id>»). */
export class Documentalist {
  readonly #http: HttpClient
  readonly #tokens: TokenSource
  readonly #onSent: (bytes: number) => void

  /** `onSent`: the bytes of each body that was sent. */
  constructor(http: HttpClient, tokens: TokenSource, onSent: (bytes: number) => void = () => undefined) {
    this.#http = http
    this.#tokens = tokens
    this.#onSent = onSent
  }

  /**
   * Yields the answer's text as it comes. Throws the errors of `HttpClient.open` and of `problemOf`;
   * `answer_incomplete` when the stream was interrupted or carried an error after text was yielded; `answer_unreadable`
   * for an answer without text; the signal's reason when that is aborted. Leaving the loop closes the connection.
   */
  async *ask(question: Question): AsyncGenerator<string> {
    const asked = { host: new URL(this.#tokens.baseUrl).host, agent: question.agentId }
    const answer = await this.#tokens.use((token) => this.#begin(question, asked, token), question.signal)
    if (answer.failure !== null) throw answer.failure
    const { first, rest } = answer
    if (first.done === true) throw new AppError('answer_unreadable', { ...asked, detail: 'it has no text' })
    try {
      yield first.value
      yield* rest
    } catch (error) {
      question.signal.throwIfAborted()
      throw streamError(error, true, asked, answer.status)
    } finally {
      await rest.return(undefined)
    }
  }

  /** Reads as far as it takes to know whether the token was refused: an envelope that says so may come under 200. */
  async #begin(question: Question, asked: RequestTarget, token: string): Promise<FirstPiece> {
    const { status, retryAfterMs, contentType, body } = this.#tokens.withoutSecrets(
      await this.#post(question, token),
      token,
    )
    if (Buffer.isBuffer(body)) return { status, body, failure: problemOf({ status, retryAfterMs, body }, asked) }
    const rest = answerText(contentType, body)
    try {
      return { status, body: null, failure: null, first: await rest.next(), rest }
    } catch (error) {
      question.signal.throwIfAborted()
      const said = error instanceof ErrorFrame ? Buffer.from(JSON.stringify(error.value ?? null)) : null
      return { status, body: said, failure: streamError(error, false, asked, status) }
    }
  }

  #post(question: Question, token: string): Promise<HttpStream> {
    const { agentId, query, instructions, historic, threadId, signal } = question
    return this.#http.open({
      method: 'POST',
      url: endpoint(this.#tokens.baseUrl, `/v2/documentalist/${encodeURIComponent(agentId)}`),
      headers: {
        accept: 'text/plain, text/event-stream, application/x-ndjson, application/json',
        'content-type': 'application/json',
        'x-api-key': token,
      },
      body: jsonBody({ query, instructions, historic, thread_id: threadId }),
      onSent: this.#onSent,
      signal,
      ...questionLimits,
    })
  }
}
