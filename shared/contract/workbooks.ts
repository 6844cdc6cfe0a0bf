import * as z from 'zod'
import { listLayouts } from './exports.ts'
import { errorReason } from '../domain/error-reason.ts'
import { locales } from '../messages/sentences.ts'
import { id, time, nothing } from './shapes.ts'

/**
 * The part of the contract between window and core that is about the workbooks which grow as documents are approved.
 */

const settingFields = z.object({
  on: z.boolean(),
  /** Null: with the person's documents, in «Sheaf», by the folder's name. */
  path: z.string().trim().min(1).max(4000).nullable(),
  lists: z.enum(listLayouts),
  /** The language of its headers. */
  locale: z.enum(locales),
})
export type WorkbookSettings = z.infer<typeof settingFields>

const workbookRow = settingFields.extend({
  folderId: id,
  folderName: z.string(),
  /** Where it is written, or will be where nothing was written yet; that can have a number behind its name. */
  place: z.string(),
  /** What the file has. */
  rows: z.number().int(),
  documents: z.number().int(),
  writtenAt: time.nullable(),
  /** What it does not have yet as it was approved, or still has though the approval was taken back. */
  waitingRows: z.number().int(),
  waitingDocuments: z.number().int(),
  /** Why what waits cannot be written (`workbook_…`); goes on by itself. Null while nothing is wrong. */
  problem: errorReason.nullable(),
  /** The file that a person changed: it stays as it is, and `place` has everything instead. Null once that was read. */
  changedByHand: z.string().nullable(),
})
export type WorkbookRow = z.infer<typeof workbookRow>

const one = z.object({ folderId: id })

export const workbookCalls = {
  /** One for each folder, also those that want none. */
  'workbooks.list': { input: nothing, output: z.object({ workbooks: z.array(workbookRow) }) },
  /**
   * What is not named stays. A file that is there and not Sheaf's is never written over. Throws `not_found`,
   * `folder_missing`, `folder_own`.
   */
  'workbooks.set': { input: settingFields.partial().extend(one.shape), output: workbookRow },
  /** At once, though nothing waits; a lock file beside it that another program left behind does not count. */
  'workbooks.writeNow': { input: one, output: workbookRow },
  /** The person has read that a file was left because it was changed. */
  'workbooks.dismiss': { input: one, output: workbookRow },
  /** Shows the file in Explorer or Finder; only on the desktop host. */
  'workbooks.reveal': { input: one, output: nothing },
} as const

export const workbookEvents = {
  'workbooks.changed': nothing,
} as const
