import { useState } from 'react'
import type { ReactNode } from 'react'
import type { AgentDocumentRow, AgentRow } from '../../../shared/domain/agent.ts'
import type { AppState } from '../../../shared/contract/contract.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { Button, IconButton } from '../../components/controls.tsx'
import { Confirm, Dialog } from '../../components/dialog.tsx'
import { FolderPicker } from '../../components/folder-picker.tsx'
import { Icon } from '../../components/icon.tsx'
import type { IconName } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import { addedMessage } from './agent-dialog.tsx'

type Props = { host: AppState['host']; agent: AgentRow; onClose: () => void }

/** The documents that a Documentalist answers from, with what became of each. */
export function AgentDocuments({ host, agent, onClose }: Props): ReactNode {
  const language = useLanguage()
  const { t, errorSentence } = language
  const { reference } = agent
  const list = useCall(
    'agents.documents',
    { reference },
    { pollWhile: (answer) => answer.documents.some(({ state }) => state === 'reading') },
  )
  const documents = list.data?.documents
  const add = useAction('agents.addDocuments')
  const remove = useAction('agents.removeDocument')
  const [path, setPath] = useState('')
  const [removed, setRemoved] = useState<AgentDocumentRow | null>(null)
  function addFolder(): void {
    add.mutate(
      { reference, paths: [path.trim()] },
      {
        onSuccess(answer) {
          setPath('')
          notify('done', addedMessage(answer, language))
        },
      },
    )
  }
  return (
    <Dialog
      title={t('agents.documentsOf', { name: agent.name })}
      width="wide"
      onClose={onClose}
      actions={<Button onPress={onClose}>{t('action.close')}</Button>}
    >
      <div className="add-folder">
        <FolderPicker host={host} value={path} onChange={setPath} />
        <Button variant="primary" onPress={addFolder} isDisabled={path.trim() === '' || add.isPending}>
          {add.isPending ? t('agents.adding') : t('agents.addFolder')}
        </Button>
      </div>
      {add.isError && <Callout kind="bad">{errorSentence(add.error)}</Callout>}
      {list.isError && <Callout kind="bad">{errorSentence(list.error)}</Callout>}
      {documents?.length === 0 && <p className="hint">{t('agents.documentsNone')}</p>}
      {documents && documents.length > 0 && (
        <ul className="rows agent-documents" aria-label={t('agents.documents')} tabIndex={0}>
          {documents.map((document) => (
            <DocumentItem key={document.id} document={document} onRemove={() => setRemoved(document)} />
          ))}
        </ul>
      )}
      {removed && (
        <Confirm
          title={t('agents.removeDocumentTitle', { name: removed.name })}
          confirm={t('settings.removeConfirm')}
          danger
          onConfirm={() =>
            remove.mutate(
              { reference, id: removed.id },
              { onError: (error) => notify('problem', errorSentence(error)) },
            )
          }
          onClose={() => setRemoved(null)}
        >
          <p>{t('agents.removeDocumentText')}</p>
        </Confirm>
      )}
    </Dialog>
  )
}

const badges: Record<AgentDocumentRow['state'], { tone: string; icon: IconName; label: MessageId }> = {
  ready: { tone: 'ok', icon: 'check', label: 'agents.stateReady' },
  reading: { tone: 'moving', icon: 'clock', label: 'agents.stateReading' },
  failed: { tone: 'bad', icon: 'cross', label: 'agents.stateFailed' },
}

function DocumentItem({ document, onRemove }: { document: AgentDocumentRow; onRemove: () => void }): ReactNode {
  const { t, formats, sentence } = useLanguage()
  const { tone, icon, label } = badges[document.state]
  const facts = [
    formats.size(document.sizeBytes),
    ...(document.state === 'ready'
      ? [t('agents.pages', { count: document.pages, shown: formats.count(document.pages) })]
      : []),
    formats.moment(document.addedAt),
  ]
  return (
    <li className="rows__item">
      <div className="rows__line">
        <Icon name="document" />
        <div className="rows__words">
          <strong className="ellipsis" title={document.name}>
            <bdi>{document.name}</bdi>
          </strong>
          <small>{document.problem ? sentence(document.problem) : facts.join(' · ')}</small>
        </div>
        <span className={`badge badge--${tone}`}>
          <Icon name={icon} size={12} />
          {t(label)}
        </span>
        <IconButton icon="trash" label={t('agents.removeDocument', { name: document.name })} onPress={onRemove} />
      </div>
    </li>
  )
}
