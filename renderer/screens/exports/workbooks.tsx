import { useState } from 'react'
import type { ReactNode } from 'react'
import { Switch } from 'react-aria-components'
import type { AppState } from '../../../shared/contract/contract.ts'
import type { WorkbookRow } from '../../../shared/contract/workbooks.ts'
import { useAction } from '../../client/queries.ts'
import { navigate } from '../../client/route.ts'
import { Button } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import type { IconName } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout, EmptyState } from '../../components/page.tsx'
import { RevealButton } from '../../components/reveal-button.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { fileNameOf } from './file-name.ts'
import { WorkbookDialog } from './workbook-dialog.tsx'

type Host = AppState['host']

/** The workbook of each folder: those that grow as documents are approved, and folders that have none yet. */
export function Workbooks({ workbooks, host }: { workbooks: WorkbookRow[]; host: Host }): ReactNode {
  const { t } = useLanguage()
  if (workbooks.length === 0) {
    return (
      <EmptyState icon="folder" title={t('workbooks.none')} text={t('workbooks.hint')}>
        <Button variant="primary" onPress={() => navigate({ screen: 'folders' })}>
          {t('documents.toFolders')}
        </Button>
      </EmptyState>
    )
  }
  return (
    <div className="screen__scroll">
      <p className="books__hint">{t('workbooks.hint')}</p>
      <section className="panel exports__list">
        <ul className="rows" aria-label={t('workbooks.title')}>
          {workbooks.map((workbook) => (
            <WorkbookItem key={workbook.folderId} workbook={workbook} host={host} />
          ))}
        </ul>
      </section>
    </div>
  )
}

type ItemProps = { workbook: WorkbookRow; host: Host }

function WorkbookItem({ workbook, host }: ItemProps): ReactNode {
  const { t, locale, errorSentence } = useLanguage()
  const set = useAction('workbooks.set')
  const [isEditing, setIsEditing] = useState(false)
  const { folderId, folderName, on, place, writtenAt } = workbook
  function switchTo(isOn: boolean): void {
    // Its headers are in the language of the window until somebody says otherwise.
    set.mutate(
      { folderId, on: isOn, ...(isOn && writtenAt === null && workbook.path === null ? { locale } : {}) },
      { onError: (error) => notify('problem', errorSentence(error)) },
    )
  }
  return (
    <li className="rows__item book" data-off={!on || undefined}>
      <div className="rows__line">
        <Switch
          className="switch"
          isSelected={on}
          isDisabled={set.isPending}
          onChange={switchTo}
          aria-label={t('workbooks.switch', { name: folderName })}
        >
          <span className="switch__track" aria-hidden="true" />
        </Switch>
        <div className="rows__words">
          <strong className="ellipsis" title={folderName}>
            <bdi>{folderName}</bdi>
          </strong>
          {on ? (
            <small className="ellipsis" title={place}>
              <bdi>{place}</bdi>
            </small>
          ) : (
            <small>{t('workbooks.off')}</small>
          )}
          {on && <WorkbookContent workbook={workbook} />}
        </div>
        {on && <WorkbookState workbook={workbook} />}
        {on && <WorkbookActions workbook={workbook} host={host} onEdit={() => setIsEditing(true)} />}
      </div>
      {on && <WorkbookNotices workbook={workbook} />}
      {isEditing && <WorkbookDialog workbook={workbook} host={host} onClose={() => setIsEditing(false)} />}
    </li>
  )
}

/** How much is in the file, and since when; nothing while it has no documents. */
function WorkbookContent({ workbook: { rows, documents, writtenAt } }: Pick<ItemProps, 'workbook'>): ReactNode {
  const { t, formats } = useLanguage()
  if (writtenAt === null || documents === 0) return null
  const facts = [
    t('exports.rows', { count: rows, shown: formats.count(rows) }),
    t('count.documents', { count: documents, shown: formats.count(documents) }),
    t('workbooks.written', { time: formats.moment(writtenAt) }),
  ]
  return <small className="tabular">{facts.join(' · ')}</small>
}

function WorkbookActions({ workbook, host, onEdit }: ItemProps & { onEdit: () => void }): ReactNode {
  const { t, errorSentence } = useLanguage()
  const write = useAction('workbooks.writeNow')
  const reveal = useAction('workbooks.reveal')
  const { folderId, folderName, writtenAt } = workbook
  const onError = (error: unknown): void => notify('problem', errorSentence(error))
  return (
    <>
      {host === 'electron' && writtenAt !== null && (
        <RevealButton quiet onPress={() => reveal.mutate({ folderId }, { onError })} />
      )}
      <Button variant="quiet" ariaLabel={t('workbooks.editNamed', { name: folderName })} onPress={onEdit}>
        {t('workbooks.edit')}
      </Button>
      <Button
        ariaLabel={t('workbooks.writeNowNamed', { name: folderName })}
        isDisabled={write.isPending}
        onPress={() => write.mutate({ folderId }, { onError })}
      >
        {t('workbooks.writeNow')}
      </Button>
    </>
  )
}

/** Why the file is not written, and what became of one that a person changed. */
function WorkbookNotices({
  workbook: { folderId, place, problem, changedByHand },
}: Pick<ItemProps, 'workbook'>): ReactNode {
  const { t, sentence, errorSentence } = useLanguage()
  const dismiss = useAction('workbooks.dismiss')
  const onError = (error: unknown): void => notify('problem', errorSentence(error))
  return (
    <>
      {problem !== null && <Callout kind="flag">{sentence(problem)}</Callout>}
      {changedByHand !== null && (
        <Callout
          kind="info"
          action={
            <Button variant="quiet" onPress={() => dismiss.mutate({ folderId }, { onError })}>
              {t('workbooks.dismiss')}
            </Button>
          }
        >
          {t('workbooks.changedByHand', { old: fileNameOf(changedByHand), name: fileNameOf(place) })}
        </Callout>
      )}
    </>
  )
}

/** Whether the file has everything, in a few words with a shape. */
function WorkbookState({
  workbook: { problem, waitingRows, waitingDocuments, documents },
}: {
  workbook: WorkbookRow
}): ReactNode {
  const { t, formats } = useLanguage()
  // Rows that are not counted yet, or are to go, still wait.
  const count = Math.max(waitingRows, waitingDocuments)
  const waits = t('workbooks.waits', { count, shown: formats.count(count) })
  const [tone, icon, label]: [string, IconName, string] =
    problem !== null && count === 0
      ? ['flag', 'warning', t('workbooks.stuck')]
      : problem !== null
        ? ['flag', 'clock', waits]
        : count > 0
          ? ['moving', 'clock', waits]
          : documents === 0
            ? ['calm', 'clock', t('workbooks.nothingYet')]
            : ['ok', 'check', t('workbooks.current')]
  return (
    <span className={`badge badge--${tone}`}>
      <Icon name={icon} size={12} />
      {label}
    </span>
  )
}
