import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { Context } from 'hono'
import type { ServerResponse } from 'node:http'
import { AppError } from '../../../shared/domain/errors.ts'
import { comingSoon, documentalistFor } from '../access/agents.ts'
import type { Agent } from '../access/agents.ts'
import { answer } from '../answering/answer.ts'
import { checkQuestionRequest } from '../answering/question-request.ts'
import type { QuestionRequest } from '../answering/question-request.ts'
import { addTurns, turnsOf, turnsUsed } from '../answering/threads.ts'
import { abortOnDisconnect } from '../http/disconnect.ts'
import { defaultCompatLimits } from '../compat/limits.ts'
import type { CompatLimits } from '../compat/limits.ts'
import type { ServiceDatabase } from '../database.ts'
import { invalidRequest } from '../http/http-error.ts'
import { readJsonBody } from '../http/read-body.ts'
import { estimateTokens } from '../models/completion.ts'
import type { ModelUsage, TextModel } from '../models/text-model.ts'
import type { Caller, Tokens } from '../access/tokens.ts'
import type { PendingWork } from '../pending-work.ts'
import { channelOf } from '../access/usage-ledger.ts'
import type { UsageLedger } from '../access/usage-ledger.ts'

type Env = { Bindings: HttpBindings }

export type DocumentalistRouteOptions = {
  db: ServiceDatabase
  tokens: Tokens
  usage: UsageLedger
  /** Writes the answers; null while the person who runs the service named no model server. */
  model: () => TextModel | null
  /** The proxy's «Stream duration» (spec, Limits) holds here too, since the Documentalist's is not shown. */
  compatLimits?: Partial<Pick<CompatLimits, 'streamDurationMs'>>
  /** Waited for before the database is closed. */
  pendingWork: PendingWork
}

/** The proxy's «Request size» (spec, Limits), since the Documentalist's is not shown. */
const maxBodyBytes = 2_097_152

/**
 * spec, «POST /v2/documentalist/<agent_id>»: the answer as plain text that arrives in chunks. What fails before the
 * first one is an envelope; what fails after it ends the connection without the last chunk, so that a client sees it is
 * incomplete.
 */
export function documentalistRoutes(options: DocumentalistRouteOptions): Hono<Env> {
  const { db, tokens, usage } = options
  const { streamDurationMs } = { ...defaultCompatLimits, ...options.compatLimits }
  const routes = new Hono<Env>()

  async function ask(c: Context<Env>, agentId: string): Promise<Response> {
    const caller = await tokens.check(c.req.header('x-api-key'))
    const agent = documentalistFor(db, caller, agentId)
    usage.requireBudget(caller.organization)
    const request = checkQuestionRequest(await readJsonBody(c.env.incoming, maxBodyBytes))
    const signal = abortWhenOver(c.env.outgoing, streamDurationMs)
    const pieces = writeAnswer(options, { caller, agent, request }, signal)
    const first = await pieces.next()
    const giveUp = (): void => {
      c.env.outgoing.destroy()
      pieces.return().catch(() => undefined)
    }
    // Nothing asks for another piece while the client does not read.
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
    return new Response(streamOf(first, pieces, c.env.outgoing), {
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        // RFC 9112, 6.1: not to a client of HTTP/1.0, for whom the end of the connection is the end of the answer.
        ...(c.env.incoming.httpVersion === '1.0' ? {} : { 'transfer-encoding': 'chunked' }),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    })
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

type AskedQuestion = { caller: Caller; agent: Agent; request: QuestionRequest }

/** The pieces of an answer. However it ends, what was used is written down; only a whole answer becomes history. */
async function* writeAnswer(
  options: DocumentalistRouteOptions,
  { caller, agent, request }: AskedQuestion,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const { db, usage, pendingWork } = options
  const { query, instructions, historic, threadId } = request
  const thread =
    threadId === null ? null : { threadId, organizationId: caller.organization.id, agentReference: agent.reference }
  const history = historic?.slice(-turnsUsed) ?? (thread === null ? [] : turnsOf(db, thread))
  let text = ''
  let used: ModelUsage | null = null
  const { inputTokens, pieces } = answer(options, { agent, query, instructions, history }, signal)
  const ended = Promise.withResolvers<void>()
  void pendingWork.track(ended.promise)
  try {
    let piece = await pieces.next()
    for (; piece.done !== true; piece = await pieces.next()) {
      signal.throwIfAborted()
      text += piece.value
      yield piece.value
    }
    used = piece.value
    // A model that ended well without a word has not answered.
    if (text === '') throw new AppError('model_failed')
    if (thread !== null) addTurns(db, thread, query, text)
  } finally {
    // What waits for the end resumes after this turn, in which the rest is written.
    ended.resolve()
    const tokens = used ?? { inputTokens, outputTokens: estimateTokens(text.length) }
    const channel = channelOf(caller, agent.organizationId)
    if (text !== '')
      usage.record({ caller, kind: 'documentalist', agent: agent.reference, channel, ...tokens, pages: 0 })
    // A model that still writes is told to stop.
    await pieces.return(tokens)
  }
}

/** A body of text that comes piece by piece; a failure cuts the connection. */
function streamOf(
  first: IteratorResult<string, void>,
  pieces: AsyncGenerator<string, void>,
  outgoing: ServerResponse,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async start(controller) {
      if (first.done !== true) controller.enqueue(encode(first.value))
    },
    async pull(controller) {
      try {
        const { done, value } = await pieces.next()
        if (done === true) controller.close()
        else controller.enqueue(encode(value))
      } catch {
        outgoing.destroy()
      }
    },
    async cancel() {
      await pieces.return()
    },
  })
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/**
 * Aborted when the client left, or after `limitMs`. One signal of its own: a composed one, and one with a time-out,
 * would hold every answer in memory until the time is up.
 */
function abortWhenOver(outgoing: ServerResponse, limitMs: number): AbortSignal {
  const over = new AbortController()
  const disconnected = abortOnDisconnect(outgoing)
  if (disconnected.aborted) over.abort(disconnected.reason)
  else disconnected.addEventListener('abort', () => over.abort(disconnected.reason), { once: true })
  const timer = setTimeout(() => over.abort(new AppError('model_timeout')), limitMs)
  outgoing.once('close', () => clearTimeout(timer))
  return over.signal
}
