// enters: what the last run left `submitting`, and answers that it stored but did not read
// leaves: the results of those answers, and of answers whose result was damaged, and for the rest «queued» where
// nothing is billed, «unknown» elsewhere
import type { Context } from './context.ts'
import { recordInterrupted } from './answers/end-attempt.ts'
import { readAgain } from './answers/read-again.ts'
import { readStoredAnswers } from './record.ts'

/**
 * What a restart finds: answers that were stored but not read are read. What is `submitting` then was on its way when
 * the process ended: where nothing is billed it is sent again; elsewhere the outcome is unknown.
 */
export function recoverInterrupted(context: Context): void {
  const { tables } = context
  readStoredAnswers(context)
  // Taken back when the database was repaired; what cannot be read from its answer either stays so.
  for (const { id, reasonCode } of tables.documents.withStatus('unknown'))
    if (reasonCode === 'result_damaged') readAgain(context, id)
  for (const document of tables.documents.withStatus('submitting')) {
    const attempt = tables.attempts.ofDocument(document.id)[0]!
    const { httpStatus, bytesSent } = attempt
    recordInterrupted(context, attempt, { httpStatus, bytesSent, tokens: null })
  }
}
