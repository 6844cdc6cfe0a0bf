import type { CallOutput } from '../../shared/contract/contract.ts'
import { call } from '../client/client.ts'
import { useAction } from '../client/queries.ts'
import { useLanguage } from '../messages/language.tsx'
import type { Language } from '../messages/language.tsx'
import { notify } from './notices.tsx'

type Approve = { isPending: boolean; ready: () => void; some: (ids: number[]) => void }

/** Says what was approved, with an undo that works after its screen is closed and says when it is done. */
export function notifyApproved(
  { approved, flags, batch }: CallOutput<'review.approve'>,
  { t, formats, errorSentence }: Pick<Language, 't' | 'formats' | 'errorSentence'>,
): void {
  const amount = { count: approved, shown: formats.count(approved) }
  const takeBack = (): void =>
    void call('review.takeBack', { batch }).then(
      () => notify('done', t('check.takenBack', amount)),
      (error: unknown) => notify('problem', errorSentence(error)),
    )
  const text =
    flags === 0
      ? t('check.approved', amount)
      : t('check.approvedFlags', { ...amount, flags, flagsShown: formats.count(flags) })
  notify('done', text, { label: t('check.undo'), run: takeBack })
}

/** Approves all documents without flags, or these documents whatever their flags; can be undone. */
export function useApprove(): Approve {
  const language = useLanguage()
  const ready = useAction('review.approveReady')
  const some = useAction('review.approve')
  const onError = (error: unknown): void => notify('problem', language.errorSentence(error))
  const onSuccess = (outcome: CallOutput<'review.approve'>): void => notifyApproved(outcome, language)
  return {
    isPending: ready.isPending || some.isPending,
    ready: () => ready.mutate({}, { onError, onSuccess }),
    some: (ids) => some.mutate({ ids }, { onError, onSuccess }),
  }
}
