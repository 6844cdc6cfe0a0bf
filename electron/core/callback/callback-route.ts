import * as z from 'zod'
import { callbackRoutes } from '../../../shared/contract/callbacks.ts'
import type { CallbackInput } from '../../../shared/contract/callbacks.ts'
import { AppError } from '../../../shared/domain/errors.ts'
import { isLoopback } from '../../system/loopback.ts'
import { normaliseBaseAddress } from '../platform/base-address.ts'
import { callbackPrefix } from './listener.ts'
import type { ListenAddress } from './listener.ts'

const publicAddress = z.object({ url: z.url(), network: z.boolean(), port: z.number().int().nullable() })

/** How results come back from elsewhere, as it is kept in the database. */
const storedRoute = z.object({
  route: z.enum(callbackRoutes),
  /** Kept when another route is chosen, for results that are still under way to it. */
  address: publicAddress.nullable(),
  /** The port that the address leads to where none is prescribed: kept, since a proxy is configured with it. */
  keptPort: z.number().int().nullable(),
  testedAt: z.number().int().nullable(),
  /** Where addresses led to that were changed, for results still under way to them: those of attempts up to `upTo`. */
  earlier: z
    .array(z.object({ path: z.string(), network: z.boolean(), port: z.number().int(), upTo: z.number().int() }))
    .default([]),
})
export type StoredRoute = z.infer<typeof storedRoute>

const noRoute: StoredRoute = { route: 'none', address: null, keptPort: null, testedAt: null, earlier: [] }

/** What was stored, or no route where that is none. */
export function readRoute(stored: unknown): StoredRoute {
  const parsed = storedRoute.safeParse(stored)
  return parsed.success ? parsed.data : noRoute
}

/**
 * The route after a change of settings. Throws `address_invalid`, or `callback_address_local` for an address of this
 * computer.
 */
export function changedRoute(before: StoredRoute, input: CallbackInput): StoredRoute {
  if (input.route !== 'address') return { ...before, route: input.route, testedAt: null }
  const url = normaliseBaseAddress(input.address)
  // A probe from this computer would arrive there, but no result from a service elsewhere.
  if (isLoopback(new URL(url).hostname)) throw new AppError('callback_address_local', { address: url })
  return { ...before, route: 'address', address: { url, network: input.network, port: input.port }, testedAt: null }
}

/** The callback address for a token under a public address. */
export function publicAddressFor(url: string, token: string): string {
  return `${url}${callbackPrefix}${token}`
}

/** What may stand before a token: a proxy passes the public address's own path through, or takes it off. */
export function prefixesOf({ address, earlier }: StoredRoute): string[] {
  const paths = [...(address === null ? [] : [pathOf(address.url)]), ...earlier.map(({ path }) => path), '']
  // The longest first: a path may itself begin like the end of another.
  return [...new Set(paths)].sort((one, other) => other.length - one.length).map((path) => `${path}${callbackPrefix}`)
}

function pathOf(url: string): string {
  return new URL(url).pathname.replace(/\/$/, '')
}

/** The port that the public address leads to; null before it was listened to, and without an address. */
export function portOf({ address, keptPort }: StoredRoute): number | null {
  return address === null ? null : (address.port ?? keptPort)
}

/**
 * Where to listen for the public address. Where no port is prescribed or kept: any one for the network, else
 * `innerPort`, the one for this computer.
 */
export function listenAddressOf(route: StoredRoute, innerPort: number): ListenAddress | null {
  if (route.address === null) return null
  const { network } = route.address
  return { network, port: portOf(route) ?? (network ? 0 : innerPort) }
}

/** More addresses than a person tries before one works. */
const maxEarlier = 8

/**
 * `route`, which also remembers where the address before leads to; `upTo` is the newest attempt that it may have been
 * told to.
 */
export function rememberingEarlier(before: StoredRoute, route: StoredRoute, upTo: number): StoredRoute {
  const port = portOf(before)
  if (before.address === null || port === null) return route
  const path = pathOf(before.address.url)
  if (route.address !== null && pathOf(route.address.url) === path && portOf(route) === port) return route
  return withEarlier(route, { path, network: before.address.network, port, upTo })
}

export function withEarlier(route: StoredRoute, earlier: StoredRoute['earlier'][number]): StoredRoute {
  const others = route.earlier.filter(({ path, port }) => path !== earlier.path || port !== earlier.port)
  return { ...route, earlier: [...others, earlier].slice(-maxEarlier) }
}
