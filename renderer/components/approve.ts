import { useAction } from '../client/queries.ts'
import { useLanguage } from '../messages/language.tsx'
import { notify } from './notices.tsx'

export type Approve = { isPending: boolean; ready: () => void; some: (ids: number[]) => void }

/** Approves everything that no rule speaks against, or these documents whatever their rules say; with a way back. */
export function useApprove(): Approve {
  const { t, formats, errorSentence } = useLanguage()
  const ready = useAction('review.approveReady')
  const some = useAction('review.approve')
  const takeBack = useAction('review.takeBack')
  const onError = (error: unknown): void => notify('problem', errorSentence(error))
  const onSuccess = ({ approved, batch }: { approved: number; batch: number }): void =>
    notify('done', t('check.approved', { count: approved, shown: formats.count(approved) }), { label: t('check.undo'), run: () => takeBack.mutate({ batch }, { onError }) })
  return {
    isPending: ready.isPending || some.isPending,
    ready: () => ready.mutate({}, { onError, onSuccess }),
    some: (ids) => some.mutate({ ids }, { onError, onSuccess }),
  }
}
