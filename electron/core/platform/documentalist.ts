import { AppError } from '../../../shared/errors.ts'
import { answerText } from './answer-text.ts'
import { brokenOff } from './broken-off.ts'
import { jsonBody } from './http.ts'
import type { HttpClient, HttpStream } from './http.ts'
import { problemOf } from './problem.ts'
import { endpoint } from './token.ts'
import type { Credentials, TokenSource } from './token.ts'

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
const questionLimits = { timeoutMs: 5 * 60_000, silenceMs: 2 * 60_000, totalMs: 20 * 60_000, maxBytes: 16 * 1024 * 1024 }

/** The Documentalist endpoint of one connection (spec, Endpoints, «POST /v2/documentalist/<agent_id>»). */
export class Documentalist {
  readonly #http: HttpClient
  readonly #tokens: TokenSource
  readonly #credentials: () => Promise<Credentials>
  readonly #onSent: (bytes: number) => void

  /** `onSent` hears of each body that went out. */
  constructor(http: HttpClient, tokens: TokenSource, credentials: () => Promise<Credentials>, onSent: (bytes: number) => void = () => undefined) {
    this.#http = http
    this.#tokens = tokens
    this.#credentials = credentials
    this.#onSent = onSent
  }

  /**
   * Yields the answer's text as it comes. Throws the errors of `HttpClient.open` and of `problemOf`; `answer_incomplete`
   * when the stream broke off or carried an error after text was yielded; `answer_unreadable` for an answer without
   * text; the signal's reason when that is aborted. Leaving the loop closes the connection.
   */
  async *ask(question: Question): AsyncGenerator<string> {
    const { baseUrl } = await this.#credentials()
    const asked = { host: new URL(baseUrl).host, agent: question.agentId }
    const answer = await this.#tokens.use((token) => this.#post(baseUrl, question, token), question.signal)
    const { body } = answer
    if (Buffer.isBuffer(body)) throw problemOf({ ...answer, body }, asked)
    let yielded = false
    try {
      for await (const text of answerText(answer.contentType, body)) {
        yield text
        yielded = true
      }
    } catch (error) {
      question.signal.throwIfAborted()
      throw brokenOff(error, yielded, asked, answer.status)
    }
    if (!yielded) throw new AppError('answer_unreadable', { ...asked, detail: 'it has no text' })
  }

  #post(baseUrl: string, question: Question, token: string): Promise<HttpStream> {
    const { agentId, query, instructions, historic, threadId, signal } = question
    return this.#http.open({
      method: 'POST',
      url: endpoint(baseUrl, `/v2/documentalist/${encodeURIComponent(agentId)}`),
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
