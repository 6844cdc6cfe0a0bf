import './client/zod-config.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { theBridge } from './client/client.ts'
import { followEvents } from './client/events.ts'
import { askAhead, newQueryClient } from './client/queries.ts'
import { parseRoute } from './client/route.ts'
import { pageInput } from './screens/jobs/pages.ts'
import { filterOf, jobsView } from './screens/jobs/view.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/overlays.css'
import './styles/frame.css'
import './styles/palette.css'
import './styles/jobs.css'
import './styles/job.css'
import './styles/check.css'
import './styles/items-grid.css'
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
import './styles/reliability.css'
import './styles/narrow.css'

const queryClient = newQueryClient()
followEvents(theBridge(), queryClient)

// The first documents are asked for before the frame around them is drawn: core finds them meanwhile.
void askAhead(queryClient, 'app.state', {}).then(() => {
  if (parseRoute(location.hash).screen !== 'jobs') return
  void askAhead(queryClient, 'jobs.list', pageInput(jobsView(), 0))
  void askAhead(queryClient, 'jobs.counts', filterOf({ ...jobsView(), tab: 'all' }))
})

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App queryClient={queryClient} />
    </StrictMode>,
  )
}
