import type { Folder } from '../../electron/core/db/tables/folders.ts'
import type { Context } from '../../electron/core/pipeline/context.ts'
import type { Candidate } from '../../electron/core/pipeline/files/file-rules.ts'
import { takeIn as takeInAll } from '../../electron/core/pipeline/intake.ts'

/** Takes one file in. Returns the number of its document. */
export async function takeIn(context: Context, folder: Folder, candidate: Candidate): Promise<number> {
  return (await takeInAll(context, folder, [candidate]))[0]!
}
