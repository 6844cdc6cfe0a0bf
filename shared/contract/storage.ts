import * as z from 'zod'
import { errorReason } from '../domain/error-reason.ts'
import { time, nothing } from './shapes.ts'

/** The part of the contract between window and core that is about the database: snapshots and what became of it. */

/** The notice after the database was restored or repaired, or turned out to be an earlier copy. */
export const recovery = z.object({
  at: time,
  /**
   * restored: put together from snapshot and journal; repaired: as it was, but for single values that could not be
   * read; earlier: somebody put a copy of earlier in its place.
   */
  how: z.enum(['restored', 'repaired', 'earlier']).default('restored'),
  /**
   * The snapshot that it was restored from, or when the earlier copy was made; null when there was none, or nobody
   * knows.
   */
  snapshotAt: time.nullable(),
  /** The folder in which the broken files are kept; null when nothing was broken. */
  setAsideIn: z.string().nullable(),
  /** Attempts and answers taken from the journal on top of the snapshot. */
  attempts: z.number().int(),
  answers: z.number().int(),
  /** The journal was lost as well, or does not reach back so far: what was sent since the snapshot is not known. */
  journalLost: z.boolean(),
})
export type Recovery = z.infer<typeof recovery>

/**
 * busy: another program holds the database; damaged: the database broke while it was in use; it is put together again
 * at the next start.
 */
export const storageTroubles = ['full', 'read_only', 'busy', 'damaged', 'moved'] as const
export type StorageTrouble = (typeof storageTroubles)[number]

const storageState = z.object({
  dataDir: z.string(),
  databaseBytes: z.number(),
  snapshots: z.array(z.object({ at: time, sizeBytes: z.number(), kind: z.enum(['hourly', 'migration', 'manual']) })),
  recovery: recovery.nullable(),
  /** Why the last snapshot of this run was not made; null when it was. */
  lastFailure: z.object({ at: time, problem: errorReason }).nullable(),
})
export type StorageState = z.infer<typeof storageState>

export const storageCalls = {
  'storage.get': { input: nothing, output: storageState },
  'storage.backUp': { input: nothing, output: storageState },
  /** The person has read that the database was restored. */
  'storage.dismissRecovery': { input: nothing, output: nothing },
} as const

export const storageEvents = {
  'storage.changed': nothing,
} as const
