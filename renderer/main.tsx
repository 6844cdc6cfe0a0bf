import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { App } from './app.tsx'
import { theBridge } from './client/client.ts'
import { followEvents } from './client/events.ts'
import { newQueryClient } from './client/queries.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/overlays.css'
import './styles/frame.css'
import './styles/jobs.css'
import './styles/job.css'
import './styles/forms.css'

// zod would otherwise try `new Function`, which the content security policy refuses and reports.
z.config({ jitless: true })

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
