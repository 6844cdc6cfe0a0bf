import { app } from 'electron'
import { registerScheme } from './desktop/scheme.ts'
import { startDesktop } from './desktop/app.ts'

// Schemes can only be registered before the app is ready.
registerScheme()
void startDesktop().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  app.exit(1)
})
