import { app, dialog } from 'electron'
import { toAppError } from '../shared/domain/errors.ts'
import { locales, sentenceFor } from '../shared/messages/sentences.ts'
import { registerScheme } from './desktop/scheme.ts'
import { startDesktop } from './desktop/app.ts'

// Schemes can only be registered before the app is ready.
registerScheme()
void startDesktop().catch(async (error: unknown) => {
  // Before that no window can be shown, and nobody knows the person's language.
  await app.whenReady()
  const { code, details } = toAppError(error)
  const locale = locales.find((known) => app.getLocale().startsWith(known)) ?? 'en'
  dialog.showErrorBox('Sheaf', sentenceFor(code, details, locale))
  app.exit(1)
})
