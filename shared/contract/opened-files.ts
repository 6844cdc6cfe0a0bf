import * as z from 'zod'
import { errorReason } from '../domain/error-reason.ts'
import { id, nothing } from './shapes.ts'

/**
 * The part of the contract about files that a person opened with Sheaf, or dropped on its icon. They wait until it is
 * said with which schema they are read, and are copied into the inbox then.
 */
const openedFile = z.object({ name: z.string(), sizeBytes: z.number().int() })
export type OpenedFile = z.infer<typeof openedFile>

export const openedFileCalls = {
  'openedFiles.list': { input: nothing, output: z.object({ files: z.array(openedFile) }) },
  /** Copies all that wait, but for those that cannot be read. Throws `not_found`, and then all of them still wait. */
  'openedFiles.take': {
    input: z.object({ schemaId: id, connectionId: id }),
    output: z.object({ added: z.number().int(), failed: z.array(errorReason) }),
  },
  /** Nothing is done with them. */
  'openedFiles.dismiss': { input: nothing, output: nothing },
} as const

export const openedFileEvents = { 'openedFiles.changed': nothing } as const
