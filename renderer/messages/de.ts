import { deAgents } from './de/agents.ts'
import { deAsk } from './de/ask.ts'
import { deDocuments } from './de/documents.ts'
import { deExports } from './de/exports.ts'
import { deFirstRun } from './de/first-run.ts'
import { deFolders } from './de/folders.ts'
import { dePartners } from './de/partners.ts'
import { deReview } from './de/review.ts'
import { deSchemas } from './de/schemas.ts'
import { deSettings } from './de/settings.ts'
import { deSort } from './de/sort.ts'
import { deUsage } from './de/usage.ts'
import { deWindow } from './de/window.ts'
import type { Messages } from './en.ts'

/** German, with «Sie». */
export const de: Messages = {
  ...deAgents,
  ...deAsk,
  ...deDocuments,
  ...deExports,
  ...deFirstRun,
  ...deFolders,
  ...dePartners,
  ...deReview,
  ...deSchemas,
  ...deSettings,
  ...deSort,
  ...deUsage,
  ...deWindow,
}
