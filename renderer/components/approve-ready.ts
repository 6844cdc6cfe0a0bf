import { useAction } from '../client/queries.ts'
import { useLanguage } from '../messages/language.tsx'
import { notify } from './notices.tsx'

/** Approves everything that no rule speaks against, with a way back. */
export function useApproveReady(): { isPending: boolean; run: () => void } {
  const { t, formats, errorSentence } = useLanguage()
  const approve = useAction('review.approveReady')
  const takeBack = useAction('review.takeBack')
  const onError = (error: unknown): void => notify('problem', errorSentence(error))
  return {
    isPending: approve.isPending,
    run: () =>
      approve.mutate(
        {},
        {
          onError,
          onSuccess: ({ approved, batch }) =>
            notify('done', t('check.approved', { count: approved, shown: formats.count(approved) }), { label: t('check.undo'), run: () => takeBack.mutate({ batch }, { onError }) }),
        },
      ),
  }
}
