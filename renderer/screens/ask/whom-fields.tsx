import type { ReactNode } from 'react'
import type { ConnectionRow } from '../../../shared/contract.ts'
import { hrefOf } from '../../client/route.ts'
import { connectionChoices } from '../../components/connection-choices.ts'
import { Select, TextField } from '../../components/controls.tsx'
import type { Choice } from '../../components/controls.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { Translate } from '../../messages/language.tsx'
import type { Whom } from './whom.ts'

const aliasWords = { 'svc-large': 'ask.modelLarge', 'svc-small': 'ask.modelSmall' } as const

/** What a model is good for, as the spec says of its two aliases; other names say it themselves. Pure. */
export function modelDetail(model: string, t: Translate): string {
  return Object.hasOwn(aliasWords, model) ? t(aliasWords[model as keyof typeof aliasWords]) : t('ask.modelOther')
}

/** Where a new question goes: the connection when there is a choice, then a Documentalist or a model. */
export function WhomFields({ whom, connections }: { whom: Whom; connections: ConnectionRow[] }): ReactNode {
  const { t, formats, questionSentence } = useLanguage()
  const { connection } = whom
  const choices: Choice<string>[] = [
    ...whom.agents.map((agent) => ({
      key: `agent:${agent.reference}`,
      label: agent.name,
      detail: agent.visibility === 'Private' ? t('ask.agentPrivate') : connection?.kind === 'local' ? t('ask.agentDetail', { count: agent.ready, shown: formats.count(agent.ready) }) : t('ask.agentUsed'),
    })),
    ...whom.models.map((model) => ({ key: `model:${model}`, label: t('ask.chatWith', { model }), detail: modelDetail(model, t) })),
    ...(connection?.kind === 'platform' ? [{ key: 'typed', label: t('ask.otherAgent'), detail: t('ask.otherAgentDetail') }] : []),
  ]
  return (
    <div className="whom">
      {connections.length > 1 && (
        <Select label={t('field.connection')} value={connection ? String(connection.id) : null} onChange={(key) => whom.chooseConnection(Number(key))} choices={connectionChoices(connections, t)} />
      )}
      <Select label={t('ask.whom')} value={whom.choice} onChange={whom.choose} choices={choices} placeholder={whom.loading ? t('ask.looking') : t('ask.nobody')} isDisabled={choices.length === 0} />
      {whom.choice === 'typed' && <TextField label={t('ask.identifier')} value={whom.typed} onChange={whom.type} placeholder={t('ask.identifierHint')} isRequired />}
      {connection?.kind === 'local' && !whom.loading && whom.models.length === 0 && (
        <p className="hint whom__note">
          {whom.modelsProblem && whom.modelsProblem.code !== 'no_model_server' ? questionSentence(whom.modelsProblem) : t('ask.noModel')} <a href={hrefOf({ screen: 'settings' })}>{t('ask.toSettings')}</a>
        </p>
      )}
      {connection?.kind === 'platform' && <p className="hint whom__note">{whom.modelsProblem ? questionSentence(whom.modelsProblem) : t('ask.leaves', { name: connection.name })}</p>}
    </div>
  )
}
