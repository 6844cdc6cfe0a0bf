import type { CallbackInput, CallbackState } from '../../../shared/contract-reliability.ts'
import { isWebAddress } from '../../client/web-address.ts'

export type AddressDraft = { address: string; port: string; network: boolean }

const mostPort = 65_535

/** The port that was typed: null for any free one, undefined for what is none. Pure. */
export function portFrom(text: string): number | null | undefined {
  const typed = text.trim()
  if (typed === '') return null
  const port = /^\d{1,5}$/.test(typed) ? Number(typed) : 0
  return port >= 1 && port <= mostPort ? port : undefined
}

/** The input of `callbacks.save` for what was typed; null while it is not complete. Pure. */
export function addressInput({ address, port: typed, network }: AddressDraft): CallbackInput | null {
  const port = portFrom(typed)
  return isWebAddress(address) && port !== undefined ? { way: 'address', address: address.trim(), network, port } : null
}

/** True when saving would change something; an empty port keeps the one it has. Pure. */
export function addressChanged(draft: AddressDraft, saved: CallbackState): boolean {
  const port = portFrom(draft.port)
  return saved.way !== 'address' || draft.address.trim() !== saved.address || draft.network !== saved.network || (port !== null && port !== saved.port)
}
