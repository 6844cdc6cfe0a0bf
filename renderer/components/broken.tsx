import type { ReactNode } from 'react'
import { useLanguage } from '../messages/language.tsx'
import { Button } from './controls.tsx'
import { EmptyState } from './page.tsx'

/** In the place of the window, or of a screen, that cannot be shown: the sentence says why. */
export function Broken({ error, onRetry }: { error: unknown; onRetry: () => void }): ReactNode {
  const { t, errorSentence } = useLanguage()
  return (
    <EmptyState icon="warning" title={t('app.broken')} text={errorSentence(error)}>
      <Button onPress={onRetry}>{t('app.retry')}</Button>
    </EmptyState>
  )
}
