import type { ReactNode } from 'react'
import type { DocumentDetail } from '../../../shared/contract/documents.ts'
import { Button } from '../../components/controls.tsx'
import { Icon } from '../../components/icon.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'
import { useRetryActions } from '../documents/retry-actions.ts'

type Attempt = DocumentDetail['attempts'][number]

type Outcome = 'open' | 'accepted' | 'succeeded' | 'failed' | 'returned' | 'lost'

const outcomes: Record<Outcome, MessageId> = {
  open: 'outcome.open',
  accepted: 'outcome.accepted',
  succeeded: 'outcome.succeeded',
  failed: 'outcome.failed',
  returned: 'outcome.returned',
  lost: 'outcome.lost',
}

/** The same where the document is read on this computer. */
const localOutcomes: Record<Outcome, MessageId> = {
  open: 'outcome.localOpen',
  accepted: 'outcome.localOpen',
  succeeded: 'outcome.localSucceeded',
  failed: 'outcome.localFailed',
  returned: 'outcome.localReturned',
  lost: 'outcome.localLost',
}

const approvals = { person: 'attempt.byPerson', setting: 'attempt.bySetting' } as const satisfies Record<
  NonNullable<Attempt['approved']>,
  MessageId
>

/** The number of each attempt by its id, from 1 for the oldest, whatever order they come in. Pure. */
export function attemptNumbers(attempts: readonly Pick<Attempt, 'id'>[]): Map<number, number> {
  const ids = attempts.map(({ id }) => id).sort((a, b) => a - b)
  return new Map(ids.map((id, index) => [id, index + 1]))
}

/** True when the service answered about the document, so that there is something to read again. Pure. */
export function isAnswered(document: { attempts: readonly Pick<Attempt, 'outcome'>[] }): boolean {
  return document.attempts.some(({ outcome }) => outcome === 'succeeded' || outcome === 'failed')
}

/** When and where the document was sent, what came of it, and which attempt repeats a lost one. */
export function Attempts({ document }: { document: DocumentDetail }): ReactNode {
  const { t, formats } = useLanguage()
  const { readAgain } = useRetryActions()
  const numbers = attemptNumbers(document.attempts)
  const open = document.status !== 'done' || document.attempts.some(({ resendOf }) => resendOf !== null)
  function outcome(attempt: Attempt): string {
    const known = Object.hasOwn(outcomes, attempt.outcome)
      ? (document.local ? localOutcomes : outcomes)[attempt.outcome as Outcome]
      : null
    const words = known ? t(known) : attempt.outcome
    return attempt.httpStatus === null || document.local ? words : `${words} (HTTP ${attempt.httpStatus})`
  }
  function again({ resendOf, approved }: Attempt): string | null {
    const number = resendOf === null ? undefined : numbers.get(resendOf)
    return number === undefined
      ? null
      : t(approved === null ? 'attempt.again' : approvals[approved], { number: formats.count(number) })
  }
  return (
    <details className="attempts" open={open}>
      <summary>
        <Icon name="right" size={12} />
        {t('document.attempts', { count: document.attempts.length })}
        {document.durationMs !== null && document.status === 'done' && (
          <span className="hint">{t('document.took', { time: formats.duration(document.durationMs) })}</span>
        )}
      </summary>
      <ol>
        {document.attempts.map((attempt) => (
          <li key={attempt.id}>
            <span className="attempts__line">
              {document.attempts.length > 1 && (
                <strong>{t('attempt.title', { number: formats.count(numbers.get(attempt.id) ?? 0) })}</strong>
              )}
              <span className="attempts__when">{formats.dateTime(attempt.startedAt)}</span>
              <span>
                {document.local
                  ? t('document.attemptLocal')
                  : t('document.attemptLine', {
                      host: attempt.host,
                      size: formats.size(attempt.bytesSent),
                      mode: attempt.mode === 'async' ? t('mode.async') : t('mode.sync'),
                    })}
              </span>
            </span>
            {again(attempt) !== null && (
              <span className="attempts__again">
                <Icon name="refresh" size={12} />
                {again(attempt)}
              </span>
            )}
            <span className="hint">{outcome(attempt)}</span>
          </li>
        ))}
      </ol>
      {document.status === 'done' && isAnswered(document) && (
        <div className="attempts__foot">
          <Button variant="quiet" icon="document" onPress={() => readAgain([document.id])}>
            {t('readAgain.one')}
          </Button>
          <span className="hint">{t('readAgain.hint')}</span>
        </div>
      )}
    </details>
  )
}
