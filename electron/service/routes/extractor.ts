import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { Context } from 'hono'
import { rm } from 'node:fs/promises'
import type { FileKind } from '../../../shared/domain/document.ts'
import { sourcesHeader } from '../../../shared/wire/platform.ts'
import { extractorFor } from '../access/agents.ts'
import type { AsyncJobs } from '../async/async-jobs.ts'
import { abortOnDisconnect } from '../http/disconnect.ts'
import type { ServiceDatabase } from '../database.ts'
import { runExtraction } from '../extraction-run.ts'
import type { Engine } from '../extraction-run.ts'
import { receiveExtractionRequest } from '../http/extraction-request.ts'
import type { ExtractionRequest } from '../http/extraction-request.ts'
import { bodyOf } from '../http/read-body.ts'
import { fileTooLarge, maxBodyBytes } from '../http/request-body.ts'
import type { Priority, Slots } from '../slots.ts'
import type { Tokens } from '../access/tokens.ts'
import { channelOf } from '../access/usage-ledger.ts'
import type { ExtractionOrigin, UsageLedger } from '../access/usage-ledger.ts'

type Env = { Bindings: HttpBindings }

export type ExtractorRouteOptions = {
  db: ServiceDatabase
  tokens: Tokens
  usage: UsageLedger
  engine: Engine
  slots: Slots
  asyncJobs: AsyncJobs
  /** Where documents lie while they arrive. */
  incomingDirectory: string
  /** Whether a `callback` may lead to an address inside this network. */
  allowPrivateCallbacks: boolean
}

/** The four endpoints of spec, «Extractor endpoints». Everything that can be refused without the body is. */
export function extractorRoutes(options: ExtractorRouteOptions): Hono<Env> {
  const { db, tokens, usage, engine, slots, asyncJobs, incomingDirectory: directory, allowPrivateCallbacks } = options
  const routes = new Hono<Env>()

  async function receive(
    c: Context<Env>,
    agentReference: string | null,
    needsCallback: boolean,
  ): Promise<{ received: ExtractionRequest; origin: ExtractionOrigin }> {
    const caller = await tokens.check(c.req.header('x-api-key'))
    const agent = agentReference === null ? null : extractorFor(db, caller, agentReference)
    usage.requireBudget(caller.organization)
    const declaredBytes = Number(c.req.header('content-length') ?? 0)
    if (declaredBytes > maxBodyBytes) throw fileTooLarge(null)
    const received = await receiveExtractionRequest(bodyOf(c.env.incoming), {
      directory,
      agentSchema: agent?.schema ?? null,
      needsCallback,
      allowPrivateCallbacks,
    })
    const channel = agent === null ? 'api' : channelOf(caller, agent.organizationId)
    return {
      received,
      origin: {
        organizationId: caller.organization.id,
        clientId: caller.clientId,
        agent: agent?.reference ?? '',
        channel,
      },
    }
  }

  async function extractNow(c: Context<Env>, agentReference: string | null): Promise<Response> {
    const { received, origin } = await receive(c, agentReference, false)
    try {
      const task = { ...received, withSources: wantsSources(c) }
      const disconnected = abortOnDisconnect(c.env.outgoing)
      const finished = await slots.run(
        () => runExtraction(engine, received.path, task),
        priorityOf(task.kind),
        disconnected,
      )
      // What nobody gets is not charged, as on the proxy.
      if (!disconnected.aborted) usage.recordExtraction(origin, finished)
      return c.json({ status: 'success', ...finished.outcome })
    } finally {
      await rm(received.path, { force: true })
    }
  }

  async function extractLater(c: Context<Env>, agentReference: string | null): Promise<Response> {
    const { received, origin } = await receive(c, agentReference, true)
    const extractId = await asyncJobs.accept(received, origin, wantsSources(c)).catch(async (error: unknown) => {
      await rm(received.path, { force: true })
      throw error
    })
    return c.json({ status: 'started', extract_id: extractId })
  }

  routes.post('/v2/extractor', (c) => extractNow(c, null))
  routes.post('/v2/extractor/async', (c) => extractLater(c, null))
  routes.post('/v2/extractor/async/:reference', (c) => extractLater(c, c.req.param('reference')))
  routes.post('/v2/extractor/:reference', (c) => extractNow(c, c.req.param('reference')))
  return routes
}

/** A scanned PDF is a document: what it holds is known only when it is open. */
function priorityOf(kind: FileKind): Priority {
  return kind === 'png' || kind === 'jpeg' ? 'picture' : 'document'
}

function wantsSources(c: Context<Env>): boolean {
  return c.req.header(sourcesHeader) === '1'
}
