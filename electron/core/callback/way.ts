import { z } from 'zod'
import { callbackWays } from '../../../shared/contract-reliability.ts'
import type { CallbackInput } from '../../../shared/contract-reliability.ts'
import { AppError } from '../../../shared/errors.ts'
import { isLoopback, normaliseBaseAddress } from '../platform/base-address.ts'
import { callbackPrefix } from './listener.ts'
import type { Place } from './listener.ts'

const publicAddress = z.object({ url: z.url(), network: z.boolean(), port: z.number().int().nullable() })

/** How results come back from elsewhere, as it is kept in the database. */
const storedWay = z.object({
  way: z.enum(callbackWays),
  /** Kept when another way is chosen, for results that are still under way to it. */
  address: publicAddress.nullable(),
  /** The port of the listener for the network where none is prescribed. */
  keptPort: z.number().int().nullable(),
  testedAt: z.number().int().nullable(),
})
export type StoredWay = z.infer<typeof storedWay>

const noWay: StoredWay = { way: 'none', address: null, keptPort: null, testedAt: null }

/** What was stored, or no way where that is none. */
export function readWay(stored: unknown): StoredWay {
  const parsed = storedWay.safeParse(stored)
  return parsed.success ? parsed.data : noWay
}

/** The way after a change of settings. Throws `address_invalid`, or `callback_address_local` for an address of this computer. */
export function changedWay(before: StoredWay, input: CallbackInput): StoredWay {
  if (input.way !== 'address') return { ...before, way: input.way, testedAt: null }
  const url = normaliseBaseAddress(input.address)
  // A canary would come back over it, and no result ever.
  if (isLoopback(new URL(url).hostname)) throw new AppError('callback_address_local', { address: url })
  return { ...before, way: 'address', address: { url, network: input.network, port: input.port }, testedAt: null }
}

/** The callback address for a token under a public address. */
export function publicAddressFor(url: string, token: string): string {
  return `${url}${callbackPrefix}${token}`
}

/** What may stand before a token: a proxy passes the public address's own path through, or takes it off. */
export function prefixesOf({ address }: StoredWay): string[] {
  const path = address === null ? '' : new URL(address.url).pathname.replace(/\/$/, '')
  return path === '' ? [callbackPrefix] : [`${path}${callbackPrefix}`, callbackPrefix]
}

/**
 * Where to listen besides the port for services on this computer (`innerPort`, loopback): null when that one serves the
 * public address as well.
 */
export function outerPlace({ address, keptPort }: StoredWay, innerPort: number): Place | null {
  if (address === null) return null
  const port = address.port ?? (address.network ? (keptPort ?? 0) : innerPort)
  return port === innerPort ? null : { network: address.network, port }
}

/** Whether the port for services on this computer has to be open to the network too, since the public address leads to it. */
export function isInnerPublic({ address }: StoredWay, innerPort: number): boolean {
  return address !== null && address.network && address.port === innerPort
}
