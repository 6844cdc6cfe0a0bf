import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { Context } from 'hono'
import { rm } from 'node:fs/promises'
import { sourcesHeader } from '../../../shared/platform.ts'
import { extractorFor } from '../agents.ts'
import type { AsyncJobs } from '../async/async-jobs.ts'
import { untilClientLeaves } from '../client-left.ts'
import type { ServiceDatabase } from '../database.ts'
import { runExtraction } from '../extraction-run.ts'
import type { Engine } from '../extraction-run.ts'
import { receiveIncoming } from '../incoming.ts'
import type { Incoming } from '../incoming.ts'
import { fileTooLarge, maxBodyBytes } from '../request-body.ts'
import type { Slots } from '../slots.ts'
import type { Tokens } from '../tokens.ts'
import { channelOf } from '../usage-book.ts'
import type { ExtractionOrigin, UsageBook } from '../usage-book.ts'

type Env = { Bindings: HttpBindings }

export type ExtractorRouteOptions = {
  db: ServiceDatabase
  tokens: Tokens
  usage: UsageBook
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

  async function receive(c: Context<Env>, agentReference: string | null, needsCallback: boolean): Promise<{ incoming: Incoming; origin: ExtractionOrigin }> {
    const caller = await tokens.check(c.req.header('x-api-key'))
    const agent = agentReference === null ? null : extractorFor(db, caller, agentReference)
    usage.requireBudget(caller.organization)
    const declaredBytes = Number(c.req.header('content-length') ?? 0)
    if (declaredBytes > maxBodyBytes) throw fileTooLarge(null)
    // Leaving the loop early must not destroy the socket, or the refusal would never arrive.
    const body = c.env.incoming.iterator({ destroyOnReturn: false })
    const incoming = await receiveIncoming(body, { directory, agentSchema: agent?.schema ?? null, needsCallback, allowPrivateCallbacks })
    const channel = agent === null ? 'api' : channelOf(caller, agent.organizationId)
    return { incoming, origin: { organizationId: caller.organization.id, clientId: caller.clientId, agent: agent?.reference ?? '', channel } }
  }

  async function extractNow(c: Context<Env>, agentReference: string | null): Promise<Response> {
    const { incoming, origin } = await receive(c, agentReference, false)
    try {
      const task = { ...incoming, withSources: wantsSources(c) }
      const left = untilClientLeaves(c.env.outgoing)
      const finished = await slots.run(() => runExtraction(engine, incoming.path, task), 'now', left)
      // What nobody gets is not charged, as on the proxy.
      if (!left.aborted) usage.recordExtraction(origin, finished)
      return c.json({ status: 'success', ...finished.outcome })
    } finally {
      await rm(incoming.path, { force: true })
    }
  }

  async function extractLater(c: Context<Env>, agentReference: string | null): Promise<Response> {
    const { incoming, origin } = await receive(c, agentReference, true)
    const extractId = await asyncJobs.accept(incoming, origin, wantsSources(c)).catch(async (error: unknown) => {
      await rm(incoming.path, { force: true })
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

function wantsSources(c: Context<Env>): boolean {
  return c.req.header(sourcesHeader) === '1'
}
