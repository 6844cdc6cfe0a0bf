import { frAgents } from './fr/agents.ts'
import { frAsk } from './fr/ask.ts'
import { frDocuments } from './fr/documents.ts'
import { frExports } from './fr/exports.ts'
import { frFirstRun } from './fr/first-run.ts'
import { frFolders } from './fr/folders.ts'
import { frPartners } from './fr/partners.ts'
import { frReview } from './fr/review.ts'
import { frSchemas } from './fr/schemas.ts'
import { frSettings } from './fr/settings.ts'
import { frSort } from './fr/sort.ts'
import { frUsage } from './fr/usage.ts'
import { frWindow } from './fr/window.ts'
import type { Messages } from './en.ts'

/** French, with «vous». Narrow no-break spaces stand before high punctuation. */
export const fr: Messages = {
  ...frAgents,
  ...frAsk,
  ...frDocuments,
  ...frExports,
  ...frFirstRun,
  ...frFolders,
  ...frPartners,
  ...frReview,
  ...frSchemas,
  ...frSettings,
  ...frSort,
  ...frUsage,
  ...frWindow,
}
