import type { Document } from '../../../shared/domain/document.ts'
import type { ErrorReason } from '../../../shared/domain/error-reason.ts'
import { AppError, toAppError } from '../../../shared/domain/errors.ts'
import type { Locale } from '../../../shared/messages/sentences.ts'
import type { Models } from '../platform/models.ts'
import { draftByModel } from './by-model.ts'
import { draftByRules } from './by-rules.ts'
import type { Draft } from './by-rules.ts'

type Drafted = Draft & { by: 'model' | 'rules'; note: ErrorReason | null }

/**
 * Drafts a schema from a sample document: by the model that `models` leads to, and by rules where there is none or it
 * did not answer with a schema (`note` says why). `onTokens` hears what the model used, also for an answer that is no
 * schema. Throws `draft_impossible` when the rules find nothing either.
 */
export async function draftSchema(
  document: Document,
  given: {
    fileName: string
    locale: Locale
    model: string | null
    models: (() => Promise<Models>) | null
    onTokens: (tokens: number) => void
  },
): Promise<Drafted> {
  let note: ErrorReason | null = null
  if (given.models !== null) {
    try {
      return { ...(await draftByModel(document, await given.models(), given)), by: 'model', note: null }
    } catch (error) {
      note = toAppError(error).reason
    }
  }
  const draft = draftByRules(document, given.locale)
  if (draft === null) throw new AppError('draft_impossible', { file: given.fileName })
  return { ...draft, by: 'rules', note }
}
