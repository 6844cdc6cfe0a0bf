import './client/zod-config.ts'
import { StrictMode } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { getBridge } from './client/client.ts'
import { followEvents } from './client/events.ts'
import { prefetchCall, newQueryClient } from './client/queries.ts'
import { parseRoute } from './client/route.ts'
import { openSession } from './client/session.ts'
import { UnknownBrowser } from './components/unknown-browser.tsx'
import { pageInput } from './screens/documents/pages.ts'
import { filterOf, documentsView } from './screens/documents/view.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/overlays.css'
import './styles/frame.css'
import './styles/palette.css'
import './styles/partners.css'
import './styles/documents.css'
import './styles/review.css'
import './styles/values-panel.css'
import './styles/items-grid.css'
import './styles/sort.css'
import './styles/forms.css'
import './styles/first-run.css'
import './styles/cards.css'
import './styles/folders.css'
import './styles/schemas.css'
import './styles/schema-editor.css'
import './styles/exports.css'
import './styles/workbooks.css'
import './styles/ask.css'
import './styles/usage.css'
import './styles/settings.css'
import './styles/narrow.css'

function startWindow(): ReactNode {
  const queryClient = newQueryClient()
  followEvents(getBridge(), queryClient)
  // The first documents are asked for before the frame around them is drawn: core finds them meanwhile.
  void prefetchCall(queryClient, 'app.state', {}).then(() => {
    if (parseRoute(location.hash).screen !== 'documents') return
    void prefetchCall(queryClient, 'documents.list', pageInput(documentsView(), 0))
    void prefetchCall(queryClient, 'documents.counts', filterOf({ ...documentsView(), tab: 'all' }))
  })
  return <App queryClient={queryClient} />
}

const root = document.getElementById('root')
if (root) {
  void openSession().then((isOpen) =>
    createRoot(root).render(<StrictMode>{isOpen ? startWindow() : <UnknownBrowser />}</StrictMode>),
  )
}
