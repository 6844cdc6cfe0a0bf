import * as z from 'zod'
import { nothing, time } from './shapes.ts'

/** The part of the contract between window and core that is about updates of the desktop's program. */

/**
 * Why an update was not taken; the program stays as it is. address: the server's is none, or not https; unreachable: it
 * was not reached, or broke off; unreadable: what it says is no update for this system; elsewhere: it leads to another
 * server; older: it has an older version; signature: not signed by who made this program, or nobody could look;
 * content: not what was announced; disk_full; failed: anything else.
 */
export const updateFailures = [
  'address',
  'unreachable',
  'unreadable',
  'elsewhere',
  'older',
  'signature',
  'content',
  'disk_full',
  'failed',
] as const
export type UpdateFailure = (typeof updateFailures)[number]

const updateState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off'), byAdministrator: z.boolean() }),
  /** Nothing newer was known at `checkedAt`; null: nobody has asked yet. */
  z.object({ kind: z.literal('idle'), checkedAt: time.nullable() }),
  z.object({ kind: z.literal('checking') }),
  z.object({ kind: z.literal('downloading'), version: z.string(), percent: z.number().int().min(0).max(100) }),
  /** It is installed when the program is quit and no batch runs. */
  z.object({ kind: z.literal('ready'), version: z.string() }),
  z.object({ kind: z.literal('failed'), code: z.enum(updateFailures) }),
])
export type UpdateState = z.infer<typeof updateState>

/** `state` is null where there are no updates: in a browser, and in a program that was packed without a server. */
const updates = z.object({ state: updateState.nullable() })

export const updateCalls = {
  'updates.get': { input: nothing, output: updates },
  /** Begins to look for one; events tell what comes of it. */
  'updates.check': { input: nothing, output: updates },
  /** Ends the program, installs what is ready and starts it again. Throws `batch_running`. */
  'updates.install': { input: nothing, output: nothing },
} as const

export const updateEvents = {
  'updates.changed': nothing,
} as const
