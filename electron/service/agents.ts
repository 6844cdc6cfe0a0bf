import { randomUUID } from 'node:crypto'
import { parseSchema } from '../../shared/schema.ts'
import type { SchemaElement } from '../../shared/schema.ts'
import type { ServiceDatabase } from './database.ts'

/** spec, «What the service does»: visibility levels. */
export const visibilities = ['Private', 'Organization', 'Public'] as const
export type Visibility = (typeof visibilities)[number]

export type Agent = {
  /** What stands in the path of `POST /v2/extractor/<agent_reference>`. */
  reference: string
  kind: 'extractor'
  name: string
  visibility: Visibility
  schema: SchemaElement[]
}

export type NewAgent = { name: string; schema: unknown; visibility?: Visibility; reference?: string }

type AgentRow = { reference: string; kind: 'extractor'; name: string; visibility: Visibility; schema: string }

/**
 * Adds an Extractor agent and returns it. Without a reference it gets a random one; `async` is
 * taken by the asynchronous endpoints. Throws `schema_invalid`, or SQLite's error for a used reference.
 */
export function createAgent(db: ServiceDatabase, input: NewAgent): Agent {
  const reference = input.reference ?? randomUUID()
  if (reference === '' || reference === 'async' || reference.includes('/')) throw new RangeError(`an agent reference may not be "${reference}"`)
  const agent: Agent = { reference, kind: 'extractor', name: input.name, visibility: input.visibility ?? 'Organization', schema: parseSchema(input.schema) }
  db.prepare('insert into agents (reference, kind, name, visibility, schema, created_at) values (?, ?, ?, ?, ?, ?)').run(
    agent.reference,
    agent.kind,
    agent.name,
    agent.visibility,
    JSON.stringify(agent.schema),
    Date.now(),
  )
  return agent
}

/** Every agent, the oldest first. */
export function listAgents(db: ServiceDatabase): Agent[] {
  return db.prepare<[], AgentRow>('select reference, kind, name, visibility, schema from agents order by created_at, rowid').all().map(toAgent)
}

/** The agent with this reference, or null. */
export function getAgent(db: ServiceDatabase, reference: string): Agent | null {
  const row = db.prepare<[string], AgentRow>('select reference, kind, name, visibility, schema from agents where reference = ?').get(reference)
  return row ? toAgent(row) : null
}

/** True when there was such an agent. */
export function removeAgent(db: ServiceDatabase, reference: string): boolean {
  return db.prepare('delete from agents where reference = ?').run(reference).changes > 0
}

function toAgent(row: AgentRow): Agent {
  return { ...row, schema: JSON.parse(row.schema) as SchemaElement[] }
}
