import './client/zod-config.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { theBridge } from './client/client.ts'
import { followEvents } from './client/events.ts'
import { newQueryClient } from './client/queries.ts'
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
import './styles/exports.css'
import './styles/workbooks.css'
import './styles/ask.css'
import './styles/usage.css'
import './styles/reliability.css'
import './styles/narrow.css'

const queryClient = newQueryClient()
followEvents(theBridge(), queryClient)

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App queryClient={queryClient} />
    </StrictMode>,
  )
}
