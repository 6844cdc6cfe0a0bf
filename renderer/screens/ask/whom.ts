import { useState } from 'react'
import type { AppState, ConnectionRow } from '../../../shared/contract.ts'
import type { ConversationRow } from '../../../shared/contract-platform.ts'
import type { AgentRow } from '../../../shared/agent.ts'
import type { ErrorReason } from '../../../shared/error-reason.ts'
import { useCall } from '../../client/queries.ts'

/** Whom a question goes to, as `ask.send` takes it. */
export type Addressee = Pick<ConversationRow, 'connectionId' | 'kind' | 'agentReference' | 'model'>

/** Whom a conversation was begun with. Pure. */
export function addresseeOf({ connectionId, kind, agentReference, model }: Addressee): Addressee {
  return { connectionId, kind, agentReference, model }
}

export type Whom = {
  connection: ConnectionRow | undefined
  agents: AgentRow[]
  models: string[]
  /** Why there is no model to choose. */
  modelsProblem: ErrorReason | null
  /** The chosen entry: `agent:…`, `model:…`, `typed` for an identifier to type; null while there is none. */
  choice: string | null
  typed: string
  addressee: Addressee | null
  loading: boolean
  /** This computer has neither a Documentalist nor a model to ask. */
  nobodyHere: boolean
  choose: (choice: string) => void
  chooseConnection: (id: number) => void
  type: (reference: string) => void
}

/** The choice of whom to ask, begun with whom was asked last. */
export function useWhom(state: AppState, latest: Addressee | null): Whom {
  const known = (id: number | undefined): ConnectionRow | undefined => state.connections.find((connection) => connection.id === id)
  const [connectionId, setConnectionId] = useState(() => (known(latest?.connectionId) ?? state.connections[0])?.id)
  const [chosen, setChosen] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const connection = known(connectionId)
  const enabled = connection !== undefined
  const agentsAnswer = useCall('agents.list', { connectionId: connectionId ?? 0 }, { enabled })
  const modelsAnswer = useCall('models.list', { connectionId: connectionId ?? 0 }, { enabled })
  const agents = (agentsAnswer.data?.agents ?? []).filter(({ kind }) => kind === 'documentalist')
  const models = modelsAnswer.data?.models ?? []
  const entries = [...agents.map(({ reference }) => `agent:${reference}`), ...models.map((model) => `model:${model}`), ...(connection?.kind === 'platform' ? ['typed'] : [])]
  const last = latest && latest.connectionId === connectionId ? (latest.kind === 'chat' ? `model:${latest.model ?? ''}` : `agent:${latest.agentReference ?? ''}`) : null
  const choice = [chosen, last].find((entry) => entry !== null && entries.includes(entry)) ?? entries[0] ?? null
  const loading = agentsAnswer.isPending || modelsAnswer.isPending
  return {
    connection,
    agents,
    models,
    modelsProblem: modelsAnswer.data?.problem ?? null,
    choice,
    typed,
    addressee: connection ? addresseeFor(connection.id, choice, typed) : null,
    loading,
    nobodyHere: connection?.kind === 'local' && !loading && agents.length === 0,
    choose: setChosen,
    chooseConnection(id) {
      setConnectionId(id)
      setChosen(null)
    },
    type: setTyped,
  }
}

/** What an entry of the choice stands for; null while nothing is chosen or typed. Pure. */
export function addresseeFor(connectionId: number, choice: string | null, typed: string): Addressee | null {
  if (choice === 'typed') return typed.trim() === '' ? null : { connectionId, kind: 'documentalist', agentReference: typed.trim(), model: null }
  if (choice?.startsWith('agent:')) return { connectionId, kind: 'documentalist', agentReference: choice.slice('agent:'.length), model: null }
  if (choice?.startsWith('model:')) return { connectionId, kind: 'chat', agentReference: null, model: choice.slice('model:'.length) }
  return null
}
