import type { ReactNode } from 'react'
import { LanguageProvider, useLanguage } from '../messages/language.tsx'
import { EmptyState } from './page.tsx'

/** In the place of the window, for whoever the host does not know: most likely the owner, in another browser. */
export function UnknownBrowser(): ReactNode {
  return (
    <LanguageProvider setting="system">
      <main className="main">
        <HowToOpen />
      </main>
    </LanguageProvider>
  )
}

function HowToOpen(): ReactNode {
  const { t } = useLanguage()
  return <EmptyState icon="warning" title={t('app.unknownBrowser')} text={t('app.openHere')} />
}
