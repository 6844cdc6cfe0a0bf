import type { ReactNode } from 'react'
import type { ConnectionRow } from '../../../shared/contract/connections.ts'
import type { AgentRow } from '../../../shared/domain/agent.ts'
import { hrefOf } from '../../client/route.ts'
import { connectionChoices } from '../../components/connection-choices.ts'
import { Select, TextField } from '../../components/controls.tsx'
import type { Choice } from '../../components/controls.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { Language, Translate } from '../../messages/language.tsx'
import type { AddresseeChoice } from './use-addressee.ts'

const aliasLabels = { 'svc-large': 'ask.modelLarge', 'svc-small': 'ask.modelSmall' } as const

/** What a model is good for, as the spec says of its two aliases; other names say it themselves. Pure. */
function modelDetail(model: string, t: Translate): string {
  return Object.hasOwn(aliasLabels, model) ? t(aliasLabels[model as keyof typeof aliasLabels]) : t('ask.modelOther')
}

type Props = { choice: AddresseeChoice; connections: ConnectionRow[] }

/** Where a new question goes: the connection when there is a choice, then a Documentalist or a model. */
export function AddresseeFields({ choice, connections }: Props): ReactNode {
  const { t, formats } = useLanguage()
  const { connection, loading } = choice
  const choices: Choice<string>[] = [
    ...choice.agents.map((agent) => ({
      key: `agent:${agent.reference}`,
      label: agent.name,
      detail: agentDetail(agent, connection, { t, formats }),
    })),
    ...choice.models.map((model) => ({
      key: `model:${model}`,
      label: t('ask.chatWith', { model }),
      detail: modelDetail(model, t),
    })),
    ...(connection?.kind === 'platform'
      ? [{ key: 'typed', label: t('ask.otherAgent'), detail: t('ask.otherAgentDetail') }]
      : []),
  ]
  return (
    <div className="whom">
      {connections.length > 1 && (
        <Select
          label={t('field.connection')}
          value={connection ? String(connection.id) : null}
          onChange={(key) => choice.chooseConnection(Number(key))}
          choices={connectionChoices(connections, t)}
        />
      )}
      <Select
        label={t('ask.whom')}
        value={choice.choice}
        onChange={choice.choose}
        choices={choices}
        placeholder={loading ? t('ask.looking') : t('ask.nobody')}
        isDisabled={choices.length === 0}
      />
      {choice.choice === 'typed' && (
        <TextField
          label={t('ask.identifier')}
          value={choice.typed}
          onChange={choice.type}
          placeholder={t('ask.identifierHint')}
          isRequired
        />
      )}
      {connection?.kind === 'local' && !loading && choice.models.length === 0 && (
        <NoLocalModel problem={choice.modelsProblem} />
      )}
      {connection?.kind === 'platform' && <PlatformNote name={connection.name} problem={choice.modelsProblem} />}
    </div>
  )
}

/** What a Documentalist answers from, or who may ask it. Pure. */
function agentDetail(
  agent: AgentRow,
  connection: ConnectionRow | undefined,
  { t, formats }: Pick<Language, 't' | 'formats'>,
): string {
  if (agent.visibility === 'Private') return t('ask.agentPrivate')
  return connection?.kind === 'local'
    ? t('ask.agentDetail', { count: agent.ready, shown: formats.count(agent.ready) })
    : t('ask.agentUsed')
}

type ModelsProblem = AddresseeChoice['modelsProblem']

/** Why there is no model on this computer to ask, and where one is named. */
function NoLocalModel({ problem }: { problem: ModelsProblem }): ReactNode {
  const { t, questionSentence } = useLanguage()
  return (
    <p className="hint whom__note">
      {problem && problem.code !== 'no_model_server' ? questionSentence(problem) : t('ask.noModel')}{' '}
      <a href={hrefOf({ screen: 'settings' })}>{t('ask.toSettings')}</a>
    </p>
  )
}

/** That a question leaves this computer, or why a platform's models cannot be asked. */
function PlatformNote({ name, problem }: { name: string; problem: ModelsProblem }): ReactNode {
  const { t, questionSentence } = useLanguage()
  return <p className="hint whom__note">{problem ? questionSentence(problem) : t('ask.leaves', { name })}</p>
}
