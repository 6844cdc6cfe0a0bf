import { useState } from 'react'
import type { ReactNode } from 'react'
import { notify } from '../../components/notices.tsx'
import { Button } from '../../components/controls.tsx'
import { Callout } from '../../components/page.tsx'
import { useLanguage } from '../../messages/language.tsx'
import { useRetryActions } from './retry-actions.ts'
import { ConfirmResend } from './document-actions.tsx'
import type { DocumentPages } from './pages.ts'
import { maxSelected } from './selection.ts'
import { isNarrowed } from './view.ts'
import type { DocumentsView } from './view.ts'

/** Above the documents of unclear outcome: what that means, and all that are listed sent again at once. */
export function LostDocuments({ view, pages }: { view: DocumentsView; pages: DocumentPages }): ReactNode {
  const { t, formats, errorSentence } = useLanguage()
  const { resend } = useRetryActions()
  const [asking, setAsking] = useState(false)
  const narrowed = isNarrowed(view)
  const count = narrowed ? Math.min(pages.total ?? 0, maxSelected) : (pages.total ?? 0)
  const values = { count, shown: formats.count(count) }
  if (count === 0) return null

  async function sendAll(): Promise<void> {
    // The person did not agree to resend what a filter hides.
    try {
      resend(narrowed ? (await pages.fetchRange(0, count - 1)).map(({ id }) => id) : null)
    } catch (error) {
      notify('problem', errorSentence(error))
    }
  }
  return (
    <div className="list-line">
      <Callout kind="flag" action={<Button onPress={() => setAsking(true)}>{t('unknown.all', values)}</Button>}>
        {t('unknown.text', values)}
      </Callout>
      {asking && <ConfirmResend count={count} onConfirm={() => void sendAll()} onClose={() => setAsking(false)} />}
    </div>
  )
}
