import { randomUUID } from 'node:crypto'
import type { AgentKind, AgentRow, Visibility } from '../../../shared/domain/agent.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { parseParams } from '../../../shared/domain/schema.ts'
import type { SchemaElement } from '../../../shared/domain/schema.ts'
import { sentenceFor } from '../../../shared/messages/sentences.ts'
import type { Caller } from './tokens.ts'
import type { ServiceDatabase } from '../database.ts'
import { HttpError } from '../http/http-error.ts'

export type Agent = {
  /** What stands in the path: the identifier of a Documentalist, the reference of an Extractor. */
  reference: string
  organizationId: string
  kind: AgentKind
  name: string
  visibility: Visibility
  /** An Extractor's fields; null for the other kinds. */
  schema: SchemaElement[] | null
}

type ExtractorAgent = Agent & { kind: 'extractor'; schema: SchemaElement[] }

type NewAgent = {
  name: string
  /** Default: extractor. */
  kind?: AgentKind
  /** Required for an Extractor, refused for the others. */
  schema?: unknown
  /** Default: Organization. */
  visibility?: Visibility
  /** Absent or null: a random UUID. */
  reference?: string | null
  /** Default: the organization of this computer. */
  organizationId?: string
}

type StoredAgent = Omit<Agent, 'schema'> & { schema: string | null }

const columns = 'reference, organization_id as organizationId, kind, name, visibility, schema'

/** `async` stands in the path of the asynchronous endpoints. */
const takenReferences = new Set(['async', '.', '..'])

/**
 * Adds an agent and returns it (spec, «What the service does», agent kinds). Throws `schema_invalid`, `invalid_input`
 * for a reference that is taken or cannot stand in a path, `not_found` for an unknown organization.
 */
export function createAgent(db: ServiceDatabase, input: NewAgent): Agent {
  const { reference = null, kind = 'extractor', name, visibility = 'Organization', organizationId = 'local' } = input
  const agent: Agent = {
    reference: reference ?? randomUUID(),
    organizationId,
    kind,
    name,
    visibility,
    schema: schemaFor(kind, input.schema),
  }
  if (agent.reference === '' || takenReferences.has(agent.reference) || agent.reference.includes('/')) {
    throw new AppError('invalid_input', { problem: `an agent may not be called "${agent.reference}"` })
  }
  if (getAgent(db, agent.reference))
    throw new AppError('invalid_input', { problem: `the reference "${agent.reference}" is taken` })
  if (db.prepare('select 1 from organizations where id = ?').get(organizationId) === undefined)
    throw new AppError('not_found', { what: `organization ${organizationId}` })
  db.prepare(
    'insert into agents (reference, organization_id, kind, name, visibility, schema, created_at) values (?, ?, ?, ?, ?, ?, ?)',
  ).run(
    agent.reference,
    agent.organizationId,
    agent.kind,
    agent.name,
    agent.visibility,
    agent.schema === null ? null : JSON.stringify(agent.schema),
    Date.now(),
  )
  return agent
}

/**
 * Creates the agent, or changes name, visibility and schema of the one with this reference; an Extractor saved without
 * a schema keeps its own. The kind of an agent never changes, nor its organization. Throws as `createAgent`.
 */
export function saveAgent(db: ServiceDatabase, input: NewAgent): Agent {
  const { reference = null, kind = 'extractor', organizationId = 'local' } = input
  const stored = reference === null ? null : getAgent(db, reference)
  if (stored === null) return createAgent(db, input)
  if (stored.organizationId !== organizationId)
    throw new AppError('invalid_input', { problem: `the reference "${stored.reference}" is taken` })
  if (stored.kind !== kind)
    throw new AppError('invalid_input', { problem: `the kind of an agent cannot be changed (it is ${stored.kind})` })
  const schema = input.schema === undefined || input.schema === null ? stored.schema : schemaFor(kind, input.schema)
  const agent: Agent = { ...stored, name: input.name, visibility: input.visibility ?? stored.visibility, schema }
  db.prepare('update agents set name = ?, visibility = ?, schema = ? where reference = ?').run(
    agent.name,
    agent.visibility,
    agent.schema === null ? null : JSON.stringify(agent.schema),
    agent.reference,
  )
  return agent
}

/** Every agent of every organization with the count of its documents by state, the oldest first. */
export function listAgents(db: ServiceDatabase): AgentRow[] {
  type Counted = StoredAgent & { ready: number; reading: number; failed: number }
  return db
    .prepare<[], Counted>(
      `select ${columns},
         (select count(*) from agent_documents where agent_reference = reference and state = 'ready') as ready,
         (select count(*) from agent_documents where agent_reference = reference and state = 'reading') as reading,
         (select count(*) from agent_documents where agent_reference = reference and state = 'failed') as failed
       from agents order by created_at, rowid`,
    )
    .all()
    .map(toAgent)
}

/** The agent with this reference, or null. */
export function getAgent(db: ServiceDatabase, reference: string): Agent | null {
  const row = db.prepare<[string], StoredAgent>(`select ${columns} from agents where reference = ?`).get(reference)
  return row ? toAgent(row) : null
}

/**
 * Removes the row with what hangs on it; `AgentDocuments.removeAgent` removes a Documentalist's files too. True when
 * there was such an agent.
 */
export function removeAgent(db: ServiceDatabase, reference: string): boolean {
  return db.prepare('delete from agents where reference = ?').run(reference).changes > 0
}

/**
 * The Extractor that a caller names in the path. Throws `agent_not_found` (404) for what the caller may not see,
 * `agent_wrong_kind` (400), `coming_soon` (501) for a Writer.
 */
export function extractorFor(db: ServiceDatabase, caller: Caller, reference: string): ExtractorAgent {
  const agent = visibleAgent(db, caller, reference, 'Extractor')
  if (agent.kind !== 'extractor' || agent.schema === null) throw wrongKind(agent, 'extractor')
  return { ...agent, kind: 'extractor', schema: agent.schema }
}

/**
 * The Documentalist that a caller names in the path. Throws as `extractorFor`, and `agent_private` (403): spec, «A
 * Documentalist agent must have visibility Public or Organization to be usable through the API».
 */
export function documentalistFor(db: ServiceDatabase, caller: Caller, reference: string): Agent {
  const agent = visibleAgent(db, caller, reference, 'Documentalist')
  if (agent.kind !== 'documentalist') throw wrongKind(agent, 'documentalist')
  if (agent.visibility === 'Private')
    throw new HttpError(403, 'agent_private', sentenceFor('agent_private', { agent: agent.name }, 'en'))
  return agent
}

/** spec, «Writer (content generation; announced as coming soon, with no interface)». */
export function comingSoon(): HttpError {
  return new HttpError(501, 'coming_soon', 'Writer agents are coming soon; they have no interface yet.')
}

/** An agent of the caller's organization, or anybody's that is public; of any other not even its existence is told. */
function visibleAgent(db: ServiceDatabase, caller: Caller, reference: string, wanted: string): Agent {
  const agent = getAgent(db, reference)
  if (agent === null || (agent.organizationId !== caller.organization.id && agent.visibility !== 'Public')) {
    throw new HttpError(
      404,
      'agent_not_found',
      `There is no ${wanted} agent with this reference.`,
      reference.slice(0, 200),
    )
  }
  return agent
}

function wrongKind(agent: Agent, wanted: AgentKind): HttpError {
  if (agent.kind === 'writer') return comingSoon()
  return new HttpError(
    400,
    'agent_wrong_kind',
    sentenceFor('agent_wrong_kind', { agent: agent.name, kind: agent.kind }, 'en'),
    `Use it at /v2/${agent.kind}, and a ${wanted} here.`,
  )
}

function schemaFor(kind: AgentKind, schema: unknown): SchemaElement[] | null {
  if (kind === 'extractor') return parseParams(schema)
  if (schema !== undefined && schema !== null)
    throw new AppError('invalid_input', { problem: `a ${kind} has no schema; only an extractor does` })
  return null
}

function toAgent<Row extends StoredAgent>(row: Row): Omit<Row, 'schema'> & { schema: SchemaElement[] | null } {
  return { ...row, schema: row.schema === null ? null : (JSON.parse(row.schema) as SchemaElement[]) }
}
