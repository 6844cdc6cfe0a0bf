import { AppError } from '../../../shared/domain/errors.ts'
import { isDamage } from '../db/durability/storage-trouble.ts'
import { agentHandlers } from './agents.ts'
import { appHandlers } from './app.ts'
import { askHandlers } from './ask.ts'
import { binHandlers } from './bin.ts'
import { callbackHandlers } from './callbacks.ts'
import { connectionHandlers } from './connections.ts'
import { diagnosticsHandlers } from './diagnostics.ts'
import { documentHandlers } from './documents.ts'
import { exportHandlers } from './exports.ts'
import { extraDocumentHandlers } from './extra-document.ts'
import { folderContentsHandlers } from './folder-contents.ts'
import { folderHandlers } from './folders.ts'
import { ledgerHandlers } from './ledger.ts'
import { lessonHandlers } from './lessons.ts'
import { openedFileHandlers } from './opened-files.ts'
import { modelHandlers } from './models.ts'
import { partnerHandlers } from './partners.ts'
import { reextractionHandlers } from './reextraction.ts'
import { reviewHandlers } from './review.ts'
import { schemaHandlers } from './schemas.ts'
import { sortingHandlers } from './sorting.ts'
import { storageHandlers } from './storage.ts'
import { transferHandlers } from './transfer.ts'
import { trialHandlers } from './trials.ts'
import type { HandlerContext, Handlers } from './types.ts'
import { updateHandlers } from './updates.ts'
import { usageHandlers } from './usage.ts'
import { workbookHandlers } from './workbooks.ts'

/** Every call of the contract. Damage of the database is reported, whoever meets it. */
export function allHandlers(context: HandlerContext, reportDamage: (error: unknown) => void): Handlers {
  return reportingDamage(reportDamage, {
    ...appHandlers(context),
    ...documentHandlers(context),
    ...extraDocumentHandlers(context),
    ...binHandlers(context),
    ...folderHandlers(context),
    ...folderContentsHandlers(context),
    ...schemaHandlers(context),
    ...connectionHandlers(context),
    ...exportHandlers(context),
    ...reviewHandlers(context),
    ...workbookHandlers(context),
    ...askHandlers(context),
    ...agentHandlers(context),
    ...modelHandlers(context),
    ...trialHandlers(context),
    ...reextractionHandlers(context),
    ...partnerHandlers(context),
    ...transferHandlers(context),
    ...usageHandlers(context),
    ...callbackHandlers(context),
    ...sortingHandlers(context),
    ...storageHandlers(context),
    ...updateHandlers(context),
    ...ledgerHandlers(context),
    ...lessonHandlers(context),
    ...openedFileHandlers(context),
    ...diagnosticsHandlers(context),
  })
}

function reportingDamage(report: (error: unknown) => void, handlers: Handlers): Handlers {
  const reporting = ([name, handle]: [string, (input: never) => Promise<unknown>]) => [
    name,
    async (input: never) => {
      try {
        return await handle(input)
      } catch (error) {
        if (!isDamage(error)) throw error
        report(error)
        throw new AppError('storage_damaged', {}, { cause: error })
      }
    },
  ]
  return Object.fromEntries(Object.entries(handlers).map(reporting)) as Handlers
}
