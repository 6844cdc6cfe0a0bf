import type { CallOutput } from '../../../shared/contract/contract.ts'
import { call } from '../../client/client.ts'
import { useAction } from '../../client/queries.ts'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'

export type Bin = { move: (ids: number[]) => void; restore: (ids: number[]) => void }

/** Puts documents into the bin, with a way back, and takes them out of it. */
export function useBin(): Bin {
  const { t, formats, errorSentence } = useLanguage()
  const move = useAction('documents.bin')
  const restore = useAction('documents.restore')
  const onError = (error: unknown): void => notify('problem', errorSentence(error))
  const restored = ({ restored: count, cutOtherwise }: CallOutput<'documents.restore'>): void => {
    if (count > 0 || cutOtherwise === 0) notify('done', t('bin.restored', { count, shown: formats.count(count) }))
    if (cutOtherwise > 0)
      notify('problem', t('bin.cutOtherwise', { count: cutOtherwise, shown: formats.count(cutOtherwise) }))
  }
  const moved = (ids: number[], { moved: count, underWay }: CallOutput<'documents.bin'>): void => {
    const undo = (): void => void call('documents.restore', { ids }).then(restored, onError)
    if (count > 0)
      notify('done', t('bin.moved', { count, shown: formats.count(count) }), { label: t('check.undo'), run: undo })
    if (underWay > 0) notify('problem', t('bin.underWay', { count: underWay, shown: formats.count(underWay) }))
  }
  return {
    // What comes of it is told also where the screen that asked for it is gone by then.
    move: (ids) => void move.mutateAsync({ ids }).then((outcome) => moved(ids, outcome), onError),
    restore: (ids) => restore.mutate({ ids }, { onError, onSuccess: restored }),
  }
}
