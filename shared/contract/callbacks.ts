import * as z from 'zod'
import { errorReason } from '../domain/error-reason.ts'
import { time, nothing } from './shapes.ts'

/** The part of the contract between window and core that is about callbacks and the mailbox. */

/** How results of asynchronous extractions reach this computer from outside. */
export const callbackRoutes = ['none', 'address', 'mailbox'] as const

const callbackState = z.object({
  route: z.enum(callbackRoutes),
  /** The public address that a reverse proxy or a tunnel leads to the listener; null unless that is the route. */
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
  /** When a probe last came back; null when it never did on this route. */
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

const callbackInput = z.discriminatedUnion('route', [
  z.object({ route: z.literal('none') }),
  z.object({
    route: z.literal('address'),
    address: z.string().trim().min(1).max(2000),
    network: z.boolean().default(false),
    /** Null: any free port, kept from then on. */
    port: z.number().int().min(1).max(65_535).nullable().default(null),
  }),
  /** Only once a mailbox is paired (`callbacks.pair` chooses it). */
  z.object({ route: z.literal('mailbox') }),
])

export type CallbackInput = z.output<typeof callbackInput>

export const callbackCalls = {
  'callbacks.get': { input: nothing, output: callbackState },
  /** Throws `address_invalid`, `callback_port_taken`, `mailbox_not_paired`. */
  'callbacks.save': { input: callbackInput, output: callbackState },
  /** Sends a probe over the route that is chosen and waits for it. */
  'callbacks.test': { input: nothing, output: callbackState },
  /**
   * A mailbox that is paired already is emptied first. Throws `mailbox_code_invalid`, and `mailbox_unreachable`,
   * `mailbox_key_unavailable` or `storage_…` of either mailbox: then nothing has changed.
   */
  'callbacks.pair': { input: z.object({ code: z.string().trim().min(1).max(2000) }), output: callbackState },
  /**
   * Fetches first what waits there. Throws `mailbox_unreachable`, `mailbox_key_unavailable`, `storage_…` when that is
   * not possible; with `discard`, which the person has been asked for, what waits is given up then.
   */
  'callbacks.unpair': { input: z.object({ discard: z.boolean().default(false) }), output: callbackState },
} as const

export const callbackEvents = {
  'callbacks.changed': nothing,
} as const
