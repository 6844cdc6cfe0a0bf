import { z } from 'zod'
import { errorReason } from './error-reason.ts'

/** The part of the contract between window and core that is about resends, callbacks and the database's safety. */

const id = z.number().int().positive()
const time = z.number().int()
const nothing = z.object({})

/** How results of asynchronous extractions reach this computer from outside. */
export const callbackWays = ['none', 'address', 'mailbox'] as const

export const callbackState = z.object({
  way: z.enum(callbackWays),
  /** The public address that a reverse proxy or a tunnel leads to the listener; null unless that is the way. */
  address: z.string().nullable(),
  /** Where the listener is: on this computer only, or for the network; the port it has now. */
  network: z.boolean(),
  port: z.number().int(),
  mailbox: z
    .object({
      url: z.string(),
      pairedAt: time,
      /** When it last answered; null when it never did since the start. */
      answeredAt: time.nullable(),
      problem: errorReason.nullable(),
    })
    .nullable(),
  /** When a canary last came back; null when it never did on this way. */
  testedAt: time.nullable(),
  testing: z.boolean(),
  /** Why large files go synchronously now; null when they need not. */
  problem: errorReason.nullable(),
  /** Documents whose result is overdue. */
  overdue: z.number().int(),
  /** Documents whose result may still come from a service elsewhere, these included. */
  awaited: z.number().int(),
})
export type CallbackState = z.infer<typeof callbackState>

export const callbackInput = z.discriminatedUnion('way', [
  z.object({ way: z.literal('none') }),
  z.object({
    way: z.literal('address'),
    address: z.string().trim().min(1).max(2000),
    network: z.boolean().default(false),
    /** Null: any free port, kept from then on. */
    port: z.number().int().min(1).max(65_535).nullable().default(null),
  }),
  /** Only once a mailbox is paired (`callbacks.pair` chooses it). */
  z.object({ way: z.literal('mailbox') }),
])

export type CallbackInput = z.output<typeof callbackInput>

/** What a person is told after the database had to be put together again, or turned out to be an earlier one. */
export const recovery = z.object({
  at: time,
  /**
   * restored: put together from snapshot and journal; repaired: as it was, but for single values that could not be read;
   * earlier: somebody put a copy of earlier in its place.
   */
  how: z.enum(['restored', 'repaired', 'earlier']).default('restored'),
  /** The snapshot that it was restored from, or when the earlier copy was made; null when there was none, or nobody knows. */
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

/** busy: another program holds the database; damaged: the database broke while it was in use; it is put together again at the next start. */
export const storageTroubles = ['full', 'read_only', 'busy', 'damaged'] as const
export type StorageTrouble = (typeof storageTroubles)[number]

export const storageState = z.object({
  dataDir: z.string(),
  databaseBytes: z.number(),
  snapshots: z.array(z.object({ at: time, sizeBytes: z.number(), kind: z.enum(['hourly', 'migration', 'manual']) })),
  recovery: recovery.nullable(),
  /** Why the last snapshot of this run was not made; null when it was. */
  lastFailure: z.object({ at: time, problem: errorReason }).nullable(),
})
export type StorageState = z.infer<typeof storageState>

export const reliabilityCalls = {
  /** Documents whose outcome is unknown go again, which may be billed twice: the person has been asked. Null: all of them. */
  'jobs.resend': { input: z.object({ ids: z.array(id).min(1).max(10_000).nullable() }), output: z.object({ sent: z.number().int() }) },
  /** Reads the kept answers of documents anew, without asking the service. */
  'jobs.readAgain': { input: z.object({ ids: z.array(id).min(1).max(10_000) }), output: z.object({ read: z.number().int(), changed: z.number().int() }) },

  'callbacks.get': { input: nothing, output: callbackState },
  /** Throws `address_invalid`, `callback_port_taken`, `mailbox_not_paired`. */
  'callbacks.save': { input: callbackInput, output: callbackState },
  /** Sends a canary through the way that is chosen and waits for it. */
  'callbacks.test': { input: nothing, output: callbackState },
  /**
   * A mailbox that is paired already is emptied first. Throws `mailbox_code_invalid`, and `mailbox_unreachable`,
   * `mailbox_key_unavailable` or `storage_…` of either mailbox: then nothing has changed.
   */
  'callbacks.pair': { input: z.object({ code: z.string().trim().min(1).max(2000) }), output: callbackState },
  /**
   * Fetches first what waits there. Throws `mailbox_unreachable`, `mailbox_key_unavailable`, `storage_…` when that is not
   * possible; with `discard`, which the person has been asked for, what waits is given up then.
   */
  'callbacks.unpair': { input: z.object({ discard: z.boolean().default(false) }), output: callbackState },

  'storage.get': { input: nothing, output: storageState },
  'storage.backUp': { input: nothing, output: storageState },
  /** The person has read that the database was restored. */
  'storage.dismissRecovery': { input: nothing, output: nothing },
} as const

export const reliabilityEvents = {
  'callbacks.changed': nothing,
  'storage.changed': nothing,
} as const
