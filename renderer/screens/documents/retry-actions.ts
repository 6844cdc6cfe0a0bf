import type { CallOutput } from '../../../shared/contract/contract.ts'
import { useAction } from '../../client/queries.ts'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'
import type { MessageId } from '../../messages/language.tsx'

type RetryActions = {
  /** Puts failed, skipped and cancelled documents back into the queue, where nothing can be billed twice. */
  retry: (ids: number[]) => void
  /**
   * Sends documents again that have an unclear outcome or were cancelled on their way, after the person agreed that
   * they may be billed twice; null: all of them.
   */
  resend: (ids: number[] | null) => void
  /** Parses the stored answers again, without the service. */
  readAgain: (ids: number[]) => void
}

/** The ways to do a document again, each of which says what came of it. */
export function useRetryActions(): RetryActions {
  const { t, formats, errorSentence } = useLanguage()
  const retry = useAction('documents.retry')
  const resend = useAction('documents.resend')
  const readAgain = useAction('documents.readAgain')
  const onError = (error: unknown): void => notify('problem', errorSentence(error))
  const sentAgain = (count: number): void =>
    notify('done', t('documents.retried', { count, shown: formats.count(count) }))
  /** Documents whose file is gone or replaced are not sent, although that was asked for. */
  function sayRetried({ retried, replaced, missing }: CallOutput<'documents.retry'>): void {
    if (replaced === 0 && missing === 0)
      return notify('done', t('documents.triedAgain', { count: retried, shown: formats.count(retried) }))
    const words = (id: MessageId, count: number): string[] =>
      count > 0 ? [t(id, { count, shown: formats.count(count) })] : []
    notify(
      'problem',
      [
        ...words('documents.fileReplaced', replaced),
        ...words('documents.fileMissing', missing),
        ...words('documents.restRetried', retried - replaced - missing),
      ].join(' '),
    )
  }
  return {
    retry: (ids) => retry.mutate({ ids }, { onError, onSuccess: sayRetried }),
    resend: (ids) => resend.mutate({ ids }, { onError, onSuccess: ({ sent }) => sentAgain(sent) }),
    readAgain: (ids) =>
      readAgain.mutate(
        { ids },
        {
          onError,
          onSuccess: ({ read, changed }) =>
            notify(
              'done',
              t('readAgain.done', {
                read,
                changed,
                readShown: formats.count(read),
                changedShown: formats.count(changed),
              }),
            ),
        },
      ),
  }
}
