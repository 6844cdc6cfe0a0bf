import { useState } from 'react'
import type { ReactNode } from 'react'
import type { DocumentDetail } from '../../../shared/contract/documents.ts'
import { useAction, useCall } from '../../client/queries.ts'
import { hrefOf, navigate } from '../../client/route.ts'
import { Button } from '../../components/controls.tsx'
import { notify } from '../../components/notices.tsx'
import { Callout } from '../../components/page.tsx'
import { pagesText } from '../../messages/document-name.ts'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import { useRetryActions } from '../documents/retry-actions.ts'
import { ConfirmResend } from '../documents/document-actions.tsx'
import { actionsFor, selectOnly } from '../documents/selection.ts'
import { isSorted } from '../documents/sortable.ts'
import { isAnswered } from './attempts.tsx'

/** Why there is no result, or what has to be known about it, with what can be done. */
export function DocumentReason({ document }: { document: DocumentDetail }): ReactNode {
  const { t, errorSentence } = useLanguage()
  const retryActions = useRetryActions()
  const cancel = useAction('documents.cancel')
  const [asking, setAsking] = useState(false)
  const text = useReasonText(document)
  const possible = actionsFor(selectOnly(document, 0), () => undefined)
  // What lies in its place is a document of its own: this version is not sent any more.
  const actions = document.newerDocumentId === null ? possible : { ...possible, retry: [], resend: [] }
  const ids = [document.id]
  const onError = (error: unknown): void => notify('problem', errorSentence(error))
  if (text === null && actions.retry.length === 0) return null
  return (
    <div className="reason">
      {text !== null && <Callout kind={calloutKind(document)}>{text}</Callout>}
      {document.newerDocumentId !== null && (
        <Callout kind="good">
          {t('document.newer')}{' '}
          <a href={hrefOf({ screen: 'document', id: document.newerDocumentId })}>{t('document.newerLink')}</a>
        </Callout>
      )}
      {document.parts.length > 0 && <Parts parts={document.parts} />}
      <div className="form__row">
        {isSorted(document) && (
          <Button variant="primary" icon="sort" onPress={() => navigate({ screen: 'sort', id: document.id })}>
            {t('sort.action')}
          </Button>
        )}
        {actions.retry.length > 0 && (
          <Button icon="refresh" onPress={() => retryActions.retry(ids)}>
            {t('document.retry')}
          </Button>
        )}
        {actions.resend.length > 0 && (
          <Button variant="primary" icon="question" onPress={() => setAsking(true)}>
            {t('document.resend')}
          </Button>
        )}
        {canReadAgain(document) && (
          <Button icon="document" onPress={() => retryActions.readAgain(ids)}>
            {t('readAgain.one')}
          </Button>
        )}
        {actions.cancel.length > 0 && (
          <Button icon="stop" onPress={() => cancel.mutate({ ids }, { onError })}>
            {t('document.cancel')}
          </Button>
        )}
      </div>
      {asking && (
        <ConfirmResend count={1} onConfirm={() => retryActions.resend(ids)} onClose={() => setAsking(false)} />
      )}
    </div>
  )
}

/** The documents that a cut file holds. */
function Parts({ parts }: Pick<DocumentDetail, 'parts'>): ReactNode {
  const { t } = useLanguage()
  return (
    <ul className="reason__parts">
      {parts.map(({ id, firstPage, lastPage }) => (
        <li key={id}>
          <a href={hrefOf({ screen: 'document', id })}>{pagesText({ first: firstPage, last: lastPage }, t)}</a>
        </li>
      ))}
    </ul>
  )
}

const waitingTexts: Partial<Record<DocumentDetail['status'], MessageId>> = {
  queued: 'document.queuedText',
  submitting: 'document.submittingText',
  waiting: 'document.waitingText',
  cancelled: 'document.cancelledText',
}

function useReasonText({ reason, status }: DocumentDetail): string | null {
  const { t, sentence } = useLanguage()
  const isPaused = useCall('app.state', {}).data?.paused === true
  if (reason) return sentence(reason)
  const text = status === 'queued' && isPaused ? 'document.queuedPaused' : waitingTexts[status]
  return text === undefined ? null : t(text)
}

/** How grave it is. Pure. */
function calloutKind({ newerDocumentId, status, reason }: DocumentDetail): 'info' | 'flag' | 'bad' {
  if (newerDocumentId !== null) return 'info'
  if (status === 'failed') return 'bad'
  const needsLook = reason?.code === 'callback_overdue' || reason?.code === 'callback_other_number'
  return status === 'unknown' || needsLook ? 'flag' : 'info'
}

/** Whether something that the service sent is kept, and may say more when it is read once more. Pure. */
function canReadAgain(document: DocumentDetail): boolean {
  const code = document.reason?.code
  if (code === 'callback_other_number' || code === 'callback_missing') return true
  return (document.status === 'failed' || code === 'file_replaced') && isAnswered(document)
}
