import type { CallOutput } from '../../../shared/contract/contract.ts'
import { notify } from '../../components/notices.tsx'
import { useLanguage } from '../../messages/language.tsx'

type Refused = Pick<CallOutput<'documents.setSchema'>, 'refused' | 'problem'>

/** Says of how many documents a service was not asked, and why of the first; nothing where there are none. */
export function useRefusedNotice(key: 'change.refused' | 'with.refused'): (outcome: Refused) => void {
  const { t, formats, sentence } = useLanguage()
  return ({ refused, problem }) => {
    if (problem === null) return
    const shown = formats.count(refused)
    notify('problem', t(key, { count: refused, shown, name: problem.name, why: sentence(problem) }))
  }
}
