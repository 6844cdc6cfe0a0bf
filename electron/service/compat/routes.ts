import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { Context } from 'hono'
import type { ServerResponse } from 'node:http'
import { AppError } from '../../../shared/domain/errors.ts'
import { maxProxyRequestBytes } from '../../../shared/domain/limits.ts'
import { readBody } from '../http/read-body.ts'
import { abortOnDisconnect } from '../http/disconnect.ts'
import { UsageTally } from '../models/completion.ts'
import type { CompletionChunk } from '../models/completion.ts'
import type { ModelServers } from '../models/model-servers.ts'
import type { ModelUsage } from '../models/text-model.ts'
import type { Caller, Tokens } from '../access/tokens.ts'
import { sendError } from '../http/send-error.ts'
import type { UsageLedger } from '../access/usage-ledger.ts'
import { chatCompletion, ChunkFrames, modelList, usageOf } from './chat-response.ts'
import { EventStream } from './event-stream.ts'
import { defaultCompatLimits, ConcurrencyLimit, RateLimit } from './limits.ts'
import type { CompatLimits } from './limits.ts'
import { ProxyError, toProxyError } from './proxy-error.ts'
import { parseChatRequest, requireContentLength } from './chat-request.ts'
import type { ChatRequest } from './chat-request.ts'

type Env = { Bindings: HttpBindings }

export type CompatOptions = {
  tokens: Pick<Tokens, 'check'>
  usage: Pick<UsageLedger, 'record' | 'requireBudget'>
  models: ModelServers
  compatLimits?: Partial<CompatLimits>
  /** Aborted when the service ends: what is still written then could not be sent to its end. */
  closing: AbortSignal
}

/**
 * The chat-completion proxy (spec, «GET /compat/v1/models», «POST /compat/v1/chat/completions»), the same under both
 * prefixes. What can be refused is refused before a model is asked, and costs nothing.
 */
export function compatRoutes(options: CompatOptions): Hono<Env> {
  const { tokens, usage, models, closing } = options
  const limits = { ...defaultCompatLimits, ...options.compatLimits }
  const rateLimit = new RateLimit(limits)
  const concurrency = new ConcurrencyLimit(limits)
  const routes = new Hono<Env>()

  async function admit(c: Context<Env>): Promise<Caller> {
    const caller = await tokens.check(/^Bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '')?.[1])
    const retryAfterSeconds = rateLimit.take(caller.organization.id)
    if (retryAfterSeconds !== null) throw new ProxyError('rate_limit_exceeded', { retryAfterSeconds })
    return caller
  }

  async function listModels(c: Context<Env>): Promise<Response> {
    // Hono takes HEAD for GET; the spec knows no other method here.
    if (c.req.method !== 'GET') throw new ProxyError('not_found')
    await admit(c)
    return Response.json(modelList())
  }

  async function chat(c: Context<Env>): Promise<Response> {
    const caller = await admit(c)
    requireContentLength(c.env.incoming)
    const disconnected = abortOnDisconnect(c.env.outgoing)
    const body = await readBody(c.env.incoming, maxProxyRequestBytes)
    if (body === null) throw new ProxyError('request_too_large')
    const request = parseChatRequest(body)
    usage.requireBudget(caller.organization)
    const release = concurrency.acquire(caller.organization.id)
    if (release === null) throw new ProxyError('concurrent_limit_exceeded')
    const record = ({ inputTokens, outputTokens }: ModelUsage): void =>
      usage.record({ caller, kind: 'chat', agent: '', channel: 'api', inputTokens, outputTokens, pages: 0 })
    try {
      // The same code as for a server that is away, but time alone will not help.
      if (!models.serves(request.alias))
        throw new ProxyError('unavailable', { message: 'No model is named behind this alias.' })
      if (request.stream)
        return await streamChat(options, limits, { outgoing: c.env.outgoing, request, record, disconnected })
      const completion = await models.complete(request.alias, request.query, AbortSignal.any([disconnected, closing]))
      const used = usageOf(completion, request.estimatedInputTokens)
      record(used)
      return Response.json(chatCompletion(request.alias, completion, used))
    } catch (error) {
      // The client left, so there is nobody to answer.
      if (disconnected.aborted) return RESPONSE_ALREADY_SENT
      throw error
    } finally {
      release()
    }
  }

  for (const prefix of ['/compat/v1', '/compat']) {
    routes.get(`${prefix}/models`, listModels)
    routes.post(`${prefix}/chat/completions`, chat)
  }
  routes.all('/compat/*', () => {
    throw new ProxyError('not_found')
  })
  routes.onError((error, c) => {
    const proxyError = toProxyError(error)
    return sendError(c.env, proxyError, proxyError.body)
  })
  return routes
}

type StreamedChat = {
  outgoing: ServerResponse
  request: ChatRequest
  record: (used: ModelUsage) => void
  /** Aborted when the client disconnected. */
  disconnected: AbortSignal
}

/** Answers with a stream. Throws while no chunk has come, so that a failure until then is an answer with its status. */
async function streamChat(
  { models, closing }: CompatOptions,
  { streamDurationMs }: CompatLimits,
  { outgoing, request, record, disconnected }: StreamedChat,
): Promise<Response> {
  const tooLong = new AbortController()
  const stopped = AbortSignal.any([disconnected, closing, tooLong.signal])
  const chunks = models.stream(request.alias, request.query, stopped)
  const first = await chunks.next()
  if (first.done === true) throw new AppError('model_failed')
  const timer = setTimeout(() => tooLong.abort(new AppError('model_timeout')), streamDurationMs)
  const frames = new ChunkFrames(request.alias)
  const tally = new UsageTally(request.estimatedInputTokens)
  const stream = new EventStream(outgoing)
  let isWhole = true
  try {
    for (let next: IteratorResult<CompletionChunk, void> = first; next.done !== true; next = await chunks.next()) {
      tally.add(next.value)
      const frame = frames.frame(next.value)
      if (frame !== null) await stream.send(frame, stopped)
    }
  } catch {
    isWhole = false
    await chunks.return()
  } finally {
    clearTimeout(timer)
  }
  // What was produced is billed, also when it was cut short (spec, Limits, «Stream duration») or its reader left.
  try {
    record(tally.usage)
  } catch {
    isWhole = false
  }
  const last = isWhole ? frames.last(request.wantsUsageFrame ? tally.usage : null) : [new ProxyError('upstream').body]
  if (!disconnected.aborted) stream.end(...last)
  return RESPONSE_ALREADY_SENT
}
