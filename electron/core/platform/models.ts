import type { EventSourceMessage } from 'eventsource-parser'
import { AppError } from '../../../shared/domain/errors.ts'
import { maxProxyRequestBytes } from '../../../shared/domain/limits.ts'
import { modelList } from './wire-shapes.ts'
import { ErrorFrame, streamError } from './stream-error.ts'
import { CompletionBuilder, wireRequest } from './chat.ts'
import type { ChatCompletion, ChatRequest, ToolCall } from './chat.ts'
import { isSuccess, jsonBody } from './http.ts'
import type { HttpAnswer, HttpClient, HttpRequest } from './http.ts'
import { isPage, problemOf } from './problem.ts'
import { isRecord } from '../../../shared/domain/json.ts'
import type { RequestTarget } from './problem.ts'
import { ServerEvents, isDone } from './server-events.ts'
import { endpoint } from './token.ts'
import type { TokenSource } from './token.ts'

const listTimeoutMs = 30_000
/**
 * spec, Limits, «Stream duration»: 5 minutes; a little more for the way, so that the service's own end is heard. How
 * long a model may be silent is the service's to say as well (spec, Endpoints, «Error frame»): an answer that it waits
 * for is billed.
 */
const completionLimits = {
  timeoutMs: 5.5 * 60_000,
  silenceMs: 6 * 60_000,
  totalMs: 6 * 60_000,
  maxBytes: 16 * 1024 * 1024,
}

export type ChatPiece = { text?: string; toolCalls?: ToolCall[] }
export type ChatEnd = Pick<ChatCompletion, 'tokens' | 'finishReason'>

/** The chat-completion proxy of one connection (spec, Endpoints, `/compat/v1`). */
export class Models {
  readonly #http: HttpClient
  readonly #tokens: TokenSource
  readonly #onSent: (bytes: number) => void
  readonly #servedModels: (() => Promise<string[]>) | null

  /** `onSent`: the bytes of each body that was sent. `served` is used instead of the service's own list of models. */
  constructor(
    http: HttpClient,
    tokens: TokenSource,
    onSent: (bytes: number) => void = () => undefined,
    served: (() => Promise<string[]>) | null = null,
  ) {
    this.#http = http
    this.#tokens = tokens
    this.#onSent = onSent
    this.#servedModels = served
  }

  /**
   * The identifiers of the models, in the service's order; of this computer those that answer. Throws the errors of
   * `HttpClient.send` and `problemOf`, `answer_unreadable` and `no_model_server`; the signal's reason when that is
   * aborted.
   */
  async list(signal?: AbortSignal, timeoutMs = listTimeoutMs): Promise<string[]> {
    if (this.#servedModels !== null) {
      const served = await this.#servedModels()
      signal?.throwIfAborted()
      return served
    }
    const { asked, url } = this.#target('/compat/v1/models')
    const answer = await this.#send((token) => ({ method: 'GET', url, headers: bearer(token), timeoutMs }), signal)
    if (!isSuccess(answer.status)) throw problemOf(answer, asked)
    const parsed = modelList.safeParse(parse(answer.body, asked))
    if (!parsed.success) throw new AppError('answer_unreadable', { ...asked, detail: 'it is not a list of models' })
    return parsed.data.data.map(({ id }) => id)
  }

  /**
   * A whole answer. Throws `request_too_large` before anything is sent (spec, Limits, «Request size»), the errors of
   * `HttpClient.send` and `problemOf`, and `answer_unreadable`; the signal's reason when that is aborted.
   */
  async complete(request: ChatRequest, { signal }: { signal: AbortSignal }): Promise<ChatCompletion> {
    const body = bodyOf(request, false)
    const { asked, url } = this.#target('/compat/v1/chat/completions', request.model)
    const { timeoutMs } = completionLimits
    const answer = await this.#send(
      (token) => ({ method: 'POST', url, headers: jsonHeaders(token), body: body(), timeoutMs, onSent: this.#onSent }),
      signal,
    )
    if (!isSuccess(answer.status)) throw problemOf(answer, asked)
    const value = parse(answer.body, asked)
    if (isRecord(value) && isRecord(value['error'])) throw problemOf(answer, asked)
    const builder = new CompletionBuilder()
    builder.add(value, 'whole')
    const { completion } = builder
    if (completion.text === null && completion.toolCalls.length === 0)
      throw new AppError('answer_unreadable', { ...asked, detail: 'it is empty' })
    return completion
  }

  /**
   * Yields text as it comes and tool calls once they are whole. Throws as `complete` does; `answer_incomplete` when the
   * stream broke off, carried an error frame after text, or ended without `[DONE]` and without a finish reason.
   * Leaving the loop closes the connection.
   */
  async *stream(request: ChatRequest, { signal }: { signal: AbortSignal }): AsyncGenerator<ChatPiece, ChatEnd> {
    const body = bodyOf(request, true)
    const { asked, url } = this.#target('/compat/v1/chat/completions', request.model)
    const headers = { accept: 'text/event-stream, application/json' }
    const answer = await this.#tokens.use(
      (token) =>
        this.#http.open({
          method: 'POST',
          url,
          headers: { ...headers, ...jsonHeaders(token) },
          body: body(),
          onSent: this.#onSent,
          signal,
          ...completionLimits,
        }),
      signal,
    )
    if (Buffer.isBuffer(answer.body)) throw problemOf({ ...answer, body: answer.body }, asked)
    const builder = new CompletionBuilder()
    let yielded = false
    try {
      let isOver = false
      for await (const frame of chatFrames(answer.body)) {
        isOver = frame === 'done'
        if (frame === 'done') break
        if (isRecord(frame.value) && isRecord(frame.value['error'])) throw new ErrorFrame(frame.value)
        const text = builder.add(frame.value, frame.of)
        if (text === '') continue
        yield { text }
        yielded = true
      }
      const { finishReason, toolCalls } = builder.completion
      if (!isOver && finishReason === null) throw new AppError('answer_incomplete')
      if (!yielded && toolCalls.length === 0) throw new AppError('answer_unreadable', { detail: 'it is empty' })
    } catch (error) {
      signal.throwIfAborted()
      throw streamError(error, yielded, asked, answer.status)
    }
    const { toolCalls, tokens, finishReason } = builder.completion
    if (toolCalls.length > 0) yield { toolCalls }
    return { tokens, finishReason }
  }

  async #send(query: (token: string) => HttpRequest, signal: AbortSignal | undefined): Promise<HttpAnswer> {
    try {
      return await this.#tokens.use(
        (token) => this.#http.send({ ...query(token), ...(signal === undefined ? {} : { signal }) }),
        signal,
      )
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    }
  }

  #target(path: string, model?: string): { url: string; asked: RequestTarget } {
    const { baseUrl } = this.#tokens
    return {
      url: endpoint(baseUrl, path),
      asked: { host: new URL(baseUrl).host, ...(model === undefined ? {} : { model }) },
    }
  }
}

/** spec, Authentication, 4: the token is a Bearer credential here. */
function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

function jsonHeaders(token: string): Record<string, string> {
  return { 'content-type': 'application/json', ...bearer(token) }
}

/** Makes a body for each attempt to send: its chunks can be read once. */
function bodyOf(request: ChatRequest, stream: boolean): () => NonNullable<HttpRequest['body']> {
  const value = wireRequest(request, stream)
  if (jsonBody(value).sizeBytes > maxProxyRequestBytes) throw new AppError('request_too_large')
  return () => jsonBody(value)
}

function parse(body: Buffer, asked: RequestTarget): unknown {
  if (isPage(body)) throw new AppError('not_a_platform', { ...asked, status: 200 })
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new AppError('answer_unreadable', { ...asked, detail: body.length === 0 ? 'it is empty' : 'it is not JSON' })
  }
}

/**
 * The frames of a stream (spec, Endpoints, «Response with stream»), or the one completion of a service that does not
 * stream.
 */
async function* chatFrames(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ value: unknown; of: 'whole' | 'frame' } | 'done'> {
  const decoder = new TextDecoder()
  const events = new ServerEvents()
  let whole: string | null = null
  let isBegun = false
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true })
    if (!isBegun && text.trim() !== '') {
      isBegun = true
      if (text.trimStart().startsWith('{')) whole = ''
    }
    if (whole === null) for (const event of events.feed(text)) yield frameOf(event)
    else whole += text
  }
  const isCut = decoder.decode() !== ''
  if (whole !== null) yield { value: frameValue(whole), of: 'whole' }
  else for (const event of events.end()) yield frameOf(event)
  if (isCut) throw new AppError('answer_incomplete')
}

function frameOf(event: EventSourceMessage): { value: unknown; of: 'frame' } | 'done' {
  return isDone(event) ? 'done' : { value: frameValue(event.data), of: 'frame' }
}

/** A frame that does not parse was cut by the end of the stream, or by something on the way. */
function frameValue(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    throw new AppError('answer_incomplete')
  }
}
