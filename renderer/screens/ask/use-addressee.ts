import { useState } from 'react'
import type { AppState } from '../../../shared/contract/contract.ts'
import type { ConnectionRow } from '../../../shared/contract/connections.ts'
import type { ConversationRow } from '../../../shared/contract/ask.ts'
import type { AgentRow } from '../../../shared/domain/agent.ts'
import type { ErrorReason } from '../../../shared/domain/error-reason.ts'
import { useCall } from '../../client/queries.ts'

/** Whom a question goes to, as `ask.send` takes it. */
export type Addressee = Pick<ConversationRow, 'connectionId' | 'kind' | 'agentReference' | 'model'>

/** Whom a conversation was begun with. Pure. */
export function addresseeOf({ connectionId, kind, agentReference, model }: Addressee): Addressee {
  return { connectionId, kind, agentReference, model }
}

export type AddresseeChoice = {
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

/** The choice of whom to ask; at first whom was asked last (null: nobody yet). */
export function useAddressee(state: AppState, latest: Addressee | null): AddresseeChoice {
  const connectionOf = (id: number | undefined): ConnectionRow | undefined =>
    state.connections.find((connection) => connection.id === id)
  const [connectionId, setConnectionId] = useState(
    () => (connectionOf(latest?.connectionId) ?? state.connections[0])?.id,
  )
  const [chosen, setChosen] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const connection = connectionOf(connectionId)
  const { agents, models, modelsProblem, loading } = useOffers(connectionId ?? 0, connection !== undefined)
  const entries = entriesOf(agents, models, connection)
  const last = latest?.connectionId === connectionId ? latest : null
  const choice = [chosen, last && entryOf(last)].find((entry) => entry && entries.includes(entry)) ?? entries[0] ?? null
  return {
    connection,
    agents,
    models,
    modelsProblem,
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

type Offers = Pick<AddresseeChoice, 'agents' | 'models' | 'modelsProblem' | 'loading'>

/** Whom a connection offers to ask. */
function useOffers(connectionId: number, enabled: boolean): Offers {
  const agents = useCall('agents.list', { connectionId }, { enabled })
  const models = useCall('models.list', { connectionId }, { enabled })
  return {
    agents: (agents.data?.agents ?? []).filter(({ kind }) => kind === 'documentalist'),
    models: models.data?.models ?? [],
    modelsProblem: models.data?.problem ?? null,
    loading: agents.isPending || models.isPending,
  }
}

/** Every entry that can be chosen, in the order in which they are offered. Pure. */
function entriesOf(
  agents: readonly AgentRow[],
  models: readonly string[],
  connection: ConnectionRow | undefined,
): string[] {
  return [
    ...agents.map(({ reference }) => `agent:${reference}`),
    ...models.map((model) => `model:${model}`),
    ...(connection?.kind === 'platform' ? ['typed'] : []),
  ]
}

function entryOf({ kind, model, agentReference }: Addressee): string {
  return kind === 'chat' ? `model:${model ?? ''}` : `agent:${agentReference ?? ''}`
}

/** What an entry of the choice stands for; null while nothing is chosen or typed. Pure. */
export function addresseeFor(connectionId: number, choice: string | null, typed: string): Addressee | null {
  if (choice === 'typed')
    return typed.trim() === ''
      ? null
      : { connectionId, kind: 'documentalist', agentReference: typed.trim(), model: null }
  if (choice?.startsWith('agent:'))
    return { connectionId, kind: 'documentalist', agentReference: choice.slice('agent:'.length), model: null }
  if (choice?.startsWith('model:'))
    return { connectionId, kind: 'chat', agentReference: null, model: choice.slice('model:'.length) }
  return null
}
