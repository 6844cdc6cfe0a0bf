import { AppError } from '../../../shared/domain/errors.ts'
import type { AgentRow } from '../../../shared/domain/agent.ts'
import type { Handlers, HandlerContext } from './types.ts'

type AgentCalls = Extract<keyof Handlers, `agents.${string}`>

type Needs = Pick<HandlerContext, 'tables' | 'connections' | 'emit'>

/** Agents of the service on this computer, by its control. A platform's are managed in its dashboard. */
export function agentHandlers(context: Needs): Pick<Handlers, AgentCalls> {
  const { tables, connections, emit } = context
  return {
    'agents.list': async ({ connectionId }) => {
      const connection = tables.connections.get(connectionId)
      if (connection === null) throw new AppError('not_found', { what: 'connection' })
      if (connection.kind === 'local') return { agents: await localAgents(context), managed: true }
      return { agents: usedAgents(context, connectionId), managed: false }
    },
    'agents.save': async ({ schemaId, ...agent }) => {
      const schema = schemaId === null ? null : tables.schemas.get(schemaId)
      if (schemaId !== null && schema === null) throw new AppError('not_found', { what: 'schema' })
      const control = await connections.control()
      const { reference } = await control('agents.save', {
        ...agent,
        ...(schema === null ? {} : { schema: schema.elements }),
      })
      emit('agents.changed', {})
      return { reference }
    },
    'agents.remove': async ({ reference }) => {
      const control = await connections.control()
      await control('agents.remove', { reference })
      emit('agents.changed', {})
      return {}
    },
    'agents.documents': async ({ reference }) => {
      const control = await connections.control()
      return control('agents.documents', { reference })
    },
    'agents.addDocuments': async ({ reference, paths }) => {
      const control = await connections.control()
      const added = await control('agents.addDocuments', { reference, paths })
      emit('agents.changed', {})
      return added
    },
    'agents.removeDocument': async ({ reference, id }) => {
      const control = await connections.control()
      await control('agents.removeDocument', { reference, id })
      emit('agents.changed', {})
      return {}
    },
  }
}

/**
 * The agents of this computer; conversations with them take over their names. Throws what starting the service throws.
 */
export async function localAgents({ tables, connections }: Pick<Needs, 'tables' | 'connections'>): Promise<AgentRow[]> {
  const control = await connections.control()
  const { agents } = await control('agents.list', {})
  const local = tables.connections.local().id
  for (const { reference, name } of agents) tables.conversations.nameAgent(local, reference, name)
  return agents
}

/** A platform lists no agents: what is known are the references that folders and conversations name. */
function usedAgents({ tables }: Needs, connectionId: number): AgentRow[] {
  const unknown = {
    visibility: 'Organization',
    organizationId: '',
    schema: null,
    ready: 0,
    reading: 0,
    failed: 0,
  } as const
  const asked = tables.conversations.agents(connectionId)
  const folders = tables.folders
    .list()
    .flatMap((folder) =>
      folder.connectionId === connectionId && folder.agentReference !== null ? [folder.agentReference] : [],
    )
  return [
    ...asked.map(
      ({ reference, name }): AgentRow => ({ ...unknown, reference, kind: 'documentalist', name: name ?? reference }),
    ),
    ...[...new Set(folders)].map(
      (reference): AgentRow => ({ ...unknown, reference, kind: 'extractor', name: reference }),
    ),
  ]
}
