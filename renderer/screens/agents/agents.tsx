import { useState } from 'react'
import type { ReactNode } from 'react'
import type { AgentRow } from '../../../shared/domain/agent.ts'
import type { AppState } from '../../../shared/contract/contract.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { hrefOf } from '../../client/route.ts'
import { Button, IconButton } from '../../components/controls.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout, EmptyState, PageHead } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import { labelOf } from '../../messages/values.ts'
import { useCopy } from '../use-copy.ts'
import { AgentDialog, visibilityLabels } from './agent-dialog.tsx'
import { AgentDocuments } from './agent-documents.tsx'

type Open = { kind: 'add' } | { kind: 'edit' | 'documents' | 'remove'; agent: AgentRow }

/** The Documentalists and Extractors that the service on this computer offers. */
export function AgentsScreen({ state }: { state: AppState }): ReactNode {
  const { t, errorSentence, questionSentence } = useLanguage()
  const local = state.connections.find(({ kind }) => kind === 'local')
  const list = useCall(
    'agents.list',
    { connectionId: local?.id ?? 0 },
    { enabled: local !== undefined, pollWhile: (answer) => answer.agents.some(({ reading }) => reading > 0) },
  )
  const agents = list.data?.agents
  const remove = useAction('agents.remove')
  const [open, setOpen] = useState<Open | null>(null)
  const addButton = (
    <Button variant="primary" onPress={() => setOpen({ kind: 'add' })}>
      {t('agents.add')}
    </Button>
  )
  return (
    <div className="screen">
      <PageHead
        title={t('agents.title')}
        sub={
          <a className="back-link" href={hrefOf({ screen: 'ask', id: null })}>
            <Icon name="left" size={12} />
            {t('ask.title')}
          </a>
        }
      >
        {addButton}
      </PageHead>
      {list.isError && (
        <div className="screen__scroll">
          <Callout kind="bad" action={<Button onPress={() => void list.refetch()}>{t('app.retry')}</Button>}>
            {questionSentence(list.error)}
          </Callout>
        </div>
      )}
      {!list.isError && !agents && <div className="screen__scroll" aria-busy="true" />}
      {agents?.length === 0 && (
        <EmptyState icon="agent" title={t('agents.none')} text={t('agents.noneText')}>
          {addButton}
        </EmptyState>
      )}
      {agents && agents.length > 0 && (
        <ul className="screen__scroll cards" aria-label={t('agents.title')}>
          {agents.map((agent) => (
            <AgentCard key={agent.reference} agent={agent} onOpen={setOpen} />
          ))}
        </ul>
      )}
      {open && (
        <OpenDialog
          open={open}
          host={state.host}
          onRemove={({ reference }) =>
            remove.mutate({ reference }, { onError: (error) => notify('problem', errorSentence(error)) })
          }
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  )
}

type OpenDialogProps = {
  open: Open
  host: AppState['host']
  /** Called here and not in the dialog: it is closed before the answer is there. */
  onRemove: (agent: AgentRow) => void
  onClose: () => void
}

function OpenDialog({ open, host, onRemove, onClose }: OpenDialogProps): ReactNode {
  const { t } = useLanguage()
  if (open.kind === 'add') return <AgentDialog host={host} agent={null} onClose={onClose} />
  const { kind, agent } = open
  if (kind === 'edit') return <AgentDialog host={host} agent={agent} onClose={onClose} />
  if (kind === 'documents') return <AgentDocuments host={host} agent={agent} onClose={onClose} />
  return (
    <Confirm
      title={t('agents.removeTitle', { name: agent.name })}
      confirm={t('settings.removeConfirm')}
      danger
      onConfirm={() => onRemove(agent)}
      onClose={onClose}
    >
      <p>{t(agent.kind === 'documentalist' ? 'agents.removeText' : 'agents.removeExtractorText')}</p>
    </Confirm>
  )
}

const kindLabels: Record<AgentRow['kind'], MessageId> = {
  documentalist: 'agents.documentalist',
  extractor: 'agents.extractor',
  writer: 'agents.writer',
}
const maxFieldsShown = 5

function AgentCard({ agent, onOpen }: { agent: AgentRow; onOpen: (open: Open) => void }): ReactNode {
  const { t } = useLanguage()
  const copy = useCopy()
  const fields = agent.schema ?? []
  return (
    <li className="card agent-card" aria-label={agent.name}>
      <div className="card__head">
        <Icon name={agent.kind === 'documentalist' ? 'agent' : 'schema'} />
        <h2 className="ellipsis" title={agent.name}>
          <bdi>{agent.name}</bdi>
        </h2>
        <IconButton
          icon="trash"
          label={t('agents.remove', { name: agent.name })}
          onPress={() => onOpen({ kind: 'remove', agent })}
        />
      </div>
      <dl className="facts">
        <div>
          <dt>{t('agents.kind')}</dt>
          <dd>{t(kindLabels[agent.kind])}</dd>
        </div>
        <div>
          <dt>{t('agents.visibility')}</dt>
          <dd title={t(visibilityLabels[agent.visibility].detail)}>{t(visibilityLabels[agent.visibility].label)}</dd>
        </div>
      </dl>
      <dl className="facts facts--wide">
        <div>
          <dt>{t(agent.kind === 'documentalist' ? 'agents.identifier' : 'agents.reference')}</dt>
          <dd className="reference">
            <code className="ellipsis selectable" title={agent.reference}>
              {agent.reference}
            </code>
            <IconButton
              icon="copy"
              label={t('agents.copy')}
              onPress={() => void copy(agent.reference, t('agents.copied', { reference: agent.reference }))}
            />
          </dd>
        </div>
      </dl>
      {agent.kind === 'documentalist' ? (
        <DocumentCounts agent={agent} />
      ) : (
        <ul className="chips" aria-label={t('schemas.fields')}>
          {fields.slice(0, maxFieldsShown).map((field) => (
            <li key={field.name} className="chip ellipsis" title={field.description}>
              {labelOf(field.name)}
            </li>
          ))}
          {fields.length > maxFieldsShown && (
            <li className="chip chip--more">{t('schemas.moreFields', { shown: fields.length - maxFieldsShown })}</li>
          )}
        </ul>
      )}
      <div className="card__foot">
        <span />
        <Button variant="quiet" onPress={() => onOpen({ kind: 'edit', agent })}>
          {t('agents.edit')}
        </Button>
        {agent.kind === 'documentalist' && (
          <Button onPress={() => onOpen({ kind: 'documents', agent })}>{t('agents.documents')}</Button>
        )}
      </div>
    </li>
  )
}

/** A Documentalist's documents by state, each with its shape and words. */
function DocumentCounts({ agent }: { agent: AgentRow }): ReactNode {
  const { t, formats } = useLanguage()
  return (
    <p className="agent-card__counts">
      {agent.ready + agent.reading + agent.failed === 0 && (
        <span className="badge badge--calm">{t('agents.noDocuments')}</span>
      )}
      {agent.ready > 0 && (
        <span className="badge badge--ok">
          <Icon name="check" size={12} />
          {t('agents.ready', { count: agent.ready, shown: formats.count(agent.ready) })}
        </span>
      )}
      {agent.reading > 0 && (
        <span className="badge badge--moving">
          <Icon name="clock" size={12} />
          {t('agents.reading', { shown: formats.count(agent.reading) })}
        </span>
      )}
      {agent.failed > 0 && (
        <span className="badge badge--bad">
          <Icon name="cross" size={12} />
          {t('agents.failed', { count: agent.failed, shown: formats.count(agent.failed) })}
        </span>
      )}
    </p>
  )
}
