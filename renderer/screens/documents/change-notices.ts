import type { CallOutput } from '../../../shared/contract/contract.ts'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'

type Changed = CallOutput<'sorting.apply'>
type Action = Parameters<typeof notify>[2]

/** Says what came of it that documents have other schemas or pages; `action`: what can still be done about it. */
export function useChangeNotices(): (changed: Changed, action?: Action) => void {
  const { t, formats } = useLanguage()
  return ({ queued, linked, known, kept }, action) => {
    const counted = (count: number) => ({ count, shown: formats.count(count) })
    const before = linked + known
    const sentences = [
      ...(queued > 0 ? [t('changed.queued', counted(queued))] : []),
      ...(before > 0 ? [t('changed.known', counted(before))] : []),
      ...(kept > 0 ? [t('changed.kept', counted(kept))] : []),
    ]
    if (sentences.length > 0) notify('done', sentences.join(' '), action)
  }
}
