import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { Context } from 'hono'
import { AppError } from '../../../shared/errors.ts'
import type { Caller } from '../caller.ts'
import { untilClientLeaves } from '../client-left.ts'
import { UsageTally } from '../models/completion.ts'
import type { CompletionChunk } from '../models/completion.ts'
import type { ModelServers } from '../models/model-servers.ts'
import type { ModelUsage } from '../models/text-model.ts'
import type { Tokens } from '../tokens.ts'
import { answerRefusal } from '../unread-body.ts'
import type { UsageBook } from '../usage-book.ts'
import { chatCompletion, ChunkFrames, modelList, usageOf } from './answer.ts'
import { EventStream } from './event-stream.ts'
import { readBody, requireUsableLength } from './incoming.ts'
import { defaultCompatLimits, Generations, RequestRate } from './limits.ts'
import type { CompatLimits } from './limits.ts'
import { ProxyRefusal, toProxyRefusal } from './refusal.ts'
import { parseChatRequest } from './request.ts'
import type { ChatRequest } from './request.ts'

type Env = { Bindings: HttpBindings }

export type CompatOptions = {
  tokens: Pick<Tokens, 'check'>
  usage: Pick<UsageBook, 'record' | 'requireBudget'>
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
  const rate = new RequestRate(limits)
  const generations = new Generations(limits)
  const routes = new Hono<Env>()

  async function admit(c: Context<Env>): Promise<Caller> {
    const caller = await tokens.check(/^Bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '')?.[1])
    const retryAfterSeconds = rate.take(caller.organization.id)
    if (retryAfterSeconds !== null) throw new ProxyRefusal('rate_limit_exceeded', { retryAfterSeconds })
    return caller
  }

  async function listModels(c: Context<Env>): Promise<Response> {
    // Hono takes HEAD for GET; the spec knows no other method here.
    if (c.req.method !== 'GET') throw new ProxyRefusal('not_found')
    await admit(c)
    return Response.json(modelList())
  }

  async function chat(c: Context<Env>): Promise<Response> {
    const caller = await admit(c)
    requireUsableLength(c.env.incoming)
    const left = untilClientLeaves(c.env.outgoing)
    const request = parseChatRequest(await readBody(c.env.incoming))
    usage.requireBudget(caller.organization)
    const release = generations.take(caller.organization.id)
    if (release === null) throw new ProxyRefusal('concurrent_limit_exceeded')
    const record = ({ inputTokens, outputTokens }: ModelUsage): void =>
      usage.record({ caller, kind: 'chat', agent: '', channel: 'api', inputTokens, outputTokens, pages: 0 })
    try {
      // The same code as for a server that is away, but time alone will not help.
      if (!models.serves(request.alias)) throw new ProxyRefusal('unavailable', { message: 'No model is named behind this alias.' })
      if (request.stream) return await answerStreamed(c, request, record, left)
      const completion = await models.complete(request.alias, request.query, AbortSignal.any([left, closing]))
      const used = usageOf(completion, request.estimatedInputTokens)
      record(used)
      return Response.json(chatCompletion(request.alias, completion, used))
    } catch (error) {
      // Nobody is there to be told.
      if (left.aborted) return RESPONSE_ALREADY_SENT
      throw error
    } finally {
      release()
    }
  }

  async function answerStreamed(c: Context<Env>, request: ChatRequest, record: (used: ModelUsage) => void, left: AbortSignal): Promise<Response> {
    const tooLong = new AbortController()
    const stopped = AbortSignal.any([left, closing, tooLong.signal])
    const chunks = models.stream(request.alias, request.query, stopped)
    // Until the first chunk has come a failure is an answer of its own, with its status.
    const first = await chunks.next()
    if (first.done === true) throw new AppError('model_failed')
    const timer = setTimeout(() => tooLong.abort(new AppError('model_timeout')), limits.streamDurationMs)
    const frames = new ChunkFrames(request.alias)
    const tally = new UsageTally(request.estimatedInputTokens)
    const stream = new EventStream(c.env.outgoing)
    let whole = true
    try {
      for (let next: IteratorResult<CompletionChunk, void> = first; next.done !== true; next = await chunks.next()) {
        tally.add(next.value)
        const frame = frames.frame(next.value)
        if (frame !== null) await stream.send(frame, stopped)
      }
    } catch {
      whole = false
      await chunks.return()
    } finally {
      clearTimeout(timer)
    }
    // What was produced is billed, also when it was cut short (spec, Limits, «Stream duration») or its reader left.
    try {
      record(tally.usage)
    } catch {
      whole = false
    }
    const last = whole ? frames.last(request.wantsUsageFrame ? tally.usage : null) : [new ProxyRefusal('upstream').body]
    if (!left.aborted) stream.end(...last)
    return RESPONSE_ALREADY_SENT
  }

  for (const prefix of ['/compat/v1', '/compat']) {
    routes.get(`${prefix}/models`, listModels)
    routes.post(`${prefix}/chat/completions`, chat)
  }
  routes.all('/compat/*', () => {
    throw new ProxyRefusal('not_found')
  })
  routes.onError((error, c) => {
    const refusal = toProxyRefusal(error)
    return answerRefusal(c.env, refusal, refusal.body)
  })
  return routes
}
