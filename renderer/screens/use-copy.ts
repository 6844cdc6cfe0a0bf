import { notify } from '../components/notices.tsx'
import { useLanguage } from '../messages/language.tsx'

/** Puts a text into the clipboard and says so, with the given message or the usual one. */
export function useCopy(): (text: string, message?: string) => Promise<void> {
  const { t } = useLanguage()
  return async (text, message = t('schemas.copied')) => {
    await navigator.clipboard.writeText(text)
    notify('done', message)
  }
}
