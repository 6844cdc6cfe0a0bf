import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { Context } from 'hono'
import type { ServerResponse } from 'node:http'
import { AppError } from '../../../shared/errors.ts'
import { comingSoon, documentalistFor } from '../agents.ts'
import type { Agent } from '../agents.ts'
import { answer } from '../answering/answer.ts'
import { checkQuestionRequest } from '../answering/question-request.ts'
import type { QuestionRequest } from '../answering/question-request.ts'
import { addTurns, turnsOf, turnsUsed } from '../answering/threads.ts'
import type { Caller } from '../caller.ts'
import { untilClientLeaves } from '../client-left.ts'
import { defaultCompatLimits } from '../compat/limits.ts'
import type { CompatLimits } from '../compat/limits.ts'
import type { ServiceDatabase } from '../database.ts'
import { invalidRequest } from '../failure.ts'
import { readJsonBody } from '../json-body.ts'
import { estimateTokens } from '../models/completion.ts'
import type { ModelUsage, TextModel } from '../models/text-model.ts'
import type { Tokens } from '../tokens.ts'
import type { Unfinished } from '../unfinished.ts'
import { channelOf } from '../usage-book.ts'
import type { UsageBook } from '../usage-book.ts'

type Env = { Bindings: HttpBindings }

export type DocumentalistRouteOptions = {
  db: ServiceDatabase
  tokens: Tokens
  usage: UsageBook
  /** Writes the answers; null while the person who runs the service named no model server. */
  model: () => TextModel | null
  /** The proxy's «Stream duration» (spec, Limits) holds here too, since the Documentalist's is not shown. */
  compatLimits?: Partial<Pick<CompatLimits, 'streamDurationMs'>>
  /** Waited for before the database is closed. */
  unfinished: Unfinished
}

/** The proxy's «Request size» (spec, Limits), since the Documentalist's is not shown. */
const maxBodyBytes = 2_097_152

/**
 * spec, «POST /v2/documentalist/<agent_id>»: the answer as plain text that arrives in chunks. What fails before the first one
 * is an envelope; what fails after it ends the connection without the last chunk, so that a client sees it is incomplete.
 */
export function documentalistRoutes(options: DocumentalistRouteOptions): Hono<Env> {
  const { db, tokens, usage, unfinished } = options
  const { streamDurationMs } = { ...defaultCompatLimits, ...options.compatLimits }
  const routes = new Hono<Env>()

  async function ask(c: Context<Env>, agentId: string): Promise<Response> {
    const caller = await tokens.check(c.req.header('x-api-key'))
    const agent = documentalistFor(db, caller, agentId)
    usage.requireBudget(caller.organization)
    const request = checkQuestionRequest(await readJsonBody(c.env.incoming, maxBodyBytes))
    const signal = untilOver(c.env.outgoing, streamDurationMs)
    const pieces = write(caller, agent, request, signal)
    const first = await pieces.next()
    const giveUp = (): void => {
      c.env.outgoing.destroy()
      pieces.return().catch(() => undefined)
    }
    // Nothing asks for another piece while the client does not read.
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        if (first.done !== true) controller.enqueue(encode(first.value))
      },
      async pull(controller) {
        try {
          const { done, value } = await pieces.next()
          if (done === true) controller.close()
          else controller.enqueue(encode(value))
        } catch {
          c.env.outgoing.destroy()
        }
      },
      async cancel() {
        await pieces.return()
      },
    })
    return new Response(body, {
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        // RFC 9112, 6.1: not to a client of HTTP/1.0, for whom the end of the connection is the end of the answer.
        ...(c.env.incoming.httpVersion === '1.0' ? {} : { 'transfer-encoding': 'chunked' }),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    })
  }

  /** The pieces of an answer. However it ends, what was used is written down; only a whole answer becomes history. */
  async function* write(caller: Caller, agent: Agent, request: QuestionRequest, signal: AbortSignal): AsyncGenerator<string, void> {
    const { query, instructions, historic, threadId } = request
    const thread = threadId === null ? null : { threadId, organizationId: caller.organization.id, agentReference: agent.reference }
    const history = historic?.slice(-turnsUsed) ?? (thread === null ? [] : turnsOf(db, thread))
    let said = ''
    let used: ModelUsage | null = null
    const { inputTokens, pieces } = answer(options, { agent, query, instructions, history }, signal)
    const ended = Promise.withResolvers<void>()
    void unfinished.track(ended.promise)
    try {
      let piece = await pieces.next()
      for (; piece.done !== true; piece = await pieces.next()) {
        signal.throwIfAborted()
        said += piece.value
        yield piece.value
      }
      used = piece.value
      // A model that ended well without a word has not answered.
      if (said === '') throw new AppError('model_failed')
      if (thread !== null) addTurns(db, thread, query, said)
    } finally {
      // Whoever waits hears of it after this turn, in which the rest is written.
      ended.resolve()
      const tokens = used ?? { inputTokens, outputTokens: estimateTokens(said.length) }
      const channel = channelOf(caller, agent.organizationId)
      if (said !== '') usage.record({ caller, kind: 'documentalist', agent: agent.reference, channel, ...tokens, pages: 0 })
      // A model that still writes is told to stop.
      await pieces.return(tokens)
    }
  }

  routes.post('/v2/documentalist', async (c) => {
    await tokens.check(c.req.header('x-api-key'))
    throw invalidRequest('The identifier of the agent belongs into the path: POST /v2/documentalist/<agent_id>.')
  })
  routes.post('/v2/documentalist/:agentId', (c) => ask(c, c.req.param('agentId')))
  routes.on('POST', ['/v2/writer', '/v2/writer/:agentId'], async (c) => {
    await tokens.check(c.req.header('x-api-key'))
    throw comingSoon()
  })
  return routes
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/**
 * Aborted when the client left, or after `limitMs`. One signal of its own: a composed one, and one with a time-out, would
 * hold every answer in memory until the time is up.
 */
function untilOver(outgoing: ServerResponse, limitMs: number): AbortSignal {
  const over = new AbortController()
  const left = untilClientLeaves(outgoing)
  if (left.aborted) over.abort(left.reason)
  else left.addEventListener('abort', () => over.abort(left.reason), { once: true })
  const timer = setTimeout(() => over.abort(new AppError('model_timeout')), limitMs)
  outgoing.once('close', () => clearTimeout(timer))
  return over.signal
}
