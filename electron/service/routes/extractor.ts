import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { Context } from 'hono'
import { rm } from 'node:fs/promises'
import { sourcesHeader } from '../../../shared/platform.ts'
import type { SchemaElement } from '../../../shared/schema.ts'
import { getAgent } from '../agents.ts'
import type { AsyncJobs } from '../async/async-jobs.ts'
import type { ServiceDatabase } from '../database.ts'
import { runExtraction } from '../extraction-run.ts'
import type { Engine } from '../extraction-run.ts'
import { Refusal } from '../failure.ts'
import { receiveIncoming } from '../incoming.ts'
import type { Incoming } from '../incoming.ts'
import { fileTooLarge, maxBodyBytes } from '../request-body.ts'
import type { Slots } from '../slots.ts'
import type { Tokens } from '../tokens.ts'

type Env = { Bindings: HttpBindings }

export type ExtractorRouteOptions = {
  db: ServiceDatabase
  tokens: Tokens
  engine: Engine
  slots: Slots
  asyncJobs: AsyncJobs
  /** Where documents lie while they arrive. */
  incomingDirectory: string
}

/** The four endpoints of spec, «Extractor endpoints». Everything that can be refused without the body is. */
export function extractorRoutes(options: ExtractorRouteOptions): Hono<Env> {
  const { db, tokens, engine, slots, asyncJobs, incomingDirectory } = options
  const routes = new Hono<Env>()

  async function receive(c: Context<Env>, agentReference: string | null, needsCallback: boolean): Promise<Incoming> {
    await tokens.check(c.req.header('x-api-key'))
    const agentSchema = agentReference === null ? null : schemaOfAgent(db, agentReference)
    const declaredBytes = Number(c.req.header('content-length') ?? 0)
    if (declaredBytes > maxBodyBytes) throw fileTooLarge(null)
    // Leaving the loop early must not destroy the socket, or the refusal would never arrive.
    const body = c.env.incoming.iterator({ destroyOnReturn: false })
    return receiveIncoming(body, { directory: incomingDirectory, agentSchema, needsCallback })
  }

  async function extractNow(c: Context<Env>, agentReference: string | null): Promise<Response> {
    const incoming = await receive(c, agentReference, false)
    try {
      const task = { ...incoming, withSources: wantsSources(c) }
      const outcome = await slots.run(() => runExtraction(engine, incoming.path, task), untilClientLeaves(c))
      return c.json({ status: 'success', ...outcome })
    } finally {
      await rm(incoming.path, { force: true })
    }
  }

  async function extractLater(c: Context<Env>, agentReference: string | null): Promise<Response> {
    const incoming = await receive(c, agentReference, true)
    const extractId = await asyncJobs.accept(incoming, wantsSources(c)).catch(async (error: unknown) => {
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

function schemaOfAgent(db: ServiceDatabase, reference: string): SchemaElement[] {
  const agent = getAgent(db, reference)
  if (!agent) throw new Refusal(404, 'agent_not_found', 'There is no Extractor agent with this reference.', reference.slice(0, 200))
  return agent.schema
}

function wantsSources(c: Context<Env>): boolean {
  return c.req.header(sourcesHeader) === '1'
}

/** Nobody waits for the answer any more: a request that still waits for a slot gives its place up. */
function untilClientLeaves(c: Context<Env>): AbortSignal {
  const left = new AbortController()
  const { outgoing } = c.env
  const leave = (): void => {
    if (!outgoing.writableFinished) left.abort(new Error('the client left'))
  }
  if (outgoing.closed) leave()
  else outgoing.once('close', leave)
  return left.signal
}
