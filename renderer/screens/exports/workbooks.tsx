import { useState } from 'react'
import type { ReactNode } from 'react'
import { Switch } from 'react-aria-components'
import type { AppState } from '../../../shared/contract.ts'
import type { WorkbookRow } from '../../../shared/contract-workbooks.ts'
import { useAction } from '../../client/queries.ts'
import { navigate } from '../../client/route.ts'
import { Button } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import type { IconName } from '../../components/icon.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout, EmptyState } from '../../components/page.tsx'
import { RevealButton } from '../../components/reveal-button.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { fileNameOf } from './file-name-of.ts'
import { WorkbookDialog } from './workbook-dialog.tsx'

type Host = AppState['host']

/** The workbook of each folder: those that grow as documents are approved, and folders that have none yet. */
export function Workbooks({ workbooks, host }: { workbooks: WorkbookRow[]; host: Host }): ReactNode {
  const { t } = useLanguage()
  if (workbooks.length === 0) {
    return (
      <EmptyState icon="folder" title={t('workbooks.none')} text={t('workbooks.hint')}>
        <Button variant="primary" onPress={() => navigate({ screen: 'folders' })}>
          {t('jobs.toFolders')}
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

function WorkbookItem({ workbook, host }: { workbook: WorkbookRow; host: Host }): ReactNode {
  const { t, formats, locale, sentence, errorSentence } = useLanguage()
  const set = useAction('workbooks.set')
  const write = useAction('workbooks.writeNow')
  const dismiss = useAction('workbooks.dismiss')
  const reveal = useAction('workbooks.reveal')
  const [isOpen, setIsOpen] = useState(false)
  const { folderId, folderName, on, place, problem, changedByHand, writtenAt } = workbook
  const onError = (error: unknown): void => notify('problem', errorSentence(error))
  const rows = (count: number): string => t('exports.rows', { count, shown: formats.count(count) })
  function switchTo(isOn: boolean): void {
    // Its headers are in the language of the window until somebody says otherwise.
    set.mutate({ folderId, on: isOn, ...(isOn && writtenAt === null && workbook.path === null ? { locale } : {}) }, { onError })
  }
  const facts = writtenAt === null || workbook.documents === 0 ? [] : [rows(workbook.rows), t('count.documents', { count: workbook.documents, shown: formats.count(workbook.documents) }), t('workbooks.written', { time: formats.moment(writtenAt) })]
  return (
    <li className="rows__item book" data-off={!on || undefined}>
      <div className="rows__line">
        <Switch className="switch" isSelected={on} isDisabled={set.isPending} onChange={switchTo} aria-label={t('workbooks.switch', { name: folderName })}>
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
          {on && facts.length > 0 && <small className="tabular">{facts.join(' · ')}</small>}
        </div>
        {on && <WorkbookState workbook={workbook} />}
        {on && host === 'electron' && writtenAt !== null && (
          <RevealButton quiet onPress={() => reveal.mutate({ folderId }, { onError })} />
        )}
        {on && (
          <>
            <Button variant="quiet" title={t('workbooks.editNamed', { name: folderName })} onPress={() => setIsOpen(true)}>
              {t('workbooks.edit')}
            </Button>
            <Button title={t('workbooks.writeNowNamed', { name: folderName })} isDisabled={write.isPending} onPress={() => write.mutate({ folderId }, { onError })}>
              {t('workbooks.writeNow')}
            </Button>
          </>
        )}
      </div>
      {on && problem !== null && <Callout kind="flag">{sentence(problem)}</Callout>}
      {on && changedByHand !== null && (
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
      {isOpen && <WorkbookDialog workbook={workbook} host={host} onClose={() => setIsOpen(false)} />}
    </li>
  )
}

/** Whether the file has everything, in a few words with a shape. */
function WorkbookState({ workbook: { problem, waitingRows, waitingDocuments, documents } }: { workbook: WorkbookRow }): ReactNode {
  const { t, formats } = useLanguage()
  // Rows that are not counted yet, or are to go, still wait.
  const count = Math.max(waitingRows, waitingDocuments)
  const waits = t('workbooks.waits', { count, shown: formats.count(count) })
  const [tone, icon, words]: [string, IconName, string] =
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
      {words}
    </span>
  )
}
