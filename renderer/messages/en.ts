import { enAgents } from './en/agents.ts'
import { enAsk } from './en/ask.ts'
import { enDocuments } from './en/documents.ts'
import { enExports } from './en/exports.ts'
import { enFirstRun } from './en/first-run.ts'
import { enFolders } from './en/folders.ts'
import { enPartners } from './en/partners.ts'
import { enReview } from './en/review.ts'
import { enSchemas } from './en/schemas.ts'
import { enSettings } from './en/settings.ts'
import { enSort } from './en/sort.ts'
import { enUsage } from './en/usage.ts'
import { enWindow } from './en/window.ts'

/** English: its ids are what the other languages have to have, too. ICU message text; the apostrophe is always ’. */
export const en = {
  ...enAgents,
  ...enAsk,
  ...enDocuments,
  ...enExports,
  ...enFirstRun,
  ...enFolders,
  ...enPartners,
  ...enReview,
  ...enSchemas,
  ...enSettings,
  ...enSort,
  ...enUsage,
  ...enWindow,
} as const

export type MessageId = keyof typeof en
export type Messages = Record<MessageId, string>
